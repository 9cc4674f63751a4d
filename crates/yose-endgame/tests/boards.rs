//! Whole boards of `tests/data/goendgame`, and false splits that must not be made.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

use std::path::PathBuf;

use serde_json::Value;
use yose_cgt::Bounds;
use yose_endgame::decompose::{Assumption, Decomposition, RegionKind, Vouched};
use yose_endgame::{Analysis, LocalSolver, Question, Status, analyse};
use yose_go::{Board, Cell, Colour, Grid, Size};

fn data(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/goendgame");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn board(name: &str) -> Board {
    let text = data(&format!("{name}.rows"));
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    Board::from_rows(&rows).unwrap()
}

fn analysed(solver: &mut LocalSolver, board: &Board, to_play: Colour) -> Analysis {
    let cells = board.cells();
    let grid = Grid::new(board.size().rows(), board.size().cols(), &cells).unwrap();
    analyse(solver, &grid, &Question::new(to_play)).unwrap()
}

fn exact(bounds: &Bounds) -> String {
    bounds.exact().unwrap().to_string()
}

fn index(size: Size, sgf: &str) -> usize {
    let point = size.parse_sgf(sgf).unwrap().point().unwrap();
    point.row() * size.cols() + point.col()
}

/// Values, V of either side, and each move of the record.
fn agrees(name: &str) -> [Analysis; 2] {
    let record: Value = serde_json::from_str(&data(&format!("{name}.json"))).unwrap();
    let board = board(name);
    let mut solver = LocalSolver::default();
    let answers =
        [Colour::Black, Colour::White].map(|colour| analysed(&mut solver, &board, colour));
    for answer in &answers {
        assert!(answer.is_exact(), "{name}");
        assert!(answer.decomposition.assumptions().is_empty());
        assert_eq!(exact(&answer.left_stop), record["total_left_stop"]);
        assert_eq!(exact(&answer.right_stop), record["total_right_stop"]);
        assert_eq!(answer.mean.as_ref().unwrap().to_string(), record["mean"]);
        let temperature = answer.temperature.as_ref().unwrap();
        assert_eq!(temperature.to_string(), record["temperature"]);
    }
    for region in record["regions"].as_array().unwrap() {
        let size = board.size();
        let mut points: Vec<usize> = region["points"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| index(size, p.as_str().unwrap()))
            .collect();
        points.sort_unstable();
        for (answer, key) in answers.iter().zip(["V_black_first", "V_white_first"]) {
            let found = answer
                .regions
                .iter()
                .find(|r| answer.decomposition.regions()[r.region].points == points);
            let found = found.unwrap_or_else(|| panic!("{name}: no region {points:?}"));
            let stones = answer.decomposition.regions()[found.region].stones.len();
            assert_eq!(
                points.len() + stones,
                region["size"].as_u64().unwrap() as usize
            );
            let worth = found.worth.as_ref().unwrap();
            let value = region["value"].as_str().unwrap();
            assert_eq!(solver.games_mut().parse_value(value).unwrap(), worth.game);
            assert_eq!(worth.mean.to_string(), region["mean"]);
            assert_eq!(worth.temperature.to_string(), region["temperature"]);
            assert_eq!(worth.swing.to_string(), region["swing"]);
            assert_eq!(exact(found.v.as_ref().unwrap()), region[key]);
        }
        for play in region["moves"].as_array().unwrap() {
            let point = index(size, play["at"].as_str().unwrap());
            let answer = if play["colour"] == "B" {
                &answers[0]
            } else {
                &answers[1]
            };
            let colour = if play["colour"] == "B" {
                Colour::Black
            } else {
                Colour::White
            };
            let mut moves = answer.regions.iter().flat_map(|r| &r.moves);
            let found = moves
                .find(|m| m.point == point && m.colour == colour)
                .unwrap();
            let score = found.score.as_ref().unwrap();
            let result: i64 = play["result"].as_str().unwrap().parse().unwrap();
            let result = yose_cgt::Dyadic::from(result);
            assert!(
                score.low <= result && result <= score.high,
                "{name} {play} {score:?}"
            );
        }
    }
    answers
}

#[test]
fn hotstrat_loses_five_and_six() {
    for (name, loss) in [("hotstrat19", "5"), ("hotstrat19_two_regions", "6")] {
        let [black, _] = agrees(name);
        let board = board(name);
        let ks = index(board.size(), "ks");
        assert_eq!(black.best.len(), 1);
        assert_eq!(black.best[0].point, ks);
        let hottest = black
            .strategies
            .iter()
            .find(|p| p.strategy.key() == "hottest");
        assert_eq!(hottest.unwrap().loss.to_string(), loss);
        // The readings: the hottest region is G, all others but "avoid" say H.
        let first = |list: &[yose_endgame::board::Ranked]| list[0].point;
        assert_ne!(first(&black.ranking.hottest), ks);
        assert_eq!(first(&black.ranking.swing), ks);
        assert_eq!(first(&black.ranking.must), ks);
        assert_eq!(first(&black.ranking.loss), ks);
        let avoided = black.ranking.avoid[0].point;
        let expected = if name == "hotstrat19" {
            ["re", "se"].map(|p| index(board.size(), p))
        } else {
            ["ki", "la"].map(|p| index(board.size(), p))
        };
        assert!(expected.contains(&avoided));
    }
}

#[test]
fn the_false_split_is_not_made() {
    agrees("false_independence19");
}

#[test]
fn settled_dame_and_open() {
    let rows = [".X..O.", "XX..OO", ".X.OO.", "XX.O.O"];
    let board = Board::from_rows(&rows).unwrap();
    let cells = board.cells();
    let grid = Grid::new(4, 6, &cells).unwrap();
    let whole = Decomposition::new(&grid, &Vouched::default());
    let open: Vec<usize> = whole
        .regions()
        .iter()
        .filter(|r| r.kind == RegionKind::Open)
        .map(|r| r.points.len())
        .collect();
    assert_eq!(open, [6]);
    assert_eq!(whole.settled(), 2 - 3);
}

#[test]
fn nobody_is_safe_on_an_empty_board() {
    let board = Board::new(Size::new(19, 19).unwrap());
    let mut solver = LocalSolver::default();
    let answer = analysed(&mut solver, &board, Colour::Black);
    assert_eq!(answer.regions.len(), 1);
    assert_eq!(answer.regions[0].status, Status::Unknown);
    assert!(!answer.is_exact());
    assert!(answer.best.is_empty());
    assert_eq!(answer.left_stop.high.to_string(), "361");
    assert_eq!(answer.left_stop.low.to_string(), "-361");
}

#[test]
fn a_vouched_group_is_listed() {
    // White's three stones in the corner have one eye; Black's wall is alive.
    let rows = [".OX.X", "OOXXX", "XXX.X"];
    let cells: Vec<Cell> = Board::from_rows(&rows).unwrap().cells();
    let grid = Grid::new(3, 5, &cells).unwrap();
    let plain = Decomposition::new(&grid, &Vouched::default());
    assert!(!plain.safe()[1] && plain.safe()[2]);
    let vouched = Vouched {
        alive: vec![6, 2, 99],
        ..Vouched::default()
    };
    let whole = Decomposition::new(&grid, &vouched);
    assert!(whole.safe()[1]);
    assert_eq!(whole.assumptions(), [Assumption::Alive { stone: 1 }]);
}

/// A group that lives only if it answers bounds regions only where that is asked for, and is listed.
#[test]
fn answered_groups_are_assumptions() {
    // Four points in a row are two eyes, whoever begins.
    let rows = ["....XO.O", "XXXXXOOO", "OOOOOO.O", "O.OOOOOO", "OOOO.OOO"];
    let cells = Board::from_rows(&rows).unwrap().cells();
    let grid = Grid::new(5, 8, &cells).unwrap();
    let plain = Decomposition::new(&grid, &Vouched::default());
    assert!(!plain.safe()[4] && plain.safe()[5]);
    assert!(plain.assumptions().is_empty());
    let vouched = Vouched {
        alternate: Some(yose_go::AlternateLimits::default()),
        ..Vouched::default()
    };
    let whole = Decomposition::new(&grid, &vouched);
    assert!(whole.safe()[4]);
    assert_eq!(whole.assumptions().len(), 1);
    let Assumption::Answered { eye_space, .. } = &whole.assumptions()[0] else {
        panic!("{:?}", whole.assumptions());
    };
    assert_eq!(*eye_space, [0, 1, 2, 3]);
}

/// Regions on a grid far larger than a board: as many as were drawn, each the same.
#[test]
fn a_large_grid() {
    let tile = [
        "XXXXXOOOO.",
        "X.X.XOOOOO",
        "XXXXX.OO.O",
        "XXXX..OOOO",
        "XXXXXOOOOO",
    ];
    let (tiles, side) = (20, 200);
    let cells: Vec<Cell> = (0..100 * side)
        .map(|i| match tile[i / side % 5].as_bytes()[i % side % 10] {
            b'X' => Cell::Black,
            b'O' => Cell::White,
            _ => Cell::Empty,
        })
        .collect();
    let grid = Grid::new(100, side, &cells).unwrap();
    let whole = Decomposition::new(&grid, &Vouched::default());
    let open = whole
        .regions()
        .iter()
        .filter(|r| r.kind == RegionKind::Open);
    assert_eq!(open.clone().count(), tiles * 20);
    assert!(open.clone().all(|r| r.points.len() == 3));
    let settled = whole.regions().iter().filter_map(|r| match r.kind {
        RegionKind::Settled(points) => Some(points),
        _ => None,
    });
    // Three eyes in each tile; the point at its upper right is an eye only at the edge of the board.
    assert_eq!(settled.count(), tiles * 20 * 3 + tiles);
    let dame = whole
        .regions()
        .iter()
        .filter(|r| r.kind == RegionKind::Dame);
    assert_eq!(dame.count(), tiles * 19);
}

/// Dead stones are taken in a closed region only, and then with all of their colour there.
#[test]
fn dead_stones_are_taken_where_nothing_is_left() {
    // Black has eyes at the upper right; in his land of six points stand two White stones.
    let rows = ["..X.X", ".OXXX", "O.X.X", "..XXX"];
    let cells = Board::from_rows(&rows).unwrap().cells();
    let grid = Grid::new(4, 5, &cells).unwrap();
    let dead = |dead: &[usize]| {
        let vouched = Vouched {
            dead: dead.to_vec(),
            ..Vouched::default()
        };
        Decomposition::new(&grid, &vouched)
    };
    let plain = dead(&[]);
    assert_eq!(plain.regions()[0].kind, RegionKind::Open);
    let one = dead(&[6]);
    assert_eq!(one.regions()[0].kind, RegionKind::Open);
    assert_eq!(one.not_taken(), [6]);
    assert!(one.assumptions().is_empty());
    let both = dead(&[6, 10, 999, 0]);
    assert_eq!(both.regions()[0].kind, RegionKind::Settled(6 + 2 * 2));
    assert!(both.not_taken().is_empty());
    let text = both.assumptions()[0].text(&|p| p.to_string());
    assert_eq!(
        text,
        "the 8 points around 0 are Black's (given, dead in it: 6, 10)"
    );
    // Stones that live unconditionally are not dead, whoever says so.
    assert_eq!(dead(&[2]).not_taken().len(), 10);
}

/// The judgement names what it takes and why; without it nothing is assumed.
#[test]
fn the_judgement_gives_reasons() {
    let rows = [
        "...XO....",
        "...XO....",
        "...XO....",
        "...XO....",
        "...XO....",
        "...XO....",
        "...XO....",
    ];
    let cells = Board::from_rows(&rows).unwrap().cells();
    let grid = Grid::new(7, 9, &cells).unwrap();
    assert!(
        Decomposition::new(&grid, &Vouched::default())
            .assumptions()
            .is_empty()
    );
    let auto = Vouched {
        auto: true,
        ..Vouched::default()
    };
    let whole = Decomposition::new(&grid, &auto);
    let name = |p: usize| p.to_string();
    let texts: Vec<String> = whole.assumptions().iter().map(|a| a.text(&name)).collect();
    assert_eq!(
        texts,
        [
            "3 lives (judged: secure territory of 21 points)",
            "4 lives (judged: secure territory of 21 points)",
            "the 21 points around 0 are Black's (judged)",
            "the 28 points around 5 are White's (judged)",
        ]
    );
    assert_eq!(whole.settled(), 21 - 28);
}
