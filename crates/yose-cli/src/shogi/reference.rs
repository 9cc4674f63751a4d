//! A game solved by the reference solver: slow, and made to be read.

use yose_retro::reference::{self, Solution};
use yose_retro::{Game as _, reachable, tally::Tally};
use yose_shogi::probe::Verdict;
use yose_shogi::{DropShogi, Position};

use super::by_rule::{by_rule, known};
use super::name;
use crate::context::Context;
use crate::failure::Failure;
use crate::memory;
use crate::output::grouped;
use crate::progress::Progress;

/// A game that the reference solver has solved whole.
#[derive(Debug)]
pub(crate) struct ReferenceSolved {
    game: DropShogi,
    solution: Solution,
}

impl ReferenceSolved {
    /// Solves a game, if it fits into memory.
    pub(crate) fn solve(
        game: DropShogi,
        memory: Option<u64>,
        context: &Context,
    ) -> anyhow::Result<ReferenceSolved> {
        // The estimate plays moves on a sample only, so it is quick for a game of any size.
        let what = format!(
            "solving {} ({} indices) with the reference solver",
            name(&game),
            grouped(game.index_size())
        );
        memory::check(&what, reference::estimate(&game).bytes, memory)
            .map_err(|failure: Failure| failure.hint("fewer --pieces make a smaller game"))?;
        let mut progress = Progress::new(context);
        let solution = reference::solve(&game, &mut |step| progress.reference(step))?;
        Ok(ReferenceSolved { game, solution })
    }

    /// Counts of all positions.
    pub(crate) fn tally(&self) -> Tally {
        Tally::of(&self.game, &self.solution)
    }

    /// What a position is worth.
    pub(crate) fn value(&self, position: &Position) -> Verdict {
        let solved = self.solution.value_of(&self.game, position);
        let by_rule = || by_rule(self.game.rules(), position).map(|(value, _)| value);
        solved.or_else(by_rule).map_or(Verdict::Unknown, known)
    }

    /// Counts of the positions that play from `start` can reach.
    pub(crate) fn reachable(&self, start: &Position) -> anyhow::Result<Tally> {
        Ok(reachable::count(&self.game, &self.solution, start)?)
    }
}
