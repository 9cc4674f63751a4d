//! All legal positions of a small board: those in which every chain has a liberty.

use thiserror::Error;

use crate::colour::Colour;
use crate::position::Position;
use crate::size::Size;

/// Boards of more points have too many positions to go through: 3^20 is 3.5 thousand million.
pub const MAX_POINTS: usize = 20;

/// A board too large to go through its positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{size} has {} points; positions are listed up to {MAX_POINTS}", size.area())]
pub struct TooLarge {
    /// The board.
    pub size: Size,
}

/// Bit sets of the points of one size, a bit for each in reading order.
#[derive(Clone, Copy, Debug)]
struct Grid {
    all: u32,
    /// All but the first column.
    not_first: u32,
    /// All but the last column.
    not_last: u32,
    cols: usize,
}

impl Grid {
    fn new(size: Size) -> Result<Self, TooLarge> {
        if size.area() > MAX_POINTS {
            return Err(TooLarge { size });
        }
        let bits = |keep: &dyn Fn(usize) -> bool| {
            (0..size.area())
                .filter(|i| keep(i % size.cols()))
                .fold(0, |set, i| set | 1 << i)
        };
        Ok(Self {
            all: bits(&|_| true),
            not_first: bits(&|col| col > 0),
            not_last: bits(&|col| col + 1 < size.cols()),
            cols: size.cols(),
        })
    }

    /// A set with the points beside it.
    const fn grown(&self, set: u32) -> u32 {
        set | (set & self.not_last) << 1
            | (set & self.not_first) >> 1
            | (set << self.cols) & self.all
            | set >> self.cols
    }

    /// Whether each chain of `stones` touches `empty`: spread from the empty points along them.
    fn all_breathe(&self, stones: u32, empty: u32) -> bool {
        let mut reached = self.grown(empty) & stones;
        loop {
            let more = self.grown(reached) & stones;
            if more == reached {
                return reached == stones;
            }
            reached = more;
        }
    }
}

/// Every way to put black and white stones on the board such that each chain has a liberty, black
/// and white stones as bit sets in reading order.
fn each(size: Size, mut visit: impl FnMut(u32, u32)) -> Result<(), TooLarge> {
    let grid = Grid::new(size)?;
    for black in 0..=grid.all {
        let rest = grid.all & !black;
        // All subsets of the rest.
        let mut white = 0_u32;
        loop {
            let empty = rest & !white;
            if grid.all_breathe(black, empty) && grid.all_breathe(white, empty) {
                visit(black, white);
            }
            white = white.wrapping_sub(rest) & rest;
            if white == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// How many legal positions there are (either side to move counted once).
///
/// ```
/// use yose_go::{Size, enumerate};
/// assert_eq!(enumerate::count(Size::square(2)?)?, 57);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the board has more than [`MAX_POINTS`] points.
pub fn count(size: Size) -> Result<u64, TooLarge> {
    let mut count = 0;
    each(size, |_, _| count += 1)?;
    Ok(count)
}

/// Calls `visit` with every legal position once.
///
/// # Errors
///
/// If the board has more than [`MAX_POINTS`] points.
pub fn for_each(size: Size, mut visit: impl FnMut(&Position)) -> Result<(), TooLarge> {
    each(size, |black, white| {
        let mut position = Position::empty(size);
        for (flat, point) in size.points().enumerate() {
            if black >> flat & 1 != 0 {
                position.put(point, Some(Colour::Black));
            } else if white >> flat & 1 != 0 {
                position.put(point, Some(Colour::White));
            }
        }
        visit(&position);
    })
}
