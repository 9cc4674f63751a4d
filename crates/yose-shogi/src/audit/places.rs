//! Where the children of a slice stand: in which slice, which layout, and in what order of like
//! pieces.

use super::maps::Maps;
use crate::index::{Index, MAX_PIECES, Slice, slice_square};
use crate::position::{Piece, Side};
use crate::rules::Rules;
use crate::square::{MAX_SQUARES, Square, SquareSet, squares};
use crate::variant::Goal;

/// Where the children of a move stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Number of the child slice in [`Places::children`].
    pub(super) child: usize,
    /// The first slot of the layout within the slice.
    pub(super) start: usize,
    /// Number of the exchange of fields in [`Maps`]; 0 is none.
    pub(super) map: usize,
}

/// What a move of our king to a square leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KingMove {
    /// Positions of this child slice.
    Stored(usize),
    /// No square that a king goes to.
    Unreached,
    /// The other side takes the king.
    Taken,
    /// The far rank, where a Try ends the game.
    FarRank,
}

/// A slice that children stand in.
#[derive(Debug)]
struct Child {
    number: usize,
    /// By square in the parent's view: its number among the squares that the child's kings leave free.
    free: [u8; MAX_SQUARES],
}

/// The slices that the children of one slice stand in.
#[derive(Debug)]
pub(super) struct Places<'a> {
    index: &'a Index,
    slice: Slice,
    children: Vec<Child>,
    king_moves: [KingMove; MAX_SQUARES],
}

/// Stands for our king where a slot is expected.
pub(super) const KING: usize = MAX_PIECES;

impl<'a> Places<'a> {
    pub(super) fn new(rules: &Rules, index: &'a Index, slice: Slice) -> Places<'a> {
        let mut places = Places {
            index,
            slice,
            children: Vec::new(),
            king_moves: [KingMove::Unreached; MAX_SQUARES],
        };
        // Moves of other pieces lead to the turned slice. It is stored: the kings touch in both or
        // in neither.
        places.add_child(slice.own);
        let tries = rules.variant().goal == Goal::TakeKingOrTry;
        for to in squares(places.king_reach(rules)) {
            places.king_moves[to.index()] = if tries && index.board().top_row() & to.bit() != 0 {
                KingMove::FarRank
            } else {
                places
                    .add_child(to)
                    .map_or(KingMove::Taken, KingMove::Stored)
            };
        }
        places
    }

    /// What a move of our king to this square leads to.
    pub(super) fn king_move(&self, to: Square) -> KingMove {
        self.king_moves[to.index()]
    }

    /// The numbers of the slices that children may stand in, the turned slice first. A slice may
    /// come more than once.
    pub(super) fn children(&self) -> impl Iterator<Item = usize> + '_ {
        self.children.iter().map(|child| child.number)
    }

    /// Notes the slice in which positions stand, seen by the other side, when our king is on `own`;
    /// `None` if no table stores it because the kings touch.
    fn add_child(&mut self, own: Square) -> Option<usize> {
        let board = self.index.board();
        let slices = self.index.slices();
        let moved = Slice {
            own,
            other: self.slice.other,
        };
        let at = slices.find(moved.turned(board))?;
        if at.slice >= slices.stored() {
            return None;
        }
        let child = slices.get(at.slice);
        let mut free = [u8::MAX; MAX_SQUARES];
        for square in squares(board.all() & !own.bit() & !self.slice.other.bit()) {
            let turned = board.turned(square);
            let seen = if at.mirrored {
                board.mirrored(turned)
            } else {
                turned
            };
            free[square.index()] = slice_square(child, seen);
        }
        self.children.push(Child {
            number: at.slice,
            free,
        });
        Some(self.children.len() - 1)
    }

    /// The squares that our king may reach in some position of the slice: other pieces only shorten
    /// its slides, or are jumped over one at a time.
    fn king_reach(&self, rules: &Rules) -> SquareSet {
        let (own, other) = (self.slice.own, self.slice.other);
        let king = Piece::king(Side::Black);
        let rest = self.index.board().all() & !own.bit() & !other.bit();
        let reach = |over| rules.targets(king, own, own.bit() | over, other.bit());
        let all = squares(rest).fold(reach(0), |set, over| set | reach(over.bit()));
        all & rest
    }

    /// Where the children stand after the piece in `slot` went to a square and took what was there.
    /// `at` are the squares of the pieces before the move, `None` in hand.
    pub(super) fn block(
        &self,
        child: usize,
        slot: usize,
        to: Square,
        captured: Option<usize>,
        at: &[Option<Square>; MAX_PIECES],
        maps: &mut Maps,
    ) -> Block {
        let layouts = self.index.layouts();
        let free_squares = &self.children[child].free;
        let mut layout = [layouts.free(); MAX_PIECES];
        let mut map = [0u8; MAX_PIECES];
        for (i, place) in map.iter_mut().enumerate().skip(self.index.lanes().pieces()) {
            *place = i as u8;
        }
        for group in layouts.groups() {
            let start = group.slots().start;
            // The order of the child: on the board by square; in hand the other way round, since
            // what was theirs is named first then; what has just been captured comes last.
            let mut order = [(0u8, 0usize); MAX_PIECES];
            let mut len = 0;
            for s in group.slots() {
                let square = if s == slot { Some(to) } else { at[s] };
                let Some(square) = square.filter(|_| Some(s) != captured) else {
                    continue;
                };
                let free = free_squares[square.index()];
                let mut i = len;
                while i > 0 && order[i - 1].0 > free {
                    order[i] = order[i - 1];
                    i -= 1;
                }
                order[i] = (free, s);
                len += 1;
            }
            for s in group.slots().rev() {
                if at[s].is_none() && s != slot {
                    order[len] = (layouts.free(), s);
                    len += 1;
                }
            }
            if let Some(s) = captured.filter(|s| group.slots().contains(s)) {
                order[len] = (layouts.free(), s);
                len += 1;
            }
            for (i, &(free, s)) in order[..len].iter().enumerate() {
                layout[start + i] = free;
                map[s] = (start + i) as u8;
            }
        }
        let width = self.index.lanes().width();
        Block {
            child,
            start: layouts.rank(&layout) as usize * width,
            map: maps.number(self.index, map),
        }
    }
}
