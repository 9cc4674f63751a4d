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
    let unsolved = |why: String| {
        Ok(Err(Unsolved {
            rules: Rules::new(variant.clone()),
            why: format!("not solved: {why}"),
        }))
    };
    let game = match game(variant, inventory) {
        Ok(game) => game,
        Err(failure) => return unsolved(failure.to_string()),
    };
    if game.index_size() > ON_THE_SPOT {
        return unsolved(format!(
            "{} has {} indices, and up to {} are solved on the spot",
            name(&game),
            grouped(game.index_size()),
            grouped(ON_THE_SPOT),
        ));
    }
    if let Err(failure) = check_memory(&game, memory) {
        return unsolved(failure.to_string());
    }
    Solved::new(game, context).map(Ok)
}

fn game(variant: &Variant, inventory: &Inventory) -> Result<DropShogi, Failure> {
    DropShogi::new(variant.clone(), *inventory).map_err(|error| {
        Failure::usage(format!(
            "{} with {}: {error}",
            variant.name,
            inventory.text(variant)
        ))
    })
}

/// Variant and pieces.
fn name(game: &DropShogi) -> String {
    let variant = game.variant();
    format!("{} with {}", variant.name, game.inventory().text(variant))
}

/// The estimate plays moves on a sample only, so it is quick for a game of any size.
fn check_memory(game: &DropShogi, memory: Option<u64>) -> Result<(), Failure> {
    let what = format!(
        "solving {} ({} indices)",
        name(game),
        grouped(game.index_size())
    );
    memory::check(&what, reference::estimate(game).bytes, memory)
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
        check_memory(&game, memory)
            .map_err(|failure| failure.hint("fewer --pieces make a smaller game"))?;
        Solved::new(game, context)
    }

    fn new(game: DropShogi, context: &Context) -> anyhow::Result<Solved> {
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
            "proved: {positions} positions of {} (turn and mirror folded) solved by the reference \
             solver",
            name(&self.game),
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
