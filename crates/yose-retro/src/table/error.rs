//! What can be wrong with a table file, and with writing one.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A part of a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The header at the front.
    Header,
    /// The compressed chunk with this number.
    Chunk(u64),
    /// The list of chunks.
    Index,
    /// The histogram and the start value.
    Summary,
    /// The last 64 bytes.
    Footer,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => f.write_str("header"),
            Part::Chunk(number) => write!(f, "chunk {number}"),
            Part::Index => f.write_str("index"),
            Part::Summary => f.write_str("summary"),
            Part::Footer => f.write_str("footer"),
        }
    }
}

/// Why a table could not be opened or read. Offsets and lengths are in bytes from the start of the
/// file; a table in memory has the path `(memory)`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such file.
    #[error("{}: no such table file", path.display())]
    Missing {
        /// The file asked for.
        path: PathBuf,
    },
    /// The operating system could not open or read the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file does not begin like a table, or is no regular file.
    #[error("{}: not a table file (expected {expected}, got {got})", path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
        /// What a table is.
        expected: &'static str,
        /// What was found instead.
        got: String,
    },
    /// A version of the format that this reader does not know.
    #[error("{}: table format version {got}, this reader knows {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of this reader.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// The file is too short for what its header describes, or became so while it was read.
    #[error("{}: cut off: expected at least {expected} bytes, got {got}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The fewest bytes it must have.
        expected: u64,
        /// The bytes that it has.
        got: u64,
    },
    /// The footer names another length than the file has.
    #[error("{}: expected exactly {expected} bytes, got {got}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The length in the footer.
        expected: u64,
        /// The length of the file.
        got: u64,
    },
    /// Bytes differ from those that were written.
    #[error(
        "{}: {what} at offset {offset}: expected checksum {expected:016x}, got {got:016x}",
        path.display()
    )]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The part that the checksum covers.
        what: Part,
        /// Where that part begins.
        offset: u64,
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes in the file.
        got: u64,
    },
    /// A field or a value that no writer makes.
    #[error("{}: {what} at offset {offset}: expected {expected}, got {got}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The part with the fault.
        what: Part,
        /// Where the fault is, or where its part begins.
        offset: u64,
        /// What would be right.
        expected: String,
        /// What is there.
        got: String,
    },
    /// A slot or a chunk that the table does not have: the caller's mistake.
    #[error("{}: slot {slot} asked for, the table has {slots}", path.display())]
    SlotOutOfRange {
        /// The file.
        path: PathBuf,
        /// The first slot asked for that is not there.
        slot: u64,
        /// The number of slots.
        slots: u64,
    },
    /// A buffer of the caller has the wrong length.
    #[error("{}: expected a buffer of {expected} bytes, got {got}", path.display())]
    Buffer {
        /// The file.
        path: PathBuf,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        got: usize,
    },
}

/// Why a table could not be written. Nothing appears under the final name after any of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The operating system could not create, write, sync or rename a file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The name belongs to something that is no regular file, such as a device or a directory.
    #[error("{}: exists and is no regular file", path.display())]
    NotAFile {
        /// The name.
        path: PathBuf,
    },
    /// The header describes no possible table.
    #[error("header: {field}: expected {expected}, got {got}")]
    Header {
        /// The field.
        field: &'static str,
        /// What would be right.
        expected: &'static str,
        /// What it is.
        got: String,
    },
    /// The summary cannot belong to a table with this header.
    #[error("summary: expected {expected}, got {got}")]
    Summary {
        /// What would be right.
        expected: String,
        /// What it is.
        got: String,
    },
    /// More or fewer bytes of values than the slots of the header need.
    #[error("values: expected {expected} bytes, got {got}")]
    Length {
        /// Bytes for all slots.
        expected: u64,
        /// Bytes written, or asked to be written.
        got: u64,
    },
    /// A value in these slots is greater than the header says.
    #[error("values: slots {first_slot} to {last_slot}: expected at most {greatest}, got {got}")]
    Value {
        /// The first slot of the chunk with the value.
        first_slot: u64,
        /// The last slot of that chunk.
        last_slot: u64,
        /// The greatest value of the header.
        greatest: u32,
        /// The greatest value in the chunk.
        got: u32,
    },
    /// The last byte has bits set beyond the last slot (`wdl` only).
    #[error("values: expected zeros after the last slot, got {got:#b}")]
    UnusedBits {
        /// The bits after the last slot.
        got: u8,
    },
    /// The greatest value written is smaller than the header says, so the header is wrong.
    #[error("values: the header says that {expected} is the greatest, the greatest is {got}")]
    Greatest {
        /// The greatest value of the header.
        expected: u32,
        /// The greatest value written.
        got: u32,
    },
    /// The compressor failed.
    #[error("zstd: {0}")]
    Compress(io::Error),
    /// An earlier write had failed, so this table cannot be finished.
    #[error("an earlier write to this table failed")]
    Failed,
}
