//! The rules, square by square.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use yose_race::{Columns, Move, Position, PositionError, Side};
use yose_retro::{Successor, Value};

fn moves(position: &str) -> Vec<String> {
    let position: Position = position.parse().unwrap();
    position.moves().iter().map(Move::to_string).collect()
}

fn after(position: &str, mv: &str) -> String {
    let position: Position = position.parse().unwrap();
    match position.play(mv.parse().unwrap()) {
        Ok(Successor::Position(next)) => next.to_string(),
        Ok(Successor::Decided(value)) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_row_moves_by_its_own_rule() {
    //    1 2 3 4 5 6
    // A  . r . . b .   a step toward the enemy
    // B  . r . . b .   any number of squares, up to the enemy
    // C  . . r b . .
    // D  . r . . b .   a step away
    let board = "1r2b1/1r2b1/2rb2/1r2b1";
    assert_eq!(
        moves(&format!("{board} r")),
        ["A2-3", "B2-1", "B2-3", "B2-4", "C3-1", "C3-2", "D2-1"]
    );
    assert_eq!(
        moves(&format!("{board} b")),
        ["A5-4", "B5-3", "B5-4", "B5-6", "C4-5", "C4-6", "D5-6"]
    );
}

#[test]
fn a_piece_at_the_edge_of_row_d_is_at_the_end_of_its_moves() {
    assert_eq!(moves("r2b/rb2/rb2/r2b r"), ["A1-2"]);
    assert_eq!(moves("r2b/2rb/2rb/r2b b"), ["A4-3"]);
}

#[test]
fn a_move_changes_one_square_and_the_turn() {
    assert_eq!(
        after("r4b4/1r3b4/2r4b2/4rb4 r", "B2-4"),
        "r4b4/3r1b4/2r4b2/4rb4 b"
    );
    assert_eq!(
        after("r4b4/1r3b4/2r4b2/4rb4 b", "D6-7"),
        "r4b4/1r3b4/2r4b2/4r1b3 r"
    );
    assert_eq!(
        after("r4b4/1r3b4/2r4b2/4rb4 b", "C8-10"),
        "r4b4/1r3b4/2r6b/4rb4 r"
    );
}

#[test]
fn stepping_onto_the_enemy_in_row_a_wins() {
    assert_eq!(
        after("1rb1/r2b/r2b/1rb1 r", "A2-3"),
        Value::Loss(0).to_string()
    );
    assert_eq!(
        after("1rb1/r2b/r2b/1rb1 b", "A3-2"),
        Value::Loss(0).to_string()
    );
}

#[test]
fn moves_against_the_rules_are_refused() {
    let board = "1r2b1/1r2b1/2rb2/1r2b1 r";
    for mv in [
        "A2-1",  // away from the enemy
        "A2-4",  // two steps
        "B2-5",  // onto the enemy
        "B2-6",  // past the enemy
        "B2-2",  // nowhere
        "C2-1",  // no piece there
        "C4-5",  // not the own piece
        "D2-3",  // toward the enemy
        "D2-16", // off the board
        "B2-16",
    ] {
        assert_eq!(
            after(board, mv),
            format!("{mv} is not a move of red in {board}")
        );
    }
}

#[test]
fn positions_outside_the_domain_are_refused() {
    let columns = Columns::new(6).unwrap();
    let new = |red, black| Position::new(columns, red, black, Side::Red).map(|p| p.to_string());
    assert_eq!(
        new([0, 1, 2, 2], [5, 4, 3, 3]).as_deref(),
        Ok("r4b/1r2b1/2rb2/2rb2 r")
    );
    assert_eq!(
        new([0, 1, 2, 2], [5, 4, 6, 3]).unwrap_err().to_string(),
        "the black piece of row C is off the board of 6 columns"
    );
    assert_eq!(
        new([0, 4, 2, 2], [5, 4, 3, 3]).unwrap_err().to_string(),
        "in row B Red does not stand left of Black"
    );
    assert_eq!(
        new([0; 4], [1, 1, 1, 1]),
        Err(PositionError::WrongHalf(Side::Black))
    );
    assert_eq!(
        new([0, 0, 0, 3], [5; 4]),
        Err(PositionError::WrongHalf(Side::Red))
    );
}

#[test]
fn only_even_widths_from_4_to_16_are_boards() {
    let allowed: Vec<usize> = (0..300).filter(|&n| Columns::new(n).is_ok()).collect();
    assert_eq!(allowed, [4, 6, 8, 10, 12, 14, 16]);
    let listed: Vec<usize> = Columns::all().map(|c| usize::from(c.count())).collect();
    assert_eq!(listed, allowed);
}
