//! Positions as SFEN: reading, which is strict and says where, and printing.

use std::fmt::Write as _;

use thiserror::Error;

use crate::position::{Piece, Position, Side};
use crate::text::Cursor;
use crate::variant::{MAX_KINDS, Variant};

/// Why a text is not a position of a variant. `at` is a byte offset into the text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SfenError {
    /// Something else should stand here.
    #[error("expected {expected} at byte {at}, got {got}")]
    Unexpected {
        /// What should stand here.
        expected: String,
        /// Byte offset.
        at: usize,
        /// What stands here.
        got: String,
    },
    /// A piece that the variant does not have, or that cannot be in hand.
    #[error("unknown piece letter '{letter}' at byte {at}; {holder} {known}")]
    UnknownPiece {
        /// The letter, with its `+`.
        letter: String,
        /// Byte offset.
        at: usize,
        /// `this variant has` or `a hand holds`.
        holder: &'static str,
        /// The letters that could stand here.
        known: String,
    },
    /// A row with too few or too many squares.
    #[error(
        "row {row} from the top has {got} squares at byte {at}; the board has {expected} columns"
    )]
    RowLength {
        /// Counted from 1 at the top.
        row: usize,
        /// Byte offset of the first byte that does not fit.
        at: usize,
        /// Squares given so far, at least.
        got: u32,
        /// Columns of the board.
        expected: u8,
    },
    /// A side has two kings.
    #[error("a second {side} king at byte {at}")]
    SecondKing {
        /// Whose king: `black` or `white`.
        side: Side,
        /// Byte offset.
        at: usize,
    },
    /// A side has no king.
    #[error("there is no {side} king; it is written '{letter}'")]
    NoKing {
        /// Whose king is missing.
        side: Side,
        /// Its letter.
        letter: String,
    },
    /// More pieces of a kind than the variant has.
    #[error("too many pieces {letter} at byte {at}; this variant has {most}")]
    TooMany {
        /// The kind's base letter.
        letter: String,
        /// Byte offset of the first piece too many.
        at: usize,
        /// How many the variant has, both sides together.
        most: u8,
    },
    /// A piece that would have promoted on its way there, and may not be dropped there.
    #[error("piece '{letter}' at byte {at} stands on its far rank; there it must be '{promoted}'")]
    Unpromoted {
        /// The piece.
        letter: String,
        /// Byte offset.
        at: usize,
        /// The face it would show.
        promoted: String,
    },
}

impl Variant {
    /// Reads a position: board, side to move (`b` or `w`), hands, and a move counter that may be
    /// left out and means nothing.
    ///
    /// # Errors
    /// If the text is not SFEN, or is no legal position of this variant: each side has one king,
    /// no kind has more pieces than the variant, and nothing stands where it cannot have come.
    ///
    /// ```
    /// use yose_shogi::{Side, Square, Variant};
    ///
    /// let shogi4 = Variant::built_in("shogi4").unwrap();
    /// let position = shogi4.parse_sfen("k3/4/3f/1K2 w P2r").unwrap();
    /// assert_eq!(position.king(Side::Black), Some(Square(13)));
    /// assert_eq!(position.in_hand(Side::White, 2), 2);
    /// assert_eq!(shogi4.sfen(&position), "k3/4/3f/1K2 w P2r 1");
    /// assert_eq!(
    ///     shogi4.parse_sfen("k3/4/P3/K2X b -").unwrap_err().to_string(),
    ///     "unknown piece letter 'X' at byte 10; this variant has K P T R F"
    /// );
    /// ```
    pub fn parse_sfen(&self, text: &str) -> Result<Position, SfenError> {
        let mut reader = Reader::new(self, text);
        reader.board()?;
        reader.space("a space and the side to move")?;
        reader.turn()?;
        reader.space("a space and the pieces in hand")?;
        reader.hands()?;
        reader.counter()?;
        reader.kings()?;
        Ok(reader.position)
    }

    /// The position as SFEN: hands Black's first in the variant's order, the counter always 1.
    #[must_use]
    pub fn sfen(&self, position: &Position) -> String {
        let board = self.board();
        let mut text = String::new();
        for row in 0..self.rows {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for column in 0..self.columns {
                match position.piece_on(board.square(row, column)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty, 1);
                        empty = 0;
                        self.push_piece(&mut text, piece);
                    }
                }
            }
            push_count(&mut text, empty, 1);
        }
        text.push_str(match position.turn() {
            Side::Black => " b ",
            Side::White => " w ",
        });
        let before = text.len();
        for side in [Side::Black, Side::White] {
            for kind in 0..self.kinds.len() {
                let count = position.in_hand(side, kind);
                if count > 0 {
                    push_count(&mut text, count, 2);
                    self.push_piece(&mut text, Piece::new(side, kind, false));
                }
            }
        }
        if text.len() == before {
            text.push('-');
        }
        text.push_str(" 1");
        text
    }

    fn push_piece(&self, text: &mut String, piece: Piece) {
        let letter = &self.face(piece).letter;
        match piece.side() {
            Side::Black => text.push_str(letter),
            Side::White => text.extend(letter.chars().map(|c| c.to_ascii_lowercase())),
        }
    }
}

fn push_count(text: &mut String, count: u8, least: u8) {
    if count >= least {
        // Writing to a String cannot fail.
        let _ = write!(text, "{count}");
    }
}

/// A position that is being read, with the checks that all notations share.
pub(crate) struct Reader<'a> {
    pub(crate) variant: &'a Variant,
    pub(crate) cursor: Cursor<'a>,
    pub(crate) position: Position,
    counts: [u8; MAX_KINDS],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(variant: &'a Variant, text: &'a str) -> Reader<'a> {
        Reader {
            variant,
            cursor: Cursor::new(text),
            position: Position::empty(Side::Black),
            counts: [0; MAX_KINDS],
        }
    }

    pub(crate) fn unexpected<T>(&self, expected: impl Into<String>) -> Result<T, SfenError> {
        Err(SfenError::Unexpected {
            expected: expected.into(),
            at: self.cursor.at(),
            got: self.cursor.got(),
        })
    }

    fn space(&mut self, expected: &str) -> Result<(), SfenError> {
        if self.cursor.eat(b' ') {
            Ok(())
        } else {
            self.unexpected(expected)
        }
    }

    fn board(&mut self) -> Result<(), SfenError> {
        for row in 0..self.variant.rows {
            if row > 0 && !self.cursor.eat(b'/') {
                return self.unexpected(format!("'/' and row {} from the top", row + 1));
            }
            self.row(row)?;
        }
        Ok(())
    }

    fn row(&mut self, row: u8) -> Result<(), SfenError> {
        let columns = self.variant.columns;
        let mut column = 0;
        let mut after_run = false;
        while let Some(byte) = self.cursor.peek() {
            if byte == b'/' || byte == b' ' {
                break;
            }
            let at = self.cursor.at();
            let run = byte.is_ascii_digit();
            if run && (byte == b'0' || after_run) {
                return self.unexpected("a piece");
            }
            let width = if run { byte - b'0' } else { 1 };
            if column + width > columns {
                return Err(self.row_length(row, column + width));
            }
            if run {
                self.cursor.bump();
            } else {
                let piece = self.piece(false)?;
                self.place(row, column, piece, at)?;
            }
            after_run = run;
            column += width;
        }
        if column == columns {
            Ok(())
        } else {
            Err(self.row_length(row, column))
        }
    }

    fn row_length(&self, row: u8, got: u8) -> SfenError {
        SfenError::RowLength {
            row: usize::from(row) + 1,
            at: self.cursor.at(),
            got: u32::from(got),
            expected: self.variant.columns,
        }
    }

    /// Reads a piece; the case tells the side.
    fn piece(&mut self, hand: bool) -> Result<Piece, SfenError> {
        let at = self.cursor.at();
        let plus = self.cursor.eat(b'+');
        let Some(letter) = self.cursor.peek_char() else {
            return self.unexpected("a piece letter");
        };
        if plus && !letter.is_ascii_alphabetic() {
            return self.unexpected("a piece letter");
        }
        let side = if letter.is_ascii_lowercase() {
            Side::White
        } else {
            Side::Black
        };
        let mut upper = String::from(if plus { "+" } else { "" });
        upper.push(letter.to_ascii_uppercase());
        let found = if hand {
            self.variant
                .kind_of_base(&upper)
                .map(|kind| Piece::new(side, kind, false))
        } else {
            self.variant.piece_by_letter(side, &upper)
        };
        match found {
            Some(piece) => {
                self.cursor.bump();
                Ok(piece)
            }
            None if !plus && !letter.is_ascii_alphabetic() => self.unexpected("a piece"),
            None => Err(SfenError::UnknownPiece {
                letter: if plus {
                    format!("+{letter}")
                } else {
                    letter.to_string()
                },
                at,
                holder: if hand {
                    "a hand holds"
                } else {
                    "this variant has"
                },
                known: if hand {
                    self.variant.hand_letters()
                } else {
                    self.variant.board_letters()
                },
            }),
        }
    }

    pub(crate) fn place(
        &mut self,
        row: u8,
        column: u8,
        piece: Piece,
        at: usize,
    ) -> Result<(), SfenError> {
        let variant = self.variant;
        let square = variant.board().square(row, column);
        let side = piece.side();
        match piece.kind() {
            None if self.position.king(side).is_some() => {
                return Err(SfenError::SecondKing { side, at });
            }
            None => {}
            Some(kind) => {
                self.count(kind, 1, at)?;
                let far = variant.far_rank(side) & square.bit() != 0;
                if far && !piece.promoted() && !variant.base_on_far_rank(kind) {
                    let mut letter = String::new();
                    variant.push_piece(&mut letter, piece);
                    let mut promoted = String::new();
                    variant.push_piece(&mut promoted, Piece::new(side, kind, true));
                    return Err(SfenError::Unpromoted {
                        letter,
                        at,
                        promoted,
                    });
                }
            }
        }
        self.position.put(square, piece);
        Ok(())
    }

    pub(crate) fn count(&mut self, kind: usize, more: u8, at: usize) -> Result<(), SfenError> {
        let most = self.variant.kinds[kind].total;
        match self.counts[kind].checked_add(more) {
            Some(count) if count <= most => {
                self.counts[kind] = count;
                Ok(())
            }
            _ => Err(SfenError::TooMany {
                letter: self.variant.kinds[kind].base.letter.clone(),
                at,
                most,
            }),
        }
    }

    fn turn(&mut self) -> Result<(), SfenError> {
        if self.cursor.eat(b'w') {
            self.position.set_turn(Side::White);
        } else if !self.cursor.eat(b'b') {
            return self.unexpected("the side to move, b or w");
        }
        Ok(())
    }

    fn hands(&mut self) -> Result<(), SfenError> {
        if self.cursor.eat(b'-') {
            return Ok(());
        }
        let mut first = true;
        while first || !matches!(self.cursor.peek(), None | Some(b' ')) {
            first = false;
            let at = self.cursor.at();
            let count = if self.cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
                match self.cursor.number() {
                    Some(count @ 2..=99) => u8::try_from(count).unwrap_or(u8::MAX),
                    _ => {
                        self.cursor.back_to(at);
                        return self.unexpected("a number of pieces from 2 to 99");
                    }
                }
            } else {
                1
            };
            if self.cursor.peek().is_none() {
                return self.unexpected("a piece in hand");
            }
            let piece = self.piece(true)?;
            let Some(kind) = piece.kind() else { continue };
            if self.position.in_hand(piece.side(), kind) > 0 {
                self.cursor.back_to(at);
                return self.unexpected("each kind once in a hand");
            }
            self.count(kind, count, at)?;
            self.position.set_in_hand(piece.side(), kind, count);
        }
        Ok(())
    }

    fn counter(&mut self) -> Result<(), SfenError> {
        if self.cursor.peek().is_none() {
            return Ok(());
        }
        self.space("a space and the move counter, or the end")?;
        let at = self.cursor.at();
        if !matches!(self.cursor.number(), Some(1..)) {
            self.cursor.back_to(at);
            return self.unexpected("the move counter, 1 or more");
        }
        if self.cursor.peek().is_some() {
            return self.unexpected("the end");
        }
        Ok(())
    }

    pub(crate) fn kings(&mut self) -> Result<(), SfenError> {
        for side in [Side::Black, Side::White] {
            if self.position.king(side).is_none() {
                let mut letter = String::new();
                self.variant.push_piece(&mut letter, Piece::king(side));
                return Err(SfenError::NoKing { side, letter });
            }
        }
        Ok(())
    }
}
