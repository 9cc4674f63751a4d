//! One position of a game, with what planes look back on.

use crate::{Colour, History, Move, Ply, Point, Position};

use super::EncodeError;

/// A position of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Situation<'a> {
    /// The positions up to it, oldest first; itself the last.
    pub(crate) positions: &'a [Position],
    /// The moves that led to it, oldest first.
    pub(crate) plies: &'a [Ply],
    /// Who is to play.
    pub(crate) to_play: Colour,
    /// Where the side to play may not retake a ko.
    pub(crate) ko: Option<Point>,
}

impl<'a> Situation<'a> {
    /// The position after `ply` moves. To play is who in fact played next; in the last position, who
    /// the game says.
    pub(crate) fn of(history: &'a History, ply: usize) -> Result<Self, EncodeError> {
        let moves = history.moves();
        let (Some(plies), Some(positions)) = (moves.get(..ply), history.positions().get(..=ply))
        else {
            return Err(EncodeError::Ply {
                ply,
                moves: moves.len(),
            });
        };
        let to_play = moves.get(ply).map_or(history.to_play(), |next| next.colour);
        let ko = match plies {
            [] => history
                .start_ko()
                .filter(|&(_, colour)| colour == to_play)
                .map(|(point, _)| point),
            [.., last] if last.colour == to_play => None,
            [.., last] => ko_after(last, &positions[ply - 1], &positions[ply]),
        };
        Ok(Self {
            positions,
            plies,
            to_play,
            ko,
        })
    }

    /// The position itself.
    pub(crate) fn now(&self) -> &'a Position {
        // `of` takes at least one position.
        &self.positions[self.positions.len() - 1]
    }
}

/// The point where a move that took one stone with a stone in atari may not be answered.
fn ko_after(last: &Ply, before: &Position, after: &Position) -> Option<Point> {
    let Move::Place(point) = last.mv else {
        return None;
    };
    if last.played.captured != 1 || last.played.suicide != 0 {
        return None;
    }
    let size = after.size();
    let mut taken = None;
    for q in size.neighbours(point) {
        match after.stone(q) {
            Some(colour) if colour == last.colour => return None,
            Some(_) => {}
            None if before.stone(q).is_some() => taken = Some(q),
            None => return None,
        }
    }
    taken
}
