//! Processes on this host: starting them, watching them, starting them again.

use std::ffi::OsString;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::error::ClusterError;

/// How a process exits that has lost a peer: starting all of them again may help. It is
/// `EX_TEMPFAIL` of `sysexits.h`.
pub const LOST_PEER: i32 = 75;

/// What the leader reads from its stdin when it should stop after a checkpoint.
pub const STOP: u8 = b's';

/// How often the processes are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How long processes have to end by themselves when a peer is gone.
const GRACE: Duration = Duration::from_secs(5);

/// Starts a number of processes, and all of them again from the last checkpoint when one is lost.
#[derive(Debug, Clone)]
pub struct Supervisor {
    /// The program.
    pub program: PathBuf,
    /// Its arguments, to which `--hosts FILE --process I` is added.
    pub arguments: Vec<OsString>,
    /// Further arguments of all starts but the first: to continue from a checkpoint.
    pub again: Vec<OsString>,
    /// How many processes.
    pub processes: usize,
    /// How often all of them are started again at most.
    pub restarts: u32,
    /// A directory for the hosts file.
    pub directory: PathBuf,
    /// Whether the checkpoints outlast us. If not, there is no point in making one before a stop.
    pub resumable: bool,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The exit code of the leader, or of the first process that ended with another error than a
    /// lost peer. `None`: a process was lost more often than may be, or all were stopped at once.
    pub code: Option<i32>,
    /// How often all were started again.
    pub restarts: u32,
    /// Whether we were asked to stop.
    pub stopped: bool,
}

/// How a process ended.
enum End {
    Well,
    /// Killed, or without a peer: may be tried again.
    Lost(Lost),
    /// With an error of its own.
    Failed(i32),
}

/// Why a process ended; what is more likely to be the cause than the effect comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lost {
    Killed,
    /// It did not end when the others did.
    Hangs,
    /// Without a peer.
    Alone,
}

fn end(status: ExitStatus) -> End {
    match status.code() {
        Some(0) => End::Well,
        // 134 is how a shell says SIGABRT, which is the engine's own way to end.
        Some(LOST_PEER | 134) => End::Lost(Lost::Alone),
        Some(code) => End::Failed(code),
        None if was_killed(status) => End::Lost(Lost::Killed),
        None => End::Lost(Lost::Alone),
    }
}

/// By a signal of somebody else.
#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    const SIGABRT: i32 = 6;
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    signal.is_some_and(|signal| signal != SIGABRT)
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

impl Supervisor {
    /// Runs to the end. The leader has our stdout; what others print there goes nowhere. `on_event` is
    /// told what happens, for people. `stop` is asked all the time: once it says so, the leader is told to
    /// stop after a checkpoint, or all are killed if there is nothing to be kept.
    ///
    /// The processes are told by their stdin: [`STOP`], and its end when we are gone, by which they should
    /// end too. They hear nothing of an interrupt that a terminal sends us.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Io`] if a process cannot be started or watched.
    pub fn run(
        &self,
        stop: &dyn Fn() -> bool,
        on_event: &mut dyn FnMut(&str),
    ) -> Result<Ended, ClusterError> {
        let mut restarts = 0;
        loop {
            let mut processes = self.start(restarts)?;
            let watched = self.watch(&mut processes.0, stop, on_event);
            // Whatever happened, none is left.
            drop(processes);
            let code = watched?;
            let stopped = stop();
            if code.is_some() || stopped || restarts == self.restarts {
                return Ok(Ended {
                    code,
                    restarts,
                    stopped,
                });
            }
            restarts += 1;
            on_event(&format!(
                "starting all {} processes again from the last checkpoint ({restarts} of {})",
                self.processes, self.restarts
            ));
        }
    }

    fn start(&self, restarts: u32) -> Result<Processes, ClusterError> {
        let hosts = self.directory.join(format!("hosts-{restarts}"));
        let fault = |what: &Path| {
            let what = what.display().to_string();
            move |source| ClusterError::Io { what, source }
        };
        let text = free_addresses(self.processes).map_err(|source| ClusterError::Io {
            what: "free ports on loopback".to_owned(),
            source,
        })?;
        fs::write(&hosts, text).map_err(fault(&hosts))?;
        let mut processes = Processes(Vec::new());
        for process in 0..self.processes {
            let mut command = Command::new(&self.program);
            command.args(&self.arguments);
            if restarts > 0 {
                command.args(&self.again);
            }
            command
                .arg("--hosts")
                .arg(&hosts)
                .args(["--process", &process.to_string()])
                .stdin(Stdio::piped());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            if process > 0 {
                command.stdout(Stdio::null());
            }
            let child = command.spawn().map_err(fault(&self.program))?;
            processes.0.push(child);
        }
        Ok(processes)
    }

    /// Waits for all processes. `None` if one was lost, or all are to be killed; else the exit code to give.
    fn watch(
        &self,
        processes: &mut [Child],
        stop: &dyn Fn() -> bool,
        on_event: &mut dyn FnMut(&str),
    ) -> Result<Option<i32>, ClusterError> {
        let mut ended = vec![false; processes.len()];
        let mut failed = None;
        // The first that was lost for the likeliest of reasons.
        let mut lost: Option<(Lost, String)> = None;
        let mut found = |why: Lost, what: String| {
            if lost.as_ref().is_none_or(|(known, _)| why < *known) {
                lost = Some((why, what));
            }
        };
        let mut since: Option<Instant> = None;
        let mut stopped = false;
        loop {
            for (process, child) in processes.iter_mut().enumerate() {
                if ended[process] {
                    continue;
                }
                let status = child.try_wait().map_err(|source| ClusterError::Io {
                    what: format!("process {process}"),
                    source,
                })?;
                let Some(status) = status else {
                    continue;
                };
                ended[process] = true;
                match end(status) {
                    End::Well => continue,
                    End::Lost(why) => found(why, format!("process {process} is lost ({status})")),
                    End::Failed(code) => {
                        failed.get_or_insert(code);
                    }
                }
                // The others end by themselves, with an error too or without a peer.
                since.get_or_insert_with(Instant::now);
            }
            let late = since.is_some_and(|since| since.elapsed() > GRACE);
            if late || ended.iter().all(|&ended| ended) {
                if let Some(process) = ended.iter().position(|&ended| !ended) {
                    found(Lost::Hangs, format!("process {process} is lost (it hangs)"));
                }
                break;
            }
            if !stopped && stop() {
                if !self.resumable {
                    return Ok(None);
                }
                stopped = true;
                tell(processes.first_mut());
            }
            thread::sleep(LOOK);
        }
        Ok(match (failed, lost) {
            (Some(code), _) => Some(code),
            (None, Some((_, what))) => {
                on_event(&what);
                None
            }
            (None, None) => Some(0),
        })
    }
}

/// Killed and waited for when dropped.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        // All before any is waited for, so that none has time to miss another.
        for child in &mut self.0 {
            // It may have ended already.
            let _ = child.kill();
        }
        for child in &mut self.0 {
            let _ = child.wait();
        }
    }
}

/// Asks the leader to stop.
fn tell(leader: Option<&mut Child>) {
    if let Some(stdin) = leader.and_then(|leader| leader.stdin.as_mut()) {
        // If it has ended by now, that is as good.
        let _ = stdin.write_all(&[STOP]);
    }
}

/// A hosts file with ports of loopback that are free now.
fn free_addresses(count: usize) -> io::Result<String> {
    let listeners: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind(("127.0.0.1", 0)))
        .collect::<io::Result<_>>()?;
    listeners
        .iter()
        .map(|listener| Ok(format!("{}\n", listener.local_addr()?)))
        .collect()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Three processes that are this script, with the hosts file as $1, the number as $2 and `again`
    /// as $0 if they were started again.
    fn run(script: &str, restarts: u32) -> (Ended, Vec<String>) {
        start(script, restarts, false, true)
    }

    fn start(script: &str, restarts: u32, stop: bool, resumable: bool) -> (Ended, Vec<String>) {
        let directory = tempfile::tempdir().unwrap();
        let script = format!(
            "[ \"$1\" = again ] && again=1 && shift; cd '{}'; {script}",
            directory.path().display()
        );
        let supervisor = Supervisor {
            program: "/bin/sh".into(),
            arguments: ["-c", &script, "sh"].map(OsString::from).to_vec(),
            again: vec!["again".into()],
            processes: 3,
            restarts,
            directory: directory.path().to_owned(),
            resumable,
        };
        let mut events = Vec::new();
        let ended = supervisor
            .run(&|| stop, &mut |event| events.push(event.to_owned()))
            .unwrap();
        (ended, events)
    }

    fn ended(code: impl Into<Option<i32>>, restarts: u32) -> Ended {
        Ended {
            code: code.into(),
            restarts,
            stopped: false,
        }
    }

    #[test]
    fn all_are_started_again_when_one_is_lost() {
        let hosts = r#"[ "$1" = --hosts ] && [ $(sort -u "$2" | wc -l) = 3 ] && [ "$3" = --process ] || exit 9; "#;
        // One is killed at the first start; the others notice.
        let script =
            format!("{hosts} [ $again ] && exit 0; [ $4 = 1 ] && kill -9 $$; sleep 0.2; exit 75");
        let (end, events) = run(&script, 2);
        assert_eq!(end, ended(0, 1));
        assert_eq!(events.len(), 2, "{events:?}");
        assert!(
            events[0].starts_with("process 1 is lost (signal: 9"),
            "{events:?}"
        );
    }

    #[test]
    fn not_for_ever() {
        assert_eq!(run("[ $4 = 2 ] && exit 75; exit 0", 2).0, ended(None, 2));
    }

    #[test]
    fn an_error_of_its_own_is_the_end() {
        let start = Instant::now();
        // The others wait for it; they are not waited for.
        assert_eq!(run("[ $4 = 1 ] && exit 2; sleep 100", 2).0, ended(2, 0));
        assert!(start.elapsed() < Duration::from_secs(50));
        assert_eq!(run("[ $4 = 0 ] && exit 1; exit 0", 2).0, ended(1, 0));
        assert_eq!(run("exit 0", 2).0, ended(0, 0));
    }

    /// The others are quicker to end than the one that was killed is to be buried.
    #[test]
    fn the_cause_is_named_and_not_an_effect() {
        let (_, events) = run("[ $4 = 2 ] && sleep 0.5 && kill -9 $$; exit 75", 0);
        assert_eq!(events.len(), 1, "{events:?}");
        assert!(
            events[0].starts_with("process 2 is lost (signal: 9"),
            "{events:?}"
        );
        let (end, events) = run("[ $4 = 1 ] && kill -STOP $$; exit 75", 0);
        assert_eq!(end, ended(None, 0));
        assert_eq!(events, ["process 1 is lost (it hangs)"]);
    }

    #[test]
    fn the_leader_is_asked_to_stop() {
        let script =
            "if [ $4 = 0 ]; then [ $(head -c 1) = s ] && exit 130; else sleep 0.3; exit 130; fi";
        let stopped = |code, restarts| Ended {
            stopped: true,
            ..ended(code, restarts)
        };
        let begun = Instant::now();
        assert_eq!(start(script, 2, true, true).0, stopped(Some(130), 0));
        // Nothing is kept, so nobody is asked.
        assert_eq!(start("exec sleep 100", 2, true, false).0, stopped(None, 0));
        assert!(begun.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn the_processes_notice_that_we_are_gone() {
        let script = "cat >/dev/null; exit 3";
        let supervisor = Supervisor {
            program: "/bin/sh".into(),
            arguments: ["-c", script].map(OsString::from).to_vec(),
            again: Vec::new(),
            processes: 2,
            restarts: 0,
            directory: std::env::temp_dir(),
            resumable: true,
        };
        let mut processes = supervisor.start(0).unwrap();
        for child in &mut processes.0 {
            assert!(child.try_wait().unwrap().is_none());
            // As the system does when we are killed.
            drop(child.stdin.take());
            assert_eq!(child.wait().unwrap().code(), Some(3));
        }
    }
}
