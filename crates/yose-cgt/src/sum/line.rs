//! Perfect play, move by move: replies that keep the score, and the principal line.

use super::Player;
use super::search::{Search, Stopped};
use super::solve::{Board, ScoredMove, SumSolution};
use super::table::NodeId;
use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::form::FormId;

/// Longest principal line given.
const MAX_LINE: usize = 2_000;

impl Games {
    /// As [`Self::principal_line`] for switches: after the first move both take the widest in turn.
    pub(crate) fn line_of_switches(
        &mut self,
        s: &SumSolution,
        first: &ScoredMove,
    ) -> Result<Vec<(usize, FormId)>> {
        let mut rest = Vec::new();
        for (i, p) in s.parts.iter().enumerate() {
            if i != first.part && !p.options.is_empty() {
                let swing = self
                    .left_stop(p.value)
                    .checked_sub(&self.right_stop(p.value))?;
                rest.push((std::cmp::Reverse(swing), i));
            }
        }
        rest.sort_unstable();
        let mut line = vec![(first.part, first.option)];
        let mut who = s.who.other();
        for (_, part) in rest.into_iter().take(MAX_LINE - 1) {
            let value = s.parts[part].value;
            let options = match who {
                Player::Left => self.left_options(value)?,
                Player::Right => self.right_options(value)?,
            };
            let Some(&option) = options.first() else {
                break;
            };
            line.push((part, self.form(crate::form::Form::Value(option))?));
            who = who.other();
        }
        Ok(line)
    }

    /// From a best first move on: both players keep the score until every part is a number.
    pub(crate) fn principal_line(
        &mut self,
        s: &SumSolution,
        first: &ScoredMove,
        board: &Board,
        search: &mut Search<'_>,
    ) -> Result<Vec<(usize, FormId)>> {
        // The parts that can be played.
        let playable: Vec<usize> = (0..s.parts.len())
            .filter(|&i| !s.parts[i].options.is_empty())
            .collect();
        let mut values: Vec<GameId> = playable.iter().map(|&i| s.parts[i].value).collect();
        let mut line = vec![(first.part, first.option)];
        if let Ok(i) = playable.binary_search(&first.part) {
            values[i] = self.value(first.option)?;
        }
        let mut who = s.who.other();
        let score = first.score.checked_sub(&board.constant)?;
        let target = search.table.scale(&score)?;
        while line.len() < MAX_LINE && !search.is_out_of_time() {
            match best_reply(self, search, &values, who, target) {
                Ok(None) | Err(Ending::Stopped) => break,
                Err(Ending::Failed(e)) => return Err(e),
                Ok(Some((part, option))) => {
                    let form = self.form(crate::form::Form::Value(option))?;
                    line.push((playable[part], form));
                    values[part] = option;
                    who = who.other();
                }
            }
        }
        Ok(line)
    }
}

/// Why there is no reply.
#[derive(Debug)]
pub(crate) enum Ending {
    Stopped,
    Failed(Error),
}

impl From<Error> for Ending {
    fn from(e: Error) -> Self {
        Self::Failed(e)
    }
}

impl From<Stopped> for Ending {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// A move that keeps the score `target` (scaled, of the whole): the hottest part first.
pub(crate) fn best_reply(
    games: &mut Games,
    search: &mut Search<'_>,
    values: &[GameId],
    who: Player,
    target: i128,
) -> std::result::Result<Option<(usize, GameId)>, Ending> {
    let mut places = Vec::with_capacity(values.len());
    let mut order: Vec<(NodeId, usize)> = Vec::new();
    for (i, v) in values.iter().enumerate() {
        let p = search.table.place_of(games, v.0)?;
        places.push(p);
        if games.as_number(*v).is_none() {
            order.push((p.node, i));
        }
    }
    order.sort_unstable();
    let board = Board {
        places,
        constant: Dyadic::ZERO,
    };
    for (_, i) in order {
        let options = match who {
            Player::Left => games.left_options(values[i])?,
            Player::Right => games.right_options(values[i])?,
        };
        for o in options {
            let place = search.table.place_of(games, o.0)?;
            let (state, offset) = board.after(search, i, place);
            let t = target - offset;
            let keeps = match who {
                Player::Left => search.stop(&state, Player::Right, t - 1, t, 0)? >= t,
                Player::Right => search.stop(&state, Player::Left, t, t + 1, 0)? <= t,
            };
            if keeps {
                return Ok(Some((i, o)));
            }
        }
    }
    Ok(None)
}
