//! `benson` and `ladder`.

use numpy::PyArray2;
use pyo3::prelude::*;
use yose_go::{BensonForm, Colour, LADDER_NODES, LadderVerdict, Size, Suicide};

use crate::board::{PyBoard, array};
use crate::error::yose_error;
use crate::words::{self, Place, Side, Whole};

/// What lives whatever the other side does. Made by `benson`.
#[pyclass(name = "Life", module = "yose.go", frozen)]
pub(crate) struct PyLife {
    size: Size,
    stones: Vec<i8>,
    territory: Vec<i8>,
}

#[pymethods]
impl PyLife {
    /// The stones that can never be captured: an int8 array, 1 Black, -1 White.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        array(py, self.size, self.stones.clone())
    }

    /// Points in which the other side can never live: an int8 array, 1 Black's, -1 White's.
    #[getter]
    fn territory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        array(py, self.size, self.territory.clone())
    }

    fn __repr__(&self) -> String {
        let count = |values: &[i8], sign| values.iter().filter(|&&value| value == sign).count();
        format!(
            "<yose.go.Life: {} black and {} white stones alive>",
            count(&self.stones, 1),
            count(&self.stones, -1)
        )
    }
}

/// Unconditional life by Benson's algorithm: what no sequence of the other side's moves captures,
/// however often the owner passes.
///
/// What lives depends on whether suicide is legal. Left out, the board's rules say; `suicide` says
/// otherwise.
///
/// >>> from yose.go import Board, benson
/// >>> life = benson(Board.from_rows([".X.X.", "XXXXX", "....."], suicide="forbidden"))
/// >>> life.stones.tolist()
/// [[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
#[pyfunction]
#[pyo3(signature = (board, *, suicide=None))]
pub(crate) fn benson(board: &PyBoard, suicide: Option<bool>) -> PyLife {
    let state = board.state();
    let game = &state.game;
    let legal = suicide.unwrap_or(game.rules().suicide != Suicide::Forbidden);
    let form = if legal {
        BensonForm::SuicideLegal
    } else {
        BensonForm::SuicideIllegal
    };
    let size = game.size();
    let mut life = PyLife {
        size,
        stones: vec![0; size.area()],
        territory: vec![0; size.area()],
    };
    let cells = game.board().cells();
    // Cells of a board always make a grid.
    if let Ok(grid) = yose_go::Grid::new(size.rows(), size.cols(), &cells) {
        for (colour, sign) in [(Colour::Black, 1), (Colour::White, -1)] {
            let found = yose_go::benson(&grid, colour, form);
            for at in 0..size.area() {
                if found.stones[at] {
                    life.stones[at] = sign;
                }
                if found.territory[at] {
                    life.territory[at] = sign;
                }
            }
        }
    }
    life
}

/// What was read about a ladder. Made by `ladder`.
#[pyclass(name = "Ladder", module = "yose.go", frozen, get_all)]
pub(crate) struct PyLadder {
    /// "captured", "escapes" or "unknown" (the limit came first).
    verdict: &'static str,
    /// The moves that reach the end the side to play wants: capturing or saving moves.
    moves: Vec<String>,
    /// Plies to the capture, itself included; None if there is none.
    plies: Option<u32>,
    /// One line of that length.
    line: Vec<String>,
    /// Positions looked at.
    nodes: u64,
}

#[pymethods]
impl PyLadder {
    fn __repr__(&self) -> String {
        let moves = self.moves.join(" ");
        format!("<yose.go.Ladder {} moves: {moves}>", self.verdict)
    }
}

/// The default is written out below, for Python to show it.
const _: () = assert!(LADDER_NODES == 1_000_000);

/// Reads the ladder on the chain at a vertex, to the end of the board.
///
/// Args:
///     board: the position.
///     vertex: a stone of the chain.
///     first: who plays first, "b" or "w"; left out, whose turn it is.
///     limit: how many positions may be looked at.
///
/// >>> from yose.go import Board, ladder
/// >>> board = Board.from_rows([".....", ".....", ".X...", ".XO..", "..X.."])
/// >>> read = ladder(board, "C2", "b")
/// >>> read.verdict, read.moves, read.plies
/// ('captured', ['D2'], 9)
#[pyfunction]
#[pyo3(
    signature = (board, vertex, first=None, *, limit=None),
    text_signature = "(board, vertex, first=None, *, limit=1000000)"
)]
pub(crate) fn ladder(
    py: Python<'_>,
    board: &PyBoard,
    vertex: Place,
    first: Option<Side>,
    limit: Option<Whole>,
) -> PyResult<PyLadder> {
    let limit = limit.map_or(Ok(LADDER_NODES), Whole::to)?;
    let state = board.state();
    let game = &state.game;
    let size = game.size();
    let prey = words::point(size, vertex)?;
    let first = first.map_or(game.to_play(), |Side(colour)| colour);
    let stones = game.board();
    let read = py
        .detach(|| yose_go::ladder(stones, prey, first, limit))
        .map_err(yose_error)?;
    Ok(PyLadder {
        verdict: match read.verdict {
            LadderVerdict::Captured => "captured",
            LadderVerdict::Escapes => "escapes",
            LadderVerdict::Unknown => "unknown",
        },
        moves: read
            .moves
            .into_iter()
            .map(|point| size.gtp(point))
            .collect(),
        plies: read.plies,
        line: read.line.into_iter().map(|mv| size.gtp_move(mv)).collect(),
        nodes: read.nodes,
    })
}
