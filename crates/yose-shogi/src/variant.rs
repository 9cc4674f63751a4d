//! A drop-shogi variant as data: the board, the pieces and the handful of rules that differ.
//!
//! A variant says nothing about solving. Rules, notation, counts, index and kernel all read this
//! one description, so a user's own variant runs wherever a built-in one does.

use crate::position::{Piece, Side};
use crate::square::{Board, Direction, SquareSet};

/// Most kinds of pieces (kings apart) a variant may have.
pub const MAX_KINDS: usize = 8;

/// A variant of drop shogi on a small board. Made by [`Variant::parse`] or
/// [`Variant::built_in`], which check it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Short name, as typed on the command line.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Number of ranks, 2 to 9.
    pub rows: u8,
    /// Number of files, 2 to 9; `rows * columns` is at most [`MAX_SQUARES`](crate::MAX_SQUARES).
    pub columns: u8,
    /// The king's letter, aliases and moves. Each side has one king, always on the board.
    pub king: Face,
    /// All other kinds, in the order that hands and inventories are printed in.
    pub kinds: Vec<Kind>,
    /// When a piece shows its other face.
    pub promotion: Promotion,
    /// What becomes of a captured piece.
    pub captured: Captured,
    /// The faces that a dropped piece may show.
    pub drop_faces: DropFaces,
    /// Where a piece may not be dropped.
    pub drop_ban: DropBan,
    /// Whether a step onto an own piece becomes a landing on the square just beyond it.
    pub friendly_jump: bool,
    /// How the game is won.
    pub goal: Goal,
    /// Start positions as SFEN, by inventory; the first is that of the full set.
    pub starts: Vec<String>,
}

/// A kind of piece other than the king.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// How many pieces of this kind the full game has, both sides together.
    pub total: u8,
    /// The face that a piece in hand is named by.
    pub base: Face,
    /// The other face, for kinds that have one.
    pub promoted: Option<Face>,
}

/// One face of a piece: its letter and how it moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Face {
    /// For people, such as `carp`.
    pub name: String,
    /// The SFEN text of Black's piece, such as `P`, `+P` or `N`. White's is the lower case.
    pub letter: String,
    /// Other texts that are read for this face, never printed.
    pub aliases: Vec<String>,
    /// The letter of Black's piece in plain position texts, where a piece is one character. If
    /// `None`, that is `letter`, unless it has a `+`.
    pub plain: Option<char>,
    /// Moves to the adjacent square in a direction.
    pub steps: Directions,
    /// Moves any number of empty squares in a direction, the last of which may be a capture.
    pub slides: Directions,
    /// Moves to a square at a fixed offset, whatever stands between: columns to the right, rows
    /// upward, for a piece that moves up.
    pub leaps: Vec<(i8, i8)>,
}

/// A set of the eight directions, for a piece that moves up the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Directions(u8);

impl Directions {
    /// The empty set.
    pub const NONE: Directions = Directions(0);

    /// The set with this direction added.
    #[must_use]
    pub fn with(self, direction: Direction) -> Directions {
        Directions(self.0 | 1 << direction.index())
    }

    /// Whether the set holds this direction.
    #[must_use]
    pub fn contains(self, direction: Direction) -> bool {
        self.0 >> direction.index() & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The directions of the set, clockwise from up.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .into_iter()
            .filter(move |&d| self.contains(d))
    }
}

/// When a piece shows its other face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// Never, except by the face it is dropped with.
    Never,
    /// Always and only when a piece that shows its base face ends a board move on its far rank.
    FarRank,
    /// A capturing piece shows its other face, in both directions; the king has none.
    OnCapture,
}

/// What becomes of a captured piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// It goes to the captor's hand, without a face.
    Hand,
    /// It stays with the captor for good and is never dropped. Positions still say who took it.
    Gone,
}

/// The faces that a dropped piece may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropFaces {
    /// Its base face only.
    Base,
    /// Its base face or, if it has one, the other.
    Either,
}

/// Where a piece may not be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropBan {
    /// Any empty square will do.
    None,
    /// Not on the dropper's far rank.
    FarRank,
}

/// How the game is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// By taking the king.
    TakeKing,
    /// By taking the king, or by a move of the own king onto its far rank to a square that the
    /// other side does not attack (Dobutsu's Try).
    TakeKingOrTry,
}

impl Variant {
    /// The board without pieces.
    #[must_use]
    pub fn board(&self) -> Board {
        Board {
            rows: self.rows,
            columns: self.columns,
        }
    }

    /// Whether a piece of this kind may show its base face on its owner's far rank. If not, no
    /// play leads there and positions with it are illegal.
    #[must_use]
    pub fn base_on_far_rank(&self, kind: usize) -> bool {
        self.promotion != Promotion::FarRank
            || self.kinds[kind].promoted.is_none()
            || (self.captured == Captured::Hand && self.drop_ban == DropBan::None)
    }

    /// The rank that a side moves toward.
    #[must_use]
    pub fn far_rank(&self, side: Side) -> SquareSet {
        match side {
            Side::Black => self.board().top_row(),
            Side::White => self.board().bottom_row(),
        }
    }

    /// The face that a piece shows. A piece without another face always shows its base face.
    ///
    /// # Panics
    /// If the variant has no such kind.
    #[must_use]
    pub fn face(&self, piece: Piece) -> &Face {
        match piece.kind() {
            None => &self.king,
            Some(kind) => match &self.kinds[kind].promoted {
                Some(promoted) if piece.promoted() => promoted,
                _ => &self.kinds[kind].base,
            },
        }
    }

    /// The piece whose face has this letter or alias, in upper case.
    #[must_use]
    pub fn piece_by_letter(&self, side: Side, letter: &str) -> Option<Piece> {
        if self.king.answers_to(letter) {
            return Some(Piece::king(side));
        }
        self.kinds.iter().enumerate().find_map(|(number, kind)| {
            if kind.base.answers_to(letter) {
                return Some(Piece::new(side, number, false));
            }
            let promoted = kind.promoted.as_ref()?;
            promoted
                .answers_to(letter)
                .then(|| Piece::new(side, number, true))
        })
    }

    /// The number of the kind whose base face has this letter or alias, in upper case.
    #[must_use]
    pub fn kind_of_base(&self, letter: &str) -> Option<usize> {
        self.kinds
            .iter()
            .position(|kind| kind.base.answers_to(letter))
    }

    /// The base letters of all kinds but the king: `P T R F`.
    #[must_use]
    pub fn hand_letters(&self) -> String {
        let letters: Vec<_> = self.kinds.iter().map(|k| k.base.letter.as_str()).collect();
        letters.join(" ")
    }

    /// The letters of all faces, but for those that only put a `+` before another: `K P T R F`.
    #[must_use]
    pub fn board_letters(&self) -> String {
        let mut letters = vec![self.king.letter.as_str()];
        for kind in &self.kinds {
            letters.push(&kind.base.letter);
            if let Some(promoted) = &kind.promoted
                && !promoted.letter.starts_with('+')
            {
                letters.push(&promoted.letter);
            }
        }
        letters.join(" ")
    }
}

impl Face {
    /// The letter of Black's piece in plain position texts, if it has one.
    #[must_use]
    pub fn plain_letter(&self) -> Option<char> {
        let mut letters = self.letter.chars();
        let single = letters.next().filter(|_| letters.next().is_none());
        self.plain.or(single)
    }

    fn answers_to(&self, letter: &str) -> bool {
        self.letter == letter || self.aliases.iter().any(|alias| alias == letter)
    }
}
