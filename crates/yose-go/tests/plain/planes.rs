//! Encoders written from the definitions of `docs/planes.md`, a loop for each plane.

use std::collections::BTreeSet;

use super::{Plain, ladder, other};

/// The boards of a game, oldest first, and who plays next.
pub struct Past<'a> {
    pub boards: &'a [Plain],
    pub to_play: char,
}

type Planes = Vec<Vec<u8>>;

fn stones(board: &Plain, colour: char) -> Vec<u8> {
    board.cells.iter().map(|&c| u8::from(c == colour)).collect()
}

fn all(board: &Plain, value: bool) -> Vec<u8> {
    vec![u8::from(value); board.cells.len()]
}

/// The board `t` positions ago.
fn ago<'a>(past: &'a Past<'_>, t: usize, repeat: bool) -> Option<&'a Plain> {
    let newest = past.boards.len() - 1;
    match newest.checked_sub(t) {
        Some(k) => Some(&past.boards[k]),
        None => repeat.then(|| &past.boards[0]),
    }
}

pub fn agz(past: &Past<'_>, repeat: bool) -> Planes {
    let now = ago(past, 0, false).unwrap();
    let mut planes = Vec::new();
    for t in 0..8 {
        for colour in [past.to_play, other(past.to_play)] {
            planes.push(match ago(past, t, repeat) {
                Some(board) => stones(board, colour),
                None => all(now, false),
            });
        }
    }
    planes.push(all(now, past.to_play == 'X'));
    planes
}

pub fn agz_absolute(past: &Past<'_>, repeat: bool) -> Planes {
    let now = ago(past, 0, false).unwrap();
    let mut planes = Vec::new();
    for colour in ['X', 'O'] {
        for t in 0..8 {
            planes.push(match ago(past, t, repeat) {
                Some(board) => stones(board, colour),
                None => all(now, false),
            });
        }
    }
    planes.push(all(now, past.to_play == 'X'));
    planes
}

/// Eight planes, the k-th set where the number is `first + k`, the last also where it is more.
fn one_hot(numbers: &[Option<usize>], first: usize) -> Planes {
    let mut planes = vec![vec![0; numbers.len()]; 8];
    for (p, number) in numbers.iter().enumerate() {
        if let Some(n) = number
            && *n >= first
        {
            planes[(n - first).min(7)][p] = 1;
        }
    }
    planes
}

/// What a legal move does.
struct Effect {
    captured: usize,
    size: usize,
    liberties: usize,
}

fn effects(board: &Plain, colour: char) -> Vec<Option<Effect>> {
    (0..board.cells.len())
        .map(|p| {
            board.legal(p, colour).then(|| {
                let mut next = board.clone();
                let captured = next.place(p, colour).0.len();
                let (stones, liberties) = next.chain(p);
                Effect {
                    captured,
                    size: stones.len(),
                    liberties: liberties.len(),
                }
            })
        })
        .collect()
}

/// Moves that capture a chain of two liberties in a ladder.
fn ladder_captures(board: &Plain, me: char) -> BTreeSet<usize> {
    let mut moves = BTreeSet::new();
    for prey in 0..board.cells.len() {
        if board.cells[prey] != other(me) || board.liberties(prey) != 2 {
            continue;
        }
        for p in board.chain(prey).1 {
            if board.legal(p, me) {
                let mut next = board.clone();
                next.play(p, me);
                let mut path = vec![board.clone()];
                if ladder::defend(&next, prey, &mut path).is_some() {
                    moves.insert(p);
                }
            }
        }
    }
    moves
}

/// Moves that save a chain in atari from a ladder.
fn ladder_escapes(board: &Plain, me: char) -> BTreeSet<usize> {
    let mut moves = BTreeSet::new();
    for prey in 0..board.cells.len() {
        if board.cells[prey] != me || board.liberties(prey) != 1 {
            continue;
        }
        for p in ladder::defences(board, prey) {
            if board.legal(p, me) {
                let mut next = board.clone();
                next.play(p, me);
                if ladder::attack(&next, prey, &mut Vec::new()).is_none() {
                    moves.insert(p);
                }
            }
        }
    }
    moves
}

fn marks(board: &Plain, points: &BTreeSet<usize>) -> Vec<u8> {
    (0..board.cells.len())
        .map(|p| u8::from(points.contains(&p)))
        .collect()
}

fn ages(board: &Plain) -> Vec<Option<usize>> {
    let occupied = |p: usize| board.cells[p] != '.';
    (0..board.cells.len())
        .map(|p| occupied(p).then(|| board.played[p].map_or(7, |turn| board.turns - 1 - turn)))
        .collect()
}

fn liberties(board: &Plain) -> Vec<Option<usize>> {
    (0..board.cells.len())
        .map(|p| (board.cells[p] != '.').then(|| board.liberties(p)))
        .collect()
}

fn sensible(board: &Plain, me: char) -> Vec<u8> {
    (0..board.cells.len())
        .map(|p| u8::from(board.legal(p, me) && !board.eye(p, me, &mut Vec::new())))
        .collect()
}

pub fn alphago(past: &Past<'_>, capture_zero_plane: bool) -> Planes {
    let board = ago(past, 0, false).unwrap();
    let me = past.to_play;
    let effects = effects(board, me);
    let pick = |f: &dyn Fn(&Effect) -> Option<usize>| -> Vec<Option<usize>> {
        effects.iter().map(|e| e.as_ref().and_then(f)).collect()
    };
    let mut planes = vec![
        stones(board, me),
        stones(board, other(me)),
        stones(board, '.'),
    ];
    planes.push(all(board, true));
    planes.extend(one_hot(&ages(board), 0));
    planes.extend(one_hot(&liberties(board), 1));
    let first = usize::from(!capture_zero_plane);
    planes.extend(one_hot(&pick(&|e| Some(e.captured)), first));
    planes.extend(one_hot(&pick(&|e| (e.liberties == 1).then_some(e.size)), 1));
    planes.extend(one_hot(&pick(&|e| Some(e.liberties)), 1));
    planes.push(marks(board, &ladder_captures(board, me)));
    planes.push(marks(board, &ladder_escapes(board, me)));
    planes.push(sensible(board, me));
    planes.push(all(board, false));
    planes
}

pub fn alphago49(past: &Past<'_>, capture_zero_plane: bool) -> Planes {
    let mut planes = alphago(past, capture_zero_plane);
    planes.push(all(ago(past, 0, false).unwrap(), past.to_play == 'X'));
    planes
}

/// Stones of all chains that fulfil a condition.
fn chains_where(board: &Plain, colour: char, holds: impl Fn(usize) -> bool) -> Vec<u8> {
    (0..board.cells.len())
        .map(|p| u8::from(board.cells[p] == colour && holds(p)))
        .collect()
}

fn saved(board: &Plain, prey: usize) -> bool {
    ladder::defend(board, prey, &mut Vec::new()).is_none()
}

pub fn overview48(past: &Past<'_>, capture_zero_plane: bool) -> Planes {
    let board = ago(past, 0, false).unwrap();
    let me = past.to_play;
    let foe = other(me);
    let effects = effects(board, me);
    let pick = |f: &dyn Fn(&Effect) -> Option<usize>| -> Vec<Option<usize>> {
        effects.iter().map(|e| e.as_ref().and_then(f)).collect()
    };
    let mut planes = vec![stones(board, me), stones(board, foe), stones(board, '.')];
    planes.push(all(board, true));
    planes.extend(one_hot(&liberties(board), 1));
    planes.extend(one_hot(
        &pick(&|e| Some(e.captured)),
        usize::from(!capture_zero_plane),
    ));
    planes.extend(one_hot(&pick(&|e| Some(e.liberties)), 1));
    planes.extend(one_hot(&ages(board), 0));
    // Ladders.
    let captured = |board: &Plain, p| {
        board.liberties(p) == 2 && ladder::attack(board, p, &mut Vec::new()).is_some()
    };
    planes.push(marks(board, &ladder_captures(board, me)));
    planes.push(marks(board, &ladder_escapes(board, me)));
    planes.push(chains_where(board, foe, |p| captured(board, p)));
    planes.push(chains_where(board, foe, |p| board.liberties(p) == 1));
    planes.push(chains_where(board, me, |p| {
        board.liberties(p) == 1 && saved(board, p)
    }));
    planes.push(chains_where(board, me, |p| {
        board.liberties(p) == 1 && !saved(board, p)
    }));
    let mut theirs = board.clone();
    theirs.ko = None;
    planes.push(chains_where(board, me, |p| captured(&theirs, p)));
    planes.push(marks(board, &ladder_captures(&theirs, foe)));
    // Others.
    planes.push(sensible(board, me));
    planes.push(
        effects
            .iter()
            .map(|e| u8::from(e.as_ref().is_some_and(|e| e.liberties == 1)))
            .collect(),
    );
    planes.push(
        (0..board.cells.len())
            .map(|p| u8::from(board.ko == Some(p)))
            .collect(),
    );
    planes.push(all(board, me == 'X'));
    planes
}

#[allow(
    clippy::needless_range_loop,
    reason = "a point is an index of many planes"
)]
pub fn gnugo(past: &Past<'_>) -> Planes {
    let board = ago(past, 0, false).unwrap();
    let me = past.to_play;
    let mut planes = vec![all(board, false); 23];
    for p in 0..board.cells.len() {
        let (row, col) = (p / board.cols, p % board.cols);
        let edge = [row, col, board.rows - 1 - row, board.cols - 1 - col];
        planes[6][p] = u8::try_from(edge.into_iter().min().unwrap() + 1).unwrap();
        for k in 0..8 {
            let place = if k < 4 { k } else { k + 1 };
            let (r, c) = (row + place / 3, col + place % 3);
            let inside = (1..=board.rows).contains(&r) && (1..=board.cols).contains(&c);
            let there = inside.then(|| board.cells[(r - 1) * board.cols + c - 1]);
            planes[7 + 2 * k][p] = u8::from(there.is_none_or(|c| c == me));
            planes[8 + 2 * k][p] = u8::from(there.is_none_or(|c| c == other(me)));
        }
        if !board.legal(p, me) {
            continue;
        }
        let mut next = board.clone();
        let captured = next.place(p, me).0.len();
        let beside = board.neighbours(p);
        let own: BTreeSet<BTreeSet<usize>> = beside
            .iter()
            .filter(|&&q| board.cells[q] == me)
            .map(|&q| board.chain(q).0)
            .collect();
        let enemies = beside.iter().filter(|&&q| next.cells[q] == other(me));
        let around: Vec<usize> = beside.iter().copied().chain(board.diagonals(p)).collect();
        let eye = |b: &Plain, q: usize| b.eye(q, me, &mut Vec::new());
        let numbers = [
            1,
            captured,
            own.len().saturating_sub(1),
            usize::from(around.iter().any(|&q| eye(&next, q) && !eye(board, q))),
            next.liberties(p),
            enemies.map(|&q| next.liberties(q)).min().unwrap_or(0),
        ];
        for (plane, number) in numbers.into_iter().enumerate() {
            planes[plane][p] = u8::try_from(number.min(255)).unwrap();
        }
    }
    planes
}
