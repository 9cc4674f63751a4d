//! Undoing with a trail that is another board's.

use proptest::prelude::*;
use yose_go::{Board, Colour, Size, Trail};

/// The same stones, but chains and empty points are linked in another order: words of the one put back
/// into the other would leave a board that loops or panics.
#[test]
fn the_same_stones_are_not_the_same_board() {
    let size = Size::square(5).unwrap();
    let at = |text: &str| size.parse_gtp(text).unwrap().point().unwrap();
    let mut board = Board::new(size);
    let mut trail = Trail::new();
    for vertex in ["A1", "C1", "B1", "B3", "A3", "B2"] {
        board
            .play_on(&mut trail, Colour::Black, at(vertex))
            .unwrap();
    }
    let mut other = Board::from_rows(&board.to_rows()).unwrap();
    assert_eq!(other, board);
    let before = other.clone();
    assert!(!other.undo(&mut trail));
    assert_eq!(
        (other.self_check(), &other, trail.len()),
        (Ok(()), &before, 6)
    );
    // A clone is the same board, and stays it until it goes its own way.
    let mut clone = board.clone();
    let mut its = trail.clone();
    clone.pass();
    assert!(!clone.undo(&mut its));
    let mut copy = other;
    copy.copy_from(&board);
    for _ in 0..6 {
        assert!(copy.undo(&mut trail));
        assert_eq!(copy.self_check(), Ok(()));
    }
    assert_eq!(copy, Board::new(size));
}

proptest! {
    /// Moves of two boards in any order, with one trail: what is undone leaves a sound board.
    #[test]
    fn a_foreign_trail_undoes_nothing_wrong(
        steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0_usize..20), 1..200),
    ) {
        let size = Size::new(4, 4).unwrap();
        let mut boards = [Board::new(size), Board::new(size)];
        let mut trail = Trail::new();
        for (which, white, step) in steps {
            let board = &mut boards[usize::from(which)];
            let colour = Colour::BOTH[usize::from(white)];
            match size.point_at(step) {
                Ok(point) => {
                    let _ = board.play_on(&mut trail, colour, point);
                }
                Err(_) if step == 16 => board.pass_on(&mut trail),
                Err(_) if step == 17 => {
                    let stones = Board::from_rows(&board.to_rows()).expect("a board");
                    board.copy_from(&stones);
                }
                Err(_) => {
                    board.undo(&mut trail);
                }
            }
            prop_assert_eq!(board.self_check(), Ok(()));
        }
    }
}
