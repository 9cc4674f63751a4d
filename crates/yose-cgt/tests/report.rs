//! The JSON keys are a contract; the text has what a reader looks for.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use serde_json::{Value, json};
use yose_cgt::{Dyadic, Limits, Player, SumLimits, report};

fn cgt(text: &str) -> Value {
    serde_json::to_value(report::cgt(text, None, Limits::default()).unwrap()).unwrap()
}

fn best(text: &str, who: Player) -> Value {
    let r = report::best(text, who, SumLimits::default(), Limits::default()).unwrap();
    serde_json::to_value(r).unwrap()
}

fn has_keys(v: &Value, keys: &[&str]) {
    for k in keys {
        assert!(v.get(k).is_some(), "no key {k} in {v}");
    }
}

#[test]
fn cgt_keys_and_values() {
    let v = cgt("{10|{0|-100}} + {8|-8}");
    let wanted = json!({
        "input": "{10|{0|-100}} + {8|-8}", "left_stop": "8", "right_stop": "-8", "swing": "16",
        "mean": "0", "temperature": "10", "is_number": false, "outcome": "N", "birthday": "111",
        "compare": {"zero": "||", "left_stop": "||", "right_stop": "||"},
    });
    for (k, x) in wanted.as_object().unwrap() {
        assert_eq!(&v[k], x, "{k}");
    }
    has_keys(&v, &["canonical", "thermograph"]);
    assert!(v.get("vs").is_none());
    let v = cgt("3/8");
    assert_eq!(
        v["thermograph"],
        json!({
            "left": [["-1", "1"], ["-1/2", "1/2"], ["-1/4", "1/2"], ["-1/8", "3/8"]],
            "right": [["-1", "0"], ["-1/2", "0"], ["-1/8", "3/8"]],
        })
    );
    assert_eq!(
        (&v["is_number"], &v["temperature"]),
        (&json!(true), &json!("-1/8"))
    );
    let v = cgt("5");
    assert_eq!(
        v["thermograph"],
        json!({"left": [["-1", "5"]], "right": [["-1", "5"]]})
    );
    let r = report::cgt("^", Some("*"), Limits::default()).unwrap();
    assert_eq!(serde_json::to_value(r).unwrap()["vs"]["relation"], "||");
    let e = report::cgt("^", Some("{1|"), Limits::default()).unwrap_err();
    assert!(e.to_string().starts_with("byte 3"), "{e}");
}

/// {n|{n-1|..{1|0}}}: its mean is n - 1 + 1/2^n, its temperature 1 - 1/2^n.
fn corridor(n: usize) -> String {
    let open: String = (1..=n).rev().map(|k| format!("{{{k}|")).collect();
    format!("{open}0{}", "}".repeat(n))
}

/// Sums and comparisons of whole games have a budget in a report: of middling depth is worst.
#[test]
fn a_report_takes_no_more_than_a_moment() {
    for n in [100, 299] {
        let v = cgt(&corridor(n));
        assert_eq!(v["left_stop"], n.to_string());
        assert!(v["incentives"].is_null());
    }
    assert!(cgt(&corridor(10))["incentives"].is_object());
}

#[test]
fn huge_or_fine_numbers_do_not_break_a_report() {
    let v = cgt(&format!("{}1{}", "{0|".repeat(200), "}".repeat(200)));
    let fine = &v["canonical"];
    let half = Dyadic::new(-1, 200).unwrap().to_string();
    assert_eq!(
        (&v["thermograph"]["left"], &v["is_number"]),
        (&json!([["-1", "1"], [half, fine]]), &json!(true))
    );
    // denominators up to 2^1000
    let v = cgt(&corridor(1_000));
    assert_eq!(
        (&v["left_stop"], &v["right_stop"]),
        (&json!("1000"), &json!("999"))
    );
    assert!(v["mean"].as_str().unwrap().len() > 300);
    assert!(v["thermograph"]["left"].is_array());
    let v = cgt("{7000000000000000000|-7000000000000000000}");
    assert_eq!(v["temperature"], "7000000000000000000");
}

#[test]
fn best_keys_and_values() {
    let v = best("{10|{0|-100}} + {8|-8} + 3 + *", Player::Left);
    has_keys(
        &v,
        &[
            "to_play",
            "value",
            "regions",
            "ranking",
            "best",
            "line",
            "strategies",
            "score",
            "assumptions",
            "seconds",
        ],
    );
    assert_eq!(v["to_play"], "black");
    assert_eq!(v["score"], Value::Null);
    assert_eq!(v["value"]["left_stop"], "11");
    assert_eq!(v["value"]["right_stop"], "-5");
    assert_eq!(v["value"]["mean"], "3");
    assert_eq!(v["value"]["temperature"], "10");
    assert_eq!(
        v["best"],
        json!([{"move": "8", "region": "1", "score": "11"}])
    );
    for r in v["regions"].as_array().unwrap() {
        has_keys(
            r,
            &[
                "id",
                "points",
                "stones",
                "value",
                "left_stop",
                "right_stop",
                "swing",
                "mean",
                "temperature",
                "miai_value",
                "deiri_value",
                "chilled",
                "kind",
                "status",
                "best",
                "v",
            ],
        );
        assert_eq!(r["status"], "exact");
    }
    let r = &v["regions"];
    assert_eq!(
        (&r[0]["kind"], &r[0]["v"]),
        (&json!("white_sente"), &json!("5"))
    );
    assert_eq!(
        (&r[0]["miai_value"], &r[0]["deiri_value"]),
        (&json!("10"), &json!("10"))
    );
    assert_eq!(
        (&r[1]["kind"], &r[1]["deiri_value"]),
        (&json!("gote"), &json!("16"))
    );
    assert_eq!(r[1]["best"], json!({"left": ["8"], "right": ["-8"]}));
    assert_eq!(
        (&r[2]["kind"], &r[2]["v"]),
        (&json!("number"), &Value::Null)
    );
    assert_eq!(
        (&r[2]["miai_value"], &r[3]["kind"]),
        (&Value::Null, &json!("dame"))
    );
    let ids = |k: &str| -> Vec<&str> {
        v["ranking"][k]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x["id"].as_str().unwrap())
            .collect()
    };
    assert_eq!(ids("hottest"), ["0", "1", "3"]);
    assert_eq!(ids("swing"), ["1", "0", "3"]);
    assert_eq!(ids("must"), ["1", "0", "3"]);
    assert_eq!(ids("avoid"), ["3", "0", "1"]);
    assert_eq!(ids("loss"), ["1", "0", "3"]);
    assert_eq!(
        v["ranking"]["loss"][2],
        json!({"id": "3", "value": "16", "move": "0"})
    );
    assert_eq!(
        v["strategies"]["hottest"],
        json!({"move": "10", "region": "0", "loss": "6"})
    );
    for k in ["hottest", "swing", "thermostrat", "sentestrat"] {
        has_keys(&v["strategies"][k], &["move", "region", "loss"]);
    }
    assert_eq!(v["line"][0], "8");
    // Right's orders run the other way
    let v = best("±5 + ±3", Player::Right);
    assert_eq!(v["to_play"], "white");
    let values = |k: &str| -> Vec<&str> {
        v["ranking"][k]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x["value"].as_str().unwrap())
            .collect()
    };
    assert_eq!(
        (values("must"), values("avoid")),
        (vec!["-2", "2"], vec!["2", "-2"])
    );
    assert_eq!(values("loss"), ["0", "4"]);
}

#[test]
fn a_limit_shows_as_null_with_bounds() {
    let text = "{10|{0|-100}} + {9|{1|-50}} + {8|-8} + {{60|3}|-7}";
    let few = SumLimits {
        nodes: Some(0),
        time: None,
    };
    let r = report::best(text, Player::Left, few, Limits::default()).unwrap();
    assert!(r.to_text().contains("not proved within the limit"));
    let v = serde_json::to_value(r).unwrap();
    assert_eq!(v["value"]["left_stop"], Value::Null);
    assert_eq!(v["best"], json!([]));
    assert_eq!(v["strategies"], json!({}));
    assert!(
        v["regions"]
            .as_array()
            .unwrap()
            .iter()
            .any(|r| r["status"] == "bounds" && r["v"].is_null())
    );
}

#[test]
fn text_is_readable() {
    let r = report::cgt("{5||2|1}", Some("3"), Limits::default())
        .unwrap()
        .to_text();
    for line in [
        "canonical    {5||2|1}",
        "mean         13/4",
        "temperature  7/4",
        "versus       game || 3",
    ] {
        assert!(r.lines().any(|l| l == line), "{line} in\n{r}");
    }
    assert!(
        r.lines()
            .any(|l| l.contains("7/4 |") && l.ends_with("mast 13/4")),
        "{r}"
    );
    let r = report::best(
        "{10|{0|-100}} + {8|-8}",
        Player::Left,
        SumLimits::default(),
        Limits::default(),
    );
    let r = r.unwrap().to_text();
    assert!(r.contains("best    8 in part 1, score 8"), "{r}");
    let r = report::best(
        "3 + 1/2",
        Player::Left,
        SumLimits::default(),
        Limits::default(),
    )
    .unwrap();
    assert!(r.to_text().contains("nothing to play"));
}
