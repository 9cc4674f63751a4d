//! Arguments: colours, vertices and rules as Python has them.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use yose_go::{Colour, KoRule, Move, Point, Rules, Scoring, Size, Suicide};

use crate::error::yose_error;

/// A vertex, row and column from the top left, or nothing for a pass.
pub(crate) enum Place {
    /// `D4` or `pass`.
    Vertex(String),
    /// `(row, column)`.
    RowCol(usize, usize),
}

impl<'py> FromPyObject<'_, 'py> for Place {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.extract::<String>() {
            return Ok(Self::Vertex(text));
        }
        if let Ok(pair) = object.cast::<PyTuple>()
            && pair.len() == 2
        {
            let coordinate = |i| pair.get_item(i)?.extract::<Whole>()?.size();
            return Ok(Self::RowCol(coordinate(0)?, coordinate(1)?));
        }
        Err(wrong("a vertex, such as \"D4\", or (row, column)", &object))
    }
}

/// The move that is meant; nothing is a pass.
pub(crate) fn a_move(size: Size, place: Option<Place>) -> PyResult<Move> {
    match place {
        None => Ok(Move::Pass),
        Some(Place::Vertex(text)) => size.parse_gtp(text.trim()).map_err(yose_error),
        Some(Place::RowCol(row, col)) => size.point(row, col).map(Move::Place).map_err(yose_error),
    }
}

/// The point that is meant; a pass is none.
pub(crate) fn point(size: Size, place: Place) -> PyResult<Point> {
    a_move(size, Some(place))?
        .point()
        .ok_or_else(|| yose_error("expected a point, got a pass"))
}

/// All points that are meant.
pub(crate) fn points(size: Size, places: Option<List<Place>>) -> PyResult<Vec<Point>> {
    places
        .map_or_else(Vec::new, |places| places.0)
        .into_iter()
        .map(|place| point(size, place))
        .collect()
}

/// `b` or `w`.
pub(crate) fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "b",
        Colour::White => "w",
    }
}

/// Rules by name, with parts changed.
pub(crate) fn rules(
    name: &str,
    ko: Option<&str>,
    suicide: Option<&str>,
    scoring: Option<&str>,
) -> PyResult<(&'static str, Rules)> {
    let (name, mut rules) = Rules::named(name).ok_or_else(|| {
        let names = Rules::NAMED.map(|(name, _)| name).join(", ");
        yose_error(format!("no rules are called {name:?}; there are {names}"))
    })?;
    if let Some(text) = ko {
        rules.ko = one_of("ko", text, &KO)?;
    }
    if let Some(text) = suicide {
        rules.suicide = one_of("suicide", text, &SUICIDE)?;
    }
    if let Some(text) = scoring {
        rules.scoring = one_of("scoring", text, &SCORING)?;
    }
    Ok((name, rules))
}

const KO: [(&str, KoRule); 4] = [
    ("none", KoRule::None),
    ("simple", KoRule::Simple),
    ("positional", KoRule::Positional),
    ("situational", KoRule::Situational),
];

const SUICIDE: [(&str, Suicide); 3] = [
    ("forbidden", Suicide::Forbidden),
    ("multi-stone", Suicide::MultiStone),
    ("allowed", Suicide::Allowed),
];

const SCORING: [(&str, Scoring); 2] = [("area", Scoring::Area), ("territory", Scoring::Territory)];

/// The parts of rules that can be changed, in words: ko, suicide, scoring.
pub(crate) fn parts(rules: Rules) -> [&'static str; 3] {
    [
        word(rules.ko, &KO),
        word(rules.suicide, &SUICIDE),
        word(rules.scoring, &SCORING),
    ]
}

fn word<T: Copy + PartialEq>(value: T, choices: &[(&'static str, T)]) -> &'static str {
    let found = choices.iter().find(|(_, choice)| *choice == value);
    found.map_or("", |(name, _)| name)
}

fn one_of<T: Copy>(what: &str, text: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices
        .iter()
        .find(|(name, _)| *name == text)
        .map(|&(_, value)| value)
        .ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            yose_error(format!(
                "{what} is one of {}, not {text:?}",
                names.join(", ")
            ))
        })
}

/// An argument of another type than is due.
pub(crate) fn wrong(expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    let kind = got.get_type().name();
    let kind = kind.map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, got {kind}"))
}

/// Text.
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = object.extract().map_err(|_| wrong("text", &object))?;
        Ok(Self(text))
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A colour: `b` or `w`.
#[derive(Clone, Copy)]
pub(crate) struct Side(pub(crate) Colour);

impl<'py> FromPyObject<'_, 'py> for Side {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let expected = "a colour, \"b\" or \"w\"";
        let text: String = object.extract().map_err(|_| wrong(expected, &object))?;
        let colour = Colour::parse(text.trim());
        colour
            .map(Self)
            .ok_or_else(|| yose_error(format!("expected a colour, b or w, got {text:?}")))
    }
}

/// A whole number that is not negative. One that is, or is too large, is no wrong type but a wrong
/// value.
#[derive(Clone, Copy)]
pub(crate) struct Whole(u64);

impl Whole {
    /// As a number of another type.
    pub(crate) fn to<T: TryFrom<u64>>(self) -> PyResult<T> {
        let Self(number) = self;
        T::try_from(number).map_err(|_| yose_error(format!("{number} is too large")))
    }

    pub(crate) fn size(self) -> PyResult<usize> {
        self.to()
    }
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        object.extract().map(Self).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                let number = object
                    .str()
                    .map_or_else(|_| String::new(), |s| s.to_string());
                let shown: String = number.chars().take(30).collect();
                yose_error(format!("expected a number from 0 to 2^64 - 1, got {shown}"))
            } else {
                wrong("a whole number", &object)
            }
        })
    }
}

/// Any number.
#[derive(Clone, Copy)]
pub(crate) struct Real(pub(crate) f64);

impl<'py> FromPyObject<'_, 'py> for Real {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        object.extract().map(Self).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                yose_error("the number is too large")
            } else {
                wrong("a number", &object)
            }
        })
    }
}

/// A list, or anything else that can be gone through; text is taken for a mistake.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T> FromPyObject<'_, 'py> for List<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_text = object.is_instance_of::<PyString>();
        let items = object.try_iter().ok().filter(|_| !is_text);
        let items = items.ok_or_else(|| wrong("a list", &object))?;
        let items: PyResult<_> = items.map(|item| item?.extract()).collect();
        items.map(Self)
    }
}

/// A tuple of two.
pub(crate) struct Pair<A, B>(pub(crate) A, pub(crate) B);

impl<'py, A, B> FromPyObject<'_, 'py> for Pair<A, B>
where
    A: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    B: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let pair = object.cast::<PyTuple>();
        let pair = pair.ok().filter(|pair| pair.len() == 2);
        let pair = pair.ok_or_else(|| wrong("a pair", &object))?;
        Ok(Self(
            pair.get_item(0)?.extract()?,
            pair.get_item(1)?.extract()?,
        ))
    }
}
