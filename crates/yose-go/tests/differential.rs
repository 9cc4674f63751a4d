//! Random moves on nine sizes, compared with a board written for being read.

mod common;

use std::collections::VecDeque;

use common::Naive;
use yose_go::playout::Random;
use yose_go::{Board, Colour, Point, Size, Suicide, Trail};

/// Legal random moves on one size, passes now and then, moves taken back, all suicide rules.
fn compare(rows: usize, cols: usize, moves: u32, seed: u64) {
    let size = Size::new(rows, cols).expect("a size");
    let mut random = Random::new(seed);
    let mut done = 0;
    let mut game = 0;
    while done < moves {
        let suicide = [Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed][game % 3];
        game += 1;
        let mut board = Board::new(size);
        board.set_suicide(suicide);
        let mut naive = Naive::new(size, suicide);
        let mut trail = Trail::new();
        // Boards before the moves on the trail, the last eight of them.
        let mut earlier: VecDeque<(Board, Naive)> = VecDeque::new();
        for turn in 0..3 * size.area() {
            let colour = if turn % 2 == 0 {
                Colour::Black
            } else {
                Colour::White
            };
            // All moves on the way: often on small boards, on large ones when they are full.
            if size.area() < 30 && turn % 8 == 7 || turn == size.area() {
                naive.assert_same_moves(&board);
                board.self_check().expect("right");
            }
            earlier.push_back((board.clone(), naive.clone()));
            if earlier.len() > 8 {
                earlier.pop_front();
            }
            let mut open: Vec<Point> = board.empty_points().collect();
            loop {
                if open.is_empty() || random.below(200) == 0 {
                    board.pass_on(&mut trail);
                    naive.pass();
                    break;
                }
                let count = u16::try_from(open.len()).expect("small");
                let point = open.swap_remove(usize::from(random.below(count)));
                let hash_after = board.hash_after(colour, point);
                let after = naive.after(colour, point);
                let played = board.play_on(&mut trail, colour, point);
                assert_eq!(after.is_some(), played.is_ok(), "{board}{colour} {point:?}");
                if let Some(after) = after {
                    naive = after;
                    assert_eq!(board.hash(), hash_after);
                    done += 1;
                    break;
                }
            }
            naive.assert_same(&board);
            assert_eq!(board.hash(), board.hash_from_scratch());
            let count = naive.stones.iter().filter(|stone| stone.is_none()).count();
            assert_eq!(board.empty_count(), count);
            let below = u16::try_from(size.area()).expect("small");
            let point = size
                .point_at(usize::from(random.below(below)))
                .expect("on board");
            if naive.stone(point).is_some() {
                naive.assert_same_chain(&board, point);
            }
            // Back by up to eight moves, and forth again by other ones.
            if random.below(16) == 0 {
                for _ in 0..=random.below(8) {
                    let Some((board_before, naive_before)) = earlier.pop_back() else {
                        break;
                    };
                    assert!(board.undo(&mut trail));
                    assert_eq!(board, board_before);
                    assert_eq!(board.hash(), board.hash_from_scratch());
                    naive_before.assert_same(&board);
                    naive = naive_before;
                }
                board.self_check().expect("right");
            }
            if done >= moves {
                break;
            }
        }
    }
}

macro_rules! sizes {
    ($($name:ident $rows:literal $cols:literal;)*) => {$(
        #[test]
        fn $name() {
            compare($rows, $cols, 100_000, $rows * 100 + $cols);
        }
    )*};
}

sizes! {
    board_1x2 1 2;
    board_2x2 2 2;
    board_3x3 3 3;
    board_4x5 4 5;
    board_7x7 7 7;
    board_9x9 9 9;
    board_6x25 6 25;
    board_13x13 13 13;
    board_19x19 19 19;
}

/// Fewer moves on some more shapes, the largest among them.
#[test]
fn other_shapes() {
    for (rows, cols) in [
        (1, 1),
        (1, 7),
        (7, 1),
        (2, 3),
        (3, 2),
        (25, 1),
        (25, 24),
        (25, 25),
    ] {
        compare(rows, cols, 3_000, 7);
    }
}
