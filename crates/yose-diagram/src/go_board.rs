//! Boards of Go as SVG: lines, star points, stones, coordinates, marks.

use std::fmt::Write;

use yose_go::{Board, Colour, Point, Size};

use crate::scale::{escape, px};

/// How a board of Go is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct GoBoardStyle {
    /// Distance between two lines in pixels.
    pub cell: f64,
    /// Letters and numbers at all four sides, as in GTP: no I, rows from the bottom.
    pub coordinates: bool,
    /// A stone with a ring on it: the last move.
    pub last: Option<Point>,
    /// Short texts on points: on a stone in its opposite colour, else on a patch of board.
    pub labels: Vec<(Point, String)>,
    /// Squares of colour (as SVG writes it, `#rrggbb`) below lines and stones: areas. A stone on one
    /// leaves its corners to be seen. The colour is attribute text and is escaped.
    pub fills: Vec<(Point, String)>,
    /// Small squares in the colour of who owns a point: territory.
    pub owned: Vec<(Point, Colour)>,
    /// Points with a ring around them: moves to look at.
    pub rings: Vec<Point>,
}

impl Default for GoBoardStyle {
    fn default() -> Self {
        Self {
            cell: 24.0,
            coordinates: true,
            last: None,
            labels: Vec::new(),
            fills: Vec::new(),
            owned: Vec::new(),
            rings: Vec::new(),
        }
    }
}

/// The picture as a complete SVG document.
///
/// Black's stones are class `black`, White's `white`, each with its vertex as `data-vertex`; colours
/// stand in the attributes, so that the picture needs no style sheet.
///
/// ```
/// use yose_diagram::{GoBoardStyle, go_board_svg};
/// use yose_go::Board;
///
/// let board = Board::from_rows(&["..X", ".O.", "..."])?;
/// let svg = go_board_svg(&board, &GoBoardStyle::default());
/// assert!(svg.contains(r#"class="black" data-vertex="C3""#));
/// # Ok::<(), yose_go::BoardTextError>(())
/// ```
#[must_use]
pub fn go_board_svg(board: &Board, style: &GoBoardStyle) -> String {
    let picture = Picture {
        size: board.size(),
        style,
    };
    let mut out = picture.open();
    for (point, colour) in &style.fills {
        picture.fill(&mut out, *point, colour);
    }
    picture.grid(&mut out);
    picture.stars(&mut out);
    if style.coordinates {
        picture.coordinates(&mut out);
    }
    for (point, colour) in board.stones() {
        picture.stone(&mut out, point, colour);
    }
    for (point, colour) in &style.owned {
        picture.owned(&mut out, *point, *colour);
    }
    for (point, text) in &style.labels {
        picture.label(&mut out, *point, text, board.stone(*point));
    }
    for point in &style.rings {
        picture.emphasis(&mut out, *point);
    }
    if let Some(point) = style.last {
        picture.ring(&mut out, point, board.stone(point));
    }
    out.push_str("</svg>\n");
    out
}

/// The colour of the board.
pub(crate) const WOOD: &str = "#e8c27a";

struct Picture<'a> {
    size: Size,
    style: &'a GoBoardStyle,
}

/// Boards have at most 25 lines, so this loses nothing.
fn number(lines: usize) -> f64 {
    u16::try_from(lines).map_or(f64::MAX, f64::from)
}

impl Picture<'_> {
    /// Of the outermost lines from the edge of the picture.
    fn margin(&self) -> f64 {
        self.style.cell * if self.style.coordinates { 1.4 } else { 0.7 }
    }

    fn x(&self, col: usize) -> f64 {
        self.margin() + self.style.cell * number(col)
    }

    fn y(&self, row: usize) -> f64 {
        self.margin() + self.style.cell * number(row)
    }

    fn open(&self) -> String {
        let (rows, cols) = (self.size.rows(), self.size.cols());
        let width = px(self.x(cols - 1) + self.margin());
        let height = px(self.y(rows - 1) + self.margin());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-label=\"Go board of {cols} columns and {rows} rows\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{WOOD}\"/>\n"
        )
    }

    fn grid(&self, out: &mut String) {
        let (right, bottom) = (self.x(self.size.cols() - 1), self.y(self.size.rows() - 1));
        let (left, top) = (self.x(0), self.y(0));
        let mut path = String::new();
        for row in 0..self.size.rows() {
            let y = px(self.y(row));
            let _ = write!(path, "M{} {y}H{}", px(left), px(right));
        }
        for col in 0..self.size.cols() {
            let x = px(self.x(col));
            let _ = write!(path, "M{x} {}V{}", px(top), px(bottom));
        }
        let _ = writeln!(
            out,
            "<path d=\"{path}\" stroke=\"#5b4421\" stroke-width=\"1\" stroke-linecap=\"square\"/>"
        );
    }

    fn stars(&self, out: &mut String) {
        for row in star_lines(self.size.rows()) {
            for col in star_lines(self.size.cols()) {
                // Nine stars from 15 lines on, five below: corners and the centre.
                let centre = |line, lines| line == lines / 2;
                let row_centre = centre(row, self.size.rows());
                let col_centre = centre(col, self.size.cols());
                let small = self.size.rows().min(self.size.cols()) < 15;
                if small && row_centre != col_centre {
                    continue;
                }
                let (x, y, r) = (px(self.x(col)), px(self.y(row)), px(self.style.cell * 0.09));
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#5b4421\"/>"
                );
            }
        }
    }

    fn coordinates(&self, out: &mut String) {
        let font = px(self.style.cell * 0.5);
        let _ = writeln!(
            out,
            "<g font-family=\"sans-serif\" font-size=\"{font}\" fill=\"#5b4421\" \
             text-anchor=\"middle\">"
        );
        let baseline = self.style.cell * 0.18;
        let away = self.style.cell * 0.9;
        let (rows, cols) = (self.size.rows(), self.size.cols());
        let mut text = |x: f64, y: f64, text: &str| {
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\">{text}</text>",
                px(x),
                px(y + baseline)
            );
        };
        for col in 0..cols {
            let vertex = self.vertex(rows - 1, col);
            let letter = vertex.trim_end_matches(|c: char| c.is_ascii_digit());
            text(self.x(col), self.y(0) - away, letter);
            text(self.x(col), self.y(rows - 1) + away, letter);
        }
        for row in 0..rows {
            let number = (rows - row).to_string();
            text(self.x(0) - away, self.y(row), &number);
            text(self.x(cols - 1) + away, self.y(row), &number);
        }
        out.push_str("</g>\n");
    }

    fn vertex(&self, row: usize, col: usize) -> String {
        self.size
            .point(row, col)
            .map_or_else(|_| String::new(), |point| self.size.gtp(point))
    }

    fn stone(&self, out: &mut String, point: Point, colour: Colour) {
        let vertex = format!(" data-vertex=\"{}\"", self.size.gtp(point));
        stone(out, self.place(point), self.style.cell, colour, &vertex);
    }

    /// The middle of a point.
    fn place(&self, point: Point) -> (f64, f64) {
        (self.x(point.col()), self.y(point.row()))
    }

    fn label(&self, out: &mut String, point: Point, text: &str, stone: Option<Colour>) {
        if !self.size.contains(point) {
            return;
        }
        let (x, y) = (self.x(point.col()), self.y(point.row()));
        if stone.is_none() {
            let (x, y, r) = (px(x), px(y), px(self.style.cell * 0.36));
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{}\"/>",
                escape(self.ground(point))
            );
        }
        letters(out, self.place(point), self.style.cell, text, stone);
    }

    /// The colour below a point.
    fn ground(&self, point: Point) -> &str {
        let fill = self.style.fills.iter().rev().find(|(at, _)| *at == point);
        fill.map_or(WOOD, |(_, colour)| colour)
    }

    fn fill(&self, out: &mut String, point: Point, colour: &str) {
        if !self.size.contains(point) {
            return;
        }
        let half = self.style.cell / 2.0;
        let _ = writeln!(
            out,
            "<rect class=\"area\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{}\"/>",
            px(self.x(point.col()) - half),
            px(self.y(point.row()) - half),
            escape(colour),
            side = px(self.style.cell),
        );
    }

    fn owned(&self, out: &mut String, point: Point, colour: Colour) {
        if self.size.contains(point) {
            owned(out, self.place(point), self.style.cell, colour);
        }
    }

    fn emphasis(&self, out: &mut String, point: Point) {
        if self.size.contains(point) {
            best(out, self.place(point), self.style.cell);
        }
    }

    fn ring(&self, out: &mut String, point: Point, stone: Option<Colour>) {
        if self.size.contains(point) {
            last(out, self.place(point), self.style.cell, stone);
        }
    }
}

/// A stone; `more` are further attributes.
pub(crate) fn stone(out: &mut String, (x, y): (f64, f64), cell: f64, colour: Colour, more: &str) {
    let (class, fill) = match colour {
        Colour::Black => ("black", "#111"),
        Colour::White => ("white", "#fafafa"),
    };
    let _ = writeln!(
        out,
        "<circle class=\"{class}\"{more} cx=\"{}\" cy=\"{}\" r=\"{}\" \
         fill=\"{fill}\" stroke=\"#111\" stroke-width=\"1\"/>",
        px(x),
        px(y),
        px(cell * 0.46),
    );
}

/// A short text on a point or on a stone, in its opposite colour.
pub(crate) fn letters(
    out: &mut String,
    (x, y): (f64, f64),
    cell: f64,
    text: &str,
    stone: Option<Colour>,
) {
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{}\" \
         text-anchor=\"middle\" fill=\"{}\">{}</text>",
        px(x),
        px(y + cell * 0.18),
        px(cell * 0.5),
        against(stone),
        escape(text),
    );
}

/// A colour to be seen on a stone, or on the board.
const fn against(stone: Option<Colour>) -> &'static str {
    match stone {
        Some(Colour::Black) => "#fafafa",
        _ => "#111",
    }
}

/// The square of who owns a point.
pub(crate) fn owned(out: &mut String, (x, y): (f64, f64), cell: f64, colour: Colour) {
    let (class, fill) = match colour {
        Colour::Black => ("black-owned", "#111"),
        Colour::White => ("white-owned", "#fafafa"),
    };
    let side = cell * 0.26;
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" \
         stroke=\"#111\" stroke-width=\"0.5\"/>",
        px(x - side / 2.0),
        px(y - side / 2.0),
        side = px(side),
    );
}

/// The ring around a best move.
pub(crate) fn best(out: &mut String, (x, y): (f64, f64), cell: f64) {
    let _ = writeln!(
        out,
        "<circle class=\"best\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"#0b5fff\" \
         stroke-width=\"{}\"/>",
        px(x),
        px(y),
        px(cell * 0.5),
        px(cell * 0.12),
    );
}

/// The ring on the last move.
pub(crate) fn last(out: &mut String, (x, y): (f64, f64), cell: f64, stone: Option<Colour>) {
    let _ = writeln!(
        out,
        "<circle class=\"last\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" \
         stroke=\"{}\" stroke-width=\"2\"/>",
        px(x),
        px(y),
        px(cell * 0.24),
        against(stone),
    );
}

/// Lines with stars, counted from 0: the third or fourth from the edge, and the middle one.
fn star_lines(lines: usize) -> Vec<usize> {
    if lines < 7 {
        return Vec::new();
    }
    let edge = if lines < 13 { 2 } else { 3 };
    let mut stars = vec![edge, lines - 1 - edge];
    if lines % 2 == 1 {
        stars.push(lines / 2);
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    fn empty(rows: usize, cols: usize) -> String {
        let board = Board::new(Size::new(rows, cols).unwrap());
        let style = GoBoardStyle {
            coordinates: false,
            ..GoBoardStyle::default()
        };
        go_board_svg(&board, &style)
    }

    #[test]
    fn stars_stand_where_boards_have_them() {
        assert_eq!(count(&empty(19, 19), "<circle"), 9);
        assert_eq!(count(&empty(13, 13), "<circle"), 5);
        assert_eq!(count(&empty(9, 9), "<circle"), 5);
        assert_eq!(count(&empty(8, 8), "<circle"), 4);
        assert_eq!(count(&empty(5, 5), "<circle"), 0);
        assert_eq!(count(&empty(1, 1), "<circle"), 0);
        assert_eq!(count(&empty(19, 9), "<circle"), 5);
    }

    #[test]
    fn every_stone_is_drawn_where_it_stands() {
        let board = Board::from_rows(&["X....", "..O..", "....."]).unwrap();
        let size = board.size();
        let style = GoBoardStyle {
            last: size.point(0, 0).ok(),
            labels: vec![(size.point(2, 4).unwrap(), "<a>".to_owned())],
            ..GoBoardStyle::default()
        };
        let svg = go_board_svg(&board, &style);
        // 24 pixels a cell, 1.4 cells of margin.
        assert!(
            svg.contains("class=\"black\" data-vertex=\"A3\" cx=\"33.6\" cy=\"33.6\""),
            "{svg}"
        );
        assert!(
            svg.contains("class=\"white\" data-vertex=\"C2\" cx=\"81.6\" cy=\"57.6\""),
            "{svg}"
        );
        assert_eq!(count(&svg, "class=\"last\""), 1);
        assert!(svg.contains(">&lt;a&gt;</text>"), "{svg}");
        assert!(svg.contains(">E</text>") && !svg.contains(">F</text>"));
        assert_eq!(count(&svg, "<svg"), count(&svg, "</svg>"));
    }

    #[test]
    fn areas_and_owners_are_drawn() {
        let board = Board::from_rows(&["X..", ".O."]).unwrap();
        let at = |row, col| board.size().point(row, col).unwrap();
        let style = GoBoardStyle {
            fills: vec![(at(0, 0), "#ff8800".into()), (at(0, 1), "\"/><b".into())],
            owned: vec![(at(0, 2), Colour::White)],
            labels: vec![(at(0, 1), "A".into())],
            rings: vec![at(1, 0)],
            ..GoBoardStyle::default()
        };
        let svg = go_board_svg(&board, &style);
        assert_eq!(count(&svg, "class=\"area\""), 2);
        assert_eq!(count(&svg, "class=\"white-owned\""), 1);
        assert_eq!(count(&svg, "class=\"best\""), 1);
        // A label's patch has the colour of the area below it, and nothing breaks out of an attribute.
        assert_eq!(count(&svg, "fill=\"&quot;/&gt;&lt;b\""), 2);
        // Areas lie below the lines.
        assert!(svg.find("class=\"area\"") < svg.find("<path"));
    }

    #[test]
    fn columns_skip_the_letter_i() {
        let svg = go_board_svg(
            &Board::new(Size::square(25).unwrap()),
            &GoBoardStyle::default(),
        );
        assert!(svg.contains(">Z</text>") && !svg.contains(">I</text>"));
    }
}
