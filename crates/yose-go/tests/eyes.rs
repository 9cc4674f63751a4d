//! Eyes against the recursive rule taken literally.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod truth;

use plain::Plain;
use truth::Random;
use yose_go::{Cell, Colour, Eye, Grid, eyes};

#[test]
fn the_recursive_rule_agrees() {
    let mut random = Random(0xe7e5);
    let (mut real, mut false_ones) = (0, 0);
    for (rows, cols, boards) in [
        (1, 6, 100),
        (2, 5, 200),
        (3, 3, 400),
        (5, 5, 2_000),
        (6, 7, 1_000),
        (1, 1, 1),
    ] {
        for _ in 0..boards {
            let mut board = Plain::new(rows, cols);
            // A chequered board with few faults has many eyes that lean on each other.
            let faults = random.below(30);
            for p in 0..board.cells.len() {
                let chequer = (p / cols + p % cols) % 2 == 0;
                board.cells[p] = match random.below(100) {
                    n if n < faults => 'O',
                    n if n < 2 * faults => 'X',
                    _ if chequer => '.',
                    _ => 'X',
                };
            }
            let cells: Vec<Cell> = board
                .cells
                .iter()
                .map(|c| match c {
                    'X' => Cell::Black,
                    'O' => Cell::White,
                    _ => Cell::Empty,
                })
                .collect();
            let grid = Grid::new(rows, cols, &cells).unwrap();
            for (colour, symbol) in [(Colour::Black, 'X'), (Colour::White, 'O')] {
                let found = eyes(&grid, colour);
                for (p, &kind) in found.iter().enumerate() {
                    let eye = board.eye(p, symbol, &mut Vec::new());
                    assert_eq!(kind == Eye::True, eye, "{p} {board:?}");
                    real += usize::from(eye);
                    false_ones += usize::from(kind == Eye::False);
                }
            }
        }
    }
    assert!(real > 1_000 && false_ones > 1_000, "{real} {false_ones}");
}
