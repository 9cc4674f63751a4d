//! Where values come from: a game solved on the spot, a table file, or nowhere.

use yose_shogi::table::Worth;
use yose_shogi::{DropShogi, Inventory, Position, Rules, Variant};

use super::KernelSolved;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::grouped;

/// Something that knows values of positions.
pub(crate) trait Oracle {
    /// The rules of the variant.
    fn rules(&self) -> &Rules;
    /// The value for the side to move, if it is known. Fails if a file cannot be read.
    fn look_up(&self, position: &Position) -> anyhow::Result<Option<Worth>>;
    /// How it is known, in words.
    fn evidence(&self) -> String;
}

/// Nothing is known but what the rules say by themselves.
#[derive(Debug)]
pub(crate) struct Unsolved {
    rules: Rules,
    why: String,
}

impl Oracle for Unsolved {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn look_up(&self, _: &Position) -> anyhow::Result<Option<Worth>> {
        Ok(None)
    }

    fn evidence(&self) -> String {
        self.why.clone()
    }
}

/// Up to this many slots are solved while the user waits: some seconds.
const ON_THE_SPOT: u64 = 40_000_000;

/// Solves the game of an inventory while the user waits, or says why that cannot be done.
pub(crate) fn on_the_spot(
    variant: &Variant,
    inventory: &Inventory,
    memory: Option<u64>,
    context: &Context,
) -> Result<KernelSolved, Unsolved> {
    let unsolved = |why: String| Unsolved {
        rules: Rules::new(variant.clone()),
        why: format!("not solved: {why}"),
    };
    let game = game(variant, inventory).map_err(|failure| unsolved(failure.to_string()))?;
    let slots = game.index().stored_size();
    if slots > ON_THE_SPOT {
        return Err(unsolved(format!(
            "{} has {} slots, and up to {} are solved on the spot; `yose solve` makes a table for \
             --table",
            name(&game),
            grouped(slots),
            grouped(ON_THE_SPOT),
        )));
    }
    KernelSolved::solve(game, true, memory, context)
        .map_err(|failure| unsolved(failure.to_string()))
}

/// The game of a variant with these pieces.
pub(crate) fn game(variant: &Variant, inventory: &Inventory) -> Result<DropShogi, Failure> {
    DropShogi::new(variant.clone(), *inventory).map_err(|error| {
        Failure::usage(format!(
            "{} with {}: {error}",
            variant.name,
            inventory.text(variant)
        ))
    })
}

/// Variant and pieces.
pub(crate) fn name(game: &DropShogi) -> String {
    let variant = game.variant();
    format!("{} with {}", variant.name, game.inventory().text(variant))
}
