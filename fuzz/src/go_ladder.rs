//! Ladders, safety and planes of Go. The function takes any bytes and must return.

use yose_go::planes::{EncodeOptions, Encoder, PlaneSet};
use yose_go::{
    AlternateLimits, BensonForm, Colour, Game, Grid, KoRule, Move, Rules, Size, alternate_safety,
    ladder,
};

/// Rows, columns (a byte each), then moves of the two sides in turn, a byte each; what is no legal
/// move is a pass. Whatever is read on the position holds together.
pub fn ladders(data: &[u8]) {
    let [rows, cols, moves @ ..] = data else {
        return;
    };
    let size = Size::new(usize::from(rows % 13) + 1, usize::from(cols % 13) + 1).expect("in range");
    let rules = Rules {
        ko: KoRule::Simple,
        ..Rules::CHINESE
    };
    let mut game = Game::new(size, rules);
    for &step in moves.iter().take(400) {
        let point = size
            .point_at(usize::from(step) % size.area())
            .expect("on the board");
        if game.play(Move::Place(point)).is_err() {
            game.play(Move::Pass).expect("always legal");
        }
    }
    let board = game.board();
    for chain in board.chains().filter(|&chain| board.liberties(chain) <= 2) {
        for first in Colour::BOTH {
            let read = ladder(board, chain, first, 2_000).expect("a stone is there");
            assert_eq!(
                read.plies.map_or(0, |n| n as usize),
                read.plies.map_or(0, |_| read.line.len())
            );
            let mut after = board.clone();
            let mut colour = first;
            for &mv in &read.line {
                match mv {
                    Move::Pass => after.pass(),
                    Move::Place(point) => {
                        after.play(colour, point).expect("lines are legal");
                    }
                }
                colour = !colour;
            }
            assert!(read.plies.is_none() || after.stone(chain).is_none());
        }
    }
    let cells = board.cells();
    let grid = Grid::new(size.rows(), size.cols(), &cells).expect("as many cells as points");
    let limits = AlternateLimits {
        points: 10,
        nodes: 500,
    };
    for colour in Colour::BOTH {
        for form in [BensonForm::SuicideIllegal, BensonForm::SuicideLegal] {
            let safe = alternate_safety(&grid, colour, form, limits);
            for (p, cell) in cells.iter().enumerate() {
                let (first, second) = (safe.unconditional.stones[p], safe.stones[p]);
                assert!(!(first && second));
                assert!(!(first || second) || cell.colour() == Some(colour));
            }
        }
    }
    for set in PlaneSet::ALL {
        let mut encoder = Encoder::new(set, size, EncodeOptions::default());
        let mut planes = vec![9_u8; encoder.len()];
        encoder
            .encode(&game, game.moves().len(), &mut planes)
            .expect("there is room");
        assert!(set == PlaneSet::GnuGo || planes.iter().all(|&bit| bit <= 1));
    }
}
