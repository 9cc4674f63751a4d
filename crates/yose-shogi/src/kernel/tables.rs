//! Moves between blocks. One move of one piece takes all lanes of a layout at once to the lanes of
//! another layout.
//!
//! A child is kept in the view of the side that has just moved: squares and owners are those of
//! its parent, so a quiet move changes one square and no lane. [`Tables::pull`] reads the children
//! of a block, [`Tables::push`] and [`Tables::push_king`] find the parents of one. All three carry
//! child lanes to parent lanes in the same way:
//!
//! - like pieces are named in order of their squares, so their fields may change places;
//! - a captured piece is ours and has no face in the child, was theirs with either face before;
//! - a promoting piece shows its promoted face in the child, either face before;
//! - a piece that flips on capture showed the other face before;
//! - a dropped piece had no face before.

use std::marker::PhantomData;

use super::block::{Block, Ops};
use super::geometry::{Faces, Hop, SliceMoves};
use super::locate::{Locator, Placed};
use crate::index::{Field, Index, Layout, MAX_PIECES};
use crate::variant::{Captured, DropBan, DropFaces, Promotion, Variant};

/// What is known of a game before any block is looked at.
#[derive(Debug)]
pub(super) struct Tables<const N: usize, const LIKE: bool, O> {
    ops: PhantomData<O>,
    pub(super) locator: Locator,
    pub(super) moves: Vec<SliceMoves>,
    pub(super) free: u8,
    pub(super) pieces: usize,
    pub(super) groups: usize,
    /// So many groups, the first ones, are pinned: parts of a slice are told by their squares.
    pub(super) pinned: usize,
    /// By slot: the kind.
    pub(super) kind: [u8; MAX_PIECES],
    pub(super) field: Vec<Field>,
    /// The lanes that the inventory has at all.
    pub(super) all: Block<N>,
    /// By slot and faces (0 none, 1 base, 2 promoted, 3 both): the lanes where the piece is ours.
    /// All lanes for slot [`MAX_PIECES`], which stands for no piece.
    pub(super) ours: Vec<[Block<N>; 4]>,
    /// The same for theirs.
    pub(super) theirs: Vec<[Block<N>; 4]>,
    /// Whether a capturing piece shows its other face.
    flips: bool,
    /// Whether captured pieces can be dropped at all.
    pub(super) drops: bool,
    drop_faces: DropFaces,
    drop_ban: DropBan,
    /// By kind: whether its base face may stand on its owner's far rank.
    pub(super) base_on_far_rank: Vec<bool>,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// For the slices that are stored; children in which the kings touch are left out.
    pub(super) fn new(variant: &Variant, index: &Index) -> Tables<N, LIKE, O> {
        Self::of_slices(variant, index, index.slices().stored())
    }

    /// The same with so many groups pinned.
    pub(super) fn with_pinned(self, groups: usize) -> Self {
        Tables {
            pinned: groups.min(self.groups),
            ..self
        }
    }

    /// For all slices and children.
    pub(super) fn with_touching(variant: &Variant, index: &Index) -> Tables<N, LIKE, O> {
        Self::of_slices(variant, index, index.slices().len())
    }

    fn of_slices(variant: &Variant, index: &Index, slices: usize) -> Tables<N, LIKE, O> {
        let pieces = index.lanes().pieces();
        let groups = index.layouts().groups();
        let mut kind = [0; MAX_PIECES];
        for group in groups {
            for slot in group.slots() {
                kind[slot] = group.kind as u8;
            }
        }
        let field: Vec<Field> = (0..pieces).map(|slot| index.lanes().field(slot)).collect();
        let by_faces = |field: &Field, owners: Block<N>| {
            let promoted = match field.two_faced() {
                true => O::with_bit(field.owner_bit() + 1),
                false => [0; N],
            };
            [
                [0; N],
                O::and_not(&owners, &promoted),
                O::and(&owners, &promoted),
                owners,
            ]
        };
        let theirs = |field: &Field| O::with_bit(field.owner_bit());
        // A jump over nothing is allowed in all lanes.
        let owned = |owners: &dyn Fn(&Field) -> Block<N>| {
            let mut owned = vec![[[u64::MAX; N]; 4]; MAX_PIECES + 1];
            for (masks, field) in owned.iter_mut().zip(&field) {
                *masks = by_faces(field, owners(field));
            }
            owned
        };
        Tables {
            ops: PhantomData,
            locator: Locator::new(index.layouts()),
            moves: (0..slices)
                .map(|number| SliceMoves::new(variant, index, number, slices))
                .collect(),
            free: index.layouts().free(),
            pieces,
            groups: groups.len(),
            pinned: 0,
            kind,
            all: std::array::from_fn(|w| match index.lanes().width().checked_sub(64 * w) {
                Some(rest) if rest < 64 => (1 << rest) - 1,
                Some(_) => u64::MAX,
                None => 0,
            }),
            ours: owned(&|field| O::not(&theirs(field))),
            theirs: owned(&theirs),
            field: field.clone(),
            flips: variant.promotion == Promotion::OnCapture,
            drops: variant.captured == Captured::Hand,
            drop_faces: variant.drop_faces,
            drop_ban: variant.drop_ban,
            base_on_far_rank: (0..variant.kinds.len())
                .map(|k| variant.base_on_far_rank(k))
                .collect(),
        }
    }

    /// The block of the same positions seen by the other side, with its layout in the turned
    /// slice. Like pieces in hand are named in every order, so that readers need not sort them.
    #[inline(always)]
    pub(super) fn turn(&self, slice: usize, placed: &Placed, lanes: &Block<N>) -> (u32, Block<N>) {
        let turn = &self.moves[slice].turn;
        let mut squares = placed.squares;
        for square in &mut squares[..self.pieces] {
            *square = turn[usize::from(*square)];
        }
        let (number, lanes) = self.renamed(squares, lanes);
        let mut lanes = self.any_hand_order(placed, &lanes);
        for field in &self.field {
            lanes = O::flip(&lanes, field.owner_bit());
        }
        (number, lanes)
    }

    /// The number of a layout whose like pieces are in any order, and its lanes when they are
    /// named in the right one.
    #[inline(always)]
    pub(super) fn renamed(&self, mut squares: Layout, lanes: &Block<N>) -> (u32, Block<N>) {
        let mut lanes = *lanes;
        if LIKE {
            let mut swaps = Swaps::default();
            self.sort(&mut squares, &mut swaps);
            for slot in swaps.iter() {
                lanes = self.swapped(&lanes, slot.into());
            }
        }
        (self.locator.number::<LIKE>(squares), lanes)
    }

    /// The lanes with like pieces in hand named in every order.
    #[inline(always)]
    pub(super) fn any_hand_order(&self, placed: &Placed, lanes: &Block<N>) -> Block<N> {
        let mut lanes = *lanes;
        if LIKE {
            for group in 0..self.groups {
                let end = self.locator.first[group] + self.locator.count[group];
                let hand = self.locator.first[group] + self.locator.on_board(placed, group);
                for last in (hand + 1..end).rev() {
                    for slot in hand..last {
                        let swapped = self.swapped(&lanes, usize::from(slot));
                        O::or_into(&mut lanes, &swapped);
                    }
                }
            }
        }
        lanes
    }

    /// The lanes of `lanes` in which nothing on the way forbids a hop of the side whose lanes by
    /// slot are `owned`.
    #[inline(always)]
    pub(super) fn on_the_way(
        &self,
        placed: &Placed,
        hop: &Hop,
        lanes: &Block<N>,
        owned: &[[Block<N>; 4]],
    ) -> Option<Block<N>> {
        let open = hop.is_open(placed.occupied);
        open.then(|| O::and(lanes, &owned[usize::from(self.over(placed, hop))][3]))
    }

    /// The slot of the piece that a hop jumps over, [`MAX_PIECES`] if there is none.
    #[inline(always)]
    pub(super) fn over(&self, placed: &Placed, hop: &Hop) -> u8 {
        placed.at(hop.over) as u8
    }

    /// The piece on a free square of the board.
    #[inline(always)]
    pub(super) fn slot_on(&self, placed: &Placed, square: u8) -> Option<usize> {
        let slot = placed.at(square);
        (slot < MAX_PIECES).then_some(slot)
    }

    /// The lanes where a piece of these faces is ours.
    #[inline(always)]
    pub(super) fn ours(&self, slot: usize, faces: Faces) -> &Block<N> {
        &self.ours[slot][usize::from(faces)]
    }

    #[inline(always)]
    pub(super) fn drop_targets(&self, moves: &SliceMoves) -> u32 {
        let all = (1u32 << self.free) - 1;
        match self.drop_ban {
            DropBan::None => all,
            DropBan::FarRank => all & !moves.far_rank,
        }
    }

    /// The slot after the last piece on the board of the same kind as `slot`.
    #[inline(always)]
    pub(super) fn first_hand_slot(&self, placed: &Placed, slot: usize) -> usize {
        if !LIKE {
            return slot + usize::from(placed.squares[slot] < self.free);
        }
        let group = usize::from(self.locator.group[slot]);
        usize::from(self.locator.first[group] + self.locator.on_board(placed, group))
    }

    /// The slot of the first piece of a group in hand.
    #[inline(always)]
    pub(super) fn hand_slot(&self, placed: &Placed, group: usize) -> Option<usize> {
        if !LIKE {
            return (placed.squares[group] == self.free).then_some(group);
        }
        let on_board = self.locator.on_board(placed, group);
        (on_board < self.locator.count[group])
            .then(|| usize::from(self.locator.first[group] + on_board))
    }

    /// How many pieces of a group, leaving out one, stand on squares under `square`.
    #[inline(always)]
    pub(super) fn below(
        &self,
        placed: &Placed,
        group: usize,
        square: u8,
        without: Option<usize>,
    ) -> u8 {
        let first = self.locator.first[group];
        let mut below = 0;
        // Pieces in hand have a greater number than any square.
        for slot in first..first + self.locator.count[group] {
            let counts =
                placed.squares[usize::from(slot)] < square && Some(usize::from(slot)) != without;
            below += u8::from(counts);
        }
        below
    }

    /// The slot that the piece in `slot` has after moving to the board square `to`.
    #[inline(always)]
    pub(super) fn board_slot(&self, placed: &Placed, slot: usize, to: u8) -> usize {
        let group = usize::from(self.locator.group[slot]);
        if !LIKE || self.locator.count[group] == 1 {
            return slot;
        }
        usize::from(self.locator.first[group] + self.below(placed, group, to, Some(slot)))
    }

    /// Takes from `targets`, which are empty squares, some on which the piece in `slot` gets one
    /// and the same slot by moving there; like pieces that are under one of them, or at the square
    /// that it leaves, are under all. Returns that slot and those squares.
    #[inline(always)]
    pub(super) fn landing(&self, placed: &Placed, slot: usize, targets: &mut u32) -> (usize, u32) {
        if !LIKE {
            return (slot, std::mem::take(targets));
        }
        let group = usize::from(self.locator.group[slot]);
        let count = self.locator.count[group];
        if count == 1 {
            return (slot, std::mem::take(targets));
        }
        let first = usize::from(self.locator.first[group]);
        let lowest = targets.trailing_zeros() as u8;
        let (mut landed, mut above) = (first, self.free);
        for other in first..first + usize::from(count) {
            let square = placed.squares[other];
            landed += usize::from(square < lowest && other != slot);
            if square > lowest {
                above = above.min(square);
            }
        }
        let some = *targets & ((1 << above) - 1);
        *targets ^= some;
        (landed, some)
    }

    /// Renames like pieces: the one in slot `from` gets the name `to`, those between move up.
    #[inline(always)]
    pub(super) fn rotate(&self, lanes: &mut Block<N>, from: usize, to: usize) {
        if !LIKE {
            return;
        }
        for slot in from..to {
            *lanes = self.swapped(lanes, slot);
        }
        for slot in (to..from).rev() {
            *lanes = self.swapped(lanes, slot);
        }
    }

    /// The like pieces in `slot` and the next one exchange their names.
    #[inline(always)]
    pub(super) fn swapped(&self, lanes: &Block<N>, slot: usize) -> Block<N> {
        let (a, b) = (self.field[slot], self.field[slot + 1]);
        let lanes = O::swap_bits(lanes, a.owner_bit(), b.owner_bit());
        match a.two_faced() {
            true => O::swap_bits(&lanes, a.owner_bit() + 1, b.owner_bit() + 1),
            false => lanes,
        }
    }

    /// Sorts the squares within each group.
    #[inline(always)]
    pub(super) fn sort(&self, squares: &mut Layout, swaps: &mut Swaps) {
        if !LIKE {
            return;
        }
        for group in 0..self.groups {
            let first = usize::from(self.locator.first[group]);
            for end in 1..usize::from(self.locator.count[group]) {
                for slot in (first..first + end).rev() {
                    if squares[slot] <= squares[slot + 1] {
                        break;
                    }
                    squares.swap(slot, slot + 1);
                    swaps.slots[swaps.len] = slot as u8;
                    swaps.len += 1;
                }
            }
        }
    }

    /// From the child's lanes to those before the piece in `slot` arrived on its square.
    #[inline(always)]
    pub(super) fn arrived(
        &self,
        lanes: &Block<N>,
        slot: usize,
        promotes: bool,
        capture: bool,
    ) -> Block<N> {
        if promotes {
            let face = self.field[slot].owner_bit() + 1;
            let mut before = O::and(lanes, &O::with_bit(face));
            O::or_into(&mut before, &O::lower(lanes, face));
            return before;
        }
        if capture && self.flips && self.field[slot].two_faced() {
            return O::flip(lanes, self.field[slot].owner_bit() + 1);
        }
        *lanes
    }

    /// From the child's lanes, where the piece in `slot` is in our hand, to those before it was
    /// captured.
    #[inline(always)]
    pub(super) fn uncaptured(&self, lanes: &Block<N>, slot: usize) -> Block<N> {
        let field = self.field[slot];
        let mut before = O::raise(&O::and(lanes, &self.ours[slot][1]), field.owner_bit());
        if field.two_faced() {
            let promoted = O::raise(&before, field.owner_bit() + 1);
            O::or_into(&mut before, &promoted);
        }
        before
    }

    /// From the child's lanes to those before the piece was dropped: no face shows.
    #[inline(always)]
    pub(super) fn undropped(&self, lanes: &Block<N>, slot: usize) -> Block<N> {
        let field = self.field[slot];
        if field.two_faced() && self.drop_faces == DropFaces::Either {
            let mut before = O::lower(lanes, field.owner_bit() + 1);
            O::or_into(&mut before, lanes);
            return before;
        }
        *lanes
    }
}

/// Exchanges of neighbouring slots in the order they were made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Swaps {
    slots: [u8; MAX_PIECES * (MAX_PIECES - 1) / 2],
    len: usize,
}

impl Swaps {
    /// The lower slots of the exchanged pairs.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = u8> {
        self.slots[..self.len].iter().copied()
    }
}
