//! The two whole boards of `positions.jsonl` that nobody had computed, White to play, territory: what is proved.
#![allow(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;
use yose_cgt::Dyadic;
use yose_endgame::decompose::Vouched;
use yose_endgame::{Analysis, LocalLimits, LocalSolver, Question, Status, analyse};
use yose_go::{Board, Colour, Grid};

/// The board of a record, and indices of points by their GTP names.
fn board(id: &str) -> (Board, impl Fn(&str) -> usize) {
    let text = include_str!("../../../tests/data/goendgame/positions.jsonl");
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let record = records.into_iter().find(|r| r["id"] == id).unwrap();
    let rows = record["rows"].as_array().unwrap();
    let rows: Vec<&str> = rows.iter().map(|row| row.as_str().unwrap()).collect();
    let board = Board::from_rows(&rows).unwrap();
    let size = board.size();
    let names: Vec<String> = size.points().map(|p| size.gtp(p)).collect();
    (board, move |name| {
        names.iter().position(|n| n == name).unwrap()
    })
}

fn answer(board: &Board, vouched: Vouched, komi: Dyadic, nodes: usize) -> Analysis {
    let cells = board.cells();
    let grid = Grid::new(board.size().rows(), board.size().cols(), &cells).unwrap();
    let limits = LocalLimits {
        nodes,
        ..LocalLimits::default()
    };
    let question = Question {
        vouched,
        komi,
        ..Question::new(Colour::White)
    };
    analyse(&mut LocalSolver::new(limits), &grid, &question).unwrap()
}

fn ends(answer: &Analysis) -> [String; 2] {
    let score = answer.score();
    [score.low.to_string(), score.high.to_string()]
}

/// If Black's group in the middle lives, White to move makes a draw of it, and no more.
#[test]
fn l19_3135_if_black_lives() {
    let (board, at) = board("l19-3135");
    let vouched = Vouched {
        alive: vec![at("G9")],
        ..Vouched::default()
    };
    let answer = answer(&board, vouched, Dyadic::ZERO, 1000);
    assert!(answer.is_exact());
    assert_eq!(answer.assumptions().len(), 1);
    assert_eq!(ends(&answer), ["0", "0"]);
    assert_eq!(answer.left_stop.exact().unwrap().to_string(), "1");
    let best: Vec<usize> = answer.best.iter().map(|b| b.point).collect();
    assert_eq!(best, ["D9", "A6", "D5", "C1"].map(at));
}

/// Nothing assumed, one region of 39 points: White wins by a point or it is a draw. Published: White wins.
#[test]
#[ignore = "a million positions: 80 seconds and 1.3 GB in a release build"]
fn l19_3135_nothing_assumed() {
    let (board, _) = board("l19-3135");
    let answer = answer(&board, Vouched::default(), Dyadic::ZERO, 1_000_000);
    assert_eq!(ends(&answer), ["-1", "0"]);
}

/// With fewer positions the bounds are wider and still hold.
#[test]
fn l19_3135_nothing_assumed_in_short() {
    let (board, _) = board("l19-3135");
    let answer = answer(&board, Vouched::default(), Dyadic::ZERO, 10_000);
    assert!(answer.assumptions().is_empty());
    let score = answer.score();
    assert!(score.low <= Dyadic::from(-1_i64) && score.high >= Dyadic::ZERO);
}

/// With the large groups given as alive, White to move wins by half a point or loses by it. Published: White wins.
/// The half point hangs on the corner at the lower right, which is a ko.
#[test]
fn l19_3056_if_the_groups_live() {
    let (board, at) = board("l19-3056");
    let alive = [
        "C13", "D13", "H13", "A12", "L12", "B11", "G10", "J10", "A9", "D8", "F8", "H8", "B4", "C3",
    ];
    let vouched = Vouched {
        alive: alive.map(&at).to_vec(),
        dead: vec![at("B5")],
        ..Vouched::default()
    };
    let komi = Dyadic::new(13, 1).unwrap();
    let answer = answer(&board, vouched, komi, 20_000);
    assert_eq!(ends(&answer), ["-1/2", "1/2"]);
    let corner = answer.regions.iter().find(|r| {
        let points = &answer.decomposition.regions()[r.region].points;
        *points == ["N2", "M1", "N1"].map(&at)
    });
    assert_eq!(corner.unwrap().status, Status::Ko);
}
