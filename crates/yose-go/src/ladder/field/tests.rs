//! The field against a board that knows chains and liberties on its own.

use super::*;
use crate::playout::Random;
use crate::{Board, Colour, Size};

/// Everything that can be asked, as a board answers it.
fn compare(field: &Field, board: &Board, ko: Option<Spot>) {
    let size = board.size();
    for point in size.points() {
        let spot = field.spot(point.row(), point.col());
        let code = crate::ladder::code(board.stone(point));
        assert_eq!(field.at(spot), code);
        if code == EMPTY {
            for colour in Colour::BOTH {
                let banned = ko == Some(spot);
                let mut free = board.clone();
                free.clear_ko();
                let legal = free.is_legal(colour, point) && !banned;
                assert_eq!(
                    field.is_legal(spot, crate::ladder::code(Some(colour))),
                    legal
                );
            }
            continue;
        }
        let chain = field.chain(spot);
        assert_eq!(field.size(chain), board.chain_size(point));
        assert_eq!(
            field.liberty_count(chain),
            board.liberties(point),
            "{point:?}\n{}",
            board.to_rows().join("\n")
        );
        let mut liberties: Vec<Spot> = board
            .chain_liberties(point)
            .map(|p| field.spot(p.row(), p.col()))
            .collect();
        liberties.sort_unstable();
        let found: [Spot; 25 * 25] = field.first_liberties(chain);
        assert_eq!(found[..liberties.len()], liberties);
        assert!(found[liberties.len()..].iter().all(|&spot| spot == NOWHERE));
        assert_eq!(
            field.stones(spot).count(),
            usize::from(board.chain_size(point))
        );
    }
    assert_eq!(field.ko(), ko.unwrap_or(NOWHERE));
}

#[test]
fn moves_and_their_undoing_agree_with_the_board() {
    let mut random = Random::new(1);
    let mut captures = 0;
    for (rows, cols) in [(2, 3), (3, 3), (5, 4), (7, 7), (1, 6), (9, 9), (25, 25)] {
        let size = Size::new(rows, cols).expect("a size");
        let mut field = Field::new(rows, cols);
        field.load(&vec![EMPTY; size.area()], None);
        // Boards before each move, to go back to.
        let mut boards = vec![(Board::new(size), None, field.hash())];
        for _ in 0..1_200 {
            let (board, _, _) = boards[boards.len() - 1].clone();
            if boards.len() > 1 && random.below(7) < 2 {
                boards.pop();
                field.undo();
            } else if random.below(12) == 0 {
                field.pass();
                boards.push((board, None, field.hash()));
            } else {
                let point = size
                    .point_at(usize::from(random.below(size.area() as u16)))
                    .expect("on the board");
                let colour = Colour::BOTH[usize::from(random.below(2))];
                let spot = field.spot(point.row(), point.col());
                let code = crate::ladder::code(Some(colour));
                if !field.is_legal(spot, code) {
                    continue;
                }
                let mut board = board;
                board.clear_ko();
                let played = board.play(colour, point).expect("legal");
                assert_eq!(field.play(spot, code), usize::from(played.captured));
                captures += played.captured;
                let ko = board.ko_point().map(|p| field.spot(p.row(), p.col()));
                boards.push((board, ko, field.hash()));
            }
            let (board, ko, hash) = &boards[boards.len() - 1];
            assert_eq!(field.hash(), *hash);
            compare(&field, board, *ko);
            // The same position placed at once.
            if random.below(20) == 0 {
                let cells: Vec<u8> = size
                    .points()
                    .map(|p| crate::ladder::code(board.stone(p)))
                    .collect();
                let mut fresh = Field::new(rows, cols);
                fresh.load(&cells, ko.map(|spot| field.row_col(spot)));
                compare(&fresh, board, *ko);
            }
        }
    }
    assert!(captures > 100, "{captures}");
}
