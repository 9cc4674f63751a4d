//! Boards as rows of text.

use std::fmt;

use thiserror::Error;

use super::Board;
use super::set_up::SetUpError;
use crate::colour::Colour;
use crate::size::{Size, SizeError};

/// Why rows of text are no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BoardTextError {
    /// Too many or too few rows or columns.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Rows of different lengths.
    #[error("row {row} (from 0) has {found} points, the first has {expected}")]
    Ragged {
        /// Row, 0 at the top.
        row: usize,
        /// Points in the first row.
        expected: usize,
        /// Points in this row.
        found: usize,
    },
    /// Not a sign for a point.
    #[error("row {row}, column {col} (from 0): {found:?}, where X, O or . was expected")]
    Sign {
        /// Row, 0 at the top.
        row: usize,
        /// Column, 0 at the left.
        col: usize,
        /// The sign.
        found: char,
    },
    /// The stones cannot stand so.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
}

impl Board {
    /// Reads a board, one text for each row from the top: `X`, `x`, `#` black, `O`, `o` white,
    /// `.`, `+`, `-` empty; blanks are skipped. No prisoners, no ko ban, suicide forbidden.
    ///
    /// # Errors
    ///
    /// If it is no board, or a chain has no liberty.
    pub fn from_rows<T: AsRef<str>>(rows: &[T]) -> Result<Self, BoardTextError> {
        let signs = |row: &T| row.as_ref().chars().filter(|sign| *sign != ' ').count();
        let expected = rows.first().map_or(0, signs);
        let size = Size::new(rows.len(), expected)?;
        let mut stones = Vec::new();
        for (row, text) in rows.iter().enumerate() {
            let found = signs(text);
            if found != expected {
                return Err(BoardTextError::Ragged {
                    row,
                    expected,
                    found,
                });
            }
            for (col, sign) in text
                .as_ref()
                .chars()
                .filter(|sign| *sign != ' ')
                .enumerate()
            {
                let colour = match sign {
                    'X' | 'x' | '#' => Colour::Black,
                    'O' | 'o' => Colour::White,
                    '.' | '+' | '-' => continue,
                    found => return Err(BoardTextError::Sign { row, col, found }),
                };
                stones.push((size.point(row, col).map_err(SetUpError::from)?, colour));
            }
        }
        Ok(Self::from_stones(size, stones)?)
    }

    /// The board as [`from_rows`](Self::from_rows) reads it: `X`, `O`, `.`.
    #[must_use]
    pub fn to_rows(&self) -> Vec<String> {
        let mut signs = self
            .size
            .points()
            .map(|point| self.stone(point).map_or('.', Colour::symbol));
        (0..self.size.rows())
            .map(|_| signs.by_ref().take(self.size.cols()).collect())
            .collect()
    }
}

impl fmt::Display for Board {
    /// The rows, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.to_rows() {
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("rows", &self.to_rows())
            .field("captures", &self.captures)
            .field("ko", &self.ko_point())
            .field("ko_colour", &self.ko_colour())
            .field("suicide", &self.suicide)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}
