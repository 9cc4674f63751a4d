//! From parents to children: which lanes of a block have a move that does not lose.
//!
//! The children are listed first, and their cache lines are asked for while the list is made; then
//! they are read until every lane has escaped.

use super::KING;
use super::block::{Block, and, and_not, is_empty, not};
use super::geometry::SliceMoves;
use super::locate::Placed;
use super::tables::{Swaps, Tables};
use super::words::prefetch;

/// One move of all lanes of a block.
struct Look {
    /// The child's slice and layout.
    slice: u32,
    layout: u32,
    /// The slot of the piece that moves and the faces that can; [`KING`] if the king moves.
    slot: u8,
    faces: u8,
    /// The slot of the piece that is jumped over and of the one that is taken, or [`KING`].
    over: u8,
    taken: u8,
    /// Where the child names the piece that moves and the one that is taken.
    landed: u8,
    hand: u8,
    /// The slot of the piece that moves when the taken one has gone to hand.
    mover: u8,
    promotes: bool,
    drop: bool,
    /// Where the exchanges of names of a king's move begin and end.
    swaps: (u32, u32),
}

/// The moves of a block, a list that is used again and again.
#[derive(Default)]
pub(super) struct Looks {
    looks: Vec<Look>,
    swaps: Vec<u8>,
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
            looks.looks.clear();
            self.list_pieces(moves, placed, want, won(moves.turned), looks);
            open = self.look(&open, &won, looks);
            if is_empty(&open) {
                return open;
            }
        }
        looks.looks.clear();
        looks.swaps.clear();
        self.list_king(moves, placed, &open, &won, looks);
        self.look(&open, &won, looks)
    }

    /// The lanes of `open` that none of the moves saves.
    #[inline(always)]
    fn look<'a>(
        &self,
        open: &Block<N>,
        won: impl Fn(usize) -> &'a [Block<N>],
        looks: &Looks,
    ) -> Block<N> {
        let mut open = *open;
        for look in &looks.looks {
            let mut lanes = open;
            if look.slot != KING {
                lanes = and(&lanes, self.ours(look.slot.into(), look.faces));
            }
            if look.over != KING {
                lanes = and(&lanes, self.ours(look.over.into(), 3));
            }
            if look.taken != KING {
                lanes = and(&lanes, &self.theirs[usize::from(look.taken)][3]);
            }
            if is_empty(&lanes) {
                continue;
            }
            let mut safe = not(&won(look.slice as usize)[look.layout as usize]);
            if LIKE {
                for &slot in looks.swaps[look.swaps.0 as usize..look.swaps.1 as usize]
                    .iter()
                    .rev()
                {
                    safe = self.swapped(&safe, slot.into());
                }
                self.rotate(&mut safe, look.landed.into(), look.mover.into());
            }
            if look.taken != KING {
                let taken = usize::from(look.taken);
                self.rotate(&mut safe, look.hand.into(), taken);
                if look.slot != KING {
                    safe = self.arrived(&safe, look.slot.into(), look.promotes, true);
                }
                safe = self.uncaptured(&safe, taken);
            } else if look.drop {
                safe = self.undropped(&safe, look.slot.into());
            } else if look.slot != KING {
                safe = self.arrived(&safe, look.slot.into(), look.promotes, false);
            }
            open = and_not(&open, &and(&safe, &lanes));
            if is_empty(&open) {
                return open;
            }
        }
        open
    }

    #[inline(always)]
    fn list_pieces(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        want: &Block<N>,
        children: &[Block<N>],
        looks: &mut Looks,
    ) {
        let slice = moves.turned as u32;
        let mut list = |look: Look| {
            prefetch(&children[look.layout as usize]);
            looks.looks.push(look);
        };
        for slot in 0..self.pieces {
            let from = placed.squares[slot];
            if from < self.free {
                if is_empty(&and(want, self.ours(slot, 3))) {
                    continue;
                }
                for hop in moves.hops.of(self.kind[slot], from) {
                    if hop.is_blocked(placed.occupied) {
                        continue;
                    }
                    let mut look = Look {
                        slice,
                        layout: 0,
                        slot: slot as u8,
                        faces: hop.faces,
                        over: self.over(placed, hop),
                        taken: KING,
                        landed: self.board_slot(placed, slot, hop.to) as u8,
                        hand: 0,
                        mover: slot as u8,
                        promotes: hop.promotes,
                        drop: false,
                        swaps: (0, 0),
                    };
                    match self.slot_on(placed, hop.to) {
                        None => look.layout = self.locator.moved::<LIKE>(placed, slot, hop.to),
                        Some(taken) => {
                            let gone = (taken, self.free);
                            look.layout =
                                self.locator.moved_two::<LIKE>(placed, (slot, hop.to), gone);
                            look.taken = taken as u8;
                            look.hand = self.first_hand_slot(placed, taken) as u8 - 1;
                            let same = self.locator.group[slot] == self.locator.group[taken];
                            look.mover -= u8::from(same && slot > taken);
                        }
                    }
                    list(look);
                }
            } else if self.drops
                && self.first_hand_slot(placed, slot) == slot
                && !is_empty(&and(want, self.ours(slot, 1)))
            {
                let mut targets = self.drop_targets(moves) & !placed.occupied;
                while targets != 0 {
                    let to = targets.trailing_zeros() as u8;
                    targets &= targets - 1;
                    list(Look {
                        slice,
                        layout: self.locator.moved::<LIKE>(placed, slot, to),
                        slot: slot as u8,
                        faces: 1,
                        over: KING,
                        taken: KING,
                        landed: self.board_slot(placed, slot, to) as u8,
                        hand: 0,
                        mover: slot as u8,
                        promotes: false,
                        drop: true,
                        swaps: (0, 0),
                    });
                }
            }
        }
    }

    #[inline(always)]
    fn list_king<'a>(
        &self,
        moves: &SliceMoves,
        placed: &Placed,
        want: &Block<N>,
        won: impl Fn(usize) -> &'a [Block<N>],
        looks: &mut Looks,
    ) {
        for king in &moves.king_hops {
            let hop = &king.hop;
            if hop.is_blocked(placed.occupied) {
                continue;
            }
            let mut squares = placed.squares;
            let (mut taken, mut hand) = (KING, 0);
            if let Some(slot) = self.slot_on(placed, hop.to) {
                if is_empty(&and(want, &self.theirs[slot][3])) {
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
            let begin = looks.swaps.len() as u32;
            let mut swaps = Swaps::default();
            self.sort(&mut squares, &mut swaps);
            if LIKE {
                looks.swaps.extend(swaps.iter());
            }
            let layout = self.locator.number::<LIKE>(squares);
            prefetch(&won(king.child)[layout as usize]);
            looks.looks.push(Look {
                slice: king.child as u32,
                layout,
                slot: KING,
                faces: 0,
                over: self.over(placed, hop),
                taken,
                landed: 0,
                hand,
                mover: 0,
                promotes: false,
                drop: false,
                swaps: (begin, looks.swaps.len() as u32),
            });
        }
    }
}
