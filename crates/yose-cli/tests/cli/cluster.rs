//! `yose solve` with several processes: the same bytes, also when one of them is killed.
#![cfg(target_os = "linux")]

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Read as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::yose::{command, error, folder_for, json, table, yose};

fn fingerprint(path: &str) -> String {
    json(&["info", path])["fingerprint"]
        .as_str()
        .expect("a text")
        .to_owned()
}

fn same_bytes(one: &str, other: &str) {
    let read = |path: &str| fs::read(path).expect("a table");
    assert!(read(one) == read(other), "{one} and {other} differ");
}

#[test]
fn processes_write_the_same_table() {
    let folder = folder_for("cluster-same");
    for (metric, processes) in [("depth", "2"), ("wdl", "4")] {
        let game = ["shogi4", "--pieces", "PF", "--metric", metric];
        let alone = table(&folder, &format!("{metric}.yose"), &game);
        let path = folder.join(format!("{metric}-{processes}.yose"));
        let path = path.to_str().expect("UTF-8");
        let several = [
            &game[..],
            &["--processes", processes, "-o", path, "--audit", "--ranks"],
        ]
        .concat();
        let several = match metric {
            "wdl" => several,
            _ => several[..several.len() - 1].to_vec(),
        };
        let together = json(&[&["solve"][..], &several].concat());
        same_bytes(&alone, path);
        assert_eq!(together["fingerprint"], fingerprint(&alone));
        assert_eq!(together["audit"], "certified");
        let exchange = &together["exchange"];
        assert_eq!(exchange["processes"].to_string(), processes);
        let plies = exchange["plies"].as_array().expect("a list");
        let sent: u64 = plies
            .iter()
            .map(|ply| ply["sent_bytes"].as_u64().expect("bytes"))
            .sum();
        assert_eq!(exchange["sent_bytes"].as_u64(), Some(sent));
        assert!(sent > 0);
        let memory = json(&[&["solve"][..], &game].concat());
        for key in ["canonical", "all", "histogram", "start", "max_depth"] {
            assert_eq!(together[key], memory[key], "{key}");
        }
    }
    // Nothing is left of the temporary checkpoints.
    let names: Vec<_> = fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(names.len(), 9, "{names:?}");
}

/// The processes that `child` has started.
pub(crate) fn children(child: &Child) -> Vec<u32> {
    let parent = child.id().to_string();
    let processes = fs::read_dir("/proc").expect("Linux has it").flatten();
    let mut found: Vec<u32> = processes
        .filter_map(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // After the name, which may hold anything: the state, then the parent.
            let (_, rest) = stat.rsplit_once(") ")?;
            (rest.split(' ').nth(1)? == parent).then_some(())?;
            entry.file_name().to_str()?.parse().ok()
        })
        .collect();
    found.sort_unstable();
    found
}

fn signal(process: u32, name: &str) -> bool {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .stderr(Stdio::null())
        .status();
    sent.expect("kill is there").success()
}

/// A number below `most`.
fn random(most: u64) -> u64 {
    RandomState::new().hash_one(0) % most
}

#[test]
fn killed_at_random_moments_it_is_the_same() {
    let folder = folder_for("cluster-killed");
    let game = ["shogi4", "--pieces", "PFR", "--metric", "wdl"];
    let alone = table(&folder, "alone.yose", &game);
    let path = folder.join("together.yose");
    let path = path.to_str().expect("UTF-8");
    let together = [
        "solve",
        "--processes",
        "3",
        "-o",
        path,
        "--checkpoint-every",
        "0.3",
    ];
    let start = || {
        // What an earlier run has written.
        let _ = fs::remove_file(path);
        command()
            .args([&together[..], &game].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    };
    let clock = Instant::now();
    assert!(start().wait().expect("it ends").success());
    same_bytes(&alone, path);
    let whole = clock.elapsed().as_millis();
    let whole = u64::try_from(whole).expect("short").max(1);
    let mut restarted = 0;
    for run in 0..5 {
        let mut child = start();
        let moment = random(whole);
        thread::sleep(Duration::from_millis(moment));
        let processes = children(&child);
        let which = usize::try_from(random(3)).expect("small");
        // It may be over, or not yet have begun.
        let killed = processes
            .get(which)
            .is_some_and(|&process| signal(process, "KILL"));
        let status = child.wait().expect("it ends");
        let mut said = String::new();
        child
            .stderr
            .take()
            .expect("a pipe")
            .read_to_string(&mut said)
            .expect("UTF-8");
        let what =
            format!("run {run}: process {which} killed ({killed}) after {moment} ms:\n{said}");
        assert!(status.success(), "{what}");
        same_bytes(&alone, path);
        restarted += u32::from(said.contains("starting all 3 processes again"));
    }
    assert!(restarted > 0, "no run was disturbed");
}

/// Whoever leads is killed, and nobody starts it again: the others end within seconds.
#[test]
fn without_a_supervisor_the_others_end() {
    let folder = folder_for("cluster-lost");
    let scratch = folder.join("scratch");
    let hosts = hosts(&folder, 3);
    let start = |process: usize, more: &[&str]| {
        command()
            .args([
                "solve",
                "shogi4",
                "--pieces",
                "PFR",
                "--hosts",
                &hosts,
                "--process",
                &process.to_string(),
            ])
            .args([
                "--scratch",
                scratch.to_str().expect("UTF-8"),
                "--checkpoint-every",
                "0",
            ])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    };
    let mut processes: Vec<Child> = (0..3).map(|process| start(process, &[])).collect();
    let clock = Instant::now();
    // The third generation: a ply is in it.
    while !scratch.join("manifest-3").exists() && !has_generation(&scratch, 3) {
        assert!(clock.elapsed() < Duration::from_secs(60), "no checkpoint");
        thread::sleep(Duration::from_millis(10));
    }
    let mut leader = processes.remove(0);
    leader.kill().expect("it runs");
    leader.wait().expect("it ends");
    let clock = Instant::now();
    for process in processes {
        let output = process.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(75), "{said}");
        assert!(said.contains("a peer is lost"), "{said}");
        assert_eq!(output.stdout, b"", "standard output is for answers");
    }
    assert!(
        clock.elapsed() < Duration::from_secs(10),
        "{:?}",
        clock.elapsed()
    );
    // Two go on where three stopped.
    let output = folder.join("resumed.yose");
    let output = output.to_str().expect("UTF-8");
    let scratch = scratch.to_str().expect("UTF-8");
    let resumed = json(&[
        "solve",
        "shogi4",
        "--pieces",
        "PFR",
        "--processes",
        "2",
        "--scratch",
        scratch,
        "--resume",
        "-o",
        output,
    ]);
    let first = &resumed["exchange"]["plies"][0]["ply"];
    assert!(first.as_u64() > Some(2), "{first}");
    let alone = table(&folder, "alone.yose", &["shogi4", "--pieces", "PFR"]);
    same_bytes(&alone, output);
}

fn has_generation(scratch: &Path, number: u64) -> bool {
    let Ok(entries) = fs::read_dir(scratch) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        name.starts_with("manifest-")
            && !name.contains('#')
            && digits.parse::<u64>().is_ok_and(|n| n >= number)
    })
}

fn hosts(folder: &Path, count: usize) -> String {
    let listeners: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind(("127.0.0.1", 0)).expect("a free port"))
        .collect();
    let lines: Vec<String> = listeners
        .iter()
        .map(|listener| listener.local_addr().expect("an address").to_string())
        .collect();
    let path = folder.join("hosts");
    fs::write(&path, lines.join("\n")).expect("a writable folder");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn who_solves_something_else_is_named() {
    let folder = folder_for("cluster-mismatch");
    let hosts = hosts(&folder, 2);
    let scratch = folder.join("scratch");
    let start = |process: &str, pieces: &str| {
        command()
            .args([
                "solve",
                "shogi4",
                "--pieces",
                pieces,
                "--hosts",
                &hosts,
                "--process",
                process,
            ])
            .arg("--scratch")
            .arg(&scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    };
    let processes = [start("0", "PF"), start("1", "PP")];
    for process in processes {
        let output = process.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("pieces differs: process 1 at 127.0.0.1:"),
            "{said}"
        );
        assert!(said.contains("has PP, process 0 at 127.0.0.1:"), "{said}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder_for("cluster-usage");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a writable folder");
        path.to_str().expect("UTF-8").to_owned()
    };
    let scratch = folder.join("scratch");
    let scratch = scratch.to_str().expect("UTF-8");
    let refused = |more: &[&str]| {
        error(
            &[&["solve", "shogi4", "--pieces", "P"][..], more].concat(),
            2,
        )
    };
    let hosts = file("hosts", "a:1\nb\n");
    let said = refused(&["--hosts", &hosts, "--process", "0", "--scratch", scratch]);
    assert!(said.contains("line 2: expected HOST:PORT"), "{said}");
    let hosts = file("hosts", "a:1\nb:2\n");
    let said = refused(&["--hosts", &hosts, "--process", "2", "--scratch", scratch]);
    assert!(said.contains("numbered from 0 to 1"), "{said}");
    refused(&["--hosts", &hosts, "--process", "0"]);
    refused(&["--hosts", &hosts, "--scratch", scratch]);
    refused(&["--process", "0"]);
    refused(&["--processes", "0"]);
    refused(&["--processes", "2", "--reachable"]);
    let said = refused(&["--processes", "2", "--audit"]);
    assert!(said.contains("add -o FILE"), "{said}");
    // A place that holds another computation.
    fs::create_dir(scratch).expect("a writable folder");
    fs::write(Path::new(scratch).join("notes.txt"), "mine").expect("a writable folder");
    let said = refused(&["--processes", "2", "--scratch", scratch]);
    assert!(said.contains("notes.txt"), "{said}");
    // A leader that is alone needs nobody.
    let hosts = file("hosts", "127.0.0.1:1\n");
    let free = folder.join("free");
    let free = free.to_str().expect("UTF-8");
    let run = yose(&[
        "solve",
        "shogi4",
        "--pieces",
        "P",
        "--hosts",
        &hosts,
        "--process",
        "0",
        "--scratch",
        free,
        "--json",
    ]);
    let answer: Json = serde_json::from_str(&run.stdout).expect("one JSON document");
    assert!(
        answer["exchange"].is_null(),
        "one process exchanges nothing"
    );
    // What has nothing to be about.
    let said = refused(&["--silence", "5"]);
    assert!(said.contains("--processes"), "{said}");
    let said = refused(&["--processes", "2", "--silence", "0.5"]);
    assert!(said.contains("expected 1 second or more"), "{said}");
    refused(&["--restarts", "1"]);
    refused(&["--patience", "1"]);
    refused(&["--processes", "2", "--order", "queue"]);
}

/// Three processes that have begun; they use `temporary` for temporary files.
fn three(temporary: &Path, more: &[&str]) -> (Child, Vec<u32>) {
    let game = ["solve", "shogi4", "--pieces", "PTRF", "--metric", "wdl"];
    let child = command()
        .args(game)
        .args(["--processes", "3", "-q"])
        .args(more)
        .env("TMPDIR", temporary)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let clock = Instant::now();
    let mut processes = Vec::new();
    while processes.len() < 3 || clock.elapsed() < Duration::from_secs(2) {
        assert!(clock.elapsed() < Duration::from_secs(60), "no processes");
        thread::sleep(Duration::from_millis(10));
        processes = children(&child);
    }
    (child, processes)
}

/// Whether a process runs; one that has ended and is not buried does not.
pub(crate) fn runs(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| {
        !stat
            .rsplit_once(") ")
            .is_some_and(|(_, rest)| rest.starts_with('Z'))
    })
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn a_supervisor_that_is_killed_leaves_nothing_for_long() {
    let folder = folder_for("cluster-orphans");
    let (mut child, processes) = three(&folder, &[]);
    assert!(processes.iter().all(|&process| runs(process)));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let clock = Instant::now();
    while processes.iter().any(|&process| runs(process)) {
        assert!(clock.elapsed() < Duration::from_secs(10), "orphans");
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(entries(&folder), 1, "its temporary folder is left");
    // The next one removes that, and not the one of another that lives.
    let (mut other, _) = three(&folder, &[]);
    assert_eq!(entries(&folder), 1);
    let small = ["solve", "shogi4", "--pieces", "P", "--processes", "2"];
    let run = command().args(small).env("TMPDIR", &folder).output();
    assert!(run.expect("it runs").status.success());
    assert_eq!(entries(&folder), 1);
    assert!(signal(other.id(), "INT"));
    assert_eq!(other.wait().expect("it ends").code(), Some(130));
    assert_eq!(entries(&folder), 0);
}

#[test]
fn a_process_that_hangs_is_noticed() {
    let folder = folder_for("cluster-hangs");
    let (child, processes) = three(&folder, &["--silence", "2", "--restarts", "0"]);
    assert!(signal(processes[1], "STOP"));
    let clock = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(
        said.contains("process 1 at 127.0.0.1:") && said.contains("has said nothing for 2 s"),
        "{said}"
    );
    assert!(clock.elapsed() < Duration::from_secs(30), "{said}");
    assert!(!runs(processes[1]), "it is still there");
}

/// The supervisor alone hears it, and passes it on.
#[test]
fn an_interrupt_reaches_the_leader() {
    let folder = folder_for("cluster-interrupt");
    let (child, _) = three(&folder, &[]);
    assert!(signal(child.id(), "INT"));
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("nothing is kept"), "{said}");
    assert!(!said.contains("--resume"), "{said}");
    assert_eq!(entries(&folder), 0);

    let scratch = folder.join("scratch");
    let scratch = scratch.to_str().expect("UTF-8");
    let (child, _) = three(&folder, &["--scratch", scratch]);
    assert!(signal(child.id(), "TERM"));
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(said.matches("--resume goes on").count(), 1, "{said}");
    assert!(has_generation(Path::new(scratch), 2));
    assert_eq!(entries(&folder), 1);
}
