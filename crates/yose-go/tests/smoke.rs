//! Random moves; everything kept from move to move is what the stones say.
use yose_go::{Board, Colour, Size, Suicide, Trail};

#[test]
fn random_moves_keep_the_board_right() {
    let mut state = 1_u64;
    for (rows, cols) in [
        (1, 1),
        (1, 5),
        (2, 2),
        (3, 3),
        (5, 4),
        (9, 9),
        (19, 19),
        (25, 25),
        (2, 25),
    ] {
        let size = Size::new(rows, cols).expect("a size");
        let mut board = Board::new(size);
        board.set_suicide(Suicide::MultiStone);
        let mut trail = Trail::new();
        let mut boards = vec![board.clone()];
        for i in 0..3000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let point = size
                .point_at((state >> 33) as usize % size.area())
                .expect("on board");
            let colour = if i % 2 == 0 {
                Colour::Black
            } else {
                Colour::White
            };
            if board.play_on(&mut trail, colour, point).is_ok() {
                board.self_check().expect("right");
                boards.push(board.clone());
            }
            if state >> 60 == 0 && !trail.is_empty() {
                board.undo(&mut trail);
                boards.pop();
                assert_eq!(Some(&board), boards.last());
                board.self_check().expect("right");
            }
        }
    }
}
