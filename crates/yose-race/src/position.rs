//! The board: four rows, two pieces in each, and how they move.

use std::fmt;

use thiserror::Error;
use yose_retro::{Successor, Value};

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Starts in the left half.
    Red,
    /// Starts in the right half.
    Black,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    /// The letter of its pieces: `r` or `b`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Side::Red => 'r',
            Side::Black => 'b',
        }
    }
}

/// Prints `red` or `black`.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Red => "red",
            Side::Black => "black",
        })
    }
}

/// One of the four rows. Each has rules of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Row {
    /// One step toward the enemy piece only; stepping onto it wins.
    A,
    /// Any number of squares left or right, never onto or past the enemy piece.
    B,
    /// As row B.
    C,
    /// One step away from the enemy piece only.
    D,
}

impl Row {
    /// All rows, from the top.
    pub const ALL: [Row; 4] = [Row::A, Row::B, Row::C, Row::D];

    /// The row's letter.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Row::A => 'A',
            Row::B => 'B',
            Row::C => 'C',
            Row::D => 'D',
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A width of the board: an even number of columns from 4 to 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Columns(u8);

/// A width that the board cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0} columns; the board has an even number of columns from 4 to 16")]
pub struct ColumnsError(pub usize);

impl Columns {
    /// The least width.
    pub const MIN: Columns = Columns(4);
    /// The greatest width.
    pub const MAX: Columns = Columns(16);

    /// A width of `count` columns.
    ///
    /// # Errors
    /// If `count` is odd, less than 4 or greater than 16.
    pub fn new(count: usize) -> Result<Columns, ColumnsError> {
        match u8::try_from(count) {
            Ok(columns @ 4..=16) if columns % 2 == 0 => Ok(Columns(columns)),
            _ => Err(ColumnsError(count)),
        }
    }

    /// The number of columns.
    #[must_use]
    pub fn count(self) -> u8 {
        self.0
    }

    /// The number of columns of one half.
    #[must_use]
    pub fn half(self) -> u8 {
        self.0 / 2
    }

    /// Every width, the narrowest first.
    pub fn all() -> impl Iterator<Item = Columns> {
        (Self::MIN.0..=Self::MAX.0).step_by(2).map(Columns)
    }
}

/// Ten columns.
impl Default for Columns {
    fn default() -> Columns {
        Columns(10)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Why eight pieces are no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PositionError {
    /// A piece is off the board.
    #[error("the {side} piece of row {row} is off the board of {columns} columns")]
    OffTheBoard {
        /// Whose piece.
        side: Side,
        /// Its row.
        row: Row,
        /// The width of the board.
        columns: Columns,
    },
    /// In rows A to C Red stands left of Black.
    #[error("in row {0} Red does not stand left of Black")]
    RedNotLeft(Row),
    /// In row D each piece stands in its own half.
    #[error("the {0} piece of row D is not in its own half")]
    WrongHalf(Side),
}

/// A move: a piece of the side to move goes along its row.
///
/// Columns count from 0 at the left inside the program and from 1 in [notation](crate::notation):
/// the move printed `B2-4` has `from` 1 and `to` 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The row.
    pub row: Row,
    /// The column left, from 0.
    pub from: u8,
    /// The column reached, from 0.
    pub to: u8,
}

/// A move that the rules do not allow in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{mv} is not a move of {side} in {position}", side = .position.to_move)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The position.
    pub position: Position,
}

/// Eight pieces and the side to move.
///
/// In rows A, B and C Red stands left of Black, in row D each piece in its own half: play from the
/// starting placements keeps to that.
///
/// ```
/// use yose_race::Position;
/// let position: Position = "r4b4/1r3b4/2r4b2/4rb4 r".parse()?;
/// assert_eq!(
///     format!("{position:#}"),
///     "   1  2  3  4  5  6  7  8  9 10
/// A  r  .  .  .  .  b  .  .  .  .
/// B  .  r  .  .  .  b  .  .  .  .
/// C  .  .  r  .  .  .  .  b  .  .
/// D  .  .  .  .  r  b  .  .  .  .
/// red to move"
/// );
/// # Ok::<(), yose_race::notation::ParsePositionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) columns: Columns,
    pub(crate) red: [u8; 4],
    pub(crate) black: [u8; 4],
    pub(crate) to_move: Side,
}

impl Position {
    /// A position from the columns of the pieces, in rows A to D, counted from 0 at the left.
    ///
    /// # Errors
    /// If a piece is off the board, Red does not stand left of Black in rows A to C, or a piece of
    /// row D is not in its own half.
    pub fn new(
        columns: Columns,
        red: [u8; 4],
        black: [u8; 4],
        to_move: Side,
    ) -> Result<Position, PositionError> {
        let position = Position {
            columns,
            red,
            black,
            to_move,
        };
        for row in Row::ALL {
            for side in [Side::Red, Side::Black] {
                if position.column(side, row) >= columns.count() {
                    return Err(PositionError::OffTheBoard { side, row, columns });
                }
            }
            if row != Row::D && position.column(Side::Red, row) >= position.column(Side::Black, row)
            {
                return Err(PositionError::RedNotLeft(row));
            }
        }
        if red[3] >= columns.half() {
            return Err(PositionError::WrongHalf(Side::Red));
        }
        if black[3] < columns.half() {
            return Err(PositionError::WrongHalf(Side::Black));
        }
        Ok(position)
    }

    /// The width of the board.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The column of a side's piece in a row, from 0 at the left.
    #[must_use]
    pub fn column(&self, side: Side, row: Row) -> u8 {
        match side {
            Side::Red => self.red[row as usize],
            Side::Black => self.black[row as usize],
        }
    }

    /// The difference of the columns of the two pieces in a row; 1 if they touch.
    #[must_use]
    pub fn distance(&self, row: Row) -> u8 {
        self.black[row as usize] - self.red[row as usize]
    }

    /// How many squares a side's piece has behind it in a row.
    #[must_use]
    pub fn room_behind(&self, side: Side, row: Row) -> u8 {
        match side {
            Side::Red => self.red[row as usize],
            Side::Black => self.columns.0 - 1 - self.black[row as usize],
        }
    }

    /// Whether this is a placement that a game can start from: in rows A to C each piece in its
    /// own half, in row D the pieces on the two middle columns.
    #[must_use]
    pub fn is_start(&self) -> bool {
        let half = self.columns.half();
        self.red.iter().all(|&column| column < half)
            && self.black.iter().all(|&column| column >= half)
            && self.distance(Row::D) == 1
    }

    /// The columns that the side to move can reach in a row.
    fn reach(&self, row: Row) -> impl Iterator<Item = u8> + use<> {
        let (from, enemy) = (
            self.column(self.to_move, row),
            self.column(self.to_move.other(), row),
        );
        let (last, half) = (self.columns.0 - 1, self.columns.half());
        let range = match (row, self.to_move) {
            (Row::A, Side::Red) => from + 1..=from + 1,
            (Row::A, Side::Black) => from - 1..=from - 1,
            (Row::B | Row::C, Side::Red) => 0..=enemy - 1,
            (Row::B | Row::C, Side::Black) => enemy + 1..=last,
            // A step away: none from the edge.
            (Row::D, Side::Red) => from.saturating_sub(1)..=from.saturating_sub(1),
            (Row::D, Side::Black) => (from + 1).min(last)..=(from + 1).min(last),
        };
        debug_assert!(row != Row::D || (from < half) == (self.to_move == Side::Red));
        range.filter(move |&to| to != from)
    }

    /// Appends the legal moves of the side to move, in order of row, then column.
    pub fn moves_into(&self, moves: &mut Vec<Move>) {
        for row in Row::ALL {
            let from = self.column(self.to_move, row);
            moves.extend(self.reach(row).map(|to| Move { row, from, to }));
        }
    }

    /// The legal moves of the side to move, in order of row, then column.
    ///
    /// ```
    /// # use yose_race::{Move, Position};
    /// //   1 2 3 4
    /// // A r . . b
    /// // B . r b .
    /// // C r b . .
    /// // D . r b .    red to move
    /// let position: Position = "r2b/1rb1/rb2/1rb1 r".parse()?;
    /// let moves: Vec<String> = position.moves().iter().map(Move::to_string).collect();
    /// assert_eq!(moves, ["A1-2", "B2-1", "D2-1"]);
    /// # Ok::<(), yose_race::notation::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.moves_into(&mut moves);
        moves
    }

    /// What a move leads to: the next position, or `Decided(Loss(0))` for the other side if the
    /// move steps onto its piece in row A.
    ///
    /// # Errors
    /// If the rules do not allow the move.
    pub fn play(&self, mv: Move) -> Result<Successor<Position>, IllegalMove> {
        let legal = self.column(self.to_move, mv.row) == mv.from
            && self.reach(mv.row).any(|to| to == mv.to);
        if legal {
            Ok(self.play_legal(mv))
        } else {
            Err(IllegalMove {
                mv,
                position: *self,
            })
        }
    }

    /// [`play`](Self::play) for a move known to be legal.
    pub(crate) fn play_legal(&self, mv: Move) -> Successor<Position> {
        let other = self.to_move.other();
        if self.column(other, mv.row) == mv.to {
            return Successor::Decided(Value::Loss(0));
        }
        let mut next = Position {
            to_move: other,
            ..*self
        };
        match self.to_move {
            Side::Red => next.red[mv.row as usize] = mv.to,
            Side::Black => next.black[mv.row as usize] = mv.to,
        }
        Successor::Position(next)
    }

    /// The board seen in a mirror, with the colours and the side to move exchanged: the same
    /// position for the side to move.
    #[must_use]
    pub fn turned(&self) -> Position {
        let mirror = |columns: [u8; 4]| columns.map(|column| self.columns.0 - 1 - column);
        Position {
            columns: self.columns,
            red: mirror(self.black),
            black: mirror(self.red),
            to_move: self.to_move.other(),
        }
    }

    /// Rows B and C exchanged: they have the same rules.
    #[must_use]
    pub fn with_b_and_c_exchanged(&self) -> Position {
        let exchange = |[a, b, c, d]: [u8; 4]| [a, c, b, d];
        Position {
            red: exchange(self.red),
            black: exchange(self.black),
            ..*self
        }
    }
}
