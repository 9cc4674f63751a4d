//! Feature planes: positions as arrays of numbers, as neural networks read them.
//!
//! An encoded position has the shape `(planes, rows, cols)` in C order, row 0 = top, column 0 = A,
//! as `u8` or `f32`; several of them `(positions, planes, rows, cols)`. Which number stands for what
//! is fixed by a [`PlaneSet`] and defined plane by plane in `docs/planes.md` and by
//! [`PlaneSet::describe`].
//!
//! Positions come from a [`Game`], whose history some planes look back on. Ko is simple and suicide
//! illegal in all planes, whatever the rules of the game, so that equal positions give equal planes.
//!
//! ```
//! use yose_go::planes::{EncodeOptions, PlaneSet, Plies, encode};
//! use yose_go::{Game, Rules, Size};
//!
//! let size = Size::square(9)?;
//! let mut game = Game::new(size, Rules::CHINESE);
//! for vertex in ["D4", "E5", "F3"] {
//!     game.play(size.parse_gtp(vertex)?)?;
//! }
//! let planes = encode::<u8>(&[game], Plies::All, PlaneSet::Agz, &EncodeOptions::default(), 1)?;
//! assert_eq!(planes.shape, [4, 17, 9, 9]); // the start and three moves
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The examples of `docs/planes.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/planes.md")]
struct Page;

mod alphago;
mod analysis;
mod batch;
mod bits;
mod describe;
mod encoder;
mod gnugo;
mod history;
mod npy;
mod overview;
mod situation;

pub use batch::{Element, Plies, Sample, Tensor, encode, encode_into, encode_samples};
pub use encoder::Encoder;
pub use gnugo::pattern_code;
pub use npy::{NpyError, write_npy, write_npz};

use thiserror::Error;

#[cfg(doc)]
use crate::Game;
use crate::Size;

/// Which planes, in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlaneSet {
    /// AlphaGo Zero: stones of the side to play and of the other in turn, now and 1 to 7 positions
    /// ago; then the colour to play. 17 planes.
    Agz,
    /// The same stones by colour: eight planes of Black's, eight of White's; then the colour to play.
    /// 17 planes.
    AgzAbsolute,
    /// AlphaGo 2016, policy network. 48 planes.
    AlphaGo,
    /// AlphaGo 2016, value network: the 48 and the colour to play. 49 planes.
    AlphaGo49,
    /// A simplified list found in tutorials, defined here. 48 planes.
    Overview48,
    /// Hand-made features of each move, as classical programs compute them: numbers, not bits.
    /// 23 planes.
    GnuGo,
}

impl PlaneSet {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Agz,
        Self::AgzAbsolute,
        Self::AlphaGo,
        Self::AlphaGo49,
        Self::Overview48,
        Self::GnuGo,
    ];

    /// Its name on command lines and in Python.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agz => "agz",
            Self::AgzAbsolute => "agz-absolute",
            Self::AlphaGo => "alphago",
            Self::AlphaGo49 => "alphago49",
            Self::Overview48 => "overview48",
            Self::GnuGo => "gnugo",
        }
    }

    /// The set of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn by_name(name: &str) -> Result<Self, EncodeError> {
        let found = Self::ALL.into_iter().find(|set| set.name() == name);
        found.ok_or_else(|| EncodeError::Name(name.to_owned()))
    }

    /// How many planes.
    #[must_use]
    pub const fn planes(self) -> usize {
        match self {
            Self::Agz | Self::AgzAbsolute => 17,
            Self::AlphaGo | Self::Overview48 => 48,
            Self::AlphaGo49 => 49,
            Self::GnuGo => gnugo::PLANES,
        }
    }

    /// How many numbers a position of that size takes.
    #[must_use]
    pub const fn len(self, size: Size) -> usize {
        self.planes() * size.area()
    }

    /// What a plane means, in a few words; nothing if there is no such plane.
    #[must_use]
    pub fn describe(self, plane: usize) -> Option<String> {
        (plane < self.planes()).then(|| describe::plane(self, plane))
    }
}

/// Choices that a set of planes leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeOptions {
    /// History before the start, in `agz` and `agz-absolute`: zeros as in the paper (`false`), or
    /// the oldest board again as minigo does (`true`). It matters for set-up starts only.
    pub repeat_oldest: bool,
    /// The first of the eight capture-size planes, in `alphago`, `alphago49` and `overview48`: legal
    /// moves that capture nothing (`true`), so that the planes are 0 to 6 and 7 or more; or captures
    /// of one stone (`false`), so that they are 1 to 7 and 8 or more.
    pub capture_zero_plane: bool,
    /// How many positions one reading of a ladder may look at; a ladder beyond it is marked neither
    /// as a capture nor as an escape.
    pub ladder_nodes: u64,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self {
            repeat_oldest: false,
            capture_zero_plane: true,
            ladder_nodes: 100_000,
        }
    }
}

/// What cannot be encoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// No such set of planes.
    #[error(
        "no set of planes is called {0:?}; there are agz, agz-absolute, alphago, alphago49, overview48, gnugo"
    )]
    Name(String),
    /// The game is shorter.
    #[error("there is no position after {ply} moves in a game of {moves}")]
    Ply {
        /// Moves asked for.
        ply: usize,
        /// Moves there are.
        moves: usize,
    },
    /// The board has another size than the encoder, or than the first game.
    #[error("the planes are for a board of {expected}, the game is on {got}")]
    Size {
        /// Size of the planes.
        expected: Size,
        /// Size of the board.
        got: Size,
    },
    /// The place to write to is too small or too large.
    #[error("the planes take {expected} numbers, there is room for {got}")]
    Room {
        /// Numbers of the planes.
        expected: usize,
        /// Length of the place.
        got: usize,
    },
    /// No game, so that the size of the planes is not known.
    #[error("there is no game to encode")]
    Nothing,
    /// More numbers than can be addressed.
    #[error("{positions} positions of {each} numbers are too many to hold")]
    TooMany {
        /// Positions asked for.
        positions: usize,
        /// Numbers of each.
        each: usize,
    },
}
