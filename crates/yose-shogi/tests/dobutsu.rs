//! Dobutsu shogi whole, solved by the kernel, against what other programs have counted: every
//! depth, every pair of lions, every sampled position, and what play reaches.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use yose_retro::{Game as _, Outcome, Value};
use yose_shogi::index::Slice;
use yose_shogi::kernel::{SolveOptions, Solved, reachable, solve};
use yose_shogi::{DropShogi, Inventory, Square, Variant};

macro_rules! data {
    ($name:literal) => {
        include_str!(concat!("../../../tests/data/shogi/", $name))
    };
}

/// The lines of a data file that are not remarks, split at tabs, without the line of names.
fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

fn number(text: &str) -> u64 {
    text.parse().unwrap()
}

fn value(word: &str, ply: &str) -> Value {
    match word {
        "win" => Value::Win(ply.parse().unwrap()),
        "loss" => Value::Loss(ply.parse().unwrap()),
        "draw" => Value::Draw,
        _ => panic!("{word} is no outcome"),
    }
}

/// Positions, wins, losses and draws of a line of `dobutsu_wld.tsv`.
fn published(domain: &str) -> [u64; 4] {
    let row = rows(data!("dobutsu_wld.tsv")).find(|row| row[0] == domain);
    let row = row.unwrap();
    [1, 2, 3, 4].map(|column| number(row[column]))
}

fn every_depth(solved: &Solved) {
    let slots: BTreeMap<_, _> = rows(data!("dobutsu_dtm.tsv"))
        .map(|row| (format!("{:?}", value(row[0], row[1])), number(row[2])))
        .filter(|&(_, positions)| positions > 0)
        .collect();
    let mut found = BTreeMap::new();
    let mut domains = [[0; 4]; 3];
    for (value, decided) in solved.levels().rows() {
        if decided.stored() > 0 {
            found.insert(format!("{value:?}"), decided.stored());
        }
        let counts = [decided.stored(), decided.canonical(), decided.one_side()];
        for (domain, count) in domains.iter_mut().zip(counts) {
            domain[0] += count;
            domain[match value.outcome() {
                Outcome::Win => 1,
                Outcome::Loss => 2,
                Outcome::Draw => 3,
            }] += count;
        }
    }
    assert_eq!(found, slots);
    assert_eq!(domains, ["slots21", "orbits", "all39"].map(published));
    assert_eq!(solved.levels().max_depth(), 173);
}

/// A square such as `C4`: file A to C, rank 1 on top.
fn square(text: &str) -> Square {
    let [file, rank] = text.as_bytes() else {
        panic!("{text} is no square")
    };
    Square((rank - b'1') * 3 + (file - b'A'))
}

fn every_pair_of_lions(game: &DropShogi, solved: &Solved) {
    let slices = game.index().slices();
    let mut outcomes = Vec::new();
    let mut seen = vec![false; slices.stored()];
    for row in rows(data!("dobutsu_lionpairs.tsv")) {
        let lions = Slice {
            own: square(row[1]),
            other: square(row[2]),
        };
        let slice = slices.find(lions).unwrap().slice;
        seen[slice] = true;
        solved.outcomes(slice, &mut outcomes);
        let count = |code: u8| outcomes.iter().filter(|&&outcome| outcome == code).count() as u64;
        assert_eq!(
            [count(1), count(2)],
            [number(row[3]), number(row[4])],
            "{row:?}"
        );
        // What is not decided is a draw, or a number without a position.
        assert_eq!(11_878_227 - count(1) - count(2), number(row[5]), "{row:?}");
    }
    assert!(seen.iter().filter(|&&seen| seen).count() >= 16);
}

fn every_sample(game: &DropShogi, solved: &Solved) {
    let width = solved.levels().depth_bytes();
    let slice_size = game.index().stored_size() / game.index().slices().stored() as u64;
    let mut by_slice: BTreeMap<usize, Vec<(usize, String, Value)>> = BTreeMap::new();
    for row in rows(data!("dobutsu_samples.tsv")) {
        let position = game.variant().parse_position(row[0]).unwrap();
        let rank = game.rank(&position).unwrap();
        by_slice
            .entry(usize::try_from(rank / slice_size).unwrap())
            .or_default()
            .push((
                usize::try_from(rank % slice_size).unwrap(),
                row[0].to_owned(),
                value(row[1], row[2]),
            ));
    }
    let mut depths = Vec::new();
    for (slice, samples) in by_slice {
        solved.depths(slice, &mut depths);
        for (slot, text, value) in samples {
            let mut depth = [0; 4];
            depth[..width].copy_from_slice(&depths[slot * width..(slot + 1) * width]);
            assert_eq!(
                u32::from_le_bytes(depth),
                value.depth().unwrap_or(0),
                "{text}"
            );
        }
    }
}

/// Lions that touch and lions that can be taken on their far rank are reached too, and are wins.
fn what_play_reaches(game: &DropShogi, solved: &Solved) {
    let start = game
        .variant()
        .parse_position("gle/1c1/1C1/ELG b - 1")
        .unwrap();
    let reached = reachable(game.variant(), game.index(), &start, solved).unwrap();
    let counts = reached.canonical;
    assert_eq!(
        [counts.positions(), counts.win, counts.loss, counts.draw],
        published("liou_canonical_reachable")
    );
}

#[test]
#[ignore = "some minutes and 2 GB"]
fn the_whole_game() {
    let variant = Variant::built_in("dobutsu").unwrap();
    let inventory = Inventory::parse("CCGGEE", &variant).unwrap();
    let game = DropShogi::new(variant, inventory).unwrap();
    let options = SolveOptions {
        threads: 2,
        depth: true,
    };
    let solved = solve(game.variant(), game.index(), options, &mut |_| {});
    every_depth(&solved);
    every_pair_of_lions(&game, &solved);
    every_sample(&game, &solved);
    what_play_reaches(&game, &solved);
}
