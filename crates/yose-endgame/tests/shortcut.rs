//! Closed forms against the search, and shapes that only look alike.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::areas;
use proptest::prelude::*;
use yose_endgame::{Area, LocalSolver, Shape, Status, shortcut};

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
    let mut solver = LocalSolver::default();
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

#[test]
fn bent_corridors_and_switches() {
    let mut solver = LocalSolver::default();
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
        let mut solver = LocalSolver::default();
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
            agree(&mut LocalSolver::default(), &area);
        }
    }
}
