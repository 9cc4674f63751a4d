//! Where values come from: a game solved on the spot, or nowhere.
//!
//! A table file will be one more [`Oracle`]; the commands that show verdicts need not change.

use yose_retro::reference::{self, Solution};
use yose_retro::{Game as _, Value};
use yose_shogi::{Counts, DropShogi, Inventory, Position, Rules, Variant};

use crate::context::Context;
use crate::failure::Failure;
use crate::memory;
use crate::output::grouped;
use crate::progress::Progress;

/// Something that knows values of positions.
pub(crate) trait Oracle {
    /// The rules of the variant.
    fn rules(&self) -> &Rules;
    /// The value for the side to move, if it is known.
    fn look_up(&self, position: &Position) -> Option<Value>;
    /// How it is known, in words.
    fn evidence(&self) -> String;
}

/// A game that has been solved whole.
#[derive(Debug)]
pub(crate) struct Solved {
    game: DropShogi,
    solution: Solution,
}

/// Nothing is known but what the rules say by themselves.
#[derive(Debug)]
pub(crate) struct Unsolved {
    rules: Rules,
    why: String,
}

/// Up to this many indices are solved while the user waits: some seconds.
const ON_THE_SPOT: u64 = 8_000_000;

/// Solves the game of an inventory while the user waits, or says why that cannot be done.
pub(crate) fn on_the_spot(
    variant: &Variant,
    inventory: &Inventory,
    memory: Option<u64>,
    context: &Context,
) -> anyhow::Result<Result<Solved, Unsolved>> {
    let unsolved = |why: String| Unsolved {
        rules: Rules::new(variant.clone()),
        why,
    };
    let pieces = inventory.text(variant);
    let size = match game(variant, inventory) {
        Ok(game) => game.index_size(),
        Err(error) => return Ok(Err(unsolved(format!("not solved: {error}")))),
    };
    if size > ON_THE_SPOT {
        return Ok(Err(unsolved(format!(
            "not solved: {} with {pieces} has {} indices, and up to {} are solved on the spot",
            variant.name,
            grouped(size),
            grouped(ON_THE_SPOT),
        ))));
    }
    Solved::solve(variant, inventory, memory, context).map(Ok)
}

fn game(variant: &Variant, inventory: &Inventory) -> anyhow::Result<DropShogi> {
    DropShogi::new(variant.clone(), *inventory).map_err(|error| {
        Failure::usage(format!(
            "{} with {}: {error}",
            variant.name,
            inventory.text(variant)
        ))
        .into()
    })
}

impl Solved {
    /// Solves a game with the reference solver, if it fits into memory.
    pub(crate) fn solve(
        variant: &Variant,
        inventory: &Inventory,
        memory: Option<u64>,
        context: &Context,
    ) -> anyhow::Result<Solved> {
        let game = game(variant, inventory)?;
        let pieces = inventory.text(variant);
        let what = format!(
            "solving {} with {pieces} ({} indices)",
            variant.name,
            grouped(game.index_size())
        );
        // The estimate plays moves on a sample only, so it is quick for a game of any size.
        let estimate = reference::estimate(&game);
        memory::check(&what, estimate.bytes, memory)
            .map_err(|failure| failure.hint("fewer --pieces make a smaller game"))?;
        let mut progress = Progress::new(context);
        let solution = reference::solve(&game, &mut |step| progress.reference(step))?;
        Ok(Solved { game, solution })
    }

    pub(crate) fn game(&self) -> &DropShogi {
        &self.game
    }

    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }
}

impl Oracle for Solved {
    fn rules(&self) -> &Rules {
        self.game.rules()
    }

    fn look_up(&self, position: &Position) -> Option<Value> {
        self.solution.value_of(&self.game, position)
    }

    fn evidence(&self) -> String {
        let variant = self.game.variant();
        // By formula: the index may hold a position twice.
        let positions = Counts::new(variant, self.game.inventory()).map_or_else(
            |_| "all".to_owned(),
            |c| format!("all {}", grouped(c.canonical())),
        );
        format!(
            "proved: {positions} positions of {} with {} (turn and mirror folded) solved by the \
             reference solver",
            variant.name,
            self.game.inventory().text(variant),
        )
    }
}

impl Oracle for Unsolved {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn look_up(&self, _: &Position) -> Option<Value> {
        None
    }

    fn evidence(&self) -> String {
        self.why.clone()
    }
}
