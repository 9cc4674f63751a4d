//! Large sums and small limits: an answer in time, or proved bounds, or an error that names the limit.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use std::time::{Duration, Instant};
use yose_cgt::{Error, Games, Limits, Player, SumLimits, report};

/// Generous: a debug build on a busy machine. Quadratic work takes minutes here.
const SOON: Duration = Duration::from_secs(30);

fn three_stops(n: i64) -> String {
    let one = |i: i64| {
        format!(
            "{{{}||{}|{}}}",
            50 + i * 7 % 31,
            i * 5 % 23,
            -(i * 11 % 37) - 1
        )
    };
    (0..n).map(one).collect::<Vec<_>>().join(" + ")
}

#[test]
fn many_switches_take_no_quadratic_time() {
    let start = Instant::now();
    let distinct: Vec<String> = (1..=8_000)
        .map(|i| format!("{{{}|{}}}", 2 * i, -i))
        .collect();
    for text in [distinct.join("+"), vec!["{1|0}"; 20_000].join("+")] {
        let mut g = Games::new();
        let form = g.parse(&text).unwrap();
        let parts = g.components(form);
        let s = g
            .solve_sum(&parts, Player::Left, SumLimits::default())
            .unwrap();
        assert!(s.is_exact());
        assert_eq!(s.line.len(), 2_000, "the line is cut");
        assert!(s.thermostrat.is_some());
        assert_eq!(s.picks.len(), 4);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn no_time_gives_bounds() {
    let start = Instant::now();
    let limits = SumLimits {
        nodes: None,
        time: Some(Duration::ZERO),
    };
    let mut g = Games::new();
    let form = g.parse(&three_stops(1_500)).unwrap();
    let parts = g.components(form);
    for who in [Player::Left, Player::Right] {
        let s = g.solve_sum(&parts, who, limits).unwrap();
        assert!(s.left_stop.low < s.left_stop.high && s.nodes == 0);
        assert!(
            s.parts
                .iter()
                .all(|p| p.v.as_ref().is_some_and(|v| v.low <= v.high))
        );
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn bounds_without_search_hold() {
    let text = three_stops(5);
    for who in [Player::Left, Player::Right] {
        let mut g = Games::new();
        let form = g.parse(&text).unwrap();
        let parts = g.components(form);
        let exact = g.solve_sum(&parts, who, SumLimits::default()).unwrap();
        for (nodes, time) in [
            (Some(0), None),
            (None, Some(Duration::ZERO)),
            (Some(3), None),
        ] {
            let s = g.solve_sum(&parts, who, SumLimits { nodes, time }).unwrap();
            for (known, bounds) in [
                (&exact.left_stop, &s.left_stop),
                (&exact.right_stop, &s.right_stop),
            ] {
                let x = known.exact().unwrap();
                assert!(bounds.low <= x && x <= bounds.high);
            }
            for (known, p) in exact.parts.iter().zip(&s.parts) {
                let (x, b) = (
                    known.v.as_ref().unwrap().exact().unwrap(),
                    p.v.as_ref().unwrap(),
                );
                assert!(b.low <= x && x <= b.high, "{b:?} {x}");
            }
        }
    }
}

#[test]
fn a_multiple_is_limited() {
    for text in ["1000.{3||2|1}", "9223372036854775807.{3||2|1}"] {
        let limits = Limits {
            multiple: 2_000,
            ..Limits::default()
        };
        let e = report::cgt(text, None, limits).unwrap_err();
        assert!(matches!(e, Error::Limit { limit: 2_000, .. }), "{e}");
        assert!(e.to_string().contains("Limits::multiple"), "{e}");
    }
    assert!(
        report::cgt(
            "1000.{1|0} + 9223372036854775807.^",
            None,
            Limits::default()
        )
        .is_ok()
    );
}
