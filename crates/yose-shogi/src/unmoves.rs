//! Moves backward: the positions that one move ago could have been on the board.

use crate::position::{Piece, Position};
use crate::rules::Rules;
use crate::square::{Square, squares};
use crate::variant::Captured;

impl Rules {
    /// All legal positions, the other side to move, with a legal move after which the game goes on
    /// from `position`: the exact reverse of [`moves`](Self::moves) and [`play`](Self::play), each
    /// position once.
    ///
    /// Legal means that no piece stands where it cannot have come, as for
    /// [`parse_sfen`](crate::Variant::parse_sfen).
    #[must_use]
    pub fn predecessors(&self, position: &Position) -> Vec<Position> {
        let mut found = Vec::new();
        let mover = position.turn().other();
        let kings = [position.king(mover), position.king(mover.other())];
        if kings.contains(&None) {
            return found;
        }
        for (to, piece) in self.pieces(position, mover) {
            self.un_step(position, to, piece, &mut found);
            self.un_drop(position, to, piece, &mut found);
        }
        found.retain(|before| !self.is_over(before));
        found
    }

    /// Takes back every board move that could have brought `piece` to `to`.
    fn un_step(&self, position: &Position, to: Square, piece: Piece, found: &mut Vec<Position>) {
        let (mover, other) = (piece.side(), piece.side().other());
        if self.is_safe_try(position, piece, to) {
            return;
        }
        // What may have been captured: nothing, or a piece that the mover now holds.
        let mut captured = vec![None];
        for kind in 0..self.variant.kinds.len() {
            if position.in_hand(mover, kind) > 0 {
                captured.push(Some(Piece::new(other, kind, false)));
                if self.two_faced[kind] {
                    captured.push(Some(Piece::new(other, kind, true)));
                }
            }
        }
        captured.retain(|taken| taken.is_none_or(|taken| self.may_stand(taken, to)));

        let own = position.occupied(mover) & !to.bit();
        let others = position.occupied(other);
        let free = self.board.all() & !(position.occupied(mover) | others);
        for before in [piece, piece.flipped()] {
            if before != piece && !piece.kind().is_some_and(|kind| self.two_faced[kind]) {
                continue;
            }
            for from in squares(free) {
                // Whether a capture happens on `to` makes no difference to getting there.
                let reached = self.targets(before, from, own | from.bit(), others) & to.bit() != 0;
                if !reached || !self.may_stand(before, from) {
                    continue;
                }
                for &taken in &captured {
                    if self.arrived(before, to, taken.is_some()) != piece {
                        continue;
                    }
                    let mut parent = *position;
                    parent.set_turn(mover);
                    parent.remove(to);
                    parent.put(from, before);
                    if let Some((taken, kind)) = taken.and_then(|t| Some((t, t.kind()?))) {
                        parent.put(to, taken);
                        parent.set_in_hand(mover, kind, parent.in_hand(mover, kind) - 1);
                    }
                    found.push(parent);
                }
            }
        }
    }

    /// Takes back the drop that could have placed `piece` on `to`.
    fn un_drop(&self, position: &Position, to: Square, piece: Piece, found: &mut Vec<Position>) {
        let mover = piece.side();
        let Some(kind) = piece.kind() else { return };
        let dropped = self.variant.captured == Captured::Hand
            && self.drop_squares[mover.index()] & to.bit() != 0
            && self.drops_face(kind, piece.promoted());
        if dropped {
            let mut parent = *position;
            parent.set_turn(mover);
            parent.remove(to);
            parent.set_in_hand(mover, kind, parent.in_hand(mover, kind) + 1);
            found.push(parent);
        }
    }
}
