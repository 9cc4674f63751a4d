//! A move, and what it leads to.

use crate::position::Position;
use crate::square::Square;

/// A move of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece on the board goes to another square.
    Step {
        /// Where it stands.
        from: Square,
        /// Where it goes, over whatever it may jump.
        to: Square,
        /// Whether it promotes by reaching its far rank. Such promotion is never a choice. A piece
        /// that turns over because it captures does not set this.
        promotes: bool,
    },
    /// A piece in hand is placed on an empty square.
    Drop {
        /// The number of its kind in the variant.
        kind: u8,
        /// The face it shows.
        promoted: bool,
        /// Where it is placed.
        to: Square,
    },
}

impl Move {
    /// Where the move ends.
    #[must_use]
    pub fn to(self) -> Square {
        match self {
            Move::Step { to, .. } | Move::Drop { to, .. } => to,
        }
    }
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The game goes on from this position, the other side to move.
    Continues(Position),
    /// The move took the king and won.
    KingTaken,
    /// The move brought the own king onto its far rank, out of the other side's reach, and won.
    Try,
}
