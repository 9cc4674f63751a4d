//! The moves of the pieces of a block as a list, for whoever follows them one by one.

use super::block::{Block, Ops};
use super::geometry::{Hop, SliceMoves};
use super::locate::Placed;
use super::pull::KingLook;
use super::tables::Tables;
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
}
