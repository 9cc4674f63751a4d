//! `yose best FILE.sgf`: the exact best move of a Go endgame.

use serde_json::{Value as Json, json as j};

use crate::yose::{assert_has, error, folder_for, json, yose, yose_with_input};

fn data(name: &str) -> String {
    format!(
        "{}/../../tests/data/goendgame/{name}",
        env!("CARGO_MANIFEST_DIR")
    )
}

fn expected(name: &str) -> Json {
    let text = std::fs::read_to_string(data(name)).expect(name);
    serde_json::from_str(&text).expect("JSON")
}

/// Regions, values, V and stops agree with what another program computed.
#[test]
fn the_boards_of_the_truth_data() {
    for name in [
        "hotstrat19",
        "hotstrat19_two_regions",
        "false_independence19",
    ] {
        let best = json(&["best", &data(&format!("{name}.sgf"))]);
        let truth = expected(&format!("{name}.json"));
        assert_eq!(
            best["value"]["left_stop"], truth["total_left_stop"],
            "{name}"
        );
        assert_eq!(
            best["value"]["right_stop"], truth["total_right_stop"],
            "{name}"
        );
        assert_eq!(best["value"]["mean"], truth["mean"], "{name}");
        assert_eq!(best["value"]["temperature"], truth["temperature"], "{name}");
        let regions = best["regions"].as_array().expect("a list");
        let theirs = truth["regions"].as_array().expect("a list");
        assert_eq!(regions.len(), theirs.len(), "{name}");
        for (region, their) in regions.iter().zip(theirs) {
            for key in ["left_stop", "right_stop", "swing", "mean", "temperature"] {
                assert_eq!(region[key], their[key], "{name} {key}");
            }
            assert_eq!(region["v"], their["V_black_first"], "{name}");
            assert_eq!(region["status"], "exact");
        }
        assert_eq!(best["best"][0]["move"], "L1", "{name}");
        assert_eq!(best["assumptions"], j!([]), "{name}");
    }
}

/// Every key that scripts rely on, for both sides to play.
#[test]
fn keys_of_the_contract() {
    for side in ["b", "w"] {
        let board = data("hotstrat19.sgf");
        let best = json(&["best", &board, "--to-play", side]);
        let top = "to_play value regions ranking best line strategies score assumptions seconds";
        assert_has(&best, top);
        assert_eq!(best["to_play"], if side == "b" { "black" } else { "white" });
        assert_has(&best["value"], "left_stop right_stop mean temperature");
        assert_has(&best["ranking"], "hottest swing must avoid loss");
        for list in best["ranking"].as_object().expect("an object").values() {
            for place in list.as_array().expect("a list") {
                assert_has(place, "id value move");
            }
        }
        assert_has(&best["best"][0], "move region score");
        assert_has(&best["score"], "rule komi result");
        let strategies = &best["strategies"];
        assert_has(strategies, "hottest swing thermostrat sentestrat");
        for strategy in strategies.as_object().expect("an object").values() {
            assert_has(strategy, "move region loss");
        }
        let regions = best["regions"].as_array().expect("a list");
        assert_eq!(regions.len(), 3);
        for region in regions {
            let keys = "id points stones value left_stop right_stop swing mean temperature \
                        miai_value deiri_value chilled kind status best v";
            assert_has(region, keys);
            assert_has(&region["best"], "left right");
            for side in ["left", "right"] {
                assert!(region["best"][side][0].is_string());
            }
        }
    }
}

#[test]
fn the_hottest_region_is_the_wrong_one() {
    let loss = |name: &str| {
        let best = json(&["best", &data(name)]);
        best["strategies"]["hottest"]["loss"].clone()
    };
    assert_eq!(loss("hotstrat19_two_regions.sgf"), "6");
    assert_eq!(loss("hotstrat19.sgf"), "5");
    let best = json(&["best"]);
    assert_eq!(best["score"]["result"], "B+6");
    let ids = |key: &str| -> Vec<Json> {
        let list = best["ranking"][key].as_array().expect("a list");
        list.iter().map(|place| place["id"].clone()).collect()
    };
    assert_eq!(ids("hottest"), ["A", "C", "B"]);
    assert_eq!(ids("must"), ["C", "A", "B"]);
    assert_eq!(ids("avoid"), ["B", "A", "C"]);
    assert_eq!(ids("loss"), ["C", "A", "B"]);
    assert!(
        yose(&["best"])
            .stdout
            .contains("Best: Black L1 (C), 5 points better")
    );
}

/// The group on the first line lives only through what looks like a region of its own.
#[test]
fn a_false_split_is_not_made() {
    let best = json(&["best", &data("false_independence19.sgf")]);
    assert_eq!(
        best["regions"][0]["points"],
        j!(["M19", "S18", "T18", "L11"])
    );
    let size = |key: &str| best["regions"][0][key].as_array().map_or(0, Vec::len);
    assert_eq!(size("points") + size("stones"), 66);
}

#[test]
fn files_that_are_written() {
    let folder = folder_for("go_best");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (svg, html, out) = (path("a.svg"), path("a.html"), path("a.sgf"));
    let board = data("hotstrat19.sgf");
    assert_eq!(
        yose(&["best", &board, "--report", &svg, "-o", &out]).code,
        0
    );
    assert_eq!(yose(&["best", &board, "--report", &html]).code, 0);
    let read = |path: &str| std::fs::read_to_string(path).expect(path);
    assert!(read(&svg).starts_with("<svg") && read(&html).starts_with("<!DOCTYPE html>"));
    let record = read(&out);
    assert!(
        record.contains("[Black to move. Upper left G"),
        "the comment stays"
    );
    assert!(record.contains("Best move: L1 in C") && record.contains("[ks:C]"));
    // The annotated record asks the same question.
    let value = |file: &str| json(&["best", file])["value"].clone();
    assert_eq!(value(&out), value(&board));
    let bytes = std::fs::read(&board).expect("a file");
    let piped = yose_with_input(&["best", "-", "--json"], &bytes);
    let piped: Json = serde_json::from_str(&piped.stdout).expect("JSON");
    assert_eq!(piped["value"], value(&board));
}

#[test]
fn bad_questions_are_refused() {
    let board = data("hotstrat19.sgf");
    for (more, what) in [
        (&["--move", "3"][..], "0 moves, not 3"),
        (&["--assume", "alive=Z99"], "Z99"),
        (&["--assume", "alive=M19"], "there is no stone"),
        (&["--assume", "safe=A1"], "alive=D4,Q16"),
        (&["--rules", "ing"], "unknown rules"),
        (&["--komi", "6.3"], "half points"),
        (&["--report", "x.png"], ".svg or .html"),
        (&["--table", "x"], "--table does not apply to a Go board"),
    ] {
        let text = error(&[&["best", &board], more].concat(), 2);
        assert!(text.contains(what), "{more:?}: {text}");
    }
    let large = yose_with_input(&["best", "-"], b"(;SZ[26])");
    assert_eq!(large.code, 2);
    assert!(large.stderr.contains("at most 25"), "{}", large.stderr);
    let rows = "r4b4/1r3b4/2r4b2/4rb4 r";
    let text = error(&["best", "race", rows, "--to-play", "w"], 2);
    assert!(text.contains("does not apply to the race"), "{text}");
}
