//! A position: pieces on the board, pieces in hand, the side to move.

use std::fmt;

use crate::square::{Board, MAX_SQUARES, Square, SquareSet};
use crate::variant::MAX_KINDS;

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player, who moves up the board.
    Black,
    /// The second player, who moves down the board.
    White,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "black",
            Side::White => "white",
        })
    }
}

/// A piece on the board: whose it is, its kind and the face that shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    const EMPTY: Piece = Piece(0);

    /// The king of a side.
    #[must_use]
    pub fn king(side: Side) -> Piece {
        Piece(1 | (side as u8) << 7)
    }

    /// A piece of the variant's kind number `kind`, showing its promoted face or not.
    ///
    /// # Panics
    /// If `kind` is not under [`MAX_KINDS`].
    #[must_use]
    pub fn new(side: Side, kind: usize, promoted: bool) -> Piece {
        assert!(kind < MAX_KINDS, "kind {kind} of at most {MAX_KINDS}");
        #[allow(clippy::cast_possible_truncation, reason = "kind < MAX_KINDS")]
        let code = 2 + kind as u8;
        Piece(code | u8::from(promoted) << 6 | (side as u8) << 7)
    }

    /// Whose piece it is.
    #[must_use]
    pub fn side(self) -> Side {
        if self.0 & 0x80 == 0 {
            Side::Black
        } else {
            Side::White
        }
    }

    /// The number of its kind in the variant, `None` for a king.
    #[must_use]
    pub fn kind(self) -> Option<usize> {
        usize::from(self.0 & 0x3f).checked_sub(2)
    }

    /// Whether the promoted face shows.
    #[must_use]
    pub fn promoted(self) -> bool {
        self.0 & 0x40 != 0
    }

    /// A number under [`Piece::CODES`] that tells all pieces apart, for use with tables.
    #[must_use]
    pub(crate) fn code(self) -> usize {
        usize::from(self.0 >> 2 & 0x30 | self.0 & 0xf)
    }

    /// One more than the greatest [`code`](Self::code).
    pub(crate) const CODES: usize = 64;

    /// The same piece showing its other face.
    #[must_use]
    pub fn flipped(self) -> Piece {
        Piece(self.0 ^ 0x40)
    }

    /// The same piece owned by the other side.
    #[must_use]
    pub fn swapped(self) -> Piece {
        Piece(self.0 ^ 0x80)
    }
}

/// Pieces on the board, pieces in hand and the side to move. Small and `Copy`; it does not carry
/// its variant, so methods that need the rules take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    board: [Piece; MAX_SQUARES],
    occupied: [SquareSet; 2],
    hands: [[u8; MAX_KINDS]; 2],
    /// Follows from `board`, kept because every move asks for it; [`NO_KING`] if there is none.
    kings: [u8; 2],
    turn: Side,
}

const NO_KING: u8 = u8::MAX;

impl Position {
    /// An empty board with nothing in hand.
    #[must_use]
    pub fn empty(turn: Side) -> Position {
        Position {
            board: [Piece::EMPTY; MAX_SQUARES],
            occupied: [0; 2],
            hands: [[0; MAX_KINDS]; 2],
            kings: [NO_KING; 2],
            turn,
        }
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The same pieces with this side to move.
    pub fn set_turn(&mut self, turn: Side) {
        self.turn = turn;
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()];
        (piece != Piece::EMPTY).then_some(piece)
    }

    /// The squares of a side's pieces, its king among them.
    #[must_use]
    pub fn occupied(&self, side: Side) -> SquareSet {
        self.occupied[side.index()]
    }

    /// The square of a side's king, `None` if it has been taken or not been placed. A side has at
    /// most one king: placing it elsewhere while it stands on the board is an error of the caller.
    #[must_use]
    pub fn king(&self, side: Side) -> Option<Square> {
        let square = self.kings[side.index()];
        (square != NO_KING).then_some(Square(square))
    }

    /// How many pieces of this kind a side holds in hand.
    #[must_use]
    pub fn in_hand(&self, side: Side, kind: usize) -> u8 {
        self.hands[side.index()][kind]
    }

    /// Sets how many pieces of this kind a side holds in hand.
    pub fn set_in_hand(&mut self, side: Side, kind: usize, count: u8) {
        self.hands[side.index()][kind] = count;
    }

    /// Puts a piece on a square, in place of what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.board[square.index()] = piece;
        self.occupied[piece.side().index()] |= square.bit();
        if piece.kind().is_none() {
            debug_assert_eq!(self.kings[piece.side().index()], NO_KING, "a second king");
            self.kings[piece.side().index()] = square.0;
        }
    }

    /// Takes what stands on a square off the board.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_on(square)?;
        self.board[square.index()] = Piece::EMPTY;
        self.occupied[piece.side().index()] &= !square.bit();
        if piece.kind().is_none() {
            self.kings[piece.side().index()] = NO_KING;
        }
        Some(piece)
    }

    /// The position seen from the other side: the board turned by 180 degrees, all owners and the
    /// side to move swapped. It has the same value.
    #[must_use]
    pub fn turned(&self, board: Board) -> Position {
        let mut turned = Position::empty(self.turn.other());
        turned.hands = [self.hands[1], self.hands[0]];
        for square in crate::squares(self.occupied[0] | self.occupied[1]) {
            turned.put(board.turned(square), self.board[square.index()].swapped());
        }
        turned
    }

    /// The left-right mirror image. It has the same value.
    #[must_use]
    pub fn mirrored(&self, board: Board) -> Position {
        let mut mirrored = Position::empty(self.turn);
        mirrored.hands = self.hands;
        for square in crate::squares(self.occupied[0] | self.occupied[1]) {
            mirrored.put(board.mirrored(square), self.board[square.index()]);
        }
        mirrored
    }
}
