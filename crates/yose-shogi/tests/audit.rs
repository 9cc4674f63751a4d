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
use yose_retro::{Game, Outcome, Value, reference};
use yose_shogi::audit::plain::{self, Claim, Fault};
use yose_shogi::audit::{
    self, AuditError, AuditReport, InMemory, Options, Verdict, depth_code, depth_value,
};
use yose_shogi::{DropShogi, Inventory, Variant};

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
        ("dobutsu", "CCE"),
        ("micro", "G"),
        ("micro", "PB"),
        ("micro", "SS"),
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
    }
    assert!(checked > 1_000_000);
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
