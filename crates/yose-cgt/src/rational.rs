//! Exact fractions for thermographs: checked, never rounded.
//!
//! Loop-free games need dyadic walls only; ko thermographs will need thirds, hence this type.

use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms, denominator positive.
///
/// ```
/// use yose_cgt::Rational;
/// let third = Rational::new(2, -6)?;
/// assert_eq!(third.to_string(), "-1/3");
/// assert!(third.to_dyadic().is_none());
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    num: i128,
    den: i128,
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// 0
    pub const ZERO: Self = Self::integer(0);
    /// -1, where every thermograph starts.
    pub const MINUS_ONE: Self = Self::integer(-1);

    /// The integer `n`.
    #[must_use]
    pub const fn integer(n: i128) -> Self {
        Self { num: n, den: 1 }
    }

    /// `num / den`, reduced.
    ///
    /// # Errors
    /// [`Error::Undefined`] for a denominator of 0; [`Error::Overflow`] at the edge of the range.
    pub fn new(num: i128, den: i128) -> Result<Self> {
        const OP: Error = Error::overflow("fraction");
        if den == 0 {
            return Err(Error::Undefined {
                operation: "fraction",
                expected: "a denominator other than 0",
                got: "0".into(),
            });
        }
        let (num, den) = if den < 0 {
            (num.checked_neg().ok_or(OP)?, den.checked_neg().ok_or(OP)?)
        } else {
            (num, den)
        };
        Ok(Self::reduced(num, den))
    }

    fn reduced(num: i128, den: i128) -> Self {
        if den == 1 {
            return Self { num, den };
        }
        if den & (den - 1) == 0 {
            // A power of two: the common factor is a shift.
            let cut = num.trailing_zeros().min(den.trailing_zeros());
            return Self {
                num: num >> cut,
                den: den >> cut,
            };
        }
        let g = gcd(num.unsigned_abs(), den.unsigned_abs());
        // g divides den, which is positive and fits.
        let g = i128::try_from(g).unwrap_or(1);
        Self {
            num: num / g,
            den: den / g,
        }
    }

    /// Numerator in lowest terms (carries the sign).
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.num
    }

    /// Denominator in lowest terms, positive.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.den
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_add(self, other: Self) -> Result<Self> {
        const OP: Error = Error::overflow("sum of fractions");
        if self.den == other.den {
            return Ok(Self::reduced(
                self.num.checked_add(other.num).ok_or(OP)?,
                self.den,
            ));
        }
        let g = i128::try_from(gcd(self.den.unsigned_abs(), other.den.unsigned_abs())).unwrap_or(1);
        let (fa, fb) = (other.den / g, self.den / g);
        let a = self.num.checked_mul(fa).ok_or(OP)?;
        let b = other.num.checked_mul(fb).ok_or(OP)?;
        let den = self.den.checked_mul(fa).ok_or(OP)?;
        Ok(Self::reduced(a.checked_add(b).ok_or(OP)?, den))
    }

    /// Difference.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_sub(self, other: Self) -> Result<Self> {
        self.checked_add(other.checked_neg()?)
    }

    /// Negative.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_neg(self) -> Result<Self> {
        let num = self
            .num
            .checked_neg()
            .ok_or(Error::overflow("negative of a fraction"))?;
        Ok(Self { num, den: self.den })
    }

    /// Half of it.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn half(self) -> Result<Self> {
        if self.num % 2 == 0 {
            return Ok(Self {
                num: self.num / 2,
                den: self.den,
            });
        }
        let den = self
            .den
            .checked_mul(2)
            .ok_or(Error::overflow("half of a fraction"))?;
        Ok(Self { num: self.num, den })
    }

    /// The same number as a dyadic, if its denominator is a power of two.
    #[must_use]
    pub fn to_dyadic(self) -> Option<Dyadic> {
        if self.den & (self.den - 1) != 0 {
            return None;
        }
        Dyadic::new(self.num, self.den.trailing_zeros()).ok()
    }

    /// The nearest `f64`, for drawing only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "documented as approximate")]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl TryFrom<Dyadic> for Rational {
    type Error = Error;
    fn try_from(x: Dyadic) -> Result<Self> {
        if x.exponent() > 126 {
            return Err(Error::overflow("denominator of a fraction"));
        }
        Ok(Self {
            num: x.numerator(),
            den: 1 << x.exponent(),
        })
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        if let (Some(a), Some(b)) = (
            self.num.checked_mul(other.den),
            other.num.checked_mul(self.den),
        ) {
            return a.cmp(&b);
        }
        // Too wide to cross-multiply: compare whole parts, then the reciprocals of what is left.
        let (mut a, mut b, mut c, mut d) = (self.num, self.den, other.num, other.den);
        let mut flipped = false;
        loop {
            let order = a.div_euclid(b).cmp(&c.div_euclid(d));
            let (ra, rc) = (a.rem_euclid(b), c.rem_euclid(d));
            let order = if order != Ordering::Equal {
                order
            } else if ra == 0 || rc == 0 {
                ra.cmp(&rc)
            } else {
                (a, b, c, d) = (b, ra, d, rc);
                flipped = !flipped;
                continue;
            };
            return if flipped { order.reverse() } else { order };
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
