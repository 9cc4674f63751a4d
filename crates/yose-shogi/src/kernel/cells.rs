//! The kernel one slice at a time, for solvers that do not hold all slices in one place.
//!
//! A [`Slices`] is a [`Partition`] whose cells are the slices of the kings' squares. The steps are those of
//! the solver in memory, compiled once for both; only the look at the children is taken one at a time.

use std::io::{self, Read, Write};

use yose_retro::partition::{BadBytes, CellBytes, Pack, Partition};

use super::frontier::Frontier;
use super::levels::Decided;
use super::solve::units;
use super::unit::{Numbers, Own, Scratch, Step, Units, stride};
use super::words::{self, Words};
use crate::index::Index;
use crate::variant::Variant;

/// An inventory cut into slices: all positions with the kings on two given squares.
pub struct Slices {
    units: Box<dyn Units>,
    /// By slice: the slices that its moves lead to.
    children: Vec<Vec<usize>>,
}

impl std::fmt::Debug for Slices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slices")
            .field("children", &self.children)
            .finish_non_exhaustive()
    }
}

impl Slices {
    /// Cuts an inventory into its slices.
    #[must_use]
    pub fn new(variant: &Variant, index: &Index) -> Slices {
        let units = units(variant, index, false);
        Slices {
            children: (0..units.slices())
                .map(|slice| units.children(slice))
                .collect(),
            units,
        }
    }

    /// Words of a lane set of a slice.
    fn set_words(&self) -> usize {
        self.units.words() * self.units.layouts() as usize
    }

    /// By slice, the sets of some.
    fn sets<'w>(&self, children: &[(usize, &'w Won)]) -> Vec<&'w [u64]> {
        let sets = children.iter();
        self.only(sets.map(|(child, won)| (*child, won.0.as_slice())))
    }

    /// By slice, nothing but for some.
    fn only<T: Copy + Default>(&self, some: impl Iterator<Item = (usize, T)>) -> Vec<T> {
        let mut all = vec![T::default(); self.units.slices()];
        for (slice, of) in some {
            all[slice] = of;
        }
        all
    }
}

/// The undecided lanes of a slice.
#[derive(Debug)]
pub struct Undecided {
    own: Own,
    /// Words of a block.
    words: usize,
}

/// The won lanes of a slice, as its parents read them.
#[derive(Debug, Clone)]
pub struct Won(Words);

impl Partition for Slices {
    type Own = Undecided;
    type Won = Won;
    type Frontier = Frontier;
    type Decided = Decided;
    type Scratch = Scratch;

    fn cells(&self) -> usize {
        self.children.len()
    }

    fn cell_bytes(&self) -> CellBytes {
        let words = self.units.words();
        let won = 8 * (words as u64) * self.units.layouts();
        let stride = stride(words) as u64;
        CellBytes {
            own: stride * won,
            won,
            // A word for each layout besides, and of packed blocks one for each 64 others.
            frontier: won + won / 64 + 12 * self.units.layouts(),
            slots: self.units.slots() as u64,
            scratch: (2 - stride) * won + self.units.layouts() / 8,
        }
    }

    fn orbit(&self, cell: usize) -> usize {
        self.units
            .turned(cell)
            .map_or(cell, |turned| cell.min(turned))
    }

    fn children(&self, cell: usize) -> &[usize] {
        &self.children[cell]
    }

    fn scratch(&self) -> Scratch {
        self.units.scratch()
    }

    fn first(&self, cell: usize) -> (Undecided, Won, Decided) {
        let (mut own, mut won) = (self.units.own(), self.units.won());
        // Nothing is collected in this step.
        let (_, decided) = self.units.step(
            cell,
            Step::First(&mut won),
            &mut own,
            &mut Scratch::default(),
        );
        let words = self.units.words();
        (Undecided { own, words }, Won(won), decided)
    }

    fn candidates_all(&self, cell: usize, own: &mut Undecided, scratch: &mut Scratch) {
        self.units
            .step(cell, Step::CollectAll, &mut own.own, scratch);
    }

    fn collect(
        &self,
        cell: usize,
        child: usize,
        frontier: &Frontier,
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) {
        let frontiers = self.only([(child, Some(frontier))].into_iter());
        self.units
            .step(cell, Step::Collect(&frontiers), &mut own.own, scratch);
    }

    fn has_collected(&self, scratch: &Scratch) -> bool {
        scratch.has_collected()
    }

    fn wins(
        &self,
        cell: usize,
        ply: u32,
        own: &mut Undecided,
        won: &mut Won,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        self.units
            .step(cell, Step::Wins(ply, &mut won.0), &mut own.own, scratch)
    }

    fn look(
        &self,
        cell: usize,
        children: &[(usize, &Won)],
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) {
        let won = self.sets(children);
        self.units
            .step(cell, Step::Look(&won), &mut own.own, scratch);
    }

    fn losses(
        &self,
        cell: usize,
        ply: u32,
        children: &[(usize, &Won)],
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let won = self.sets(children);
        self.units
            .step(cell, Step::Losses(ply, &won), &mut own.own, scratch)
    }

    fn absorb(&self, won: &mut Won, frontier: &Frontier) {
        self.units.absorb(&mut won.0, frontier);
    }

    fn is_empty(&self, frontier: &Frontier) -> bool {
        frontier.is_empty()
    }

    fn join(&self, frontier: &mut Frontier, other: Frontier) {
        frontier.join(other);
    }

    fn own_fits(&self, own: &Undecided) -> bool {
        let words = self.units.words();
        let set = own.own.undecided.as_slice();
        own.words == words && set.len() == stride(words) * self.set_words()
    }

    fn won_fits(&self, won: &Won) -> bool {
        won.0.as_slice().len() == self.set_words()
    }

    fn frontier_fits(&self, frontier: &Frontier) -> bool {
        frontier.fits(self.units.words(), self.units.layouts())
    }

    fn frontier_bytes(&self, frontier: &Frontier) -> u64 {
        frontier.bytes()
    }

    fn count(&self, decided: &Decided) -> u64 {
        decided.stored()
    }

    fn draws(&self, cell: usize, own: &Undecided) -> Decided {
        self.units.undecided(cell, &own.own)
    }

    fn outcomes(&self, cell: usize, own: &Undecided, won: &Won) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.units.slots());
        self.units
            .append(cell, Numbers::Outcomes, &own.own, &won.0, &mut out);
        out
    }

    fn won_at_once(&self, cell: usize, won: &Won, bytes: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.units.slots() * bytes);
        let nothing = Own {
            undecided: Words::zeroed(0),
            planes: Vec::new(),
        };
        self.units
            .append(cell, Numbers::Depths(bytes), &nothing, &won.0, &mut out);
        out
    }

    fn enter(
        &self,
        cell: usize,
        ply: u32,
        frontier: &Frontier,
        bytes: usize,
        distances: &mut [u8],
    ) {
        self.units.enter(cell, ply, frontier, bytes, distances);
    }
}

/// The lanes, and then the words of a block: as 8 bytes if the blocks lie next to each other, as 4 if
/// collected lanes come between them, so that the length tells before anything is read. At the end, for
/// lanes that begin where a file's block begins are read to where they belong without a copy.
impl Pack for Undecided {
    fn pack(&self, out: &mut impl Write) -> io::Result<()> {
        let lanes = &self.own.undecided;
        match self.words {
            1 => lanes.write_apart::<1>(out)?,
            4 => lanes.write_apart::<4>(out)?,
            _ => words::write(lanes.as_slice(), out)?,
        }
        let tail = if stride(self.words) == 2 { 4 } else { 8 };
        out.write_all(&(self.words as u64).to_le_bytes()[..tail])
    }

    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        let (undecided, planes) = (Words::zeroed(0), Vec::new());
        let nothing = Undecided {
            own: Own { undecided, planes },
            words: 0,
        };
        nothing.unpack_over(from, bytes)
    }

    fn unpack_over(self, from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        let bad = || BadBytes("expected the undecided lanes of a slice".to_owned());
        let tail = if bytes % 8 == 4 { 4 } else { 8 };
        let count = words_in(bytes.checked_sub(tail).ok_or_else(bad)?)?;
        let mut undecided = self.own.undecided;
        let mut end = [0; 8];
        undecided = match tail {
            4 => undecided.read_half_over(from, count)?,
            _ => undecided.read_over(from, count)?,
        };
        from.read_exact(&mut end[..tail as usize])?;
        let words = usize::try_from(u64::from_le_bytes(end)).map_err(|_| bad())?;
        match words {
            1 if tail == 4 => undecided.move_apart::<1>(),
            4 if tail == 4 && count % 4 == 0 => undecided.move_apart::<4>(),
            8.. if tail == 8 && count % words == 0 => {}
            _ => return Err(bad().into()),
        }
        let planes = Vec::new();
        Ok(Undecided {
            own: Own { undecided, planes },
            words,
        })
    }
}

fn words_in(bytes: u64) -> Result<usize, BadBytes> {
    let words = bytes
        .is_multiple_of(8)
        .then(|| usize::try_from(bytes / 8).ok());
    words
        .flatten()
        .ok_or_else(|| BadBytes(format!("{bytes} bytes are no words of 8")))
}

impl Pack for Won {
    fn pack(&self, out: &mut impl Write) -> io::Result<()> {
        words::write(self.0.as_slice(), out)
    }

    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        Won(Words::zeroed(0)).unpack_over(from, bytes)
    }

    fn unpack_over(self, from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        self.0.read_over(from, words_in(bytes)?).map(Won)
    }
}

impl Pack for Frontier {
    fn pack(&self, out: &mut impl Write) -> io::Result<()> {
        self.write(out)
    }

    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        Frontier::read(from, bytes)
    }
}

impl Pack for Decided {
    fn pack(&self, out: &mut impl Write) -> io::Result<()> {
        words::write(&[self.folded, self.unfolded, self.symmetric], out)
    }

    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        if bytes != 24 {
            return Err(BadBytes(format!("expected 24 bytes, got {bytes}")).into());
        }
        let mut counts = Vec::new();
        words::read_onto(from, 3, &mut counts)?;
        Ok(Decided {
            folded: counts[0],
            unfolded: counts[1],
            symmetric: counts[2],
        })
    }
}
