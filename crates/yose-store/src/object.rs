//! Objects: what one is called and what is known about its bytes.

use crate::bytes::{Cursor, put_text};
use crate::error::StoreError;

/// Longest name of an object, bytes.
pub const LONGEST_NAME: usize = 128;
/// A name, a generation, a writer and a number, with what parts them.
pub(crate) const LONGEST_FILE: u32 = 256;

/// An object that was written: everything needed to find it and to notice if one of its bytes
/// changed. Objects are never changed; writing under the same name again makes another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    pub(crate) name: String,
    /// `NAME.GENERATION-WRITER-NUMBER`, below `objects/`.
    pub(crate) file: String,
    pub(crate) plain_bytes: u64,
    pub(crate) stored_bytes: u64,
    /// Over the checksums of all blocks.
    pub(crate) digest: u64,
}

impl Object {
    /// The name it was written under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes that were put in and will be read.
    pub fn plain_bytes(&self) -> u64 {
        self.plain_bytes
    }

    /// The bytes it takes in the store.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Everything about the object in a few dozen bytes, to send it to the process that publishes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// Reads what [`to_bytes`](Object::to_bytes) wrote.
    ///
    /// # Errors
    ///
    /// [`StoreError::Descriptor`] if these are not the bytes of an object.
    pub fn from_bytes(bytes: &[u8]) -> Result<Object, StoreError> {
        let mut cursor = Cursor::new(bytes);
        match Object::read(&mut cursor) {
            Some(object) if cursor.is_at_end() => Ok(object),
            _ => Err(StoreError::Descriptor {
                offset: cursor.offset(),
                length: bytes.len(),
            }),
        }
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        put_text(bytes, &self.name);
        put_text(bytes, &self.file);
        for number in [self.plain_bytes, self.stored_bytes, self.digest] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Object> {
        let name = cursor.text(u32::try_from(LONGEST_NAME).ok()?)?;
        let file = cursor.text(LONGEST_FILE)?;
        let object = Object {
            plain_bytes: cursor.u64()?,
            stored_bytes: cursor.u64()?,
            digest: cursor.u64()?,
            name,
            file,
        };
        // A file name that leads elsewhere, or that is another object's, is nothing we wrote.
        let whose = parse_file(&object.file)?.name;
        (whose == object.name && is_name(&object.name)).then_some(object)
    }

    /// The generation this object was written for.
    pub(crate) fn generation(&self) -> u64 {
        parse_file(&self.file).map_or(0, |parts| parts.generation)
    }
}

/// Letters, digits, `_`, `+` and `-`: what every file system and every bucket keeps as it is.
pub(crate) fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte);
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(allowed)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileName<'a> {
    pub(crate) name: &'a str,
    pub(crate) generation: u64,
}

pub(crate) fn file_name(name: &str, generation: u64, writer: u64, number: u64) -> String {
    format!("{name}.{generation}-{writer:016x}-{number}")
}

/// The parts of a file name that [`file_name`] made, `None` for any other.
pub(crate) fn parse_file(file: &str) -> Option<FileName<'_>> {
    let (name, tail) = file.split_once('.')?;
    let mut parts = tail.split('-');
    let generation: u64 = parts.next()?.parse().ok()?;
    let writer = u64::from_str_radix(parts.next()?, 16).ok()?;
    let number: u64 = parts.next()?.parse().ok()?;
    let same = is_name(name) && file_name(name, generation, writer, number) == file;
    same.then_some(FileName { name, generation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_read_back_and_nothing_else_is() {
        let file = file_name("cell-3+a", 17, 0xabc, 4);
        assert_eq!(file, "cell-3+a.17-0000000000000abc-4");
        let parts = parse_file(&file).expect("our own name");
        assert_eq!((parts.name, parts.generation), ("cell-3+a", 17));
        for wrong in [
            "",
            "cell",
            "cell.1",
            "cell.1-0-1",
            "../cell.1-0000000000000abc-4",
            "a/b.1-0000000000000abc-4",
            "cell.01-0000000000000abc-4",
            "cell.1-0000000000000abc-4-5",
            "cell.1-0000000000000ABC-4",
            ".1-0000000000000abc-4",
        ] {
            assert_eq!(parse_file(wrong), None, "{wrong}");
        }
    }
}
