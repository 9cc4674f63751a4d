//! Arguments: colours, vertices and rules as Python has them.

use pyo3::prelude::*;
use yose_go::{Colour, KoRule, Move, Point, Rules, Scoring, Size, Suicide};

use crate::error::yose_error;

/// A place as it can be given: a vertex, row and column from the top left, or nothing for a pass.
#[derive(FromPyObject)]
pub(crate) enum Place {
    /// `D4` or `pass`.
    Vertex(String),
    /// `(row, column)`.
    RowCol(usize, usize),
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
pub(crate) fn points(size: Size, places: Option<Vec<Place>>) -> PyResult<Vec<Point>> {
    places
        .unwrap_or_default()
        .into_iter()
        .map(|place| point(size, place))
        .collect()
}

/// The colour that is meant.
pub(crate) fn colour(text: &str) -> PyResult<Colour> {
    Colour::parse(text.trim())
        .ok_or_else(|| yose_error(format!("expected a colour, b or w, got {text:?}")))
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
) -> PyResult<Rules> {
    let mut rules = Rules::by_name(name).ok_or_else(|| {
        let names = Rules::NAMED.map(|(name, _)| name).join(", ");
        yose_error(format!("no rules are called {name:?}; there are {names}"))
    })?;
    if let Some(text) = ko {
        rules.ko = one_of(
            "ko",
            text,
            &[
                ("none", KoRule::None),
                ("simple", KoRule::Simple),
                ("positional", KoRule::Positional),
                ("situational", KoRule::Situational),
            ],
        )?;
    }
    if let Some(text) = suicide {
        rules.suicide = one_of(
            "suicide",
            text,
            &[
                ("forbidden", Suicide::Forbidden),
                ("multi-stone", Suicide::MultiStone),
                ("allowed", Suicide::Allowed),
            ],
        )?;
    }
    if let Some(text) = scoring {
        rules.scoring = one_of(
            "scoring",
            text,
            &[("area", Scoring::Area), ("territory", Scoring::Territory)],
        )?;
    }
    Ok(rules)
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

/// The name of rules, or `custom`.
pub(crate) fn rules_name(rules: Rules) -> &'static str {
    Rules::NAMED
        .iter()
        .find(|(_, known)| *known == rules)
        .map_or("custom", |(name, _)| name)
}
