//! Line counts from the start positions equal the published ones.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use yose_shogi::{Counting, Inventory, PerftError, Rules, Variant};

const TRUTH: &str = include_str!("../../../tests/data/shogi/perft.tsv");

/// Depths that take a test build more than a few seconds are left to `benches/perft.rs`.
fn depth_limit(game: &str) -> u32 {
    match game {
        "shogi4" => 7,
        "dobutsu" => 8,
        _ => 6,
    }
}

#[test]
fn counts_equal_the_published_ones() {
    let mut compared = 0;
    for name in Variant::built_in_names() {
        let rules = Rules::new(Variant::built_in(name).unwrap());
        let start = rules
            .variant()
            .start(&Inventory::full(rules.variant()))
            .unwrap();
        for (counting, word) in [(Counting::All, "pseudo"), (Counting::KingSafe, "legal")] {
            let counts = rules.perft(&start, depth_limit(name), counting).unwrap();
            for line in TRUTH.lines() {
                let fields: Vec<_> = line.split('\t').collect();
                if fields[0] != name || fields[2] != word {
                    continue;
                }
                let depth: u32 = fields[1].parse().unwrap();
                let nodes: u64 = fields[3].parse().unwrap();
                if depth <= depth_limit(name) {
                    assert_eq!(counts[depth as usize - 1], nodes, "{name} {word} {depth}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 34);
}

#[test]
fn depth_is_bounded() {
    let rules = Rules::new(Variant::built_in("shogi4").unwrap());
    let start = rules
        .variant()
        .start(&Inventory::full(rules.variant()))
        .unwrap();
    assert_eq!(rules.perft(&start, 0, Counting::All).unwrap(), []);
    assert_eq!(
        rules.perft(&start, u32::MAX, Counting::All),
        Err(PerftError::TooDeep(u32::MAX))
    );
}
