//! A board to draw on.

use yose_go::{Cell, Size};

use super::ConstructError;

/// A square board, row 0 at the top.
pub(super) struct Canvas {
    side: usize,
    pub(super) cells: Vec<Cell>,
}

impl Canvas {
    pub(super) fn new(side: usize, fill: Cell) -> Self {
        Self {
            side,
            cells: vec![fill; side * side],
        }
    }

    pub(super) const fn at(&self, row: usize, col: usize) -> usize {
        row * self.side + col
    }

    pub(super) fn set(&mut self, row: usize, col: usize, cell: Cell) {
        let at = self.at(row, col);
        self.cells[at] = cell;
    }

    /// Fills a part of a row, the last column included.
    pub(super) fn row(&mut self, row: usize, cols: std::ops::RangeInclusive<usize>, cell: Cell) {
        for col in cols {
            self.set(row, col, cell);
        }
    }

    /// Fills a rectangle, the last row and column included.
    pub(super) fn fill(
        &mut self,
        rows: std::ops::RangeInclusive<usize>,
        cols: std::ops::RangeInclusive<usize>,
        cell: Cell,
    ) {
        for row in rows {
            self.row(row, cols.clone(), cell);
        }
    }
}

/// Is a parameter in what fits?
pub(super) fn within(
    what: &'static str,
    found: usize,
    range: std::ops::RangeInclusive<usize>,
    side: usize,
) -> Result<(), ConstructError> {
    if range.contains(&found) {
        return Ok(());
    }
    Err(ConstructError::Range {
        what,
        low: *range.start(),
        high: *range.end(),
        side,
        found,
    })
}

/// A square board of this side.
pub(super) fn square(side: usize, least: usize) -> Result<Size, ConstructError> {
    let most = yose_go::MAX_SIDE;
    within("side", side, least..=most, side)?;
    Size::square(side).map_err(|_| ConstructError::Range {
        what: "side",
        low: least,
        high: most,
        side,
        found: side,
    })
}
