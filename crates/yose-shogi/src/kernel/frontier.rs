//! The positions decided at one level, packed.

use super::block::Block;

/// Blocks in the order they were added, in the view of the side that has just moved. Most lanes of
/// a decided block are empty, so of wide blocks only the words that are not 0 are kept.
#[derive(Debug)]
pub(super) struct Frontier<const N: usize> {
    layouts: Vec<u32>,
    words: Vec<u64>,
}

/// Blocks of more words than this are packed.
const PLAIN: usize = 4;

impl<const N: usize> Frontier<N> {
    pub(super) const EMPTY: Frontier<N> = Frontier {
        layouts: Vec::new(),
        words: Vec::new(),
    };

    /// Adds a block.
    #[inline(always)]
    pub(super) fn push(&mut self, layout: u32, lanes: &Block<N>) {
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

    /// The blocks with their layouts.
    #[inline(always)]
    pub(super) fn iter(&self) -> Blocks<'_, N> {
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
            let mut packed = Frontier::<16>::EMPTY;
            for (layout, lanes) in &blocks {
                packed.push(*layout, lanes);
            }
            prop_assert_eq!(packed.iter().collect::<Vec<_>>(), blocks);
        }
    }
}
