//! `yose solve`, against tables of other programs.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, facts, folder_for, json, yose};

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
            ("scratch", "null"),
            ("exchange", "null"),
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

/// The kernel, the plain solver and the audit agree.
#[test]
fn the_reference_solver_says_the_same() {
    for (variant, pieces) in [("shogi4", "PF"), ("dobutsu", "CE"), ("micro", "PP")] {
        let args = ["solve", variant, "--pieces", pieces];
        let kernel = json(&[&args[..], &["--audit"]].concat());
        let reference = json(&[&args[..], &["--reference"]].concat());
        for key in ["canonical", "all", "max_depth", "histogram", "start"] {
            assert_eq!(kernel[key], reference[key], "{variant} {pieces} {key}");
        }
        assert_eq!(kernel["audit"], "certified", "{variant} {pieces}");
        assert!(kernel["seconds"]["audit"].is_number());
        assert_eq!(reference["threads"], 1);
    }
}

/// What is reachable is counted by each solver in its own way.
#[test]
fn the_reference_solver_reaches_the_same() {
    let args = ["solve", "micro", "--pieces", "PP", "--reachable"];
    let reference = json(&[&args[..], &["--reference"]].concat());
    assert_eq!(json(&args)["reachable"], reference["reachable"]);
    // Dobutsu with a start for fewer pieces: lions that touch or can be taken count too.
    let folder = folder_for("solve-reachable");
    let path = folder
        .join("small.toml")
        .to_str()
        .expect("UTF-8")
        .to_owned();
    let variant = json(&["variants", "dobutsu"])[0]["data"].clone();
    let variant = variant.as_str().expect("a text").replace(
        "ELG b - 1\"]",
        "ELG b - 1\", \"1l1/1c1/1C1/1L1 b - 1\", \"1le/3/3/EL1 b - 1\"]",
    );
    std::fs::write(&path, variant).expect("a writable folder");
    for pieces in ["CC", "EE"] {
        let args = [
            "solve",
            "--variant-file",
            &path,
            "--pieces",
            pieces,
            "--reachable",
        ];
        let reference = json(&[&args[..], &["--reference"]].concat());
        let kernel = json(&args);
        assert_eq!(kernel["reachable"], reference["reachable"], "{pieces}");
        let count = |key: &str| kernel[key]["positions"].as_u64().expect("a number");
        assert!(count("reachable") > count("canonical"), "{pieces}");
    }
}

/// Three ways to count the positions of Dobutsu: by slots, by orbits of the mirror, or all.
#[test]
fn domains_of_dobutsu() {
    for metric in ["depth", "wdl"] {
        let solve = json(&["solve", "dobutsu", "--pieces", "CE", "--metric", metric]);
        let domains = solve["domains"].as_object().expect("an object");
        let mut names: Vec<&str> = domains.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["all39", "orbits", "slots21"]);
        let mut keys = COUNTS.to_vec();
        keys.push(("histogram", "array"));
        for (name, domain) in domains {
            assert_keys(domain, &keys);
            let sum: u64 = histogram(&domain["histogram"], "positions").values().sum();
            assert_eq!(domain["positions"], sum, "{name}");
        }
        assert_eq!(domains["orbits"]["win"], solve["canonical"]["win"]);
        assert_eq!(
            domains["all39"]["loss"].as_u64().map(|loss| 2 * loss),
            solve["all"]["loss"].as_u64()
        );
        let between = |key: &str| {
            let of = |domain: &str| domains[domain][key].as_u64().expect("a number");
            of("orbits") < of("slots21") && of("slots21") < of("all39")
        };
        assert!(between("win") && between("loss"));
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
    // Without ranks there is no certificate.
    let audited = ["--metric", "wdl", "--audit"];
    let arguments = [
        &["solve", "shogi4", "--pieces", "P", "--json"],
        &audited[..],
    ]
    .concat();
    let run = yose(&arguments);
    assert_eq!(run.code, 1);
    let wdl: Json = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(wdl["audit"], "consistent");
    assert!(run.stderr.contains("--ranks"), "{}", run.stderr);
}

#[test]
fn too_large_is_refused_with_numbers() {
    let text = error(&["solve", "shogi4"], 2);
    assert!(text.contains("112,302,725,922,816 slots"), "{text}");
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
    for options in [
        &["--ranks"][..],
        &["--metric", "depth", "--ranks", "-o", "never.yose"],
        &["--reference", "-o", "never.yose"],
        &["-o", "no/such/folder/never.yose"],
        &["-o", "/"],
    ] {
        let args = [&["solve", "shogi4", "--pieces", "P"], options].concat();
        error(&args, 2);
    }
    error(&["solve", "shogi4", "--memory", "lots"], 2);
    error(&["solve", "shogi4", "--metric", "feelings"], 2);
    let text = error(&["solve", "shogi4", "--pieces", "PF", "--reachable"], 2);
    assert!(text.contains("names no start with the pieces PF"), "{text}");
}
