//! Table files: a solved game on disk, made to last.
//!
//! A table stores one small number for each *slot*, the index of a position, and a [`Summary`]. It
//! knows no game: which slot a position has and what the rules are is the business of those who
//! write and read it, and the [`Header`] names both so that they notice a table of something else.
//!
//! - [`TableWriter`] takes the numbers in order of slots, compresses them on several threads and
//!   puts the file in place when it is complete. Its bytes depend on what it stores and on nothing
//!   else, so that a [`Fingerprint`] tells whether two tables are the same.
//! - [`Table`] reads one, from a file, from a memory map (feature `mmap`) or from bytes. It checks
//!   everything it uses: damage gives a [`TableError`], never a wrong number.
//!
//! Numbers of a table of depths are plies, 0 for a draw or a hole of the index, odd for a win and
//! even for a loss of the side to move: [`code_of`] and [`value_of`] convert. [`Width`] lays them
//! out in bytes. The layout of the file is described in `docs/FORMAT.md`.

mod bytes;
mod cache;
mod coding;
mod error;
mod fingerprint;
mod header;
mod pack;
mod reader;
mod sections;
mod source;
mod summary;
mod temporary;
mod writer;

pub use coding::{Width, code_of, pack_outcomes, value_of};
pub use error::{Part, TableError, WriteError};
pub use fingerprint::{Fingerprint, FingerprintError};
pub use header::{CHUNK_SLOTS, FORMAT_VERSION, Header, Metric};
pub use reader::{CACHE_BYTES, Chunk, Table};
pub use summary::{StartValue, Summary};
pub use writer::TableWriter;
