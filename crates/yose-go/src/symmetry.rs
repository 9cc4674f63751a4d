//! The symmetries of a board, on everything that has its shape.
//!
//! Symmetry K of 0 to 7: bit 0 mirrors the columns, bit 1 mirrors the rows, bit 2 then transposes
//! (row and column change places). A square has all eight; a rectangle that is no square keeps its
//! shape only under 0 to 3.

use thiserror::Error;

use crate::board::Board;
use crate::colour::Colour;
use crate::point::{Move, Point};
use crate::position::Position;
use crate::size::Size;

/// Why a symmetry cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SymmetryError {
    /// Not 0 to 7.
    #[error("symmetries are 0 to 7, not {0}")]
    Number(usize),
    /// It turns rows into columns of a board that is no square.
    #[error("symmetry {} would change the shape of a board of {size}", symmetry.number())]
    Shape {
        /// The symmetry.
        symmetry: Symmetry,
        /// The board.
        size: Size,
    },
    /// An array that is not made of whole boards, or a policy of another length.
    #[error("an array of {found} values does not fit a board of {size}: expected {expected}")]
    Length {
        /// What would fit.
        expected: &'static str,
        /// Its length.
        found: usize,
        /// The board.
        size: Size,
    },
    /// Nothing to average.
    #[error("there are no predictions to average")]
    NoPredictions,
}

/// One of the eight symmetries of a square.
///
/// ```
/// use yose_go::{Size, Symmetry};
/// let size = Size::square(9)?;
/// let point = size.point(0, 1)?;
/// let turn = Symmetry::new(5)?; // mirror the columns, then transpose
/// assert_eq!(turn.point(size, point), size.point(7, 0)?);
/// assert_eq!(turn.inverse().point(size, turn.point(size, point)), point);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Symmetry(u8);

/// What a network is asked and told about one position: planes `(planes, rows, cols)` in C order,
/// a policy `rows * cols + 1` long with the pass last, and a value, which no symmetry changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<T> {
    /// Planes, rows, columns.
    pub planes: Vec<T>,
    /// A number for each point in reading order, and for the pass.
    pub policy: Vec<f32>,
    /// In the view that the caller chose.
    pub value: f32,
}

impl Symmetry {
    /// Changes nothing.
    pub const IDENTITY: Self = Self(0);

    /// The symmetry with a number, 0 to 7.
    ///
    /// # Errors
    ///
    /// If the number is above 7.
    pub const fn new(number: usize) -> Result<Self, SymmetryError> {
        #[allow(clippy::cast_possible_truncation, reason = "below 8")]
        if number < 8 {
            Ok(Self(number as u8))
        } else {
            Err(SymmetryError::Number(number))
        }
    }

    /// Those that keep the shape of a board, by number: eight of a square, four of a rectangle.
    pub fn all(size: Size) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..if size.is_square() { 8 } else { 4 }).map(Self)
    }

    /// Its number, 0 to 7.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    const fn mirrors_columns(self) -> bool {
        self.0 & 1 != 0
    }

    const fn mirrors_rows(self) -> bool {
        self.0 & 2 != 0
    }

    const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.transposes() {
            // Mirroring the columns after transposing is mirroring the rows before.
            Self(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        } else {
            self
        }
    }

    /// First this one, then the other.
    #[must_use]
    pub const fn then(self, other: Self) -> Self {
        // The mirrors of the other, moved before the transposition of this one.
        let mirrors = if self.transposes() {
            (other.0 & 1) << 1 | (other.0 & 2) >> 1
        } else {
            other.0 & 3
        };
        Self((self.0 & 3) ^ mirrors | (self.0 ^ other.0) & 4)
    }

    /// The size of the outcome: rows and columns change places if it transposes.
    #[must_use]
    pub const fn size(self, size: Size) -> Size {
        if self.transposes() {
            size.transposed()
        } else {
            size
        }
    }

    /// Whether the outcome has the shape of the board.
    ///
    /// # Errors
    ///
    /// If it has not.
    pub fn check(self, size: Size) -> Result<(), SymmetryError> {
        if self.size(size) == size {
            Ok(())
        } else {
            Err(SymmetryError::Shape {
                symmetry: self,
                size,
            })
        }
    }

    /// Where a point of a board of that size goes. A point off the board stays.
    #[must_use]
    pub fn point(self, size: Size, point: Point) -> Point {
        if !size.contains(point) {
            return point;
        }
        let (mut row, mut col) = (point.row(), point.col());
        if self.mirrors_columns() {
            col = size.cols() - 1 - col;
        }
        if self.mirrors_rows() {
            row = size.rows() - 1 - row;
        }
        if self.transposes() {
            (row, col) = (col, row);
        }
        Point::from_slot(Point::slot_of(row, col))
    }

    /// Where a move goes; a pass stays a pass.
    #[must_use]
    pub fn mv(self, size: Size, mv: Move) -> Move {
        mv.point()
            .map_or(Move::Pass, |point| Move::Place(self.point(size, point)))
    }

    /// For each point of the outcome, in reading order, the number of the point it comes from.
    #[must_use]
    pub fn sources(self, size: Size) -> Vec<usize> {
        let (to, back) = (self.size(size), self.inverse());
        to.points()
            .map(|point| size.flat(back.point(to, point)))
            .collect()
    }

    /// The stones moved.
    #[must_use]
    pub fn position(self, position: &Position) -> Position {
        let size = position.size();
        let mut moved = Position::empty(self.size(size));
        for point in size.points() {
            moved.put(self.point(size, point), position.stone(point));
        }
        moved
    }

    /// The board moved: stones, ko ban, prisoners and suicide rule.
    #[must_use]
    pub fn board(self, board: &Board) -> Board {
        board.transformed(self.size(board.size()), |point| {
            self.point(board.size(), point)
        })
    }

    /// Planes of a board moved: `planes` is `(planes, rows, cols)` in C order; so is the outcome,
    /// with rows and columns of [`size`](Self::size).
    ///
    /// # Errors
    ///
    /// If the length is no multiple of the number of points.
    pub fn planes<T: Copy>(self, size: Size, planes: &[T]) -> Result<Vec<T>, SymmetryError> {
        if !planes.len().is_multiple_of(size.area()) {
            let expected = "a multiple of rows x columns";
            return Err(SymmetryError::Length {
                expected,
                found: planes.len(),
                size,
            });
        }
        let sources = self.sources(size);
        let plane = |plane: &[T]| sources.iter().map(|&from| plane[from]).collect::<Vec<T>>();
        Ok(planes.chunks_exact(size.area()).flat_map(plane).collect())
    }

    /// A policy moved: a number for each point in reading order, and after them one for the pass,
    /// which stays.
    ///
    /// # Errors
    ///
    /// If the length is not rows * columns + 1.
    pub fn policy<T: Copy>(self, size: Size, policy: &[T]) -> Result<Vec<T>, SymmetryError> {
        match policy.split_last() {
            Some((&pass, points)) if points.len() == size.area() => {
                let mut moved = self.planes(size, points)?;
                moved.push(pass);
                Ok(moved)
            }
            _ => {
                let expected = "rows x columns + 1";
                Err(SymmetryError::Length {
                    expected,
                    found: policy.len(),
                    size,
                })
            }
        }
    }
}

/// The least of the positions that a symmetry of the board makes of this one, and the first
/// symmetry that does. Two positions are the same up to symmetry if and only if the first of the pair is.
///
/// Least in the order of reading: an empty point before a black stone before a white one.
#[must_use]
pub fn canonical(position: &Position) -> (Position, Symmetry) {
    let order = |position: &Position| -> Vec<u8> {
        let rank = |stone: Option<Colour>| {
            stone.map_or(0, |colour| if colour == Colour::Black { 1 } else { 2 })
        };
        position
            .size()
            .points()
            .map(|point| rank(position.stone(point)))
            .collect()
    };
    let mut best = (order(position), *position, Symmetry::IDENTITY);
    for symmetry in Symmetry::all(position.size()).skip(1) {
        let moved = symmetry.position(position);
        let key = order(&moved);
        if key < best.0 {
            best = (key, moved, symmetry);
        }
    }
    (best.1, best.2)
}

/// A sample in all symmetries of the board, in order of their numbers: eight of a square, four of
/// a rectangle.
///
/// # Errors
///
/// If an array does not fit the board.
pub fn augment<T: Copy>(size: Size, sample: &Sample<T>) -> Result<Vec<Sample<T>>, SymmetryError> {
    Symmetry::all(size)
        .map(|symmetry| {
            Ok(Sample {
                planes: symmetry.planes(size, &sample.planes)?,
                policy: symmetry.policy(size, &sample.policy)?,
                value: sample.value,
            })
        })
        .collect()
}

/// The mean of what a network predicts for one position in several symmetries: each policy, as
/// predicted for the moved planes, is moved back first. Returns policy and value.
///
/// # Errors
///
/// If there are no predictions, one does not fit the board, or a symmetry changes its shape.
pub fn average<'a>(
    size: Size,
    predictions: impl IntoIterator<Item = (Symmetry, &'a [f32], f32)>,
) -> Result<(Vec<f32>, f32), SymmetryError> {
    // Sums in double precision: the mean of equal numbers is that number.
    let mut policy = vec![0.0_f64; size.area() + 1];
    let (mut value, mut count) = (0.0_f64, 0.0_f64);
    for (symmetry, predicted, predicted_value) in predictions {
        symmetry.check(size)?;
        for (sum, part) in policy
            .iter_mut()
            .zip(symmetry.inverse().policy(size, predicted)?)
        {
            *sum += f64::from(part);
        }
        value += f64::from(predicted_value);
        count += 1.0;
    }
    if count == 0.0 {
        return Err(SymmetryError::NoPredictions);
    }
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the mean of numbers of that precision"
    )]
    let mean = |sum: f64| (sum / count) as f32;
    Ok((policy.into_iter().map(mean).collect(), mean(value)))
}
