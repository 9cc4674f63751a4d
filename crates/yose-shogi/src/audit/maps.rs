//! How lanes change where like pieces change places.
//!
//! Like pieces are named in the order of their squares, so a move can change which of them is named
//! first; then their fields of the lane number change places.

use std::collections::HashMap;

use crate::index::{Index, MAX_PIECES};

/// Exchanges of fields between like pieces.
#[derive(Debug)]
pub(super) struct Maps {
    numbers: HashMap<[u8; MAX_PIECES], usize>,
    maps: Vec<LaneMap>,
    /// Bits of a lane that count as low: those of the first pieces, at most 8.
    pub(super) low_bits: u32,
}

/// Where each lane goes if fields are exchanged: the lane is the sum of what its low bits and its
/// high bits give.
#[derive(Debug)]
pub(super) struct LaneMap {
    pub(super) low: Vec<u32>,
    pub(super) high: Vec<u32>,
}

impl Maps {
    pub(super) fn new(index: &Index) -> Maps {
        let lanes = index.lanes();
        let mut low_bits = 0;
        for slot in 0..lanes.pieces() {
            let field = lanes.field(slot);
            let end = field.owner_bit() + 1 + u32::from(field.two_faced());
            if end <= 8 {
                low_bits = end;
            }
        }
        let mut maps = Maps {
            numbers: HashMap::new(),
            maps: Vec::new(),
            low_bits,
        };
        maps.number(index, std::array::from_fn(|slot| slot as u8));
        maps
    }

    pub(super) fn get(&self, number: usize) -> &LaneMap {
        &self.maps[number]
    }

    /// The number of the map that brings the field of slot `s` to slot `to[s]`.
    pub(super) fn number(&mut self, index: &Index, to: [u8; MAX_PIECES]) -> usize {
        // The first map made, and by far the most frequent one.
        if (0u8..).zip(&to).all(|(slot, &to)| slot == to) && !self.maps.is_empty() {
            return 0;
        }
        if let Some(&number) = self.numbers.get(&to) {
            return number;
        }
        let lanes = index.lanes();
        let moved = |lane: usize| {
            (0..lanes.pieces()).fold(0, |sum, slot| {
                let field = lanes.field(slot);
                let into = lanes.field(usize::from(to[slot]));
                sum | into.value(field.theirs(lane), field.promoted(lane)) as u32
            })
        };
        let low = (0..1 << self.low_bits).map(moved).collect();
        let high = (0..lanes.width() >> self.low_bits)
            .map(|high| moved(high << self.low_bits))
            .collect();
        self.maps.push(LaneMap { low, high });
        self.numbers.insert(to, self.maps.len() - 1);
        self.maps.len() - 1
    }
}
