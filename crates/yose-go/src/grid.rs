//! A rectangle of cells, looked at: what safety and eyes are computed on.
//!
//! A [`Grid`] owns nothing and knows no rules, so the same code runs on a board of 9x9, on a cut-out
//! with cells that are no points of the board, and on a construction of 1000x1000.

use crate::{Board, Colour};

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Cell {
    /// A point without a stone.
    #[default]
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// No point of the board: nothing is played here and it is no liberty.
    Off,
}

impl Cell {
    /// The stone of a colour.
    #[must_use]
    pub const fn stone(colour: Colour) -> Self {
        match colour {
            Colour::Black => Self::Black,
            Colour::White => Self::White,
        }
    }

    /// The colour of the stone here, if there is one.
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Self::Black => Some(Colour::Black),
            Self::White => Some(Colour::White),
            Self::Empty | Self::Off => None,
        }
    }
}

impl Board {
    /// What is at each point, in reading order: what a [`Grid`] looks at.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let cell = |point| self.stone(point).map_or(Cell::Empty, Cell::stone);
        self.size().points().map(cell).collect()
    }
}

/// The cells do not fill the rectangle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a grid of {rows} rows and {cols} columns needs rows x columns cells, got {cells}")]
pub struct GridError {
    /// Rows asked for.
    pub rows: usize,
    /// Columns asked for.
    pub cols: usize,
    /// Cells given.
    pub cells: usize,
}

/// A view of `rows` x `cols` cells, row 0 = top; the cell at `(row, col)` has index
/// `row * cols + col`.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    rows: usize,
    cols: usize,
    cells: &'a [Cell],
}

impl<'a> Grid<'a> {
    /// A view of cells in row order.
    ///
    /// # Errors
    /// If there are not `rows * cols` cells, or more than `u32::MAX - 1` of them.
    pub fn new(rows: usize, cols: usize, cells: &'a [Cell]) -> Result<Self, GridError> {
        let fits = rows.checked_mul(cols) == Some(cells.len());
        if !fits || u32::try_from(cells.len()).is_ok_and(|n| n == u32::MAX) || cells.len() > MOST {
            return Err(GridError {
                rows,
                cols,
                cells: cells.len(),
            });
        }
        Ok(Self { rows, cols, cells })
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// Number of cells, those that are no points included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cells.len()
    }

    /// Is there no cell at all?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells in row order.
    #[must_use]
    pub const fn cells(&self) -> &'a [Cell] {
        self.cells
    }

    /// Indices of the up to four cells beside a cell.
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (cols, cells) = (self.cols, self.cells.len());
        let col = self.col(index);
        let up = (index >= cols).then(|| index - cols);
        let left = (col > 0).then(|| index - 1);
        let right = (col + 1 < cols).then(|| index + 1);
        let down = (index + cols < cells).then(|| index + cols);
        [up, left, right, down].into_iter().flatten()
    }

    /// Calls a function with each of [`neighbours`](Self::neighbours): quicker than the iterator.
    #[inline]
    pub(crate) fn each_neighbour(&self, index: usize, mut visit: impl FnMut(usize)) {
        let cols = self.cols;
        let col = self.col(index);
        if index >= cols {
            visit(index - cols);
        }
        if col > 0 {
            visit(index - 1);
        }
        if col + 1 < cols {
            visit(index + 1);
        }
        if index + cols < self.cells.len() {
            visit(index + cols);
        }
    }

    /// The column of a cell. Both numbers have 32 bits, and dividing those is quicker.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a grid has fewer than 2^32 cells"
    )]
    const fn col(&self, index: usize) -> usize {
        if self.cols == 0 {
            return 0;
        }
        (index as u32 % self.cols as u32) as usize
    }

    /// Indices of the up to four cells that touch a cell with a corner.
    pub fn diagonals(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (cols, cells) = (self.cols, self.cells.len());
        let col = self.col(index);
        let (west, east) = (col > 0, col + 1 < cols);
        let (north, south) = (index >= cols, index + cols < cells);
        let nw = (north && west).then(|| index - cols - 1);
        let ne = (north && east).then(|| index - cols + 1);
        let sw = (south && west).then(|| index + cols - 1);
        let se = (south && east).then(|| index + cols + 1);
        [nw, ne, sw, se].into_iter().flatten()
    }
}

/// Indices are kept in 32 bits, one of which means "none".
const MOST: usize = (u32::MAX - 1) as usize;

/// The number that stands for "belongs to no component".
pub(crate) const NONE: u32 = u32::MAX;

/// Connected parts of those cells that fulfil a condition.
#[derive(Debug)]
pub(crate) struct Components {
    /// For each cell the number of its component, or [`NONE`].
    pub(crate) of: Vec<u32>,
    /// The cells, component after component.
    points: Vec<u32>,
    /// Where each component begins in `points`, and the end of the last.
    starts: Vec<u32>,
}

impl Components {
    /// Finds them in time linear in the number of cells, without recursion. They are numbered by
    /// their first cell in row order.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a grid has fewer than 2^32 cells"
    )]
    pub(crate) fn new(grid: &Grid<'_>, belongs: impl Fn(Cell) -> bool) -> Self {
        let cells = grid.cells();
        let mut of = vec![NONE; cells.len()];
        let mut points = Vec::new();
        let mut starts = vec![0];
        for first in 0..cells.len() {
            if of[first] != NONE || !belongs(cells[first]) {
                continue;
            }
            let id = (starts.len() - 1) as u32;
            let mut next = points.len();
            of[first] = id;
            points.push(first as u32);
            // The list of points is its own queue.
            while next < points.len() {
                let p = points[next] as usize;
                next += 1;
                grid.each_neighbour(p, |q| {
                    if of[q] == NONE && belongs(cells[q]) {
                        of[q] = id;
                        points.push(q as u32);
                    }
                });
            }
            starts.push(points.len() as u32);
        }
        Self { of, points, starts }
    }

    /// How many components.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells of a component; the first is its first in row order.
    pub(crate) fn points(&self, id: usize) -> &[u32] {
        &self.points[self.starts[id] as usize..self.starts[id + 1] as usize]
    }
}
