//! Long arrays of blocks that begin at a cache line.

use std::io::{self, Read, Write};

use super::block::Block;

/// Words in a cache line.
const LINE: usize = 8;

/// Most cache lines that are asked for at a time: the processor fetches the rest of a long block by
/// itself.
const MOST_LINES: usize = 4;

/// Zeroed blocks of any width, the first of which begins at a cache line: a block of four words
/// never straddles two.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: Vec<u64>,
    start: usize,
    len: usize,
}

impl Default for Words {
    fn default() -> Self {
        Words::zeroed(0)
    }
}

impl Words {
    /// `len` zeroed words.
    pub(super) fn zeroed(len: usize) -> Words {
        let words = vec![0; len + LINE];
        // On a failure to align, which the standard library allows, any start will do.
        let start = match words.as_ptr().align_offset(LINE * size_of::<u64>()) {
            start if start <= LINE => start,
            _ => 0,
        };
        Words { words, start, len }
    }

    /// Reads so many words, little-endian, in place of these.
    pub(super) fn read_over(mut self, from: &mut impl Read, len: usize) -> io::Result<Words> {
        if self.len == len {
            let chunks = self.as_mut_slice().chunks_mut(READ_AT_ONCE);
            for chunk in chunks {
                read_words(from, chunk)?;
            }
            return Ok(self);
        }
        drop(self);
        let mut words = Words::with_room_for(len);
        read_onto(from, len, &mut words.words)?;
        Ok(words.filled(len))
    }

    /// Reads so many words, little-endian, in place of these; there are as many others behind them, so
    /// that they can be [moved apart](Words::move_apart).
    pub(super) fn read_half_over(mut self, from: &mut impl Read, len: usize) -> io::Result<Words> {
        if self.len == 2 * len {
            for chunk in self.as_mut_slice()[..len].chunks_mut(READ_AT_ONCE) {
                read_words(from, chunk)?;
            }
        } else {
            drop(self);
            self = Words::with_room_for(2 * len);
            read_onto(from, len, &mut self.words)?;
            self = self.filled(2 * len);
        }
        Ok(self)
    }

    /// After each block of `N` words of the first half come as many zeros.
    pub(super) fn move_apart<const N: usize>(&mut self) {
        let blocks = self.blocks_mut::<N>();
        // From the last one on, so that none is written over before it has moved.
        for at in (0..blocks.len() / 2).rev() {
            blocks[2 * at] = blocks[at];
            blocks[2 * at + 1] = [0; N];
        }
    }

    /// Writes every other block of `N` words, the first one first.
    pub(super) fn write_apart<const N: usize>(&self, out: &mut impl Write) -> io::Result<()> {
        let mut some = Vec::with_capacity(READ_AT_ONCE);
        for blocks in self.blocks::<N>().chunks(2 * READ_AT_ONCE / N) {
            some.clear();
            some.extend(blocks.iter().step_by(2).flatten());
            write(&some, out)?;
        }
        Ok(())
    }

    /// Without words, and with room for at most so many.
    fn with_room_for(len: usize) -> Words {
        let mut words = Words::zeroed(0);
        words.words.reserve_exact(len.min(MOST_UNREAD));
        let start = words.words.as_ptr().align_offset(LINE * size_of::<u64>());
        words.start = start.min(LINE);
        words.words.resize(words.start, 0);
        words
    }

    /// So many words have been appended.
    fn filled(mut self, len: usize) -> Words {
        self.words.resize(len + LINE, 0);
        self.len = len;
        self
    }

    /// The words.
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.words[self.start..self.start + self.len]
    }

    /// The words.
    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.words[self.start..self.start + self.len]
    }

    /// The words as blocks.
    pub(super) fn blocks<const N: usize>(&self) -> &[Block<N>] {
        self.as_slice().as_chunks().0
    }

    /// The words as blocks.
    pub(super) fn blocks_mut<const N: usize>(&mut self) -> &mut [Block<N>] {
        self.as_mut_slice().as_chunks_mut().0
    }
}

/// Words for which memory is taken before they are read: the number of them may be anyone's.
const MOST_UNREAD: usize = 1 << 21;

/// Words that are read at a time, so that they are still in the cache when they are used: as many as
/// stores have in a block.
const READ_AT_ONCE: usize = 1 << 15;

/// Appends so many words that are read, little-endian.
pub(super) fn read_onto(from: &mut impl Read, len: usize, onto: &mut Vec<u64>) -> io::Result<()> {
    onto.reserve_exact(len.min(MOST_UNREAD));
    let mut left = len;
    while left > 0 {
        let start = onto.len();
        let now = left.min(READ_AT_ONCE);
        onto.resize(start + now, 0);
        read_words(from, &mut onto[start..])?;
        left -= now;
    }
    Ok(())
}

/// Fills the slice with words, little-endian.
pub(super) fn read_words(from: &mut impl Read, words: &mut [u64]) -> io::Result<()> {
    from.read_exact(bytemuck::cast_slice_mut(words))?;
    for word in words {
        *word = u64::from_le(*word);
    }
    Ok(())
}

/// Writes words, little-endian.
pub(super) fn write(words: &[u64], out: &mut impl Write) -> io::Result<()> {
    if cfg!(target_endian = "little") {
        return out.write_all(bytemuck::cast_slice(words));
    }
    words
        .iter()
        .try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

/// Asks for the cache lines of a block.
#[inline(always)]
pub(super) fn prefetch<const N: usize>(block: &Block<N>) {
    for line in block.chunks(LINE).take(MOST_LINES) {
        prefetch_line(&line[0]);
    }
}

/// Asks for the cache line in which a value begins.
#[inline(always)]
pub(super) fn prefetch_line<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(
            unsafe_code,
            reason = "hides the latency of memory: a quarter of the time, measured"
        )]
        // SAFETY: a prefetch has no effect but on the cache, and the address is that of a reference.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
