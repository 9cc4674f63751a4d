//! Boards with stones that were not played.

use thiserror::Error;

use super::Board;
use super::memory::Forget;
use super::play::IllegalMove;
use crate::colour::Colour;
use crate::point::Point;
use crate::size::{OffBoard, Size};

/// Why stones cannot stand as given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetUpError {
    /// A stone off the board.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// A chain without liberties, which no move could leave behind.
    #[error(
        "the {colour} chain at row {}, column {} (from 0) has no liberty", point.row(), point.col()
    )]
    NoLiberty {
        /// Its colour.
        colour: Colour,
        /// Its first stone in reading order.
        point: Point,
    },
}

impl Board {
    /// A board with these stones; of several on a point the last one stays. No prisoners, no ko
    /// ban, suicide forbidden.
    ///
    /// # Errors
    ///
    /// If a stone is off the board or a chain has no liberty.
    pub fn from_stones(
        size: Size,
        stones: impl IntoIterator<Item = (Point, Colour)>,
    ) -> Result<Self, SetUpError> {
        let mut colours = [None; Point::INDICES];
        for (point, colour) in stones {
            if !size.contains(point) {
                let (row, col) = (point.row(), point.col());
                return Err(OffBoard::RowCol { row, col, size }.into());
            }
            colours[point.index()] = Some(colour);
        }
        Self::from_colours(size, &colours)
    }

    /// The board with one point changed: a stone, or empty. Nothing is captured; prisoners stay,
    /// the ko ban is lifted. O(area).
    ///
    /// # Errors
    ///
    /// If the point is off the board or a chain would have no liberty; the board is then
    /// unchanged.
    pub fn set(&mut self, point: Point, stone: Option<Colour>) -> Result<(), SetUpError> {
        self.set_all([(point, stone)])
    }

    /// [`set`](Self::set) for several points at once, the last one for a point counting: only the
    /// outcome must be possible. O(area).
    ///
    /// # Errors
    ///
    /// If a point is off the board or a chain would have no liberty; the board is then unchanged.
    pub fn set_all(
        &mut self,
        changes: impl IntoIterator<Item = (Point, Option<Colour>)>,
    ) -> Result<(), SetUpError> {
        let mut colours = [None; Point::INDICES];
        for (point, colour) in self.stones() {
            colours[point.index()] = Some(colour);
        }
        for (point, stone) in changes {
            if !self.contains(point) {
                let (row, col) = (point.row(), point.col());
                return Err(OffBoard::RowCol {
                    row,
                    col,
                    size: self.size,
                }
                .into());
            }
            colours[point.index()] = stone;
        }
        let board = Self::from_colours(self.size, &colours)?;
        *self = Self {
            captures: self.captures,
            suicide: self.suicide,
            ..board
        };
        Ok(())
    }

    /// Says how many stones each side has taken, Black's number first.
    pub const fn set_captures(&mut self, captures: [u32; 2]) {
        self.captures = captures;
    }

    /// Forbids a colour to play at a point until the next move or pass, as after a ko: where every point
    /// around holds a stone, and elsewhere nothing.
    ///
    /// # Errors
    ///
    /// If the point is not an empty one of the board.
    pub fn ban(&mut self, colour: Colour, point: Point) -> Result<(), IllegalMove> {
        if !self.contains(point) {
            return Err(IllegalMove::OffBoard);
        }
        if !self.is_empty(point) {
            return Err(IllegalMove::Occupied);
        }
        self.ko = point.slot();
        self.ko_colour = colour;
        Ok(())
    }

    /// The board with each point moved elsewhere, one to one, neighbours staying neighbours.
    pub(crate) fn transformed(&self, size: Size, to: impl Fn(Point) -> Point) -> Self {
        let mut board = Self::new(size);
        for (point, colour) in self.stones() {
            board.place(&mut Forget, colour, to(point).slot());
        }
        board.ko = self.ko_point().map_or(0, |point| to(point).slot());
        board.ko_colour = self.ko_colour;
        board.captures = self.captures;
        board.suicide = self.suicide;
        board
    }

    fn from_colours(
        size: Size,
        colours: &[Option<Colour>; Point::INDICES],
    ) -> Result<Self, SetUpError> {
        check_liberties(size, colours)?;
        let mut board = Self::new(size);
        for point in size.points() {
            if let Some(colour) = colours[point.index()] {
                // Never captures: part of a chain of the outcome is either the whole, with its
                // liberty, or touches a stone that is still missing.
                board.place(&mut Forget, colour, point.slot());
            }
        }
        board.clear_ko();
        Ok(board)
    }
}

/// Looks for a chain without liberties, by spreading from every liberty.
fn check_liberties(
    size: Size,
    colours: &[Option<Colour>; Point::INDICES],
) -> Result<(), SetUpError> {
    let mut breathes = [false; Point::INDICES];
    let mut open: Vec<Point> = size
        .points()
        .filter(|point| colours[point.index()].is_none())
        .collect();
    while let Some(point) = open.pop() {
        for near in size.neighbours(point) {
            let (from, to) = (colours[point.index()], colours[near.index()]);
            if to.is_some() && (from.is_none() || from == to) && !breathes[near.index()] {
                breathes[near.index()] = true;
                open.push(near);
            }
        }
    }
    for point in size.points() {
        if let Some(colour) = colours[point.index()]
            && !breathes[point.index()]
        {
            return Err(SetUpError::NoLiberty { colour, point });
        }
    }
    Ok(())
}
