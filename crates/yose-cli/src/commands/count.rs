//! `yose count`: exact numbers of positions, by formula.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Counts, Inventory, Variant};

use crate::args::{PiecesArg, VariantArg};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, Table, grouped};

/// Count arrangements and legal positions exactly, by pieces in hand.
///
/// Arrangements and legal positions have one side to move and no mirror fold; canonical ones fold
/// turn and mirror.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  yose count shogi4\n  yose count micro --pieces PPGG")]
pub(crate) struct CountArgs {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    pieces: PiecesArg,
}

pub(crate) fn run(args: &CountArgs, context: &Context) -> anyhow::Result<Exit> {
    let variant = args.variant.load()?;
    let inventory = args.pieces.inventory(&variant)?;
    let counts = Counts::new(&variant, &inventory)
        .map_err(|error| Failure::usage(format!("counting {}: {error}", variant.name)))?;
    context.answer(&Census {
        variant,
        inventory,
        counts,
    })?;
    Ok(Exit::Answer)
}

struct Census {
    variant: Variant,
    inventory: Inventory,
    counts: Counts,
}

/// A JSON number; beyond 64 bits, where readers would lose digits, a string.
fn number(number: u128) -> Json {
    u64::try_from(number).map_or_else(|_| Json::from(number.to_string()), Json::from)
}

impl Answer for Census {
    fn json(&self) -> Json {
        let by_in_hand: Vec<Json> = self
            .counts
            .by_in_hand
            .iter()
            .enumerate()
            .map(|(in_hand, count)| {
                json!({
                    "in_hand": in_hand,
                    "arrangements": number(count.arrangements),
                    "legal": number(count.legal),
                    "canonical": number(count.canonical),
                })
            })
            .collect();
        json!({
            "variant": self.variant.name,
            "pieces": self.inventory.text(&self.variant),
            "arrangements": number(self.counts.arrangements()),
            "legal": number(self.counts.legal()),
            "canonical": number(self.counts.canonical()),
            "by_in_hand": by_in_hand,
        })
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["#in hand", "#arrangements", "#legal", "#canonical"]);
        for (in_hand, count) in self.counts.by_in_hand.iter().enumerate() {
            table.row([
                in_hand.to_string(),
                grouped(count.arrangements),
                grouped(count.legal),
                grouped(count.canonical),
            ]);
        }
        table.row([
            "together".to_owned(),
            grouped(self.counts.arrangements()),
            grouped(self.counts.legal()),
            grouped(self.counts.canonical()),
        ]);
        format!(
            "{} with {}\n\n{}\n  arrangements, legal: one side to move; canonical: mirror folded \
             too.\n",
            style.strong(&self.variant.name),
            self.inventory.text(&self.variant),
            table.render(style),
        )
    }
}
