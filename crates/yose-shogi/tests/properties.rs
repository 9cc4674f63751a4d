//! Properties of the rules and notations, over positions of the built-in variants and of made-up
//! ones that take every choice a variant file offers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use common::{any_position, any_variant, naive, variant_text};
use proptest::prelude::*;
use yose_shogi::{After, Position, Rules, Variant};

fn after_text(variant: &Variant, after: After) -> String {
    match after {
        After::Continues(next) => variant.sfen(&next),
        After::KingTaken => "king taken".to_owned(),
        After::Try => "try".to_owned(),
    }
}

fn moves(rules: &Rules, position: &Position) -> BTreeMap<String, String> {
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    let texts: BTreeMap<_, _> = moves
        .iter()
        .map(|&mv| {
            (
                rules.variant().usi(mv),
                after_text(rules.variant(), rules.play(position, mv)),
            )
        })
        .collect();
    assert_eq!(texts.len(), moves.len(), "a move is listed twice");
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn moves_equal_those_of_a_plain_implementation(variant: u64, position: u64) {
        let rules = Rules::new(any_variant(variant));
        let position = any_position(rules.variant(), position);
        let expected = naive::moves(rules.variant(), &position);
        prop_assert_eq!(rules.count_moves(&position) as usize, expected.len());
        prop_assert_eq!(moves(&rules, &position), expected);
    }

    #[test]
    fn positions_round_trip_through_sfen(variant: u64, position: u64) {
        let variant = any_variant(variant);
        let position = any_position(&variant, position);
        let text = variant.sfen(&position);
        prop_assert_eq!(variant.parse_sfen(&text).unwrap(), position);
        let without_counter = text.strip_suffix(" 1").unwrap();
        prop_assert_eq!(variant.parse_sfen(without_counter).unwrap(), position);
        prop_assert_eq!(variant.parse_position(&text).unwrap(), position);
    }

    #[test]
    fn moves_round_trip_through_usi_and_stay_legal(variant: u64, position: u64) {
        let rules = Rules::new(any_variant(variant));
        let position = any_position(rules.variant(), position);
        let mut moves = Vec::new();
        rules.moves(&position, &mut moves);
        for mv in moves {
            let text = rules.variant().usi(mv);
            prop_assert_eq!(rules.parse_move(&position, &text).unwrap(), mv);
            if let After::Continues(next) = rules.play(&position, mv) {
                prop_assert_eq!(next.inventory(), position.inventory());
                prop_assert_eq!(rules.variant().parse_sfen(&rules.variant().sfen(&next)).unwrap(), next);
            }
        }
    }

    #[test]
    fn turned_and_mirrored_positions_have_the_same_moves(variant: u64, position: u64) {
        let rules = Rules::new(any_variant(variant));
        let board = rules.variant().board();
        let position = any_position(rules.variant(), position);
        let afters = |position: &Position, image: &dyn Fn(&Position) -> Position| {
            let mut found = BTreeMap::<String, usize>::new();
            rules.for_each_move(position, |mv| {
                let after = match rules.play(position, mv) {
                    After::Continues(next) => After::Continues(image(&next)),
                    end => end,
                };
                *found.entry(after_text(rules.variant(), after)).or_default() += 1;
            });
            found
        };
        let plain = afters(&position, &|p| *p);
        prop_assert_eq!(&plain, &afters(&position.turned(board), &|p| p.turned(board)));
        prop_assert_eq!(&plain, &afters(&position.mirrored(board), &|p| p.mirrored(board)));
        prop_assert_eq!(position.turned(board).turned(board), position);
        prop_assert_eq!(rules.takes_king(&position), plain.contains_key("king taken"));
    }

    #[test]
    fn un_moves_are_the_reverse_of_moves(variant: u64, position: u64) {
        let rules = Rules::new(any_variant(variant));
        let position = any_position(rules.variant(), position);
        let follows = |before: &Position, after: &Position| {
            let mut found = false;
            rules.for_each_move(before, |mv| {
                found |= rules.play(before, mv) == After::Continues(*after);
            });
            found
        };
        let before = rules.predecessors(&position);
        let distinct: HashSet<_> = before.iter().collect();
        prop_assert_eq!(distinct.len(), before.len());
        for before in &before {
            let sfen = rules.variant().sfen(before);
            prop_assert_eq!(&rules.variant().parse_sfen(&sfen).unwrap(), before);
            prop_assert!(follows(before, &position), "{} does not lead on", sfen);
        }
        let mut nexts = BTreeSet::new();
        rules.for_each_move(&position, |mv| {
            if let After::Continues(next) = rules.play(&position, mv) {
                nexts.insert(rules.variant().sfen(&next));
            }
        });
        for next in nexts {
            let before = rules.predecessors(&rules.variant().parse_sfen(&next).unwrap());
            prop_assert!(before.contains(&position), "no way back from {next}");
        }
    }

    #[test]
    fn variant_files_are_read_whole(seed: u64, cut: prop::sample::Index) {
        let text = variant_text(seed);
        let variant = Variant::parse(&text).unwrap();
        prop_assert_eq!(variant.starts.len(), 1);
        // A file that lacks a line is refused, unless the line may be left out.
        let lines: Vec<_> = text.lines().collect();
        let lost = cut.index(lines.len());
        let optional = ["steps", "slides", "leaps", "[kinds.promoted]"];
        if !lines[lost].is_empty() && !optional.iter().any(|key| lines[lost].starts_with(key)) {
            let rest: Vec<_> = lines.iter().enumerate().filter(|&(i, _)| i != lost).map(|(_, l)| *l).collect();
            prop_assert!(Variant::parse(&rest.join("\n")).is_err(), "without {}", lines[lost]);
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[0-9a-zA-Z+*/; .\\-\u{e9}]{0,40}", variant in 0u64..3) {
        let variant = any_variant(variant);
        if let Ok(position) = variant.parse_position(&text) {
            prop_assert_eq!(variant.parse_sfen(&variant.sfen(&position)).unwrap(), position);
        }
        if let Ok(mv) = variant.parse_usi(&text) {
            prop_assert_eq!(variant.parse_usi(&variant.usi(mv)).unwrap(), mv);
        }
    }
}
