//! The folded index against the plain board: same positions, same values.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::HashMap;

use yose_race::{Columns, Move, Position, Race, Side, Table};
use yose_retro::selfcheck::{self, Options};
use yose_retro::tally::Tally;
use yose_retro::{Game, Successor, Value, reference};

fn columns(count: usize) -> Columns {
    Columns::new(count).unwrap()
}

/// C(n, 2).
fn pairs(n: u64) -> u64 {
    n * (n - 1) / 2
}

#[test]
fn the_game_keeps_its_promises() {
    for count in [4, 6] {
        let table = Table::solve(columns(count), &mut |_| {}).unwrap();
        let n = count as u64;
        let options = Options {
            solution: Some(table.solution()),
            positions: Some(2 * pairs(n).pow(3) * (n / 2).pow(2)),
        };
        let report = selfcheck::check(table.race(), options);
        assert!(report.passed(), "{} columns: {:#?}", count, report.first);
        assert_eq!(report.holes, 0);
        assert_eq!(report.positions, table.race().index_size());
        assert!(report.predecessors > report.positions);
    }
}

/// The race once more, with every position an index of its own and nothing folded.
struct Plain {
    race: Race,
    positions: Vec<Position>,
    index: HashMap<Position, u64>,
}

impl Plain {
    fn new(columns: Columns) -> Plain {
        let race = Race::new(columns);
        let positions: Vec<Position> = race.every_position().collect();
        let index = positions.iter().copied().zip(0..).collect();
        Plain {
            race,
            positions,
            index,
        }
    }
}

impl Game for Plain {
    type Position = Position;
    type Move = Move;

    fn index_size(&self) -> u64 {
        self.positions.len() as u64
    }
    fn rank(&self, position: &Position) -> Option<u64> {
        self.index.get(position).copied()
    }
    fn unrank(&self, index: u64) -> Option<Position> {
        self.positions.get(usize::try_from(index).unwrap()).copied()
    }
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        position.moves_into(moves);
    }
    fn play(&self, position: &Position, mv: Move) -> Successor<Position> {
        position.play(mv).unwrap()
    }
    fn stuck(&self) -> Value {
        Value::Loss(0)
    }
    fn weight(&self, _: &Position) -> u64 {
        1
    }
    fn symmetries(&self, _: &Position) -> Vec<Position> {
        Vec::new()
    }
}

#[test]
fn folding_changes_no_value() {
    for count in [4, 6] {
        let plain = Plain::new(columns(count));
        let solution = reference::solve(&plain, &mut |_| {}).unwrap();
        let folded = reference::solve(&plain.race, &mut |_| {}).unwrap();
        for position in &plain.positions {
            assert_eq!(
                folded.value_of(&plain.race, position),
                solution.value_of(&plain, position),
                "{position}"
            );
        }
        // And no count: the weights stand for exactly the positions folded away.
        let (all, plain) = (
            Tally::of(&plain.race, &folded),
            Tally::of(&plain, &solution),
        );
        assert_eq!(all.all, plain.all);
        assert_eq!(
            all.histogram
                .iter()
                .map(|row| (row.value, row.depth, row.all))
                .collect::<Vec<_>>(),
            plain
                .histogram
                .iter()
                .map(|row| (row.value, row.depth, row.all))
                .collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_domain_is_as_large_as_the_formula_says() {
    for (count, positions) in [(4, 1728), (6, 60_750), (8, 702_464), (10, 4_556_250)] {
        let race = Race::new(columns(count));
        assert_eq!(race.positions(), positions);
        assert_eq!(race.every_position().count() as u64, positions);
        let weights = (0..race.index_size()).map(|i| race.weight(&race.unrank(i).unwrap()));
        assert_eq!(weights.sum::<u64>(), positions);
    }
    assert_eq!(Race::new(columns(12)).positions(), 20_699_712);
    assert_eq!(Race::new(columns(16)).positions(), 221_184_000);
}

#[test]
fn there_are_n_to_the_sixth_starts_all_different() {
    for count in [4, 6, 8] {
        for side in [Side::Red, Side::Black] {
            let race = Race::new(columns(count));
            let mut starts: Vec<String> = race
                .every_start(side)
                .map(|start| {
                    assert!(start.is_start() && start.to_move() == side, "{start}");
                    start.to_string()
                })
                .collect();
            starts.sort();
            starts.dedup();
            assert_eq!(starts.len(), (count / 2).pow(6));
            // Nothing else is one.
            let counted = race.every_position().filter(Position::is_start).count();
            assert_eq!(counted, 2 * starts.len());
        }
    }
}

#[test]
fn a_position_of_another_width_has_no_index() {
    let position: Position = "r2b/r2b/r2b/1rb1 r".parse().unwrap();
    assert_eq!(Race::new(columns(6)).rank(&position), None);
    assert_eq!(Race::new(columns(4)).unrank(252), None);
    assert_eq!(Race::new(columns(4)).unrank(u64::MAX), None);
}
