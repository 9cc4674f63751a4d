//! Positions and moves as text: strict, and one to one.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;

use proptest::prelude::*;
use yose_race::{Columns, Move, Position, Race, Row};
use yose_retro::Game;

fn position_error(text: &str) -> String {
    text.parse::<Position>().unwrap_err().to_string()
}

fn move_error(text: &str) -> String {
    text.parse::<Move>().unwrap_err().to_string()
}

#[test]
fn every_position_of_a_small_board_round_trips() {
    for columns in [4, 6] {
        let mut texts: Vec<String> = Race::new(Columns::new(columns).unwrap())
            .every_position()
            .map(|position| {
                let text = position.to_string();
                assert_eq!(text.parse(), Ok(position), "{text}");
                text
            })
            .collect();
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count, "two positions share a text");
    }
}

#[test]
fn runs_may_have_two_digits() {
    let text = "r14b/13rb1/14rb/7r7b b";
    assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
    let text = "10rb/rb10/r10b/5rb5 r";
    assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
}

#[test]
fn errors_of_positions_say_where_and_what() {
    for (text, error) in [
        (
            "",
            "expected a number from 1 to 14 or the red piece 'r' at byte 0, found the end",
        ),
        (
            "x",
            "expected a number from 1 to 14 or the red piece 'r' at byte 0, found 'x'",
        ),
        (
            "寄せ",
            "expected a number from 1 to 14 or the red piece 'r' at byte 0, found '寄'",
        ),
        (
            "0r2b",
            "expected a number from 1 to 14 or the red piece 'r' at byte 0, found '0'",
        ),
        (
            "r02b",
            "expected a number from 1 to 14 or the black piece 'b' at byte 1, found '0'",
        ),
        (
            "r100b",
            "expected a number from 1 to 14 or the black piece 'b' at byte 1, found '1'",
        ),
        (
            "r99999999999999999999b",
            "expected a number from 1 to 14 or the black piece 'b' at byte 1, found '9'",
        ),
        ("1x", "expected the red piece 'r' at byte 1, found 'x'"),
        ("r2r", "expected the black piece 'b' at byte 2, found 'r'"),
        (
            "r2b",
            "expected a number from 1 to 14, or '/' and the next row at byte 3, found the end",
        ),
        (
            "r1b1 ",
            "expected '/' and the next row at byte 4, found ' '",
        ),
        (
            "b2r/r2b",
            "in row A Red does not stand left of Black: see byte 0",
        ),
        (
            "r2b/1b1r",
            "in row B Red does not stand left of Black: see byte 5",
        ),
        (
            "rb/rb/rb/rb r",
            "row A, which begins at byte 0, has 2 columns; the board has an even number of columns from 4 to 16",
        ),
        (
            "r3b/",
            "row A, which begins at byte 0, has 5 columns; the board has an even number of columns from 4 to 16",
        ),
        (
            "r16b/",
            "row A, which begins at byte 0, has 18 columns; the board has an even number of columns from 4 to 16",
        ),
        (
            "99r99b99/",
            "row A, which begins at byte 0, has 299 columns; the board has an even number of columns from 4 to 16",
        ),
        (
            "r2b/r3b/",
            "row B, which begins at byte 4, has 5 columns; row A has 4",
        ),
        (
            "r2b/r2b/r2b/2rb r",
            "the red piece of row D is not in its own half: see byte 13",
        ),
        (
            "r2b/r2b/r2b/rb2 r",
            "the black piece of row D is not in its own half: see byte 13",
        ),
        (
            "r2b/r2b/r2b/b2r r",
            "the black piece of row D is not in its own half: see byte 12",
        ),
        (
            "r2b/r2b/r2b/r2b",
            "expected a number from 1 to 14, or a space and the side to move at byte 15, found the end",
        ),
        (
            "r2b/r2b/r2b/r2b ",
            "expected the side to move, 'r' or 'b' at byte 16, found the end",
        ),
        (
            "r2b/r2b/r2b/r2b  r",
            "expected the side to move, 'r' or 'b' at byte 16, found ' '",
        ),
        (
            "r2b/r2b/r2b/r2b R",
            "expected the side to move, 'r' or 'b' at byte 16, found 'R'",
        ),
        (
            "r2b/r2b/r2b/r2b r\n",
            "expected the end at byte 17, found '\\n'",
        ),
    ] {
        assert_eq!(position_error(text), error, "{text:?}");
    }
}

#[test]
fn errors_of_moves_say_where_and_what() {
    for (text, error) in [
        ("", "expected a row from A to D at byte 0, found the end"),
        ("b2-4", "expected a row from A to D at byte 0, found 'b'"),
        ("E2-4", "expected a row from A to D at byte 0, found 'E'"),
        (
            "B",
            "expected a column from 1 to 16 at byte 1, found the end",
        ),
        (
            "B0-4",
            "expected a column from 1 to 16 at byte 1, found '0'",
        ),
        (
            "B17-4",
            "expected a column from 1 to 16 at byte 1, found '1'",
        ),
        ("B2", "expected '-' at byte 2, found the end"),
        ("B2–4", "expected '-' at byte 2, found '–'"),
        (
            "B2-04",
            "expected a column from 1 to 16 at byte 3, found '0'",
        ),
        ("B2-4 ", "expected the end at byte 4, found ' '"),
    ] {
        assert_eq!(move_error(text), error, "{text:?}");
    }
}

#[test]
fn every_move_round_trips() {
    for row in Row::ALL {
        for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
            let mv = Move { row, from, to };
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    }
}

/// What holds of any text: it is refused at an offset inside it, or is the canonical text.
fn reads_strictly(text: &str) {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string(), text);
    }
    match text.parse::<Move>() {
        Ok(mv) => assert_eq!(mv.to_string(), text),
        Err(error) => assert!(text.is_char_boundary(error.offset)),
    }
}

/// The seeds of the fuzz targets, read by the same property as there.
#[test]
fn the_fuzz_corpus_reads_strictly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut read = 0;
    for target in ["race_position", "race_move"] {
        for entry in std::fs::read_dir(root.join(target)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            if let Ok(text) = std::str::from_utf8(&bytes) {
                reads_strictly(text);
            }
            read += 1;
        }
    }
    assert!(read >= 10, "{read} seeds");
}

fn any_position() -> impl Strategy<Value = Position> {
    prop::sample::select(Columns::all().collect::<Vec<_>>()).prop_flat_map(|columns| {
        let race = Race::new(columns);
        (0..race.index_size(), any::<bool>()).prop_map(move |(index, turn)| {
            let position = race.unrank(index).unwrap();
            if turn { position.turned() } else { position }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_of_every_width_round_trip(position in any_position()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }

    /// One character changed, taken out or put in.
    #[test]
    fn near_misses_read_strictly(
        position in any_position(),
        at in any::<prop::sample::Index>(),
        with in "[rb/ 0-9x寄-]{0,2}",
        cut in 0_usize..2,
    ) {
        let mut text = position.to_string();
        let at = at.index(text.len());
        text.replace_range(at..(at + cut).min(text.len()), &with);
        reads_strictly(&text);
    }

    #[test]
    fn any_text_reads_strictly(text in any::<String>()) {
        reads_strictly(&text);
    }

    #[test]
    fn any_text_of_its_letters_reads_strictly(text in "[ABCDrb/ 0-9-]{0,24}") {
        reads_strictly(&text);
    }
}
