//! A Go endgame on one page: board with regions and heat, their values, thermographs and rankings, as SVG
//! or as HTML. Both stand alone: no script, no font, no picture from elsewhere.

use std::fmt::Write;
use std::sync::Arc;

use yose_cgt::Thermograph;
use yose_go::{Board, Colour, Point};

use crate::go_board::{GoBoardStyle, go_board_svg};
use crate::legend::legend_svg;
use crate::scale::{escape, px};
use crate::thermograph::{ThermographStyle, thermograph_svg};

/// What is shown. Texts are plain; they are escaped where they are written.
#[derive(Debug, Clone)]
pub struct EndgameFigure {
    /// The heading.
    pub title: String,
    /// What comes first: the answer, line by line.
    pub answer: Vec<String>,
    /// The position.
    pub board: Board,
    /// The last move.
    pub last: Option<Point>,
    /// Where play is left, in the order of the table.
    pub regions: Vec<RegionFigure>,
    /// Headings of [`RegionFigure::cells`].
    pub columns: Vec<String>,
    /// The temperature of the hottest region.
    pub hottest: Option<String>,
    /// Settled territory, dead stones in it included, and its owners.
    pub owned: Vec<(Point, Colour)>,
    /// The best moves.
    pub best: Vec<Point>,
    /// Lists below the table: heading and entries.
    pub lists: Vec<(String, Vec<String>)>,
}

/// A region of the board.
#[derive(Debug, Clone)]
pub struct RegionFigure {
    /// Its letters on the board.
    pub id: String,
    /// Empty points and mortal stones.
    pub points: Vec<Point>,
    /// From 0 (nothing to gain) to 1 (the hottest); `None` if not known.
    pub heat: Option<f64>,
    /// Its line of the table.
    pub cells: Vec<String>,
    /// Its thermograph, if it is to be drawn, and the title of that.
    pub thermograph: Option<(Arc<Thermograph>, String)>,
}

/// The colour of a heat between 0 and 1 as `#rrggbb`: pale yellow to dark orange, which eyes that do not
/// tell red from green see as light to dark. Grey if it is not known.
///
/// ```
/// use yose_diagram::heat_colour;
/// assert_eq!(heat_colour(Some(0.0)), "#fff7bc");
/// assert_eq!(heat_colour(Some(2.0)), heat_colour(Some(1.0)));
/// assert_eq!(heat_colour(None), "#b8b8b8");
/// ```
#[must_use]
pub fn heat_colour(heat: Option<f64>) -> String {
    const STOPS: [[u8; 3]; 5] = [
        [0xff, 0xf7, 0xbc],
        [0xfe, 0xe3, 0x91],
        [0xfe, 0xc4, 0x4f],
        [0xfe, 0x99, 0x29],
        [0xec, 0x70, 0x14],
    ];
    let Some(heat) = heat else {
        return "#b8b8b8".to_owned();
    };
    let place = heat.clamp(0.0, 1.0) * 4.0;
    // The step below, without a cast: 0 to 3.
    let step = [1.0, 2.0, 3.0].iter().filter(|&&at| place >= at).count();
    let part = [0.0, 1.0, 2.0, 3.0].get(step).map_or(0.0, |at| place - at);
    let mut text = String::from("#");
    for (&from, &to) in STOPS[step].iter().zip(&STOPS[step + 1]) {
        let mixed = f64::from(from) + part * (f64::from(to) - f64::from(from));
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between two bytes"
        )]
        let byte = mixed.round() as u8;
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Regions of one picture that have their thermographs drawn; of the hottest boards these are plenty.
const MOST_THERMOGRAPHS: usize = 60;

impl EndgameFigure {
    fn board_svg(&self) -> String {
        let mut style = GoBoardStyle {
            last: self.last,
            owned: self.owned.clone(),
            rings: self.best.clone(),
            ..GoBoardStyle::default()
        };
        for region in &self.regions {
            let colour = heat_colour(region.heat);
            for &point in &region.points {
                style.fills.push((point, colour.clone()));
                style.labels.push((point, region.id.clone()));
            }
        }
        go_board_svg(&self.board, &style)
    }

    fn thermographs(&self) -> Vec<String> {
        let drawn = self.regions.iter().filter_map(|r| r.thermograph.as_ref());
        drawn
            .take(MOST_THERMOGRAPHS)
            .map(|(thermograph, title)| {
                let style = ThermographStyle {
                    width: PLOT_WIDTH,
                    height: PLOT_HEIGHT,
                    title: title.clone(),
                    ..ThermographStyle::default()
                };
                thermograph_svg(thermograph, &style)
            })
            .collect()
    }

    /// How many thermographs are left out.
    fn undrawn(&self) -> usize {
        let all = self.regions.iter().filter(|r| r.thermograph.is_some());
        all.count().saturating_sub(MOST_THERMOGRAPHS)
    }
}

const PLOT_WIDTH: f64 = 320.0;
const PLOT_HEIGHT: f64 = 260.0;
const MARGIN: f64 = 20.0;
const LINE: f64 = 17.0;
/// Width of a letter of the text.
const LETTER: f64 = 7.3;
/// Longer lines of text are broken.
const LETTERS: usize = 118;
/// The letters of the title are wider.
const TITLE_LETTERS: usize = 85;

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// Breaks a text at blanks into lines of at most so many letters; words longer than that are cut.
fn broken(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + word.len() > letters {
            lines.push(String::new());
            length = 0;
        }
        while word.len() > letters {
            let rest = word.split_off(letters);
            lines.push(std::mem::replace(&mut word, rest).into_iter().collect());
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            length += word.len();
            line.extend(word);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Puts a complete SVG document at a place inside another one.
fn placed(svg: &str, x: f64, y: f64) -> String {
    svg.replacen(
        "<svg ",
        &format!("<svg x=\"{}\" y=\"{}\" ", px(x), px(y)),
        1,
    )
}

/// The width and height that a picture made here says it has.
fn extent(svg: &str) -> (f64, f64) {
    let number = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap_or_default();
        rest.split('"').next().and_then(|n| n.parse().ok())
    };
    (
        number("width").unwrap_or(0.0),
        number("height").unwrap_or(0.0),
    )
}

/// A page that grows downward.
struct Page {
    body: String,
    y: f64,
    width: f64,
}

impl Page {
    fn text(&mut self, x: f64, text: &str, class: &str) {
        self.width = self.width.max(x + LETTER * count(text.chars().count()));
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" xml:space=\"preserve\">{}</text>",
            px(x),
            px(self.y),
            escape(text)
        );
    }

    fn lines(&mut self, text: &str, class: &str) {
        for line in broken(text, LETTERS) {
            self.y += LINE;
            self.text(MARGIN, &line, class);
        }
    }
}

/// The figure as one SVG document: board, table, lists, thermographs.
#[must_use]
pub fn endgame_svg(figure: &EndgameFigure) -> String {
    let mut page = Page {
        body: String::new(),
        y: MARGIN,
        width: 0.0,
    };
    for line in broken(&figure.title, TITLE_LETTERS) {
        page.text(MARGIN, &line, "title");
        page.y += LINE * 1.2;
    }
    page.y -= LINE;
    for line in &figure.answer {
        page.lines(line, "answer");
    }
    let board = figure.board_svg();
    let (width, height) = extent(&board);
    page.y += LINE;
    page.body.push_str(&placed(&board, MARGIN, page.y));
    let legend = legend_svg(figure);
    let (more, tall) = extent(&legend);
    let x = MARGIN + width + MARGIN;
    page.body.push_str(&placed(&legend, x, page.y));
    page.width = page.width.max(x + more);
    page.y += height.max(tall) + LINE;
    table(&mut page, figure);
    for (heading, entries) in &figure.lists {
        page.y += LINE;
        page.lines(heading, "heading");
        for entry in entries {
            page.lines(entry, "entry");
        }
    }
    page.y += LINE;
    let plots = figure.thermographs();
    let across = 3.min(plots.len().max(1));
    for row in plots.chunks(across) {
        for (column, plot) in row.iter().enumerate() {
            let x = MARGIN + count(column) * PLOT_WIDTH;
            page.body.push_str(&placed(plot, x, page.y));
            page.width = page.width.max(x + PLOT_WIDTH);
        }
        page.y += PLOT_HEIGHT;
    }
    if figure.undrawn() > 0 {
        page.lines(
            &format!("{} more thermographs are not drawn", figure.undrawn()),
            "entry",
        );
    }
    let (width, height) = (px(page.width + MARGIN), px(page.y + MARGIN));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n\
         <style>text.title{{font:bold 16px sans-serif}}text.heading{{font:bold 12px sans-serif}}\
         text.answer,text.entry,text.row,text.columns{{font:12px monospace}}text.columns{{font-weight:bold}}\
         </style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
        escape(&figure.title),
        page.body
    )
}

fn table(page: &mut Page, figure: &EndgameFigure) {
    if figure.regions.is_empty() {
        return;
    }
    let columns = figure.columns.len();
    let rows = || figure.regions.iter().map(|r| &r.cells);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows().chain([&figure.columns]);
            let letters = cells.filter_map(|row| Some(row.get(column)?.chars().count()));
            letters.max().unwrap_or(0)
        })
        .collect();
    let mut row = |cells: &[String], class: &str, heat: Option<String>| {
        page.y += LINE;
        let mut x = MARGIN;
        if let Some(colour) = heat {
            let _ = writeln!(
                page.body,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\" stroke=\"#777\"/>",
                px(x),
                px(page.y - 10.0)
            );
        }
        x += 18.0;
        for (cell, width) in cells.iter().zip(&widths) {
            page.text(x, cell, class);
            x += LETTER * count(width + 2);
        }
    };
    row(&figure.columns, "columns", None);
    for region in &figure.regions {
        row(&region.cells, "row", Some(heat_colour(region.heat)));
    }
}

/// The figure as one HTML document (also well-formed XML), with the pictures in it.
#[must_use]
pub fn endgame_html(figure: &EndgameFigure) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
    );
    let _ = writeln!(out, "<title>{}</title>", escape(&figure.title));
    out.push_str(
        "<style>\n\
         body{font:15px/1.45 sans-serif;margin:1.5rem auto;max-width:72rem;padding:0 1rem;color:#222;background:#fff}\n\
         table{border-collapse:collapse;font-size:14px}th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid #ddd}\n\
         td{font-variant-numeric:tabular-nums;white-space:nowrap}.heat{display:inline-block;width:.8em;height:.8em;border:1px solid #777;margin-right:.4em}\n\
         .answer p{margin:.2rem 0;font-size:17px}.wide{overflow-x:auto}.plots,.board{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}\n\
         svg{max-width:100%;height:auto}h1{font-size:20px;overflow-wrap:anywhere}h2{font-size:17px;margin:1.4rem 0 .4rem}li{margin:.15rem 0;overflow-wrap:anywhere}\n\
         </style>\n</head>\n<body>\n",
    );
    let _ = writeln!(
        out,
        "<h1>{}</h1>\n<div class=\"answer\">",
        escape(&figure.title)
    );
    for line in &figure.answer {
        let _ = writeln!(out, "<p>{}</p>", escape(line));
    }
    let _ = writeln!(
        out,
        "</div>\n<div class=\"board\">{}{}</div>",
        figure.board_svg(),
        legend_svg(figure)
    );
    if !figure.regions.is_empty() {
        out.push_str("<h2>Regions</h2>\n<div class=\"wide\"><table>\n<tr>");
        for heading in &figure.columns {
            let _ = write!(out, "<th>{}</th>", escape(heading));
        }
        out.push_str("</tr>\n");
        for region in &figure.regions {
            out.push_str("<tr>");
            for (number, cell) in region.cells.iter().enumerate() {
                let heat = if number == 0 {
                    format!(
                        "<span class=\"heat\" style=\"background:{}\"></span>",
                        heat_colour(region.heat)
                    )
                } else {
                    String::new()
                };
                let _ = write!(out, "<td>{heat}{}</td>", escape(cell));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table></div>\n");
    }
    for (heading, entries) in &figure.lists {
        let _ = writeln!(out, "<h2>{}</h2>\n<ul>", escape(heading));
        for entry in entries {
            let _ = writeln!(out, "<li>{}</li>", escape(entry));
        }
        out.push_str("</ul>\n");
    }
    let plots = figure.thermographs();
    if !plots.is_empty() {
        out.push_str("<h2>Thermographs</h2>\n<div class=\"plots\">\n");
        for plot in plots {
            let _ = writeln!(out, "<div>{plot}</div>");
        }
        out.push_str("</div>\n");
    }
    if figure.undrawn() > 0 {
        let _ = writeln!(
            out,
            "<p>{} more thermographs are not drawn.</p>",
            figure.undrawn()
        );
    }
    out.push_str("</body>\n</html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> EndgameFigure {
        let board = Board::from_rows(&["..X.O.", "XXXOOO", ".XXO.O"]).unwrap();
        let at = |row, col| board.size().point(row, col).unwrap();
        let mut games = yose_cgt::Games::new();
        let id = games.parse_value("{4|1}").unwrap();
        EndgameFigure {
            title: "A <board> & more".into(),
            answer: vec!["Black plays D3".into(), "word ".repeat(60)],
            last: None,
            regions: vec![RegionFigure {
                id: "A".into(),
                points: vec![at(0, 3)],
                heat: Some(1.0),
                cells: vec!["A".into(), "{4|1}".into()],
                thermograph: Some((games.thermograph(id).unwrap(), "A: {4|1}".into())),
            }],
            columns: vec!["id".into(), "value".into()],
            hottest: Some("3/2".into()),
            owned: vec![(at(0, 0), Colour::Black)],
            best: vec![at(0, 3)],
            lists: vec![("hottest".into(), vec!["A at D3 <3/2>".into()])],
            board,
        }
    }

    #[test]
    fn everything_is_on_the_page() {
        for page in [endgame_svg(&figure()), endgame_html(&figure())] {
            for what in [
                "A &lt;board&gt; &amp; more",
                "Black plays D3",
                "class=\"area\"",
                "class=\"best\"",
                "class=\"black-owned\"",
                "class=\"thermograph\"",
                "A at D3 &lt;3/2&gt;",
            ] {
                assert!(page.contains(what), "{what}: {page}");
            }
            assert!(!page.contains("<board>"));
            assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        }
        assert_eq!(endgame_svg(&figure()).matches("<svg").count(), 4);
    }

    /// Nothing is said by a colour or a sign without a word for it, and no word stands for nothing.
    #[test]
    fn the_legend_has_what_occurs() {
        let legend = |figure: &EndgameFigure| legend_svg(figure);
        let all = figure();
        for (what, there) in [
            ("the hottest region: temperature 3/2", true),
            ("empty point of region A", true),
            ("Black's territory", true),
            ("the best move", true),
            ("temperature not known", false),
            ("stone of region", false),
            ("White's territory", false),
            ("dead stone", false),
            ("the last move", false),
        ] {
            assert_eq!(legend(&all).contains(what), there, "{what}");
        }
        let mut other = figure();
        other.regions[0].heat = None;
        other.regions[0]
            .points
            .push(other.board.size().point(0, 2).unwrap());
        other.last = other.board.size().point(1, 3).ok();
        other
            .owned
            .push((other.board.size().point(2, 1).unwrap(), Colour::White));
        for what in [
            "temperature not known",
            "stone of region A",
            "dead stone in White",
            "the last move",
        ] {
            assert!(legend(&other).contains(what), "{what}");
        }
        for page in [endgame_svg(&other), endgame_html(&other)] {
            assert!(page.contains("class=\"legend\""));
        }
    }

    #[test]
    fn long_lines_are_broken_and_nothing_is_lost() {
        let text = format!("{} {} end", "ab ".repeat(90).trim(), "x".repeat(300));
        let lines = broken(&text, 40);
        assert!(lines.iter().all(|line| line.chars().count() <= 40));
        let letters = |s: &str| s.chars().filter(|c| *c != ' ').count();
        assert_eq!(
            lines.iter().map(|l| letters(l)).sum::<usize>(),
            letters(&text)
        );
    }

    #[test]
    fn hotter_is_darker() {
        let light = |heat| {
            let colour = heat_colour(Some(heat));
            let part = |at: usize| u32::from_str_radix(&colour[at..at + 2], 16).unwrap();
            part(1) + part(3) + part(5)
        };
        let steps: Vec<u32> = (0..=20).map(|k| light(f64::from(k) / 20.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] > pair[1]), "{steps:?}");
        assert_eq!(heat_colour(Some(1.0)), "#ec7014");
    }
}
