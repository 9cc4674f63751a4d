//! What a game must offer to be solved.

use std::fmt::Debug;

use crate::Value;

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor<P> {
    /// Play goes on from this position, seen by the side that is now to move.
    Position(P),
    /// The value after the move is known by rule, in the view of the side that would now be to
    /// move: `Loss(0)` says that the move ended the game in the mover's favour, `Win(1)` that the
    /// other side can end it at once.
    Decided(Value),
}

/// A finite two-player game without chance, given by its rules and a dense index of its positions.
///
/// The index numbers positions up to symmetry: `rank` folds a position onto its representative
/// first. It may have holes (`unrank` answers `None`), but every position that play can reach from
/// a position of the index is in the index or is [`Successor::Decided`].
pub trait Game: Sync {
    /// A position together with the side to move.
    type Position: Clone + PartialEq + Debug + Send;
    /// A move.
    type Move: Copy + PartialEq + Debug;

    /// One more than the greatest index.
    fn index_size(&self) -> u64;

    /// The index of a position, `None` if the position is outside the game's domain.
    fn rank(&self, position: &Self::Position) -> Option<u64>;

    /// The representative position with this index, `None` for a hole.
    fn unrank(&self, index: u64) -> Option<Self::Position>;

    /// Appends the legal moves of the side to move to `moves`. A finished game has none.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// What a legal move leads to.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Successor<Self::Position>;

    /// The position without an index to which a move [decided by rule](Successor::Decided) leads, if
    /// the game is not over in it: the side then to move has only to finish. It has
    /// [images](Self::symmetries) and a [weight](Self::weight) like any other.
    fn beyond(&self, position: &Self::Position, mv: Self::Move) -> Option<Self::Position> {
        let _ = (position, mv);
        None
    }

    /// The value of a position in which the side to move has no move.
    fn stuck(&self) -> Value;

    /// How many positions, both sides to move and no symmetry folded, this indexed position stands
    /// for; 0 if its class is counted at another index. Of the indices of a position and its
    /// [images](Self::symmetries) exactly one has a weight.
    fn weight(&self, position: &Self::Position) -> u64;

    /// The images of a position under the symmetries of the game, all of equal value. The whole
    /// orbit: an image of an image is an image too, or the position itself, which may be left out.
    fn symmetries(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// All positions of the domain that have a move to `position`, up to symmetry, if the game
    /// has un-moves: the exact reverse of [`moves`](Self::moves). May repeat a position.
    fn predecessors(&self, position: &Self::Position) -> Option<Vec<Self::Position>> {
        let _ = position;
        None
    }
}
