//! What a solve leaves: the values of all positions, slice by slice, and how many there are.

use std::fmt;
use std::ops::AddAssign;

use yose_retro::tally::{Collector, Tally};
use yose_retro::{Outcome, Value};

use super::block::{Block, Ops};
use super::locate::Placed;
use super::tables::Tables;
use super::unit::{Numbers, Own, Units};
use super::words::Words;
use crate::count::Counts;
use crate::index::MAX_PIECES;

/// A solved inventory.
pub struct Solved {
    units: Box<dyn Units>,
    own: Vec<Own>,
    won: Vec<Words>,
    depth: bool,
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

impl Solved {
    pub(super) fn new(
        units: Box<dyn Units>,
        own: Vec<Own>,
        won: Vec<Words>,
        depth: bool,
        levels: &[Decided],
    ) -> Solved {
        let mut draws = Decided::default();
        for (slice, own) in own.iter().enumerate() {
            draws += units.undecided(slice, own);
        }
        let valued = (1..).zip(levels).map(|(ply, &decided)| {
            let value = if ply % 2 == 1 {
                Value::Win(ply)
            } else {
                Value::Loss(ply)
            };
            (value, decided)
        });
        let levels: Vec<_> = valued
            .chain([(Value::Draw, draws)])
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
            max_depth: tally.max_depth().unwrap_or(0),
            stored,
            tally,
            levels,
            units,
            own,
            won,
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
        out.reserve(self.units.slots() * self.depth_bytes());
        let numbers = Numbers::Depths(self.depth_bytes());
        self.units
            .append(slice, numbers, &self.own[slice], &self.won[slice], out);
    }

    /// The outcomes of a slice's indices in order, one byte each: 0 for a draw (or a hole), 1 for a
    /// win, 2 for a loss. `out` is overwritten.
    pub fn outcomes(&self, slice: usize, out: &mut Vec<u8>) {
        out.clear();
        out.reserve(self.units.slots());
        let numbers = Numbers::Outcomes;
        self.units
            .append(slice, numbers, &self.own[slice], &self.won[slice], out);
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
}
