//! Whole boards of several regions: the sum search against the board played as one piece.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Plain, areas};
use proptest::prelude::*;
use yose_cgt::Kind;
use yose_endgame::decompose::Vouched;
use yose_endgame::{LocalSolver, Place, Question, analyse};
use yose_go::{Cell, Colour, Grid};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn score_and_best_moves_of_the_undivided_board(area in areas(7), black in any::<bool>()) {
        let mut plain = Plain::of(&area);
        let mut places = area.places().to_vec();
        plain.make_immortal(&mut places);
        let mut solver = LocalSolver::default();
        let whole = plain.value(solver.games_mut(), &places);
        prop_assume!(whole.is_some());
        let whole = whole.unwrap();

        let cells: Vec<Cell> = area.places().iter().map(|place| match *place {
            Place::Empty => Cell::Empty,
            Place::Off => Cell::Off,
            Place::Mortal(c) | Place::Immortal(c) => Cell::stone(c),
        }).collect();
        let grid = Grid::new(area.rows(), area.cols(), &cells).unwrap();
        let immortal = |p: &usize| matches!(area.places()[*p], Place::Immortal(_));
        let to_play = if black { Colour::Black } else { Colour::White };
        let question = Question {
            vouched: Vouched { alive: (0..cells.len()).filter(immortal).collect(), ..Vouched::default() },
            ..Question::new(to_play)
        };
        let answer = analyse(&mut solver, &grid, &question).unwrap();
        prop_assert!(answer.is_exact());
        prop_assert_eq!(answer.left_stop.exact().unwrap(), solver.games().left_stop(whole));
        prop_assert_eq!(answer.right_stop.exact().unwrap(), solver.games().right_stop(whole));
        prop_assert_eq!(answer.mean.clone().unwrap(), solver.games_mut().mean(whole).unwrap());

        // Every legal move outside numbers, in the undivided board.
        let mut scores = Vec::new();
        for region in &answer.regions {
            if region.worth.as_ref().unwrap().kind == Kind::Number {
                continue;
            }
            for point in &answer.decomposition.regions()[region.region].points {
                let Some((next, taken)) = plain.play(&places, to_play, *point) else {
                    continue;
                };
                let next = plain.value(solver.games_mut(), &next).unwrap();
                let taken = solver.games_mut().integer(if black { taken } else { -taken }).unwrap();
                let next = solver.games_mut().add(next, taken).unwrap();
                let score = if black { solver.games().right_stop(next) } else { solver.games().left_stop(next) };
                scores.push((*point, score));
            }
        }
        let best = scores.iter().map(|s| &s.1);
        let best = if black { best.max() } else { best.min() }.cloned();
        let mut expected: Vec<usize> = scores.iter().filter(|s| Some(&s.1) == best.as_ref()).map(|s| s.0).collect();
        let mut found: Vec<usize> = answer.best.iter().map(|b| b.point).collect();
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
        for best in &answer.best {
            let stop = if black { &answer.left_stop } else { &answer.right_stop };
            prop_assert_eq!(Some(best.score.clone()), stop.exact());
        }
    }
}
