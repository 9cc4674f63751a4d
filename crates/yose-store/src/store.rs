//! The store: opening, putting, publishing.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::backing::Backing;
use crate::error::StoreError;
use crate::format::{Coding, Framer, Sink, Unframer, seed_of};
use crate::identity::Identity;
use crate::location::Location;
use crate::manifest::{Generation, Manifest};
use crate::object::{Object, file_name, is_name, parse_file};
use crate::opening::{self, Opened};
use crate::stream::{ObjectReader, ObjectWriter};

/// How a store is opened for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A new computation: nothing may be there.
    Fresh,
    /// One that stands there already.
    Resume,
    /// Whichever it is: for what restarts by itself.
    Either,
}

/// Something that a user should hear about, though the store could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A generation that cannot be used; an earlier one is.
    Skipped {
        /// The generation.
        generation: u64,
        /// What is wrong with it.
        why: String,
    },
    /// Objects of no kept generation were removed: what a killed process had begun.
    Removed {
        /// How many.
        objects: u64,
        /// Their bytes in the store.
        bytes: u64,
    },
    /// A file among the objects that no store wrote. It is left alone.
    Unknown {
        /// Its path.
        path: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Skipped { generation, why } => {
                write!(f, "generation {generation} cannot be used: {why}")
            }
            Note::Removed { objects, bytes } => {
                write!(f, "removed {objects} unpublished objects ({bytes} bytes)")
            }
            Note::Unknown { path } => write!(f, "{path}: not ours, left alone"),
        }
    }
}

/// What a member of a distributed computation needs to join it; a few bytes to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The generation that the leader's store stood at.
    pub generation: u64,
}

/// The state of one checkpointed computation. See the [crate] for what it promises.
///
/// All methods take `&self`; threads may put and read at the same time.
pub struct Store {
    backing: Box<dyn Backing>,
    identity: Identity,
    identity_hash: u64,
    writer: u64,
    /// Whether this one publishes.
    leads: bool,
    numbers: AtomicU64,
    notes: Vec<Note>,
    state: Mutex<State>,
    /// Held while publishing: one at a time.
    publishing: Mutex<()>,
}

struct State {
    current: Arc<Generation>,
    /// The generation before in the line of the current one, if it can be used.
    previous: Option<Arc<Generation>>,
    /// No manifest has a higher number, as far as we know.
    highest: u64,
    /// Files of objects that were written since the last publication.
    unpublished: BTreeSet<String>,
    /// Those of them that are not synced.
    unsynced: BTreeSet<String>,
}

/// A number that no other writer has, but by an accident of one in 2^64.
fn new_writer() -> u64 {
    let state = std::collections::hash_map::RandomState::new();
    let mut hasher = state.build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish()
}

impl Store {
    /// Opens a store for writing, as the only one that publishes.
    ///
    /// Resuming takes the newest generation that is whole and of this identity. It then claims the
    /// store by publishing that generation again under the next number: from then on whoever had it
    /// open before is fenced off. What no kept generation names is removed.
    ///
    /// # Errors
    ///
    /// [`Occupied`](StoreError::Occupied), [`NothingToResume`](StoreError::NothingToResume),
    /// [`NotAStore`](StoreError::NotAStore), [`Foreign`](StoreError::Foreign),
    /// [`WrongOwner`](StoreError::WrongOwner) or [`InUse`](StoreError::InUse) if it may not be
    /// opened like this; what is wrong with the newest generation if none can be used; and all that
    /// can go wrong with a file.
    pub fn open(location: &Location, identity: &Identity, mode: Mode) -> Result<Store, StoreError> {
        let backing = location.open(true)?;
        let writer = new_writer();
        let claimed = opening::claim(&*backing, identity, mode, writer)?;
        let mut store = Store::new(backing, identity, writer, true, claimed);
        store.sweep()?;
        Ok(store)
    }

    /// Opens a store that another process has open for writing: objects can be read and put, only
    /// the leader publishes them. It sends its [`ticket`](Store::ticket).
    ///
    /// # Errors
    ///
    /// [`Missing`](StoreError::Missing) if the generation of the ticket is not there (any more), and
    /// as [`open`](Store::open).
    pub fn join(
        location: &Location,
        identity: &Identity,
        ticket: Ticket,
    ) -> Result<Store, StoreError> {
        let backing = location.open(false)?;
        let generation = opening::load(&*backing, identity, ticket.generation)?;
        let opened = Opened::only(generation);
        Ok(Store::new(backing, identity, new_writer(), false, opened))
    }

    /// Opens a store for reading what stands there, without changing anything.
    ///
    /// # Errors
    ///
    /// As [`open`](Store::open).
    pub fn inspect(location: &Location, identity: &Identity) -> Result<Store, StoreError> {
        let backing = location.open(false)?;
        let opened = opening::newest(&*backing, Some(identity))?;
        let opened = opened.ok_or_else(|| StoreError::NothingToResume {
            path: backing.place(),
        })?;
        Ok(Store::new(backing, identity, new_writer(), false, opened))
    }

    fn new(
        backing: Box<dyn Backing>,
        identity: &Identity,
        writer: u64,
        leads: bool,
        opened: Opened,
    ) -> Store {
        Store {
            backing,
            identity: identity.clone(),
            identity_hash: identity.hash(),
            writer,
            leads,
            numbers: AtomicU64::new(0),
            notes: opened.notes,
            publishing: Mutex::new(()),
            state: Mutex::new(State {
                highest: opened.highest,
                current: opened.current,
                previous: opened.previous,
                unpublished: BTreeSet::new(),
                unsynced: BTreeSet::new(),
            }),
        }
    }

    /// Nothing that panics runs under the lock, so a poisoned one is as good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What happened on opening that a user should hear about.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What this is the state of.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The newest published state.
    pub fn latest(&self) -> Arc<Generation> {
        Arc::clone(&self.state().current)
    }

    /// What other processes need to [join](Store::join), and to [follow](Store::follow) after a
    /// publication.
    pub fn ticket(&self) -> Ticket {
        Ticket {
            generation: self.state().current.number,
        }
    }

    /// Tells a member that the leader has published: objects put from now on are for the generation
    /// after. Objects of this member finished before that are not part of it are removed.
    ///
    /// # Errors
    ///
    /// As [`join`](Store::join).
    pub fn follow(&self, ticket: Ticket) -> Result<Arc<Generation>, StoreError> {
        let generation = opening::load(&*self.backing, &self.identity, ticket.generation)?;
        let mut state = self.state();
        state.highest = state.highest.max(generation.number);
        state.current = Arc::clone(&generation);
        let mut garbage = std::mem::take(&mut state.unpublished);
        for object in &generation.objects {
            garbage.remove(&object.file);
        }
        state.unsynced.retain(|file| !garbage.contains(file));
        drop(state);
        self.backing
            .remove(&garbage.into_iter().collect::<Vec<_>>())?;
        Ok(generation)
    }

    pub(crate) fn object_path(&self, file: &str) -> String {
        self.backing.object_path(file)
    }

    pub(crate) fn wrote(&self, object: &Object) {
        let mut state = self.state();
        state.unpublished.insert(object.file.clone());
        state.unsynced.insert(object.file.clone());
    }

    /// Starts an object. Names are 1 to 128 letters, digits, `_`, `+` or `-`. Several objects may
    /// be written under one name; a generation has at most one of them.
    ///
    /// # Errors
    ///
    /// [`Name`](StoreError::Name), and all that can go wrong with a file.
    pub fn writer(&self, name: &str, coding: Coding) -> Result<ObjectWriter<'_>, StoreError> {
        if !is_name(name) {
            return Err(StoreError::Name {
                name: name.chars().take(200).collect(),
            });
        }
        let file = self.new_file(name);
        let sink = self.backing.create(&file)?;
        self.start(name, file, sink, coding)
    }

    /// Starts an object in the place of an older one of the same name, which nobody may ask for any
    /// more: [`discard`](Store::discard) and [`writer`](Store::writer) in one, which spares a file system
    /// much. A published one stays.
    ///
    /// # Errors
    ///
    /// As [`writer`](Store::writer).
    pub fn writer_over(
        &self,
        old: &Object,
        coding: Coding,
    ) -> Result<ObjectWriter<'_>, StoreError> {
        let ours = {
            let mut state = self.state();
            state.unsynced.remove(&old.file);
            state.unpublished.remove(&old.file)
        };
        if !ours {
            return self.writer(&old.name, coding);
        }
        let file = self.new_file(&old.name);
        let sink = self.backing.create_over(&old.file, &file)?;
        self.start(&old.name, file, sink, coding)
    }

    fn new_file(&self, name: &str) -> String {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let generation = self.state().current.number + 1;
        file_name(name, generation, self.writer, number)
    }

    fn start(
        &self,
        name: &str,
        file: String,
        sink: Box<dyn Sink>,
        coding: Coding,
    ) -> Result<ObjectWriter<'_>, StoreError> {
        Ok(ObjectWriter {
            store: self,
            framer: Framer::new(sink, self.identity_hash, seed_of(&file), coding)?,
            name: name.to_owned(),
            file,
            failed: false,
        })
    }

    /// Writes an object of these bytes.
    ///
    /// # Errors
    ///
    /// As [`writer`](Store::writer).
    pub fn put(&self, name: &str, bytes: &[u8], coding: Coding) -> Result<Object, StoreError> {
        let mut writer = self.writer(name, coding)?;
        writer.put(bytes)?;
        writer.finish()
    }

    /// Opens an object. Its length and header are checked here, each block before it is given.
    ///
    /// # Errors
    ///
    /// [`Missing`](StoreError::Missing), [`Length`](StoreError::Length),
    /// [`Corrupt`](StoreError::Corrupt) or [`Version`](StoreError::Version) if it is not what was
    /// written; and all that can go wrong with a file.
    pub fn read(&self, object: &Object) -> Result<ObjectReader, StoreError> {
        let path = self.backing.object_path(&object.file);
        let Some((source, length)) = self.backing.open(&object.file)? else {
            let generation = object.generation();
            return Err(StoreError::Missing { path, generation });
        };
        let object = object.clone();
        Unframer::new(source, length, path, object, self.identity_hash).map(ObjectReader)
    }

    /// All bytes of an object. The buffer grows with what was read and checked.
    ///
    /// # Errors
    ///
    /// As [`read`](Store::read).
    pub fn read_all(&self, object: &Object) -> Result<Vec<u8>, StoreError> {
        let mut reader = self.read(object)?;
        // What is stored plainly is as long as the file, which was looked at.
        let stored = object.stored_bytes.min(object.plain_bytes);
        let mut bytes = Vec::with_capacity(usize::try_from(stored).unwrap_or(0));
        while let Some(block) = reader.next_block()? {
            bytes.extend_from_slice(block);
        }
        Ok(bytes)
    }

    /// Reads and checks every byte of a generation.
    ///
    /// # Errors
    ///
    /// The first fault, as [`read`](Store::read).
    pub fn verify(&self, generation: &Generation) -> Result<(), StoreError> {
        for object in &generation.objects {
            let mut reader = self.read(object)?;
            while reader.next_block()?.is_some() {}
        }
        Ok(())
    }

    /// Removes an object that was never published, to have its space back before the next
    /// publication. One that was published stays until no kept generation names it.
    ///
    /// In a directory up to 32 MiB in 32 files are not removed but written over by the next objects: making
    /// and removing many files takes a file system as long as writing them, measured. Where the disk is full
    /// they are removed.
    ///
    /// # Errors
    ///
    /// All that can go wrong with removing a file.
    pub fn discard(&self, object: &Object) -> Result<(), StoreError> {
        let ours = {
            let mut state = self.state();
            state.unsynced.remove(&object.file);
            state.unpublished.remove(&object.file)
        };
        if ours {
            self.backing.discard(&object.file, object.stored_bytes)?;
        }
        Ok(())
    }

    /// Returns once all objects put through this store would survive a power cut.
    /// [`publish`](Store::publish) does so by itself; a member calls it before it sends the leader
    /// its objects.
    ///
    /// # Errors
    ///
    /// All that can go wrong with syncing a file. After an error the same objects are still due.
    pub fn sync(&self) -> Result<(), StoreError> {
        let due: Vec<String> = self.state().unsynced.iter().cloned().collect();
        self.backing.sync(&due)?;
        let mut state = self.state();
        for file in &due {
            state.unsynced.remove(file);
        }
        Ok(())
    }

    /// Makes `objects` and `payload` the state: all of it, also what did not change since the last
    /// generation. Once this returns, the state survives a crash or a power cut; if it fails or the
    /// process dies, the last generation is the state.
    ///
    /// Objects finished before this call that it does not name are removed, and so is what only
    /// the generation before the last named.
    ///
    /// # Errors
    ///
    /// [`Fenced`](StoreError::Fenced) if another writer has published: stop. `NotLeader`, `Twice`,
    /// `TooLarge`; and all that can go wrong with a file: those can be tried again.
    pub fn publish(
        &self,
        mut objects: Vec<Object>,
        payload: &[u8],
    ) -> Result<Arc<Generation>, StoreError> {
        if !self.leads {
            return Err(StoreError::NotLeader { what: "publish" });
        }
        objects.sort();
        if let Some(pair) = objects.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(StoreError::Twice {
                name: pair[0].name.clone(),
            });
        }
        // Others may put and read meanwhile.
        let _alone = self
            .publishing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (parent, mut highest, mut ours) = {
            let state = self.state();
            let ours = state.unpublished.clone();
            (state.current.number, state.highest, ours)
        };
        for object in &objects {
            ours.remove(&object.file);
        }
        self.sync_named(&objects)
            .map_err(|error| self.fenced_or(error, highest))?;
        let mut generation = Generation {
            number: 0,
            parent,
            writer: self.writer,
            objects,
            payload: Some(payload.to_vec()),
        };
        let generation = loop {
            generation.number = highest + 1;
            let manifest = Manifest {
                identity: self.identity.clone(),
                generation: Arc::new(generation.clone()),
            };
            match opening::create(&*self.backing, &manifest) {
                Ok(()) => break manifest.generation,
                // Ours, from an attempt that said it had failed: it may name what is gone by now,
                // so it is passed over.
                Err(StoreError::Fenced {
                    generation, theirs, ..
                }) if theirs == self.writer && generation > highest => highest = generation,
                Err(error) => return Err(error),
            }
        };
        let dropped = {
            let mut state = self.state();
            state.highest = generation.number;
            let before = std::mem::replace(&mut state.current, Arc::clone(&generation));
            let oldest = state.previous.replace(before);
            for object in &generation.objects {
                state.unpublished.remove(&object.file);
            }
            for file in &ours {
                state.unpublished.remove(file);
                state.unsynced.remove(file);
            }
            oldest
        };
        self.collect(dropped.as_deref(), ours);
        Ok(generation)
    }

    fn sync_named(&self, objects: &[Object]) -> Result<(), StoreError> {
        let due: Vec<String> = {
            let state = self.state();
            let files = objects.iter().map(|object| &object.file);
            files
                .filter(|file| state.unsynced.contains(*file))
                .cloned()
                .collect()
        };
        self.backing.sync(&due)?;
        let mut state = self.state();
        for file in &due {
            state.unsynced.remove(file);
        }
        Ok(())
    }

    /// Who takes a store over removes what others had not published. So if objects are gone, the
    /// reason is most likely that we were fenced off.
    fn fenced_or(&self, error: StoreError, highest: u64) -> StoreError {
        match self.backing.manifests() {
            Ok(numbers) => match numbers.last() {
                Some(&number) if number > highest => {
                    opening::fenced(&*self.backing, number, self.writer)
                }
                _ => error,
            },
            Err(_) => error,
        }
    }

    /// Removes what no kept generation names. The state is published by now, so a failure is no
    /// reason to say that it was not: what stays is removed on the next opening.
    fn collect(&self, dropped: Option<&Generation>, mut garbage: BTreeSet<String>) {
        let (current, previous) = {
            let state = self.state();
            (Arc::clone(&state.current), state.previous.clone())
        };
        let kept: BTreeSet<&str> = [Some(&current), previous.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(|generation| &generation.objects)
            .map(|object| object.file.as_str())
            .collect();
        if let Some(dropped) = dropped {
            garbage.extend(dropped.objects.iter().map(|object| object.file.clone()));
            let _ = self.backing.remove_manifest(dropped.number);
        }
        garbage.retain(|file| !kept.contains(file.as_str()));
        let _ = self
            .backing
            .remove(&garbage.into_iter().collect::<Vec<_>>());
    }

    /// Goes back to the generation before, when the newest turned out to be damaged: to be called
    /// after an error of reading that [is damage](StoreError::is_damage). The next publication
    /// follows on that one.
    ///
    /// # Errors
    ///
    /// [`NoEarlier`](StoreError::NoEarlier) if there is none that can be used.
    pub fn fall_back(&self) -> Result<Arc<Generation>, StoreError> {
        if !self.leads {
            return Err(StoreError::NotLeader { what: "fall back" });
        }
        let mut state = self.state();
        let Some(previous) = state.previous.take() else {
            return Err(StoreError::NoEarlier {
                path: self.backing.place(),
                generation: state.current.number,
            });
        };
        state.current = Arc::clone(&previous);
        Ok(previous)
    }

    /// Removes all that the computation has here, when it is over. A process killed meanwhile leaves a
    /// generation that can be resumed, or one whose objects are missing.
    ///
    /// # Errors
    ///
    /// [`NotLeader`](StoreError::NotLeader), and all that can go wrong with removing a file.
    pub fn clear(self) -> Result<(), StoreError> {
        if !self.leads {
            return Err(StoreError::NotLeader { what: "clear" });
        }
        for number in self.backing.manifests()?.into_iter().rev() {
            self.backing.remove_manifest(number)?;
        }
        let files = self.backing.objects()?.into_keys();
        let ours = files.filter(|file| parse_file(file).is_some());
        self.backing.remove(&ours.collect::<Vec<_>>())?;
        self.backing.leave();
        Ok(())
    }

    /// Removes all manifests and objects that no kept generation needs and no live writer can
    /// publish any more.
    fn sweep(&mut self) -> Result<(), StoreError> {
        let (current, previous) = {
            let state = self.state();
            (Arc::clone(&state.current), state.previous.clone())
        };
        let kept = [Some(&current), previous.as_ref()].into_iter().flatten();
        let numbers: BTreeSet<u64> = kept.clone().map(|generation| generation.number).collect();
        let files: BTreeSet<&str> = kept
            .flat_map(|generation| &generation.objects)
            .map(|object| object.file.as_str())
            .collect();
        for number in self.backing.manifests()? {
            if number < current.number && !numbers.contains(&number) {
                self.backing.remove_manifest(number)?;
            }
        }
        let (mut garbage, mut bytes) = (Vec::new(), 0_u64);
        for (file, length) in self.backing.objects()? {
            match parse_file(&file) {
                // Ours has the number of the claim at most, whoever writes from now on a higher.
                Some(parts) if parts.generation <= current.number => {
                    if !files.contains(file.as_str()) {
                        garbage.push(file);
                        bytes = bytes.saturating_add(length);
                    }
                }
                Some(_) => {}
                None => self.notes.push(Note::Unknown {
                    path: self.backing.object_path(&file),
                }),
            }
        }
        self.backing.remove(&garbage)?;
        if !garbage.is_empty() {
            let objects = garbage.len() as u64;
            self.notes.push(Note::Removed { objects, bytes });
        }
        Ok(())
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("backing", &self.backing)
            .field("generation", &self.state().current.number)
            .finish_non_exhaustive()
    }
}
