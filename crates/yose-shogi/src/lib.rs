//! Drop shogi on small boards: variants as data, rules, notation, counts and a dense index.

pub mod index;
mod position;
mod square;
mod variant;

pub use index::{Index, IndexError};
pub use position::{Piece, Position, Side};
pub use square::{Board, Direction, MAX_SQUARES, Square, SquareSet, squares};
pub use variant::{
    Captured, Directions, DropBan, DropFaces, Face, Goal, Kind, MAX_KINDS, Promotion, Variant,
};
