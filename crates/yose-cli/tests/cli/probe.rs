//! `yose probe`: as `best` says, and as other programs say.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, facts, folder_for, json, table, yose, yose_with_input};

/// Probes the positions on standard input.
fn batch(path: &str, positions: &[String]) -> Vec<Json> {
    let run = yose_with_input(
        &["probe", path, "-", "--json"],
        positions.join("\n").as_bytes(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("a list")
}

#[test]
fn keys_of_the_contract() {
    let folder = folder_for("probe-keys");
    let path = table(&folder, "pf.yose", &["shogi4", "--pieces", "PF"]);
    let list = json(&["probe", &path, "4/2k1/Kp2/4 b F 1", "3k/4/4/K3 w Pf 1"]);
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    for probed in list.as_array().expect("a list") {
        let keys = [
            ("sfen", "string"),
            ("value", "string"),
            ("depth", "number|null"),
            ("moves", "array"),
        ];
        assert_keys(probed, &keys);
        for mv in probed["moves"].as_array().expect("a list") {
            let keys = [
                ("usi", "string"),
                ("sfen", "string|null"),
                ("value", "string"),
                ("depth", "number|null"),
            ];
            assert_keys(mv, &keys);
        }
    }
    let text = yose(&["probe", &path, "4/2k1/Kp2/4 b F 1"]).stdout;
    assert!(
        text.starts_with("4/2k1/Kp2/4 b F 1  win in 13; best F*2d, F*3b\n"),
        "{text}"
    );
}

/// Position by position as another program has them, and as `best` has them, solved on the spot.
#[test]
fn probe_equals_best_and_other_programs() {
    let folder = folder_for("probe");
    let mut by_pieces: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in facts("shogi/shogi4_dtw_samples.tsv") {
        by_pieces.entry(row[0].clone()).or_default().push(row);
    }
    let mut compared = 0;
    for (pieces, rows) in by_pieces {
        let pieces = if pieces == "2K" { "-" } else { &pieces };
        if pieces == "PFR" {
            continue;
        }
        let path = table(&folder, "t.yose", &["shogi4", "--pieces", pieces]);
        let positions: Vec<String> = rows.iter().map(|row| row[1].clone()).collect();
        let probed = batch(&path, &positions);
        assert_eq!(probed.len(), rows.len());
        for (row, probed) in rows.iter().zip(&probed) {
            assert_eq!(probed["value"], row[2].as_str(), "{}", row[1]);
            assert_eq!(
                probed["depth"].as_u64().unwrap_or(0).to_string(),
                row[3],
                "{}",
                row[1]
            );
            compared += 1;
        }
        for probed in probed.iter().take(4) {
            let sfen = probed["sfen"].as_str().expect("a string");
            let best = json(&["best", "shogi4", sfen]);
            let looked_up = json(&["best", "shogi4", sfen, "--table", &path]);
            for key in ["value", "depth", "moves"] {
                assert_eq!(best[key], probed[key], "{sfen} {key}");
                assert_eq!(looked_up[key], probed[key], "{sfen} {key}");
            }
            assert_eq!(best["line"], looked_up["line"], "{sfen}");
            assert_eq!(best["best"], looked_up["best"], "{sfen}");
            // The first move is worth what the position is, and the line is as long.
            assert_eq!(probed["moves"][0]["value"], probed["value"], "{sfen}");
            assert_eq!(probed["moves"][0]["depth"], probed["depth"], "{sfen}");
            if let Some(depth) = probed["depth"].as_u64() {
                let line = best["line"].as_array().expect("a list");
                assert_eq!(line.len() as u64, depth, "{sfen}");
            }
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn outcomes_have_no_distances() {
    let folder = folder_for("probe-wdl");
    let depth = table(&folder, "depth.yose", &["shogi4", "--pieces", "PF"]);
    let options = ["shogi4", "--pieces", "PF", "--metric", "wdl"];
    let wdl = table(&folder, "wdl.yose", &options);
    let sfen = "4/2k1/Kp2/4 b F 1";
    let (depth, wdl_probed) = (json(&["probe", &depth, sfen]), json(&["probe", &wdl, sfen]));
    assert_eq!(wdl_probed[0]["value"], depth[0]["value"]);
    assert_eq!(wdl_probed[0]["depth"], Json::Null);
    let sorted = |probed: &Json| {
        let moves = probed[0]["moves"].as_array().expect("a list");
        let pair = |mv: &Json| (mv["usi"].to_string(), mv["value"].to_string());
        moves.iter().map(pair).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(sorted(&wdl_probed), sorted(&depth));
    let best = json(&["best", "shogi4", sfen, "--table", &wdl]);
    assert_eq!(best["best"], j!(["F*2d", "F*3b"]));
    // Nothing tells how to make headway.
    assert_eq!(best["line"], j!([]));
}

#[test]
fn dobutsu_outside_its_domain() {
    let folder = folder_for("probe-dobutsu");
    let path = table(&folder, "kings.yose", &["dobutsu", "--pieces", "-"]);
    let probed = |sfen| {
        let probed = json(&["probe", &path, sfen]);
        (probed[0]["value"].clone(), probed[0]["depth"].clone())
    };
    assert_eq!(probed("3/l2/L2/3 b -"), (j!("win"), j!(1)));
    assert_eq!(probed("3/2L/3/l2 b -"), (j!("loss"), j!(0)));
    assert_eq!(probed("3/3/1L1/l2 b -"), (j!("win"), j!(1)));
    assert_eq!(probed("L2/3/2l/3 b -"), (j!("unknown"), Json::Null));
}

#[test]
fn bad_positions() {
    let folder = folder_for("probe-bad");
    let path = table(&folder, "p.yose", &["shogi4", "--pieces", "P"]);
    error(&["probe", &path], 2);
    error(&["probe", &path, "kK2/4/4/4 x -"], 2);
    let run = yose_with_input(&["probe", &path, "-"], b"# nothing\n\n");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
}

/// Of a thousand lines one is wrong: which?
#[test]
fn a_bad_line_is_named() {
    let folder = folder_for("probe-line");
    let path = table(&folder, "pf.yose", &["shogi4", "--pieces", "PF"]);
    let lines = "# two positions\n4/2k1/Kp2/4 b F 1\n\n4/2k1/Kp2 b F 1\n";
    for command in [&["probe", &path, "-"], &["moves", "shogi4", "-"]] {
        let run = yose_with_input(command, lines.as_bytes());
        assert_eq!(run.code, 2, "{}", run.stderr);
        let start = "error: line 4 of standard input: ";
        assert!(run.stderr.starts_with(start), "{}", run.stderr);
    }
}

#[test]
fn errors_do_not_steer_the_terminal() {
    let run = yose(&["probe", "no\u{1b}[31mfile.yose", "4/2k1/Kp2/4 b F 1"]);
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("no\\u{1b}[31mfile"), "{}", run.stderr);
}
