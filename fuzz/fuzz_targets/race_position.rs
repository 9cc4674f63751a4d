//! The text of a race position: refused, or canonical.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yose_race::Position;

fuzz_target!(|text: &str| {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string(), text);
        for mv in position.moves() {
            position.play(mv).expect("a listed move is legal");
        }
    }
});
