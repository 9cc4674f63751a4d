//! `yose count`, against published and recomputed totals.

use serde_json::Value as Json;

use crate::yose::{assert_keys, error, facts, json, yose};

#[test]
fn keys_of_the_contract() {
    let count = json(&["count", "shogi4", "--pieces", "PF"]);
    assert_keys(
        &count,
        &[
            ("variant", "string"),
            ("pieces", "string"),
            ("arrangements", "number"),
            ("legal", "number"),
            ("canonical", "number"),
            ("by_in_hand", "array"),
        ],
    );
    let rows = count["by_in_hand"].as_array().expect("a list");
    for (in_hand, row) in rows.iter().enumerate() {
        let keys = ["in_hand", "arrangements", "legal", "canonical"];
        assert_keys(row, &keys.map(|key| (key, "number")));
        assert_eq!(row["in_hand"], in_hand);
    }
    for key in ["arrangements", "legal", "canonical"] {
        let sum: u64 = rows.iter().filter_map(|row| row[key].as_u64()).sum();
        assert_eq!(count[key], sum, "{key}");
    }
}

#[test]
fn full_sets() {
    let arrangements = |variant| json(&["count", variant])["arrangements"].clone();
    assert_eq!(arrangements("shogi4"), 205_148_532_253_680_u64);
    assert_eq!(arrangements("dobutsu"), 1_567_925_964);
    assert_eq!(arrangements("micro"), 3_915_109_365_634_620_u64);
    let shogi4 = json(&["count", "shogi4"]);
    assert_eq!(shogi4["canonical"], 36_713_949_235_800_u64);
    let dobutsu = json(&["count", "dobutsu"]);
    assert_eq!(dobutsu["legal"], 463_250_853);
    assert_eq!(dobutsu["canonical"], 231_641_991);
}

/// The totals of solved tables count both sides to move.
#[test]
fn solved_inventories() {
    for row in facts("shogi/shogi4_wld.tsv") {
        let pieces = if row[0] == "2K" { "-" } else { &row[0] };
        let count = json(&["count", "shogi4", "--pieces", pieces]);
        let all: u64 = row[1].parse().expect("a number");
        assert_eq!(count["legal"].as_u64(), Some(all / 2), "{pieces}");
        assert_eq!(count["canonical"].as_u64(), Some(all / 4), "{pieces}");
    }
}

#[test]
fn people_get_separators_and_programs_do_not() {
    assert!(
        yose(&["count", "shogi4"])
            .stdout
            .contains("205,148,532,253,680")
    );
    let count = json(&["count", "shogi4"]);
    assert!(matches!(count["legal"], Json::Number(_)));
}

#[test]
fn pieces_are_checked() {
    let text = error(&["count", "shogi4", "--pieces", "PX"], 2);
    assert!(
        text.contains("unknown piece letter 'X' at byte 1; this variant has P T R F"),
        "{text}"
    );
    error(&["count", "shogi4", "--pieces", "PPP"], 2);
    error(&["count", "shogi4", "--pieces", ""], 2);
}
