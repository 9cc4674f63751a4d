//! Whole boards of several regions: the sum search against the board played as one piece.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Plain, areas, asked, stacked};
use proptest::prelude::*;
use yose_cgt::{Dyadic, Kind};
use yose_endgame::value::stops_by_chilling;
use yose_endgame::{Area, LocalSolver, Place, Question};
use yose_go::{Colour, Scoring};

/// Score and best moves against play in turn with passes, each position counted when both have passed.
///
/// Territory is area less what was placed, plus what stood at the start, what is dead at sight taken off. Stones
/// that are dead without being so at sight would live, so whoever has to take them would lose a point: boards
/// are left out in which a mortal stone stands at the start or a point is open on all sides.
fn by_minimax(area: &Area, to_play: Colour, scoring: Scoring) -> Result<(), TestCaseError> {
    let black = to_play == Colour::Black;
    let mut plain = Plain::of(area);
    let mut places = area.places().to_vec();
    plain.make_immortal(&mut places);
    prop_assume!(!plain.repeats(&places));
    let mut solver = LocalSolver::default();
    let question = Question {
        scoring,
        ..Question::new(to_play)
    };
    let answer = asked(&mut solver, area, question);
    prop_assert!(answer.is_exact());
    let mut stood = 0;
    if scoring == Scoring::Territory {
        prop_assume!(!places.iter().any(|p| matches!(p, Place::Mortal(_))));
        let immortal = |p: usize| matches!(places[p], Place::Immortal(_));
        let touches = |p: usize| plain.beside(p).into_iter().any(immortal);
        prop_assume!(area.points().all(touches));
        plain.tax = 1;
        stood = places.iter().fold(0, |sum, p| match *p {
            Place::Immortal(Colour::Black) => sum + 1,
            Place::Immortal(Colour::White) => sum - 1,
            _ => sum,
        });
    }
    let score = plain.minimax(&places, black, false);
    prop_assert_eq!(
        answer.score().exact().unwrap(),
        Dyadic::from(score - stood),
        "{:?}",
        area.to_rows()
    );
    let other = plain.minimax(&places, !black, false);
    let stop = if black {
        &answer.right_stop
    } else {
        &answer.left_stop
    };
    prop_assert_eq!(stop.exact().unwrap(), Dyadic::from(other - stood));

    let mut expected = Vec::new();
    for region in &answer.regions {
        if region.worth.as_ref().unwrap().kind == Kind::Number {
            continue;
        }
        for point in &answer.decomposition.regions()[region.region].points {
            if let Some((next, _)) = plain.play(&places, to_play, *point)
                && plain.minimax(&next, !black, false) + if black { -plain.tax } else { plain.tax }
                    == score
            {
                expected.push(*point);
            }
        }
    }
    let mut found: Vec<usize> = answer.best.iter().map(|b| b.point).collect();
    expected.sort_unstable();
    found.sort_unstable();
    prop_assert_eq!(found, expected);
    prop_assert!(answer.line_complete || answer.best.is_empty());
    Ok(())
}

/// Score and best moves against the canonical form of the board as one piece.
fn by_canonical_form(area: &Area, black: bool) -> Result<(), TestCaseError> {
    let mut plain = Plain::of(area);
    let mut places = area.places().to_vec();
    plain.make_immortal(&mut places);
    let mut solver = LocalSolver::default();
    let whole = plain.value(solver.games_mut(), &places);
    prop_assume!(whole.is_some());
    let whole = whole.unwrap();

    let to_play = if black { Colour::Black } else { Colour::White };
    let answer = asked(&mut solver, area, Question::new(to_play));
    prop_assert!(answer.is_exact());
    prop_assert_eq!(
        answer.left_stop.exact().unwrap(),
        solver.games().left_stop(whole)
    );
    prop_assert_eq!(
        answer.right_stop.exact().unwrap(),
        solver.games().right_stop(whole)
    );
    prop_assert_eq!(
        answer.mean.clone().unwrap(),
        solver.games_mut().mean(whole).unwrap()
    );

    // The fight for the last point gives the same score.
    let values: Vec<_> = answer.regions.iter().map(|r| r.low).collect();
    if let Some((left, right)) = stops_by_chilling(solver.games_mut(), &values).unwrap() {
        let settled = Dyadic::from(answer.decomposition.settled());
        prop_assert_eq!(
            Some(left.checked_add(&settled).unwrap()),
            answer.left_stop.exact()
        );
        prop_assert_eq!(
            Some(right.checked_add(&settled).unwrap()),
            answer.right_stop.exact()
        );
    }

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
            let taken = solver
                .games_mut()
                .integer(if black { taken } else { -taken })
                .unwrap();
            let next = solver.games_mut().add(next, taken).unwrap();
            let score = if black {
                solver.games().right_stop(next)
            } else {
                solver.games().left_stop(next)
            };
            // After the move too, so equal moves are equal in the fight for the last point.
            let stops = stops_by_chilling(solver.games_mut(), &[next]).unwrap();
            if let Some((left, right)) = stops {
                prop_assert_eq!(if black { right } else { left }, score.clone());
            }
            scores.push((*point, score));
        }
    }
    let best = scores.iter().map(|s| &s.1);
    let best = if black { best.max() } else { best.min() }.cloned();
    let mut expected: Vec<usize> = scores
        .iter()
        .filter(|s| Some(&s.1) == best.as_ref())
        .map(|s| s.0)
        .collect();
    let mut found: Vec<usize> = answer.best.iter().map(|b| b.point).collect();
    expected.sort_unstable();
    found.sort_unstable();
    prop_assert_eq!(found, expected);
    for best in &answer.best {
        let stop = if black {
            &answer.left_stop
        } else {
            &answer.right_stop
        };
        prop_assert_eq!(&best.score, stop);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500, max_global_rejects: 20_000, ..ProptestConfig::default()
    })]

    #[test]
    fn area_scoring_by_minimax(area in areas(7), black in any::<bool>()) {
        by_minimax(&area, if black { Colour::Black } else { Colour::White }, Scoring::Area)?;
    }

    #[test]
    fn territory_scoring_by_minimax(area in areas(7), black in any::<bool>()) {
        by_minimax(&area, if black { Colour::Black } else { Colour::White }, Scoring::Territory)?;
    }

    #[test]
    fn score_and_best_moves_of_the_undivided_board(area in areas(7), black in any::<bool>()) {
        by_canonical_form(&area, black)?;
    }
}

// Two areas on one board, so two regions at least.
proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, max_global_rejects: 20_000, ..ProptestConfig::default()
    })]

    #[test]
    fn area_scoring_of_two_areas_by_minimax(area in stacked(4, 9), black in any::<bool>()) {
        by_minimax(&area, if black { Colour::Black } else { Colour::White }, Scoring::Area)?;
    }

    #[test]
    fn territory_scoring_of_two_areas_by_minimax(area in stacked(4, 9), black in any::<bool>()) {
        by_minimax(&area, if black { Colour::Black } else { Colour::White }, Scoring::Territory)?;
    }

    #[test]
    fn score_and_best_moves_of_two_areas_undivided(area in stacked(5, 9), black in any::<bool>()) {
        by_canonical_form(&area, black)?;
    }
}
