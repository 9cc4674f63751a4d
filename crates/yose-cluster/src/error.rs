//! What can end a distributed solve, and who says so.

use std::io;

use thiserror::Error;
use yose_store::StoreError;

/// Why a hosts file is none. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HostsError {
    /// There is no address.
    #[error("no address in it: expected a line HOST:PORT for each process")]
    Empty,
    /// More lines or bytes than a cluster has.
    #[error("expected at most {most} {what}, got {got}")]
    TooMany {
        /// The limit.
        most: usize,
        /// Of what.
        what: &'static str,
        /// What there is.
        got: usize,
    },
    /// A line that is no address.
    #[error("line {line}: expected HOST:PORT with a port from 1 to 65535, got '{got}'")]
    Address {
        /// The line.
        line: usize,
        /// What stands there.
        got: String,
    },
    /// Two processes cannot listen at one address.
    #[error("line {line}: {address} is already the address of line {first}")]
    Twice {
        /// The second line.
        line: usize,
        /// The first line.
        first: usize,
        /// The address.
        address: String,
    },
    /// A process that has no line.
    #[error("process {process}: the hosts are numbered from 0 to {last}")]
    Process {
        /// What was asked for.
        process: usize,
        /// The last one.
        last: usize,
    },
}

/// What a process has else than the leader.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{field} differs: process {process} at {address} has {theirs}, process 0 at {leader} has {ours}"
)]
pub struct Mismatch {
    /// What differs.
    pub field: String,
    /// The process that differs from the leader.
    pub process: usize,
    /// Its address.
    pub address: String,
    /// Its value.
    pub theirs: String,
    /// The leader's address.
    pub leader: String,
    /// The leader's value.
    pub ours: String,
}

/// What ended a solve. The processes agree on it: each of them returns the same, but for the
/// process that failed, which knows it first hand.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The other processes were not reached.
    #[error("process {process} at {address} did not get in touch with all others: {why}")]
    Connect {
        /// This process.
        process: usize,
        /// Where it listens.
        address: String,
        /// What happened.
        why: String,
    },
    /// A peer is gone, and with it the engine of this process.
    #[error("process {process} at {address} has lost a peer")]
    Lost {
        /// This process.
        process: usize,
        /// Where it listens.
        address: String,
    },
    /// A process solves something else, or was built from something else.
    #[error(transparent)]
    Mismatch(Box<Mismatch>),
    /// Another process failed and said why.
    #[error("process {process} at {address}: {what}")]
    Peer {
        /// Which one.
        process: usize,
        /// Its address.
        address: String,
        /// What it said.
        what: String,
        /// Whether it was about [damage](ClusterError::is_damage).
        damage: bool,
    },
    /// Bytes from another process, or from a checkpoint, that say nothing.
    #[error("{from}: {what}")]
    Bytes {
        /// Where they come from.
        from: String,
        /// What is wrong.
        what: String,
    },
    /// The checkpoints.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A checkpoint of another computation, or from a later version.
    #[error("the checkpoint cannot be continued: {0}")]
    Checkpoint(String),
    /// The leader was asked to stop; what was done stands in a checkpoint.
    #[error("stopped after ply {ply}; a checkpoint holds what was done")]
    Stopped {
        /// The last ply that is complete.
        ply: u32,
    },
    /// Anything else that the operating system refused.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What it said.
        source: io::Error,
    },
}

impl ClusterError {
    /// Whether starting all processes again may help: the network or a host was in the way.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            ClusterError::Connect { .. } | ClusterError::Lost { .. }
        )
    }

    /// Whether bytes of the checkpoints are not those that were written, or not there, whichever process has
    /// found that.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            ClusterError::Store(error) => error.is_damage(),
            ClusterError::Peer { damage, .. } => *damage,
            _ => false,
        }
    }

    pub(crate) fn bytes(from: impl Into<String>, what: impl Into<String>) -> ClusterError {
        ClusterError::Bytes {
            from: from.into(),
            what: what.into(),
        }
    }
}
