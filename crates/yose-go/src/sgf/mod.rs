//! Game records: reading and writing SGF, FF\[1\] to FF\[4\].
//!
//! - [`read()`] repairs what is wrong with a file and says what and where; [`read_strict`] refuses
//!   it there; [`write()`] writes what was read, every value byte for byte.
//! - [`Tree`] is a record; [`NodeRef`] shows a node, with its properties as text, numbers, points.
//!   Nothing is recursive, so a line of variations may be nested as deep as memory goes.
//! - [`GameInfo`] is what stands in the root; [`Tree::replay`] plays the moves.
//!
//! Coordinates here reach to 52 columns and rows ([`SgfPoint`]), further than boards do.
//!
#![doc = include_str!("../../../../docs/sgf.md")]

mod access;
mod charset;
mod check;
mod info;
mod parse;
mod properties;
mod read;
mod repair;
mod replay;
mod text;
mod tree;
mod value;
mod write;

pub use charset::Charset;
pub use info::{GameInfo, GameResult, Margin};
pub use read::{Fallback, ReadOptions, Reading, read, read_strict, read_with};
pub use repair::{Fault, ReadError, Repair, Repairs};
pub use replay::{Replay, ReplayFault, ReplayNote, ReplayOptions, SgfReplayError};
pub use tree::{EditError, NodeId, NodeRef, Property, Tree, Value};
pub use value::{SgfPoint, SgfSize};
pub use write::write;
