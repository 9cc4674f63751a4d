//! Closed forms: corridors one point wide.
//!
//! The search does not need them; they are what it is compared with.

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
        let most = 2 * i64::from(self.prisoners);
        let mut value = GameId::ZERO;
        for n in 1..=i64::from(self.points) {
            let left = games.integer(most + n - 1)?;
            value = games.make(&[left], &[value])?;
        }
        Ok(value)
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
