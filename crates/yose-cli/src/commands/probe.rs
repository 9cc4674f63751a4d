//! `yose probe`: values of positions from a table, one or many.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::Variant;

use crate::args::VariantFile;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{Answer, Style};
use crate::shogi::{self, Verdict, value_json, value_text};

/// Look positions up in a table: value, distance, and every move's outcome.
///
/// A position is an SFEN in quotes; - reads one a line from standard input.
#[derive(Debug, Args)]
#[command(override_usage = "yose probe [OPTIONS] <FILE> <SFEN>...")]
#[command(after_help = "\
Examples:
  yose solve shogi4 --pieces PF -o /tmp/pf.yose -q && yose probe /tmp/pf.yose '4/2k1/Kp2/4 b F 1'
  yose solve shogi4 --pieces P -o /tmp/p.yose -q && echo '3k/4/4/K3 b P 1' | yose probe /tmp/p.yose -")]
pub(crate) struct ProbeArgs {
    /// The table.
    table: PathBuf,
    /// Positions, or - for standard input.
    #[arg(required = true, value_name = "SFEN")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
}

pub(crate) fn run(args: &ProbeArgs, context: &Context) -> anyhow::Result<Exit> {
    let table = shogi::open_table(&args.table, &args.file)?;
    let variant = table.game().variant();
    let mut verdicts = Vec::new();
    for sfen in input::sfens(&args.words)? {
        let position = shogi::position(variant, &sfen)?;
        shogi::check_inventory(&table, &position)?;
        verdicts.push(Verdict::new(&table, &position)?);
    }
    if verdicts.is_empty() {
        return Err(Failure::usage("a position is missing").into());
    }
    context.answer(&Probed {
        variant: variant.clone(),
        verdicts,
    })?;
    Ok(Exit::Answer)
}

struct Probed {
    variant: Variant,
    verdicts: Vec<Verdict>,
}

impl Answer for Probed {
    fn json(&self) -> Json {
        self.verdicts
            .iter()
            .map(|verdict| {
                let (value, depth) = value_json(verdict.value);
                json!({
                    "sfen": self.variant.sfen(&verdict.position),
                    "value": value,
                    "depth": depth,
                    "moves": verdict.moves_json(&self.variant, usize::MAX),
                })
            })
            .collect()
    }

    fn text(&self, style: Style) -> String {
        let mut text = String::new();
        for verdict in &self.verdicts {
            let best: Vec<&str> = verdict.best().map(|mv| mv.usi.as_str()).collect();
            text.push_str(&format!(
                "{}  {}",
                self.variant.sfen(&verdict.position),
                style.value(&value_text(verdict.value)),
            ));
            if !best.is_empty() {
                text.push_str(&format!("; best {}", style.strong(&best.join(", "))));
            }
            text.push('\n');
            // One position is looked at closely, of many the values are wanted.
            if self.verdicts.len() == 1 {
                text.push('\n');
                text.push_str(&verdict.moves_text(usize::MAX, style));
            }
        }
        text
    }
}
