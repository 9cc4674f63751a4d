//! The exact value of tiny boards by search, as a test that rules and counting fit together.

use thiserror::Error;

use crate::colour::Colour;
use crate::game::Game;
use crate::point::Move;
use crate::score::{self, Agreed};

/// The search was stopped at its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not solved within {nodes} positions")]
pub struct NotSolved {
    /// Positions looked at.
    pub nodes: u64,
}

/// What best play leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Black's area minus White's under best play, komi left out.
    pub value: i32,
    /// Positions looked at.
    pub nodes: u64,
}

/// Solves a game from its present position: area counting with every stone alive (whatever the
/// rules say about counting), two passes in a row end it, repetition by its rules, which should be
/// a superko, else the search need not end. Alpha-beta over all continuations; positions are not
/// remembered, since under superko their value depends on what came before.
///
/// # Errors
///
/// If more than `limit` positions would have to be looked at.
pub fn solve(game: &Game, limit: u64) -> Result<Solution, NotSolved> {
    let most = i32::try_from(game.size().area()).unwrap_or(i32::MAX);
    let mut search = Search {
        game: game.clone(),
        nodes: 0,
        limit,
        prover: None,
    };
    let sign = if game.to_play() == Colour::Black {
        1
    } else {
        -1
    };
    let value = search.negamax(-most, most)? * sign;
    Ok(Solution {
        value,
        nodes: search.nodes,
    })
}

/// Looks for a proof that Black can get at least `lead` points more than White, with a search much
/// smaller than that of [`solve`]: Black never fills an own one-point eye and passes only after a
/// pass. So `true` is a proof, and `false` says only that there is none of this kind.
///
/// # Errors
///
/// If more than `limit` positions would have to be looked at.
pub fn proves(game: &Game, lead: i32, limit: u64) -> Result<bool, NotSolved> {
    let mut search = Search {
        game: game.clone(),
        nodes: 0,
        limit,
        prover: Some(Colour::Black),
    };
    let (sign, low, high) = match game.to_play() {
        Colour::Black => (1, lead - 1, lead),
        Colour::White => (-1, -lead, 1 - lead),
    };
    Ok(search.negamax(low, high)? * sign >= lead)
}

struct Search {
    game: Game,
    nodes: u64,
    limit: u64,
    /// Whose moves are cut down.
    prover: Option<Colour>,
}

impl Search {
    /// The value for the side to move, if it lies between `low` and `high`; else a bound.
    fn negamax(&mut self, mut low: i32, high: i32) -> Result<i32, NotSolved> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Err(NotSolved { nodes: self.limit });
        }
        let colour = self.game.to_play();
        let sign = if colour == Colour::Black { 1 } else { -1 };
        let lead = score::area(self.game.board(), &Agreed::nothing()).map_or(0, |area| area.lead());
        let now = sign * lead;
        if self.game.is_over() {
            return Ok(now);
        }
        let most = i32::try_from(self.game.size().area()).unwrap_or(i32::MAX);
        let mut best = -most - 1;
        // After a pass, passing too takes what is there.
        let ended = self
            .game
            .moves()
            .last()
            .is_some_and(|ply| ply.mv == Move::Pass);
        let proving = self.prover == Some(colour);
        let mut moves: Vec<(i32, Move)> = Vec::new();
        for point in self.game.size().points() {
            let mv = Move::Place(point);
            if proving && self.game.board().is_one_point_eye(colour, point) {
                continue;
            }
            let near = self.game.size().neighbours(point).count();
            let mut rank = i32::try_from(near).unwrap_or(0);
            let Ok(played) = self.game.play(mv) else {
                continue;
            };
            let liberties = self.game.board().liberties(point);
            rank += 4 * i32::from(played.captured) + i32::from(liberties);
            if liberties == 1 {
                rank -= 8;
            }
            self.game.undo();
            moves.push((rank, mv));
        }
        moves.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        if !proving || ended || moves.is_empty() {
            // First if it ends the game well, else last.
            let place = if ended && now >= high { 0 } else { moves.len() };
            moves.insert(place, (0, Move::Pass));
        }
        for (_, mv) in moves {
            if self.game.play(mv).is_err() {
                continue;
            }
            let value = self.negamax(-high, -low);
            self.game.undo();
            best = best.max(-value?);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        Ok(best)
    }
}
