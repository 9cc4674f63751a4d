//! From parents to children: which lanes of a block have no move but to positions that are won for
//! the other side.
//!
//! The moves of the king come first: they are open to all lanes, and most candidates escape by one.
//! Moves of a piece that do the same to the lanes (quiet steps of a face, drops) are taken together:
//! a lane escapes if any of the children is not won, so the children are met and the lanes carried
//! back once.

use super::KING;
use super::block::{Block, Ops};
use super::geometry::SliceMoves;
use super::locate::{Mover, Placed};
use super::parts::Shelf;
use super::tables::{Swaps, Tables};
use crate::index::MAX_PIECES;

/// A move of the king.
#[derive(Debug, Clone, Copy)]
pub(super) struct KingLook {
    pub(super) slice: u32,
    pub(super) layout: u32,
    pub(super) over: u8,
    /// The slot of the piece that is taken, or [`KING`], and the slot it has in hand.
    pub(super) taken: u8,
    pub(super) hand: u8,
    pub(super) swaps: Swaps,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// The lanes of `open` from which no move leads to a position that is not in `won`: they are
    /// lost. `won` are the won lanes of each slice's positions, in our view, as far as moves to them are
    /// to be looked at; `king` are
    /// the moves of the king that [`Self::list_king`] finds for these lanes.
    #[inline(always)]
    pub(super) fn pull(
        &self,
        slice: usize,
        placed: &Placed,
        open: &Block<N>,
        won: &[Shelf<'_, N>],
        king: &[KingLook],
    ) -> Block<N> {
        let moves = &self.moves[slice];
        let mut open = self.look_king(open, won, king);
        let Some(children) = won.get(moves.turned) else {
            return open;
        };
        if children.is_empty() || O::is_empty(&open) {
            return open;
        }
        for slot in 0..self.pieces {
            if placed.squares[slot] >= self.free {
                continue;
            }
            self.look_piece(moves, placed, slot, &mut open, children);
            if O::is_empty(&open) {
                return open;
            }
        }
        if self.drops {
            for group in 0..self.groups {
                self.look_drops(moves, placed, group, &mut open, children);
            }
        }
        open
    }

    /// Takes away the lanes that a move of one piece saves.
    #[inline(always)]
    fn look_piece(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        slot: usize,
        open: &mut Block<N>,
        children: &Shelf<'_, N>,
    ) {
        if !O::meets(open, self.ours(slot, 3)) {
            return;
        }
        let from = placed.squares[slot];
        let mover = self.locator.mover::<LIKE>(placed, slot);
        for steps in moves.hops.steps(self.kind[slot], from) {
            let lanes = O::and(open, self.ours(slot, steps.faces));
            if O::is_empty(&lanes) {
                continue;
            }
            let mut quiet = steps.targets & !placed.occupied;
            while quiet != 0 {
                let (landed, targets) = self.landing(placed, slot, &mut quiet);
                let mut safe = O::not(&self.all_won(&mover, targets, children));
                self.rotate(&mut safe, landed, slot);
                let safe = self.arrived(&safe, slot, steps.promotes, false);
                *open = O::and_not(open, &O::and(&safe, &lanes));
            }
            let mut captures = steps.targets & placed.occupied;
            while captures != 0 {
                let to = captures.trailing_zeros() as u8;
                captures &= captures - 1;
                let promotes = steps.promotes;
                self.look_capture(placed, &mover, (slot, to), promotes, &lanes, open, children);
            }
        }
        for hop in moves.hops.rest(self.kind[slot], from) {
            if !hop.is_open(placed.occupied) {
                continue;
            }
            let lanes = O::and(open, self.ours(slot, hop.faces));
            let lanes = O::and(&lanes, self.ours(self.over(placed, hop).into(), 3));
            if O::is_empty(&lanes) {
                continue;
            }
            let to = hop.to;
            if placed.at(to) < MAX_PIECES {
                let promotes = hop.promotes;
                self.look_capture(placed, &mover, (slot, to), promotes, &lanes, open, children);
                continue;
            }
            let mut safe = O::not(children.get(mover.number(to)));
            self.rotate(&mut safe, self.board_slot(placed, slot, to), slot);
            let safe = self.arrived(&safe, slot, hop.promotes, false);
            *open = O::and_not(open, &O::and(&safe, &lanes));
        }
    }

    /// Takes away the lanes that a capture saves.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "one step of a loop, cut out")]
    fn look_capture(
        &self,
        placed: &Placed,
        mover: &Mover<'_, LIKE>,
        (slot, to): (usize, u8),
        promotes: bool,
        lanes: &Block<N>,
        open: &mut Block<N>,
        children: &Shelf<'_, N>,
    ) {
        let taken = placed.at(to);
        let lanes = O::and(lanes, &self.theirs[taken][3]);
        if O::is_empty(&lanes) {
            return;
        }
        let same = LIKE && self.locator.group[slot] == self.locator.group[taken];
        let number = if same || !self.locator.has_table() {
            let (moved, gone) = ((slot, to), (taken, self.free));
            self.locator.moved_two::<LIKE>(placed, moved, gone)
        } else {
            let change = self.locator.change::<LIKE>(placed, taken, self.free);
            mover.number_with(to, change).unwrap_or_default()
        };
        let mut safe = O::not(children.get(number));
        if LIKE {
            let landed = self.board_slot(placed, slot, to);
            let before = slot - usize::from(same && slot > taken);
            self.rotate(&mut safe, landed, before);
            self.rotate(&mut safe, self.first_hand_slot(placed, taken) - 1, taken);
        }
        let safe = self.uncaptured(&self.arrived(&safe, slot, promotes, true), taken);
        *open = O::and_not(open, &O::and(&safe, &lanes));
    }

    /// Takes away the lanes that the drop of a piece saves.
    #[inline(always)]
    fn look_drops(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        group: usize,
        open: &mut Block<N>,
        children: &Shelf<'_, N>,
    ) {
        /// The first drops save most lanes.
        const AT_ONCE: u32 = 4;
        let Some(slot) = self.hand_slot(placed, group) else {
            return;
        };
        let mover = self.locator.mover::<LIKE>(placed, slot);
        let mut targets = self.drop_targets(moves) & !placed.occupied;
        while targets != 0 {
            let lanes = O::and(open, self.ours(slot, 1));
            if O::is_empty(&lanes) {
                return;
            }
            let (landed, mut lot) = self.landing(placed, slot, &mut targets);
            let mut later = lot;
            for _ in 0..AT_ONCE {
                later &= later.wrapping_sub(1);
            }
            lot ^= later;
            targets |= later;
            let mut safe = O::not(&self.all_won(&mover, lot, children));
            self.rotate(&mut safe, landed, slot);
            let safe = self.undropped(&safe, slot);
            *open = O::and_not(open, &O::and(&safe, &lanes));
        }
    }

    /// The lanes that are won whichever of the squares the piece goes to.
    #[inline(always)]
    fn all_won(
        &self,
        mover: &Mover<'_, LIKE>,
        mut targets: u32,
        children: &Shelf<'_, N>,
    ) -> Block<N> {
        let mut all = [u64::MAX; N];
        while targets != 0 {
            let to = targets.trailing_zeros() as u8;
            targets &= targets - 1;
            all = O::and(&all, children.get(mover.number(to)));
        }
        all
    }

    /// The lanes of `open` that no move of the king saves.
    #[inline(always)]
    fn look_king(&self, open: &Block<N>, won: &[Shelf<'_, N>], king: &[KingLook]) -> Block<N> {
        let mut open = *open;
        for look in king {
            let mut lanes = O::and(&open, self.ours(look.over.into(), 3));
            let mut safe = O::not(won[look.slice as usize].get(look.layout));
            if LIKE {
                for slot in look.swaps.iter().rev() {
                    safe = self.swapped(&safe, slot.into());
                }
            }
            if look.taken != KING {
                let taken = usize::from(look.taken);
                lanes = O::and(&lanes, &self.theirs[taken][3]);
                self.rotate(&mut safe, look.hand.into(), taken);
                safe = self.uncaptured(&safe, taken);
            }
            open = O::and_not(&open, &O::and(&safe, &lanes));
            if O::is_empty(&open) {
                return open;
            }
        }
        open
    }

    /// Lists the moves of the king, if `won` is given only those into slices whose lanes are there.
    #[inline(always)]
    pub(super) fn list_king(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        want: &Block<N>,
        won: Option<&[Shelf<'_, N>]>,
        looks: &mut Vec<KingLook>,
    ) {
        looks.clear();
        for king in &moves.king_hops {
            let hop = &king.hop;
            if won.is_some_and(|won| won[king.child].is_empty()) || !hop.is_open(placed.occupied) {
                continue;
            }
            let mut squares = placed.squares;
            let (mut taken, mut hand) = (KING, 0);
            if let Some(slot) = self.slot_on(placed, hop.to) {
                if !O::meets(want, &self.theirs[slot][3]) {
                    continue;
                }
                taken = slot as u8;
                hand = self.first_hand_slot(placed, slot) as u8 - 1;
                let hand = usize::from(hand);
                squares.copy_within(slot + 1..hand + 1, slot);
                squares[hand] = self.free;
            }
            for square in &mut squares[..self.pieces] {
                *square = king.squares[usize::from(*square)];
            }
            let mut swaps = Swaps::default();
            if king.mirrored {
                self.sort(&mut squares, &mut swaps);
            }
            let layout = self.locator.number::<LIKE>(squares);
            looks.push(KingLook {
                slice: king.child as u32,
                layout,
                over: self.over(placed, hop),
                taken,
                hand,
                swaps,
            });
        }
    }
}
