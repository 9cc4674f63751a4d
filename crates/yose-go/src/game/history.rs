//! What a game leaves behind: its moves and all its positions, without a board.

use super::Ply;
use crate::board::Board;
use crate::colour::Colour;
use crate::point::Point;
use crate::position::Position;
use crate::size::Size;

/// The moves of a game and the position after each: what feature planes look back on. Some 180 bytes
/// for each move, and nothing besides.
#[derive(Clone, Debug)]
pub struct History {
    /// Where a ko may not be retaken at the start, and by whom.
    start_ko: Option<(Point, Colour)>,
    to_play: Colour,
    plies: Vec<Ply>,
    /// One more than plies: the start, then after each.
    positions: Vec<Position>,
}

impl History {
    /// A start.
    pub(super) fn new(start: &Board, to_play: Colour) -> Self {
        Self {
            start_ko: start.ko_point().zip(start.ko_colour()),
            to_play,
            plies: Vec::new(),
            positions: vec![Position::of(start)],
        }
    }

    /// Size of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.now().size()
    }

    /// The moves, oldest first.
    #[must_use]
    pub fn moves(&self) -> &[Ply] {
        &self.plies
    }

    /// The start, then the position after each move, passes too.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Who is to move after the last move.
    #[must_use]
    pub const fn to_play(&self) -> Colour {
        self.to_play
    }

    /// Where a ko may not be retaken at the start, and by whom.
    #[must_use]
    pub const fn start_ko(&self) -> Option<(Point, Colour)> {
        self.start_ko
    }

    pub(super) fn now(&self) -> &Position {
        // There is a start.
        &self.positions[self.positions.len() - 1]
    }

    pub(super) fn push(&mut self, ply: Ply, position: Position) {
        self.to_play = !ply.colour;
        self.plies.push(ply);
        self.positions.push(position);
    }

    /// Takes the last move back; `start_to_play` is who was to move at the start.
    pub(super) fn pop(&mut self, start_to_play: Colour) -> bool {
        if self.plies.pop().is_none() {
            return false;
        }
        self.positions.pop();
        // Not the other side of the last mover: the move may have been out of turn.
        self.to_play = self
            .plies
            .last()
            .map_or(start_to_play, |before| !before.colour);
        true
    }
}
