//! For the fuzz targets: any bytes in the place of what other processes send, and of what a checkpoint
//! holds.
#![allow(clippy::unwrap_used, reason = "a finding is a panic")]

use yose_retro::partition::Pack;

use crate::block::{self, Head, Parts};
use crate::checkpoint::Progress;
use crate::hello::Hello;
use crate::state;

/// What is read as a hello, or as how far a solve is, is the same once it was written.
pub fn hello(bytes: &[u8]) {
    if let Ok(hello) = Hello::from_bytes(bytes) {
        assert_eq!(Hello::from_bytes(&hello.to_bytes()).unwrap(), hello);
    }
    if let Ok(progress) = Progress::from_bytes(bytes) {
        assert_eq!(
            Progress::from_bytes(&progress.to_bytes()).unwrap(),
            progress
        );
    }
}

/// Blocks, each with its length in two bytes before it, as they would come in a superstep; and all of it as
/// the log of a checkpoint. What unfolds is cut into blocks that unfold to the same.
pub fn blocks<T: Pack>(mut data: &[u8]) {
    if let Ok(log) = state::unpack_log(data, 0) {
        for parts in log.values() {
            let _ = parts.join::<T>(|_| true);
        }
    }
    let mut parts = Parts::default();
    while let Some((length, rest)) = data.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
        let (block, rest) = rest.split_at(length);
        data = rest;
        let added = Head::read(block).and_then(|head| parts.add(head, block.to_vec()));
        if added.is_err() {
            return;
        }
    }
    let Ok(thing) = parts.join::<T>(|_| true) else {
        return;
    };
    let packed = thing.to_bytes();
    let mut parts = Parts::default();
    for block in block::cut(1, 2, &packed).unwrap() {
        parts.add(Head::read(&block).unwrap(), block).unwrap();
    }
    assert_eq!(parts.join::<T>(|_| true).unwrap().to_bytes(), packed);
}
