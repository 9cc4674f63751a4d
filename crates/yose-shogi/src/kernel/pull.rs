//! From parents to children: which lanes of a block have a move that does not lose.
//!
//! The children are listed first, by kind of move and without branches on what cannot be
//! predicted, and their cache lines are asked for while the list is made. Then they are read until
//! every lane has escaped.

use super::KING;
use super::block::{Block, and, and_not, is_empty, meets, not};
use super::geometry::SliceMoves;
use super::locate::Placed;
use super::tables::{Swaps, Tables};
use super::words::prefetch;
use crate::index::MAX_PIECES;

/// A move of one piece, in all lanes of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    /// The child's layout.
    pub(super) layout: u32,
    /// The slot of the piece that moves, the faces that can, and the slot it has in the child.
    pub(super) slot: u8,
    pub(super) faces: u8,
    pub(super) landed: u8,
    /// The slot of the piece that is jumped over, [`MAX_PIECES`] if there is none.
    pub(super) over: u8,
    /// The square it goes to.
    pub(super) to: u8,
    pub(super) promotes: bool,
}

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

/// A list that grows without a branch.
#[derive(Debug, Clone)]
pub(super) struct List {
    looks: [Look; List::MOST],
    len: usize,
}

impl List {
    /// More moves than eight pieces have on 30 free squares.
    const MOST: usize = 512;

    /// Adds a move if `is` holds.
    #[inline(always)]
    fn add_if(&mut self, look: Look, is: bool) {
        self.looks[self.len % List::MOST] = look;
        self.len += usize::from(is);
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> std::slice::Iter<'_, Look> {
        self.looks[..self.len].iter()
    }
}

impl Default for List {
    fn default() -> Self {
        List {
            looks: [Look::default(); List::MOST],
            len: 0,
        }
    }
}

/// The moves of a block, lists that are used again and again.
#[derive(Debug, Default)]
pub(super) struct Looks {
    pub(super) quiet: List,
    pub(super) promotions: List,
    pub(super) captures: List,
    pub(super) drops: List,
    pub(super) king: Vec<KingLook>,
}

impl<const N: usize, const LIKE: bool> Tables<N, LIKE> {
    /// The lanes of `want` from which no move leads to a position that is not in `won`: they are
    /// lost. `won` is asked for the won lanes of a slice's positions by layout, in our view.
    #[inline(always)]
    pub(super) fn pull<'a>(
        &self,
        slice: usize,
        placed: &Placed,
        want: &Block<N>,
        won: impl Fn(usize) -> &'a [Block<N>],
        looks: &mut Looks,
    ) -> Block<N> {
        let moves = &self.moves[slice];
        let mut open = *want;
        if moves.turned < self.moves.len() {
            let children = won(moves.turned);
            self.list_pieces(moves, placed, want, looks);
            for list in [
                &looks.quiet,
                &looks.captures,
                &looks.promotions,
                &looks.drops,
            ] {
                for look in list.iter() {
                    prefetch(&children[look.layout as usize]);
                }
            }
            open = self.look(placed, &open, children, looks);
            if is_empty(&open) {
                return open;
            }
        }
        self.list_king(moves, placed, &open, looks);
        for look in &looks.king {
            prefetch(&won(look.slice as usize)[look.layout as usize]);
        }
        self.look_king(&open, &won, looks)
    }

    /// The lanes of `open` that no move of a piece saves.
    #[inline(always)]
    fn look(
        &self,
        placed: &Placed,
        open: &Block<N>,
        children: &[Block<N>],
        looks: &Looks,
    ) -> Block<N> {
        let mut open = *open;
        let movers = |open: &Block<N>, look: &Look| {
            let lanes = and(open, self.ours(look.slot.into(), look.faces));
            and(&lanes, self.ours(look.over.into(), 3))
        };
        for look in looks.quiet.iter() {
            let lanes = movers(&open, look);
            let mut safe = not(&children[look.layout as usize]);
            self.rotate(&mut safe, look.landed.into(), look.slot.into());
            open = and_not(&open, &and(&safe, &lanes));
            if is_empty(&open) {
                return open;
            }
        }
        for look in looks.promotions.iter() {
            let lanes = movers(&open, look);
            let mut safe = not(&children[look.layout as usize]);
            self.rotate(&mut safe, look.landed.into(), look.slot.into());
            let safe = self.arrived(&safe, look.slot.into(), true, false);
            open = and_not(&open, &and(&safe, &lanes));
        }
        for look in looks.captures.iter() {
            let slot = usize::from(look.slot);
            let taken = placed.at(look.to);
            let lanes = and(&movers(&open, look), &self.theirs[taken][3]);
            if is_empty(&lanes) {
                continue;
            }
            let mut safe = not(&children[look.layout as usize]);
            if LIKE {
                let same = self.locator.group[slot] == self.locator.group[taken];
                let mover = slot - usize::from(same && slot > taken);
                self.rotate(&mut safe, look.landed.into(), mover);
                self.rotate(&mut safe, self.first_hand_slot(placed, taken) - 1, taken);
            }
            let safe = self.arrived(&safe, slot, look.promotes, true);
            open = and_not(&open, &and(&self.uncaptured(&safe, taken), &lanes));
            if is_empty(&open) {
                return open;
            }
        }
        for look in looks.drops.iter() {
            let slot = usize::from(look.slot);
            let mut safe = not(&children[look.layout as usize]);
            self.rotate(&mut safe, look.landed.into(), slot);
            let safe = and(&self.undropped(&safe, slot), self.ours(slot, 1));
            open = and_not(&open, &safe);
            if is_empty(&open) {
                return open;
            }
        }
        open
    }

    #[inline(always)]
    pub(super) fn list_pieces(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        want: &Block<N>,
        looks: &mut Looks,
    ) {
        for list in [
            &mut looks.quiet,
            &mut looks.promotions,
            &mut looks.captures,
            &mut looks.drops,
        ] {
            list.len = 0;
        }
        for slot in 0..self.pieces {
            let from = placed.squares[slot];
            if from < self.free {
                if !meets(want, self.ours(slot, 3)) {
                    continue;
                }
                for hop in moves.hops.of(self.kind[slot], from) {
                    let open = hop.is_open(placed.occupied);
                    let occupied = placed.occupied >> hop.to & 1 == 1;
                    let look = Look {
                        layout: self.locator.moved::<LIKE>(placed, slot, hop.to),
                        slot: slot as u8,
                        faces: hop.faces,
                        landed: self.board_slot(placed, slot, hop.to) as u8,
                        over: self.over(placed, hop),
                        to: hop.to,
                        promotes: hop.promotes,
                    };
                    let quiet = open & !occupied;
                    looks.quiet.add_if(look, quiet & !hop.promotes);
                    looks.promotions.add_if(look, quiet & hop.promotes);
                    looks.captures.add_if(look, open & occupied);
                }
            } else if self.drops
                && self.first_hand_slot(placed, slot) == slot
                && meets(want, self.ours(slot, 1))
            {
                let mut targets = self.drop_targets(moves) & !placed.occupied;
                while targets != 0 {
                    let to = targets.trailing_zeros() as u8;
                    targets &= targets - 1;
                    let look = Look {
                        layout: self.locator.moved::<LIKE>(placed, slot, to),
                        slot: slot as u8,
                        faces: 1,
                        landed: self.board_slot(placed, slot, to) as u8,
                        over: MAX_PIECES as u8,
                        to,
                        promotes: false,
                    };
                    looks.drops.add_if(look, true);
                }
            }
        }
        for look in &mut looks.captures.looks[..looks.captures.len] {
            let taken = placed.at(look.to);
            let moved = (usize::from(look.slot), look.to);
            look.layout = self
                .locator
                .moved_two::<LIKE>(placed, moved, (taken, self.free));
        }
    }

    #[inline(always)]
    fn look_king<'a>(
        &self,
        open: &Block<N>,
        won: impl Fn(usize) -> &'a [Block<N>],
        looks: &Looks,
    ) -> Block<N> {
        let mut open = *open;
        for look in &looks.king {
            let mut lanes = and(&open, self.ours(look.over.into(), 3));
            let mut safe = not(&won(look.slice as usize)[look.layout as usize]);
            if LIKE {
                for slot in look.swaps.iter().rev() {
                    safe = self.swapped(&safe, slot.into());
                }
            }
            if look.taken != KING {
                let taken = usize::from(look.taken);
                lanes = and(&lanes, &self.theirs[taken][3]);
                self.rotate(&mut safe, look.hand.into(), taken);
                safe = self.uncaptured(&safe, taken);
            }
            open = and_not(&open, &and(&safe, &lanes));
            if is_empty(&open) {
                return open;
            }
        }
        open
    }

    #[inline(always)]
    pub(super) fn list_king(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        want: &Block<N>,
        looks: &mut Looks,
    ) {
        looks.king.clear();
        for king in &moves.king_hops {
            let hop = &king.hop;
            if !hop.is_open(placed.occupied) {
                continue;
            }
            let mut squares = placed.squares;
            let (mut taken, mut hand) = (KING, 0);
            if let Some(slot) = self.slot_on(placed, hop.to) {
                if !meets(want, &self.theirs[slot][3]) {
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
            looks.king.push(KingLook {
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
