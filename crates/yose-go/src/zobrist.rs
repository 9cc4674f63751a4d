//! Keys of the Zobrist hashes. They are part of the public promise: a hash written down today can
//! be looked up with any later version.
//!
//! The keys are the outputs of SplitMix64 started with [`SEED`], in this order: for every point
//! of a 25 x 25 grid in reading order (row by row from the top), its keys for a black stone, a
//! white stone, Black not allowed to retake a ko there, White not allowed to; then one key for
//! White to move; then one key for every size in the order 1 x 1, 1 x 2 .. 1 x 25, 2 x 1 ..
//! 25 x 25 (rows x columns).
//!
//! - **stones**: the key of the size, XOR the keys of all stones. Two positions of one size are
//!   the same for superko exactly if their stones are; equal hashes are only a hint.
//! - **full**: that, XOR the key for White to move if White is to move, XOR the key of the ban if
//!   a ko may not be retaken.
//!
//! **Collisions.** Keys are 64 bits. Any two given different positions have the same hash with
//! probability 2^-64, so among n positions some two collide with probability below n^2 / 2^65:
//! 3e-14 for the positions of a 1,000 move game, 2.7e-8 for a million, 2.7 % for a billion.
//! Nothing in this crate decides by a hash alone; superko compares the stones.

use crate::colour::Colour;
use crate::point::{MAX_SIDE, Point};
use crate::size::Size;

/// First state of the generator: the ASCII letters `yose-go` and the number 1.
pub const SEED: u64 = 0x796f_7365_2d67_6f01;

/// SplitMix64 (Steele, Lea, Flood 2014): the next state and its output.
pub(crate) const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

struct Keys {
    /// By colour and place in the padded array.
    stones: [[u64; SLOTS]; 2],
    ko: [[u64; SLOTS]; 2],
    white_to_move: u64,
    sizes: [[u64; MAX_SIDE]; MAX_SIDE],
}

/// A power of two, so that a masked index needs no check.
const SLOTS: usize = 1024;

const fn keys() -> Keys {
    let mut keys = Keys {
        stones: [[0; SLOTS]; 2],
        ko: [[0; SLOTS]; 2],
        white_to_move: 0,
        sizes: [[0; MAX_SIDE]; MAX_SIDE],
    };
    let mut state = SEED;
    let mut out;
    let mut row = 0;
    while row < MAX_SIDE {
        let mut col = 0;
        while col < MAX_SIDE {
            let slot = Point::slot_of(row, col) as usize;
            let mut colour = 0;
            while colour < 2 {
                (state, out) = splitmix64(state);
                keys.stones[colour][slot] = out;
                colour += 1;
            }
            colour = 0;
            while colour < 2 {
                (state, out) = splitmix64(state);
                keys.ko[colour][slot] = out;
                colour += 1;
            }
            col += 1;
        }
        row += 1;
    }
    (state, out) = splitmix64(state);
    keys.white_to_move = out;
    row = 0;
    while row < MAX_SIDE {
        let mut col = 0;
        while col < MAX_SIDE {
            (state, out) = splitmix64(state);
            keys.sizes[row][col] = out;
            col += 1;
        }
        row += 1;
    }
    keys
}

static KEYS: Keys = keys();

/// Key of a stone.
#[must_use]
pub fn stone_key(colour: Colour, point: Point) -> u64 {
    stone_slot_key(colour, point.slot())
}

/// Key of a stone by its place in the padded array.
#[inline]
pub(crate) fn stone_slot_key(colour: Colour, slot: u16) -> u64 {
    KEYS.stones[colour.index()][usize::from(slot) & (SLOTS - 1)]
}

/// Key of the ban on `colour` to retake a ko at `point`.
#[must_use]
pub fn ko_key(colour: Colour, point: Point) -> u64 {
    KEYS.ko[colour.index()][usize::from(point.slot()) & (SLOTS - 1)]
}

/// Key of the side to move: 0 for Black.
#[must_use]
pub fn to_move_key(colour: Colour) -> u64 {
    match colour {
        Colour::Black => 0,
        Colour::White => KEYS.white_to_move,
    }
}

/// Key of a size: the stones hash of the empty board.
#[must_use]
pub fn size_key(size: Size) -> u64 {
    KEYS.sizes[size.rows() - 1][size.cols() - 1]
}
