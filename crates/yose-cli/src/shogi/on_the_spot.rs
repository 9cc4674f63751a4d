//! Games small enough to be solved while the user waits.

use yose_shogi::{Position, Rules, Variant};

use super::{Judged, KernelSolved, game, name};
use crate::context::Context;
use crate::output::grouped;

/// Up to this many slots are solved while the user waits: some seconds.
const MOST_SLOTS: u64 = 40_000_000;

/// Solves the game of a position's pieces and judges the position, or says by the rules alone what
/// can be said, and why it is not more.
pub(crate) fn on_the_spot(
    variant: &Variant,
    position: &Position,
    memory: Option<u64>,
    context: &Context,
) -> anyhow::Result<Judged> {
    let rules = Rules::new(variant.clone());
    let unsolved = |why: String| Judged::unsolved(&rules, position, format!("not solved: {why}"));
    let game = match game(variant, &position.inventory()) {
        Ok(game) => game,
        Err(failure) => return Ok(unsolved(failure.to_string())),
    };
    let slots = game.index().stored_size();
    if slots > MOST_SLOTS {
        return Ok(unsolved(format!(
            "{} has {} slots, and up to {} are solved on the spot; `yose solve` makes a table for \
             --table",
            name(&game),
            grouped(slots),
            grouped(MOST_SLOTS),
        )));
    }
    match KernelSolved::solve(game, true, false, memory, context) {
        Ok(solved) => solved.judge(position),
        Err(failure) => Ok(unsolved(failure.to_string())),
    }
}
