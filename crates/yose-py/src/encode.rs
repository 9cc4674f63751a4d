//! `encode`: feature planes of many positions as one array.

use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use numpy::ndarray::Array4;
use numpy::{IntoPyArray, PyArrayDescr, PyArrayDescrMethods, dtype};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use yose_go::planes::{Element, EncodeError, EncodeOptions, PlaneSet, Sample, encode_samples};
use yose_go::sgf::{Replay, ReplayOptions, SgfReplayError, Tree};
use yose_go::{History, Size, Symmetry};

use crate::board::{PyBoard, State};
use crate::error::{self, yose_error};
use crate::record::PyRecord;
use crate::words::{Text, Whole, wrong};

/// A game, or a record that is still to be played: shares of what Python's objects hold, so that these
/// may change while the planes are made.
enum Input {
    Board(Arc<State>),
    Record(Arc<Tree>),
}

impl Input {
    /// Not by a conversion that words an error where the next type fits: that takes longer than encoding
    /// a position.
    fn of(object: &Bound<'_, PyAny>) -> Option<Self> {
        if let Ok(board) = object.cast::<PyBoard>() {
            return Some(Self::Board(board.get().state()));
        }
        let record = object.cast::<PyRecord>().ok()?;
        Some(Self::Record(Arc::clone(&record.get().tree)))
    }

    fn expected(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(object).ok_or_else(|| wrong("a Board or a Record", object))
    }

    fn all(games: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        if let Some(one) = Self::of(games) {
            return Ok(vec![one]);
        }
        if let Ok(list) = games.cast::<PyList>() {
            return list.iter().map(|game| Self::expected(&game)).collect();
        }
        games
            .try_iter()
            .map_err(|_| wrong("a Board, a Record or a list of them", games))?
            .map(|game| Self::expected(&game?))
            .collect()
    }
}

/// Which positions of each game.
#[derive(Clone, Copy)]
pub(crate) enum Plies {
    Last,
    All,
    After(usize),
}

impl<'py> FromPyObject<'_, 'py> for Plies {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let expected = "\"last\", \"all\" or a number of moves";
        if let Ok(name) = object.extract::<String>() {
            return match name.as_str() {
                "last" => Ok(Self::Last),
                "all" => Ok(Self::All),
                _ => Err(yose_error(format!(
                    "positions are {expected}, not {name:?}"
                ))),
            };
        }
        match object.extract::<Whole>() {
            Ok(moves) => moves.size().map(Self::After),
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
                Err(wrong(expected, &object))
            }
            Err(error) => Err(error),
        }
    }
}

/// How many threads there are to use. Asked once: asking takes longer than a small batch.
static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, Into::into));

enum Failed {
    Encode(String),
    Replay(SgfReplayError),
}

impl From<EncodeError> for Failed {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error.to_string())
    }
}

struct Task {
    set: PlaneSet,
    options: EncodeOptions,
    symmetry: Symmetry,
    plies: Plies,
    threads: usize,
}

/// The feature planes of positions: an array of shape (positions, planes, rows, cols) in C order,
/// row 0 the top, column 0 column A.
///
/// Args:
///     games: a Board, a Record, or a list of them, all of one size. Of a record the main line is
///         played, by its rules; what they do not allow is played as the record has it.
///     planes: agz, agz-absolute, alphago, alphago49, overview48 or gnugo.
///     symmetry: 0 to 7: bit 0 mirrors the columns, bit 1 the rows, bit 2 then transposes.
///     dtype: "u8" or "f32", or NumPy's uint8 or float32.
///     positions: "last", "all" (the start and the one after each move), or a number of moves.
///     threads: left out, as many as the machine has cores.
///     repeat_oldest: in agz and agz-absolute fill history before the start with the oldest board,
///         not with zeros.
///     capture_zero_plane: whether the first capture-size plane means no capture.
///
/// >>> from yose.go import Board, encode
/// >>> board = Board(9)
/// >>> board.play_all([("b", "D4"), ("w", "E5")])
/// >>> encode(board, planes="agz", positions="all").shape
/// (3, 17, 9, 9)
#[pyfunction]
#[pyo3(signature = (
    games, planes=None, *, symmetry=None, dtype=None, positions=None, threads=None,
    repeat_oldest=false, capture_zero_plane=true
), text_signature = "(games, planes='agz', *, symmetry=0, dtype=None, positions=None, threads=None, repeat_oldest=False, capture_zero_plane=True)")]
#[allow(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    games: &Bound<'py, PyAny>,
    planes: Option<Text>,
    symmetry: Option<Whole>,
    dtype: Option<&Bound<'py, PyAny>>,
    positions: Option<Plies>,
    threads: Option<Whole>,
    repeat_oldest: bool,
    capture_zero_plane: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let task = Task {
        set: PlaneSet::by_name(planes.as_deref().unwrap_or("agz")).map_err(yose_error)?,
        options: EncodeOptions {
            repeat_oldest,
            capture_zero_plane,
            ..EncodeOptions::default()
        },
        symmetry: Symmetry::new(symmetry.map_or(Ok(0), Whole::size)?).map_err(yose_error)?,
        plies: positions.unwrap_or(Plies::Last),
        threads: threads.map_or(Ok(*CORES), Whole::size)?,
    };
    let inputs = Input::all(games)?;
    if is_f32(py, dtype)? {
        array::<f32>(py, inputs, &task)
    } else {
        array::<u8>(py, inputs, &task)
    }
}

/// Whether the type asked for is `float32`; else it is `uint8`. "u8" means bits here, as in Rust;
/// NumPy's own "u8" would be eight bytes.
fn is_f32(py: Python<'_>, wanted: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let Some(wanted) = wanted else {
        return Ok(false);
    };
    match wanted.extract::<String>().as_deref() {
        Ok("u8") => return Ok(false),
        Ok("f32") => return Ok(true),
        _ => {}
    }
    let descr = PyArrayDescr::new(py, wanted)?;
    if descr.is_equiv_to(&dtype::<u8>(py)) {
        Ok(false)
    } else if descr.is_equiv_to(&dtype::<f32>(py)) {
        Ok(true)
    } else {
        Err(yose_error(format!("planes are u8 or f32, not {wanted}")))
    }
}

fn array<'py, T: Element + numpy::Element>(
    py: Python<'py>,
    inputs: Vec<Input>,
    task: &Task,
) -> PyResult<Bound<'py, PyAny>> {
    let made = py.detach(move || numbers::<T>(&inputs, task));
    let (shape, data) = made.map_err(|failed| match failed {
        Failed::Encode(text) => yose_error(text),
        Failed::Replay(error) => error::sgf(py, &error, None),
    })?;
    // The array takes the memory over.
    let array = Array4::from_shape_vec(shape, data).map_err(yose_error)?;
    Ok(array.into_pyarray(py).into_any())
}

fn numbers<T: Element>(inputs: &[Input], task: &Task) -> Result<([usize; 4], Vec<T>), Failed> {
    let replays = inputs.iter().filter_map(|input| match input {
        Input::Board(_) => None,
        Input::Record(tree) => Some(tree.replay(&ReplayOptions::default())),
    });
    let replays: Vec<Replay> = replays.collect::<Result<_, _>>().map_err(Failed::Replay)?;
    let mut replayed = replays.iter();
    let mut samples = Vec::with_capacity(inputs.len());
    for input in inputs {
        match input {
            Input::Board(state) => of_history(state.game.history(), task.plies, &mut samples),
            Input::Record(_) => {
                if let Some(replay) = replayed.next() {
                    of_record(replay, task.plies, &mut samples)?;
                }
            }
        }
    }
    let Some(size) = samples.first().map(|sample| sample.history.size()) else {
        return Err(EncodeError::Nothing.into());
    };
    let planes = encode_samples::<T>(&samples, size, task.set, &task.options, task.threads)?;
    let data = turned(task.symmetry, size, planes.data)?;
    Ok((planes.shape, data))
}

fn of_history<'a>(history: &'a History, plies: Plies, samples: &mut Vec<Sample<'a>>) {
    let last = history.moves().len();
    let range = match plies {
        Plies::Last => last..=last,
        Plies::All => 0..=last,
        Plies::After(ply) => ply..=ply,
    };
    samples.extend(range.map(|ply| Sample { history, ply }));
}

fn of_record<'a>(
    replay: &'a Replay,
    plies: Plies,
    samples: &mut Vec<Sample<'a>>,
) -> Result<(), EncodeError> {
    let after = match plies {
        Plies::All => {
            samples.extend(replay.positions());
            return Ok(());
        }
        Plies::Last => replay.moves,
        Plies::After(moves) => moves,
    };
    let sample = replay.position(after);
    samples.push(sample.ok_or(EncodeError::Ply {
        ply: after,
        moves: replay.moves,
    })?);
    Ok(())
}

fn turned<T: Element>(symmetry: Symmetry, size: Size, data: Vec<T>) -> Result<Vec<T>, Failed> {
    if symmetry == Symmetry::IDENTITY {
        return Ok(data);
    }
    let text = |error: yose_go::symmetry::SymmetryError| Failed::Encode(error.to_string());
    symmetry.check(size).map_err(text)?;
    symmetry.planes(size, &data).map_err(text)
}

/// What each plane of a set means.
///
/// >>> from yose.go import plane_names
/// >>> len(plane_names("alphago"))
/// 48
#[pyfunction]
pub(crate) fn plane_names(planes: Text) -> PyResult<Vec<String>> {
    let set = PlaneSet::by_name(&planes).map_err(yose_error)?;
    Ok((0..set.planes())
        .filter_map(|plane| set.describe(plane))
        .collect())
}
