//! Plain position texts of other programs, with one character to a square.
//!
//! - *Cells*: all squares row by row from the bottom left, `.` for an empty one; Black's hand as
//!   one digit for each kind in the variant's order; White's; `1` or `2` to move. Parts are
//!   separated by `;`. The start of Shogi4 is `KFRTP......ptrfk;0000;0000;1`.
//! - *Ranks*: `S` (Black) or `G` (White) to move; the rows from the top, `-` for an empty square;
//!   the pieces in hand, upper case Black's, or `-`. Parts are separated by `/`. The start of
//!   Dobutsu is `S/gle/-c-/-C-/ELG/-`.

use crate::position::{Piece, Position, Side};
use crate::sfen::{Reader, SfenError};
use crate::variant::{Face, Variant};

impl Variant {
    /// Reads a position as SFEN or as one of the plain texts in which other programs write the
    /// built-in games, whichever it is.
    ///
    /// # Errors
    /// As [`parse_sfen`](Self::parse_sfen).
    ///
    /// ```
    /// use yose_shogi::Variant;
    ///
    /// let shogi4 = Variant::built_in("shogi4").unwrap();
    /// let position = shogi4.parse_position("KFRTP......ptrfk;0000;0000;1").unwrap();
    /// assert_eq!(shogi4.sfen(&position), "trfk/3p/P3/KFRT b - 1");
    ///
    /// let dobutsu = Variant::built_in("dobutsu").unwrap();
    /// let position = dobutsu.parse_position("G/-R-/-l-/C--/--L/ggEe").unwrap();
    /// assert_eq!(dobutsu.sfen(&position), "1+C1/1l1/C2/2L w E2ge 1");
    /// ```
    pub fn parse_position(&self, text: &str) -> Result<Position, SfenError> {
        let mut reader = Reader::new(self, text);
        if text.contains(';') {
            reader.cells()?;
        } else if text.starts_with("S/") || text.starts_with("G/") {
            // No SFEN begins like this: a row has two squares at least.
            reader.ranks()?;
        } else {
            return self.parse_sfen(text);
        }
        if reader.cursor.peek().is_some() {
            return reader.unexpected("the end");
        }
        reader.kings()?;
        Ok(reader.position)
    }

    fn piece_by_plain_letter(&self, letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_lowercase() {
            Side::White
        } else {
            Side::Black
        };
        let upper = Some(letter.to_ascii_uppercase());
        if self.king.plain_letter() == upper {
            return Some(Piece::king(side));
        }
        self.kinds.iter().enumerate().find_map(|(number, kind)| {
            if kind.base.plain_letter() == upper {
                return Some(Piece::new(side, number, false));
            }
            let promoted = kind.promoted.as_ref()?;
            (promoted.plain_letter() == upper).then(|| Piece::new(side, number, true))
        })
    }

    /// The letters of all faces in plain texts.
    fn plain_letters(&self) -> String {
        let faces = self
            .kinds
            .iter()
            .flat_map(|kind| [Some(&kind.base), kind.promoted.as_ref()])
            .flatten();
        let letters = std::iter::once(&self.king)
            .chain(faces)
            .filter_map(Face::plain_letter);
        letters.map(String::from).collect::<Vec<_>>().join(" ")
    }
}

impl Reader<'_> {
    fn separator(&mut self, byte: u8) -> Result<(), SfenError> {
        if self.cursor.eat(byte) {
            Ok(())
        } else {
            self.unexpected(format!("{:?}", char::from(byte)))
        }
    }

    fn plain_piece(&mut self) -> Result<Piece, SfenError> {
        let at = self.cursor.at();
        let Some(letter) = self.cursor.peek_char().filter(char::is_ascii_alphabetic) else {
            return self.unexpected("a piece or an empty square");
        };
        match self.variant.piece_by_plain_letter(letter) {
            Some(piece) => {
                self.cursor.bump();
                Ok(piece)
            }
            None => Err(SfenError::UnknownPiece {
                letter: letter.to_string(),
                at,
                holder: "this variant has",
                known: self.variant.plain_letters(),
            }),
        }
    }

    fn plain_row(&mut self, row: u8, empty: u8) -> Result<(), SfenError> {
        for column in 0..self.variant.columns {
            let at = self.cursor.at();
            if !self.cursor.eat(empty) {
                let piece = self.plain_piece()?;
                self.place(row, column, piece, at)?;
            }
        }
        Ok(())
    }

    fn cells(&mut self) -> Result<(), SfenError> {
        for row in (0..self.variant.rows).rev() {
            self.plain_row(row, b'.')?;
        }
        for side in [Side::Black, Side::White] {
            self.separator(b';')?;
            for kind in 0..self.variant.kinds.len() {
                let at = self.cursor.at();
                let Some(digit) = self.cursor.peek().filter(u8::is_ascii_digit) else {
                    return self.unexpected("a digit for each kind of piece in hand");
                };
                self.cursor.bump();
                self.count(kind, digit - b'0', at)?;
                self.position.set_in_hand(side, kind, digit - b'0');
            }
        }
        self.separator(b';')?;
        if self.cursor.eat(b'2') {
            self.position.set_turn(Side::White);
        } else if !self.cursor.eat(b'1') {
            return self.unexpected("the side to move, 1 or 2");
        }
        Ok(())
    }

    fn ranks(&mut self) -> Result<(), SfenError> {
        if self.cursor.eat(b'G') {
            self.position.set_turn(Side::White);
        } else if !self.cursor.eat(b'S') {
            return self.unexpected("the side to move, S or G");
        }
        for row in 0..self.variant.rows {
            self.separator(b'/')?;
            self.plain_row(row, b'-')?;
        }
        self.separator(b'/')?;
        if self.cursor.eat(b'-') {
            return Ok(());
        }
        loop {
            let at = self.cursor.at();
            let piece = self.plain_piece()?;
            let kind = piece.kind().filter(|_| !piece.promoted());
            let Some(kind) = kind else {
                self.cursor.back_to(at);
                return self.unexpected("a piece that can be in hand");
            };
            self.count(kind, 1, at)?;
            let held = self.position.in_hand(piece.side(), kind);
            self.position.set_in_hand(piece.side(), kind, held + 1);
            if self.cursor.peek().is_none() {
                return Ok(());
            }
        }
    }
}
