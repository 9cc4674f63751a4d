//! What a solve leaves: the values of all positions, slice by slice, and how many there are.

use std::fmt;
use std::ops::AddAssign;

use yose_retro::tally::{Collector, Tally};
use yose_retro::{Outcome, Value};

use super::block::{Block, Ops};
use super::locate::Placed;
use super::solve::{Own, stride};
use super::tables::{Swaps, Tables};
use super::words::Words;
use crate::count::Counts;
use crate::index::{Index, MAX_PIECES};

/// A solved inventory.
pub struct Solved {
    inner: Box<dyn Values>,
    depth: bool,
    /// Indices of a slice.
    slots: usize,
    max_depth: u32,
    tally: Tally,
    levels: Vec<(Value, Decided)>,
    stored: Decided,
}

impl fmt::Debug for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved")
            .field("depth", &self.depth)
            .field("tally", &self.tally)
            .finish()
    }
}

/// Numbers of positions as they are stored. In slices that are their own mirror image both images
/// of a position are stored, and a position may be its own image.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    /// Positions in slices where the mirror is folded.
    pub folded: u64,
    /// Positions in slices that are their own mirror image.
    pub unfolded: u64,
    /// Those among them that are their own mirror image.
    pub symmetric: u64,
}

impl Decided {
    /// Positions that are stored.
    #[must_use]
    pub fn stored(self) -> u64 {
        self.folded + self.unfolded
    }

    /// Positions with turn and mirror folded.
    #[must_use]
    pub fn canonical(self) -> u64 {
        self.folded + (self.unfolded + self.symmetric) / 2
    }

    /// Positions with one side to move and the mirror unfolded.
    #[must_use]
    pub fn one_side(self) -> u64 {
        2 * self.folded + self.unfolded
    }
}

impl AddAssign for Decided {
    fn add_assign(&mut self, other: Decided) {
        self.folded += other.folded;
        self.unfolded += other.unfolded;
        self.symmetric += other.symmetric;
    }
}

/// Values by slice, whatever the width of a block.
trait Values: Sync + Send {
    fn draws(&self) -> Decided;
    /// Appends the numbers of a slice's indices in order.
    fn append(&self, slice: usize, numbers: Numbers, out: &mut Vec<u8>);
}

/// What is wanted of each index.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    /// A byte: 0 for a draw or a hole, 1 for a win, 2 for a loss.
    Outcomes,
    /// Plies, in so many bytes.
    Depths(usize),
}

pub(super) struct SolvedWith<const N: usize, const LIKE: bool, O> {
    pub(super) tables: Tables<N, LIKE, O>,
    pub(super) own: Vec<Own>,
    pub(super) won: Vec<Words>,
    /// Lanes of a block that are numbered.
    pub(super) width: usize,
}

impl Solved {
    pub(super) fn new<const N: usize, const LIKE: bool, O: Ops<N>>(
        inner: Box<SolvedWith<N, LIKE, O>>,
        index: &Index,
        depth: bool,
        levels: &[Decided],
    ) -> Solved {
        let valued = (1..).zip(levels).map(|(ply, &decided)| {
            let value = if ply % 2 == 1 {
                Value::Win(ply)
            } else {
                Value::Loss(ply)
            };
            (value, decided)
        });
        let levels: Vec<_> = valued
            .chain([(Value::Draw, inner.draws())])
            .filter(|(_, decided)| decided.stored() > 0)
            .collect();
        let mut collector = Collector::default();
        let mut stored = Decided::default();
        for &(value, decided) in &levels {
            collector.add(value, decided.canonical(), 2 * decided.one_side());
            stored += decided;
        }
        let tally = collector.finish();
        Solved {
            depth,
            slots: index.layouts().count() as usize * index.lanes().width(),
            max_depth: tally.max_depth().unwrap_or(0),
            stored,
            tally,
            levels,
            inner,
        }
    }

    /// Whether the distance of every position is known.
    #[must_use]
    pub fn has_depth(&self) -> bool {
        self.depth
    }

    /// Counts of the positions in stored slices, where the kings do not touch.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts of all positions of the domain: in those that are not stored the kings touch and the
    /// side to move wins in 1. `counts` must be of the same inventory.
    #[must_use]
    pub fn whole_tally(&self, counts: &Counts) -> Tally {
        let mut collector = Collector::default();
        for row in &self.tally.histogram {
            let value = match (row.value, row.depth) {
                (Outcome::Win, Some(plies)) => Value::Win(plies),
                (Outcome::Loss, Some(plies)) => Value::Loss(plies),
                _ => Value::Draw,
            };
            collector.add(value, row.canonical, row.all);
        }
        let missing = |all: u128, stored: u64| {
            let missing = all.checked_sub(u128::from(stored));
            missing.and_then(|m| u64::try_from(m).ok()).unwrap_or(0)
        };
        let canonical = missing(counts.canonical(), self.tally.canonical.positions());
        let all = missing(2 * counts.legal(), self.tally.all.positions());
        if canonical > 0 {
            collector.add(Value::Win(1), canonical, all);
        }
        collector.finish()
    }

    /// How many of the stored positions have each value: by rising ply, then the draws.
    pub fn levels(&self) -> impl Iterator<Item = (Value, Decided)> {
        self.levels.iter().copied()
    }

    /// How many positions are stored.
    #[must_use]
    pub fn stored(&self) -> Decided {
        self.stored
    }

    /// The greatest distance in plies.
    #[must_use]
    pub fn max_depth(&self) -> u32 {
        self.max_depth
    }

    /// Bytes of one value that [`depths`](Self::depths) gives: 1, 2 or 4.
    #[must_use]
    pub fn depth_bytes(&self) -> usize {
        match self.max_depth {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        }
    }

    /// The values of a slice's indices in order, as little-endian numbers of
    /// [`depth_bytes`](Self::depth_bytes) bytes: 0 for a draw (or a hole), an odd number of plies
    /// for a win, an even one for a loss. `out` is overwritten.
    ///
    /// # Panics
    /// If the inventory was solved without distances.
    pub fn depths(&self, slice: usize, out: &mut Vec<u8>) {
        assert!(self.depth, "solved without distances");
        out.clear();
        out.reserve(self.slots * self.depth_bytes());
        let numbers = Numbers::Depths(self.depth_bytes());
        self.inner.append(slice, numbers, out);
    }

    /// The outcomes of a slice's indices in order, one byte each: 0 for a draw (or a hole), 1 for a
    /// win, 2 for a loss. `out` is overwritten.
    pub fn outcomes(&self, slice: usize, out: &mut Vec<u8>) {
        out.clear();
        out.reserve(self.slots);
        self.inner.append(slice, Numbers::Outcomes, out);
    }
}

/// By byte: its bits as eight bytes, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Eight bits of a word as eight bytes.
#[inline(always)]
fn spread(word: u64, byte: usize) -> u64 {
    SPREAD[(word >> (8 * byte) & 0xff) as usize]
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> SolvedWith<N, LIKE, O> {
    /// The won lanes of a layout in the view of the side to move.
    #[inline(always)]
    fn won(&self, slice: usize, placed: &Placed) -> Block<N> {
        let (number, swaps) = self.tables.turned(slice, placed);
        let mut lanes = self.won[slice].blocks()[number as usize];
        for field in &self.tables.field {
            lanes = O::flip(&lanes, field.owner_bit());
        }
        if LIKE {
            for slot in swaps.iter().rev() {
                lanes = self.tables.swapped(&lanes, slot.into());
            }
            lanes = O::and(&lanes, &self.tables.legal(slice, placed));
        }
        lanes
    }

    #[inline(always)]
    fn undecided(&self, slice: usize, number: u32) -> &Block<N> {
        &self.own[slice].undecided.blocks()[stride(N) * number as usize]
    }

    fn layouts(&self) -> u32 {
        self.tables.locator.layouts()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn append_wide(&self, slice: usize, numbers: Numbers, out: &mut Vec<u8>) {
        self.append_body(slice, numbers, out);
    }

    #[inline(always)]
    fn append_body(&self, slice: usize, numbers: Numbers, out: &mut Vec<u8>) {
        match numbers {
            Numbers::Outcomes => self.outcomes(slice, out),
            Numbers::Depths(bytes) => self.depths(slice, bytes, out),
        }
    }

    #[inline(always)]
    fn depths(&self, slice: usize, bytes: usize, out: &mut Vec<u8>) {
        let planes: Vec<&[Block<N>]> = self.own[slice].planes.iter().map(Words::blocks).collect();
        for number in 0..self.layouts() {
            let placed = self.tables.locator.placed(number);
            let won = self.won(slice, &placed);
            let end = out.len() + self.width * bytes;
            for w in 0..N {
                for byte in 0..8 {
                    if out.len() >= end {
                        break;
                    }
                    // Eight lanes at a time: low byte of each, then whole numbers where needed.
                    let mut low = spread(won[w], byte);
                    for (digit, plane) in planes.iter().take(7).enumerate() {
                        low |= spread(plane[number as usize][w], byte) << (digit + 1);
                    }
                    let low = low.to_le_bytes();
                    let lanes = 8.min((end - out.len()) / bytes);
                    if bytes == 1 {
                        out.extend_from_slice(&low[..lanes]);
                        continue;
                    }
                    for (lane, &low) in low[..lanes].iter().enumerate() {
                        let mut value = u32::from(low);
                        for (digit, plane) in planes.iter().enumerate().skip(7) {
                            let bit = plane[number as usize][w] >> (8 * byte + lane) & 1;
                            value |= (bit as u32) << (digit + 1);
                        }
                        out.extend_from_slice(&value.to_le_bytes()[..bytes]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn outcomes(&self, slice: usize, out: &mut Vec<u8>) {
        for number in 0..self.layouts() {
            let placed = self.tables.locator.placed(number);
            let won = self.won(slice, &placed);
            let decided = O::and_not(
                &self.tables.legal(slice, &placed),
                self.undecided(slice, number),
            );
            let lost = O::and_not(&decided, &won);
            let end = out.len() + self.width;
            for w in 0..N {
                for byte in 0..8 {
                    let lanes = 8.min(end - out.len());
                    let eight = spread(won[w], byte) | spread(lost[w], byte) << 1;
                    out.extend_from_slice(&eight.to_le_bytes()[..lanes]);
                }
            }
        }
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Values for SolvedWith<N, LIKE, O> {
    fn draws(&self) -> Decided {
        let mut draws = Decided::default();
        for slice in 0..self.own.len() {
            for number in 0..self.layouts() {
                let undecided = self.undecided(slice, number);
                if !O::is_empty(undecided) {
                    let placed = self.tables.locator.placed(number);
                    draws += self.tables.decided(slice, &placed, undecided);
                }
            }
        }
        draws
    }

    fn append(&self, slice: usize, numbers: Numbers, out: &mut Vec<u8>) {
        #[cfg(target_arch = "x86_64")]
        if O::WIDE {
            #[allow(
                unsafe_code,
                reason = "the same code compiled for wider words, measured faster"
            )]
            // SAFETY: these operations are chosen only where the processor has the features that
            // the function is compiled for.
            return unsafe { self.append_wide(slice, numbers, out) };
        }
        self.append_body(slice, numbers, out);
    }
}

impl<const N: usize, const LIKE: bool, O: Ops<N>> Tables<N, LIKE, O> {
    /// How many positions these lanes of a layout are.
    #[inline(always)]
    pub(super) fn decided(&self, slice: usize, placed: &Placed, lanes: &Block<N>) -> Decided {
        let stored = O::count(lanes);
        if self.moves[slice].mirror.is_empty() {
            return Decided {
                folded: stored,
                ..Decided::default()
            };
        }
        Decided {
            unfolded: stored,
            symmetric: self.symmetric(slice, placed, lanes),
            folded: 0,
        }
    }

    /// How many of these lanes are their own mirror image, in a slice that is its own.
    fn symmetric(&self, slice: usize, placed: &Placed, lanes: &Block<N>) -> u64 {
        let mirror = &self.moves[slice].mirror;
        // The slot whose square is the mirror image of each piece's square.
        let mut image = [0; MAX_PIECES];
        for slot in 0..self.pieces {
            let square = mirror[usize::from(placed.squares[slot])];
            image[slot] = match self.slot_on(placed, square) {
                _ if square == self.free => slot,
                Some(other) if self.kind[other] == self.kind[slot] => other,
                _ => return 0,
            };
        }
        let mut symmetric = 0;
        for (w, &word) in lanes.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let lane = 64 * w + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let same = (0..self.pieces).all(|slot| {
                    let (a, b) = (self.field[slot], self.field[image[slot]]);
                    a.theirs(lane) == b.theirs(lane) && a.promoted(lane) == b.promoted(lane)
                });
                symmetric += u64::from(same);
            }
        }
        symmetric
    }

    /// The number of a layout in the turned slice, and how its like pieces are renamed.
    #[inline(always)]
    pub(super) fn turned(&self, slice: usize, placed: &Placed) -> (u32, Swaps) {
        let turn = &self.moves[slice].turn;
        let mut squares = placed.squares;
        for square in &mut squares[..self.pieces] {
            *square = turn[usize::from(*square)];
        }
        let mut swaps = Swaps::default();
        self.sort(&mut squares, &mut swaps);
        (self.locator.number::<LIKE>(squares), swaps)
    }
}
