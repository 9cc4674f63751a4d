//! Exact fractions for thermographs, never rounded: 127 bits inline, big integers beyond.
//!
//! Loop-free games need dyadic walls only; ko thermographs will need thirds, hence this type.

use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

/// A fraction in lowest terms, denominator positive. Cloning costs a few words, however wide it is.
///
/// ```
/// use yose_cgt::Rational;
/// let third = Rational::new(2, -6)?;
/// assert_eq!(third.to_string(), "-1/3");
/// assert!(third.to_dyadic().is_none());
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

/// Every fraction has one representation only: `Wide` iff it does not fit `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// The denominator is at most `i128::MAX`.
    Small {
        num: i128,
        den: NonZero<u128>,
    },
    Wide(Arc<(BigInt, BigInt)>),
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Of a fraction in lowest terms; the denominator is positive.
const fn small(num: i128, den: i128) -> Rational {
    let den = match NonZero::new(den.cast_unsigned()) {
        Some(den) => den,
        None => NonZero::<u128>::MIN,
    };
    Rational(Repr::Small { num, den })
}

impl Rational {
    /// 0
    pub const ZERO: Self = Self::integer(0);
    /// -1, where every thermograph starts.
    pub const MINUS_ONE: Self = Self::integer(-1);
    /// Greatest number of bits of numerator and denominator together.
    const MAX_BITS: u64 = 2 * Dyadic::MAX_BITS;

    /// The integer `n`.
    #[must_use]
    pub const fn integer(n: i128) -> Self {
        small(n, 1)
    }

    /// `num / den`, reduced.
    ///
    /// # Errors
    /// [`Error::Undefined`] for a denominator of 0.
    pub fn new(num: i128, den: i128) -> Result<Self> {
        if den == 0 {
            return Err(Error::Undefined {
                operation: "fraction",
                expected: "a denominator other than 0",
                got: "0".into(),
            });
        }
        if den > 0 {
            return Ok(Self::reduced(num, den));
        }
        match (num.checked_neg(), den.checked_neg()) {
            (Some(num), Some(den)) => Ok(Self::reduced(num, den)),
            _ => Self::from_big(-BigInt::from(num), -BigInt::from(den)),
        }
    }

    fn reduced(num: i128, den: i128) -> Self {
        if den == 1 {
            return small(num, den);
        }
        if den & (den - 1) == 0 {
            // A power of two: the common factor is a shift.
            let cut = num.trailing_zeros().min(den.trailing_zeros());
            return small(num >> cut, den >> cut);
        }
        let g = gcd(num.unsigned_abs(), den.unsigned_abs());
        // g divides den, which is positive and fits.
        let g = i128::try_from(g).unwrap_or(1);
        small(num / g, den / g)
    }

    /// `num / den` with a positive denominator, reduced; inline if it fits.
    fn from_big(num: BigInt, den: BigInt) -> Result<Self> {
        let power = den.trailing_zeros().unwrap_or(0);
        let (num, den) = if power + 1 == den.bits() {
            let cut = num.trailing_zeros().unwrap_or(u64::MAX).min(power);
            (num >> cut, den >> cut)
        } else {
            let g = num.gcd(&den);
            (num / &g, den / g)
        };
        match (num.to_i128(), den.to_i128()) {
            (Some(num), Some(den)) => Ok(small(num, den)),
            _ if num.bits() + den.bits() > Self::MAX_BITS => Err(Error::overflow("a fraction")),
            _ => Ok(Self(Repr::Wide(Arc::new((num, den))))),
        }
    }

    #[inline]
    fn small(&self) -> Option<(i128, i128)> {
        match &self.0 {
            Repr::Small { num, den } => Some((*num, den.get().cast_signed())),
            Repr::Wide(_) => None,
        }
    }

    fn big(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Repr::Small { num, den } => ((*num).into(), den.get().into()),
            Repr::Wide(w) => (w.0.clone(), w.1.clone()),
        }
    }

    /// Bytes it takes beyond the inline ones.
    pub(crate) fn heap_bytes(&self) -> u64 {
        match &self.0 {
            Repr::Small { .. } => 0,
            Repr::Wide(w) => 96 + (w.0.bits() + w.1.bits()) / 8,
        }
    }

    /// Numerator (carries the sign) and denominator (positive) in lowest terms, if both have at most
    /// 127 bits. [`ToString`] gives all digits of any.
    #[must_use]
    pub fn parts(&self) -> Option<(i128, i128)> {
        self.small()
    }

    /// -1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { num, .. } => match num.signum() {
                0 => 0,
                ..0 => -1,
                _ => 1,
            },
            Repr::Wide(w) if w.0.sign() == Sign::Minus => -1,
            Repr::Wide(_) => 1,
        }
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`] beyond 2^20 bits.
    #[inline]
    pub fn checked_add(&self, other: &Self) -> Result<Self> {
        if let (Some(a), Some(b)) = (self.small(), other.small())
            && let Some(sum) = small_add(a, b)
        {
            return Ok(sum);
        }
        self.wide_add(other)
    }

    #[cold]
    fn wide_add(&self, other: &Self) -> Result<Self> {
        let ((a, da), (b, db)) = (self.big(), other.big());
        if da == db {
            return Self::from_big(a + b, da);
        }
        let (pa, pb) = (power_of_two(&da), power_of_two(&db));
        if let (Some(pa), Some(pb)) = (pa, pb) {
            let p = pa.max(pb);
            return Self::from_big((a << (p - pa)) + (b << (p - pb)), da.max(db));
        }
        Self::from_big(a * &db + b * &da, da * db)
    }

    /// Difference.
    ///
    /// # Errors
    /// As [`Self::checked_add`].
    #[inline]
    pub fn checked_sub(&self, other: &Self) -> Result<Self> {
        self.checked_add(&other.negative())
    }

    /// Negative.
    #[must_use]
    #[inline]
    pub fn negative(&self) -> Self {
        if let Some((num, den)) = self.small()
            && let Some(num) = num.checked_neg()
        {
            return small(num, den);
        }
        let (num, den) = self.big();
        let negative = -num;
        // 2^127 is wide, -2^127 is not.
        match (negative.to_i128(), den.to_i128()) {
            (Some(num), Some(den)) => small(num, den),
            _ => Self(Repr::Wide(Arc::new((negative, den)))),
        }
    }

    /// `n` times it.
    ///
    /// # Errors
    /// As [`Self::checked_add`].
    pub fn times(&self, n: i64) -> Result<Self> {
        if let Some((num, den)) = self.small()
            && let Some(num) = num.checked_mul(n.into())
        {
            return Ok(Self::reduced(num, den));
        }
        let (num, den) = self.big();
        Self::from_big(num * n, den)
    }

    /// Half of it.
    ///
    /// # Errors
    /// As [`Self::checked_add`].
    pub fn half(&self) -> Result<Self> {
        if let Some((num, den)) = self.small() {
            if num % 2 == 0 {
                return Ok(small(num / 2, den));
            }
            if let Some(den) = den.checked_mul(2) {
                return Ok(small(num, den));
            }
        }
        let (num, den) = self.big();
        Self::from_big(num, den * 2)
    }

    /// The same number as a dyadic, if its denominator is a power of two (of at most
    /// [`Dyadic::MAX_EXPONENT`]).
    #[must_use]
    pub fn to_dyadic(&self) -> Option<Dyadic> {
        if let Some((num, den)) = self.small() {
            return match den & (den - 1) {
                0 => Dyadic::new(num, den.trailing_zeros()).ok(),
                _ => None,
            };
        }
        let (num, den) = self.big();
        Dyadic::from_big(num, power_of_two(&den)?).ok()
    }

    /// The nearest `f64` but for a rounding or two, for drawing only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "documented as approximate")]
    pub fn to_f64(&self) -> f64 {
        if let Some((num, den)) = self.small() {
            return num as f64 / den as f64;
        }
        let (num, den) = self.big();
        // Enough bits of the quotient for an f64, whatever the widths.
        let shift = (den.bits() + 64).saturating_sub(num.bits());
        crate::dyadic::quotient_f64(&((num << shift) / den), shift)
    }
}

/// The k with x = 2^k.
fn power_of_two(x: &BigInt) -> Option<u64> {
    x.trailing_zeros().filter(|k| k + 1 == x.bits())
}

fn small_add((a, da): (i128, i128), (b, db): (i128, i128)) -> Option<Rational> {
    if da == db {
        return Some(Rational::reduced(a.checked_add(b)?, da));
    }
    let g = i128::try_from(gcd(da.unsigned_abs(), db.unsigned_abs())).unwrap_or(1);
    let (fa, fb) = (db / g, da / g);
    let sum = a.checked_mul(fa)?.checked_add(b.checked_mul(fb)?)?;
    Some(Rational::reduced(sum, da.checked_mul(fa)?))
}

impl From<&Dyadic> for Rational {
    fn from(x: &Dyadic) -> Self {
        let exp = x.exponent();
        if let (Some(m), 0..=126) = (x.numerator(), exp) {
            return small(m, 1 << exp);
        }
        let (num, den) = (x.big_numerator(), BigInt::one() << exp);
        match (num.to_i128(), den.to_i128()) {
            // -2^127 only: a dyadic keeps it outside.
            (Some(num), Some(den)) => small(num, den),
            _ => Self(Repr::Wide(Arc::new((num, den)))),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Some((a, da)), Some((b, db))) = (self.small(), other.small()) {
            if da == db {
                return a.cmp(&b);
            }
            if let (Some(a), Some(b)) = (a.checked_mul(db), b.checked_mul(da)) {
                return a.cmp(&b);
            }
        }
        self.wide_cmp(other)
    }
}

impl Rational {
    #[cold]
    fn wide_cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.signum().cmp(&other.signum());
        if by_sign.is_ne() {
            return by_sign;
        }
        let ((a, da), (b, db)) = (self.big(), other.big());
        // A quotient of x and y bits has x - y or x - y + 1 bits: often that settles it.
        let (xa, xb) = (a.bits() + db.bits(), b.bits() + da.bits());
        let by_size = if xa > xb + 1 {
            Ordering::Greater
        } else if xb > xa + 1 {
            Ordering::Less
        } else if let (Some(pa), Some(pb)) = (power_of_two(&da), power_of_two(&db)) {
            let p = pa.max(pb);
            return (a << (p - pa)).cmp(&(b << (p - pb)));
        } else {
            return (a * db).cmp(&(b * da));
        };
        if a.is_negative() {
            by_size.reverse()
        } else {
            by_size
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
        match &self.0 {
            Repr::Small { num, den } if den.get() == 1 => write!(f, "{num}"),
            Repr::Small { num, den } => write!(f, "{num}/{den}"),
            Repr::Wide(w) if w.1.is_one() => write!(f, "{}", w.0),
            Repr::Wide(w) => write!(f, "{}/{}", w.0, w.1),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
