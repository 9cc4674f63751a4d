//! `yose index`: the dense rank of a position, and the position of a rank.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Index, Inventory, Position, Variant};

use crate::args::{PiecesArg, VariantFile};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, grouped};
use crate::shogi;

/// Number a position of an inventory, or find the position with a number.
///
/// Turned and mirrored positions share a number; on boards of odd width, mirror images with both
/// kings on the centre file have a number each. Not every number has a position; exit code 1 says
/// that there is none. The pieces follow from the position unless --pieces names them.
#[derive(Debug, Args)]
#[command(override_usage = "yose index [OPTIONS] <VARIANT> <SFEN | --unrank N>")]
#[command(after_help = "\
Examples:
  yose index shogi4 'trfk/3p/P3/KFRT b - 1'
  yose index shogi4 --pieces PF --unrank 20000")]
pub(crate) struct IndexArgs {
    /// The variant, then the position.
    #[arg(value_name = "VARIANT SFEN")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
    #[command(flatten)]
    pieces: PiecesArg,
    /// The number whose position is wanted.
    #[arg(long, value_name = "N")]
    unrank: Option<u64>,
}

pub(crate) fn run(args: &IndexArgs, context: &Context) -> anyhow::Result<Exit> {
    let (variant, words) = shogi::split_words(&args.words, &args.file)?;
    let ranked = match (args.unrank, words) {
        (Some(rank), []) => unrank(args, variant, rank)?,
        (Some(_), _) => return Err(Failure::usage("give a position or --unrank, not both").into()),
        (None, []) => {
            return Err(Failure::usage("a position is missing")
                .hint("write the SFEN in quotes after the variant, or give --unrank N")
                .into());
        }
        (None, words) => rank(args, variant, &words.join(" "))?,
    };
    let found = ranked.rank.is_some() && ranked.position.is_some();
    context.answer(&ranked)?;
    Ok(if found { Exit::Answer } else { Exit::No })
}

fn index(variant: &Variant, inventory: &Inventory) -> Result<Index, Failure> {
    Index::new(variant, inventory).map_err(|error| {
        Failure::usage(format!(
            "{} with {}: {error}",
            variant.name,
            inventory.text(variant)
        ))
    })
}

fn unrank(args: &IndexArgs, variant: Variant, rank: u64) -> anyhow::Result<Ranked> {
    let inventory = args.pieces.inventory(&variant)?;
    let index = index(&variant, &inventory)?;
    if rank >= index.size() {
        return Err(Failure::usage(format!(
            "--unrank {rank}: {} with {} has the numbers 0 to {}",
            variant.name,
            inventory.text(&variant),
            index.size() - 1
        ))
        .into());
    }
    let position = index.unrank(rank);
    Ok(Ranked {
        variant,
        inventory,
        position,
        representative: position,
        rank: Some(rank),
        size: index.size(),
    })
}

fn rank(args: &IndexArgs, variant: Variant, sfen: &str) -> anyhow::Result<Ranked> {
    let position = shogi::position(&variant, sfen)?;
    let inventory = position.inventory();
    shogi::check_pieces(args.pieces.pieces.as_deref(), &variant, &inventory)?;
    let index = index(&variant, &inventory)?;
    let rank = index.rank(&position);
    Ok(Ranked {
        variant,
        inventory,
        position: Some(position),
        representative: rank.and_then(|rank| index.unrank(rank)),
        rank,
        size: index.size(),
    })
}

struct Ranked {
    variant: Variant,
    inventory: Inventory,
    /// As asked for, or as found.
    position: Option<Position>,
    /// The position that stands for it: Black to move, mirrored so that Black's king is on the left.
    representative: Option<Position>,
    rank: Option<u64>,
    size: u64,
}

impl Answer for Ranked {
    fn json(&self) -> Json {
        let sfen = |position: Option<Position>| position.map(|p| self.variant.sfen(&p));
        json!({
            "variant": self.variant.name,
            "pieces": self.inventory.text(&self.variant),
            "sfen": sfen(self.position),
            "rank": self.rank,
            "size": self.size,
            "representative": sfen(self.representative),
        })
    }

    fn text(&self, style: Style) -> String {
        let sfen = |position: &Position| style.strong(&self.variant.sfen(position));
        let name = format!(
            "{} with {}",
            self.variant.name,
            self.inventory.text(&self.variant)
        );
        let numbers = format!("{name} has {} numbers", grouped(self.size));
        let mut text = match (&self.position, self.rank) {
            (Some(position), Some(rank)) => format!("{rank}  {}\n", sfen(position)),
            (Some(position), None) => format!(
                "{} is outside the domain: it has no number\n",
                sfen(position)
            ),
            (None, rank) => format!("{} is a hole: no position\n", rank.unwrap_or_default()),
        };
        if let Some(representative) = &self.representative
            && self.position != self.representative
        {
            text.push_str(&format!("stands for it: {}\n", sfen(representative)));
        }
        text.push_str(&format!("{}\n", style.dim(&numbers)));
        text
    }
}
