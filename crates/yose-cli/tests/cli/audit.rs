//! `yose audit`: what is right is certified, what is wrong is found, with its position.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use serde_json::Value as Json;
use yose_retro::table::{Table, TableWriter};

use crate::yose::{assert_keys, error, folder_for, json, table, yose};

const KEYS: [(&str, &str); 7] = [
    ("result", "string"),
    ("positions", "number"),
    ("violations", "number"),
    ("first_violations", "array"),
    ("seconds", "number"),
    ("checked", "number"),
    ("summary_faults", "array"),
];

/// The answer of an audit that must end with this code.
fn audit(path: &str, code: i32) -> Json {
    let run = yose(&["audit", path, "--json"]);
    assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
    let answer = serde_json::from_str(&run.stdout).expect("one JSON document");
    assert_keys(&answer, &KEYS);
    answer
}

/// Copies a table with some numbers changed.
fn changed(from: &str, to: &Path, change: impl FnOnce(&mut [u32])) -> String {
    let table = Table::open(from).expect("a table");
    let mut values = vec![0; usize::try_from(table.header().slots).expect("a small table")];
    table.values(0, &mut values).expect("values");
    change(&mut values);
    let header = table.header().clone();
    let width = header.width();
    let mut writer = TableWriter::create(to, header, NonZeroUsize::MIN).expect("a new table");
    let mut plain = Vec::new();
    width.encode(&values, &mut plain);
    writer.write(&plain).expect("writing");
    writer.finish(table.summary()).expect("a table");
    to.to_str().expect("UTF-8").to_owned()
}

#[test]
fn tables_are_certified() {
    let folder = folder_for("audit");
    for (variant, pieces) in [("shogi4", "PF"), ("dobutsu", "CC"), ("micro", "PP")] {
        let path = table(&folder, "good.yose", &[variant, "--pieces", pieces]);
        let answer = audit(&path, 0);
        assert_eq!(answer["result"], "certified", "{variant} {pieces}");
        assert_eq!(answer["violations"], 0);
        assert_eq!(
            answer["positions"],
            json(&["info", &path])["canonical"]["positions"]
        );
    }
}

#[test]
fn outcomes_need_ranks() {
    let folder = folder_for("audit-ranks");
    let options = ["shogi4", "--pieces", "PF", "--metric", "wdl", "--ranks"];
    let path = table(&folder, "pf.yose", &options);
    assert_eq!(audit(&path, 0)["result"], "certified");
    let ranks = format!("{path}.ranks");
    // Ranks alone are no table: they are not distances, and nothing is looked up in them.
    for words in [&["audit", &ranks][..], &["probe", &ranks, "kK2/4/4/4 b PF"]] {
        let text = error(words, 2);
        assert!(text.contains("ranks of a table"), "{text}");
    }
    // Ranks that do not fall prove nothing.
    let flat = changed(&ranks, &folder.join("flat"), |ranks| {
        for rank in ranks.iter_mut().filter(|rank| **rank > 30 && **rank < 54) {
            *rank = if *rank % 2 == 1 { 31 } else { 32 };
        }
    });
    fs::rename(&flat, &ranks).expect("renaming");
    assert_eq!(audit(&path, 1)["result"], "failed");
    // Without any the table is consistent, which is not enough.
    fs::remove_file(&ranks).expect("removing");
    assert_eq!(audit(&path, 1)["result"], "consistent");
    // Ranks of something else are not taken.
    let other = table(&folder, "p.yose", &["shogi4", "--pieces", "P"]);
    fs::copy(other, &ranks).expect("copying");
    let run = yose(&["audit", &path]);
    assert_eq!(run.code, 4, "{}", run.stderr);
}

#[test]
fn planted_faults_are_found_with_their_positions() {
    let folder = folder_for("audit-faults");
    let good = table(&folder, "good.yose", &["shogi4", "--pieces", "PF"]);
    let find = |values: &[u32], depth| values.iter().position(|&value| value == depth);
    for (name, from, to) in [
        ("late", 20, 22),
        ("early", 21, 19),
        ("draw", 17, 0),
        ("turned", 8, 9),
    ] {
        let mut slot = 0;
        let bad = changed(&good, &folder.join(name), |values| {
            slot = find(values, from).expect("a position of this depth");
            values[slot] = to;
        });
        let answer = audit(&bad, 1);
        assert_eq!(answer["result"], "failed", "{name}");
        assert!(answer["violations"].as_u64() > Some(0), "{name}");
        let first = answer["first_violations"].as_array().expect("a list");
        let planted = first.iter().find(|violation| violation["slot"] == slot);
        let planted = planted.unwrap_or_else(|| panic!("{name}: {first:?}"));
        // The position is named as `index` names it.
        let index = json(&[
            "index",
            "shogi4",
            planted["sfen"].as_str().expect("an SFEN"),
        ]);
        assert_eq!(index["rank"], slot, "{name}");
    }
    // A hole of the index is no position and must not have a value.
    let hole = (0..).find(|n: &u64| {
        let n = n.to_string();
        yose(&["index", "shogi4", "--pieces", "PF", "--unrank", &n]).code == 1
    });
    let hole = usize::try_from(hole.expect("a hole")).expect("a small number");
    let bad = changed(&good, &folder.join("hole"), |values| values[hole] = 1);
    let answer = audit(&bad, 1);
    assert_eq!(answer["violations"], 1);
    assert_eq!(answer["first_violations"][0]["sfen"], Json::Null);
    assert!(yose(&["audit", &bad]).stdout.starts_with("failed: "));
}
