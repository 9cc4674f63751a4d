//! Drop shogi on small boards: rules, and the value of every position.
//!
//! - [`Variant`]: the rules as data; [`Rules`], [`Position`], [`Move`]: legal moves, SFEN, USI;
//! - [`Inventory`]: a set of pieces; [`Counts`]: how many positions it has; [`Index`]: a number for each;
//! - [`DropShogi`]: one inventory as a [`Game`](yose_retro::Game);
//! - [`kernel`]: all values, fast; [`audit`]: are they right; [`probe`]: what is one worth;
//! - [`table`]: which table file they lie in.

pub mod audit;
mod count;
mod game;
pub mod index;
mod inventory;
pub mod kernel;
mod movegen;
mod moves;
mod perft;
mod plain;
mod position;
pub mod probe;
mod rules;
mod sfen;
mod square;
pub mod table;
mod text;
mod toml_table;
mod unmoves;
mod usi;
mod variant;
mod variant_file;

pub use count::{Count, CountError, Counts};
pub use game::DropShogi;
pub use index::{Index, IndexError};
pub use inventory::{Inventory, InventoryError};
pub use moves::{After, Move};
pub use perft::{Counting, MAX_PERFT_DEPTH, PerftError};
pub use position::{Piece, Position, Side};
pub use rules::Rules;
pub use sfen::SfenError;
pub use square::{Board, Direction, MAX_SQUARES, Square, SquareSet, squares};
pub use usi::{Illegal, MoveError, UsiError};
pub use variant::{
    Captured, Directions, DropBan, DropFaces, Face, Goal, Kind, MAX_KINDS, Promotion, Variant,
};
pub use variant_file::VariantError;
