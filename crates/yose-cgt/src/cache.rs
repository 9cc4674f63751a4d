//! A cache from ordered pairs of ids to a truth value, one 64-bit word an entry.

use crate::hash::mix;

const WAYS: usize = 4;
/// 2^24 words = 128 MiB; beyond that old answers are overwritten and would be computed again.
const MAX_WORDS: usize = 1 << 24;

/// Remembers answers; may forget, never lies. Ids must be below 2^31.
#[derive(Debug)]
pub(crate) struct PairCache {
    // key << 2 | 2 | answer; 0 = free
    words: Vec<u64>,
    used: usize,
    turn: usize,
}

impl PairCache {
    pub(crate) fn new() -> Self {
        Self {
            words: vec![0; 1 << 10],
            used: 0,
            turn: 0,
        }
    }

    #[inline]
    fn tag(a: u32, b: u32) -> u64 {
        (u64::from(a) << 33 | u64::from(b) << 2) | 2
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the length of the table"
    )]
    fn bucket(&self, tag: u64) -> usize {
        (mix(tag) as usize) & (self.words.len() - 1) & !(WAYS - 1)
    }

    #[inline]
    pub(crate) fn get(&self, a: u32, b: u32) -> Option<bool> {
        let tag = Self::tag(a, b);
        let at = self.bucket(tag);
        for &w in &self.words[at..at + WAYS] {
            if w & !1 == tag {
                return Some(w & 1 == 1);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn put(&mut self, a: u32, b: u32, answer: bool) {
        let word = Self::tag(a, b) | u64::from(answer);
        self.put_word(word);
    }

    fn put_word(&mut self, word: u64) {
        loop {
            let at = self.bucket(word & !1);
            for w in &mut self.words[at..at + WAYS] {
                if *w == 0 || *w & !1 == word & !1 {
                    self.used += usize::from(*w == 0);
                    *w = word;
                    return;
                }
            }
            // A full bucket: grow when the table is well used, else give up one old answer.
            if self.used * 2 > self.words.len() && self.words.len() < MAX_WORDS {
                let old = std::mem::take(&mut self.words);
                self.words = vec![0; old.len() * 4];
                self.used = 0;
                for w in old.into_iter().filter(|&w| w != 0) {
                    self.put_word(w);
                }
            } else {
                self.turn = (self.turn + 1) % WAYS;
                self.words[at + self.turn] = word;
                return;
            }
        }
    }
}
