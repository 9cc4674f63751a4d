//! Positions and moves as text.
//!
//! A position is its four rows from A to D, separated by `/`, and the side to move, `r` or `b`,
//! after one space. A row is read from the left: `r` the red piece, `b` the black one, a number so
//! many empty squares. Numbers may have two digits, the row's length gives the width of the board:
//!
//! ```text
//! r4b4/1r3b4/2r4b2/4rb4 r        10 columns, red to move
//! r14b/r14b/r14b/7rb7 b          16 columns, black to move
//! ```
//!
//! A move is the letter of its row, the column it leaves, a hyphen and the column it reaches,
//! columns counted from 1 at the left: in the first position above `B2-4` moves the red piece of
//! row B from the second column to the fourth.
//!
//! Both parsers take the canonical text only, so that text and position are one to one.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Columns, ColumnsError, Move, Position, PositionError, Row, Side};

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// A character where another was expected.
    #[error("expected {expected} at byte {offset}, found {}", name(*.found))]
    Unexpected {
        /// Where, in bytes from 0.
        offset: usize,
        /// What could stand there.
        expected: &'static str,
        /// What stands there, `None` for the end of the text.
        found: Option<char>,
    },
    /// Row A is as long as no board.
    #[error("row A, which begins at byte {offset}, has {error}")]
    Columns {
        /// Where the row begins.
        offset: usize,
        /// What is wrong with its length.
        error: ColumnsError,
    },
    /// A row is not as long as row A.
    #[error("row {row}, which begins at byte {offset}, has {length} columns; row A has {columns}")]
    RowLength {
        /// Where the row begins.
        offset: usize,
        /// The row.
        row: Row,
        /// Its length.
        length: usize,
        /// The length of row A.
        columns: Columns,
    },
    /// The pieces stand where they cannot.
    #[error("{error}: see byte {offset}")]
    Position {
        /// Where the row or the piece is.
        offset: usize,
        /// What is wrong.
        error: PositionError,
    },
}

/// Why a text is no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected {expected} at byte {offset}, found {}", name(*.found))]
pub struct ParseMoveError {
    /// Where, in bytes from 0.
    pub offset: usize,
    /// What could stand there.
    pub expected: &'static str,
    /// What stands there, `None` for the end of the text.
    pub found: Option<char>,
}

fn name(found: Option<char>) -> String {
    found.map_or_else(|| "the end".into(), |found| format!("{found:?}"))
}

/// A text and how far it is read.
struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn skip(&mut self) {
        self.offset += self.peek().map_or(0, char::len_utf8);
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, expected: char) -> bool {
        let taken = self.peek() == Some(expected);
        if taken {
            self.skip();
        }
        taken
    }

    /// Takes a number from 1 to 99 without leading zeros, `None` if there is no such number here.
    fn number(&mut self) -> Option<u8> {
        let digits = self.text[self.offset..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let text = &self.text[self.offset..self.offset + digits];
        if text.starts_with('0') || digits > 2 {
            return None;
        }
        let number = text.parse().ok()?;
        self.offset += digits;
        Some(number)
    }
}

/// One row as read: the columns of its pieces, from 0, where they stand in the text, its length.
struct ReadRow {
    red: u8,
    black: u8,
    red_offset: usize,
    black_offset: usize,
    length: usize,
}

fn unexpected(reader: &Reader<'_>, expected: &'static str) -> ParsePositionError {
    ParsePositionError::Unexpected {
        offset: reader.offset,
        expected,
        found: reader.peek(),
    }
}

fn read_row(reader: &mut Reader<'_>, row: Row) -> Result<ReadRow, ParsePositionError> {
    // Runs have at most 99 squares and there are three: no overflow.
    let mut column = 0_u16;
    let skip_run = |reader: &mut Reader<'_>, column: &mut u16| {
        if let Some(run) = reader.number() {
            *column += u16::from(run);
            return true;
        }
        false
    };
    let run = skip_run(reader, &mut column);
    let (red, red_offset) = (column, reader.offset);
    if reader.peek() == Some('b') {
        let error = if row == Row::D {
            PositionError::WrongHalf(Side::Black)
        } else {
            PositionError::RedNotLeft(row)
        };
        return Err(ParsePositionError::Position {
            offset: reader.offset,
            error,
        });
    }
    if !reader.take('r') {
        let expected = if run {
            "the red piece 'r'"
        } else {
            "a number from 1 to 14 or the red piece 'r'"
        };
        return Err(unexpected(reader, expected));
    }
    column += 1;
    let run = skip_run(reader, &mut column);
    let (black, black_offset) = (column, reader.offset);
    if !reader.take('b') {
        let expected = if run {
            "the black piece 'b'"
        } else {
            "a number from 1 to 14 or the black piece 'b'"
        };
        return Err(unexpected(reader, expected));
    }
    column += 1;
    let ends_with_run = skip_run(reader, &mut column);
    let (next, expected) = match (row, ends_with_run) {
        (Row::D, true) => (' ', "a space and the side to move"),
        (Row::D, false) => (
            ' ',
            "a number from 1 to 14, or a space and the side to move",
        ),
        (_, true) => ('/', "'/' and the next row"),
        (_, false) => ('/', "a number from 1 to 14, or '/' and the next row"),
    };
    if !reader.take(next) {
        return Err(unexpected(reader, expected));
    }
    // Pieces beyond column 255 are beyond any board, which the length tells.
    Ok(ReadRow {
        red: u8::try_from(red).unwrap_or(u8::MAX),
        black: u8::try_from(black).unwrap_or(u8::MAX),
        red_offset,
        black_offset,
        length: usize::from(column),
    })
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads the canonical text of a position.
    ///
    /// ```
    /// # use yose_race::Position;
    /// let error = "r4b4/1r3b4/2r4b2/4rbx4 r".parse::<Position>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "expected a number from 1 to 14, or a space and the side to move at byte 20, found 'x'"
    /// );
    /// ```
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let mut reader = Reader { text, offset: 0 };
        let mut columns = None;
        let mut red = [0; 4];
        let mut black = [0; 4];
        for row in Row::ALL {
            let offset = reader.offset;
            let read = read_row(&mut reader, row)?;
            let columns = match columns {
                Some(columns) => columns,
                None => *columns.insert(
                    Columns::new(read.length)
                        .map_err(|error| ParsePositionError::Columns { offset, error })?,
                ),
            };
            if read.length != usize::from(columns.count()) {
                let length = read.length;
                return Err(ParsePositionError::RowLength {
                    offset,
                    row,
                    length,
                    columns,
                });
            }
            let wrong_half = |side, offset| {
                Err(ParsePositionError::Position {
                    offset,
                    error: PositionError::WrongHalf(side),
                })
            };
            if row == Row::D && read.red >= columns.half() {
                return wrong_half(Side::Red, read.red_offset);
            }
            if row == Row::D && read.black < columns.half() {
                return wrong_half(Side::Black, read.black_offset);
            }
            red[row as usize] = read.red;
            black[row as usize] = read.black;
        }
        let to_move = if reader.take('r') {
            Side::Red
        } else if reader.take('b') {
            Side::Black
        } else {
            return Err(unexpected(&reader, "the side to move, 'r' or 'b'"));
        };
        if reader.offset < text.len() {
            return Err(unexpected(&reader, "the end"));
        }
        // Row A is read, so there is a width; the pieces are checked once more in `new`.
        let columns = columns.unwrap_or_default();
        Position::new(columns, red, black, to_move)
            .map_err(|error| ParsePositionError::Position { offset: 0, error })
    }
}

/// Prints the canonical text; with `{:#}` a board of several lines.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.fmt_board(f);
        }
        let run = |f: &mut fmt::Formatter<'_>, length: u8| {
            if length > 0 {
                write!(f, "{length}")
            } else {
                Ok(())
            }
        };
        for row in Row::ALL {
            if row != Row::A {
                f.write_str("/")?;
            }
            run(f, self.room_behind(Side::Red, row))?;
            f.write_str("r")?;
            run(f, self.distance(row) - 1)?;
            f.write_str("b")?;
            run(f, self.room_behind(Side::Black, row))?;
        }
        write!(f, " {}", self.to_move.letter())
    }
}

impl Position {
    fn fmt_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(" ")?;
        for column in 1..=self.columns.count() {
            write!(f, "{column:3}")?;
        }
        for row in Row::ALL {
            write!(f, "\n{row}")?;
            for column in 0..self.columns.count() {
                let square = [Side::Red, Side::Black]
                    .into_iter()
                    .find(|&side| self.column(side, row) == column)
                    .map_or('.', Side::letter);
                write!(f, "  {square}")?;
            }
        }
        write!(f, "\n{} to move", self.to_move)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads the canonical text of a move. Whether it is legal depends on the position.
    ///
    /// ```
    /// # use yose_race::{Move, Row};
    /// let mv: Move = "B2-4".parse()?;
    /// assert_eq!(mv, Move { row: Row::B, from: 1, to: 3 });
    /// # Ok::<(), yose_race::notation::ParseMoveError>(())
    /// ```
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let mut reader = Reader { text, offset: 0 };
        let error = |reader: &Reader<'_>, expected| ParseMoveError {
            offset: reader.offset,
            expected,
            found: reader.peek(),
        };
        let row = Row::ALL
            .into_iter()
            .find(|row| reader.take(row.letter()))
            .ok_or_else(|| error(&reader, "a row from A to D"))?;
        let column = |reader: &mut Reader<'_>| {
            let before = reader.offset;
            match reader.number() {
                Some(column) if column <= Columns::MAX.count() => Ok(column - 1),
                _ => {
                    reader.offset = before;
                    Err(error(reader, "a column from 1 to 16"))
                }
            }
        };
        let from = column(&mut reader)?;
        if !reader.take('-') {
            return Err(error(&reader, "'-'"));
        }
        let to = column(&mut reader)?;
        if reader.offset < text.len() {
            return Err(error(&reader, "the end"));
        }
        Ok(Move { row, from, to })
    }
}

/// Prints the canonical text, columns counted from 1.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}-{}",
            self.row,
            u16::from(self.from) + 1,
            u16::from(self.to) + 1
        )
    }
}
