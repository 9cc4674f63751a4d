//! The most recently used chunks, within a budget.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::reader::Chunk;

/// Keeps the chunks used last, as many as fit a number of bytes.
#[derive(Debug)]
pub(super) struct Cache {
    budget: usize,
    used: usize,
    /// Counts uses.
    clock: u64,
    /// Each chunk with the time of its last use.
    chunks: HashMap<u64, (Arc<Chunk>, u64)>,
    /// The same, by time.
    times: BTreeMap<u64, u64>,
}

impl Cache {
    pub(super) fn new(budget: usize) -> Cache {
        Cache {
            budget,
            used: 0,
            clock: 0,
            chunks: HashMap::new(),
            times: BTreeMap::new(),
        }
    }

    pub(super) fn get(&mut self, number: u64) -> Option<Arc<Chunk>> {
        let (chunk, time) = self.chunks.get_mut(&number)?;
        if *time != self.clock {
            self.times.remove(time);
            self.clock += 1;
            *time = self.clock;
            self.times.insert(self.clock, number);
        }
        Some(Arc::clone(chunk))
    }

    /// Adds a chunk, unless it is alone over the budget, and drops those not used for longest.
    pub(super) fn insert(&mut self, number: u64, chunk: &Arc<Chunk>) {
        let size = chunk.plain().len();
        if size > self.budget || self.chunks.contains_key(&number) {
            return;
        }
        while self.used + size > self.budget {
            let Some((_, oldest)) = self.times.pop_first() else {
                break;
            };
            if let Some((dropped, _)) = self.chunks.remove(&oldest) {
                self.used -= dropped.plain().len();
            }
        }
        self.clock += 1;
        self.used += size;
        self.times.insert(self.clock, number);
        self.chunks.insert(number, (Arc::clone(chunk), self.clock));
    }

    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_the_least_recently_used() {
        let mut cache = Cache::new(25);
        let chunk = |bytes: usize| Arc::new(Chunk::for_tests(bytes));
        cache.insert(1, &chunk(10));
        cache.insert(2, &chunk(10));
        assert!(cache.get(1).is_some());
        cache.insert(3, &chunk(10));
        assert!(cache.get(2).is_none());
        assert!(cache.get(1).is_some() && cache.get(3).is_some());
        assert_eq!(cache.used(), 20);
        // A chunk beyond the whole budget drops nothing.
        cache.insert(4, &chunk(26));
        assert!(cache.get(4).is_none() && cache.get(1).is_some());
        cache.insert(5, &chunk(25));
        assert_eq!(
            (cache.used(), cache.chunks.len(), cache.times.len()),
            (25, 1, 1)
        );
    }
}
