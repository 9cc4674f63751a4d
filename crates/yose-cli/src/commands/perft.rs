//! `yose perft`: how many lines of play there are, the usual check of a move generator.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Counting, Inventory, MAX_PERFT_DEPTH, Position, Rules, Variant};

use crate::args::VariantArg;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, Table, grouped};
use crate::shogi;

/// Count the lines of play from a position, ply by ply.
///
/// A line that ended earlier counts as one at every greater depth.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  yose perft shogi4 --depth 6\n  yose perft micro --depth 4 --legal"
)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    variant: VariantArg,
    /// How many plies deep.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Where to start, as SFEN. Left out: the start of the full game.
    #[arg(long, value_name = "SFEN")]
    position: Option<String>,
    /// Leave out moves after which the own king can be taken, and captures of the king.
    #[arg(long)]
    legal: bool,
}

pub(crate) fn run(args: &PerftArgs, context: &Context) -> anyhow::Result<Exit> {
    let variant = args.variant.load()?;
    let position = match &args.position {
        Some(sfen) => shogi::position(&variant, sfen)?,
        None => variant.start(&Inventory::full(&variant)).ok_or_else(|| {
            Failure::usage(format!("{} names no start of the full game", variant.name))
                .hint("give a position with --position")
        })?,
    };
    let counting = if args.legal {
        Counting::KingSafe
    } else {
        Counting::All
    };
    let rules = Rules::new(variant.clone());
    let nodes = rules
        .perft(&position, args.depth, counting)
        .map_err(|error| Failure::usage(error.to_string()))?;
    context.answer(&Counts {
        variant,
        position,
        nodes,
    })?;
    Ok(Exit::Answer)
}

struct Counts {
    variant: Variant,
    position: Position,
    nodes: Vec<u64>,
}

impl Answer for Counts {
    fn json(&self) -> Json {
        json!({
            "variant": self.variant.name,
            "position": self.variant.sfen(&self.position),
            "nodes": self.nodes,
        })
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["#depth", "#lines"]);
        for (i, &nodes) in self.nodes.iter().enumerate() {
            table.row([(i + 1).to_string(), grouped(nodes)]);
        }
        format!(
            "{} from {}\n{}",
            self.variant.name,
            self.variant.sfen(&self.position),
            table.render(style)
        )
    }
}
