//! What a computation is, so that its state cannot be taken for another's.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{Cursor, put_text};

/// Most fields of an identity, and most bytes of one name or value.
const MOST_FIELDS: u32 = 64;
const LONGEST: u32 = 4096;

/// The named facts that must be equal for a state to be continued: game, pieces, metric, hash of
/// the rules, version of the format, partition. Whatever may change between two runs that can
/// continue each other (threads, build, machine) does not belong here.
///
/// ```
/// use yose_store::Identity;
///
/// let ours = Identity::new().with("game", "shogi4").with("pieces", "PF");
/// let theirs = Identity::new().with("game", "shogi4").with("pieces", "PFR");
/// assert_eq!(ours.difference(&theirs), Some(("pieces".into(), "PF".into(), "PFR".into())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    fields: Vec<(String, String)>,
}

impl Identity {
    /// An identity without any field.
    pub fn new() -> Identity {
        Identity::default()
    }

    /// Adds a field, or replaces the value it had.
    ///
    /// # Panics
    ///
    /// With more than 64 fields, or a name or value above 4,096 bytes.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Identity {
        let (name, value) = (name.into(), value.into());
        let longest = LONGEST as usize;
        assert!(
            name.len() <= longest && value.len() <= longest,
            "a field of an identity has at most {LONGEST} bytes"
        );
        match self.fields.iter_mut().find(|(known, _)| *known == name) {
            Some(field) => field.1 = value,
            None => self.fields.push((name, value)),
        }
        self.fields.sort();
        assert!(
            self.fields.len() <= MOST_FIELDS as usize,
            "an identity has at most {MOST_FIELDS} fields"
        );
        self
    }

    /// The fields, sorted by name.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The first field in which `other` differs: its name, our value, the other value. A field
    /// that one of them lacks has the value `(none)` there.
    pub fn difference(&self, other: &Identity) -> Option<(String, String, String)> {
        let value = |of: &Identity, name: &str| {
            let found = of.fields.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "(none)".to_owned(), |(_, value)| value.clone())
        };
        let names = self.fields.iter().chain(&other.fields);
        names.map(|(name, _)| name).find_map(|name| {
            let (ours, theirs) = (value(self, name), value(other, name));
            (ours != theirs).then(|| (name.clone(), ours, theirs))
        })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        // At most MOST_FIELDS.
        bytes.extend_from_slice(
            &u32::try_from(self.fields.len())
                .unwrap_or(u32::MAX)
                .to_le_bytes(),
        );
        for (name, value) in &self.fields {
            put_text(bytes, name);
            put_text(bytes, value);
        }
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Identity> {
        let count = cursor.u32()?;
        if count > MOST_FIELDS {
            return None;
        }
        let mut fields = Vec::new();
        for _ in 0..count {
            fields.push((cursor.text(LONGEST)?, cursor.text(LONGEST)?));
        }
        // Sorted and without repetition, as written.
        fields
            .windows(2)
            .all(|pair| pair[0].0 < pair[1].0)
            .then_some(Identity { fields })
    }

    pub(crate) fn hash(&self) -> u64 {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        xxh3_64(&bytes)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.fields().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {value}")?;
        }
        Ok(())
    }
}
