//! The positions decided at one level, packed.

use std::io::{self, Read, Write};
use std::ops::Range;

use yose_retro::partition::BadBytes;

use super::block::Block;
use super::words;

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

/// Layouts that are written or read at a time.
const AT_ONCE: usize = 1024;

/// Layouts for which memory is taken before they are read: the number of them may be anyone's.
const MOST_UNREAD: usize = 1 << 20;

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
        self.layouts.reserve_exact(other.layouts.len());
        self.words.reserve_exact(other.words.len());
        self.layouts.extend(other.layouts);
        self.words.extend(other.words);
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(self) + 4 * self.layouts.capacity() + 8 * self.words.capacity()) as u64
    }

    /// Writes it: words of a block, number of blocks, layouts as distances from the one before, which
    /// are small and compress well, words.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        words::write(&[self.width as u64, self.layouts.len() as u64], out)?;
        let mut before = 0_u32;
        for layouts in self.layouts.chunks(AT_ONCE) {
            let mut bytes = [[0; 4]; AT_ONCE];
            for (bytes, &layout) in bytes.iter_mut().zip(layouts) {
                *bytes = layout.wrapping_sub(before).to_le_bytes();
                before = layout;
            }
            out.write_all(bytes[..layouts.len()].as_flattened())?;
        }
        words::write(&self.words, out)
    }

    /// Reads so many bytes that [`Self::write`] has written.
    pub(super) fn read(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        let bad = || BadBytes("expected a frontier".to_owned());
        let mut head = Vec::new();
        words::read_onto(from, 2, &mut head)?;
        let size = |number: u64| usize::try_from(number).map_err(|_| bad());
        let (width, count) = (size(head[0])?, size(head[1])?);
        let words = size(bytes)?
            .checked_sub(16)
            .zip(count.checked_mul(4))
            .and_then(|(rest, layouts)| rest.checked_sub(layouts))
            .filter(|rest| rest.is_multiple_of(8))
            .ok_or_else(bad)?;
        let mut frontier = Frontier {
            width,
            layouts: Vec::with_capacity(count.min(MOST_UNREAD)),
            words: Vec::new(),
        };
        let mut before = 0_u32;
        while frontier.layouts.len() < count {
            let mut bytes = [[0; 4]; AT_ONCE];
            let now = (count - frontier.layouts.len()).min(AT_ONCE);
            from.read_exact(bytes[..now].as_flattened_mut())?;
            frontier.layouts.extend(bytes[..now].iter().map(|distance| {
                before = before.wrapping_add(u32::from_le_bytes(*distance));
                before
            }));
        }
        let mut left = words / 8;
        frontier.words.reserve_exact(left.min(MOST_UNREAD));
        while left > 0 {
            // These stay in the nearest cache: sooner copied than all memory is made zero to be read into.
            let mut some = [0; AT_ONCE];
            let now = left.min(AT_ONCE);
            words::read_words(from, &mut some[..now])?;
            frontier.words.extend_from_slice(&some[..now]);
            left -= now;
        }
        match frontier.is_whole() {
            true => Ok(frontier.fitted()),
            false => Err(bad().into()),
        }
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

    /// Whether its blocks have so many words, and its layouts are among these.
    pub(super) fn fits(&self, words: usize, layouts: &Range<u32>) -> bool {
        let width = self.layouts.is_empty() || self.width == words;
        width && self.layouts.iter().all(|layout| layouts.contains(layout))
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
    use yose_retro::partition::Pack as _;

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
            let mut bytes = packed.to_bytes();
            prop_assert_eq!(Frontier::from_bytes(&bytes), Ok(packed));
            bytes.pop();
            prop_assert!(Frontier::from_bytes(&bytes).is_err());
        }
    }
}
