//! Endings of real games: no crash, no score that a move improves, and at the end the counted score.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use std::path::PathBuf;

use yose_cgt::{Dyadic, SumLimits};
use yose_endgame::decompose::Vouched;
use yose_endgame::{LocalLimits, LocalSolver, Question, analyse};
use yose_go::sgf::{self, ReplayOptions};
use yose_go::{Board, Colour, Game, Grid, Move};

/// A record, and its moves without the passes at the end.
struct Record {
    name: String,
    chinese: bool,
    size: yose_go::Size,
    moves: Vec<(Colour, Move)>,
    /// Black's lead as counted, komi included, in half points.
    counted: i64,
    komi: i64,
}

fn records() -> Vec<Record> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/endings");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "sgf"))
        .collect();
    files.sort();
    files.iter().map(|path| record(path)).collect()
}

fn record(path: &std::path::Path) -> Record {
    let reading = sgf::read(&std::fs::read(path).unwrap()).unwrap();
    let tree = &reading.games[0];
    let root = tree.root();
    let replay = tree.replay(&ReplayOptions::default()).unwrap();
    assert!(replay.notes.is_empty(), "{path:?}");
    let game = &replay.game;
    let mut moves: Vec<(Colour, Move)> = game.moves().iter().map(|p| (p.colour, p.mv)).collect();
    while moves.last().is_some_and(|m| m.1.point().is_none()) {
        moves.pop();
    }
    let half = |text: &str| (text.parse::<f64>().unwrap() * 2.0).round();
    let result = root.text("RE").unwrap();
    let (winner, margin) = result.split_once('+').unwrap();
    #[allow(clippy::cast_possible_truncation, reason = "small")]
    let (margin, komi) = (half(margin) as i64, half(&root.text("KM").unwrap()) as i64);
    Record {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        chinese: root.text("RU").unwrap() == "Chinese",
        size: game.size(),
        moves,
        counted: if winner == "B" { margin } else { -margin },
        komi,
    }
}

/// The board after so many moves, and prisoners, Black's minus White's.
fn board_after(record: &Record, moves: usize) -> (Board, i64) {
    let mut game = Game::new(record.size, yose_go::Rules::default());
    let mut prisoners = 0;
    for &(colour, mv) in &record.moves[..moves] {
        let stones = |game: &Game, colour| {
            let board = game.board();
            let stones = board
                .size()
                .points()
                .filter(|&p| board.stone(p) == Some(colour));
            i64::try_from(stones.count()).unwrap()
        };
        let before = stones(&game, !colour);
        game.play_as(colour, mv).unwrap();
        let taken = before - stones(&game, !colour);
        prisoners += if colour == Colour::Black {
            taken
        } else {
            -taken
        };
    }
    (game.board().clone(), prisoners)
}

struct Limits {
    nodes: usize,
    sum: u64,
}

/// What is claimed of a position.
struct Found {
    exact: Option<Dyadic>,
    /// Points of regions whose value is exact, of all points in regions in play.
    decided: (usize, usize),
    low: Dyadic,
    high: Dyadic,
}

fn found(
    solver: &mut LocalSolver,
    record: &Record,
    moves: usize,
    to_play: Colour,
    auto: bool,
    limits: &Limits,
) -> Found {
    let (board, prisoners) = board_after(record, moves);
    let cells = board.cells();
    let grid = Grid::new(board.size().rows(), board.size().cols(), &cells).unwrap();
    let question = Question {
        prisoners,
        line: 0,
        vouched: Vouched {
            auto,
            ..Vouched::default()
        },
        sum: SumLimits {
            nodes: Some(limits.sum),
            time: None,
        },
        ..Question::new(to_play)
    };
    let answer = analyse(solver, &grid, &question).unwrap();
    if !auto {
        assert!(answer.decomposition.assumptions().is_empty());
    }
    let stop = match to_play {
        Colour::Black => &answer.left_stop,
        Colour::White => &answer.right_stop,
    };
    let mut decided = (0, 0);
    for region in &answer.regions {
        let part = &answer.decomposition.regions()[region.region];
        let points = part.points.len() + part.stones.len();
        decided.1 += points;
        if region.worth.is_some() {
            decided.0 += points;
        }
    }
    assert!(stop.low <= stop.high);
    Found {
        exact: stop.exact(),
        decided,
        low: stop.low.clone(),
        high: stop.high.clone(),
    }
}

#[derive(Default)]
struct Tally {
    asked: usize,
    exact: [usize; 2],
    decided: [(usize, usize); 2],
    both: usize,
    disagree: Vec<String>,
}

/// Follows the ends of games and collects what contradicts itself.
fn follow(
    records: &[Record],
    plies: &[usize],
    limits: &Limits,
) -> (Vec<(usize, Tally)>, Vec<String>) {
    let mut table: std::collections::BTreeMap<usize, Tally> = std::collections::BTreeMap::new();
    let mut faults = Vec::new();
    for record in records {
        let mut solver = LocalSolver::new(LocalLimits {
            nodes: limits.nodes,
            ..LocalLimits::default()
        });
        // Scores before each move, without assumptions and with them.
        let mut scores: [std::collections::BTreeMap<usize, Found>; 2] = Default::default();
        for &back in plies {
            let Some(moves) = record.moves.len().checked_sub(back) else {
                continue;
            };
            let to_play = record
                .moves
                .get(moves)
                .map_or_else(|| !record.moves[moves - 1].0, |m| m.0);
            let tally = table.entry(back).or_default();
            tally.asked += 1;
            for auto in [false, true] {
                let found = found(&mut solver, record, moves, to_play, auto, limits);
                let side = usize::from(auto);
                tally.exact[side] += usize::from(found.exact.is_some());
                tally.decided[side].0 += found.decided.0;
                tally.decided[side].1 += found.decided.1;
                scores[side].insert(back, found);
            }
            let [plain, auto] = [0, 1].map(|side| &scores[side][&back]);
            if let (Some(plain), Some(auto)) = (&plain.exact, &auto.exact) {
                tally.both += 1;
                if plain != auto {
                    tally.disagree.push(format!(
                        "{}, {back} plies before the end: proved {plain}, with auto {auto}",
                        record.name
                    ));
                }
            } else if let Some(exact) = &auto.exact
                && !(plain.low <= *exact && *exact <= plain.high)
            {
                tally.disagree.push(format!(
                    "{}, {back} plies before the end: between {} and {}, with auto {exact}",
                    record.name, plain.low, plain.high
                ));
            }
        }
        for (scores, how) in scores.iter().zip(["proved", "auto"]) {
            for (&back, before) in scores {
                let Some(after) = back.checked_sub(1).and_then(|b| scores.get(&b)) else {
                    continue;
                };
                let moves = record.moves.len() - back;
                let (colour, mv) = record.moves[moves];
                let gains = match colour {
                    Colour::Black => after.low > before.high,
                    Colour::White => after.high < before.low,
                };
                if gains {
                    faults.push(format!(
                        "{how} {}: {colour:?} {:?} {back} plies before the end gains: {}..{} to {}..{}",
                        record.name,
                        mv.point().map(|p| record.size.gtp(p)),
                        before.low,
                        before.high,
                        after.low,
                        after.high
                    ));
                }
            }
            if let Some(last) = scores.get(&0) {
                // By Chinese rules each stone played counts one.
                let mut balance = 0;
                for &(colour, mv) in &record.moves {
                    if mv.point().is_some() {
                        balance += if colour == Colour::Black { 1 } else { -1 };
                    }
                }
                let counted = Dyadic::new(i128::from(record.counted + record.komi), 1).unwrap();
                let counted = if record.chinese {
                    counted.checked_sub(&Dyadic::from(balance)).unwrap()
                } else {
                    counted
                };
                let right = last.low <= counted && counted <= last.high;
                if !right {
                    faults.push(format!(
                        "{how} {}: {}..{} at the end, counted {counted}",
                        record.name, last.low, last.high
                    ));
                }
            }
        }
    }
    (table.into_iter().collect(), faults)
}

/// No crash at 10, 20, 30 and 40 plies before the end, no move that gains, the counted score at the end,
/// and nothing that `auto` says against what is proved. Few positions for each region, so that it is quick.
#[test]
fn endings_are_consistent() {
    let limits = Limits {
        nodes: 500,
        sum: 20_000,
    };
    let plies = [0, 1, 2, 3, 4, 5, 9, 10, 20, 30, 40];
    let (table, faults) = follow(&records(), &plies, &limits);
    assert_eq!(faults, Vec::<String>::new());
    let (_, end) = &table[0];
    assert_eq!(end.asked, 19);
    // Two ends are proved outright; with the judgement most are.
    assert!(end.exact[0] >= 2 && end.exact[1] >= 12, "{:?}", end.exact);
    for (back, tally) in &table {
        assert_eq!(
            tally.disagree,
            Vec::<String>::new(),
            "{back} plies before the end"
        );
    }
}

#[test]
#[ignore = "two minutes; prints the table of docs/RESULTS.md"]
fn shares_of_exact_answers() {
    let limits = Limits {
        nodes: 5_000,
        sum: 200_000,
    };
    let plies = [0, 1, 2, 4, 5, 9, 10, 19, 20, 29, 30, 39, 40];
    let (table, faults) = follow(&records(), &plies, &limits);
    for (back, tally) in &table {
        println!(
            "{back}: {} asked, exact {:?}, points decided {:?}, both {}, disagree {:?}",
            tally.asked, tally.exact, tally.decided, tally.both, tally.disagree
        );
    }
    assert_eq!(faults, Vec::<String>::new());
}
