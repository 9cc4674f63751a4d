//! `yose best`: the best moves of a position, what it is worth, and how that is known.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Inventory, Position, Variant};

use crate::args::VariantFile;
use crate::commands::race;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, draw};
use crate::shogi::{self, Oracle, Verdict, value_json, value_text};
use crate::{input, memory};

/// What is answered when nothing is asked: a game small enough to be solved while one waits.
const EXAMPLE: (&str, &str) = ("shogi4", "4/2k1/Kp2/4 b F 1");

/// Find the best moves of a position: value, ranking, line of play, evidence.
///
/// Without a position, a built-in example is solved on the spot. A position too large for that is
/// answered "unknown".
#[derive(Debug, Args)]
#[command(override_usage = "yose best [OPTIONS] [VARIANT SFEN | race ROWS | -]")]
#[command(after_help = "\
Examples:
  yose best
  yose best shogi4 '4/2k1/Kp2/4 b F 1' --top 3
  yose best race 'r4b4/1r3b4/2r4b2/4rb4 r' --json
  echo 'shogi4 3k/4/4/K3 b P 1' | yose best -")]
pub(crate) struct BestArgs {
    /// A variant and an SFEN, or `race` and its four rows, or - for standard input.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
    /// The pieces the game is played with; they follow from the position, and are checked.
    #[arg(long, value_name = "LETTERS", allow_hyphen_values = true)]
    pieces: Option<String>,
    /// Show only the best K moves.
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// The most memory to use, such as 4GiB. Left out: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
}

pub(crate) fn run(args: &BestArgs, context: &Context) -> anyhow::Result<Exit> {
    let words = words(args)?;
    match words.split_first() {
        Some((first, rows)) if first == "race" && args.file.variant_file.is_none() => {
            race::best(&rows.join(" "), args.memory, context)?;
        }
        _ => drop_shogi(args, &words, context)?,
    }
    Ok(Exit::Answer)
}

/// The words of the question: as typed, or from standard input, or those of the example.
fn words(args: &BestArgs) -> anyhow::Result<Vec<String>> {
    match args.words.as_slice() {
        [] if args.file.variant_file.is_none() => {
            Ok(vec![EXAMPLE.0.to_owned(), EXAMPLE.1.to_owned()])
        }
        [dash] if dash == "-" => {
            let text = input::stdin()?;
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            if words.is_empty() {
                return Err(Failure::usage("there is no position on standard input").into());
            }
            Ok(words)
        }
        words => Ok(words.to_vec()),
    }
}

fn drop_shogi(args: &BestArgs, words: &[String], context: &Context) -> anyhow::Result<()> {
    let (variant, words) = shogi::split_words(words, &args.file)?;
    if words.is_empty() {
        return Err(Failure::usage("a position is missing")
            .hint(format!(
                "yose best {} '{}'",
                variant.name,
                variant.starts.first().map_or("SFEN", String::as_str)
            ))
            .into());
    }
    let position = shogi::position(&variant, &words.join(" "))?;
    let inventory = position.inventory();
    check_pieces(args.pieces.as_deref(), &variant, &inventory)?;
    let top = args.top.unwrap_or(usize::MAX);
    match shogi::on_the_spot(&variant, &inventory, args.memory, context)? {
        Ok(solved) => answer(&solved, &position, top, context),
        Err(unsolved) => answer(&unsolved, &position, top, context),
    }
}

fn check_pieces(
    pieces: Option<&str>,
    variant: &Variant,
    inventory: &Inventory,
) -> anyhow::Result<()> {
    let Some(letters) = pieces else {
        return Ok(());
    };
    let named = shogi::inventory(letters, variant)?;
    if named == *inventory {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the position is played with {}, --pieces says {}",
        inventory.text(variant),
        named.text(variant)
    ))
    .into())
}

fn answer(
    oracle: &impl Oracle,
    position: &Position,
    top: usize,
    context: &Context,
) -> anyhow::Result<()> {
    let verdict = Verdict::new(oracle, position);
    context.answer(&Best {
        variant: oracle.rules().variant(),
        line: verdict.line(oracle),
        verdict,
        top,
    })
}

struct Best<'v> {
    variant: &'v Variant,
    verdict: Verdict,
    line: Vec<String>,
    top: usize,
}

impl Answer for Best<'_> {
    fn json(&self) -> Json {
        let (value, depth) = value_json(self.verdict.value);
        let best: Vec<&str> = self.verdict.best().map(|mv| mv.usi.as_str()).collect();
        json!({
            "variant": self.variant.name,
            "position": self.variant.sfen(&self.verdict.position),
            "value": value,
            "depth": depth,
            "best": best,
            "moves": self.verdict.moves_json(self.variant, self.top),
            "line": self.line,
            "evidence": self.verdict.evidence,
        })
    }

    fn text(&self, style: Style) -> String {
        let position = &self.verdict.position;
        let value = value_text(self.verdict.value);
        let best: Vec<&str> = self.verdict.best().map(|mv| mv.usi.as_str()).collect();
        let mut text = format!(
            "{}  {}\n\n{}\n{}: {}",
            style.strong(&self.variant.name),
            style.dim(&self.variant.sfen(position)),
            draw(self.variant, position, style),
            position.turn(),
            style.value(&value),
        );
        if !best.is_empty() {
            text.push_str(&format!("; best {}", style.strong(&best.join(", "))));
        }
        text.push_str("\n\n");
        text.push_str(&self.verdict.moves_text(self.top, style));
        if !self.line.is_empty() {
            text.push_str(&format!("\nline: {}\n", self.line.join(" ")));
        }
        text.push_str(&format!("{}\n", style.dim(&self.verdict.evidence)));
        text
    }
}
