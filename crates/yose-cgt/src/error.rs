//! What can go wrong, and where.

use thiserror::Error;

/// An answer that could not be given. No function of this crate guesses instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// An exact number does not fit the widest representation: see [`crate::Dyadic::MAX_BITS`] and
    /// [`crate::Dyadic::MAX_EXPONENT`]; a few operations say that they take less.
    #[error("number too large: {operation}")]
    Overflow {
        /// The operation that overflowed, and what fits if that is less than usual.
        operation: &'static str,
    },
    /// A limit that the caller (or a default) set was reached before the answer.
    #[error("limit reached: more than {limit} {what}")]
    Limit {
        /// What is counted, in the plural.
        what: &'static str,
        /// The greatest number allowed.
        limit: u64,
    },
    /// The text is not a game.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The operation is not defined for this game.
    #[error("{operation}: expected {expected}, got {got}")]
    Undefined {
        /// The operation asked for.
        operation: &'static str,
        /// What it is defined for.
        expected: &'static str,
        /// What it was given.
        got: String,
    },
}

impl Error {
    pub(crate) const fn overflow(operation: &'static str) -> Self {
        Self::Overflow { operation }
    }
}

/// A precise complaint about a text: where, what was expected, what was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: expected {expected}, got {got}")]
pub struct ParseError {
    /// Offset in bytes from the start of the text (0 = first byte; the length = end of text).
    pub offset: usize,
    /// What would have been right there.
    pub expected: String,
    /// What stands there.
    pub got: String,
}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;
