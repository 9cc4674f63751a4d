//! Stones alone, small: what superko compares and feature planes look back on.

use crate::board::{Board, SetUpError};
use crate::colour::Colour;
use crate::point::{MAX_SIDE, Point};
use crate::size::Size;

/// Words of 64 bits for one bit for each point.
const WORDS: usize = (MAX_SIDE * MAX_SIDE).div_ceil(64);

/// Which stones stand where, as two sets of bits: 168 bytes. Nothing else of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    size: Size,
    stones: [[u64; WORDS]; 2],
}

impl Position {
    /// No stones.
    #[must_use]
    pub const fn empty(size: Size) -> Self {
        Self {
            size,
            stones: [[0; WORDS]; 2],
        }
    }

    /// The stones of a board. O(area).
    #[must_use]
    pub fn of(board: &Board) -> Self {
        let mut position = Self::empty(board.size());
        for (flat, point) in board.size().points().enumerate() {
            if let Some(colour) = board.stone(point) {
                position.stones[colour.index()][flat / 64] |= 1 << (flat % 64);
            }
        }
        position
    }

    /// A board with these stones: no prisoners, no ko ban, suicide forbidden.
    ///
    /// # Errors
    ///
    /// If a chain has no liberty.
    pub fn to_board(&self) -> Result<Board, SetUpError> {
        let stones = self
            .size
            .points()
            .filter_map(|point| Some((point, self.stone(point)?)));
        Board::from_stones(self.size, stones)
    }

    /// Its size.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The stone on a point of this size; nothing if it is empty or off the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Colour> {
        if !self.size.contains(point) {
            return None;
        }
        let flat = self.size.flat(point);
        Colour::BOTH
            .into_iter()
            .find(|&colour| self.has(colour, flat))
    }

    /// Whether the point with that number (row * columns + column) holds a stone of that colour.
    #[must_use]
    #[inline]
    pub const fn has(&self, colour: Colour, flat: usize) -> bool {
        flat < WORDS * 64 && self.stones[colour.index()][flat / 64] >> (flat % 64) & 1 != 0
    }

    /// All stones of a colour: bit row * columns + column, from the lowest bit of the first word.
    #[must_use]
    #[inline]
    pub const fn bits(&self, colour: Colour) -> &[u64; WORDS] {
        &self.stones[colour.index()]
    }

    /// Changes a point; one that is off the board is left alone.
    pub fn put(&mut self, point: Point, stone: Option<Colour>) {
        if !self.size.contains(point) {
            return;
        }
        let flat = self.size.flat(point);
        let bit = 1 << (flat % 64);
        for colour in Colour::BOTH {
            let word = &mut self.stones[colour.index()][flat / 64];
            if stone == Some(colour) {
                *word |= bit;
            } else {
                *word &= !bit;
            }
        }
    }
}
