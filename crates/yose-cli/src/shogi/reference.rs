//! A game solved by the reference solver: slow, and made to be read.

use yose_retro::reference::{self, Solution};
use yose_retro::{Game as _, reachable, tally::Tally};
use yose_shogi::table::Worth;
use yose_shogi::{DropShogi, Position, Rules};

use super::oracle::name;
use super::{Oracle, evidence_of_all};
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

    /// Counts of the positions that play from `start` can reach.
    pub(crate) fn reachable(&self, start: &Position) -> anyhow::Result<Tally> {
        Ok(reachable::count(&self.game, &self.solution, start)?)
    }
}

impl Oracle for ReferenceSolved {
    fn rules(&self) -> &Rules {
        self.game.rules()
    }

    fn look_up(&self, position: &Position) -> anyhow::Result<Option<Worth>> {
        Ok(self
            .solution
            .value_of(&self.game, position)
            .map(Worth::from))
    }

    fn evidence(&self) -> String {
        evidence_of_all(&self.game, "solved by the reference solver")
    }
}
