//! Sizes and shapes that break naive code: huge numbers, fine numbers, deep nesting.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use yose_cgt::{Dyadic, Error, GameId, Games, Limits, Player, Relation, SumLimits};

fn check(g: &mut Games, text: &str, left: &str, right: &str, mean: &str, temperature: &str) {
    let v = g.parse_value(text).unwrap();
    assert_eq!(g.left_stop(v).to_string(), left, "{text}");
    assert_eq!(g.right_stop(v).to_string(), right, "{text}");
    assert_eq!(g.mean(v).unwrap().to_string(), mean, "{text}");
    assert_eq!(g.temperature(v).unwrap().to_string(), temperature, "{text}");
    let t = g.thermograph(v).unwrap();
    assert_eq!(t.mean.to_string(), mean, "{text}");
    assert_eq!(t.temperature.to_string(), temperature, "{text}");
    let printed = g.print(v).unwrap();
    assert_eq!(g.parse_value(&printed).unwrap(), v, "{text}");
}

#[test]
fn large_and_small_numbers() {
    let mut g = Games::new();
    let big = g.parse_value("1073741824").unwrap();
    let fine = g.parse_value("1/1099511627776").unwrap();
    assert_eq!(g.compare(big, fine).unwrap(), Relation::Greater);
    assert_eq!(g.compare(fine, big).unwrap(), Relation::Less);
    let e18 = "7000000000000000000";
    check(
        &mut g,
        &format!("{{{e18}|-{e18}}}"),
        e18,
        &format!("-{e18}"),
        "0",
        e18,
    );
    let s = "1/1099511627776";
    check(&mut g, &format!("±{s}"), s, &format!("-{s}"), "0", s);
    // one sum of both
    check(
        &mut g,
        &format!("±{e18} + ±{s}"),
        "7696581394431999999999999999999/1099511627776",
        "-7696581394431999999999999999999/1099511627776",
        "0",
        e18,
    );
    check(&mut g, "{{100|*}|{*|-100}}", "0", "0", "0", "0");
    check(&mut g, "{-5|3}", "0", "0", "0", "-1");
    check(&mut g, "{5|-5}", "5", "-5", "0", "5");
    // where an i64 would wrap
    let v = g.parse_value("9223372036854775807 + 1").unwrap();
    assert_eq!(g.print(v).unwrap(), "9223372036854775808");
    let v = g.parse_value("-1823437481924").unwrap();
    assert_eq!(g.birthday(v).unwrap(), 1_823_437_481_924.into());
    let v = g.parse_value("{1000000|-1000000} + 1000000000000").unwrap();
    assert_eq!(g.birthday(v).unwrap(), 1_000_001_000_001.into());
    let v = g.parse_value("1000000").unwrap();
    assert_eq!(g.birthday(v).unwrap(), 1_000_000.into());
    let mut g = Games::new();
    // integers against everything, without walking down to 0
    let hot = g.parse_value("{1000000000000|^}").unwrap();
    let n = g.parse_value("999999999999").unwrap();
    assert_eq!(g.compare(hot, n).unwrap(), Relation::Confused);
    assert!(g.len() < 100);
}

#[test]
fn a_number_is_never_played() {
    let mut g = Games::new();
    let form = g.parse("{-5|3} + ±2 + {1|2}").unwrap();
    let parts = g.components(form);
    let s = g
        .solve_sum(&parts, Player::Left, SumLimits::default())
        .unwrap();
    assert!(s.parts[0].v.is_none() && s.parts[2].v.is_none());
    assert_eq!(
        s.parts[1].v.as_ref().unwrap().exact().unwrap().to_string(),
        "7/2"
    );
    assert!(s.best.iter().all(|m| m.part == 1));
    let form = g.parse("{-5|3} + 4").unwrap();
    let parts = g.components(form);
    let s = g
        .solve_sum(&parts, Player::Right, SumLimits::default())
        .unwrap();
    assert!(s.best.is_empty() && s.line.is_empty());
    assert_eq!(s.left_stop.exact().unwrap(), Dyadic::from(4));
}

const DEEP: usize = 100_000;

/// Parses, canonicalises, prints, parses again, negates, compares to 0.
fn deep(name: &str, text: &str) {
    let mut g = Games::new();
    let form = g.parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let v = g.value(form).unwrap_or_else(|e| panic!("{name}: {e}"));
    let printed = g.print(v).unwrap();
    assert_eq!(g.parse_value(&printed).unwrap(), v, "{name}");
    // ±±±.. doubles as typed, so its text meets the limit
    match g.print_form(form) {
        Ok(t) => assert_eq!(g.parse_value(&t).unwrap(), v, "{name}"),
        Err(e) => assert!(
            name == "plus-minus" && matches!(e, Error::Limit { .. }),
            "{name}"
        ),
    }
    let n = g.neg(v).unwrap();
    assert_eq!(g.neg(n).unwrap(), v, "{name}");
    let r = g.compare(v, GameId::ZERO).unwrap();
    assert_eq!(g.compare(GameId::ZERO, n).unwrap(), r, "{name}");
    assert!(g.left_stop(v) >= g.right_stop(v), "{name}");
    g.birthday(v).unwrap();
}

fn nested(open: &str, core: &str, close: &str) -> String {
    format!("{}{core}{}", open.repeat(DEEP), close.repeat(DEEP))
}

#[test]
fn nested_100_000_deep() {
    deep("integers", &nested("{", "", "|}"));
    deep("negative integers", &nested("{|", "", "}"));
    deep("ups", &nested("{0|", "0", "}"));
    deep("downs", &nested("{", "0", "|0}"));
    deep("zeros", &nested("{{|", "0", "}|}"));
    deep("minies", &nested("{", "1", "|0}"));
    deep("switches", &nested("{5|", "0", "}"));
    deep("hot one way", &nested("{", "{9|1}", "|-3}"));
    deep("hot both ways", &nested("{{7|", "0", "}|-7}"));
    deep("threats", &nested("{3|{2|", "0", "}}"));
    deep("parentheses", &nested("(", "{1|0}", ")"));
    deep("signs", &nested("-", "{1|0}", ""));
    deep("plus-minus", &nested("±", "1", ""));
    deep(
        "bars",
        &(1..=300)
            .map(|n| format!("{n}{}", "|".repeat(n)))
            .collect::<String>()
            .replacen("1", "{1", 1)
            .add_end(),
    );
}

trait AddEnd {
    fn add_end(self) -> String;
}

impl AddEnd for String {
    fn add_end(mut self) -> String {
        self.push_str("0}");
        self
    }
}

#[test]
fn a_number_nested_100_000_deep() {
    // 1 - 1/2^100000 is exact too: its numerator has 100,000 bits
    let mut g = Games::new();
    let v = g.parse_value(&nested("{", "0", "|1}")).unwrap();
    let x = g.as_number(v).unwrap();
    assert_eq!(x.exponent(), 100_000);
    let less = Dyadic::ONE.checked_sub(&x).unwrap();
    assert_eq!(less, Dyadic::new(1, 100_000).unwrap());
    // 1/2^100000: exact, printed in full and read back
    let mut g = Games::new();
    let v = g.parse_value(&nested("{0|", "1", "}")).unwrap();
    let x = g.as_number(v).unwrap();
    assert_eq!((x.numerator(), x.exponent()), (Some(1), 100_000));
    let text = g.print(v).unwrap();
    assert_eq!(text.len(), 30_105);
    assert_eq!(g.parse_value(&text).unwrap(), v);
    assert_eq!(g.birthday(v).unwrap(), 100_001.into());
}

#[test]
fn numbers_of_any_size() {
    let mut g = Games::new();
    let digits = format!("1{}", "0".repeat(10_000));
    check(&mut g, &digits, &digits, &digits, &digits, "-1");
    let minus = format!("-{digits}");
    check(&mut g, &format!("±{digits}"), &digits, &minus, "0", &digits);
    // neither side of 2^127 is an edge
    for (text, value) in [
        (
            "170141183460469231731687303715884105727 + 1",
            "170141183460469231731687303715884105728",
        ),
        (
            "-170141183460469231731687303715884105727 - 2",
            "-170141183460469231731687303715884105729",
        ),
        (
            "{|-170141183460469231731687303715884105727}",
            "-170141183460469231731687303715884105728",
        ),
        (
            "{170141183460469231731687303715884105727|170141183460469231731687303715884105728}",
            "340282366920938463463374607431768211455/2",
        ),
        (
            "170141183460469231731687303715884105728 - 1/2",
            "340282366920938463463374607431768211455/2",
        ),
        (
            "9223372036854775807.(9223372036854775807000000000000000000000)",
            "85070591730234615847396907784232501249000000000000000000000",
        ),
    ] {
        let v = g.parse_value(text).unwrap();
        assert_eq!(g.print(v).unwrap(), value, "{text}");
    }
    // a hot sum whose finest and largest numbers are 2^-300 and 2^300
    let (huge, fine) = (power(300), format!("1/{}", power(300)));
    let v = g
        .parse_value(&format!("±{huge} + ±{fine} + {{3||2|{huge}}}"))
        .unwrap();
    let difference = g.parse_value(&format!("{huge} - {fine} + 3")).unwrap();
    assert_eq!(g.left_stop(v), g.as_number(difference).unwrap());
    let n = g.parse_value(&huge).unwrap();
    assert_eq!(g.birthday(n).unwrap().to_string(), huge);
    // and a limit, which names itself
    let e = g.parse(&"9".repeat(1_000_000)).unwrap_err().to_string();
    assert!(e.contains("157827 digits"), "{e}");
    let mut g = Games::with_limits(Limits {
        wide: 1_000,
        ..Limits::default()
    });
    let e = g.parse_value(&format!("{{{digits}|0}}")).unwrap_err();
    assert!(matches!(e, Error::Limit { limit: 1_000, .. }), "{e}");
}

/// 2^k in decimal, by doubling digits.
fn power(k: u32) -> String {
    let mut digits = vec![1_u8];
    for _ in 0..k {
        let mut carry = 0;
        for d in &mut digits {
            (*d, carry) = ((*d * 2 + carry) % 10, (*d * 2 + carry) / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|d| char::from(b'0' + d)).collect()
}

/// {n|{n-1|..{1|0}}}: its mean is n - 1 + 1/2^n, so 100,000 levels take 600 MB for the means alone. They are
/// not kept; the scores are exact all the same.
#[test]
fn the_best_move_in_a_game_nested_100_000_deep() {
    let open: String = (1..=DEEP).rev().map(|k| format!("{{{k}|")).collect();
    let deep = format!("{open}0{}", "}".repeat(DEEP));
    // memory for the fine numbers of some thousand levels
    let limits = Limits {
        wide: 1 << 22,
        ..Limits::default()
    };
    for (sum, left, right) in [
        (deep.clone(), "100000", "99999"),
        (format!("{deep} + 5"), "100005", "100004"),
    ] {
        let r = yose_cgt::report::best(&sum, Player::Left, SumLimits::default(), limits).unwrap();
        let stops = (r.value.left_stop.unwrap(), r.value.right_stop.unwrap());
        assert_eq!((&*stops.0, &*stops.1), (left, right));
        assert!(r.value.mean.is_none() && r.regions[0].mean.is_none());
        assert_eq!((&*r.best[0].score, r.best.len()), (left, 1));
    }
    // with others beside it the search ends at its depth, with bounds that hold: 100 is certain
    let sum = format!("{deep} + ±100 + {{3||1|-2}}");
    for who in [Player::Left, Player::Right] {
        let few = SumLimits {
            nodes: Some(2_000),
            time: None,
        };
        let r = yose_cgt::report::best(&sum, who, few, limits).unwrap();
        let number = |s: &String| s.parse::<i64>().unwrap();
        let [low, high] = &r.value.left_stop_bounds;
        assert!(
            (99_999 + 98..=100_000 + 103).contains(&number(low)),
            "{low}"
        );
        assert!(
            (99_999 + 98..=100_000 + 103).contains(&number(high)),
            "{high}"
        );
        let [low, high] = &r.value.right_stop_bounds;
        assert!(
            number(low) <= 100_000 - 98 && number(high) >= 99_999 - 102,
            "{low} {high}"
        );
    }
}

#[test]
fn unclosed_brackets_are_an_error_with_a_place() {
    let mut g = Games::new();
    let e = g.parse(&"{".repeat(DEEP)).unwrap_err();
    let Error::Parse(e) = e else { panic!("{e}") };
    assert_eq!(e.offset, DEEP);
}

#[test]
fn limits_stop_growth() {
    let small = Limits {
        games: 50,
        ..Limits::default()
    };
    let mut g = Games::with_limits(small);
    let e = g.parse_value("±1 + ±2 + ±4 + ±8 + ±16 + ±32").unwrap_err();
    assert!(matches!(e, Error::Limit { limit: 50, .. }), "{e}");
    let mut g = Games::with_limits(Limits {
        forms: 10,
        ..Limits::default()
    });
    assert!(matches!(
        g.parse(&nested("{0|", "0", "}")),
        Err(Error::Limit { .. })
    ));
    let mut g = Games::with_limits(Limits {
        text: 100,
        ..Limits::default()
    });
    let v = g.parse_value("±1 + ±2 + ±4 + ±8 + ±16 + ±32").unwrap();
    assert!(matches!(g.print(v), Err(Error::Limit { .. })));
    let mut g = Games::new();
    assert!(matches!(
        g.parse_value("{*999999999|-5}"),
        Err(Error::Limit { .. })
    ));
}
