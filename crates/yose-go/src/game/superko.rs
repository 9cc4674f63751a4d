//! Finding earlier positions by their hash.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::colour::Colour;

/// The hashes of all positions of a game, in order, to be looked up.
#[derive(Clone, Default, Debug)]
pub(super) struct Seen {
    entries: Vec<Entry>,
    /// The last entry with a hash.
    last: HashMap<u64, usize, BuildHasherDefault<AsItIs>>,
}

/// The keys are hashes already.
#[derive(Clone, Copy, Default, Debug)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    to_play: Colour,
    /// The entry before this one with the same hash.
    before: Option<usize>,
}

impl Seen {
    pub(super) fn push(&mut self, hash: u64, to_play: Colour) {
        let before = self.last.insert(hash, self.entries.len());
        self.entries.push(Entry {
            hash,
            to_play,
            before,
        });
    }

    pub(super) fn pop(&mut self) {
        let Some(entry) = self.entries.pop() else {
            return;
        };
        match entry.before {
            Some(before) => self.last.insert(entry.hash, before),
            None => self.last.remove(&entry.hash),
        };
    }

    /// The numbers of the entries with that hash and who was to move, newest first.
    pub(super) fn with_hash(&self, hash: u64) -> impl Iterator<Item = (usize, Colour)> + '_ {
        let mut next = self.last.get(&hash).copied();
        std::iter::from_fn(move || {
            let here = next?;
            let entry = self.entries[here];
            next = entry.before;
            Some((here, entry.to_play))
        })
    }
}
