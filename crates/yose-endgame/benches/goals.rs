//! The times that docs/RESULTS.md states: the counterexample board, crowded boards, growth on large grids.
//!
//! `cargo bench -p yose-endgame --bench goals`; with `-- growth SIDE RUNS` only the work on one grid, so many times,
//! for tools that count instructions.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

use std::time::{Duration, Instant};

use yose_cgt::{Cold, Player, Switch, switch_values};
use yose_endgame::decompose::{Decomposition, RegionKind, Vouched};
use yose_endgame::{LocalSolver, Question, Shape, analyse, construct};
use yose_go::{Board, Cell, Colour, Grid};

/// Random numbers that are the same everywhere (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n).expect("small")
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "growth") {
        let number = |k: usize| arguments[at + k].parse().expect("a number");
        let side = number(1);
        let cells = switches(side);
        for _ in 0..number(2) {
            assert_eq!(taken_apart(side, &cells).0, side * side / 100);
        }
        return;
    }
    counterexample();
    crowded_boards();
    growth();
}

fn counterexample() {
    let board = construct::built_in();
    let grid = Grid::new(19, 19, &board.cells).expect("a grid");
    let times = (0..31).map(|_| {
        let start = Instant::now();
        let mut solver = LocalSolver::default();
        let answer = analyse(&mut solver, &grid, &Question::new(Colour::Black)).expect("fits");
        assert!(answer.is_exact());
        start.elapsed()
    });
    println!("hotstrat19: median {:?} of 31", median(times.collect()));
}

/// Twelve regions of three by three points between live walls, filled at random with empty points and stones.
fn crowded(seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut rows = vec![vec!['#'; 19]; 19];
    let stripes = [('O', 0, 2), ('X', 6, 7), ('O', 11, 12), ('X', 16, 18)];
    for row in &mut rows {
        for (sign, from, to) in stripes {
            row[from..=to].fill(sign);
        }
    }
    let gaps = [(3, 'O', 'X'), (8, 'X', 'O'), (13, 'O', 'X')];
    for (col, left, right) in gaps {
        for bar in [0, 4, 8, 12] {
            let split = random.below(4);
            for k in 0..3 {
                rows[bar][col + k] = if k < split { left } else { right };
            }
        }
        for row in (1..16).filter(|row| row % 4 != 0) {
            for k in 0..3 {
                rows[row][col + k] = match random.below(100) {
                    0..=54 => '.',
                    55..=76 => 'X',
                    _ => 'O',
                };
            }
        }
    }
    for row in &mut rows[16..19] {
        for (sign, from, to) in [('O', 3, 3), ('X', 4, 9), ('O', 10, 14), ('X', 15, 15)] {
            row[from..=to].fill(sign);
        }
    }
    for (row, col) in [
        (0, 0),
        (2, 0),
        (18, 5),
        (18, 7),
        (18, 11),
        (18, 13),
        (0, 18),
        (2, 18),
    ] {
        rows[row][col] = '.';
    }
    // A stone without a liberty is none.
    loop {
        let texts: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let Some((row, col)) = breathless(&rows) else {
            return texts;
        };
        rows[row][col] = '.';
    }
}

fn breathless(rows: &[Vec<char>]) -> Option<(usize, usize)> {
    let beside = |(r, c): (usize, usize)| {
        let all = [
            (r.wrapping_sub(1), c),
            (r + 1, c),
            (r, c.wrapping_sub(1)),
            (r, c + 1),
        ];
        all.into_iter().filter(|&(r, c)| r < 19 && c < 19)
    };
    for row in 0..19 {
        for col in 0..19 {
            let mut chain = vec![(row, col)];
            let (mut next, mut breathes) = (0, rows[row][col] == '.');
            while next < chain.len() && !breathes {
                for q in beside(chain[next]) {
                    breathes |= rows[q.0][q.1] == '.';
                    if rows[q.0][q.1] == rows[row][col] && !chain.contains(&q) {
                        chain.push(q);
                    }
                }
                next += 1;
            }
            if !breathes {
                return Some((row, col));
            }
        }
    }
    None
}

fn crowded_boards() {
    let (mut times, mut exact, mut largest) = (Vec::new(), 0, 0);
    let (mut regions, mut decided) = (0, 0);
    for seed in 1..=20 {
        let board = Board::from_rows(&crowded(seed)).expect("a board");
        let cells = board.cells();
        let grid = Grid::new(19, 19, &cells).expect("a grid");
        let start = Instant::now();
        let mut solver = LocalSolver::default();
        let answer = analyse(&mut solver, &grid, &Question::new(Colour::Black)).expect("fits");
        let time = start.elapsed();
        exact += usize::from(answer.left_stop.exact().is_some());
        for report in &answer.regions {
            let region = &answer.decomposition.regions()[report.region];
            largest = largest.max(region.points.len() + region.stones.len());
            regions += 1;
            decided += usize::from(report.worth.is_some());
        }
        println!(
            "crowded board {seed}: {} regions in play, {} positions, {time:?}",
            answer.regions.len(),
            solver.positions()
        );
        times.push(time);
    }
    let slowest = times.iter().max().expect("some").to_owned();
    println!(
        "crowded boards: up to {largest} points a region, {decided} of {regions} regions exact, {exact} of 20 \
         scores exact, median {:?}, slowest {slowest:?}",
        median(times)
    );
}

/// Two eyes for each colour, and between them a row for a switch.
const TILE: [&str; 10] = [
    "OOOOOXXXXX",
    "O.O.OX.X.X",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
    "OOOOOXXXXX",
];

fn switches(side: usize) -> Vec<Cell> {
    let mut random = Random(7);
    let mut cells: Vec<Cell> = (0..side * side)
        .map(|i| match TILE[i / side % 10].as_bytes()[i % side % 10] {
            b'X' => Cell::Black,
            b'O' => Cell::White,
            _ => Cell::Empty,
        })
        .collect();
    for top in (0..side).step_by(10) {
        for left in (0..side).step_by(10) {
            let stones = random.below(4);
            let black = random.below(2) == 0;
            let row = (top + 5) * side + left;
            let point = if black { 4 } else { 5 };
            cells[row + point] = Cell::Empty;
            for k in 1..=stones {
                if black {
                    cells[row + point - k] = Cell::Black;
                } else {
                    cells[row + point + k] = Cell::White;
                }
            }
        }
    }
    cells
}

/// Decomposition, the switches read off the regions, and V of every one: their number, and the time of
/// algorithm 2.3.
fn taken_apart(side: usize, cells: &[Cell]) -> (usize, Duration) {
    let grid = Grid::new(side, side, cells).expect("a grid");
    let parts = Decomposition::new(&grid, &Vouched::default());
    let mut switches = Vec::new();
    for (number, region) in parts.regions().iter().enumerate() {
        match region.kind {
            RegionKind::Settled(_) => {}
            RegionKind::Dame => switches.push((0, 0)),
            RegionKind::Open => {
                let (area, _) = parts.area(number).expect("small");
                let Some(Shape::Switch(left, right)) = Shape::of(&area) else {
                    panic!("{:?}", area.to_rows());
                };
                switches.push((2 * i64::from(left), -2 * i64::from(right)));
            }
        }
    }
    let switches: Vec<Switch> = switches
        .into_iter()
        .map(|(left, right)| Switch {
            left: left.into(),
            right: right.into(),
        })
        .collect();
    let begun = Instant::now();
    let values = switch_values(&switches, Player::Left, Cold::Number).expect("fits");
    (values.v.len(), begun.elapsed())
}

fn growth() {
    for side in [250, 500, 1000, 2000] {
        let cells = switches(side);
        let (mut whole, mut algorithm, mut count) = (Vec::new(), Vec::new(), 0);
        for _ in 0..5 {
            let start = Instant::now();
            let (switches, time) = taken_apart(side, &cells);
            whole.push(start.elapsed());
            algorithm.push(time);
            count = switches;
        }
        let (whole, algorithm) = (median(whole), median(algorithm));
        let points = u32::try_from(side * side).expect("small");
        println!(
            "{side}x{side}: {count} switches, median {whole:?} of 5 in all ({:?} a point), algorithm 2.3 \
             {algorithm:?}",
            whole / points
        );
    }
}
