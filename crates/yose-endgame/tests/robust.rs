//! Any grid gets an answer: no panic, no crossing bounds, and the same answer with colours exchanged.
#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use yose_endgame::decompose::Vouched;
use yose_endgame::{Analysis, LocalLimits, LocalSolver, Question, analyse};
use yose_go::{AlternateLimits, BensonForm, Cell, Colour, Grid};

fn answer(rows: usize, cols: usize, cells: &[Cell], to_play: Colour, loose: bool) -> Analysis {
    let limits = LocalLimits {
        nodes: 600,
        ..LocalLimits::default()
    };
    let mut solver = LocalSolver::new(limits);
    let vouched = Vouched {
        alive: if loose { vec![0, 3, 77] } else { Vec::new() },
        dead: if loose { vec![1, 4, 99] } else { Vec::new() },
        auto: loose,
        alternate: loose.then(AlternateLimits::default),
        form: if loose {
            BensonForm::SuicideLegal
        } else {
            BensonForm::SuicideIllegal
        },
    };
    let question = Question {
        vouched,
        ..Question::new(to_play)
    };
    let grid = Grid::new(rows, cols, cells).unwrap();
    let answer = analyse(&mut solver, &grid, &question).unwrap();
    for region in &answer.regions {
        assert!(solver.games_mut().le(region.low, region.high).unwrap());
    }
    answer
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_grid(
        (rows, cols, cells) in (1_usize..8, 1_usize..8).prop_flat_map(|(rows, cols)| {
            let cell = prop_oneof![
                3 => Just(Cell::Empty), 4 => Just(Cell::Black), 4 => Just(Cell::White), 1 => Just(Cell::Off)
            ];
            (Just(rows), Just(cols), proptest::collection::vec(cell, rows * cols))
        }),
        loose in any::<bool>(),
    ) {
        let flip = |cell: &Cell| cell.colour().map_or(*cell, |c| Cell::stone(!c));
        let flipped: Vec<Cell> = cells.iter().map(flip).collect();
        let black = answer(rows, cols, &cells, Colour::Black, loose);
        let white = answer(rows, cols, &flipped, Colour::White, loose);
        prop_assert!(black.left_stop.low <= black.left_stop.high);
        prop_assert!(black.right_stop.low <= black.right_stop.high);
        if black.is_exact() && white.is_exact() {
            prop_assert_eq!(black.left_stop.low.negative(), white.right_stop.low.clone());
            prop_assert_eq!(black.right_stop.low.negative(), white.left_stop.low.clone());
            let points = |a: &Analysis| a.best.iter().map(|b| b.point).collect::<Vec<_>>();
            prop_assert_eq!(points(&black), points(&white));
        }
    }
}
