//! `yose.go.Record`, `Node`, `read_sgf`, `write_sgf`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use yose_go::sgf::{
    self, Charset, Fallback, GameResult, NodeId, NodeRef, ReadOptions, ReplayOptions, SgfPoint,
    SgfReplayError, Tree,
};
use yose_go::{Colour, Move, Size};

use crate::board::PyBoard;
use crate::error;
use crate::words::{self, List, Text, Whole, letter, wrong};

/// Where records come from: bytes are the file itself, anything else is its path.
pub(crate) enum Source {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // A list of numbers is no file, though it could be read as bytes.
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            return object.extract().map(Self::Bytes);
        }
        let path = object.extract().map(Self::Path);
        path.map_err(|_| wrong("a path or bytes", &object))
    }
}

/// The exception for a file that cannot be read, as Python's own `open` raises it.
fn os_error(error: &std::io::Error, path: &Path) -> PyErr {
    let shown = path.display().to_string();
    match error.raw_os_error() {
        Some(code) => {
            // Python has the text without the number, Rust with it.
            let text = error.to_string();
            let text = text
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_owned();
            PyOSError::new_err((code, text, shown))
        }
        None => PyOSError::new_err(format!("{shown}: {error}")),
    }
}

/// Reads the records of an SGF file: a path, or the file's bytes.
///
/// What is wrong with the file is repaired as far as its meaning is clear, and told in
/// `Record.repairs`. With `strict` the first fault raises SgfError with its `offset`.
///
/// Args:
///     source: a path, or bytes.
///     strict: refuse what would be repaired.
///     encoding: read in this charset, whatever the file says.
///     guess: guess the charset of files that name none and are not UTF-8, instead of taking them
///         as Latin-1, as the standard says.
///
/// >>> from yose.go import read_sgf
/// >>> record, = read_sgf(b"(;FF[4]SZ[9]KM[6,5];B[ee];W[gc])")
/// >>> record.komi, record.moves
/// (6.5, [('b', 'E5'), ('w', 'G7')])
/// >>> record.repairs
/// [(14, 'KM takes points, got "6,5"; read as 6.5')]
#[pyfunction]
#[pyo3(signature = (source, *, strict=false, encoding=None, guess=false))]
pub(crate) fn read_sgf(
    py: Python<'_>,
    source: Source,
    strict: bool,
    encoding: Option<Text>,
    guess: bool,
) -> PyResult<Vec<PyRecord>> {
    let charset = encoding
        .map(|Text(label)| {
            Charset::for_label(&label)
                .ok_or_else(|| error::yose_error(format!("no charset is called {label:?}")))
        })
        .transpose()?;
    let fallback = if guess {
        Fallback::Guess
    } else {
        Fallback::default()
    };
    let options = ReadOptions {
        strict,
        charset,
        fallback,
        ..ReadOptions::default()
    };
    let bytes = match source {
        Source::Bytes(bytes) => bytes,
        Source::Path(path) => py
            .detach(|| std::fs::read(&path))
            .map_err(|error| os_error(&error, &path))?,
    };
    let reading = py
        .detach(|| sgf::read_with(&bytes, &options))
        .map_err(|error| error::unreadable(py, &error))?;
    let mut records: Vec<PyRecord> = reading
        .games
        .into_iter()
        .map(|tree| PyRecord {
            tree: Arc::new(tree),
            repairs: Vec::new(),
        })
        .collect();
    for repair in reading.repairs.as_slice() {
        records[repair.game]
            .repairs
            .push((repair.offset, repair.fault.to_string()));
    }
    Ok(records)
}

/// Writes records as an SGF file: every value byte for byte as it was read.
///
/// >>> from yose.go import read_sgf, write_sgf
/// >>> write_sgf(read_sgf(b"(;FF[4]SZ[9];B[ee]XX[mine])"))
/// b'(;FF[4]SZ[9]\n;B[ee]XX[mine])\n'
#[pyfunction]
pub(crate) fn write_sgf(py: Python<'_>, records: List<OneRecord>) -> Py<PyBytes> {
    let mut bytes = Vec::new();
    for OneRecord(tree) in records.0 {
        bytes.extend(sgf::write(std::slice::from_ref(&*tree)));
    }
    PyBytes::new(py, &bytes).unbind()
}

/// The tree of a record.
pub(crate) struct OneRecord(Arc<Tree>);

impl<'py> FromPyObject<'_, 'py> for OneRecord {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let record = object.cast::<PyRecord>();
        let record = record.map_err(|_| wrong("a Record", &object))?;
        Ok(Self(Arc::clone(&record.get().tree)))
    }
}

/// A game record: a tree of nodes. Made by `read_sgf`.
#[pyclass(name = "Record", module = "yose.go", frozen)]
#[derive(Clone)]
pub(crate) struct PyRecord {
    pub(crate) tree: Arc<Tree>,
    repairs: Vec<(usize, String)>,
}

/// The letter and vertex of a move; in SGF letters where GTP has none.
fn shown(tree: &Tree, (colour, point): (Colour, Option<SgfPoint>)) -> (&'static str, String) {
    let size = tree.board_size();
    let vertex = match (Size::new(size.rows.into(), size.columns.into()), point) {
        (_, None) => "pass".to_owned(),
        (Ok(size), Some(point)) => size
            .point(point.row.into(), point.column.into())
            .map_or_else(|_| String::new(), |point| size.gtp_move(Move::Place(point))),
        (Err(_), Some(point)) => point.letters().unwrap_or_default(),
    };
    (letter(colour), vertex)
}

impl PyRecord {
    fn node(&self, id: NodeId) -> PyNode {
        PyNode {
            tree: Arc::clone(&self.tree),
            id,
        }
    }
}

/// Plays a line of a record.
fn board(
    py: Python<'_>,
    node: Option<NodeRef<'_>>,
    tree: &Tree,
    rules: Option<Text>,
    strict: bool,
    moves: Option<usize>,
) -> PyResult<PyBoard> {
    let told = rules.map(|name| words::rules(&name, None, None, None));
    let told = told.transpose()?;
    let options = ReplayOptions {
        rules: told.map(|(_, rules)| rules),
        strict,
        moves,
    };
    let named = told.map(|(name, _)| name).or(tree.info().rules_name);
    let replay = match node {
        Some(node) => node.replay(&options),
        None => tree.replay(&options),
    };
    let replay = replay.map_err(|error| {
        let offset = match &error {
            SgfReplayError::Refused(note) => Some(note.offset),
            _ => None,
        };
        error::sgf(py, &error, offset)
    })?;
    let notes = replay.notes.iter().map(ToString::to_string).collect();
    Ok(PyBoard::new(
        replay.game,
        named.unwrap_or("japanese"),
        notes,
    ))
}

#[pymethods]
impl PyRecord {
    /// How many rows the board has.
    #[getter]
    fn rows(&self) -> u8 {
        self.tree.board_size().rows
    }

    /// How many columns the board has.
    #[getter]
    fn cols(&self) -> u8 {
        self.tree.board_size().columns
    }

    /// The name of Black, or None.
    #[getter]
    fn black(&self) -> Option<String> {
        self.tree.info().black
    }

    /// The name of White, or None.
    #[getter]
    fn white(&self) -> Option<String> {
        self.tree.info().white
    }

    /// The rank of Black, or None.
    #[getter]
    fn black_rank(&self) -> Option<String> {
        self.tree.info().black_rank
    }

    /// The rank of White, or None.
    #[getter]
    fn white_rank(&self) -> Option<String> {
        self.tree.info().white_rank
    }

    /// Komi in points, or None.
    #[getter]
    fn komi(&self) -> Option<f64> {
        self.tree.info().komi
    }

    /// How many handicap stones, or None.
    #[getter]
    fn handicap(&self) -> Option<u16> {
        self.tree.info().handicap
    }

    /// The rules as the record names them, or None.
    #[getter]
    fn rules(&self) -> Option<String> {
        self.tree.info().rules_text
    }

    /// The date as the record writes it, or None.
    #[getter]
    fn date(&self) -> Option<String> {
        self.tree.info().date
    }

    /// The event, or None.
    #[getter]
    fn event(&self) -> Option<String> {
        self.tree.info().event
    }

    /// The result, such as "B+3.5" or "W+R"; None if it is not known.
    #[getter]
    fn result(&self) -> Option<String> {
        match self.tree.info().result {
            GameResult::Unknown => None,
            known => Some(known.to_string()),
        }
    }

    /// The charset that the record is read in.
    #[getter]
    fn charset(&self) -> &'static str {
        self.tree.charset().name()
    }

    /// What had to be repaired: pairs of the offset in bytes and what was done.
    #[getter]
    fn repairs(&self) -> Vec<(usize, String)> {
        self.repairs.clone()
    }

    /// The moves of the main line: pairs of colour and vertex. On boards with more than 25 rows or
    /// columns, which have no vertices, SGF's letters.
    #[getter]
    fn moves(&self) -> Vec<(&'static str, String)> {
        let moves = self.tree.main_line().flat_map(NodeRef::moves);
        moves.map(|mv| shown(&self.tree, mv)).collect()
    }

    /// The first node.
    #[getter]
    fn root(&self) -> PyNode {
        self.node(NodeId::ROOT)
    }

    /// The nodes of the main line.
    fn main_line(&self) -> Vec<PyNode> {
        self.tree
            .main_line()
            .map(|node| self.node(node.id()))
            .collect()
    }

    /// All nodes, each before its children.
    fn nodes(&self) -> Vec<PyNode> {
        self.tree.nodes().map(|node| self.node(node.id())).collect()
    }

    /// The board after so many moves of the main line (left out, all).
    ///
    /// What the rules do not allow is played as the record has it and told in `Board.notes`; with
    /// `strict` it raises SgfError. The rules are those named, else the record's, else Japanese.
    #[pyo3(signature = (moves=None, *, rules=None, strict=false))]
    fn board(
        &self,
        py: Python<'_>,
        moves: Option<Whole>,
        rules: Option<Text>,
        strict: bool,
    ) -> PyResult<PyBoard> {
        let moves = moves.map(Whole::size).transpose()?;
        board(py, None, &self.tree, rules, strict, moves)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.tree == other.tree
    }

    fn __len__(&self) -> usize {
        self.tree.node_count()
    }

    fn __repr__(&self) -> String {
        let players = |name: Option<String>| name.unwrap_or_else(|| "?".to_owned());
        format!(
            "<yose.go.Record {}x{}, {} - {}, {} nodes>",
            self.rows(),
            self.cols(),
            players(self.black()),
            players(self.white()),
            self.tree.node_count(),
        )
    }
}

/// A node of a record.
#[pyclass(name = "Node", module = "yose.go", frozen)]
pub(crate) struct PyNode {
    tree: Arc<Tree>,
    id: NodeId,
}

impl PyNode {
    fn node(&self) -> NodeRef<'_> {
        self.tree.node(self.id)
    }

    fn at(&self, id: NodeId) -> Self {
        Self {
            tree: Arc::clone(&self.tree),
            id,
        }
    }
}

#[pymethods]
impl PyNode {
    /// All properties: for each name its values, decoded and unescaped.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for property in self.node().properties() {
            let values: Vec<_> = property
                .values()
                .iter()
                .map(|v| self.tree.text(v))
                .collect();
            all.set_item(property.id(), values)?;
        }
        Ok(all)
    }

    /// The bytes of a property's values as they stand in the file, escapes and all.
    fn raw<'py>(&self, py: Python<'py>, name: Text) -> Option<Vec<Bound<'py, PyBytes>>> {
        let property = self.node().get(&name)?;
        Some(
            property
                .values()
                .iter()
                .map(|value| PyBytes::new(py, value.raw()))
                .collect(),
        )
    }

    /// The first value of a property as text, or None.
    fn text(&self, name: Text) -> Option<String> {
        self.node().text(&name)
    }

    /// The comment, or None.
    #[getter]
    fn comment(&self) -> Option<String> {
        self.node().text("C")
    }

    /// The moves of the node, mostly one: pairs of colour and vertex.
    #[getter]
    fn moves(&self) -> Vec<(&'static str, String)> {
        self.node()
            .moves()
            .into_iter()
            .map(|mv| shown(&self.tree, mv))
            .collect()
    }

    /// The points of a list (AB, TR, TB, ...) as (row, column), rectangles taken apart.
    fn points(&self, name: Text) -> Vec<(u8, u8)> {
        let points = self.node().points(&name);
        points
            .into_iter()
            .map(|point| (point.row, point.column))
            .collect()
    }

    /// The nodes that follow: the main line's first.
    #[getter]
    fn children(&self) -> Vec<Self> {
        self.node()
            .children()
            .map(|node| self.at(node.id()))
            .collect()
    }

    /// The node before, or None.
    #[getter]
    fn parent(&self) -> Option<Self> {
        self.node().parent().map(|node| self.at(node.id()))
    }

    /// The board after this node, played from the start of the record.
    #[pyo3(signature = (*, rules=None, strict=false))]
    fn board(&self, py: Python<'_>, rules: Option<Text>, strict: bool) -> PyResult<PyBoard> {
        board(py, Some(self.node()), &self.tree, rules, strict, None)
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) && self.id == other.id
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self
            .node()
            .properties()
            .iter()
            .map(sgf::Property::id)
            .collect();
        format!("<yose.go.Node {}>", names.join(" "))
    }
}
