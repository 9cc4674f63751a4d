//! How large a board is, and how its points are numbered.

use std::fmt;

use thiserror::Error;

use crate::point::{MAX_SIDE, Point, STRIDE};

/// A board must have between 1 and 25 rows and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a board has 1 to {MAX_SIDE} rows and columns, not {rows} x {cols}")]
pub struct SizeError {
    /// Rows asked for.
    pub rows: usize,
    /// Columns asked for.
    pub cols: usize,
}

/// A point that is not on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OffBoard {
    /// Named by row and column.
    #[error("row {row}, column {col} is not on a board of {size} (both count from 0)")]
    RowCol {
        /// Row, 0 at the top.
        row: usize,
        /// Column, 0 at the left.
        col: usize,
        /// The board.
        size: Size,
    },
    /// Named by its number.
    #[error("point {flat} is not on a board of {size}, which has {} points", size.area())]
    Flat {
        /// row * columns + column.
        flat: usize,
        /// The board.
        size: Size,
    },
}

/// Rows and columns of a board, each 1 to 25.
///
/// ```
/// use yose_go::Size;
/// let size = Size::new(9, 13)?;
/// let point = size.point(2, 12)?;
/// assert_eq!(size.flat(point), 2 * 13 + 12);
/// assert_eq!(size.gtp(point), "N7");
/// assert!(Size::new(26, 9).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
}

impl Size {
    /// A board of that many rows and columns.
    ///
    /// # Errors
    ///
    /// If either is 0 or more than 25.
    pub const fn new(rows: usize, cols: usize) -> Result<Self, SizeError> {
        if rows == 0 || cols == 0 || rows > MAX_SIDE || cols > MAX_SIDE {
            return Err(SizeError { rows, cols });
        }
        #[allow(clippy::cast_possible_truncation, reason = "both are at most 25")]
        Ok(Self {
            rows: rows as u8,
            cols: cols as u8,
        })
    }

    /// A board with as many rows as columns.
    ///
    /// # Errors
    ///
    /// If `side` is 0 or more than 25.
    pub const fn square(side: usize) -> Result<Self, SizeError> {
        Self::new(side, side)
    }

    /// Number of rows (the height).
    #[must_use]
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Number of columns (the width).
    #[must_use]
    #[inline]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Number of points.
    #[must_use]
    #[inline]
    pub const fn area(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether there are as many rows as columns.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// Whether the point lies on the board.
    #[must_use]
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.row() < self.rows() && point.col() < self.cols()
    }

    /// The point in a row (0 at the top) and a column (0 at the left).
    ///
    /// # Errors
    ///
    /// If there is no such row or column.
    pub const fn point(self, row: usize, col: usize) -> Result<Point, OffBoard> {
        if row < self.rows() && col < self.cols() {
            Ok(Point::from_slot(Point::slot_of(row, col)))
        } else {
            Err(OffBoard::RowCol {
                row,
                col,
                size: self,
            })
        }
    }

    /// The point with a number: row * columns + column.
    ///
    /// # Errors
    ///
    /// If the number is not below [`area`](Self::area).
    pub const fn point_at(self, flat: usize) -> Result<Point, OffBoard> {
        if flat < self.area() {
            Ok(Point::from_slot(Point::slot_of(
                flat / self.cols(),
                flat % self.cols(),
            )))
        } else {
            Err(OffBoard::Flat { flat, size: self })
        }
    }

    /// The number of a point in reading order: row * columns + column. Only meaningful for points
    /// of this board.
    #[must_use]
    #[inline]
    pub const fn flat(self, point: Point) -> usize {
        point.row() * self.cols() + point.col()
    }

    /// All points in reading order, row by row from the top.
    pub fn points(self) -> impl ExactSizeIterator<Item = Point> + DoubleEndedIterator + Clone {
        let last = Point::slot_of(self.rows() - 1, self.cols() - 1);
        Points {
            first: (Point::slot_of(0, 0), 0),
            last: (last, self.cols - 1),
            left: self.area(),
            end: self.cols - 1,
        }
    }

    /// The two to four points (fewer on boards one point wide) next to a point, in the order up,
    /// left, right, down.
    pub fn neighbours(self, point: Point) -> impl Iterator<Item = Point> + Clone {
        let (row, col) = (point.row(), point.col());
        [
            (row.checked_sub(1), Some(col)),
            (Some(row), col.checked_sub(1)),
            (Some(row), Some(col + 1)),
            (Some(row + 1), Some(col)),
        ]
        .into_iter()
        .filter_map(move |(row, col)| self.point(row?, col?).ok())
    }

    /// The points diagonally next to a point, in reading order.
    pub fn diagonals(self, point: Point) -> impl Iterator<Item = Point> + Clone {
        let (row, col) = (point.row(), point.col());
        [
            (row.checked_sub(1), col.checked_sub(1)),
            (row.checked_sub(1), Some(col + 1)),
            (Some(row + 1), col.checked_sub(1)),
            (Some(row + 1), Some(col + 1)),
        ]
        .into_iter()
        .filter_map(move |(row, col)| self.point(row?, col?).ok())
    }

    /// The board turned by a quarter: rows become columns.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
        }
    }
}

impl fmt::Display for Size {
    /// Rows x columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.rows, self.cols)
    }
}

/// Steps from slot to slot: no divisions.
#[derive(Clone)]
struct Points {
    /// Slot and column of the next one from the front.
    first: (u16, u8),
    /// Slot and column of the next one from the back.
    last: (u16, u8),
    left: usize,
    /// The last column.
    end: u8,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        self.left = self.left.checked_sub(1)?;
        let (slot, col) = self.first;
        self.first = if col == self.end {
            (slot + STRIDE - u16::from(self.end), 0)
        } else {
            (slot + 1, col + 1)
        };
        Some(Point::from_slot(slot))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl DoubleEndedIterator for Points {
    fn next_back(&mut self) -> Option<Point> {
        self.left = self.left.checked_sub(1)?;
        let (slot, col) = self.last;
        self.last = if col == 0 {
            (slot - STRIDE + u16::from(self.end), self.end)
        } else {
            (slot - 1, col - 1)
        };
        Some(Point::from_slot(slot))
    }
}

impl ExactSizeIterator for Points {}
