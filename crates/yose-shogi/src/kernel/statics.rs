//! What a block shows without looking at any other: its legal lanes and its wins in one.

use super::block::{Block, Ops};
use super::geometry::{Hop, Try};
use super::locate::Placed;
use super::tables::Tables;

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// The lanes that stand for a position: see [`Index`](crate::Index) for the holes.
    pub(super) fn legal(&self, slice: usize, placed: &Placed) -> Block<N> {
        let moves = &self.moves[slice];
        let mut legal = self.all;
        for slot in 0..self.pieces {
            let square = placed.squares[slot];
            let promoted = self.ours[slot][2].iter().zip(&self.theirs[slot][2]);
            let promoted: Vec<u64> = promoted.map(|(a, b)| a | b).collect();
            if square >= self.free {
                // In hand: no face, and ours before theirs.
                for (word, promoted) in legal.iter_mut().zip(&promoted) {
                    *word &= !promoted;
                }
                if slot + 1 < self.pieces
                    && self.locator.group[slot] == self.locator.group[slot + 1]
                {
                    let wrong = O::and(&self.theirs[slot][3], &self.ours[slot + 1][3]);
                    legal = O::and_not(&legal, &wrong);
                }
            } else if self.field[slot].two_faced()
                && !self.base_on_far_rank[usize::from(self.kind[slot])]
            {
                if moves.far_rank >> square & 1 == 1 {
                    legal = O::and_not(&legal, &self.ours[slot][1]);
                }
                if moves.their_far_rank >> square & 1 == 1 {
                    legal = O::and_not(&legal, &self.theirs[slot][1]);
                }
            }
        }
        legal
    }

    /// The lanes in which we can take their king now, or end the game by a Try.
    pub(super) fn wins_in_one(&self, slice: usize, placed: &Placed) -> Block<N> {
        let moves = &self.moves[slice];
        let mut wins = [0; N];
        for slot in 0..self.pieces {
            let from = placed.squares[slot];
            if from >= self.free {
                continue;
            }
            for hop in moves.takes.of(self.kind[slot], from) {
                let lanes = self.ours(slot, hop.faces);
                if let Some(lanes) = self.on_the_way(placed, hop, lanes, &self.ours) {
                    O::or_into(&mut wins, &lanes);
                }
            }
        }
        for hop in &moves.king_takes {
            if let Some(lanes) = self.on_the_way(placed, hop, &[u64::MAX; N], &self.ours) {
                O::or_into(&mut wins, &lanes);
            }
        }
        for a_try in &moves.tries {
            O::or_into(&mut wins, &self.safe_try(placed, a_try));
        }
        wins
    }

    /// The lanes in which our king can go to the square of the try and is not attacked there.
    fn safe_try(&self, placed: &Placed, a_try: &Try) -> Block<N> {
        let none = [0; N];
        if a_try.hopeless {
            return none;
        }
        let all = [u64::MAX; N];
        let Some(mut lanes) = self.on_the_way(placed, &a_try.hop, &all, &self.ours) else {
            return none;
        };
        let taken = self.slot_on(placed, a_try.hop.to);
        if let Some(taken) = taken {
            lanes = O::and(&lanes, &self.theirs[taken][3]);
        }
        let mut attacked = none;
        let mut attack = |hop: &Hop, lanes: &Block<N>| {
            if let Some(lanes) = self.on_the_way(placed, hop, lanes, &self.theirs) {
                O::or_into(&mut attacked, &lanes);
            }
        };
        for slot in (0..self.pieces).filter(|&slot| Some(slot) != taken) {
            let from = placed.squares[slot];
            if from < self.free {
                for hop in a_try.attacks.of(self.kind[slot], from) {
                    attack(hop, &self.theirs[slot][usize::from(hop.faces)]);
                }
            }
        }
        for hop in &a_try.king_attacks {
            attack(hop, &[u64::MAX; N]);
        }
        O::and(&lanes, &O::not(&attacked))
    }
}
