//! Endings of real games: no crash, no score that a move improves, and at the end the counted score.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use yose_cgt::{Dyadic, SumLimits};
use yose_endgame::decompose::{Assumption, Decomposition, Region, RegionKind, Vouched};
use yose_endgame::{Analysis, LocalLimits, LocalSolver, Question, analyse};
use yose_go::sgf::{self, ReplayOptions};
use yose_go::{Board, Colour, Game, Grid, Move, Point, Scoring};

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

fn records(folder: &str) -> Vec<Record> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data")
        .join(folder);
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

#[derive(Clone, Copy)]
struct Limits {
    nodes: usize,
    sum: u64,
    scoring: Scoring,
}

/// What is claimed of a position, and what that rests on.
struct Found {
    low: Dyadic,
    high: Dyadic,
    /// Points of regions whose value is exact, of all points in regions in play.
    decided: (usize, usize),
    board: Board,
    /// For each point: a stone that is taken for immortal, proved or not.
    safe: Vec<bool>,
    /// For each point: who owns the settled region it lies in, and whether that is only judged.
    settled: Vec<Option<(Colour, bool)>>,
    /// What is assumed, in words.
    assumed: Vec<String>,
}

impl Found {
    fn exact(&self) -> Option<&Dyadic> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Can both be right?
    fn agrees(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

fn answer(
    solver: &mut LocalSolver,
    record: &Record,
    moves: usize,
    auto: bool,
    question: Question,
) -> (Board, Analysis) {
    let (board, prisoners) = board_after(record, moves);
    let cells = board.cells();
    let grid = Grid::new(board.size().rows(), board.size().cols(), &cells).unwrap();
    let question = Question {
        prisoners,
        vouched: Vouched {
            auto,
            ..Vouched::default()
        },
        ..question
    };
    let answer = analyse(solver, &grid, &question).unwrap();
    (board, answer)
}

fn found(
    solver: &mut LocalSolver,
    record: &Record,
    moves: usize,
    to_play: Colour,
    auto: bool,
    limits: Limits,
) -> Found {
    let question = Question {
        line: 0,
        scoring: limits.scoring,
        sum: SumLimits {
            nodes: Some(limits.sum),
            time: None,
        },
        ..Question::new(to_play)
    };
    let (board, answer) = answer(solver, record, moves, auto, question);
    let cells = board.cells();
    let parts = &answer.decomposition;
    if !auto {
        assert!(parts.assumptions().is_empty());
    }
    let stop = match to_play {
        Colour::Black => &answer.left_stop,
        Colour::White => &answer.right_stop,
    };
    assert!(stop.low <= stop.high);
    let size = |region: &Region| region.points.len() + region.stones.len();
    let mut decided = (0, 0);
    for region in &answer.regions {
        let points = size(&parts.regions()[region.region]);
        decided.1 += points;
        if region.worth.is_some() {
            decided.0 += points;
        }
    }
    let points: Vec<Point> = board.size().points().collect();
    let name = |p: usize| board.size().gtp(points[p]);
    let mut settled = vec![None; cells.len()];
    for region in parts.regions() {
        let RegionKind::Settled(points) = region.kind else {
            continue;
        };
        let inside: Vec<usize> = region
            .points
            .iter()
            .chain(&region.stones)
            .copied()
            .collect();
        let judged = parts
            .assumptions()
            .iter()
            .any(|a| matches!(a, Assumption::Territory { first, .. } if inside.contains(first)));
        for p in inside {
            settled[p] = Some((
                if points < 0 {
                    Colour::White
                } else {
                    Colour::Black
                },
                judged,
            ));
        }
    }
    Found {
        low: stop.low.clone(),
        high: stop.high.clone(),
        decided,
        safe: parts.safe().to_vec(),
        settled,
        assumed: parts.assumptions().iter().map(|a| a.text(&name)).collect(),
        board,
    }
}

/// How what is taken for granted after a move compares with what was before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grounds {
    /// No more in favour of the mover: the move must not gain.
    Kept,
    /// More in favour of the mover: the judgement has changed, and the two scores are about different things.
    Changed,
    /// A stone that was taken for immortal is gone.
    Refuted,
}

/// A score with assumptions is exact for the game in which certain stones are never taken and certain
/// regions belong to somebody as they are. A move cannot gain within one such game. Between two of them the scores
/// compare if the second grants the mover nothing that the first did not: more stones of his that cannot be
/// taken, fewer of the other side's, more territory (judged territory counts all there can be) never make
/// the score worse for him. What was granted before is, after the move, the same stones, what is connected to
/// them by the move, and what then lives unconditionally.
fn grounds(before: &Found, after: &Found, mover: Colour) -> Grounds {
    let cells = after.board.cells();
    let old = before.board.cells();
    let stands = |p: usize| cells[p] == old[p];
    let alive: Vec<usize> = (0..cells.len()).filter(|&p| before.safe[p]).collect();
    if !alive.iter().all(|&p| stands(p)) {
        return Grounds::Refuted;
    }
    let size = after.board.size();
    let grid = Grid::new(size.rows(), size.cols(), &cells).unwrap();
    let vouched = Vouched {
        alive,
        ..Vouched::default()
    };
    let inherited = Decomposition::new(&grid, &vouched);
    let kept = (0..cells.len()).all(|p| {
        let (now, then) = (after.safe[p], inherited.safe()[p]);
        let stones = match cells[p].colour() {
            Some(colour) if colour == mover => !now || then,
            Some(_) => now || !then,
            None => true,
        };
        let own = after.settled[p] == Some((mover, true));
        let lost = before.settled[p] == Some((!mover, true));
        let belongs = |found: &Found, to| found.settled[p].is_some_and(|(owner, _)| owner == to);
        stones && (!own || belongs(before, mover)) && (!lost || belongs(after, !mover))
    });
    if kept {
        Grounds::Kept
    } else {
        Grounds::Changed
    }
}

#[derive(Default)]
struct Tally {
    asked: usize,
    exact: [usize; 2],
    decided: [(usize, usize); 2],
    both: usize,
}

/// Pairs of positions with a move between them.
#[derive(Default, Debug)]
struct Pairs {
    asked: usize,
    kept: usize,
    /// Kept, and both scores are exact.
    exact: usize,
    refuted: usize,
}

/// What following the ends of games shows. Sides: nothing assumed, and with `auto`.
#[derive(Default)]
struct Survey {
    /// By plies before the end.
    table: BTreeMap<usize, Tally>,
    pairs: [Pairs; 2],
    /// What cannot be.
    faults: Vec<String>,
    /// Moves that gain where the judgement has changed: it was wrong on one side of the move.
    changes: Vec<String>,
}

const SIDES: [&str; 2] = ["proved", "auto"];

impl Survey {
    /// Follows the ends of games at every ply.
    fn of(records: &[Record], plies: usize, limits: Limits) -> Self {
        let mut survey = Self::default();
        for record in records {
            let mut solver = LocalSolver::new(LocalLimits {
                nodes: limits.nodes,
                ..LocalLimits::default()
            });
            let mut earlier: Option<[Found; 2]> = None;
            for back in (0..=plies.min(record.moves.len())).rev() {
                let now = survey.look(&mut solver, record, back, limits);
                if let Some(before) = &earlier {
                    for side in [0, 1] {
                        survey.compare(record, back, side, &before[side], &now[side]);
                    }
                }
                earlier = Some(now);
            }
            for (found, how) in earlier.iter().flatten().zip(SIDES) {
                survey.at_the_end(record, how, limits.scoring, found);
            }
        }
        survey
    }

    fn look(
        &mut self,
        solver: &mut LocalSolver,
        record: &Record,
        back: usize,
        limits: Limits,
    ) -> [Found; 2] {
        let moves = record.moves.len() - back;
        let next = record.moves.get(moves);
        let to_play = next.map_or_else(|| !record.moves[moves - 1].0, |m| m.0);
        let [plain, auto] =
            [false, true].map(|auto| found(solver, record, moves, to_play, auto, limits));
        let tally = self.table.entry(back).or_default();
        tally.asked += 1;
        for (side, found) in [&plain, &auto].into_iter().enumerate() {
            tally.exact[side] += usize::from(found.exact().is_some());
            tally.decided[side].0 += found.decided.0;
            tally.decided[side].1 += found.decided.1;
        }
        tally.both += usize::from(plain.exact().is_some() && auto.exact().is_some());
        if !plain.agrees(&auto) {
            self.faults.push(format!(
                "{}, {back} plies before the end: proved {}..{}, with auto {}..{}",
                record.name, plain.low, plain.high, auto.low, auto.high
            ));
        }
        [plain, auto]
    }

    /// A move leads from one position to the other; `back` plies are left after it.
    fn compare(
        &mut self,
        record: &Record,
        back: usize,
        side: usize,
        before: &Found,
        after: &Found,
    ) {
        let (mover, mv) = record.moves[record.moves.len() - back - 1];
        let pairs = &mut self.pairs[side];
        pairs.asked += 1;
        let grounds = grounds(before, after, mover);
        let both = before.exact().is_some() && after.exact().is_some();
        match grounds {
            Grounds::Kept => {
                pairs.kept += 1;
                pairs.exact += usize::from(both);
            }
            Grounds::Changed => assert_eq!(side, 1, "what is proved stays"),
            Grounds::Refuted => pairs.refuted += 1,
        }
        let gains = match mover {
            Colour::Black => after.low > before.high,
            Colour::White => after.high < before.low,
        };
        if !gains && grounds != Grounds::Refuted {
            return;
        }
        let what = format!(
            "{} {}: {mover:?} {:?}, {} plies before the end: {}..{} to {}..{} ({grounds:?})",
            SIDES[side],
            record.name,
            mv.point().map(|p| record.size.gtp(p)),
            back + 1,
            before.low,
            before.high,
            after.low,
            after.high
        );
        if grounds == Grounds::Kept {
            self.faults.push(what);
        } else {
            let only = |one: &Found, other: &Found| {
                let new = one.assumed.iter().filter(|a| !other.assumed.contains(a));
                new.cloned().collect::<Vec<_>>().join("; ")
            };
            self.changes.push(format!(
                "{what}\n    only before: {}\n    only after: {}",
                only(before, after),
                only(after, before)
            ));
        }
    }

    /// The score of the last position is the counted one.
    fn at_the_end(&mut self, record: &Record, how: &str, scoring: Scoring, last: &Found) {
        // By area each stone played counts one.
        let mut balance = 0;
        for &(colour, mv) in &record.moves {
            if mv.point().is_some() {
                balance += if colour == Colour::Black { 1 } else { -1 };
            }
        }
        let counted = Dyadic::new(i128::from(record.counted + record.komi), 1).unwrap();
        let balance = Dyadic::from(balance);
        let counted = match (record.chinese, scoring) {
            (true, Scoring::Territory) => counted.checked_sub(&balance).unwrap(),
            (false, Scoring::Area) => counted.checked_add(&balance).unwrap(),
            (true, Scoring::Area) | (false, Scoring::Territory) => counted,
        };
        if !(last.low <= counted && counted <= last.high) {
            self.faults.push(format!(
                "{how} {}: {}..{} at the end, counted {counted}",
                record.name, last.low, last.high
            ));
        }
    }

    fn print(&self) {
        println!("plies | games | exact | decided | exact with auto | decided | both");
        for (back, t) in &self.table {
            println!(
                "{back} | {} | {} | {:?} | {} | {:?} | {}",
                t.asked, t.exact[0], t.decided[0], t.exact[1], t.decided[1], t.both
            );
        }
        for (pairs, how) in self.pairs.iter().zip(SIDES) {
            println!("{how}: {pairs:?}");
        }
        for change in &self.changes {
            println!("{change}");
        }
    }
}

/// At each of the last 40 plies of the games: no crash, no move that gains, the counted score at the end, and
/// nothing that `auto` says against what is proved. Few positions for each region, so that it is quick.
fn consistent(folder: &str, scoring: Scoring) -> Tally {
    let limits = Limits {
        nodes: 200,
        sum: 20_000,
        scoring,
    };
    let survey = Survey::of(&records(folder), 40, limits);
    assert_eq!(survey.faults, Vec::<String>::new());
    // Nor where the judgement has changed, though no such law holds there.
    assert_eq!(survey.changes, Vec::<String>::new());
    let [proved, auto] = &survey.pairs;
    assert_eq!(proved.kept, proved.asked);
    assert!(auto.exact > 100 && auto.refuted == 0, "{auto:?}");
    survey.table.into_iter().next().unwrap().1
}

#[test]
fn endings_are_consistent() {
    let end = consistent("endings", Scoring::Territory);
    assert_eq!(end.asked, 19);
    // Two ends are proved outright; with the judgement most are.
    assert!(end.exact[0] >= 2 && end.exact[1] >= 13, "{:?}", end.exact);
}

/// Games that the judgement was not made with.
#[test]
fn fresh_endings_are_consistent() {
    let end = consistent("endings/fresh", Scoring::Territory);
    assert_eq!(end.asked, 12);
    assert!(end.exact[0] >= 1 && end.exact[1] >= 8, "{:?}", end.exact);
}

#[test]
fn endings_are_consistent_by_area() {
    let end = consistent("endings", Scoring::Area);
    assert!(end.exact[0] >= 2 && end.exact[1] >= 13, "{:?}", end.exact);
    let end = consistent("endings/fresh", Scoring::Area);
    assert!(end.exact[0] >= 1 && end.exact[1] >= 8, "{:?}", end.exact);
}

/// What is taken for territory is nobody's to play in, along the whole line.
#[test]
fn lines_of_best_play_reach_the_end() {
    let mut lines = 0;
    for record in records("endings") {
        let mut solver = LocalSolver::new(LocalLimits {
            nodes: 200,
            ..LocalLimits::default()
        });
        for back in [1, 2, 4, 6, 9, 12] {
            let moves = record.moves.len() - back;
            for scoring in [Scoring::Territory, Scoring::Area] {
                let question = Question {
                    scoring,
                    ..Question::new(record.moves[moves].0)
                };
                let (_, answer) = answer(&mut solver, &record, moves, true, question);
                let known = answer.regions.iter().all(|r| r.moves_known);
                if answer.is_exact() && known && !answer.best.is_empty() {
                    assert!(answer.line_complete, "{}, {back} plies", record.name);
                    lines += usize::from(answer.line.len() > 1);
                }
            }
        }
    }
    assert!(lines >= 10, "{lines} lines");
}

#[test]
#[ignore = "minutes; prints a table of RESULTS.md"]
fn shares_of_exact_answers() {
    shares("endings");
}

#[test]
#[ignore = "minutes; prints a table of RESULTS.md"]
fn shares_of_exact_answers_in_fresh_games() {
    shares("endings/fresh");
}

fn shares(folder: &str) {
    let limits = Limits {
        nodes: 5_000,
        sum: 200_000,
        scoring: Scoring::Territory,
    };
    let survey = Survey::of(&records(folder), 40, limits);
    survey.print();
    assert_eq!(survey.faults, Vec::<String>::new());
    assert_eq!(survey.changes, Vec::<String>::new());
}
