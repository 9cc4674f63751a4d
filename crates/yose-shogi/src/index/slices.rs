//! Slices: the squares of the two kings, seen by the side to move and folded by the mirror.

use crate::square::{Board, Square};
use crate::variant::{Face, Goal, Variant};

/// The kings' squares in the view of the side to move, which moves up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The square of the king of the side to move.
    pub own: Square,
    /// The square of the other king.
    pub other: Square,
}

impl Slice {
    /// The same kings seen by the other side.
    #[must_use]
    pub fn turned(self, board: Board) -> Slice {
        Slice {
            own: board.turned(self.other),
            other: board.turned(self.own),
        }
    }

    /// The same kings in the mirror.
    #[must_use]
    pub fn mirrored(self, board: Board) -> Slice {
        Slice {
            own: board.mirrored(self.own),
            other: board.mirrored(self.other),
        }
    }
}

/// Where a pair of king squares is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceRef {
    /// Number of the slice.
    pub slice: usize,
    /// Whether positions have to be mirrored to stand in that slice.
    pub mirrored: bool,
}

/// All slices of a variant, numbered. Those in which the kings do not touch come first; in the
/// others the side to move takes the king at once, so no table stores them. Where a Try ends the
/// game, touching kings and kings on their far rank are outside the domain and have no slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slices {
    board: Board,
    slices: Vec<Slice>,
    stored: usize,
    /// By own square and other square.
    refs: Vec<Option<SliceRef>>,
}

impl Slices {
    pub(crate) fn new(variant: &Variant) -> Slices {
        let board = variant.board();
        let squares = board.squares();
        let try_ends = variant.goal == Goal::TakeKingOrTry;
        let (mut apart, mut touching) = (Vec::new(), Vec::new());
        for own in (0..squares).map(Square) {
            for other in (0..squares).map(Square) {
                let slice = Slice { own, other };
                let on_far_rank =
                    own.bit() & board.top_row() != 0 || other.bit() & board.bottom_row() != 0;
                if own == other || try_ends && on_far_rank || !is_canonical(board, slice) {
                    continue;
                }
                if !touches(board, &variant.king, slice) {
                    apart.push(slice);
                } else if !try_ends {
                    touching.push(slice);
                }
            }
        }
        let stored = apart.len();
        let mut slices = apart;
        slices.append(&mut touching);
        let mut refs = vec![None; usize::from(squares) * usize::from(squares)];
        for (number, &slice) in slices.iter().enumerate() {
            // A slice that is its own mirror image is written last as unmirrored.
            for (pair, mirrored) in [(slice.mirrored(board), true), (slice, false)] {
                let at = pair.own.index() * usize::from(squares) + pair.other.index();
                refs[at] = Some(SliceRef {
                    slice: number,
                    mirrored,
                });
            }
        }
        Slices {
            board,
            slices,
            stored,
            refs,
        }
    }

    /// Number of slices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slices.len()
    }

    /// Whether the variant has no slice at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// How many slices a table stores: those in which the kings do not touch. They come first.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// The slice with this number.
    ///
    /// # Panics
    /// If the number is not under [`len`](Self::len).
    #[must_use]
    pub fn get(&self, number: usize) -> Slice {
        self.slices[number]
    }

    /// Where this pair of squares is kept, `None` outside the domain.
    #[must_use]
    pub fn find(&self, slice: Slice) -> Option<SliceRef> {
        self.refs[slice.own.index() * usize::from(self.board.squares()) + slice.other.index()]
    }

    /// Whether mirror images share this slice: both kings stand on the centre file. Such a slice
    /// holds both images of every position.
    #[must_use]
    pub fn is_self_mirrored(&self, number: usize) -> bool {
        let slice = self.slices[number];
        slice.mirrored(self.board) == slice
    }

    /// The number of the slice in which positions of this one stand after turning, and whether
    /// they have to be mirrored. Turning twice leads back.
    ///
    /// # Panics
    /// If the number is not under [`len`](Self::len).
    #[must_use]
    pub fn turned(&self, number: usize) -> SliceRef {
        let turned = self.slices[number].turned(self.board);
        self.find(turned)
            .expect("the domain is closed under turning the board")
    }
}

/// Our king stands in the left half; on the centre file, their king does.
fn is_canonical(board: Board, slice: Slice) -> bool {
    let side = |square| {
        let column = board.column(square);
        column.cmp(&(board.columns - 1 - column))
    };
    side(slice.own).then(side(slice.other)).is_le()
}

/// Whether the king reaches the other king's square whatever else stands on the board.
fn touches(board: Board, king: &Face, slice: Slice) -> bool {
    let near = king
        .steps
        .iter()
        .chain(king.slides.iter())
        .map(crate::Direction::offset);
    near.chain(king.leaps.iter().copied())
        .any(|offset| board.offset(slice.own, offset) == Some(slice.other))
}
