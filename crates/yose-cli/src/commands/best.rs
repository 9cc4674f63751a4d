//! `yose best`: the best moves of a position, what it is worth, and how that is known.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use yose_cgt::Player;
use yose_shogi::Variant;

use crate::args::VariantFile;
use crate::commands::{race, sum};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, draw};
use crate::shogi::{self, Judged, value_json, value_text};
use crate::{input, memory};

/// What is answered when nothing is asked: a game small enough to be solved while one waits.
const EXAMPLE: (&str, &str) = ("shogi4", "4/2k1/Kp2/4 b F 1");

/// Find the best moves of a position: value, ranking, line of play, evidence.
///
/// Without a position, a built-in example is solved on the spot. A position too large for that is
/// looked up with --table, or answered "unknown". A sum of games is searched exactly.
#[derive(Debug, Args)]
#[command(override_usage = "yose best [OPTIONS] [VARIANT SFEN | 'SUM' | race ROWS | -]")]
#[command(after_help = "\
Examples:
  yose best
  yose best shogi4 '4/2k1/Kp2/4 b F 1' --top 3
  yose best '{10|{0|-100}} + {8|-8}' --to-play w
  yose best race 'r4b4/1r3b4/2r4b2/4rb4 r' --json
  echo 'shogi4 3k/4/4/K3 b P 1' | yose best -")]
pub(crate) struct BestArgs {
    /// A variant and an SFEN, a sum of games, `race` and its four rows, or - for standard input.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
    /// The pieces the game is played with; they follow from the position, and are checked.
    #[arg(long, value_name = "LETTERS", allow_hyphen_values = true)]
    pieces: Option<String>,
    /// Look the position up in this table instead of solving its game.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Who is to play in a sum: Black is Left and wants much, White is Right. Left out: Black.
    #[arg(long, value_enum, value_name = "SIDE")]
    to_play: Option<SideArg>,
    /// Show only the best K moves, or the first K places of the rankings of a sum.
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// Search at most N states of a sum; what is then not proved is given as bounds.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search a sum at most so long.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// The most memory to use, such as 4GiB. Left out: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
}

/// A side to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideArg {
    #[value(alias = "black")]
    B,
    #[value(alias = "white")]
    W,
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds, such as 0.5".to_owned()),
    }
}

pub(crate) fn run(args: &BestArgs, context: &Context) -> anyhow::Result<Exit> {
    let words = words(args)?;
    let text = words.join(" ");
    if args.file.variant_file.is_none() && sum::is_sum(&text) {
        if args.table.is_some() || args.pieces.is_some() {
            return Err(Failure::usage("--table and --pieces are for positions, not sums").into());
        }
        let question = sum::Question {
            to_play: match args.to_play {
                Some(SideArg::W) => Player::Right,
                Some(SideArg::B) | None => Player::Left,
            },
            top: args.top.unwrap_or(usize::MAX),
            nodes: args.nodes,
            seconds: args.seconds,
        };
        sum::best(&text, question, context)?;
        return Ok(Exit::Answer);
    }
    match words.split_first() {
        Some((first, rows)) if first == "race" && args.file.variant_file.is_none() => {
            race::best(&rows.join(" "), args.memory, context)?;
        }
        Some((first, _)) if args.file.variant_file.is_none() && !is_variant(first) => {
            return Err(neither(first, &text).into());
        }
        _ => drop_shogi(args, &words, context)?,
    }
    Ok(Exit::Answer)
}

fn is_variant(word: &str) -> bool {
    Variant::built_in_names().contains(&word)
}

/// The complaint about a text that is neither a position nor a sum.
fn neither(first: &str, text: &str) -> Failure {
    let why = sum::not_a_sum(text).unwrap_or_else(|| "it names a file".to_owned());
    Failure::usage(format!(
        "unknown variant '{first}', and as a sum of games '{text}' does not read: {why}"
    ))
    .hint(format!(
        "built in are {}; a variant of your own comes with --variant-file",
        Variant::built_in_names().join(", ")
    ))
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
    if args.to_play.is_some() {
        return Err(Failure::usage("--to-play is for sums; a position says who is to play").into());
    }
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
    shogi::check_pieces(args.pieces.as_deref(), &variant, &inventory)?;
    let top = args.top.unwrap_or(usize::MAX);
    let judged = match &args.table {
        Some(path) => {
            let table = shogi::of_variant(shogi::open(path)?, variant.clone())?;
            shogi::check_inventory(&table, &position)?;
            shogi::judge(&table, &position)?
        }
        None => shogi::on_the_spot(&variant, &position, args.memory, context)?,
    };
    context.answer(&Best {
        variant,
        judged,
        top,
    })
}

struct Best {
    variant: Variant,
    judged: Judged,
    top: usize,
}

impl Best {
    fn best(&self) -> Vec<&str> {
        let best = shogi::best(&self.judged.probed);
        best.map(|mv| mv.usi.as_str()).collect()
    }
}

impl Answer for Best {
    fn json(&self) -> Json {
        let Judged {
            position,
            probed,
            line,
            evidence,
        } = &self.judged;
        let (value, depth) = value_json(probed.verdict);
        json!({
            "variant": self.variant.name,
            "position": self.variant.sfen(position),
            "value": value,
            "depth": depth,
            "best": self.best(),
            "moves": shogi::moves_json(probed, self.top),
            "line": line,
            "evidence": evidence,
        })
    }

    fn text(&self, style: Style) -> String {
        let Judged {
            position,
            probed,
            line,
            evidence,
        } = &self.judged;
        let best = self.best();
        let mut text = format!(
            "{}  {}\n\n{}\n{}: {}",
            style.strong(&self.variant.name),
            style.dim(&self.variant.sfen(position)),
            draw(&self.variant, position, style),
            position.turn(),
            style.value(&value_text(probed.verdict)),
        );
        if !best.is_empty() {
            text.push_str(&format!("; best {}", style.strong(&best.join(", "))));
        }
        text.push_str("\n\n");
        text.push_str(&shogi::moves_text(probed, self.top, style));
        if !line.is_empty() {
            text.push_str(&format!("\nline: {}\n", line.join(" ")));
        }
        text.push_str(&format!("{}\n", style.dim(evidence)));
        text
    }
}
