//! `yose cgt`: the calculator of games.

use serde_json::json as j;

use crate::yose::{assert_keys, error, folder_for, json, yose, yose_with_input};

#[test]
fn keys_of_the_contract() {
    let cgt = json(&["cgt", "{10|{0|-100}} + {8|-8}"]);
    let contract = [
        ("input", "string"),
        ("canonical", "string"),
        ("left_stop", "string"),
        ("right_stop", "string"),
        ("swing", "string"),
        ("mean", "string"),
        ("temperature", "string"),
        ("is_number", "bool"),
        ("outcome", "string"),
        ("birthday", "string"),
        ("compare", "object"),
        ("thermograph", "object"),
    ];
    let mut keys = contract.to_vec();
    keys.extend([
        ("chilled", "string|null"),
        ("reduced", "string|null"),
        ("atomic_weight", "string|null"),
        ("incentives", "object|null"),
    ]);
    assert_keys(&cgt, &keys);
    assert_eq!(
        [
            &cgt["left_stop"],
            &cgt["right_stop"],
            &cgt["mean"],
            &cgt["temperature"]
        ],
        ["8", "-8", "0", "10"]
    );
    assert_keys(
        &cgt["compare"],
        &[
            ("zero", "string"),
            ("left_stop", "string"),
            ("right_stop", "string"),
        ],
    );
}

#[test]
fn walls_and_relations() {
    let cgt = json(&["cgt", "{5||2|1}", "--vs", "-3"]);
    assert_eq!(
        (&cgt["mean"], &cgt["temperature"]),
        (&j!("13/4"), &j!("7/4"))
    );
    assert_eq!(
        cgt["thermograph"]["left"],
        j!([["-1", "6"], ["7/4", "13/4"]])
    );
    assert_eq!(cgt["vs"]["relation"], ">");
    let integer = json(&["cgt", "-5"]);
    assert_eq!(
        integer["thermograph"],
        j!({ "left": [["-1", "-5"]], "right": [["-1", "-5"]] })
    );
    assert_eq!(
        (&integer["temperature"], &integer["outcome"]),
        (&j!("-1"), &j!("R"))
    );
}

#[test]
fn people_see_a_thermograph_and_get_a_picture() {
    let text = yose(&["cgt", "{5||2|1}"]).stdout;
    assert!(text.contains("mast 13/4"), "{text}");
    let path = folder_for("cgt").join("t.svg");
    let path = path.to_str().expect("UTF-8");
    json(&["cgt", "{5||2|1}", "--plot", path]);
    let svg = std::fs::read_to_string(path).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains(">13/4<"));
    let text = error(&["cgt", "{5||2|1}", "--plot", "/no/such/folder/t.svg"], 2);
    assert!(text.contains("/no/such/folder/t.svg"), "{text}");
}

#[test]
fn errors_name_the_text_and_the_byte() {
    let text = error(&["cgt", "{1|"], 2);
    assert!(text.starts_with("error: '{1|': byte 3: expected"), "{text}");
    let text = error(&["cgt", "{1|0}", "--vs", "{2|"], 2);
    assert!(text.starts_with("error: --vs '{2|': byte 3"), "{text}");
    error(&["cgt"], 2);
    error(&["cgt", ""], 2);
    error(&["cgt", "1.5"], 2);
    // Depth alone is no reason to fail.
    let deep = format!("{}0{}", "{0|".repeat(20_000), "}".repeat(20_000));
    assert_eq!(yose(&["cgt", &deep, "--json"]).code, 0);
    assert_eq!(yose(&["cgt", &"{".repeat(100_000)]).code, 2);
}

#[test]
fn a_game_from_standard_input() {
    // longer than the system lets one argument be
    let deep = format!("{}0{}\n", "{0|".repeat(100_000), "}".repeat(100_000));
    for (input, stop) in [("{5||2|1}\n", "5"), ("2^+\r\n 1", "3"), (&deep, "0")] {
        let run = yose_with_input(&["cgt", "-", "--json"], input.as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let cgt: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(cgt["left_stop"], stop);
    }
    let wrong = yose_with_input(&["cgt", "-"], b"{1|");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.starts_with("error: '{1|': byte 3"),
        "{}",
        wrong.stderr
    );
    // a complaint does not print a whole book
    let long = yose_with_input(&["cgt", "-"], "{".repeat(100_000).as_bytes());
    assert_eq!(long.code, 2);
    assert!(long.stderr.len() < 1_000, "{}", long.stderr);
}

/// What fuzzing starts from, and whatever it has found: an answer or an error, never a panic.
#[test]
fn the_corpora_of_fuzzing() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/");
    for (target, command) in [("cgt_parse", "cgt"), ("cgt_sum", "best")] {
        let mut read = 0;
        for file in std::fs::read_dir(format!("{corpus}{target}")).expect("a corpus") {
            let path = file.expect("a file").path();
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let run = yose(&[command, "--json", "--", &text]);
            assert!(matches!(run.code, 0 | 2), "{path:?}: {}", run.stderr);
            read += u32::from(run.code == 0);
        }
        assert!(read >= 3, "{target}: {read}");
    }
}
