//! `yose moves`.

use serde_json::json as j;

use crate::yose::{assert_keys, error, json, yose_with_input};

const START: &str = "trfk/3p/P3/KFRT b - 1";

#[test]
fn several_positions() {
    let lists = json(&["moves", "shogi4", START, "3k/4/4/K3 w - 1"]);
    let lists = lists.as_array().expect("a list");
    assert_eq!(lists.len(), 2);
    assert_keys(&lists[0], &[("sfen", "string"), ("moves", "array")]);
    assert_eq!(lists[0]["sfen"], START);
    let sorted = [
        "1d1c", "1d2c", "2d1c", "2d3c", "3d3c", "4c4b", "4d3c", "4d4b",
    ];
    assert_eq!(lists[0]["moves"], j!(sorted));
    assert_eq!(lists[1]["moves"], j!(["1a1b", "1a2a", "1a2b"]));
}

#[test]
fn from_standard_input() {
    let input = format!("# two positions\n{START}\n\n3k/4/4/K3 w - 1\n");
    let run = yose_with_input(&["moves", "shogi4", "-", "--json"], input.as_bytes());
    assert_eq!(run.code, 0);
    let lists: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(lists.as_array().map(Vec::len), Some(2));
}

#[test]
fn position_texts_of_other_programs() {
    let plain = json(&["moves", "shogi4", "KFRTP......ptrfk;0000;0000;1"]);
    assert_eq!(plain, json(&["moves", "shogi4", START]));
    let plain = json(&["moves", "dobutsu", "S/gle/-c-/-C-/ELG/-"]);
    assert_eq!(plain, json(&["moves", "dobutsu", "gle/1c1/1C1/ELG b - 1"]));
    error(&["moves", "shogi4", "KFRTP......ptrfk;0000;0000;3"], 2);
}

#[test]
fn promotion_and_drops_are_written_out() {
    let lists = json(&["moves", "shogi4", "3k/P3/4/K3 b T 1"]);
    let moves = lists[0]["moves"].as_array().expect("a list");
    assert!(moves.contains(&j!("4b4a+")));
    assert!(moves.contains(&j!("T*1b")));
    assert!(!moves.contains(&j!("T*4a")), "no drop on the far rank");
    let lists = json(&["moves", "micro", "k3/4/4/4/3K b S 1"]);
    let moves = lists[0]["moves"].as_array().expect("a list");
    assert!(moves.contains(&j!("L*3b")) && moves.contains(&j!("S*3b")));
}

#[test]
fn nothing_to_do() {
    error(&["moves", "shogi4"], 2);
    error(&["moves"], 2);
    let run = yose_with_input(&["moves", "shogi4", "-"], b"");
    assert_eq!(run.code, 2);
}
