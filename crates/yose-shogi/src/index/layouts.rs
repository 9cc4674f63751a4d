//! Layouts: which free square each piece stands on, or that it is in hand.

#![allow(
    clippy::cast_possible_truncation,
    reason = "squares are under 32 and slots under 16"
)]

use super::MAX_PIECES;

/// Pieces of one kind: they are alike, so a layout names them in ascending order of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Number of the kind in the variant.
    pub kind: usize,
    /// How many pieces of the kind there are.
    pub count: u8,
    /// The slot of the first of them; the others follow.
    pub first: u8,
    /// Whether the kind has a second face.
    pub two_faced: bool,
}

impl Group {
    /// The slots of the pieces of this kind.
    #[must_use]
    pub fn slots(self) -> std::ops::Range<usize> {
        usize::from(self.first)..usize::from(self.first + self.count)
    }
}

/// The free squares of the pieces by slot; the number of free squares stands for "in hand".
/// Within a group squares ascend, so pieces in hand come last.
pub type Layout = [u8; MAX_PIECES];

/// The numbering of the layouts of an inventory on a number of free squares.
///
/// Groups are placed in order. A group with `c` pieces on `f` squares that are still free first
/// chooses how many of its pieces stand on the board (all of them first), then which squares
/// (colexicographic, counting only squares that are still free).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layouts {
    free: u8,
    groups: Vec<Group>,
    /// `suffix[g][f]`: layouts of the groups from `g` on, on `f` free squares.
    suffix: Vec<Vec<u64>>,
}

impl Layouts {
    /// `None` if the number of layouts does not fit 64 bits.
    pub(crate) fn new(free: u8, groups: Vec<Group>) -> Option<Layouts> {
        let mut suffix = vec![vec![1u64; usize::from(free) + 1]];
        for group in groups.iter().rev() {
            let next = suffix.last().expect("starts with one row");
            let mut row = Vec::new();
            for f in 0..=free {
                let mut sum = 0u64;
                for on_board in 0..=group.count.min(f) {
                    let rest = next[usize::from(f - on_board)];
                    sum = sum.checked_add(binomial(f, on_board).checked_mul(rest)?)?;
                }
                row.push(sum);
            }
            suffix.push(row);
        }
        suffix.reverse();
        Some(Layouts {
            free,
            groups,
            suffix,
        })
    }

    /// The groups of like pieces, in slot order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Number of free squares, which also stands for "in hand" in a [`Layout`].
    #[must_use]
    pub fn free(&self) -> u8 {
        self.free
    }

    /// Number of layouts.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.suffix[0][usize::from(self.free)]
    }

    /// On how many sets of squares, or in hand, the pieces of the first `groups` groups can stand.
    pub(crate) fn parts(&self, groups: usize) -> u64 {
        let groups = self.groups.iter().take(groups).copied().collect();
        // Fewer than all layouts.
        Layouts::new(self.free, groups).map_or(u64::MAX, |pinned| pinned.count())
    }

    /// How many layouts have the pieces of the first `groups` groups on given squares, `on_board` of them on
    /// the board: their numbers follow one another.
    pub(crate) fn rest(&self, groups: usize, on_board: u8) -> u64 {
        self.suffix[groups][usize::from(self.free - on_board)]
    }

    /// The number of a layout whose squares are distinct and ascend within each group.
    #[must_use]
    pub fn rank(&self, layout: &Layout) -> u64 {
        let mut taken = 0u32;
        let mut free = self.free;
        let mut rank = 0;
        for (g, group) in self.groups.iter().enumerate() {
            let squares = &layout[group.slots()];
            let on_board = squares.iter().filter(|&&s| s < self.free).count() as u8;
            rank += self.skipped(g, free, on_board);
            let mut chosen = 0;
            let mut now = 0u32;
            for (i, &square) in squares[..usize::from(on_board)].iter().enumerate() {
                let below = u32::from(square) - (taken & ((1 << square) - 1)).count_ones();
                chosen += binomial(below as u8, i as u8 + 1);
                now |= 1 << square;
            }
            free -= on_board;
            rank += chosen * self.suffix[g + 1][usize::from(free)];
            taken |= now;
        }
        rank
    }

    /// The layout with this number.
    ///
    /// # Panics
    /// If the number is not under [`count`](Self::count).
    #[must_use]
    pub fn unrank(&self, mut rank: u64) -> Layout {
        assert!(rank < self.count(), "layout {rank} of {}", self.count());
        let mut layout = [self.free; MAX_PIECES];
        let mut taken = 0u32;
        let mut free = self.free;
        for (g, group) in self.groups.iter().enumerate() {
            let mut on_board = group.count.min(free);
            loop {
                let size =
                    binomial(free, on_board) * self.suffix[g + 1][usize::from(free - on_board)];
                if rank < size {
                    break;
                }
                rank -= size;
                on_board -= 1;
            }
            let rest = self.suffix[g + 1][usize::from(free - on_board)];
            let mut chosen = rank / rest;
            rank %= rest;
            let mut now = 0u32;
            for i in (0..on_board).rev() {
                let below = (0..free).rev().find(|&b| binomial(b, i + 1) <= chosen);
                let below = below.expect("binomial(0, i + 1) is 0");
                chosen -= binomial(below, i + 1);
                let square = nth_free(taken, below);
                layout[group.slots()][usize::from(i)] = square;
                now |= 1 << square;
            }
            taken |= now;
            free -= on_board;
        }
        layout
    }

    /// Layouts of the groups from `g` on that come before those with `on_board` pieces of `g` on
    /// the board.
    fn skipped(&self, g: usize, free: u8, on_board: u8) -> u64 {
        (on_board + 1..=self.groups[g].count.min(free))
            .map(|b| binomial(free, b) * self.suffix[g + 1][usize::from(free - b)])
            .sum()
    }
}

/// The square with `below` free squares under it.
fn nth_free(taken: u32, below: u8) -> u8 {
    let mut free = !taken;
    for _ in 0..below {
        free &= free - 1;
    }
    free.trailing_zeros() as u8
}

/// Ways to choose `k` of `n` things; both are at most 32, so 64 bits hold it.
pub(crate) fn binomial(n: u8, k: u8) -> u64 {
    if k > n {
        return 0;
    }
    (0..u64::from(k)).fold(1, |product, i| product * (u64::from(n) - i) / (i + 1))
}
