//! How many positions have each value, as the kernel counts them.

use std::ops::AddAssign;

use yose_retro::tally::{Collector, Tally};
use yose_retro::{Outcome, Value};

use crate::count::Counts;

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

/// How many of the stored positions have each value.
#[derive(Debug, Clone)]
pub struct Levels {
    rows: Vec<(Value, Decided)>,
    stored: Decided,
    tally: Tally,
}

impl Levels {
    /// From what each ply has decided, the first one first, and what no ply has.
    #[must_use]
    pub fn by_ply(plies: &[Decided], draws: Decided) -> Levels {
        let valued = (1..).zip(plies).map(|(ply, &decided)| {
            let value = if ply % 2 == 1 {
                Value::Win(ply)
            } else {
                Value::Loss(ply)
            };
            (value, decided)
        });
        let rows: Vec<_> = valued
            .chain([(Value::Draw, draws)])
            .filter(|(_, decided)| decided.stored() > 0)
            .collect();
        let mut collector = Collector::default();
        let mut stored = Decided::default();
        for &(value, decided) in &rows {
            collector.add(value, decided.canonical(), 2 * decided.one_side());
            stored += decided;
        }
        Levels {
            rows,
            stored,
            tally: collector.finish(),
        }
    }

    /// By rising ply, then the draws. Where plies are not known, all wins stand at the first and all
    /// losses at the second.
    pub fn rows(&self) -> impl Iterator<Item = (Value, Decided)> {
        self.rows.iter().copied()
    }

    /// Counts of the positions in stored slices, where the kings do not touch.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many positions are stored.
    #[must_use]
    pub fn stored(&self) -> Decided {
        self.stored
    }

    /// The greatest distance in plies.
    #[must_use]
    pub fn max_depth(&self) -> u32 {
        self.tally.max_depth().unwrap_or(0)
    }

    /// Bytes in which every distance has room: 1, 2 or 4.
    #[must_use]
    pub fn depth_bytes(&self) -> usize {
        match self.max_depth() {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        }
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
}
