//! A game solved by the bit-parallel kernel, with values at hand.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use yose_retro::table::Metric;
use yose_retro::tally::Tally;
use yose_shogi::kernel::{self, Levels, Slices, SolveOptions, Solved};
use yose_shogi::probe::{Coding, NoSlot, Prober, SlotValues, Verdict};
use yose_shogi::{Counts, DropShogi, Position};

use super::report::{Counted, Row};
use super::{Judged, evidence_of_all, name};
use crate::context::Context;
use crate::failure::Failure;
use crate::memory;
use crate::output::grouped;
use crate::progress::Progress;

/// More slots than any machine has memory for, and few enough that estimates do not overflow.
const MOST_SLOTS: u64 = 1 << 55;

/// A game that the kernel has solved whole.
#[derive(Debug)]
pub(crate) struct KernelSolved {
    game: DropShogi,
    solved: Solved,
    /// Values by slice, unpacked when first asked for: one byte a slot for outcomes, else as many
    /// as the greatest distance needs.
    slices: Vec<OnceLock<Vec<u8>>>,
}

impl KernelSolved {
    /// Solves a game, if it fits into memory; with exact distances if `depth`. `reachable` says that
    /// the reachable positions will be counted too, which takes more.
    pub(crate) fn solve(
        game: DropShogi,
        depth: bool,
        reachable: bool,
        memory: Option<u64>,
        context: &Context,
    ) -> Result<KernelSolved, Failure> {
        let options = SolveOptions {
            threads: context.threads.get(),
            depth,
        };
        let slots = game.index().stored_size();
        let what = format!("solving {} ({} slots)", name(&game), grouped(slots));
        let needed = if slots > MOST_SLOTS {
            u64::MAX
        } else {
            let marks = if reachable {
                kernel::reachable_memory(game.variant(), game.index())
            } else {
                0
            };
            kernel::estimate(game.index(), options).memory + marks
        };
        memory::check(&what, needed, memory)?;
        let mut progress = Progress::new(context);
        let solved = kernel::solve(game.variant(), game.index(), options, &mut |step| {
            progress.note(format!(
                "ply {}: {} positions decided",
                step.ply,
                grouped(step.decided)
            ));
        });
        let slices = game.index().slices().stored();
        Ok(KernelSolved {
            game,
            solved,
            slices: (0..slices).map(|_| OnceLock::new()).collect(),
        })
    }

    pub(crate) fn solved(&self) -> &Solved {
        &self.solved
    }

    /// How many stored positions have each value.
    pub(crate) fn levels(&self) -> &Levels {
        self.solved.levels()
    }

    /// Counts of the positions that play from `start` can reach, if it is in the domain. The game
    /// must have been solved with distances.
    pub(crate) fn reachable(&self, start: &Position) -> Option<Tally> {
        let game = &self.game;
        kernel::reachable(game.variant(), game.index(), start, &self.solved)
    }

    /// What a position is worth.
    pub(crate) fn value(&self, position: &Position) -> anyhow::Result<Verdict> {
        Ok(self.prober().value(position)?)
    }

    /// A position with its moves and the line of best play.
    pub(crate) fn judge(&self, position: &Position) -> anyhow::Result<Judged> {
        let evidence = evidence_of_all(&self.game, "solved on the spot");
        let judged = Judged::solved(&self.prober(), self.game.rules(), position, evidence);
        Ok(judged?)
    }

    fn prober(&self) -> Prober<'_, &KernelSolved> {
        Prober::new(
            self.game.rules(),
            self.game.index(),
            self,
            coding(self.solved.has_depth()),
        )
    }
}

impl SlotValues for KernelSolved {
    type Error = NoSlot;

    fn value(&self, slot: u64) -> Result<u32, NoSlot> {
        let (number, at) = place(&self.game, slot).ok_or(NoSlot(slot))?;
        let slice = self.slices.get(number).ok_or(NoSlot(slot))?;
        let (metric, bytes) = match self.solved.has_depth() {
            true => (Metric::Depth, self.levels().depth_bytes()),
            false => (Metric::Wdl, 1),
        };
        let plain = slice.get_or_init(|| self.solved.numbers(number, metric));
        number_at(plain, at, bytes).ok_or(NoSlot(slot))
    }
}

fn coding(depth: bool) -> Coding {
    if depth {
        Coding::Depths
    } else {
        Coding::Outcomes
    }
}

/// The slice of a slot, and the place there.
fn place(game: &DropShogi, slot: u64) -> Option<(usize, usize)> {
    let index = game.index();
    let per_slice = index.layouts().count() * index.lanes().width() as u64;
    let slice = usize::try_from(slot / per_slice).ok()?;
    Some((slice, usize::try_from(slot % per_slice).ok()?))
}

/// A little-endian number of so many bytes.
fn number_at(plain: &[u8], at: usize, bytes: usize) -> Option<u32> {
    let value = plain.get(bytes * at..bytes * (at + 1))?;
    Some(value.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)))
}

/// What a position is worth, with the numbers of cells read as they are needed and forgotten again:
/// plies of `bytes` bytes, or outcomes if that is `None`.
pub(crate) fn value_by_cell(
    game: &DropShogi,
    position: &Position,
    bytes: Option<usize>,
    cells: &Slices,
    numbers: &(dyn Fn(usize) -> anyhow::Result<Vec<u8>> + Sync),
) -> anyhow::Result<Verdict> {
    struct Read<'a> {
        cells: &'a Slices,
        bytes: usize,
        numbers: &'a (dyn Fn(usize) -> anyhow::Result<Vec<u8>> + Sync),
    }
    impl SlotValues for Read<'_> {
        type Error = std::io::Error;

        fn value(&self, slot: u64) -> Result<u32, std::io::Error> {
            let place = self.cells.place(slot);
            let (cell, at) = place.ok_or(std::io::ErrorKind::InvalidInput)?;
            let plain = (self.numbers)(cell).map_err(std::io::Error::other)?;
            let value = number_at(&plain, at, self.bytes);
            value.ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
        }
    }
    let read = Read {
        cells,
        bytes: bytes.unwrap_or(1),
        numbers,
    };
    let prober = Prober::new(game.rules(), game.index(), &read, coding(bytes.is_some()));
    Ok(prober.value(position)?)
}

/// Counts of all positions, those with touching kings included.
pub(crate) fn whole_tally(game: &DropShogi, levels: &Levels) -> anyhow::Result<Tally> {
    let counts = Counts::new(game.variant(), game.inventory())?;
    Ok(levels.whole_tally(&counts))
}

/// Counts in the domains in which programs for Dobutsu count: king pairs as stored, mirror orbits, and
/// every position with one side to move. `None` for other variants.
pub(crate) fn domains(
    game: &DropShogi,
    levels: &Levels,
    metric: Metric,
) -> Option<BTreeMap<String, Counted>> {
    if game.variant().name != "dobutsu" {
        return None;
    }
    let mut domains: BTreeMap<String, Counted> = BTreeMap::new();
    for (value, decided) in levels.rows() {
        let counts = [
            ("slots21", decided.stored()),
            ("orbits", decided.canonical()),
            ("all39", decided.one_side()),
        ];
        for (domain, positions) in counts {
            let row = Row {
                value: value.outcome().to_string(),
                depth: value.depth().filter(|_| metric == Metric::Depth),
                positions: Some(positions),
                canonical: decided.canonical(),
                all: 2 * decided.one_side(),
            };
            domains
                .entry(domain.to_owned())
                .or_default()
                .add(value.outcome(), positions, row);
        }
    }
    Some(domains)
}
