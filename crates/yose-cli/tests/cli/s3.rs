//! Checkpoints in S3, from the command line: killed, resumed, the same table. Run by `./test s3`, which
//! starts a server.
#![allow(clippy::print_stderr, reason = "what is left out is said")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;

use crate::scratch::{Folder, in_memory};
use crate::yose::{command, error};

const GAME: [&str; 5] = ["shogi4", "--pieces", "PF", "--metric", "wdl"];

/// A place in the bucket that `./test s3` has made.
fn place(name: &str) -> Option<String> {
    let bucket = std::env::var("YOSE_TEST_S3").ok();
    if bucket.is_none() {
        eprintln!("skipped: YOSE_TEST_S3 names no bucket");
    }
    Some(format!("{}/cli-{name}-{}", bucket?, std::process::id()))
}

fn resume(scratch: &str, table: &str, more: &[&str]) -> Command {
    let mut run = command();
    run.arg("solve").args(GAME).args(["--resume", "--json"]);
    run.args(["--scratch", scratch, "-o", table]).args(more);
    run.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    run
}

/// Kills it three times, and lets it come to its end; what it has said then.
fn killed_and_resumed(scratch: &str, table: &str, more: &[&str]) -> (Json, String) {
    let often = [&["--checkpoint-every", "0", "-q"], more].concat();
    for seconds in [2, 3, 4] {
        let mut child = resume(scratch, table, &often).spawn().expect("it starts");
        thread::sleep(Duration::from_secs(seconds));
        let running = child.try_wait().expect("its state").is_none();
        assert!(running, "it was too fast to be killed");
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    let run = resume(scratch, table, more).stdout(Stdio::piped()).output();
    let run = run.expect("it runs");
    let said = String::from_utf8(run.stderr).expect("UTF-8");
    assert!(run.status.success(), "{said}");
    assert!(!said.contains("nothing to resume"), "{said}");
    (serde_json::from_slice(&run.stdout).expect("JSON"), said)
}

#[test]
fn killed_and_resumed_it_is_the_same() {
    let Some(scratch) = place("disk") else { return };
    let folder = Folder::new("s3-disk");
    let table = folder.file("a.yose");
    let expected = in_memory(&GAME, &table);
    let (answer, _) = killed_and_resumed(&scratch, &table, &["--memory", "64MiB"]);
    assert_eq!(answer["fingerprint"], expected.as_str());
    // Nothing is left to be resumed.
    let again = resume(&scratch, &table, &["--memory", "64MiB"]).output();
    let said = String::from_utf8(again.expect("it runs").stderr).expect("UTF-8");
    assert!(said.contains("nothing to resume"), "{said}");
}

#[test]
fn several_processes_share_a_bucket() {
    let Some(scratch) = place("cluster") else {
        return;
    };
    let folder = Folder::new("s3-cluster");
    let table = folder.file("a.yose");
    let expected = in_memory(&GAME, &table);
    let (answer, said) = killed_and_resumed(&scratch, &table, &["--processes", "2"]);
    assert_eq!(answer["fingerprint"], expected.as_str());
    let first = &answer["exchange"]["plies"][0]["ply"];
    assert!(first.as_u64() > Some(2), "begun at ply {first}: {said}");
}

#[test]
fn a_bucket_that_is_not_there_is_named() {
    if place("none").is_none() {
        return;
    }
    let solve = ["solve", "shogi4", "--pieces", "P", "--scratch"];
    let text = error(&[&solve[..], &["s3://yose-no-such-bucket/x"]].concat(), 2);
    assert!(
        text.contains("s3://yose-no-such-bucket/x") && text.contains("NoSuchBucket"),
        "{text}"
    );
    let text = error(&[&solve[..], &["s3://"]].concat(), 2);
    assert!(text.contains("expected s3://BUCKET"), "{text}");
    let text = error(&[&solve[..], &["gs://bucket/x"]].concat(), 2);
    assert!(
        text.contains("expected a directory or s3://BUCKET/PREFIX"),
        "{text}"
    );
}
