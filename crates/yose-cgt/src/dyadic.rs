//! Dyadic rationals m / 2^k, exact: every operation gives the true value or an error.
//!
//! Numerators of up to 127 bits are kept inline and operands of equal denominator (nearly all, in
//! practice integers) take a path without shifts. Wider ones are shared big integers, up to
//! [`Dyadic::MAX_BITS`].

use crate::error::{Error, Result};
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A number m / 2^k in lowest terms. Cloning costs a few words, however wide it is.
///
/// ```
/// use yose_cgt::Dyadic;
/// let x = Dyadic::new(6, 3)?; // 6/8
/// assert_eq!(x.to_string(), "3/4");
/// assert_eq!((x + Dyadic::from(2_i64))?.to_string(), "11/4");
/// assert!(Dyadic::new(1, 0)?.mul_pow2(30)? > Dyadic::new(1, 40)?);
/// let wide = Dyadic::new(i128::MAX, 0)?.checked_add(&Dyadic::ONE)?;
/// assert_eq!(wide.to_string(), "170141183460469231731687303715884105728");
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dyadic(Repr);

/// Every number has one representation only: `Wide` iff the numerator does not fit `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    // An i128 in two halves: 24 bytes instead of 32 with padding. Never i128::MIN, so that the range is
    // symmetric.
    Small { hi: i64, lo: u64, exp: u32 },
    Wide(Arc<Wide>),
}

#[derive(PartialEq, Eq, Hash)]
struct Wide {
    numerator: BigInt,
    exp: u32,
}

/// An inline number.
#[derive(Clone, Copy)]
struct Small {
    m: i128,
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
    /// Greatest number of bits of the numerator: 157,827 decimal digits.
    pub const MAX_BITS: u64 = 1 << 19;
    /// 0
    pub const ZERO: Self = Self::raw(0, 0);
    /// 1
    pub const ONE: Self = Self::raw(1, 0);
    /// -1
    pub const MINUS_ONE: Self = Self::raw(-1, 0);

    const fn raw(m: i128, exp: u32) -> Self {
        let (hi, lo) = split(m);
        Self(Repr::Small { hi, lo, exp })
    }

    #[inline]
    fn small(&self) -> Option<Small> {
        match self.0 {
            Repr::Small { hi, lo, exp } => Some(Small {
                m: (i128::from(hi) << 64) | i128::from(lo),
                exp,
            }),
            Repr::Wide(_) => None,
        }
    }

    /// `numerator / 2^exponent`, reduced.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the reduced exponent exceeds [`Self::MAX_EXPONENT`].
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
            return Self::from_big(numerator.into(), exp.into());
        }
        Ok(Self::raw(numerator, exp))
    }

    /// `numerator / 2^exponent`, reduced; inline if it fits.
    pub(crate) fn from_big(numerator: BigInt, exponent: u64) -> Result<Self> {
        let cut = numerator.trailing_zeros().unwrap_or(u64::MAX).min(exponent);
        let numerator = if cut > 0 { numerator >> cut } else { numerator };
        let exponent = if numerator.sign() == Sign::NoSign {
            0
        } else {
            exponent - cut
        };
        let exp = u32::try_from(exponent)
            .ok()
            .filter(|&e| e <= Self::MAX_EXPONENT)
            .ok_or(Error::overflow("the denominator of a dyadic"))?;
        match numerator.to_i128() {
            Some(m) if m != i128::MIN => Ok(Self::raw(m, exp)),
            _ if numerator.bits() > Self::MAX_BITS => {
                Err(Error::overflow("the numerator of a dyadic"))
            }
            _ => Ok(Self(Repr::Wide(Arc::new(Wide { numerator, exp })))),
        }
    }

    pub(crate) fn big_numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small { .. } => self.numerator().unwrap_or(0).into(),
            Repr::Wide(w) => w.numerator.clone(),
        }
    }

    /// Numerator in lowest terms (carries the sign), if it has at most 127 bits. [`ToString`] gives
    /// all digits of any.
    #[must_use]
    #[inline]
    pub fn numerator(&self) -> Option<i128> {
        self.small().map(|s| s.m)
    }

    /// The integer it is, if it is one of at most 127 bits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        self.numerator().filter(|_| self.is_integer())
    }

    /// The k of the denominator 2^k in lowest terms.
    #[must_use]
    #[inline]
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            Repr::Small { exp, .. } => *exp,
            Repr::Wide(w) => w.exp,
        }
    }

    /// Bytes it takes beyond the inline ones: 0 up to 127 bits.
    pub(crate) fn heap_bytes(&self) -> u64 {
        match &self.0 {
            Repr::Small { .. } => 0,
            Repr::Wide(w) => 64 + w.numerator.bits() / 8,
        }
    }

    /// Bits that identify the number, the same in every arena.
    pub(crate) fn fingerprint(&self) -> [u64; 3] {
        let exp = u64::from(self.exponent());
        match &self.0 {
            Repr::Small { hi, lo, .. } => [hi.cast_unsigned(), *lo, exp],
            Repr::Wide(w) => {
                let digits = w.numerator.iter_u64_digits();
                let mixed = digits.fold(w.numerator.bits(), |h, d| crate::hash::mix(h ^ d));
                [mixed, u64::from(self.signum() < 0), exp]
            }
        }
    }

    /// Is it an integer?
    #[must_use]
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// -1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { hi, lo, .. } => match (*hi, *lo) {
                (0, 0) => 0,
                (..0, _) => -1,
                _ => 1,
            },
            Repr::Wide(w) if w.numerator.sign() == Sign::Minus => -1,
            Repr::Wide(_) => 1,
        }
    }

    /// The numerator over the denominator 2^exponent, if that is exact and fits.
    #[must_use]
    pub fn scaled(&self, exponent: u32) -> Option<i128> {
        let s = self.small()?;
        shl_exact(s.m, exponent.checked_sub(s.exp)?)
    }

    /// Bits of [`Self::big_scaled`].
    pub(crate) fn bits_over(&self, exponent: u32) -> u64 {
        self.big_numerator().bits() + u64::from(exponent - self.exponent())
    }

    /// The numerator over 2^exponent; exponent is at least its own.
    pub(crate) fn big_scaled(&self, exponent: u32) -> BigInt {
        self.big_numerator() << (exponent - self.exponent())
    }

    /// Sum.
    ///
    /// # Errors
    /// [`Error::Overflow`] beyond [`Self::MAX_BITS`].
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
        let exp = self.exponent().max(other.exponent());
        Self::from_big(self.big_scaled(exp) + other.big_scaled(exp), exp.into())
    }

    /// Difference.
    ///
    /// # Errors
    /// [`Error::Overflow`] beyond [`Self::MAX_BITS`].
    #[inline]
    pub fn checked_sub(&self, other: &Self) -> Result<Self> {
        self.checked_add(&other.negative())
    }

    /// Negative.
    #[must_use]
    #[inline]
    pub fn negative(&self) -> Self {
        match &self.0 {
            Repr::Small { hi, lo, exp } => {
                let m = (i128::from(*hi) << 64) | i128::from(*lo);
                Self::raw(-m, *exp)
            }
            Repr::Wide(w) => Self(Repr::Wide(Arc::new(Wide {
                numerator: -&w.numerator,
                exp: w.exp,
            }))),
        }
    }

    /// Product.
    ///
    /// # Errors
    /// [`Error::Overflow`] beyond [`Self::MAX_BITS`] or [`Self::MAX_EXPONENT`].
    pub fn checked_mul(&self, other: &Self) -> Result<Self> {
        let exp = self.exponent() + other.exponent();
        if let (Some(a), Some(b)) = (self.small(), other.small())
            && let Some(m) = a.m.checked_mul(b.m)
        {
            return Self::new(m, exp);
        }
        Self::from_big(self.big_numerator() * other.big_numerator(), exp.into())
    }

    /// Half of it.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the denominator becomes too large.
    pub fn half(&self) -> Result<Self> {
        match self.small() {
            Some(s) => Self::new(s.m, s.exp + 1),
            None => Self::from_big(self.big_numerator(), u64::from(self.exponent()) + 1),
        }
    }

    /// `self * 2^bits`.
    ///
    /// # Errors
    /// [`Error::Overflow`] beyond [`Self::MAX_BITS`].
    pub fn mul_pow2(&self, bits: u32) -> Result<Self> {
        let down = bits.min(self.exponent());
        let (up, exp) = (bits - down, self.exponent() - down);
        if let Some(m) = self.small().and_then(|s| shl_exact(s.m, up)) {
            return Self::new(m, exp);
        }
        if u64::from(up) > Self::MAX_BITS {
            return Err(Error::overflow("the numerator of a dyadic"));
        }
        Self::from_big(self.big_numerator() << up, exp.into())
    }

    /// The greatest integer not above it.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Repr::Small { hi, lo, exp } => {
                let m = (i128::from(*hi) << 64) | i128::from(*lo);
                Self::raw(m >> (*exp).min(127), 0)
            }
            // Its whole part has no more bits, so it fits.
            Repr::Wide(w) => Self::from_big(&w.numerator >> w.exp, 0).unwrap_or(Self::ZERO),
        }
    }

    /// The least integer not below it.
    #[must_use]
    pub fn ceil(&self) -> Self {
        self.negative().floor().negative()
    }

    /// [`Self::floor`] as a machine integer, cut off at ±2^126.
    pub(crate) fn floor_saturating(&self) -> i128 {
        const EDGE: i128 = 1 << 126;
        match self.floor().numerator() {
            Some(n) => n.clamp(-EDGE, EDGE),
            None if self.signum() < 0 => -EDGE,
            None => EDGE,
        }
    }

    /// The distance from 0.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.signum() < 0 {
            self.negative()
        } else {
            self.clone()
        }
    }

    /// The nearest `f64` but for a rounding or two, for drawing only. Infinite if it is too large.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        quotient_f64(&self.big_numerator(), self.exponent().into())
    }

    /// The day on which the number is born: |n| for an integer, floor |x| + k + 1 for m / 2^k.
    #[must_use]
    pub fn birthday(&self) -> Self {
        let whole = self.abs().floor();
        let steps = match self.exponent() {
            0 => 0,
            k => i64::from(k) + 1,
        };
        // A whole part beside a fraction is far from the limit of bits.
        whole.checked_add(&steps.into()).unwrap_or(whole)
    }

    /// The simplest number in the interval from `low` to `high` (absent = unbounded): born first,
    /// which makes it unique. Each end says whether it belongs to the interval.
    ///
    /// Returns `None` if the interval is empty. Cost: a few dozen word operations.
    ///
    /// ```
    /// use yose_cgt::Dyadic;
    /// let n = |x: i64| Dyadic::from(x);
    /// assert_eq!(Dyadic::simplest(Some((&n(4), false)), Some((&n(7), false)))?, Some(n(5)));
    /// assert_eq!(Dyadic::simplest(Some((&n(0), false)), Some((&n(1), false)))?, Some(Dyadic::new(1, 1)?));
    /// assert_eq!(Dyadic::simplest(Some((&n(-3), false)), None)?, Some(n(0)));
    /// assert_eq!(Dyadic::simplest(Some((&n(2), false)), Some((&n(2), true)))?, None);
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] if that number is beyond [`Self::MAX_BITS`] or [`Self::MAX_EXPONENT`].
    pub fn simplest(
        low: Option<(&Self, bool)>,
        high: Option<(&Self, bool)>,
    ) -> Result<Option<Self>> {
        if let (Some((l, lc)), Some((h, hc))) = (low, high) {
            if l > h || (l == h && !(lc && hc)) {
                return Ok(None);
            }
            if l == h {
                return Ok(Some(l.clone()));
            }
        }
        let zero_above_low = low.is_none_or(|(l, c)| l.signum() < 0 || (c && l.signum() == 0));
        let zero_below_high = high.is_none_or(|(h, c)| h.signum() > 0 || (c && h.signum() == 0));
        if zero_above_low && zero_below_high {
            return Ok(Some(Self::ZERO));
        }
        // 0 lies outside, so the interval lies on one side of it; turn it to the positive side.
        let x = if zero_below_high {
            simplest_positive(low, high)?
        } else {
            let flip = |end: Option<(&Self, bool)>| end.map(|(x, closed)| (x.negative(), closed));
            let (near, far) = (flip(high), flip(low));
            simplest_positive(
                near.as_ref().map(|(x, c)| (x, *c)),
                far.as_ref().map(|(x, c)| (x, *c)),
            )?
            .negative()
        };
        Ok(Some(x))
    }
}

/// The simplest number of an interval that is not empty and lies above 0 (0 itself excluded).
fn simplest_positive(
    near: Option<(&Dyadic, bool)>,
    far: Option<(&Dyadic, bool)>,
) -> Result<Dyadic> {
    let Some((near, near_closed)) = near else {
        return Err(Error::overflow("simplest number"));
    };
    let inside = |x: &Dyadic| far.is_none_or(|(f, c)| x < f || (c && x == f));
    if let Some(n) = near.small()
        && far.is_none_or(|(f, _)| f.small().is_some())
        && let Some(x) = small_simplest(n, near_closed, inside)
    {
        return Ok(x);
    }
    let mut integer = near.floor();
    if !(near_closed && near.is_integer()) {
        integer = integer.checked_add(&Dyadic::ONE)?;
    }
    let Some((far, far_closed)) = far.filter(|_| !inside(&integer)) else {
        return Ok(integer);
    };
    // No integer inside. Over a denominator so fine that the ends may be moved inside, the interval is
    // [low, high]; of its members the one with most trailing zeros is simplest: what low - 1 and high
    // have in common, and the first bit at which they differ.
    let exp = near.exponent().max(far.exponent()) + 2;
    let low_less_one: BigInt = near.big_scaled(exp) - i32::from(near_closed);
    let high: BigInt = far.big_scaled(exp) - i32::from(!far_closed);
    let zeros = (low_less_one ^ &high).bits().saturating_sub(1);
    Dyadic::from_big((high >> zeros) << zeros, exp.into())
}

/// As [`simplest_positive`], for inline ends; `None` if something on the way does not fit.
fn small_simplest(
    near: Small,
    near_closed: bool,
    inside: impl Fn(&Dyadic) -> bool,
) -> Option<Dyadic> {
    // The first multiple of 2^-e beyond the near end, if it is inside.
    let first_multiple = |e: u32| -> Option<(Dyadic, bool)> {
        let (m, exact) = floor_scaled(near, e)?;
        let x = Dyadic::new(m + i128::from(!(exact && near_closed)), e).ok()?;
        let found = inside(&x);
        Some((x, found))
    };
    // Being inside is monotone in e, and so is not fitting: find the least e with either.
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
    first_multiple(e).map(|(x, _)| x)
}

/// floor(x * 2^e) and whether that is exact; `None` if that has more than 126 bits.
fn floor_scaled(x: Small, e: u32) -> Option<(i128, bool)> {
    let scaled = if e >= x.exp {
        (shl_exact(x.m, e - x.exp)?, true)
    } else {
        (x.m >> (x.exp - e).min(127), false)
    };
    (scaled.0.unsigned_abs() < 1 << 126).then_some(scaled)
}

#[inline]
fn small_add(a: Small, b: Small) -> Option<Dyadic> {
    if a.exp == b.exp {
        let m = a.m.checked_add(b.m)?;
        return if a.exp == 0 && m != i128::MIN {
            Some(Dyadic::raw(m, 0))
        } else {
            Dyadic::new(m, a.exp).ok()
        };
    }
    if a.m == 0 {
        return Some(Dyadic::raw(b.m, b.exp));
    }
    if b.m == 0 {
        return Some(Dyadic::raw(a.m, a.exp));
    }
    let exp = a.exp.max(b.exp);
    let m = shl_exact(a.m, exp - a.exp)?.checked_add(shl_exact(b.m, exp - b.exp)?)?;
    Dyadic::new(m, exp).ok()
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

/// m / 2^k to about 53 bits.
pub(crate) fn quotient_f64(m: &BigInt, k: u64) -> f64 {
    // 64 leading bits keep the conversion within range whatever the width.
    let cut = m.bits().saturating_sub(64);
    let head = (m >> cut).to_f64().unwrap_or(0.0);
    let scale = i128::from(cut) - i128::from(k);
    // In two steps: a small number may have a scale whose power alone is 0.
    let half = i32::try_from((scale / 2).clamp(-1200, 1200)).unwrap_or(0);
    let rest = i32::try_from((scale - scale / 2).clamp(-1200, 1200)).unwrap_or(0);
    head * 2_f64.powi(half) * 2_f64.powi(rest)
}

impl From<i64> for Dyadic {
    fn from(n: i64) -> Self {
        Self::raw(n.into(), 0)
    }
}

impl std::ops::Add for Dyadic {
    type Output = Result<Self>;
    fn add(self, other: Self) -> Result<Self> {
        self.checked_add(&other)
    }
}

impl std::ops::Add for &Dyadic {
    type Output = Result<Dyadic>;
    fn add(self, other: Self) -> Result<Dyadic> {
        self.checked_add(other)
    }
}

impl std::ops::Sub for &Dyadic {
    type Output = Result<Dyadic>;
    fn sub(self, other: Self) -> Result<Dyadic> {
        self.checked_sub(other)
    }
}

impl std::ops::Sub for Dyadic {
    type Output = Result<Self>;
    fn sub(self, other: Self) -> Result<Self> {
        self.checked_sub(&other)
    }
}

impl Ord for Dyadic {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.small(), other.small()) {
            (Some(a), Some(b)) => small_cmp(a, b),
            _ => self.wide_cmp(other),
        }
    }
}

#[inline]
fn small_cmp(x: Small, y: Small) -> Ordering {
    let (a, b) = (x.m, y.m);
    if x.exp == y.exp {
        return a.cmp(&b);
    }
    let (sa, sb) = (a.signum(), b.signum());
    if sa != sb {
        return sa.cmp(&sb);
    }
    // Same sign, different denominators: widen the coarser one; if it does not fit, it is the
    // one farther from 0, for the other numerator does fit.
    let exp = x.exp.max(y.exp);
    match (shl_exact(a, exp - x.exp), shl_exact(b, exp - y.exp)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (None, _) => sa.cmp(&0),
        (_, None) => 0.cmp(&sb),
    }
}

impl Dyadic {
    #[cold]
    fn wide_cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.signum().cmp(&other.signum());
        if by_sign.is_ne() {
            return by_sign;
        }
        // The place of the leading bit settles most.
        let (a, b) = (self.big_numerator(), other.big_numerator());
        let (ea, eb) = (self.exponent(), other.exponent());
        let by_size = (a.bits() + u64::from(eb)).cmp(&(b.bits() + u64::from(ea)));
        if by_size.is_ne() {
            return if a.is_negative() {
                by_size.reverse()
            } else {
                by_size
            };
        }
        let exp = ea.max(eb);
        (a << (exp - ea)).cmp(&(b << (exp - eb)))
    }
}

impl PartialOrd for Dyadic {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    /// `3`, `-7/4`. Cost above 127 bits: quadratic in the bits at worst (some milliseconds at 100,000).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.numerator() {
            Some(m) => write!(f, "{m}")?,
            None => write!(f, "{}", self.big_numerator())?,
        }
        match self.exponent() {
            0 => Ok(()),
            exp @ ..127 => write!(f, "/{}", 1_u128 << exp),
            exp => write!(f, "/{}", BigInt::from(1) << exp),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
