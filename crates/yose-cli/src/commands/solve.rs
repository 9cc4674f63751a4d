//! `yose solve`: wins, losses and draws of a whole game, with exact distances, and its table.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use yose_retro::Outcome;
use yose_retro::table::{self, Fingerprint, StartValue, Summary};
use yose_retro::tally::Tally;
use yose_shogi::audit;
use yose_shogi::probe::Verdict;
use yose_shogi::table::{Claims, Numbers};
use yose_shogi::{DropShogi, Position};

use crate::args::{PiecesArg, VariantArg};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::progress::Progress;
use crate::shogi::{
    self, Audited, Counted, KernelSolved, ReferenceSolved, Report, RunData, Seconds, metred, rows,
};
use crate::{interrupt, memory, usage};

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
  yose solve micro --pieces PP --reachable --json")]
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
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Count also the positions that play from the start can reach.
    #[arg(long)]
    reachable: bool,
    /// Solve with the plain reference solver, to compare: one thread, slow, no table.
    #[arg(long, conflicts_with_all = ["output", "audit"])]
    reference: bool,
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
    if let Some(path) = &args.output {
        check_folder(path)?;
    }
    let clock = Instant::now();
    let game = shogi::game(&variant, &inventory)?;
    let mut report = if args.reference {
        by_reference(args, &game, start.as_ref(), context)?
    } else {
        by_kernel(args, &game, start.as_ref(), context)?
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

fn by_kernel(
    args: &SolveArgs,
    game: &DropShogi,
    start: Option<&Position>,
    context: &Context,
) -> anyhow::Result<Report> {
    let clock = Instant::now();
    let metric = args.metric();
    // The plies of decision are ranks; and the search for reachable positions reads distances.
    let depth = metric == table::Metric::Depth || args.ranks || args.reachable;
    let solved = KernelSolved::solve(game.clone(), depth, args.reachable, args.memory, context)
        .map_err(|failure| failure.hint("fewer --pieces make a smaller game"))?;
    let seconds = clock.elapsed().as_secs_f64();
    let value = start.map(|start| solved.value(start)).transpose()?;
    let reachable = match start.filter(|_| args.reachable) {
        Some(start) => Some(solved.reachable(start).ok_or_else(|| {
            Failure::usage("the start position is outside the domain that is solved")
        })?),
        None => None,
    };
    let run = RunData {
        reachable: reachable.map(|tally| Counted::canonical(&tally, metric)),
        domains: solved.domains(metric == table::Metric::Depth),
        seconds: Seconds {
            solve: Some(seconds),
            ..Seconds::default()
        },
        threads: Some(context.threads.get()),
        ..RunData::default()
    };
    let mut report = report(args, game, &solved.tally()?, value, run);
    let audited = match &args.output {
        Some(path) => {
            let fingerprint = write(args, path, &solved, &report, context)?;
            report.run.fingerprint = Some(fingerprint.to_string());
            // What is on the disk is what others will read, so that is what is audited.
            drop(solved);
            args.audit
                .then(|| audit_file(args, path, game, context))
                .transpose()?
        }
        None => args
            .audit
            .then(|| audit_solved(args, &solved, context))
            .transpose()?,
    };
    if let Some(audited) = audited {
        report.run.audit = Some(audited.verdict().to_string());
        report.run.seconds.audit = Some(audited.seconds);
        for violation in &audited.report.first_violations {
            context.remark(&format!("audit: {violation}"));
        }
        for fault in &audited.summary {
            context.remark(&format!("audit: {fault}"));
        }
        if audited.verdict() == audit::Verdict::Consistent {
            context.remark(
                "audit: consistent, which is no proof; add --ranks to have the outcomes certified",
            );
        }
    }
    Ok(report)
}

/// Writes the table, and its ranks if they are wanted.
fn write(
    args: &SolveArgs,
    path: &Path,
    solved: &KernelSolved,
    report: &Report,
    context: &Context,
) -> anyhow::Result<Fingerprint> {
    // A start whose value no table can hold, where the game is over before it begins, is left out.
    let start = report.start.and_then(|verdict| match verdict {
        Verdict::Known { outcome, depth } => {
            let over = outcome == Outcome::Loss && depth == Some(0);
            (!over).then_some(StartValue {
                value: outcome,
                depth,
            })
        }
        Verdict::Unknown => None,
    });
    let summary = Summary {
        tally: report.tally.clone(),
        start,
    };
    let put = |path: &Path, metric, summary: &Summary| {
        interrupt::remove_unfinished(path);
        let mut bar = Progress::new(context);
        let mut progress =
            |done: usize, all: usize| bar.steps("writing the table", done as u64, all as u64);
        yose_shogi::table::write(
            path,
            solved.game(),
            solved.solved(),
            metric,
            summary,
            context.threads,
            &mut progress,
        )
    };
    let fingerprint = put(path, report.metric, &summary)?;
    if args.ranks {
        put(
            &shogi::beside(path, ".ranks"),
            table::Metric::Ranks,
            &summary,
        )?;
    }
    Ok(fingerprint)
}

fn audit_file(
    args: &SolveArgs,
    path: &Path,
    game: &DropShogi,
    context: &Context,
) -> anyhow::Result<Audited> {
    let file = shogi::of_variant(shogi::open(path)?, game.variant().clone())?;
    let ranks = if args.ranks {
        shogi::ranks_of(&file)?
    } else {
        None
    };
    shogi::audit_file(&file, ranks.as_ref(), args.memory, context)
}

fn audit_solved(
    args: &SolveArgs,
    solved: &KernelSolved,
    context: &Context,
) -> anyhow::Result<Audited> {
    let claims = match args.metric {
        MetricArg::Depth => Claims::Depths(Numbers::depths(solved.solved())),
        MetricArg::Wdl => Claims::Outcomes(Numbers::outcomes(solved.solved())),
    };
    shogi::audit(solved.game(), &claims, args.memory, context)
}
