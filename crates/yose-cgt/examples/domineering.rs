//! A stress test of the arena: the canonical form of empty Domineering boards (Left plays vertical dominoes,
//! Right horizontal ones), by plain recursion over every position that play can reach.
//!
//! `cargo run --release -p yose-cgt --example domineering -- 5 5`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

use std::collections::HashMap;
use std::time::Instant;
use yose_cgt::{GameId, Games, Result};

/// A board of at most 64 squares; a set bit is a free square.
struct Board {
    /// Both squares of every vertical domino.
    vertical: Vec<u64>,
    /// Both squares of every horizontal domino.
    horizontal: Vec<u64>,
}

impl Board {
    fn new(rows: usize, columns: usize) -> Self {
        let bit = |r: usize, c: usize| 1_u64 << (r * columns + c);
        let mut board = Self {
            vertical: Vec::new(),
            horizontal: Vec::new(),
        };
        for r in 0..rows {
            for c in 0..columns {
                if r + 1 < rows {
                    board.vertical.push(bit(r, c) | bit(r + 1, c));
                }
                if c + 1 < columns {
                    board.horizontal.push(bit(r, c) | bit(r, c + 1));
                }
            }
        }
        board
    }

    /// The value of a set of free squares. The depth is at most half the squares.
    fn value(
        &self,
        games: &mut Games,
        seen: &mut HashMap<u64, GameId>,
        free: u64,
    ) -> Result<GameId> {
        // A square without a free neighbour is dead: nobody can ever use it.
        let all = self.vertical.iter().chain(&self.horizontal);
        let free = all.filter(|&&d| free & d == d).fold(0, |live, d| live | d);
        if let Some(&g) = seen.get(&free) {
            return Ok(g);
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (side, dominoes) in [&self.vertical, &self.horizontal].into_iter().enumerate() {
            for &d in dominoes {
                if free & d == d {
                    let option = self.value(games, seen, free & !d)?;
                    sides[side].push(option);
                }
            }
        }
        let g = games.make(&sides[0], &sides[1])?;
        seen.insert(free, g);
        Ok(g)
    }
}

fn main() -> Result<()> {
    let mut size = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let (rows, columns) = (
        size.next().unwrap_or(4_usize),
        size.next().unwrap_or(4_usize),
    );
    if rows * columns > 60 {
        println!("at most 60 squares, not {rows} x {columns}");
        return Ok(());
    }
    let mut games = Games::new();
    let mut seen = HashMap::new();
    let start = Instant::now();
    let full = (1_u64 << (rows * columns)) - 1;
    let g = Board::new(rows, columns).value(&mut games, &mut seen, full)?;
    let time = start.elapsed();
    println!("{rows}x{columns}: {}", games.print(g)?);
    let t = games.thermograph(g)?;
    println!("mean {}, temperature {}", t.mean, t.temperature);
    println!(
        "{} positions, {} values, {time:.2?}",
        seen.len(),
        games.len()
    );
    Ok(())
}
