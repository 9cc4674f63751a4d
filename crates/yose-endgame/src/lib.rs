//! Go endgames, exactly: a position falls apart into regions, each region is a game, and the best move is
//! the best one in their sum.
//!
//! Layers, each using those above it only:
//!
//! - [`Area`]: a part of a board with immortal stones around it, as text or cut out of a board;
//! - the rules on sets of bits, and the names of positions up to symmetry and colour (private);
//! - [`LocalSolver`]: the graph of local positions, each expanded once for all regions, and their values
//!   enclosed from below and above: [`LocalSolution`], [`Status`];
//! - [`KoWorth`]: what a region with a ko is worth to whoever wins all kos; seki, proved by search (private);
//! - [`Worth`], [`value`]: what a value means to a player; [`Shape`]: closed forms, which end lines of the search;
//! - [`decompose`]: safe stones, settled territory, dame and regions of a grid of any size;
//! - [`board`], [`analyse`]: the whole board through the sum search of `yose-cgt`, by territory or area;
//! - [`construct`]: boards made to have a known value, and the proof that they have it.
//!
//! Nothing here has a lifetime in its public type but the borrowed grid that goes in: answers own what
//! they say, points are indices of the grid's cells, values are ids in the solver's arena. A server keeps a
//! [`LocalSolver`] and asks it about many boards.
//!
//! Design, and what was not chosen:
//!
//! - *Enclosures instead of following paths.* A search that treats a repetition on its path as won for one
//!   side gives values that depend on the path, so nothing may be remembered; solved twice, it visits every
//!   path. Here positions are nodes, the equation `G = {G^L | G^R}` is applied to bounds that hold anyway,
//!   and every intermediate result is proved, also when a limit ends it.
//! - *Components instead of regions as nodes.* A node could be the whole region with its place on the board.
//!   Taking out immortal stones and splitting makes the follower of one region the same node as that of
//!   another; the moves of the region itself are looked at in place, so no point is lost.

pub mod annotate;
mod area;
pub mod board;
mod component;
pub mod construct;
mod corridor;
pub mod decompose;
mod evaluate;
mod field;
mod graph;
mod ko;
mod local;
mod seki;
mod selfcheck;
mod shortcut;
pub mod value;

pub use area::{Area, AreaError, LONGEST_SIDE, MOST_POINTS, Place};
pub use board::{Analysis, Question, analyse, analyse_until};
pub use corridor::{Corridor, Row};
pub use ko::{KoThermograph, KoWorth};
pub use local::{Limit, LocalLimits, LocalMove, LocalSolution, LocalSolver, Status};
pub use shortcut::{Shape, shortcut};
pub use value::Worth;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/endgame.md")]
struct ExamplesOfThePage;
