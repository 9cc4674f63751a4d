//! The red-and-black race on four rows: rules, notation, closed form, and the proof by solving.
//!
//! Red and Black have one piece in each of four rows and move one of them in turn. Row A: one
//! step toward the enemy piece only; stepping onto it wins at once. Rows B and C: any number of
//! squares left or right, never onto or past the enemy piece. Row D: one step away from the enemy
//! piece only. Who has no move loses.
//!
//! ```
//! use yose_race::{Position, nim};
//!
//! //    1  2  3  4  5  6  7  8  9 10
//! // A  r  .  .  .  .  b  .  .  .  .
//! // B  .  r  .  .  .  b  .  .  .  .
//! // C  .  .  r  .  .  .  .  b  .  .
//! // D  .  .  .  .  r  b  .  .  .  .
//! let position: Position = "r4b4/1r3b4/2r4b2/4rb4 r".parse()?;
//! assert_eq!(nim::winner(&position).to_string(), "red");
//! assert_eq!(nim::winning_move(&position).expect("red wins").to_string(), "C3-5");
//! # Ok::<(), yose_race::notation::ParsePositionError>(())
//! ```
//!
//! - [`Position`], [`Move`]: the board and its rules; [`notation`]: as text;
//! - [`Race`]: the race as a [`Game`](yose_retro::Game) for the solvers of `yose-retro`;
//! - [`nim`]: who wins, by formula: the statement of the literature and the corrected one;
//! - [`Table`]: who wins and how soon, by solving every position; reports for one position;
//! - [`prove()`]: the formulas against the table.

mod game;
pub mod nim;
pub mod notation;
mod position;
mod prove;
mod table;

pub use game::Race;
pub use position::{Columns, ColumnsError, IllegalMove, Move, Position, PositionError, Row, Side};
pub use prove::{Proof, SAMPLES, prove};
pub use table::{MoveReport, Report, ReportError, Table};
