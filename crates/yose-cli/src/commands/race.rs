//! `yose race`: the red-and-black race on four rows: best moves, and the proof of its formula.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_race::{Columns, Position, Proof, Report, Row, Side, Table as Solved};

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, Table, grouped, plies};
use crate::progress::Progress;
use crate::{input, memory};

/// A starting placement whose winner is not plain to see.
const EXAMPLE: &str = "r4b4/1r3b4/2r4b2/4rb4 r";

/// Find the best moves in the race, or prove who wins from everywhere.
///
/// Four rows separated by /, each with an r and a b and numbers for runs of empty squares, then
/// the side to move. Every answer comes from solving all positions of that width.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  yose race
  yose race 'r4b4/1r3b4/2r4b2/4rb4 b'
  yose race --prove --columns 6")]
pub(crate) struct RaceArgs {
    /// The rows A to D and the side to move, or - for standard input. Left out: an example.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// Columns of the board, even, 4 to 16. Left out: as the position has, or 10.
    #[arg(long, value_name = "N")]
    columns: Option<usize>,
    /// Solve every position of the width and compare the closed form with the table.
    #[arg(long, conflicts_with = "words")]
    prove: bool,
    /// The most memory to use, such as 4GiB. Left out: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
}

pub(crate) fn run(args: &RaceArgs, context: &Context) -> anyhow::Result<Exit> {
    let columns = args.columns.map(columns).transpose()?;
    if args.prove {
        let columns = columns.map_or_else(|| self::columns(10), Ok)?;
        let table = solve(columns, args.memory, context)?;
        context.answer(&Comparison(Proof::of(&table)))?;
        return Ok(Exit::Answer);
    }
    let text = match args.words.as_slice() {
        [] => EXAMPLE.to_owned(),
        [dash] if dash == "-" => input::stdin()?.trim().to_owned(),
        words => words.join(" "),
    };
    let position = parse(&text)?;
    if let Some(columns) = columns.filter(|&columns| columns != position.columns()) {
        return Err(Failure::usage(format!(
            "the position has {} columns, --columns says {}",
            position.columns().count(),
            columns.count()
        ))
        .into());
    }
    report(&position, args.memory, context)?;
    Ok(Exit::Answer)
}

/// Answers `yose best race ROWS`.
pub(crate) fn best(text: &str, memory: Option<u64>, context: &Context) -> anyhow::Result<()> {
    report(&parse(text)?, memory, context)
}

fn columns(count: usize) -> anyhow::Result<Columns> {
    Columns::new(count).map_err(|error| Failure::usage(format!("--columns: {error}")).into())
}

fn parse(text: &str) -> anyhow::Result<Position> {
    text.parse().map_err(|error| {
        Failure::usage(format!("'{text}': {error}"))
            .hint(format!("a position is written '{EXAMPLE}'"))
            .into()
    })
}

fn solve(columns: Columns, memory: Option<u64>, context: &Context) -> anyhow::Result<Solved> {
    let estimate = Solved::estimate(columns);
    let what = format!(
        "solving the race on {} columns ({} indices)",
        columns.count(),
        grouped(estimate.indices)
    );
    memory::check(&what, estimate.bytes, memory)
        .map_err(|failure| failure.hint("a narrower board has far fewer positions"))?;
    let mut progress = Progress::new(context);
    Ok(Solved::solve(columns, &mut |step| {
        progress.reference(step);
    })?)
}

fn report(position: &Position, memory: Option<u64>, context: &Context) -> anyhow::Result<()> {
    let table = solve(position.columns(), memory, context)?;
    context.answer(&Answered(table.report(position)?))
}

struct Answered(Report);

impl Answer for Answered {
    fn json(&self) -> Json {
        let Answered(report) = self;
        let moves: Vec<Json> = report
            .moves
            .iter()
            .map(|mv| {
                json!({
                    "move": mv.mv.to_string(),
                    "winner": mv.winner.to_string(),
                    "depth": mv.depth,
                })
            })
            .collect();
        let line: Vec<String> = report.line.iter().map(ToString::to_string).collect();
        json!({
            "position": report.position.to_string(),
            "to_move": report.to_move.to_string(),
            "winner": report.winner.to_string(),
            "depth": report.depth,
            "closed_form": {
                "applies": report.closed_form.applies,
                "winner": report.closed_form.winner.map(|side| side.to_string()),
                "corrected": report.closed_form.corrected.to_string(),
            },
            "moves": moves,
            "line": line,
        })
    }

    fn text(&self, style: Style) -> String {
        let Answered(report) = self;
        let mut text = format!(
            "{}\n\n{}\n{} moves; {} wins in {}\n\n",
            style.dim(&report.position.to_string()),
            draw(&report.position, style),
            report.to_move,
            style.strong(&report.winner.to_string()),
            plies(report.depth),
        );
        let mut table = Table::new(&["", "move", "winner", "#plies"]);
        for mv in &report.moves {
            let is_best = mv.winner == report.winner && mv.depth == report.depth;
            table.row([
                if is_best { "*" } else { "" }.to_owned(),
                mv.mv.to_string(),
                mv.winner.to_string(),
                mv.depth.to_string(),
            ]);
        }
        text.push_str(&table.render(style));
        if !report.line.is_empty() {
            let line: Vec<String> = report.line.iter().map(ToString::to_string).collect();
            text.push_str(&format!("\nline: {}\n", line.join(" ")));
        }
        text.push_str(&match report.closed_form.winner {
            Some(published) => format!(
                "published formula: {published} wins; corrected: {}\n",
                report.closed_form.corrected
            ),
            None => format!(
                "corrected formula: {} wins (the published one speaks of starting placements only)\n",
                report.closed_form.corrected
            ),
        });
        let evidence = format!(
            "proved: all positions on {} columns solved by the reference solver",
            report.position.columns().count()
        );
        text.push_str(&format!("{}\n", style.dim(&evidence)));
        text
    }
}

fn draw(position: &Position, style: Style) -> String {
    let count = position.columns().count();
    let mut text = String::from("   ");
    for column in 1..=count {
        text.push_str(&format!("{column:>3}"));
    }
    text.push('\n');
    for row in Row::ALL {
        text.push_str(&format!(" {} ", row.letter()));
        for column in 0..count {
            let cell = if position.column(Side::Red, row) == column {
                style.strong("  r")
            } else if position.column(Side::Black, row) == column {
                style.strong("  b")
            } else {
                style.dim("  ·")
            };
            text.push_str(&cell);
        }
        text.push('\n');
    }
    text
}

/// What holds on every width; the module `nim` of `yose-race` explains why.
const CORRECTED: &str = "
Corrected, with d the difference of the columns in a row: the side to move wins if the pieces of
row A touch; else who has more room behind in row D wins; else the side to move wins if and only if
(dA mod 2) xor (dB - 1) xor (dC - 1) is not 0.";

struct Comparison(Proof);

impl Answer for Comparison {
    fn json(&self) -> Json {
        let Comparison(proof) = self;
        let samples: Vec<String> = proof
            .exception_samples
            .iter()
            .map(ToString::to_string)
            .collect();
        json!({
            "columns": proof.columns.count(),
            "positions": proof.positions,
            "win": proof.win,
            "loss": proof.loss,
            "draw": proof.draw,
            "placements": proof.placements,
            "first_player_wins": proof.first_player_wins,
            "exceptions": proof.exceptions,
            "exception_samples": samples,
            "exceptions_touching_in_a": proof.exceptions_touching_in_a,
            "corrected_exceptions": proof.corrected_exceptions,
            "max_depth": proof.max_depth,
        })
    }

    fn text(&self, style: Style) -> String {
        let Comparison(proof) = self;
        let mut table = Table::new(&["", "#positions", "#win", "#loss", "#draw"]);
        table.row([
            "all, both sides to move".to_owned(),
            grouped(proof.positions),
            grouped(proof.win),
            grouped(proof.loss),
            grouped(proof.draw),
        ]);
        table.row([
            "starting placements".to_owned(),
            grouped(proof.placements),
            grouped(proof.first_player_wins),
            grouped(proof.placements - proof.first_player_wins),
            grouped(0_u64),
        ]);
        let mut text = format!(
            "{}\n\n{}\n",
            style.strong(&format!("the race on {} columns", proof.columns.count())),
            table.render(style)
        );
        if let Some(depth) = proof.max_depth {
            text.push_str(&format!("  deepest: {}\n", plies(depth)));
        }
        text.push_str(&format!(
            "\nThe published formula names the wrong winner for {} of the starting placements.\n",
            grouped(proof.exceptions)
        ));
        if proof.exceptions > 0 && proof.exceptions == proof.exceptions_touching_in_a {
            text.push_str(
                "In all of them the pieces of row A touch, so the first player takes and wins.\n",
            );
        }
        for sample in &proof.exception_samples {
            text.push_str(&format!("  {}\n", style.dim(&sample.to_string())));
        }
        text.push_str(&format!(
            "{CORRECTED}\nIt is wrong for {} of all positions.\n",
            grouped(proof.corrected_exceptions)
        ));
        text
    }
}
