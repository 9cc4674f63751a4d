//! Closed forms: corridors one point wide. `shortcut.rs` has the proofs.

use yose_cgt::{Dyadic, Error, GameId, Games};

/// A corridor of `points` empty points with Black around, one end open to White and `prisoners` capturable
/// White stones in a row at the closed end. For White's corridors take the negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corridor {
    /// Empty points, at least 1.
    pub points: u32,
    /// White stones at the closed end.
    pub prisoners: u32,
}

impl Corridor {
    /// Its value: `{n+2k-1 | corridor of n-1}`, and `{2k|0}` for one point (`*` without prisoners).
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn value(self, games: &mut Games) -> Result<GameId, Error> {
        let stones = (0..self.prisoners).map(|_| true);
        let points = (0..self.points).map(|_| false);
        from_closed_end(games, stones.chain(points))
    }

    /// Left and right stop.
    #[must_use]
    pub fn stops(self) -> (i64, i64) {
        let left = i64::from(self.points) + 2 * i64::from(self.prisoners) - 1;
        let right = if self.points == 1 { 0 } else { left - 1 };
        (left, right.max(0))
    }

    /// Mean and temperature where there are no prisoners: n-2+2^(1-n) and 1-2^(1-n); nothing with
    /// prisoners.
    #[must_use]
    pub fn mean_and_temperature(self) -> Option<(Dyadic, Dyadic)> {
        if self.prisoners != 0 || self.points == 0 {
            return None;
        }
        let part = Dyadic::new(1, self.points - 1).ok()?;
        let mean = Dyadic::from(i64::from(self.points) - 2)
            .checked_add(&part)
            .ok()?;
        Some((mean, Dyadic::ONE.checked_sub(&part).ok()?))
    }
}

/// A corridor as [`Corridor`], with White stones anywhere in it but at the mouth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Empty points and stones together, at least 1.
    pub length: u32,
    /// Bit i: a stone stands at distance i from the mouth. The mouth itself is empty.
    pub stones: u128,
}

impl Row {
    /// Its value: `{n - 1 | what is behind the mouth}`, n = empty points + twice the stones. Stones that White
    /// reaches by his move at the mouth are connected and count no more.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn value(self, games: &mut Games) -> Result<GameId, Error> {
        let signs = (0..self.length).rev();
        let stone = |i| self.stones.checked_shr(i).is_some_and(|rest| rest & 1 == 1);
        from_closed_end(games, signs.map(stone))
    }

    /// The same as a corridor, if no stone has an empty point behind it.
    pub(crate) fn as_corridor(self) -> Option<Corridor> {
        let points = self.stones.trailing_zeros().min(self.length);
        let prisoners = self.length - points;
        (self.stones.count_ones() == prisoners).then_some(Corridor { points, prisoners })
    }
}

/// The value of a corridor whose places are given from the closed end to the mouth: `true` for a stone.
fn from_closed_end(games: &mut Games, places: impl Iterator<Item = bool>) -> Result<GameId, Error> {
    let (mut value, mut most) = (GameId::ZERO, 0);
    for stone in places {
        if stone {
            // Next to White's wall it is his; what is behind it stays as it is.
            most += 2;
        } else {
            let left = games.integer(most)?;
            value = games.make(&[left], &[value])?;
            most += 1;
        }
    }
    Ok(value)
}
