//! Things of one kind, in memory as long as there is room, else in the store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use yose_retro::partition::Pack;
use yose_store::{Coding, Object, Store};

use crate::error::DiskError;
use crate::slots::{Id, Size, Slot, Slots};

/// How things are stored that nobody waits for.
const COLD: Coding = Coding::Zstd(1);

/// When things were used that leave before all but what has retired, to whoever compares pools.
const FIRST_TO_GO: u64 = 1 << 62;

/// What all pools share: the room, and the traffic.
#[derive(Debug)]
pub(crate) struct Room {
    /// Bytes that things in memory may take together.
    limit: AtomicU64,
    /// What the limit was before it shrank.
    most: AtomicU64,
    /// How things are stored that were moved out and will come back.
    hot: Coding,
    used: AtomicU64,
    /// When things are used, and in which order they retire, which is before all that.
    clock: AtomicU64,
    retired: AtomicU64,
    /// Bytes read from files and written to files.
    read: AtomicU64,
    written: AtomicU64,
}

impl Room {
    pub(crate) fn new(limit: u64, hot: Coding) -> Room {
        Room {
            limit: AtomicU64::new(limit),
            most: AtomicU64::new(limit),
            hot,
            used: AtomicU64::new(0),
            clock: AtomicU64::new(2 * FIRST_TO_GO),
            // 0 is never.
            retired: AtomicU64::new(1),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Bytes that things in memory take beyond what they may.
    pub(crate) fn excess(&self) -> u64 {
        let limit = self.limit.load(Ordering::Relaxed);
        self.used().saturating_sub(limit)
    }

    /// From now on there is less of it, half of what there was at first if need be: memory that an
    /// allocator never gives back must not bring the work to a stop.
    pub(crate) fn shrink(&self, bytes: u64) {
        let least = self.most.load(Ordering::Relaxed) / 2;
        let less = |limit: u64| Some(limit.saturating_sub(bytes).max(least));
        let order = Ordering::Relaxed;
        let _ = self.limit.fetch_update(order, order, less);
    }

    /// Bytes that things in memory take.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// From now on there is no more of it than this.
    pub(crate) fn cap(&self, most: u64) {
        self.most.store(most, Ordering::Relaxed);
        self.limit.fetch_min(most, Ordering::Relaxed);
    }

    pub(crate) fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    pub(crate) fn written_bytes(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Things that have left, whose memory the next ones are read into.
struct Spare<T> {
    things: Vec<T>,
    most: usize,
}

/// Whether a thing is of its cell of this game, whatever its file is.
type Fits<'a, T> = dyn Fn(Id, &T) -> bool + Sync + 'a;

/// Things of one kind.
pub(crate) struct Pool<'a, T> {
    store: &'a Store,
    room: Arc<Room>,
    name: &'static str,
    fits: Box<Fits<'a, T>>,
    /// Whether its things leave before those of other pools.
    first_to_go: bool,
    spare: Mutex<Spare<T>>,
    slots: Mutex<Slots<T>>,
}

impl<'a, T: Pack> Pool<'a, T> {
    pub(crate) fn new(
        store: &'a Store,
        room: Arc<Room>,
        name: &'static str,
        fits: impl Fn(Id, &T) -> bool + Sync + 'a,
    ) -> Pool<'a, T> {
        Pool {
            store,
            room,
            name,
            fits: Box::new(fits),
            first_to_go: false,
            spare: Mutex::new(Spare {
                things: Vec::new(),
                most: 0,
            }),
            slots: Mutex::new(Slots::default()),
        }
    }

    /// Things that one visit needs, where those of other pools serve many. What was used last leaves first:
    /// its next visit is furthest.
    pub(crate) fn first_to_go(self) -> Self {
        Pool {
            first_to_go: true,
            ..self
        }
    }

    /// Things all of one size: the memory of so many that leave is kept for the next ones. An allocator
    /// that gets it back and gives it out, again and again, between smaller things, needs a third more.
    pub(crate) fn reused(self, most: usize) -> Self {
        self.keep_spare(most);
        self
    }

    /// From now on the memory of so many is kept; that of others is given back.
    pub(crate) fn keep_spare(&self, most: usize) {
        let mut spare = self.spare();
        spare.most = most;
        spare.things.truncate(most);
    }

    fn spare(&self) -> MutexGuard<'_, Spare<T>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody needs this thing.
    fn let_go(&self, thing: Arc<T>) {
        let mut spare = self.spare();
        if spare.things.len() < spare.most {
            spare.things.extend(Arc::into_inner(thing));
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots<T>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the object of a thing is called.
    pub(crate) fn object_name(&self, (cell, number): Id) -> String {
        format!("{}-{cell}-{number}", self.name)
    }

    /// Puts a thing in the place of the one before.
    pub(crate) fn insert(&self, id: Id, thing: T, bytes: u64) -> Result<(), DiskError> {
        self.room.take(bytes);
        let mut slots = self.slots();
        let mut before = slots.remove(id);
        let stale = before
            .as_mut()
            .and_then(|before| before.there.take().or(before.stale.take()));
        let slot = Slot {
            here: None,
            there: None,
            stale,
            bytes,
            used: 0,
        };
        slots.of.insert(id, slot);
        slots.arrive(id, Arc::new(thing), self.room.now());
        drop(slots);
        self.forget(before)
    }

    /// A thing that a checkpoint has.
    pub(crate) fn restore(&self, id: Id, object: Object, bytes: u64) {
        let slot = Slot {
            here: None,
            there: Some(object),
            stale: None,
            bytes,
            used: 0,
        };
        self.slots().of.insert(id, slot);
    }

    fn forget(&self, slot: Option<Slot<T>>) -> Result<(), DiskError> {
        let Some(slot) = slot else { return Ok(()) };
        if let Some(thing) = slot.here {
            self.room.give_back(slot.bytes);
            self.let_go(thing);
        }
        for object in slot.there.iter().chain(&slot.stale) {
            self.store.discard(object)?;
        }
        Ok(())
    }

    /// Removes a thing.
    pub(crate) fn remove(&self, id: Id) -> Result<(), DiskError> {
        let slot = self.slots().remove(id);
        self.forget(slot)
    }

    /// Bytes that would have to be read to have a thing in memory.
    pub(crate) fn absent_bytes(&self, id: Id) -> u64 {
        let slots = self.slots();
        slots.of.get(&id).map_or(0, |slot| match slot.here {
            Some(_) => 0,
            None => slot.bytes,
        })
    }

    /// Nobody will ask for a thing before the end: if it is in memory, it leaves before all others.
    pub(crate) fn retire(&self, id: Id) {
        let mut slots = self.slots();
        let waits = |slot: &Slot<T>| slot.here.is_some() && slot.used > FIRST_TO_GO;
        if slots.of.get(&id).is_some_and(waits) {
            let now = self.room.retired.fetch_add(1, Ordering::Relaxed);
            slots.touch(id, now);
        }
    }

    fn leaves_next(&self, slots: &Slots<T>, size: Size) -> Option<(u64, Id)> {
        match self.first_to_go {
            true => slots.newest(size),
            false => slots.oldest(size),
        }
    }

    fn missing(&self, id: Id) -> DiskError {
        DiskError::state(self.object_name(id), "expected it to be there, it is not")
    }

    fn load(&self, id: Id, object: &Object) -> Result<T, DiskError> {
        let mut reader = self.store.read(object)?;
        self.room
            .read
            .fetch_add(object.stored_bytes(), Ordering::Relaxed);
        let spare = self.spare().things.pop();
        let unpacked = match spare {
            Some(spare) => spare.unpack_over(&mut reader, object.plain_bytes()),
            None => T::unpack(&mut reader, object.plain_bytes()),
        };
        let thing = unpacked.map_err(|error| DiskError::of_io(object.name(), error))?;
        match (self.fits)(id, &thing) {
            true => Ok(thing),
            false => Err(DiskError::state(object.name(), "it is of another game")),
        }
    }

    /// A thing, to be read.
    pub(crate) fn get(&self, id: Id) -> Result<Arc<T>, DiskError> {
        loop {
            let object = {
                let mut slots = self.slots();
                slots.touch(id, self.room.now());
                let slot = slots.of.get(&id).ok_or_else(|| self.missing(id))?;
                match (&slot.here, &slot.there) {
                    (Some(thing), _) => return Ok(Arc::clone(thing)),
                    (None, Some(object)) => object.clone(),
                    (None, None) => return Err(self.missing(id)),
                }
            };
            let loaded = self.load(id, &object);
            let mut slots = self.slots();
            let slot = slots.of.get(&id).ok_or_else(|| self.missing(id))?;
            if slot.there.as_ref() != Some(&object) {
                // Another thread has replaced it, and perhaps removed what was being read.
                continue;
            }
            if let Some(thing) = &slot.here {
                return Ok(Arc::clone(thing));
            }
            let thing = Arc::new(loaded?);
            self.room.take(slot.bytes);
            slots.arrive(id, Arc::clone(&thing), self.room.now());
            return Ok(thing);
        }
    }

    /// A thing, to be read, if it is in memory now: another thread may move it out at any time.
    pub(crate) fn get_if_here(&self, id: Id) -> Option<Arc<T>> {
        let mut slots = self.slots();
        let here = slots.of.get(&id)?.here.clone()?;
        slots.touch(id, self.room.now());
        Some(here)
    }

    /// A thing, to be read once: it stays in memory only if it lies there already.
    pub(crate) fn read<R>(&self, id: Id, read: impl FnOnce(&T) -> R) -> Result<R, DiskError> {
        let (here, there) = {
            let slots = self.slots();
            let slot = slots.of.get(&id).ok_or_else(|| self.missing(id))?;
            (slot.here.clone(), slot.there.clone())
        };
        if let Some(thing) = here {
            return Ok(read(&thing));
        }
        let thing = self.load(id, &there.ok_or_else(|| self.missing(id))?)?;
        let done = read(&thing);
        self.let_go(Arc::new(thing));
        Ok(done)
    }

    /// Takes a thing out of memory, to be changed and inserted again. Nobody else may ask for it
    /// meanwhile; the last checkpoint keeps what it has of it.
    pub(crate) fn take(&self, id: Id) -> Result<T, DiskError> {
        loop {
            let mut slots = self.slots();
            let sole = slots.leave(id);
            let slot = slots.of.get(&id).ok_or_else(|| self.missing(id))?;
            if let Some(thing) = sole {
                self.room.give_back(slot.bytes);
                return Ok(thing);
            }
            if slot.here.is_none() {
                let object = slot.there.clone().ok_or_else(|| self.missing(id))?;
                drop(slots);
                return self.load(id, &object);
            }
            // Another thread is just writing it to the store, which ends by itself.
            drop(slots);
            std::thread::yield_now();
        }
    }

    /// Brings back what was taken and not changed.
    pub(crate) fn put_back(&self, id: Id, thing: T) -> Result<(), DiskError> {
        let mut slots = self.slots();
        let slot = slots.of.get(&id).ok_or_else(|| self.missing(id))?;
        self.room.take(slot.bytes);
        slots.arrive(id, Arc::new(thing), self.room.now());
        Ok(())
    }

    /// Takes a thing of fewer bytes than this out of the pool, if it lies in memory and nobody reads it.
    pub(crate) fn pull(&self, id: Id, bytes: u64) -> Result<Option<T>, DiskError> {
        let mut slots = self.slots();
        if slots.of.get(&id).is_none_or(|slot| slot.bytes >= bytes) {
            return Ok(None);
        }
        let Some(thing) = slots.leave(id) else {
            return Ok(None);
        };
        let slot = slots.remove(id);
        drop(slots);
        self.room
            .give_back(slot.as_ref().map_or(0, |slot| slot.bytes));
        self.forget(slot)?;
        Ok(Some(thing))
    }

    fn write(
        &self,
        id: Id,
        thing: &T,
        stale: Option<Object>,
        coding: Coding,
    ) -> Result<Object, DiskError> {
        let mut writer = match stale {
            Some(stale) => self.store.writer_over(&stale, coding)?,
            None => self.store.writer(&self.object_name(id), coding)?,
        };
        let packed = thing.pack(&mut writer);
        packed.map_err(|error| DiskError::of_io(self.object_name(id), error))?;
        let object = writer.finish()?;
        self.room
            .written
            .fetch_add(object.stored_bytes(), Ordering::Relaxed);
        Ok(object)
    }

    /// All things as objects; those that are not in the store are written.
    pub(crate) fn save(&self, objects: &mut Vec<Object>) -> Result<(), DiskError> {
        let mut slots = self.slots();
        for (&id, slot) in &mut slots.of {
            let object = match (&slot.there, &slot.here) {
                (Some(object), _) => object.clone(),
                (None, Some(thing)) => self.write(id, thing, slot.stale.take(), COLD)?,
                (None, None) => return Err(self.missing(id)),
            };
            slot.there = Some(object.clone());
            objects.push(object);
        }
        Ok(())
    }
}

/// A pool, whatever lies in it.
pub(crate) trait Evict {
    /// Of the thing of this size that leaves next: a number that is less the sooner it should.
    fn next(&self, size: Size) -> Option<u64>;
    /// Moves that thing to the store, if there is one.
    fn evict(&self, size: Size) -> Result<(), DiskError>;
}

impl<T: Pack> Evict for Pool<'_, T> {
    fn next(&self, size: Size) -> Option<u64> {
        let (used, _) = self.leaves_next(&self.slots(), size)?;
        Some(if self.first_to_go { FIRST_TO_GO } else { used })
    }

    fn evict(&self, size: Size) -> Result<(), DiskError> {
        let (id, thing, written, stale) = {
            let mut slots = self.slots();
            let next = self.leaves_next(&slots, size);
            let Some((id, slot)) = next.and_then(|(_, id)| Some((id, slots.of.get_mut(&id)?)))
            else {
                return Ok(());
            };
            let Some(thing) = slot.here.clone() else {
                return Ok(());
            };
            (id, thing, slot.there.is_some(), slot.stale.take())
        };
        // Others may go on while this one writes.
        let object = match written {
            true => None,
            false => Some(self.write(id, &thing, stale, self.room.hot)?),
        };
        let mut slots = self.slots();
        let slot = slots.of.get_mut(&id);
        match slot.filter(|slot| slot.here.as_ref().is_some_and(|h| Arc::ptr_eq(h, &thing))) {
            Some(slot) => {
                let spare = match (&slot.there, object) {
                    (None, object) => {
                        slot.there = object;
                        None
                    }
                    (Some(_), spare) => spare,
                };
                // Whoever has got hold of it in the meantime keeps it.
                self.room.give_back(slot.bytes);
                slots.release(id);
                drop(slots);
                self.let_go(thing);
                if let Some(spare) = spare {
                    self.store.discard(&spare)?;
                }
            }
            None => {
                drop(slots);
                if let Some(object) = object {
                    self.store.discard(&object)?;
                }
            }
        }
        Ok(())
    }
}

/// Moves things to the store, those first that have waited longest, until the others fit.
pub(crate) fn make_room(room: &Room, pools: &[&dyn Evict]) -> Result<(), DiskError> {
    for size in [Size::Large, Size::Small] {
        while room.excess() > 0 {
            let next = pools
                .iter()
                .filter_map(|pool| Some((pool.next(size)?, pool)));
            let Some((_, pool)) = next.min_by_key(|(when, _)| *when) else {
                // All is in use.
                break;
            };
            // If another thread was faster, there may be others.
            pool.evict(size)?;
        }
    }
    Ok(())
}
