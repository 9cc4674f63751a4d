//! Several processes and what can be wrong with their scratch: a clear error that names the file, nothing
//! lost, nothing wrong accepted.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "what is left out is said")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cluster::{children, runs};
use crate::scratch::{Disk, Folder, flip_each, generation, in_memory, manifests};
use crate::yose::{command, json};

/// Some other user.
const SOMEBODY: u32 = 12_345;

const GAME: [&str; 5] = ["shogi4", "--pieces", "PFR", "--metric", "wdl"];

/// A checkpoint after every ply.
const OFTEN: [&str; 2] = ["--checkpoint-every", "0"];

/// Two processes.
fn two(scratch: &str, table: &str, more: &[&str]) -> Command {
    let mut run = command();
    run.arg("solve").args(GAME);
    run.args(["--processes", "2", "--scratch", scratch, "-o", table, "-q"]);
    run.args(more);
    run.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    run
}

fn run(mut command: Command) -> Output {
    command.output().expect("it runs")
}

/// Waits until this generation has been published.
fn wait_for(child: &mut Child, scratch: &Path, number: u64) {
    let clock = Instant::now();
    let wanted = scratch.join(generation(number));
    while manifests(scratch)
        .pop()
        .is_none_or(|newest| newest < wanted)
    {
        let running = child.try_wait().expect("its state").is_none();
        assert!(running, "it ended too early");
        assert!(clock.elapsed() < Duration::from_secs(120), "no checkpoint");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Kills all in the middle, with some generations in the scratch.
fn interrupted(scratch: &str, table: &str) {
    let mut child = two(scratch, table, &OFTEN).spawn().expect("it starts");
    wait_for(&mut child, Path::new(scratch), 12);
    let processes = children(&child);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // They end with it, within a moment.
    let clock = Instant::now();
    while processes.iter().any(|&process| runs(process)) {
        assert!(clock.elapsed() < Duration::from_secs(60), "orphans");
        thread::sleep(Duration::from_millis(5));
    }
}

fn refused(output: &Output, code: i32, parts: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    for part in parts {
        assert!(said.contains(part), "no '{part}' in: {said}");
    }
}

fn finished(output: &Output, table: &str, expected: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(json(&["info", table])["fingerprint"], expected);
}

fn is_root() -> bool {
    let root = fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0);
    if !root {
        eprintln!("skipped: only root may give files to another user");
    }
    root
}

#[test]
fn a_full_and_a_read_only_disk_lose_nothing() {
    let folder = Folder::new("cluster-full");
    let table = folder.file("a.yose");
    let expected = in_memory(&GAME, &table);
    fs::remove_file(&table).expect("removed");
    let Some(disk) = Disk::new(&folder.0.join("disk"), "24m") else {
        eprintln!("skipped: no file system can be mounted here");
        return;
    };
    let scratch = folder.file("disk/scratch");
    let mut child = two(&scratch, &table, &OFTEN).spawn().expect("it starts");
    wait_for(&mut child, Path::new(&scratch), 4);
    // Another program fills the disk.
    let filler = folder.0.join("disk/filler");
    let mut file = fs::File::create(&filler).expect("created");
    while file.write_all(&[1; 4096]).is_ok() {}
    drop(file);
    let output = child.wait_with_output().expect("it ends");
    refused(&output, 2, &["No space left", &scratch, "--resume"]);
    assert!(!Path::new(&table).exists());
    refused(
        &run(two(&scratch, &table, &["--resume"])),
        2,
        &["No space left", &scratch],
    );
    disk.remount("ro");
    refused(
        &run(two(&scratch, &table, &["--resume"])),
        2,
        &["Read-only file system", &scratch],
    );
    disk.remount("rw");
    fs::remove_file(&filler).expect("removed");
    finished(
        &run(two(&scratch, &table, &["--resume"])),
        &table,
        &expected,
    );
}

#[test]
fn another_users_scratch_is_left_to_them() {
    if !is_root() {
        return;
    }
    let folder = Folder::new("cluster-owner");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let expected = in_memory(&GAME, &table);
    fs::remove_file(&table).expect("removed");
    interrupted(&scratch, &table);
    let give = |to: u32| {
        let path = Path::new(&scratch);
        let files = [path, &path.join("objects")].map(|folder| {
            let entries = fs::read_dir(folder).expect("a folder");
            entries
                .map(|entry| entry.expect("an entry").path())
                .collect::<Vec<_>>()
        });
        for file in files
            .concat()
            .iter()
            .map(std::path::PathBuf::as_path)
            .chain([path])
        {
            chown(file, Some(to), Some(to)).expect("we are root");
        }
    };
    give(SOMEBODY);
    let somebody = format!("belongs to user {SOMEBODY}");
    refused(
        &run(two(&scratch, &table, &["--resume"])),
        2,
        &["manifest-", &somebody],
    );
    // Somebody else, who may read it and not write.
    give(0);
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("we are root");
    };
    open(&folder.0, 0o755);
    let home = folder.0.join("home");
    fs::create_dir(&home).expect("made");
    open(&home, 0o777);
    let other = home.join("a.yose").display().to_string();
    let mut theirs = two(&scratch, &other, &["--resume"]);
    theirs.env("TMPDIR", &home).uid(SOMEBODY).gid(SOMEBODY);
    match theirs.output() {
        Ok(output) => refused(
            &output,
            2,
            &[&scratch, "belongs to user 0, we are user 12345"],
        ),
        Err(error) => eprintln!("left out: the program cannot be run by another user: {error}"),
    }
    finished(
        &run(two(&scratch, &table, &["--resume"])),
        &table,
        &expected,
    );
}

#[test]
fn a_flipped_byte_is_named_and_never_believed() {
    let folder = Folder::new("cluster-flipped");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let expected = in_memory(&GAME, &table);
    fs::remove_file(&table).expect("removed");
    interrupted(&scratch, &table);
    let resume = || run(two(&scratch, &table, &["--resume"]));
    let kinds = ["own-", "won-", "log-", "manifest-"];
    flip_each(Path::new(&scratch), &kinds, &table, &expected, &resume);
}
