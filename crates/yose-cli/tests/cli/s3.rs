//! Checkpoints in S3, from the command line: killed, resumed, the same table. Run by `./test s3`, which
//! starts a server.
#![allow(clippy::print_stderr, reason = "what is left out is said")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::scratch::{Folder, in_memory};
use crate::yose::{command, error, json};

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

/// Kills it after a second, then later and later until one comes to its end.
fn kill_until_it_ends(scratch: &str, table: &str, more: &[&str]) -> u32 {
    let all = [&["--checkpoint-every", "0", "-q"], more].concat();
    for kills in 0.. {
        let mut child = resume(scratch, table, &all).spawn().expect("it starts");
        let end = Instant::now() + Duration::from_secs(1) * (kills + 1);
        while Instant::now() < end {
            if let Some(status) = child.try_wait().expect("its state") {
                assert!(status.success(), "{status}");
                return kills;
            }
            thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    unreachable!("the last one has all the time there is")
}

#[test]
fn killed_and_resumed_it_is_the_same() {
    let Some(scratch) = place("disk") else { return };
    let folder = Folder::new("s3-disk");
    let table = folder.file("a.yose");
    let expected = in_memory(&GAME, &table);
    std::fs::remove_file(&table).expect("removed");
    let kills = kill_until_it_ends(&scratch, &table, &["--memory", "64MiB"]);
    assert!(kills > 0, "it was too fast to be killed");
    assert_eq!(json(&["info", &table])["fingerprint"], expected.as_str());
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
    std::fs::remove_file(&table).expect("removed");
    let kills = kill_until_it_ends(&scratch, &table, &["--processes", "2"]);
    assert!(kills > 0, "it was too fast to be killed");
    assert_eq!(json(&["info", &table])["fingerprint"], expected.as_str());
    // What two have begun, one process goes on with.
    let scratch = format!("{scratch}-again");
    let mut child = resume(
        &scratch,
        &table,
        &["--processes", "2", "--checkpoint-every", "0", "-q"],
    )
    .spawn()
    .expect("it starts");
    thread::sleep(Duration::from_secs(3));
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    let three = resume(&scratch, &table, &["--processes", "3", "-q"])
        .stdout(Stdio::piped())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&three.stderr);
    assert!(three.status.success(), "{said}");
    let answer: serde_json::Value = serde_json::from_slice(&three.stdout).expect("JSON");
    assert_eq!(answer["fingerprint"], expected.as_str());
    let first = &answer["exchange"]["plies"][0]["ply"];
    assert!(
        first.as_u64() > Some(2),
        "not resumed: begins at ply {first}"
    );
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
