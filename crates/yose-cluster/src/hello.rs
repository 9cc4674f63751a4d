//! The first thing said: what each process is about to solve, and what with.

use std::collections::BTreeMap;

use yose_store::Identity;

use crate::error::{ClusterError, Mismatch};
use crate::mesh::Seat;

/// Most bytes of a hello that are read.
const MOST_BYTES: usize = 1 << 20;

/// What must be equal everywhere, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hello(BTreeMap<String, String>);

impl Hello {
    /// The computation's identity, the build, and the hash of the partition map.
    pub(crate) fn new(identity: &Identity, build: &str, map: u64) -> Hello {
        let fields = identity.fields();
        let mut all: BTreeMap<String, String> = fields
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        all.insert("build".to_owned(), build.to_owned());
        all.insert("partition map".to_owned(), format!("{map:016x}"));
        Hello(all)
    }

    /// As it is sent: JSON, which another build reads too.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Strings under strings always have a JSON form.
        serde_json::to_vec(&self.0).unwrap_or_default()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Hello, String> {
        if bytes.len() > MOST_BYTES {
            return Err(format!("a hello of {} bytes", bytes.len()));
        }
        serde_json::from_slice(bytes)
            .map(Hello)
            .map_err(|error| error.to_string())
    }

    /// The first field in which they differ: its name, our value, theirs.
    fn difference(&self, other: &Hello) -> Option<(String, String, String)> {
        let value = |of: &Hello, name: &String| {
            of.0.get(name)
                .cloned()
                .unwrap_or_else(|| "(none)".to_owned())
        };
        let names = self.0.keys().chain(other.0.keys());
        names
            .map(|name| (name.clone(), value(self, name), value(other, name)))
            .find(|(_, ours, theirs)| ours != theirs)
    }
}

/// Whether all say what the leader says. Everybody comes to the same answer.
pub(crate) fn check(hellos: &[Vec<u8>], seat: &Seat) -> Result<(), ClusterError> {
    let mut first: Option<Hello> = None;
    for (process, bytes) in hellos.iter().enumerate() {
        let address = seat.address(process).to_owned();
        let hello = Hello::from_bytes(bytes)
            .map_err(|what| ClusterError::bytes(format!("process {process} at {address}"), what))?;
        let Some(leader) = &first else {
            first = Some(hello);
            continue;
        };
        if let Some((field, ours, theirs)) = leader.difference(&hello) {
            return Err(ClusterError::Mismatch(Box::new(Mismatch {
                field,
                process,
                address,
                theirs,
                leader: seat.address(0).to_owned(),
                ours,
            })));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_field_is_named() {
        let identity = Identity::new().with("game", "shogi4").with("pieces", "PF");
        let ours = Hello::new(&identity, "1", 7);
        let seat = Seat::threads(2).remove(0);
        let check = |theirs: &Hello| check(&[ours.to_bytes(), theirs.to_bytes()], &seat);
        assert!(check(&ours).is_ok());
        for (theirs, field) in [
            (
                Hello::new(&identity.clone().with("pieces", "PFR"), "1", 7),
                "pieces",
            ),
            (
                Hello::new(&identity.clone().with("more", "x"), "1", 7),
                "more",
            ),
            (Hello::new(&identity, "2", 7), "build"),
            (Hello::new(&identity, "1", 8), "partition map"),
        ] {
            let error = check(&theirs).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{field} differs: process 1 at thread 1 ")),
                "{error}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_hello_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Hello::from_bytes(&bytes);
        }

        #[test]
        fn a_hello_comes_through(fields in prop::collection::btree_map(".{0,9}", ".{0,9}", 0..5)) {
            let hello = Hello(fields);
            prop_assert_eq!(Hello::from_bytes(&hello.to_bytes()), Ok(hello));
        }
    }
}
