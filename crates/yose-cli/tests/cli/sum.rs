//! `yose best 'SUM'`: the best move in a sum of games.

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_keys, error, json, yose, yose_with_input};

const SUM: &str = "{10|{0|-100}} + {8|-8}";

#[test]
fn keys_of_the_contract() {
    let best = json(&["best", SUM]);
    assert_keys(
        &best,
        &[
            ("to_play", "string"),
            ("value", "object"),
            ("regions", "array"),
            ("ranking", "object"),
            ("best", "array"),
            ("line", "array"),
            ("line_regions", "array"),
            ("strategies", "object"),
            ("score", "null"),
            ("assumptions", "array"),
            ("seconds", "number"),
        ],
    );
    for key in ["left_stop", "right_stop", "mean", "temperature"] {
        assert!(best["value"][key].is_string(), "{key}");
    }
    for key in ["hottest", "swing", "must", "avoid", "loss"] {
        let list = best["ranking"][key].as_array().expect("a list");
        assert_eq!(list.len(), 2, "{key}");
        let keys = [("id", "string"), ("value", "string"), ("move", "string")];
        assert_keys(&list[0], &keys);
    }
    let strategies = best["strategies"].as_object().expect("an object");
    let mut names: Vec<&str> = strategies.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["hottest", "sentestrat", "swing", "thermostrat"]);
    for strategy in strategies.values() {
        let keys = [("move", "string"), ("region", "string"), ("loss", "string")];
        assert_keys(strategy, &keys);
    }
    let keys = [
        ("move", "string"),
        ("region", "string"),
        ("score", "string"),
    ];
    assert_keys(&best["best"][0], &keys);
}

/// The hottest part is not the best one.
#[test]
fn the_best_move_and_what_strategies_lose() {
    let best = json(&["best", SUM]);
    assert_eq!(best["to_play"], "black");
    assert_eq!(
        best["best"],
        j!([{ "move": "8", "region": "1", "score": "8" }])
    );
    assert_eq!(best["ranking"]["hottest"][0]["id"], "0");
    assert_eq!(best["ranking"]["must"][0]["id"], "1");
    assert_eq!(best["strategies"]["hottest"]["loss"], "6");
    assert_eq!(best["strategies"]["swing"]["loss"], "0");
    // The score of perfect play is a stop of the whole.
    assert_eq!(best["value"]["left_stop"], best["best"][0]["score"]);
}

#[test]
fn who_is_to_play() {
    let white = json(&["best", SUM, "--to-play", "w"]);
    assert_eq!(white["to_play"], "white");
    assert_eq!(white["value"]["right_stop"], white["best"][0]["score"]);
    assert_eq!(json(&["best", SUM, "--to-play", "b"])["to_play"], "black");
    error(&["best", SUM, "--to-play", "red"], 2);
}

#[test]
fn the_same_sum_in_all_spellings() {
    let mut expected = json(&["best", SUM]);
    expected["seconds"] = Json::Null;
    let mut split = vec!["best"];
    split.extend(SUM.split(' '));
    let mut split = json(&split);
    split["seconds"] = Json::Null;
    assert_eq!(split, expected);
    let piped = yose_with_input(&["best", "-", "--json"], SUM.as_bytes());
    let mut piped: Json = serde_json::from_str(&piped.stdout).expect("JSON");
    piped["seconds"] = Json::Null;
    assert_eq!(piped, expected);
}

#[test]
fn top_shortens_the_rankings() {
    let best = json(&["best", SUM, "--top", "1"]);
    assert_eq!(best["ranking"]["must"].as_array().map(Vec::len), Some(1));
    assert_eq!(best["regions"].as_array().map(Vec::len), Some(2));
}

/// A limit gives bounds that hold, never a guess.
#[test]
fn a_limit_gives_bounds() {
    let sum = "{9|{2|-7}} + {{8|3}|-4} + {6|{1|-9}} + {{7|1}|{-2|-6}} + {5|{0|-8}} + {{9|4}|-1}";
    let exact = json(&["best", sum]);
    let stop: f64 = number(&exact["value"]["left_stop"]);
    let bounded = json(&["best", sum, "--nodes", "3"]);
    let bounds = &bounded["value"]["left_stop_bounds"];
    assert!(
        number(&bounds[0]) <= stop && stop <= number(&bounds[1]),
        "{bounds}"
    );
    assert_eq!(bounded["value"]["left_stop"], Json::Null, "{bounds}");
    error(&["best", sum, "--seconds", "-1"], 2);
    error(&["best", sum, "--seconds", "soon"], 2);
}

fn number(text: &Json) -> f64 {
    let text = text.as_str().expect("a string");
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let parse = |text: &str| text.parse::<f64>().expect("a number");
    parse(top) / parse(bottom)
}

#[test]
fn a_sum_may_begin_with_a_sign() {
    assert_eq!(json(&["best", "-4 + 3"])["value"]["left_stop"], "-1");
    let best = json(&["best", "-{3|1} + 5", "--to-play", "w"]);
    assert_eq!(best["value"]["right_stop"], "2");
}

#[test]
fn errors() {
    let text = error(&["best", "{1|"], 2);
    assert!(text.contains("byte 3"), "{text}");
    let text = error(&["best", "4/2k1/Kp2/4 b F 1"], 2);
    assert!(
        text.contains("a position comes after its variant"),
        "{text}"
    );
    let text = error(&["best", SUM, "--table", "x.yose"], 2);
    assert!(
        text.contains("--table does not apply to a sum of games"),
        "{text}"
    );
    assert!(yose(&["best", SUM]).stdout.contains("best    8 in part 1"));
}
