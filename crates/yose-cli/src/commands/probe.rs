//! `yose probe`: values of positions from a table, one or many.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;
use yose_shogi::probe::Probed;
use yose_shogi::{Position, Variant};

use crate::args::VariantFile;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{Answer, Style};
use crate::shogi::{self, value_text};

/// Look positions up in a table: value, distance, and every move's outcome.
///
/// A position is an SFEN in quotes; - reads one a line from standard input.
#[derive(Debug, Args)]
#[command(override_usage = "yose probe [OPTIONS] <FILE> <SFEN>...")]
#[command(after_help = "\
Examples:
  yose probe pf.yose '4/2k1/Kp2/4 b F 1'
  echo '4/2k1/Kp2/4 b F 1' | yose probe pf.yose - --json")]
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
    let mut positions = Vec::new();
    for sfen in input::sfens(&args.words)? {
        positions.push(sfen.read(|sfen| {
            let position = shogi::position(variant, sfen)?;
            shogi::check_inventory(&table, &position)?;
            Ok(position)
        })?);
    }
    if positions.is_empty() {
        return Err(Failure::usage("a position is missing").into());
    }
    let probed = shogi::probe_all(&table, &positions)?;
    context.answer(&Answers {
        variant: variant.clone(),
        probed: positions.into_iter().zip(probed).collect(),
    })?;
    Ok(Exit::Answer)
}

struct Answers {
    variant: Variant,
    probed: Vec<(Position, Probed)>,
}

impl Answer for Answers {
    fn json(&self) -> Json {
        let probed = self.probed.iter();
        probed
            .map(|(position, probed)| shogi::probed_json(&self.variant, position, probed))
            .collect()
    }

    fn text(&self, style: Style) -> String {
        let mut text = String::new();
        for (position, probed) in &self.probed {
            let best: Vec<&str> = shogi::best(probed).map(|mv| mv.usi.as_str()).collect();
            text.push_str(&format!(
                "{}  {}",
                self.variant.sfen(position),
                style.value(&value_text(probed.verdict)),
            ));
            if !best.is_empty() {
                text.push_str(&format!("; best {}", style.strong(&best.join(", "))));
            }
            text.push('\n');
            // One position is looked at closely, of many the values are wanted.
            if self.probed.len() == 1 {
                text.push('\n');
                text.push_str(&shogi::moves_text(probed, usize::MAX, style));
            }
        }
        text
    }
}
