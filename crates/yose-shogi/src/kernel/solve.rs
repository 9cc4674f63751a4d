//! Solving level by level: the losses of one ply make the wins of the next, and only positions
//! from which some move leads to a new win can be new losses.
//!
//! A slice is the unit of work. Per slice the solver keeps its undecided lanes (in the view of the
//! side to move), the lanes that are won (in the view of the side that has just moved, which is how
//! they are read), and the positions decided at the last level, the *frontier*. A unit writes only
//! what belongs to its slice, so the result does not depend on threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::block::{Block, and, and_not, count, is_empty, or_into};
use super::pull::Looks;
use super::push::Sink;
use super::tables::Tables;
use super::words::{Words, prefetch};
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

/// A solved inventory, by slice and layout.
#[derive(Debug)]
pub struct Solved {
    /// Words of 64 lanes in a block.
    pub words: usize,
    /// By slice.
    pub slices: Vec<SolvedSlice>,
    /// Positions of stored slices decided at each ply (index 0 is ply 1); odd plies are wins.
    pub levels: Vec<u64>,
}

/// What is known of one slice. Blocks are in order of layouts.
#[derive(Debug)]
pub struct SolvedSlice {
    /// Lanes that are draws.
    pub undecided: Vec<u64>,
    /// Lanes that are won, in the view of the side that has just moved.
    pub won: Vec<u64>,
    /// Binary digits of half the depth, lowest first.
    pub planes: Vec<Vec<u64>>,
}

/// Positions decided at one level, in the view of the side that has just moved.
struct Frontier<const N: usize> {
    layouts: Vec<u32>,
    blocks: Vec<Block<N>>,
}

impl<const N: usize> Frontier<N> {
    const EMPTY: Frontier<N> = Frontier {
        layouts: Vec::new(),
        blocks: Vec::new(),
    };
}

/// What belongs to one slice and is read by its own unit alone.
struct Own {
    /// By layout: the undecided lanes, then the lanes collected at this level. Both are on one
    /// cache line where they fit.
    cells: Words,
    planes: Vec<Words>,
}

impl Own {
    fn decide<const N: usize>(&mut self, depth: bool, ply: u32, number: u32, lanes: &Block<N>) {
        let number = number as usize;
        let undecided = &mut self.cells.blocks_mut()[2 * number];
        *undecided = and_not(undecided, lanes);
        if !depth {
            return;
        }
        let mut half = ply / 2;
        let mut digit = 0;
        while half != 0 {
            if self.planes.len() <= digit {
                self.planes
                    .push(Words::zeroed(self.cells.as_slice().len() / 2));
            }
            if half & 1 == 1 {
                or_into(&mut self.planes[digit].blocks_mut()[number], lanes);
            }
            half >>= 1;
            digit += 1;
        }
    }
}

/// Adds undecided lanes to what is collected.
struct Collector<'a, const N: usize> {
    cells: &'a mut [Block<N>],
    /// A bit for every layout that has collected lanes.
    touched: &'a mut [u64],
    /// What waits for its cache line.
    waiting: Vec<(u32, Block<N>)>,
}

/// How many additions wait while their cache lines are fetched.
const WAITING: usize = 64;

impl<'a, const N: usize> Collector<'a, N> {
    fn new(cells: &'a mut [Block<N>], touched: &'a mut [u64]) -> Self {
        Collector {
            cells,
            touched,
            waiting: Vec::with_capacity(WAITING),
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        for (number, lanes) in &self.waiting {
            let number = *number as usize;
            let [undecided, collected] = &mut self.cells.as_chunks_mut().0[number];
            let new = and(lanes, undecided);
            let any = !is_empty(&new);
            or_into(collected, &new);
            self.touched[number / 64] |= u64::from(any) << (number % 64);
        }
        self.waiting.clear();
    }
}

impl<const N: usize> Sink<N> for Collector<'_, N> {
    #[inline(always)]
    fn add(&mut self, number: u32, lanes: &Block<N>) {
        prefetch(&self.cells[2 * number as usize]);
        self.waiting.push((number, *lanes));
        if self.waiting.len() == WAITING {
            self.flush();
        }
    }
}

/// Calls `f` with every touched layout and forgets it.
#[inline(always)]
fn drain(touched: &mut [u64], mut f: impl FnMut(u32)) {
    for (word, touched) in touched.iter_mut().enumerate() {
        let mut touched = std::mem::take(touched);
        while touched != 0 {
            f(word as u32 * 64 + touched.trailing_zeros());
            touched &= touched - 1;
        }
    }
}

struct Solver<'a, const N: usize, const LIKE: bool> {
    tables: &'a Tables<N, LIKE>,
    options: SolveOptions,
    layouts: u32,
    own: Vec<Mutex<Own>>,
    won: Vec<RwLock<Words>>,
    /// The last losses and the last wins.
    lost_frontier: Vec<RwLock<Frontier<N>>>,
    won_frontier: Vec<RwLock<Frontier<N>>>,
    /// By thread: which layouts are touched.
    touched: Vec<Mutex<Vec<u64>>>,
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

/// What a unit does.
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

impl<const N: usize, const LIKE: bool> Solver<'_, N, LIKE> {
    /// Runs a phase for every slice on all threads; returns how many positions it decides.
    fn run(&self, phase: Phase) -> u64 {
        let next = AtomicUsize::new(0);
        let work = |touched: &Mutex<Vec<u64>>| {
            let mut touched = lock(touched);
            let mut sum = 0;
            loop {
                let slice = next.fetch_add(1, Ordering::Relaxed);
                if slice >= self.own.len() {
                    return sum;
                }
                sum += self.unit(phase, slice, &mut touched);
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = self.touched[1..]
                .iter()
                .map(|touched| scope.spawn(|| work(touched)))
                .collect();
            let mut sum = work(&self.touched[0]);
            for other in others {
                sum += other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            sum
        })
    }

    fn unit(&self, phase: Phase, slice: usize, touched: &mut [u64]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.unit_avx2(phase, slice, touched) };
        }
        self.unit_body(phase, slice, touched)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn unit_avx2(&self, phase: Phase, slice: usize, touched: &mut [u64]) -> u64 {
        self.unit_body(phase, slice, touched)
    }

    #[inline(always)]
    fn unit_body(&self, phase: Phase, slice: usize, touched: &mut [u64]) -> u64 {
        match phase {
            Phase::First => self.first(slice),
            Phase::Second => self.losses(slice, 2, None),
            Phase::Wins(ply) => self.wins(slice, ply, touched),
            Phase::Losses(ply) => self.losses(slice, ply, Some(touched)),
        }
    }

    #[inline(always)]
    fn first(&self, slice: usize) -> u64 {
        let mut own = lock(&self.own[slice]);
        let cells = own.cells.blocks_mut::<N>();
        let mut won = write(&self.won[slice]);
        let won = won.blocks_mut();
        let mut decided = 0;
        for number in 0..self.layouts {
            let placed = self.tables.locator.placed::<LIKE>(number);
            let legal = self.tables.legal(slice, &placed);
            let wins = and(&legal, &self.tables.wins_in_one(slice, &placed));
            cells[2 * number as usize] = and_not(&legal, &wins);
            decided += count(&wins);
            let (turned, wins) = self.tables.turn(slice, &placed, &wins);
            won[turned as usize] = wins;
        }
        decided
    }

    /// Collects the parents in `slice` of the positions of a frontier.
    #[inline(always)]
    fn collect(
        &self,
        slice: usize,
        frontiers: &[RwLock<Frontier<N>>],
        sink: &mut Collector<'_, N>,
    ) {
        let moves = &self.tables.moves[slice];
        if let Some(frontier) = frontiers.get(moves.turned) {
            let frontier = read(frontier);
            for (&number, lanes) in frontier.layouts.iter().zip(&frontier.blocks) {
                let placed = self.tables.locator.placed::<LIKE>(number);
                self.tables.push(slice, &placed, lanes, sink);
            }
        }
        for king in &moves.king_hops {
            let frontier = read(&frontiers[king.child]);
            for (&number, lanes) in frontier.layouts.iter().zip(&frontier.blocks) {
                let squares = self.tables.locator.squares(number);
                self.tables.push_king(king, &squares, lanes, sink);
            }
        }
    }

    #[inline(always)]
    fn wins(&self, slice: usize, ply: u32, touched: &mut [u64]) -> u64 {
        let mut own = lock(&self.own[slice]);
        let mut sink = Collector::new(own.cells.blocks_mut(), touched);
        self.collect(slice, &self.lost_frontier, &mut sink);
        sink.flush();

        let mut won = write(&self.won[slice]);
        let won = won.blocks_mut();
        let mut frontier = write(&self.won_frontier[slice]);
        *frontier = Frontier::EMPTY;
        let mut decided = 0;
        drain(touched, |number| {
            let wins: Block<N> =
                std::mem::replace(&mut own.cells.blocks_mut()[2 * number as usize + 1], [0; N]);
            decided += count(&wins);
            own.decide(self.options.depth, ply, number, &wins);
            let placed = self.tables.locator.placed::<LIKE>(number);
            let (turned, wins) = self.tables.turn(slice, &placed, &wins);
            or_into(&mut won[turned as usize], &wins);
            frontier.layouts.push(turned);
            frontier.blocks.push(wins);
        });
        decided
    }

    /// Checks the lanes that have a move to a new win or, without `touched`, all that are
    /// undecided.
    #[inline(always)]
    fn losses(&self, slice: usize, ply: u32, touched: Option<&mut [u64]>) -> u64 {
        let mut own = lock(&self.own[slice]);
        let guards: Vec<_> = self.won.iter().map(read).collect();
        let won = |child: usize| guards[child].blocks::<N>();
        let mut decided = 0;
        let mut frontier = Frontier::EMPTY;
        let mut looks = Looks::default();
        let mut check = |own: &mut Own, number: u32, candidates: &Block<N>| {
            let placed = self.tables.locator.placed::<LIKE>(number);
            let lost = self
                .tables
                .pull(slice, &placed, candidates, won, &mut looks);
            if is_empty(&lost) {
                return;
            }
            decided += count(&lost);
            own.decide(self.options.depth, ply, number, &lost);
            let (turned, lost) = self.tables.turn(slice, &placed, &lost);
            frontier.layouts.push(turned);
            frontier.blocks.push(lost);
        };
        if let Some(touched) = touched {
            let mut sink = Collector::new(own.cells.blocks_mut(), touched);
            self.collect(slice, &self.won_frontier, &mut sink);
            sink.flush();
            drain(touched, |number| {
                let candidates =
                    std::mem::replace(&mut own.cells.blocks_mut()[2 * number as usize + 1], [0; N]);
                check(&mut own, number, &candidates);
            });
        } else {
            for number in 0..self.layouts {
                let undecided = own.cells.blocks()[2 * number as usize];
                if !is_empty(&undecided) {
                    check(&mut own, number, &undecided);
                }
            }
        }
        *write(&self.lost_frontier[slice]) = frontier;
        decided
    }
}

fn solve_with<const N: usize, const LIKE: bool>(
    variant: &Variant,
    index: &Index,
    options: SolveOptions,
) -> Solved {
    let tables = Tables::<N, LIKE>::new(variant, index);
    let layouts = index.layouts().count() as usize;
    let slices = index.slices().stored();
    let solver = Solver {
        tables: &tables,
        options,
        layouts: layouts as u32,
        own: (0..slices)
            .map(|_| {
                Mutex::new(Own {
                    cells: Words::zeroed(2 * N * layouts),
                    planes: Vec::new(),
                })
            })
            .collect(),
        won: (0..slices)
            .map(|_| RwLock::new(Words::zeroed(N * layouts)))
            .collect(),
        lost_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
        won_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
        touched: (0..options.threads.max(1))
            .map(|_| Mutex::new(vec![0; layouts.div_ceil(64)]))
            .collect(),
    };
    let mut levels = vec![solver.run(Phase::First), solver.run(Phase::Second)];
    let mut ply = 2;
    loop {
        ply += 1;
        let phase = if ply % 2 == 1 {
            Phase::Wins(ply)
        } else {
            Phase::Losses(ply)
        };
        let decided = solver.run(phase);
        if decided == 0 {
            break;
        }
        levels.push(decided);
    }
    let slices = solver.own.into_iter().zip(solver.won).map(|(own, won)| {
        let own = own.into_inner().unwrap_or_else(PoisonError::into_inner);
        let won = won.into_inner().unwrap_or_else(PoisonError::into_inner);
        SolvedSlice {
            undecided: own
                .cells
                .blocks::<N>()
                .iter()
                .step_by(2)
                .flatten()
                .copied()
                .collect(),
            won: won.as_slice().to_vec(),
            planes: own.planes.iter().map(|p| p.as_slice().to_vec()).collect(),
        }
    });
    Solved {
        words: N,
        slices: slices.collect(),
        levels,
    }
}

/// Solves all positions of an index.
#[must_use]
pub fn solve(variant: &Variant, index: &Index, options: SolveOptions) -> Solved {
    let like = index.layouts().groups().iter().any(|group| group.count > 1);
    match (index.lanes().width().div_ceil(64), like) {
        (1, false) => solve_with::<1, false>(variant, index, options),
        (1, true) => solve_with::<1, true>(variant, index, options),
        (2..=4, false) => solve_with::<4, false>(variant, index, options),
        (2..=4, true) => solve_with::<4, true>(variant, index, options),
        /*DEV (5..=16, _) => solve_with::<16, true>(variant, index, options),
        (17..=64, _) => solve_with::<64, true>(variant, index, options),
        (65..=256, _) => solve_with::<256, true>(variant, index, options),
        _ => solve_with::<1024, true>(variant, index, options), DEV*/
        _ => panic!(),
    }
}
