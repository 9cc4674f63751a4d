//! The solve: supersteps, checkpoints at the barrier between them, and the end.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;
use yose_retro::partition::{Pack, Partition};
use yose_store::{Identity, Location, Mode};

use crate::block::{self, Head, Parts};
use crate::checkpoint::{Checkpoints, Progress};
use crate::error::ClusterError;
use crate::hello::{self, Hello};
use crate::map::Map;
use crate::mesh::{Data, Mesh, Seat};
use crate::parallel;
use crate::solved::Solved;
use crate::state::{Cell, Place, State};

/// How a solve is to be made. What is not marked so may differ from process to process.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is solved, as checkpoints have it; the same everywhere.
    pub identity: Identity,
    /// What this program was built from; the same everywhere.
    pub build: String,
    /// Whether distances are wanted; the same everywhere.
    pub depth: bool,
    /// Where the checkpoints are: one place, which all processes see.
    pub checkpoints: Location,
    /// Whether there is something to continue. Only the leader's counts.
    pub mode: Mode,
    /// A checkpoint is made when so much time has passed since the last. Only the leader's counts.
    pub every: Duration,
    /// Threads of this process.
    pub threads: usize,
    /// How many MiB of what this process sends may be under way.
    pub window: u32,
    /// How long to wait for the others to come.
    pub patience: Duration,
    /// A process that gives no sign of life for so long is lost. At least a few seconds: how often the signs
    /// are given follows from it. The same everywhere.
    pub silence: Duration,
}

/// A superstep of all processes together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The ply that is decided.
    pub ply: u32,
    /// How many positions that is.
    pub decided: u64,
    /// Bytes of the frontiers, each counted once.
    pub packed_bytes: u64,
    /// Bytes that went to other processes, compressed, with the heads of their blocks.
    pub sent_bytes: u64,
    /// A digest of all frontiers, whoever had them.
    pub digest: u64,
}

/// What a worker says at the end of a superstep.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Vote {
    decided: Vec<u8>,
    count: u64,
    packed_bytes: u64,
    sent_bytes: u64,
    digest: u64,
    /// The leader's: a checkpoint, and then the end.
    checkpoint: bool,
    stop: bool,
}

/// A cell's superstep is done.
struct Done<P: Partition> {
    cell: usize,
    /// Number among our cells.
    at: usize,
    frontier: P::Frontier,
    decided: P::Decided,
    packed_bytes: u64,
    digest: u64,
    blocks: Vec<Vec<u8>>,
}

/// Where a cell's work finds won sets.
enum Sets<'a, P: Partition> {
    /// At odd plies: the cell's own, which grows.
    Own(&'a mut P::Won),
    /// At even plies: all that this worker has.
    All(&'a [Option<P::Won>]),
}

struct Job<'a, P: Partition> {
    at: usize,
    cell: &'a mut Cell<P>,
    sets: Sets<'a, P>,
}

/// Solves a partitioned game together with all others who sit down. The leader, process 0, gets what
/// was solved, the others nothing. `on_step` is called on the leader after each superstep; if it
/// breaks, all stop after a checkpoint.
///
/// Memory: the worker's cells with the won sets of all that they read, the frontiers of one ply of
/// both, and the window; with distances also the compressed frontiers since the last checkpoint.
///
/// # Errors
///
/// [`ClusterError`]; the processes agree on it. A peer that is lost is no error but a panic, which
/// cannot be survived: see [`on_lost_peer`](crate::on_lost_peer).
pub fn solve<P: Partition>(
    partition: &P,
    seat: Seat,
    options: &Options,
    on_step: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> Result<Option<Solved>, ClusterError> {
    let mut mesh = Mesh::join(seat, options.window, options.patience, options.silence)?;
    let map = Map::deal(partition, mesh.seat().workers());
    let result = run(partition, &map, &mut mesh, options, on_step);
    if matches!(result, Err(ClusterError::Lost { .. })) {
        // What is left of the engine would panic again.
        std::mem::forget(mesh);
    } else {
        // All of them leave: they agree on errors as on all else.
        mesh.leave();
    }
    result
}

fn run<P: Partition>(
    partition: &P,
    map: &Map,
    mesh: &mut Mesh,
    options: &Options,
    on_step: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> Result<Option<Solved>, ClusterError> {
    let silence = format!("{} s", options.silence.as_secs_f64());
    let said = options.identity.clone().with("silence", silence);
    let hello = Hello::new(&said, &options.build, map.hash());
    let (hellos, _) = mesh.meet(Ok(hello.to_bytes()))?;
    hello::check(&hellos, mesh.seat())?;
    let checkpoints = Checkpoints::open(mesh, options)?;
    let place = Place {
        partition,
        map,
        worker: mesh.index(),
        threads: options.threads.max(1),
        depth: options.depth,
    };
    let mut engine = Engine {
        place,
        every: options.every,
        progress: Progress::default(),
        state: State {
            ply: 0,
            mine: Vec::new(),
            won: Vec::new(),
            last: Vec::new(),
        },
        scratch: (0..place.threads).map(|_| partition.scratch()).collect(),
        fault: Ok(()),
        checkpoints,
    };
    engine.begin(mesh)?;
    if !engine.progress.complete {
        engine.supersteps(mesh, on_step)?;
    }
    if !mesh.leads() {
        return Ok(None);
    }
    let Engine {
        progress,
        checkpoints,
        ..
    } = engine;
    let (store, notes) = checkpoints.into_parts();
    Ok(Some(Solved::new(progress, store, notes)))
}

struct Engine<'a, P: Partition> {
    place: Place<'a, P>,
    /// Time between two checkpoints.
    every: Duration,
    progress: Progress,
    state: State<P>,
    scratch: Vec<P::Scratch>,
    /// What went wrong since all met last.
    fault: Result<(), ClusterError>,
    checkpoints: Checkpoints,
}

impl<P: Partition> Engine<'_, P> {
    /// Ply 1, or the newest checkpoint.
    fn begin(&mut self, mesh: &mut Mesh) -> Result<(), ClusterError> {
        let place = self.place;
        let found = self.checkpoints.load(mesh, |store, generation, progress| {
            if progress.complete {
                // Nobody but the leader needs it any more, and the leader reads it cell by cell.
                return Ok(None);
            }
            State::load(place, store, generation, progress.ply).map(Some)
        })?;
        if let Some((progress, state)) = found {
            self.progress = progress;
            if let Some(state) = state {
                self.state = state;
            }
            return Ok(());
        }
        let (state, decided) = State::first(place);
        self.state = state;
        let (decided, _) = self.sum(mesh, Ok(decided.to_bytes()))?;
        self.progress.ply = 1;
        self.progress.levels = vec![decided.to_bytes()];
        Ok(())
    }

    /// The sum of what all have decided.
    fn sum(
        &self,
        mesh: &mut Mesh,
        mine: Result<Vec<u8>, ClusterError>,
    ) -> Result<(P::Decided, Data), ClusterError> {
        let (votes, data) = mesh.meet(mine)?;
        let mut sum = P::Decided::default();
        for (process, vote) in votes.iter().enumerate() {
            sum += unpacked::<P::Decided>(vote, process)?;
        }
        Ok((sum, data))
    }

    fn supersteps(
        &mut self,
        mesh: &mut Mesh,
        on_step: &mut dyn FnMut(&Step) -> ControlFlow<()>,
    ) -> Result<(), ClusterError> {
        let mut clock = Instant::now();
        let mut stop = false;
        loop {
            let due = mesh.leads() && clock.elapsed() >= self.every;
            let ply = self.state.ply + 1;
            let mine = self.superstep(mesh, ply).and_then(|vote| {
                let vote = Vote {
                    checkpoint: due,
                    stop,
                    ..vote
                };
                serde_json::to_vec(&vote)
                    .map_err(|error| ClusterError::bytes("a vote", error.to_string()))
            });
            let (votes, data) = mesh.meet(mine)?;
            let (step, decided, leader) = self.count(ply, &votes)?;
            self.progress.ply = ply;
            self.progress.levels.push(decided.to_bytes());
            self.fault = self.receive(ply, data);
            if ply > 2 && step.decided == 0 {
                return self.finish(mesh);
            }
            if mesh.leads() {
                stop |= on_step(&step).is_break();
            }
            if leader.checkpoint || leader.stop {
                self.checkpoint(mesh)?;
                clock = Instant::now();
            }
            if leader.stop {
                return Err(ClusterError::Stopped { ply });
            }
        }
    }

    /// All votes together; the leader's also by itself.
    fn count(&self, ply: u32, votes: &[Vec<u8>]) -> Result<(Step, P::Decided, Vote), ClusterError> {
        let mut step = Step {
            ply,
            decided: 0,
            packed_bytes: 0,
            sent_bytes: 0,
            digest: 0,
        };
        let mut decided = P::Decided::default();
        let mut leader = None;
        for (process, vote) in votes.iter().enumerate() {
            let vote: Vote = serde_json::from_slice(vote).map_err(|error| {
                ClusterError::bytes(format!("process {process}"), error.to_string())
            })?;
            decided += unpacked::<P::Decided>(&vote.decided, process)?;
            step.decided = step.decided.saturating_add(vote.count);
            step.packed_bytes = step.packed_bytes.saturating_add(vote.packed_bytes);
            step.sent_bytes = step.sent_bytes.saturating_add(vote.sent_bytes);
            step.digest = step.digest.wrapping_add(vote.digest);
            leader.get_or_insert(vote);
        }
        Ok((step, decided, leader.unwrap_or_default()))
    }

    /// Decides a ply in our cells, and sends what others read of it as it comes.
    fn superstep(&mut self, mesh: &mut Mesh, ply: u32) -> Result<Vote, ClusterError> {
        std::mem::replace(&mut self.fault, Ok(()))?;
        let Place {
            partition,
            map,
            depth,
            ..
        } = self.place;
        let State {
            mine, won, last, ..
        } = &mut self.state;
        let last = &*last;
        let jobs: VecDeque<Job<'_, P>> = if ply % 2 == 1 {
            let mut sets: Vec<Option<&mut P::Won>> = won.iter_mut().map(Option::as_mut).collect();
            let jobs = mine.iter_mut().enumerate().filter_map(|(at, cell)| {
                let sets = Sets::Own(sets[cell.number].take()?);
                Some(Job { at, cell, sets })
            });
            jobs.collect()
        } else {
            let won = &*won;
            let jobs = mine.iter_mut().enumerate().map(|(at, cell)| Job {
                at,
                cell,
                sets: Sets::All(won),
            });
            jobs.collect()
        };
        let queue = Mutex::new(jobs);
        let next = || {
            queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front()
        };
        let mut vote = Vote::default();
        let mut decided = P::Decided::default();
        let mut frontiers = Vec::new();
        let mut logs = Vec::new();
        let sent = mesh.sent;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel::<Result<Done<P>, String>>(1);
            for scratch in &mut self.scratch {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(job) = next() {
                        let done = work(partition, ply, last, job, scratch).transpose();
                        // Nobody listens after an error.
                        if done.is_some_and(|done| sender.send(done).is_err()) {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for done in receiver {
                let done = done.map_err(|what| ClusterError::bytes("a frontier", what))?;
                decided += done.decided;
                vote.count += partition.count(&done.decided);
                vote.packed_bytes += done.packed_bytes;
                vote.digest = vote.digest.wrapping_add(done.digest);
                for reader in map.readers(done.cell) {
                    for block in &done.blocks {
                        mesh.send(reader, block.clone())?;
                    }
                }
                logs.push((done.at, done.blocks));
                frontiers.push((done.cell, done.frontier));
            }
            Ok::<(), ClusterError>(())
        })?;
        vote.decided = decided.to_bytes();
        vote.sent_bytes = mesh.sent - sent;
        for cell in &mut *mine {
            if !depth {
                cell.log.clear();
            }
        }
        for (at, blocks) in logs {
            mine[at].log.insert(ply, blocks);
        }
        let State { last, .. } = &mut self.state;
        last.fill_with(|| None);
        for (cell, frontier) in frontiers {
            last[cell] = Some(frontier);
        }
        self.state.ply = ply;
        Ok(vote)
    }

    /// What others have sent of this ply becomes theirs of our copies.
    fn receive(&mut self, ply: u32, data: Data) -> Result<(), ClusterError> {
        let mut parts: BTreeMap<usize, Parts> = BTreeMap::new();
        for (source, block) in data {
            let from = || format!("a block from process {source}");
            let head = Head::read(&block).map_err(|what| ClusterError::bytes(from(), what))?;
            let cell = head.cell as usize;
            let expected = head.ply == ply
                && cell < self.place.partition.cells()
                && self.place.map.owner(cell) == source
                && source != self.place.worker
                && self.state.won[cell].is_some();
            if !expected {
                let what = format!("cell {cell} at ply {} is not expected", head.ply);
                return Err(ClusterError::bytes(from(), what));
            }
            let added = parts.entry(cell).or_default().add(head, block);
            added.map_err(|what| ClusterError::bytes(from(), what))?;
        }
        let partition = self.place.partition;
        let mut sets: Vec<Option<&mut P::Won>> =
            self.state.won.iter_mut().map(Option::as_mut).collect();
        let work = parts
            .into_iter()
            .map(|(cell, parts)| (cell, parts, sets[cell].take()))
            .collect();
        let unpack = |(cell, parts, won): (usize, Parts, Option<&mut P::Won>)| {
            let frontier = parts.join(|frontier| partition.frontier_fits(cell, frontier));
            let frontier: P::Frontier = frontier.map_err(|what| {
                ClusterError::bytes(format!("the frontier of cell {cell}"), what)
            })?;
            if let Some(won) = won.filter(|_| ply % 2 == 1) {
                partition.absorb(cell, won, &frontier);
            }
            Ok::<_, ClusterError>((cell, frontier))
        };
        for frontier in parallel::each(self.place.threads, work, unpack) {
            let (cell, frontier) = frontier?;
            self.state.last[cell] = Some(frontier);
        }
        Ok(())
    }

    fn checkpoint(&mut self, mesh: &mut Mesh) -> Result<(), ClusterError> {
        let fault = std::mem::replace(&mut self.fault, Ok(()));
        let (state, threads) = (&mut self.state, self.place.threads);
        self.checkpoints.make(mesh, &self.progress, |store| {
            fault?;
            state.put(store, threads)
        })?;
        self.state.forget(self.place.depth);
        Ok(())
    }

    /// Nothing more is decided: what is left is drawn.
    fn finish(&mut self, mesh: &mut Mesh) -> Result<(), ClusterError> {
        let mut draws = P::Decided::default();
        for cell in &self.state.mine {
            draws += self.place.partition.draws(cell.number, &cell.own);
        }
        let (draws, _) = self.sum(mesh, Ok(draws.to_bytes()))?;
        self.progress.complete = true;
        self.progress.draws = draws.to_bytes();
        // The last superstep decided nothing.
        self.progress.levels.pop();
        self.checkpoint(mesh)
    }
}

/// A superstep of a cell; `None` if nothing is decided.
fn work<P: Partition>(
    partition: &P,
    ply: u32,
    last: &[Option<P::Frontier>],
    job: Job<'_, P>,
    scratch: &mut P::Scratch,
) -> Result<Option<Done<P>>, String> {
    let Job { at, cell, sets } = job;
    let Cell {
        number,
        own,
        changed,
        ..
    } = cell;
    let number = *number;
    let children = partition.children(number);
    if ply == 2 {
        partition.candidates_all(number, own, scratch);
    } else {
        let mut any = false;
        for &child in children {
            if let Some(frontier) = &last[child] {
                partition.collect(number, child, frontier, own, scratch);
                any = true;
            }
        }
        if !any {
            return Ok(None);
        }
    }
    let (frontier, decided) = match sets {
        Sets::Own(won) => partition.wins(number, ply, own, won, scratch),
        Sets::All(won) => {
            let sets = children
                .iter()
                .filter_map(|&child| Some((child, won[child].as_ref()?)));
            partition.losses(number, ply, &sets.collect::<Vec<_>>(), own, scratch)
        }
    };
    if partition.is_empty(&frontier) {
        return Ok(None);
    }
    *changed = true;
    let bytes = frontier.to_bytes();
    let name = u32::try_from(number).map_err(|_| "more cells than there can be".to_owned())?;
    // The cell and the ply are under the digest too.
    let digest = xxh3_64_with_seed(&bytes, u64::from(name) << 32 | u64::from(ply));
    Ok(Some(Done {
        cell: number,
        at,
        decided,
        packed_bytes: bytes.len() as u64,
        digest,
        blocks: block::cut(name, ply, &bytes)?,
        frontier,
    }))
}

fn unpacked<T: Pack>(bytes: &[u8], process: usize) -> Result<T, ClusterError> {
    T::from_bytes(bytes)
        .map_err(|error| ClusterError::bytes(format!("process {process}"), error.to_string()))
}
