//! What situational superko forbids when moves are out of turn, and what a simple ko adds to it.

use yose_go::{Board, Colour, Game, IllegalMove, KoRule, Move, Rules};

const ROWS: [&str; 5] = [".XO..", "X.XO.", ".XO..", ".....", "....."];

/// White takes a ko; whether it was White's turn is said. Then what Black hears who retakes at once.
fn retake(rules: Rules, turn: Colour) -> Result<(), IllegalMove> {
    let board = Board::from_rows(&ROWS).expect("fits");
    let size = board.size();
    let take = size.parse_gtp("B4").expect("fits");
    let retake = size.parse_gtp("C4").expect("fits");
    let mut game = Game::from_board(board, turn, rules);
    game.play_as(Colour::White, take).expect("fits");
    let said = game.check(Colour::Black, retake);
    assert_eq!(game.is_legal(Colour::Black, retake), said.is_ok());
    assert_eq!(game.play(retake).map(|_| ()), said);
    said
}

/// Situational superko compares stones and turn, and is the only ko rule of AGA and New Zealand. Where
/// White took out of turn, the retake leaves White to move where Black was: another situation.
#[test]
fn a_retake_after_a_move_out_of_turn() {
    for rules in [Rules::AGA, Rules::NEW_ZEALAND] {
        assert_eq!(rules.ko, KoRule::Situational);
        assert_eq!(retake(rules, Colour::White), Err(IllegalMove::Ko));
        assert_eq!(retake(rules, Colour::Black), Ok(()));
    }
    for rules in [Rules::JAPANESE, Rules::CHINESE] {
        for turn in Colour::BOTH {
            assert_eq!(retake(rules, turn), Err(IllegalMove::Ko));
        }
    }
}

/// What stood before a set-up start is not known, so a ban that it brings along holds.
#[test]
fn the_ban_of_a_start_holds() {
    let mut board = Board::from_rows(&ROWS).unwrap();
    let size = board.size();
    let point = |text: &str| size.parse_gtp(text).unwrap().point().unwrap();
    board.play(Colour::White, point("B4")).unwrap();
    let retake = Move::Place(point("C4"));
    for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
        let rules = Rules { ko, ..Rules::AGA };
        let mut game = Game::from_board(board.clone(), Colour::Black, rules);
        assert_eq!(game.check(Colour::Black, retake), Err(IllegalMove::Ko));
        game.play(Move::Pass).unwrap();
        game.play(Move::Pass).unwrap();
        assert_eq!(game.check(Colour::Black, retake), Ok(()));
    }
}
