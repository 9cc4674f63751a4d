//! Times: a board of 19x19 from a file of rows, and growth of the decomposition with the board.
//!
//! `cargo run --release -p yose-endgame --example speed -- tests/data/goendgame/hotstrat19.rows`

use std::time::Instant;

use yose_endgame::decompose::{Decomposition, Vouched};
use yose_endgame::{LocalSolver, Question, analyse};
use yose_go::{Board, Cell, Colour, Grid};

/// Two eyes for each colour and a corridor of two points between them.
const TILE: [&str; 5] = [
    "XXXXXOOOO.",
    "X.X.XOOOOO",
    "XXXXX.OO.O",
    "XXXX..OOOO",
    "XXXXXOOOOO",
];

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let rows: Vec<&str> = text.split_whitespace().collect();
        let board = Board::from_rows(&rows)?;
        let cells = board.cells();
        let grid = Grid::new(board.size().rows(), board.size().cols(), &cells)?;
        let mut times = Vec::new();
        for _ in 0..21 {
            let start = Instant::now();
            let mut solver = LocalSolver::default();
            let answer = analyse(&mut solver, &grid, &Question::new(Colour::Black))?;
            times.push(start.elapsed());
            assert!(answer.is_exact(), "{file}");
        }
        times.sort_unstable();
        println!("{file}: median {:?}", times[10]);
    }
    for side in [250, 500, 1000] {
        let cells: Vec<Cell> = (0..side * side)
            .map(|i| match TILE[i / side % 5].as_bytes()[i % side % 10] {
                b'X' => Cell::Black,
                b'O' => Cell::White,
                _ => Cell::Empty,
            })
            .collect();
        let grid = Grid::new(side, side, &cells)?;
        let mut times = Vec::new();
        let mut regions = 0;
        for _ in 0..5 {
            let start = Instant::now();
            regions = Decomposition::new(&grid, &Vouched::default())
                .regions()
                .len();
            times.push(start.elapsed());
        }
        times.sort_unstable();
        println!("{side}x{side}: {regions} regions, median {:?}", times[2]);
    }
    Ok(())
}
