//! The positions decided at one level, packed.

use super::block::Block;

/// Blocks in the order they were added, in the view of the side that has just moved. Most lanes of
/// a decided block are empty, so of wide blocks only the words that are not 0 are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    /// Words of a block; 0 if there is none.
    width: usize,
    layouts: Vec<u32>,
    words: Vec<u64>,
}

/// Blocks of more words than this are packed.
const PLAIN: usize = 4;

impl Frontier {
    pub(super) const EMPTY: Frontier = Frontier {
        width: 0,
        layouts: Vec::new(),
        words: Vec::new(),
    };

    /// Adds a block.
    #[inline(always)]
    pub(super) fn push<const N: usize>(&mut self, layout: u32, lanes: &Block<N>) {
        self.width = N;
        self.layouts.push(layout);
        if N <= PLAIN {
            self.words.extend_from_slice(lanes);
            return;
        }
        for part in lanes.chunks(64) {
            let used = part
                .iter()
                .enumerate()
                .map(|(w, &word)| u64::from(word != 0) << w);
            self.words.push(used.fold(0, |used, bit| used | bit));
            self.words.extend(part.iter().filter(|&&word| word != 0));
        }
    }

    /// The same without room for more.
    pub(super) fn fitted(mut self) -> Self {
        self.layouts.shrink_to_fit();
        self.words.shrink_to_fit();
        self
    }

    /// Whether it has no block.
    pub(super) fn is_empty(&self) -> bool {
        self.layouts.is_empty()
    }

    /// Adds the blocks of another one of the same slice.
    pub(super) fn join(&mut self, other: Frontier) {
        self.width = self.width.max(other.width);
        self.layouts.extend(other.layouts);
        self.words.extend(other.words);
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(self) + 4 * self.layouts.capacity() + 8 * self.words.capacity()) as u64
    }

    /// Appends it as bytes: words of a block, number of blocks, layouts as distances from the one
    /// before, which are small and compress well, words.
    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend((self.width as u64).to_le_bytes());
        out.extend((self.layouts.len() as u64).to_le_bytes());
        let mut before = 0_u32;
        out.extend(self.layouts.iter().flat_map(|&layout| {
            let distance = layout.wrapping_sub(before);
            before = layout;
            distance.to_le_bytes()
        }));
        out.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// Reads what [`Self::append_to`] wrote; `None` if it cannot be that.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (width, rest) = bytes.split_first_chunk::<8>()?;
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let (layouts, words) = rest.split_at_checked(count.checked_mul(4)?)?;
        let (words, odd) = words.as_chunks::<8>();
        let mut before = 0_u32;
        let frontier = Frontier {
            width: usize::try_from(u64::from_le_bytes(*width)).ok()?,
            layouts: layouts
                .as_chunks()
                .0
                .iter()
                .map(|distance| {
                    before = before.wrapping_add(u32::from_le_bytes(*distance));
                    before
                })
                .collect(),
            words: words.iter().map(|w| u64::from_le_bytes(*w)).collect(),
        };
        (odd.is_empty() && frontier.is_whole()).then_some(frontier)
    }

    /// Whether there are as many words as the blocks say.
    fn is_whole(&self) -> bool {
        let blocks = self.layouts.len();
        if self.width <= PLAIN {
            return self.width.checked_mul(blocks) == Some(self.words.len());
        }
        let mut words = self.words.as_slice();
        let Some(parts) = self.width.div_ceil(64).checked_mul(blocks) else {
            return false;
        };
        for _ in 0..parts {
            let Some((used, rest)) = words.split_first() else {
                return false;
            };
            let Some(rest) = rest.get(used.count_ones() as usize..) else {
                return false;
            };
            words = rest;
        }
        words.is_empty()
    }

    /// The blocks with their layouts.
    #[inline(always)]
    pub(super) fn iter<const N: usize>(&self) -> Blocks<'_, N> {
        Blocks {
            layouts: self.layouts.iter(),
            words: &self.words,
        }
    }
}

/// The blocks of a frontier, in the order they were added.
pub(super) struct Blocks<'a, const N: usize> {
    layouts: std::slice::Iter<'a, u32>,
    words: &'a [u64],
}

impl<const N: usize> Blocks<'_, N> {
    /// The layout of the block that comes after `skipped` others.
    #[inline(always)]
    pub(super) fn ahead(&self, skipped: usize) -> Option<u32> {
        self.layouts.as_slice().get(skipped).copied()
    }
}

impl<const N: usize> Iterator for Blocks<'_, N> {
    type Item = (u32, Block<N>);

    // An iterator, not a function that is given a closure: a closure would be compiled for the
    // plainest processor.
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, Block<N>)> {
        let layout = *self.layouts.next()?;
        if N <= PLAIN {
            let (lanes, rest) = self.words.split_first_chunk()?;
            self.words = rest;
            return Some((layout, *lanes));
        }
        let mut lanes = [0; N];
        for part in lanes.chunks_mut(64) {
            let (used, mut rest) = self.words.split_first()?;
            let mut used = *used;
            while used != 0 {
                let (word, after) = rest.split_first()?;
                part[used.trailing_zeros() as usize] = *word;
                used &= used - 1;
                rest = after;
            }
            self.words = rest;
        }
        Some((layout, lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(
            blocks in prop::collection::vec((any::<u32>(), prop::array::uniform16(prop_oneof![3 => Just(0u64), 1 => any::<u64>()])), 0..9)
        ) {
            let mut packed = Frontier::EMPTY;
            for (layout, lanes) in &blocks {
                packed.push(*layout, lanes);
            }
            prop_assert_eq!(packed.iter::<16>().collect::<Vec<_>>(), blocks);
            let mut bytes = Vec::new();
            packed.append_to(&mut bytes);
            prop_assert_eq!(Frontier::from_bytes(&bytes), Some(packed));
            bytes.pop();
            prop_assert_eq!(Frontier::from_bytes(&bytes), None);
        }
    }
}
