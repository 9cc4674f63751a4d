//! Moves forward: making them, counting them, playing them.

use crate::moves::{After, Move};
use crate::position::{Piece, Position};
use crate::rules::Rules;
use crate::square::{Square, squares};
use crate::variant::Goal;

impl Rules {
    /// Calls `visit` with every legal move: by square of origin, then drops by kind. A finished
    /// game has none.
    pub fn for_each_move(&self, position: &Position, visit: impl FnMut(Move)) {
        if !self.is_over(position) {
            self.generate(position, visit);
        }
    }

    /// The moves of a position in which the game is known to go on.
    pub(crate) fn generate(&self, position: &Position, mut visit: impl FnMut(Move)) {
        let us = position.turn();
        let own = position.occupied(us);
        let other = position.occupied(us.other());
        for (from, piece) in self.pieces(position, us) {
            for to in squares(self.targets(piece, from, own, other)) {
                let promotes = self.promotes(piece, to);
                visit(Move::Step { from, to, promotes });
            }
        }
        let empty = self.drop_squares[us.index()] & !(own | other);
        if empty == 0 {
            return;
        }
        for (kind, number) in (0..self.variant.kinds.len()).zip(0..) {
            if position.in_hand(us, kind) == 0 {
                continue;
            }
            for promoted in [false, true] {
                if self.drops_face(kind, promoted) {
                    for to in squares(empty) {
                        visit(Move::Drop {
                            kind: number,
                            promoted,
                            to,
                        });
                    }
                }
            }
        }
    }

    /// Appends every legal move to `moves`, in the order of [`for_each_move`](Self::for_each_move).
    pub fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.for_each_move(position, |mv| moves.push(mv));
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self, position: &Position) -> u32 {
        if self.is_over(position) {
            return 0;
        }
        self.generate_count(position)
    }

    /// The number of moves of a position in which the game is known to go on.
    pub(crate) fn generate_count(&self, position: &Position) -> u32 {
        let us = position.turn();
        let own = position.occupied(us);
        let other = position.occupied(us.other());
        let mut count = 0;
        for (from, piece) in self.pieces(position, us) {
            count += self.targets(piece, from, own, other).count_ones();
        }
        let empty = (self.drop_squares[us.index()] & !(own | other)).count_ones();
        if empty > 0 {
            for kind in 0..self.variant.kinds.len() {
                if position.in_hand(us, kind) > 0 {
                    count += empty * (1 + u32::from(self.drops_face(kind, true)));
                }
            }
        }
        count
    }

    /// Whether a move is legal in a position.
    #[must_use]
    pub fn is_legal(&self, position: &Position, mv: Move) -> bool {
        let mut found = false;
        self.for_each_move(position, |legal| found |= legal == mv);
        found
    }

    /// Plays a legal move. What an illegal one leads to is not specified.
    #[must_use]
    pub fn play(&self, position: &Position, mv: Move) -> After {
        let us = position.turn();
        let mut next = *position;
        next.set_turn(us.other());
        match mv {
            Move::Step { from, to, .. } => {
                let Some(piece) = next.remove(from) else {
                    debug_assert!(false, "no piece on {from:?}");
                    return After::Continues(next);
                };
                let captured = next.remove(to);
                if let Some(captured) = captured {
                    let Some(kind) = captured.kind() else {
                        return After::KingTaken;
                    };
                    next.set_in_hand(us, kind, next.in_hand(us, kind) + 1);
                }
                next.put(to, self.arrived(piece, to, captured.is_some()));
                if self.is_safe_try(&next, piece, to) {
                    return After::Try;
                }
            }
            Move::Drop { kind, promoted, to } => {
                let kind = usize::from(kind);
                next.set_in_hand(us, kind, next.in_hand(us, kind).saturating_sub(1));
                next.put(to, Piece::new(us, kind, promoted));
            }
        }
        After::Continues(next)
    }

    /// Whether the move that has just brought `piece` to `to` ends the game as a Try.
    pub(crate) fn is_safe_try(&self, next: &Position, piece: Piece, to: Square) -> bool {
        self.variant.goal == Goal::TakeKingOrTry
            && piece.kind().is_none()
            && self.far_rank[piece.side().index()] & to.bit() != 0
            && !self.attacks(next, piece.side().other(), to)
    }
}
