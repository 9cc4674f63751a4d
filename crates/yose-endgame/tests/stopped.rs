//! Told to stop at any moment, the analysis gives bounds that hold, and calls nothing exact that is not.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::cell::Cell as Count;

use common::board;
use yose_cgt::Bounds;
use yose_endgame::{Analysis, Area, LocalSolver, Question, Status, analyse, analyse_until};
use yose_go::{Colour, Grid, Scoring};

/// Rows of one-wide regions, each between walls of its owner, the mouth at the left.
fn rows(inside: &[(&str, char)]) -> Area {
    let wide = inside.iter().map(|row| row.0.len()).max().unwrap() + 2;
    let mut all = Vec::new();
    for &(places, owner) in inside {
        let mouth = if owner == 'B' { 'W' } else { 'B' };
        let wall: String = (0..wide).map(|_| owner).collect();
        all.push(format!("#{}", &wall[1..]));
        let row = format!("{mouth}{places}");
        all.push(format!("{row:owner$}", owner = row.len()) + &wall[row.len()..]);
        all.push(format!("#{}", &wall[1..]));
    }
    Area::from_rows(&all).unwrap()
}

/// What the callback was asked, and the answer if it said stop after `most` questions.
fn stopped(area: &Area, question: &Question, most: usize) -> (usize, Analysis, LocalSolver) {
    let (cells, question) = board(area, question.clone());
    let grid = Grid::new(area.rows(), area.cols(), &cells).unwrap();
    let asked = Count::new(0);
    let mut solver = LocalSolver::default().without_closed_forms();
    let answer = analyse_until(&mut solver, &grid, &question, &|| {
        asked.set(asked.get() + 1);
        asked.get() > most
    });
    (asked.get(), answer.unwrap(), solver)
}

fn holds(bounds: &Bounds, exact: &Bounds) -> bool {
    bounds.low <= exact.low && exact.high <= bounds.high
}

/// Stops after none, one, two ... questions, later in larger steps, until it is not stopped any more. Gives how many
/// answers were not exact, and how many of these had exact regions only, so that the sum was cut.
fn stop_everywhere(area: &Area, question: &Question) -> (usize, usize) {
    let (cells, vouched) = board(area, question.clone());
    let grid = Grid::new(area.rows(), area.cols(), &cells).unwrap();
    let mut solver = LocalSolver::default().without_closed_forms();
    let full = analyse(&mut solver, &grid, &vouched).unwrap();
    assert!(full.is_exact() && !full.best.is_empty());
    let points = |a: &Analysis| a.best.iter().map(|b| b.point).collect::<Vec<_>>();
    let (mut open, mut cut_sums, mut most) = (0, 0, 0);
    loop {
        let (asked, answer, mut other) = stopped(area, question, most);
        assert!(holds(&answer.left_stop, &full.left_stop), "{most}");
        assert!(holds(&answer.right_stop, &full.right_stop), "{most}");
        for (region, whole) in answer.regions.iter().zip(&full.regions) {
            assert_eq!(region.region, whole.region);
            let exact = solver.games_mut().print(whole.low).unwrap();
            let exact = other.games_mut().parse_value(&exact).unwrap();
            assert!(other.games_mut().le(region.low, exact).unwrap(), "{most}");
            assert!(other.games_mut().le(exact, region.high).unwrap(), "{most}");
            let named = region.status == Status::Exact;
            assert!(!named || region.low == region.high);
            if let (Some(v), Some(true)) =
                (&region.v, whole.v.as_ref().map(|v| v.exact().is_some()))
            {
                assert!(holds(v, whole.v.as_ref().unwrap()), "{most}");
            }
        }
        if answer.is_exact() {
            assert_eq!(points(&answer), points(&full), "{most}");
        } else {
            open += 1;
            let regions = answer
                .regions
                .iter()
                .all(|r| r.status.is_exact() && r.moves_known);
            cut_sums += usize::from(regions);
            // What is listed as best is best.
            assert!(
                points(&answer).iter().all(|p| points(&full).contains(p)),
                "{most}"
            );
            assert!(answer.line.is_empty() && !answer.line_complete);
            assert!(answer.strategies.is_empty() || answer.score().exact().is_some());
        }
        assert!(answer.line.len() <= full.line.len());
        if asked <= most {
            // Never stopped: the same as if nobody could.
            assert_eq!(answer.line, full.line);
            return (open, cut_sums);
        }
        most += 1 + most / 20;
    }
}

/// Corridors with stones in them: small regions, a sum that needs a search.
fn many() -> Area {
    rows(&[
        ("..O..O", 'B'),
        ("...OO", 'W'),
        (".O...", 'B'),
        ("..OO", 'W'),
        (".....", 'B'),
        ("O....O", 'W'),
        ("....O", 'B'),
        (".OO", 'W'),
    ])
}

/// Regions that take many positions as long as nobody knows their closed forms.
fn large() -> Area {
    rows(&[
        ("..O....O....", 'B'),
        (".O.....O...O", 'W'),
        ("....OO..O", 'B'),
    ])
}

fn question(to_play: Colour, scoring: Scoring) -> Question {
    Question {
        scoring,
        ..Question::new(to_play)
    }
}

#[test]
fn while_the_sum_is_searched() {
    for to_play in [Colour::Black, Colour::White] {
        for scoring in [Scoring::Territory, Scoring::Area] {
            let (open, cut_sums) = stop_everywhere(&many(), &question(to_play, scoring));
            assert!(open >= 10 && cut_sums >= 10, "{open} {cut_sums}");
        }
    }
}

#[test]
fn while_regions_are_searched() {
    for (to_play, scoring) in [
        (Colour::Black, Scoring::Territory),
        (Colour::White, Scoring::Area),
    ] {
        let (open, cut_sums) = stop_everywhere(&large(), &question(to_play, scoring));
        assert!(open - cut_sums >= 10, "{open} {cut_sums}");
    }
}
