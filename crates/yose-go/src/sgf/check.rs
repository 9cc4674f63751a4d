//! What the values of a game mean, held against what the standard says: the second half of reading.

use super::access::move_colour;
use super::properties::{self, Count, Place as Where, Spec, Type};
use super::repair::{Fault, Repairs, excerpt};
use super::text::split_composed;
use super::tree::{NodeRef, Property, ShortId, Tree, Value};
use super::value::{self, Place, PointSet, Seen, SgfSize};

/// Looks through all properties of a game.
pub(super) fn check(tree: &Tree, game: usize, repairs: &mut Repairs) {
    let mut checker = Checker {
        tree,
        game,
        size: tree.board_size(),
        is_go: tree.is_go(),
        format: tree.format(),
        repairs,
    };
    for node in tree.nodes() {
        checker.node(node);
    }
}

struct Checker<'a> {
    tree: &'a Tree,
    game: usize,
    size: SgfSize,
    is_go: bool,
    format: i64,
    repairs: &'a mut Repairs,
}

impl Checker<'_> {
    fn report(&mut self, offset: usize, fault: Fault) {
        self.repairs.add(offset, self.game, fault);
    }

    fn node(&mut self, node: NodeRef<'_>) {
        let mut acting: Option<(ShortId, Where)> = None;
        let mut set_up = None;
        for property in node.properties() {
            let short = property.short_id();
            let id = short.as_str();
            self.name(property, id);
            let Some(spec) = properties::spec(id) else {
                continue;
            };
            if spec.place == Where::Root && node.parent().is_some() {
                self.report(
                    property.offset(),
                    Fault::NotInRoot {
                        name: id.to_string(),
                    },
                );
                continue;
            }
            self.values(property, id, spec);
            let is_move = self.is_go && move_colour(property).is_some();
            let is_setup = self.is_go && spec.place == Where::Setup;
            if is_move || is_setup {
                let kind = spec.place;
                match &acting {
                    Some((with, earlier)) if is_move || *earlier != kind => {
                        // FF[1] to FF[3] had no rule against it.
                        if self.format >= 4 {
                            let (name, with) = (id.to_string(), with.as_str().to_string());
                            self.report(property.offset(), Fault::MixedNode { name, with });
                        }
                    }
                    Some(_) => {}
                    None => acting = Some((property.short_id(), kind)),
                }
            }
            if is_setup && spec.value == Type::Point {
                self.conflicts(property, id, set_up.get_or_insert_with(PointSet::new));
            }
        }
    }

    fn name(&mut self, property: &Property, id: &str) {
        let name = property.written_name();
        let small = name.bytes().any(|b| b.is_ascii_lowercase());
        let capitals = name.bytes().any(|b| b.is_ascii_uppercase());
        if small && (self.format >= 4 || !capitals) {
            let fault = Fault::SmallLetters {
                name: name.to_string(),
                id: id.to_string(),
            };
            self.report(property.offset(), fault);
        }
        if name.bytes().any(|b| b.is_ascii_digit()) {
            self.report(
                property.offset(),
                Fault::DigitInName {
                    name: name.to_string(),
                },
            );
        }
    }

    fn values(&mut self, property: &Property, id: &str, spec: Spec) {
        let values = property.values();
        if spec.count == Count::One {
            for value in &values[1..] {
                let text = excerpt(&self.tree.decoded(value));
                self.report(
                    value.offset(),
                    Fault::ExtraValue {
                        name: id.to_string(),
                        text,
                    },
                );
            }
            self.value(id, &values[0], spec.value);
            return;
        }
        if spec.count == Count::ManyOrNone && values.len() == 1 && values[0].raw().is_empty() {
            return;
        }
        // Whether a list names a point twice is asked here unless the set-up of a node asks it.
        let mut seen = (spec.value == Type::Point && spec.place != Where::Setup && self.is_go)
            .then(PointSet::new);
        for value in values {
            self.value(id, value, spec.value);
            if let Some(seen) = &mut seen {
                let text = self.tree.decoded(value);
                if let Place::On(rectangle) = value::rectangle(&text, self.size)
                    && seen.add(rectangle.value())
                {
                    let name = id.to_string();
                    self.report(
                        value.offset(),
                        Fault::RepeatedPoint {
                            name,
                            text: text.into_owned(),
                        },
                    );
                }
            }
        }
    }

    /// Points set up in two ways, or twice, by the properties of a node.
    fn conflicts(&mut self, property: &Property, id: &str, before: &mut PointSet) {
        let mut own = PointSet::new();
        for value in property.values() {
            let text = self.tree.decoded(value);
            let Place::On(rectangle) = value::rectangle(&text, self.size) else {
                continue;
            };
            let rectangle = rectangle.value();
            let name = id.to_string();
            if own.add(rectangle) {
                self.report(
                    value.offset(),
                    Fault::RepeatedPoint {
                        name,
                        text: text.into_owned(),
                    },
                );
            } else if before.clone().add(rectangle) {
                self.report(
                    value.offset(),
                    Fault::SetupConflict {
                        name,
                        text: text.into_owned(),
                    },
                );
            }
        }
        before.unite(&own);
    }

    fn value(&mut self, id: &str, value: &Value, expected: Type) {
        match expected {
            Type::Unknown | Type::Text | Type::SimpleText => return,
            Type::Point | Type::Move | Type::PointPoint | Type::PointText if !self.is_go => return,
            _ => {}
        }
        let text = self.tree.decoded(value);
        if let Some(fault) = self.fault(id, &text, expected) {
            self.report(value.offset(), fault);
        }
    }

    fn fault(&self, id: &str, text: &str, expected: Type) -> Option<Fault> {
        let size = self.size;
        match expected {
            Type::Nothing => (!text.is_empty()).then(|| loose(id, "no value", text, "none")),
            Type::Number if id == "HA" => {
                let expected = "a number of stones, less than the board has points";
                of(id, expected, text, value::handicap(text, size))
            }
            Type::Number => of(id, "a whole number", text, value::number(text)),
            Type::Real if id == "KM" => of(id, "points", text, value::komi(text)),
            Type::Real => of(id, "a number", text, value::real(text)),
            Type::Double => of(id, "1 or 2", text, value::double(text)),
            Type::Colour => of(id, "B or W", text, value::colour(text)),
            Type::Size if self.is_go => self.size_fault(id, text),
            Type::Move => self.placed(id, "a point, or nothing", text, &value::a_move(text, size)),
            Type::Point => self.placed(id, "points", text, &value::rectangle(text, size)),
            Type::PointPoint => {
                let Some((from, to)) = text.split_once(':') else {
                    return Some(bad(id, "two points", text));
                };
                let fault = |point| self.placed(id, "two points", text, &value::point(point, size));
                fault(from).or_else(|| fault(to))
            }
            Type::PointText => {
                let (at, Some(_)) = split_composed(text) else {
                    return Some(bad(id, "a point and a text", text));
                };
                self.placed(id, "a point and a text", text, &value::point(at, size))
            }
            Type::TextText => {
                let (first, second) = split_composed(text);
                second
                    .is_none()
                    .then(|| loose(id, "two texts", text, &format!("{first} and nothing")))
            }
            Type::Figure => {
                let (flags, _) = split_composed(text);
                if text.is_empty() {
                    return None;
                }
                of(
                    id,
                    "nothing, or a number and a text",
                    text,
                    value::number(flags),
                )
            }
            Type::Size | Type::Unknown | Type::Text | Type::SimpleText => None,
        }
    }

    fn size_fault(&self, id: &str, text: &str) -> Option<Fault> {
        match value::size(text) {
            Some(Seen::Proper(_)) => None,
            Some(Seen::Loose(SgfSize { columns, rows })) => {
                let read_as = format!("{columns} columns and {rows} rows");
                Some(loose(
                    id,
                    "one number, or columns:rows if they differ",
                    text,
                    &read_as,
                ))
            }
            None => {
                let SgfSize { columns, rows } = self.size;
                Some(Fault::BadSize {
                    text: excerpt(text),
                    columns,
                    rows,
                })
            }
        }
    }

    fn placed<T>(
        &self,
        id: &str,
        expected: &'static str,
        text: &str,
        place: &Place<T>,
    ) -> Option<Fault> {
        match place {
            Place::On(Seen::Proper(_)) => None,
            Place::On(Seen::Loose(_)) => {
                let read_as = if text.trim().is_empty() {
                    "a pass"
                } else {
                    "its points"
                };
                Some(loose(id, expected, text, read_as))
            }
            Place::OffBoard => Some(Fault::OffBoard {
                name: id.to_string(),
                text: excerpt(text),
                columns: self.size.columns,
                rows: self.size.rows,
            }),
            Place::None => Some(bad(id, expected, text)),
        }
    }
}

fn of<T: std::fmt::Debug>(
    id: &str,
    expected: &'static str,
    text: &str,
    seen: Option<Seen<T>>,
) -> Option<Fault> {
    match seen {
        Some(Seen::Proper(_)) => None,
        Some(Seen::Loose(value)) => Some(loose(id, expected, text, &format!("{value:?}"))),
        None => Some(bad(id, expected, text)),
    }
}

fn bad(id: &str, expected: &'static str, text: &str) -> Fault {
    Fault::BadValue {
        name: id.to_string(),
        expected,
        text: excerpt(text),
    }
}

fn loose(id: &str, expected: &'static str, text: &str, read_as: &str) -> Fault {
    Fault::LooseValue {
        name: id.to_string(),
        expected,
        text: excerpt(text),
        read_as: read_as.to_string(),
    }
}
