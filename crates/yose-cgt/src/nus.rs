//! Number-up-stars: x + n.up + *k, the values that need no list of options.
//!
//! Everything here is arithmetic on the three parts. The canonical options are known in closed form
//! (Winning Ways, chapters 2 and 8):
//!
//! - `x + *k = {x, x*, .., x*(k-1) | the same}`;
//! - `x + up* = {x, x* | x}`; otherwise `x + n.up + *k = {x | x + (n-1).up + *(k^1)}` for n >= 1;
//! - downs are mirrored.

use crate::dyadic::Dyadic;
use crate::error::{Error, Result};

/// The number x, plus `up` times the game up (negative: downs), plus the nimber *`star`.
///
/// ```
/// use yose_cgt::{Dyadic, Nus};
/// let a = Nus { number: Dyadic::ONE, up: -2, star: 3 };
/// assert_eq!(a.to_string(), "1v2*3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Nus {
    /// The number part.
    pub number: Dyadic,
    /// How many ups (negative: downs).
    pub up: i64,
    /// The nimber part: 0 for none, 1 for *, k for *k.
    pub star: u32,
}

/// The options of a number-up-star, before they are interned.
pub(crate) struct NusOptions {
    pub(crate) left: Vec<Nus>,
    pub(crate) right: Vec<Nus>,
}

/// Greatest nimber whose options may be listed one by one.
/// Sums with *k need k options in each of k games, and comparing them is cubic in k.
pub(crate) const MAX_LISTED_NIMBER: u32 = 1 << 8;

impl Nus {
    /// A number alone.
    #[must_use]
    pub const fn number(number: Dyadic) -> Self {
        Self {
            number,
            up: 0,
            star: 0,
        }
    }

    /// Is it a number (no infinitesimal part)?
    #[must_use]
    #[inline]
    pub const fn is_number(&self) -> bool {
        self.up == 0 && self.star == 0
    }

    pub(crate) fn with_star(&self, star: u32) -> Self {
        Self {
            star,
            ..self.clone()
        }
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_add(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            number: self.number.checked_add(&other.number)?,
            up: self
                .up
                .checked_add(other.up)
                .ok_or(Error::overflow("sum of ups"))?,
            star: self.star ^ other.star,
        })
    }

    /// Negative.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_neg(&self) -> Result<Self> {
        Ok(Self {
            number: self.number.negative(),
            up: self
                .up
                .checked_neg()
                .ok_or(Error::overflow("negative of ups"))?,
            star: self.star,
        })
    }

    /// `count` copies of it.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_times(&self, count: i64) -> Result<Self> {
        Ok(Self {
            number: self.number.checked_mul(&count.into())?,
            up: self
                .up
                .checked_mul(count)
                .ok_or(Error::overflow("multiple of ups"))?,
            star: if count % 2 == 0 { 0 } else { self.star },
        })
    }

    /// Is `self <= other`? (False also when they are confused.)
    #[must_use]
    pub fn le(&self, other: &Self) -> bool {
        // other - self >= 0, by its parts
        match self.number.cmp(&other.number) {
            std::cmp::Ordering::Less => return true,
            std::cmp::Ordering::Greater => return false,
            std::cmp::Ordering::Equal => {}
        }
        let star = self.star ^ other.star;
        match i128::from(other.up) - i128::from(self.up) {
            0 => star == 0,
            1 => star != 1,
            n => n > 1,
        }
    }

    /// Formal birthday.
    pub(crate) fn birthday(&self) -> Result<Dyadic> {
        let n = i128::from(self.up.unsigned_abs());
        let star = i128::from(self.star);
        let number = self.number.birthday();
        let beyond = |steps: i128| number.checked_add(&Dyadic::new(steps, 0)?);
        if n == 0 {
            return beyond(star);
        }
        // n - 1 steps down the chain {x | (n-1).up + *(k^1)}, then up + *k itself.
        let last = if n % 2 == 1 { star } else { star ^ 1 };
        beyond((n - 1) + if last == 1 { 2 } else { (last ^ 1) + 1 })
    }

    /// Canonical options. Not for integers and other numbers beyond one step: those have one a side.
    pub(crate) fn options(&self) -> Result<NusOptions> {
        if self.is_number() {
            return self.number_options();
        }
        if self.up < 0 {
            let o = self.checked_neg()?.options()?;
            let flip = |v: Vec<Self>| v.iter().map(Self::checked_neg).collect::<Result<_>>();
            return Ok(NusOptions {
                left: flip(o.right)?,
                right: flip(o.left)?,
            });
        }
        let x = Self::number(self.number.clone());
        if self.up == 0 {
            if self.star > MAX_LISTED_NIMBER {
                return Err(Error::Limit {
                    what: "options of a nimber",
                    limit: u64::from(MAX_LISTED_NIMBER),
                });
            }
            let all: Vec<Self> = (0..self.star).map(|k| x.with_star(k)).collect();
            return Ok(NusOptions {
                left: all.clone(),
                right: all,
            });
        }
        if self.up == 1 && self.star == 1 {
            return Ok(NusOptions {
                left: vec![x.clone(), x.with_star(1)],
                right: vec![x],
            });
        }
        let right = Self {
            up: self.up - 1,
            star: self.star ^ 1,
            number: self.number.clone(),
        };
        Ok(NusOptions {
            left: vec![x],
            right: vec![right],
        })
    }

    fn number_options(&self) -> Result<NusOptions> {
        let x = &self.number;
        // One step of the finest place towards Left's and Right's side.
        let step = Dyadic::new(1, x.exponent())?;
        let below = || Ok::<_, Error>(vec![Self::number(x.checked_sub(&step)?)]);
        let above = || Ok::<_, Error>(vec![Self::number(x.checked_add(&step)?)]);
        let o = match (x.exponent(), x.signum()) {
            (0, 0) => NusOptions {
                left: vec![],
                right: vec![],
            },
            (0, 1) => NusOptions {
                left: below()?,
                right: vec![],
            },
            (0, _) => NusOptions {
                left: vec![],
                right: above()?,
            },
            _ => NusOptions {
                left: below()?,
                right: above()?,
            },
        };
        Ok(o)
    }

    /// Ups and star of the number-up-star with exactly these canonical options, if there is one. All stand
    /// beside the same number; they are given as ups and star.
    pub(crate) fn recognise(left: &[(i64, u32)], right: &[(i64, u32)]) -> Option<(i64, u32)> {
        const ZERO: (i64, u32) = (0, 0);
        const STAR: (i64, u32) = (0, 1);
        if left.is_empty() || right.is_empty() {
            return None;
        }
        // *k: the same k options on both sides
        if left.len() == right.len() {
            let k = u32::try_from(left.len()).ok()?;
            if (0..k).all(|j| left.contains(&(0, j)) && right.contains(&(0, j))) {
                return Some((0, k));
            }
        }
        let up_form = |zero: &[(i64, u32)], other: &[(i64, u32)]| -> Option<(i64, u32)> {
            // zero = {0}, other = {m.up + *j} seen from the side of ups
            match (zero, other) {
                ([ZERO], &[(up, star)]) if up >= 0 && (up > 0 || star > 0) => {
                    Some((up.checked_add(1)?, star ^ 1))
                }
                _ => None,
            }
        };
        let up_star = |two: &[(i64, u32)], one: &[(i64, u32)]| {
            two.len() == 2 && two.contains(&ZERO) && two.contains(&STAR) && one == [ZERO]
        };
        if let Some(found) = up_form(left, right) {
            return Some(found);
        }
        if up_star(left, right) {
            return Some((1, 1));
        }
        // the mirror image
        let mirror = |side: &[(i64, u32)]| -> Vec<(i64, u32)> {
            side.iter().map(|g| (g.0.wrapping_neg(), g.1)).collect()
        };
        let (left, right) = (mirror(right), mirror(left));
        if let Some((up, star)) = up_form(&left, &right) {
            return Some((-up, star));
        }
        up_star(&left, &right).then_some((-1, 1))
    }
}

impl std::fmt::Display for Nus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_number() || self.number.signum() != 0 {
            write!(f, "{}", self.number)?;
        }
        if self.up != 0 {
            f.write_str(if self.up > 0 { "^" } else { "v" })?;
            if self.up.unsigned_abs() > 1 {
                write!(f, "{}", self.up.unsigned_abs())?;
            }
        }
        match self.star {
            0 => Ok(()),
            1 => f.write_str("*"),
            k => write!(f, "*{k}"),
        }
    }
}
