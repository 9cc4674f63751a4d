//! `yose best`: drop shogi, the race, standard input, what is not known.

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, json, yose, yose_with_input};

const EXAMPLE: &str = "4/2k1/Kp2/4 b F 1";

fn strings(list: &Json) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().map(|s| s.as_str().expect("a string")).collect()
}

#[test]
fn keys_of_the_contract() {
    let best = json(&["best", "shogi4", EXAMPLE]);
    assert_keys(
        &best,
        &[
            ("variant", "string"),
            ("position", "string"),
            ("value", "string"),
            ("depth", "number"),
            ("best", "array"),
            ("moves", "array"),
            ("line", "array"),
            ("evidence", "string"),
        ],
    );
    for mv in best["moves"].as_array().expect("a list") {
        let keys = [
            ("usi", "string"),
            ("sfen", "string|null"),
            ("value", "string"),
            ("depth", "number|null"),
        ];
        assert_keys(mv, &keys);
    }
}

#[test]
fn a_small_game_is_solved_on_the_spot() {
    let best = json(&["best", "shogi4", EXAMPLE]);
    assert_eq!(best["variant"], "shogi4");
    assert_eq!(best["position"], EXAMPLE);
    assert_eq!((&best["value"], &best["depth"]), (&j!("win"), &j!(13)));
    assert_eq!(strings(&best["best"]), ["F*2d", "F*3b"]);
    // The line is as long as the value says, and the best moves are worth what the position is.
    assert_eq!(strings(&best["line"]).len(), 13);
    assert_eq!(best["moves"][0]["depth"], 13);
    // Wins, then draws, then losses; slow losses before quick ones.
    let moves = best["moves"].as_array().expect("a list");
    let values: Vec<&str> = moves.iter().filter_map(|mv| mv["value"].as_str()).collect();
    let mut sorted = values.clone();
    sorted.sort_by_key(|value| ["win", "draw", "loss"].iter().position(|v| v == value));
    assert_eq!(values, sorted);
    assert_eq!(moves[moves.len() - 1]["depth"], 2);
}

#[test]
fn the_same_position_in_all_spellings() {
    let expected = json(&["best", "shogi4", EXAMPLE]);
    assert_eq!(json(&["best", "shogi4", EXAMPLE]), expected);
    assert_eq!(
        json(&["best", "shogi4", EXAMPLE, "--pieces", "FP"]),
        expected
    );
    let one = format!("shogi4 {EXAMPLE}");
    assert_eq!(json(&["best", &one]), expected);
    let split = ["best", "shogi4", "4/2k1/Kp2/4", "b", "F"];
    assert_eq!(json(&split), expected);
    let piped = yose_with_input(
        &["best", "-", "--json"],
        format!("shogi4 {EXAMPLE}\n").as_bytes(),
    );
    let piped: Json = serde_json::from_str(&piped.stdout).expect("JSON");
    assert_eq!(piped, expected);
}

#[test]
fn turned_and_mirrored_positions_have_the_same_value() {
    for sfen in ["4/1k2/2pK/4 b F 1", "4/2Pk/1K2/4 w f 1"] {
        let best = json(&["best", "shogi4", sfen]);
        assert_eq!(
            (&best["value"], &best["depth"]),
            (&j!("win"), &j!(13)),
            "{sfen}"
        );
    }
}

#[test]
fn top_limits_the_moves_shown() {
    let best = json(&["best", "shogi4", EXAMPLE, "--top", "1"]);
    assert_eq!(best["moves"].as_array().map(Vec::len), Some(1));
    assert_eq!(strings(&best["best"]).len(), 2, "all best moves stay");
    assert!(
        yose(&["best", "shogi4", EXAMPLE, "--top", "3"])
            .stdout
            .contains("11 more moves")
    );
}

#[test]
fn too_large_is_unknown_and_no_error() {
    let start = "trfk/3p/P3/KFRT b - 1";
    let best = json(&["best", "shogi4", start]);
    assert_eq!(
        (&best["value"], &best["depth"]),
        (&j!("unknown"), &Json::Null)
    );
    assert_eq!(strings(&best["best"]), [""; 0]);
    assert_eq!(strings(&best["line"]), [""; 0]);
    assert_eq!(best["moves"].as_array().map(Vec::len), Some(8));
    assert!(
        best["evidence"]
            .as_str()
            .is_some_and(|e| e.starts_with("not solved"))
    );
    // By rule alone: the king that jumps to 4b can be taken there.
    assert_eq!(best["moves"][7]["usi"], "4d4b");
    assert_eq!(best["moves"][7]["depth"], 2);
    let run = yose(&["best", "shogi4", start]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("unknown"));
}

#[test]
fn too_little_memory_is_unknown_too() {
    let best = json(&["best", "shogi4", EXAMPLE, "--memory", "1MiB"]);
    assert_eq!(best["value"], "unknown");
    let evidence = best["evidence"].as_str().expect("a string");
    assert!(evidence.contains("1.0 MiB may be used"), "{evidence}");
}

#[test]
fn a_king_that_can_be_taken_needs_no_solving() {
    // The full set on the board, the kings side by side.
    let best = json(&["best", "shogi4", "tr2/1fkp/P1K1/1FRT b - 1"]);
    assert_eq!((&best["value"], &best["depth"]), (&j!("win"), &j!(1)));
    assert_eq!(strings(&best["best"]), ["2c2b"]);
    assert_eq!(strings(&best["line"]), ["2c2b"]);
    assert_eq!(best["moves"][0]["sfen"], Json::Null);
    assert!(
        best["evidence"]
            .as_str()
            .is_some_and(|e| e.starts_with("by rule"))
    );
}

#[test]
fn dobutsu_outside_its_domain_is_answered_by_rule() {
    let value = |sfen| {
        let best = json(&["best", "dobutsu", sfen]);
        (best["value"].clone(), best["depth"].clone())
    };
    // Lions touch.
    assert_eq!(value("3/l2/L2/3 b -"), (j!("win"), j!(1)));
    // Their lion has come to its far rank and cannot be taken: the game is over.
    assert_eq!(value("3/2L/3/l2 b -"), (j!("loss"), j!(0)));
    // It can be taken.
    assert_eq!(value("3/3/1L1/l2 b -"), (j!("win"), j!(1)));
    // Our own lion stands there: no play leads to such a position.
    assert_eq!(value("L2/3/2l/3 b -"), (j!("unknown"), Json::Null));
    let evidence = json(&["best", "dobutsu", "L2/3/2l/3 b -"])["evidence"].clone();
    let evidence = evidence.as_str().expect("a text");
    assert!(
        evidence.starts_with("not among what was solved"),
        "{evidence}"
    );
    // A safe Try now. The board after it still has both lions.
    let best = json(&["best", "dobutsu", "3/L2/2l/3 b -"]);
    assert_eq!((&best["value"], &best["depth"]), (&j!("win"), &j!(1)));
    assert_eq!(best["moves"][0]["sfen"], "1L1/3/2l/3 w - 1");
}

#[test]
fn the_race() {
    let rows = "r4b4/1r3b4/2r4b2/4rb4 r";
    let best = json(&["best", "race", rows]);
    assert_eq!(best, json(&["race", rows]));
    let mut split = vec!["best", "race"];
    split.extend(rows.split(' '));
    assert_eq!(best, json(&split));
}

#[test]
fn contradictions_are_told() {
    let text = error(&["best", "shogi4", EXAMPLE, "--pieces", "PP"], 2);
    assert!(text.contains("played with PF, --pieces says PP"), "{text}");
    let text = error(&["best", "-"], 2);
    assert!(text.contains("standard input"), "{text}");
    error(&["best", "shogi4"], 2);
    error(&["best", "game.sgf"], 2);
    let text = error(&["best", "shogi4", EXAMPLE, "--to-play", "w"], 2);
    assert!(
        text.contains("--to-play does not apply to a position of drop shogi"),
        "{text}"
    );
}
