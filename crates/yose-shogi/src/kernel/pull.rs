//! From parents to children: which lanes of a block have a move that does not lose.
//!
//! The children are listed first, by kind of move and without branches on what cannot be
//! predicted, and their cache lines are asked for while the list is made. Then they are read until
//! every lane has escaped.

use super::KING;
use super::block::{Block, Ops};
use super::geometry::{Hop, SliceMoves};
use super::locate::Placed;
use super::tables::{Swaps, Tables};
use super::words::prefetch;
use crate::index::MAX_PIECES;

/// A move of one piece, in all lanes of a block, packed so that it is one store: the child's layout
/// (32 bits), the slot of the piece that moves (4), the faces that can (2), the slot it has in the
/// child (4), the slot of the piece that is jumped over or [`MAX_PIECES`] (4), the square it goes to
/// (5), whether it promotes (1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look(u64);

impl Look {
    #[inline(always)]
    fn new(slot: usize, landed: usize, over: usize, hop: &Hop) -> Look {
        let slots = (slot as u64) << 32 | (landed as u64) << 38 | (over as u64) << 42;
        let ends = u64::from(hop.faces) << 36 | u64::from(hop.to) << 46;
        Look(slots | ends | u64::from(hop.promotes) << 51)
    }

    #[inline(always)]
    fn with_layout(self, layout: u32) -> Look {
        Look(self.0 >> 32 << 32 | u64::from(layout))
    }

    #[inline(always)]
    pub(super) fn layout(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        (self.0 >> 32 & 15) as usize
    }

    #[inline(always)]
    pub(super) fn faces(self) -> u8 {
        (self.0 >> 36 & 3) as u8
    }

    #[inline(always)]
    pub(super) fn landed(self) -> usize {
        (self.0 >> 38 & 15) as usize
    }

    #[inline(always)]
    pub(super) fn over(self) -> usize {
        (self.0 >> 42 & 15) as usize
    }

    #[inline(always)]
    pub(super) fn to(self) -> u8 {
        (self.0 >> 46 & 31) as u8
    }

    #[inline(always)]
    pub(super) fn promotes(self) -> bool {
        self.0 >> 51 & 1 == 1
    }
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
    /// Captures and promotions.
    pub(super) special: List,
    pub(super) drops: List,
    pub(super) king: Vec<KingLook>,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// The lanes of `want` from which no move leads to a position that is not in `won`: they are
    /// lost. `won` is asked for the won lanes of a slice's positions by layout, in our view.
    #[inline(always)]
    pub(super) fn pull(
        &self,
        slice: usize,
        placed: &Placed,
        want: &Block<N>,
        won: &[&[Block<N>]],
        looks: &mut Looks,
    ) -> Block<N> {
        let moves = &self.moves[slice];
        let mut open = *want;
        self.list_king(moves, placed, &open, looks);
        for look in &looks.king {
            prefetch(&won[look.slice as usize][look.layout as usize]);
        }
        open = self.look_king(&open, won, looks);
        if O::is_empty(&open) {
            return open;
        }
        if moves.turned < self.moves.len() {
            let children = won[moves.turned];
            self.list_pieces(moves, placed, &open, looks);
            for list in [&looks.quiet, &looks.special, &looks.drops] {
                for look in list.iter() {
                    prefetch(&children[look.layout() as usize]);
                }
            }
            open = self.look(placed, &open, children, looks);
        }
        open
    }

    /// The lanes of `open` in which a piece can make a move.
    #[inline(always)]
    fn movers(&self, open: &Block<N>, look: Look) -> Block<N> {
        let lanes = O::and(open, self.ours(look.slot(), look.faces()));
        O::and(&lanes, self.ours(look.over(), 3))
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
        for &look in looks.quiet.iter() {
            let lanes = self.movers(&open, look);
            let mut safe = O::not(&children[look.layout() as usize]);
            self.rotate(&mut safe, look.landed(), look.slot());
            open = O::and_not(&open, &O::and(&safe, &lanes));
            if O::is_empty(&open) {
                return open;
            }
        }
        for &look in looks.special.iter() {
            let slot = look.slot();
            let taken = placed.at(look.to());
            let lanes = O::and(&self.movers(&open, look), &self.theirs[taken][3]);
            if O::is_empty(&lanes) {
                continue;
            }
            let mut safe = O::not(&children[look.layout() as usize]);
            if taken == MAX_PIECES {
                self.rotate(&mut safe, look.landed(), slot);
                safe = self.arrived(&safe, slot, true, false);
            } else {
                if LIKE {
                    let same = self.locator.group[slot] == self.locator.group[taken];
                    let mover = slot - usize::from(same && slot > taken);
                    self.rotate(&mut safe, look.landed(), mover);
                    self.rotate(&mut safe, self.first_hand_slot(placed, taken) - 1, taken);
                }
                safe = self.arrived(&safe, slot, look.promotes(), true);
                safe = self.uncaptured(&safe, taken);
            }
            open = O::and_not(&open, &O::and(&safe, &lanes));
            if O::is_empty(&open) {
                return open;
            }
        }
        for &look in looks.drops.iter() {
            let slot = look.slot();
            let mut safe = O::not(&children[look.layout() as usize]);
            self.rotate(&mut safe, look.landed(), slot);
            let safe = O::and(&self.undropped(&safe, slot), self.ours(slot, 1));
            open = O::and_not(&open, &safe);
            if O::is_empty(&open) {
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
        looks.quiet.len = 0;
        looks.special.len = 0;
        looks.drops.len = 0;
        // What the number of the layout gains by a capture; nothing where nothing stands.
        let mut gone = [0; MAX_PIECES + 1];
        for (slot, gone) in gone[..self.pieces].iter_mut().enumerate() {
            *gone = self.locator.change::<LIKE>(placed, slot, self.free);
        }
        for slot in 0..self.pieces {
            let from = placed.squares[slot];
            if from < self.free {
                if !O::meets(want, self.ours(slot, 3)) {
                    continue;
                }
                let mover = self.locator.mover::<LIKE>(placed, slot);
                for hop in moves.hops.of(self.kind[slot], from) {
                    let open = hop.is_open(placed.occupied);
                    let taken = placed.at(hop.to);
                    let special = taken != MAX_PIECES || hop.promotes;
                    let landed = self.board_slot(placed, slot, hop.to);
                    let look = Look::new(slot, landed, self.over(placed, hop).into(), hop);
                    let other = taken < MAX_PIECES
                        && (!LIKE || self.locator.group[taken] != self.locator.group[slot]);
                    let change = if other { gone[taken] } else { 0 };
                    let number = mover.number_with(hop.to, change);
                    let look = look.with_layout(number.unwrap_or_default());
                    looks.quiet.add_if(look, open & !special);
                    looks.special.add_if(look, open & special);
                }
            } else if self.drops
                && self.first_hand_slot(placed, slot) == slot
                && O::meets(want, self.ours(slot, 1))
            {
                let mover = self.locator.mover::<LIKE>(placed, slot);
                let mut targets = self.drop_targets(moves) & !placed.occupied;
                while targets != 0 {
                    let to = targets.trailing_zeros() as u8;
                    targets &= targets - 1;
                    let landed = self.board_slot(placed, slot, to);
                    let look = Look::new(slot, landed, MAX_PIECES, &Hop::to(to));
                    looks.drops.add_if(look.with_layout(mover.number(to)), true);
                }
            }
        }
        if !LIKE {
            return;
        }
        let table = self.locator.has_table();
        for look in &mut looks.special.looks[..looks.special.len] {
            let (slot, taken) = (look.slot(), placed.at(look.to()));
            if taken < MAX_PIECES
                && (!table || self.locator.group[slot] == self.locator.group[taken])
            {
                let (moved, gone) = ((slot, look.to()), (taken, self.free));
                *look = look.with_layout(self.locator.moved_two::<LIKE>(placed, moved, gone));
            }
        }
        if !table {
            for list in [&mut looks.quiet, &mut looks.special] {
                for look in &mut list.looks[..list.len] {
                    if placed.at(look.to()) == MAX_PIECES {
                        let number = self.locator.moved::<LIKE>(placed, look.slot(), look.to());
                        *look = look.with_layout(number);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn look_king(
        &self,
        open: &Block<N>,
        won: &[&[Block<N>]],
        looks: &Looks,
    ) -> Block<N> {
        let mut open = *open;
        for look in &looks.king {
            let mut lanes = O::and(&open, self.ours(look.over.into(), 3));
            let mut safe = O::not(&won[look.slice as usize][look.layout as usize]);
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
