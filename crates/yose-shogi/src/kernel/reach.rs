//! Positions that play can reach from a start, all lanes of a layout at once.
//!
//! Moves are the ones that [`Tables::pull`] lists, followed from the parent to the child. Sets are
//! kept in the view of the side to move. Positions in which the side to move wins at once are
//! counted and not played on from.

use yose_retro::Value;
use yose_retro::tally::{Collector, Tally};

use super::KING;
use super::block::{Block, Ops, Plain};
use super::locate::Placed;
use super::looks::Looks;
use super::solve::{WIDTHS, words};
use super::solved::Solved;
use super::tables::Tables;
use super::words::Words;
use crate::index::{Index, MAX_PIECES};
use crate::position::Position;
use crate::variant::{DropFaces, Goal, Variant};

/// Counts the positions that play from `start` can reach, turn and mirror folded, with the values
/// of `solved`. Positions in which the side to move wins in 1 are counted, but no move is made from
/// them. `None` if the start is outside the domain.
///
/// In a variant with a Try play also reaches positions outside the domain: kings that touch, a king
/// on its far rank where it can be taken. They are counted like all others, as wins in 1.
///
/// Memory: [`reachable_memory`]. Cost: about that of a solve, on one thread.
///
/// # Panics
/// If `solved` is of another index or has no distances.
#[must_use]
pub fn reachable(
    variant: &Variant,
    index: &Index,
    start: &Position,
    solved: &Solved,
) -> Option<Tally> {
    assert!(solved.has_depth(), "solved without distances");
    index.rank(start)?;
    let (open, wide) = opened(variant, index);
    let start = wide.rank(start)?;
    let games = Games {
        variant,
        index,
        open: &open,
        wide: &wide,
    };
    Some(match words(index, WIDTHS) {
        1 => Reach::<1>::new(games).run(start, solved),
        4 => Reach::<4>::new(games).run(start, solved),
        16 => Reach::<16>::new(games).run(start, solved),
        64 => Reach::<64>::new(games).run(start, solved),
        256 => Reach::<256>::new(games).run(start, solved),
        _ => Reach::<1024>::new(games).run(start, solved),
    })
}

/// Bytes that [`reachable`] marks positions with, beside what was solved: two bits for each index,
/// those of all squares of the kings.
#[must_use]
pub fn reachable_memory(variant: &Variant, index: &Index) -> u64 {
    opened(variant, index).1.size() / 4
}

/// The variant without its Try, and the same index with a slice for all squares of the kings.
fn opened(variant: &Variant, index: &Index) -> (Variant, Index) {
    let mut open = variant.clone();
    open.goal = Goal::TakeKing;
    let wide = index.with_slices_of(&open);
    (open, wide)
}

/// The game whose values are known, and the one that has an index for all that it reaches.
#[derive(Clone, Copy)]
struct Games<'a> {
    variant: &'a Variant,
    index: &'a Index,
    open: &'a Variant,
    wide: &'a Index,
}

struct Reach<const N: usize> {
    /// Of all squares of the kings.
    tables: Tables<N, true, Plain>,
    /// Of the game itself, which knows a Try.
    game: Tables<N, true, Plain>,
    /// By slice: the stored slice of the game with these kings. In all others the side to move wins
    /// at once.
    home: Vec<Option<usize>>,
    width: usize,
    drop_faces: DropFaces,
    /// By slice: what has been reached, and what has not been played on from.
    reached: Vec<Words>,
    pending: Vec<Words>,
    /// By slice: whether anything is pending.
    waiting: Vec<bool>,
}

impl<const N: usize> Reach<N> {
    fn new(games: Games<'_>) -> Self {
        let (index, wide) = (games.index, games.wide);
        let slices = wide.slices().len();
        let zeroed = || Words::zeroed(N * index.layouts().count() as usize);
        let home = |slice| {
            let at = index.slices().find(wide.slices().get(slice))?;
            (at.slice < index.slices().stored()).then_some(at.slice)
        };
        Reach {
            tables: Tables::with_touching(games.open, wide),
            game: Tables::new(games.variant, index),
            home: (0..slices).map(home).collect(),
            width: index.lanes().width(),
            drop_faces: games.variant.drop_faces,
            reached: (0..slices).map(|_| zeroed()).collect(),
            pending: (0..slices).map(|_| zeroed()).collect(),
            waiting: vec![false; slices],
        }
    }

    fn run(mut self, start: u64, solved: &Solved) -> Tally {
        let layouts = u64::from(self.tables.locator.layouts());
        let width = self.width as u64;
        let (block, lane) = (start / width, (start % width) as usize);
        let mut lanes = [0; N];
        lanes[lane / 64] = 1 << (lane % 64);
        self.add((block / layouts) as usize, (block % layouts) as u32, &lanes);
        let mut looks = Looks::default();
        while let Some(slice) = self.waiting.iter().position(|&waiting| waiting) {
            self.waiting[slice] = false;
            for number in 0..self.tables.locator.layouts() {
                let pending = &mut self.pending[slice].blocks_mut()[number as usize];
                let lanes = std::mem::replace(pending, [0; N]);
                if let Some(home) = self.home[slice]
                    && !<Plain as Ops<N>>::is_empty(&lanes)
                {
                    self.play_on(slice, home, number, &lanes, &mut looks);
                }
            }
        }
        self.tally(solved)
    }

    /// Adds positions given in the view of the side to move.
    fn add(&mut self, slice: usize, number: u32, lanes: &Block<N>) {
        let placed = self.tables.locator.placed(number);
        self.add_one(
            slice,
            number,
            &<Plain as Ops<N>>::and(lanes, &self.tables.legal(slice, &placed)),
        );
        let mirror = &self.tables.moves[slice].mirror;
        if mirror.is_empty() {
            return;
        }
        // Such a slice holds both images of a position.
        let mut squares = placed.squares;
        for square in &mut squares[..self.tables.pieces] {
            *square = mirror[usize::from(*square)];
        }
        let (number, lanes) = self.tables.renamed(squares, lanes);
        let placed = self.tables.locator.placed(number);
        let lanes = self.tables.any_hand_order(&placed, &lanes);
        self.add_one(
            slice,
            number,
            &<Plain as Ops<N>>::and(&lanes, &self.tables.legal(slice, &placed)),
        );
    }

    fn add_one(&mut self, slice: usize, number: u32, lanes: &Block<N>) {
        let reached = &mut self.reached[slice].blocks_mut()[number as usize];
        let new = <Plain as Ops<N>>::and_not(lanes, reached);
        if !<Plain as Ops<N>>::is_empty(&new) {
            <Plain as Ops<N>>::or_into(reached, &new);
            <Plain as Ops<N>>::or_into(
                &mut self.pending[slice].blocks_mut()[number as usize],
                &new,
            );
            self.waiting[slice] = true;
        }
    }

    /// Adds a child given in the view of the side that has just moved, by the slice in which it
    /// stands for the side that is then to move.
    fn add_child(&mut self, slice: usize, number: u32, lanes: &Block<N>) {
        if <Plain as Ops<N>>::is_empty(lanes) {
            return;
        }
        let placed = self.tables.locator.placed(number);
        let view = self.tables.moves[slice].turned;
        let lanes = self.tables.any_hand_order(&placed, lanes);
        let (number, lanes) = self.tables.turn(view, &placed, &lanes);
        self.add(slice, number, &lanes);
    }

    /// Plays on from positions of a slice that stands for the game's slice `home`.
    fn play_on(
        &mut self,
        slice: usize,
        home: usize,
        number: u32,
        lanes: &Block<N>,
        looks: &mut Looks,
    ) {
        let placed = self.tables.locator.placed(number);
        let lanes = <Plain as Ops<N>>::and_not(lanes, &self.game.wins_in_one(home, &placed));
        if <Plain as Ops<N>>::is_empty(&lanes) {
            return;
        }
        let turned = self.tables.moves[slice].turned;
        let moves = &self.tables.moves[slice];
        self.tables.list_pieces(moves, &placed, &lanes, looks);
        self.tables
            .list_king(moves, &placed, &lanes, None, &mut looks.king);
        for &look in looks.quiet.iter().chain(looks.special.iter()) {
            let slot = look.slot();
            let mut after = <Plain as Ops<N>>::and(&lanes, self.tables.ours(slot, look.faces()));
            after = <Plain as Ops<N>>::and(&after, self.tables.ours(look.over(), 3));
            let taken = placed.at(look.to());
            let captures = taken < MAX_PIECES;
            if captures {
                after = self.captured(
                    &<Plain as Ops<N>>::and(&after, &self.tables.theirs[taken][3]),
                    taken,
                );
            }
            if look.promotes() {
                after = self.promoted(&after, slot);
            } else {
                // A flip is its own reverse.
                after = self.tables.arrived(&after, slot, false, captures);
            }
            let mut mover = slot;
            if captures {
                let hand = self.tables.first_hand_slot(&placed, taken) - 1;
                self.tables.rotate(&mut after, taken, hand);
                let same = self.tables.locator.group[slot] == self.tables.locator.group[taken];
                mover -= usize::from(same && slot > taken);
            }
            self.tables.rotate(&mut after, mover, look.landed());
            self.add_child(turned, look.layout(), &after);
        }
        for &look in looks.drops.iter() {
            let slot = look.slot();
            let mut after = <Plain as Ops<N>>::and(&lanes, self.tables.ours(slot, 1));
            let field = self.tables.field[slot];
            if field.two_faced() && self.drop_faces == DropFaces::Either {
                let other = <Plain as Ops<N>>::raise(&after, field.owner_bit() + 1);
                <Plain as Ops<N>>::or_into(&mut after, &other);
            }
            self.tables.rotate(&mut after, slot, look.landed());
            self.add_child(turned, look.layout(), &after);
        }
        for look in std::mem::take(&mut looks.king) {
            let mut after = <Plain as Ops<N>>::and(&lanes, self.tables.ours(look.over.into(), 3));
            if look.taken != KING {
                let taken = usize::from(look.taken);
                after = self.captured(&after, taken);
                self.tables.rotate(&mut after, taken, look.hand.into());
            }
            for slot in look.swaps.iter() {
                after = self.tables.swapped(&after, slot.into());
            }
            self.add_child(look.slice as usize, look.layout, &after);
        }
    }

    /// The piece in `slot` shows its promoted face, whichever it showed.
    fn promoted(&self, lanes: &Block<N>, slot: usize) -> Block<N> {
        let face = self.tables.field[slot].owner_bit() + 1;
        let mut after = <Plain as Ops<N>>::and(lanes, &<Plain as Ops<N>>::with_bit(face));
        <Plain as Ops<N>>::or_into(&mut after, &<Plain as Ops<N>>::raise(lanes, face));
        after
    }

    /// The piece in `slot`, theirs before, is ours and has no face.
    fn captured(&self, lanes: &Block<N>, slot: usize) -> Block<N> {
        let field = self.tables.field[slot];
        let mut after = <Plain as Ops<N>>::lower(lanes, field.owner_bit());
        if field.two_faced() {
            let promoted = <Plain as Ops<N>>::lower(&after, field.owner_bit() + 1);
            after = <Plain as Ops<N>>::and_not(
                &after,
                &<Plain as Ops<N>>::with_bit(field.owner_bit() + 1),
            );
            <Plain as Ops<N>>::or_into(&mut after, &promoted);
        }
        after
    }

    fn tally(&self, solved: &Solved) -> Tally {
        // Twice the canonical positions and the positions with both sides to move, by depth.
        let mut counts: std::collections::BTreeMap<u32, [u64; 2]> = Default::default();
        let bytes = solved.levels().depth_bytes();
        let mut depths = Vec::new();
        for (slice, reached) in self.reached.iter().enumerate() {
            let home = self.home[slice];
            if let Some(home) = home {
                solved.depths(home, &mut depths);
            }
            let folded = self.tables.moves[slice].mirror.is_empty();
            for number in 0..self.tables.locator.layouts() {
                let lanes: &Block<N> = &reached.blocks()[number as usize];
                if <Plain as Ops<N>>::is_empty(lanes) {
                    continue;
                }
                let placed = self.tables.locator.placed(number);
                for lane in set_lanes(lanes) {
                    let depth = if home.is_some() {
                        let at = (number as usize * self.width + lane) * bytes;
                        let mut value = [0; 4];
                        value[..bytes].copy_from_slice(&depths[at..at + bytes]);
                        u32::from_le_bytes(value)
                    } else {
                        1
                    };
                    let count = counts.entry(depth).or_default();
                    if folded {
                        count[0] += 2;
                        count[1] += 4;
                    } else {
                        count[0] += 1 + u64::from(self.is_symmetric(slice, &placed, lane));
                        count[1] += 2;
                    }
                }
            }
        }
        let mut collector = Collector::default();
        for (depth, [twice, all]) in counts {
            let value = match depth {
                0 => Value::Draw,
                odd if odd % 2 == 1 => Value::Win(odd),
                even => Value::Loss(even),
            };
            collector.add(value, twice / 2, all);
        }
        collector.finish()
    }

    fn is_symmetric(&self, slice: usize, placed: &Placed, lane: usize) -> bool {
        let mut lanes = [0; N];
        lanes[lane / 64] = 1 << (lane % 64);
        self.tables.decided(slice, placed, &lanes).symmetric == 1
    }
}

/// The lanes of a set in ascending order.
fn set_lanes<const N: usize>(lanes: &Block<N>) -> impl Iterator<Item = usize> {
    lanes.iter().enumerate().flat_map(|(w, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(64 * w + bit)
        })
    })
}
