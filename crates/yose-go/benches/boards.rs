//! What boards and games cost apart from playouts: `cargo bench -p yose-go --bench boards`.
//!
//! Each line is the median of 101 runs over one random game, one thread.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

use std::hint::black_box;
use std::time::Instant;

use yose_go::playout::Random;
use yose_go::score::{self, Agreed};
use yose_go::{Board, Colour, Game, Move, Position, Rules, Size, Trail};

/// The placed stones of a random game, and the boards before each.
fn record(size: Size) -> (Vec<(Colour, Move)>, Vec<Board>) {
    let (mut board, mut random) = (Board::new(size), Random::new(5));
    let (mut moves, mut boards) = (Vec::new(), Vec::new());
    let mut colour = Colour::Black;
    while moves.len() < size.area() {
        let before = board.clone();
        match board.play_random(colour, &mut random) {
            Some(point) => {
                moves.push((colour, Move::Place(point)));
                boards.push(before);
            }
            None => {
                moves.push((colour, Move::Pass));
                boards.push(before);
                board.pass();
            }
        }
        colour = !colour;
    }
    (moves, boards)
}

fn report(what: &str, per: usize, mut run: impl FnMut()) {
    let mut times: Vec<u128> = (0..101)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    let each = times[50] as f64 / per as f64;
    println!("  {what:44} {each:9.1} ns");
}

fn main() {
    for side in [9, 19] {
        let size = Size::square(side).expect("a size");
        let (moves, boards) = record(size);
        let count = moves.len();
        println!("{size}, a game of {count} moves");
        let mut board = Board::new(size);
        report("clone of a board", count, || {
            for board in &boards {
                black_box(board.clone());
            }
        });
        report("copy_from of a board", count, || {
            for from in &boards {
                board.copy_from(from);
                black_box(&board);
            }
        });
        report("play, with the test for legality", count, || {
            let mut board = Board::new(size);
            for &(colour, mv) in &moves {
                if let Move::Place(point) = mv {
                    board.play(colour, point).expect("legal");
                } else {
                    board.pass();
                }
            }
            black_box(&board);
        });
        let mut trail = Trail::new();
        board = Board::new(size);
        report("play with a trail, and undo", count, || {
            for &(colour, mv) in &moves {
                match mv {
                    Move::Place(point) => {
                        board.play_unchecked_on(&mut trail, colour, point);
                    }
                    Move::Pass => board.pass_on(&mut trail),
                }
            }
            while board.undo(&mut trail) {}
        });
        report("all legal moves of a position", count, || {
            for board in &boards {
                black_box(board.legal_moves(Colour::Black).count());
            }
        });
        report("Position::of", count, || {
            for board in &boards {
                black_box(Position::of(board));
            }
        });
        report("area", count, || {
            for board in &boards {
                black_box(
                    score::area(board, &Agreed::nothing())
                        .expect("no dead")
                        .lead(),
                );
            }
        });
        for (name, rules) in [("simple ko", Rules::JAPANESE), ("superko", Rules::CHINESE)] {
            report(&format!("a move of Game::replay, {name}"), count, || {
                black_box(Game::replay(size, rules, moves.iter().copied()).expect("legal"));
            });
        }
    }
}
