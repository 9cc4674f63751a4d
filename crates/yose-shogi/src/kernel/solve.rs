//! Solving level by level: the losses of one ply make the wins of the next, and only positions
//! from which some move leads to a new win can be new losses.
//!
//! A slice is the unit of work. Per slice the solver keeps its undecided lanes (in the view of the
//! side to move), the lanes that are won (in the view of the side that has just moved, which is how
//! they are read), and the positions decided at the last level, the *frontier*. A unit writes only
//! what belongs to its slice, so the result does not depend on threads.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::block::{Block, Ops, Plain};
use super::frontier::Frontier;
use super::locate::Locator;
use super::pull::KingLook;
use super::push::Sink;
use super::solved::{Decided, Solved, SolvedWith};
use super::tables::Tables;
#[cfg(target_arch = "x86_64")]
use super::wide;
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

/// What is kept of a slice by layout.
pub(super) struct Own {
    /// Blocks of one cache line or more: the undecided lanes. Smaller ones: the undecided lanes,
    /// then the lanes collected at this level, so that both are on one line.
    pub(super) undecided: Words,
    pub(super) planes: Vec<Words>,
}

/// How many blocks a layout has in [`Own::undecided`].
pub(super) const fn stride(words: usize) -> usize {
    if words < 8 { 2 } else { 1 }
}

impl Own {
    #[inline(always)]
    fn decide<const N: usize, O: Ops<N>>(
        &mut self,
        depth: bool,
        ply: u32,
        number: u32,
        lanes: &Block<N>,
    ) {
        let number = number as usize;
        let undecided = &mut self.undecided.blocks_mut()[stride(N) * number];
        *undecided = O::and_not(undecided, lanes);
        if !depth {
            return;
        }
        let mut half = ply / 2;
        let mut digit = 0;
        while half != 0 {
            if self.planes.len() <= digit {
                self.planes
                    .push(Words::zeroed(self.undecided.as_slice().len() / stride(N)));
            }
            if half & 1 == 1 {
                O::or_into(&mut self.planes[digit].blocks_mut()[number], lanes);
            }
            half >>= 1;
            digit += 1;
        }
    }
}

/// What a thread needs for itself.
struct Scratch<const N: usize> {
    /// A bit for every layout that has collected lanes.
    touched: Vec<u64>,
    /// The collected lanes, if they are not kept beside the undecided ones.
    collected: Words,
    /// What waits for its cache line.
    waiting: Box<[(u32, Block<N>); WAITING]>,
    ahead: Vec<Ahead<N>>,
}

/// A candidate that waits for the children that its king can reach.
#[derive(Debug, Clone)]
struct Ahead<const N: usize> {
    number: u32,
    lanes: Block<N>,
    king: Vec<KingLook>,
}

impl<const N: usize> Default for Ahead<N> {
    fn default() -> Self {
        Ahead {
            number: 0,
            lanes: [0; N],
            king: Vec::new(),
        }
    }
}

/// How many blocks ahead cache lines are asked for: so many candidates wait together.
const AHEAD: usize = 8;

impl<const N: usize> Scratch<N> {
    /// Collects all undecided lanes.
    fn collect_all<O: Ops<N>>(&mut self, own: &mut Own, layouts: u32) {
        for number in 0..layouts as usize {
            let undecided = own.undecided.blocks_mut::<N>();
            let lanes = undecided[stride(N) * number];
            match stride(N) {
                2 => undecided[2 * number + 1] = lanes,
                _ => self.collected.blocks_mut()[number] = lanes,
            }
            self.touched[number / 64] |= u64::from(!O::is_empty(&lanes)) << (number % 64);
        }
    }
}

/// Adds undecided lanes to what is collected.
struct Collector<'a, const N: usize, O> {
    ops: PhantomData<O>,
    undecided: &'a mut [Block<N>],
    touched: &'a mut [u64],
    collected: &'a mut [Block<N>],
    waiting: &'a mut [(u32, Block<N>); WAITING],
    waits: usize,
}

/// How many additions wait while their cache lines are fetched.
const WAITING: usize = 64;

/// Blocks of more words than this do not wait: copying them would cost more.
const LONGEST_WAITING: usize = 16;

impl<const N: usize, O: Ops<N>> Collector<'_, N, O> {
    /// Without a branch on data that cannot be predicted, the next loads need not wait.
    #[inline(always)]
    fn settle(&mut self, number: u32, lanes: &Block<N>) {
        let number = number as usize;
        let (undecided, collected) = if stride(N) == 2 {
            let [undecided, collected] = &mut self.undecided.as_chunks_mut().0[number];
            (undecided, collected)
        } else {
            (&mut self.undecided[number], &mut self.collected[number])
        };
        let new = O::and(lanes, undecided);
        let any = !O::is_empty(&new);
        if N <= 16 || any {
            O::or_into(collected, &new);
        }
        self.touched[number / 64] |= u64::from(any) << (number % 64);
    }

    #[inline(always)]
    fn flush(&mut self) {
        for at in 0..self.waits {
            let (number, lanes) = self.waiting[at];
            self.settle(number, &lanes);
        }
        self.waits = 0;
    }
}

impl<const N: usize, O: Ops<N>> Sink<N> for Collector<'_, N, O> {
    #[inline(always)]
    fn add(&mut self, number: u32, lanes: &Block<N>) {
        if N > LONGEST_WAITING {
            self.settle(number, lanes);
            return;
        }
        prefetch(&self.undecided[stride(N) * number as usize]);
        if stride(N) == 1 {
            prefetch(&self.collected[number as usize]);
        }
        self.waiting[self.waits % WAITING] = (number, *lanes);
        self.waits += 1;
        if self.waits == WAITING {
            self.flush();
        }
    }
}

/// The touched layouts in order, each of which is forgotten.
struct Drain<'a> {
    touched: &'a mut [u64],
    word: usize,
    bits: u64,
}

impl<'a> Drain<'a> {
    fn new(touched: &'a mut [u64]) -> Self {
        Drain {
            touched,
            word: 0,
            bits: 0,
        }
    }
}

impl Iterator for Drain<'_> {
    type Item = u32;

    // An iterator for the reason given at that of a frontier.
    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        while self.bits == 0 {
            self.bits = std::mem::take(self.touched.get_mut(self.word)?);
            self.word += 1;
        }
        let number = (self.word as u32 - 1) * 64 + self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(number)
    }
}

/// Takes the collected lanes of a layout.
#[inline(always)]
fn take<const N: usize>(own: &mut Own, collected: &mut Words, number: u32) -> Block<N> {
    let number = number as usize;
    let lanes = match stride(N) {
        2 => &mut own.undecided.blocks_mut()[2 * number + 1],
        _ => &mut collected.blocks_mut()[number],
    };
    std::mem::replace(lanes, [0; N])
}

struct Solver<const N: usize, const LIKE: bool, O> {
    tables: Tables<N, LIKE, O>,
    depth: bool,
    layouts: u32,
    own: Vec<Mutex<Own>>,
    won: Vec<RwLock<Words>>,
    /// The last losses and the last wins.
    lost_frontier: Vec<RwLock<Frontier<N>>>,
    won_frontier: Vec<RwLock<Frontier<N>>>,
    /// By thread.
    scratch: Vec<Mutex<Scratch<N>>>,
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

impl<const N: usize, const LIKE: bool, O: Ops<N>> Solver<N, LIKE, O> {
    fn new(variant: &Variant, index: &Index, options: SolveOptions) -> Self {
        let layouts = index.layouts().count() as usize;
        let slices = index.slices().stored();
        let zeroed = |blocks: usize| Words::zeroed(N * layouts * blocks);
        Solver {
            tables: Tables::new(variant, index),
            depth: options.depth,
            layouts: layouts as u32,
            own: (0..slices)
                .map(|_| {
                    Mutex::new(Own {
                        undecided: zeroed(stride(N)),
                        planes: Vec::new(),
                    })
                })
                .collect(),
            won: (0..slices).map(|_| RwLock::new(zeroed(1))).collect(),
            lost_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
            won_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
            // More threads than slices would have nothing to do.
            scratch: (0..options.threads.min(slices).max(1))
                .map(|_| Scratch {
                    touched: vec![0; layouts.div_ceil(64)],
                    collected: zeroed(2 - stride(N)),
                    waiting: Box::new([(0, [0; N]); WAITING]),
                    ahead: vec![Ahead::default(); AHEAD],
                })
                .map(Mutex::new)
                .collect(),
        }
    }

    /// Runs a phase for every slice on all threads; returns what it decides.
    fn run(&self, phase: Phase) -> Decided {
        let next = AtomicUsize::new(0);
        let work = |scratch: &Mutex<Scratch<N>>| {
            let mut scratch = lock(scratch);
            let mut sum = Decided::default();
            loop {
                let slice = next.fetch_add(1, Ordering::Relaxed);
                if slice >= self.own.len() {
                    return sum;
                }
                sum += self.unit(phase, slice, &mut scratch);
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

    fn unit(&self, phase: Phase, slice: usize, scratch: &mut Scratch<N>) -> Decided {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.unit_wide(phase, slice, scratch) };
        }
        self.unit_body(phase, slice, scratch)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn unit_wide(&self, phase: Phase, slice: usize, scratch: &mut Scratch<N>) -> Decided {
        self.unit_body(phase, slice, scratch)
    }

    // Each part is named once, so that it is compiled once for each kind of block.
    #[inline(always)]
    fn unit_body(&self, phase: Phase, slice: usize, scratch: &mut Scratch<N>) -> Decided {
        let frontiers = match phase {
            Phase::First => return self.first(slice),
            Phase::Second => None,
            Phase::Wins(_) => Some(&self.lost_frontier),
            Phase::Losses(_) => Some(&self.won_frontier),
        };
        let mut own = lock(&self.own[slice]);
        match frontiers {
            Some(frontiers) => self.collect(slice, frontiers, &mut own, scratch),
            None => scratch.collect_all::<O>(&mut own, self.layouts),
        }
        let ply = match phase {
            Phase::Wins(ply) => return self.wins(slice, ply, &mut own, scratch),
            Phase::Losses(ply) => ply,
            Phase::First | Phase::Second => 2,
        };
        self.losses(slice, ply, &mut own, scratch)
    }

    #[inline(always)]
    fn first(&self, slice: usize) -> Decided {
        let mut own = lock(&self.own[slice]);
        let undecided = own.undecided.blocks_mut::<N>();
        let mut won = write(&self.won[slice]);
        let won = won.blocks_mut();
        let mut decided = Decided::default();
        for number in 0..self.layouts {
            let placed = self.tables.locator.placed(number);
            let legal = self.tables.legal(slice, &placed);
            let wins = O::and(&legal, &self.tables.wins_in_one(slice, &placed));
            undecided[stride(N) * number as usize] = O::and_not(&legal, &wins);
            decided += self.tables.decided(slice, &placed, &wins);
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
        own: &mut Own,
        scratch: &mut Scratch<N>,
    ) {
        let sink = &mut Collector::<N, O> {
            ops: PhantomData,
            undecided: own.undecided.blocks_mut(),
            touched: &mut scratch.touched,
            collected: scratch.collected.blocks_mut(),
            waiting: &mut scratch.waiting,
            waits: 0,
        };
        let moves = &self.tables.moves[slice];
        if let Some(frontier) = frontiers.get(moves.turned) {
            let frontier = read(frontier);
            let mut blocks = frontier.iter();
            while let Some((number, lanes)) = blocks.next() {
                if let Some(ahead) = blocks.ahead(AHEAD) {
                    self.tables.locator.prefetch(ahead);
                }
                let placed = self.tables.locator.placed(number);
                self.tables.push(slice, &placed, &lanes, sink);
            }
        }
        for king in &moves.king_hops {
            let frontier = read(&frontiers[king.child]);
            let mut blocks = frontier.iter();
            while let Some((number, lanes)) = blocks.next() {
                if let Some(ahead) = blocks.ahead(AHEAD) {
                    self.tables.locator.prefetch(ahead);
                }
                let placed = self.tables.locator.placed(number);
                self.tables.push_king(king, &placed.squares, &lanes, sink);
            }
        }
        sink.flush();
    }

    /// What has been collected is won.
    #[inline(always)]
    fn wins(&self, slice: usize, ply: u32, own: &mut Own, scratch: &mut Scratch<N>) -> Decided {
        let mut won = write(&self.won[slice]);
        let won = won.blocks_mut();
        let mut frontier = Frontier::EMPTY;
        let mut decided = Decided::default();
        let mut touched = Drain::new(&mut scratch.touched);
        let mut waiting = [(0, [0; N]); AHEAD];
        loop {
            let mut waits = 0;
            while waits < AHEAD
                && let Some(number) = touched.next()
            {
                let wins: Block<N> = take(own, &mut scratch.collected, number);
                own.decide::<N, O>(self.depth, ply, number, &wins);
                let placed = self.tables.locator.placed(number);
                decided += self.tables.decided(slice, &placed, &wins);
                waiting[waits] = self.tables.turn(slice, &placed, &wins);
                prefetch(&won[waiting[waits].0 as usize]);
                waits += 1;
            }
            if waits == 0 {
                break;
            }
            for (turned, wins) in &waiting[..waits] {
                O::or_into(&mut won[*turned as usize], wins);
                frontier.push(*turned, wins);
            }
        }
        *write(&self.won_frontier[slice]) = frontier.fitted();
        decided
    }

    /// What has been collected is lost where no move saves it.
    #[inline(always)]
    fn losses(&self, slice: usize, ply: u32, own: &mut Own, scratch: &mut Scratch<N>) -> Decided {
        let won: Vec<_> = self.won.iter().map(read).collect();
        let won: Vec<_> = won.iter().map(|won| won.blocks::<N>()).collect();
        let mut decided = Decided::default();
        let mut frontier = Frontier::EMPTY;
        let mut touched = Drain::new(&mut scratch.touched);
        loop {
            let mut waits = 0;
            while waits < AHEAD
                && let Some(number) = touched.next()
            {
                let ahead = &mut scratch.ahead[waits];
                ahead.number = number;
                ahead.lanes = take(own, &mut scratch.collected, number);
                let placed = self.tables.locator.placed(number);
                let moves = &self.tables.moves[slice];
                self.tables
                    .list_king(moves, &placed, &ahead.lanes, &mut ahead.king);
                for look in &ahead.king {
                    prefetch(&won[look.slice as usize][look.layout as usize]);
                }
                waits += 1;
            }
            if waits == 0 {
                break;
            }
            for ahead in &scratch.ahead[..waits] {
                let number = ahead.number;
                let placed = self.tables.locator.placed(number);
                let lost = self
                    .tables
                    .pull(slice, &placed, &ahead.lanes, &won, &ahead.king);
                if O::is_empty(&lost) {
                    continue;
                }
                decided += self.tables.decided(slice, &placed, &lost);
                own.decide::<N, O>(self.depth, ply, number, &lost);
                let (turned, lost) = self.tables.turn(slice, &placed, &lost);
                frontier.push(turned, &lost);
            }
        }
        *write(&self.lost_frontier[slice]) = frontier.fitted();
        decided
    }
}

fn solve_with<const N: usize, const LIKE: bool, O: Ops<N>>(
    variant: &Variant,
    index: &Index,
    options: SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Solved {
    let solver = Solver::<N, LIKE, O>::new(variant, index, options);
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
    let own: Vec<Own> = solver.own.into_iter().map(open).collect();
    let won = solver
        .won
        .into_iter()
        .map(|w| w.into_inner().unwrap_or_else(PoisonError::into_inner));
    let solved = SolvedWith {
        tables: solver.tables,
        own,
        won: won.collect(),
        width: index.lanes().width(),
    };
    Solved::new(Box::new(solved), index, options.depth, &levels)
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
    #[cfg(target_arch = "x86_64")]
    if wide::is_available() {
        use wide::Wide;

        let like = !Locator::is_plain(index.layouts());
        let solve = match (words(index), like) {
            (1, false) => solve_with::<1, false, Wide>,
            (1, true) => solve_with::<1, true, Wide>,
            (4, false) => solve_with::<4, false, Wide>,
            (4, true) => solve_with::<4, true, Wide>,
            (16, _) => solve_with::<16, true, Wide>,
            (64, _) => solve_with::<64, true, Wide>,
            (256, _) => solve_with::<256, true, Wide>,
            _ => solve_with::<1024, true, Wide>,
        };
        return solve(variant, index, options, progress);
    }
    let solve = match words(index) {
        1 => solve_with::<1, true, Plain>,
        4 => solve_with::<4, true, Plain>,
        16 => solve_with::<16, true, Plain>,
        64 => solve_with::<64, true, Plain>,
        256 => solve_with::<256, true, Plain>,
        _ => solve_with::<1024, true, Plain>,
    };
    solve(variant, index, options, progress)
}

/// Words of a block: enough for all lanes, in one of the sizes that the kernel is compiled for.
pub(super) fn words(index: &Index) -> usize {
    let needed = index.lanes().width().div_ceil(64);
    [1, 4, 16, 64, 256]
        .into_iter()
        .find(|&words| needed <= words)
        .unwrap_or(1024)
}

/// What [`solve`] will take.
#[must_use]
pub fn estimate(index: &Index, options: SolveOptions) -> Estimate {
    let words = words(index);
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
