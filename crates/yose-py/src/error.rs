//! Exceptions: one family, each an ordinary `ValueError`.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use yose_go::IllegalMove;
use yose_go::sgf::ReadError;

create_exception!(
    yose,
    YoseError,
    PyValueError,
    "What yose cannot do with what it was given; the base of its exceptions."
);
create_exception!(
    yose,
    IllegalMoveError,
    YoseError,
    "A move that the rules forbid. `reason` is occupied, suicide, ko, superko or off-board."
);
create_exception!(
    yose,
    SgfError,
    YoseError,
    "A record that cannot be read or played. `offset` is the byte where, or None."
);

/// An exception with the text of an error.
pub(crate) fn yose_error(error: impl std::fmt::Display) -> PyErr {
    YoseError::new_err(error.to_string())
}

/// The exception for a move that is not legal.
pub(crate) fn illegal(py: Python<'_>, vertex: &str, error: IllegalMove) -> PyErr {
    let reason = match error {
        IllegalMove::OffBoard => "off-board",
        IllegalMove::Occupied => "occupied",
        IllegalMove::Suicide => "suicide",
        IllegalMove::Ko => "ko",
        IllegalMove::Superko { .. } => "superko",
    };
    let exception = IllegalMoveError::new_err(format!("{vertex}: {error}"));
    with(py, exception, "reason", reason)
}

/// The exception for a record.
pub(crate) fn sgf(py: Python<'_>, error: &impl std::fmt::Display, offset: Option<usize>) -> PyErr {
    with(py, SgfError::new_err(error.to_string()), "offset", offset)
}

/// The exception for a record that cannot be read.
pub(crate) fn unreadable(py: Python<'_>, error: &ReadError) -> PyErr {
    let offset = match error {
        ReadError::Refused(repair) => Some(repair.offset),
        ReadError::TooManyNodes { offset, .. } => Some(*offset),
        _ => None,
    };
    sgf(py, error, offset)
}

fn with<'py>(
    py: Python<'py>,
    exception: PyErr,
    name: &str,
    value: impl IntoPyObject<'py>,
) -> PyErr {
    match exception.value(py).setattr(name, value) {
        Ok(()) => exception,
        Err(other) => other,
    }
}
