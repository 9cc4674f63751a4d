//! From children to parents.

use super::block::{Block, and, is_empty};
use super::geometry::KingHop;
use super::locate::Placed;
use super::tables::{Swaps, Tables};
use crate::index::{Layout, MAX_PIECES};

/// Takes the parents of a block.
pub(super) trait Sink<const N: usize> {
    /// A parent's layout and lanes.
    fn add(&mut self, number: u32, lanes: &Block<N>);
}

impl<const N: usize, const LIKE: bool> Tables<N, LIKE> {
    /// Finds the parents of a block from which one of our pieces other than the king has moved,
    /// and gives `sink` their layouts and lanes. The lanes have to be cut to legal ones.
    #[inline(always)]
    pub(super) fn push(
        &self,
        slice: usize,
        placed: &Placed,
        lanes: &Block<N>,
        sink: &mut impl Sink<N>,
    ) {
        let moves = &self.moves[slice];
        for slot in 0..self.pieces {
            let at = placed.squares[slot];
            if at >= self.free {
                continue;
            }
            let ours = and(lanes, &self.ours[slot][3]);
            if is_empty(&ours) {
                continue;
            }
            if self.drops && self.drop_targets(moves) >> at & 1 == 1 {
                let hand = self.first_hand_slot(placed, slot) - 1;
                let mut parent = ours;
                self.rotate(&mut parent, slot, hand);
                let parent = and(&self.undropped(&parent, hand), &self.ours[hand][1]);
                if !is_empty(&parent) {
                    sink.add(self.locator.moved::<LIKE>(placed, slot, self.free), &parent);
                }
            }
            for hop in moves.back.of(self.kind[slot], at) {
                if placed.occupied >> hop.to & 1 == 1 {
                    continue;
                }
                let Some(ours) = self.passable(placed, hop, ours) else {
                    continue;
                };
                let from = hop.to;
                let before = self.board_slot(placed, slot, from);
                let mut moved = ours;
                self.rotate(&mut moved, slot, before);
                let parent = self.arrived(&moved, before, hop.promotes, false);
                let parent = and(&parent, &self.ours[before][usize::from(hop.faces)]);
                if !is_empty(&parent) {
                    sink.add(self.locator.moved::<LIKE>(placed, slot, from), &parent);
                }
                // The same move may have captured a piece that is now in our hand.
                let flipped = self.arrived(&moved, before, hop.promotes, true);
                let flipped = and(&flipped, &self.ours[before][usize::from(hop.faces)]);
                if is_empty(&flipped) {
                    continue;
                }
                for group in 0..self.groups {
                    let Some(hand) = self.hand_slot(placed, group) else {
                        continue;
                    };
                    let mut parent = and(&flipped, &self.ours[hand][1]);
                    if is_empty(&parent) {
                        continue;
                    }
                    let mut taken = hand;
                    if LIKE && self.locator.count[group] > 1 {
                        let same = usize::from(self.locator.group[slot]) == group;
                        let others = self.below(placed, group, at, same.then_some(slot));
                        taken = usize::from(self.locator.first[group] + others)
                            + usize::from(same && from < at);
                        self.rotate(&mut parent, hand, taken);
                    }
                    let parent = self.uncaptured(&parent, taken);
                    sink.add(
                        self.locator
                            .moved_two::<LIKE>(placed, (slot, from), (hand, at)),
                        &parent,
                    );
                }
            }
        }
    }

    /// Finds the parents in `slice` of a block of the slice `king.child` from which our king has
    /// made this move.
    #[inline(always)]
    pub(super) fn push_king(
        &self,
        king: &KingHop,
        squares: &Layout,
        lanes: &Block<N>,
        sink: &mut impl Sink<N>,
    ) {
        // The square that the king has left is empty in the child.
        if squares[..self.pieces].contains(&king.left) {
            return;
        }
        let mut before = [self.free; MAX_PIECES];
        for slot in 0..self.pieces {
            before[slot] = king.back[usize::from(squares[slot])];
        }
        let mut lanes = *lanes;
        if LIKE {
            let mut swaps = Swaps::default();
            self.sort(&mut before, &mut swaps);
            for slot in swaps.iter() {
                lanes = self.swapped(&lanes, slot.into());
            }
        }
        let placed = self.locator.placed_at::<LIKE>(&before);
        let Some(lanes) = self.passable(&placed, &king.hop, lanes) else {
            return;
        };
        sink.add(self.locator.same(&placed), &lanes);
        for group in 0..self.groups {
            let Some(hand) = self.hand_slot(&placed, group) else {
                continue;
            };
            let mut parent = and(&lanes, &self.ours[hand][1]);
            if is_empty(&parent) {
                continue;
            }
            let taken = if LIKE {
                let below = self.below(&placed, group, king.hop.to, None);
                usize::from(self.locator.first[group] + below)
            } else {
                hand
            };
            self.rotate(&mut parent, hand, taken);
            let parent = self.uncaptured(&parent, taken);
            sink.add(
                self.locator.moved::<LIKE>(&placed, hand, king.hop.to),
                &parent,
            );
        }
    }
}
