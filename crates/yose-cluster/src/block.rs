//! Frontiers as blocks of bytes: what is sent, and what is kept of a ply.
//!
//! A frontier is packed, cut into parts of at most [`PART_BYTES`] and each part compressed. All
//! numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the cell |
//! | 4 | the ply |
//! | 4 | number of the part, from 0 |
//! | 4 | how many parts there are |
//! | 4 | bytes of the part before compression |
//! | 8 | xxh3 of all other bytes of the block |
//! | n | the part, compressed by zstd |
//!
//! The checksum is there because a flipped bit would be believed: what TCP sums is 16 bits.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};
use yose_retro::partition::Pack;

/// Most bytes of a part before compression.
pub(crate) const PART_BYTES: usize = 1 << 20;
/// Bytes before the compressed ones.
pub(crate) const HEAD_BYTES: usize = NUMBERS_BYTES + 8;
const NUMBERS_BYTES: usize = 20;
/// Fast and close to what higher levels reach on frontiers, which are mostly empty.
const LEVEL: i32 = 1;

/// The beginning of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) cell: u32,
    pub(crate) ply: u32,
    part: u32,
    parts: u32,
    bytes: u32,
}

impl Head {
    /// Reads and checks the beginning of a block.
    pub(crate) fn read(block: &[u8]) -> Result<Head, String> {
        let split = || {
            let (numbers, rest) = block.split_first_chunk::<NUMBERS_BYTES>()?;
            let (sum, compressed) = rest.split_first_chunk::<8>()?;
            let [cell, ply, part, parts, bytes] = *numbers.as_chunks::<4>().0 else {
                return None;
            };
            let given = [cell, ply, part, parts, bytes].map(u32::from_le_bytes);
            Some((
                given,
                checksum(numbers, compressed) == u64::from_le_bytes(*sum),
            ))
        };
        let ([cell, ply, part, parts, bytes], intact) = split().ok_or_else(|| {
            format!(
                "a block has {HEAD_BYTES} bytes at least, got {}",
                block.len()
            )
        })?;
        // Fuzzing has to get past it.
        if !intact && !cfg!(fuzzing) {
            return Err("its checksum is wrong".to_owned());
        }
        if part >= parts {
            return Err(format!("part {part} of {parts}"));
        }
        if bytes == 0 || bytes as usize > PART_BYTES {
            return Err(format!("a part of {bytes} bytes, at most {PART_BYTES}"));
        }
        Ok(Head {
            cell,
            ply,
            part,
            parts,
            bytes,
        })
    }
}

fn checksum(numbers: &[u8], compressed: &[u8]) -> u64 {
    xxh3_64_with_seed(compressed, xxh3_64(numbers))
}

/// Cuts packed bytes into blocks.
pub(crate) fn cut(cell: u32, ply: u32, packed: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let parts = packed.len().div_ceil(PART_BYTES);
    let parts = u32::try_from(parts).map_err(|_| "a frontier beyond all bounds".to_owned())?;
    let mut blocks = Vec::new();
    for (part, plain) in (0..).zip(packed.chunks(PART_BYTES)) {
        let mut block = Vec::with_capacity(HEAD_BYTES + plain.len() / 4);
        // A part has PART_BYTES at most.
        let bytes = u32::try_from(plain.len()).unwrap_or(u32::MAX);
        for number in [cell, ply, part, parts, bytes] {
            block.extend_from_slice(&number.to_le_bytes());
        }
        let compressed = zstd::bulk::compress(plain, LEVEL).map_err(|error| error.to_string())?;
        let checksum = checksum(&block, &compressed);
        block.extend_from_slice(&checksum.to_le_bytes());
        block.extend_from_slice(&compressed);
        blocks.push(block);
    }
    Ok(blocks)
}

/// The parts of one frontier as they come.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    parts: BTreeMap<u32, Vec<u8>>,
    of: u32,
}

impl Parts {
    /// Adds a block with its head.
    pub(crate) fn add(&mut self, head: Head, block: Vec<u8>) -> Result<(), String> {
        if self.parts.is_empty() {
            self.of = head.parts;
        }
        if self.of != head.parts {
            return Err(format!("{} parts and then {}", self.of, head.parts));
        }
        match self.parts.insert(head.part, block) {
            None => Ok(()),
            Some(_) => Err(format!("part {} came twice", head.part)),
        }
    }

    /// All parts together, in the order of their numbers, if that fits. Allocates as the parts unfold.
    pub(crate) fn join<T: Pack>(&self, fits: impl Fn(&T) -> bool) -> Result<T, String> {
        if self.parts.len() != self.of as usize {
            return Err(format!("{} of {} parts came", self.parts.len(), self.of));
        }
        let mut packed = Vec::new();
        for block in self.parts.values() {
            let head = Head::read(block)?;
            let plain = zstd::bulk::decompress(&block[HEAD_BYTES..], head.bytes as usize)
                .map_err(|error| format!("a part does not unfold: {error}"))?;
            if plain.len() != head.bytes as usize {
                let (expected, got) = (head.bytes, plain.len());
                return Err(format!("a part unfolds to {got} bytes, not {expected}"));
            }
            packed.extend_from_slice(&plain);
        }
        let thing = T::from_bytes(&packed).map_err(|error| error.to_string())?;
        match fits(&thing) {
            true => Ok(thing),
            false => Err("it is of another game".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Plain(Vec<u8>);

    impl Pack for Plain {
        fn pack(&self, out: &mut impl Write) -> io::Result<()> {
            out.write_all(&self.0)
        }
        fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
            let mut plain = Vec::new();
            from.take(bytes).read_to_end(&mut plain)?;
            Ok(Plain(plain))
        }
    }

    fn join(blocks: impl IntoIterator<Item = Vec<u8>>) -> Result<Plain, String> {
        let mut parts = Parts::default();
        for block in blocks {
            parts.add(Head::read(&block)?, block)?;
        }
        parts.join(|_| true)
    }

    #[test]
    fn parts_come_in_any_order_once_and_all() {
        let plain: Vec<u8> = (0..5 * PART_BYTES / 2)
            .map(|n| n.to_le_bytes()[1])
            .collect();
        let blocks = cut(3, 17, &plain).unwrap();
        assert_eq!(blocks.len(), 3);
        assert_eq!(join(blocks.iter().rev().cloned()), Ok(Plain(plain)));
        assert!(join(blocks[1..].iter().cloned()).is_err());
        assert!(join(blocks.iter().chain(&blocks[..1]).cloned()).is_err());
        let head = Head::read(&blocks[0]).unwrap();
        assert_eq!((head.cell, head.ply), (3, 17));
    }

    #[test]
    fn a_part_that_says_it_is_small_stays_small() {
        let mut block = cut(0, 2, &vec![0; PART_BYTES]).unwrap().remove(0);
        block[16..20].copy_from_slice(&10_u32.to_le_bytes());
        let sum = checksum(&block[..NUMBERS_BYTES], &block[HEAD_BYTES..]);
        block[NUMBERS_BYTES..HEAD_BYTES].copy_from_slice(&sum.to_le_bytes());
        assert!(join([block]).unwrap_err().contains("does not unfold"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = join([bytes]);
        }

        #[test]
        fn a_flipped_bit_is_noticed(at in any::<usize>(), plain in prop::collection::vec(any::<u8>(), 1..99)) {
            let mut block = cut(1, 2, &plain).unwrap().remove(0);
            let at = at % (8 * block.len());
            block[at / 8] ^= 1 << (at % 8);
            prop_assert!(join([block]).is_err());
        }
    }
}
