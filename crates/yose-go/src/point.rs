//! Points of a board and moves.

use std::fmt;

/// Longest side of a board.
pub const MAX_SIDE: usize = 25;

/// Distance in the padded array between a point and the one below it.
pub(crate) const STRIDE: u16 = 26;

/// An intersection, named by its row (0 at the top) and column (0 at the left).
///
/// A point does not know the size of a board; whether it lies on one is asked of
/// [`Size::contains`](crate::Size::contains), and every board answers for points that do not.
///
/// Points are ordered in reading order: row by row from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point in a row and column, or nothing if either is 25 or more.
    #[must_use]
    #[inline]
    pub const fn new(row: usize, col: usize) -> Option<Self> {
        if row < MAX_SIDE && col < MAX_SIDE {
            Some(Self(Self::slot_of(row, col)))
        } else {
            None
        }
    }

    /// Two rows of border above (liberty counting looks two points away), one column to the left.
    /// The column to the left of a row is also the one to the right of the row above.
    #[allow(clippy::cast_possible_truncation, reason = "both are below 25")]
    pub(crate) const fn slot_of(row: usize, col: usize) -> u16 {
        (row as u16 + 2) * STRIDE + col as u16 + 1
    }

    /// The point at a place of the padded array that is known to hold a point.
    #[inline]
    pub(crate) const fn from_slot(slot: u16) -> Self {
        Self(slot)
    }

    /// Its place in the padded array.
    #[inline]
    pub(crate) const fn slot(self) -> u16 {
        self.0
    }

    /// Row, 0 at the top.
    #[must_use]
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 / STRIDE) as usize - 2
    }

    /// Column, 0 at the left (A in GTP).
    #[must_use]
    #[inline]
    pub const fn col(self) -> usize {
        (self.0 % STRIDE) as usize - 1
    }

    /// An index below [`Point::INDICES`], different for each point and the same on every size of
    /// board: for arrays that hold something for each point. For indices without gaps see
    /// [`Size::flat`](crate::Size::flat).
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Length of an array indexed by [`Point::index`].
    pub const INDICES: usize = 768;
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point(row {}, col {})", self.row(), self.col())
    }
}

/// What a player does in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Move {
    /// No stone is placed.
    Pass,
    /// A stone is placed.
    Place(Point),
}

impl Move {
    /// The point of a placed stone.
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Pass => None,
            Self::Place(point) => Some(point),
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Self::Place(point)
    }
}
