//! Playing a list of moves.

use thiserror::Error;

use super::Game;
use crate::board::IllegalMove;
use crate::colour::Colour;
use crate::point::Move;
use crate::rules::Rules;
use crate::size::Size;

/// A move of a list that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("move {} ({colour}, {}) is not legal: {reason}", ply + 1, size.gtp_move(*mv))]
pub struct ReplayError {
    /// How many moves of the list were played before it.
    pub ply: usize,
    /// Whose move it is.
    pub colour: Colour,
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub reason: IllegalMove,
    /// The board, for printing the move.
    pub size: Size,
}

impl Game {
    /// Plays moves of given colours from the empty board.
    ///
    /// # Errors
    ///
    /// The first move that is not legal, with its number.
    pub fn replay(
        size: Size,
        rules: Rules,
        moves: impl IntoIterator<Item = (Colour, Move)>,
    ) -> Result<Self, ReplayError> {
        let mut game = Self::new(size, rules);
        game.play_all(moves)?;
        Ok(game)
    }

    /// Plays moves of given colours one after the other.
    ///
    /// # Errors
    ///
    /// The first move that is not legal; those before it have been played. `ply` counts from the
    /// start of this list.
    pub fn play_all(
        &mut self,
        moves: impl IntoIterator<Item = (Colour, Move)>,
    ) -> Result<(), ReplayError> {
        let size = self.size();
        for (ply, (colour, mv)) in moves.into_iter().enumerate() {
            self.play_as(colour, mv).map_err(|reason| ReplayError {
                ply,
                colour,
                mv,
                reason,
                size,
            })?;
        }
        Ok(())
    }
}
