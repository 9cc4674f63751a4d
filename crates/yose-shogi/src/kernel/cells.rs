//! The kernel one slice or part of a slice at a time, for solvers that do not hold all slices in one place.
//!
//! A [`Slices`] is a [`Partition`] whose cells are the slices of the kings' squares, or parts of them. The steps
//! are those of the solver in memory, compiled once for both; only the look at the children is taken some at a
//! time.

use std::io::{self, Read, Write};

use yose_retro::partition::{BadBytes, CellBytes, Pack, Partition};

use super::frontier::Frontier;
use super::levels::Decided;
use super::parts::{Part, Parts};
use super::solve::units;
use super::unit::{News, Numbers, Own, Scratch, Set, Step, Units, stride};
use super::words::{self, Words};
use crate::index::Index;
use crate::variant::Variant;

/// An inventory cut into slices: all positions with the kings on two given squares. Slices can be cut further:
/// by the squares of the pieces of some kinds, or that these are in hand.
pub struct Slices {
    units: Box<dyn Units>,
    parts: Parts,
    /// How many slices there are.
    slices: usize,
    /// Kinds by whose squares slices are cut.
    pinned: usize,
    /// The most layouts that a cell has.
    most: usize,
}

impl std::fmt::Debug for Slices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slices")
            .field("cells", &self.parts.all.len())
            .field("pinned", &self.pinned)
            .finish_non_exhaustive()
    }
}

impl Slices {
    /// Cuts an inventory into its slices.
    #[must_use]
    pub fn new(variant: &Variant, index: &Index) -> Slices {
        Slices::cut(variant, index, 0)
    }

    /// Cuts the slices by the squares of the pieces of the first `pinned` kinds that the inventory has, in the
    /// order of the variant. Each of them makes cells about a hundred times smaller if it has two pieces, ten
    /// times if it has one; and then each cell is read by as many others as its pinned pieces have moves.
    ///
    /// Cost: the number of cells times those that one reads.
    #[must_use]
    pub fn cut(variant: &Variant, index: &Index, pinned: usize) -> Slices {
        let units = units(variant, index, false, pinned);
        let parts = units.parts();
        Slices {
            slices: index.slices().stored(),
            pinned,
            most: parts.all.iter().map(Part::len).max().unwrap_or(0),
            parts,
            units,
        }
    }

    /// How many cells [`cut`](Slices::cut) makes, known without making them.
    #[must_use]
    pub fn count(index: &Index, pinned: usize) -> u64 {
        let parts = index.layouts().parts(pinned);
        parts.saturating_mul(index.slices().stored() as u64)
    }

    /// The cell of a slot of a table, and which of the cell's slots it is.
    #[must_use]
    pub fn place(&self, slot: u64) -> Option<(usize, usize)> {
        let width = self.units.width() as u64;
        let (layout, lane) = (slot / width, slot % width);
        let parts = self.parts.all.len() / self.slices;
        let layouts = u64::from(self.parts.all[..parts].last()?.layouts.end);
        let slice = usize::try_from(layout / layouts).ok()?;
        let layout = u32::try_from(layout % layouts).ok()?;
        let cells = self.parts.all.get(slice * parts..(slice + 1) * parts)?;
        let part = cells.partition_point(|part| part.layouts.end <= layout);
        let at = u64::from(layout - cells.get(part)?.layouts.start) * width + lane;
        Some((slice * parts + part, usize::try_from(at).ok()?))
    }

    /// How many slices there are.
    #[must_use]
    pub fn slices(&self) -> usize {
        self.slices
    }

    /// The kinds by whose squares slices are cut.
    #[must_use]
    pub fn pinned(&self) -> usize {
        self.pinned
    }

    /// Words of a lane set of a cell.
    fn set_words(&self, cell: usize) -> usize {
        self.units.words() * self.parts.all[cell].len()
    }

    /// By slice, some sets that a cell reads, those first that most of its moves lead to.
    fn sets<'w>(&self, cell: usize, children: &[(usize, &'w Won)]) -> Vec<Vec<Set<'w>>> {
        let order = &self.parts.children[cell];
        let place = |child: usize| order.iter().position(|&other| other == child);
        let mut children: Vec<_> = children
            .iter()
            .map(|&(child, won)| (place(child), child, won))
            .collect();
        children.sort_unstable_by_key(|&(place, child, _)| (place, child));
        let mut sets = vec![Vec::new(); self.slices];
        for (_, child, won) in children {
            let part = &self.parts.all[child];
            sets[part.slice].push((part.turned.start, won.0.as_slice()));
        }
        sets
    }

    fn step(
        &self,
        cell: usize,
        step: Step<'_>,
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let part = &self.parts.all[cell];
        self.units.step(part, step, &mut own.own, scratch)
    }
}

/// The undecided lanes of a cell.
#[derive(Debug)]
pub struct Undecided {
    own: Own,
    /// Words of a block.
    words: usize,
}

/// The won lanes of a cell, as its parents read them.
#[derive(Debug, Clone)]
pub struct Won(Words);

impl Partition for Slices {
    type Own = Undecided;
    type Won = Won;
    type Frontier = Frontier;
    type Decided = Decided;
    type Scratch = Scratch;

    fn cells(&self) -> usize {
        self.parts.all.len()
    }

    fn cell_bytes(&self, cell: usize) -> CellBytes {
        let layouts = self.parts.all[cell].len() as u64;
        let won = 8 * self.set_words(cell) as u64;
        CellBytes {
            own: stride(self.units.words()) as u64 * won,
            won,
            // A word for each layout besides, and of packed blocks one for each 64 others.
            frontier: won + won / 64 + 12 * layouts,
            slots: layouts * self.units.width() as u64,
        }
    }

    fn scratch_bytes(&self) -> u64 {
        let words = self.units.words();
        let collected = 8 * (2 - stride(words)) * words * self.most;
        (collected + self.most / 8) as u64
    }

    fn orbit(&self, cell: usize) -> usize {
        let image = self.parts.images[cell];
        image.map_or(cell, |image| cell.min(image))
    }

    fn children(&self, cell: usize) -> &[usize] {
        &self.parts.children[cell]
    }

    fn scratch(&self) -> Scratch {
        self.units.scratch(self.most)
    }

    fn first(&self, cell: usize) -> (Undecided, Won, Decided) {
        let part = &self.parts.all[cell];
        let mut won = self.units.won(part);
        let mut own = Undecided {
            own: self.units.own(part),
            words: self.units.words(),
        };
        // Nothing is collected in this step.
        let nothing = &mut Scratch::default();
        let (_, decided) = self.step(cell, Step::First(&mut won), &mut own, nothing);
        (own, Won(won), decided)
    }

    fn candidates_all(&self, cell: usize, own: &mut Undecided, scratch: &mut Scratch) {
        self.step(cell, Step::CollectAll, own, scratch);
    }

    fn collect(
        &self,
        cell: usize,
        child: usize,
        frontier: &Frontier,
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) {
        let of = &self.parts.all[child];
        let news = [News { of, frontier }];
        self.step(cell, Step::Collect(&news), own, scratch);
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
        self.step(cell, Step::Wins(ply, &mut won.0), own, scratch)
    }

    fn look(
        &self,
        cell: usize,
        children: &[(usize, &Won)],
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) {
        let won = self.sets(cell, children);
        self.step(cell, Step::Look(&won), own, scratch);
    }

    fn losses(
        &self,
        cell: usize,
        ply: u32,
        children: &[(usize, &Won)],
        own: &mut Undecided,
        scratch: &mut Scratch,
    ) -> (Frontier, Decided) {
        let won = self.sets(cell, children);
        self.step(cell, Step::Losses(ply, &won), own, scratch)
    }

    fn absorb(&self, cell: usize, won: &mut Won, frontier: &Frontier) {
        let part = &self.parts.all[cell];
        self.units.absorb(part, &mut won.0, frontier);
    }

    fn is_empty(&self, frontier: &Frontier) -> bool {
        frontier.is_empty()
    }

    fn join(&self, frontier: &mut Frontier, other: Frontier) {
        frontier.join(other);
    }

    fn own_fits(&self, cell: usize, own: &Undecided) -> bool {
        let words = self.units.words();
        let set = own.own.undecided.as_slice();
        own.words == words && set.len() == stride(words) * self.set_words(cell)
    }

    fn won_fits(&self, cell: usize, won: &Won) -> bool {
        won.0.as_slice().len() == self.set_words(cell)
    }

    fn frontier_fits(&self, cell: usize, frontier: &Frontier) -> bool {
        frontier.fits(self.units.words(), &self.parts.all[cell].turned)
    }

    fn frontier_bytes(&self, frontier: &Frontier) -> u64 {
        frontier.bytes()
    }

    fn count(&self, decided: &Decided) -> u64 {
        decided.stored()
    }

    fn draws(&self, cell: usize, own: &Undecided) -> Decided {
        self.units.undecided(&self.parts.all[cell], &own.own)
    }

    fn outcomes(&self, cell: usize, own: &Undecided, won: &Won) -> Vec<u8> {
        let part = &self.parts.all[cell];
        let mut out = Vec::with_capacity(part.len() * self.units.width());
        self.units
            .append(part, Numbers::Outcomes, &own.own, &won.0, &mut out);
        out
    }

    fn won_at_once(&self, cell: usize, won: &Won, bytes: usize) -> Vec<u8> {
        let part = &self.parts.all[cell];
        let mut out = Vec::with_capacity(part.len() * self.units.width() * bytes);
        let nothing = Own {
            undecided: Words::zeroed(0),
            planes: Vec::new(),
        };
        self.units
            .append(part, Numbers::Depths(bytes), &nothing, &won.0, &mut out);
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
        let part = &self.parts.all[cell];
        self.units.enter(part, ply, frontier, bytes, distances);
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
