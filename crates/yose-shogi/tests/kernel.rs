//! The bit-parallel kernel against the reference solver, position by position, and against
//! published figures.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use yose_retro::tally::Tally;
use yose_retro::{Game, Value, reference};
use yose_shogi::kernel::{SolveOptions, Solved, reachable, solve};
use yose_shogi::{Counts, DropShogi, Inventory, Variant};

fn kernel(game: &DropShogi, threads: usize, depth: bool) -> Solved {
    let options = SolveOptions { threads, depth };
    solve(game.variant(), game.index(), options, &mut |_| {})
}

/// What the kernel stores for a value.
fn coded(value: Option<Value>) -> u32 {
    match value {
        None | Some(Value::Draw) => 0,
        Some(Value::Win(plies) | Value::Loss(plies)) => plies,
    }
}

/// All depths in order of the index.
fn depths(game: &DropShogi, solved: &Solved) -> Vec<u32> {
    let mut depths = Vec::new();
    let mut slice = Vec::new();
    for number in 0..game.index().slices().stored() {
        solved.depths(number, &mut slice);
        depths.extend(slice.chunks(solved.levels().depth_bytes()).map(|bytes| {
            let mut number = [0; 4];
            number[..bytes.len()].copy_from_slice(bytes);
            u32::from_le_bytes(number)
        }));
    }
    depths
}

fn compare(game: &DropShogi, label: &str) {
    let solution = reference::solve(game, &mut |_| {}).unwrap();
    let counts = Counts::new(game.variant(), game.inventory()).unwrap();
    let solved = kernel(game, 2, true);
    let depths = depths(game, &solved);
    assert_eq!(depths.len() as u64, game.index().stored_size(), "{label}");
    for (index, &depth) in (0..).zip(&depths) {
        let value = solution.value(index);
        assert_eq!(
            depth,
            coded(value),
            "{label}: {index} {:?}",
            game.unrank(index)
        );
    }
    let tally = Tally::of(game, &solution);
    assert_eq!(solved.levels().whole_tally(&counts), tally, "{label}");
    assert_eq!(
        u128::from(solved.levels().tally().canonical.positions()),
        counts.canonical_kings_apart(),
        "{label}"
    );
    // What a few positions reach, the first and last of the index among them.
    let size = game.index_size();
    let starts = [0, size / 3, size / 2, size.saturating_sub(1)];
    for start in starts.into_iter().filter_map(|index| game.unrank(index)) {
        let reached = reachable(game.variant(), game.index(), &start, &solved);
        let expected = yose_retro::reachable::count(game, &solution, &start).ok();
        assert_eq!(reached, expected, "{label}: {start:?}");
    }
    // Without distances the outcomes are the same, on one thread as on two.
    let solved = kernel(game, 1, false);
    let mut outcomes = Vec::new();
    let mut all = Vec::new();
    for number in 0..game.index().slices().stored() {
        solved.outcomes(number, &mut outcomes);
        all.extend_from_slice(&outcomes);
    }
    let expected: Vec<u8> = depths
        .iter()
        .map(|&d| {
            if d == 0 {
                0
            } else {
                2 - u8::try_from(d % 2).unwrap()
            }
        })
        .collect();
    assert!(all == expected, "{label}");
}

fn game(variant: &str, pieces: &str) -> DropShogi {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

#[test]
fn built_in_variants() {
    for (variant, pieces) in [
        ("shogi4", "-"),
        ("shogi4", "P"),
        ("shogi4", "PF"),
        ("shogi4", "TT"),
        ("dobutsu", "-"),
        ("dobutsu", "C"),
        ("dobutsu", "CC"),
        ("dobutsu", "GE"),
        ("dobutsu", "CCE"),
        ("micro", "G"),
        ("micro", "S"),
        ("micro", "PB"),
        ("micro", "PP"),
    ] {
        compare(&game(variant, pieces), &format!("{variant} {pieces}"));
    }
}

/// Random inventories of random variants, kept small enough for the reference solver.
#[test]
fn made_up_variants() {
    let (mut compared, mut wide) = (0, 0);
    for seed in 1000.. {
        let variant = common::made_up_variant(seed);
        let mut choices = common::Choices::new(seed);
        let counts: Vec<u8> = variant
            .kinds
            .iter()
            .map(|kind| u8::try_from(choices.below(usize::from(kind.total) + 1)).unwrap())
            .collect();
        let Ok(game) = DropShogi::new(variant, Inventory::from_counts(counts)) else {
            continue;
        };
        if game.index_size() > 150_000 {
            continue;
        }
        compare(&game, &common::variant_text(seed));
        compared += 1;
        wide += u32::from(game.index().lanes().width() > 256);
        if compared >= 150 && wide >= 4 {
            break;
        }
    }
}

/// Shogi4 with three pieces: 51 million positions, published and re-computed elsewhere.
#[test]
fn shogi4_pfr() {
    let game = game("shogi4", "PFR");
    let counts = Counts::new(game.variant(), game.inventory()).unwrap();
    let tally = kernel(&game, 2, true).levels().whole_tally(&counts);
    let all = (tally.all.win, tally.all.loss, tally.all.draw);
    assert_eq!(all, (41_333_716, 9_713_496, 414_356));
    let published = include_str!("../../../tests/data/shogi/shogi4_dtw_PFR.tsv");
    let rows = published
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1);
    let mut compared = 0;
    for row in rows {
        let [outcome, ply, positions] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let found = tally
            .histogram
            .iter()
            .find(|row| row.value.to_string() == outcome && row.depth == ply.parse().ok())
            .map_or(0, |row| row.all);
        assert_eq!(found, positions.parse::<u64>().unwrap(), "{row}");
        compared += 1;
    }
    assert!(compared > 60);
}
