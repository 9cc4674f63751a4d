//! Solvable games: what a game is to a solver, and a plain solver for it.

mod game;
mod value;

pub use game::{Game, Successor};
pub use value::{Outcome, Value};
