//! Small games for the tests: any graph, given as a list of moves.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![allow(unreachable_pub, reason = "shared by several test binaries")]
#![allow(dead_code, reason = "each test binary uses a part of this")]

use yose_retro::{Game, Successor, Value};

/// A game that is nothing but a graph: `moves[i]` lists what the moves of position i lead to,
/// `None` makes index i a hole.
#[derive(Debug, Clone)]
pub struct Graph {
    pub moves: Vec<Option<Vec<Successor<u64>>>>,
    pub stuck: Value,
}

impl Graph {
    /// A graph without holes, in which who cannot move has lost.
    pub fn plain(children: &[&[u64]]) -> Graph {
        let moves = |list: &&[u64]| Some(list.iter().map(|&c| Successor::Position(c)).collect());
        Graph {
            moves: children.iter().map(moves).collect(),
            stuck: Value::Loss(0),
        }
    }
}

impl Game for Graph {
    type Position = u64;
    type Move = usize;

    fn index_size(&self) -> u64 {
        self.moves.len() as u64
    }

    fn rank(&self, position: &u64) -> Option<u64> {
        // Positions beyond the index play the part of positions outside the domain.
        (*position < self.index_size()).then_some(*position)
    }

    fn unrank(&self, index: u64) -> Option<u64> {
        self.moves[usize::try_from(index).unwrap()]
            .is_some()
            .then_some(index)
    }

    fn moves(&self, position: &u64, moves: &mut Vec<usize>) {
        let list = self.moves[usize::try_from(*position).unwrap()]
            .as_ref()
            .unwrap();
        moves.extend(0..list.len());
    }

    fn play(&self, position: &u64, mv: usize) -> Successor<u64> {
        self.moves[usize::try_from(*position).unwrap()]
            .as_ref()
            .unwrap()[mv]
    }

    fn stuck(&self) -> Value {
        self.stuck
    }

    fn weight(&self, _: &u64) -> u64 {
        1
    }

    fn symmetries(&self, _: &u64) -> Vec<u64> {
        Vec::new()
    }
}
