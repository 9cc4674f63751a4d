//! The audit of drop-shogi tables: right tables pass, planted faults are found, and the fast form
//! agrees with the plain one slot by slot.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and its tables are small"
)]

mod common;

use std::convert::Infallible;
use std::num::NonZero;

use common::Choices;
use proptest::prelude::*;
use yose_retro::tally::Tally;
use yose_retro::{Game, Outcome, Successor, Value, reference};
use yose_shogi::audit::plain::{self, Claim, Fault};
use yose_shogi::audit::{
    self, AuditError, AuditReport, InMemory, Options, Verdict, depth_code, depth_value,
};
use yose_shogi::{DropShogi, Inventory, Piece, Position, Side, Variant};

fn game(variant: &str, pieces: &str) -> DropShogi {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

/// The depths of all stored slots by the reference solver.
fn solve(game: &DropShogi) -> Vec<u32> {
    let solution = reference::solve(game, &mut |_| {}).unwrap();
    (0..game.index().stored_size())
        .map(|slot| solution.value(slot).map_or(0, depth_code))
        .collect()
}

fn outcome_code(depth: u32) -> u8 {
    match depth_value(depth) {
        Value::Draw => 0,
        Value::Win(_) => 1,
        Value::Loss(_) => 2,
    }
}

fn options(list: usize) -> Options {
    Options::default().with_list(list)
}

fn audit_depths(game: &DropShogi, depths: &[u32], options: &Options) -> AuditReport {
    let (rules, index) = (game.rules(), game.index());
    if depths.iter().all(|&d| d < 256) {
        let bytes = depths.iter().map(|&d| d as u8).collect();
        let table = InMemory::new(index, bytes).unwrap();
        audit::depths(rules, index, &table, options, &|_| {}).unwrap()
    } else {
        let table = InMemory::new(index, depths.to_vec()).unwrap();
        audit::depths(rules, index, &table, options, &|_| {}).unwrap()
    }
}

fn audit_outcomes(game: &DropShogi, codes: &[u8], options: &Options) -> AuditReport {
    let table = InMemory::new(game.index(), codes.to_vec()).unwrap();
    audit::outcomes(game.rules(), game.index(), &table, options, &|_| {}).unwrap()
}

fn audit_ranked(game: &DropShogi, codes: &[u8], ranks: &[u32], options: &Options) -> AuditReport {
    let (rules, index) = (game.rules(), game.index());
    let table = InMemory::new(index, codes.to_vec()).unwrap();
    if ranks.iter().all(|&d| d < 256) {
        let bytes = ranks.iter().map(|&d| d as u8).collect();
        let ranks = InMemory::new(index, bytes).unwrap();
        audit::ranked_outcomes(rules, index, &table, &ranks, options, &|_| {}).unwrap()
    } else {
        let ranks = InMemory::new(index, ranks.to_vec()).unwrap();
        audit::ranked_outcomes(rules, index, &table, &ranks, options, &|_| {}).unwrap()
    }
}

/// The slots with which the plain audit finds fault.
fn plain_violations(game: &DropShogi, claim: impl Fn(usize) -> Claim) -> Vec<u64> {
    let stored = game.index().stored_size();
    let mut claim = |slot: u64| Ok::<_, Infallible>(claim(slot as usize));
    (0..stored)
        .filter(|&slot| {
            let Ok(found) = plain::check(game, stored, slot, &mut claim);
            found.is_some()
        })
        .collect()
}

fn slots(report: &AuditReport) -> Vec<u64> {
    report.first_violations.iter().map(|v| v.slot).collect()
}

#[test]
fn right_tables_pass() {
    let mut checked = 0;
    for (variant, pieces) in [
        ("shogi4", "-"),
        ("shogi4", "P"),
        ("shogi4", "TR"),
        ("shogi4", "PP"),
        ("dobutsu", "-"),
        ("dobutsu", "CG"),
        ("dobutsu", "CC"),
        ("micro", "G"),
        ("micro", "B"),
    ] {
        let game = game(variant, pieces);
        let depths = solve(&game);
        let codes: Vec<u8> = depths.iter().map(|&d| outcome_code(d)).collect();
        for (report, result) in [
            (
                audit_depths(&game, &depths, &options(3)),
                Verdict::Certified,
            ),
            (
                audit_ranked(&game, &codes, &depths, &options(3)),
                Verdict::Certified,
            ),
            (
                audit_outcomes(&game, &codes, &options(3)),
                Verdict::Consistent,
            ),
        ] {
            assert_eq!(report.first_violations, [], "{variant} {pieces}");
            assert_eq!((report.result, report.violations), (result, 0));
            let positions = (0..game.index().stored_size())
                .filter(|&slot| game.unrank(slot).is_some())
                .count();
            assert_eq!(report.checked, positions as u64);
            checked += report.checked;
        }
        let canonical: u64 = (0..game.index_size())
            .filter_map(|slot| game.unrank(slot))
            .filter(|position| game.weight(position) > 0)
            .count() as u64;
        let report = audit_depths(&game, &depths, &options(3));
        assert_eq!(report.positions, canonical, "{variant} {pieces}");
        // Counted from the values, and with another index by the reference solver.
        let solution = reference::solve(&game, &mut |_| {}).unwrap();
        assert_eq!(
            report.tally,
            Tally::of(&game, &solution),
            "{variant} {pieces}"
        );
        let outcomes = audit_outcomes(&game, &codes, &options(3)).tally;
        assert_eq!(
            (outcomes.canonical, outcomes.all),
            (report.tally.canonical, report.tally.all)
        );
        assert!(outcomes.histogram.iter().all(|row| row.depth.is_none()));
    }
    assert!(checked > 500_000);
}

/// A made-up variant and an inventory of it with an index that plain code can go through, if there
/// is one.
fn small_game(seed: u64, largest: u64) -> Option<DropShogi> {
    let variant = common::any_variant(seed);
    let mut c = Choices::new(seed ^ 0x5eed);
    let mut counts: Vec<u8> = variant
        .kinds
        .iter()
        .map(|kind| c.below(usize::from(kind.total) + 1) as u8)
        .collect();
    loop {
        let inventory = Inventory::from_counts(counts.iter().copied());
        match DropShogi::new(variant.clone(), inventory) {
            Ok(game) if game.index_size() <= largest => {
                return (game.index().stored_size() > 0).then_some(game);
            }
            _ => {}
        }
        let kind = counts.iter().position(|&count| count > 0)?;
        counts[kind] -= 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every slot of damaged tables of any variant: the fast audit and the plain one agree.
    #[test]
    fn fast_and_plain_agree(seed in any::<u64>()) {
        let Some(game) = small_game(seed, 40_000) else { return Ok(()) };
        let mut c = Choices::new(seed);
        let mut depths = solve(&game);
        prop_assert_eq!(audit_depths(&game, &depths, &options(5)).first_violations, []);
        // A few wrong depths, or many.
        let damage = [0, 5, depths.len() / 100, depths.len() / 4][c.below(4)];
        let wide = c.one_in(3);
        for _ in 0..damage {
            let slot = c.below(depths.len());
            depths[slot] = c.below(if wide { 300 } else { 12 }) as u32;
        }
        let all = options(usize::MAX)
            .with_threads(NonZero::new(1 + c.below(3)).unwrap());
        let report = audit_depths(&game, &depths, &all);
        let expected = plain_violations(&game, |slot| Claim::Depth(depth_value(depths[slot])));
        prop_assert_eq!(report.violations, expected.len() as u64);
        prop_assert_eq!(slots(&report), expected);

        let mut codes: Vec<u8> = depths.iter().map(|&d| outcome_code(d)).collect();
        for _ in 0..damage {
            let slot = c.below(codes.len());
            codes[slot] = c.below(4) as u8;
        }
        let claim = |code, rank| match (code, rank) {
            (3.., _) => Claim::NoCode(u32::from(code)),
            (_, None) => Claim::Outcome(outcome(code)),
            (_, Some(rank)) => Claim::Ranked(outcome(code), rank),
        };
        let report = audit_outcomes(&game, &codes, &all);
        let expected = plain_violations(&game, |slot| claim(codes[slot], None));
        prop_assert_eq!(slots(&report), expected);
        let report = audit_ranked(&game, &codes, &depths, &all);
        let expected = plain_violations(&game, |slot| claim(codes[slot], Some(depths[slot])));
        prop_assert_eq!(slots(&report), expected);
    }
}

fn outcome(code: u8) -> Outcome {
    match code {
        0 => Outcome::Draw,
        1 => Outcome::Win,
        _ => Outcome::Loss,
    }
}

/// The labels of the two-king game of Shogi4 that agree with each other and are wrong: a letter for
/// each pair of squares (own king, other king) that do not touch, in the left half, in order; a
/// square is its row, counted from below, times four plus its column.
const BOGUS: &str =
    "LWWWLDLDWWWWLWDLDLWWWWWWLWWWDWDWWLWWDWDWWWWWWLWWWWWWWWLWWWWWLLLLWWLWWWWWLLLLWL";

fn bogus_labels(game: &DropShogi) -> Vec<u8> {
    let board = game.variant().board();
    let square = |number: u8| board.square(3 - number / 4, number % 4);
    let mut labels = BOGUS.chars();
    let mut codes = vec![0; game.index().stored_size() as usize];
    for own in (0..16u8).filter(|own| own % 4 < 2) {
        for other in 0..16u8 {
            let near = (own / 4).abs_diff(other / 4) <= 1 && (own % 4).abs_diff(other % 4) <= 1;
            if near {
                continue;
            }
            let mut position = Position::empty(Side::Black);
            position.put(square(own), Piece::king(Side::Black));
            position.put(square(other), Piece::king(Side::White));
            let slot = game.rank(&position).unwrap();
            codes[slot as usize] = match labels.next().unwrap() {
                'W' => 1,
                'L' => 2,
                _ => 0,
            };
        }
    }
    assert_eq!(labels.next(), None);
    codes
}

#[test]
fn a_labelling_that_supports_itself_is_not_certified() {
    let game = game("shogi4", "-");
    let codes = bogus_labels(&game);
    let count = |code| codes.iter().filter(|&&c| c == code).count();
    assert_eq!([count(1), count(2), count(0)], [50, 20, 8]);

    let report = audit_outcomes(&game, &codes, &options(10));
    assert_eq!((report.result, report.violations), (Verdict::Consistent, 0));
    // Any single flip is caught.
    for slot in 0..codes.len() {
        let mut flipped = codes.clone();
        flipped[slot] = (flipped[slot] + 1) % 3;
        let report = audit_outcomes(&game, &flipped, &options(100));
        assert!(slots(&report).contains(&(slot as u64)), "{slot}");
    }
    // The truth: kings alone cannot win.
    let truth = audit_outcomes(&game, &vec![0; codes.len()], &options(10));
    assert_eq!(truth.result, Verdict::Consistent);
    let ranks = vec![0; codes.len()];
    let truth = audit_ranked(&game, &vec![0; codes.len()], &ranks, &options(10));
    assert_eq!(truth.result, Verdict::Certified);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// No ranks and no depths make the wrong labels pass.
    #[test]
    fn no_ranks_certify_wrong_labels(seed in any::<u64>(), most in 1u32..400) {
        let game = game("shogi4", "-");
        let codes = bogus_labels(&game);
        let mut c = Choices::new(seed);
        let ranks: Vec<u32> = codes.iter().map(|_| c.below(most as usize) as u32).collect();
        let report = audit_ranked(&game, &codes, &ranks, &options(1));
        prop_assert_eq!(report.result, Verdict::Failed);
        let depths: Vec<u32> = codes
            .iter()
            .zip(&ranks)
            .map(|(&code, &rank)| match code {
                1 => 2 * rank + 1,
                2 => 2 * rank + 2,
                _ => 0,
            })
            .collect();
        let report = audit_depths(&game, &depths, &options(1));
        prop_assert_eq!(report.result, Verdict::Failed);
    }
}

#[test]
fn planted_faults_are_all_reported() {
    let game = game("shogi4", "PF");
    let truth = solve(&game);
    let all = options(usize::MAX);
    let slots_with = |wanted: &dyn Fn(u32) -> bool| {
        let slots = truth.iter().enumerate().filter(|&(_, &d)| wanted(d));
        let some: Vec<usize> = slots.map(|(slot, _)| slot).step_by(997).take(12).collect();
        some
    };
    let mut planted = 0;
    let mut check = |changed: &[(usize, u32)]| {
        let mut depths = truth.clone();
        for &(slot, depth) in changed {
            assert_ne!(depths[slot], depth);
            depths[slot] = depth;
        }
        let report = audit_depths(&game, &depths, &all);
        assert_eq!(report.result, Verdict::Failed);
        assert_eq!(report.violations, report.first_violations.len() as u64);
        for &(slot, depth) in changed {
            let at = report
                .first_violations
                .binary_search_by_key(&(slot as u64), |v| v.slot);
            let violation = &report.first_violations[at.unwrap()];
            let position = game.unrank(slot as u64);
            assert_eq!(violation.claimed, Claim::Depth(depth_value(depth)));
            assert_eq!(violation.sfen, position.map(|p| game.variant().sfen(&p)));
            planted += 1;
        }
    };
    // Single values: an outcome changed, a hole filled.
    for slot in slots_with(&|depth| depth == 0) {
        check(&[(slot, 1)]);
        check(&[(slot, 2)]);
    }
    for slot in slots_with(&|depth| depth > 0) {
        check(&[(slot, 0)]);
        check(&[(slot, truth[slot] ^ 1)]);
    }
    // Depths off by two.
    for slot in slots_with(&|depth| depth > 2) {
        check(&[(slot, truth[slot] + 2)]);
        check(&[(slot, truth[slot] - 2)]);
    }
    // Two blocks swapped.
    let width = game.index().lanes().width();
    for (a, b) in [(40, 4_000), (1_000, 9_000)] {
        let (a, b) = (a * width, b * width);
        let swapped = (0..width).flat_map(|lane| {
            let (a, b) = (a + lane, b + lane);
            [(a, truth[b]), (b, truth[a])]
        });
        let changed: Vec<_> = swapped.filter(|&(slot, d)| truth[slot] != d).collect();
        assert!(changed.len() > 4);
        check(&changed);
    }
    assert!(planted > 80, "{planted}");
}

#[test]
fn a_violation_says_what_is_wrong() {
    let game = game("shogi4", "F");
    let mut depths = solve(&game);
    let slot = |sfen: &str| {
        let position = game.variant().parse_sfen(sfen).unwrap();
        game.rank(&position).unwrap() as usize
    };
    let fault = |depths: &[u32], at: usize| {
        let report = audit_depths(&game, depths, &options(usize::MAX));
        let found = report.first_violations.into_iter();
        found.into_iter().find(|v| v.slot == at as u64).unwrap()
    };
    // The fox takes the king.
    let wins = slot("k3/F3/4/1K2 b -");
    assert_eq!(depths[wins], 1);
    depths[wins] = 3;
    let violation = fault(&depths, wins);
    assert_eq!(violation.fault, Fault::WinsNow);
    assert_eq!(
        violation.to_string(),
        format!(
            "k3/F3/4/1K2 b - 1 (slot {wins}): win in 3 claimed, but the game is won now (4b4a+)"
        )
    );
    depths[wins] = 1;

    // A loss in 2 said to be a draw.
    let lost = depths.iter().position(|&depth| depth == 2).unwrap();
    depths[lost] = 0;
    let violation = fault(&depths, lost);
    assert_eq!(violation.fault, Fault::Value(Value::Loss(2)));
    assert!(violation.usi.is_some());
    depths[lost] = 2;

    let hole = (0..depths.len())
        .find(|&slot| game.unrank(slot as u64).is_none())
        .unwrap();
    depths[hole] = 7;
    let violation = fault(&depths, hole);
    assert_eq!((violation.fault, violation.sfen), (Fault::Hole, None));
}

/// The slowest win that a byte can hold is 255 plies; a loss one ply before it cannot be written,
/// and a 0 in its place is no draw.
#[test]
fn depths_beyond_the_code_are_not_draws() {
    let game = game("shogi4", "F");
    let mut depths = solve(&game);
    let stored = game.index().stored_size();
    let child_of = |slot: usize| {
        let position = game.unrank(slot as u64)?;
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        moves.iter().find_map(|&mv| match game.play(&position, mv) {
            Successor::Position(next) => game.rank(&next).filter(|&child| child < stored),
            Successor::Decided(_) => None,
        })
    };
    let lost = (0..depths.len()).filter(|&slot| depths[slot] == 2);
    let (lost, child) = lost
        .filter_map(|slot| Some((slot, child_of(slot)?)))
        .next()
        .unwrap();
    depths[lost] = 0;
    depths[child as usize] = 255;
    let report = audit_depths(&game, &depths, &options(usize::MAX));
    let found = report
        .first_violations
        .iter()
        .find(|v| v.slot == lost as u64);
    assert_eq!(found.unwrap().fault, Fault::Value(Value::Loss(256)));
}

#[test]
fn memory_and_threads_do_not_change_the_report() {
    let game = game("dobutsu", "CG");
    let mut depths = solve(&game);
    let mut c = Choices::new(7);
    for _ in 0..300 {
        let slot = c.below(depths.len());
        depths[slot] = c.below(9) as u32;
    }
    let expected = audit_depths(&game, &depths, &options(25));
    assert!(expected.violations > 300);
    let slice = game.index().stored_size() / game.index().slices().stored() as u64;
    let table = InMemory::new(
        game.index(),
        depths.iter().map(|&d| d as u8).collect::<Vec<_>>(),
    )
    .unwrap();
    let mut fits = 0;
    for slices in 0..40 {
        let options = options(25)
            .with_memory(slices * slice)
            .with_threads(NonZero::new(2).unwrap());
        let last = std::sync::atomic::AtomicUsize::new(0);
        let report = audit::depths(game.rules(), game.index(), &table, &options, &|progress| {
            assert_eq!(progress.total, game.index().slices().stored());
            last.fetch_max(progress.slices, std::sync::atomic::Ordering::Relaxed);
        });
        match report {
            Ok(report) => {
                assert_eq!(report, expected);
                assert_eq!(last.into_inner(), game.index().slices().stored());
                fits += 1;
            }
            Err(AuditError::TooLittleMemory { needed, given }) => {
                assert!(fits == 0 && needed > given && given == slices * slice);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(fits > 20, "{fits}");
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let (fox, king) = (game("shogi4", "F"), game("shogi4", "-"));
    let dobutsu = game("dobutsu", "-");
    let table = InMemory::new(king.index(), vec![0u8; 78]).unwrap();
    let refused = |rules: &DropShogi, index: &DropShogi| {
        let (rules, index) = (rules.rules(), index.index());
        audit::depths(rules, index, &table, &Options::default(), &|_| {}).unwrap_err()
    };
    assert!(matches!(
        refused(&fox, &fox),
        AuditError::WrongLength { got: 1, .. }
    ));
    assert!(matches!(
        refused(&dobutsu, &king),
        AuditError::NotOfVariant { .. }
    ));
    let error = InMemory::new(king.index(), vec![0u8; 77]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "77 codes for an index that stores 78 slots"
    );
}

/// More lanes than are gone through at a time, like pieces that change places, jumps, slides, leaps
/// and pieces that turn over when they capture.
#[test]
fn wide_blocks() {
    let variant = Variant::parse(
        r#"
name = "wide"
title = "Five pieces on two files and three ranks"
rows = 3
columns = 2
promotion = "on-capture"
captured = "hand"
drop-faces = "either"
drop-ban = "none"
friendly-jump = true
goal = "take-king"
starts = ["1k/2/K1 b 3A2B 1"]

[king]
name = "king"
letter = "K"
steps = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

[[kinds]]
name = "a"
letter = "A"
total = 3
steps = ["N"]

[kinds.promoted]
name = "other a"
letter = "C"
slides = ["N", "S"]

[[kinds]]
name = "b"
letter = "B"
total = 2
steps = ["NE", "NW"]

[kinds.promoted]
name = "other b"
letter = "D"
leaps = [[1, 2], [-1, 2]]
"#,
    )
    .unwrap();
    let inventory = Inventory::full(&variant);
    let game = DropShogi::new(variant, inventory).unwrap();
    assert_eq!(game.index().lanes().width(), 1024);
    let mut depths = solve(&game);
    assert_eq!(
        audit_depths(&game, &depths, &options(3)).first_violations,
        []
    );
    let mut c = Choices::new(1);
    for _ in 0..2_000 {
        let slot = c.below(depths.len());
        depths[slot] = c.below(9) as u32;
    }
    let expected = plain_violations(&game, |slot| Claim::Depth(depth_value(depths[slot])));
    assert!(expected.len() > 2_000);
    let report = audit_depths(&game, &depths, &options(usize::MAX));
    assert_eq!(slots(&report), expected);
}
