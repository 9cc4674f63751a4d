//! A second way to a value: G is worth V if in G - V whoever moves second wins, played out on a plain board.
//!
//! Nothing of the solver is used but V, as text: no sets of bits, no components, no symmetry, no immortality but
//! that of the picture, no static rule, no bounds of values. Repetitions are no win for the side whose claim is
//! examined, so the answer holds whatever they count for.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use serde_json::Value;
use yose_cgt::{Bounds, GameId, Games, Player, SumLimits};
use yose_endgame::{Area, LocalSolver, Place};
use yose_go::Colour;

/// What can be moved to, by Black and by White: a number in a list, and an integer that comes with it.
type Moves = [Vec<(usize, i64)>; 2];

/// All positions that can be reached, whoever moves; the integer is prisoners, Black's minus White's.
fn positions(area: &Area) -> Vec<Moves> {
    let (rows, cols) = (area.rows(), area.cols());
    let beside = |p: usize| {
        let (row, col) = (p / cols, p % cols);
        let mut all = Vec::new();
        for (r, c) in [
            (row.wrapping_sub(1), col),
            (row + 1, col),
            (row, col.wrapping_sub(1)),
            (row, col + 1),
        ] {
            if r < rows && c < cols {
                all.push(r * cols + c);
            }
        }
        all
    };
    // The mortal stones of a chain without liberty; nothing if it has one, or an immortal stone.
    let dead = |places: &[Place], first: usize, colour: Colour| -> Vec<usize> {
        let (mut chain, mut next) = (vec![first], 0);
        while next < chain.len() {
            for q in beside(chain[next]) {
                if places[q] == Place::Empty || places[q] == Place::Immortal(colour) {
                    return Vec::new();
                }
                if places[q] == Place::Mortal(colour) && !chain.contains(&q) {
                    chain.push(q);
                }
            }
            next += 1;
        }
        chain
    };
    let start = area.places().to_vec();
    let mut number = HashMap::from([(start.clone(), 0)]);
    let (mut list, mut all) = (vec![start], Vec::new());
    let mut next = 0;
    while next < list.len() {
        let places = list[next].clone();
        let mut moves = Moves::default();
        for colour in [Colour::Black, Colour::White] {
            for p in (0..places.len()).filter(|&p| places[p] == Place::Empty) {
                let mut after = places.clone();
                after[p] = Place::Mortal(colour);
                let mut taken = 0;
                for q in beside(p) {
                    if after[q] == Place::Mortal(!colour) {
                        for stone in dead(&after, q, !colour) {
                            after[stone] = Place::Empty;
                            taken += 1;
                        }
                    }
                }
                if !dead(&after, p, colour).is_empty() {
                    continue;
                }
                let count = list.len();
                let number = *number.entry(after.clone()).or_insert(count);
                if number == count {
                    list.push(after);
                }
                let taken = if colour == Colour::Black {
                    taken
                } else {
                    -taken
                };
                moves[colour.index()].push((number, taken));
            }
        }
        all.push(moves);
        next += 1;
    }
    all
}

/// A game and all that is left of it after moves; number 0 is nothing, and integers are kept apart.
#[derive(Default)]
struct Tree {
    numbers: HashMap<GameId, usize>,
    moves: Vec<Moves>,
}

impl Tree {
    fn add(&mut self, games: &mut Games, game: GameId) -> (usize, i64) {
        if self.moves.is_empty() {
            self.moves.push(Moves::default());
        }
        let integer = games.as_number(game).filter(yose_cgt::Dyadic::is_integer);
        if let Some(integer) = integer {
            return (0, i64::try_from(integer.to_i128().unwrap()).unwrap());
        }
        if let Some(&number) = self.numbers.get(&game) {
            return (number, 0);
        }
        let options = [
            games.left_options(game).unwrap(),
            games.right_options(game).unwrap(),
        ];
        let moves = options.map(|side| side.into_iter().map(|g| self.add(games, g)).collect());
        self.moves.push(moves);
        self.numbers.insert(game, self.moves.len() - 1);
        (self.moves.len() - 1, 0)
    }
}

/// Does Left, moving second, win the sum of the first position and a game, even if a repetition is no win for him?
///
/// For each position, rest of the game and side to move: the least integer that Left needs besides to win for
/// certain, at first none, then as low as moves allow. A positive integer is as many free moves of Left.
fn left_wins_second(board: &[Moves], games: &mut Games, game: GameId) -> bool {
    const NEVER: i64 = 1 << 40;
    let mut tree = Tree::default();
    let (root, integer) = tree.add(games, game);
    let size = tree.moves.len();
    let mut needs = [
        vec![NEVER; board.len() * size],
        vec![NEVER; board.len() * size],
    ];
    loop {
        let mut changed = false;
        for at in (0..board.len()).rev() {
            for node in 0..size {
                let here = at * size + node;
                for mover in [0, 1] {
                    let other = &needs[1 - mover];
                    let on_board = board[at][mover]
                        .iter()
                        .map(|&(to, n)| (to * size + node, n));
                    let in_game = tree.moves[node][mover]
                        .iter()
                        .map(|&(to, n)| (at * size + to, n));
                    let after = on_board.chain(in_game).map(|(to, n)| match other[to] {
                        NEVER => NEVER,
                        need => need - n,
                    });
                    let need = if mover == 0 {
                        // Or a free move of his own.
                        let free = (other[here] + 1).max(1);
                        after.min().map_or(free, |best| best.min(free))
                    } else {
                        // Right has free moves only if the integer is negative.
                        let free = (other[here] - 1).min(0);
                        after.max().map_or(free, |worst| worst.max(free))
                    };
                    let need = if need > NEVER / 2 { NEVER } else { need };
                    changed |= need != needs[mover][here];
                    needs[mover][here] = need;
                }
            }
        }
        // What is needed only falls.
        if needs[1][root] <= integer || !changed {
            return needs[1][root] <= integer;
        }
    }
}

/// With colours exchanged.
fn flipped(board: &[Moves]) -> Vec<Moves> {
    let negative = |side: &Vec<(usize, i64)>| side.iter().map(|&(to, n)| (to, -n)).collect();
    let flip = |[black, white]: &Moves| [negative(white), negative(black)];
    board.iter().map(flip).collect()
}

/// Is the first of some positions worth a game?
fn is_worth(board: &[Moves], games: &mut Games, value: GameId) -> bool {
    let negative = games.neg(value).unwrap();
    left_wins_second(board, games, negative) && left_wins_second(&flipped(board), games, value)
}

/// Every record with a picture of few points.
#[test]
fn records_by_plain_play() {
    let text = include_str!("../../../tests/data/goendgame/positions.jsonl");
    let mut solver = LocalSolver::default();
    let mut checked = 0;
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let Some(rows) = record["rows"].as_array() else {
            continue;
        };
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().unwrap()).collect();
        let Ok(area) = Area::from_rows(&rows) else {
            continue; // a whole board
        };
        if area.points().count() + area.mortal().count() > 9 {
            continue;
        }
        let board = positions(&area);
        let value = solver.solve(&area).unwrap().exact().unwrap();
        let games = solver.games_mut();
        assert!(is_worth(&board, games, value), "{}", record["id"]);
        // And it is worth nothing else: not a point more or less, nor the same with a dame.
        for text in ["1", "-1", "*"] {
            let more = games.parse_value(text).unwrap();
            let wrong = games.add(value, more).unwrap();
            assert!(!is_worth(&board, games, wrong), "{} {text}", record["id"]);
        }
        checked += 1;
    }
    assert_eq!(checked, 42);
}

/// Plain play has no rule of immortality: it charges the two points for the eyes of a group that lives inside.
#[test]
fn eyes_cost_two_points_in_plain_play() {
    let area = Area::from_rows(&[".X.XW", "XXXXW", "WWWWW"]).unwrap();
    let board = positions(&area);
    let mut solver = LocalSolver::default();
    let value = solver.solve(&area).unwrap().exact().unwrap();
    let games = solver.games_mut();
    let two = games.integer(2).unwrap();
    assert_eq!(value, two);
    assert!(is_worth(&board, games, GameId::ZERO));
    assert!(!is_worth(&board, games, two));
}

/// The record whose published count is not ours (`docs/endgame.md`).
#[test]
fn the_corridor_with_a_cutting_point() {
    let area = Area::from_rows(&["W......B#", "WXXXX.BBB", "WX.WWBBB#", "WWWWWWWB#"]).unwrap();
    let mut games = Games::new();
    let text = "{6*||5*|{4*||||3*|||1||0|-11*}}";
    let value = games.parse_value(text).unwrap();
    assert!(is_worth(&positions(&area), &mut games, value));
    assert_eq!(games.mean(value).unwrap().to_string(), "5");

    // Eight copies are 41 points if Black begins, as published, and 40 if White begins; each further copy is 5
    // points whoever begins.
    let form = games.parse(text).unwrap();
    for copies in 1..=9 {
        let parts = vec![form; copies];
        let sum = games.solve_sum(&parts, Player::Left, SumLimits::default());
        let sum = sum.unwrap();
        let five = 5 * i128::try_from(copies).unwrap();
        let stop = |bounds: &Bounds| bounds.exact().unwrap().to_i128().unwrap();
        assert_eq!(stop(&sum.left_stop), five + 1);
        assert_eq!(stop(&sum.right_stop), five);
    }
}
