//! A drop-shogi position drawn for people: files from the right, ranks from the top, hands beside.

use yose_shogi::{Piece, Position, Side, Variant};

use super::Style;

/// Draws the position. Black's letters are upper case and strong.
pub(crate) fn draw(variant: &Variant, position: &Position, style: Style) -> String {
    let board = variant.board();
    let mut lines = vec![String::from("    ")];
    for column in 0..board.columns {
        lines[0].push_str(&format!(" {}  ", board.columns - column));
    }
    let edge = "───".repeat(usize::from(board.columns)) + &"─".repeat(usize::from(board.columns));
    lines.push(format!("   ┌{edge}┐"));
    for row in 0..board.rows {
        let mut line = format!(" {} │", char::from(b'a' + row));
        for column in 0..board.columns {
            let cell = match position.piece_on(board.square(row, column)) {
                None => style.dim("  · "),
                Some(piece) => {
                    let letter = letter(variant, piece);
                    let padded = format!("{letter:>3} ");
                    match piece.side() {
                        Side::Black => style.strong(&padded),
                        Side::White => padded,
                    }
                }
            };
            line.push_str(&cell);
        }
        line.push('│');
        let beside = if row == 0 {
            format!("   White in hand: {}", hand(variant, position, Side::White))
        } else if row == board.rows - 1 {
            format!("   Black in hand: {}", hand(variant, position, Side::Black))
        } else {
            String::new()
        };
        lines.push(line + &beside);
    }
    let mover = match position.turn() {
        Side::Black => "Black (upper case, moves up)",
        Side::White => "White (lower case, moves down)",
    };
    lines.push(format!("   └{edge}┘   {mover} to move"));
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n") + "\n"
}

fn letter(variant: &Variant, piece: Piece) -> String {
    let letter = &variant.face(piece).letter;
    match piece.side() {
        Side::Black => letter.clone(),
        Side::White => letter.to_lowercase(),
    }
}

fn hand(variant: &Variant, position: &Position, side: Side) -> String {
    let mut pieces = Vec::new();
    for number in 0..variant.kinds.len() {
        let piece = letter(variant, Piece::new(side, number, false));
        match position.in_hand(side, number) {
            0 => {}
            1 => pieces.push(piece),
            count => pieces.push(format!("{count}{piece}")),
        }
    }
    if pieces.is_empty() {
        "-".to_owned()
    } else {
        pieces.join(" ")
    }
}
