//! The work on one slice, or a part of one: finding what it decides at a ply.
//!
//! A part is the unit of work; the solver in memory has whole slices. Of a part there are its undecided
//! lanes (in the view of the side to move), the lanes that are won (in the view of the side that has just moved, which is how they are
//! read), and the positions decided at the last level, the *frontier*. Work on a part writes only what
//! belongs to it, so the result does not depend on who does it, in which order, or where.

use std::marker::PhantomData;
use std::ops::Range;

use super::block::{Block, Ops};
use super::frontier::{Blocks, Frontier};
use super::levels::Decided;
use super::locate::{Locator, Placed};
use super::parts::{Part, Parts, Shelf};
use super::pull::KingLook;
use super::push::{Pinned, Sink};
use super::tables::Tables;
use super::words::{Words, prefetch};

/// What is kept of a part by layout.
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

/// What work on a part needs for the time being. Empty between levels.
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

/// A set of won lanes of a slice, from a layout on.
pub(super) type Set<'a> = (u32, &'a [u64]);

/// A frontier that is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct News<'a> {
    /// The part that it is of.
    pub(super) of: &'a Part,
    pub(super) frontier: &'a Frontier,
}

/// One step of the work on a part.
#[derive(Debug)]
pub(super) enum Step<'a> {
    /// Ply 1: what can be seen without looking at other positions. Fills the undecided and the won
    /// lanes.
    First(&'a mut Words),
    /// Collects all undecided lanes.
    CollectAll,
    /// Collects the undecided parents of these frontiers.
    Collect(&'a [News<'a>]),
    /// What has been collected is won at this ply.
    Wins(u32, &'a mut Words),
    /// Of what has been collected, what a move into one of these sets, by slice, to a position that it does not
    /// have saves, is collected no longer. Of a slice's sets the one that is asked most comes first.
    Look(&'a [Vec<Set<'a>>]),
    /// The same; what is left is lost at this ply.
    Losses(u32, &'a [Vec<Set<'a>>]),
}

/// What is wanted of each index.
#[derive(Debug, Clone, Copy)]
pub(super) enum Numbers {
    /// A byte: 0 for a draw or a hole, 1 for a win, 2 for a loss.
    Outcomes,
    /// Plies, in so many bytes.
    Depths(usize),
}

/// The parts of an inventory, whatever the width of a block.
pub(super) trait Units: Sync + Send {
    /// All parts of the stored slices: these themselves, if no pieces are pinned.
    fn parts(&self) -> Parts;
    /// Indices of a layout.
    fn width(&self) -> usize;
    /// Room for a part, all of it empty.
    fn own(&self, part: &Part) -> Own;
    /// Room for the won lanes of a part.
    fn won(&self, part: &Part) -> Words;
    /// Room for work on one part at a time, of so many layouts at most.
    fn scratch(&self, layouts: usize) -> Scratch;
    /// Does a step; returns what it decides, and how many positions that is.
    fn step(
        &self,
        part: &Part,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided);
    /// Adds a frontier of a part to a copy of its won lanes.
    fn absorb(&self, part: &Part, won: &mut Words, frontier: &Frontier);
    /// Words of a block.
    fn words(&self) -> usize;
    /// How many positions are undecided.
    fn undecided(&self, part: &Part, own: &Own) -> Decided;
    /// Appends the numbers of a part's indices in order.
    fn append(&self, part: &Part, numbers: Numbers, own: &Own, won: &Words, out: &mut Vec<u8>);
    /// Enters the ply of a frontier into a part's distances, of so many bytes each, which are 1 where it
    /// is a win and 0 where it is a loss.
    fn enter(&self, part: &Part, ply: u32, frontier: &Frontier, bytes: usize, out: &mut [u8]);
}

/// Adds undecided lanes to what is collected.
struct Collector<'a, const N: usize, O> {
    ops: PhantomData<O>,
    /// The layouts of the part; parents elsewhere are passed over.
    layouts: Range<u32>,
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
        let number = number.wrapping_sub(self.layouts.start);
        if number >= self.layouts.len() as u32 {
            return;
        }
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

/// The parts as they are computed with blocks of one width.
pub(super) struct UnitsWith<const N: usize, const LIKE: bool, O> {
    pub(super) tables: Tables<N, LIKE, O>,
    pub(super) depth: bool,
    /// Lanes of a block that are numbered.
    pub(super) width: usize,
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Units for UnitsWith<N, LIKE, O> {
    fn parts(&self) -> Parts {
        self.tables.parts()
    }

    fn width(&self) -> usize {
        self.width
    }

    fn own(&self, part: &Part) -> Own {
        Own {
            undecided: Words::zeroed(N * stride(N) * part.len()),
            planes: Vec::new(),
        }
    }

    fn won(&self, part: &Part) -> Words {
        Words::zeroed(N * part.len())
    }

    fn scratch(&self, layouts: usize) -> Scratch {
        Scratch {
            touched: vec![0; layouts.div_ceil(64)],
            collected: Words::zeroed(N * (2 - stride(N)) * layouts),
        }
    }

    fn step(
        &self,
        part: &Part,
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
            return unsafe { self.step_wide(part, step, own, scratch) };
        }
        self.step_body(part, step, own, scratch)
    }

    fn absorb(&self, part: &Part, won: &mut Words, frontier: &Frontier) {
        let won = won.blocks_mut::<N>();
        for (number, lanes) in frontier.iter::<N>() {
            O::or_into(&mut won[(number - part.turned.start) as usize], &lanes);
        }
    }

    fn words(&self) -> usize {
        N
    }

    fn undecided(&self, part: &Part, own: &Own) -> Decided {
        let mut sum = Decided::default();
        let numbers = part.layouts.clone();
        for (number, lanes) in numbers.zip(own.undecided.blocks::<N>().iter().step_by(stride(N))) {
            if !O::is_empty(lanes) {
                let placed = self.tables.locator.placed(number);
                sum += self.tables.decided(part.slice, &placed, lanes);
            }
        }
        sum
    }

    fn append(&self, part: &Part, numbers: Numbers, own: &Own, won: &Words, out: &mut Vec<u8>) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.append_wide(part, numbers, own, won, out) };
        }
        self.append_body(part, numbers, own, won, out);
    }

    fn enter(&self, part: &Part, ply: u32, frontier: &Frontier, bytes: usize, out: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.enter_wide(part, ply, frontier, bytes, out) };
        }
        self.enter_body(part, ply, frontier, bytes, out);
    }
}

/// The blocks of a frontier with their layouts, of which those that come soon are fetched.
struct PlacedBlocks<'a, const N: usize> {
    blocks: Blocks<'a, N>,
    locator: &'a Locator,
}

impl<const N: usize> Iterator for PlacedBlocks<'_, N> {
    type Item = (Placed, Block<N>);

    #[inline(always)]
    fn next(&mut self) -> Option<(Placed, Block<N>)> {
        let (number, lanes) = self.blocks.next()?;
        if let Some(ahead) = self.blocks.ahead(AHEAD) {
            self.locator.prefetch(ahead);
        }
        Some((self.locator.placed(number), lanes))
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> UnitsWith<N, LIKE, O> {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step_wide(
        &self,
        part: &Part,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        self.step_body(part, step, own, scratch)
    }

    // Each part is named once, so that it is compiled once for each kind of block.
    #[inline(always)]
    fn step_body(
        &self,
        part: &Part,
        step: Step<'_>,
        own: &mut Own,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let (last, won) = match step {
            Step::First(won) => return (Frontier::EMPTY, self.first(part, own, won)),
            Step::CollectAll => {
                self.collect_all(part, own, scratch);
                return Default::default();
            }
            Step::Collect(frontiers) => {
                self.collect(part, frontiers, own, scratch);
                return Default::default();
            }
            Step::Wins(ply, won) => return self.wins(part, ply, own, won, scratch),
            Step::Look(won) => (None, won),
            Step::Losses(ply, won) => (Some(ply), won),
        };
        self.losses(part, last, own, won, scratch)
    }

    #[inline(always)]
    fn first(&self, part: &Part, own: &mut Own, won: &mut Words) -> Decided {
        let slice = part.slice;
        let undecided = own.undecided.blocks_mut::<N>();
        let won = won.blocks_mut();
        let mut decided = Decided::default();
        for (at, number) in part.layouts.clone().enumerate() {
            let placed = self.tables.locator.placed(number);
            let legal = self.tables.legal(slice, &placed);
            let wins = O::and(&legal, &self.tables.wins_in_one(slice, &placed));
            undecided[stride(N) * at] = O::and_not(&legal, &wins);
            decided += self.tables.decided(slice, &placed, &wins);
            let (turned, wins) = self.tables.turn(slice, &placed, &wins);
            won[(turned - part.turned.start) as usize] = wins;
        }
        decided
    }

    /// Collects all undecided lanes.
    fn collect_all(&self, part: &Part, own: &mut Own, scratch: &mut Scratch) {
        for number in 0..part.len() {
            let undecided = own.undecided.blocks_mut::<N>();
            let lanes = undecided[stride(N) * number];
            match stride(N) {
                2 => undecided[2 * number + 1] = lanes,
                _ => scratch.collected.blocks_mut()[number] = lanes,
            }
            scratch.touched[number / 64] |= u64::from(!O::is_empty(&lanes)) << (number % 64);
        }
    }

    /// Collects the parents in a part of the positions of frontiers.
    #[inline(always)]
    fn collect(&self, part: &Part, frontiers: &[News<'_>], own: &mut Own, scratch: &mut Scratch) {
        let slice = part.slice;
        let waiting = if N > LONGEST_WAITING { 0 } else { WAITING };
        let sink = &mut Collector::<N, O> {
            ops: PhantomData,
            layouts: part.layouts.clone(),
            undecided: own.undecided.blocks_mut(),
            touched: &mut scratch.touched,
            collected: scratch.collected.blocks_mut(),
            waiting: &mut vec![(0, [0; N]); waiting],
            waits: 0,
        };
        let moves = &self.tables.moves[slice];
        let of_slice = |index| frontiers.iter().filter(move |news| news.of.slice == index);
        for News { of, frontier } in of_slice(moves.turned) {
            let pinned = Pinned::stay_if(of.turned == part.layouts);
            for (placed, lanes) in self.blocks(frontier) {
                self.tables.push(slice, &placed, &lanes, pinned, sink);
            }
        }
        for king in &moves.king_hops {
            for News { of, frontier } in of_slice(king.child) {
                let pinned = Pinned::stay_if(self.tables.stay(part, king, &of.turned));
                for (placed, lanes) in self.blocks(frontier) {
                    self.tables
                        .push_king(king, &placed.squares, &lanes, pinned, sink);
                }
            }
        }
        sink.flush();
    }

    /// The blocks of a frontier with their layouts, placed.
    #[inline(always)]
    fn blocks<'a>(&'a self, frontier: &'a Frontier) -> PlacedBlocks<'a, N> {
        PlacedBlocks {
            blocks: frontier.iter(),
            locator: &self.tables.locator,
        }
    }

    /// What has been collected is won.
    #[inline(always)]
    fn wins(
        &self,
        part: &Part,
        ply: u32,
        own: &mut Own,
        won: &mut Words,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let slice = part.slice;
        let won = won.blocks_mut();
        let mut frontier = Frontier::EMPTY;
        let mut decided = Decided::default();
        let mut touched = Drain::new(&mut scratch.touched);
        let mut waiting = [(0, [0; N]); AHEAD];
        loop {
            let mut waits = 0;
            while waits < AHEAD
                && let Some(at) = touched.next()
            {
                let wins: Block<N> = take(own, &mut scratch.collected, at);
                own.decide::<N, O>(self.depth, ply, at, &wins);
                let placed = self.tables.locator.placed(part.layouts.start + at);
                decided += self.tables.decided(slice, &placed, &wins);
                waiting[waits] = self.tables.turn(slice, &placed, &wins);
                prefetch(&won[(waiting[waits].0 - part.turned.start) as usize]);
                waits += 1;
            }
            if waits == 0 {
                break;
            }
            for (turned, wins) in &waiting[..waits] {
                O::or_into(&mut won[(turned - part.turned.start) as usize], wins);
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
        part: &Part,
        ply: Option<u32>,
        own: &mut Own,
        won: &[Vec<Set<'_>>],
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let slice = part.slice;
        let won: Vec<Shelf<'_, N>> = won.iter().map(|sets| Shelf::new(sets)).collect();
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
                && let Some(at) = touched.next()
            {
                let ahead = &mut candidates[waits];
                ahead.number = part.layouts.start + at;
                ahead.lanes = take(own, &mut scratch.collected, at);
                let placed = self.tables.locator.placed(ahead.number);
                let moves = &self.tables.moves[slice];
                self.tables
                    .list_king(moves, &placed, &ahead.lanes, Some(&won), &mut ahead.king);
                for look in &ahead.king {
                    prefetch(won[look.slice as usize].get(look.layout));
                }
                waits += 1;
            }
            if waits == 0 {
                break;
            }
            for ahead in &candidates[..waits] {
                let at = ahead.number - part.layouts.start;
                let placed = self.tables.locator.placed(ahead.number);
                let lost = self
                    .tables
                    .pull(slice, &placed, &ahead.lanes, &won, &ahead.king);
                if O::is_empty(&lost) {
                    continue;
                }
                let Some(ply) = ply else {
                    put(own, &mut scratch.collected, at, &lost);
                    open[at as usize / 64] |= 1 << (at % 64);
                    continue;
                };
                decided += self.tables.decided(slice, &placed, &lost);
                own.decide::<N, O>(self.depth, ply, at, &lost);
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
