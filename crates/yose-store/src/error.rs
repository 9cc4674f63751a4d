//! What can go wrong with a store, and how it is told apart.

use std::error::Error;
use std::fmt;
use std::io;

/// The user numbers behind a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Whose the file or directory is.
    pub owner: u32,
    /// Who we are.
    pub us: u32,
}

/// The end of a message: whose the thing is, where that explains the refusal.
struct Whose<'a>(&'a Option<Owner>);

impl fmt::Display for Whose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(Owner { owner, us }) if owner != us => {
                write!(f, " (it belongs to user {owner}, we are user {us})")
            }
            _ => Ok(()),
        }
    }
}

/// Why a store could not be opened, read or written. `path` is a file name, or the address in a
/// remote store. After any of these the last published generation is still there, unless the error
/// says that it is the one which is damaged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing was ever published here.
    #[error("{path}: nothing to resume (expected a manifest, found none)")]
    NothingToResume {
        /// The place.
        path: String,
    },
    /// A fresh start was asked for where a computation already stands.
    #[error(
        "{path}: holds generation {generation} of a computation ({identity}): resume it, or use an \
         empty place"
    )]
    Occupied {
        /// The place.
        path: String,
        /// The newest generation.
        generation: u64,
        /// What it is a computation of, or why that cannot be read.
        identity: String,
    },
    /// The place holds things that no store put there.
    #[error("{path}: not the scratch of a computation (expected {expected}, found {found})")]
    NotAStore {
        /// The place.
        path: String,
        /// What may stand there.
        expected: &'static str,
        /// The first thing that may not.
        found: String,
    },
    /// The state of another computation.
    #[error("{path}: belongs to another computation: {field}: expected {expected}, got {got}")]
    Foreign {
        /// The manifest.
        path: String,
        /// The field of the identity that differs.
        field: String,
        /// Our value.
        expected: String,
        /// The value in the manifest.
        got: String,
    },
    /// Written by a version of the format that this one does not know.
    #[error("{path}: format version {got}, this program knows {expected}")]
    Version {
        /// The file.
        path: String,
        /// The version of this program.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// Bytes differ from those that were written.
    #[error("{path}: {what} at offset {offset}: expected {expected}, got {got}")]
    Corrupt {
        /// The file.
        path: String,
        /// The part with the fault.
        what: String,
        /// Where that part begins, in bytes from the start of the file.
        offset: u64,
        /// What would be right.
        expected: String,
        /// What is there.
        got: String,
    },
    /// A file is shorter or longer than it was written.
    #[error("{path}: expected {expected} bytes, got {got}")]
    Length {
        /// The file.
        path: String,
        /// The length it was written with.
        expected: u64,
        /// The length it has.
        got: u64,
    },
    /// A file that a manifest names, or a manifest that must be there, is gone.
    #[error("{path}: missing (named by generation {generation})")]
    Missing {
        /// The file.
        path: String,
        /// The generation that needs it.
        generation: u64,
    },
    /// Someone else has published since: this writer was thought dead and must stop.
    #[error(
        "{path}: fenced off: generation {generation} was published by another writer \
         ({theirs:016x}, we are {ours:016x}); what we computed since is discarded"
    )]
    Fenced {
        /// The manifest of the other.
        path: String,
        /// Its generation.
        generation: u64,
        /// Our number.
        ours: u64,
        /// The number of the other writer.
        theirs: u64,
    },
    /// Another process has this directory open for writing.
    #[error("{path}: in use by another process ({holder})")]
    InUse {
        /// The lock file.
        path: String,
        /// What the lock file says about its holder.
        holder: String,
    },
    /// The device is full, or a quota is used up.
    #[error("{path}: no space left: {source}; the last published generation is untouched")]
    NoSpace {
        /// The file that was being written.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file system is mounted for reading only.
    #[error("{path}: read-only: {source}")]
    ReadOnly {
        /// The file or directory.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// We may not read or write this.
    #[error("{path}: not permitted{}: {source}", Whose(.owner))]
    Denied {
        /// The file or directory.
        path: String,
        /// Whose it is, where that is known.
        owner: Option<Owner>,
        /// What the operating system or the remote store said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A state of another user: what we would add to it, that user could not continue.
    #[error(
        "{path}: belongs to user {}, our files would belong to user {}: resume as that user, or \
         change the owner of the whole directory", owner.owner, owner.us
    )]
    WrongOwner {
        /// The newest manifest.
        path: String,
        /// The two users.
        owner: Owner,
    },
    /// Anything else the operating system said.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: String,
        /// What it said.
        source: io::Error,
    },
    /// Anything else a remote store said.
    #[error("{path}: {source}")]
    Remote {
        /// The address.
        path: String,
        /// What it said.
        source: Box<object_store::Error>,
    },
    /// An address that names no store.
    #[error("{address}: expected {expected}")]
    Address {
        /// The address.
        address: String,
        /// What would be one.
        expected: String,
    },
    /// A name that an object cannot have.
    #[error("object name '{name}': expected 1 to 128 letters, digits, '_', '+' or '-'")]
    Name {
        /// The name.
        name: String,
    },
    /// Two objects of one generation have the same name.
    #[error("two objects of one generation are called '{name}'")]
    Twice {
        /// The name.
        name: String,
    },
    /// More is published at once than a manifest may hold.
    #[error("manifest: expected at most {most} bytes, got {got}")]
    TooLarge {
        /// The limit.
        most: u64,
        /// What was asked for.
        got: u64,
    },
    /// Bytes that describe no object.
    #[error("object descriptor: unreadable at offset {offset} of {length} bytes")]
    Descriptor {
        /// Where reading stopped.
        offset: usize,
        /// How many bytes there were.
        length: usize,
    },
    /// A member of a computation, or an inspection, tried what only the leader does.
    #[error("only the process that opened the store for writing may {what}")]
    NotLeader {
        /// What it tried.
        what: &'static str,
    },
    /// There is no earlier generation to return to.
    #[error("{path}: generation {generation} is the only one left")]
    NoEarlier {
        /// The place.
        path: String,
        /// The generation.
        generation: u64,
    },
    /// An earlier write to this object failed, so it cannot be finished.
    #[error("{path}: an earlier write to this object failed")]
    Failed {
        /// The object's file.
        path: String,
    },
    /// The compressor failed.
    #[error("zstd: {0}")]
    Compress(io::Error),
}

impl StoreError {
    /// Sorts what the operating system said about `path` into the kinds above.
    pub(crate) fn from_io(path: impl Into<String>, source: io::Error) -> StoreError {
        use io::ErrorKind as Kind;
        let path = path.into();
        match source.kind() {
            Kind::StorageFull | Kind::QuotaExceeded => StoreError::NoSpace { path, source },
            Kind::ReadOnlyFilesystem => StoreError::ReadOnly { path, source },
            Kind::PermissionDenied => StoreError::Denied {
                owner: owner_of(&path),
                path,
                source: Box::new(source),
            },
            _ => StoreError::Io { path, source },
        }
    }

    /// The same for what `object_store` said, which wraps what the operating system said.
    pub(crate) fn from_remote(path: impl Into<String>, source: object_store::Error) -> StoreError {
        let path = path.into();
        let mut cause: Option<&(dyn Error + 'static)> = Some(&source);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<io::Error>()
                && let Some(code) = error.raw_os_error()
            {
                return StoreError::from_io(path, io::Error::from_raw_os_error(code));
            }
            cause = error.source();
        }
        match source {
            object_store::Error::PermissionDenied { source, .. }
            | object_store::Error::Unauthenticated { source, .. } => StoreError::Denied {
                path,
                owner: None,
                source,
            },
            source => StoreError::Remote {
                path,
                source: Box::new(source),
            },
        }
    }

    /// As the error of a reader or writer of the standard library;
    /// [`from_reader`](StoreError::from_reader) gets it back.
    pub(crate) fn into_io(self) -> io::Error {
        let kind = match &self {
            StoreError::NoSpace { source, .. }
            | StoreError::ReadOnly { source, .. }
            | StoreError::Io { source, .. } => source.kind(),
            StoreError::Denied { .. } => io::ErrorKind::PermissionDenied,
            StoreError::Corrupt { .. } | StoreError::Length { .. } => io::ErrorKind::InvalidData,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, self)
    }

    /// The store's error inside an error of one of its readers or writers, else the error itself.
    ///
    /// # Errors
    ///
    /// Gives the error back if it holds none of ours.
    pub fn from_reader(error: io::Error) -> Result<StoreError, io::Error> {
        error.downcast::<StoreError>()
    }

    /// Whether it says that bytes in the store are not those that were written, or not there.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            StoreError::Corrupt { .. } | StoreError::Length { .. } | StoreError::Missing { .. }
        )
    }
}

/// Whose the file is, or the nearest directory above that can be looked at.
#[cfg(unix)]
fn owner_of(path: &str) -> Option<Owner> {
    use std::os::unix::fs::MetadataExt;
    let us = rustix::process::geteuid().as_raw();
    std::path::Path::new(path).ancestors().find_map(|path| {
        let data = std::fs::metadata(path).ok()?;
        Some(Owner {
            owner: data.uid(),
            us,
        })
    })
}

#[cfg(not(unix))]
fn owner_of(_: &str) -> Option<Owner> {
    None
}
