//! `yose perft`, against counts of other programs.

use serde_json::json as j;

use crate::yose::{assert_keys, error, facts, json};

/// Deep enough to meet promotion, drops and captured kings, quick enough for every run; the
/// library's own tests go deeper.
const MOST: u64 = 1_300_000;

#[test]
fn counts_of_other_programs() {
    let mut compared = 0;
    for game in ["shogi4", "dobutsu", "micro"] {
        for counting in ["pseudo", "legal"] {
            let expected: Vec<u64> = facts("shogi/perft.tsv")
                .iter()
                .filter(|row| row[0] == game && row[2] == counting)
                .map(|row| row[3].parse().expect("a number"))
                .take_while(|&nodes| nodes < MOST)
                .collect();
            if expected.is_empty() {
                continue;
            }
            let depth = expected.len().to_string();
            let mut args = vec!["perft", game, "--depth", &depth];
            if counting == "legal" {
                args.push("--legal");
            }
            assert_eq!(json(&args)["nodes"], j!(expected), "{game} {counting}");
            compared += expected.len();
        }
    }
    assert!(compared > 20, "{compared} rows compared");
}

#[test]
fn keys_of_the_contract() {
    let perft = json(&["perft", "shogi4", "--depth", "3"]);
    assert_keys(
        &perft,
        &[
            ("variant", "string"),
            ("position", "string"),
            ("nodes", "array"),
        ],
    );
    assert_eq!(perft["position"], "trfk/3p/P3/KFRT b - 1");
    assert_eq!(perft["nodes"], j!([8, 64, 626]));
}

#[test]
fn from_another_position() {
    let perft = json(&[
        "perft",
        "shogi4",
        "--position",
        "3k/4/4/K3 w -",
        "--depth",
        "2",
    ]);
    assert_eq!(perft["position"], "3k/4/4/K3 w - 1");
    assert_eq!(perft["nodes"], j!([3, 9]));
}

#[test]
fn depths_are_bounded() {
    for depth in ["0", "-1", "101", "4294967296", "x"] {
        error(&["perft", "shogi4", "--depth", depth], 2);
    }
    error(&["perft", "shogi4"], 2);
}
