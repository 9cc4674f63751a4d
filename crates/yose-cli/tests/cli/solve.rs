//! `yose solve`, against tables of other programs.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, facts, json};

/// Inventories up to this many positions are solved here; the larger ones are for a faster solver.
const MOST: u64 = 1_200_000;

const COUNTS: [(&str, &str); 4] = [
    ("positions", "number"),
    ("win", "number"),
    ("loss", "number"),
    ("draw", "number"),
];

#[test]
fn keys_of_the_contract() {
    let solve = json(&["solve", "micro", "--pieces", "PP", "--reachable"]);
    assert_keys(
        &solve,
        &[
            ("variant", "string"),
            ("pieces", "string"),
            ("metric", "string"),
            ("canonical", "object"),
            ("all", "object"),
            ("max_depth", "number"),
            ("histogram", "array"),
            ("start", "object"),
            ("reachable", "object"),
            ("domains", "null"),
            ("seconds", "object"),
            ("cpu_seconds", "number|null"),
            ("peak_rss_bytes", "number|null"),
            ("threads", "number"),
            ("fingerprint", "null"),
            ("audit", "null"),
        ],
    );
    assert_keys(&solve["canonical"], &COUNTS);
    assert_keys(&solve["all"], &COUNTS);
    let mut reachable = COUNTS.to_vec();
    reachable.push(("histogram", "array"));
    assert_keys(&solve["reachable"], &reachable);
    let seconds = [("solve", "number"), ("audit", "null"), ("total", "number")];
    assert_keys(&solve["seconds"], &seconds);
    assert_keys(&solve["start"], &[("value", "string"), ("depth", "null")]);
    assert_eq!(solve["start"]["value"], "draw");
    for row in solve["histogram"].as_array().expect("a list") {
        let keys = [
            ("value", "string"),
            ("depth", "number|null"),
            ("canonical", "number"),
            ("all", "number"),
        ];
        assert_keys(row, &keys);
    }

    // Published: the reachable positions of two kings and two pawns.
    let reachable = &solve["reachable"];
    let facts = facts("shogi/micro_wld.tsv");
    let row = facts
        .iter()
        .find(|row| row[0] == "reach_KP")
        .expect("a row");
    assert_eq!(
        [
            reachable["positions"].clone(),
            reachable["win"].clone(),
            reachable["loss"].clone(),
            reachable["draw"].clone()
        ]
        .map(|n| n.to_string()),
        [row[1].as_str(), &row[2], &row[3], &row[4]]
    );
    assert_eq!(
        histogram(&reachable["histogram"], "canonical"),
        published("shogi/micro_kp_reachable_dtm.tsv", 1)
    );
}

/// Positions by value and depth, zeros left out.
fn histogram(rows: &Json, domain: &str) -> BTreeMap<(String, Option<u64>), u64> {
    rows.as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            let value = row["value"].as_str().expect("a word").to_owned();
            let count = row[domain].as_u64().expect("a number");
            ((value, row["depth"].as_u64()), count)
        })
        .filter(|&(_, count)| count > 0)
        .collect()
}

/// The same from a table of facts, each count taken `factor` times.
fn published(name: &str, factor: u64) -> BTreeMap<(String, Option<u64>), u64> {
    facts(name)
        .iter()
        .map(|row| {
            let count: u64 = row[2].parse().expect("a number");
            ((row[0].clone(), row[1].parse().ok()), count * factor)
        })
        .filter(|&(_, count)| count > 0)
        .collect()
}

#[test]
fn shogi4_as_other_programs_have_it() {
    let mut compared = 0;
    for row in facts("shogi/shogi4_wld.tsv") {
        let positions: u64 = row[1].parse().expect("a number");
        if positions > MOST {
            continue;
        }
        let pieces = if row[0] == "2K" { "-" } else { &row[0] };
        let solve = json(&["solve", "shogi4", "--pieces", pieces]);
        let all = &solve["all"];
        let found = ["positions", "win", "loss", "draw"].map(|key| all[key].to_string());
        assert_eq!(found.as_slice(), &row[1..5], "{pieces}");
        assert_eq!(solve["max_depth"].to_string(), row[5], "{pieces}");
        assert_eq!(
            histogram(&solve["histogram"], "all"),
            published(&format!("shogi/shogi4_dtw_{}.tsv", row[0]), 1),
            "{pieces}"
        );
        compared += 1;
    }
    assert_eq!(compared, 7);
}

#[test]
fn micro_as_other_programs_have_it() {
    for pieces in ["G", "P", "PP"] {
        let solve = json(&["solve", "micro", "--pieces", pieces]);
        // The facts count one side to move.
        let found = histogram(&solve["histogram"], "all");
        let facts = published(&format!("shogi/micro_full_{pieces}_dtm.tsv"), 2);
        assert_eq!(found, facts, "{pieces}");
    }
}

#[test]
fn wdl_leaves_the_depths_out() {
    let depth = json(&["solve", "shogi4", "--pieces", "P"]);
    let wdl = json(&["solve", "shogi4", "--pieces", "P", "--metric", "wdl"]);
    assert_eq!(
        (&depth["metric"], &wdl["metric"]),
        (&j!("depth"), &j!("wdl"))
    );
    assert_eq!(
        (&depth["max_depth"], &wdl["max_depth"]),
        (&j!(28), &Json::Null)
    );
    assert_eq!(depth["all"], wdl["all"]);
    let rows = wdl["histogram"].as_array().expect("a list");
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["depth"].is_null()));
    assert_eq!(rows[0]["all"], wdl["all"]["win"]);
}

#[test]
fn too_large_is_refused_with_numbers() {
    let text = error(&["solve", "shogi4"], 2);
    assert!(text.contains("172,773,424,496,640 indices"), "{text}");
    assert!(text.contains("80 % of what is free"), "{text}");
    let text = error(
        &["solve", "shogi4", "--pieces", "PF", "--memory", "1MiB"],
        2,
    );
    assert!(text.contains("needs about"), "{text}");
    assert!(
        text.contains("1.0 MiB may be used (as given by --memory)"),
        "{text}"
    );
}

#[test]
fn bad_options() {
    error(&["solve"], 2);
    error(&["solve", "shogi4", "--memory", "lots"], 2);
    error(&["solve", "shogi4", "--metric", "feelings"], 2);
    let text = error(&["solve", "shogi4", "--pieces", "PF", "--reachable"], 2);
    assert!(text.contains("names no start with the pieces PF"), "{text}");
}
