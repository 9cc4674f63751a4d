//! Exit codes, and how an error is told to a person.

use std::fmt;
use std::io;

use crate::context::Context;

/// What the exit code says. A script can tell these apart without reading any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// An answer was given.
    Answer = 0,
    /// The answer is "no": an audit that did not certify, a position or number that there is not.
    No = 1,
    /// The command line or the input makes no sense, or asks for more than there is.
    Usage = 2,
    /// A table that was named is not there.
    MissingTable = 3,
    /// A table is damaged.
    CorruptTable = 4,
    /// One of several processes was lost, or did not come: try again.
    LostPeer = 75,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl Exit {
    /// What another process of this program meant by its exit code.
    pub(crate) fn from_code(code: i32) -> Exit {
        let all = [
            Exit::Answer,
            Exit::No,
            Exit::MissingTable,
            Exit::CorruptTable,
            Exit::LostPeer,
            Exit::Interrupted,
        ];
        let found = all.into_iter().find(|exit| *exit as i32 == code);
        found.unwrap_or(Exit::Usage)
    }
}

/// An error that says what the user can do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// An error that ends the program with this code.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure {
            exit,
            message: message.into(),
            hint: None,
        }
    }

    /// Bad input: exit code 2.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, message)
    }

    /// Adds a line about what to try.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Tells the error on stderr and says how to exit.
pub(crate) fn report(error: &anyhow::Error, context: &Context) -> Exit {
    // Whoever closed the pipe has read enough (`yose ... | head`): nothing to complain about.
    let closed = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe);
    if closed {
        return Exit::Answer;
    }
    let failure = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Failure>());
    context.complain(
        &format!("{error:#}"),
        failure.and_then(|failure| failure.hint.as_deref()),
    );
    failure.map_or(Exit::Usage, |failure| failure.exit)
}
