//! Solving in memory.

use std::time::Instant;

use yose_shogi::table::{Claims, Numbers};
use yose_shogi::{DropShogi, Position};

use super::{MetricArg, SolveArgs, output, report};
use crate::context::Context;
use crate::failure::Failure;
use crate::shogi::{self, Audited, Counted, KernelSolved, Report, RunData, Seconds};

/// Solves a game in memory and writes what was asked for.
pub(super) fn solve(
    args: &SolveArgs,
    game: &DropShogi,
    start: Option<&Position>,
    context: &Context,
) -> anyhow::Result<Report> {
    let clock = Instant::now();
    let metric = args.metric();
    let solved = KernelSolved::solve(
        game.clone(),
        args.by_ply(),
        args.reachable,
        args.memory,
        context,
    )
    .map_err(|failure| {
        failure.hint(match args.metric {
            MetricArg::Depth => {
                "--metric wdl needs less, --scratch DIR solves with files, fewer --pieces make a smaller game"
            }
            MetricArg::Wdl => "--scratch DIR solves with files, fewer --pieces make a smaller game",
        })
    })?;
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
        domains: shogi::domains(game, solved.levels(), metric),
        seconds: Seconds {
            solve: Some(seconds),
            ..Seconds::default()
        },
        threads: Some(context.threads.get()),
        ..RunData::default()
    };
    let mut report = report(
        args,
        game,
        &shogi::whole_tally(game, solved.levels())?,
        value,
        run,
    );
    let audited = match &args.output {
        Some(path) => {
            let numbers = |slice, metric| Ok(solved.solved().numbers(slice, metric));
            let max_depth = solved.levels().max_depth();
            let slices = game.index().slices().stored();
            let numbers = (slices, &numbers as &output::CellNumbers<'_>);
            let fingerprint =
                output::write(args, path, game, max_depth, &report, numbers, context)?;
            report.run.fingerprint = Some(fingerprint.to_string());
            // What is on the disk is what others will read, so that is what is audited.
            drop(solved);
            args.audit
                .then(|| output::audit(args, path, game, context))
                .transpose()?
        }
        None => args
            .audit
            .then(|| audit(args, game, &solved, context))
            .transpose()?,
    };
    if let Some(audited) = audited {
        output::note_audit(&audited, &mut report.run, context);
    }
    Ok(report)
}

fn audit(
    args: &SolveArgs,
    game: &DropShogi,
    solved: &KernelSolved,
    context: &Context,
) -> anyhow::Result<Audited> {
    let claims = match args.metric {
        MetricArg::Depth => Claims::Depths(Numbers::depths(solved.solved())),
        MetricArg::Wdl => Claims::Outcomes(Numbers::outcomes(solved.solved())),
    };
    shogi::audit(game, &claims, args.memory, context)
}
