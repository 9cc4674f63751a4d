//! What the signs on the board of an endgame mean: those that occur.

use std::fmt::Write;

use yose_go::Colour;

use crate::endgame::{EndgameFigure, heat_colour};
use crate::go_board::{WOOD, best, last, letters, owned, stone};
use crate::scale::{escape, px};

/// Side of a sign, which is a point of the board, and the distance between two.
const CELL: f64 = 24.0;
const STEP: f64 = 30.0;
/// Width of a letter of the text.
const LETTER: f64 = 6.6;

/// The middle of a sign.
type Place = (f64, f64);

/// The legend as a complete SVG document.
pub(crate) fn legend_svg(figure: &EndgameFigure) -> String {
    let mut rows = Rows::default();
    let hottest = figure.hottest.as_deref().unwrap_or("?");
    let heats = || figure.regions.iter().map(|region| region.heat);
    if heats().any(|heat| heat.is_some_and(|heat| heat > 0.0)) {
        rows.square(
            Some(1.0),
            &format!("the hottest region: temperature {hottest}"),
        );
        rows.square(Some(0.5), "half as hot, and so on");
    }
    if heats().any(|heat| heat == Some(0.0)) {
        rows.square(Some(0.0), "no points to gain: temperature 0 or less");
    }
    if heats().any(|heat| heat.is_none()) {
        rows.square(None, "temperature not known");
    }
    if let Some(region) = figure.regions.first() {
        let id = &region.id;
        rows.sign(&format!("empty point of region {id}"), |out, at| {
            letters(out, at, CELL, id, None);
        });
    }
    let stones = figure.regions.iter().find_map(|region| {
        let colours = region.points.iter();
        let colour = colours.filter_map(|&p| figure.board.stone(p)).next()?;
        Some((&region.id, colour))
    });
    if let Some((id, colour)) = stones {
        rows.sign(
            &format!("stone of region {id}, not proved safe"),
            |out, at| {
                stone(out, at, CELL, colour, "");
                letters(out, at, CELL, id, Some(colour));
            },
        );
    }
    for (colour, name) in [(Colour::Black, "Black"), (Colour::White, "White")] {
        let own = || figure.owned.iter().filter(|(_, owner)| *owner == colour);
        if own().any(|&(point, _)| figure.board.stone(point).is_none()) {
            rows.sign(&format!("{name}'s territory, settled"), |out, at| {
                owned(out, at, CELL, colour);
            });
        }
        if own().any(|&(point, _)| figure.board.stone(point).is_some()) {
            rows.sign(&format!("dead stone in {name}'s territory"), |out, at| {
                stone(out, at, CELL, !colour, "");
                owned(out, at, CELL, colour);
            });
        }
    }
    if !figure.best.is_empty() {
        let what = if figure.best.len() == 1 {
            "the best move"
        } else {
            "best moves, all equal"
        };
        rows.sign(what, |out, at| best(out, at, CELL * 0.8));
    }
    if let Some(point) = figure.last {
        let colour = figure.board.stone(point);
        rows.sign("the last move", |out, at| {
            if let Some(colour) = colour {
                stone(out, at, CELL, colour, "");
            }
            last(out, at, CELL, colour);
        });
    }
    rows.svg()
}

#[derive(Default)]
struct Rows {
    body: String,
    rows: u32,
    /// Of the longest text.
    letters: usize,
}

impl Rows {
    fn sign(&mut self, text: &str, draw: impl FnOnce(&mut String, Place)) {
        self.row(WOOD, text, draw);
    }

    fn square(&mut self, heat: Option<f64>, text: &str) {
        self.row(&heat_colour(heat), text, |_, _| {});
    }

    fn row(&mut self, ground: &str, text: &str, draw: impl FnOnce(&mut String, Place)) {
        let y = STEP * (f64::from(self.rows) + 0.5);
        let _ = writeln!(
            self.body,
            "<rect x=\"1\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{ground}\" stroke=\"#777\"/>",
            px(y - CELL / 2.0),
            side = px(CELL),
        );
        draw(&mut self.body, (1.0 + CELL / 2.0, y));
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">{}</text>",
            px(CELL + 10.0),
            px(y + 4.0),
            escape(text)
        );
        self.rows += 1;
        self.letters = self.letters.max(text.chars().count());
    }

    fn svg(self) -> String {
        let letters = u32::try_from(self.letters).map_or(f64::MAX, f64::from);
        let width = px(CELL + 20.0 + LETTER * letters);
        let height = px(STEP * f64::from(self.rows));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"legend\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"Legend\">\n{}</svg>\n",
            self.body
        )
    }
}
