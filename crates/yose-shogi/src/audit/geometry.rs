//! The moves of a layout, for all its lanes at once.
//!
//! All positions of a layout have their pieces on the same squares, so a move of one piece differs
//! between them only by the owners that it asks for (a piece that is jumped over is ours, one that is
//! captured theirs) and by the faces that move that way. Which owners these are is not worked out by
//! thinking about steps, jumps and slides: the squares that [`Rules`] allows a piece are asked for
//! once for every owner pattern of the layout, and the patterns are summed up as [`Cube`]s. Where a
//! child stands follows from [`Index`]: its slice, its layout, and its lane, which is the parent's
//! with a few bits changed and, where like pieces change their order, with fields exchanged.

use super::cube::{Cube, cubes};
use super::maps::Maps;
use super::places::{Block, KING, KingMove, Places};
use crate::index::{Index, MAX_PIECES, Slice, board_square};
use crate::position::{Piece, Side};
use crate::rules::Rules;
use crate::square::{Square, SquareSet, squares};

/// A move in the lanes of a cube: it leads from the lane `l` to the lane `map(l ^ flip)` of a block.
///
/// Children are seen by the other side, so all owners change; that is left out here, for the keys
/// of children are kept in an order with all owner bits turned over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) cube: Cube,
    pub(super) flip: u32,
    pub(super) to: Block,
}

/// A king's move to its far rank in a variant with a Try: a win in 1 in the lanes of `moves` that are
/// in none of `attacked`, and of no use in the others, where the king is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Try {
    pub(super) moves: Cube,
    pub(super) attacked: Vec<Cube>,
}

/// What is common to the lanes of a layout.
#[derive(Debug, Default)]
pub(super) struct LayoutMoves {
    /// Lanes that no position has.
    pub(super) holes: Vec<Cube>,
    /// Lanes in which the king can be taken.
    pub(super) wins: Vec<Cube>,
    pub(super) tries: Vec<Try>,
    pub(super) edges: Vec<Edge>,
}

/// The moves of the layouts of one slice.
#[derive(Debug)]
pub(super) struct SliceMoves<'a> {
    rules: &'a Rules,
    index: &'a Index,
    slice: Slice,
    places: Places<'a>,
    /// By slot: the owner bit and the face bit, 0 if there is none.
    owner: [u32; MAX_PIECES],
    face: [u32; MAX_PIECES],
    kind: [usize; MAX_PIECES],
    pieces: usize,
}

/// The layout at hand, and room to work in.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By slot, `None` in hand.
    at: [Option<Square>; MAX_PIECES],
    on_board: Vec<usize>,
    sets: Vec<SquareSet>,
    bits: Vec<u32>,
    blocks: Vec<(usize, Square, Block)>,
}

impl<'a> SliceMoves<'a> {
    pub(super) fn new(rules: &'a Rules, index: &'a Index, number: usize) -> SliceMoves<'a> {
        let slice = index.slices().get(number);
        let mut moves = SliceMoves {
            rules,
            index,
            slice,
            places: Places::new(rules, index, slice),
            owner: [0; MAX_PIECES],
            face: [0; MAX_PIECES],
            kind: [0; MAX_PIECES],
            pieces: index.lanes().pieces(),
        };
        for group in index.layouts().groups() {
            for slot in group.slots() {
                let field = index.lanes().field(slot);
                moves.owner[slot] = 1 << field.owner_bit();
                moves.face[slot] = u32::from(field.two_faced()) << (field.owner_bit() + 1);
                moves.kind[slot] = group.kind;
            }
        }
        moves
    }

    /// The numbers of the slices that children may stand in, the turned slice first. A slice may
    /// come more than once.
    pub(super) fn children(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.children()
    }

    /// Works out the moves of the layout with this number.
    pub(super) fn layout(
        &self,
        number: u64,
        scratch: &mut Scratch,
        maps: &mut Maps,
        out: &mut LayoutMoves,
    ) {
        out.holes.clear();
        out.wins.clear();
        out.tries.clear();
        out.edges.clear();
        self.place(number, scratch);
        self.find_holes(scratch, out);
        for i in 0..scratch.on_board.len() {
            let slot = scratch.on_board[i];
            let from = out.edges.len();
            self.board_moves(slot, false, scratch, maps, out);
            if self.face[slot] != 0 {
                let middle = out.edges.len();
                self.board_moves(slot, true, scratch, maps, out);
                merge_faces(&mut out.edges, from, middle, self.face[slot]);
            }
        }
        self.king_moves(scratch, maps, out);
        self.drops(scratch, maps, out);
    }

    fn place(&self, number: u64, scratch: &mut Scratch) {
        let layouts = self.index.layouts();
        let layout = layouts.unrank(number);
        scratch.on_board.clear();
        scratch.blocks.clear();
        for (slot, &free) in layout.iter().enumerate().take(self.pieces) {
            let on_board = free < layouts.free();
            scratch.at[slot] = on_board.then(|| board_square(self.slice, free));
            if on_board {
                scratch.on_board.push(slot);
            }
        }
    }

    fn find_holes(&self, scratch: &Scratch, out: &mut LayoutMoves) {
        for slot in 0..self.pieces {
            let (owner, face) = (self.owner[slot], self.face[slot]);
            let Some(square) = scratch.at[slot] else {
                if face != 0 {
                    out.holes.push(Cube::ALL.with(face, true));
                }
                // Among like pieces in hand ours are named first.
                let next = slot + 1;
                if next < self.pieces && self.kind[next] == self.kind[slot] {
                    let swapped = Cube::ALL.with(owner, true).with(self.owner[next], false);
                    out.holes.push(swapped);
                }
                continue;
            };
            for (side, theirs) in [(Side::Black, false), (Side::White, true)] {
                let piece = Piece::new(side, self.kind[slot], false);
                if !self.index.may_stand(piece, square) {
                    out.holes
                        .push(Cube::ALL.with(owner, theirs).with(face, false));
                }
            }
        }
    }

    /// The moves of one piece of ours on the board that shows this face.
    fn board_moves(
        &self,
        slot: usize,
        promoted: bool,
        scratch: &mut Scratch,
        maps: &mut Maps,
        out: &mut LayoutMoves,
    ) {
        let Some(from) = scratch.at[slot] else { return };
        let piece = Piece::new(Side::Black, self.kind[slot], promoted);
        if !self.index.may_stand(piece, from) {
            return;
        }
        let ours = Cube::ALL
            .with(self.owner[slot], false)
            .with(self.face[slot], promoted);
        let reach = self.reach(piece, from, self.slice.own, Some(slot), None, scratch);
        for to in squares(reach) {
            let captured = self.standing_on(to, scratch);
            let arrived = self.rules.arrived(piece, to, captured.is_some());
            let flip = if arrived.promoted() == promoted {
                0
            } else {
                self.face[slot]
            };
            if to == self.slice.other {
                let found = &mut |cube| out.wins.push(cube);
                cubes(&scratch.sets, &scratch.bits, to.bit(), ours, found);
                continue;
            }
            let to_block = self.block(0, slot, to, captured, scratch, maps);
            let (sets, bits) = (&scratch.sets, &scratch.bits);
            cubes(sets, bits, to.bit(), ours, &mut |cube| {
                self.push_edges(cube, flip, to, to_block, captured, &mut out.edges);
            });
        }
    }

    fn king_moves(&self, scratch: &mut Scratch, maps: &mut Maps, out: &mut LayoutMoves) {
        let king = Piece::king(Side::Black);
        let from = self.slice.own;
        let mut reach = self.reach(king, from, from, None, None, scratch);
        if reach & self.slice.other.bit() != 0 {
            let (bit, found) = (self.slice.other.bit(), &mut |cube| out.wins.push(cube));
            cubes(&scratch.sets, &scratch.bits, bit, Cube::ALL, found);
            reach &= !bit;
        }
        let mut tries = Vec::new();
        for to in squares(reach) {
            let captured = self.standing_on(to, scratch);
            let (sets, bits) = (&scratch.sets, &scratch.bits);
            match self.places.king_move(to) {
                KingMove::Taken => {}
                KingMove::Unreached => unreachable!("king_reach() has all squares"),
                KingMove::FarRank => cubes(sets, bits, to.bit(), Cube::ALL, &mut |cube| {
                    tries.push((to, captured, cube));
                }),
                KingMove::Stored(child) => {
                    let to_block = self.block(child, KING, to, captured, scratch, maps);
                    let (sets, bits) = (&scratch.sets, &scratch.bits);
                    cubes(sets, bits, to.bit(), Cube::ALL, &mut |cube| {
                        self.push_edges(cube, 0, to, to_block, captured, &mut out.edges);
                    });
                }
            }
        }
        for (to, captured, moves) in tries {
            let attacked = self.attackers(to, captured, scratch);
            out.tries.push(Try { moves, attacked });
        }
    }

    /// The lanes in which the other side attacks our king on `to`, where it has captured that piece.
    fn attackers(&self, to: Square, captured: Option<usize>, scratch: &mut Scratch) -> Vec<Cube> {
        let mut attacked = Vec::new();
        let king = (Piece::king(Side::White), self.slice.other, None, Cube::ALL);
        let mut all = vec![king];
        for &slot in scratch.on_board.iter().filter(|&&s| Some(s) != captured) {
            let Some(from) = scratch.at[slot] else {
                continue;
            };
            for promoted in [false, true] {
                let piece = Piece::new(Side::White, self.kind[slot], promoted);
                let has_face = !promoted || self.face[slot] != 0;
                if has_face && self.index.may_stand(piece, from) {
                    let theirs = Cube::ALL
                        .with(self.owner[slot], true)
                        .with(self.face[slot], promoted);
                    all.push((piece, from, Some(slot), theirs));
                }
            }
        }
        for (piece, from, slot, theirs) in all {
            self.reach(piece, from, to, slot, captured, scratch);
            let found = &mut |cube| attacked.push(cube);
            cubes(&scratch.sets, &scratch.bits, to.bit(), theirs, found);
        }
        attacked
    }

    fn drops(&self, scratch: &mut Scratch, maps: &mut Maps, out: &mut LayoutMoves) {
        let occupied = scratch.on_board.iter().filter_map(|&s| scratch.at[s]);
        let kings = self.slice.own.bit() | self.slice.other.bit();
        let occupied = occupied.fold(kings, |set, square| set | square.bit());
        let empty = self.rules.drop_squares[Side::Black.index()] & !occupied;
        for group in self.index.layouts().groups() {
            // If any piece of the kind is in our hand, the first in hand is.
            let Some(slot) = group.slots().find(|&s| scratch.at[s].is_none()) else {
                continue;
            };
            let ours = Cube::ALL
                .with(self.owner[slot], false)
                .with(self.face[slot], false);
            for to in squares(empty) {
                let to_block = self.block(0, slot, to, None, scratch, maps);
                for promoted in [false, true] {
                    if self.rules.drops_face(group.kind, promoted) {
                        let flip = if promoted { self.face[slot] } else { 0 };
                        out.edges.push(Edge {
                            cube: ours,
                            flip,
                            to: to_block,
                        });
                    }
                }
            }
        }
    }

    /// Adds a move: one edge, or if it captures one for each face that the captured piece may show.
    fn push_edges(
        &self,
        cube: Cube,
        flip: u32,
        square: Square,
        to: Block,
        captured: Option<usize>,
        edges: &mut Vec<Edge>,
    ) {
        let Some(taken) = captured else {
            edges.push(Edge { cube, flip, to });
            return;
        };
        for promoted in [false, true] {
            let piece = Piece::new(Side::White, self.kind[taken], promoted);
            let has_face = !promoted || self.face[taken] != 0;
            if !has_face || !self.index.may_stand(piece, square) {
                continue;
            }
            // It was theirs and is ours, and shows no face in hand.
            let face = if promoted { self.face[taken] } else { 0 };
            edges.push(Edge {
                cube: cube
                    .with(self.owner[taken], true)
                    .with(self.face[taken], promoted),
                flip: flip | self.owner[taken] | face,
                to,
            });
        }
    }

    fn standing_on(&self, square: Square, scratch: &Scratch) -> Option<usize> {
        let on_board = scratch.on_board.iter();
        on_board.copied().find(|&s| scratch.at[s] == Some(square))
    }

    /// Asks the rules where a piece goes, for every owner pattern of the other pieces on the board,
    /// of which `left_out` has just been captured. Leaves the answers in `scratch.sets`, with the
    /// owner bits that number them in `scratch.bits`, and returns all squares together.
    fn reach(
        &self,
        piece: Piece,
        from: Square,
        own_king: Square,
        slot: Option<usize>,
        left_out: Option<usize>,
        scratch: &mut Scratch,
    ) -> SquareSet {
        let Scratch {
            at,
            on_board,
            sets,
            bits,
            ..
        } = scratch;
        bits.clear();
        sets.clear();
        let mut all = 0;
        let mut places = [0; MAX_PIECES];
        for &other in on_board.iter() {
            if Some(other) != slot && Some(other) != left_out {
                places[bits.len()] = at[other].map_or(0, Square::bit);
                all |= places[bits.len()];
                bits.push(self.owner[other]);
            }
        }
        let mut ours = own_king.bit();
        let mut theirs = self.slice.other.bit();
        if piece.side() == Side::Black {
            ours |= from.bit();
        } else {
            theirs |= from.bit();
        }
        let mut union = 0;
        for pattern in 0..1usize << bits.len() {
            let mut black = 0;
            for (i, place) in places[..bits.len()].iter().enumerate() {
                black |= if pattern >> i & 1 == 0 { *place } else { 0 };
            }
            let (black, white) = (ours | black, theirs | all & !black);
            let set = match piece.side() {
                Side::Black => self.rules.targets(piece, from, black, white),
                Side::White => self.rules.targets(piece, from, white, black),
            };
            union |= set;
            sets.push(set);
        }
        union
    }

    /// [`Places::block`], kept for the layout: both faces of a piece go there.
    fn block(
        &self,
        child: usize,
        slot: usize,
        to: Square,
        captured: Option<usize>,
        scratch: &mut Scratch,
        maps: &mut Maps,
    ) -> Block {
        let known = scratch.blocks.iter();
        if let Some(&(.., block)) = known.rev().find(|b| (b.0, b.1) == (slot, to)) {
            return block;
        }
        let at = &scratch.at;
        let block = self.places.block(child, slot, to, captured, at, maps);
        scratch.blocks.push((slot, to, block));
        block
    }
}

/// Makes one edge of two that differ only in the face of the mover: those from `from` on are for its
/// base face, those from `middle` on for the other.
fn merge_faces(edges: &mut Vec<Edge>, from: usize, middle: usize, face: u32) {
    let mut i = middle;
    while i < edges.len() {
        let other = edges[i];
        let twin = edges[from..middle].iter_mut().find(|base| {
            base.to == other.to
                && base.flip == other.flip
                && base.cube.mask == other.cube.mask
                && base.cube.value | face == other.cube.value
        });
        if let Some(twin) = twin {
            twin.cube.mask &= !face;
            edges.swap_remove(i);
        } else {
            i += 1;
        }
    }
}
