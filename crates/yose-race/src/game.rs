//! The race as a solvable game: its symmetries and the dense index over what they leave.
//!
//! Three symmetries are folded. They change neither who wins nor how soon:
//!
//! - the board turned: columns mirrored, colours and the side to move exchanged. So the side to
//!   move is always Red in the index;
//! - rows B and C exchanged: they have the same rules;
//! - row A shifted: its pieces only ever step towards each other, so all that counts there is
//!   their distance, not where on the row they stand.
//!
//! On ten columns that leaves 232,875 of the 4,556,250 positions. Each index has its weight: how
//! many positions it stands for.

use yose_retro::{Game, Successor, Value};

use crate::{Columns, Move, Position, Row, Side};

/// The race on a board of a given width.
///
/// ```
/// use yose_race::{Columns, Position, Race};
/// use yose_retro::Game;
///
/// let race = Race::new(Columns::default());
/// assert_eq!(race.index_size(), 232_875);
/// assert_eq!(race.positions(), 4_556_250);
///
/// let position: Position = "3r4b1/1r3b4/2r4b2/4rb4 b".parse()?;
/// let index = race.rank(&position).expect("a position of this width");
/// assert_eq!(race.unrank(index).expect("no hole").to_string(), "r4b4/2r4b2/4r3b1/4rb4 r");
/// # Ok::<(), yose_race::notation::ParsePositionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Race {
    columns: Columns,
    /// The columns of Red and Black in one row, Red to the left, by number.
    pairs: Vec<[u8; 2]>,
    /// The numbers of the pairs of two rows, the smaller first, by number.
    pairs_of_pairs: Vec<[u8; 2]>,
}

impl Race {
    /// The race on a board of this width.
    #[must_use]
    pub fn new(columns: Columns) -> Race {
        let pairs: Vec<[u8; 2]> = (1..columns.count())
            .flat_map(|black| (0..black).map(move |red| [red, black]))
            .collect();
        // At most C(16, 2) = 120 pairs.
        let count = u8::try_from(pairs.len()).unwrap_or(u8::MAX);
        let pairs_of_pairs = (0..count)
            .flat_map(|second| (0..=second).map(move |first| [first, second]))
            .collect();
        Race {
            columns,
            pairs,
            pairs_of_pairs,
        }
    }

    /// The width of the board.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The number of positions with both sides to move and no symmetry folded:
    /// 2 x C(2n, 2)^3 x n^2 on 2n columns.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let half = u64::from(self.columns.half());
        2 * (self.pairs.len() as u64).pow(3) * half * half
    }

    /// Every position, no symmetry folded: first those with Red to move, then Black.
    pub fn every_position(&self) -> impl Iterator<Item = Position> {
        let (columns, half) = (self.columns, self.columns.half());
        let rows = move || self.pairs.iter().copied();
        let halves = move || (0..half).flat_map(move |red| (half..2 * half).map(move |b| [red, b]));
        [Side::Red, Side::Black]
            .into_iter()
            .flat_map(move |to_move| {
                rows().flat_map(move |a| {
                    rows().flat_map(move |b| {
                        rows().flat_map(move |c| {
                            halves().map(move |d| Position {
                                columns,
                                red: [a[0], b[0], c[0], d[0]],
                                black: [a[1], b[1], c[1], d[1]],
                                to_move,
                            })
                        })
                    })
                })
            })
    }

    /// Every placement that a game can start from, with this side to move: n^6 on 2n columns.
    pub fn every_start(&self, to_move: Side) -> impl Iterator<Item = Position> {
        let (columns, half) = (self.columns, self.columns.half());
        let side = i32::from(half);
        (0..side.pow(6)).map(move |number| {
            // The digits of the number in base n.
            let mut rest = number;
            let digits: [u8; 6] = std::array::from_fn(|_| {
                let digit = rest % side;
                rest /= side;
                u8::try_from(digit).unwrap_or_default()
            });
            Position {
                columns,
                red: [digits[0], digits[1], digits[2], half - 1],
                black: [half + digits[3], half + digits[4], half + digits[5], half],
                to_move,
            }
        })
    }

    /// The number of the pair of columns in a row.
    fn pair(position: &Position, row: Row) -> u64 {
        let (red, black) = (
            u64::from(position.red[row as usize]),
            u64::from(position.black[row as usize]),
        );
        black * (black - 1) / 2 + red
    }
}

impl Game for Race {
    type Position = Position;
    type Move = Move;

    fn index_size(&self) -> u64 {
        let half = u64::from(self.columns.half());
        let distances = u64::from(self.columns.count()) - 1;
        distances * self.pairs_of_pairs.len() as u64 * half * half
    }

    fn rank(&self, position: &Position) -> Option<u64> {
        if position.columns != self.columns {
            return None;
        }
        let ours = match position.to_move {
            Side::Red => *position,
            Side::Black => position.turned(),
        };
        let half = u64::from(self.columns.half());
        let (b, c) = (Race::pair(&ours, Row::B), Race::pair(&ours, Row::C));
        let (first, second) = (b.min(c), b.max(c));
        let b_and_c = second * (second + 1) / 2 + first;
        let a = u64::from(ours.distance(Row::A)) - 1;
        let d = u64::from(ours.room_behind(Side::Red, Row::D)) * half
            + u64::from(ours.room_behind(Side::Black, Row::D));
        Some((a * self.pairs_of_pairs.len() as u64 + b_and_c) * half * half + d)
    }

    fn unrank(&self, index: u64) -> Option<Position> {
        if index >= self.index_size() {
            return None;
        }
        let half = u64::from(self.columns.half());
        let d = index % (half * half);
        let b_and_c = index / (half * half) % self.pairs_of_pairs.len() as u64;
        let a = index / (half * half) / self.pairs_of_pairs.len() as u64;
        let [b, c] = self.pairs_of_pairs[usize::try_from(b_and_c).ok()?];
        let (b, c) = (self.pairs[usize::from(b)], self.pairs[usize::from(c)]);
        let column = |number: u64| u8::try_from(number).ok();
        Some(Position {
            columns: self.columns,
            red: [0, b[0], c[0], column(d / half)?],
            black: [column(a)? + 1, b[1], c[1], column(2 * half - 1 - d % half)?],
            to_move: Side::Red,
        })
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        position.moves_into(moves);
    }

    fn play(&self, position: &Position, mv: Move) -> Successor<Position> {
        position.play_legal(mv)
    }

    /// Who has no move has lost.
    fn stuck(&self) -> Value {
        Value::Loss(0)
    }

    fn weight(&self, position: &Position) -> u64 {
        let shifts = u64::from(self.columns.count() - position.distance(Row::A));
        let b_and_c = if Race::pair(position, Row::B) == Race::pair(position, Row::C) {
            1
        } else {
            2
        };
        2 * shifts * b_and_c
    }

    fn symmetries(&self, position: &Position) -> Vec<Position> {
        let distance = position.distance(Row::A);
        let mut images = Vec::new();
        for shift in 0..self.columns.count() - distance {
            let mut shifted = *position;
            shifted.red[Row::A as usize] = shift;
            shifted.black[Row::A as usize] = shift + distance;
            let exchanged = shifted.with_b_and_c_exchanged();
            images.extend([shifted, exchanged, shifted.turned(), exchanged.turned()]);
        }
        images
    }

    fn predecessors(&self, position: &Position) -> Option<Vec<Position>> {
        let mover = position.to_move.other();
        let before = Position {
            to_move: mover,
            ..*position
        };
        let mut from = Vec::new();
        let mut push = |row: Row, column: u8| {
            let mut before = before;
            match mover {
                Side::Red => before.red[row as usize] = column,
                Side::Black => before.black[row as usize] = column,
            }
            from.push(before);
        };
        // Rows B and C: to and fro are alike.
        for mv in before
            .moves()
            .into_iter()
            .filter(|mv| matches!(mv.row, Row::B | Row::C))
        {
            push(mv.row, mv.to);
        }
        // Row D: from one step nearer, while that is in the mover's own half.
        let (half, d) = (self.columns.half(), before.column(mover, Row::D));
        match mover {
            Side::Red if d + 1 < half => push(Row::D, d + 1),
            Side::Black if d > half => push(Row::D, d - 1),
            _ => {}
        }
        // Row A: from a distance one greater. Where on the row does not matter, so start at the
        // left edge: the piece may have stepped away from either edge.
        let distance = before.distance(Row::A) + 1;
        if distance < self.columns.count() {
            let mut before = before;
            before.red[Row::A as usize] = 0;
            before.black[Row::A as usize] = distance;
            from.push(before);
        }
        Some(from)
    }
}
