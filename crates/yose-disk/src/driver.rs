//! Handing out work to threads, making checkpoints, going on from one.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use yose_retro::partition::Partition;
use yose_store::{Generation, Note, Store};

use crate::error::DiskError;
use crate::ledger::{Ledger, published};
use crate::pool::{Evict, Pool, Room, make_room};
use crate::solved::Solved;
use crate::stretch::Stretch;
use crate::{Options, Order};

/// How far a solve has come: told after each visit of a cell or orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The ply that is being decided; in orders other than by plies, 1 and then 2.
    pub ply: u32,
    /// Cells that have done this ply; in other orders, that have been visited.
    pub cells: usize,
    /// All cells.
    pub of: usize,
    /// Positions decided so far, as stored.
    pub decided: u64,
    /// Positions that some cell has still to be told of, counted once for each such cell.
    pub waiting: u64,
    /// Visits so far.
    pub visits: u64,
    /// Bytes read from files by this process.
    pub read_bytes: u64,
    /// Bytes written to files by this process.
    pub written_bytes: u64,
    /// Checkpoints made by this process.
    pub checkpoints: u64,
}

pub(crate) struct Driver<'a, P: Partition> {
    pub(crate) partition: &'a P,
    pub(crate) store: &'a Store,
    pub(crate) options: Options,
    pub(crate) room: Arc<Room>,
    pub(crate) own: Pool<'a, P::Own>,
    pub(crate) won: Pool<'a, P::Won>,
    pub(crate) parts: Pool<'a, P::Frontier>,
    /// Of the parts that all have read, those that are small.
    pub(crate) stretches: Pool<'a, Stretch>,
    /// The cells of each orbit.
    orbits: Vec<Vec<usize>>,
    /// By cell: who reads it, and as which of his children.
    parents: Vec<Vec<(usize, usize)>>,
    /// What is wrong with checkpoints that were passed over.
    pub(crate) notes: Vec<Note>,
    shared: Mutex<Shared<P::Decided>>,
    turn: Condvar,
}

/// What threads share.
pub(crate) struct Shared<D> {
    pub(crate) ledger: Ledger<D>,
    /// By cell: positions that it has not been told of, where plies do not matter.
    pub(crate) inbox: Vec<u64>,
    /// By cell: whether a thread works on it.
    busy: Vec<bool>,
    working: usize,
    /// The orbit after the one that was taken last.
    next: usize,
    seed: u64,
    last_checkpoint: Instant,
    /// Whether something was done since.
    worked: bool,
    checkpoints: u64,
    stop: bool,
    failed: Option<DiskError>,
}

/// What a thread does next.
enum Task {
    First(usize),
    Ply(usize, u32),
    Orbit(usize),
    Checkpoint,
}

/// Told of progress; [`ControlFlow::Break`] ends the solve after a checkpoint.
pub(crate) type Watch<'w> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'w;

/// Solves a game, or goes on from the newest checkpoint that the store has. The values are the same for
/// any options and after any interruption.
///
/// A checkpoint is verified as a whole before it is used; if it is damaged, the one before is.
/// `watch` is told of progress by all threads.
///
/// # Errors
/// [`DiskError::Stopped`] if `watch` said so; all that can go wrong with files, after which the last
/// checkpoint can be resumed; [`DiskError::State`] if the checkpoint is of another game or order.
pub fn solve<'a, P: Partition>(
    partition: &'a P,
    store: &'a Store,
    options: Options,
    watch: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Solved<'a, P>, DiskError> {
    let driver = Driver::resume(partition, store, options)?;
    driver.run(watch)?;
    Ok(Solved::new(driver))
}

/// The newest generation all of whose bytes are as they were written, and what is wrong with newer ones.
fn sound(store: &Store) -> Result<(Arc<Generation>, Vec<Note>), DiskError> {
    let mut generation = store.latest();
    let mut notes = Vec::new();
    loop {
        match store.verify(&generation) {
            Ok(()) => return Ok((generation, notes)),
            Err(error) if error.is_damage() => {
                notes.push(Note::Skipped {
                    generation: generation.number(),
                    why: error.to_string(),
                });
                generation = store.fall_back().map_err(|_| error)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Positions that a cell has not been told of.
fn inbox<P: Partition>(partition: &P, ledger: &Ledger<P::Decided>, cell: usize) -> u64 {
    let children = partition.children(cell).iter();
    let unread = children.zip(&ledger.read[cell]);
    unread
        .flat_map(|(&child, &read)| ledger.logs[child].since(read))
        .map(|part| part.positions)
        .sum()
}

/// If cells are many and small, to ask of all orbits what a visit takes would take longer than a visit. So only
/// so many are asked that come next, whose sets may be in memory, and as many that most news waits for.
const WEIGHED: usize = 32;

/// Sets of each kind by thread whose memory is kept for the next ones: an orbit has two cells.
pub(crate) const SPARE: usize = 2;

impl<'a, P: Partition> Driver<'a, P> {
    fn resume(partition: &'a P, store: &'a Store, options: Options) -> Result<Self, DiskError> {
        let cells = partition.cells();
        let children: Vec<usize> = (0..cells).map(|c| partition.children(c).len()).collect();
        let (generation, notes) = sound(store)?;
        let known = published::<P::Decided>(&generation, options.order, &children)?;
        let room = Arc::new(Room::new(options.room, options.coding));
        let spare = SPARE * options.threads;
        let own = Pool::new(store, Arc::clone(&room), "own", |(cell, _), own| {
            partition.own_fits(cell, own)
        });
        let own = own.first_to_go().reused(spare);
        let won = Pool::new(store, Arc::clone(&room), "won", |(cell, _), won| {
            partition.won_fits(cell, won)
        });
        let won = won.reused(spare);
        let parts = Pool::new(store, Arc::clone(&room), "log", |(cell, _), part| {
            partition.frontier_fits(cell, part)
        });
        // Its frontiers are looked at when they are read.
        let stretches = Pool::new(store, Arc::clone(&room), "stretch", |_, _| true);
        let ledger = match known {
            None => Ledger::new(options.order, &children),
            Some(mut ledger) => {
                ledger.order = options.order;
                let object = |name: String| {
                    let object = generation.object(&name).cloned();
                    object.ok_or_else(|| DiskError::state(name, "expected it in the manifest"))
                };
                let begun = (0..cells).filter(|&cell| ledger.ply != 1 || ledger.done[cell]);
                for cell in begun {
                    let (id, bytes) = ((cell, 0), partition.cell_bytes(cell));
                    own.restore(id, object(own.object_name(id))?, bytes.own);
                    won.restore(id, object(won.object_name(id))?, bytes.won);
                }
                for id in ledger.parts() {
                    let object = object(parts.object_name(id))?;
                    let bytes = object.plain_bytes();
                    parts.restore(id, object, bytes);
                }
                for id in ledger.stretches() {
                    let object = object(stretches.object_name(id))?;
                    let bytes = object.plain_bytes();
                    stretches.restore(id, object, bytes);
                }
                ledger
            }
        };
        let mut orbits = BTreeMap::<usize, Vec<usize>>::new();
        let mut parents = vec![Vec::new(); cells];
        for cell in 0..cells {
            orbits.entry(partition.orbit(cell)).or_default().push(cell);
            for (position, &child) in partition.children(cell).iter().enumerate() {
                parents[child].push((cell, position));
            }
        }
        let seed = match options.order {
            Order::Drawn(seed) => seed,
            _ => 0,
        };
        Ok(Driver {
            partition,
            store,
            options,
            room,
            own,
            won,
            parts,
            stretches,
            orbits: orbits.into_values().collect(),
            parents,
            notes,
            shared: Mutex::new(Shared {
                inbox: match options.order.is_by_ply() {
                    true => Vec::new(),
                    false => (0..cells)
                        .map(|cell| inbox(partition, &ledger, cell))
                        .collect(),
                },
                ledger,
                busy: vec![false; cells],
                working: 0,
                next: 0,
                seed,
                last_checkpoint: Instant::now(),
                worked: false,
                checkpoints: 0,
                stop: false,
                failed: None,
            }),
            turn: Condvar::new(),
        })
    }

    pub(crate) fn shared(&self) -> MutexGuard<'_, Shared<P::Decided>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn make_room(&self) -> Result<(), DiskError> {
        let pools: [&dyn Evict; 4] = [&self.own, &self.won, &self.parts, &self.stretches];
        make_room(&self.room, &pools)
    }

    /// Work has ended that may have taken memory.
    pub(crate) fn settle(&self) -> Result<(), DiskError> {
        if let Some(pressure) = self.options.pressure {
            self.room.shrink(pressure());
        }
        self.make_room()
    }

    fn run(&self, watch: &Watch<'_>) -> Result<(), DiskError> {
        thread::scope(|scope| {
            let others: Vec<_> = (1..self.options.threads)
                .map(|_| scope.spawn(|| self.work(watch)))
                .collect();
            self.work(watch);
            if others.into_iter().any(|other| other.join().is_err()) {
                self.fail(DiskError::Panicked);
            }
        });
        let mut shared = self.shared();
        if let Some(error) = shared.failed.take() {
            return Err(error);
        }
        let over = shared.ledger.ply == 0;
        // A small game is solved again sooner than it is saved.
        let due = shared.last_checkpoint.elapsed() >= self.options.checkpoint_every;
        drop(shared);
        if due || !over {
            self.checkpoint()?;
        }
        if over {
            Ok(())
        } else {
            Err(DiskError::Stopped)
        }
    }

    fn fail(&self, error: DiskError) {
        self.shared().failed.get_or_insert(error);
        self.turn.notify_all();
    }

    fn work(&self, watch: &Watch<'_>) {
        /// Whoever panics must not let the others wait.
        struct Alarm<'d, 'a, P: Partition>(&'d Driver<'a, P>);
        impl<P: Partition> Drop for Alarm<'_, '_, P> {
            fn drop(&mut self) {
                if thread::panicking() {
                    self.0.fail(DiskError::Panicked);
                }
            }
        }
        let _alarm = Alarm(self);
        let mut scratch = self.partition.scratch();
        while let Some(task) = self.next() {
            let result = match &task {
                Task::First(cell) => self.first(*cell),
                Task::Ply(cell, ply) => self.ply(*cell, *ply, &mut scratch),
                Task::Orbit(orbit) => self.orbit(&self.orbits[*orbit], &mut scratch),
                Task::Checkpoint => self.checkpoint(),
            };
            if let Err(error) = result.and_then(|()| self.settle()) {
                self.fail(error);
                return;
            }
            let mut shared = self.shared();
            shared.working -= 1;
            shared.worked |= !matches!(task, Task::Checkpoint);
            match task {
                Task::First(cell) | Task::Ply(cell, _) => shared.busy[cell] = false,
                Task::Orbit(orbit) => {
                    for &cell in &self.orbits[orbit] {
                        shared.busy[cell] = false;
                    }
                }
                Task::Checkpoint => {}
            }
            let progress = self.progress(&shared);
            drop(shared);
            self.turn.notify_all();
            if watch(progress).is_break() {
                self.shared().stop = true;
                self.turn.notify_all();
            }
        }
    }

    fn progress(&self, shared: &Shared<P::Decided>) -> Progress {
        let ledger = &shared.ledger;
        let levels = ledger.levels.iter();
        Progress {
            ply: ledger.ply,
            cells: ledger.done.iter().filter(|&&done| done).count(),
            of: ledger.done.len(),
            decided: levels.map(|level| self.partition.count(level)).sum(),
            waiting: match ledger.order {
                Order::Plies => 0,
                _ => shared.inbox.iter().sum(),
            },
            visits: ledger.visits,
            read_bytes: self.room.read_bytes(),
            written_bytes: self.room.written_bytes(),
            checkpoints: shared.checkpoints,
        }
    }

    /// Other cells are told of positions decided in these.
    pub(crate) fn tell_parents(&self, shared: &mut Shared<P::Decided>, news: &[(usize, u64)]) {
        for &(cell, positions) in news {
            for &(parent, _) in &self.parents[cell] {
                shared.inbox[parent] += positions;
            }
        }
        // These have read some meanwhile.
        for &(cell, _) in news {
            shared.inbox[cell] = inbox(self.partition, &shared.ledger, cell);
        }
    }

    /// Waits for something to do; `None` if there will be nothing.
    fn next(&self) -> Option<Task> {
        let mut shared = self.shared();
        loop {
            if shared.failed.is_some() || shared.ledger.ply == 0 {
                return None;
            }
            if shared.stop {
                return None;
            }
            let waited = shared.last_checkpoint.elapsed() >= self.options.checkpoint_every;
            let due = waited && shared.worked;
            if due && shared.working == 0 {
                shared.working += 1;
                return Some(Task::Checkpoint);
            }
            // Before a checkpoint all come to rest.
            let task = if due { None } else { self.pick(&mut shared) };
            if let Some(task) = task {
                shared.working += 1;
                return Some(task);
            }
            if shared.working == 0 {
                self.advance(&mut shared);
                self.turn.notify_all();
                continue;
            }
            shared = self
                .turn
                .wait(shared)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn pick(&self, shared: &mut Shared<P::Decided>) -> Option<Task> {
        let Shared { ledger, busy, .. } = &mut *shared;
        if ledger.ply > 1 && !ledger.order.is_by_ply() {
            return self.pick_orbit(shared);
        }
        let ply = ledger.ply;
        for (cell, busy) in busy.iter_mut().enumerate() {
            if ledger.done[cell] || *busy {
                continue;
            }
            let children = self.partition.children(cell).iter();
            let mut news = children.flat_map(|&child| ledger.logs[child].at(ply - 1));
            if ply > 2 && news.next().is_none() {
                ledger.done[cell] = true;
                continue;
            }
            *busy = true;
            return Some(match ply {
                1 => Task::First(cell),
                ply => Task::Ply(cell, ply),
            });
        }
        None
    }

    /// An orbit that nobody works on and that has not been visited or has something to read.
    fn pick_orbit(&self, shared: &mut Shared<P::Decided>) -> Option<Task> {
        let ledger = &shared.ledger;
        let urgency = |orbit: usize| {
            let cells = self.orbits[orbit].iter();
            match cells.clone().all(|&cell| ledger.done[cell]) {
                true => cells.map(|&cell| shared.inbox[cell]).sum(),
                false => u64::MAX,
            }
        };
        let free = |&orbit: &usize| !self.orbits[orbit].iter().any(|&cell| shared.busy[cell]);
        let count = self.orbits.len();
        let round = (0..count).map(|n| (shared.next + n) % count);
        let mut waiting = round
            .filter(free)
            .map(|orbit| (orbit, urgency(orbit)))
            .filter(|&(_, urgency)| urgency > 0);
        let orbit = match ledger.order {
            Order::Plies | Order::Queue => waiting.next()?.0,
            // Of those as urgent as each other, the first of the round.
            Order::Inbox => {
                let mut waiting: Vec<(usize, u64)> = waiting.collect();
                if waiting.len() > 2 * WEIGHED {
                    let others = &mut waiting[WEIGHED..];
                    others.select_nth_unstable_by_key(WEIGHED, |&(_, urgency)| Reverse(urgency));
                    waiting.truncate(2 * WEIGHED);
                }
                let costs = waiting
                    .into_iter()
                    .map(|(orbit, urgency)| (orbit, urgency, self.cost(orbit)));
                let more = |a: &(usize, u64, u64), b: &(usize, u64, u64)| {
                    u128::from(b.1) * u128::from(a.2) > u128::from(a.1) * u128::from(b.2)
                };
                costs.reduce(|a, b| if more(&a, &b) { b } else { a })?.0
            }
            Order::Drawn(_) => {
                let waiting: Vec<usize> = waiting.map(|(orbit, _)| orbit).collect();
                let drawn = usize::try_from(shared.seed >> 33).unwrap_or(0);
                *waiting.get(drawn.checked_rem(waiting.len())?)?
            }
        };
        shared.seed = shared
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        shared.next = (orbit + 1) % count;
        for &cell in &self.orbits[orbit] {
            shared.busy[cell] = true;
        }
        Some(Task::Orbit(orbit))
    }

    /// What a visit takes, in bytes: those to be loaded, and something for the work.
    fn cost(&self, orbit: usize) -> u64 {
        let cells = self.orbits[orbit].iter();
        let absent = cells.clone().map(|&cell| {
            let children = self.partition.children(cell).iter();
            let sets = children.map(|&child| self.won.absent_bytes((child, 0)));
            self.own.absent_bytes((cell, 0)) + self.won.absent_bytes((cell, 0)) + sets.sum::<u64>()
        });
        let work = cells
            .clone()
            .map(|&cell| self.partition.cell_bytes(cell).won);
        work.max().unwrap_or(0) / 4 + 1 + absent.sum::<u64>()
    }

    /// Nobody works and nothing is left to do at this ply.
    fn advance(&self, shared: &mut Shared<P::Decided>) {
        let ledger = &mut shared.ledger;
        let last = ledger.levels.last();
        let over = match (ledger.order.is_by_ply(), ledger.ply) {
            (_, 1) => false,
            (true, 2) => false,
            (true, _) => last.is_none_or(|level| self.partition.count(level) == 0),
            (false, _) => true,
        };
        if over {
            let counted =
                |(cell, &count): (usize, &u64)| count == inbox(self.partition, ledger, cell);
            debug_assert!(shared.inbox.iter().enumerate().all(counted));
            if ledger.order.is_by_ply() {
                ledger.levels.pop();
            }
            ledger.ply = 0;
            return;
        }
        ledger.ply += 1;
        ledger.done.fill(false);
        ledger.levels.push(P::Decided::default());
    }

    /// Ply 1 of a cell.
    fn first(&self, cell: usize) -> Result<(), DiskError> {
        let (own, won, decided) = self.partition.first(cell);
        let bytes = self.partition.cell_bytes(cell);
        self.own.insert((cell, 0), own, bytes.own)?;
        self.won.insert((cell, 0), won, bytes.won)?;
        let mut shared = self.shared();
        let ledger = &mut shared.ledger;
        if ledger.levels.is_empty() {
            ledger.levels.push(P::Decided::default());
        }
        ledger.levels[0] += decided;
        ledger.done[cell] = true;
        ledger.visits += 1;
        Ok(())
    }

    /// Forgets the parts of a cell's log that all its parents have read; returns their numbers.
    pub(crate) fn trim(&self, ledger: &mut Ledger<P::Decided>, cell: usize) -> Vec<usize> {
        let parents = self.parents[cell].iter();
        let read = parents.map(|&(parent, position)| ledger.read[parent][position]);
        let read = read.min().unwrap_or(usize::MAX);
        let parts = &mut ledger.logs[cell].parts;
        let count = parts.partition_point(|part| part.number < read);
        parts.drain(..count).map(|part| part.number).collect()
    }

    /// Publishes all there is. Nobody works meanwhile.
    fn checkpoint(&self) -> Result<(), DiskError> {
        let mut objects = Vec::new();
        self.own.save(&mut objects)?;
        self.won.save(&mut objects)?;
        self.parts.save(&mut objects)?;
        self.stretches.save(&mut objects)?;
        let payload = self.shared().ledger.to_bytes();
        self.store.publish(objects, &payload)?;
        let mut shared = self.shared();
        shared.last_checkpoint = Instant::now();
        shared.worked = false;
        shared.checkpoints += 1;
        Ok(())
    }
}
