//! What is known about a whole table: counts, histogram, start, and how it was made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use yose_cluster::Step;
use yose_retro::Outcome;
use yose_retro::table::Metric;
use yose_retro::tally::{Counts, HistogramRow, Tally};
use yose_shogi::probe::Verdict;

use super::{value_json, value_text};
use crate::memory;
use crate::output::{Answer, Style, Table, grouped, plies};

/// One line of a histogram as it stands in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) value: String,
    pub(crate) depth: Option<u32>,
    /// In the domain that the histogram is of, where that is neither of the two below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) positions: Option<u64>,
    pub(crate) canonical: u64,
    pub(crate) all: u64,
}

/// Positions of some domain by outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counted {
    pub(crate) positions: u64,
    pub(crate) win: u64,
    pub(crate) loss: u64,
    pub(crate) draw: u64,
    pub(crate) histogram: Vec<Row>,
}

impl Counted {
    /// The canonical positions of a tally.
    pub(crate) fn canonical(tally: &Tally, metric: Metric) -> Counted {
        Counted {
            positions: tally.canonical.positions(),
            win: tally.canonical.win,
            loss: tally.canonical.loss,
            draw: tally.canonical.draw,
            histogram: rows(tally, metric).iter().map(row).collect(),
        }
    }

    /// Adds positions of one value. Rows of equal value and depth become one; wins stand before
    /// losses, losses before draws.
    pub(crate) fn add(&mut self, outcome: Outcome, positions: u64, row: Row) {
        self.positions += positions;
        match outcome {
            Outcome::Win => self.win += positions,
            Outcome::Loss => self.loss += positions,
            Outcome::Draw => self.draw += positions,
        }
        let same = |other: &&mut Row| other.value == row.value && other.depth == row.depth;
        if let Some(other) = self.histogram.iter_mut().find(same) {
            other.positions = Some(other.positions.unwrap_or(0) + positions);
            other.canonical += row.canonical;
            other.all += row.all;
            return;
        }
        self.histogram.push(row);
        let place = |value: &str| ["win", "loss", "draw"].iter().position(|&v| v == value);
        self.histogram
            .sort_by_key(|row| (place(&row.value), row.depth));
    }
}

/// Seconds of wall time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seconds {
    pub(crate) solve: Option<f64>,
    pub(crate) audit: Option<f64>,
    pub(crate) total: Option<f64>,
}

/// How a table was made: what is not in the table because it differs from run to run, or takes more
/// than the table to find out. It stands beside the table, in `FILE.run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunData {
    pub(crate) reachable: Option<Counted>,
    pub(crate) domains: Option<BTreeMap<String, Counted>>,
    pub(crate) seconds: Seconds,
    pub(crate) cpu_seconds: Option<f64>,
    pub(crate) peak_rss_bytes: Option<u64>,
    pub(crate) threads: Option<usize>,
    /// If it was solved with files.
    pub(crate) scratch: Option<ScratchData>,
    /// If several processes solved it.
    pub(crate) exchange: Option<ExchangeData>,
    /// Of the table that this was.
    pub(crate) fingerprint: Option<String>,
    pub(crate) audit: Option<String>,
}

/// What went to files and came from there while a game was solved with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScratchData {
    pub(crate) read_bytes: u64,
    pub(crate) written_bytes: u64,
    pub(crate) checkpoints: u64,
    /// How often a cell was worked on.
    pub(crate) visits: u64,
    pub(crate) cells: usize,
}

/// What several processes sent each other while they solved a game; after a restart, since then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExchangeData {
    pub(crate) processes: usize,
    pub(crate) sent_bytes: u64,
    pub(crate) plies: Vec<ExchangedPly>,
}

/// A superstep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExchangedPly {
    pub(crate) ply: u32,
    /// Stored positions.
    pub(crate) decided: u64,
    /// All frontiers, each once and before compression.
    pub(crate) packed_bytes: u64,
    pub(crate) sent_bytes: u64,
}

impl ExchangeData {
    pub(crate) fn new(processes: usize, steps: &[Step]) -> ExchangeData {
        ExchangeData {
            processes,
            sent_bytes: steps.iter().map(|step| step.sent_bytes).sum(),
            plies: steps
                .iter()
                .map(|step| ExchangedPly {
                    ply: step.ply,
                    decided: step.decided,
                    packed_bytes: step.packed_bytes,
                    sent_bytes: step.sent_bytes,
                })
                .collect(),
        }
    }
}

/// The answer of `solve` and `info`.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) variant: String,
    pub(crate) pieces: String,
    pub(crate) metric: Metric,
    /// Rows as the metric has them.
    pub(crate) tally: Tally,
    /// Of the start position, if there is one.
    pub(crate) start: Option<Verdict>,
    pub(crate) run: RunData,
    /// What else is to be told about a file.
    pub(crate) file: Option<FileFacts>,
}

/// What a table file says about itself.
#[derive(Debug)]
pub(crate) struct FileFacts {
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) slots: u64,
    pub(crate) bits: u8,
    pub(crate) chunks: u64,
    pub(crate) format_version: u32,
    pub(crate) index_version: u32,
    pub(crate) rules: String,
}

impl Report {
    fn max_depth(&self) -> Option<u32> {
        self.tally.max_depth()
    }
}

/// The rows of a tally as the metric has them: without distances, one for each outcome.
pub(crate) fn rows(tally: &Tally, metric: Metric) -> Vec<HistogramRow> {
    if metric == Metric::Depth {
        return tally.histogram.clone();
    }
    [Outcome::Win, Outcome::Loss, Outcome::Draw]
        .into_iter()
        .map(|value| HistogramRow {
            value,
            depth: None,
            canonical: of(&tally.canonical, value),
            all: of(&tally.all, value),
        })
        .filter(|row| row.all > 0)
        .collect()
}

/// A value as the metric has it.
pub(crate) fn metred(verdict: Verdict, metric: Metric) -> Verdict {
    match verdict {
        Verdict::Known { outcome, depth } => Verdict::Known {
            outcome,
            depth: depth.filter(|_| metric == Metric::Depth),
        },
        Verdict::Unknown => Verdict::Unknown,
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

fn row(row: &HistogramRow) -> Row {
    Row {
        value: row.value.to_string(),
        depth: row.depth,
        positions: None,
        canonical: row.canonical,
        all: row.all,
    }
}

impl Answer for Report {
    fn json(&self) -> Json {
        let start = self.start.map(|value| {
            let (value, depth) = value_json(value);
            json!({ "value": value, "depth": depth })
        });
        let histogram: Vec<Row> = self.tally.histogram.iter().map(row).collect();
        let mut json = json!({
            "variant": self.variant,
            "pieces": self.pieces,
            "metric": self.metric.to_string(),
            "canonical": counts_json(&self.tally.canonical),
            "all": counts_json(&self.tally.all),
            "max_depth": self.max_depth(),
            "histogram": histogram,
            "start": start,
            "reachable": self.run.reachable,
            "domains": self.run.domains,
            "seconds": self.run.seconds,
            "cpu_seconds": self.run.cpu_seconds,
            "peak_rss_bytes": self.run.peak_rss_bytes,
            "threads": self.run.threads,
            "scratch": self.run.scratch,
            "exchange": self.run.exchange,
            "fingerprint": self.run.fingerprint,
            "audit": self.run.audit,
        });
        if let Some(file) = &self.file {
            json["file"] = json!({
                "path": file.path,
                "bytes": file.bytes,
                "slots": file.slots,
                "bits": file.bits,
                "chunks": file.chunks,
                "format_version": file.format_version,
                "index_version": file.index_version,
                "rules": file.rules,
            });
        }
        json
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["", "#positions", "#win", "#loss", "#draw"]);
        let mut row = |name: &str, counts: [u64; 4]| {
            let counts = counts.map(grouped);
            table.row([name.to_owned()].into_iter().chain(counts));
        };
        let four = |counts: &Counts| [counts.positions(), counts.win, counts.loss, counts.draw];
        row("canonical", four(&self.tally.canonical));
        row("all", four(&self.tally.all));
        let domains = self.run.domains.iter().flatten();
        let reachable = self.run.reachable.iter();
        let more = reachable.map(|counted| ("reachable", counted));
        for (name, counted) in more.chain(domains.map(|(name, counted)| (name.as_str(), counted))) {
            row(
                name,
                [counted.positions, counted.win, counted.loss, counted.draw],
            );
        }
        let mut text = format!(
            "{} with {}\n\n{}\n",
            style.strong(&self.variant),
            self.pieces,
            table.render(style)
        );
        let mut line = |name: &str, value: &str| {
            text.push_str(&format!("  {:<8} {value}\n", format!("{name}:")));
        };
        if let Some(depth) = self.max_depth() {
            line("deepest", &plies(depth));
        }
        match self.start {
            Some(value) => line("start", &style.value(&value_text(value))),
            None => line("start", "none is named for these pieces"),
        }
        if let Some(seconds) = self.run.seconds.total {
            line("time", &format!("{seconds:.2} s"));
        }
        if let Some(bytes) = self.run.peak_rss_bytes {
            line("memory", &memory::format(bytes));
        }
        if let Some(scratch) = &self.run.scratch {
            let traffic = format!(
                "{} read, {} written, {} checkpoints, {} visits of {} cells",
                memory::format(scratch.read_bytes),
                memory::format(scratch.written_bytes),
                grouped(scratch.checkpoints),
                grouped(scratch.visits),
                scratch.cells
            );
            line("scratch", &traffic);
        }
        if let Some(exchange) = &self.run.exchange {
            let sent = memory::format(exchange.sent_bytes);
            line(
                "network",
                &format!("{sent} between {} processes", exchange.processes),
            );
        }
        if let Some(audit) = &self.run.audit {
            line("audit", audit);
        }
        if let Some(file) = &self.file {
            let metric = match self.metric {
                Metric::Depth => "exact distances",
                Metric::Wdl => "outcomes",
                Metric::Ranks => "ranks",
            };
            let values = format!(
                "{metric}, {} slots of {} bits in {} chunks",
                grouped(file.slots),
                file.bits,
                grouped(file.chunks)
            );
            line("values", &values);
            line(
                "file",
                &format!("{}, {}", file.path, memory::format(file.bytes)),
            );
        }
        if let Some(fingerprint) = &self.run.fingerprint {
            line("blake3", fingerprint);
        }
        text.push_str(
            "\n  canonical: turn and mirror folded; all: both sides to move, unfolded.\n  \
             Won, lost and drawn are for the side to move.\n",
        );
        if self.file.is_some() && self.metric == Metric::Depth {
            text.push('\n');
            let mut table = Table::new(&["value", "#plies", "#canonical", "#all"]);
            for row in &self.tally.histogram {
                table.row([
                    row.value.to_string(),
                    row.depth
                        .map_or_else(String::new, |depth| depth.to_string()),
                    grouped(row.canonical),
                    grouped(row.all),
                ]);
            }
            text.push_str(&table.render(style));
        }
        text
    }
}
