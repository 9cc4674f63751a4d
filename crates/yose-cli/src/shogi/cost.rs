//! What a solve will cost: exact counts, this machine's speed, and figures measured on games that
//! were solved, each with its name. docs/full-shogi4.md says where they come from.

use std::time::Instant;

use yose_shogi::kernel::{self, SolveOptions};
use yose_shogi::{Counts, Index, Inventory, Variant};

use crate::usage;

/// Bytes read and written for each byte of state, before compression, if a tenth of it is in memory: one
/// orbit at a time to local convergence, largest inbox first. Measured on Shogi4 PTRF (106) and PPTRF (103,
/// an eighth in memory); the dearer counts.
const TRAFFIC: u64 = 106;
/// The same where cells are parts of slices: each is read by more others. Shogi4 PTRF cut by the squares of one
/// kind, an eighth in memory.
const TRAFFIC_CUT: u64 = 272;
/// By plies: Shogi4 PTRF, an eleventh in memory.
const TRAFFIC_BY_PLY: u64 = 354;
/// And in parts of slices: Shogi4 PTRF cut by the squares of one kind, a sixth in memory.
const TRAFFIC_BY_PLY_CUT: u64 = 378;
/// By plies if all of the state is in memory: frontiers are written and, for the table, read. Dobutsu.
pub(crate) const TRAFFIC_OF_FRONTIERS: u64 = 14;

/// Bytes of one compressed copy of all frontiers for each canonical position: Shogi4 PTRF.
pub(crate) const FRONTIER_BYTES: f64 = 0.384;

/// How often a frontier is sent, by number of processes (powers of two from 1): orbits dealt out
/// for PTRF. It can never be more than the slices that read a slice.
const COPIES: [f64; 5] = [0.0, 0.47, 1.21, 2.03, 3.06];
const MOST_COPIES: f64 = 5.38;

/// Lane bits (owners and faces) up to which a position costs about what one of Shogi4 PFR does, and
/// the measured cost, relative to PFR, where there are two more (PPTRF).
const SMALL_BITS: u32 = 8;
const AT_TEN_BITS: f64 = 1.6;
/// Growth for two lane bits more, if it goes on as from eight (0.93 on average) to ten.
const GROWTH: f64 = 1.72;

/// Canonical positions with kings apart of Shogi4 PFR, with which speed is measured.
const PROBE_PIECES: &str = "PFR";

/// Bytes read and written for each byte of state, orbit by orbit, in whole slices or in parts of them.
pub(crate) fn traffic(is_cut: bool) -> u64 {
    if is_cut { TRAFFIC_CUT } else { TRAFFIC }
}

/// How much longer processors work if cells are parts of slices, of which each has more to read: Shogi4 PTRF.
pub(crate) fn work(is_cut: bool) -> f64 {
    if is_cut { 2.0 } else { 1.0 }
}

/// Bytes read and written for each byte of state, by plies.
pub(crate) fn traffic_by_ply(is_cut: bool) -> u64 {
    if is_cut {
        TRAFFIC_BY_PLY_CUT
    } else {
        TRAFFIC_BY_PLY
    }
}

/// What is known exactly about an inventory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) canonical: u128,
    pub(crate) apart: u128,
    /// Slots that a table stores, holes included.
    pub(crate) slots: u64,
    /// Two bits for each: undecided, won.
    pub(crate) state_bytes: u64,
    /// What solving in memory takes, outcomes only, one thread.
    pub(crate) memory_bytes: u64,
    lane_bits: u32,
}

impl Size {
    pub(crate) fn new(counts: &Counts, index: &Index) -> Size {
        let slots = index.stored_size();
        let options = SolveOptions {
            threads: 1,
            depth: false,
        };
        Size {
            canonical: counts.canonical(),
            apart: counts.canonical_kings_apart(),
            slots,
            state_bytes: slots.div_ceil(4),
            memory_bytes: kernel::estimate(index, options).memory,
            lane_bits: index.lanes().bits(),
        }
    }

    /// How much more a position costs than one of Shogi4 PFR: at least and at most.
    pub(crate) fn weight(&self) -> (f64, f64) {
        if self.lane_bits <= SMALL_BITS {
            return (1.0, 1.0);
        }
        let more = f64::from(self.lane_bits) - 10.0;
        // Work by piece, or as it grew where it was measured.
        let low = AT_TEN_BITS * (1.0 + more / 10.0);
        let high = AT_TEN_BITS * GROWTH.powf(more / 2.0);
        (low.min(high), low.max(high))
    }
}

/// Few enough positions to be solved within seconds.
const SMALL: u128 = 50_000_000;

#[allow(clippy::cast_precision_loss, reason = "estimates")]
impl Size {
    /// Whether solving takes no time worth estimating.
    pub(crate) fn is_small(&self) -> bool {
        self.apart < SMALL
    }

    /// Seconds of one core, between the least and the most, at so many positions of Shogi4 PFR a second.
    pub(crate) fn core_seconds(&self, speed: f64) -> f64 {
        let (low, high) = self.weight();
        self.apart as f64 / speed * (low * high).sqrt()
    }
}

/// A number of threads, to divide by.
#[allow(clippy::cast_precision_loss, reason = "few")]
pub(crate) fn count(threads: usize) -> f64 {
    threads.max(1) as f64
}

/// A time for people.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// How often a frontier is sent between so many processes.
pub(crate) fn copies(processes: u32) -> f64 {
    let doublings = f64::from(processes.max(1)).log2();
    let mut last = 0.0;
    for (number, &here) in (0_u32..).zip(&COPIES) {
        let at = f64::from(number);
        if doublings <= at {
            return last + (here - last) * (doublings - at + 1.0).clamp(0.0, 1.0);
        }
        last = here;
    }
    MOST_COPIES
}

/// Canonical positions with kings apart that one core of this machine solves in a second, measured
/// on Shogi4 PFR: processor time where the system tells it, so that other work counts little; the
/// better of two runs.
pub(crate) fn measure() -> anyhow::Result<f64> {
    let missing = || anyhow::anyhow!("shogi4 is built in");
    let variant = Variant::built_in("shogi4").ok_or_else(missing)?;
    let inventory = Inventory::parse(PROBE_PIECES, &variant)?;
    let counts = Counts::new(&variant, &inventory)?;
    let index = Index::new(&variant, &inventory)?;
    let options = SolveOptions {
        threads: 1,
        depth: false,
    };
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let (clock, before) = (Instant::now(), usage::cpu_seconds());
        let _ = kernel::solve(&variant, &index, options, &mut |_| {});
        let wall = clock.elapsed().as_secs_f64();
        let cpu = before.zip(usage::cpu_seconds()).map(|(from, to)| to - from);
        // It is counted in hundredths.
        best = best.min(cpu.filter(|&cpu| cpu > 0.1).unwrap_or(wall));
    }
    #[allow(clippy::cast_precision_loss, reason = "a speed")]
    let positions = counts.canonical_kings_apart() as f64;
    Ok(positions / best.max(1e-9))
}
