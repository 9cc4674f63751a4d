//! Reading properties as what they mean.

use std::borrow::Cow;

use super::properties::{self, Type};
use super::text;
use super::tree::{NodeRef, Property, Tree, Value};
use super::value::{self, Place, PointSet, SgfPoint, SgfSize};
use crate::colour::Colour;

impl Tree {
    /// [`Tree::escaped_text`], borrowed where that can be.
    pub(super) fn decoded<'a>(&self, value: &'a Value) -> Cow<'a, str> {
        self.charset().decode(value.raw())
    }

    /// A value decoded, its escapes still in it.
    #[must_use]
    pub fn escaped_text(&self, value: &Value) -> String {
        self.decoded(value).into_owned()
    }

    /// A value as text: decoded, then unescaped. Line breaks are `\n`; in properties of simple
    /// text, and in those the standard does not know, see [`Tree::simple_text`].
    #[must_use]
    pub fn text(&self, value: &Value) -> String {
        text::unescape(&self.decoded(value))
    }

    /// A value as simple text: one line, line breaks being spaces.
    #[must_use]
    pub fn simple_text(&self, value: &Value) -> String {
        text::unescape_simple(&self.decoded(value))
    }

    /// The size of the board that `SZ` gives: 19 columns and rows if there is none, or none that
    /// can be.
    #[must_use]
    pub fn board_size(&self) -> SgfSize {
        self.root()
            .first_escaped("SZ")
            .and_then(|text| value::size(&text))
            .map_or(SgfSize::STANDARD, value::Seen::value)
    }

    /// The number of the format, 1 to 4; 1 without `FF`, as the standard says.
    #[must_use]
    pub fn format(&self) -> i64 {
        self.root().number("FF").unwrap_or(1)
    }

    /// Whether this is a record of Go: `GM[1]`, or no `GM`.
    #[must_use]
    pub fn is_go(&self) -> bool {
        self.root().get("GM").is_none() || self.root().number("GM") == Some(1)
    }
}

/// Typed access. A property with values that are none (see [`Fault`](super::Fault)) is read as if
/// these were not there; of several values where one is due, the first counts.
impl<'a> NodeRef<'a> {
    pub(super) fn first_escaped(self, id: &str) -> Option<Cow<'a, str>> {
        let property = self.get(id)?;
        Some(self.tree().decoded(&property.values()[0]))
    }

    fn escaped_values(self, id: &str) -> impl Iterator<Item = Cow<'a, str>> + 'a {
        let tree = self.tree();
        let values = self.get(id).map_or(&[][..], Property::values);
        values.iter().map(|value| tree.decoded(value))
    }

    /// The first value as text; of properties that the standard says are simple text, as one line.
    #[must_use]
    pub fn text(self, id: &str) -> Option<String> {
        let value = &self.get(id)?.values()[0];
        let simple = properties::spec(id).is_some_and(|spec| spec.value == Type::SimpleText);
        Some(if simple {
            self.tree().simple_text(value)
        } else {
            self.tree().text(value)
        })
    }

    /// The first value as a whole number.
    #[must_use]
    pub fn number(self, id: &str) -> Option<i64> {
        value::number(&self.first_escaped(id)?).map(value::Seen::value)
    }

    /// The first value as a decimal number, with a comma or a point.
    #[must_use]
    pub fn real(self, id: &str) -> Option<f64> {
        value::real(&self.first_escaped(id)?).map(value::Seen::value)
    }

    /// The first value as a colour.
    #[must_use]
    pub fn colour(self, id: &str) -> Option<Colour> {
        value::colour(&self.first_escaped(id)?).map(value::Seen::value)
    }

    /// The points of a list, rectangles taken apart, each once, in reading order.
    #[must_use]
    pub fn points(self, id: &str) -> Vec<SgfPoint> {
        let size = self.tree().board_size();
        let mut set = PointSet::new();
        for text in self.escaped_values(id) {
            if let Place::On(seen) = value::rectangle(&text, size) {
                set.add(seen.value());
            }
        }
        set.points()
    }

    /// The points of a list of `point:text` (`LB`), with their texts, in the order of the file.
    #[must_use]
    pub fn labels(self, id: &str) -> Vec<(SgfPoint, String)> {
        let size = self.tree().board_size();
        self.escaped_values(id)
            .filter_map(|text| {
                let (at, label) = text::split_composed(&text);
                match value::point(at, size) {
                    Place::On(seen) => Some((seen.value(), text::unescape_simple(label?))),
                    _ => None,
                }
            })
            .collect()
    }

    /// The pairs of a list of `point:point` (`AR`, `LN`), in the order of the file.
    #[must_use]
    pub fn point_pairs(self, id: &str) -> Vec<(SgfPoint, SgfPoint)> {
        let size = self.tree().board_size();
        self.escaped_values(id)
            .filter_map(|text| {
                let (from, to) = text.split_once(':')?;
                match (value::point(from, size), value::point(to, size)) {
                    (Place::On(from), Place::On(to)) => Some((from.value(), to.value())),
                    _ => None,
                }
            })
            .collect()
    }

    /// The first value as a pair of texts (`AP`).
    #[must_use]
    pub fn text_pair(self, id: &str) -> Option<(String, String)> {
        let text = self.first_escaped(id)?;
        let (first, second) = text::split_composed(&text);
        let second = text::unescape_simple(second.unwrap_or_default());
        Some((text::unescape_simple(first), second))
    }

    /// The moves of this node in the order of the file: one, unless the file is an odd one. `None`
    /// for the point is a pass.
    #[must_use]
    pub fn moves(self) -> Vec<(Colour, Option<SgfPoint>)> {
        if !self.tree().is_go() {
            return Vec::new();
        }
        let size = self.tree().board_size();
        self.properties()
            .iter()
            .filter_map(|property| {
                let (colour, place) = a_move(self.tree(), property, size)?;
                Some((colour, place?))
            })
            .collect()
    }

    /// The stones set up and taken away in this node, in the order of the file: what an earlier
    /// one says of a point, a later one overrules.
    #[must_use]
    pub fn setup(self) -> Vec<(Option<Colour>, Vec<SgfPoint>)> {
        if !self.tree().is_go() {
            return Vec::new();
        }
        self.properties()
            .iter()
            .filter_map(|property| {
                let (id, stone) = setup_stone(property)?;
                Some((stone, self.points(id)))
            })
            .collect()
    }
}

/// Whose move a property is, and which: nothing if its value is none or off the board.
pub(super) fn a_move(
    tree: &Tree,
    property: &Property,
    size: SgfSize,
) -> Option<(Colour, Option<Option<SgfPoint>>)> {
    let colour = move_colour(property)?;
    let place = match value::a_move(&tree.decoded(&property.values()[0]), size) {
        Place::On(seen) => Some(seen.value()),
        Place::OffBoard | Place::None => None,
    };
    Some((colour, place))
}

/// Whose move a property is.
pub(super) fn move_colour(property: &Property) -> Option<Colour> {
    if property.is("B") {
        Some(Colour::Black)
    } else if property.is("W") {
        Some(Colour::White)
    } else {
        None
    }
}

/// What a set-up property puts on its points.
fn setup_stone(property: &Property) -> Option<(&'static str, Option<Colour>)> {
    [
        ("AB", Some(Colour::Black)),
        ("AW", Some(Colour::White)),
        ("AE", None),
    ]
    .into_iter()
    .find(|(id, _)| property.is(id))
}
