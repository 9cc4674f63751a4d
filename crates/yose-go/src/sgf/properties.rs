//! What the standard says about each property: how many values of which type, and where.
//!
//! FF\[4\]'s list, with what FF\[1\] to FF\[3\] had besides. <https://www.red-bean.com/sgf/>

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// `[]` and nothing else.
    Nothing,
    Number,
    Real,
    Double,
    Colour,
    SimpleText,
    Text,
    /// A point, or in lists a rectangle of points.
    Point,
    /// A point or a pass.
    Move,
    /// `point:point`.
    PointPoint,
    /// `point:text`.
    PointText,
    /// `text:text`.
    TextText,
    /// `[]` or `number:text`.
    Figure,
    /// A number or two.
    Size,
    /// Not checked.
    Unknown,
}

/// How many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    One,
    /// One or more.
    Many,
    /// One or more, or none, written `[]`.
    ManyOrNone,
}

/// Where a property stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the first node only.
    Root,
    /// Stones put on the board, and whose turn it is.
    Setup,
    /// Belongs to a move.
    Move,
    Anywhere,
}

/// What is known about a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) value: Type,
    pub(super) count: Count,
    pub(super) place: Place,
}

/// What is known about the property with this FF\[4\] name; nothing about private ones.
pub(super) fn spec(id: &str) -> Option<Spec> {
    use Count::{Many, ManyOrNone, One};
    use Place::{Anywhere, Root, Setup};
    use Type::{
        Colour, Double, Figure, Nothing, Number, Point, PointPoint, PointText, Real, SimpleText,
        Size, Text, TextText, Unknown,
    };
    let (value, count, place) = match id {
        "AP" => (TextText, One, Root),
        "CA" => (SimpleText, One, Root),
        "FF" | "GM" | "ST" => (Number, One, Root),
        "SZ" => (Size, One, Root),
        "B" | "W" => (Type::Move, One, Place::Move),
        "KO" => (Nothing, One, Place::Move),
        "MN" => (Number, One, Place::Move),
        "BM" | "TE" => (Double, One, Place::Move),
        "DO" | "IT" => (Nothing, One, Place::Move),
        "BL" | "WL" => (Real, One, Place::Move),
        "OB" | "OW" => (Number, One, Place::Move),
        "AB" | "AW" | "AE" => (Point, Many, Setup),
        "PL" => (Colour, One, Setup),
        "C" => (Text, One, Anywhere),
        "N" => (SimpleText, One, Anywhere),
        "DM" | "GB" | "GW" | "HO" | "UC" => (Double, One, Anywhere),
        "V" => (Real, One, Anywhere),
        "AR" | "LN" => (PointPoint, Many, Anywhere),
        "CR" | "MA" | "SL" | "SQ" | "TR" => (Point, Many, Anywhere),
        "DD" | "VW" | "TB" | "TW" => (Point, ManyOrNone, Anywhere),
        "LB" => (PointText, Many, Anywhere),
        "FG" => (Figure, One, Anywhere),
        "PM" => (Number, One, Anywhere),
        "AN" | "BR" | "BT" | "CP" | "DT" | "EV" | "GN" | "ON" | "OT" | "PB" | "PC" | "PW"
        | "RE" | "RO" | "RU" | "SO" | "US" | "WR" | "WT" => (SimpleText, One, Anywhere),
        "GC" => (Text, One, Anywhere),
        "TM" | "KM" => (Real, One, Anywhere),
        "HA" => (Number, One, Anywhere),
        // Of FF[1] to FF[3]; some programs used them with other values, so they are not checked.
        "L" | "M" | "RG" | "SC" => (Unknown, Many, Anywhere),
        "ID" | "LT" | "OM" | "OP" | "OV" | "SE" | "SI" | "TC" | "BS" | "WS" | "CH" | "EL"
        | "EX" => (Unknown, One, Anywhere),
        _ => return None,
    };
    Some(Spec {
        value,
        count,
        place,
    })
}
