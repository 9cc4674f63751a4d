//! What can go wrong with a solve on disk.

use std::io;

use yose_store::StoreError;

/// Why a solve on disk stopped. The last checkpoint stands, unless the store says that it is damaged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiskError {
    /// A file could not be written or read, or is not what was written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A checkpoint whose bytes are as they were written, but not as this program writes them.
    #[error("the checkpoint cannot be used: {what}: {why}")]
    State {
        /// The part: an object's name, or what is published with the generation.
        what: String,
        /// What was expected and found.
        why: String,
    },
    /// Told to stop by the caller; a checkpoint was made.
    #[error("stopped after a checkpoint")]
    Stopped,
    /// A thread has panicked, which is a fault of the program.
    #[error("a thread of the solver has failed")]
    Panicked,
}

impl DiskError {
    /// What a reader or writer of the store says of an object.
    pub(crate) fn of_io(what: impl Into<String>, error: io::Error) -> DiskError {
        match StoreError::from_reader(error) {
            Ok(error) => error.into(),
            Err(error) => DiskError::state(what, error.to_string()),
        }
    }

    pub(crate) fn state(what: impl Into<String>, why: impl Into<String>) -> DiskError {
        DiskError::State {
            what: what.into(),
            why: why.into(),
        }
    }
}
