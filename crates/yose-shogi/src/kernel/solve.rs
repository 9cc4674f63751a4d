//! Solving level by level: the losses of one ply make the wins of the next, and only positions
//! from which some move leads to a new win can be new losses.
//!
//! A slice is the unit of work. Per slice the solver keeps its undecided lanes (in the view of the
//! side to move), the lanes that are won (in the view of the side that has just moved, which is how
//! they are read), and the positions decided at the last level, the *frontier*. A unit writes only
//! what belongs to its slice, so the result does not depend on threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::block::{Block, and, and_not, count, is_empty, or_into};
use super::edges::Tables;
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
struct Own<const N: usize> {
    undecided: Vec<Block<N>>,
    planes: Vec<Vec<Block<N>>>,
}

impl<const N: usize> Own<N> {
    fn decide(&mut self, depth: bool, ply: u32, number: u32, lanes: &Block<N>) {
        let undecided = &mut self.undecided[number as usize];
        *undecided = and_not(undecided, lanes);
        if !depth {
            return;
        }
        let mut half = ply / 2;
        let mut digit = 0;
        while half != 0 {
            if self.planes.len() <= digit {
                self.planes.push(vec![[0; N]; self.undecided.len()]);
            }
            if half & 1 == 1 {
                or_into(&mut self.planes[digit][number as usize], lanes);
            }
            half >>= 1;
            digit += 1;
        }
    }
}

/// Lanes collected for one slice.
struct Scratch<const N: usize> {
    lanes: Vec<Block<N>>,
    touched: Vec<u64>,
}

impl<const N: usize> Scratch<N> {
    fn add(&mut self, undecided: &[Block<N>], number: u32, lanes: &Block<N>) {
        let new = and(lanes, &undecided[number as usize]);
        if !is_empty(&new) {
            or_into(&mut self.lanes[number as usize], &new);
            self.touched[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Calls `f` with every layout that has been touched, and forgets it.
    fn drain(&mut self, mut f: impl FnMut(u32, Block<N>)) {
        for word in 0..self.touched.len() {
            let mut touched = std::mem::take(&mut self.touched[word]);
            while touched != 0 {
                let number = word as u32 * 64 + touched.trailing_zeros();
                touched &= touched - 1;
                f(
                    number,
                    std::mem::replace(&mut self.lanes[number as usize], [0; N]),
                );
            }
        }
    }
}

struct Solver<'a, const N: usize> {
    tables: &'a Tables<N>,
    options: SolveOptions,
    layouts: u32,
    own: Vec<Mutex<Own<N>>>,
    won: Vec<RwLock<Vec<Block<N>>>>,
    /// The last losses and the last wins.
    lost_frontier: Vec<RwLock<Frontier<N>>>,
    won_frontier: Vec<RwLock<Frontier<N>>>,
    scratch: Vec<Mutex<Scratch<N>>>,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

impl<const N: usize> Solver<'_, N> {
    /// Runs `unit` for every slice on all threads and adds up what it returns.
    fn for_each_slice(&self, unit: impl Fn(usize, &mut Scratch<N>) -> u64 + Sync) -> u64 {
        let next = AtomicUsize::new(0);
        let work = |scratch: &Mutex<Scratch<N>>| {
            let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
            let mut sum = 0;
            loop {
                let slice = next.fetch_add(1, Ordering::Relaxed);
                if slice >= self.own.len() {
                    return sum;
                }
                sum += unit(slice, &mut scratch);
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

    /// Ply 1: what can be seen without looking at other positions.
    fn first(&self) -> u64 {
        self.for_each_slice(|slice, _| {
            let mut own = self.own[slice]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let mut won = self.won[slice]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let mut decided = 0;
            for number in 0..self.layouts {
                let placed = self.tables.locator.placed(number);
                let legal = self.tables.legal(slice, &placed);
                let wins = and(&legal, &self.tables.wins_in_one(slice, &placed));
                own.undecided[number as usize] = and_not(&legal, &wins);
                decided += count(&wins);
                let (turned, wins) = self.tables.turn(slice, &placed, &wins);
                won[turned as usize] = wins;
            }
            decided
        })
    }

    /// Ply 2: positions whose every move allows a win in 1, or that have no move.
    fn second(&self) -> u64 {
        self.for_each_slice(|slice, _| {
            let guards: Vec<_> = self.won.iter().map(read).collect();
            let mut own = self.own[slice]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let mut frontier = self.lost_frontier[slice]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let mut decided = 0;
            for number in 0..self.layouts {
                let want = own.undecided[number as usize];
                if is_empty(&want) {
                    continue;
                }
                let placed = self.tables.locator.placed(number);
                let lost = self
                    .tables
                    .pull(slice, &placed, &want, |child| &guards[child]);
                if is_empty(&lost) {
                    continue;
                }
                decided += count(&lost);
                own.decide(self.options.depth, 2, number, &lost);
                let (turned, lost) = self.tables.turn(slice, &placed, &lost);
                frontier.layouts.push(turned);
                frontier.blocks.push(lost);
            }
            decided
        })
    }

    /// Collects the parents in `slice` of the positions of a frontier.
    fn collect(
        &self,
        slice: usize,
        frontiers: &[RwLock<Frontier<N>>],
        undecided: &[Block<N>],
        scratch: &mut Scratch<N>,
    ) {
        let moves = &self.tables.moves[slice];
        if let Some(frontier) = frontiers.get(moves.turned) {
            let frontier = read(frontier);
            for (&number, lanes) in frontier.layouts.iter().zip(&frontier.blocks) {
                let placed = self.tables.locator.placed(number);
                self.tables.push(slice, &placed, lanes, |parent, lanes| {
                    scratch.add(undecided, parent, lanes);
                });
            }
        }
        for king in &moves.king_hops {
            let frontier = read(&frontiers[king.child]);
            for (&number, lanes) in frontier.layouts.iter().zip(&frontier.blocks) {
                let squares = self.tables.locator.squares(number);
                self.tables
                    .push_king(king, &squares, lanes, |parent, lanes| {
                        scratch.add(undecided, parent, lanes);
                    });
            }
        }
    }

    /// An odd ply: the parents of the last losses are won.
    fn wins(&self, ply: u32) -> u64 {
        self.for_each_slice(|slice, scratch| {
            let mut own = self.own[slice]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.collect(slice, &self.lost_frontier, &own.undecided, scratch);
            let mut won = self.won[slice]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let mut frontier = self.won_frontier[slice]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            *frontier = Frontier::EMPTY;
            let mut decided = 0;
            scratch.drain(|number, wins| {
                decided += count(&wins);
                own.decide(self.options.depth, ply, number, &wins);
                let placed = self.tables.locator.placed(number);
                let (turned, wins) = self.tables.turn(slice, &placed, &wins);
                or_into(&mut won[turned as usize], &wins);
                frontier.layouts.push(turned);
                frontier.blocks.push(wins);
            });
            decided
        })
    }

    /// An even ply: the parents of the last wins that have no other move are lost.
    fn losses(&self, ply: u32) -> u64 {
        self.for_each_slice(|slice, scratch| {
            let mut own = self.own[slice]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            self.collect(slice, &self.won_frontier, &own.undecided, scratch);
            let guards: Vec<_> = self.won.iter().map(read).collect();
            let mut frontier = self.lost_frontier[slice]
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            *frontier = Frontier::EMPTY;
            let mut decided = 0;
            scratch.drain(|number, candidates| {
                let placed = self.tables.locator.placed(number);
                let lost = self
                    .tables
                    .pull(slice, &placed, &candidates, |child| &guards[child]);
                if is_empty(&lost) {
                    return;
                }
                decided += count(&lost);
                own.decide(self.options.depth, ply, number, &lost);
                let (turned, lost) = self.tables.turn(slice, &placed, &lost);
                frontier.layouts.push(turned);
                frontier.blocks.push(lost);
            });
            decided
        })
    }
}

fn solve_with<const N: usize>(variant: &Variant, index: &Index, options: SolveOptions) -> Solved {
    let tables = Tables::<N>::new(variant, index);
    let layouts = index.layouts().count() as usize;
    let slices = index.slices().stored();
    let blocks = || vec![[0u64; N]; layouts];
    let solver = Solver {
        tables: &tables,
        options,
        layouts: layouts as u32,
        own: (0..slices)
            .map(|_| {
                Mutex::new(Own {
                    undecided: blocks(),
                    planes: Vec::new(),
                })
            })
            .collect(),
        won: (0..slices).map(|_| RwLock::new(blocks())).collect(),
        lost_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
        won_frontier: (0..slices).map(|_| RwLock::new(Frontier::EMPTY)).collect(),
        scratch: (0..options.threads.max(1))
            .map(|_| {
                Mutex::new(Scratch {
                    lanes: blocks(),
                    touched: vec![0; layouts.div_ceil(64)],
                })
            })
            .collect(),
    };
    let mut levels = vec![solver.first(), solver.second()];
    let mut ply = 2;
    loop {
        ply += 1;
        let decided = if ply % 2 == 1 {
            solver.wins(ply)
        } else {
            solver.losses(ply)
        };
        if decided == 0 {
            break;
        }
        levels.push(decided);
    }
    let slices = solver.own.into_iter().zip(solver.won).map(|(own, won)| {
        let own = own.into_inner().unwrap_or_else(PoisonError::into_inner);
        let won = won.into_inner().unwrap_or_else(PoisonError::into_inner);
        SolvedSlice {
            undecided: own.undecided.into_flattened(),
            won: won.into_flattened(),
            planes: own.planes.into_iter().map(Vec::into_flattened).collect(),
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
    match index.lanes().width().div_ceil(64) {
        1 => solve_with::<1>(variant, index, options),
        2..=4 => solve_with::<4>(variant, index, options),
        5..=16 => solve_with::<16>(variant, index, options),
        17..=64 => solve_with::<64>(variant, index, options),
        65..=256 => solve_with::<256>(variant, index, options),
        _ => solve_with::<1024>(variant, index, options),
    }
}
