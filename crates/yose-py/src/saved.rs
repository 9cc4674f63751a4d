//! Boards as plain data, for pickle.

use pyo3::prelude::*;
use yose_go::{Board, Colour, Game, KoRule, Move, Rules, Suicide};

use crate::board::State;
use crate::error::yose_error;
use crate::words::{self, letter};

/// The form below; one that is read must be the same.
const FORM: u8 = 1;

/// A board: its start and its moves, from which all else follows.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Saved {
    form: u8,
    rules: String,
    /// Ko, suicide, scoring.
    parts: [String; 3],
    /// In half points.
    komi: i16,
    handicap: u16,
    to_play: String,
    rows: Vec<String>,
    captures: (u32, u32),
    /// Where a ko may not be retaken at the start, and by whom.
    ko: Option<(String, String)>,
    moves: Vec<(String, String)>,
    notes: Vec<String>,
}

impl Saved {
    pub(crate) fn of(state: &State) -> Self {
        let game = &state.game;
        let (size, start) = (game.size(), game.start());
        let ko = start.ko_colour().zip(start.ko_point());
        let moves = game.moves().iter();
        Self {
            form: FORM,
            rules: state.named.to_owned(),
            parts: words::parts(game.rules()).map(str::to_owned),
            komi: game.komi(),
            handicap: game.handicap(),
            to_play: letter(game.start_to_play()).to_owned(),
            rows: start.to_rows(),
            captures: (start.captures(Colour::Black), start.captures(Colour::White)),
            ko: ko.map(|(colour, point)| (letter(colour).to_owned(), size.gtp(point))),
            moves: moves
                .map(|ply| (letter(ply.colour).to_owned(), size.gtp_move(ply.mv)))
                .collect(),
            notes: state.notes.clone(),
        }
    }

    pub(crate) fn restore(self) -> PyResult<State> {
        if self.form != FORM {
            return Err(yose_error(format!(
                "a board saved in form {}, which another version wrote",
                self.form
            )));
        }
        let colour = |text: &str| {
            Colour::parse(text).ok_or_else(|| yose_error(format!("no colour: {text:?}")))
        };
        let [ko, suicide, scoring] = &self.parts;
        let (named, rules) = words::rules(&self.rules, Some(ko), Some(suicide), Some(scoring))?;
        let mut start = Board::from_rows(&self.rows).map_err(yose_error)?;
        let size = start.size();
        let a_move = |text: &str| size.parse_gtp(text).map_err(yose_error);
        start.set_captures([self.captures.0, self.captures.1]);
        if let Some((banned, vertex)) = &self.ko {
            let point = a_move(vertex)?.point();
            let point = point.ok_or_else(|| yose_error("a pass is no ko"))?;
            start.ban(colour(banned)?, point).map_err(yose_error)?;
        }
        // The moves were played under the rules of their time, or of a record that heeded none.
        let lawless = Rules {
            ko: KoRule::None,
            suicide: Suicide::Allowed,
            ..rules
        };
        let mut game = Game::from_board(start, colour(&self.to_play)?, lawless);
        let moves = self
            .moves
            .iter()
            .map(|(side, vertex)| Ok((colour(side)?, a_move(vertex)?)))
            .collect::<PyResult<Vec<(Colour, Move)>>>()?;
        game.play_all(moves).map_err(yose_error)?;
        game.set_rules(rules);
        game.set_komi(self.komi);
        game.set_handicap(self.handicap);
        Ok(State {
            game,
            named,
            notes: self.notes,
        })
    }
}
