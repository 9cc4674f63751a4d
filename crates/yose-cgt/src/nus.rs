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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    pub const fn is_number(self) -> bool {
        self.up == 0 && self.star == 0
    }

    pub(crate) const fn with_star(self, star: u32) -> Self {
        Self { star, ..self }
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_add(self, other: Self) -> Result<Self> {
        Ok(Self {
            number: self.number.checked_add(other.number)?,
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
    pub fn checked_neg(self) -> Result<Self> {
        Ok(Self {
            number: self.number.checked_neg()?,
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
    pub fn checked_times(self, count: i64) -> Result<Self> {
        Ok(Self {
            number: self.number.checked_mul(Dyadic::from(count))?,
            up: self
                .up
                .checked_mul(count)
                .ok_or(Error::overflow("multiple of ups"))?,
            star: if count % 2 == 0 { 0 } else { self.star },
        })
    }

    /// Is `self <= other`? (False also when they are confused.)
    #[must_use]
    pub fn le(self, other: Self) -> bool {
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
    #[must_use]
    pub(crate) fn birthday(self) -> u128 {
        let n = u128::from(self.up.unsigned_abs());
        let star = u128::from(self.star);
        let b = self.number.birthday();
        if n == 0 {
            return b + star;
        }
        // n - 1 steps down the chain {x | (n-1).up + *(k^1)}, then up + *k itself.
        let last = if n % 2 == 1 { star } else { star ^ 1 };
        b + (n - 1) + if last == 1 { 2 } else { (last ^ 1) + 1 }
    }

    /// Canonical options. Not for integers and other numbers beyond one step: those have one a side.
    pub(crate) fn options(self) -> Result<NusOptions> {
        if self.is_number() {
            return self.number_options();
        }
        if self.up < 0 {
            let o = self.checked_neg()?.options()?;
            let flip = |v: Vec<Self>| v.into_iter().map(Self::checked_neg).collect::<Result<_>>();
            return Ok(NusOptions {
                left: flip(o.right)?,
                right: flip(o.left)?,
            });
        }
        let x = Self::number(self.number);
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
                left: vec![x, x.with_star(1)],
                right: vec![x],
            });
        }
        let right = Self {
            up: self.up - 1,
            star: self.star ^ 1,
            ..self
        };
        Ok(NusOptions {
            left: vec![x],
            right: vec![right],
        })
    }

    fn number_options(self) -> Result<NusOptions> {
        let x = self.number;
        let one = |m: i128, e: u32| Ok::<_, Error>(vec![Self::number(Dyadic::new(m, e)?)]);
        let (m, e) = (x.numerator(), x.exponent());
        let o = match (e, m.signum()) {
            (0, 0) => NusOptions {
                left: vec![],
                right: vec![],
            },
            (0, 1) => NusOptions {
                left: one(m - 1, 0)?,
                right: vec![],
            },
            (0, _) => NusOptions {
                left: vec![],
                right: one(m + 1, 0)?,
            },
            _ => {
                // an odd numerator is neither the least nor... the greatest i128 is odd
                let up = m
                    .checked_add(1)
                    .ok_or(Error::overflow("option of a number"))?;
                NusOptions {
                    left: one(m - 1, e)?,
                    right: one(up, e)?,
                }
            }
        };
        Ok(o)
    }

    /// The number-up-star with exactly these canonical options, if there is one.
    pub(crate) fn recognise(left: &[Self], right: &[Self]) -> Option<Self> {
        let x = Self::number(left.first()?.number);
        let same = |g: &Self| g.number == x.number;
        if !left.iter().all(same) || !right.iter().all(same) || right.is_empty() {
            return None;
        }
        let has = |side: &[Self], up: i64, star: u32| side.contains(&Self { up, star, ..x });
        // x*k: the same k options on both sides
        if left.len() == right.len() {
            let k = u32::try_from(left.len()).ok()?;
            if (0..k).all(|j| has(left, 0, j) && has(right, 0, j)) {
                return Some(x.with_star(k));
            }
        }
        let up_form = |zero: &[Self], other: &[Self]| -> Option<(i64, u32)> {
            // zero = {x}, other = {x + m.up + *j} seen from the side of ups
            match (zero, other) {
                ([z], [o]) if *z == x && o.up >= 0 && (o.up > 0 || o.star > 0) => {
                    Some((o.up.checked_add(1)?, o.star ^ 1))
                }
                _ => None,
            }
        };
        if let Some((up, star)) = up_form(left, right) {
            return Some(Self { up, star, ..x });
        }
        if left.len() == 2 && has(left, 0, 0) && has(left, 0, 1) && right == [x] {
            return Some(Self {
                up: 1,
                star: 1,
                ..x
            });
        }
        // the mirror image
        let mirror = |s: &[Self]| -> Vec<Self> {
            s.iter()
                .map(|g| Self {
                    up: g.up.wrapping_neg(),
                    ..*g
                })
                .collect()
        };
        let (ml, mr) = (mirror(right), mirror(left));
        if let Some((up, star)) = up_form(&ml, &mr) {
            return Some(Self { up: -up, star, ..x });
        }
        if ml.len() == 2 && has(&ml, 0, 0) && has(&ml, 0, 1) && mr == [x] {
            return Some(Self {
                up: -1,
                star: 1,
                ..x
            });
        }
        None
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
