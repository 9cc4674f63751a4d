//! The two players.

use std::fmt;
use std::ops::Not;

/// A player, and the colour of that player's stones. `!colour` is the other one.
///
/// ```
/// use yose_go::Colour;
/// assert_eq!(!Colour::Black, Colour::White);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Moves first in an even game; scores are counted as Black minus White.
    Black = 0,
    /// The other player; receives komi.
    White = 1,
}

impl Colour {
    /// Black, White: the order of every array indexed by colour.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `X` for Black, `O` for White, as in most printed boards.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }

    /// Reads `b`, `w`, `black`, `white` in any case, as GTP does.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        if is("b") || is("black") {
            Some(Self::Black)
        } else if is("w") || is("white") {
            Some(Self::White)
        } else {
            None
        }
    }
}

impl Not for Colour {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
