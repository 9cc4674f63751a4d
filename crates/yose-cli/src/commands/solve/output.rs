//! What a solve leaves on the disk: the table, its ranks, and their audit.

use std::path::Path;

use yose_retro::Outcome;
use yose_retro::partition::{Numbers, Partition as _};
use yose_retro::table::{Fingerprint, Metric, StartValue, Summary};
use yose_shogi::audit::Verdict as Certificate;
use yose_shogi::kernel::{Levels, Slices};
use yose_shogi::probe::Verdict;
use yose_shogi::table::{INDEX_VERSION, rules_hash};
use yose_shogi::{DropShogi, Position};
use yose_store::{Identity, Location};

use super::{SolveArgs, report};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::interrupt;
use crate::progress::Progress;
use crate::shogi::{self, Audited, Report, RunData};

/// The numbers of a cell's slots in order, as a table of this kind has them.
pub(super) type CellNumbers<'a> = dyn Fn(usize, Metric) -> anyhow::Result<Vec<u8>> + Sync + 'a;

/// Where checkpoints lie: a folder, or s3://BUCKET/PREFIX.
pub(super) fn location(scratch: &Path) -> Result<Location, Failure> {
    match scratch.to_str() {
        Some(text) => Location::parse(text).map_err(|error| Failure::usage(error.to_string())),
        None => Ok(Location::directory(scratch)),
    }
}

/// Bytes of the scratch are not those that were written.
pub(super) fn damaged(text: String) -> Failure {
    Failure::new(Exit::CorruptTable, text).hint(
        "nothing was solved from it. --resume tries the two newest checkpoints; if it ends like this, \
         remove the scratch and begin again without it",
    )
}

/// What a solve that keeps its cells in files is of, for whoever finds them.
pub(super) fn identity(game: &DropShogi, driver: &str) -> Identity {
    let rules: String = rules_hash(game.variant())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Identity::new()
        .with("driver", driver)
        .with("game", &game.variant().name)
        .with("pieces", game.inventory().text(game.variant()))
        .with("rules", rules)
        .with("index", INDEX_VERSION.to_string())
}

/// Cells that are solved, and their values.
pub(super) struct Cells<'a> {
    pub(super) partition: &'a Slices,
    pub(super) values: &'a (dyn Fn(usize, Numbers) -> anyhow::Result<Vec<u8>> + Sync),
}

/// Reports what lies in cells, and writes the table.
pub(super) fn of_cells(
    args: &SolveArgs,
    game: &DropShogi,
    start: Option<&Position>,
    &Cells { partition, values }: &Cells<'_>,
    levels: &Levels,
    run: RunData,
    context: &Context,
) -> anyhow::Result<Report> {
    let numbers = |cell: usize, metric: Metric| match metric {
        Metric::Wdl => values(cell, Numbers::Outcomes),
        Metric::Depth | Metric::Ranks => values(cell, Numbers::Depths(levels.depth_bytes())),
    };
    let metric = args.metric();
    let bytes = (metric == Metric::Depth).then(|| levels.depth_bytes());
    let value = start
        .map(|start| {
            shogi::value_by_cell(game, start, bytes, partition, &|cell| numbers(cell, metric))
        })
        .transpose()?;
    let run = RunData {
        domains: shogi::domains(game, levels, metric),
        ..run
    };
    let tally = shogi::whole_tally(game, levels)?;
    let mut report = report(args, game, &tally, value, run);
    if let Some(path) = &args.output {
        let max_depth = levels.max_depth();
        let numbers = (partition.cells(), &numbers as &CellNumbers<'_>);
        let fingerprint = write(args, path, game, max_depth, &report, numbers, context)?;
        report.run.fingerprint = Some(fingerprint.to_string());
    }
    Ok(report)
}

/// Audits the file that was written, if that is wanted.
pub(super) fn audit_if_wanted(
    args: &SolveArgs,
    game: &DropShogi,
    report: &mut Report,
    context: &Context,
) -> anyhow::Result<()> {
    if let Some(path) = args.output.as_ref().filter(|_| args.audit) {
        let audited = audit(args, path, game, context)?;
        note_audit(&audited, &mut report.run, context);
    }
    Ok(())
}

/// Writes the table, and its ranks if they are wanted.
pub(super) fn write(
    args: &SolveArgs,
    path: &Path,
    game: &DropShogi,
    max_depth: u32,
    report: &Report,
    (cells, numbers): (usize, &CellNumbers<'_>),
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
    let put = |path: &Path, metric| {
        interrupt::remove_unfinished(path);
        let mut bar = Progress::new(context);
        let mut progress =
            |done: usize, all: usize| bar.steps("writing the table", done as u64, all as u64);
        let greatest = match metric {
            Metric::Wdl => 2,
            Metric::Depth | Metric::Ranks => max_depth,
        };
        yose_shogi::table::write(
            path,
            game,
            metric,
            greatest,
            &summary,
            context.threads,
            cells,
            &|cell| numbers(cell, metric),
            &mut progress,
        )
    };
    let fingerprint = put(path, report.metric)?;
    if args.ranks {
        put(&shogi::beside(path, ".ranks"), Metric::Ranks)?;
    }
    Ok(fingerprint)
}

/// Audits the file that was written.
pub(super) fn audit(
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

/// Tells what the audit found.
pub(super) fn note_audit(audited: &Audited, run: &mut RunData, context: &Context) {
    run.audit = Some(audited.verdict().to_string());
    run.seconds.audit = Some(audited.seconds);
    for violation in &audited.report.first_violations {
        context.remark(&format!("audit: {violation}"));
    }
    for fault in &audited.summary {
        context.remark(&format!("audit: {fault}"));
    }
    if audited.verdict() == Certificate::Consistent {
        context.remark(
            "audit: consistent, which is no proof; add --ranks to have the outcomes certified",
        );
    }
}
