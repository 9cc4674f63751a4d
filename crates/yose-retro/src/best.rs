//! The moves of a solved position, best first, and the line of best play.

use std::cmp::Reverse;

use crate::reference::Solution;
use crate::{Game, Successor, Value};

/// A move of a solved position.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedMove<M, P> {
    /// The move.
    pub mv: M,
    /// Its worth for the side that makes it; the distance counts the move itself, so that of the
    /// best move equals the position's.
    pub value: Value,
    /// The position after the move, `None` if the move is decided by rule.
    pub successor: Option<P>,
}

/// All moves of a position with their values, best first; moves of equal worth by rising `key`.
///
/// `None` if a successor has no value: the position is outside the domain of the game, or the
/// solution is of another game. A position without moves gives an empty list.
pub fn moves<G: Game, K: Ord>(
    game: &G,
    solution: &Solution,
    position: &G::Position,
    key: impl Fn(&G::Position, G::Move) -> K,
) -> Option<Vec<RankedMove<G::Move, G::Position>>> {
    let mut legal = Vec::new();
    game.moves(position, &mut legal);
    let mut ranked = Vec::with_capacity(legal.len());
    for mv in legal {
        let (after, successor) = match game.play(position, mv) {
            Successor::Decided(value) => (value, None),
            Successor::Position(next) => (solution.value_of(game, &next)?, Some(next)),
        };
        ranked.push(RankedMove {
            mv,
            value: after.before_move(),
            successor,
        });
    }
    ranked.sort_by_cached_key(|ranked| {
        (Reverse(ranked.value.preference()), key(position, ranked.mv))
    });
    Some(ranked)
}

/// The line of best play: from the position the first of the best [`moves`], and so on to the end
/// of the game, to a move decided by rule, or, in a draw, to the first position met before.
///
/// `None` if a position on the line has no value.
pub fn line<G: Game, K: Ord>(
    game: &G,
    solution: &Solution,
    position: &G::Position,
    key: impl Fn(&G::Position, G::Move) -> K,
) -> Option<Vec<G::Move>> {
    let mut line = Vec::new();
    let mut met = Vec::new();
    let mut next = Some(position.clone());
    while let Some(position) = next {
        // Each move of a won or lost line shortens the distance; only draws can go round.
        if solution.value_of(game, &position)? == Value::Draw {
            if met.contains(&position) {
                break;
            }
            met.push(position.clone());
        }
        let Some(best) = moves(game, solution, &position, &key)?.into_iter().next() else {
            break;
        };
        line.push(best.mv);
        next = best.successor;
    }
    Some(line)
}
