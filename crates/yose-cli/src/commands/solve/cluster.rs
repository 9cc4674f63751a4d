//! Solving with several processes: on this host, or one on each of several hosts.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{ArgGroup, Args};
use yose_cluster::{ClusterError, Hosts, Options, Seat, Supervisor};
use yose_retro::partition::Numbers;
use yose_shogi::kernel::{Levels, Slices};
use yose_shogi::{DropShogi, Position};
use yose_store::{Mode, StoreError};

use super::temporary::Temporary;
use super::{SolveArgs, output};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::grouped;
use crate::progress::Progress;
use crate::shogi::{self, ExchangeData, Report, RunData, Seconds};
use crate::{input, interrupt, memory};

/// More than any hosts file has.
const MOST_HOSTS_BYTES: u64 = 1 << 20;

const GOES_ON: &str = "--resume goes on from the last checkpoint";

/// MiB that a process has under way at most.
const WINDOW: u32 = 64;

/// Several processes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several processes")]
#[command(group = ArgGroup::new("several").args(["processes", "hosts"]))]
pub(crate) struct ClusterArgs {
    /// Solve with so many processes on this machine. When one is lost, all start again from the last
    /// checkpoint. Checkpoints go to --scratch, or to a temporary folder.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(conflicts_with_all = ["hosts", "reference", "reachable", "order"])]
    processes: Option<u16>,
    /// Solve with one process on each of several hosts: a file with a line HOST:PORT for each. All
    /// of them need the same --scratch: a folder that all see, or s3://BUCKET/PREFIX.
    #[arg(long, value_name = "FILE", requires_all = ["process", "scratch"])]
    #[arg(conflicts_with_all = ["reference", "reachable", "order"])]
    hosts: Option<PathBuf>,
    /// Which line of --hosts this process is, from 0. Process 0 leads and gives the answer.
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// How often --processes start again at most.
    #[arg(long, value_name = "R", default_value_t = 5, requires = "processes")]
    restarts: u32,
    /// Seconds that a process waits for the others at the start.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = super::seconds)]
    #[arg(allow_negative_numbers = true, requires = "hosts")]
    patience: Duration,
    /// Seconds without a sign of life after which a process counts as hanging, and so as lost. The same
    /// for all.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = silence)]
    #[arg(allow_negative_numbers = true, requires = "several")]
    silence: Duration,
    /// Started by another process, to end with it.
    #[arg(long, hide = true, requires = "hosts")]
    supervised: bool,
}

impl ClusterArgs {
    /// Whether this process starts others, which do the work.
    pub(super) fn supervises(&self) -> bool {
        self.processes.is_some()
    }

    /// Whether this process is one of several.
    pub(super) fn takes_part(&self) -> bool {
        self.hosts.is_some()
    }

    /// Whether this process gives the answer, if it takes part.
    pub(super) fn leads(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }
}

/// Signs of life come several times in this time, on machines that have other things to do.
fn silence(text: &str) -> Result<Duration, String> {
    match super::seconds(text)? {
        time if time < Duration::from_secs(1) => Err("expected 1 second or more".to_owned()),
        time => Ok(time),
    }
}

/// Starts processes like this one and watches them. Gives the exit code of the one that leads, which has
/// given the answer.
pub(super) fn supervise(
    args: &SolveArgs,
    game: &DropShogi,
    context: &Context,
) -> anyhow::Result<Exit> {
    check_audit(args)?;
    let processes = usize::from(args.cluster.processes.unwrap_or(1));
    // Cores are shared.
    let threads = context.threads.get().div_ceil(processes);
    let partition = Slices::new(game.variant(), game.index());
    let needed = yose_cluster::needs(&partition, processes, threads)
        .iter()
        .sum();
    let what = format!("solving {} with {processes} processes", shogi::name(game));
    memory::check(&what, needed, args.memory)?;
    drop(partition);
    let folder = Temporary::new().context("a temporary folder")?;
    let mut arguments = without_ours(std::env::args_os().skip(1));
    arguments.push("--supervised".into());
    if args.scratch.is_none() {
        arguments.extend(["--scratch".into(), folder.path().join("scratch").into()]);
    }
    arguments.extend(["--threads".into(), threads.to_string().into()]);
    let again = match args.resume {
        true => Vec::new(),
        false => vec!["--resume".into()],
    };
    let supervisor = Supervisor {
        program: std::env::current_exe().context("this program's file")?,
        arguments,
        again,
        processes,
        restarts: args.cluster.restarts,
        directory: folder.path().to_owned(),
        resumable: args.scratch.is_some(),
    };
    let interrupted = interrupt::by_others();
    let stop = || interrupted.is_asked();
    let ended = supervisor.run(&stop, &mut |event| context.remark(event))?;
    match ended.code {
        Some(code) => Ok(Exit::from_code(code)),
        None if ended.stopped => {
            let failure = Failure::new(Exit::Interrupted, "interrupted");
            Err(match args.scratch {
                Some(_) => failure.hint(GOES_ON),
                None => failure.hint("nothing is kept; with --scratch a checkpoint would be"),
            }
            .into())
        }
        None => {
            let text = format!("a process was lost, after {} restarts", ended.restarts);
            let failure = Failure::new(Exit::LostPeer, text);
            Err(match args.scratch {
                Some(_) => failure.hint(GOES_ON),
                None => failure.hint("with --scratch the checkpoints would be kept"),
            }
            .into())
        }
    }
}

fn check_audit(args: &SolveArgs) -> Result<(), Failure> {
    match args.audit && args.output.is_none() {
        true => Err(Failure::usage(
            "with several processes the audit reads the table: add -o FILE, or leave out --audit",
        )),
        false => Ok(()),
    }
}

/// The arguments without those that only the supervisor reads.
fn without_ours(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const OURS: [&str; 5] = ["--processes", "--restarts", "--memory", "--threads", "-j"];
    let mut kept = Vec::new();
    let mut value = false;
    for argument in arguments {
        let text = argument.to_string_lossy().into_owned();
        if std::mem::take(&mut value) {
            continue;
        }
        if OURS.contains(&text.as_str()) {
            value = true;
        } else if !OURS.iter().any(|ours| {
            let rest = text.strip_prefix(ours);
            // `--processes=4`, `-j4`.
            rest.is_some_and(|rest| rest.starts_with('=') || *ours == "-j")
        }) {
            kept.push(argument);
        }
    }
    kept
}

/// Takes part in a solve. The process that leads reports it and writes what was asked for.
pub(super) fn solve(
    args: &SolveArgs,
    game: &DropShogi,
    start: Option<&Position>,
    context: &Context,
) -> anyhow::Result<Option<Report>> {
    check_audit(args)?;
    let clock = Instant::now();
    let seat = seat(&args.cluster)?;
    let processes = seat.workers();
    let partition = Slices::new(game.variant(), game.index());
    let threads = context.threads.get();
    let needed = yose_cluster::needs(&partition, processes, threads)[seat.index()];
    let what = format!("one of {processes} processes solving {}", shogi::name(game));
    memory::check(&what, needed, args.memory)?;
    let options = options(args, game, context)?;
    end_with_others(args.cluster.supervised);
    // The engine prints there.
    let quiet = QuietStdout::new()?;
    let mut bar = Progress::new(context);
    let interrupted = interrupt::after_a_checkpoint();
    let mut steps = Vec::new();
    let solved = yose_cluster::solve(&partition, seat, &options, &mut |step| {
        bar.note(format!(
            "ply {}: {} positions decided, {} sent",
            step.ply,
            grouped(step.decided),
            memory::format(step.sent_bytes)
        ));
        steps.push(step.clone());
        match interrupted.is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if args.cluster.supervised
        && !args.cluster.leads()
        && matches!(solved, Err(ClusterError::Stopped { .. }))
    {
        // The leader tells it, at the same terminal.
        interrupt::end(Exit::Interrupted);
    }
    let solved = solved.map_err(failure)?;
    drop((bar, interrupted, quiet));
    let Some(solved) = solved else {
        return Ok(None);
    };
    for note in solved.notes() {
        context.remark(&format!("{}: {note}", options.checkpoints));
    }
    let run = RunData {
        seconds: Seconds {
            solve: Some(clock.elapsed().as_secs_f64()),
            ..Seconds::default()
        },
        threads: Some(context.threads.get()),
        exchange: (processes > 1).then(|| ExchangeData::new(processes, &steps)),
        ..RunData::default()
    };
    let plies = solved.levels().map_err(failure)?;
    let levels = Levels::by_ply(&plies, solved.draws().map_err(failure)?);
    let values = |cell: usize, numbers: Numbers| {
        Ok(solved.values(&partition, cell, numbers).map_err(failure)?)
    };
    let cells = output::Cells {
        partition: &partition,
        values: &values,
    };
    let mut report = output::of_cells(args, game, start, &cells, &levels, run, context)?;
    // The answer is complete, and the table on the disk.
    solved.clear().map_err(failure)?;
    output::audit_if_wanted(args, game, &mut report, context)?;
    Ok(Some(report))
}

fn seat(args: &ClusterArgs) -> anyhow::Result<Seat> {
    let path = args.hosts.as_deref().unwrap_or(Path::new(""));
    let text = input::file(path, MOST_HOSTS_BYTES)?;
    let refused = |error| Failure::usage(format!("{}: {error}", path.display()));
    let hosts = Hosts::parse(&text).map_err(refused)?;
    let process = args.process.unwrap_or(0);
    Ok(Seat::at(&hosts, process).map_err(refused)?)
}

fn options(args: &SolveArgs, game: &DropShogi, context: &Context) -> anyhow::Result<Options> {
    let program = std::env::current_exe().context("this program's file")?;
    let build = blake3::Hasher::new()
        .update_reader(std::fs::File::open(program)?)
        .context("this program's file")?
        .finalize();
    let depth = args.by_ply();
    let scratch = args.scratch.clone().unwrap_or_default();
    Ok(Options {
        identity: output::identity(game, "cluster 1")
            .with("values", if depth { "distances" } else { "outcomes" }),
        build: format!("{} {}", env!("CARGO_PKG_VERSION"), &build.to_hex()[..16]),
        depth,
        checkpoints: output::location(&scratch)?,
        mode: if args.resume {
            Mode::Either
        } else {
            Mode::Fresh
        },
        every: args.checkpoint_every,
        threads: context.threads.get(),
        window: WINDOW,
        patience: args.cluster.patience,
        silence: args.cluster.silence,
    })
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
fn failure(error: ClusterError) -> Failure {
    let text = error.to_string();
    match &error {
        ClusterError::Stopped { .. } => Failure::new(
            Exit::Interrupted,
            "interrupted after a checkpoint; --resume goes on",
        ),
        error if error.is_temporary() => Failure::new(Exit::LostPeer, text),
        error if error.is_damage() => output::damaged(text),
        ClusterError::Store(StoreError::Occupied { .. }) => {
            Failure::usage(text).hint("--resume goes on with it")
        }
        ClusterError::Store(
            StoreError::NoSpace { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::Io { .. }
            | StoreError::Remote { .. },
        ) => Failure::usage(text)
            .hint("a checkpoint that was made is safe, and --resume goes on from it"),
        _ => Failure::usage(text),
    }
}

/// The engine cannot go on without a peer. A process that another one started does not outlive it, and
/// is told by it when to stop.
fn end_with_others(supervised: bool) {
    yose_cluster::on_lost_peer(|what| {
        // One line; the others say the same.
        let _ = writeln!(io::stderr(), "error: a peer is lost ({what})");
        interrupt::end(Exit::LostPeer);
    });
    if supervised {
        thread::spawn(|| {
            for byte in io::stdin().lock().bytes().map_while(Result::ok) {
                if byte == yose_cluster::STOP {
                    interrupt::interrupt();
                }
            }
            interrupt::end(Exit::LostPeer);
        });
    }
}

/// Our standard output leads nowhere as long as this lives.
#[derive(Debug)]
struct QuietStdout {
    #[cfg(unix)]
    ours: std::os::fd::OwnedFd,
}

#[cfg(unix)]
impl QuietStdout {
    fn new() -> anyhow::Result<QuietStdout> {
        let ours = rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?;
        let nowhere = std::fs::File::options().write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        Ok(QuietStdout { ours })
    }
}

#[cfg(unix)]
impl Drop for QuietStdout {
    fn drop(&mut self) {
        // It was open before, so it can be again.
        let _ = rustix::stdio::dup2_stdout(&self.ours);
    }
}

#[cfg(not(unix))]
impl QuietStdout {
    fn new() -> anyhow::Result<QuietStdout> {
        Ok(QuietStdout {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_supervisor_reads_is_left_out() {
        let typed = [
            "solve",
            "shogi4",
            "--processes",
            "4",
            "--pieces",
            "PF",
            "-j",
            "2",
            "--restarts=1",
            "-j3",
            "--processes=2",
            "-o",
            "x",
            "--json",
        ];
        let kept = without_ours(typed.into_iter().map(OsString::from));
        assert_eq!(
            kept,
            ["solve", "shogi4", "--pieces", "PF", "-o", "x", "--json"]
        );
    }
}
