//! `yose index`: there and back.

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, json, yose};

#[test]
fn keys_of_the_contract() {
    let index = json(&["index", "shogi4", "trfk/3p/P3/KFRT b - 1"]);
    assert_keys(
        &index,
        &[
            ("variant", "string"),
            ("pieces", "string"),
            ("sfen", "string"),
            ("rank", "number"),
            ("size", "number"),
            ("representative", "string"),
        ],
    );
    assert_eq!(index["pieces"], "PPTTRRFF");
    assert_eq!(index["size"], 172_773_424_496_640_u64);
}

#[test]
fn there_and_back() {
    for (variant, pieces) in [
        ("shogi4", "PF"),
        ("shogi4", "PPTTRRFF"),
        ("dobutsu", "CCGGEE"),
        ("micro", "PPGGSSBB"),
    ] {
        // A hole is an answer too, with code 1.
        let first = yose(&[
            "index", variant, "--pieces", pieces, "--unrank", "0", "--json",
        ]);
        let first: Json = serde_json::from_str(&first.stdout).expect("JSON");
        let size = first["size"].as_u64().expect("a number");
        let mut found = 0;
        for step in 0..200 {
            let n = (u128::from(size) * step / 200).to_string();
            let run = yose(&[
                "index", variant, "--pieces", pieces, "--unrank", &n, "--json",
            ]);
            let index: Json = serde_json::from_str(&run.stdout).expect("JSON");
            assert_eq!(index["rank"].to_string(), n);
            let Some(sfen) = index["sfen"].as_str() else {
                assert_eq!(run.code, 1);
                continue;
            };
            assert_eq!(run.code, 0);
            let back = json(&["index", variant, sfen]);
            assert_eq!(back, index, "{sfen}");
            found += 1;
        }
        assert!(found > 20, "{variant} {pieces}: {found}");
    }
}

#[test]
fn turned_and_mirrored_positions_share_a_number() {
    let rank = |sfen| json(&["index", "shogi4", sfen])["rank"].clone();
    let first = rank("4/2k1/Kp2/4 b F 1");
    assert_eq!(rank("4/1k2/2pK/4 b F 1"), first);
    assert_eq!(rank("4/2Pk/1K2/4 w f 1"), first);
    assert_ne!(rank("4/2k1/Kp2/4 w F 1"), first);
    let mirrored = json(&["index", "shogi4", "4/1k2/2pK/4 b F 1"]);
    assert_eq!(mirrored["sfen"], "4/1k2/2pK/4 b F 1");
    assert_eq!(mirrored["representative"], "4/2k1/Kp2/4 b F 1");
}

#[test]
fn what_has_no_number() {
    // Lions that touch are outside the domain of Dobutsu.
    let run = yose(&["index", "dobutsu", "3/l2/L2/3 b -", "--json"]);
    let index: Json = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, &index["rank"]), (1, &Json::Null));
    let text = error(
        &["index", "shogi4", "--pieces", "-", "--unrank", "99999"],
        2,
    );
    assert!(text.contains("has the numbers 0 to"), "{text}");
    error(&["index", "shogi4"], 2);
    error(
        &["index", "shogi4", "4/2k1/Kp2/4 b F 1", "--unrank", "3"],
        2,
    );
    error(&["index", "shogi4", "--unrank", "-1"], 2);
    let text = error(
        &["index", "shogi4", "4/2k1/Kp2/4 b F 1", "--pieces", "PP"],
        2,
    );
    assert!(text.contains("played with PF, --pieces says PP"), "{text}");
    let pieces = json(&["index", "shogi4", "4/2k1/Kp2/4 b F 1", "--pieces", "FP"]);
    assert_eq!(pieces["pieces"], j!("PF"));
}
