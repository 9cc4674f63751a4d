//! Lines of integer slopes from corner to corner: scaffolds and walls of thermographs with kos.

use yose_cgt::{Error, Rational};

use super::Refusal;

/// Steepest difference of slopes that is looked for.
const STEEPEST: i64 = 8;

/// Corners `(t, x)`, straight between them, over the same range of t as all others of one computation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line(pub(super) Vec<(Rational, Rational)>);

impl Line {
    pub(super) fn at(&self, t: &Rational) -> Result<Rational, Refusal> {
        for pair in self.0.windows(2) {
            let ((t0, x0), (t1, x1)) = (&pair[0], &pair[1]);
            if t0 <= t && t <= t1 {
                let slope = slope(&t1.checked_sub(t0)?, &x1.checked_sub(x0)?)?;
                return Ok(x0.checked_add(&t.checked_sub(t0)?.times(slope)?)?);
            }
        }
        Err(Refusal::Unsupported)
    }

    /// Moved up by a number and tilted: `x + by + tilt * t`.
    pub(super) fn moved(&self, by: &Rational, tilt: i64) -> Result<Self, Refusal> {
        let corner = |(t, x): &(Rational, Rational)| {
            Ok((t.clone(), x.checked_add(by)?.checked_add(&t.times(tilt)?)?))
        };
        let corners: Result<Vec<_>, Error> = self.0.iter().map(corner).collect();
        Ok(Self(corners?))
    }

    /// The greater of two at each t, or the lesser.
    pub(super) fn extreme(&self, other: &Self, greater: bool) -> Result<Self, Refusal> {
        let mut corners: Vec<(Rational, Rational)> = Vec::new();
        let mut last: Option<(Rational, Rational)> = None;
        for t in both(self, other) {
            let (a, b) = (self.at(&t)?, other.at(&t)?);
            let gap = a.checked_sub(&b)?;
            if let Some((t0, gap0)) = &last
                && gap0.signum() * gap.signum() < 0
            {
                let cross = crossing((t0, gap0), (&t, &gap))?;
                let x = self.at(&cross)?;
                corners.push((cross, x));
            }
            let x = if (a > b) == greater { a } else { b };
            corners.push((t.clone(), x));
            last = Some((t, gap));
        }
        Self(corners).simplified()
    }

    /// The greatest t at which this is not below another.
    pub(super) fn last_above(&self, other: &Self) -> Result<Option<Rational>, Refusal> {
        let mut found = None;
        let mut last: Option<(Rational, Rational)> = None;
        for t in both(self, other) {
            let gap = self.at(&t)?.checked_sub(&other.at(&t)?)?;
            if gap.signum() >= 0 {
                found = Some(t.clone());
            } else if let Some((t0, gap0)) = &last
                && gap0.signum() > 0
            {
                found = Some(crossing((t0, gap0), (&t, &gap))?);
            }
            last = Some((t, gap));
        }
        Ok(found)
    }

    /// As it is up to `t`, vertical from there on.
    pub(super) fn with_mast(&self, t: &Rational) -> Result<Self, Refusal> {
        let x = self.at(t)?;
        let mut corners: Vec<_> = self.0.iter().filter(|c| c.0 < *t).cloned().collect();
        corners.push((t.clone(), x.clone()));
        if let Some(end) = self.0.last().filter(|end| end.0 > *t) {
            corners.push((end.0.clone(), x));
        }
        Ok(Self(corners))
    }

    /// Without corners at which the slope does not change.
    fn simplified(self) -> Result<Self, Refusal> {
        let mut corners: Vec<(Rational, Rational)> = Vec::new();
        for corner in self.0 {
            while let [.., a, b] = corners.as_slice() {
                let first = slope(&b.0.checked_sub(&a.0)?, &b.1.checked_sub(&a.1)?)?;
                let second = slope(&corner.0.checked_sub(&b.0)?, &corner.1.checked_sub(&b.1)?)?;
                if first != second {
                    break;
                }
                corners.pop();
            }
            corners.push(corner);
        }
        Ok(Self(corners))
    }
}

/// The corners of both, in order.
fn both(a: &Line, b: &Line) -> Vec<Rational> {
    let mut all: Vec<Rational> =
        a.0.iter()
            .chain(&b.0)
            .map(|corner| corner.0.clone())
            .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// How often `dt` goes into `dx`; only integers occur.
fn slope(dt: &Rational, dx: &Rational) -> Result<i64, Refusal> {
    for slope in -STEEPEST..=STEEPEST {
        if dt.times(slope)? == *dx {
            return Ok(slope);
        }
    }
    Err(Refusal::Unsupported)
}

/// Where a gap that changes its sign is 0.
fn crossing(
    (t0, gap0): (&Rational, &Rational),
    (t1, gap1): (&Rational, &Rational),
) -> Result<Rational, Refusal> {
    let slope = slope(&t1.checked_sub(t0)?, &gap1.checked_sub(gap0)?)?;
    let (num, den) = gap0.parts().ok_or(Refusal::Unsupported)?;
    let den = den
        .checked_mul(i128::from(slope))
        .ok_or(Refusal::Unsupported)?;
    Ok(t0.checked_sub(&Rational::new(num, den)?)?)
}
