//! What a solve leaves: the values of all positions, slice by slice, and how many there are.

use std::fmt;

use yose_retro::table::Metric;

use super::block::{Block, Ops};
use super::levels::{Decided, Levels};
use super::locate::Placed;
use super::parts::Part;
use super::tables::Tables;
use super::unit::{Numbers, Own, Units};
use super::words::Words;
use crate::index::MAX_PIECES;

/// A solved inventory.
pub struct Solved {
    units: Box<dyn Units>,
    slices: Vec<Part>,
    own: Vec<Own>,
    won: Vec<Words>,
    depth: bool,
    levels: Levels,
}

impl fmt::Debug for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved")
            .field("depth", &self.depth)
            .field("tally", self.levels.tally())
            .finish()
    }
}

impl Solved {
    pub(super) fn new(
        units: Box<dyn Units>,
        slices: Vec<Part>,
        own: Vec<Own>,
        won: Vec<Words>,
        depth: bool,
        plies: &[Decided],
    ) -> Solved {
        let mut draws = Decided::default();
        for (slice, own) in slices.iter().zip(&own) {
            draws += units.undecided(slice, own);
        }
        Solved {
            levels: Levels::by_ply(plies, draws),
            depth,
            units,
            slices,
            own,
            won,
        }
    }

    /// Whether the distance of every position is known.
    #[must_use]
    pub fn has_depth(&self) -> bool {
        self.depth
    }

    /// How many positions have each value.
    #[must_use]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The values of a slice's indices in order, as little-endian numbers of
    /// [`depth_bytes`](Levels::depth_bytes) bytes: 0 for a draw (or a hole), an odd number of plies
    /// for a win, an even one for a loss. `out` is overwritten.
    ///
    /// # Panics
    /// If the inventory was solved without distances.
    pub fn depths(&self, slice: usize, out: &mut Vec<u8>) {
        assert!(self.depth, "solved without distances");
        let bytes = self.levels.depth_bytes();
        self.write(slice, Numbers::Depths(bytes), bytes, out);
    }

    /// The outcomes of a slice's indices in order, one byte each: 0 for a draw (or a hole), 1 for a
    /// win, 2 for a loss. `out` is overwritten.
    pub fn outcomes(&self, slice: usize, out: &mut Vec<u8>) {
        self.write(slice, Numbers::Outcomes, 1, out);
    }

    /// Writes a slice's numbers, of so many bytes each.
    fn write(&self, slice: usize, numbers: Numbers, bytes: usize, out: &mut Vec<u8>) {
        let (part, own, won) = (&self.slices[slice], &self.own[slice], &self.won[slice]);
        out.clear();
        out.reserve(part.len() * self.units.width() * bytes);
        self.units.append(part, numbers, own, won, out);
    }

    /// The numbers of a slice as a table of this kind has them.
    ///
    /// # Panics
    /// If distances are wanted and the inventory was solved without them.
    #[must_use]
    pub fn numbers(&self, slice: usize, metric: Metric) -> Vec<u8> {
        let mut out = Vec::new();
        match metric {
            Metric::Wdl => self.outcomes(slice, &mut out),
            Metric::Depth | Metric::Ranks => self.depths(slice, &mut out),
        }
        out
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
