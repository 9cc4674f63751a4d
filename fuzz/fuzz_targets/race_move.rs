//! The text of a race move: refused at an offset inside it, or canonical.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yose_race::Move;

fuzz_target!(|text: &str| {
    match text.parse::<Move>() {
        Ok(mv) => assert_eq!(mv.to_string(), text),
        Err(error) => assert!(text.is_char_boundary(error.offset)),
    }
});
