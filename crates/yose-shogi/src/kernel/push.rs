//! From children to parents.

use super::KING;
use super::block::{Block, Ops};
use super::geometry::{Faces, KingHop};
use super::locate::{Mover, Placed};
use super::tables::{Swaps, Tables};
use crate::index::{Layout, MAX_PIECES};

/// Takes the parents of a block.
pub(super) trait Sink<const N: usize> {
    /// A parent's layout and lanes, of which there is at least one.
    fn add(&mut self, number: u32, lanes: &Block<N>);
}

/// Which parents are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pinned {
    /// Those whose pinned pieces stand where they stand in the child: all parents, if none is pinned.
    Stay,
    /// The others.
    Move,
}

impl Pinned {
    pub(super) fn stay_if(they_stay: bool) -> Pinned {
        if they_stay {
            Pinned::Stay
        } else {
            Pinned::Move
        }
    }
}

/// The first piece of a group in hand, which a move to a given square may have captured.
#[derive(Debug, Clone, Copy, Default)]
struct Hand {
    group: usize,
    slot: usize,
    /// Whether the piece that has moved is of the same group.
    same: bool,
    /// The slot it had on the board, not counting the piece that has moved.
    taken: usize,
    /// What the radix number gains when it is put back, if that does not depend on the move.
    change: Option<u32>,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// Finds the parents of a block from which one of our pieces other than the king has moved,
    /// and gives `sink` their layouts and lanes. The lanes have to be cut to legal ones.
    #[inline(always)]
    pub(super) fn push(
        &self,
        slice: usize,
        placed: &Placed,
        lanes: &Block<N>,
        pinned: Pinned,
        sink: &mut impl Sink<N>,
    ) {
        let moves = &self.moves[slice];
        // The first piece in hand of each kind may be what the move has captured.
        let mut hands = [Hand::default(); MAX_PIECES];
        let mut in_hand = 0;
        let mut pinned_in_hand = 0;
        let captured = match pinned {
            Pinned::Stay => self.pinned..self.groups,
            Pinned::Move => 0..self.groups,
        };
        for group in captured {
            if let Some(hand) = self.hand_slot(placed, group)
                && O::meets(lanes, self.ours(hand, 1))
            {
                hands[in_hand] = Hand {
                    group,
                    slot: hand,
                    ..Hand::default()
                };
                in_hand += 1;
                pinned_in_hand += usize::from(group < self.pinned);
            }
        }
        let hands = &mut hands[..in_hand];
        for slot in 0..self.pieces {
            let at = placed.squares[slot];
            if at >= self.free {
                continue;
            }
            // Of a piece that is not pinned, only captures of pinned ones move any.
            let (quiet, hands) = match (pinned, self.is_pinned(slot)) {
                (Pinned::Stay, true) => continue,
                (Pinned::Move, false) if pinned_in_hand == 0 => continue,
                (Pinned::Move, false) => (false, &mut hands[..pinned_in_hand]),
                _ => (true, &mut hands[..]),
            };
            let ours = O::and(lanes, self.ours(slot, 3));
            if O::is_empty(&ours) {
                continue;
            }
            let mover = self.locator.mover::<LIKE>(placed, slot);
            if quiet && self.drops && self.drop_targets(moves) >> at & 1 == 1 {
                let hand = self.first_hand_slot(placed, slot) - 1;
                let mut parent = ours;
                self.rotate(&mut parent, slot, hand);
                let parent = O::and(&self.undropped(&parent, hand), self.ours(hand, 1));
                if !O::is_empty(&parent) {
                    sink.add(mover.number(self.free), &parent);
                }
            }
            for hand in &mut *hands {
                let same = usize::from(self.locator.group[slot]) == hand.group;
                hand.same = same;
                hand.taken = hand.slot;
                hand.change = None;
                if LIKE {
                    let below = self.below(placed, hand.group, at, same.then_some(slot));
                    hand.taken = usize::from(self.locator.first[hand.group] + below);
                }
                if !same && self.locator.has_table() {
                    hand.change = Some(self.locator.change::<LIKE>(placed, hand.slot, at));
                }
            }
            for steps in moves.back.steps(self.kind[slot], at) {
                let mut origins = steps.targets & !placed.occupied;
                while origins != 0 {
                    let (before, from) = self.landing(placed, slot, &mut origins);
                    let mut moved = ours;
                    self.rotate(&mut moved, slot, before);
                    let before = (before, steps.faces, steps.promotes);
                    self.push_from(
                        placed,
                        &mover,
                        (slot, at),
                        before,
                        from,
                        &moved,
                        (quiet, hands),
                        sink,
                    );
                }
            }
            for hop in moves.back.rest(self.kind[slot], at) {
                if !hop.is_open(placed.occupied) {
                    continue;
                }
                let mut moved = O::and(&ours, self.ours(self.over(placed, hop).into(), 3));
                let mut from = 1 << hop.to;
                let (before, from) = self.landing(placed, slot, &mut from);
                self.rotate(&mut moved, slot, before);
                let before = (before, hop.faces, hop.promotes);
                self.push_from(
                    placed,
                    &mover,
                    (slot, at),
                    before,
                    from,
                    &moved,
                    (quiet, hands),
                    sink,
                );
            }
        }
    }

    /// The parents from which a piece that was in slot `before` with one of `faces` has moved from
    /// any of the squares in `origins`, in the lanes `moved`: quietly, if that is asked for, and capturing one
    /// of those in hand.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "one step of a loop, cut out")]
    fn push_from(
        &self,
        placed: &Placed,
        mover: &Mover<'_, LIKE>,
        (slot, at): (usize, u8),
        (before, faces, promotes): (usize, Faces, bool),
        origins: u32,
        moved: &Block<N>,
        (quiet, hands): (bool, &[Hand]),
        sink: &mut impl Sink<N>,
    ) {
        let parent = self.arrived(moved, before, promotes, false);
        let parent = O::and(&parent, self.ours(before, faces));
        if quiet && !O::is_empty(&parent) {
            let mut origins = origins;
            while origins != 0 {
                let from = origins.trailing_zeros() as u8;
                origins &= origins - 1;
                sink.add(mover.number(from), &parent);
            }
        }
        if hands.is_empty() {
            return;
        }
        let flipped = self.arrived(moved, before, promotes, true);
        let flipped = O::and(&flipped, self.ours(before, faces));
        for hand in hands {
            let mut parent = O::and(&flipped, self.ours(hand.slot, 1));
            if O::is_empty(&parent) {
                continue;
            }
            // All origins are on one side of the square if like pieces are concerned.
            let under = LIKE && hand.same && origins.trailing_zeros() < u32::from(at);
            let taken = hand.taken + usize::from(under);
            self.rotate(&mut parent, hand.slot, taken);
            let parent = self.uncaptured(&parent, taken);
            let mut origins = origins;
            while origins != 0 {
                let from = origins.trailing_zeros() as u8;
                origins &= origins - 1;
                let number = match hand.change {
                    Some(change) => mover.number_with(from, change).unwrap_or_default(),
                    // A piece of the kind that has moved, whose place depends on the move.
                    None => {
                        let moved = ((slot, from), (hand.slot, at));
                        self.locator.moved_two::<LIKE>(placed, moved.0, moved.1)
                    }
                };
                sink.add(number, &parent);
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
        pinned: Pinned,
        sink: &mut impl Sink<N>,
    ) {
        let quiet = pinned == Pinned::Stay;
        let captured = match pinned {
            Pinned::Stay => self.pinned..self.groups,
            Pinned::Move => 0..self.pinned,
        };
        let mut before = [self.free; MAX_PIECES];
        let mut reached = true;
        for slot in 0..self.pieces {
            before[slot] = king.back[usize::from(squares[slot])];
            // The square that the king has left is empty in the child.
            reached &= before[slot] != KING;
        }
        if !reached {
            return;
        }
        if !LIKE && king.hop.is_free() {
            // The usual step: no need to take the layout apart.
            let pieces = || before[..self.pieces].iter().copied().enumerate();
            let sum: u32 = pieces()
                .map(|(slot, square)| self.locator.worth(slot, square))
                .sum();
            if quiet {
                sink.add(self.locator.numbered(sum), lanes);
            }
            for (slot, square) in pieces() {
                if square == self.free && captured.contains(&slot) {
                    let parent = O::and(lanes, self.ours(slot, 1));
                    if O::is_empty(&parent) {
                        continue;
                    }
                    let parent = self.uncaptured(&parent, slot);
                    let there = self.locator.worth(slot, king.hop.to);
                    let sum = sum - self.locator.worth(slot, square) + there;
                    sink.add(self.locator.numbered(sum), &parent);
                }
            }
            return;
        }
        let mut lanes = *lanes;
        if LIKE && king.mirrored {
            let mut swaps = Swaps::default();
            self.sort(&mut before, &mut swaps);
            for slot in swaps.iter() {
                lanes = self.swapped(&lanes, slot.into());
            }
        }
        let placed = self.locator.placed_at::<LIKE>(&before);
        let Some(lanes) = self.on_the_way(&placed, &king.hop, &lanes, &self.ours) else {
            return;
        };
        if O::is_empty(&lanes) {
            return;
        }
        if quiet {
            sink.add(self.locator.same(&placed), &lanes);
        }
        for group in captured {
            let Some(hand) = self.hand_slot(&placed, group) else {
                continue;
            };
            let mut parent = O::and(&lanes, self.ours(hand, 1));
            if O::is_empty(&parent) {
                continue;
            }
            let mut taken = hand;
            if LIKE {
                let below = self.below(&placed, group, king.hop.to, None);
                taken = usize::from(self.locator.first[group] + below);
                self.rotate(&mut parent, hand, taken);
            }
            let parent = self.uncaptured(&parent, taken);
            sink.add(
                self.locator.moved::<LIKE>(&placed, hand, king.hop.to),
                &parent,
            );
        }
    }
}
