//! Checkpoints in S3, from the command line: killed, resumed, the same table. Run by `./test s3`, which
//! starts a server.
#![allow(clippy::print_stderr, reason = "what is left out is said")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    run
}

/// Kills it a few times, later and later, until it comes to its end; the answer, and what it has said then.
fn killed_and_resumed(scratch: &str, table: &str, more: &[&str]) -> (Json, String) {
    // With a checkpoint at every moment it takes half a minute and longer, so the last one has fewer.
    for (seconds, every) in [(4, "0"), (8, "0"), (16, "0"), (600, "60")] {
        let all = [&["--checkpoint-every", every], more].concat();
        let mut child = resume(scratch, table, &all).spawn().expect("it starts");
        let end = Instant::now() + Duration::from_secs(seconds);
        while child.try_wait().expect("its state").is_none() && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
        // It may have ended.
        let _ = child.kill();
        let run = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(run.stderr).expect("UTF-8");
        if run.status.code().is_some() {
            assert!(run.status.success(), "{said}");
            assert!(!said.contains("nothing to resume"), "{said}");
            return (serde_json::from_slice(&run.stdout).expect("JSON"), said);
        }
    }
    panic!("ten minutes were not enough");
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
