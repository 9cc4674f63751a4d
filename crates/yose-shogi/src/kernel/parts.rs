//! Slices cut into parts: the layouts in which the pieces of the first groups, the *pinned* ones, stand on the
//! same squares. Their numbers follow one another. Without pinned pieces a part is a whole slice.

use std::ops::Range;

use super::block::{Block, Ops};
use super::geometry::KingHop;
use super::tables::Tables;
use super::unit::Set;
use crate::index::{Layout, MAX_PIECES};

/// Some layouts of a slice.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) slice: usize,
    /// Their numbers in the view of the side to move.
    pub(super) layouts: Range<u32>,
    /// Their numbers in the view of the side that has just moved, as won lanes and frontiers have them.
    pub(super) turned: Range<u32>,
    /// The first of them: the other pieces in hand. Pinned pieces alone are looked at.
    pinned: Layout,
}

impl Part {
    /// How many layouts there are.
    pub(super) fn len(&self) -> usize {
        self.layouts.len()
    }
}

/// All parts of all slices, one slice after the other, and what they read.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) all: Vec<Part>,
    /// By part: those that its moves lead to, each once. The first of a slice is the one that most lead to.
    pub(super) children: Vec<Vec<usize>>,
    /// By part: the one that is its turned image, if it is stored.
    pub(super) images: Vec<Option<usize>>,
}

/// The parts of any slice.
struct Cut {
    /// The first layout of each part, and the end.
    starts: Vec<u32>,
    /// By part: the squares of the pinned pieces, all others in hand.
    pinned: Vec<Layout>,
}

impl Cut {
    /// The part with this layout.
    fn of(&self, number: u32) -> usize {
        self.starts.partition_point(|&start| start <= number) - 1
    }

    fn range(&self, part: usize) -> Range<u32> {
        self.starts[part]..self.starts[part + 1]
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// Whether the piece in a slot is pinned.
    #[inline(always)]
    pub(super) fn is_pinned(&self, slot: usize) -> bool {
        usize::from(self.locator.group[slot]) < self.pinned
    }

    fn cut(&self) -> Cut {
        let layouts = self.locator.numbering();
        let groups = &layouts.groups()[..self.pinned];
        let slots = groups.iter().map(|group| usize::from(group.count)).sum();
        let mut cut = Cut {
            starts: vec![0],
            pinned: Vec::new(),
        };
        let mut next = 0;
        while next < layouts.count() {
            let mut squares = layouts.unrank(next);
            squares[slots..].fill(self.free);
            let on_board = squares[..slots]
                .iter()
                .filter(|&&square| square < self.free)
                .count();
            next += layouts.rest(self.pinned, on_board as u8);
            cut.starts.push(next as u32);
            cut.pinned.push(squares);
        }
        cut
    }

    /// The stored slices, cut into parts.
    pub(super) fn parts(&self) -> Parts {
        let cut = self.cut();
        let count = cut.pinned.len();
        let turned = |slice: usize, squares: &Layout| {
            cut.of(self.number_seen(squares, &self.moves[slice].turn))
        };
        let mut parts = Parts {
            all: Vec::new(),
            children: Vec::new(),
            images: Vec::new(),
        };
        // By slice and part in the view of the side that has just moved: the part.
        let mut of_turned = vec![0; self.moves.len() * count];
        for slice in 0..self.moves.len() {
            for (part, pinned) in cut.pinned.iter().enumerate() {
                let image = turned(slice, pinned);
                of_turned[slice * count + image] = slice * count + part;
                parts.all.push(Part {
                    slice,
                    layouts: cut.range(part),
                    turned: cut.range(image),
                    pinned: *pinned,
                });
            }
        }
        // By part: the last one that was seen to read it.
        let mut reader = vec![usize::MAX; parts.all.len()];
        for (at, part) in parts.all.iter().enumerate() {
            let mut children: Vec<usize> = Vec::new();
            self.each_child(part, |slice, number| {
                let child = of_turned[slice * count + cut.of(number)];
                if std::mem::replace(&mut reader[child], at) != at {
                    children.push(child);
                }
            });
            parts.children.push(children);
            let image = self.moves[part.slice].turned;
            let stored = image < self.moves.len();
            parts
                .images
                .push(stored.then(|| image * count + turned(part.slice, &part.pinned)));
        }
        parts
    }

    /// The slices that moves from a part lead to, each with the number of a layout of the part there, as those
    /// see it that have just moved. Moves that leave the pinned pieces where they are come first; some may be
    /// none that anybody can make.
    fn each_child(&self, part: &Part, mut child: impl FnMut(usize, u32)) {
        let moves = &self.moves[part.slice];
        let pinned = &part.pinned;
        let turned = moves.turned;
        let is_stored = turned < self.moves.len();
        if is_stored {
            child(turned, self.locator.number::<LIKE>(*pinned));
        }
        let taken = |king: &KingHop| (0..MAX_PIECES).find(|&slot| pinned[slot] == king.hop.to);
        for king in moves.king_hops.iter().filter(|king| taken(king).is_none()) {
            child(king.child, self.number_seen(pinned, &king.squares));
        }
        let moved = |changes: &[(usize, u8)]| {
            let mut squares = *pinned;
            for &(slot, to) in changes {
                squares[slot] = to;
            }
            squares
        };
        for king in &moves.king_hops {
            if let Some(slot) = taken(king) {
                let after = moved(&[(slot, self.free)]);
                child(king.child, self.number_seen(&after, &king.squares));
            }
        }
        if !is_stored {
            return;
        }
        let on = |square: u8| (0..MAX_PIECES).find(|&slot| pinned[slot] == square);
        let mut reached = |changes: &[(usize, u8)]| {
            child(turned, self.locator.number::<LIKE>(moved(changes)));
        };
        for slot in (0..self.pieces).filter(|&slot| self.is_pinned(slot)) {
            let at = pinned[slot];
            if at == self.free {
                let mut targets = if self.drops {
                    self.drop_targets(moves)
                } else {
                    0
                };
                while targets != 0 {
                    let to = targets.trailing_zeros() as u8;
                    targets &= targets - 1;
                    if on(to).is_none() {
                        reached(&[(slot, to)]);
                    }
                }
                continue;
            }
            reached(&[(slot, self.free)]);
            for hop in moves.hops.of(self.kind[slot], at) {
                match on(hop.to) {
                    None => reached(&[(slot, hop.to)]),
                    Some(taken) => reached(&[(slot, hop.to), (taken, self.free)]),
                }
            }
        }
    }

    /// The number of a layout of which the free squares are seen as others.
    fn number_seen(&self, squares: &Layout, as_others: &[u8]) -> u32 {
        let mut seen = *squares;
        for square in &mut seen[..self.pieces] {
            *square = as_others[usize::from(*square)];
        }
        self.locator.number::<LIKE>(seen)
    }

    /// Whether a move of the king that leaves the pinned pieces of a part where they are leads to layouts with
    /// these numbers.
    pub(super) fn stay(&self, part: &Part, king: &KingHop, turned: &Range<u32>) -> bool {
        let squares = &part.pinned[..self.pieces];
        !squares.contains(&king.hop.to)
            && turned.contains(&self.number_seen(&part.pinned, &king.squares))
    }
}

/// The won lanes of a slice's positions, as those see them that have just moved, as far as they are at hand.
#[derive(Debug, Default)]
pub(super) struct Shelf<'a, const N: usize> {
    /// The first layout of the set that is asked most, and the set.
    base: u32,
    near: &'a [Block<N>],
    /// The others.
    far: Vec<(u32, &'a [Block<N>])>,
}

impl<'a, const N: usize> Shelf<'a, N> {
    const ALL: Block<N> = [u64::MAX; N];

    /// Sets from a layout on. The one that is asked most comes first.
    pub(super) fn new(sets: &[Set<'a>]) -> Self {
        let mut sets = sets.iter().map(|(base, set)| (*base, set.as_chunks().0));
        let (base, near) = sets.next().unwrap_or_default();
        Shelf {
            base,
            near,
            far: sets.collect(),
        }
    }

    /// Whether no set is at hand.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// The won lanes of a layout; all lanes if they are not at hand, so that no move there saves anybody.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> &Block<N> {
        match self.near.get(number.wrapping_sub(self.base) as usize) {
            Some(lanes) => lanes,
            None => self.get_far(number),
        }
    }

    #[cold]
    fn get_far(&self, number: u32) -> &Block<N> {
        let sets = self.far.iter();
        let mut at = sets.filter_map(|(base, set)| set.get(number.checked_sub(*base)? as usize));
        at.next().unwrap_or(&Self::ALL)
    }
}
