//! Go, exactly and fast: boards, rules, games, coordinates, hashes.
//!
//! - [`Size`], [`Point`], [`Move`], [`Colour`]: the words; coordinates as GTP vertices, SGF letters,
//!   row and column, number;
//! - [`Board`]: stones, chains, liberties, captures, simple ko; [`Trail`] to take moves back;
//! - [`Rules`], [`Game`]: superko, history, undo; [`Position`]: stones alone;
//! - [`sgf`]: game records;
//! - [`score`]: area, territory, outcome; [`handicap`]: customary places;
//! - [`Symmetry`], [`symmetry`]: points, boards, planes and policies turned and mirrored;
//! - [`Grid`]: cells to look at; [`benson`], [`eyes()`]: life, eyes and false eyes on it; [`ladder()`];
//! - [`planes`]: feature planes for neural networks;
//! - [`zobrist`]: the keys of the hashes;
//! - [`playout`]: random games; [`enumerate`], [`perft`](mod@perft), [`solve`]: small boards completely.

mod board;
mod colour;
pub mod enumerate;
mod eyes;
mod game;
mod grid;
pub mod handicap;
mod ladder;
pub mod perft;
pub mod planes;
pub mod playout;
mod point;
mod position;
mod rules;
mod safety;
pub mod score;
pub mod sgf;
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
pub use eyes::{Eye, eyes, is_eye_shape};
pub use game::{Game, History, Ply, ReplayError};
pub use grid::{Cell, Grid, GridError};
pub use ladder::{LADDER_NODES, Ladder, LadderError, LadderVerdict, ladder};
pub use point::{MAX_SIDE, Move, Point};
pub use position::Position;
pub use rules::{HandicapBonus, KoRule, Rules, Scoring};
pub use safety::{
    AlternateGroup, AlternateLimits, AlternateSafety, BensonForm, Life, alternate_safety, benson,
    benson_with,
};
pub use size::{OffBoard, Size, SizeError};
pub use symmetry::Symmetry;
pub use vertex::VertexError;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/go.md")]
struct ExamplesOfThePage;
