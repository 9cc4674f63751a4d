//! Random games from a position to its end: a measure of speed, and a crude estimate of who owns
//! what.

use crate::board::Board;
use crate::colour::Colour;
use crate::zobrist::splitmix64;

/// A small generator of random numbers, SplitMix64: the same numbers for the same seed, on every
/// machine and in every version.
///
/// The next number is always ready: it is made while the one before is being used, so that nobody
/// waits for the multiplications.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    ready: u64,
}

impl Random {
    /// Starts with a seed; any will do.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        let (state, ready) = splitmix64(seed);
        Self { state, ready }
    }

    /// 64 random bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        let out = self.ready;
        (self.state, self.ready) = splitmix64(self.state);
        out
    }

    /// A number below `limit`, which must not be 0 (the answer would be 0): the high half of 32
    /// random bits times the limit, so that no number is more likely than another by more than
    /// one part in 2^32 / limit.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "below the limit, which has 16 bits"
    )]
    pub const fn below(&mut self, limit: u16) -> u16 {
        (((self.bits() >> 32) * limit as u64) >> 32) as u16
    }
}

/// How a random game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// Moves, passes counted.
    pub moves: u32,
    /// Whether it ended with two passes, not at the limit of moves.
    pub finished: bool,
}

/// Plays random moves until two passes in a row, or 3 moves for each point of the board.
///
/// Each side plays one of its legal moves (simple ko, the board's suicide rule) that fill no own
/// [one-point eye](Board::is_one_point_eye), all with the same probability, and passes if there
/// is none.
///
/// ```
/// use yose_go::{Board, Colour, Size, playout};
/// let mut board = Board::new(Size::square(9)?);
/// let mut random = playout::Random::new(1);
/// let end = playout::run(&mut board, Colour::Black, &mut random);
/// assert!(end.finished && end.moves > 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(board: &mut Board, to_play: Colour, random: &mut Random) -> Playout {
    match to_play {
        Colour::Black => run_from::<false, true>(board, random),
        Colour::White => run_from::<true, false>(board, random),
    }
}

/// [`run`] for colours known to the compiler: whether the first is White, and the second.
fn run_from<const FIRST: bool, const SECOND: bool>(
    board: &mut Board,
    random: &mut Random,
) -> Playout {
    #[allow(clippy::cast_possible_truncation, reason = "at most 625 points")]
    let limit = 3 * board.size().area() as u32;
    let mut moves = 0;
    let mut passed = false;
    while moves < limit {
        if turn::<FIRST>(board, random, &mut passed) {
            return Playout {
                moves: moves + 1,
                finished: true,
            };
        }
        if moves + 1 == limit {
            return Playout {
                moves: limit,
                finished: false,
            };
        }
        if turn::<SECOND>(board, random, &mut passed) {
            return Playout {
                moves: moves + 2,
                finished: true,
            };
        }
        moves += 2;
    }
    Playout {
        moves,
        finished: false,
    }
}

/// A move or a pass; whether it is the second pass in a row.
#[inline]
fn turn<const WHITE: bool>(board: &mut Board, random: &mut Random, passed: &mut bool) -> bool {
    if board.play_random_as::<WHITE>(random).is_some() {
        *passed = false;
        return false;
    }
    board.pass();
    std::mem::replace(passed, true)
}
