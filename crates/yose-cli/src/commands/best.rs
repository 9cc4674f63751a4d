//! `yose best`: the best moves of a position, what it is worth, and how that is known.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use yose_cgt::{Dyadic, Player};
use yose_go::Colour;
use yose_shogi::Variant;

use crate::args::VariantFile;
use crate::commands::{go, race, sum};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, draw};
use crate::shogi::{self, Judged, value_json, value_text};
use crate::{input, memory};

/// No question needs more text than this; whoever pipes in more has made a mistake.
const MOST_BYTES: u64 = 64 << 20;

/// Find the best moves of a position: value, ranking, line of play, evidence.
///
/// A game record of Go (SGF) is an endgame: it falls apart into regions, each a game with an exact value,
/// and the best move is the best one in their sum. Without a position, a built-in board is answered on
/// which the hottest move is not the best. Drop shogi is solved on the spot if it is small, looked up with
/// --table, or answered "unknown". A sum of games is searched exactly.
#[derive(Debug, Args)]
#[command(override_usage = "yose best [OPTIONS] [FILE.sgf | VARIANT SFEN | 'SUM' | race ROWS | -]")]
#[command(after_help = "\
A flag that does not apply to the kind of position is refused.

Examples:
  yose best
  yose best --report endgame.svg --sgf endgame.sgf
  yose best endgame.sgf --to-play w --rules chinese --komi 7.5 --top 3
  yose best endgame.sgf --assume alive=A1 --assume auto --report endgame.html
  printf '(;SZ[5]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de])' | yose best - --assume alive=B1,D1
  yose best shogi4 '4/2k1/Kp2/4 b F 1' --top 3
  yose best '{10|{0|-100}} + {8|-8}' --to-play w
  yose best '-4 + {3|-1}'
  yose best race 'r4b4/1r3b4/2r4b2/4rb4 r' --json
  echo 'shogi4 3k/4/4/K3 b P 1' | yose best -")]
pub(crate) struct BestArgs {
    /// A game record of Go, a variant and an SFEN, a sum of games, `race` and its four rows, or - for any of
    /// these from standard input.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    #[command(flatten)]
    file: VariantFile,
    /// Drop shogi: the pieces the game is played with; they follow from the position, and are checked.
    #[arg(long, value_name = "LETTERS", allow_hyphen_values = true)]
    pieces: Option<String>,
    /// Drop shogi: look the position up in this table instead of solving its game.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Go and sums: who is to play. Black is Left and wants much, White is Right. Left out: whose turn the
    /// record says it is; in a sum Black.
    #[arg(long, value_enum, value_name = "SIDE")]
    to_play: Option<SideArg>,
    /// Show only the best K moves, or the first K places of the rankings.
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// Go: the position after N moves, 0 being the start; left out, the last.
    #[arg(long = "move", value_name = "N")]
    after: Option<usize>,
    /// Go: which game of the file, counted from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Go: the rules, such as japanese, chinese, aga; left out, those of the record, else Japanese.
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Go: komi in points; left out, that of the record, else what is usual under the rules.
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = go::komi)]
    komi: Option<Dyadic>,
    /// Go: take for granted that groups live (alive=D4,Q16) or are dead (dead=C3), or what a static
    /// judgement finds (auto). May be given several times; the answer lists what it rests on.
    #[arg(long, value_name = "WHAT")]
    assume: Vec<go::Assume>,
    /// Go: write board, regions, thermographs and rankings to FILE.svg or FILE.html.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Go: write the record with the analysis as comment, labels and variation.
    #[arg(short = 'o', long, value_name = "FILE.sgf")]
    sgf: Option<PathBuf>,
    /// Search at most N states of a sum, or N new positions of a region of Go; what is then not proved is
    /// given as bounds.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search a sum or a Go board at most so long.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// Drop shogi and the race: the most memory to use, such as 4GiB. Left out: 80 % of what is free.
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

/// What the question is about.
enum Subject {
    /// The built-in Go board.
    Example,
    /// A file with a game record, or what stood on standard input.
    Record(PathBuf),
    RecordText(Vec<u8>),
    Sum(String),
    Race(String),
    /// Variant, if it is named, and position.
    DropShogi(Vec<String>),
}

impl Subject {
    /// For which flags it has a use, and what it is called.
    fn applies(&self) -> (&'static [&'static str], &'static str) {
        const GO: &[&str] = &[
            "--to-play",
            "--top",
            "--move",
            "--game",
            "--rules",
            "--komi",
            "--assume",
            "--report",
            "--sgf",
            "--nodes",
            "--seconds",
        ];
        match self {
            Self::Example | Self::Record(_) | Self::RecordText(_) => (GO, "a Go board"),
            Self::Sum(_) => (
                &["--to-play", "--top", "--nodes", "--seconds"],
                "a sum of games",
            ),
            Self::Race(_) => (&["--memory"], "the race"),
            Self::DropShogi(_) => (
                &["--variant-file", "--pieces", "--table", "--top", "--memory"],
                "a position of drop shogi",
            ),
        }
    }
}

impl BestArgs {
    /// The flags that were given.
    fn given(&self) -> Vec<&'static str> {
        let all = [
            ("--variant-file", self.file.variant_file.is_some()),
            ("--pieces", self.pieces.is_some()),
            ("--table", self.table.is_some()),
            ("--to-play", self.to_play.is_some()),
            ("--top", self.top.is_some()),
            ("--move", self.after.is_some()),
            ("--game", self.game.is_some()),
            ("--rules", self.rules.is_some()),
            ("--komi", self.komi.is_some()),
            ("--assume", !self.assume.is_empty()),
            ("--report", self.report.is_some()),
            ("--sgf", self.sgf.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--seconds", self.seconds.is_some()),
            ("--memory", self.memory.is_some()),
        ];
        let given = all.into_iter().filter(|(_, given)| *given);
        given.map(|(flag, _)| flag).collect()
    }

    /// Refuses flags that would be ignored.
    fn refuse_idle_flags(&self, subject: &Subject) -> Result<(), Failure> {
        let (useful, what) = subject.applies();
        let idle: Vec<&str> = self
            .given()
            .into_iter()
            .filter(|flag| !useful.contains(flag))
            .collect();
        if !idle.is_empty() {
            let verb = if idle.len() == 1 { "does" } else { "do" };
            let flags = idle.join(", ");
            return Err(
                Failure::usage(format!("{flags} {verb} not apply to {what}"))
                    .hint(format!("of use here are {}", useful.join(", "))),
            );
        }
        if self.table.is_some() && self.memory.is_some() {
            return Err(Failure::usage(
                "--memory is for games solved on the spot; with --table nothing is solved",
            ));
        }
        Ok(())
    }

    fn player(&self) -> Option<Player> {
        self.to_play.map(|side| match side {
            SideArg::B => Player::Left,
            SideArg::W => Player::Right,
        })
    }

    fn about_go(&self) -> (go::Asked, go::Wanted) {
        let asked = go::Asked {
            to_play: self.to_play.map(|side| match side {
                SideArg::B => Colour::Black,
                SideArg::W => Colour::White,
            }),
            after: self.after,
            game: self.game,
            rules: self.rules.clone(),
            komi: self.komi.clone(),
            assume: self.assume.clone(),
        };
        let wanted = go::Wanted {
            top: self.top,
            nodes: self.nodes,
            seconds: self.seconds,
            report: self.report.clone(),
            sgf: self.sgf.clone(),
        };
        (asked, wanted)
    }
}

pub(crate) fn run(args: &BestArgs, context: &Context) -> anyhow::Result<Exit> {
    let subject = subject(args)?;
    args.refuse_idle_flags(&subject)?;
    match subject {
        Subject::Example => {
            let (asked, wanted) = args.about_go();
            go::best_of_example(&asked, &wanted, context)?;
        }
        Subject::Record(path) => {
            let (asked, wanted) = args.about_go();
            go::best_of_file(&path, &asked, &wanted, context)?;
        }
        Subject::RecordText(bytes) => {
            let (asked, wanted) = args.about_go();
            go::best(&bytes, "standard input", &asked, &wanted, context)?;
        }
        Subject::Sum(text) => {
            let question = sum::Question {
                to_play: args.player().unwrap_or(Player::Left),
                top: args.top.unwrap_or(usize::MAX),
                nodes: args.nodes,
                seconds: args.seconds,
            };
            sum::best(&text, question, context)?;
        }
        Subject::Race(rows) => race::best(&rows, args.memory, context)?,
        Subject::DropShogi(words) => drop_shogi(args, &words, context)?,
    }
    Ok(Exit::Answer)
}

/// What the words, or standard input, are about.
fn subject(args: &BestArgs) -> anyhow::Result<Subject> {
    let own_variant = args.file.variant_file.is_some();
    let words = match args.words.as_slice() {
        [] if own_variant || args.table.is_some() || args.pieces.is_some() => {
            return Ok(Subject::DropShogi(Vec::new()));
        }
        [] => return Ok(Subject::Example),
        [dash] if dash == "-" => {
            let bytes = input::bytes(Path::new("-"), MOST_BYTES)?;
            if !own_variant && go::is_record(&bytes) {
                return Ok(Subject::RecordText(bytes));
            }
            let text = input::text(bytes)?;
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            if words.is_empty() {
                return Err(Failure::usage("there is no position on standard input").into());
            }
            words
        }
        words => words.to_vec(),
    };
    if own_variant {
        return Ok(Subject::DropShogi(words));
    }
    // A variant or `race` may stand in one word with what follows it.
    let text = words.join(" ");
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if first == "race" {
        return Ok(Subject::Race(rest.to_owned()));
    }
    if is_variant(first) {
        let rest = words_after(&words, first);
        return Ok(Subject::DropShogi(rest));
    }
    if let [word] = words.as_slice()
        && go::is_record_file(word)
    {
        return Ok(Subject::Record(PathBuf::from(word)));
    }
    if sum::is_sum(text) {
        return Ok(Subject::Sum(text.to_owned()));
    }
    Err(neither(first, text).into())
}

/// The variant and what was typed after it, taken out of one word if they stood in one.
fn words_after(words: &[String], variant: &str) -> Vec<String> {
    let mut split = vec![variant.to_owned()];
    let first = words[0].trim_start();
    let rest = first.strip_prefix(variant).unwrap_or_default().trim_start();
    if !rest.is_empty() {
        split.push(rest.to_owned());
    }
    split.extend(words[1..].iter().cloned());
    split
}

fn is_variant(word: &str) -> bool {
    Variant::built_in_names().contains(&word)
}

/// The complaint about a text that is neither a position nor a sum.
fn neither(first: &str, text: &str) -> Failure {
    let why = sum::not_a_sum(text).unwrap_or_else(|| "it names a file".to_owned());
    Failure::usage(format!(
        "'{first}' is no file and no variant, and as a sum of games '{text}' does not read: {why}"
    ))
    .hint(format!(
        "built in are {}; a variant of your own comes with --variant-file",
        Variant::built_in_names().join(", ")
    ))
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
