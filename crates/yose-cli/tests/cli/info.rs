//! `yose info` against what `solve` said.

use std::fs;

use serde_json::Value as Json;

use crate::yose::{assert_keys, folder_for, json, yose};

const KEYS: [(&str, &str); 18] = [
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
    ("fingerprint", "string"),
    ("audit", "string"),
];

#[test]
fn info_says_what_solve_said() {
    let folder = folder_for("info");
    let path = folder.join("pp.yose").to_str().expect("UTF-8").to_owned();
    let options = ["--pieces", "PP", "--reachable", "--audit", "-o", &path];
    let solve = json(&[&["solve", "micro"], &options[..]].concat());
    assert_keys(&solve, &KEYS);
    let mut info = json(&["info", &path]);
    let file = info
        .as_object_mut()
        .and_then(|map| map.shift_remove("file"));
    assert_eq!(info, solve);
    let file = file.expect("what the file says");
    assert_eq!(file["bytes"], fs::metadata(&path).expect("a file").len());
    assert_eq!(file["format_version"], 1);

    // The run data lie beside the table. Without them they are null, and the rest stays.
    let run_data = format!("{path}.run.json");
    let text = fs::read_to_string(&run_data).expect("run data");
    let run: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(run["seconds"], solve["seconds"]);
    fs::remove_file(&run_data).expect("removing");
    let info = json(&["info", &path]);
    for key in [
        "reachable",
        "cpu_seconds",
        "peak_rss_bytes",
        "threads",
        "audit",
    ] {
        assert_eq!(info[key], Json::Null, "{key}");
    }
    assert_eq!(info["seconds"]["solve"], Json::Null);
    for key in [
        "canonical",
        "all",
        "max_depth",
        "histogram",
        "start",
        "fingerprint",
    ] {
        assert_eq!(info[key], solve[key], "{key}");
    }
    // Those of another table are not taken for this one's.
    let other = text.replace(solve["fingerprint"].as_str().expect("digits"), "00");
    fs::write(&run_data, other).expect("writing");
    assert_eq!(json(&["info", &path])["threads"], Json::Null);
}

#[test]
fn a_table_of_outcomes() {
    let folder = folder_for("info-wdl");
    let path = folder.join("pf.yose").to_str().expect("UTF-8").to_owned();
    let options = ["--pieces", "PF", "--metric", "wdl", "--ranks", "-o", &path];
    let solve = json(&[&["solve", "shogi4"], &options[..]].concat());
    let info = json(&["info", &path]);
    assert_eq!(
        (&info["metric"], &info["max_depth"]),
        (&Json::from("wdl"), &Json::Null)
    );
    assert_eq!(info["histogram"], solve["histogram"]);
    assert_eq!(info["file"]["bits"], 2);
    let ranks = json(&["info", &format!("{path}.ranks")]);
    assert_eq!(ranks["metric"], "ranks");
    assert_eq!(ranks["canonical"], info["canonical"]);
    // People see the histogram of distances, and no distances where there are none.
    assert!(!yose(&["info", &path]).stdout.contains("deepest"));
}
