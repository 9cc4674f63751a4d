//! Dyadic rationals m / 2^k, exact: every operation gives the true value or an error.
//!
//! The numerator has 127 bits and a sign, the exponent goes up to [`Dyadic::MAX_EXPONENT`]. Operands
//! of equal denominator (nearly all, in practice integers) take a path without shifts.

use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::fmt;

/// A number m / 2^k in lowest terms.
///
/// ```
/// use yose_cgt::Dyadic;
/// let x = Dyadic::new(6, 3)?; // 6/8
/// assert_eq!(x.to_string(), "3/4");
/// assert_eq!((x + Dyadic::from(2_i64))?.to_string(), "11/4");
/// assert!(Dyadic::new(1, 0)?.mul_pow2(30)? > Dyadic::new(1, 40)?);
/// assert!(Dyadic::new(i128::MAX, 0)?.checked_add(Dyadic::ONE).is_err());
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dyadic {
    // An i128 in two halves: 24 bytes instead of 32 with padding.
    hi: i64,
    lo: u64,
    exp: u32,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the two halves are cut on purpose"
)]
const fn split(m: i128) -> (i64, u64) {
    ((m >> 64) as i64, m as u64)
}

impl Dyadic {
    /// Greatest exponent of the denominator.
    pub const MAX_EXPONENT: u32 = 1 << 17;
    /// 0
    pub const ZERO: Self = Self::from_i128(0);
    /// 1
    pub const ONE: Self = Self::from_i128(1);
    /// -1
    pub const MINUS_ONE: Self = Self::from_i128(-1);

    const fn raw(m: i128, exp: u32) -> Self {
        let (hi, lo) = split(m);
        Self { hi, lo, exp }
    }

    /// The integer `n`, which is not `i128::MIN`: the range is symmetric, so that a negative always exists
    /// and every number printed can be read back.
    pub(crate) const fn from_i128(n: i128) -> Self {
        Self::raw(n, 0)
    }

    /// `numerator / 2^exponent`, reduced.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the reduced exponent exceeds [`Self::MAX_EXPONENT`] or the numerator is -2^127.
    pub fn new(numerator: i128, exponent: u32) -> Result<Self> {
        if numerator == 0 {
            return Ok(Self::ZERO);
        }
        let cut = numerator.trailing_zeros().min(exponent);
        let exp = exponent - cut;
        if exp > Self::MAX_EXPONENT {
            return Err(Error::overflow("the denominator of a dyadic"));
        }
        let numerator = numerator >> cut;
        if numerator == i128::MIN {
            return Err(Error::overflow("the numerator of a dyadic"));
        }
        Ok(Self::raw(numerator, exp))
    }

    /// Numerator in lowest terms (carries the sign).
    #[must_use]
    #[inline]
    pub const fn numerator(self) -> i128 {
        ((self.hi as i128) << 64) | self.lo as i128
    }

    /// The numerator's bits, high and low.
    pub(crate) const fn halves(self) -> (u64, u64) {
        (self.hi.cast_unsigned(), self.lo)
    }

    /// The k of the denominator 2^k in lowest terms.
    #[must_use]
    #[inline]
    pub const fn exponent(self) -> u32 {
        self.exp
    }

    /// Is it an integer?
    #[must_use]
    #[inline]
    pub const fn is_integer(self) -> bool {
        self.exp == 0
    }

    /// -1, 0 or 1.
    #[must_use]
    pub const fn signum(self) -> i32 {
        if self.hi < 0 {
            -1
        } else if self.hi == 0 && self.lo == 0 {
            0
        } else {
            1
        }
    }

    /// The numerator over the denominator 2^exponent, if that is exact and fits.
    #[must_use]
    pub fn scaled(self, exponent: u32) -> Option<i128> {
        shl_exact(self.numerator(), exponent.checked_sub(self.exp)?)
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    #[inline]
    pub fn checked_add(self, other: Self) -> Result<Self> {
        const OP: Error = Error::overflow("sum of dyadics");
        let (a, b) = (self.numerator(), other.numerator());
        if self.exp == other.exp {
            let m = a.checked_add(b).ok_or(OP)?;
            return if self.exp == 0 && m != i128::MIN {
                Ok(Self::raw(m, 0))
            } else {
                Self::new(m, self.exp)
            };
        }
        if a == 0 {
            return Ok(other);
        }
        if b == 0 {
            return Ok(self);
        }
        let exp = self.exp.max(other.exp);
        let a = shl_exact(a, exp - self.exp).ok_or(OP)?;
        let b = shl_exact(b, exp - other.exp).ok_or(OP)?;
        Self::new(a.checked_add(b).ok_or(OP)?, exp)
    }

    /// Difference.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    #[inline]
    pub fn checked_sub(self, other: Self) -> Result<Self> {
        self.checked_add(other.checked_neg()?)
    }

    /// Negative.
    ///
    /// # Errors
    /// Never in fact: the range is symmetric.
    #[inline]
    pub fn checked_neg(self) -> Result<Self> {
        let m = self
            .numerator()
            .checked_neg()
            .ok_or(Error::overflow("negative of a dyadic"))?;
        Ok(Self::raw(m, self.exp))
    }

    /// Product.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn checked_mul(self, other: Self) -> Result<Self> {
        const OP: Error = Error::overflow("product of dyadics");
        let m = self.numerator().checked_mul(other.numerator()).ok_or(OP)?;
        Self::new(m, self.exp.checked_add(other.exp).ok_or(OP)?)
    }

    /// Half of it.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the denominator becomes too large.
    pub fn half(self) -> Result<Self> {
        Self::new(self.numerator(), self.exp + 1)
    }

    /// `self * 2^bits`.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn mul_pow2(self, bits: u32) -> Result<Self> {
        let down = bits.min(self.exp);
        let m = shl_exact(self.numerator(), bits - down).ok_or(Error::overflow("shift"))?;
        Self::new(m, self.exp - down)
    }

    /// The greatest integer not above it.
    #[must_use]
    pub fn floor(self) -> i128 {
        self.numerator() >> self.exp.min(127)
    }

    /// The least integer not below it.
    #[must_use]
    pub fn ceil(self) -> i128 {
        // A proper fraction has floor < 2^126, so the step cannot overflow.
        self.floor() + i128::from(!self.is_integer())
    }

    /// The distance from 0.
    ///
    /// # Errors
    /// Never in fact: the range is symmetric.
    pub fn abs(self) -> Result<Self> {
        if self.signum() < 0 {
            self.checked_neg()
        } else {
            Ok(self)
        }
    }

    /// The nearest `f64`, for drawing only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "documented as approximate")]
    pub fn to_f64(self) -> f64 {
        let exp = i32::try_from(self.exp).unwrap_or(i32::MAX);
        self.numerator() as f64 * 2f64.powi(-exp)
    }

    /// The day on which the number is born: |n| for an integer, floor |x| + k + 1 for m / 2^k.
    #[must_use]
    pub fn birthday(self) -> u128 {
        let whole = self.numerator().unsigned_abs() >> self.exp.min(127);
        if self.exp == 0 {
            whole
        } else {
            whole + u128::from(self.exp) + 1
        }
    }

    /// The simplest number in the interval from `low` to `high` (absent = unbounded): born first,
    /// which makes it unique. Each end says whether it belongs to the interval.
    ///
    /// Returns `None` if the interval is empty. Cost: a few dozen word operations.
    ///
    /// ```
    /// use yose_cgt::Dyadic;
    /// let n = |x: i64| Dyadic::from(x);
    /// assert_eq!(Dyadic::simplest(Some((n(4), false)), Some((n(7), false)))?, Some(n(5)));
    /// assert_eq!(Dyadic::simplest(Some((n(0), false)), Some((n(1), false)))?, Some(Dyadic::new(1, 1)?));
    /// assert_eq!(Dyadic::simplest(Some((n(-3), false)), None)?, Some(n(0)));
    /// assert_eq!(Dyadic::simplest(Some((n(2), false)), Some((n(2), true)))?, None);
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] if that number is not representable.
    pub fn simplest(low: Option<(Self, bool)>, high: Option<(Self, bool)>) -> Result<Option<Self>> {
        const OP: Error = Error::overflow("simplest number");
        if let (Some((l, lc)), Some((h, hc))) = (low, high) {
            if l > h || (l == h && !(lc && hc)) {
                return Ok(None);
            }
            if l == h {
                return Ok(Some(l));
            }
        }
        let above_low = |x: Self| low.is_none_or(|(l, closed)| l < x || (closed && l == x));
        let below_high = |x: Self| high.is_none_or(|(h, closed)| x < h || (closed && h == x));
        if above_low(Self::ZERO) && below_high(Self::ZERO) {
            return Ok(Some(Self::ZERO));
        }
        // 0 lies outside, so the interval lies on one side of it; turn it to the positive side.
        let negative = !below_high(Self::ZERO);
        let (near, far) = if negative {
            (
                high.map(|(h, c)| (h.checked_neg(), c)),
                low.map(|(l, c)| (l.checked_neg(), c)),
            )
        } else {
            (low.map(|(l, c)| (Ok(l), c)), high.map(|(h, c)| (Ok(h), c)))
        };
        let Some((near, near_closed)) = near else {
            return Err(OP);
        };
        let near = near?;
        let far = match far {
            None => None,
            Some((f, c)) => Some((f?, c)),
        };
        // The first multiple of 2^-e beyond the near end, if it is inside. None: cannot say (overflow).
        let first_multiple = |e: u32| -> Option<(i128, bool)> {
            let (m, exact) = floor_scaled(near, e)?;
            let k = if exact && near_closed {
                m
            } else {
                m.checked_add(1)?
            };
            let x = Self::new(k, e).ok()?;
            Some((k, far.is_none_or(|(f, c)| x < f || (c && x == f))))
        };
        // Being inside is monotone in e, and so is overflow: find the least e with either.
        let done = |e: u32| first_multiple(e).is_none_or(|(_, inside)| inside);
        let mut e = 0;
        if !done(0) {
            let (mut no, mut yes) = (0, 1);
            while !done(yes) {
                no = yes;
                yes *= 2;
            }
            while yes - no > 1 {
                let mid = no + (yes - no) / 2;
                if done(mid) {
                    yes = mid;
                } else {
                    no = mid;
                }
            }
            e = yes;
        }
        let (k, _) = first_multiple(e).ok_or(OP)?;
        let x = Self::new(k, e)?;
        Ok(Some(if negative { x.checked_neg()? } else { x }))
    }
}

/// floor(x * 2^e) and whether that is exact; `None` on overflow.
fn floor_scaled(x: Dyadic, e: u32) -> Option<(i128, bool)> {
    if e >= x.exp {
        Some((shl_exact(x.numerator(), e - x.exp)?, true))
    } else {
        Some((x.numerator() >> (x.exp - e).min(127), false))
    }
}

/// `m << bits`, or `None` if bits would be lost.
#[inline]
fn shl_exact(m: i128, bits: u32) -> Option<i128> {
    if m == 0 || bits == 0 {
        return Some(m);
    }
    let room = if m < 0 {
        m.leading_ones()
    } else {
        m.leading_zeros()
    } - 1;
    (bits <= room).then(|| m << bits)
}

impl From<i64> for Dyadic {
    fn from(n: i64) -> Self {
        Self::from_i128(i128::from(n))
    }
}

impl std::ops::Add for Dyadic {
    type Output = Result<Self>;
    fn add(self, other: Self) -> Result<Self> {
        self.checked_add(other)
    }
}

impl std::ops::Sub for Dyadic {
    type Output = Result<Self>;
    fn sub(self, other: Self) -> Result<Self> {
        self.checked_sub(other)
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.numerator(), other.numerator());
        if self.exp == other.exp {
            return a.cmp(&b);
        }
        let (sa, sb) = (a.signum(), b.signum());
        if sa != sb {
            return sa.cmp(&sb);
        }
        // Same sign, different denominators: widen the coarser one; if it does not fit, it is the
        // one farther from 0, for the other numerator does fit.
        let exp = self.exp.max(other.exp);
        let a = shl_exact(a, exp - self.exp);
        let b = shl_exact(b, exp - other.exp);
        match (a, b) {
            (Some(a), Some(b)) => a.cmp(&b),
            (None, _) => sa.cmp(&0),
            (_, None) => 0.cmp(&sb),
        }
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    /// `3`, `-7/4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator())?;
        if self.exp > 0 {
            f.write_str("/")?;
            if self.exp < 127 {
                write!(f, "{}", 1_u128 << self.exp)?;
            } else {
                f.write_str(&crate::decimal::power_of_two(self.exp))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
