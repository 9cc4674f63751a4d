//! `yose solve`: wins, losses and draws of a whole game, with exact distances.

use std::num::NonZeroUsize;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use yose_retro::tally::{Counts, HistogramRow, Tally};
use yose_retro::{Outcome, Value, reachable};
use yose_shogi::{Inventory, Variant};

use crate::args::{PiecesArg, VariantArg};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style, Table, grouped, plies};
use crate::shogi::{self, Solved, value_json, value_text};
use crate::{memory, usage};

/// The reference solver has one thread, however many there may be.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// Solve a game: every position won, lost or drawn, and how many plies that takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  yose solve shogi4 --pieces PF
  yose solve micro --pieces PP --reachable --json")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    pieces: PiecesArg,
    /// What is kept: win, loss or draw alone, or exact distances too.
    #[arg(long, value_enum, default_value = "depth")]
    metric: Metric,
    /// The most memory to use, such as 4GiB. Left out: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Count also the positions that play from the start can reach.
    #[arg(long)]
    reachable: bool,
}

/// What a table says about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    Wdl,
    Depth,
}

pub(crate) fn run(args: &SolveArgs, context: &Context) -> anyhow::Result<Exit> {
    let variant = args.variant.load()?;
    let inventory = args.pieces.inventory(&variant)?;
    let start = variant.start(&inventory);
    if args.reachable && start.is_none() {
        return Err(Failure::usage(format!(
            "{} names no start with the pieces {}, so nothing is reachable from it",
            variant.name,
            inventory.text(&variant)
        ))
        .hint("a variant file of your own may name one under `starts`")
        .into());
    }
    let clock = Instant::now();
    let solved = Solved::solve(&variant, &inventory, args.memory, context)?;
    let solve_seconds = clock.elapsed().as_secs_f64();
    let tally = Tally::of(solved.game(), solved.solution());
    let start = start.map(|start| shogi::value(&solved, &start));
    let reachable = match variant.start(&inventory) {
        Some(start) if args.reachable => {
            Some(reachable::count(solved.game(), solved.solution(), &start)?)
        }
        _ => None,
    };
    context.answer(&Report {
        variant,
        inventory,
        metric: args.metric,
        tally,
        start,
        reachable,
        solve_seconds,
        total_seconds: clock.elapsed().as_secs_f64(),
        cpu_seconds: usage::cpu_seconds(),
        peak_rss_bytes: usage::peak_rss_bytes(),
        threads: context.threads.min(MOST_THREADS),
    })?;
    Ok(Exit::Answer)
}

struct Report {
    variant: Variant,
    inventory: Inventory,
    metric: Metric,
    tally: Tally,
    /// Of the start position, if there is one; its value may be unknown.
    start: Option<Option<Value>>,
    reachable: Option<Tally>,
    solve_seconds: f64,
    total_seconds: f64,
    cpu_seconds: Option<f64>,
    peak_rss_bytes: Option<u64>,
    threads: NonZeroUsize,
}

impl Report {
    fn max_depth(&self) -> Option<u32> {
        match self.metric {
            Metric::Depth => self.tally.max_depth(),
            Metric::Wdl => None,
        }
    }

    /// The value with its distance only if the metric has distances.
    fn metred(&self, value: Option<Value>) -> (String, Option<u32>) {
        let (word, depth) = value_json(value);
        (word, depth.filter(|_| self.metric == Metric::Depth))
    }

    fn rows(&self, tally: &Tally) -> Vec<HistogramRow> {
        match self.metric {
            Metric::Depth => tally.histogram.clone(),
            Metric::Wdl => [Outcome::Win, Outcome::Loss, Outcome::Draw]
                .into_iter()
                .map(|value| HistogramRow {
                    value,
                    depth: None,
                    canonical: of(&tally.canonical, value),
                    all: of(&tally.all, value),
                })
                .filter(|row| row.all > 0)
                .collect(),
        }
    }
}

fn of(counts: &Counts, value: Outcome) -> u64 {
    match value {
        Outcome::Win => counts.win,
        Outcome::Loss => counts.loss,
        Outcome::Draw => counts.draw,
    }
}

fn counts_json(counts: &Counts) -> Json {
    json!({
        "positions": counts.positions(),
        "win": counts.win,
        "loss": counts.loss,
        "draw": counts.draw,
    })
}

fn histogram_json(rows: &[HistogramRow]) -> Json {
    rows.iter()
        .map(|row| {
            json!({
                "value": row.value.to_string(),
                "depth": row.depth,
                "canonical": row.canonical,
                "all": row.all,
            })
        })
        .collect()
}

impl Answer for Report {
    fn json(&self) -> Json {
        let start = self.start.map(|value| {
            let (value, depth) = self.metred(value);
            json!({ "value": value, "depth": depth })
        });
        let reachable = self.reachable.as_ref().map(|tally| {
            let mut counts = counts_json(&tally.canonical);
            counts["histogram"] = histogram_json(&self.rows(tally));
            counts
        });
        json!({
            "variant": self.variant.name,
            "pieces": self.inventory.text(&self.variant),
            "metric": match self.metric { Metric::Wdl => "wdl", Metric::Depth => "depth" },
            "canonical": counts_json(&self.tally.canonical),
            "all": counts_json(&self.tally.all),
            "max_depth": self.max_depth(),
            "histogram": histogram_json(&self.rows(&self.tally)),
            "start": start,
            "reachable": reachable,
            "domains": null,
            "seconds": {
                "solve": self.solve_seconds,
                "audit": null,
                "total": self.total_seconds,
            },
            "cpu_seconds": self.cpu_seconds,
            "peak_rss_bytes": self.peak_rss_bytes,
            "threads": self.threads,
            "fingerprint": null,
            "audit": null,
        })
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["", "#positions", "#win", "#loss", "#draw"]);
        let mut row = |name: &str, counts: &Counts| {
            table.row([
                name.to_owned(),
                grouped(counts.positions()),
                grouped(counts.win),
                grouped(counts.loss),
                grouped(counts.draw),
            ]);
        };
        row("canonical", &self.tally.canonical);
        row("all", &self.tally.all);
        if let Some(reachable) = &self.reachable {
            row("reachable", &reachable.canonical);
        }
        let mut text = format!(
            "{} with {}\n\n{}\n",
            style.strong(&self.variant.name),
            self.inventory.text(&self.variant),
            table.render(style)
        );
        if let Some(depth) = self.max_depth() {
            text.push_str(&format!("  deepest: {}\n", plies(depth)));
        }
        match self.start {
            Some(value) => {
                let value = if self.metric == Metric::Depth {
                    value_text(value)
                } else {
                    self.metred(value).0
                };
                text.push_str(&format!("  start:   {}\n", style.value(&value)));
            }
            None => text.push_str("  start:   none is named for these pieces\n"),
        }
        text.push_str(&format!("  time:    {:.2} s\n", self.total_seconds));
        if let Some(bytes) = self.peak_rss_bytes {
            text.push_str(&format!("  memory:  {}\n", memory::format(bytes)));
        }
        text.push_str(
            "\n  canonical: turn and mirror folded; all: both sides to move, unfolded.\n  \
             Won, lost and drawn are for the side to move.\n",
        );
        text
    }
}
