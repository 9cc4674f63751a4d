//! The Python package `yose`: what `yose-go` can do, on NumPy arrays.
//!
//! The extension module is `yose._yose`; users see what the Python sources beside it make of it
//! (`yose.go`). Long work runs without the interpreter's lock.

#![allow(
    clippy::needless_pass_by_value,
    reason = "what comes from Python comes by value"
)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what Python sees as docstrings holds brackets that are not links"
)]

mod board;
mod encode;
mod error;
mod reading;
mod record;
mod saved;
mod words;

use pyo3::pymodule;

/// The compiled part of `yose`.
#[pymodule]
mod _yose {
    #[pymodule_export]
    use super::error::{IllegalMoveError, SgfError, YoseError};

    #[pymodule_export]
    use super::go;
}

/// Go: boards, records, planes.
#[pymodule(submodule)]
mod go {
    #[pymodule_export]
    use super::board::PyBoard;

    #[pymodule_export]
    use super::record::{PyNode, PyRecord, read_sgf, write_sgf};

    #[pymodule_export]
    use super::reading::{PyLadder, PyLife, benson, ladder};

    #[pymodule_export]
    use super::encode::{encode, plane_names};
}
