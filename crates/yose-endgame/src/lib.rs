//! Go endgames, exactly.

mod area;
pub mod board;
mod component;
mod corridor;
pub mod decompose;
mod evaluate;
mod field;
mod graph;
mod local;
pub mod value;

pub use area::{Area, AreaError, LONGEST_SIDE, MOST_POINTS, Place};
pub use board::{Analysis, Question, analyse};
pub use corridor::Corridor;
pub use local::{LocalLimits, LocalMove, LocalSolution, LocalSolver, Status};
pub use value::Worth;
