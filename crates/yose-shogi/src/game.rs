//! One inventory of a variant as a game that can be solved.

use yose_retro::{Game, Successor, Value};

use crate::index::{Index, IndexError};
use crate::inventory::Inventory;
use crate::moves::{After, Move};
use crate::position::{Position, Side};
use crate::rules::Rules;
use crate::variant::{Goal, Variant};

/// A variant played with a given inventory: its rules and the dense index of its positions.
///
/// In a variant with a Try the domain leaves out touching kings and kings on their far rank, and
/// [`by_rule`](Self::by_rule) answers for them.
///
/// ```
/// use yose_retro::{Game, Value};
/// use yose_shogi::{DropShogi, Inventory, Variant};
///
/// let game = DropShogi::new(Variant::built_in("shogi4").unwrap(), Inventory::kings_alone()).unwrap();
/// //  . . . k
/// //  . . . .
/// //  . K . .
/// //  . . . .
/// let position = game.variant().parse_sfen("3k/4/1K2/4 b -").unwrap();
/// assert!(game.rank(&position).is_some());
/// assert_eq!(game.weight(&position), 4);
/// ```
#[derive(Debug, Clone)]
pub struct DropShogi {
    rules: Rules,
    inventory: Inventory,
    index: Index,
}

impl DropShogi {
    /// The game of a variant with these pieces.
    ///
    /// # Errors
    /// If there is no index for so many pieces.
    pub fn new(variant: Variant, inventory: Inventory) -> Result<DropShogi, IndexError> {
        let index = Index::new(&variant, &inventory)?;
        Ok(DropShogi {
            rules: Rules::new(variant),
            inventory,
            index,
        })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        self.rules.variant()
    }

    /// The rules of the variant.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The pieces, the kings apart.
    #[must_use]
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// The index of the positions.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The value of a position that is decided by looking at it, in the view of the side to move:
    /// the king can be taken, or the other side's Try has succeeded. `None` says nothing about
    /// the position.
    ///
    /// ```
    /// use yose_retro::Value;
    /// use yose_shogi::{DropShogi, Inventory, Variant};
    ///
    /// let game = DropShogi::new(Variant::built_in("dobutsu").unwrap(), Inventory::kings_alone()).unwrap();
    /// let value = |sfen| game.by_rule(&game.variant().parse_sfen(sfen).unwrap());
    /// assert_eq!(value("3/l2/L2/3 b -"), Some(Value::Win(1)));
    /// assert_eq!(value("3/2L/3/l2 b -"), Some(Value::Loss(0)));
    /// assert_eq!(value("3/3/1L1/l2 b -"), Some(Value::Win(1)));
    /// assert_eq!(value("1l1/3/1L1/3 b -"), None);
    /// ```
    #[must_use]
    pub fn by_rule(&self, position: &Position) -> Option<Value> {
        if self.rules.takes_king(position) {
            Some(Value::Win(1))
        } else if self.rules.is_over(position) {
            Some(Value::Loss(0))
        } else {
            None
        }
    }

    /// Whether a position is in the domain. If it is not, but a move of the domain leads to it, the
    /// side now to move takes the king.
    fn in_domain(&self, position: &Position) -> bool {
        if self.variant().goal == Goal::TakeKing {
            return true;
        }
        let (us, them) = (position.turn(), position.turn().other());
        let (Some(own), Some(other)) = (position.king(us), position.king(them)) else {
            return false;
        };
        let far =
            |side: Side, king: crate::Square| self.rules.far_rank[side.index()] & king.bit() != 0;
        !self.rules.kings_touch(us, own, other) && !far(us, own) && !far(them, other)
    }
}

impl Game for DropShogi {
    type Position = Position;
    type Move = Move;

    fn index_size(&self) -> u64 {
        self.index.size()
    }

    fn rank(&self, position: &Position) -> Option<u64> {
        self.index.rank(position)
    }

    fn unrank(&self, index: u64) -> Option<Position> {
        self.index.unrank(index)
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.rules.moves(position, moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Successor<Position> {
        match self.rules.play(position, mv) {
            After::KingTaken | After::Try => Successor::Decided(Value::Loss(0)),
            // A king that has stepped beside the other, or onto its far rank in reach of the other
            // side, is taken.
            After::Continues(next) if !self.in_domain(&next) && self.rules.takes_king(&next) => {
                Successor::Decided(Value::Win(1))
            }
            After::Continues(next) => Successor::Position(next),
        }
    }

    fn beyond(&self, position: &Position, mv: Move) -> Option<Position> {
        match self.rules.play(position, mv) {
            After::Continues(next) => Some(next).filter(|next| !self.in_domain(next)),
            After::KingTaken | After::Try => None,
        }
    }

    fn stuck(&self) -> Value {
        Value::Loss(2)
    }

    fn weight(&self, position: &Position) -> u64 {
        let board = self.rules.board;
        let mirrored = position.mirrored(board);
        if mirrored == *position {
            // Both sides to move.
            return 2;
        }
        // Where both kings stand on the centre file, mirror images have indices of their own; the
        // greater one is not counted.
        if self.index.rank(position) > self.index.rank(&mirrored) {
            0
        } else {
            4
        }
    }

    fn symmetries(&self, position: &Position) -> Vec<Position> {
        let board = self.rules.board;
        let turned = position.turned(board);
        vec![position.mirrored(board), turned.mirrored(board), turned]
    }

    fn predecessors(&self, position: &Position) -> Option<Vec<Position>> {
        let mut found = self.rules.predecessors(position);
        found.retain(|before| self.in_domain(before));
        Some(found)
    }
}
