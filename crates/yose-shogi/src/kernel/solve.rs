//! Solving level by level: the losses of one ply make the wins of the next, and only positions
//! from which some move leads to a new win can be new losses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::block::{Ops, Plain};
use super::frontier::Frontier;
use super::levels::Decided;
use super::locate::Locator;
use super::parts::Part;
use super::solved::Solved;
use super::tables::Tables;
use super::unit::{News, Own, Scratch, Step, Units, UnitsWith, stride};
#[cfg(target_arch = "x86_64")]
use super::wide;
use super::words::Words;
use crate::index::Index;
use crate::variant::Variant;

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub struct SolveOptions {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Whether to keep the exact distance of every position.
    pub depth: bool,
}

/// How far a solve has come: told after every ply.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The ply that is done.
    pub ply: u32,
    /// Positions decided at this ply, as stored (turn and mirror folded).
    pub decided: u64,
}

/// What a solve will take, worked out before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Bytes of memory at most, if no position is deeper than 255 plies.
    pub memory: u64,
    /// Indices that are stored.
    pub slots: u64,
}

struct Solver {
    units: Box<dyn Units>,
    /// The slices.
    whole: Vec<Part>,
    /// By slice: what only the slice itself reads, and what others read.
    own: Vec<Mutex<Own>>,
    won: Vec<RwLock<Words>>,
    /// The last losses and the last wins.
    lost_frontier: Vec<RwLock<Frontier>>,
    won_frontier: Vec<RwLock<Frontier>>,
    /// By thread.
    scratch: Vec<Mutex<Scratch>>,
}

fn lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// What is done with every slice.
#[derive(Clone, Copy)]
enum Phase {
    /// Ply 1: what can be seen without looking at other positions.
    First,
    /// Ply 2: positions whose every move allows a win in 1, or that have no move.
    Second,
    /// An odd ply: the parents of the last losses are won.
    Wins(u32),
    /// An even ply: the parents of the last wins that have no other move are lost.
    Losses(u32),
}

impl Solver {
    fn new(units: Box<dyn Units>, threads: usize) -> Self {
        let whole = units.parts().all;
        let slices = whole.len();
        let layouts = whole.first().map_or(0, Part::len);
        let frontiers = || (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect();
        Solver {
            own: whole
                .iter()
                .map(|slice| Mutex::new(units.own(slice)))
                .collect(),
            won: whole
                .iter()
                .map(|slice| RwLock::new(units.won(slice)))
                .collect(),
            lost_frontier: frontiers(),
            won_frontier: frontiers(),
            // More threads than slices would have nothing to do.
            scratch: (0..threads.min(slices).max(1))
                .map(|_| Mutex::new(units.scratch(layouts)))
                .collect(),
            units,
            whole,
        }
    }

    /// Runs a phase for every slice on all threads; returns what it decides.
    fn run(&self, phase: Phase) -> Decided {
        let next = AtomicUsize::new(0);
        let work = |scratch: &Mutex<Scratch>| {
            let mut scratch = lock(scratch);
            let mut sum = Decided::default();
            loop {
                let slice = next.fetch_add(1, Ordering::Relaxed);
                if slice >= self.own.len() {
                    return sum;
                }
                sum += self.slice(phase, slice, &mut scratch);
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = self.scratch[1..]
                .iter()
                .map(|scratch| scope.spawn(|| work(scratch)))
                .collect();
            let mut sum = work(&self.scratch[0]);
            for other in others {
                sum += other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            sum
        })
    }

    fn slice(&self, phase: Phase, slice: usize, scratch: &mut Scratch) -> Decided {
        let mut own = lock(&self.own[slice]);
        let whole = &self.whole;
        let mut step = |step: Step<'_>| self.units.step(&whole[slice], step, &mut own, scratch);
        let collected = match phase {
            Phase::First => return step(Step::First(&mut write(&self.won[slice]))).1,
            Phase::Second => None,
            Phase::Wins(_) => Some(&self.lost_frontier),
            Phase::Losses(_) => Some(&self.won_frontier),
        };
        match collected {
            None => step(Step::CollectAll),
            Some(frontiers) => {
                let frontiers: Vec<_> = frontiers.iter().map(read).collect();
                let news = whole.iter().zip(&frontiers);
                let news: Vec<_> = news.map(|(of, frontier)| News { of, frontier }).collect();
                step(Step::Collect(&news))
            }
        };
        if let Phase::Wins(ply) = phase {
            let (frontier, decided) = step(Step::Wins(ply, &mut write(&self.won[slice])));
            *write(&self.won_frontier[slice]) = frontier;
            return decided;
        }
        let ply = if let Phase::Losses(ply) = phase {
            ply
        } else {
            2
        };
        let won: Vec<_> = self.won.iter().map(read).collect();
        let won: Vec<_> = won.iter().map(|won| vec![(0, won.as_slice())]).collect();
        let (frontier, decided) = step(Step::Losses(ply, &won));
        *write(&self.lost_frontier[slice]) = frontier;
        decided
    }
}

/// Solves all positions of an index. The result is the same for any number of threads.
///
/// Cost: for one piece of each kind of Shogi4 (345 million positions) about 28 seconds of one core
/// and 0.45 GB, with depths 0.85 GB; [`estimate`] tells the memory before it is taken.
#[must_use]
pub fn solve(
    variant: &Variant,
    index: &Index,
    options: SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Solved {
    let solver = Solver::new(units(variant, index, options.depth, 0), options.threads);
    let mut levels = Vec::new();
    loop {
        let ply = levels.len() as u32 + 1;
        let decided = solver.run(match ply {
            1 => Phase::First,
            2 => Phase::Second,
            ply if ply % 2 == 1 => Phase::Wins(ply),
            ply => Phase::Losses(ply),
        });
        if ply > 2 && decided.stored() == 0 {
            break;
        }
        // All slices have read the frontier of the ply before; the next ply writes it anew.
        let read_by_all = match ply % 2 {
            1 => &solver.lost_frontier,
            _ => &solver.won_frontier,
        };
        for frontier in read_by_all {
            *write(frontier) = Frontier::EMPTY;
        }
        levels.push(decided);
        progress(Progress {
            ply,
            decided: decided.stored(),
        });
    }
    let open = |own: Mutex<Own>| own.into_inner().unwrap_or_else(PoisonError::into_inner);
    let shut = |won: RwLock<Words>| won.into_inner().unwrap_or_else(PoisonError::into_inner);
    let own = solver.own.into_iter().map(open).collect();
    let won = solver.won.into_iter().map(shut).collect();
    Solved::new(solver.units, solver.whole, own, won, options.depth, &levels)
}

/// The slices of an index, in blocks that fit its lanes and operations that fit the processor, with the pieces
/// of so many groups pinned.
pub(super) fn units(
    variant: &Variant,
    index: &Index,
    depth: bool,
    pinned: usize,
) -> Box<dyn Units> {
    #[cfg(target_arch = "x86_64")]
    if wide::is_available() {
        use wide::Wide;

        let like = !Locator::is_plain(index.layouts());
        let make = match (words(index, widths()), like) {
            (1, false) => units_with::<1, false, Wide>,
            (1, true) => units_with::<1, true, Wide>,
            (4, false) => units_with::<4, false, Wide>,
            (4, true) => units_with::<4, true, Wide>,
            (16, _) => units_with::<16, true, Wide>,
            (64, _) => units_with::<64, true, Wide>,
            (256, _) => units_with::<256, true, Wide>,
            _ => units_with::<1024, true, Wide>,
        };
        return make(variant, index, depth, pinned);
    }
    let make = match words(index, widths()) {
        4 => units_with::<4, true, Plain>,
        64 => units_with::<64, true, Plain>,
        _ => units_with::<1024, true, Plain>,
    };
    make(variant, index, depth, pinned)
}

fn units_with<const N: usize, const LIKE: bool, O: Ops<N> + 'static>(
    variant: &Variant,
    index: &Index,
    depth: bool,
    pinned: usize,
) -> Box<dyn Units> {
    Box::new(UnitsWith::<N, LIKE, O> {
        tables: Tables::new(variant, index).with_pinned(pinned),
        depth,
        width: index.lanes().width(),
    })
}

/// Widths of blocks, in words, for any number of lanes.
pub(super) const WIDTHS: &[usize] = &[1, 4, 16, 64, 256, 1024];

/// The widths that solving is compiled for: on processors without wide operations fewer, since some
/// wasted room there is a fair price for a shorter build.
fn widths() -> &'static [usize] {
    #[cfg(target_arch = "x86_64")]
    if wide::is_available() {
        return WIDTHS;
    }
    &[4, 64, 1024]
}

/// Words of a block: enough for all lanes, in one of these widths.
pub(super) fn words(index: &Index, widths: &[usize]) -> usize {
    let needed = index.lanes().width().div_ceil(64);
    let enough = widths.iter().find(|&&words| needed <= words);
    enough.copied().unwrap_or(1024)
}

/// What [`solve`] will take.
#[must_use]
pub fn estimate(index: &Index, options: SolveOptions) -> Estimate {
    let words = words(index, widths());
    let layouts = index.layouts().count();
    let block = 8 * words as u64;
    let set = index.slices().stored() as u64 * layouts * block;
    // Undecided and won lanes, the collected ones, both frontiers at their fullest.
    let sets = stride(words) as u64 + 1;
    let frontiers = if words <= 4 { 2 * set } else { set };
    let planes = if options.depth { 7 * set } else { 0 };
    let scratch = options.threads.min(index.slices().stored()).max(1) as u64
        * layouts
        * block
        * (2 - stride(words) as u64);
    Estimate {
        memory: sets * set + frontiers + planes + scratch + (64 << 20),
        slots: index.stored_size(),
    }
}
