//! What the text of a value means: numbers, colours, points, rectangles.
//!
//! Every function says whether the value was written as it should be (`Loose` if it was not but
//! its meaning is clear), so that reading and checking cannot differ.

use crate::colour::Colour;

/// A value, and whether it was written as it should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Seen<T> {
    /// As it should be.
    Proper(T),
    /// Clear, but not as it should be.
    Loose(T),
}

impl<T> Seen<T> {
    pub(super) fn value(self) -> T {
        match self {
            Self::Proper(value) | Self::Loose(value) => value,
        }
    }

    fn new(value: T, proper: bool) -> Self {
        if proper {
            Self::Proper(value)
        } else {
            Self::Loose(value)
        }
    }
}

/// The size of a board that records can describe: 1 to 52 columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SgfSize {
    /// From left to right.
    pub columns: u8,
    /// From top to bottom.
    pub rows: u8,
}

impl SgfSize {
    /// The size without `SZ`.
    pub const STANDARD: Self = Self {
        columns: 19,
        rows: 19,
    };

    /// Whether `tt` is a pass, as on boards up to 19x19.
    fn tt_is_pass(self) -> bool {
        self.columns <= 19 && self.rows <= 19
    }

    fn has(self, point: SgfPoint) -> bool {
        point.column < self.columns && point.row < self.rows
    }
}

/// A point of a record: column from the left and row from the top, from 0; letters a-z, then A-Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SgfPoint {
    /// 0 is the top row.
    pub row: u8,
    /// 0 is the leftmost column.
    pub column: u8,
}

impl SgfPoint {
    /// The two letters, column first.
    ///
    /// # Examples
    ///
    /// ```
    /// use yose_go::sgf::SgfPoint;
    ///
    /// assert_eq!(SgfPoint { column: 25, row: 26 }.letters(), Some("zA".to_string()));
    /// ```
    #[must_use]
    pub fn letters(self) -> Option<String> {
        Some([letter(self.column)?, letter(self.row)?].iter().collect())
    }

    fn from_letters(text: &str) -> Option<Self> {
        let [column, row] = text.as_bytes() else {
            return None;
        };
        Some(Self {
            column: coordinate(*column)?,
            row: coordinate(*row)?,
        })
    }
}

fn letter(coordinate: u8) -> Option<char> {
    match coordinate {
        0..26 => Some(char::from(b'a' + coordinate)),
        26..52 => Some(char::from(b'A' + coordinate - 26)),
        _ => None,
    }
}

fn coordinate(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

/// What a move, or a point, can turn out to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place<T> {
    On(Seen<T>),
    OffBoard,
    None,
}

/// A move: a point, or nothing for a pass.
pub(super) fn a_move(text: &str, size: SgfSize) -> Place<Option<SgfPoint>> {
    let trimmed = text.trim();
    let proper = trimmed.len() == text.len();
    if trimmed.is_empty() || (trimmed == "tt" && size.tt_is_pass()) {
        return Place::On(Seen::new(None, proper));
    }
    match SgfPoint::from_letters(trimmed) {
        Some(point) if size.has(point) => Place::On(Seen::new(Some(point), proper)),
        Some(_) => Place::OffBoard,
        None => Place::None,
    }
}

/// A single point.
pub(super) fn point(text: &str, size: SgfSize) -> Place<SgfPoint> {
    let trimmed = text.trim();
    match SgfPoint::from_letters(trimmed) {
        Some(point) if size.has(point) => Place::On(Seen::new(point, trimmed.len() == text.len())),
        Some(_) => Place::OffBoard,
        None => Place::None,
    }
}

/// The corners of a rectangle, upper left first. A single point is a rectangle too.
pub(super) fn rectangle(text: &str, size: SgfSize) -> Place<(SgfPoint, SgfPoint)> {
    let Some((first, second)) = text.split_once(':') else {
        return match point(text, size) {
            Place::On(seen) => {
                let proper = matches!(seen, Seen::Proper(_));
                let p = seen.value();
                Place::On(Seen::new((p, p), proper))
            }
            Place::OffBoard => Place::OffBoard,
            Place::None => Place::None,
        };
    };
    match (point(first, size), point(second, size)) {
        (Place::On(a), Place::On(b)) => {
            let clean = matches!((a, b), (Seen::Proper(_), Seen::Proper(_)));
            let (a, b) = (a.value(), b.value());
            let low = SgfPoint {
                column: a.column.min(b.column),
                row: a.row.min(b.row),
            };
            let high = SgfPoint {
                column: a.column.max(b.column),
                row: a.row.max(b.row),
            };
            // Upper left first, and more than one point: a single one is written without colon.
            let proper = clean && (low, high) == (a, b) && low != high;
            Place::On(Seen::new((low, high), proper))
        }
        (Place::None, _) | (_, Place::None) => Place::None,
        _ => Place::OffBoard,
    }
}

/// A whole number.
pub(super) fn number(text: &str) -> Option<Seen<i64>> {
    let trimmed = text.trim();
    let digits = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let value = trimmed.parse().ok()?;
    Some(Seen::new(value, trimmed.len() == text.len()))
}

/// A decimal number; a comma for the point is understood.
pub(super) fn real(text: &str) -> Option<Seen<f64>> {
    let trimmed = text.trim();
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let (whole, part) = match unsigned.split_once(['.', ',']) {
        Some((whole, part)) => (whole, Some(part)),
        None => (unsigned, None),
    };
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !part.is_none_or(all_digits) {
        return None;
    }
    if whole.is_empty() && part.is_none_or(str::is_empty) {
        return None;
    }
    let value: f64 = trimmed.replace(',', ".").parse().ok()?;
    let proper = trimmed.len() == text.len()
        && !trimmed.contains(',')
        && !whole.is_empty()
        && part.is_none_or(|p| !p.is_empty());
    value.is_finite().then(|| Seen::new(value, proper))
}

/// `B` or `W`; small letters, words and the `1` and `2` of old programs are understood.
pub(super) fn colour(text: &str) -> Option<Seen<Colour>> {
    match text {
        "B" => return Some(Seen::Proper(Colour::Black)),
        "W" => return Some(Seen::Proper(Colour::White)),
        _ => {}
    }
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Seen::Loose(Colour::Black)),
        "w" | "white" | "2" => Some(Seen::Loose(Colour::White)),
        _ => None,
    }
}

/// `1` (normal) or `2` (emphasised); nothing is understood as 1.
pub(super) fn double(text: &str) -> Option<Seen<u8>> {
    match text {
        "1" => return Some(Seen::Proper(1)),
        "2" => return Some(Seen::Proper(2)),
        _ => {}
    }
    match text.trim() {
        "" | "1" => Some(Seen::Loose(1)),
        "2" => Some(Seen::Loose(2)),
        _ => None,
    }
}

/// The size of the board: `19` or `columns:rows`.
pub(super) fn size(text: &str) -> Option<Seen<SgfSize>> {
    let side = |text: &str| {
        let seen = number(text)?;
        let n = u8::try_from(seen.value())
            .ok()
            .filter(|n| (1..=52).contains(n))?;
        Some((n, matches!(seen, Seen::Proper(_)) && !text.starts_with('+')))
    };
    let Some((columns, rows)) = text.split_once(':') else {
        let (n, proper) = side(text)?;
        return Some(Seen::new(
            SgfSize {
                columns: n,
                rows: n,
            },
            proper,
        ));
    };
    let (columns, columns_proper) = side(columns)?;
    let (rows, rows_proper) = side(rows)?;
    // The standard forbids two numbers for a square board.
    let proper = columns_proper && rows_proper && columns != rows;
    Some(Seen::new(SgfSize { columns, rows }, proper))
}

/// Komi in points. Two ways of servers are understood, and nothing else is changed:
///
/// - hundredths: 650 is 6.5. So is read a number from 200 to 999 that is a multiple of 25 and
///   written without a point: no such komi is played for;
/// - Chinese stones, two points each: odd quarters are half of a komi in half points, so 3.75 is 7.5
///   and 275, in hundredths, 5.5.
///
/// What is 1000 or more is no komi.
#[allow(
    clippy::float_cmp,
    reason = "quarters are exact, and so is what was not changed"
)]
pub(super) fn komi(text: &str) -> Option<Seen<f64>> {
    let seen = real(text)?;
    let written = seen.value();
    if written.abs() >= 1000.0 {
        return None;
    }
    let whole = !text.contains(['.', ',']);
    let hundredths = whole && written.abs() >= 200.0 && written % 25.0 == 0.0;
    let value = if hundredths { written / 100.0 } else { written };
    let stones = (value * 4.0) % 2.0;
    let value = if stones.abs() == 1.0 {
        value * 2.0
    } else {
        value
    };
    Some(if value == written {
        seen
    } else {
        Seen::Loose(value)
    })
}

/// How many handicap stones Black was given. Servers write 0, and 1 for a game without komi, where
/// the standard wants nothing or 2 and more. Negative, or as many as the board has points, is no
/// handicap.
pub(super) fn handicap(text: &str, size: SgfSize) -> Option<Seen<u16>> {
    let points = u16::from(size.columns) * u16::from(size.rows);
    let seen = number(text)?;
    let stones = u16::try_from(seen.value()).ok().filter(|&n| n < points)?;
    Some(Seen::new(stones, matches!(seen, Seen::Proper(_))))
}

/// A set of points, for lists that may name a point twice.
#[derive(Clone)]
pub(super) struct PointSet([u64; 52]);

impl PointSet {
    pub(super) fn new() -> Self {
        Self([0; 52])
    }

    /// Adds a rectangle; whether some of its points were there already.
    pub(super) fn add(&mut self, (low, high): (SgfPoint, SgfPoint)) -> bool {
        let width = u32::from(high.column - low.column) + 1;
        let mask = ((1_u64 << width) - 1) << low.column;
        let mut seen = false;
        for row in &mut self.0[usize::from(low.row)..=usize::from(high.row)] {
            seen |= *row & mask != 0;
            *row |= mask;
        }
        seen
    }

    /// Adds all points of another set.
    pub(super) fn unite(&mut self, other: &Self) {
        for (row, more) in self.0.iter_mut().zip(&other.0) {
            *row |= more;
        }
    }

    /// All points, row by row from the top.
    pub(super) fn points(&self) -> Vec<SgfPoint> {
        let mut points = Vec::new();
        for (row, &bits) in (0_u8..).zip(&self.0) {
            for column in (0_u8..52).filter(|c| bits >> c & 1 == 1) {
                points.push(SgfPoint { row, column });
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: SgfSize = SgfSize {
        columns: 9,
        rows: 9,
    };

    fn on(column: u8, row: u8) -> SgfPoint {
        SgfPoint { column, row }
    }

    #[test]
    fn passes() {
        assert_eq!(a_move("", NINE), Place::On(Seen::Proper(None)));
        assert_eq!(a_move("tt", NINE), Place::On(Seen::Proper(None)));
        let large = SgfSize {
            columns: 20,
            rows: 20,
        };
        assert_eq!(
            a_move("tt", large),
            Place::On(Seen::Proper(Some(on(19, 19))))
        );
        let wide = SgfSize {
            columns: 21,
            rows: 9,
        };
        assert_eq!(a_move("tt", wide), Place::OffBoard);
    }

    /// fsparv/LeelaWatcher#32, pnprog/goreviewpartner#56: `B[  ]` for a pass.
    #[test]
    fn leelawatcher_32_spaces_are_a_pass() {
        assert_eq!(a_move("  ", NINE), Place::On(Seen::Loose(None)));
    }

    #[test]
    fn points_off_the_board_and_no_points() {
        assert_eq!(a_move("jj", NINE), Place::OffBoard);
        assert_eq!(a_move("ee", NINE), Place::On(Seen::Proper(Some(on(4, 4)))));
        assert_eq!(a_move(" ee", NINE), Place::On(Seen::Loose(Some(on(4, 4)))));
        for odd in ["a", "abc", "e5", "1a", "é", "a:b"] {
            assert_eq!(a_move(odd, NINE), Place::None, "{odd}");
        }
        assert_eq!(point("tt", NINE), Place::OffBoard, "a pass is no point");
        assert_eq!(
            a_move(
                "ZZ",
                SgfSize {
                    columns: 52,
                    rows: 52
                }
            ),
            Place::On(Seen::Proper(Some(on(51, 51))))
        );
    }

    #[test]
    fn rectangles() {
        assert_eq!(
            rectangle("aa:cb", NINE),
            Place::On(Seen::Proper((on(0, 0), on(2, 1))))
        );
        assert_eq!(
            rectangle("cc:aa", NINE),
            Place::On(Seen::Loose((on(0, 0), on(2, 2))))
        );
        assert_eq!(
            rectangle("ac:ca", NINE),
            Place::On(Seen::Loose((on(0, 0), on(2, 2))))
        );
        assert_eq!(
            rectangle("aa:aa", NINE),
            Place::On(Seen::Loose((on(0, 0), on(0, 0))))
        );
        assert_eq!(rectangle("aa:jj", NINE), Place::OffBoard);
        assert_eq!(rectangle("aa:", NINE), Place::None);
    }

    #[test]
    fn numbers() {
        assert_eq!(number("-12"), Some(Seen::Proper(-12)));
        assert_eq!(number(" 2 "), Some(Seen::Loose(2)));
        for bad in ["", "+", "2.5", "two", "99999999999999999999", "0x10", "1_0"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(real("6.5"), Some(Seen::Proper(6.5)));
        assert_eq!(real("+6,5"), Some(Seen::Loose(6.5)));
        assert_eq!(real("6."), Some(Seen::Loose(6.0)));
        for bad in ["", ".", "1e5", "nan", "inf", "6.5.5", "--1", "5x30"] {
            assert_eq!(real(bad), None, "{bad}");
        }
    }

    #[test]
    fn komi_of_servers() {
        assert_eq!(komi("7.5"), Some(Seen::Proper(7.5)));
        for (text, points) in [
            ("375", 7.5),
            ("325", 6.5),
            ("275", 5.5),
            ("-275", -5.5),
            ("650", 6.5),
            ("-650", -6.5),
            ("700", 7.0),
            ("3.75", 7.5),
            ("2.75", 5.5),
            ("2,75", 5.5),
            ("3.25", 6.5),
            ("0.25", 0.5),
            ("-3.75", -7.5),
            (" 6.5", 6.5),
        ] {
            assert_eq!(komi(text), Some(Seen::Loose(points)), "{text}");
        }
        for (text, points) in [
            ("0", 0.0),
            ("-5.5", -5.5),
            ("5.3", 5.3),
            ("3.7", 3.7),
            ("50", 50.0),
            ("100", 100.0),
            ("175", 175.0),
            ("361", 361.0),
            ("250.0", 250.0),
        ] {
            assert_eq!(komi(text), Some(Seen::Proper(points)), "{text}");
        }
        for text in ["1000", "-99999", "99999999999999999999", "six"] {
            assert_eq!(komi(text), None, "{text}");
        }
    }

    #[test]
    fn handicaps() {
        assert_eq!(handicap("0", NINE), Some(Seen::Proper(0)));
        assert_eq!(handicap(" 2 ", NINE), Some(Seen::Loose(2)));
        assert_eq!(handicap("80", NINE), Some(Seen::Proper(80)));
        for text in ["-3", "81", "500", "999999999999", "two", "2.5"] {
            assert_eq!(handicap(text, NINE), None, "{text}");
        }
    }

    #[test]
    fn sizes() {
        let square = |n| SgfSize {
            columns: n,
            rows: n,
        };
        assert_eq!(size("52"), Some(Seen::Proper(square(52))));
        assert_eq!(
            size("9:9"),
            Some(Seen::Loose(square(9))),
            "one number is due"
        );
        assert_eq!(
            size("13:9"),
            Some(Seen::Proper(SgfSize {
                columns: 13,
                rows: 9
            }))
        );
        for bad in ["0", "53", "-9", "nine", "9:", "9x9", "300"] {
            assert_eq!(size(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_set_of_points_holds_each_once() {
        let mut set = PointSet::new();
        assert!(!set.add((on(0, 0), on(51, 51))));
        assert!(set.add((on(3, 3), on(3, 3))));
        assert_eq!(set.points().len(), 52 * 52);
    }
}
