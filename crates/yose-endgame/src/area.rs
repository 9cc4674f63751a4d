//! A part of a board, cut out: what stands in it and who stands around it for ever.

use yose_go::Colour;

/// Most points in play (empty ones and mortal stones) of an area that is searched.
pub const MOST_POINTS: usize = 128;

/// Longest side of an area that is searched.
pub const LONGEST_SIDE: usize = 255;

/// What is at a place of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// An empty point.
    Empty,
    /// A stone that can be captured.
    Mortal(Colour),
    /// A stone that stands for ever.
    Immortal(Colour),
    /// No point of the board, or outside the picture: no liberty, and nobody plays there.
    Off,
}

/// The text or the list of places is no area.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AreaError {
    /// A sign that means nothing.
    #[error("row {row}, column {col}: expected one of . X O B W #, got {found:?}")]
    Sign {
        /// Row, 0 at the top.
        row: usize,
        /// Column, 0 at the left.
        col: usize,
        /// What stands there.
        found: char,
    },
    /// Rows of different lengths, or places that do not fill the rectangle.
    #[error("row {row}: expected {expected} places, got {found}")]
    Ragged {
        /// Row, 0 at the top.
        row: usize,
        /// Length of the first row.
        expected: usize,
        /// Length of this row.
        found: usize,
    },
    /// More points in play than the search holds.
    #[error("expected at most {MOST_POINTS} empty points and mortal stones, got {found}")]
    TooManyPoints {
        /// How many there are.
        found: usize,
    },
    /// The rectangle is too long or too wide.
    #[error("expected sides of at most {LONGEST_SIDE}, got {rows} rows and {cols} columns")]
    TooLong {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// A mortal chain without a liberty.
    #[error("row {row}, column {col}: expected a chain with a liberty, got one without")]
    NoLiberty {
        /// Row of its first stone, 0 at the top.
        row: usize,
        /// Column of its first stone, 0 at the left.
        col: usize,
    },
}

/// A rectangle of [`Place`]s, row 0 = top; the place at `(row, col)` has index `row * cols + col`.
///
/// ```
/// use yose_endgame::Area;
/// let corridor = Area::from_rows(&["#BB#", "W..B", "#BB#"])?;
/// assert_eq!(corridor.points().count(), 2);
/// # Ok::<(), yose_endgame::AreaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Area {
    rows: usize,
    cols: usize,
    places: Vec<Place>,
}

impl Area {
    /// An area of places in row order.
    ///
    /// # Errors
    /// If they do not fill the rectangle, or are too many to search, or a mortal chain has no liberty.
    pub fn new(rows: usize, cols: usize, places: Vec<Place>) -> Result<Self, AreaError> {
        if rows > LONGEST_SIDE || cols > LONGEST_SIDE {
            return Err(AreaError::TooLong { rows, cols });
        }
        if places.len() != rows * cols {
            return Err(AreaError::Ragged {
                row: places.len() / cols.max(1),
                expected: cols,
                found: places.len() % cols.max(1),
            });
        }
        let area = Self { rows, cols, places };
        let found = area.points().count() + area.mortal().count();
        if found > MOST_POINTS {
            return Err(AreaError::TooManyPoints { found });
        }
        match area.suffocated() {
            Some(index) => Err(AreaError::NoLiberty {
                row: index / cols,
                col: index % cols,
            }),
            None => Ok(area),
        }
    }

    /// Reads a picture: `.` empty, `X` `O` mortal black and white stones, `B` `W` immortal ones, `#`
    /// no point.
    ///
    /// # Errors
    /// As [`Area::new`], or for another sign.
    pub fn from_rows<T: AsRef<str>>(rows: &[T]) -> Result<Self, AreaError> {
        let expected = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let mut places = Vec::new();
        for (row, text) in rows.iter().enumerate() {
            for (col, sign) in text.as_ref().chars().enumerate() {
                places.push(match sign {
                    '.' => Place::Empty,
                    'X' => Place::Mortal(Colour::Black),
                    'O' => Place::Mortal(Colour::White),
                    'B' => Place::Immortal(Colour::Black),
                    'W' => Place::Immortal(Colour::White),
                    '#' => Place::Off,
                    found => return Err(AreaError::Sign { row, col, found }),
                });
            }
            let found = text.as_ref().chars().count();
            if found != expected {
                return Err(AreaError::Ragged {
                    row,
                    expected,
                    found,
                });
            }
        }
        Self::new(rows.len(), expected, places)
    }

    /// The picture that [`Area::from_rows`] reads.
    #[must_use]
    pub fn to_rows(&self) -> Vec<String> {
        let sign = |place: &Place| match place {
            Place::Empty => '.',
            Place::Mortal(Colour::Black) => 'X',
            Place::Mortal(Colour::White) => 'O',
            Place::Immortal(Colour::Black) => 'B',
            Place::Immortal(Colour::White) => 'W',
            Place::Off => '#',
        };
        let row = |row| {
            let start = row * self.cols;
            self.places[start..start + self.cols].iter().map(sign)
        };
        (0..self.rows).map(|r| row(r).collect()).collect()
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// All places in row order.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Indices of the empty points.
    pub fn points(&self) -> impl Iterator<Item = usize> + '_ {
        let empty = |&(_, place): &(usize, &Place)| *place == Place::Empty;
        self.places.iter().enumerate().filter(empty).map(|(i, _)| i)
    }

    /// Indices of the mortal stones.
    pub fn mortal(&self) -> impl Iterator<Item = usize> + '_ {
        let mortal = |&(_, place): &(usize, &Place)| matches!(place, Place::Mortal(_));
        self.places
            .iter()
            .enumerate()
            .filter(mortal)
            .map(|(i, _)| i)
    }

    /// The same with black and white exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |place: &Place| match *place {
            Place::Mortal(colour) => Place::Mortal(!colour),
            Place::Immortal(colour) => Place::Immortal(!colour),
            other => other,
        };
        Self {
            places: self.places.iter().map(flip).collect(),
            ..*self
        }
    }

    /// The same with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let at = |i: usize| self.places[(i % self.rows) * self.cols + i / self.rows];
        Self {
            rows: self.cols,
            cols: self.rows,
            places: (0..self.places.len()).map(at).collect(),
        }
    }

    /// The same with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let at = |i: usize| {
            let (row, col) = (i / self.cols, i % self.cols);
            self.places[row * self.cols + self.cols - 1 - col]
        };
        Self {
            places: (0..self.places.len()).map(at).collect(),
            ..*self
        }
    }

    /// Indices of the up to four places beside a place.
    pub(crate) fn beside(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (cols, len) = (self.cols, self.places.len());
        let col = index % cols.max(1);
        let up = (index >= cols).then(|| index - cols);
        let left = (col > 0).then(|| index - 1);
        let right = (col + 1 < cols).then(|| index + 1);
        let down = (index + cols < len).then(|| index + cols);
        [up, left, right, down].into_iter().flatten()
    }

    /// A mortal stone whose chain has no liberty and does not hang on an immortal stone.
    fn suffocated(&self) -> Option<usize> {
        let mut seen = vec![false; self.places.len()];
        for first in self.mortal() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let (mut stack, mut breathes) = (vec![first], false);
            let Place::Mortal(colour) = self.places[first] else {
                continue;
            };
            while let Some(p) = stack.pop() {
                for q in self.beside(p) {
                    match self.places[q] {
                        Place::Empty => breathes = true,
                        Place::Immortal(c) if c == colour => breathes = true,
                        Place::Mortal(c) if c == colour && !seen[q] => {
                            seen[q] = true;
                            stack.push(q);
                        }
                        _ => {}
                    }
                }
            }
            if !breathes {
                return Some(first);
            }
        }
        None
    }
}
