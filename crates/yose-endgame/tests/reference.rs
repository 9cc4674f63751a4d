//! The solver against the plain one, against itself turned, and against its own limits.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{areas, black_areas, plain_value};
use proptest::prelude::*;
use yose_endgame::{LocalLimits, LocalSolver, Status};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn search_equals_plain_play(area in areas(6)) {
        let mut solver = LocalSolver::default();
        let solution = solver.solve(&area).unwrap();
        let plain = plain_value(solver.games_mut(), &area);
        if let Some(value) = plain {
            prop_assert_eq!(solution.status, Status::Exact);
            prop_assert_eq!(solution.low, value);
        }
        prop_assert!(solver.games_mut().le(solution.low, solution.high).unwrap());
    }

    #[test]
    fn what_is_called_settled_is_settled(area in black_areas(6)) {
        let mut solver = LocalSolver::default();
        let solution = solver.solve(&area).unwrap();
        let v = plain_value(solver.games_mut(), &area);
        if let Some(value) = v {
            prop_assert_eq!(solution.status, Status::Exact);
            prop_assert_eq!(solution.low, value);
        }
    }

    #[test]
    fn colours_and_symmetries(area in areas(6)) {
        let mut solver = LocalSolver::default();
        let solution = solver.solve(&area).unwrap();
        let low = solver.games_mut().print(solution.low).unwrap();
        let high = solver.games_mut().neg(solution.high).unwrap();
        for turned in [area.transposed(), area.mirrored()] {
            let mut other = LocalSolver::default();
            let turned = other.solve(&turned).unwrap();
            prop_assert_eq!(&other.games_mut().print(turned.low).unwrap(), &low);
            prop_assert_eq!(turned.status, solution.status);
        }
        let mut other = LocalSolver::default();
        let flipped = other.solve(&area.flipped()).unwrap();
        let text = solver.games_mut().print(high).unwrap();
        prop_assert_eq!(other.games_mut().print(flipped.low).unwrap(), text);
        prop_assert_eq!(flipped.status, solution.status);
    }

    #[test]
    fn limits_only_loosen(area in areas(6), nodes in 0_usize..40) {
        let mut solver = LocalSolver::default();
        let exact = solver.solve(&area).unwrap();
        let limits = LocalLimits { nodes, ..LocalLimits::default() };
        let mut limited = LocalSolver::new(limits);
        let bounds = limited.solve(&area).unwrap();
        let texts = [bounds.low, bounds.high].map(|g| limited.games_mut().print(g).unwrap());
        let [low, high] = texts.map(|t| solver.games_mut().parse_value(&t).unwrap());
        prop_assert!(solver.games_mut().le(low, exact.low).unwrap());
        prop_assert!(solver.games_mut().le(exact.high, high).unwrap());
        if bounds.status == Status::Exact {
            prop_assert_eq!(low, exact.low);
        }
    }
}
