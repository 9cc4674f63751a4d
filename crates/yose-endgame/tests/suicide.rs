//! Rules under which suicide is legal: against plain play, and against a search of whole small boards under the
//! rules as they are written, superko and passes included.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{areas, plain_value_with};
use proptest::prelude::*;
use yose_cgt::Dyadic;
use yose_endgame::{LocalLimits, LocalSolver, Question, Status, analyse};
use yose_go::{BensonForm, Board, Colour, Game, Grid, Move, Rules, Suicide, solve};

/// White's two stones may be filled up and taken off where that is legal; the inner one touches no black stone.
#[test]
fn life_depends_on_suicide() {
    let rows = ["XXXXX", "XX.XX", "X.OOX", "XX.XX", "XXXX."];
    let cells = Board::from_rows(&rows).unwrap().cells();
    let grid = Grid::new(5, 5, &cells).unwrap();
    let safe = |rules: &Rules| {
        let question = Question::new(Colour::Black).with_rules(rules);
        let mut solver = LocalSolver::new(LocalLimits {
            nodes: 10,
            ..LocalLimits::default()
        });
        let answer = analyse(&mut solver, &grid, &question).unwrap();
        answer.decomposition.safe().iter().filter(|&&s| s).count()
    };
    assert_eq!(safe(&Rules::CHINESE), 19);
    assert_eq!(safe(&Rules::TROMP_TAYLOR), 0);
    assert_eq!(safe(&Rules::NEW_ZEALAND), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn search_with_suicide_equals_plain_play(area in areas(6)) {
        let mut solver = LocalSolver::default();
        let solution = solver.solve_until(&area, Suicide::Allowed, &|| false).unwrap();
        let plain = plain_value_with(solver.games_mut(), &area, BensonForm::SuicideLegal);
        if let Some(value) = plain {
            prop_assert_eq!(solution.status, Status::Exact);
            prop_assert_eq!(solution.low, value);
        }
        prop_assert!(solver.games_mut().le(solution.low, solution.high).unwrap());
    }
}

/// The next number of a fixed sequence.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Area scoring on boards of three rows, a live group at either end: what is claimed is what a search of the
/// whole board can reach for Black, and, colours exchanged, for White.
#[test]
fn whole_boards_by_the_rules() {
    let mut state = 1;
    let (mut asked, mut proved, mut moves) = (0, [0; 2], [0; 2]);
    while asked < 300 {
        let wide = 2 + usize::try_from(next(&mut state) % 2).unwrap();
        let rows: Vec<String> = [(".X", "O."), ("XX", "OO"), (".X", "O.")]
            .iter()
            .map(|(left, right)| {
                let signs = (0..wide).map(|_| {
                    [".", ".", ".", "X", "X", "O", "O"]
                        [usize::try_from(next(&mut state) % 7).unwrap()]
                });
                format!("{left}{}{right}", signs.collect::<String>())
            })
            .collect();
        let Ok(board) = Board::from_rows(&rows) else {
            continue;
        };
        let suicide = next(&mut state).is_multiple_of(2);
        let to_play = if next(&mut state).is_multiple_of(2) {
            Colour::Black
        } else {
            Colour::White
        };
        let rules = if suicide {
            Rules::TROMP_TAYLOR
        } else {
            Rules::CHINESE
        };
        let question = Question::new(to_play).with_rules(&rules);
        let cells = board.cells();
        let grid = Grid::new(3, wide + 4, &cells).unwrap();
        let mut solver = LocalSolver::default();
        let answer = analyse(&mut solver, &grid, &question).unwrap();
        // Of what is exact there is more than enough; what hangs on kos is asked about later too.
        if asked >= 120 && answer.is_exact() {
            continue;
        }
        asked += 1;
        let whole = |x: &Dyadic| i32::try_from(x.to_i128().unwrap()).unwrap();
        let score = answer.score();
        for (flip, lead) in [(false, whole(&score.low)), (true, -whole(&score.high))] {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| {
                    let other = |c| match c {
                        'X' => 'O',
                        'O' => 'X',
                        c => c,
                    };
                    row.chars()
                        .map(|c| if flip { other(c) } else { c })
                        .collect()
                })
                .collect();
            let to_play = if flip { !to_play } else { to_play };
            let game = Game::from_board(Board::from_rows(&rows).unwrap(), to_play, rules);
            if let Ok(reached) = solve::proves(&game, lead, 40_000) {
                assert!(reached, "{rows:?} {to_play:?} {lead}");
                proved[usize::from(suicide)] += 1;
            }
            // What is named as best reaches what it is said to reach, also where other moves lead to kos.
            for best in answer.best.iter().filter(|_| to_play == Colour::Black) {
                let mut after = game.clone();
                let point = after.board().size().point_at(best.point).unwrap();
                after.play(Move::Place(point)).unwrap();
                let lead = if flip {
                    -whole(&best.score.high)
                } else {
                    whole(&best.score.low)
                };
                if let Ok(reached) = solve::proves(&after, lead, 40_000) {
                    assert!(reached, "{rows:?} {to_play:?} {lead} {point:?}");
                    moves[usize::from(answer.is_exact())] += 1;
                }
            }
        }
    }
    assert!(moves[0] >= 20 && moves[1] >= 20, "{moves:?}");
    // The others are too large for a search that remembers nothing.
    assert!(proved[0] >= 20 && proved[1] >= 20, "{proved:?}");
}
