//! Solved positions: against a second solver's figures, and as reports.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;
use std::path::Path;

use yose_race::{Columns, Move, Position, ReportError, Side, Table};
use yose_retro::{Outcome, Successor, Value};

fn table(columns: usize) -> Table {
    Table::solve(Columns::new(columns).unwrap(), &mut |_| {}).unwrap()
}

/// The records of a file made by `tests/data/race/solve.py`.
fn records(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/race")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(String::from).collect())
        .collect()
}

fn value(outcome: &str, depth: &str) -> Value {
    match outcome {
        "win" => Value::Win(depth.parse().unwrap()),
        "loss" => Value::Loss(depth.parse().unwrap()),
        other => panic!("value {other}"),
    }
}

#[test]
fn histograms_are_those_of_a_second_solver() {
    let mut expected: BTreeMap<usize, BTreeMap<(Outcome, u32), u64>> = BTreeMap::new();
    for row in records("histogram.tsv") {
        let value = value(&row[1], &row[2]);
        let key = (value.outcome(), value.depth().unwrap());
        expected
            .entry(row[0].parse().unwrap())
            .or_default()
            .insert(key, row[3].parse().unwrap());
    }
    assert_eq!(expected.keys().copied().collect::<Vec<_>>(), [4, 6, 8]);
    for (columns, rows) in expected {
        let tally = table(columns).tally();
        let seen: BTreeMap<_, _> = tally
            .histogram
            .iter()
            .map(|r| ((r.value, r.depth.unwrap()), r.all))
            .collect();
        assert_eq!(seen, rows, "{columns} columns");
    }
}

#[test]
fn values_are_those_of_a_second_solver() {
    let tables: Vec<Table> = [4, 6, 8].map(table).into();
    let samples = records("samples.tsv");
    assert_eq!(samples.len(), 900);
    for row in samples {
        let position: Position = row[0].parse().unwrap();
        let of_its_width = tables.iter().find_map(|table| table.value(&position));
        assert_eq!(of_its_width, Some(value(&row[1], &row[2])), "{position}");
    }
}

/// Nobody is ever without a move, and who has no good one is taken in row A.
#[test]
fn every_game_ends_by_taking_in_row_a() {
    let table = table(8);
    assert!(
        table
            .solution()
            .iter()
            .all(|(_, value)| value != Value::Loss(0))
    );
    // 12 n - 10 plies at most, on 2n columns.
    assert_eq!(table.tally().max_depth(), Some(12 * 4 - 10));
}

#[test]
fn a_report_ranks_every_move() {
    let table = table(10);
    let position: Position = "r4b4/1r3b4/2r4b2/4rb4 r".parse().unwrap();
    let report = table.report(&position).unwrap();
    assert_eq!((report.to_move, report.winner), (Side::Red, Side::Red));
    let closed = report.closed_form;
    assert_eq!(
        (closed.applies, closed.winner, closed.corrected),
        (true, Some(Side::Red), Side::Red)
    );
    assert_eq!(report.depth, report.moves[0].depth);
    assert_eq!(report.moves.len(), position.moves().len());
    // Nim: 1 xor 3 xor 4 = 6, so the only winning move makes row C 2.
    let winning: Vec<String> = report
        .moves
        .iter()
        .filter(|m| m.winner == Side::Red)
        .map(|m| m.mv.to_string())
        .collect();
    assert_eq!(winning, ["C3-5"]);
    // Wins with the quickest first, then losses with the slowest first, then by text.
    let order: Vec<_> = report
        .moves
        .iter()
        .map(|m| {
            let won = m.winner == report.to_move;
            let depth = i64::from(m.depth);
            (!won, if won { depth } else { -depth }, m.mv.to_string())
        })
        .collect();
    assert!(order.is_sorted(), "{order:?}");
}

/// The line of a report is played by the rules, alternates, and ends in taking at its last move.
#[test]
fn the_line_of_a_report_is_a_game() {
    let table = table(6);
    for text in [
        "r3b1/1r2b1/r4b/2rb2 r",
        "r3b1/1r2b1/r4b/2rb2 b",
        "1r2b1/2rb2/2rb2/2rb2 b",
    ] {
        let start: Position = text.parse().unwrap();
        let report = table.report(&start).unwrap();
        assert_eq!(report.line.len() as u64, u64::from(report.depth));
        let mut position = start;
        for (number, &mv) in report.line.iter().enumerate() {
            match position.play(mv).unwrap() {
                Successor::Position(next) => position = next,
                Successor::Decided(value) => {
                    assert_eq!(value, Value::Loss(0));
                    assert_eq!(number + 1, report.line.len());
                    assert_eq!(position.to_move(), report.winner);
                }
            }
        }
    }
}

#[test]
fn an_exception_is_reported_with_what_the_literature_says() {
    // Touching in row A, and {d_B, d_C} = {1, 2}.
    let position: Position = "1rb1/1rb1/r1b1/1rb1 b".parse().unwrap();
    let report = table(4).report(&position).unwrap();
    assert_eq!((report.winner, report.depth), (Side::Black, 1));
    assert_eq!(report.moves[0].mv, "A3-2".parse::<Move>().unwrap());
    let closed = report.closed_form;
    assert_eq!((closed.applies, closed.winner), (true, Some(Side::Red)));
    assert_eq!(closed.corrected, Side::Black);
}

#[test]
fn a_position_of_another_width_is_refused() {
    let position: Position = "r4b/r4b/r4b/2rb2 r".parse().unwrap();
    let error = table(4).report(&position).unwrap_err();
    assert!(matches!(error, ReportError::Columns { .. }));
    assert_eq!(
        error.to_string(),
        "a position of 6 columns; the table has 4"
    );
}

#[test]
fn the_estimate_covers_what_is_solved() {
    let estimate = Table::estimate(Columns::default());
    let moves = table(10).solution().moves();
    assert_eq!(estimate.indices, 232_875);
    assert!(estimate.moves.abs_diff(moves) * 100 < moves);
    assert!(estimate.bytes >= 232_875 * 20 + moves * 4);
}
