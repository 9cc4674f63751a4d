//! `yose race`: positions and the proof.

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, json, yose};

const ROWS: &str = "r4b4/1r3b4/2r4b2/4rb4 r";

#[test]
fn keys_of_the_contract() {
    let race = json(&["race", ROWS]);
    assert_keys(
        &race,
        &[
            ("position", "string"),
            ("to_move", "string"),
            ("winner", "string"),
            ("depth", "number"),
            ("closed_form", "object"),
            ("moves", "array"),
            ("line", "array"),
        ],
    );
    let keys = [
        ("applies", "bool"),
        ("winner", "string|null"),
        ("corrected", "string"),
    ];
    assert_keys(&race["closed_form"], &keys);
    for mv in race["moves"].as_array().expect("a list") {
        let keys = [
            ("move", "string"),
            ("winner", "string"),
            ("depth", "number"),
        ];
        assert_keys(mv, &keys);
    }
    assert_eq!(race["position"], ROWS);
    assert_eq!(
        (&race["to_move"], &race["winner"]),
        (&j!("red"), &j!("red"))
    );
    assert_eq!(race["moves"][0]["move"], "C3-5");
    assert_eq!(race["moves"][0]["depth"], race["depth"]);
    assert_eq!(
        race["line"].as_array().map(Vec::len),
        race["depth"]
            .as_u64()
            .and_then(|depth| usize::try_from(depth).ok())
    );
}

#[test]
fn the_proof_on_ten_columns() {
    let proof = json(&["race", "--prove"]);
    let keys: Vec<&str> = proof
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .take(9)
        .collect();
    assert_eq!(
        keys,
        [
            "columns",
            "positions",
            "win",
            "loss",
            "draw",
            "placements",
            "first_player_wins",
            "exceptions",
            "exception_samples"
        ]
    );
    let (wins, losses) = (proof["win"].as_u64(), proof["loss"].as_u64());
    assert_eq!(proof["positions"], 4_556_250);
    assert_eq!(wins.zip(losses).map(|(w, l)| w + l), Some(4_556_250));
    assert_eq!(proof["draw"], 0);
    assert_eq!(proof["placements"], 15_625);
    assert_eq!(proof["exceptions"], 80);
    assert_eq!(proof["exceptions_touching_in_a"], 80);
    assert_eq!(proof["corrected_exceptions"], 0);
    // Each sample is what it is said to be: the published formula and the table disagree on it.
    let samples = proof["exception_samples"].as_array().expect("a list");
    let sample = samples[0].as_str().expect("a position");
    let race = json(&["race", sample]);
    assert_eq!(race["closed_form"]["applies"], true);
    assert_ne!(race["closed_form"]["winner"], race["winner"]);
    assert_eq!(race["closed_form"]["corrected"], race["winner"]);
}

#[test]
fn away_from_the_start_the_published_formula_says_nothing() {
    let race = json(&["race", "r2b/1r1b/1rb1/r1b1 b"]);
    assert_eq!(race["closed_form"]["applies"], false);
    assert_eq!(race["closed_form"]["winner"], Json::Null);
    assert_eq!(race["closed_form"]["corrected"], race["winner"]);
}

#[test]
fn bad_positions_and_widths() {
    for bad in [
        "",
        "r",
        "r4b4/1r3b4/2r4b2 r",
        "r4b4/1r3b4/2r4b2/4rb4",
        "r4b4/1r3b4/2r4b2/4rb4 x",
        "b4r4/1r3b4/2r4b2/4rb4 r",
        "r4b4/1r3b4/2r4b2/5rb3 r",
        "r99999999999999999999b/rb/rb/rb r",
        "ｒ4b4/1r3b4/2r4b2/4rb4 r",
    ] {
        let text = error(&["race", bad], 2);
        assert!(text.contains("byte"), "{bad}: {text}");
    }
    for columns in ["3", "5", "18", "0", "x", "-2"] {
        error(&["race", "--prove", &format!("--columns={columns}")], 2);
    }
    let text = error(&["race", ROWS, "--columns", "8"], 2);
    assert!(text.contains("10 columns, --columns says 8"), "{text}");
    error(&["race", ROWS, "--prove"], 2);
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let text = error(
        &["race", "--prove", "--columns", "16", "--memory", "1MiB"],
        2,
    );
    assert!(text.contains("1.0 MiB may be used"), "{text}");
    assert!(yose(&["race"]).stdout.contains("C3-5"));
}
