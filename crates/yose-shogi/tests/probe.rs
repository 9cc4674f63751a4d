//! Probing tables of drop shogi: answers equal those of the reference solver, and outside the table
//! those of the rules.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and its tables are small"
)]

mod common;

use std::sync::Mutex;

use common::Choices;
use yose_retro::reference::{self, Solution};
use yose_retro::{Game, Outcome, Value, best};
use yose_shogi::audit::{InMemory, depth_code, depth_value};
use yose_shogi::probe::{Coding, NoSlot, ProbeError, Prober, SlotValues, Verdict};
use yose_shogi::{DropShogi, Inventory, Position, Variant};

fn game(variant: Variant, pieces: &str) -> DropShogi {
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

fn built_in(variant: &str, pieces: &str) -> DropShogi {
    game(Variant::built_in(variant).unwrap(), pieces)
}

fn solve(game: &DropShogi) -> (Solution, InMemory<u16>) {
    let solution = reference::solve(game, &mut |_| {}).unwrap();
    let codes = (0..game.index().stored_size())
        .map(|slot| solution.value(slot).map_or(0, depth_code) as u16)
        .collect();
    (solution, InMemory::new(game.index(), codes).unwrap())
}

fn exactly(value: Value) -> Verdict {
    Verdict::Known {
        outcome: value.outcome(),
        depth: value.depth(),
    }
}

/// Every `step`-th position of the index, half of them with White to move.
fn some_positions(game: &DropShogi, step: usize) -> Vec<Position> {
    let board = game.variant().board();
    let positions = (0..game.index_size()).step_by(step);
    positions
        .filter_map(|slot| {
            let position = game.unrank(slot)?;
            Some(if slot % 2 == 0 {
                position
            } else {
                position.turned(board)
            })
        })
        .collect()
}

const GAMES: [(&str, &str, usize); 5] = [
    ("shogi4", "PF", 1_499),
    ("shogi4", "PP", 997),
    ("dobutsu", "CG", 97),
    ("micro", "P", 61),
    ("micro", "B", 61),
];

#[test]
fn values_moves_and_lines_equal_the_reference() {
    for (variant, pieces, step) in GAMES {
        let game = built_in(variant, pieces);
        let (solution, table) = solve(&game);
        let prober = Prober::new(game.rules(), game.index(), &table, Coding::Depths);
        let positions = some_positions(&game, step);
        assert!(positions.len() > 100, "{variant} {pieces}");
        let probed = prober.probe_all(&positions).unwrap();
        let values = prober.values(&positions).unwrap();
        let usi = |_: &Position, mv| game.variant().usi(mv);
        for ((position, probed), value) in positions.iter().zip(&probed).zip(values) {
            let sfen = game.variant().sfen(position);
            let expected = solution.value_of(&game, position).unwrap();
            assert_eq!(value, exactly(expected), "{sfen}");
            assert_eq!(probed.verdict, value, "{sfen}");
            assert_eq!(prober.value(position).unwrap(), value, "{sfen}");
            let expected = best::moves(&game, &solution, position, usi).unwrap();
            let expected: Vec<_> = expected.iter().map(|m| (m.mv, exactly(m.value))).collect();
            let found: Vec<_> = probed.moves.iter().map(|m| (m.mv, m.verdict)).collect();
            assert_eq!(found, expected, "{sfen}");
            if let Some(first) = probed.moves.first() {
                assert_eq!(first.verdict, probed.verdict, "{sfen}");
            }
            let expected = best::line(&game, &solution, position, usi).unwrap();
            let line = prober.line(position).unwrap();
            match value.outcome() {
                Some(Outcome::Draw) => assert!(!line.is_empty(), "{sfen}"),
                _ => assert_eq!(line.len(), value.depth().unwrap() as usize, "{sfen}"),
            }
            // The reference ends a line before a king that steps into an attack is taken.
            assert_eq!(&line[..expected.len().min(line.len())], expected, "{sfen}");
        }
    }
}

#[test]
fn sampled_positions() {
    let mut compared = 0;
    let mut compare = |game: &DropShogi, samples: &mut dyn Iterator<Item = Vec<&str>>| {
        let (_, table) = solve(game);
        let prober = Prober::new(game.rules(), game.index(), &table, Coding::Depths);
        for row in samples {
            let [text, word, ply] = row[row.len() - 3..] else {
                panic!("{row:?} is short");
            };
            let position = game.variant().parse_position(text).unwrap();
            let verdict = prober.value(&position).unwrap();
            assert_eq!(verdict.outcome().unwrap().to_string(), word, "{text}");
            if word != "draw" {
                assert_eq!(verdict.depth(), Some(ply.parse().unwrap()), "{text}");
            }
            compared += 1;
        }
    };
    let rows = |data: &'static str| {
        let lines = data.lines().filter(|line| !line.starts_with('#')).skip(1);
        lines.map(|line| line.split('\t').collect::<Vec<_>>())
    };
    for pieces in ["2K", "P", "F", "PP", "FF"] {
        let game = built_in("shogi4", if pieces == "2K" { "-" } else { pieces });
        let samples = rows(include_str!(
            "../../../tests/data/shogi/shogi4_dtw_samples.tsv"
        ));
        compare(&game, &mut samples.filter(|row| row[0] == pieces));
    }
    let samples = rows(include_str!(
        "../../../tests/data/shogi/micro_kp_samples.tsv"
    ));
    compare(&built_in("micro", "PP"), &mut { samples });
    assert!(compared > 400, "{compared}");
}

#[test]
fn outside_the_table_the_rules_answer() {
    let dobutsu = built_in("dobutsu", "G");
    let (_, table) = solve(&dobutsu);
    let prober = Prober::new(dobutsu.rules(), dobutsu.index(), &table, Coding::Depths);
    let verdict = |sfen: &str| {
        let position = dobutsu.variant().parse_sfen(sfen).unwrap();
        prober.value(&position).unwrap()
    };
    let (win, over) = (exactly(Value::Win(1)), exactly(Value::Loss(0)));
    // Lions touch, wherever they are.
    assert_eq!(verdict("3/l2/L2/3 b G"), win);
    assert_eq!(verdict("3/l2/L2/3 w G"), win);
    assert_eq!(verdict("Ll1/3/3/3 b G"), win);
    // The other lion is on its far rank: in reach of the giraffe, or not.
    assert_eq!(verdict("3/2L/3/l1G b -"), over);
    assert_eq!(verdict("3/2L/G2/l2 b -"), win);
    assert_eq!(verdict("2L/3/l2/3 w g"), over);
    // The own lion is.
    assert_eq!(verdict("2L/3/3/l1G b -"), over);
    assert_eq!(verdict("2L/3/l2/3 b G"), Verdict::Unknown);
    // Other pieces.
    assert_eq!(verdict("3/l2/L2/3 b -"), Verdict::Unknown);
    assert_eq!(verdict("1l1/3/3/1L1 b -"), Verdict::Unknown);
    assert_eq!(verdict("1l1/3/3/1L1 b E"), Verdict::Unknown);

    // A game that is over has no moves; of the unknown position those that end the game are known.
    let parse = |sfen| dobutsu.variant().parse_sfen(sfen).unwrap();
    let over = prober.probe(&parse("3/2L/3/l1G b -")).unwrap();
    assert_eq!(over.moves, []);
    assert_eq!(prober.line(&parse("3/2L/3/l1G b -")).unwrap(), []);
    // Our lion goes up to 1a in safety: a Try, which leaves a position to show.
    let tries = prober.probe(&parse("3/2L/l2/3 b G")).unwrap();
    assert_eq!(tries.verdict, win);
    let first = &tries.moves[0];
    assert_eq!((first.usi.as_str(), first.verdict), ("1b1a", win));
    assert_eq!(first.sfen.as_deref(), Some("2L/3/l2/3 w G 1"));
    assert_eq!(prober.line(&parse("3/2L/l2/3 b G")).unwrap().len(), 1);

    let shogi4 = built_in("shogi4", "F");
    let (_, table) = solve(&shogi4);
    let prober = Prober::new(shogi4.rules(), shogi4.index(), &table, Coding::Depths);
    let parse = |sfen| shogi4.variant().parse_sfen(sfen).unwrap();
    let touching = prober.probe(&parse("4/k3/K3/4 w F")).unwrap();
    assert_eq!(touching.verdict, win);
    assert_eq!(
        (touching.moves[0].usi.as_str(), &touching.moves[0].sfen),
        ("4b4c", &None)
    );
    assert_eq!(
        prober.value(&parse("k3/4/4/K3 b P")).unwrap(),
        Verdict::Unknown
    );
}

#[test]
fn a_table_of_outcomes_has_outcomes_only() {
    let game = built_in("dobutsu", "CG");
    let (solution, depths) = solve(&game);
    let codes = depths.codes().iter().map(|&depth| {
        let outcome = depth_value(depth.into()).outcome();
        [2u8, 0, 1][outcome as usize]
    });
    let mut table = InMemory::new(game.index(), codes.collect()).unwrap();
    let prober = Prober::new(game.rules(), game.index(), &table, Coding::Outcomes);
    let positions = some_positions(&game, 41);
    let (mut now, mut later) = (0, 0);
    for (position, probed) in positions.iter().zip(prober.probe_all(&positions).unwrap()) {
        let expected = solution.value_of(&game, position).unwrap();
        let depth = expected.depth().filter(|&plies| plies == 1);
        assert_eq!(probed.verdict.outcome(), Some(expected.outcome()));
        assert_eq!(probed.verdict.depth(), depth);
        if let Some(first) = probed.moves.first() {
            assert_eq!(first.verdict, probed.verdict);
        }
        for pair in probed.moves.windows(2) {
            assert!(pair[0].verdict.outcome() >= pair[1].verdict.outcome());
            assert!(pair[0].verdict != pair[1].verdict || pair[0].usi < pair[1].usi);
        }
        assert_eq!(prober.line(position).unwrap(), []);
        if depth.is_some() {
            now += 1;
        } else {
            later += 1;
        }
    }
    assert!(now > 50 && later > 50);

    table.codes_mut().fill(3);
    let prober = Prober::new(game.rules(), game.index(), &table, Coding::Outcomes);
    let slot = game.rank(&positions[0]).unwrap();
    assert_eq!(
        prober.value(&positions[0]),
        Err(ProbeError::NoValue { slot, code: 3 })
    );
}

/// Notes which slots are read.
struct Recording(Mutex<Vec<u64>>);

impl SlotValues for Recording {
    type Error = NoSlot;

    fn value(&self, slot: u64) -> Result<u32, NoSlot> {
        self.0.lock().unwrap().push(slot);
        Ok(0)
    }
}

#[test]
fn a_batch_reads_each_slot_once_and_in_order() {
    let game = built_in("micro", "P");
    let table = Recording(Mutex::new(Vec::new()));
    let prober = Prober::new(game.rules(), game.index(), &table, Coding::Depths);
    let mut positions = some_positions(&game, 503);
    let mut c = Choices::new(3);
    for i in (1..positions.len()).rev() {
        positions.swap(i, c.below(i + 1));
    }
    positions.push(positions[0]);
    prober.probe_all(&positions).unwrap();
    let read = std::mem::take(&mut *table.0.lock().unwrap());
    assert!(read.len() > positions.len());
    assert!(read.is_sorted_by(|a, b| a < b));
    prober.values(&positions).unwrap();
    let read = table.0.lock().unwrap();
    assert!(read.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_wrong_table_gives_an_error_and_no_endless_line() {
    let game = built_in("shogi4", "F");
    let (_, mut table) = solve(&game);
    let slot = table.codes().iter().position(|&code| code > 4).unwrap();
    table.codes_mut()[slot] += 2;
    let prober = Prober::new(game.rules(), game.index(), &table, Coding::Depths);
    let position = game.unrank(slot as u64).unwrap();
    let sfen = game.variant().sfen(&position);
    assert_eq!(
        prober.line(&position),
        Err(ProbeError::Contradiction { sfen })
    );

    let short = InMemory::new(built_in("shogi4", "-").index(), vec![0u8; 78]).unwrap();
    let prober = Prober::new(game.rules(), game.index(), &short, Coding::Depths);
    let far = game.index().stored_size() - 1;
    let slot = (78..=far).rev().find(|&slot| game.unrank(slot).is_some());
    let slot = slot.unwrap();
    assert_eq!(
        prober.value(&game.unrank(slot).unwrap()),
        Err(ProbeError::Table(NoSlot(slot)))
    );
}
