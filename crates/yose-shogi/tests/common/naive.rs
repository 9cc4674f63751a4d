//! The rules once more, square by square, sharing no table and no code with the crate's own.

use std::collections::{BTreeMap, BTreeSet};

use yose_shogi::{
    Captured, Direction, DropBan, DropFaces, Face, Goal, Piece, Position, Promotion, Side, Variant,
};

type Cell = (i8, i8);

fn cells(variant: &Variant) -> Vec<Cell> {
    let (rows, columns) = (variant.rows.cast_signed(), variant.columns.cast_signed());
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .collect()
}

fn at(variant: &Variant, position: &Position, (row, column): Cell) -> Option<Piece> {
    position.piece_on(
        variant
            .board()
            .square(row.unsigned_abs(), column.unsigned_abs()),
    )
}

fn put(variant: &Variant, position: &mut Position, (row, column): Cell, piece: Option<Piece>) {
    let square = variant
        .board()
        .square(row.unsigned_abs(), column.unsigned_abs());
    position.remove(square);
    if let Some(piece) = piece {
        position.put(square, piece);
    }
}

fn name(variant: &Variant, (row, column): Cell) -> String {
    let file = variant.columns.cast_signed() - column;
    let rank = char::from(b'a' + row.unsigned_abs());
    format!("{file}{rank}")
}

fn direction_offset(direction: Direction) -> (i8, i8) {
    match direction {
        Direction::N => (0, 1),
        Direction::NE => (1, 1),
        Direction::E => (1, 0),
        Direction::SE => (1, -1),
        Direction::S => (0, -1),
        Direction::SW => (-1, -1),
        Direction::W => (-1, 0),
        Direction::NW => (-1, 1),
    }
}

/// Where a piece can go.
fn targets(variant: &Variant, position: &Position, from: Cell, piece: Piece) -> BTreeSet<Cell> {
    let face: &Face = match (piece.kind(), piece.promoted()) {
        (None, _) => &variant.king,
        (Some(kind), false) => &variant.kinds[kind].base,
        (Some(kind), true) => variant.kinds[kind].promoted.as_ref().unwrap(),
    };
    let go = |(row, column): Cell, (right, up): (i8, i8)| -> Option<Cell> {
        let to = match piece.side() {
            Side::Black => (row - up, column + right),
            Side::White => (row + up, column - right),
        };
        cells(variant).contains(&to).then_some(to)
    };
    let own = |cell: Cell| at(variant, position, cell).is_some_and(|p| p.side() == piece.side());
    let mut found = BTreeSet::new();
    for direction in Direction::ALL {
        let offset = direction_offset(direction);
        if face.steps.contains(direction)
            && let Some(next) = go(from, offset)
        {
            if !own(next) {
                found.insert(next);
            } else if variant.friendly_jump
                && let Some(beyond) = go(next, offset)
                && !own(beyond)
            {
                found.insert(beyond);
            }
        }
        if face.slides.contains(direction) {
            let mut here = from;
            while let Some(next) = go(here, offset) {
                if own(next) {
                    break;
                }
                found.insert(next);
                if at(variant, position, next).is_some() {
                    break;
                }
                here = next;
            }
        }
    }
    for &leap in &face.leaps {
        if let Some(next) = go(from, leap)
            && !own(next)
        {
            found.insert(next);
        }
    }
    found
}

/// Whether a side could go to a cell.
fn attacked(variant: &Variant, position: &Position, by: Side, cell: Cell) -> bool {
    cells(variant).into_iter().any(|from| {
        at(variant, position, from).is_some_and(|piece| {
            piece.side() == by && targets(variant, position, from, piece).contains(&cell)
        })
    })
}

fn is_far(variant: &Variant, side: Side, (row, _): Cell) -> bool {
    match side {
        Side::Black => row == 0,
        Side::White => row == variant.rows.cast_signed() - 1,
    }
}

fn king(variant: &Variant, position: &Position, side: Side) -> Cell {
    let king = Some(Piece::king(side));
    cells(variant)
        .into_iter()
        .find(|&cell| at(variant, position, cell) == king)
        .unwrap()
}

/// Every legal move with the position after it: as SFEN, or `king taken`, or `try`.
pub(crate) fn moves(variant: &Variant, position: &Position) -> BTreeMap<String, String> {
    let us = position.turn();
    let them = us.other();
    let mut found = BTreeMap::new();
    let their_king = king(variant, position, them);
    let with_try = variant.goal == Goal::TakeKingOrTry;
    if with_try && is_far(variant, them, their_king) && !attacked(variant, position, us, their_king)
    {
        return found;
    }
    for from in cells(variant) {
        let Some(piece) = at(variant, position, from).filter(|p| p.side() == us) else {
            continue;
        };
        for to in targets(variant, position, from, piece) {
            let mut text = name(variant, from) + &name(variant, to);
            let captured = at(variant, position, to);
            let mut after = *position;
            after.set_turn(them);
            put(variant, &mut after, from, None);
            let mut arrived = piece;
            if let Some(kind) = piece.kind()
                && variant.kinds[kind].promoted.is_some()
            {
                let by_rank = variant.promotion == Promotion::FarRank
                    && !piece.promoted()
                    && is_far(variant, us, to);
                if by_rank {
                    text.push('+');
                }
                let by_capture = variant.promotion == Promotion::OnCapture && captured.is_some();
                if by_rank || by_capture {
                    arrived = Piece::new(us, kind, !piece.promoted());
                }
            }
            put(variant, &mut after, to, Some(arrived));
            let ending = match captured.map(Piece::kind) {
                Some(None) => Some("king taken"),
                Some(Some(kind)) => {
                    after.set_in_hand(us, kind, after.in_hand(us, kind) + 1);
                    None
                }
                None => None,
            };
            let tries = with_try && piece.kind().is_none() && is_far(variant, us, to);
            let ending =
                ending.or_else(|| (tries && !attacked(variant, &after, them, to)).then_some("try"));
            found.insert(
                text,
                ending.map_or_else(|| variant.sfen(&after), str::to_owned),
            );
        }
    }
    if variant.captured == Captured::Gone {
        return found;
    }
    for (kind, data) in variant.kinds.iter().enumerate() {
        if position.in_hand(us, kind) == 0 {
            continue;
        }
        let mut faces = vec![(false, &data.base)];
        if variant.drop_faces == DropFaces::Either
            && let Some(promoted) = &data.promoted
        {
            faces.push((true, promoted));
        }
        for (promoted, face) in faces {
            for to in cells(variant) {
                let banned = variant.drop_ban == DropBan::FarRank && is_far(variant, us, to);
                if banned || at(variant, position, to).is_some() {
                    continue;
                }
                let mut after = *position;
                after.set_turn(them);
                after.set_in_hand(us, kind, after.in_hand(us, kind) - 1);
                put(
                    variant,
                    &mut after,
                    to,
                    Some(Piece::new(us, kind, promoted)),
                );
                let text = format!("{}*{}", face.letter, name(variant, to));
                found.insert(text, variant.sfen(&after));
            }
        }
    }
    found
}
