//! The bit-parallel solver: all owners and faces of a layout at once.
#![allow(
    clippy::cast_possible_truncation,
    reason = "squares, slots and lanes are small numbers"
)]

mod block;
mod cells;
mod frontier;
mod geometry;
mod levels;
mod locate;
mod looks;
mod numbers;
mod parts;
mod pull;
mod push;
mod reach;
mod solve;
mod solved;
mod statics;
mod tables;
mod unit;
#[cfg(target_arch = "x86_64")]
mod wide;
mod words;

pub use cells::{Slices, Undecided, Won};
pub use frontier::Frontier;
pub use levels::{Decided, Levels};
pub use reach::{reachable, reachable_memory};
pub use solve::{Estimate, Progress, SolveOptions, estimate, solve};
pub use solved::Solved;
pub use unit::Scratch;

/// Stands for a free square where there is none: no piece is found on it.
const NOTHING: u8 = 32;

/// Stands for a king where a free square or a slot is expected.
const KING: u8 = u8::MAX;
