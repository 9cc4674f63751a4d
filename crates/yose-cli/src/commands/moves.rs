//! `yose moves`: the legal moves of positions, without any solving.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Position, Rules, Variant};

use crate::args::VariantFile;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, counted, draw};
use crate::{input, shogi};

/// Print the legal moves of positions. No table is needed.
///
/// A position is an SFEN in quotes; - reads one a line from standard input. A move that leaves the
/// own king to be taken is legal, and so is taking the king.
#[derive(Debug, Args)]
#[command(override_usage = "yose moves [OPTIONS] <VARIANT> <SFEN>...")]
#[command(after_help = "Example:\n  yose moves shogi4 'trfk/3p/P3/KFRT b - 1'")]
pub(crate) struct MovesArgs {
    /// The variant, then one or more positions.
    #[arg(required = true, value_name = "VARIANT SFEN")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
}

pub(crate) fn run(args: &MovesArgs, context: &Context) -> anyhow::Result<Exit> {
    let (variant, words) = shogi::split_words(&args.words, &args.file)?;
    let sfens = input::sfens(words)?;
    if sfens.is_empty() {
        return Err(Failure::usage("a position is missing")
            .hint("write the SFEN in quotes after the variant, or - to read from standard input")
            .into());
    }
    let rules = Rules::new(variant.clone());
    let mut lists = Vec::with_capacity(sfens.len());
    for sfen in &sfens {
        let position = sfen.read(|sfen| shogi::position(&variant, sfen))?;
        let mut moves = Vec::new();
        rules.for_each_move(&position, |mv| moves.push(variant.usi(mv)));
        moves.sort_unstable();
        lists.push((position, moves));
    }
    context.answer(&Lists { variant, lists })?;
    Ok(Exit::Answer)
}

struct Lists {
    variant: Variant,
    lists: Vec<(Position, Vec<String>)>,
}

impl Answer for Lists {
    fn json(&self) -> Json {
        self.lists
            .iter()
            .map(|(position, moves)| json!({ "sfen": self.variant.sfen(position), "moves": moves }))
            .collect()
    }

    fn text(&self, style: Style) -> String {
        let texts: Vec<String> = self
            .lists
            .iter()
            .map(|(position, moves)| {
                format!(
                    "{}\n{}: {}\n",
                    draw(&self.variant, position, style),
                    counted(moves.len() as u64, "move"),
                    moves.join(" ")
                )
            })
            .collect();
        texts.join("\n")
    }
}
