//! Moves as USI text: `4c4b`, `4b4a+`, `P*3b`.

use thiserror::Error;

use crate::moves::Move;
use crate::position::{Piece, Position, Side};
use crate::rules::Rules;
use crate::square::{Board, Square};
use crate::text::Cursor;
use crate::variant::Variant;

/// Why a text is not a move in any position of the variant. `at` is a byte offset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UsiError {
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
    /// A piece that is never dropped.
    #[error("unknown piece letter '{letter}' at byte {at}; a hand holds {known}")]
    UnknownPiece {
        /// The letter, with its `+`.
        letter: String,
        /// Byte offset.
        at: usize,
        /// The base letters of the variant.
        known: String,
    },
}

/// Why a text is not a legal move in a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not a move at all.
    #[error(transparent)]
    Malformed(#[from] UsiError),
    /// The move is well written, but not legal here.
    #[error("{text} is not legal: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// Why not.
        reason: Illegal,
    },
}

/// Why a move is not legal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Nobody is to move.
    #[error("the game is over")]
    Over,
    /// The square of origin has no piece of the side to move.
    #[error("{side} has no piece on {square}")]
    NoPiece {
        /// The side to move.
        side: Side,
        /// The square.
        square: String,
    },
    /// The piece does not go there.
    #[error("the {piece} does not go from there to {square}")]
    Unreachable {
        /// Its name.
        piece: String,
        /// The square.
        square: String,
    },
    /// The `+` is missing, or should be.
    #[error("here it is written {text}")]
    Promotion {
        /// The move as it is written.
        text: String,
    },
    /// The hand is empty of that kind.
    #[error("{side} has no {piece} in hand")]
    NotInHand {
        /// The side to move.
        side: Side,
        /// The name of the kind.
        piece: String,
    },
    /// The square of a drop is taken or banned, or the face may not show.
    #[error("the {piece} cannot be dropped on {square}")]
    NoDrop {
        /// The name of the face.
        piece: String,
        /// The square.
        square: String,
    },
}

impl Board {
    /// The name of a square: file from the right, rank from the top as a letter.
    #[must_use]
    pub fn square_name(self, square: Square) -> String {
        let file = char::from(b'0' + self.columns - self.column(square));
        let rank = char::from(b'a' + self.row(square));
        [file, rank].iter().collect()
    }
}

impl Variant {
    /// The move as USI. A drop names the face that shows.
    #[must_use]
    pub fn usi(&self, mv: Move) -> String {
        let board = self.board();
        match mv {
            Move::Step { from, to, promotes } => format!(
                "{}{}{}",
                board.square_name(from),
                board.square_name(to),
                if promotes { "+" } else { "" }
            ),
            Move::Drop { kind, promoted, to } => {
                let piece = Piece::new(Side::Black, usize::from(kind), promoted);
                format!("{}*{}", self.face(piece).letter, board.square_name(to))
            }
        }
    }

    /// Reads a move without asking whether it is legal anywhere.
    ///
    /// # Errors
    /// If the text is not a move on this board with these pieces.
    pub fn parse_usi(&self, text: &str) -> Result<Move, UsiError> {
        let mut cursor = Cursor::new(text);
        let mv = if cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
            let from = self.parse_square(&mut cursor)?;
            let to = self.parse_square(&mut cursor)?;
            let promotes = cursor.eat(b'+');
            Move::Step { from, to, promotes }
        } else {
            let (kind, promoted) = self.parse_dropped(&mut cursor)?;
            if !cursor.eat(b'*') {
                return unexpected(&cursor, "'*' and a square");
            }
            let to = self.parse_square(&mut cursor)?;
            Move::Drop { kind, promoted, to }
        };
        if cursor.peek().is_some() {
            return unexpected(&cursor, "the end");
        }
        Ok(mv)
    }

    fn parse_square(&self, cursor: &mut Cursor<'_>) -> Result<Square, UsiError> {
        let file = match cursor.peek() {
            Some(byte) if (b'1'..=b'0' + self.columns).contains(&byte) => byte - b'0',
            _ => return unexpected(cursor, format!("a file from 1 to {}", self.columns)),
        };
        cursor.bump();
        let row = match cursor.peek() {
            Some(byte) if (b'a'..b'a' + self.rows).contains(&byte) => byte - b'a',
            _ => {
                let last = char::from(b'a' + self.rows - 1);
                return unexpected(cursor, format!("a rank from a to {last}"));
            }
        };
        cursor.bump();
        Ok(self.board().square(row, self.columns - file))
    }

    fn parse_dropped(&self, cursor: &mut Cursor<'_>) -> Result<(u8, bool), UsiError> {
        let at = cursor.at();
        let mut letter = String::from(if cursor.eat(b'+') { "+" } else { "" });
        match cursor.peek_char() {
            Some(upper) if upper.is_ascii_uppercase() => letter.push(upper),
            _ if letter.is_empty() => return unexpected(cursor, "a square or a piece letter"),
            _ => return unexpected(cursor, "a piece letter"),
        }
        let piece = self.piece_by_letter(Side::Black, &letter);
        match piece.and_then(|piece| Some((u8::try_from(piece.kind()?).ok()?, piece.promoted()))) {
            Some(found) => {
                cursor.bump();
                Ok(found)
            }
            None => Err(UsiError::UnknownPiece {
                letter,
                at,
                known: self.hand_letters(),
            }),
        }
    }
}

fn unexpected<T>(cursor: &Cursor<'_>, expected: impl Into<String>) -> Result<T, UsiError> {
    Err(UsiError::Unexpected {
        expected: expected.into(),
        at: cursor.at(),
        got: cursor.got(),
    })
}

impl Rules {
    /// Reads a move that is legal in a position.
    ///
    /// # Errors
    /// If the text is not a move, or says which rule the move breaks.
    ///
    /// ```
    /// use yose_shogi::{Rules, Variant};
    ///
    /// let rules = Rules::new(Variant::built_in("shogi4").unwrap());
    /// //  . . . k
    /// //  P . . .
    /// //  . . . .
    /// //  K . . .
    /// let position = rules.variant().parse_sfen("3k/P3/4/K3 b -").unwrap();
    /// assert!(rules.parse_move(&position, "4b4a+").is_ok());
    /// assert_eq!(
    ///     rules.parse_move(&position, "4b4a").unwrap_err().to_string(),
    ///     "4b4a is not legal: here it is written 4b4a+"
    /// );
    /// ```
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mv = self.variant.parse_usi(text)?;
        match self.illegal(position, mv) {
            None => Ok(mv),
            Some(reason) => Err(MoveError::Illegal {
                text: text.to_owned(),
                reason,
            }),
        }
    }

    /// Why a move is not legal in a position; `None` if it is.
    #[must_use]
    pub fn illegal(&self, position: &Position, mv: Move) -> Option<Illegal> {
        if self.is_legal(position, mv) {
            return None;
        }
        if self.is_over(position) {
            return Some(Illegal::Over);
        }
        let side = position.turn();
        let variant = &self.variant;
        let name = |piece: Piece| variant.face(piece).name.clone();
        let square = |square| self.board.square_name(square);
        Some(match mv {
            Move::Step { from, to, promotes } => match position.piece_on(from) {
                Some(piece) if piece.side() == side => {
                    let promotes = !promotes;
                    let other = Move::Step { from, to, promotes };
                    if self.is_legal(position, other) {
                        Illegal::Promotion {
                            text: variant.usi(other),
                        }
                    } else {
                        Illegal::Unreachable {
                            piece: name(piece),
                            square: square(to),
                        }
                    }
                }
                _ => Illegal::NoPiece {
                    side,
                    square: square(from),
                },
            },
            Move::Drop { kind, promoted, to } => {
                let kind = usize::from(kind);
                if position.in_hand(side, kind) == 0 {
                    Illegal::NotInHand {
                        side,
                        piece: name(Piece::new(side, kind, false)),
                    }
                } else {
                    Illegal::NoDrop {
                        piece: name(Piece::new(side, kind, promoted)),
                        square: square(to),
                    }
                }
            }
        })
    }
}
