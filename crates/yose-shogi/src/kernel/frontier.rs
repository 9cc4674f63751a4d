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

    /// Calls `f` with every block.
    #[inline(always)]
    pub(super) fn for_each(&self, mut f: impl FnMut(u32, &Block<N>)) {
        if N <= PLAIN {
            for (&layout, lanes) in self.layouts.iter().zip(self.words.as_chunks().0) {
                f(layout, lanes);
            }
            return;
        }
        let mut words = self.words.iter();
        let mut next = || words.next().copied().unwrap_or(0);
        for &layout in &self.layouts {
            let mut lanes = [0; N];
            for part in lanes.chunks_mut(64) {
                let mut used = next();
                while used != 0 {
                    part[used.trailing_zeros() as usize] = next();
                    used &= used - 1;
                }
            }
            f(layout, &lanes);
        }
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
            let mut out = Vec::new();
            packed.for_each(|layout, lanes| out.push((layout, *lanes)));
            prop_assert_eq!(out, blocks);
        }
    }
}
