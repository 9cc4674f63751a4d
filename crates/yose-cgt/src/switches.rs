//! Algorithm 2.3: the exact value of every first move in a sum of simple switches {a | b}.
//!
//! Sort by swing d = a - b, largest first, positions from 1. After Left has played in p, Right and Left
//! take the rest in that order, Right first, so
//!
//! ```text
//! V_p = a_p + sum over l < p of (a_l if l even, else b_l)
//!           + sum over l > p of (a_l if l odd,  else b_l)
//! ```
//!
//! Four running sums (a at even and b at odd places before p; a at odd and b at even places after p) give
//! every V_p in constant time. It is proved for switches with d >= 0, and for any d when every part must
//! be played exactly once; it is *false* for other games fed in by their stops (there is a test).

use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::sum::Player;
use std::ops::{Add, Neg, Sub};

/// The game {a | b}: Left moves to the number a, Right to b.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Switch {
    /// Where Left moves to.
    pub left: Dyadic,
    /// Where Right moves to.
    pub right: Dyadic,
}

/// What a part with a < b means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cold {
    /// As in the theory: it is the simplest number between, adds to the score and is never played.
    Number,
    /// As in a puzzle where each part is played exactly once: it stays, with negative swing.
    Compulsory,
}

/// V of every part, and the four ways to read them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchValues {
    /// Who moves first.
    pub who: Player,
    /// The stop of the sum.
    pub stop: Dyadic,
    /// V_j in the order given; `None` for numbers (under [`Cold::Number`]).
    pub v: Vec<Option<Dyadic>>,
    /// Parts that may be played, largest swing first (reading C); equal swings in the order given.
    pub by_swing: Vec<usize>,
}

/// The exact value of every first move, in O(m log m) time and O(m) memory.
///
/// ```
/// use yose_cgt::{Cold, Dyadic, Player, Switch, switch_values};
/// let sw = |d: i64| Switch { left: Dyadic::from(d / 2), right: Dyadic::from(-d / 2) };
/// let r = switch_values(&[sw(10), sw(8), sw(6)], Player::Left, Cold::Number)?;
/// let v: Vec<String> = r.v.iter().flatten().map(ToString::to_string).collect();
/// assert_eq!(v, ["4", "2", "2"]);
/// # Ok::<(), yose_cgt::Error>(())
/// ```
///
/// # Errors
/// [`Error::Limit`] if the numbers written out over their common denominator take more than 256 MiB.
pub fn switch_values(parts: &[Switch], who: Player, cold: Cold) -> Result<SwitchValues> {
    const OP: Error = Error::overflow("sum of switches");
    if u32::try_from(parts.len()).is_err() {
        return Err(Error::Limit {
            what: "switches",
            limit: u64::from(u32::MAX),
        });
    }
    let mut constant = Dyadic::ZERO;
    let mut hot = Vec::with_capacity(parts.len());
    for s in parts {
        if s.left < s.right && cold == Cold::Number {
            let x = Dyadic::simplest(Some((&s.left, false)), Some((&s.right, false)))?;
            constant = constant.checked_add(&x.ok_or(OP)?)?;
            hot.push(None);
        } else {
            hot.push(Some(s));
        }
    }
    let ends = || hot.iter().flatten().flat_map(|s| [&s.left, &s.right]);
    // In one pass: the common denominator, and a bound on the numerators over it if all are inline.
    let (mut exponent, mut coarsest, mut widest) = (0, u32::MAX, Some(0));
    for x in ends() {
        exponent = exponent.max(x.exponent());
        coarsest = coarsest.min(x.exponent());
        let m = x.numerator().map(i128::unsigned_abs);
        widest = widest.zip(m).map(|(a, b): (u128, u128)| a.max(b));
    }
    let shift = exponent.saturating_sub(coarsest);
    let greatest = widest
        .filter(|w| shift < w.leading_zeros())
        .map(|w| w << shift);
    let board = Board { who, constant };
    let unscale = |m: i128| Dyadic::new(m, exponent);
    // No running sum can overflow when every number stays below this.
    let room = 4 * (parts.len() as u128 + 1);
    let inline = |x: &Dyadic| x.scaled(exponent).unwrap_or(0);
    match greatest {
        // 64-bit sums are three times faster and all that integers ever need.
        Some(m) if m < (1 << 62) / room => {
            let narrow = |x: &Dyadic| i64::try_from(inline(x)).unwrap_or(0);
            board.solve(&hot, narrow, |m| unscale(m.into()))
        }
        Some(m) if m < (1 << 126) / room => board.solve(&hot, inline, unscale),
        _ => {
            let widest = ends().map(|x| x.bits_over(exponent)).max().unwrap_or(0);
            // Two ends, a swing and four sums for each.
            if (widest / 8 + 32).saturating_mul(7 * parts.len() as u64) > MAX_BYTES {
                return Err(Error::Limit {
                    what: "bytes of switches over their common denominator",
                    limit: MAX_BYTES,
                });
            }
            let unscale = |m| Dyadic::from_big(m, exponent.into());
            board.solve(&hot, |x| x.big_scaled(exponent), unscale)
        }
    }
}

/// Memory for switches too wide for machine integers.
const MAX_BYTES: u64 = 1 << 28;

/// Who moves, and what stands beside the switches.
struct Board {
    who: Player,
    constant: Dyadic,
}

impl Board {
    /// The algorithm, in integers of a width that no sum can overflow. `None` stands for a number, which is
    /// in the constant already.
    fn solve<T>(
        &self,
        parts: &[Option<&Switch>],
        scale: impl Fn(&Dyadic) -> T,
        unscale: impl Fn(T) -> Result<Dyadic>,
    ) -> Result<SwitchValues>
    where
        T: Clone + Ord + Default + Add<Output = T> + Sub<Output = T> + Neg<Output = T>,
    {
        // (a, b) for the player who moves first: Right's view is the negative.
        let ends: Vec<Option<(T, T)>> = parts
            .iter()
            .map(|s| {
                s.map(|s| match self.who {
                    Player::Left => (scale(&s.left), scale(&s.right)),
                    Player::Right => (-scale(&s.right), -scale(&s.left)),
                })
            })
            .collect();
        let mut places: Vec<(T, u32)> = Vec::with_capacity(parts.len());
        for (j, e) in (0_u32..).zip(&ends) {
            if let Some((a, b)) = e {
                places.push((a.clone() - b.clone(), j));
            }
        }
        places.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
        let m = places.len();
        let zero = T::default();
        // a and b by place, counted from 1 as in the formula
        let mut a = vec![zero.clone(); m + 1];
        let mut b = vec![zero.clone(); m + 1];
        for (p, &(_, j)) in (1..).zip(&places) {
            if let Some(e) = &ends[j as usize] {
                (a[p], b[p]) = e.clone();
            }
        }
        drop(ends);
        // Index p: what stands before (after) place p.
        let mut before_a_even = vec![zero.clone(); m + 2];
        let mut before_b_odd = vec![zero.clone(); m + 2];
        let mut after_a_odd = vec![zero.clone(); m + 2];
        let mut after_b_even = vec![zero; m + 2];
        for p in 1..=m {
            before_a_even[p + 1] = before_a_even[p].clone();
            before_b_odd[p + 1] = before_b_odd[p].clone();
            let (sum, x) = if p % 2 == 0 {
                (&mut before_a_even, &a)
            } else {
                (&mut before_b_odd, &b)
            };
            sum[p + 1] = sum[p].clone() + x[p].clone();
        }
        for p in (1..=m).rev() {
            after_a_odd[p - 1] = after_a_odd[p].clone();
            after_b_even[p - 1] = after_b_even[p].clone();
            let (sum, x) = if p % 2 == 0 {
                (&mut after_b_even, &b)
            } else {
                (&mut after_a_odd, &a)
            };
            sum[p - 1] = sum[p].clone() + x[p].clone();
        }
        let back = |x: T| {
            let x = if self.who == Player::Left { x } else { -x };
            unscale(x)?.checked_add(&self.constant)
        };
        let mut v = vec![None; parts.len()];
        let mut stop: Option<T> = None;
        for (p, &(_, j)) in (1..).zip(&places) {
            let before = before_a_even[p].clone() + before_b_odd[p].clone();
            let after = after_a_odd[p].clone() + after_b_even[p].clone();
            let value = a[p].clone() + before + after;
            stop = stop.max(Some(value.clone()));
            v[j as usize] = Some(back(value)?);
        }
        Ok(SwitchValues {
            who: self.who,
            stop: back(stop.unwrap_or_default())?,
            v,
            by_swing: places.into_iter().map(|p| p.1 as usize).collect(),
        })
    }
}

impl SwitchValues {
    /// D-must: the `k` parts with the best V for the player, best first, ties in the order given.
    #[must_use]
    pub fn must(&self, k: usize) -> Vec<usize> {
        self.ranked(k, self.who == Player::Left)
    }

    /// D-avoid: the `k` parts with the worst V for the player, worst first.
    #[must_use]
    pub fn avoid(&self, k: usize) -> Vec<usize> {
        self.ranked(k, self.who != Player::Left)
    }

    fn ranked(&self, k: usize, highest_first: bool) -> Vec<usize> {
        let mut order: Vec<(&Dyadic, usize)> = self
            .v
            .iter()
            .enumerate()
            .filter_map(|(j, v)| v.as_ref().map(|v| (v, j)))
            .collect();
        order.sort_by(|x, y| {
            if highest_first {
                y.0.cmp(x.0)
            } else {
                x.0.cmp(y.0)
            }
        });
        order.into_iter().take(k).map(|x| x.1).collect()
    }

    /// How many points worse than the best first move it is to play in part j; `None` for a number.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn loss(&self, j: usize) -> Result<Option<Dyadic>> {
        match self.v.get(j).and_then(Option::as_ref) {
            None => Ok(None),
            Some(v) => Ok(Some(self.stop.checked_sub(v)?.abs())),
        }
    }
}
