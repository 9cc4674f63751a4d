//! A game solved by the bit-parallel kernel, with values at hand.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use yose_retro::tally::Tally;
use yose_shogi::kernel::{self, SolveOptions, Solved};
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
            // The search marks each index twice.
            let marks = if reachable {
                game.index().size() / 4
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

    pub(crate) fn game(&self) -> &DropShogi {
        &self.game
    }

    pub(crate) fn solved(&self) -> &Solved {
        &self.solved
    }

    /// Counts of all positions, those with touching kings included.
    pub(crate) fn tally(&self) -> anyhow::Result<Tally> {
        let counts = Counts::new(self.game.variant(), self.game.inventory())?;
        Ok(self.solved.whole_tally(&counts))
    }

    /// Counts in the domains in which programs for Dobutsu count: king pairs as stored, mirror
    /// orbits, and every position with one side to move. `None` for other variants.
    pub(crate) fn domains(&self, with_depth: bool) -> Option<BTreeMap<String, Counted>> {
        if self.game.variant().name != "dobutsu" {
            return None;
        }
        let mut domains: BTreeMap<String, Counted> = BTreeMap::new();
        for (value, decided) in self.solved.levels() {
            let counts = [
                ("slots21", decided.stored()),
                ("orbits", decided.canonical()),
                ("all39", decided.one_side()),
            ];
            for (domain, positions) in counts {
                let row = Row {
                    value: value.outcome().to_string(),
                    depth: value.depth().filter(|_| with_depth),
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
        let coding = if self.solved.has_depth() {
            Coding::Depths
        } else {
            Coding::Outcomes
        };
        Prober::new(self.game.rules(), self.game.index(), self, coding)
    }
}

impl SlotValues for KernelSolved {
    type Error = NoSlot;

    fn value(&self, slot: u64) -> Result<u32, NoSlot> {
        let index = self.game.index();
        let per_slice = index.layouts().count() * index.lanes().width() as u64;
        let number = usize::try_from(slot / per_slice).map_err(|_| NoSlot(slot))?;
        let at = usize::try_from(slot % per_slice).map_err(|_| NoSlot(slot))?;
        let slice = self.slices.get(number).ok_or(NoSlot(slot))?;
        let plain = slice.get_or_init(|| {
            let mut plain = Vec::new();
            if self.solved.has_depth() {
                self.solved.depths(number, &mut plain);
            } else {
                self.solved.outcomes(number, &mut plain);
            }
            plain
        });
        let bytes = if self.solved.has_depth() {
            self.solved.depth_bytes()
        } else {
            1
        };
        let value = plain.get(bytes * at..bytes * (at + 1));
        let value = value.ok_or(NoSlot(slot))?;
        Ok(value.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)))
    }
}
