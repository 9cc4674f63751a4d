//! What play reaches in Micro shogi with two golds and two pawns, as published for another program:
//! 869 million positions by outcome and distance.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use yose_retro::Outcome;
use yose_retro::tally::Tally;
use yose_shogi::kernel::{SolveOptions, reachable, solve};
use yose_shogi::{Counts, DropShogi, Inventory, Variant};

fn game() -> DropShogi {
    let variant = Variant::built_in("micro").unwrap();
    let inventory = Inventory::parse("PPGG", &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

/// The lines of a data file that are not remarks, split at tabs, without the line of names.
fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

type Histogram = BTreeMap<(Outcome, Option<u32>), u64>;

/// Positions by outcome and distance.
fn published() -> Histogram {
    let data = include_str!("../../../tests/data/shogi/micro_kpg_reachable_dtm.tsv");
    let rows = rows(data).map(|row| {
        let outcome = match row[0] {
            "win" => Outcome::Win,
            "loss" => Outcome::Loss,
            "draw" => Outcome::Draw,
            other => panic!("{other} is no outcome"),
        };
        ((outcome, row[1].parse().ok()), row[2].parse().unwrap())
    });
    rows.collect()
}

/// Positions won, lost and drawn, and the largest distance, as published in another place.
fn published_sums() -> ([u64; 3], u32) {
    let row = rows(include_str!("../../../tests/data/shogi/micro_wld.tsv"))
        .find(|row| row[0] == "reach_KPG")
        .unwrap();
    let number = |at: usize| row[at].parse::<u64>().unwrap();
    assert_eq!(number(1), number(2) + number(3) + number(4));
    let sums = [number(2), number(3), number(4)];
    (sums, row[5].parse().unwrap())
}

/// No more than can be asked in a second: the published figures agree with each other and with what
/// the rules and the formula for all positions say.
#[test]
fn the_figures_are_possible() {
    let histogram = published();
    let (sums, deepest) = published_sums();
    let sum = |wanted: Outcome| -> u64 {
        let rows = histogram.iter().filter(|((value, _), _)| *value == wanted);
        rows.map(|(_, positions)| positions).sum()
    };
    let found = [Outcome::Win, Outcome::Loss, Outcome::Draw].map(sum);
    assert_eq!(found, sums);
    // The capture of the king is ply 1, so wins are odd and losses even, without a gap.
    for ply in 1..=deepest {
        let outcome = match ply % 2 {
            1 => Outcome::Win,
            _ => Outcome::Loss,
        };
        assert!(histogram[&(outcome, Some(ply))] > 0, "{ply}");
    }
    assert_eq!(histogram.len(), deepest as usize + 1);
    let game = game();
    let counts = Counts::new(game.variant(), game.inventory()).unwrap();
    let reached: u64 = sums.iter().sum();
    assert!(u128::from(reached) < counts.canonical());
    // Some of what is there is out of reach, but not much.
    assert!(u128::from(reached) * 5 > counts.canonical() * 4);
}

#[test]
#[ignore = "85 seconds and 1.2 GB"]
fn what_play_reaches_is_as_published() {
    let game = game();
    let options = SolveOptions {
        threads: 2,
        depth: true,
    };
    let solved = solve(game.variant(), game.index(), options, &mut |_| {});
    let start = game.variant().start(game.inventory()).unwrap();
    let tally: Tally = reachable(game.variant(), game.index(), &start, &solved).unwrap();
    let counts = tally.canonical;
    assert_eq!([counts.win, counts.loss, counts.draw], published_sums().0);
    let rows = tally.histogram.iter();
    let found: Histogram = rows
        .map(|row| ((row.value, row.depth), row.canonical))
        .filter(|&(_, positions)| positions > 0)
        .collect();
    assert_eq!(found, published());
}
