//! The notation: what reads as what, what is printed, and where errors point.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use proptest::prelude::*;
use yose_cgt::{Error, Form, Games};

#[test]
fn reads_as() {
    let mut g = Games::new();
    for (a, b) in [
        ("3*2", "3 + *2"),
        ("-3*2", "(-3) + *2"),
        ("1+-1", "0"),
        ("1 + -1", "0"),
        ("1 - -1", "2"),
        ("1 +(+-1)", "{2|0}"),
        ("1 + ±1", "{2|0}"),
        ("+-1", "{1|-1}"),
        ("±1", "{1|-1}"),
        ("±{3|1}", "{{3|1}|{-1|-3}}"),
        ("-2v3*", "(-2) + v3 + *"),
        ("5 - 2v3*", "5 + (-2) + ^3 + *"),
        ("-^", "v"),
        ("-{3|1}", "{-1|-3}"),
        ("^^*", "^2 + *"),
        ("^3", "^ + ^ + ^"),
        ("v2", "v + v"),
        ("1/2^3", "1/2 + ^3"),
        ("{5||2|1}", "{5|{2|1}}"),
        ("{3|2||1}", "{{3|2}|1}"),
        ("{4|3||2|1}", "{{4|3}|{2|1}}"),
        ("{9|||4|3||2|1}", "{9|{{4|3}|{2|1}}}"),
        ("{5,4||2,1|0}", "{5,4|{2,1|0}}"),
        ("{|}", "0"),
        ("{||||}", "0"),
        ("{||1|0}", "{|{1|0}}"),
        ("tiny(2)", "{0||0|-2}"),
        ("Tiny(3/2)", "{0||0|-3/2}"),
        ("miny(2)", "{2|0||0}"),
        ("3.^", "^3"),
        ("-3.^", "v3"),
        ("2.{3|1}", "{3|1} + {3|1}"),
        ("2.(3)", "6"),
        ("0.{3|1}", "0"),
        ("2.-{3|1}", "{-1|-3} + {-1|-3}"),
        ("{3|1}*", "{3|1} + *"),
        ("({3|1} + *) + *", "{3|1}"),
        (" { 1 , 0 | * } ", "{1|*}"),
        ("cool({5|-5},1)", "±4"),
        ("heat(*,3)", "±3"),
        ("overheat(2,1/2,0)", "1"),
        ("rcf({3*|^})", "{3|0}"),
        ("aw(^3*)", "3"),
        ("ordinal(*2,*3)", "*5"),
        ("neg({3|1})", "{-1|-3}"),
        ("00012", "12"),
        ("6/4", "3/2"),
        ("{1|1}", "1*"),
    ] {
        let (x, y) = (g.parse_value(a).unwrap(), g.parse_value(b).unwrap());
        assert_eq!(x, y, "{a} is not {b}");
    }
}

#[test]
fn prints_as() {
    let mut g = Games::new();
    for (typed, printed) in [
        ("{|}", "0"),
        ("{0|1}", "1/2"),
        ("{0|*}", "^"),
        ("^ + ^ + *3 - 1/2", "-1/2^2*3"),
        ("{0||0|-2}", "tiny(2)"),
        ("{2|0||0}", "miny(2)"),
        ("{5|-5}", "±5"),
        ("{1*|-1*}", "±(1*)"),
        ("{{3|1}|{-1|-3}}", "±{3|1}"),
        ("{5|{2|1}}", "{5||2|1}"),
        ("{{9|5}|{2|1}}", "{9|5||2|1}"),
        ("{9|{5|{2|1}}}", "{9|||5||2|1}"),
        ("{9|{8|{7|{6|{5|4}}}}}", "{9|{8|||||7||||6|||5||4|3}}"),
        ("{10,{20|0}|-5}", "{{20|0},10|-5}"),
        ("{1|2|||3}", "{3/2|3}"),
    ] {
        let Ok(x) = g.parse_value(typed) else {
            panic!("{typed}")
        };
        let text = g.print(x).unwrap();
        assert_eq!(g.parse_value(&text).unwrap(), x, "{text}");
        if typed.starts_with("{9|{8") {
            // deeper than four bars: braces come back
            assert!(text.contains("||||") && !text.contains("|||||"), "{text}");
        } else if typed == "{1|2|||3}" {
            assert_eq!(text, "2");
        } else {
            assert_eq!(text, printed, "{typed}");
        }
    }
}

#[test]
fn options_stay_as_typed() {
    let mut g = Games::new();
    let f = g.parse("{18,18,{3|2},-5|0}").unwrap();
    assert_eq!(g.print_form(f).unwrap(), "{18,18,{3|2},-5|0}");
    let n = g.negative_form(f).unwrap();
    assert_eq!(g.print_form(n).unwrap(), "{0|-18,-18,{-2|-3},5}");
    let f = g.parse("{1|0} + (3 + *) - {5|2} + 2.{1|0}").unwrap();
    let texts: Vec<String> = g
        .components(f)
        .into_iter()
        .map(|c| g.print_form(c).unwrap())
        .collect();
    assert_eq!(texts, ["{1|0}", "3", "*", "{-2|-5}", "2.({1|0})"]);
    assert!(matches!(g.form_node(f), Form::Sum(_)));
}

#[test]
fn errors_point_at_the_byte() {
    let mut g = Games::new();
    for (text, offset, expected) in [
        ("", 0, "a game"),
        ("  ", 2, "a game"),
        ("{1|2|3}", 4, "a bar longer or shorter"),
        ("{1||2|3||4}", 7, "a bar longer or shorter"),
        ("{1,|2}", 3, "another option"),
        ("{,1|2}", 1, "a game"),
        ("{1}", 2, "'|'"),
        ("{1|2", 4, "'}' for the '{' at byte 0"),
        ("{1|", 3, "'}' for the '{' at byte 0"),
        ("(1", 2, "')' for the '(' at byte 0"),
        ("1}", 1, "end of text"),
        ("1 2", 2, "'+'"),
        ("1.5", 2, "3/2"),
        ("1/3", 2, "a power of two"),
        ("1/0", 2, "a power of two"),
        ("1/", 2, "a power of two"),
        ("x", 0, "tiny"),
        ("tiny", 4, "'('"),
        ("tiny()", 5, "a game"),
        ("tiny(1,2)", 8, "1 argument"),
        ("cool(1)", 6, "2 arguments"),
        ("{1|0} ++ 2", 7, "a game"),
        ("2 + ", 4, "a game"),
        ("*9999999999", 1, "a count"),
        ("{1|0}π", 5, "'+'"),
        ("99999999999999999999999999.^", 0, "a multiple"),
    ] {
        match g.parse(text) {
            Err(Error::Parse(e)) => {
                assert_eq!(e.offset, offset, "{text}: {e}");
                assert!(e.expected.contains(expected), "{text}: {e}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// No text panics; offsets lie inside it; what is read and evaluated prints and reads back.
    #[test]
    fn any_text(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "{", "}", "|", "||", ",", "1", "0", "-", "+", "±", "*", "^", "v", "2", "/", ".", "(", ")",
            "tiny(", "cool(", " ", "3/4", "{1|0}", "π",
        ]), 0..24)) {
        let text: String = pieces.concat();
        let mut g = Games::with_limits(yose_cgt::Limits { games: 5000, ..Default::default() });
        match g.parse(&text) {
            Err(Error::Parse(e)) => {
                prop_assert!(e.offset <= text.len() && text.is_char_boundary(e.offset));
            }
            Err(e) => prop_assert!(matches!(e, Error::Overflow { .. } | Error::Limit { .. }), "{}", e),
            Ok(form) => if let Ok(v) = g.value(form) {
                let printed = g.print(v).unwrap();
                prop_assert_eq!(g.parse_value(&printed).unwrap(), v, "{}", printed);
                let typed = g.print_form(form).unwrap();
                prop_assert_eq!(g.parse_value(&typed).unwrap(), v, "{}", typed);
            }
        }
    }
}
