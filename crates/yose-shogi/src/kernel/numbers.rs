//! The values of a slice as numbers, index by index, the way they lie in a table.

use super::block::{Block, Ops};
use super::frontier::Frontier;
use super::locate::Placed;
use super::parts::Part;
use super::tables::{Swaps, Tables};
use super::unit::{Numbers, Own, UnitsWith, stride};
use super::words::{Words, prefetch_line};

/// By byte: its bits as eight bytes, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Eight bits of a word as eight bytes.
#[inline(always)]
fn spread(word: u64, byte: usize) -> u64 {
    SPREAD[(word >> (8 * byte) & 0xff) as usize]
}

/// Blocks whose distances wait until they are in the cache.
const AHEAD: usize = 8;

/// Enters a ply where a bit of a word is set. Wins are 1 already, and their plies odd.
#[inline(always)]
fn enter_word(word: u64, ply: u32, bytes: usize, distances: &mut [u8]) {
    if word == 0 {
        return;
    }
    if bytes > 1 {
        for (lane, distance) in distances.chunks_exact_mut(bytes).enumerate() {
            let lane = (word >> lane & 1) as u8;
            for (distance, ply) in distance.iter_mut().zip(ply.to_le_bytes()) {
                *distance |= lane * ply;
            }
        }
        return;
    }
    for (byte, distances) in distances.chunks_mut(8).enumerate() {
        let plies = (spread(word, byte) * u64::from(ply)).to_le_bytes();
        if let Ok(eight) = <&mut [u8; 8]>::try_from(&mut *distances) {
            let entered = u64::from_le_bytes(*eight) | u64::from_le_bytes(plies);
            *eight = entered.to_le_bytes();
            continue;
        }
        for (distance, ply) in distances.iter_mut().zip(plies) {
            *distance |= ply;
        }
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> UnitsWith<N, LIKE, O> {
    /// The won lanes of a layout in the view of the side to move.
    #[inline(always)]
    fn won_lanes(&self, part: &Part, won: &[Block<N>], placed: &Placed) -> Block<N> {
        let (number, swaps) = self.tables.turned(part.slice, placed);
        let won = &won[(number - part.turned.start) as usize];
        self.turned_back(part.slice, placed, &swaps, won)
    }

    /// Lanes of a layout in the view of the side to move. `swaps` are those that turning it takes.
    #[inline(always)]
    fn turned_back(
        &self,
        slice: usize,
        placed: &Placed,
        swaps: &Swaps,
        lanes: &Block<N>,
    ) -> Block<N> {
        let mut lanes = *lanes;
        for field in &self.tables.field {
            lanes = O::flip(&lanes, field.owner_bit());
        }
        if LIKE {
            for slot in swaps.iter().rev() {
                lanes = self.tables.swapped(&lanes, slot.into());
            }
            lanes = O::and(&lanes, &self.tables.legal(slice, placed));
        }
        lanes
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn append_wide(
        &self,
        part: &Part,
        numbers: Numbers,
        own: &Own,
        won: &Words,
        out: &mut Vec<u8>,
    ) {
        self.append_body(part, numbers, own, won, out);
    }

    #[inline(always)]
    pub(super) fn append_body(
        &self,
        part: &Part,
        numbers: Numbers,
        own: &Own,
        won: &Words,
        out: &mut Vec<u8>,
    ) {
        match numbers {
            Numbers::Outcomes => self.outcomes(part, own, won.blocks(), out),
            Numbers::Depths(bytes) => self.depths(part, bytes, own, won.blocks(), out),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn enter_wide(
        &self,
        part: &Part,
        ply: u32,
        frontier: &Frontier,
        bytes: usize,
        out: &mut [u8],
    ) {
        self.enter_body(part, ply, frontier, bytes, out);
    }

    #[inline(always)]
    pub(super) fn enter_body(
        &self,
        part: &Part,
        ply: u32,
        frontier: &Frontier,
        bytes: usize,
        out: &mut [u8],
    ) {
        let slice = part.slice;
        let back = self.tables.back(slice);
        let size = self.width * bytes;
        let mut blocks = frontier.iter::<N>();
        let mut waiting = [(0, [0; N]); AHEAD];
        loop {
            let mut waits = 0;
            while waits < AHEAD
                && let Some((turned, lanes)) = blocks.next()
            {
                let number = self.tables.turned_from(&back, turned);
                let placed = self.tables.locator.placed(number);
                let (_, swaps) = self.tables.turned(slice, &placed);
                let lanes = self.turned_back(slice, &placed, &swaps, &lanes);
                let start = size * (number - part.layouts.start) as usize;
                for (w, _) in lanes.iter().enumerate().filter(|(_, word)| **word != 0) {
                    prefetch_line(&out[start + 64 * w * bytes]);
                }
                waiting[waits] = (start, lanes);
                waits += 1;
            }
            if waits == 0 {
                return;
            }
            for (start, lanes) in &waiting[..waits] {
                let distances = out[*start..][..size].chunks_mut(64 * bytes);
                for (&word, distances) in lanes.iter().zip(distances) {
                    enter_word(word, ply, bytes, distances);
                }
            }
        }
    }

    #[inline(always)]
    fn depths(&self, part: &Part, bytes: usize, own: &Own, won: &[Block<N>], out: &mut Vec<u8>) {
        let planes: Vec<&[Block<N>]> = own.planes.iter().map(Words::blocks).collect();
        for (at, number) in part.layouts.clone().enumerate() {
            let placed = self.tables.locator.placed(number);
            let won = self.won_lanes(part, won, &placed);
            let end = out.len() + self.width * bytes;
            for w in 0..N {
                for byte in 0..8 {
                    if out.len() >= end {
                        break;
                    }
                    // Eight lanes at a time: low byte of each, then whole numbers where needed.
                    let mut low = spread(won[w], byte);
                    for (digit, plane) in planes.iter().take(7).enumerate() {
                        low |= spread(plane[at][w], byte) << (digit + 1);
                    }
                    let low = low.to_le_bytes();
                    let lanes = 8.min((end - out.len()) / bytes);
                    if bytes == 1 {
                        out.extend_from_slice(&low[..lanes]);
                        continue;
                    }
                    for (lane, &low) in low[..lanes].iter().enumerate() {
                        let mut value = u32::from(low);
                        for (digit, plane) in planes.iter().enumerate().skip(7) {
                            let bit = plane[at][w] >> (8 * byte + lane) & 1;
                            value |= (bit as u32) << (digit + 1);
                        }
                        out.extend_from_slice(&value.to_le_bytes()[..bytes]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn outcomes(&self, part: &Part, own: &Own, won: &[Block<N>], out: &mut Vec<u8>) {
        let undecided = own.undecided.blocks();
        for (at, number) in part.layouts.clone().enumerate() {
            let placed = self.tables.locator.placed(number);
            let won = self.won_lanes(part, won, &placed);
            let decided = O::and_not(
                &self.tables.legal(part.slice, &placed),
                &undecided[stride(N) * at],
            );
            let lost = O::and_not(&decided, &won);
            let end = out.len() + self.width;
            for w in 0..N {
                for byte in 0..8 {
                    let lanes = 8.min(end - out.len());
                    let eight = spread(won[w], byte) | spread(lost[w], byte) << 1;
                    out.extend_from_slice(&eight.to_le_bytes()[..lanes]);
                }
            }
        }
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// The number of a layout in the turned slice, and how its like pieces are renamed.
    #[inline(always)]
    pub(super) fn turned(&self, slice: usize, placed: &Placed) -> (u32, Swaps) {
        let turn = &self.moves[slice].turn;
        let mut squares = placed.squares;
        for square in &mut squares[..self.pieces] {
            *square = turn[usize::from(*square)];
        }
        let mut swaps = Swaps::default();
        self.sort(&mut squares, &mut swaps);
        (self.locator.number::<LIKE>(squares), swaps)
    }

    /// By free square of the turned slice (and "in hand"): the free square of a slice.
    fn back(&self, slice: usize) -> Vec<u8> {
        let turn = &self.moves[slice].turn;
        let mut back = vec![0; turn.len()];
        for (square, &turned) in (0..).zip(turn) {
            back[usize::from(turned)] = square;
        }
        back
    }

    /// The layout whose number in the turned slice is given.
    #[inline(always)]
    fn turned_from(&self, back: &[u8], turned: u32) -> u32 {
        let mut squares = self.locator.placed(turned).squares;
        for square in &mut squares[..self.pieces] {
            *square = back[usize::from(*square)];
        }
        self.sort(&mut squares, &mut Swaps::default());
        self.locator.number::<LIKE>(squares)
    }
}
