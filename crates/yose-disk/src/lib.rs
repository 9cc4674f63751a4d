//! Solving a game that is larger than memory.
//!
//! The game is a [`Partition`]: cells, worked on one at a time. Here the sets of a cell and the
//! frontiers that it has sent out lie in a [`Store`] and in memory as far as there is room; what has
//! waited longest is moved out, compressed. Every so often all of it is published as a checkpoint, from
//! which a solve that was killed goes on and ends with the same values.
//!
//! Two ways to the end, by [`Order`]:
//!
//! - *by plies*: all cells decide the same ply. Distances come out, and each cell is loaded once for each
//!   ply that brings it news;
//! - *any other order*: one orbit (the cells that only the king's moves leave) is worked on until it has
//!   nothing more to tell itself. Outcomes come out, after a third of the loads. It is sound because a
//!   position is decided only by what is decided already, and complete because whatever a cell decides
//!   stays in its log until all its parents have read it.
//!
//! The values do not depend on the order, the number of threads, the memory, or on kills.

mod driver;
mod error;
mod ledger;
mod pool;
mod slots;
mod solved;
mod stretch;
mod visit;

use std::time::Duration;

use yose_retro::partition::{CellBytes, Partition};
use yose_store::Coding;

pub use driver::{Progress, solve};
pub use error::DiskError;
pub use solved::Solved;

#[cfg(doc)]
use yose_store::Store;

/// Which cell comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All cells decide a ply before the next one begins: exact distances.
    Plies,
    /// The orbit that the most newly decided positions wait for, for what it takes to load it: outcomes,
    /// with the fewest loads.
    Inbox,
    /// One orbit after the other, round and round: outcomes.
    Queue,
    /// As drawn by a seed: outcomes, to see that the order does not matter.
    Drawn(u64),
}

impl Order {
    /// Whether distances come out.
    #[must_use]
    pub fn is_by_ply(self) -> bool {
        self == Order::Plies
    }
}

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Bytes of cells and frontiers to keep in memory between visits. What is being worked on comes on
    /// top: see [`Needs::working`].
    pub room: u64,
    /// Bytes that the process holds beyond what it may, if somebody can tell. Asked after each visit; the
    /// room shrinks by as much, since allocators keep a part of what they were given back.
    pub pressure: Option<fn() -> u64>,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Which cell comes next.
    pub order: Order,
    /// How often a checkpoint is made.
    pub checkpoint_every: Duration,
    /// How cells are stored that were moved out and will come back. Plain ones are fastest if the system
    /// has memory to keep files in; compressed ones take a third of the traffic.
    pub coding: Coding,
}

/// What a solve takes, worked out before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Bytes of memory for what is being worked on, whatever the room: no solve takes less.
    pub working: u64,
    /// Bytes of memory for the values of a cell afterwards, by thread that asks for them, a byte each: see
    /// [`Solved::leave`].
    pub values: u64,
    /// Bytes of memory for what is known of cells and of frontiers that are kept: names, places, lengths.
    pub bookkeeping: u64,
    /// Bytes of all sets, uncompressed.
    pub state: u64,
    /// Bytes of disk that files may take: the sets of this and of two published generations, and frontiers, which
    /// are estimated; compressed these are a fraction. And what a file system needs for files as such.
    pub disk: u64,
}

/// Buffers of a store for what is written and read at a time.
const BLOCKS: u64 = 1 << 20;

/// Bytes by cell for what is known of its frontiers, in a solve by plies of up to some 300, while a checkpoint is
/// made: measured.
const BOOKKEEPING_BY_PLY: u64 = 64 << 10;
/// The same in other orders, for its sets and the frontiers that not all have read: 2 and some 4, named in two
/// generations. PPTRF in 8,268 cells: 5.7 KiB.
const BOOKKEEPING: u64 = 6 << 10;

/// Bytes for each cell that a cell reads: who reads whom, and how far, here and in a checkpoint that is made.
const READING: u64 = 40;

/// Frontiers that are kept, for each byte of the sets. By plies all are kept; measured were 5.3 to 7.8 (Shogi4
/// PTRF and PFR, Micro PGS, Dobutsu) and 12 in a small game of 266 plies.
const KEPT_BY_PLY: u64 = 12;
/// Else they go when they were read and no published generation has them: 1.5 at most (Shogi4 PPTRF).
const KEPT: u64 = 2;

/// Disk by cell that files take beyond their bytes: blocks that are not filled, headers, manifests. Measured with a
/// checkpoint after every visit and no room, so that each small frontier is a file: 76 KiB; with room 42.
const FILES: u64 = 128 << 10;

/// What a solve by so many threads takes.
#[must_use]
pub fn needs<P: Partition>(partition: &P, threads: usize, order: Order) -> Needs {
    let cells = partition.cells() as u64;
    let all = (0..partition.cells()).map(|cell| partition.cell_bytes(cell));
    // What the largest cells take.
    let most = |of: fn(&CellBytes) -> u64| all.clone().map(|bytes| of(&bytes)).max().unwrap_or(0);
    let bytes = CellBytes {
        own: most(|bytes| bytes.own),
        won: most(|bytes| bytes.won),
        frontier: most(|bytes| bytes.frontier),
        slots: most(|bytes| bytes.slots),
    };
    let cell = bytes.own + bytes.won;
    // An orbit has two cells. More than one thread copies the won sets, which others read meanwhile.
    let copies = if threads > 1 { 2 * bytes.won } else { 0 };
    // A set that is looked at; a frontier that is read, and one that grows and may have as much room again;
    // blocks on their way to and from files.
    // The memory of sets that have left is kept for the next; those of an orbit's cells are in use.
    let spare = driver::SPARE as u64 * bytes.won;
    let sets = 2 * cell + copies + bytes.won + spare;
    let working = sets + 3 * bytes.frontier + partition.scratch_bytes() + BLOCKS;
    let reads = (0..partition.cells()).map(|cell| partition.children(cell).len() as u64);
    let reads: u64 = reads.sum();
    let state = all.clone().map(|bytes| bytes.own + bytes.won).sum();
    // Outcomes come from what is undecided, distances from frontiers, of which small ones lie together.
    let read = match order.is_by_ply() {
        true => bytes.own.max(bytes.frontier + visit::STRETCH),
        false => bytes.own,
    };
    let bookkeeping = match order.is_by_ply() {
        true => BOOKKEEPING_BY_PLY,
        false => BOOKKEEPING,
    };
    let kept = if order.is_by_ply() { KEPT_BY_PLY } else { KEPT };
    Needs {
        working: threads as u64 * working,
        values: bytes.won + read + bytes.slots,
        bookkeeping: reads * READING + cells * bookkeeping,
        state,
        disk: (3 + kept) * state + cells * FILES,
    }
}
