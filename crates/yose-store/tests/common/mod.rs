//! Stores to test on: a directory, memory, and an S3 server if one is named.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use object_store::memory::InMemory;
use yose_store::{Identity, Location};

/// A place to store in, kept until it is dropped.
pub struct Place {
    pub name: &'static str,
    pub location: Location,
    directory: Option<tempfile::TempDir>,
}

impl Place {
    pub fn directory() -> Place {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Place {
            name: "directory",
            location: Location::directory(directory.path().join("scratch")).without_lock(),
            directory: Some(directory),
        }
    }

    /// Files among its objects, whoever's they are.
    pub fn files(&self) -> usize {
        let files = std::fs::read_dir(self.path().join("objects"));
        files.expect("a folder").count()
    }

    /// The scratch directory itself.
    pub fn path(&self) -> std::path::PathBuf {
        self.directory
            .as_ref()
            .expect("a directory")
            .path()
            .join("scratch")
    }

    pub fn memory() -> Place {
        Place {
            name: "memory",
            location: Location::remote(Arc::new(InMemory::new()), "some/prefix", "memory:"),
            directory: None,
        }
    }

    /// A prefix of its own in the bucket that `YOSE_TEST_S3` names, as `s3://BUCKET`.
    pub fn s3() -> Option<Place> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let bucket = std::env::var("YOSE_TEST_S3").ok()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let address = format!("{bucket}/{}-{number}", std::process::id());
        Some(Place {
            name: "s3",
            location: Location::parse(&address).expect("an address"),
            directory: None,
        })
    }

    pub fn all() -> Vec<Place> {
        let mut places = vec![Place::directory(), Place::memory()];
        places.extend(Place::s3());
        places
    }
}

pub fn identity() -> Identity {
    Identity::new()
        .with("game", "shogi4")
        .with("pieces", "PF")
        .with("metric", "wdl")
}

/// Bytes of which some compress and some do not.
pub fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if state & 0x300 == 0 {
            bytes.extend_from_slice(&state.to_le_bytes());
        } else {
            bytes.extend_from_slice(&[0; 24]);
        }
    }
    bytes.truncate(length);
    bytes
}
