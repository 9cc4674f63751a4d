//! Closed forms against the search, and shapes that only look alike.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::areas;
use proptest::prelude::*;
use yose_cgt::{GameId, Games};
use yose_endgame::{Area, LocalLimits, LocalSolver, Shape, Status, shortcut};

/// A search that knows no closed form.
fn searching() -> LocalSolver {
    LocalSolver::default().without_closed_forms()
}

/// `solver` searches.
fn agree(solver: &mut LocalSolver, area: &Area) -> bool {
    let Some(value) = shortcut(area, solver.games_mut()).unwrap() else {
        return false;
    };
    let solution = solver.solve(area).unwrap();
    assert_eq!(solution.status, Status::Exact, "{:#?}", area.to_rows());
    assert_eq!(
        solution.low,
        value,
        "{:#?} {:?}",
        area.to_rows(),
        Shape::of(area)
    );
    true
}

fn line(inside: &str, left: char, right: char) -> Area {
    let wall = format!("#{}#", "B".repeat(inside.len()));
    Area::from_rows(&[wall.clone(), format!("{left}{inside}{right}"), wall]).unwrap()
}

#[test]
fn corridors_of_every_size_that_is_searched() {
    let mut solver = searching();
    for n in 1..=15 {
        assert!(agree(&mut solver, &line(&".".repeat(n), 'W', 'B')));
        assert!(agree(&mut solver, &line(&".".repeat(n), 'W', 'W')));
        for k in 1..=4 {
            let inside = format!("{}{}", ".".repeat(n.min(10)), "O".repeat(k));
            let area = line(&inside, 'W', 'B');
            assert!(agree(&mut solver, &area));
            assert!(agree(&mut solver, &area.mirrored()));
            assert!(agree(&mut solver, &area.flipped()));
            assert!(agree(&mut solver, &area.transposed()));
        }
    }
    assert_eq!(Shape::of(&line(&".".repeat(16), 'W', 'W')), None);
}

/// Stones of the enemy anywhere but at the mouth, all ways.
#[test]
fn corridors_with_stones_anywhere() {
    let mut solver = searching();
    let mut rows = 0_i32;
    for n in 2..=9_u32 {
        for stones in 0..1_u32 << (n - 1) {
            let sign = |i: u32| {
                if i > 0 && stones >> (i - 1) & 1 == 1 {
                    'O'
                } else {
                    '.'
                }
            };
            let inside: String = (0..n).map(sign).collect();
            let area = line(&inside, 'W', 'B');
            rows += i32::from(matches!(Shape::of(&area), Some(Shape::Row(..))));
            assert!(agree(&mut solver, &area), "{inside}");
        }
    }
    // All but those whose stones stand together at the closed end.
    assert_eq!(rows, (2..=9).map(|n| (1 << (n - 1)) - n).sum::<i32>());
    let area = line("..O.OO.O..", 'W', 'B').transposed();
    assert!(agree(&mut solver, &area));
    assert!(agree(&mut solver, &area.flipped()));
}

/// `{n+2k-1 | that of n-1 points}`, written out once more.
fn recurrence(games: &mut Games, points: i64, prisoners: i64) -> GameId {
    if points == 0 {
        return GameId::ZERO;
    }
    let right = recurrence(games, points - 1, prisoners);
    let left = games.integer(points + 2 * prisoners - 1).unwrap();
    games.make(&[left], &[right]).unwrap()
}

/// Corridors that no search finishes are exact, every move included, whatever the limit of positions.
#[test]
fn long_corridors_need_no_search() {
    let limits = LocalLimits {
        nodes: 200,
        ..LocalLimits::default()
    };
    for (points, prisoners) in [(40, 0), (40, 1), (36, 4), (100, 20)] {
        let inside = format!("{}{}", ".".repeat(points), "O".repeat(prisoners));
        let area = line(&inside, 'W', 'B');
        let searched = LocalSolver::new(limits).without_closed_forms();
        let searched = { searched }.solve(&area).unwrap();
        assert!(searched.limit.is_some() && searched.exact().is_none());

        let mut solver = LocalSolver::new(limits);
        let solution = solver.solve(&area).unwrap();
        assert_eq!(solution.limit, None);
        assert!(solution.moves.iter().all(|m| m.exact().is_some()));
        assert_eq!(solution.moves.len(), 2 * points);
        let (n, k) = (
            i64::try_from(points).unwrap(),
            i64::try_from(prisoners).unwrap(),
        );
        let value = recurrence(solver.games_mut(), n, k);
        assert_eq!(solution.exact(), Some(value));
        let flipped = solver.solve(&area.flipped()).unwrap().exact().unwrap();
        assert_eq!(flipped, solver.games_mut().neg(value).unwrap());
    }
}

#[test]
fn bent_corridors_and_switches() {
    let mut solver = searching();
    for rows in [
        vec!["#BBB#", "W...B", "#BB.B", "##B.B", "##BB#"],
        vec!["#BBBB#", "B....B", "B.BBB#", "B.O.O#"],
        vec!["#BBB#", "B..OB", "BW.BB", "#BBB#"],
        vec!["##W##", "BX.OB", "BX#OB", "#W#BB"],
        vec!["#WWB#", "WX.OB", "#WBB#"],
        vec!["#W#", "B.B", "#B#"],
        vec!["#BBBB#", "W.OOOB", "#BBBB#"],
    ] {
        let area = Area::from_rows(&rows).unwrap();
        agree(&mut solver, &area);
    }
    let found = |rows: &[&str]| Shape::of(&Area::from_rows(rows).unwrap());
    assert_eq!(
        found(&["#WWB#", "WX.OB", "#WBB#"]),
        Some(Shape::Switch(1, 1))
    );
    assert!(matches!(
        found(&["#BBB#", "W...B", "#BB.B", "##B.B", "##BB#"]),
        Some(Shape::Corridor(_, c)) if c.points == 5
    ));
    // A point in the middle that touches White, a point that does not touch Black, a fork.
    assert_eq!(found(&["#BWB#", "W...B", "#BBB#"]), None);
    assert_eq!(found(&["#B#B#", "W...B", "#B#B#"]), None);
    assert_eq!(found(&["#BBB#", "W...B", "#B.B#", "##B##"]), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Whatever is recognised has the value that the search finds.
    #[test]
    fn what_is_recognised_is_right(area in areas(6)) {
        let mut solver = searching();
        agree(&mut solver, &area);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// One or two empty points among stones: what the switch must not be taken for.
    #[test]
    fn few_points_among_stones(
        signs in proptest::collection::vec(
            prop_oneof![4 => Just('X'), 4 => Just('O'), 1 => Just('B'), 1 => Just('W')], 6),
        frame in proptest::collection::vec(
            prop_oneof![4 => Just('B'), 4 => Just('W'), 1 => Just('#')], 14),
        at in 0_usize..6,
    ) {
        let mut signs = signs;
        signs[at] = '.';
        let (mut signs, mut frame) = (signs.into_iter(), frame.into_iter());
        let rows: Vec<String> = (0..4)
            .map(|row| (0..5).map(|col| {
                let edge = row == 0 || col == 0 || row == 3 || col == 4;
                if edge { frame.next() } else { signs.next() }.unwrap_or('#')
            }).collect())
            .collect();
        if let Ok(area) = Area::from_rows(&rows) {
            agree(&mut searching(), &area);
        }
    }
}
