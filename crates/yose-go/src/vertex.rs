//! How points are written: GTP vertices (`D4`, no letter I, row 1 at the bottom) and SGF letters
//! (`dd`, column first, row a at the top).

use thiserror::Error;

use crate::point::{Move, Point};
use crate::size::Size;

/// Why a text names no point of the board. `text` is what was read, cut to 20 characters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VertexError {
    /// Not of the form that the notation has.
    #[error("expected {expected}, found {text:?}")]
    Form {
        /// What would have been right.
        expected: &'static str,
        /// What was found.
        text: String,
    },
    /// GTP columns skip the letter I.
    #[error("there is no column I in {text:?}: columns run A to H, then J")]
    LetterI {
        /// What was found.
        text: String,
    },
    /// Of the right form, but no point of this board.
    #[error("{text:?} is not on a board of {size}")]
    OffBoard {
        /// What was found.
        text: String,
        /// The board.
        size: Size,
    },
}

/// The columns of GTP.
const GTP_COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

impl Size {
    /// Reads a GTP vertex, `D4` or `d4`, or `pass` in any case.
    ///
    /// ```
    /// use yose_go::{Move, Size};
    /// let size = Size::square(19)?;
    /// assert_eq!(size.parse_gtp("Q16")?, Move::Place(size.point(3, 15)?));
    /// assert_eq!(size.parse_gtp("PASS")?, Move::Pass);
    /// assert!(size.parse_gtp("I5").is_err());
    /// assert!(size.parse_gtp("A20").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is no vertex, or a vertex that is not on the board.
    pub fn parse_gtp(self, text: &str) -> Result<Move, VertexError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let form = || VertexError::Form {
            expected: "a letter and a number (D4) or pass",
            text: shown(text),
        };
        let (letter, number) = match text.as_bytes() {
            [letter, number @ ..] if letter.is_ascii_alphabetic() => {
                (letter.to_ascii_uppercase(), number)
            }
            _ => return Err(form()),
        };
        if number.is_empty() || !number.iter().all(u8::is_ascii_digit) || number[0] == b'0' {
            return Err(form());
        }
        let Some(col) = GTP_COLUMNS.iter().position(|&column| column == letter) else {
            return Err(VertexError::LetterI { text: shown(text) });
        };
        let off_board = || VertexError::OffBoard {
            text: shown(text),
            size: self,
        };
        let from_bottom = match number {
            [ones] => usize::from(ones - b'0'),
            [tens, ones] => usize::from(tens - b'0') * 10 + usize::from(ones - b'0'),
            _ => return Err(off_board()),
        };
        let row = self.rows().checked_sub(from_bottom).ok_or_else(off_board)?;
        self.point(row, col)
            .map(Move::Place)
            .map_err(|_| off_board())
    }

    /// Writes a point as a GTP vertex, in capitals.
    #[must_use]
    pub fn gtp(self, point: Point) -> String {
        let column = char::from(GTP_COLUMNS[point.col()]);
        format!("{column}{}", self.rows().saturating_sub(point.row()))
    }

    /// Writes a move as a GTP vertex in capitals, or `pass`.
    #[must_use]
    pub fn gtp_move(self, mv: Move) -> String {
        mv.point()
            .map_or_else(|| "pass".to_owned(), |point| self.gtp(point))
    }

    /// Reads two SGF letters, column first, as a move: empty is a pass, and so is `tt` on boards
    /// of at most 19 rows and columns, where it could be nothing else.
    ///
    /// ```
    /// use yose_go::{Move, Size};
    /// let size = Size::square(19)?;
    /// assert_eq!(size.parse_sgf("pd")?, size.parse_gtp("Q16")?);
    /// assert_eq!(size.parse_sgf("tt")?, Move::Pass);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not two letters, or the point is not on the board.
    pub fn parse_sgf(self, text: &str) -> Result<Move, VertexError> {
        let side = self.rows().max(self.cols());
        if text.is_empty() || (text == "tt" && side <= 19) {
            return Ok(Move::Pass);
        }
        let letter = |letter: u8| match letter {
            b'a'..=b'z' => Some(usize::from(letter - b'a')),
            b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
            _ => None,
        };
        let (col, row) = match text.as_bytes() {
            &[col, row] => letter(col).zip(letter(row)),
            _ => None,
        }
        .ok_or_else(|| VertexError::Form {
            expected: "two letters (dd), or nothing for a pass",
            text: shown(text),
        })?;
        self.point(row, col)
            .map(Move::Place)
            .map_err(|_| VertexError::OffBoard {
                text: shown(text),
                size: self,
            })
    }

    /// Writes a point as two SGF letters, column first.
    #[must_use]
    pub fn sgf(self, point: Point) -> String {
        const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
        [point.col(), point.row()]
            .iter()
            .map(|&i| char::from(LETTERS[i]))
            .collect()
    }
}
