//! What a stored value may be, given the best of the children's.
//!
//! Values are turned into *keys*: numbers in the order in which the side that moves *to* a position
//! prefers its value: wins of the side then to move come first, the quicker (or of smaller rank) the
//! lower, then draws, then losses, the slower the lower. So the best child is the greatest key, and
//! folding the children of a position is taking a maximum. Key 0 stands for "no move but such that
//! the other side takes the king": it is where every fold starts.

use std::borrow::Cow;
use std::fmt::Debug;

use super::values::{Code, Source, sealed::Sealed};

/// An unsigned integer that holds keys.
pub trait Key: Copy + Ord + Default + Debug + Send + Sync + 'static {}

impl Key for u8 {}
impl Key for u16 {}
impl Key for u32 {}
impl Key for u64 {}

/// What the sources hold of one slice.
pub(super) struct Stored<'a, V: Code, R: Code> {
    values: Cow<'a, [V]>,
    ranks: Option<Cow<'a, [R]>>,
}

impl<V: Code, R: Code> Stored<'_, V, R> {
    /// The number of values, and of ranks if there are any.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let values = self.values.len();
        (values, self.ranks.as_ref().map_or(values, |r| r.len()))
    }

    /// The codes at one slot: value and rank.
    pub(super) fn codes(&self, slot: usize) -> (u32, Option<u32>) {
        let rank = self.ranks.as_ref().map(|ranks| ranks[slot].into());
        (self.values[slot].into(), rank)
    }
}

/// What a judge's sources hold of one slice.
pub(super) type StoredBy<'a, J> = Stored<'a, <J as Judge>::Value, <J as Judge>::Rank>;

/// One metric: its sources, its keys and its local rule.
pub(super) trait Judge: Sync {
    /// The type of the keys.
    type Key: Key;
    /// Why a source cannot be read.
    type Error: std::error::Error + Send + 'static;
    /// The codes of values.
    type Value: Code;
    /// The codes of ranks, if there are any.
    type Rank: Code;
    /// Bytes of a slot in the sources.
    const BYTES: usize;

    /// The key of a draw; holes have it too.
    fn draw() -> Self::Key;
    /// Reads a slice.
    fn load(&self, number: usize) -> Result<StoredBy<'_, Self>, Self::Error>
    where
        Self: Sized;
    /// The keys of the slots from `start` on.
    fn keys(stored: &StoredBy<'_, Self>, start: usize, keys: &mut [Self::Key])
    where
        Self: Sized;
    /// Whether a position with the key `own` agrees with the greatest key of its children; `won`:
    /// whether the side to move ends the game now.
    fn agrees(own: Self::Key, best: Self::Key, won: bool) -> bool;
}

/// Exact depths. For codes of 8 bits the keys are: win in d (d - 1) / 2, draw 128, loss in d
/// 256 - d / 2. Every key follows from the best child's.
pub(super) struct Depths<S>(pub(super) S);

impl<S: Source> Judge for Depths<S> {
    type Key = S::Code;
    type Error = S::Error;
    type Value = S::Code;
    type Rank = u8;

    const BYTES: usize = size_of::<S::Code>();

    fn draw() -> S::Code {
        S::Code::DRAW
    }

    fn load(&self, number: usize) -> Result<StoredBy<'_, Self>, S::Error> {
        Ok(Stored {
            values: self.0.slice(number)?,
            ranks: None,
        })
    }

    #[inline]
    fn keys(stored: &StoredBy<'_, Self>, start: usize, keys: &mut [S::Code]) {
        for (key, &code) in keys.iter_mut().zip(&stored.values[start..]) {
            *key = code.depth_key();
        }
    }

    #[inline]
    fn agrees(own: S::Code, best: S::Code, won: bool) -> bool {
        let expected = S::Code::depth_key_before(best);
        // The slowest win that the code can hold has no code one ply before it: there `expected` is
        // the key of a draw, but so it is if the best is a draw.
        let no_code = expected == S::Code::DRAW && best != S::Code::DRAW;
        if won {
            own == S::Code::default()
        } else {
            own == expected && !no_code
        }
    }
}

/// Outcomes alone. Keys: win 1, draw 2, loss 3; 0 is a code that means nothing.
pub(super) struct Outcomes<S>(pub(super) S);

const WIN: u8 = 1;
const DRAW: u8 = 2;
const LOSS: u8 = 3;

impl<S: Source<Code = u8>> Judge for Outcomes<S> {
    type Key = u8;
    type Error = S::Error;
    type Value = u8;
    type Rank = u8;

    const BYTES: usize = 1;

    fn draw() -> u8 {
        DRAW
    }

    fn load(&self, number: usize) -> Result<StoredBy<'_, Self>, S::Error> {
        Ok(Stored {
            values: self.0.slice(number)?,
            ranks: None,
        })
    }

    #[inline]
    fn keys(stored: &StoredBy<'_, Self>, start: usize, keys: &mut [u8]) {
        for (key, &code) in keys.iter_mut().zip(&stored.values[start..]) {
            *key = match code {
                0 => DRAW,
                1 => WIN,
                2 => LOSS,
                _ => 0,
            };
        }
    }

    #[inline]
    fn agrees(own: u8, best: u8, won: bool) -> bool {
        let expected = if won { WIN } else { 4 - best.max(WIN) };
        own == expected
    }
}

/// Outcomes with ranks. Keys: win of rank r at r + 1, draw in the middle, loss of rank r at the
/// maximum less r; 0 is a code that means nothing.
pub(super) struct Ranked<S, R> {
    pub(super) values: S,
    pub(super) ranks: R,
}

impl<S, R> Judge for Ranked<S, R>
where
    S: Source<Code = u8>,
    R: Source<Error = S::Error>,
{
    type Key = <R::Code as Sealed>::Wide;
    type Error = S::Error;
    type Value = u8;
    type Rank = R::Code;

    const BYTES: usize = 1 + size_of::<R::Code>();

    fn draw() -> Self::Key {
        R::Code::RANKED_DRAW
    }

    fn load(&self, number: usize) -> Result<StoredBy<'_, Self>, S::Error> {
        Ok(Stored {
            values: self.values.slice(number)?,
            ranks: Some(self.ranks.slice(number)?),
        })
    }

    #[inline]
    fn keys(stored: &StoredBy<'_, Self>, start: usize, keys: &mut [Self::Key]) {
        let ranks = stored.ranks.as_deref().unwrap_or(&[]);
        let codes = stored.values[start..].iter().zip(&ranks[start..]);
        for (key, (&code, &rank)) in keys.iter_mut().zip(codes) {
            *key = match code {
                0 => R::Code::RANKED_DRAW,
                1 => rank.won_at(),
                2 => rank.lost_at(),
                _ => Self::Key::default(),
            };
        }
    }

    #[inline]
    fn agrees(own: Self::Key, best: Self::Key, won: bool) -> bool {
        R::Code::ranked_agrees(own, best, won)
    }
}
