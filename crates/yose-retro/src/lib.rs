//! Solvable games: what a game is to a solver, and a plain solver for it.
//!
//! A game implements [`Game`]: a dense index of positions, forward moves, symmetries. Everything
//! else here works on any `Game`:
//!
//! - [`mod@reference`]: the plain solver, value and exact distance of every index, the one truth that
//!   faster solvers are compared with;
//! - [`tally`]: how many wins, losses and draws, and at which distance;
//! - [`reachable`]: the same over the positions that play from a start can reach;
//! - [`best`]: the moves of a position, best first, and the line of best play;
//! - [`table`]: solved games in files (feature `table`, on unless switched off);
//! - [`partition`]: a game cut into cells, for solvers that do not hold it in one piece;
//! - [`selfcheck`]: whether a `Game` keeps its promises, with the positions where it does not.
//!
//! ```
//! use yose_retro::{Game, Successor, Value, reference};
//!
//! /// A heap of stones; a move takes one or two; who cannot move loses.
//! struct Heap;
//!
//! impl Game for Heap {
//!     type Position = u64;
//!     type Move = u64;
//!     fn index_size(&self) -> u64 { 10 }
//!     fn rank(&self, heap: &u64) -> Option<u64> { (*heap < 10).then_some(*heap) }
//!     fn unrank(&self, index: u64) -> Option<u64> { (index < 10).then_some(index) }
//!     fn moves(&self, heap: &u64, moves: &mut Vec<u64>) { moves.extend(1..=2.min(*heap)); }
//!     fn play(&self, heap: &u64, take: u64) -> Successor<u64> { Successor::Position(heap - take) }
//!     fn stuck(&self) -> Value { Value::Loss(0) }
//!     fn weight(&self, _: &u64) -> u64 { 1 }
//!     fn symmetries(&self, _: &u64) -> Vec<u64> { Vec::new() }
//! }
//!
//! let solution = reference::solve(&Heap, &mut |_| {})?;
//! assert_eq!(solution.value(3), Some(Value::Loss(2)));
//! assert_eq!(solution.value(5), Some(Value::Win(3)));
//! # Ok::<(), reference::SolveError>(())
//! ```

pub mod best;
mod game;
pub mod partition;
pub mod reachable;
pub mod reference;
pub mod selfcheck;
#[cfg(feature = "table")]
pub mod table;
pub mod tally;
mod value;

pub use game::{Game, Successor};
pub use value::{Outcome, Value};
