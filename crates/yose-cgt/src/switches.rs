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
use std::ops::{Add, Sub};

/// The game {a | b}: Left moves to the number a, Right to b.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
/// [`Error::Overflow`] if the numbers over their common denominator, added up, exceed 126 bits.
pub fn switch_values(parts: &[Switch], who: Player, cold: Cold) -> Result<SwitchValues> {
    const OP: Error = Error::overflow("sum of switches");
    if u32::try_from(parts.len()).is_err() {
        return Err(Error::Limit {
            what: "switches",
            limit: u64::from(u32::MAX),
        });
    }
    // The simplest number between two dyadics needs at most one binary place more.
    let finest = parts
        .iter()
        .map(|s| s.left.exponent().max(s.right.exponent()))
        .max();
    let exponent = finest.unwrap_or(0).saturating_add(1);
    let mut scaled = Scaled {
        exponent,
        ..Scaled::default()
    };
    // No running sum can overflow when every number stays below this.
    let mut greatest: u128 = 0;
    let mut scale = |x: Dyadic| -> Result<i128> {
        let m = x.scaled(exponent).ok_or(OP)?;
        greatest = greatest.max(m.unsigned_abs());
        Ok(m)
    };
    for s in parts {
        let (l, r) = (scale(s.left)?, scale(s.right)?);
        if l < r && cold == Cold::Number {
            let x = Dyadic::simplest(Some((s.left, false)), Some((s.right, false)))?.ok_or(OP)?;
            scaled.constant = scaled.constant.checked_add(scale(x)?).ok_or(OP)?;
            scaled.ends.push(None);
            continue;
        }
        // (a, b) for the player who moves first: Right's view is the negative.
        scaled.ends.push(Some(if who == Player::Left {
            (l, r)
        } else {
            (-r, -l)
        }));
    }
    let room = 4 * (parts.len() as u128 + 1);
    if greatest < (1 << 62) / room {
        // 64-bit sums are three times faster and all that integers ever need.
        scaled.solve(who, |x| i64::try_from(x).unwrap_or(0))
    } else if greatest < (1 << 126) / room {
        scaled.solve(who, |x| x)
    } else {
        Err(OP)
    }
}

/// Switches over the common denominator 2^exponent; `None` stands for a number, added to the constant.
#[derive(Default)]
struct Scaled {
    exponent: u32,
    constant: i128,
    ends: Vec<Option<(i128, i128)>>,
}

impl Scaled {
    /// The algorithm, in integers of a width that no sum can overflow.
    fn solve<T>(&self, who: Player, narrow: impl Fn(i128) -> T) -> Result<SwitchValues>
    where
        T: Copy + Ord + Default + Add<Output = T> + Sub<Output = T> + Into<i128>,
    {
        let mut places: Vec<(T, u32)> = Vec::with_capacity(self.ends.len());
        for (j, e) in (0_u32..).zip(&self.ends) {
            if let Some((a, b)) = e {
                places.push((narrow(a - b), j));
            }
        }
        places.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
        let m = places.len();
        let zero = T::default();
        // a and b by place, counted from 1 as in the formula
        let mut a = vec![zero; m + 1];
        let mut b = vec![zero; m + 1];
        for (p, &(_, j)) in (1..).zip(&places) {
            if let Some((x, y)) = self.ends[j as usize] {
                (a[p], b[p]) = (narrow(x), narrow(y));
            }
        }
        // Index p: what stands before (after) place p.
        let mut before_a_even = vec![zero; m + 2];
        let mut before_b_odd = vec![zero; m + 2];
        let mut after_a_odd = vec![zero; m + 2];
        let mut after_b_even = vec![zero; m + 2];
        for p in 1..=m {
            let (x, y) = if p % 2 == 0 {
                (a[p], zero)
            } else {
                (zero, b[p])
            };
            before_a_even[p + 1] = before_a_even[p] + x;
            before_b_odd[p + 1] = before_b_odd[p] + y;
        }
        for p in (1..=m).rev() {
            let (x, y) = if p % 2 == 0 {
                (zero, b[p])
            } else {
                (a[p], zero)
            };
            after_a_odd[p - 1] = after_a_odd[p] + x;
            after_b_even[p - 1] = after_b_even[p] + y;
        }
        let sign = if who == Player::Left { 1 } else { -1 };
        let back = |x: i128| {
            let x = (sign * x).checked_add(self.constant);
            Dyadic::new(x.ok_or(Error::overflow("sum of switches"))?, self.exponent)
        };
        let mut v = vec![None; self.ends.len()];
        let mut stop: Option<T> = None;
        for (p, &(_, j)) in (1..).zip(&places) {
            let before = before_a_even[p] + before_b_odd[p];
            let value = a[p] + before + after_a_odd[p] + after_b_even[p];
            stop = Some(stop.map_or(value, |s| s.max(value)));
            v[j as usize] = Some(back(value.into())?);
        }
        Ok(SwitchValues {
            who,
            stop: back(stop.map_or(0, Into::into))?,
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
        let mut order: Vec<(Dyadic, usize)> = self
            .v
            .iter()
            .enumerate()
            .filter_map(|(j, v)| v.map(|v| (v, j)))
            .collect();
        order.sort_by(|x, y| {
            if highest_first {
                y.0.cmp(&x.0)
            } else {
                x.0.cmp(&y.0)
            }
        });
        order.into_iter().take(k).map(|x| x.1).collect()
    }

    /// How many points worse than the best first move it is to play in part j; `None` for a number.
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn loss(&self, j: usize) -> Result<Option<Dyadic>> {
        match self.v.get(j).copied().flatten() {
            None => Ok(None),
            Some(v) => self.stop.checked_sub(v)?.abs().map(Some),
        }
    }
}
