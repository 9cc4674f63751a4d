//! `yose.go.Board`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use yose_diagram::{GoBoardStyle, go_board_svg};
use yose_go::score::{Agreed, Score, area, guess_dead, score, territory};
use yose_go::{Board, Colour, Game, Move, Point, Rules, Scoring, Size};

use crate::error::{illegal, yose_error};
use crate::saved::Saved;
use crate::words::{self, List, Pair, Place, Real, Side, Text, Whole, letter};

/// A board with rules and history.
///
/// Vertices are GTP's ("D4": column D from the left without I, row 4 from the bottom; "pass") or
/// `(row, column)` counted from 0 at the top left, as in arrays; None is a pass. Colours are "b"
/// and "w". What is counted is Black minus White.
///
/// Args:
///     rows: 1 to 25.
///     cols: 1 to 25; left out, as many as rows.
///     rules: chinese, japanese, aga, tromp-taylor, new-zealand or korean.
///     komi: points for White; left out, what is usual under the rules.
///     ko, suicide, scoring: parts of the rules changed: none, simple, positional, situational;
///         forbidden, multi-stone, allowed; area, territory.
///
/// >>> from yose.go import Board
/// >>> board = Board(9, rules="chinese")
/// >>> board.play("b", "E5")
/// 0
/// >>> board.to_play
/// 'w'
#[pyclass(name = "Board", module = "yose.go", eq, frozen)]
pub(crate) struct PyBoard {
    /// Whoever reads takes a share and lets the lock go, so that long work on other threads hinders
    /// nobody; whoever changes a shared state changes a copy. The lock is never held while Python runs.
    state: Mutex<Arc<State>>,
}

/// What a board is at a time.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) game: Game,
    /// The name of the rules of which parts may have been changed.
    pub(crate) named: &'static str,
    pub(crate) notes: Vec<String>,
}

impl State {
    fn size(&self) -> Size {
        self.game.size()
    }

    fn colour_or_turn(&self, colour: Option<Side>) -> Colour {
        colour.map_or(self.game.to_play(), |Side(colour)| colour)
    }

    fn point(&self, place: Place) -> PyResult<Point> {
        words::point(self.size(), place)
    }

    fn agreed(&self, dead: Option<List<Place>>, seki: Option<List<Place>>) -> PyResult<Agreed> {
        Ok(Agreed {
            dead: words::points(self.size(), dead)?,
            seki: words::points(self.size(), seki)?,
        })
    }

    fn rules(&self) -> &'static str {
        if Rules::by_name(self.named) == Some(self.game.rules()) {
            self.named
        } else {
            "custom"
        }
    }

    fn score(&self, dead: Option<List<Place>>, seki: Option<List<Place>>) -> PyResult<Score> {
        score(&self.game, &self.agreed(dead, seki)?).map_err(yose_error)
    }
}

impl PartialEq for PyBoard {
    /// The same stones, prisoners and ko, rules, komi, and side to move; the history may differ.
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (self.state(), other.state());
        let (one, other) = (&one.game, &other.game);
        one.board() == other.board()
            && one.rules() == other.rules()
            && one.komi() == other.komi()
            && one.to_play() == other.to_play()
    }
}

impl PyBoard {
    pub(crate) fn new(game: Game, named: &'static str, notes: Vec<String>) -> Self {
        Self::of(State { game, named, notes })
    }

    fn of(state: State) -> Self {
        Self {
            state: Mutex::new(Arc::new(state)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<State>> {
        // A panic while it is held leaves a board that was not changed, or is.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the board is now.
    pub(crate) fn state(&self) -> Arc<State> {
        Arc::clone(&self.lock())
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(Arc::make_mut(&mut self.lock()))
    }
}

/// An array of one value a point, without a copy.
pub(crate) fn array<T: numpy::Element>(
    py: Python<'_>,
    size: Size,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec((size.rows(), size.cols()), values).map_err(yose_error)?;
    Ok(array.into_pyarray(py))
}

/// 1 for Black, -1 for White, 0 for nobody.
pub(crate) fn sign(colour: Option<Colour>) -> i8 {
    match colour {
        Some(Colour::Black) => 1,
        Some(Colour::White) => -1,
        None => 0,
    }
}

fn half_points(Real(komi): Real) -> PyResult<i16> {
    let doubled = komi * 2.0;
    if doubled.fract() != 0.0 || doubled.abs() > f64::from(i16::MAX) {
        return Err(yose_error(format!(
            "komi is a multiple of half a point, not {komi}"
        )));
    }
    #[allow(clippy::cast_possible_truncation, reason = "checked above")]
    Ok(doubled as i16)
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (
        rows=None, cols=None, rules=None, *, komi=None, ko=None, suicide=None, scoring=None
    ), text_signature = "(rows=19, cols=None, rules='tromp-taylor', *, komi=None, ko=None, suicide=None, scoring=None)")]
    fn py_new(
        rows: Option<Whole>,
        cols: Option<Whole>,
        rules: Option<Text>,
        komi: Option<Real>,
        ko: Option<Text>,
        suicide: Option<Text>,
        scoring: Option<Text>,
    ) -> PyResult<Self> {
        let rows = rows.map_or(Ok(19), Whole::size)?;
        let cols = cols.map_or(Ok(rows), Whole::size)?;
        let size = Size::new(rows, cols).map_err(yose_error)?;
        let (named, rules) = chosen(rules, ko, suicide, scoring)?;
        let mut game = Game::new(size, rules);
        if let Some(komi) = komi {
            game.set_komi(half_points(komi)?);
        }
        Ok(Self::new(game, named, Vec::new()))
    }

    /// A board set up: one string a row from the top, "X" or "#" Black, "O" White, "." empty.
    ///
    /// >>> Board.from_rows(["..X", ".O.", "..."], to_play="w").stones().tolist()
    /// [[0, 0, 1], [0, -1, 0], [0, 0, 0]]
    #[classmethod]
    #[pyo3(signature = (
        rows, to_play=None, rules=None, *, komi=None, ko=None, suicide=None, scoring=None
    ), text_signature = "(rows, to_play='b', rules='tromp-taylor', *, komi=None, ko=None, suicide=None, scoring=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn from_rows(
        _class: &Bound<'_, PyType>,
        rows: List<Text>,
        to_play: Option<Side>,
        rules: Option<Text>,
        komi: Option<Real>,
        ko: Option<Text>,
        suicide: Option<Text>,
        scoring: Option<Text>,
    ) -> PyResult<Self> {
        let rows: Vec<&str> = rows.0.iter().map(|row| &**row).collect();
        let stones = Board::from_rows(&rows).map_err(yose_error)?;
        let (named, rules) = chosen(rules, ko, suicide, scoring)?;
        let to_play = to_play.map_or(Colour::Black, |Side(colour)| colour);
        let mut game = Game::from_board(stones, to_play, rules);
        if let Some(komi) = komi {
            game.set_komi(half_points(komi)?);
        }
        Ok(Self::new(game, named, Vec::new()))
    }

    /// Plays a move and returns how many stones it captured.
    ///
    /// Colours need not alternate. Raises IllegalMoveError if the rules forbid the move; the board
    /// is then unchanged.
    #[pyo3(signature = (colour, vertex))]
    fn play(&self, py: Python<'_>, colour: Side, vertex: Option<Place>) -> PyResult<u16> {
        let Side(colour) = colour;
        let (mv, size, played) = self.change(|state| {
            let size = state.size();
            let mv = words::a_move(size, vertex)?;
            PyResult::Ok((mv, size, state.game.play_as(colour, mv)))
        })?;
        match played {
            Ok(played) => Ok(played.captured),
            Err(error) => Err(illegal(py, &size.gtp_move(mv), error)),
        }
    }

    /// Plays moves one after the other: pairs of colour and vertex.
    ///
    /// Raises IllegalMoveError at the first that is illegal; those before it have been played.
    fn play_all(&self, py: Python<'_>, moves: List<Pair<Side, Option<Place>>>) -> PyResult<()> {
        for Pair(colour, vertex) in moves.0 {
            self.play(py, colour, vertex)?;
        }
        Ok(())
    }

    /// Takes the last move back; False if there is none.
    fn undo(&self) -> bool {
        self.change(|state| state.game.undo())
    }

    /// Whether the rules allow a move now; a pass they always do.
    #[pyo3(signature = (colour, vertex))]
    fn is_legal(&self, colour: Side, vertex: Option<Place>) -> PyResult<bool> {
        let state = self.state();
        let mv = words::a_move(state.size(), vertex)?;
        Ok(state.game.is_legal(colour.0, mv))
    }

    /// The vertices where a colour (left out, the side to move) may play, in reading order. The
    /// pass, always legal, is not among them.
    #[pyo3(signature = (colour=None))]
    fn legal_moves(&self, colour: Option<Side>) -> Vec<String> {
        let state = self.state();
        let colour = state.colour_or_turn(colour);
        state
            .game
            .legal_moves(colour)
            .map(|point| state.size().gtp(point))
            .collect()
    }

    /// The legal moves as a bool array of rows * cols + 1, the index of a policy: row * cols + column,
    /// the pass last.
    #[pyo3(signature = (colour=None))]
    fn legal_mask<'py>(&self, py: Python<'py>, colour: Option<Side>) -> Bound<'py, PyArray1<bool>> {
        let state = self.state();
        let colour = state.colour_or_turn(colour);
        let legal = |point| state.game.is_legal(colour, Move::Place(point));
        let mut mask: Vec<bool> = state.size().points().map(legal).collect();
        mask.push(true);
        mask.into_pyarray(py)
    }

    /// The score, Black minus White, komi and handicap counted, by the rules of the board. Dead
    /// stones are those named (one of a chain stands for all), and no others.
    ///
    /// >>> Board.from_rows([".X.O.", ".X.O.", ".X.O."], komi=0.5).score()
    /// -0.5
    #[pyo3(signature = (dead=None, seki=None))]
    fn score(&self, dead: Option<List<Place>>, seki: Option<List<Place>>) -> PyResult<f64> {
        let score = self.state().score(dead, seki)?;
        Ok(f64::from(score.half_points()) / 2.0)
    }

    /// The score as SGF writes it: "B+3.5", "W+12", "0".
    #[pyo3(signature = (dead=None, seki=None))]
    fn result(&self, dead: Option<List<Place>>, seki: Option<List<Place>>) -> PyResult<String> {
        let score = self.state().score(dead, seki)?;
        Ok(score.to_string())
    }

    /// Who owns each point under the rules' counting: an int8 array, 1 Black, -1 White, 0 nobody.
    #[pyo3(signature = (dead=None, seki=None))]
    fn ownership<'py>(
        &self,
        py: Python<'py>,
        dead: Option<List<Place>>,
        seki: Option<List<Place>>,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let state = self.state();
        let agreed = state.agreed(dead, seki)?;
        let owners = match state.game.rules().scoring {
            Scoring::Area => area(state.game.board(), &agreed),
            Scoring::Territory => territory(state.game.board(), &agreed),
        };
        let owners = owners.map_err(yose_error)?;
        let signs = owners.owners().iter().map(|&owner| sign(owner)).collect();
        array(py, state.size(), signs)
    }

    /// Vertices of stones that random games mostly see captured, one of each chain: a guess, for
    /// finished positions. The same for the same seed.
    #[pyo3(signature = (games=None, seed=None), text_signature = "($self, games=200, seed=0)")]
    fn guess_dead(
        &self,
        py: Python<'_>,
        games: Option<Whole>,
        seed: Option<Whole>,
    ) -> PyResult<Vec<String>> {
        let games = games.map_or(Ok(200), Whole::to)?;
        let seed = seed.map_or(Ok(0), Whole::to)?;
        let state = self.state();
        let dead = py.detach(|| guess_dead(state.game.board(), state.game.to_play(), games, seed));
        Ok(dead
            .into_iter()
            .map(|point| state.size().gtp(point))
            .collect())
    }

    /// The stones: an int8 array of rows and columns, 1 Black, -1 White, 0 empty.
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let state = self.state();
        let stone = |point| sign(state.game.board().stone(point));
        array(py, state.size(), state.size().points().map(stone).collect())
    }

    /// "b", "w" or None.
    fn stone(&self, vertex: Place) -> PyResult<Option<&'static str>> {
        let state = self.state();
        Ok(state.game.board().stone(state.point(vertex)?).map(letter))
    }

    /// How many liberties the chain at a vertex has; 0 for an empty point.
    fn liberties(&self, vertex: Place) -> PyResult<u16> {
        let state = self.state();
        Ok(state.game.board().liberties(state.point(vertex)?))
    }

    /// The vertices of the chain at a vertex; none for an empty point.
    fn chain(&self, vertex: Place) -> PyResult<Vec<String>> {
        let state = self.state();
        let (board, size) = (state.game.board(), state.size());
        let mut stones: Vec<_> = board.chain_stones(state.point(vertex)?).collect();
        stones.sort_by_key(|&point| size.flat(point));
        Ok(stones.into_iter().map(|point| size.gtp(point)).collect())
    }

    /// A board with the same history, free to go on on its own.
    fn copy(&self) -> Self {
        Self {
            state: Mutex::new(self.state()),
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// For pickle: the start and the moves.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Saved,))> {
        let restore = slf.get_type().getattr("_restore")?;
        Ok((restore, (Saved::of(&slf.get().state()),)))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, saved: Saved) -> PyResult<Self> {
        saved.restore().map(Self::of)
    }

    /// How many rows.
    #[getter]
    fn rows(&self) -> usize {
        self.state().size().rows()
    }

    /// How many columns.
    #[getter]
    fn cols(&self) -> usize {
        self.state().size().cols()
    }

    /// The name of the rules, or "custom" if parts were changed.
    #[getter]
    fn rules(&self) -> &'static str {
        self.state().rules()
    }

    /// Whose turn it is.
    #[getter]
    fn to_play(&self) -> &'static str {
        letter(self.state().game.to_play())
    }

    /// Points for White.
    #[getter]
    fn komi(&self) -> f64 {
        f64::from(self.state().game.komi()) / 2.0
    }

    #[setter]
    fn set_komi(&self, komi: Real) -> PyResult<()> {
        let komi = half_points(komi)?;
        self.change(|state| state.game.set_komi(komi));
        Ok(())
    }

    /// How many handicap stones Black was given, for counting.
    #[getter]
    fn handicap(&self) -> u16 {
        self.state().game.handicap()
    }

    #[setter]
    fn set_handicap(&self, stones: Whole) -> PyResult<()> {
        let stones = stones.to()?;
        self.change(|state| state.game.set_handicap(stones));
        Ok(())
    }

    /// The moves so far: pairs of colour and vertex.
    #[getter]
    fn moves(&self) -> Vec<(&'static str, String)> {
        let state = self.state();
        let size = state.size();
        let moves = state.game.moves();
        moves
            .iter()
            .map(|ply| (letter(ply.colour), size.gtp_move(ply.mv)))
            .collect()
    }

    /// Stones taken by Black and by White.
    #[getter]
    fn captures(&self) -> (u32, u32) {
        let state = self.state();
        let board = state.game.board();
        (board.captures(Colour::Black), board.captures(Colour::White))
    }

    /// Where a ko may not be retaken now, or None.
    #[getter]
    fn ko(&self) -> Option<String> {
        let state = self.state();
        let ko = state.game.board().ko_point();
        ko.map(|point| state.size().gtp(point))
    }

    /// Whether the last two moves were passes.
    #[getter]
    fn is_over(&self) -> bool {
        self.state().game.is_over()
    }

    /// A 64-bit number of the stones, the same in every version and on every machine.
    #[getter]
    fn hash(&self) -> u64 {
        self.state().game.board().hash()
    }

    /// Where the record that the board was played from did what the rules do not allow.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.state().notes.clone()
    }

    /// The board as SVG. `labels` puts short texts on vertices.
    #[pyo3(
        signature = (labels=None, *, coordinates=true, cell=None),
        text_signature = "($self, labels=None, *, coordinates=True, cell=24.0)"
    )]
    fn svg(
        &self,
        labels: Option<List<Pair<Place, Text>>>,
        coordinates: bool,
        cell: Option<Real>,
    ) -> PyResult<String> {
        let cell = cell.map_or(24.0, |Real(cell)| cell);
        if !(cell.is_finite() && (1.0..=1000.0).contains(&cell)) {
            return Err(yose_error(format!("cell is 1 to 1000 pixels, not {cell}")));
        }
        let state = self.state();
        let labels = labels.map_or_else(Vec::new, |labels| labels.0).into_iter();
        // XML has no such characters; it has no control characters either, but these are seen to.
        let shown = |text: &str| text.replace(['\u{FFFE}', '\u{FFFF}'], " ");
        let labels: PyResult<_> = labels
            .map(|Pair(at, text)| Ok((state.point(at)?, shown(&text))))
            .collect();
        let last = state.game.moves().last().and_then(|ply| ply.mv.point());
        let style = GoBoardStyle {
            cell,
            coordinates,
            last,
            labels: labels?,
            ..GoBoardStyle::default()
        };
        Ok(go_board_svg(state.game.board(), &style))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, true, None)
    }

    fn __str__(&self) -> String {
        self.state().game.board().to_rows().join("\n")
    }

    fn __repr__(&self) -> String {
        let state = self.state();
        format!(
            "<yose.go.Board {}x{} {}, {} moves, {} to play>",
            state.size().rows(),
            state.size().cols(),
            state.rules(),
            state.game.moves().len(),
            letter(state.game.to_play()),
        )
    }
}

/// The rules that arguments ask for, and the name that they begin from.
fn chosen(
    name: Option<Text>,
    ko: Option<Text>,
    suicide: Option<Text>,
    scoring: Option<Text>,
) -> PyResult<(&'static str, Rules)> {
    words::rules(
        name.as_deref().unwrap_or("tromp-taylor"),
        ko.as_deref(),
        suicide.as_deref(),
        scoring.as_deref(),
    )
}
