//! For the fuzz targets: any bytes in the place of a manifest or of an object's file.
#![allow(clippy::unwrap_used, reason = "a finding is a panic")]

use std::io::Cursor;

use crate::format::{Unframer, seed_of};
use crate::manifest::Manifest;
use crate::object::Object;

/// What is read as a manifest, or as the description of an object, is written as it was read.
pub fn manifest(bytes: &[u8]) {
    // Any number will do, as long as it is that of the file's name.
    let number = bytes.get(20..28).and_then(|number| number.try_into().ok());
    let number = number.map_or(0, u64::from_le_bytes);
    match Manifest::from_bytes(bytes, "a manifest", number) {
        Ok(manifest) => {
            let written = manifest.to_bytes().unwrap();
            let end = written.len() - 8;
            assert_eq!(written[..end], bytes[..end]);
        }
        Err(error) => assert!(
            error.is_damage() || error.to_string().contains("version"),
            "{error}"
        ),
    }
    if let Ok(object) = Object::from_bytes(bytes) {
        assert_eq!(object.to_bytes(), bytes);
    }
}

/// A length, four bytes, and then an object's file: so many bytes come out, or an error.
pub fn object(data: &[u8]) {
    let Some((length, file)) = data.split_first_chunk() else {
        return;
    };
    let object = Object {
        name: "cell".to_owned(),
        file: "cell.1-0000000000000000-0".to_owned(),
        plain_bytes: u32::from_le_bytes(*length).into(),
        stored_bytes: file.len() as u64,
        digest: 0,
    };
    let mut bytes = file.to_vec();
    // Nobody guesses a hash: it is put where it belongs.
    if let Some(seed) = bytes.get_mut(24..32) {
        seed.copy_from_slice(&seed_of(&object.file).to_le_bytes());
    }
    if let Some((header, rest)) = bytes.split_at_mut_checked(32)
        && let Some(sum) = rest.get_mut(..8)
    {
        sum.copy_from_slice(&xxhash_rust::xxh3::xxh3_64(header).to_le_bytes());
    }
    let (length, path) = (bytes.len() as u64, "an object".to_owned());
    let source = Box::new(Cursor::new(bytes));
    let Ok(mut reader) = Unframer::new(source, length, path, object.clone(), 0) else {
        return;
    };
    let mut read = 0;
    loop {
        match reader.next_block() {
            Ok(Some(block)) => read += block.len() as u64,
            Ok(None) => break,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return;
            }
        }
    }
    assert_eq!(read, object.plain_bytes);
}
