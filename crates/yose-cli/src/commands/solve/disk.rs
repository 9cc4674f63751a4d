//! Solving with files: memory is a cache, and a checkpoint is always there.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use yose_disk::{DiskError, Needs, Options, Order};
use yose_retro::partition::{Numbers, Partition as _};
use yose_shogi::kernel::{Levels, Slices};
use yose_shogi::{Counts, DropShogi, Position};
use yose_store::{Coding, Identity, Location, Mode, Store, StoreError};

use super::{SolveArgs, output};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::grouped;
use crate::progress::Progress;
use crate::shogi::cost::{self, Size};
use crate::shogi::{self, Report, RunData, ScratchData, Seconds};
use crate::{interrupt, memory, usage};

/// Memory by thread for writing a table beside the values of a cell: see
/// [`TableWriter::create`](yose_retro::table::TableWriter::create).
const WRITER_BYTES: u64 = 8 << 20;

/// Code that is not in memory before it runs: measured 2.2 to 3.2 MB.
const CODE_BYTES: u64 = 4 << 20;

/// Which cells are worked on first, where plies do not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderArg {
    /// The orbit that the most news waits for.
    Inbox,
    /// One orbit after the other.
    Queue,
    /// All cells ply by ply, as distances need it.
    Plies,
}

/// Solves a game with files in a folder and writes what was asked for.
pub(super) fn solve(
    args: &SolveArgs,
    scratch: &Path,
    game: &DropShogi,
    start: Option<&Position>,
    context: &Context,
) -> anyhow::Result<Report> {
    if args.audit && args.output.is_none() {
        return Err(Failure::usage(
            "with --scratch the audit reads the table: add -o FILE, or leave out --audit",
        )
        .into());
    }
    let clock = Instant::now();
    let order = match args.order {
        _ if args.by_ply() => Order::Plies,
        Some(OrderArg::Plies) => Order::Plies,
        None | Some(OrderArg::Inbox) => Order::Inbox,
        Some(OrderArg::Queue) => Order::Queue,
    };
    let threads = context.threads.get();
    let location = output::location(scratch)?;
    outside(args, scratch)?;
    let Cut {
        partition,
        needs,
        room,
    } = Cut::new(args, game, order, threads, &location)?;
    announce(
        args,
        game,
        order,
        (&partition, &needs),
        room.solving,
        &location,
        context,
    )?;
    let store = open(args, &location, game, order, partition.pinned())?;
    for note in store.notes() {
        context.remark(&format!("{}: {note}", scratch.display()));
    }
    if args.resume && store.latest().payload().is_none() {
        context.remark("nothing to resume: from the beginning");
    }
    let bar = Mutex::new(Progress::new(context));
    let interrupted = interrupt::after_a_checkpoint();
    let last = Mutex::new(None);
    LIMIT.store(
        memory::limit(args.memory).unwrap_or(u64::MAX),
        Ordering::Relaxed,
    );
    let options = Options {
        room: room.solving,
        pressure: Some(pressure),
        threads,
        order,
        checkpoint_every: args.checkpoint_every,
        // Files that the system can keep in memory need not be small.
        coding: match memory::limit(None).is_some_and(|free| free > needs.disk) {
            true => Coding::Plain,
            false => Coding::Zstd(1),
        },
    };
    let solved = yose_disk::solve(&partition, &store, options, &|step| {
        bar.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .note(progress_text(&step, order));
        *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        match interrupted.is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .map_err(failure)?;
    drop((bar, interrupted));
    for note in solved.notes() {
        context.remark(&format!(
            "{}: {note}; an earlier one was gone on from",
            scratch.display()
        ));
    }
    solved.leave(room.writing).map_err(failure)?;
    usage::give_back();

    let levels = Levels::by_ply(&solved.levels(), solved.draws().map_err(failure)?);
    let step = last.into_inner().unwrap_or_else(PoisonError::into_inner);
    let run = RunData {
        seconds: Seconds {
            solve: Some(clock.elapsed().as_secs_f64()),
            ..Seconds::default()
        },
        threads: Some(threads),
        scratch: step.map(|step| ScratchData {
            read_bytes: step.read_bytes,
            written_bytes: step.written_bytes,
            checkpoints: step.checkpoints,
            visits: step.visits,
            cells: partition.cells(),
        }),
        ..RunData::default()
    };
    let values = |cell: usize, numbers: Numbers| {
        // What is read and made for each cell is freed in pieces of all sizes.
        let held = usage::rss_bytes().unwrap_or(0);
        if held.saturating_add(needs.values) > LIMIT.load(Ordering::Relaxed) {
            usage::give_back();
        }
        Ok(solved.values(cell, numbers).map_err(failure)?)
    };
    let cells = output::Cells {
        partition: &partition,
        values: &values,
    };
    let mut report = output::of_cells(args, game, start, &cells, &levels, run, context)?;
    drop(solved);
    // The answer is complete, and the table on the disk.
    store.clear()?;
    output::audit_if_wanted(args, game, &mut report, context)?;
    Ok(report)
}

/// The field of an identity that says how a game is cut.
const CELLS: &str = "cells";

/// A game cut into cells that fit.
struct Cut {
    partition: Slices,
    needs: Needs,
    room: Room,
}

impl Cut {
    /// Into as few cells as memory allows, or as the scratch has if it is to be gone on from.
    fn new(
        args: &SolveArgs,
        game: &DropShogi,
        order: Order,
        threads: usize,
        location: &Location,
    ) -> Result<Cut, Failure> {
        let (variant, index) = (game.variant(), game.index());
        let kinds = index.layouts().groups().len();
        // Whatever else is wrong with what is there is told when it is opened.
        let is_there = |&pinned: &usize| {
            let found = Store::inspect(location, &identity(game, order, pinned));
            !matches!(found, Err(StoreError::Foreign { field, .. }) if field == CELLS)
        };
        let there = || (0..=kinds).find(is_there);
        let asked = args.pin.map(usize::from);
        let asked = asked.or_else(|| args.resume.then(there).flatten());
        let asked = asked.map(|kinds| shogi::cut(variant, index, kinds));
        let cuts: Box<dyn Iterator<Item = Slices>> = match asked {
            Some(partition) => Box::new(std::iter::once(partition?)),
            None => Box::new(shogi::cuts(variant, index)),
        };
        let mut least = u64::MAX;
        for partition in cuts {
            let needs = yose_disk::needs(&partition, threads, order);
            match Room::new(args, &needs, threads) {
                Ok(room) => {
                    return Ok(Cut {
                        partition,
                        needs,
                        room,
                    });
                }
                Err(need) => least = least.min(need),
            }
        }
        // What this process holds by itself differs from run to run.
        let need = least.next_multiple_of(1 << 20) + (1 << 20);
        Err(Failure::usage(format!(
            "solving this with files needs {} of memory at least, and {} may be used",
            memory::format(need),
            memory::format(memory::limit(args.memory).unwrap_or(u64::MAX))
        ))
        .hint("fewer threads (-j) or fewer --pieces need less"))
    }
}

/// Bytes for cells in memory, by what else there is at the time.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Between visits.
    solving: u64,
    /// Between the values of cells for the table.
    writing: u64,
}

impl Room {
    /// What may be used without what is used by now, what is being worked on and what memory allocation
    /// wastes; if that is more than there may be, how much it is.
    fn new(args: &SolveArgs, needs: &Needs, threads: usize) -> Result<Room, u64> {
        let Some(limit) = memory::limit(args.memory) else {
            return Ok(Room {
                solving: u64::MAX,
                writing: u64::MAX,
            });
        };
        let threads = threads as u64;
        let writing = match args.output {
            Some(_) => threads * (needs.values + WRITER_BYTES),
            // The value of the position to begin with.
            None => needs.values,
        };
        let used = usage::rss_bytes().unwrap_or(0) + needs.bookkeeping;
        let least = |working: u64| memory::with_waste(used + working) + CODE_BYTES;
        let need = least(needs.working.max(writing));
        if need > limit {
            return Err(need);
        }
        let room = |working: u64| {
            let room = limit.saturating_sub(least(working));
            // What comes and goes in pieces of all sizes takes half as much again, measured.
            room - room / 3
        };
        Ok(Room {
            solving: room(needs.working),
            // Between small things that stay, the allocator keeps what solving took.
            writing: room(needs.working + writing),
        })
    }
}

/// What the process may hold.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// What it holds beyond fifteen sixteenths of that, so that there is time to react.
fn pressure() -> u64 {
    /// To give memory back takes some milliseconds.
    const SELDOM: Duration = Duration::from_millis(250);
    static GIVEN_BACK: Mutex<Option<Instant>> = Mutex::new(None);

    let limit = LIMIT.load(Ordering::Relaxed);
    let held = || usage::rss_bytes().unwrap_or(0);
    let beyond = held().saturating_sub(limit - limit / 16);
    if beyond == 0 {
        return 0;
    }
    // Cells of all sizes leave gaps, which can be more than half of it.
    let mut last = GIVEN_BACK.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_some_and(|last| last.elapsed() < SELDOM) {
        return beyond;
    }
    usage::give_back();
    *last = Some(Instant::now());
    held().saturating_sub(limit - limit / 16)
}

/// Says what it will take, and refuses what will not fit.
fn announce(
    args: &SolveArgs,
    game: &DropShogi,
    order: Order,
    (partition, needs): (&Slices, &Needs),
    room: u64,
    location: &Location,
    context: &Context,
) -> anyhow::Result<()> {
    let counts = Counts::new(game.variant(), game.inventory())?;
    let size = Size::new(&counts, game.index());
    // What is larger than the cache goes to and fro.
    let traffic = match order {
        Order::Plies if room >= needs.state => cost::TRAFFIC_OF_FRONTIERS,
        Order::Plies => cost::traffic_by_ply(partition.pinned() > 0),
        _ if room >= needs.state => 2,
        _ => cost::traffic(partition.pinned() > 0),
    };
    let io = size.state_bytes.saturating_mul(traffic);
    let free = location.free_bytes();
    let free_text = free.map_or_else(|| "unknown".to_owned(), memory::format);
    let time = match size.is_small() {
        true => "seconds".to_owned(),
        // Measuring takes a second or two itself.
        false => {
            let threads = cost::count(context.threads.get());
            let work = cost::work(partition.pinned() > 0);
            cost::duration(size.core_seconds(cost::measure()?) * work / threads)
        }
    };
    context.remark(&format!(
        "{}: state {} in {} cells, of which {} stay in memory and {} are worked on; up to {} of disk (free: \
         {free_text}), about {} of traffic before compression, about {time}",
        shogi::name(game),
        memory::format(needs.state),
        grouped(partition.cells() as u64),
        memory::format(room.min(needs.state)),
        memory::format(needs.working),
        memory::format(needs.disk),
        memory::format(io),
    ));
    // What a resumed solve has on the disk already is its own.
    match free {
        Some(free) if free < needs.disk && !args.resume => Err(Failure::usage(format!(
            "solving this may need {} of disk, and {location} has {} free",
            memory::format(needs.disk),
            memory::format(free)
        ))
        .hint("--scratch may name a folder on another disk")
        .into()),
        _ => Ok(()),
    }
}

/// What the files of a solve are of.
fn identity(game: &DropShogi, order: Order, pinned: usize) -> Identity {
    let solved = if order.is_by_ply() {
        "ply by ply (--metric depth, --ranks or --order plies)"
    } else {
        "orbit by orbit (--metric wdl with --order inbox or queue)"
    };
    let groups = &game.index().layouts().groups()[..pinned];
    let kinds = groups.iter().map(|group| group.kind);
    let letters: String = kinds
        .map(|kind| game.variant().kinds[kind].base.letter.as_str())
        .collect();
    let cells = match pinned {
        0 => "slices".to_owned(),
        _ => format!("slices cut by the squares of {letters}"),
    };
    output::identity(game, "disk 4")
        .with("solved", solved)
        .with(CELLS, cells)
}

fn open(
    args: &SolveArgs,
    location: &Location,
    game: &DropShogi,
    order: Order,
    pinned: usize,
) -> anyhow::Result<Store> {
    let identity = identity(game, order, pinned);
    let mode = if args.resume {
        Mode::Either
    } else {
        Mode::Fresh
    };
    let opened = Store::open(location, &identity, mode);
    opened.map_err(|error| {
        let text = error.to_string();
        let failure = match error {
            StoreError::Occupied { identity: it, .. } => {
                Failure::usage(text).hint(match it == identity.to_string() {
                    true => "--resume goes on with it",
                    false => "it is not this one: --scratch may name another folder",
                })
            }
            error if error.is_damage() => output::damaged(text),
            // Nothing was begun, so there is nothing to be said about checkpoints.
            _ => Failure::usage(text),
        };
        failure.into()
    })
}

/// The store would find a table in its folder and not know it.
fn outside(args: &SolveArgs, scratch: &Path) -> Result<(), Failure> {
    let real = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        // The nearest folder that is there, whatever links lead to it.
        path.ancestors().find_map(|above| {
            let rest = path.strip_prefix(above).ok()?;
            Some(above.canonicalize().ok()?.join(rest))
        })
    };
    let inside = match (args.output.as_deref().and_then(real), real(scratch)) {
        (Some(table), Some(scratch)) => table.starts_with(scratch),
        _ => false,
    };
    if inside {
        let text = "the table cannot lie in the --scratch folder, which is emptied at the end";
        return Err(Failure::usage(text));
    }
    Ok(())
}

fn failure(error: DiskError) -> Failure {
    let text = error.to_string();
    match error {
        DiskError::Stopped => Failure::new(
            Exit::Interrupted,
            "interrupted after a checkpoint; --resume goes on",
        ),
        DiskError::Store(store) if store.is_damage() => output::damaged(text),
        DiskError::Store(
            StoreError::NoSpace { .. } | StoreError::ReadOnly { .. } | StoreError::Io { .. },
        ) => Failure::usage(text)
            .hint("a checkpoint, if one was made, is safe: --resume goes on from it"),
        _ => Failure::usage(text),
    }
}

fn progress_text(step: &yose_disk::Progress, order: Order) -> String {
    let traffic = format!(
        "read {}, written {}",
        memory::format(step.read_bytes),
        memory::format(step.written_bytes)
    );
    let cells = format!("{} of {} cells", step.cells, step.of);
    let decided = grouped(step.decided);
    match order {
        Order::Plies => format!("ply {}: {cells}, {decided} decided, {traffic}", step.ply),
        _ if step.cells < step.of => format!("first visits: {cells}, {decided} decided, {traffic}"),
        _ => format!(
            "{decided} decided, {} in inboxes, {} sweeps, {traffic}",
            grouped(step.waiting),
            step.visits / step.of.max(1) as u64
        ),
    }
}
