//! Go, exactly and fast: boards, rules, games, coordinates, hashes.
//!
//! - [`Size`], [`Point`], [`Move`], [`Colour`]: the words; coordinates as GTP vertices, SGF letters,
//!   row and column, number;
//! - [`Board`]: stones, chains, liberties, captures, simple ko; [`Trail`] to take moves back;
//! - [`Rules`], [`Game`]: superko, history, undo; [`Position`]: stones alone;
//! - [`score`]: area, territory, outcome; [`handicap`]: customary places;
//! - [`Symmetry`], [`symmetry`]: points, boards, planes and policies turned and mirrored;
//! - [`zobrist`]: the keys of the hashes;
//! - [`playout`]: random games; [`enumerate`], [`perft`](mod@perft), [`solve`]: small boards completely.

mod board;
mod colour;
pub mod enumerate;
mod game;
pub mod handicap;
pub mod perft;
pub mod playout;
mod point;
mod position;
mod rules;
pub mod score;
mod size;
pub mod solve;
pub mod symmetry;
mod vertex;
pub mod zobrist;

pub use board::{
    Board, BoardTextError, ChainLiberties, ChainStones, IllegalMove, Played, SetUpError, Suicide,
    Trail,
};
pub use colour::Colour;
pub use game::{Game, Ply, ReplayError};
pub use point::{MAX_SIDE, Move, Point};
pub use position::Position;
pub use rules::{HandicapBonus, KoRule, Rules, Scoring};
pub use size::{OffBoard, Size, SizeError};
pub use symmetry::Symmetry;
pub use vertex::VertexError;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/go.md")]
struct ExamplesOfThePage;
