//! `yose board`: every kind is proved and written; what does not fit is refused.

use crate::yose::{assert_keys, error, folder_for, json, yose};

#[test]
fn keys_and_values_of_the_counterexample() {
    let board = json(&["board", "hotstrat"]);
    assert_keys(
        &board,
        &[
            ("kind", "string"),
            ("title", "string"),
            ("size", "number"),
            ("rows", "array"),
            ("to_play", "string"),
            ("regions", "array"),
            ("settled", "string"),
            ("left_stop", "string"),
            ("right_stop", "string"),
            ("best", "array"),
            ("hottest_loses", "string"),
            ("proved", "bool"),
        ],
    );
    assert_eq!(board["left_stop"], "6");
    assert_eq!(board["right_stop"], "-9");
    assert_eq!(board["best"], serde_json::json!(["L1"]));
    assert_eq!(board["hottest_loses"], "5");
    let two = json(&["board", "hotstrat", "--third", "none"]);
    assert_eq!(two["hottest_loses"], "6");
}

#[test]
fn every_kind_is_written_as_a_record() {
    let folder = folder_for("boards");
    for (kind, text) in [
        (vec!["hotstrat", "--flip"], "The hottest region"),
        (vec!["corridor", "--length", "3,1"], "{2||1|*}"),
        (
            vec!["corridor", "--both-ends", "--size", "9", "--length", "5"],
            "{2||1|*}",
        ),
        (vec!["switches", "--stones", "3,2", "--size", "9"], "{6|0}"),
        (vec!["false-independence"], "one region"),
    ] {
        let file = folder.join(format!("{}.sgf", kind[0]));
        let mut args = vec!["board"];
        args.extend(kind);
        args.extend(["-o", file.to_str().expect("a path of letters")]);
        let run = yose(&args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
        assert!(run.stdout.contains("Proved: "), "{}", run.stdout);
        let record = std::fs::read_to_string(&file).expect("it was written");
        assert!(
            record.starts_with("(;FF[4]GM[1]") && record.contains(text),
            "{record}"
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let text = error(&["board", "switches", "--stones", "9", "--size", "9"], 2);
    assert!(
        text.contains("stones of a switch: expected 1 to 4"),
        "{text}"
    );
    let text = error(&["board", "ladder"], 2);
    assert!(text.contains("kinds: hotstrat, corridor"), "{text}");
    let text = error(&["board", "hotstrat", "--size", "99999999"], 2);
    assert!(text.contains("side: expected 13 to 25"), "{text}");
    error(&["board", "nonsense"], 2);
}
