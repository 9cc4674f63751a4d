//! How many positions are won, lost and drawn, and at which distance.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::reference::Solution;
use crate::{Game, Outcome, Value};

/// Numbers of positions by outcome, in the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Positions in which the side to move wins.
    pub win: u64,
    /// Positions in which the side to move loses.
    pub loss: u64,
    /// Positions in which neither side can force the end.
    pub draw: u64,
}

impl Counts {
    /// All positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.win + self.loss + self.draw
    }

    pub(crate) fn add(&mut self, outcome: Outcome, positions: u64) {
        match outcome {
            Outcome::Win => self.win += positions,
            Outcome::Loss => self.loss += positions,
            Outcome::Draw => self.draw += positions,
        }
    }
}

/// One line of a histogram: positions of one outcome at one distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramRow {
    /// Win, loss or draw for the side to move.
    pub value: Outcome,
    /// Plies to the end of the game, `None` for draws.
    pub depth: Option<u32>,
    /// Positions with symmetries folded.
    pub canonical: u64,
    /// Positions with both sides to move and no symmetry folded.
    pub all: u64,
}

/// Wins, losses and draws of a solved game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Positions with symmetries folded: the indices with a weight.
    pub canonical: Counts,
    /// Positions with both sides to move and no symmetry folded: the sum of the weights.
    pub all: Counts,
    /// Wins by rising distance, then losses by rising distance, then draws.
    pub histogram: Vec<HistogramRow>,
}

impl Tally {
    /// Counts the positions of a solved game.
    ///
    /// `solution` must be of this game: an index at which only one of the two has a position is
    /// left out.
    pub fn of<G: Game>(game: &G, solution: &Solution) -> Tally {
        let mut collector = Collector::default();
        for (index, value) in solution.iter() {
            let weight = game
                .unrank(index)
                .map_or(0, |position| game.weight(&position));
            if weight > 0 {
                collector.add(value, 1, weight);
            }
        }
        collector.finish()
    }

    /// The largest distance of any won or lost position, `None` if there is none.
    #[must_use]
    pub fn max_depth(&self) -> Option<u32> {
        self.histogram.iter().filter_map(|row| row.depth).max()
    }
}

/// Gathers values into a [`Tally`], for solvers that count while they solve.
#[derive(Debug, Default)]
pub struct Collector {
    /// Keyed so that the order is the histogram's: wins first, then by distance.
    rows: BTreeMap<(Reverse<Outcome>, Option<u32>), (u64, u64)>,
}

impl Collector {
    /// Adds positions of one value: their number with symmetries folded and unfolded.
    pub fn add(&mut self, value: Value, canonical: u64, all: u64) {
        let row = self
            .rows
            .entry((Reverse(value.outcome()), value.depth()))
            .or_default();
        row.0 += canonical;
        row.1 += all;
    }

    /// The tally of all that was added.
    #[must_use]
    pub fn finish(self) -> Tally {
        let mut tally = Tally {
            canonical: Counts::default(),
            all: Counts::default(),
            histogram: Vec::with_capacity(self.rows.len()),
        };
        // Reversed outcomes are win, draw, loss; draws belong last.
        let (draws, decided): (Vec<_>, Vec<_>) = self
            .rows
            .into_iter()
            .partition(|((value, _), _)| value.0 == Outcome::Draw);
        for ((Reverse(value), depth), (canonical, all)) in decided.into_iter().chain(draws) {
            tally.canonical.add(value, canonical);
            tally.all.add(value, all);
            tally.histogram.push(HistogramRow {
                value,
                depth,
                canonical,
                all,
            });
        }
        tally
    }
}
