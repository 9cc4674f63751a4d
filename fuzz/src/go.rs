//! Coordinates and boards of Go. Each function takes any bytes and must return.

#[path = "../../crates/yose-go/tests/common/mod.rs"]
mod common;

use common::Naive;
use yose_go::{Board, Colour, Game, KoRule, Move, Position, Rules, Size, Suicide, Trail};

/// Rows, columns (a byte each), a text: what is read as a point is on the board and is written as
/// it was read. The same for boards as rows of text.
pub fn vertex(data: &[u8]) {
    let [rows, cols, text @ ..] = data else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let size = match Size::new(usize::from(*rows), usize::from(*cols)) {
        Ok(size) => size,
        Err(error) => {
            assert!(
                !(1..=25).contains(rows) || !(1..=25).contains(cols),
                "{error}"
            );
            return;
        }
    };
    match size.parse_gtp(text) {
        Ok(Move::Place(point)) => {
            assert!(size.contains(point));
            assert!(size.gtp(point).eq_ignore_ascii_case(text));
        }
        Ok(Move::Pass) => assert!(text.eq_ignore_ascii_case("pass")),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(Move::Place(point)) = size.parse_sgf(text) {
        assert!(size.contains(point));
        assert_eq!(size.sgf(point), text);
    }
    let _ = (Colour::parse(text), Rules::by_name(text));
    let lines: Vec<&str> = text.lines().collect();
    if let Ok(board) = Board::from_rows(&lines) {
        assert_eq!(board.self_check(), Ok(()));
        assert_eq!(Board::from_rows(&board.to_rows()), Ok(board));
    }
}

/// Rows, columns, rules (a byte each), then steps of two bytes, low first: moves, passes and
/// undos, out of turn and illegal ones too, compared with a board written for being read, and
/// the same moves as a game.
pub fn board(data: &[u8]) {
    let [rows, cols, options, steps @ ..] = data else {
        return;
    };
    let size = Size::new(usize::from(rows % 25) + 1, usize::from(cols % 25) + 1).expect("in range");
    let suicide =
        [Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed][usize::from(options % 3)];
    let ko =
        [KoRule::Simple, KoRule::Positional, KoRule::Situational][usize::from(options / 3 % 3)];
    let mut board = Board::new(size);
    board.set_suicide(suicide);
    let mut naive = Naive::new(size, suicide);
    let mut trail = Trail::new();
    let mut earlier = Vec::new();
    let mut game = Game::new(
        size,
        Rules {
            ko,
            suicide,
            ..Rules::CHINESE
        },
    );
    for step in steps.chunks_exact(2).take(300) {
        let step = usize::from(u16::from_le_bytes([step[0], step[1]]));
        let colour = Colour::BOTH[step & 1];
        let (kind, flat) = (step >> 1 & 7, step >> 4);
        match kind {
            0 => {
                if let Some(before) = earlier.pop() {
                    assert!(board.undo(&mut trail));
                    naive = before;
                }
                game.undo();
            }
            1 => {
                earlier.push(naive.clone());
                board.pass_on(&mut trail);
                naive.pass();
                game.play_as(colour, Move::Pass).expect("always legal");
            }
            _ => {
                let point = size.point_at(flat % size.area()).expect("on board");
                let after = naive.after(colour, point);
                let hash = board.hash_after(colour, point);
                let played = board.play_on(&mut trail, colour, point);
                assert_eq!(after.is_some(), played.is_ok());
                if let Some(after) = after {
                    assert_eq!(board.hash(), hash);
                    earlier.push(std::mem::replace(&mut naive, after));
                }
                let _ = game.play_as(colour, Move::Place(point));
            }
        }
        naive.assert_same(&board);
        assert_eq!(board.hash(), board.hash_from_scratch());
        assert_eq!(game.positions().last(), Some(&Position::of(game.board())));
    }
    assert_eq!(board.self_check(), Ok(()));
    // The same stones, but another board: its trail does no harm.
    let mut foreign = Board::from_rows(&board.to_rows()).expect("a board");
    let _ = foreign.undo(&mut trail);
    assert_eq!(foreign.self_check(), Ok(()));
    assert_eq!(game.board().self_check(), Ok(()));
    if ko == KoRule::Positional {
        for (number, pair) in game.positions().windows(2).enumerate() {
            let earlier = &game.positions()[..=number];
            let passed = game.moves()[number].mv == Move::Pass;
            assert!(
                passed || !earlier.contains(&pair[1]),
                "a placed stone repeated a position"
            );
        }
    }
}
