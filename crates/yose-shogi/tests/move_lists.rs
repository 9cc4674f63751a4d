//! Move lists of positions from random games, as other programs wrote them down.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use yose_shogi::{Rules, Variant};

/// How a program names squares.
struct Names {
    /// The name of the leftmost file.
    first_file: u8,
    /// Whether rank 1 is at the top.
    top_first: bool,
}

/// `1113`, `a2a1`, `P@23`: the move as USI without the `+`.
fn usi(variant: &Variant, names: &Names, text: &str) -> String {
    let square = |text: &str| {
        let [file, rank] = text.as_bytes() else {
            panic!("{text} is no square");
        };
        let column = file - names.first_file;
        let rank = rank - b'1';
        let row = if names.top_first {
            rank
        } else {
            variant.rows - 1 - rank
        };
        variant
            .board()
            .square_name(variant.board().square(row, column))
    };
    match text.split_once('@') {
        Some((piece, to)) => format!("{piece}*{}", square(to)),
        None => format!("{}{}", square(&text[..2]), square(&text[2..])),
    }
}

fn check(name: &str, data: &str, names: &Names, positions: usize) {
    let rules = Rules::new(Variant::built_in(name).unwrap());
    let mut compared = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let (position, list) = line.split_once(' ').unwrap();
        let position = rules.variant().parse_position(position).unwrap();
        let expected: BTreeSet<_> = list
            .split(',')
            .map(|mv| usi(rules.variant(), names, mv))
            .collect();
        let mut moves = Vec::new();
        rules.moves(&position, &mut moves);
        let moves: BTreeSet<_> = moves
            .iter()
            .map(|&mv| rules.variant().usi(mv).trim_end_matches('+').to_owned())
            .collect();
        assert_eq!(moves, expected, "{line}");
        compared += 1;
    }
    assert_eq!(compared, positions);
}

#[test]
fn shogi4() {
    let names = Names {
        first_file: b'1',
        top_first: false,
    };
    check(
        "shogi4",
        include_str!("../../../tests/data/shogi/shogi4_moves.txt"),
        &names,
        40,
    );
}

#[test]
fn dobutsu() {
    let names = Names {
        first_file: b'a',
        top_first: true,
    };
    check(
        "dobutsu",
        include_str!("../../../tests/data/shogi/dobutsu_moves.txt"),
        &names,
        40,
    );
}

#[test]
fn micro() {
    let names = Names {
        first_file: b'a',
        top_first: false,
    };
    check(
        "micro",
        include_str!("../../../tests/data/shogi/micro_moves.txt"),
        &names,
        27,
    );
}
