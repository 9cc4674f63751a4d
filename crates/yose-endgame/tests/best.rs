//! Best moves where other moves lead to kos: what is named is best by play of the undivided board.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::cell::RefCell;

use common::{Plain, areas, asked, stacked};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use yose_endgame::decompose::Vouched;
use yose_endgame::{Analysis, Area, LocalSolver, Place, Question, Status, analyse};
use yose_go::{Board, Cell, Colour, Grid, Scoring};

/// A board with some stones given as alive.
fn given(rows: &[&str], alive: &[usize], to_play: Colour, ko: Option<usize>) -> Analysis {
    let cells: Vec<Cell> = Board::from_rows(rows).unwrap().cells();
    let question = Question {
        vouched: Vouched {
            alive: alive.to_vec(),
            ..Vouched::default()
        },
        ko,
        ..Question::new(to_play)
    };
    let grid = Grid::new(rows.len(), rows[0].len(), &cells).unwrap();
    analyse(&mut LocalSolver::default(), &grid, &question).unwrap()
}

fn best(answer: &Analysis) -> Vec<usize> {
    answer.best.iter().map(|b| b.point).collect()
}

fn open(answer: &Analysis) -> Vec<(usize, Status)> {
    answer.open.iter().map(|b| (b.point, b.status)).collect()
}

/// `{0|-1*}`: B3 makes 0, which is the score; A3 and C3 lead to kos and can at most tie.
#[test]
fn a_move_that_attains_the_score_is_best_whatever_the_others_are() {
    let answer = given(
        &["XXXX", "....", "O.OO", "OOOO"],
        &[0, 12],
        Colour::Black,
        None,
    );
    assert_eq!(answer.score().exact().unwrap().to_string(), "0");
    assert_eq!(best(&answer), [5]);
    assert_eq!(open(&answer), [(4, Status::Ko), (6, Status::Ko)]);
    assert!(!answer.best_complete && !answer.is_exact());
    let region = &answer.regions[0];
    let points =
        |list: &[usize]| -> Vec<usize> { list.iter().map(|&k| region.moves[k].point).collect() };
    assert_eq!(points(&region.best[0]), [5]);
    assert_eq!(points(&region.open[0]), [4, 6]);
    assert_eq!(region.v.as_ref().unwrap().exact(), answer.score().exact());
    // All readings, and the line to its end.
    assert!(answer.ranking_complete && answer.line_complete);
    assert_eq!(answer.ranking.must[0].point, 5);
    assert_eq!(answer.strategies.len(), 4);
    assert!(answer.strategies.iter().all(|s| s.loss.signum() == 0));
    assert_eq!(answer.line[0].point, 5);
    // White's moves are all exact.
    let answer = given(
        &["XXXX", "....", "O.OO", "OOOO"],
        &[0, 12],
        Colour::White,
        None,
    );
    assert!(answer.best_complete && answer.is_exact());
}

/// `{6|||5||4|1*}`: C3 takes the rest.
#[test]
fn moves_of_the_other_side_that_lead_to_kos_do_not_matter() {
    let rows = [".X.O.", ".X.O.", "...O.", ".X.O.", ".X.O."];
    let answer = given(&rows, &[1, 21, 3], Colour::Black, None);
    assert_eq!(answer.score().exact().unwrap().to_string(), "1");
    assert_eq!(best(&answer), [12]);
    assert_eq!(open(&answer), []);
    assert!(answer.line_complete);
}

/// A ko for one point (White's stone beside the empty point is in atari), and three stones in atari, `{6|0}`:
/// whoever wins the ko, the stones come first.
const KO_AND_STONES: [&str; 6] = [
    "XO.O.O.", //
    "XXOOOOO", "XXXXXXX", ".X.XXXX", "#######", "XOOO.O#",
];

#[test]
fn a_move_is_best_though_the_score_hangs_on_a_ko() {
    let alive = [0, 3, 35, 40];
    let answer = given(&KO_AND_STONES, &alive, Colour::Black, None);
    assert_eq!(answer.score().exact(), None);
    assert_eq!(best(&answer), [39]);
    assert!(answer.best_complete && !answer.is_exact());
    assert_eq!(&answer.best[0].score, answer.score());
    // Nothing is said of the hottest region, as the ko's temperature is not known.
    assert!(answer.ranking.hottest.is_empty() && answer.strategies.is_empty());
    assert!(!answer.ranking_complete && !answer.line_complete);
    assert_eq!(answer.line[0].point, 39);
    let answer = given(&KO_AND_STONES, &alive, Colour::White, None);
    assert_eq!(best(&answer), [39]);
}

/// The point of a ko that was just taken is no move, here and in the line of best play.
#[test]
fn a_ko_is_not_taken_back_at_once() {
    let alive = [0, 3, 35, 40];
    let moves = |answer: &Analysis| -> Vec<usize> {
        let considered = answer.regions.iter().flat_map(|r| &r.moves);
        let considered = considered.filter(|m| m.score.is_some());
        considered.map(|m| m.point).collect()
    };
    let answer = given(&KO_AND_STONES, &alive, Colour::Black, None);
    assert!(moves(&answer).contains(&2));
    let banned = given(&KO_AND_STONES, &alive, Colour::Black, Some(2));
    assert!(!moves(&banned).contains(&2));
    assert_eq!(banned.score(), answer.score());
}

/// What play in turn with passes can reach at least and at most, if endless play counts for White, for Black: of
/// the position, and after each move of the side to play. Scores are area, or territory as in `whole.rs`.
struct Reference {
    score: (i64, i64),
    after: Vec<(usize, i64, i64)>,
}

fn reference(area: &Area, to_play: Colour, scoring: Scoring) -> Option<Reference> {
    let black = to_play == Colour::Black;
    let mut plain = Plain::of(area);
    let mut places = area.places().to_vec();
    plain.make_immortal(&mut places);
    let mut stood = 0;
    if scoring == Scoring::Territory {
        // Stones that are dead but not at sight would live (C2 of `whole.rs`).
        if places.iter().any(|p| matches!(p, Place::Mortal(_))) {
            return None;
        }
        let immortal = |p: usize| matches!(places[p], Place::Immortal(_));
        let touches = |p: usize| plain.beside(p).into_iter().any(immortal);
        if !area.points().all(touches) {
            return None;
        }
        plain.tax = 1;
        stood = places.iter().fold(0, |sum, p| match *p {
            Place::Immortal(Colour::Black) => sum + 1,
            Place::Immortal(Colour::White) => sum - 1,
            _ => sum,
        });
    }
    let (low, high) = (plain.endless(&places, -200), plain.endless(&places, 200));
    let tax = if black { -plain.tax } else { plain.tax };
    let mut after = Vec::new();
    for point in area.points() {
        if let Some((next, _)) = plain.play(&places, to_play, point) {
            let both = [&low, &high].map(|all| all[&next[..]][usize::from(!black)] + tax - stood);
            after.push((point, both[0], both[1]));
        }
    }
    let score = [&low, &high].map(|all| all[&places[..]][usize::from(black)] - stood);
    Some(Reference {
        score: (score[0], score[1]),
        after,
    })
}

#[derive(Debug, Default)]
struct Seen {
    boards: usize,
    /// With moves that are not exact, or regions.
    open: usize,
    /// Of those: the score is exact; and yet no move is named.
    exact: usize,
    unnamed: usize,
    /// Moves named, and how many the reference decides.
    named: usize,
    decided: usize,
    /// Moves named though the score is not exact.
    without_score: usize,
}

fn compare(area: &Area, to_play: Colour, scoring: Scoring, seen: &mut Seen) {
    let mut solver = LocalSolver::default();
    let question = Question {
        scoring,
        ..Question::new(to_play)
    };
    let answer = asked(&mut solver, area, question);
    seen.boards += 1;
    if answer.is_exact() {
        return;
    }
    seen.open += 1;
    if answer.score().exact().is_some() {
        seen.exact += 1;
        seen.unnamed += usize::from(answer.best.is_empty());
    } else {
        seen.without_score += answer.best.len();
    }
    let Some(truth) = reference(area, to_play, scoring) else {
        return;
    };
    let integer = |x: &yose_cgt::Dyadic| i64::try_from(x.to_i128().unwrap()).unwrap();
    let text = || format!("{to_play:?} {scoring:?} {:?}", area.to_rows());
    let score = (integer(&answer.score().low), integer(&answer.score().high));
    assert!(
        score.0 <= truth.score.1 && truth.score.0 <= score.1,
        "{}: {score:?} {:?}",
        text(),
        truth.score
    );
    let view = |(_, low, high): &(usize, i64, i64)| match to_play {
        Colour::Black => (*low, *high),
        Colour::White => (-high, -low),
    };
    for best in &answer.best {
        let own = truth.after.iter().find(|m| m.0 == best.point).unwrap();
        let own = view(own);
        let surest = truth.after.iter().map(|m| view(m).0).max().unwrap();
        let most = truth.after.iter().map(|m| view(m).1).max().unwrap();
        assert!(own.1 >= surest, "{}: {best:?} {:?}", text(), truth.after);
        seen.named += 1;
        seen.decided += usize::from(own.0 == most);
    }
}

/// Always the same boards.
fn survey(area: impl Strategy<Value = Area>, cases: u32, scoring: Scoring) -> Seen {
    let seen = RefCell::new(Seen::default());
    let config = Config {
        cases,
        max_global_rejects: 200_000,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, random)
        .run(&(area, any::<bool>()), |(area, black)| {
            let to_play = if black { Colour::Black } else { Colour::White };
            compare(&area, to_play, scoring, &mut seen.borrow_mut());
            Ok(())
        })
        .unwrap();
    seen.into_inner()
}

/// No board has an exact score and no best move; most moves that are named are decided by the reference too.
fn demand(seen: &Seen, exact: usize, named: usize) {
    assert_eq!(seen.unnamed, 0, "{seen:?}");
    assert!(seen.exact >= exact && seen.named >= named, "{seen:?}");
    assert!(seen.decided * 10 >= seen.named * 7, "{seen:?}");
    assert!(seen.without_score >= 25, "{seen:?}");
}

#[test]
fn named_moves_are_best_by_territory() {
    demand(&survey(areas(7), 3_000, Scoring::Territory), 250, 120);
}

#[test]
fn named_moves_are_best_by_area() {
    demand(&survey(areas(7), 2_000, Scoring::Area), 30, 120);
}

#[test]
fn named_moves_of_two_areas_are_best() {
    let territory = survey(stacked(5, 9), 1_000, Scoring::Territory);
    demand(&territory, 80, 60);
    demand(&survey(stacked(5, 9), 700, Scoring::Area), 5, 40);
}
