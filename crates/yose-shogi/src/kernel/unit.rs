//! The work on one slice: finding what it decides at a ply.
//!
//! A slice is the unit of work. Of a slice there are its undecided lanes (in the view of the side to
//! move), the lanes that are won (in the view of the side that has just moved, which is how they are
//! read), and the positions decided at the last level, the *frontier*. Work on a slice writes only what
//! belongs to it, so the result does not depend on who does it, in which order, or where.

use std::marker::PhantomData;

use super::block::{Block, Ops};
use super::frontier::Frontier;
use super::levels::Decided;
use super::pull::KingLook;
use super::push::Sink;
use super::tables::Tables;
use super::words::{Words, prefetch};

/// What is kept of a slice by layout.
#[derive(Debug)]
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

/// What work on a slice needs for the time being. Empty between levels.
#[derive(Debug, Default)]
pub struct Scratch {
    /// A bit for every layout that has collected lanes.
    touched: Vec<u64>,
    /// The collected lanes, if they are not kept beside the undecided ones.
    collected: Words,
}

impl Scratch {
    /// Whether some layout has collected lanes.
    pub(super) fn has_collected(&self) -> bool {
        self.touched.iter().any(|&bits| bits != 0)
    }
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

/// One step of the work on a slice.
#[derive(Debug)]
pub(super) enum Step<'a> {
    /// Ply 1: what can be seen without looking at other positions. Fills the undecided and the won
    /// lanes.
    First(&'a mut Words),
    /// Collects all undecided lanes.
    CollectAll,
    /// Collects the undecided parents of these frontiers, by slice.
    Collect(&'a [Option<&'a Frontier>]),
    /// What has been collected is won at this ply.
    Wins(u32, &'a mut Words),
    /// Of what has been collected, what a move to a position that is not in these sets, by slice,
    /// saves, is collected no longer. Slices whose set is empty are not looked at.
    Look(&'a [&'a [u64]]),
    /// The same; what is left is lost at this ply.
    Losses(u32, &'a [&'a [u64]]),
}

/// What is wanted of each index.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbers {
    /// A byte: 0 for a draw or a hole, 1 for a win, 2 for a loss.
    Outcomes,
    /// Plies, in so many bytes.
    Depths(usize),
}

/// The slices of an inventory, whatever the width of a block.
pub(super) trait Units: Sync + Send {
    /// How many slices are stored.
    fn slices(&self) -> usize;
    /// Indices of a slice.
    fn slots(&self) -> usize;
    /// Layouts, each of which has a block.
    fn layouts(&self) -> u64;
    /// The slice that moves of pieces other than the king lead to, if it is stored.
    fn turned(&self, slice: usize) -> Option<usize>;
    /// The slices whose frontiers and won lanes a slice reads, ascending.
    fn children(&self, slice: usize) -> Vec<usize>;
    /// Room for a slice, all of it empty.
    fn own(&self) -> Own;
    /// Room for the won lanes of a slice.
    fn won(&self) -> Words;
    /// Room for work on one slice at a time.
    fn scratch(&self) -> Scratch;
    /// Does a step; returns what it decides, and how many positions that is.
    fn step(
        &self,
        slice: usize,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided);
    /// Adds a frontier of a slice to a copy of its won lanes.
    fn absorb(&self, won: &mut Words, frontier: &Frontier);
    /// Words of a block.
    fn words(&self) -> usize;
    /// How many positions are undecided.
    fn undecided(&self, slice: usize, own: &Own) -> Decided;
    /// Appends the numbers of a slice's indices in order.
    fn append(&self, slice: usize, numbers: Numbers, own: &Own, won: &Words, out: &mut Vec<u8>);
    /// Enters the ply of a frontier into a slice's distances, of so many bytes each, which are 1 where it
    /// is a win and 0 where it is a loss.
    fn enter(&self, slice: usize, ply: u32, frontier: &Frontier, bytes: usize, out: &mut [u8]);
}

/// Adds undecided lanes to what is collected.
struct Collector<'a, const N: usize, O> {
    ops: PhantomData<O>,
    undecided: &'a mut [Block<N>],
    touched: &'a mut [u64],
    collected: &'a mut [Block<N>],
    waiting: &'a mut [(u32, Block<N>)],
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

/// Goes on collecting lanes of a layout, of which nothing is collected.
#[inline(always)]
fn put<const N: usize>(own: &mut Own, collected: &mut Words, number: u32, lanes: &Block<N>) {
    let number = number as usize;
    match stride(N) {
        2 => own.undecided.blocks_mut()[2 * number + 1] = *lanes,
        _ => collected.blocks_mut()[number] = *lanes,
    }
}

/// The slices as they are computed with blocks of one width.
pub(super) struct UnitsWith<const N: usize, const LIKE: bool, O> {
    pub(super) tables: Tables<N, LIKE, O>,
    pub(super) depth: bool,
    pub(super) slices: usize,
    /// Lanes of a block that are numbered.
    pub(super) width: usize,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Units for UnitsWith<N, LIKE, O> {
    fn slices(&self) -> usize {
        self.slices
    }

    fn slots(&self) -> usize {
        self.layouts() as usize * self.width
    }

    fn layouts(&self) -> u64 {
        u64::from(self.tables.locator.layouts())
    }

    fn turned(&self, slice: usize) -> Option<usize> {
        Some(self.tables.moves[slice].turned).filter(|&turned| turned < self.slices)
    }

    fn children(&self, slice: usize) -> Vec<usize> {
        let kings = self.tables.moves[slice].king_hops.iter();
        let mut children: Vec<usize> = kings
            .map(|king| king.child)
            .chain(self.turned(slice))
            .collect();
        children.sort_unstable();
        children.dedup();
        children
    }

    fn own(&self) -> Own {
        Own {
            undecided: self.zeroed(stride(N)),
            planes: Vec::new(),
        }
    }

    fn won(&self) -> Words {
        self.zeroed(1)
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            touched: vec![0; self.layouts().div_ceil(64) as usize],
            collected: self.zeroed(2 - stride(N)),
        }
    }

    fn step(
        &self,
        slice: usize,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.step_wide(slice, step, own, scratch) };
        }
        self.step_body(slice, step, own, scratch)
    }

    fn absorb(&self, won: &mut Words, frontier: &Frontier) {
        let won = won.blocks_mut::<N>();
        for (number, lanes) in frontier.iter::<N>() {
            O::or_into(&mut won[number as usize], &lanes);
        }
    }

    fn words(&self) -> usize {
        N
    }

    fn undecided(&self, slice: usize, own: &Own) -> Decided {
        let mut sum = Decided::default();
        for (number, lanes) in (0..).zip(own.undecided.blocks::<N>().iter().step_by(stride(N))) {
            if !O::is_empty(lanes) {
                let placed = self.tables.locator.placed(number);
                sum += self.tables.decided(slice, &placed, lanes);
            }
        }
        sum
    }

    fn append(&self, slice: usize, numbers: Numbers, own: &Own, won: &Words, out: &mut Vec<u8>) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.append_wide(slice, numbers, own, won, out) };
        }
        self.append_body(slice, numbers, own, won, out);
    }

    fn enter(&self, slice: usize, ply: u32, frontier: &Frontier, bytes: usize, out: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.enter_wide(slice, ply, frontier, bytes, out) };
        }
        self.enter_body(slice, ply, frontier, bytes, out);
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> UnitsWith<N, LIKE, O> {
    pub(super) fn layouts(&self) -> u32 {
        self.tables.locator.layouts()
    }

    fn zeroed(&self, blocks: usize) -> Words {
        Words::zeroed(N * self.layouts() as usize * blocks)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step_wide(
        &self,
        slice: usize,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        self.step_body(slice, step, own, scratch)
    }

    // Each part is named once, so that it is compiled once for each kind of block.
    #[inline(always)]
    fn step_body(
        &self,
        slice: usize,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let (last, won) = match step {
            Step::First(won) => return (Frontier::EMPTY, self.first(slice, own, won)),
            Step::CollectAll => {
                self.collect_all(own, scratch);
                return Default::default();
            }
            Step::Collect(frontiers) => {
                self.collect(slice, frontiers, own, scratch);
                return Default::default();
            }
            Step::Wins(ply, won) => return self.wins(slice, ply, own, won, scratch),
            Step::Look(won) => (None, won),
            Step::Losses(ply, won) => (Some(ply), won),
        };
        self.losses(slice, last, own, won, scratch)
    }

    #[inline(always)]
    fn first(&self, slice: usize, own: &mut Own, won: &mut Words) -> Decided {
        let undecided = own.undecided.blocks_mut::<N>();
        let won = won.blocks_mut();
        let mut decided = Decided::default();
        for number in 0..self.layouts() {
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

    /// Collects all undecided lanes.
    fn collect_all(&self, own: &mut Own, scratch: &mut Scratch) {
        for number in 0..self.layouts() as usize {
            let undecided = own.undecided.blocks_mut::<N>();
            let lanes = undecided[stride(N) * number];
            match stride(N) {
                2 => undecided[2 * number + 1] = lanes,
                _ => scratch.collected.blocks_mut()[number] = lanes,
            }
            scratch.touched[number / 64] |= u64::from(!O::is_empty(&lanes)) << (number % 64);
        }
    }

    /// Collects the parents in `slice` of the positions of a frontier.
    #[inline(always)]
    fn collect(
        &self,
        slice: usize,
        frontiers: &[Option<&Frontier>],
        own: &mut Own,
        scratch: &mut Scratch,
    ) {
        let waiting = if N > LONGEST_WAITING { 0 } else { WAITING };
        let sink = &mut Collector::<N, O> {
            ops: PhantomData,
            undecided: own.undecided.blocks_mut(),
            touched: &mut scratch.touched,
            collected: scratch.collected.blocks_mut(),
            waiting: &mut vec![(0, [0; N]); waiting],
            waits: 0,
        };
        let moves = &self.tables.moves[slice];
        if let Some(Some(frontier)) = frontiers.get(moves.turned) {
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
            let Some(frontier) = frontiers[king.child] else {
                continue;
            };
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
    fn wins(
        &self,
        slice: usize,
        ply: u32,
        own: &mut Own,
        won: &mut Words,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
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
        (frontier.fitted(), decided)
    }

    /// What has been collected is lost where no move saves it; if `ply` is not given, it goes on being
    /// collected where no move into the sets at hand saves it.
    #[inline(always)]
    fn losses(
        &self,
        slice: usize,
        ply: Option<u32>,
        own: &mut Own,
        won: &[&[u64]],
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let won: Vec<&[Block<N>]> = won.iter().map(|won| won.as_chunks().0).collect();
        let mut candidates = vec![Ahead::default(); AHEAD];
        let mut open = vec![
            0;
            if ply.is_none() {
                scratch.touched.len()
            } else {
                0
            }
        ];
        let mut decided = Decided::default();
        let mut frontier = Frontier::EMPTY;
        let mut touched = Drain::new(&mut scratch.touched);
        loop {
            let mut waits = 0;
            while waits < AHEAD
                && let Some(number) = touched.next()
            {
                let ahead = &mut candidates[waits];
                ahead.number = number;
                ahead.lanes = take(own, &mut scratch.collected, number);
                let placed = self.tables.locator.placed(number);
                let moves = &self.tables.moves[slice];
                self.tables
                    .list_king(moves, &placed, &ahead.lanes, Some(&won), &mut ahead.king);
                for look in &ahead.king {
                    prefetch(&won[look.slice as usize][look.layout as usize]);
                }
                waits += 1;
            }
            if waits == 0 {
                break;
            }
            for ahead in &candidates[..waits] {
                let number = ahead.number;
                let placed = self.tables.locator.placed(number);
                let lost = self
                    .tables
                    .pull(slice, &placed, &ahead.lanes, &won, &ahead.king);
                if O::is_empty(&lost) {
                    continue;
                }
                let Some(ply) = ply else {
                    put(own, &mut scratch.collected, number, &lost);
                    open[number as usize / 64] |= 1 << (number % 64);
                    continue;
                };
                decided += self.tables.decided(slice, &placed, &lost);
                own.decide::<N, O>(self.depth, ply, number, &lost);
                let (turned, lost) = self.tables.turn(slice, &placed, &lost);
                frontier.push(turned, &lost);
            }
        }
        if ply.is_none() {
            scratch.touched = open;
        }
        (frontier.fitted(), decided)
    }
}
