//! Things by name, and those in memory by when they were used last.

use std::collections::BTreeMap;
use std::sync::Arc;

use yose_store::Object;

/// A cell, and a number if there are several things of a cell.
pub(crate) type Id = (usize, usize);

/// A thing, wherever it lies.
#[derive(Debug)]
pub(crate) struct Slot<T> {
    /// In memory.
    pub(crate) here: Option<Arc<T>>,
    /// In the store, if that is the same.
    pub(crate) there: Option<Object>,
    /// What was in the store before, in whose place it can be written.
    pub(crate) stale: Option<Object>,
    /// What it takes in memory.
    pub(crate) bytes: u64,
    /// When it was used last.
    pub(crate) used: u64,
}

impl<T> Slot<T> {
    /// In memory, and read by nobody.
    fn is_idle(&self) -> bool {
        let here = self.here.as_ref();
        here.is_some_and(|thing| Arc::strong_count(thing) == 1)
    }
}

/// What a pool has.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    pub(crate) of: BTreeMap<Id, Slot<T>>,
    /// By when they were used last, those in memory, of each [`Size`].
    ages: [BTreeMap<u64, Id>; 2],
}

/// Less than this is not worth a file of its own, as long as there is something larger.
pub(crate) const SMALL: u64 = 1 << 16;

/// Which things may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    Large,
    Small,
}

impl Size {
    fn of(bytes: u64) -> Size {
        if bytes < SMALL {
            Size::Small
        } else {
            Size::Large
        }
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots {
            of: BTreeMap::new(),
            ages: [BTreeMap::new(), BTreeMap::new()],
        }
    }
}

impl<T> Slots<T> {
    /// A thing is used now.
    pub(crate) fn touch(&mut self, id: Id, now: u64) {
        let Some(slot) = self.of.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut slot.used, now);
        let (size, here) = (Size::of(slot.bytes), slot.here.is_some());
        let ages = &mut self.ages[size as usize];
        ages.remove(&before);
        if here {
            ages.insert(now, id);
        }
    }

    /// A thing is in memory from now on.
    pub(crate) fn arrive(&mut self, id: Id, thing: Arc<T>, now: u64) {
        if let Some(slot) = self.of.get_mut(&id) {
            slot.here = Some(thing);
        }
        self.touch(id, now);
    }

    /// Takes a thing out of memory, if nobody reads it.
    pub(crate) fn leave(&mut self, id: Id) -> Option<T> {
        let slot = self.of.get_mut(&id)?;
        let sole = slot.here.take_if(|thing| Arc::strong_count(thing) == 1)?;
        let (size, used) = (Size::of(slot.bytes), slot.used);
        self.ages[size as usize].remove(&used);
        Arc::into_inner(sole)
    }

    /// Lets a thing go that others may still read.
    pub(crate) fn release(&mut self, id: Id) {
        let Some(slot) = self.of.get_mut(&id) else {
            return;
        };
        slot.here = None;
        let (size, used) = (Size::of(slot.bytes), slot.used);
        self.ages[size as usize].remove(&used);
    }

    /// Takes a slot out.
    pub(crate) fn remove(&mut self, id: Id) -> Option<Slot<T>> {
        let slot = self.of.remove(&id)?;
        self.ages[Size::of(slot.bytes) as usize].remove(&slot.used);
        Some(slot)
    }

    /// The thing of this size that nobody reads and that has waited longest, and since when.
    pub(crate) fn oldest(&self, size: Size) -> Option<(u64, Id)> {
        self.first_idle(self.ages[size as usize].iter())
    }

    /// The thing of this size that nobody reads and that was used last, and when.
    pub(crate) fn newest(&self, size: Size) -> Option<(u64, Id)> {
        self.first_idle(self.ages[size as usize].iter().rev())
    }

    fn first_idle<'a>(
        &self,
        mut ages: impl Iterator<Item = (&'a u64, &'a Id)>,
    ) -> Option<(u64, Id)> {
        let idle = |id: &Id| self.of.get(id).is_some_and(Slot::is_idle);
        ages.find(|(_, id)| idle(id)).map(|(&used, &id)| (used, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that nobody reads, by looking at all.
    fn plain(slots: &Slots<u64>, size: Size) -> Vec<(u64, Id)> {
        let of_size = slots
            .of
            .iter()
            .filter(|(_, slot)| Size::of(slot.bytes) == size);
        let idle = of_size.filter(|(_, slot)| slot.is_idle());
        let mut idle: Vec<_> = idle.map(|(&id, slot)| (slot.used, id)).collect();
        idle.sort_unstable();
        idle
    }

    #[test]
    fn the_oldest_is_found_whatever_happened() {
        let mut slots = Slots::default();
        let mut readers = Vec::new();
        let mut seed = 1_u64;
        for now in 1..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let drawn = usize::try_from(seed >> 40).unwrap();
            let id = (drawn % 9, drawn / 9 % 3);
            match drawn / 27 % 9 {
                0 | 1 => {
                    slots.remove(id);
                    let bytes = if drawn / 243 % 2 == 0 { 10 } else { SMALL };
                    let slot = Slot {
                        here: None,
                        there: None,
                        stale: None,
                        bytes,
                        used: 0,
                    };
                    slots.of.insert(id, slot);
                }
                2 | 3 => slots.arrive(id, Arc::new(now), now),
                4 => slots.touch(id, now),
                5 => drop(slots.leave(id)),
                6 => drop(slots.remove(id)),
                7 => {
                    slots.release(id);
                    readers.clear();
                }
                _ => readers.extend(slots.of.get(&id).and_then(|slot| slot.here.clone())),
            }
            for size in [Size::Large, Size::Small] {
                let plain = plain(&slots, size);
                assert_eq!(slots.oldest(size), plain.first().copied(), "at {now}");
                assert_eq!(slots.newest(size), plain.last().copied(), "at {now}");
            }
            let here = slots.of.values().filter(|slot| slot.here.is_some());
            assert_eq!(here.count(), slots.ages[0].len() + slots.ages[1].len());
        }
    }
}
