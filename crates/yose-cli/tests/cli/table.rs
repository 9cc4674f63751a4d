//! Table files: the same bytes whoever makes them, whole or not there, and damage is noticed.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::yose::{command, error, folder_for, json, table, yose};

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = folder_for("threads");
    for (pieces, metric) in [("PF", "depth"), ("PF", "wdl"), ("-", "wdl")] {
        let make = |file: &str, threads: &str| {
            let options = ["shogi4", "--pieces", pieces, "--metric", metric];
            let path = table(&folder, file, &[&options[..], &["-j", threads]].concat());
            fs::read(path).expect("a table")
        };
        let one = make("one.yose", "1");
        assert!(one == make("two.yose", "2"), "{pieces} {metric}");
        assert!(one == make("three.yose", "3"), "{pieces} {metric}");
    }
}

/// The name of a file that is only begun.
fn begun(folder: &Path) -> Option<String> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .find(|name| name.ends_with(".tmp"))
}

/// A run that is killed in the middle of writing leaves no table, and the next run the very same
/// table as one that nothing has disturbed.
#[test]
#[cfg(unix)]
fn the_same_bytes_after_a_crash() {
    let folder = folder_for("crash");
    let options = ["shogi4", "--pieces", "PRF"];
    let undisturbed = fs::read(table(&folder, "whole.yose", &options)).expect("a table");
    let path = folder.join("crash.yose");
    // A run may win the race and finish before it is killed.
    let killed = (0..20).any(|_| {
        let _ = fs::remove_file(&path);
        let mut child = command()
            .args(["solve", "shogi4", "--pieces", "PRF", "-q", "-o"])
            .arg(&path)
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let clock = Instant::now();
        while begun(&folder).is_none() && clock.elapsed() < Duration::from_secs(60) {
            if child.try_wait().expect("a child").is_some() {
                break;
            }
        }
        child.kill().expect("a child");
        child.wait().expect("a child");
        !path.exists() && begun(&folder).is_some()
    });
    assert!(killed, "no run could be killed while it wrote");
    let again = fs::read(table(&folder, "crash.yose", &options)).expect("a table");
    assert!(again == undisturbed);
}

#[test]
fn a_missing_table_is_code_3() {
    let folder = folder_for("missing");
    let path = folder.join("none.yose").to_str().expect("UTF-8").to_owned();
    let sfen = "4/2k1/Kp2/4 b F 1";
    for args in [
        &["info", &path][..],
        &["audit", &path],
        &["probe", &path, sfen],
        &["best", "shogi4", sfen, "--table", &path],
    ] {
        let text = error(args, 3);
        assert!(text.contains("none.yose: no such table file"), "{text}");
    }
}

/// Every byte of a small table, turned over or missing, gives code 4 and names file and place.
#[test]
fn damage_is_code_4() {
    let folder = folder_for("damage");
    let good = table(&folder, "good.yose", &["shogi4", "--pieces", "-"]);
    let bytes = fs::read(good).expect("a table");
    let path = folder.join("bad.yose").to_str().expect("UTF-8").to_owned();
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 0x10;
        fs::write(&path, &bad).expect("writing");
        let text = error(&["info", &path], 4);
        assert!(text.contains("bad.yose"), "byte {at}: {text}");
        assert!(
            text.contains("offset") || text.contains("bytes"),
            "byte {at}: {text}"
        );
    }
    for length in (0..bytes.len()).step_by(7) {
        fs::write(&path, &bytes[..length]).expect("writing");
        let text = error(&["info", &path], 4);
        assert!(text.contains("bad.yose"), "{length}: {text}");
    }
}

/// The same where a table is used.
#[test]
fn damage_is_noticed_where_it_matters() {
    let folder = folder_for("damaged-chunk");
    let path = table(&folder, "pf.yose", &["shogi4", "--pieces", "PF"]);
    let mut bytes = fs::read(&path).expect("a table");
    // All compressed chunks, which lie between the header and the list of chunks.
    let end = bytes.len() - 3000;
    for byte in &mut bytes[200..end] {
        *byte ^= 1;
    }
    fs::write(&path, bytes).expect("writing");
    let sfen = "4/2k1/Kp2/4 b F 1";
    for args in [
        &["info", &path][..],
        &["audit", &path],
        &["probe", &path, sfen],
        &["best", "shogi4", sfen, "--table", &path],
    ] {
        let text = error(args, 4);
        assert!(
            text.contains("pf.yose") && text.contains("offset"),
            "{text}"
        );
    }
}

#[test]
fn a_table_of_something_else_is_refused() {
    let folder = folder_for("other");
    let path = table(&folder, "pf.yose", &["shogi4", "--pieces", "PF"]);
    // Other pieces.
    let text = error(&["probe", &path, "3k/4/4/K3 b P 1"], 2);
    assert!(text.contains("is played with P, the table"), "{text}");
    let text = error(&["best", "shogi4", "3k/4/4/K3 b P 1", "--table", &path], 2);
    assert!(text.contains("is played with P, the table"), "{text}");
    // Other rules.
    let text = error(&["best", "dobutsu", "1l1/3/1L1/3 b c", "--table", &path], 2);
    assert!(text.contains("under other rules"), "{text}");
    let variant = yose(&["variants", "shogi4"]).stdout;
    let mine = folder.join("mine.toml").to_str().expect("UTF-8").to_owned();
    fs::write(
        &mine,
        variant.replace("friendly-jump = true", "friendly-jump = false"),
    )
    .expect("writing");
    let text = error(&["audit", &path, "--variant-file", &mine], 2);
    assert!(text.contains("under other rules"), "{text}");
    // The same rules under another name are the same rules.
    fs::write(
        &mine,
        variant.replace("name = \"shogi4\"", "name = \"mine\""),
    )
    .expect("writing");
    let audit = json(&["audit", &path, "--variant-file", &mine]);
    assert_eq!(audit["result"], "certified");
}

/// A user's own variant has tables too; the file says which variant it is of, not what that is.
#[test]
fn a_variant_of_the_users_own() {
    let folder = folder_for("own");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/wagon.toml");
    let options = ["--variant-file", file, "--pieces", "SW"];
    let path = table(&folder, "sw.yose", &options);
    assert_eq!(
        json(&["audit", &path, "--variant-file", file])["result"],
        "certified"
    );
    let text = error(&["audit", &path], 2);
    assert!(text.contains("not built in"), "{text}");
}
