//! The records of `tests/data/goendgame/positions.jsonl`.

#![allow(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;
use yose_cgt::GameId;
use yose_endgame::value::parity;
use yose_endgame::{Area, Corridor, LocalLimits, LocalSolver, Status};

fn records() -> Vec<Value> {
    let text = include_str!("../../../tests/data/goendgame/positions.jsonl");
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

/// Game, stops, swing, mean, temperature and chilled value.
fn compare(solver: &mut LocalSolver, record: &Value, value: GameId, id: &str) {
    let derived = |key: &str| record["derived"][key].as_str().unwrap();
    let expected = solver.games_mut().parse_value(derived("game")).unwrap();
    assert_eq!(value, expected, "{id}");
    let worth = solver.worth(value).unwrap();
    assert_eq!(worth.left_stop.to_string(), derived("left_stop"), "{id}");
    assert_eq!(worth.right_stop.to_string(), derived("right_stop"), "{id}");
    assert_eq!(worth.mean.to_string(), derived("mean"), "{id}");
    assert_eq!(
        worth.temperature.to_string(),
        derived("temperature"),
        "{id}"
    );
    assert_eq!(worth.swing.to_string(), derived("swing"), "{id}");
    let chilled = solver.games_mut().parse_value(derived("chilled")).unwrap();
    assert_eq!(worth.chilled, chilled, "{id}");
    for (wall, key) in [
        (&worth.thermograph.left, "left_wall"),
        (&worth.thermograph.right, "right_wall"),
    ] {
        let points: Vec<[String; 2]> = wall
            .points()
            .iter()
            .map(|(t, x)| [t.to_string(), x.to_string()])
            .collect();
        let expected = serde_json::json!(points);
        assert_eq!(expected, record["derived"][key], "{id} {key}");
    }
}

#[test]
fn every_record_with_a_picture() {
    let mut solver = LocalSolver::default();
    let mut checked = Vec::new();
    for record in records() {
        let id = record["id"].as_str().unwrap();
        let (Some(rows), Some(_)) = (
            record["rows"].as_array(),
            record["derived"]["game"].as_str(),
        ) else {
            continue;
        };
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().unwrap()).collect();
        let area = Area::from_rows(&rows).unwrap();
        let solution = solver.solve(&area).unwrap();
        let Some(value) = solution.exact() else {
            panic!("{id}: {:?}", solution.status);
        };
        compare(&mut solver, &record, value, id);
        checked.push(record["status"].as_str().unwrap().to_owned());
    }
    // All that have a picture; the others are sums and trees, which belong to yose-cgt.
    let count = |status: &str| checked.iter().filter(|s| *s == status).count();
    assert_eq!(count("verified"), 29);
    assert_eq!(count("disagrees"), 8);
    assert_eq!(count("derived only"), 6);
}

#[test]
fn every_record_that_is_a_tree() {
    let mut solver = LocalSolver::default();
    let mut checked = 0;
    for record in records() {
        let (Some(tree), "verified") = (
            record["game_tree"].as_str(),
            record["status"].as_str().unwrap(),
        ) else {
            continue;
        };
        let id = record["id"].as_str().unwrap();
        let game = solver.games_mut().parse_value(tree).unwrap();
        compare(&mut solver, &record, game, id);
        checked += 1;
    }
    assert_eq!(checked, 12);
}

/// A corridor of Black with `k` prisoners at its closed end.
fn corridor(points: usize, prisoners: usize) -> Area {
    let walls = format!("#{}#", "B".repeat(points + prisoners));
    let middle = format!("W{}{}B", ".".repeat(points), "O".repeat(prisoners));
    Area::from_rows(&[&walls, &middle, &walls]).unwrap()
}

#[test]
fn corridors_equal_their_closed_forms() {
    for prisoners in 0..=3_u32 {
        for points in 1..=12_u32 {
            // A solver of its own that searches: nothing known from shorter ones.
            let mut solver = LocalSolver::default().without_closed_forms();
            let area = corridor(points as usize, prisoners as usize);
            let solution = solver.solve(&area).unwrap();
            let form = Corridor { points, prisoners };
            let value = form.value(solver.games_mut()).unwrap();
            assert_eq!(solution.exact(), Some(value), "{points} {prisoners}");
            let worth = solver.worth(value).unwrap();
            let stops = form.stops();
            assert_eq!(worth.left_stop.to_string(), stops.0.to_string());
            assert_eq!(worth.right_stop.to_string(), stops.1.to_string());
            if let Some((mean, temperature)) = form.mean_and_temperature() {
                assert_eq!(worth.mean, mean);
                assert_eq!(worth.temperature, temperature);
            }
        }
    }
}

#[test]
fn corridors_open_at_both_ends() {
    let mut solver = LocalSolver::default().without_closed_forms();
    for points in 3..=9_u32 {
        let walls = format!("#{}#", "B".repeat(points as usize));
        let middle = format!("W{}W", ".".repeat(points as usize));
        let area = Area::from_rows(&[&walls, &middle, &walls]).unwrap();
        let solution = solver.solve(&area).unwrap();
        let shorter = Corridor {
            points: points - 2,
            prisoners: 0,
        };
        let value = shorter.value(solver.games_mut()).unwrap();
        assert_eq!(solution.exact(), Some(value));
    }
}

#[test]
fn the_law_of_parity() {
    let mut solver = LocalSolver::default();
    let mut checked = 0;
    for record in records() {
        let Some(rows) = record["rows"].as_array() else {
            continue;
        };
        if ["l19-3135", "l19-3056"].contains(&record["id"].as_str().unwrap()) {
            continue; // whole boards
        }
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().unwrap()).collect();
        let area = Area::from_rows(&rows).unwrap();
        let value = solver.solve(&area).unwrap().exact().unwrap();
        let parity = parity(solver.games_mut(), value).unwrap();
        assert!(parity.is_some(), "{}", record["id"]);
        checked += 1;
    }
    assert_eq!(checked, 44);
    // Ten after one move, none after two.
    let value = solver.games_mut().parse_value("{10|{0|-100}}").unwrap();
    assert_eq!(parity(solver.games_mut(), value).unwrap(), None);
}

/// Eyes of a group that has become unconditionally alive are free moves.
#[test]
fn two_eyes_are_two_points() {
    let mut solver = LocalSolver::default();
    let area = Area::from_rows(&["WXXXXXW", "WX.X.XW", "WXXXXXW"]).unwrap();
    let two = solver.games_mut().integer(2).unwrap();
    assert_eq!(solver.solve(&area).unwrap().exact(), Some(two));
}

/// One side refills, the other recaptures: a cycle without a ko, which makes no difference.
#[test]
fn a_harmless_repetition() {
    let mut solver = LocalSolver::default();
    let area = Area::from_rows(&["#WWWWWW", "WXXXX.W", "WX...XW", "WXXXXXW"]).unwrap();
    let value = solver.games_mut().parse_value("{2*|-25}").unwrap();
    assert_eq!(solver.solve(&area).unwrap().exact(), Some(value));
}

/// The published count is 5 1/8, ours is 5: `docs/endgame.md` says what is known, `difference.rs` has the second
/// way to the same value.
#[test]
fn the_corridor_with_a_cutting_point() {
    let mut solver = LocalSolver::default();
    let area = Area::from_rows(&["W......B#", "WXXXX.BBB", "WX.WWBBB#", "WWWWWWWB#"]).unwrap();
    let value = solver.solve(&area).unwrap().exact().unwrap();
    let worth = solver.worth(value).unwrap();
    assert_eq!(worth.text, "{6*||5*|{4*||||3*|||1||0|-11*}}");
    assert_eq!(worth.mean.to_string(), "5");
    assert_eq!(worth.kind.key(), "white_sente");
}

/// A ko for one point is called a ko, with bounds and nothing more.
#[test]
fn a_ko_is_named() {
    let mut solver = LocalSolver::default();
    // Black takes at the empty point; then White takes back.
    let area = Area::from_rows(&["#BW#", "BO.W", "#BW#"]).unwrap();
    let solution = solver.solve(&area).unwrap();
    assert_eq!(solution.status, Status::Ko);
    assert_eq!(solution.exact(), None);
    assert!(solver.games_mut().le(solution.low, solution.high).unwrap());
}

/// A ko for one point (Sensei's Library, "miai counting", simple ko): a move is worth 1/3, whoever wins kos; the
/// count is 1/3 before Black has taken and 2/3 after, of which the prisoner is 1.
#[test]
fn the_ko_for_a_third_of_a_point() {
    let mut solver = LocalSolver::default();
    for (rows, mean) in [
        (["#BW#", "BO.W", "#BW#"], "1/3"),
        (["#BW#", "B.XW", "#BW#"], "-1/3"),
    ] {
        let area = Area::from_rows(&rows).unwrap();
        let solution = solver.solve(&area).unwrap();
        assert_eq!(solution.status, Status::Ko);
        let ko = solution.ko.unwrap();
        for master in [&ko.black, &ko.white] {
            assert_eq!(master.temperature.to_string(), "1/3", "{rows:?}");
            assert_eq!(master.mean.to_string(), mean, "{rows:?}");
        }
        let flipped = solver.solve(&area.flipped()).unwrap().ko.unwrap();
        assert_eq!(flipped.white.mean.negative(), ko.black.mean);
    }
}

/// Two chains with two liberties between them: whoever fills one is taken.
#[test]
fn a_seki_is_named() {
    let mut solver = LocalSolver::default();
    let area = Area::from_rows(&["#WWW#", ".XXX.", "OOOOO", "BBBBB"]).unwrap();
    let solution = solver.solve(&area).unwrap();
    assert_eq!(solution.status, Status::Seki);
    assert_eq!(solution.exact(), Some(GameId::ZERO));
    let flipped = solver.solve(&area.flipped()).unwrap();
    assert_eq!(flipped.status, Status::Seki);
    // With one liberty more of its own Black takes White's stones; two dame between chains that can do
    // without them are no seki either.
    for rows in [
        vec!["#WWW#", ".XXX.", "OOO.O", "BBBBB"],
        vec!["#WWW#", "BXXX.", "OOOOO", "BBBBB"],
        vec!["#BBB#", ".XXX.", "OOOOO", "WWWWW"],
        vec!["B..W", "B..W"],
    ] {
        let solution = solver.solve(&Area::from_rows(&rows).unwrap()).unwrap();
        assert_ne!(solution.status, Status::Seki, "{rows:?}");
    }
}

#[test]
fn nothing_expanded_is_unknown() {
    let mut solver = LocalSolver::new(LocalLimits {
        nodes: 0,
        ..LocalLimits::default()
    })
    .without_closed_forms();
    let solution = solver.solve(&corridor(6, 0)).unwrap();
    assert_eq!(solution.status, Status::Unknown);
    assert_eq!(solver.games_mut().print(solution.high).unwrap(), "6");
    assert_eq!(solver.games_mut().print(solution.low).unwrap(), "-6");
}

/// A search that is told to stop gives bounds and says why.
#[test]
fn told_to_stop() {
    let mut solver = LocalSolver::default();
    let area = Area::from_rows(&["WWWWWW", "W....B", "W....B", "W....B", "BBBBBB"]).unwrap();
    let stop = || true;
    let solution = solver
        .solve_until(&area, yose_go::Suicide::Forbidden, &stop)
        .unwrap();
    assert_eq!(solution.limit, Some(yose_endgame::Limit::Stopped));
    assert!(!solution.status.is_exact());
    assert!(solver.games_mut().le(solution.low, solution.high).unwrap());
}

#[test]
fn what_is_no_area_is_refused() {
    for (rows, what) in [
        (vec!["B.", "B"], "row 1: expected 2 places, got 1"),
        (
            vec!["B?"],
            "row 0, column 1: expected one of . X O B W #, got '?'",
        ),
        (
            vec!["BOB"],
            "row 0, column 1: expected a chain with a liberty, got one without",
        ),
    ] {
        assert_eq!(Area::from_rows(&rows).unwrap_err().to_string(), what);
    }
    let wide = ".".repeat(129);
    assert!(Area::from_rows(&[&wide]).is_err());
}
