//! The dense index: a number for every position of an inventory, turn and mirror folded.
//!
//! A position is seen by the side to move, which moves up, and mirrored so that its king stands in
//! the left half of the board. Its index is made of three digits:
//!
//! - the *slice*: the squares of the two kings ([`Slices`]);
//! - the *layout*: the square of every other piece, or that it is in hand ([`Layouts`]);
//! - the *lane*: an owner bit for every piece and a face bit for those that have two faces
//!   ([`Lanes`]). All lanes of a layout form a *block*, and a block has the same number of lanes
//!   everywhere.
//!
//! So the index is a product of small numberings and costs a few dozen instructions. The price is
//! holes: lanes that no legal position has (a base piece on its far rank where it cannot stand, a
//! face shown in hand, like pieces in hand named in the other order). [`Index::unrank`] answers
//! `None` for them, and [`Counts`](crate::Counts) tells how many positions are legal. Indices for
//! each canonical legal position: 1.98 for Shogi4 with one piece of each kind, 4.71 for its full
//! set, 1.42 for Micro's, 1.31 for Dobutsu's.
//!
//! On boards of odd width a slice with both kings on the centre file is its own mirror image; it
//! holds both images of a position, each with an index of its own.

#![allow(
    clippy::cast_possible_truncation,
    reason = "squares are under 32, slots under 16, and parts of an index under its size"
)]

mod lanes;
mod layouts;
mod slices;

pub use lanes::{Field, Lanes};
pub use layouts::{Group, Layout, Layouts};
pub use slices::{Slice, SliceRef, Slices};

use crate::inventory::Inventory;
use crate::position::{Piece, Position, Side};
use crate::square::{Board, Square, squares};
use crate::variant::{MAX_KINDS, Variant};

/// Most pieces other than kings that an index can hold.
pub const MAX_PIECES: usize = 8;

/// Why there is no index for an inventory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// More pieces than a block has room for: each takes an owner bit and may take a face bit.
    #[error("{pieces} pieces beside the kings; an index holds at most 8")]
    TooManyPieces {
        /// Pieces in the inventory, kings apart.
        pieces: u32,
    },
    /// More than 64 bits.
    #[error("the inventory has more than 2^64 arrangements")]
    TooLarge,
}

/// The dense index of all positions with one inventory. See the [module](self) for its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    board: Board,
    slices: Slices,
    layouts: Layouts,
    lanes: Lanes,
    /// By kind: whether its base face may stand on its owner's far rank.
    base_on_far_rank: [bool; MAX_KINDS],
}

impl Index {
    /// The index of the positions of `variant` with this inventory.
    ///
    /// # Errors
    /// If the inventory has more than [`MAX_PIECES`] pieces or the index does not fit 64 bits.
    pub fn new(variant: &Variant, inventory: &Inventory) -> Result<Index, IndexError> {
        let board = variant.board();
        let pieces: u32 = inventory.pieces();
        if pieces > MAX_PIECES as u32 {
            return Err(IndexError::TooManyPieces { pieces });
        }
        let mut groups = Vec::new();
        let mut first = 0;
        for (kind, data) in variant.kinds.iter().enumerate() {
            let count = inventory.count(kind);
            if count > 0 {
                groups.push(Group {
                    kind,
                    count,
                    first,
                    two_faced: data.promoted.is_some(),
                });
                first += count;
            }
        }
        let mut base_on_far_rank = [true; MAX_KINDS];
        for (kind, allowed) in base_on_far_rank
            .iter_mut()
            .enumerate()
            .take(variant.kinds.len())
        {
            *allowed = variant.base_on_far_rank(kind);
        }
        let lanes = Lanes::new(&groups);
        let slices = Slices::new(variant);
        let layouts = Layouts::new(board.squares() - 2, groups).ok_or(IndexError::TooLarge)?;
        let index = Index {
            board,
            slices,
            layouts,
            lanes,
            base_on_far_rank,
        };
        let blocks = (index.slices.len() as u64).checked_mul(index.layouts.count());
        let size = blocks.and_then(|b| b.checked_mul(index.lanes.width() as u64));
        size.ok_or(IndexError::TooLarge)?;
        Ok(index)
    }

    /// The same layouts and lanes with the slices of another variant of this board.
    pub(crate) fn with_slices_of(&self, variant: &Variant) -> Index {
        Index {
            slices: Slices::new(variant),
            ..self.clone()
        }
    }

    /// One more than the greatest index.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.slices.len() as u64 * self.layouts.count() * self.lanes.width() as u64
    }

    /// How many indices a table stores. They come first; in positions with greater indices the
    /// kings touch and the side to move wins at once.
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        self.slices.stored() as u64 * self.layouts.count() * self.lanes.width() as u64
    }

    /// The king pairs.
    #[must_use]
    pub fn slices(&self) -> &Slices {
        &self.slices
    }

    /// The layouts of a slice.
    #[must_use]
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// The lanes of a block.
    #[must_use]
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// The board of the variant.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The index of a position, `None` if it has other pieces than the inventory or stands outside
    /// the domain: a king is missing; or, in a variant with a Try, the kings touch or one stands on
    /// its far rank; or a base piece stands where none can.
    ///
    /// # Panics
    /// Never: the set of occupied squares and the board agree.
    #[must_use]
    pub fn rank(&self, position: &Position) -> Option<u64> {
        let black_to_move;
        let position = match position.turn() {
            Side::Black => position,
            Side::White => {
                black_to_move = position.turned(self.board);
                &black_to_move
            }
        };
        let kings = Slice {
            own: position.king(Side::Black)?,
            other: position.king(Side::White)?,
        };
        let at = self.slices.find(kings)?;
        let slice = self.slices.get(at.slice);
        let mut layout = [self.layouts.free(); MAX_PIECES];
        let mut lane = 0;
        let mut placed = [0u8; MAX_KINDS];
        let folded = |s| {
            if at.mirrored {
                self.board.mirrored(s)
            } else {
                s
            }
        };
        let occupied = position.occupied(Side::Black) | position.occupied(Side::White);
        let occupied = squares(occupied).fold(0, |set, s| set | folded(s).bit());
        for square in squares(occupied) {
            let piece = position.piece_on(folded(square)).expect("occupied");
            let Some(kind) = piece.kind() else { continue };
            let group = self.layouts.groups().iter().find(|g| g.kind == kind)?;
            if placed[kind] == group.count || !self.may_stand(piece, square) {
                return None;
            }
            let slot = usize::from(group.first + placed[kind]);
            placed[kind] += 1;
            layout[slot] = slice_square(slice, square);
            lane |= self
                .lanes
                .field(slot)
                .value(piece.side() == Side::White, piece.promoted());
        }
        for group in self.layouts.groups() {
            let mut slot = usize::from(group.first + placed[group.kind]);
            for side in [Side::Black, Side::White] {
                for _ in 0..position.in_hand(side, group.kind) {
                    if slot == group.slots().end {
                        return None;
                    }
                    lane |= self.lanes.field(slot).value(side == Side::White, false);
                    slot += 1;
                }
            }
            if slot != group.slots().end {
                return None;
            }
        }
        // Kinds outside the inventory are in no group: none may be in hand.
        let in_groups = |kind| self.layouts.groups().iter().any(|g| g.kind == kind);
        let stray = (0..MAX_KINDS).any(|kind| {
            !in_groups(kind)
                && position.in_hand(Side::Black, kind) + position.in_hand(Side::White, kind) > 0
        });
        if stray {
            return None;
        }
        let block = at.slice as u64 * self.layouts.count() + self.layouts.rank(&layout);
        Some(block * self.lanes.width() as u64 + lane as u64)
    }

    /// The position with this index, Black to move, or `None` for a hole or an index that is not
    /// under [`size`](Self::size).
    #[must_use]
    pub fn unrank(&self, index: u64) -> Option<Position> {
        if index >= self.size() {
            return None;
        }
        let width = self.lanes.width() as u64;
        let lane = (index % width) as usize;
        let block = index / width;
        let slice = self.slices.get((block / self.layouts.count()) as usize);
        let layout = self.layouts.unrank(block % self.layouts.count());
        let mut position = Position::empty(Side::Black);
        position.put(slice.own, Piece::king(Side::Black));
        position.put(slice.other, Piece::king(Side::White));
        for group in self.layouts.groups() {
            let mut in_hand = [0u8; 2];
            for slot in group.slots() {
                let field = self.lanes.field(slot);
                let side = if field.theirs(lane) {
                    Side::White
                } else {
                    Side::Black
                };
                let promoted = field.promoted(lane);
                if layout[slot] < self.layouts.free() {
                    let square = board_square(slice, layout[slot]);
                    let piece = Piece::new(side, group.kind, promoted);
                    if !self.may_stand(piece, square) {
                        return None;
                    }
                    position.put(square, piece);
                } else {
                    // In hand: no face, and ours are named before theirs.
                    if promoted || side == Side::Black && in_hand[1] > 0 {
                        return None;
                    }
                    in_hand[side.index()] += 1;
                }
            }
            position.set_in_hand(Side::Black, group.kind, in_hand[0]);
            position.set_in_hand(Side::White, group.kind, in_hand[1]);
        }
        Some(position)
    }

    /// Whether this piece can stand on this square at all.
    #[must_use]
    pub fn may_stand(&self, piece: Piece, square: Square) -> bool {
        let far_rank = match piece.side() {
            Side::Black => self.board.top_row(),
            Side::White => self.board.bottom_row(),
        };
        piece.promoted()
            || square.bit() & far_rank == 0
            || piece.kind().is_none_or(|kind| self.base_on_far_rank[kind])
    }
}

/// The number of a square among those that the kings leave free.
pub(crate) fn slice_square(slice: Slice, square: Square) -> u8 {
    square.0 - u8::from(slice.own < square) - u8::from(slice.other < square)
}

/// The square with this number among those that the kings leave free.
pub(crate) fn board_square(slice: Slice, free: u8) -> Square {
    let (low, high) = (slice.own.min(slice.other), slice.own.max(slice.other));
    let square = free + u8::from(free >= low.0);
    Square(square + u8::from(square >= high.0))
}
