#![no_main]
//! Any text: no panic, an error inside the text, or a game whose printed form has the same value.

use libfuzzer_sys::fuzz_target;
use yose_cgt::{Error, Games, Limits};

fuzz_target!(|text: &str| {
    let limits = Limits {
        games: 20_000,
        forms: 20_000,
        text: 1 << 20,
        breakpoints: 1 << 18,
        wide: 1 << 22,
        multiple: 1 << 8,
    };
    let mut g = Games::with_limits(limits);
    let form = match g.parse(text) {
        Ok(form) => form,
        Err(Error::Parse(e)) => {
            assert!(e.offset <= text.len() && text.is_char_boundary(e.offset));
            return;
        }
        Err(_) => return,
    };
    let Ok(value) = g.value(form) else { return };
    assert!(g.left_stop(value) >= g.right_stop(value));
    if let Ok(printed) = g.print(value) {
        // Reading back may only fail for want of room.
        match g.parse_value(&printed) {
            Ok(again) => assert_eq!(again, value, "{printed}"),
            Err(Error::Limit { .. }) => {}
            Err(e) => panic!("{printed}: {e}"),
        }
    }
    if let Ok(t) = g.thermograph(value) {
        let zero = yose_cgt::Rational::ZERO;
        let stops = (t.left.at(&zero), t.right.at(&zero));
        if let (Ok(l), Ok(r)) = stops {
            assert_eq!(l.to_dyadic(), Some(g.left_stop(value)));
            assert_eq!(r.to_dyadic(), Some(g.right_stop(value)));
        }
    }
});
