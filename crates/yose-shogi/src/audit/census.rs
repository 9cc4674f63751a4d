//! How many positions have each value, counted while they are checked.

use std::collections::BTreeMap;

use crate::index::{Index, MAX_PIECES, board_square, slice_square};

/// Numbers by code.
#[derive(Debug, Default, Clone)]
pub(super) struct Numbers {
    small: Vec<u64>,
    large: BTreeMap<u32, u64>,
}

/// Codes from here on are rare.
const LARGE: u32 = 1 << 16;

impl Numbers {
    #[inline]
    pub(super) fn add(&mut self, code: u32, number: u64) {
        if code >= LARGE {
            *self.large.entry(code).or_default() += number;
            return;
        }
        let code = code as usize;
        if code >= self.small.len() {
            self.small.resize(code + 1, 0);
        }
        self.small[code] += number;
    }

    fn merge(&mut self, other: &Numbers) {
        for (code, number) in other.iter() {
            self.add(code, number);
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        let small = (0..).zip(self.small.iter().copied());
        let large = self.large.iter().map(|(&code, &number)| (code, number));
        small.chain(large).filter(|&(_, number)| number > 0)
    }
}

/// The stored positions by code.
#[derive(Debug, Default, Clone)]
pub(super) struct Census {
    /// In slices where the mirror is folded.
    pub(super) folded: Numbers,
    /// In slices that are their own mirror image.
    pub(super) unfolded: Numbers,
    /// Those among the latter that are their own mirror image.
    pub(super) symmetric: Numbers,
}

impl Census {
    pub(super) fn merge(&mut self, other: &Census) {
        self.folded.merge(&other.folded);
        self.unfolded.merge(&other.unfolded);
        self.symmetric.merge(&other.symmetric);
    }

    /// By code: how many positions, `canonical` and `all`.
    pub(super) fn positions(&self) -> BTreeMap<u32, (u64, u64)> {
        let mut positions: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (code, number) in self.folded.iter() {
            let (canonical, all) = positions.entry(code).or_default();
            *canonical += number;
            *all += 4 * number;
        }
        for (code, number) in self.unfolded.iter() {
            let symmetric = self.symmetric.small.get(code as usize);
            let symmetric = symmetric.or_else(|| self.symmetric.large.get(&code));
            let (canonical, all) = positions.entry(code).or_default();
            *canonical += (number + symmetric.copied().unwrap_or(0)) / 2;
            *all += 2 * number;
        }
        positions
    }
}

/// Pairs of pieces that change places in the mirror, as shifts of a lane number, with the mask of
/// what must be equal. `None` if the mirror image of the layout is another layout.
pub(super) fn mirrored_pairs(index: &Index, slice: usize, layout: u64) -> Option<Vec<[u32; 3]>> {
    let kings = index.slices().get(slice);
    let board = index.board();
    let squares = index.layouts().unrank(layout);
    let mut pairs = Vec::new();
    for group in index.layouts().groups() {
        for slot in group.slots() {
            if squares[slot] >= index.layouts().free() {
                continue;
            }
            let image = board.mirrored(board_square(kings, squares[slot]));
            let image = slice_square(kings, image);
            let twin = group.slots().find(|&twin| squares[twin] == image)?;
            if slot < twin {
                let field = |slot| index.lanes().field(slot);
                let mask = if group.two_faced { 3 } else { 1 };
                pairs.push([field(slot).owner_bit(), field(twin).owner_bit(), mask]);
            }
        }
    }
    debug_assert!(pairs.len() <= MAX_PIECES);
    Some(pairs)
}
