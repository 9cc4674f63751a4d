//! `yose.go.Board`.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use yose_diagram::{GoBoardStyle, go_board_svg};
use yose_go::score::{Agreed, area, guess_dead, score, territory};
use yose_go::{Board, Colour, Game, Move, Point, Rules, Scoring, Size};

use crate::error::{illegal, yose_error};
use crate::words::{self, Place, letter};

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
#[pyclass(name = "Board", module = "yose.go", eq)]
#[derive(Clone)]
pub(crate) struct PyBoard {
    pub(crate) game: Game,
    pub(crate) notes: Vec<String>,
}

impl PartialEq for PyBoard {
    /// The same stones, prisoners and ko, rules, komi, and side to move; the history may differ.
    fn eq(&self, other: &Self) -> bool {
        self.game.board() == other.game.board()
            && self.game.rules() == other.game.rules()
            && self.game.komi() == other.game.komi()
            && self.game.to_play() == other.game.to_play()
    }
}

impl PyBoard {
    pub(crate) fn new(game: Game) -> Self {
        Self {
            game,
            notes: Vec::new(),
        }
    }

    fn size(&self) -> Size {
        self.game.size()
    }

    fn colour_or_turn(&self, colour: Option<&str>) -> PyResult<Colour> {
        colour.map_or(Ok(self.game.to_play()), words::colour)
    }

    fn point(&self, place: Place) -> PyResult<Point> {
        words::point(self.size(), place)
    }

    fn agreed(&self, dead: Option<Vec<Place>>, seki: Option<Vec<Place>>) -> PyResult<Agreed> {
        Ok(Agreed {
            dead: words::points(self.size(), dead)?,
            seki: words::points(self.size(), seki)?,
        })
    }

    fn array<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        values: Vec<T>,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        array(py, self.size(), values)
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

fn half_points(komi: f64) -> PyResult<i16> {
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
        rows=19, cols=None, rules="tromp-taylor", *, komi=None, ko=None, suicide=None, scoring=None
    ))]
    fn py_new(
        rows: usize,
        cols: Option<usize>,
        rules: &str,
        komi: Option<f64>,
        ko: Option<&str>,
        suicide: Option<&str>,
        scoring: Option<&str>,
    ) -> PyResult<Self> {
        let size = Size::new(rows, cols.unwrap_or(rows)).map_err(yose_error)?;
        let mut board = Self::new(Game::new(size, words::rules(rules, ko, suicide, scoring)?));
        if let Some(komi) = komi {
            board.game.set_komi(half_points(komi)?);
        }
        Ok(board)
    }

    /// A board set up: one string a row from the top, "X" or "#" Black, "O" White, "." empty.
    ///
    /// >>> Board.from_rows(["..X", ".O.", "..."], to_play="w").stones().tolist()
    /// [[0, 0, 1], [0, -1, 0], [0, 0, 0]]
    #[classmethod]
    #[pyo3(signature = (
        rows, to_play="b", rules="tromp-taylor", *, komi=None, ko=None, suicide=None, scoring=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn from_rows(
        _class: &Bound<'_, PyType>,
        rows: Vec<String>,
        to_play: &str,
        rules: &str,
        komi: Option<f64>,
        ko: Option<&str>,
        suicide: Option<&str>,
        scoring: Option<&str>,
    ) -> PyResult<Self> {
        let stones = Board::from_rows(&rows).map_err(yose_error)?;
        let rules = words::rules(rules, ko, suicide, scoring)?;
        let mut board = Self::new(Game::from_board(stones, words::colour(to_play)?, rules));
        if let Some(komi) = komi {
            board.game.set_komi(half_points(komi)?);
        }
        Ok(board)
    }

    /// Plays a move and returns how many stones it captured.
    ///
    /// Colours need not alternate. Raises IllegalMoveError if the rules forbid the move; the board
    /// is then unchanged.
    #[pyo3(signature = (colour, vertex))]
    fn play(&mut self, py: Python<'_>, colour: &str, vertex: Option<Place>) -> PyResult<u16> {
        let colour = words::colour(colour)?;
        let mv = words::a_move(self.size(), vertex)?;
        match self.game.play_as(colour, mv) {
            Ok(played) => Ok(played.captured),
            Err(error) => Err(illegal(py, &self.size().gtp_move(mv), error)),
        }
    }

    /// Plays moves one after the other: pairs of colour and vertex.
    ///
    /// Raises IllegalMoveError at the first that is illegal; those before it have been played.
    fn play_all(&mut self, py: Python<'_>, moves: Vec<(String, Option<Place>)>) -> PyResult<()> {
        for (colour, vertex) in moves {
            self.play(py, &colour, vertex)?;
        }
        Ok(())
    }

    /// Takes the last move back; False if there is none.
    fn undo(&mut self) -> bool {
        self.game.undo()
    }

    /// Whether the rules allow a move now; a pass they always do.
    #[pyo3(signature = (colour, vertex))]
    fn is_legal(&self, colour: &str, vertex: Option<Place>) -> PyResult<bool> {
        let mv = words::a_move(self.size(), vertex)?;
        Ok(self.game.is_legal(words::colour(colour)?, mv))
    }

    /// The vertices where a colour (left out, the side to move) may play, in reading order. The
    /// pass, always legal, is not among them.
    #[pyo3(signature = (colour=None))]
    fn legal_moves(&self, colour: Option<&str>) -> PyResult<Vec<String>> {
        let colour = self.colour_or_turn(colour)?;
        Ok(self
            .game
            .legal_moves(colour)
            .map(|point| self.size().gtp(point))
            .collect())
    }

    /// The legal moves as a bool array of rows * cols + 1, the index of a policy: row * cols + column,
    /// the pass last.
    #[pyo3(signature = (colour=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        colour: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let colour = self.colour_or_turn(colour)?;
        let legal = |point| self.game.is_legal(colour, Move::Place(point));
        let mut mask: Vec<bool> = self.size().points().map(legal).collect();
        mask.push(true);
        Ok(mask.into_pyarray(py))
    }

    /// The score, Black minus White, komi and handicap counted, by the rules of the board. Dead
    /// stones are those named (one of a chain stands for all), and no others.
    ///
    /// >>> Board.from_rows([".X.O.", ".X.O.", ".X.O."], komi=0.5).score()
    /// -0.5
    #[pyo3(signature = (dead=None, seki=None))]
    fn score(&self, dead: Option<Vec<Place>>, seki: Option<Vec<Place>>) -> PyResult<f64> {
        let score = score(&self.game, &self.agreed(dead, seki)?).map_err(yose_error)?;
        Ok(f64::from(score.half_points()) / 2.0)
    }

    /// The score as SGF writes it: "B+3.5", "W+12", "0".
    #[pyo3(signature = (dead=None, seki=None))]
    fn result(&self, dead: Option<Vec<Place>>, seki: Option<Vec<Place>>) -> PyResult<String> {
        let score = score(&self.game, &self.agreed(dead, seki)?).map_err(yose_error)?;
        Ok(score.to_string())
    }

    /// Who owns each point under the rules' counting: an int8 array, 1 Black, -1 White, 0 nobody.
    #[pyo3(signature = (dead=None, seki=None))]
    fn ownership<'py>(
        &self,
        py: Python<'py>,
        dead: Option<Vec<Place>>,
        seki: Option<Vec<Place>>,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let agreed = self.agreed(dead, seki)?;
        let owners = match self.game.rules().scoring {
            Scoring::Area => area(self.game.board(), &agreed),
            Scoring::Territory => territory(self.game.board(), &agreed),
        };
        let owners = owners.map_err(yose_error)?;
        self.array(
            py,
            owners.owners().iter().map(|&owner| sign(owner)).collect(),
        )
    }

    /// Vertices of stones that random games mostly see captured, one of each chain: a guess, for
    /// finished positions. The same for the same seed.
    #[pyo3(signature = (games=200, seed=0))]
    fn guess_dead(&self, py: Python<'_>, games: u32, seed: u64) -> Vec<String> {
        let (board, to_play) = (self.game.board(), self.game.to_play());
        let dead = py.detach(|| guess_dead(board, to_play, games, seed));
        dead.into_iter()
            .map(|point| self.size().gtp(point))
            .collect()
    }

    /// The stones: an int8 array of rows and columns, 1 Black, -1 White, 0 empty.
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let stone = |point| sign(self.game.board().stone(point));
        self.array(py, self.size().points().map(stone).collect())
    }

    /// "b", "w" or None.
    fn stone(&self, vertex: Place) -> PyResult<Option<&'static str>> {
        Ok(self.game.board().stone(self.point(vertex)?).map(letter))
    }

    /// How many liberties the chain at a vertex has; 0 for an empty point.
    fn liberties(&self, vertex: Place) -> PyResult<u16> {
        Ok(self.game.board().liberties(self.point(vertex)?))
    }

    /// The vertices of the chain at a vertex; none for an empty point.
    fn chain(&self, vertex: Place) -> PyResult<Vec<String>> {
        let mut stones: Vec<_> = self
            .game
            .board()
            .chain_stones(self.point(vertex)?)
            .collect();
        stones.sort_by_key(|&point| self.size().flat(point));
        Ok(stones
            .into_iter()
            .map(|point| self.size().gtp(point))
            .collect())
    }

    /// A board with the same history, free to go on on its own.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// How many rows.
    #[getter]
    fn rows(&self) -> usize {
        self.size().rows()
    }

    /// How many columns.
    #[getter]
    fn cols(&self) -> usize {
        self.size().cols()
    }

    /// The name of the rules, or "custom" if parts were changed.
    #[getter]
    fn rules(&self) -> &'static str {
        words::rules_name(self.game.rules())
    }

    /// Whose turn it is.
    #[getter]
    fn to_play(&self) -> &'static str {
        letter(self.game.to_play())
    }

    /// Points for White.
    #[getter]
    fn komi(&self) -> f64 {
        f64::from(self.game.komi()) / 2.0
    }

    #[setter]
    fn set_komi(&mut self, komi: f64) -> PyResult<()> {
        self.game.set_komi(half_points(komi)?);
        Ok(())
    }

    /// How many handicap stones Black was given, for counting.
    #[getter]
    fn handicap(&self) -> u16 {
        self.game.handicap()
    }

    #[setter]
    fn set_handicap(&mut self, stones: u16) {
        self.game.set_handicap(stones);
    }

    /// The moves so far: pairs of colour and vertex.
    #[getter]
    fn moves(&self) -> Vec<(&'static str, String)> {
        let size = self.size();
        self.game
            .moves()
            .iter()
            .map(|ply| (letter(ply.colour), size.gtp_move(ply.mv)))
            .collect()
    }

    /// Stones taken by Black and by White.
    #[getter]
    fn captures(&self) -> (u32, u32) {
        let board = self.game.board();
        (board.captures(Colour::Black), board.captures(Colour::White))
    }

    /// Where a ko may not be retaken now, or None.
    #[getter]
    fn ko(&self) -> Option<String> {
        self.game
            .board()
            .ko_point()
            .map(|point| self.size().gtp(point))
    }

    /// Whether the last two moves were passes.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// A 64-bit number of the stones, the same in every version and on every machine.
    #[getter]
    fn hash(&self) -> u64 {
        self.game.board().hash()
    }

    /// Where the record that the board was played from did what the rules do not allow.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The board as SVG. `labels` puts short texts on vertices.
    #[pyo3(signature = (labels=None, *, coordinates=true, cell=24.0))]
    fn svg(
        &self,
        labels: Option<Vec<(Place, String)>>,
        coordinates: bool,
        cell: f64,
    ) -> PyResult<String> {
        if !(cell.is_finite() && (1.0..=1000.0).contains(&cell)) {
            return Err(yose_error(format!("cell is 1 to 1000 pixels, not {cell}")));
        }
        let labels = labels.unwrap_or_default().into_iter();
        let labels: PyResult<_> = labels
            .map(|(at, text)| Ok((self.point(at)?, text)))
            .collect();
        let last = self.game.moves().last().and_then(|ply| ply.mv.point());
        let style = GoBoardStyle {
            cell,
            coordinates,
            last,
            labels: labels?,
            ..GoBoardStyle::default()
        };
        Ok(go_board_svg(self.game.board(), &style))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, true, 24.0)
    }

    fn __str__(&self) -> String {
        self.game.board().to_rows().join("\n")
    }

    fn __repr__(&self) -> String {
        format!(
            "<yose.go.Board {}x{} {}, {} moves, {} to play>",
            self.rows(),
            self.cols(),
            self.rules(),
            self.game.moves().len(),
            self.to_play(),
        )
    }
}

/// The rules that a record is played by, if they are named.
pub(crate) fn named_rules(name: Option<&str>) -> PyResult<Option<Rules>> {
    name.map(|name| words::rules(name, None, None, None))
        .transpose()
}
