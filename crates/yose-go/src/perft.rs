//! Counting games: how many sequences of moves there are of each length. A test of rules that needs
//! no judgement.

use crate::board::{Board, Trail};
use crate::colour::Colour;
use crate::game::Game;
use crate::point::Move;
use crate::rules::KoRule;

/// What counts as a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moves {
    /// Stones only.
    Stones,
    /// Stones and passes; two passes in a row end a game, which has no continuation.
    WithPasses,
}

/// The number of sequences of 1, 2, .. `depth` legal moves from the present position of a game, by
/// its rules, the sides alternating. A sequence that has ended earlier does not count.
///
/// The last move of each sequence is counted, not made. The game is unchanged afterwards.
#[must_use]
pub fn perft(game: &mut Game, depth: usize, moves: Moves) -> Vec<u64> {
    let mut counts = vec![0; depth];
    match game.rules().ko {
        KoRule::Simple => {
            let mut board = game.board().clone();
            let passed = game.moves().last().is_some_and(|ply| ply.mv == Move::Pass);
            simple(
                &mut board,
                &mut Trail::new(),
                game.to_play(),
                moves,
                passed,
                &mut counts,
            );
        }
        _ => with_history(game, moves, &mut counts),
    }
    counts
}

/// Nothing but the board matters.
fn simple(
    board: &mut Board,
    trail: &mut Trail,
    colour: Colour,
    moves: Moves,
    passed: bool,
    counts: &mut [u64],
) {
    let Some((count, deeper)) = counts.split_first_mut() else {
        return;
    };
    for point in board.size().points() {
        if !board.is_legal(colour, point) {
            continue;
        }
        *count += 1;
        if !deeper.is_empty() {
            board.play_unchecked_on(trail, colour, point);
            simple(board, trail, !colour, moves, false, deeper);
            board.undo(trail);
        }
    }
    if moves == Moves::WithPasses {
        *count += 1;
        if !deeper.is_empty() && !passed {
            board.pass_on(trail);
            simple(board, trail, !colour, moves, true, deeper);
            board.undo(trail);
        }
    }
}

fn with_history(game: &mut Game, moves: Moves, counts: &mut [u64]) {
    let Some((count, deeper)) = counts.split_first_mut() else {
        return;
    };
    let colour = game.to_play();
    for point in game.size().points() {
        if !game.is_legal(colour, Move::Place(point)) {
            continue;
        }
        *count += 1;
        if !deeper.is_empty() && game.play(Move::Place(point)).is_ok() {
            with_history(game, moves, deeper);
            game.undo();
        }
    }
    if moves == Moves::WithPasses {
        *count += 1;
        if !deeper.is_empty() && game.play(Move::Pass).is_ok() {
            if !game.is_over() {
                with_history(game, moves, deeper);
            }
            game.undo();
        }
    }
}
