//! Where the auditor reads a table from, and how a value is coded as a number.

use std::borrow::Cow;
use std::convert::Infallible;

use yose_retro::Value;

use crate::index::Index;

/// An unsigned integer that codes values or ranks: `u8`, `u16` or `u32`.
pub trait Code: sealed::Sealed + Copy + Into<u32> + Send + Sync + 'static {}

impl Code for u8 {}
impl Code for u16 {}
impl Code for u32 {}

/// The values of a table, or the ranks beside it, one code for each stored slot of the [`Index`].
///
/// - Depths: plies to the end of the game; 0 is a draw or a hole, an odd number a win in that many
///   plies, an even one a loss, in the view of the side to move.
/// - Outcomes: 0 draw or hole, 1 win, 2 loss.
/// - Ranks: any number for wins and losses, see [`ranked_outcomes`](super::ranked_outcomes);
///   elsewhere it is not looked at.
///
/// The auditor calls from several threads at once.
pub trait Source: Sync {
    /// The width of a code.
    type Code: Code;
    /// Why a slice cannot be read.
    type Error: std::error::Error + Send + 'static;

    /// The codes of all slots of a stored slice, in the order of the index: the layouts of the
    /// slice in order, and the lanes of each.
    ///
    /// # Errors
    /// If they cannot be read.
    fn slice(&self, number: usize) -> Result<Cow<'_, [Self::Code]>, Self::Error>;
}

impl<S: Source> Source for &S {
    type Code = S::Code;
    type Error = S::Error;

    fn slice(&self, number: usize) -> Result<Cow<'_, [S::Code]>, S::Error> {
        (**self).slice(number)
    }
}

/// A table held in memory, in slot order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InMemory<C> {
    codes: Vec<C>,
    slots_of_slice: usize,
}

/// The number of codes is not the number of stored slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{got} codes for an index that stores {expected} slots")]
pub struct WrongLength {
    /// Stored slots of the index.
    pub expected: u64,
    /// Codes given.
    pub got: u64,
}

impl<C: Code> InMemory<C> {
    /// Takes the codes of all stored slots of an index.
    ///
    /// # Errors
    /// If their number is not [`Index::stored_size`].
    pub fn new(index: &Index, codes: Vec<C>) -> Result<InMemory<C>, WrongLength> {
        let (expected, got) = (index.stored_size(), codes.len() as u64);
        if expected != got {
            return Err(WrongLength { expected, got });
        }
        Ok(InMemory {
            slots_of_slice: codes.len() / index.slices().stored().max(1),
            codes,
        })
    }

    /// The codes in slot order.
    #[must_use]
    pub fn codes(&self) -> &[C] {
        &self.codes
    }

    /// The codes in slot order, to be changed.
    pub fn codes_mut(&mut self) -> &mut [C] {
        &mut self.codes
    }
}

impl<C: Code> Source for InMemory<C> {
    type Code = C;
    type Error = Infallible;

    fn slice(&self, number: usize) -> Result<Cow<'_, [C]>, Infallible> {
        // A slice that is not there is empty, and the auditor says so.
        let start = number.saturating_mul(self.slots_of_slice);
        let end = start.saturating_add(self.slots_of_slice);
        Ok(Cow::Borrowed(self.codes.get(start..end).unwrap_or(&[])))
    }
}

/// The code of a value in a table of depths.
///
/// ```
/// use yose_retro::Value;
/// use yose_shogi::audit::{depth_code, depth_value};
/// assert_eq!(depth_code(Value::Win(5)), 5);
/// assert_eq!(depth_code(Value::Loss(78)), 78);
/// assert_eq!(depth_value(0), Value::Draw);
/// ```
#[must_use]
pub fn depth_code(value: Value) -> u32 {
    value.depth().unwrap_or(0)
}

/// The value of a code in a table of depths.
#[must_use]
pub fn depth_value(code: u32) -> Value {
    match code {
        0 => Value::Draw,
        plies if plies % 2 == 1 => Value::Win(plies),
        plies => Value::Loss(plies),
    }
}

pub(super) mod sealed {
    use super::super::judge::Key;

    /// The arithmetic of codes that the auditor needs; what it means is told in `judge`.
    pub trait Sealed: Key {
        /// The key of a draw in a table of depths.
        const DRAW: Self;
        /// Keys of ranked outcomes: any rank of this width and marks beside it.
        type Wide: Key;
        /// The key of a draw among ranked outcomes.
        const RANKED_DRAW: Self::Wide;

        /// The key of a code in a table of depths.
        fn depth_key(self) -> Self;
        /// The key of a position's depth if its best child has the key `best`.
        fn depth_key_before(best: Self) -> Self;
        /// The key of a win of this rank.
        fn won_at(self) -> Self::Wide;
        /// The key of a loss of this rank.
        fn lost_at(self) -> Self::Wide;
        /// The local rule of ranked outcomes.
        fn ranked_agrees(own: Self::Wide, best: Self::Wide, won: bool) -> bool;
    }

    macro_rules! sealed {
        ($code:ty, $wide:ty) => {
            impl Sealed for $code {
                const DRAW: $code = 1 << (<$code>::BITS - 1);
                type Wide = $wide;
                const RANKED_DRAW: $wide = <$wide>::MAX / 2;

                #[inline]
                fn depth_key(self) -> $code {
                    if self & 1 == 1 {
                        self >> 1
                    } else if self == 0 {
                        Self::DRAW
                    } else {
                        (self >> 1).wrapping_neg()
                    }
                }

                #[inline]
                fn depth_key_before(best: $code) -> $code {
                    if best >= Self::DRAW {
                        best.wrapping_neg()
                    } else {
                        !best
                    }
                }

                #[inline]
                fn won_at(self) -> $wide {
                    <$wide>::from(self) + 1
                }

                #[inline]
                fn lost_at(self) -> $wide {
                    <$wide>::MAX - <$wide>::from(self)
                }

                #[inline]
                fn ranked_agrees(own: $wide, best: $wide, won: bool) -> bool {
                    let (draw, max) = (Self::RANKED_DRAW, <$wide>::MAX);
                    let wins = own > 0 && own < draw;
                    if won {
                        wins
                    } else if wins {
                        // The best child is lost at a smaller rank.
                        best > draw && max - best < own - 1
                    } else if own == draw {
                        best == draw
                    } else {
                        // Every child is won at a smaller rank, or by rule.
                        own > draw && best < draw && (best == 0 || best - 1 < max - own)
                    }
                }
            }
        };
    }
    sealed!(u8, u16);
    sealed!(u16, u32);
    sealed!(u32, u64);
}
