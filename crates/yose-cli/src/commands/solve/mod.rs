//! `yose solve`: wins, losses and draws of a whole game, with exact distances, and its table.

mod cluster;
mod disk;
mod memory;
mod output;
mod temporary;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args, ValueEnum};
use yose_retro::table::{self, Summary};
use yose_retro::tally::Tally;
use yose_shogi::audit;
use yose_shogi::probe::Verdict;
use yose_shogi::{DropShogi, Position};

use crate::args::{PiecesArg, VariantArg};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::shogi::{self, Counted, ReferenceSolved, Report, RunData, Seconds, metred, rows};
use crate::usage;

/// Solve a game: every position won, lost or drawn, and how many plies that takes.
///
/// With -o the values go to a table file, from which `yose best --table` and `yose probe` answer.
/// Run data (times, memory) go beside it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  yose solve shogi4 --pieces PF
  yose solve shogi4 --pieces PF -o pf.yose --audit
  yose solve shogi4 --pieces PF --metric wdl --ranks -o pf-wdl.yose
  yose solve micro --pieces PP --reachable --json
  yose solve shogi4 --pieces PFR --memory 128MiB -j 2 --scratch pfr-scratch -o pfr.yose
  yose solve shogi4 --pieces PFR --scratch pfr-scratch --resume -o pfr.yose
  yose solve shogi4 --pieces PF --processes 2 -o pf.yose")]
#[command(group = ArgGroup::new("checkpoints").args(["scratch", "processes"]).multiple(true))]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    pieces: PiecesArg,
    /// What is kept: win, loss or draw alone, or exact distances too.
    #[arg(long, value_enum, default_value = "depth")]
    metric: MetricArg,
    /// Write a table to this file, and run data to FILE.run.json.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write FILE.ranks too, so that a table of outcomes can be certified.
    #[arg(long, requires = "output")]
    ranks: bool,
    /// Audit the result with code that shares only rules and index with the solver.
    #[arg(long)]
    audit: bool,
    /// The most memory to use, such as 4GiB. Left out: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    memory: Option<u64>,
    /// Solve with files in this folder: memory is then only a cache, and a solve that was killed can be
    /// resumed. The folder is emptied when the answer is given.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["reference", "reachable"])]
    scratch: Option<PathBuf>,
    /// Go on from the newest checkpoint in the scratch folder, if there is one.
    #[arg(long, requires = "scratch")]
    resume: bool,
    /// Seconds between checkpoints.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    #[arg(allow_negative_numbers = true, requires = "checkpoints")]
    checkpoint_every: Duration,
    /// With --scratch and outcomes alone: which cells are worked on first. Left out: inbox; where plies
    /// must be known, plies.
    #[arg(long, value_enum, requires = "scratch")]
    order: Option<disk::OrderArg>,
    /// With --scratch: cut cells by the squares of the first so many kinds of pieces, which takes less memory and
    /// more time. Left out: by as few as fit.
    #[arg(long, value_name = "KINDS", requires = "scratch")]
    #[arg(conflicts_with_all = ["processes", "hosts", "reference"])]
    pin: Option<u8>,
    /// Count also the positions that play from the start can reach.
    #[arg(long)]
    reachable: bool,
    /// Solve with the plain reference solver, to compare: one thread, slow, no table.
    #[arg(long, conflicts_with_all = ["output", "audit"])]
    reference: bool,
    #[command(flatten)]
    cluster: cluster::ClusterArgs,
}

/// What a table says about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricArg {
    Wdl,
    Depth,
}

impl SolveArgs {
    fn metric(&self) -> table::Metric {
        match self.metric {
            MetricArg::Wdl => table::Metric::Wdl,
            MetricArg::Depth => table::Metric::Depth,
        }
    }

    /// Whether plies must be known: those of decision are ranks, and the search for reachable positions
    /// reads distances.
    fn by_ply(&self) -> bool {
        self.metric == MetricArg::Depth || self.ranks || self.reachable
    }
}

/// A time that may be a fraction of a second.
fn seconds(text: &str) -> Result<Duration, String> {
    // Longer than anything that runs, and far from what a duration can hold.
    const MOST: f64 = 1e9;
    match text.parse::<f64>() {
        Ok(seconds) if seconds < 0.0 => Err("expected 0 seconds or more".to_owned()),
        Ok(seconds) if seconds > MOST => Err(format!("expected at most {MOST} seconds")),
        Ok(seconds) if !seconds.is_nan() => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a number of seconds, such as 300 or 0.5".to_owned()),
    }
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
    if args.ranks && args.metric == MetricArg::Depth {
        return Err(Failure::usage(
            "--ranks goes with --metric wdl: a table of distances needs no ranks",
        )
        .into());
    }
    if args.by_ply()
        && args
            .order
            .is_some_and(|order| order != disk::OrderArg::Plies)
    {
        return Err(Failure::usage(
            "--order inbox and queue go with --metric wdl without --ranks: distances and ranks need \
             --order plies",
        )
        .into());
    }
    if let Some(path) = args.output.as_ref().filter(|_| args.cluster.leads()) {
        check_folder(path)?;
    }
    let clock = Instant::now();
    let game = shogi::game(&variant, &inventory)?;
    let start = start.as_ref();
    if args.cluster.supervises() {
        return cluster::supervise(args, &game, context);
    }
    let mut report = match &args.scratch {
        _ if args.cluster.takes_part() => match cluster::solve(args, &game, start, context)? {
            Some(report) => report,
            // Another process gives the answer.
            None => return Ok(Exit::Answer),
        },
        _ if args.reference => by_reference(args, &game, start, context)?,
        Some(scratch) => disk::solve(args, scratch, &game, start, context)?,
        None => memory::solve(args, &game, start, context)?,
    };
    report.run.seconds.total = Some(clock.elapsed().as_secs_f64());
    report.run.cpu_seconds = usage::cpu_seconds();
    report.run.peak_rss_bytes = usage::peak_rss_bytes();
    if let Some(path) = &args.output {
        shogi::write_run_data(path, &report.run)?;
    }
    // Asked for a certificate, anything else is a "no".
    let certified = audit::Verdict::Certified.to_string();
    let refused = report
        .run
        .audit
        .as_ref()
        .is_some_and(|audit| *audit != certified);
    context.answer(&report)?;
    Ok(if refused { Exit::No } else { Exit::Answer })
}

/// A solve of hours should not end with a folder that is not there or cannot be written to.
fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    if path.file_name().is_none() || path.is_dir() {
        return Err(Failure::usage(format!("{} is a folder", path.display())));
    }
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let text = format!("there is no folder {}", folder.display());
        return Err(Failure::usage(text));
    }
    if path.exists() && !path.is_file() {
        return Err(Failure::usage(format!("{} is not a file", path.display())));
    }
    for ending in [".run.json", ".ranks"] {
        let beside = shogi::beside(path, ending);
        if beside.is_dir() {
            let text = format!(
                "{} is a folder, and a file is written there",
                beside.display()
            );
            return Err(Failure::usage(text));
        }
    }
    // The folder may be there and refuse the file all the same.
    let trial = shogi::beside(path, &format!(".{}.trial", std::process::id()));
    fs::write(&trial, [])
        .and_then(|()| fs::remove_file(&trial))
        .map_err(|error| Failure::usage(format!("{} cannot be written: {error}", path.display())))
}

/// What both solvers tell in the same way.
fn report(
    args: &SolveArgs,
    game: &DropShogi,
    tally: &Tally,
    start: Option<Verdict>,
    run: RunData,
) -> Report {
    let metric = args.metric();
    Report {
        variant: game.variant().name.clone(),
        pieces: game.inventory().text(game.variant()),
        metric,
        tally: Summary::new(rows(tally, metric), None).tally,
        start: start.map(|verdict| metred(verdict, metric)),
        run,
        file: None,
    }
}

fn by_reference(
    args: &SolveArgs,
    game: &DropShogi,
    start: Option<&Position>,
    context: &Context,
) -> anyhow::Result<Report> {
    let clock = Instant::now();
    let solved = ReferenceSolved::solve(game.clone(), args.memory, context)?;
    let seconds = clock.elapsed().as_secs_f64();
    let value = start.map(|start| solved.value(start));
    let reachable = match start.filter(|_| args.reachable) {
        Some(start) => Some(solved.reachable(start)?),
        None => None,
    };
    let run = RunData {
        reachable: reachable.map(|tally| Counted::canonical(&tally, args.metric())),
        seconds: Seconds {
            solve: Some(seconds),
            ..Seconds::default()
        },
        // It has one thread, however many there may be.
        threads: Some(1),
        ..RunData::default()
    };
    Ok(report(args, game, &solved.tally(), value, run))
}
