//! Squares, directions and sets of squares.
//!
//! Squares are numbered row by row from the top left, as an SFEN is read: square 0 is the last
//! file's rank `a`. Black moves up, toward row 0.

/// Most squares a board may have: a set of squares is one 32-bit word.
pub const MAX_SQUARES: usize = 32;

/// A set of squares, one bit each.
pub type SquareSet = u32;

/// A square of the board, numbered row by row from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The number of the square, for use with arrays.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The set that holds this square alone.
    #[must_use]
    pub fn bit(self) -> SquareSet {
        1 << self.0
    }
}

/// The squares of a set in ascending order.
pub fn squares(mut set: SquareSet) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        #[allow(
            clippy::cast_possible_truncation,
            reason = "set is not 0, so this is under 32"
        )]
        let square = Square(set.trailing_zeros() as u8);
        set &= set - 1;
        Some(square)
    })
}

/// One of the eight directions, for a piece that moves up the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Up: toward the far rank.
    N,
    /// Up and to the right.
    NE,
    /// To the right.
    E,
    /// Down and to the right.
    SE,
    /// Down: toward the own rank.
    S,
    /// Down and to the left.
    SW,
    /// To the left.
    W,
    /// Up and to the left.
    NW,
}

impl Direction {
    /// All directions, clockwise from up.
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];

    /// The place of the direction in [`Direction::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The opposite direction, which is this one for a piece that moves down.
    #[must_use]
    pub fn opposite(self) -> Direction {
        Direction::ALL[(self.index() + 4) % 8]
    }

    /// The direction in the left-right mirror.
    #[must_use]
    pub fn mirrored(self) -> Direction {
        Direction::ALL[(8 - self.index()) % 8]
    }

    /// The offset of one step: columns to the right, rows upward.
    #[must_use]
    pub fn offset(self) -> (i8, i8) {
        [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ][self.index()]
    }
}

/// A board without pieces: its width and height, and what follows from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Number of ranks.
    pub rows: u8,
    /// Number of files.
    pub columns: u8,
}

impl Board {
    /// Number of squares.
    #[must_use]
    pub fn squares(self) -> u8 {
        self.rows * self.columns
    }

    /// The square in this row from the top and this column from the left.
    #[must_use]
    pub fn square(self, row: u8, column: u8) -> Square {
        debug_assert!(row < self.rows && column < self.columns);
        Square(row * self.columns + column)
    }

    /// Row from the top.
    #[must_use]
    pub fn row(self, square: Square) -> u8 {
        square.0 / self.columns
    }

    /// Column from the left.
    #[must_use]
    pub fn column(self, square: Square) -> u8 {
        square.0 % self.columns
    }

    /// The square at an offset (columns to the right, rows upward), `None` off the board.
    #[must_use]
    pub fn offset(self, square: Square, (right, up): (i8, i8)) -> Option<Square> {
        let row = self.row(square).checked_add_signed(-up)?;
        let column = self.column(square).checked_add_signed(right)?;
        (row < self.rows && column < self.columns).then(|| self.square(row, column))
    }

    /// The square seen from the other side of the board.
    #[must_use]
    pub fn turned(self, square: Square) -> Square {
        Square(self.squares() - 1 - square.0)
    }

    /// The square in the left-right mirror.
    #[must_use]
    pub fn mirrored(self, square: Square) -> Square {
        self.square(self.row(square), self.columns - 1 - self.column(square))
    }

    /// The top row: the far rank of a side that moves up.
    #[must_use]
    pub fn top_row(self) -> SquareSet {
        (1 << self.columns) - 1
    }

    /// The bottom row: the far rank of a side that moves down.
    #[must_use]
    pub fn bottom_row(self) -> SquareSet {
        self.top_row() << (self.squares() - self.columns)
    }

    /// All squares.
    #[must_use]
    pub fn all(self) -> SquareSet {
        u32::MAX >> (32 - u32::from(self.squares()))
    }
}
