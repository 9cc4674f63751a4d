//! Sums of games for the score: exact stops, the best move, every strategy's error.

pub(crate) mod closed;
pub(crate) mod compound;
pub(crate) mod line;
pub(crate) mod search;
pub(crate) mod solve;
pub(crate) mod strategy;
pub(crate) mod table;

pub use compound::Thermostrat;
pub use solve::{Bounds, PartSolution, ScoredMove, SumLimits, SumSolution};
pub use strategy::{Game, GameMove, Pick, Strategy};

/// Left (positive, Black in Go) or Right (negative, White).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// Maximises the score.
    Left,
    /// Minimises it.
    Right,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}
