//! Go, exactly and fast: boards, rules, games, coordinates, hashes.
//!
//! - [`Size`], [`Point`], [`Move`], [`Colour`]: the words; coordinates as GTP vertices, SGF letters,
//!   row and column, number;
//! - [`Board`]: stones, chains, liberties, captures, simple ko; [`Trail`] to take moves back;
//! - [`Rules`], [`Game`]: superko, history, undo; [`Position`]: stones alone;
//! - [`Grid`]: cells to look at; [`benson`], [`eyes`]: life, eyes and false eyes on it; [`ladder`];
//! - [`zobrist`]: the keys of the hashes.

mod board;
mod colour;
mod eyes;
mod game;
mod grid;
mod ladder;
mod point;
mod position;
mod rules;
mod safety;
mod size;
mod vertex;
pub mod zobrist;

pub use board::{
    Board, BoardTextError, ChainLiberties, ChainStones, IllegalMove, Played, SetUpError, Suicide,
    Trail,
};
pub use colour::Colour;
pub use eyes::{Eye, eyes, is_eye_shape};
pub use game::{Game, Ply, ReplayError};
pub use grid::{Cell, Grid, GridError};
pub use ladder::{LADDER_NODES, Ladder, LadderError, LadderVerdict, ladder};
pub use point::{MAX_SIDE, Move, Point};
pub use position::Position;
pub use rules::{HandicapBonus, KoRule, Rules, Scoring};
pub use safety::{BensonForm, Life, benson, benson_with};
pub use size::{OffBoard, Size, SizeError};
pub use vertex::VertexError;
