//! The positions that play from a start can reach, and what they are worth.

use std::collections::HashMap;
use std::hash::Hash;

use thiserror::Error;

use crate::reference::Solution;
use crate::tally::{Collector, Tally};
use crate::{Game, Successor, Value};

/// Why the reachable positions could not be counted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReachableError {
    /// The start, or a position that play reaches from it, is outside the game's domain.
    #[error("{0} is outside the domain of the game")]
    OutsideDomain(String),
    /// The solution has no value at an index which play reaches: it is not of this game.
    #[error("the solution has no value for {position} (index {index})")]
    NoValue {
        /// The index.
        index: u64,
        /// Its position.
        position: String,
    },
}

/// Counts the positions that play from `start` can reach, by value.
///
/// Positions that are images of each other under the game's symmetries count once under
/// `canonical`; `all` adds up their weights, reached or not. A position in which the side to move
/// wins in 1 is counted but not played on from: nobody plays another move there. A move that is
/// [decided by rule](Successor::Decided) counts the position [beyond](Game::beyond) the index that
/// it leads to, if any.
///
/// # Errors
/// If the start or a position that play reaches is outside the domain, or the solution is not of
/// this game.
pub fn count<G: Game>(
    game: &G,
    solution: &Solution,
    start: &G::Position,
) -> Result<Tally, ReachableError>
where
    G::Position: Eq + Hash,
{
    let class = |position: &G::Position| {
        class(game, position).ok_or_else(|| ReachableError::OutsideDomain(format!("{position:?}")))
    };
    let first = class(start)?;
    let mut seen = vec![false; usize::try_from(solution.index_size()).unwrap_or(usize::MAX)];
    let mut collector = Collector::default();
    let mut waiting = Vec::new();
    let mut beyond = HashMap::new();
    let mut visit = |index: u64, position: G::Position, waiting: &mut Vec<G::Position>| {
        let Some(value) = solution.value(index) else {
            return Err(ReachableError::NoValue {
                index,
                position: format!("{position:?}"),
            });
        };
        // A value exists, so the index is inside `seen`.
        let slot = usize::try_from(index).ok().and_then(|i| seen.get_mut(i));
        if let Some(slot) = slot.filter(|slot| !**slot) {
            *slot = true;
            collector.add(value, 1, game.weight(&position));
            if value != Value::Win(1) {
                waiting.push(position);
            }
        }
        Ok(())
    };
    visit(first.0, first.1, &mut waiting)?;
    let mut moves = Vec::new();
    while let Some(position) = waiting.pop() {
        moves.clear();
        game.moves(&position, &mut moves);
        for &mv in &moves {
            match game.play(&position, mv) {
                Successor::Position(next) => {
                    let (index, representative) = class(&next)?;
                    visit(index, representative, &mut waiting)?;
                }
                Successor::Decided(value) => {
                    let next = game.beyond(&position, mv);
                    let is_new = |next: &G::Position| {
                        let mut images = game.symmetries(next).into_iter();
                        !images.any(|image| beyond.contains_key(&image))
                    };
                    if let Some(next) = next.filter(is_new) {
                        beyond.insert(next, value);
                    }
                }
            }
        }
    }
    for (position, value) in beyond {
        collector.add(value, 1, game.weight(&position));
    }
    Ok(collector.finish())
}

/// The index at which the class of a position is counted, and the position there: the index with
/// a weight among those of its images. `None` outside the domain.
fn class<G: Game>(game: &G, position: &G::Position) -> Option<(u64, G::Position)> {
    let index = game.rank(position)?;
    let representative = game.unrank(index)?;
    if game.weight(&representative) > 0 {
        return Some((index, representative));
    }
    game.symmetries(position).iter().find_map(|image| {
        let index = game.rank(image)?;
        let representative = game.unrank(index)?;
        (game.weight(&representative) > 0).then_some((index, representative))
    })
}
