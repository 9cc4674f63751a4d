//! The board: stones, chains, liberties, captures, simple ko. No history; see
//! [`Game`](crate::Game) for that.

mod chain;
mod check;
mod memory;
mod play;
mod random;
mod set_up;
mod text;
mod trail;

pub use chain::{ChainLiberties, ChainStones};
pub use play::{IllegalMove, Played, Suicide};
pub use set_up::SetUpError;
pub use text::BoardTextError;
pub use trail::Trail;

use crate::colour::Colour;
use crate::point::{MAX_SIDE, Point};
use crate::size::Size;
use crate::zobrist;
use memory::{BLACK, EMPTY, Memory, WALL};

/// Stones on a board of any [`Size`], with all that the rules ask of a position, kept up to date
/// from move to move: chains, how many stones and liberties each has, empty points, prisoners, the
/// point of a simple ko, a hash.
///
/// There is no side to move and no history: any colour may be placed at any time. The value lies
/// in one flat piece of memory of less than 10 kB whatever the size, so copies are cheap and
/// nothing is allocated.
///
/// Two boards are equal if size, stones, prisoners, the ko ban and the suicide rule are.
///
/// ```
/// use yose_go::{Board, Colour, Size};
///
/// let size = Size::square(5)?;
/// let mut board = Board::from_rows(&[
///     ".....", //
///     ".XO..",
///     "XO.O.",
///     ".XO..",
///     ".....",
/// ])?;
/// let take = size.point(2, 2)?;
/// let taken = size.point(2, 1)?;
/// assert_eq!(board.liberties(taken), 1);
/// assert_eq!(board.play(Colour::Black, take)?.captured, 1);
/// assert_eq!(board.ko_point(), Some(taken)); // White may not take back at once
/// assert!(!board.is_legal(Colour::White, taken));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Board {
    memory: Memory,
    /// Of the stones only.
    hash: u64,
    /// Of all that was placed and passed, in this order, from the empty board on. Boards with the
    /// same past have the same memory, which boards with the same stones need not.
    past: u64,
    /// By the colour that took them.
    captures: [u32; 2],
    /// Where a ko may not be retaken, 0 for none.
    ko: u16,
    /// Length of the list of empty points.
    empties: u16,
    size: Size,
    /// Who may not retake; Black if there is no ban, so that boards compare.
    ko_colour: Colour,
    suicide: Suicide,
}

impl Board {
    /// An empty board on which suicide is forbidden.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let mut memory = Memory::new();
        let mut empties = 0;
        for point in size.points() {
            memory.put_empty(point.slot(), empties);
            empties += 1;
        }
        Self {
            memory,
            hash: zobrist::size_key(size),
            past: zobrist::size_key(size),
            captures: [0; 2],
            ko: 0,
            empties,
            size,
            ko_colour: Colour::Black,
            suicide: Suicide::Forbidden,
        }
    }

    /// Makes this board a copy of another, touching only the rows in use: the cheapest copy.
    pub fn copy_from(&mut self, other: &Self) {
        let rows = self.size.rows().max(other.size.rows());
        self.memory.copy_rows(&other.memory, rows);
        self.hash = other.hash;
        self.past = other.past;
        self.captures = other.captures;
        self.ko = other.ko;
        self.empties = other.empties;
        self.size = other.size;
        self.ko_colour = other.ko_colour;
        self.suicide = other.suicide;
    }

    /// Its size.
    #[must_use]
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Which suicides are legal.
    #[must_use]
    pub const fn suicide(&self) -> Suicide {
        self.suicide
    }

    /// Changes which suicides are legal from now on.
    pub const fn set_suicide(&mut self, suicide: Suicide) {
        self.suicide = suicide;
    }

    /// The stone on a point; nothing if it is empty or not on the board.
    #[must_use]
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Colour> {
        match self.memory.cell(point.slot()) {
            BLACK => Some(Colour::Black),
            EMPTY | WALL => None,
            _ => Some(Colour::White),
        }
    }

    /// Whether the point is on the board and holds no stone.
    #[must_use]
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.memory.cell(point.slot()) == EMPTY
    }

    /// Whether the point is on the board.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.memory.cell(point.slot()) != WALL
    }

    /// All stones, in reading order.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Colour)> + '_ {
        self.size
            .points()
            .filter_map(|point| Some((point, self.stone(point)?)))
    }

    /// How many points are empty. O(1).
    #[must_use]
    #[inline]
    pub const fn empty_count(&self) -> usize {
        self.empties as usize
    }

    /// The empty points, in no particular order.
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        (0..self.empties).map(|i| Point::from_slot(self.memory.listed(i)))
    }

    /// The points next to a point of the board, in the order up, left, right, down.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        memory::around(point.slot())
            .into_iter()
            .filter(|&slot| self.memory.cell(slot) != WALL)
            .map(Point::from_slot)
    }

    /// How many stones `colour` has taken, counting those that the other side lost by suicide.
    #[must_use]
    pub const fn captures(&self, colour: Colour) -> u32 {
        self.captures[colour.index()]
    }

    /// The point where [`ko_colour`](Self::ko_colour) may not retake a ko, if there is one.
    #[must_use]
    #[inline]
    pub const fn ko_point(&self) -> Option<Point> {
        if self.ko == 0 {
            None
        } else {
            Some(Point::from_slot(self.ko))
        }
    }

    /// Who may not play at [`ko_point`](Self::ko_point).
    #[must_use]
    pub const fn ko_colour(&self) -> Option<Colour> {
        if self.ko == 0 {
            None
        } else {
            Some(self.ko_colour)
        }
    }

    /// Lifts the ko ban.
    pub const fn clear_ko(&mut self) {
        self.ko = 0;
        self.ko_colour = Colour::Black;
    }

    /// Another step of its past, to the board as its hash now says it is.
    #[inline]
    const fn went_on(&mut self) {
        self.went_by(self.hash);
    }

    /// Another step of its past, told from others by a number.
    #[inline]
    const fn went_by(&mut self, step: u64) {
        self.past = self.past.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ step;
    }

    /// Hash of size and stones alone, kept from move to move; see [`zobrist`].
    #[must_use]
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Hash of size, stones, the side to move and the ko ban; see [`zobrist`].
    #[must_use]
    pub fn full_hash(&self, to_move: Colour) -> u64 {
        let ko = self
            .ko_point()
            .map_or(0, |point| zobrist::ko_key(self.ko_colour, point));
        self.hash ^ zobrist::to_move_key(to_move) ^ ko
    }

    /// The points where `colour` may play now, by this board's rules (simple ko, its suicide
    /// rule), in reading order. Passing is not listed.
    pub fn legal_moves(&self, colour: Colour) -> impl Iterator<Item = Point> + '_ {
        self.size
            .points()
            .filter(move |&point| self.is_legal(colour, point))
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.hash == other.hash
            && (self.captures, self.ko, self.ko_colour, self.suicide)
                == (other.captures, other.ko, other.ko_colour, other.suicide)
            && self
                .size
                .points()
                .all(|point| self.stone(point) == other.stone(point))
    }
}

impl Eq for Board {}

const _: () = assert!(size_of::<Board>() < 10_000 && MAX_SIDE == 25);
