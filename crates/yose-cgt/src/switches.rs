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
    let exponent = parts
        .iter()
        .map(|s| s.left.exponent().max(s.right.exponent()))
        .max()
        .unwrap_or(0)
        // the simplest number between two dyadics needs one more place at most
        .saturating_add(1);
    // No running sum can overflow when every number stays below this.
    let greatest = (1_u128 << 124) / (parts.len() as u128 + 1);
    // (a, b) for the player who moves first: Right's view is the negative.
    let scale = |x: Dyadic| {
        x.scaled(exponent)
            .filter(|m| m.unsigned_abs() < greatest)
            .ok_or(OP)
    };
    let sign = if who == Player::Left { 1 } else { -1 };
    let mut constant: i128 = 0;
    let mut playable: Vec<(i128, usize)> = Vec::with_capacity(parts.len());
    let mut ends: Vec<(i128, i128)> = Vec::with_capacity(parts.len());
    if u32::try_from(parts.len()).is_err() {
        return Err(Error::Limit {
            what: "switches",
            limit: u64::from(u32::MAX),
        });
    }
    for (j, s) in parts.iter().enumerate() {
        let (l, r) = (scale(s.left)?, scale(s.right)?);
        if l < r && cold == Cold::Number {
            let x = Dyadic::simplest(Some((s.left, false)), Some((s.right, false)))?.ok_or(OP)?;
            constant += sign * scale(x)?;
            ends.push((0, 0));
            continue;
        }
        let (a, b) = if who == Player::Left {
            (l, r)
        } else {
            (-r, -l)
        };
        playable.push((a - b, j));
        ends.push((a, b));
    }
    playable.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(&y.1)));
    let m = playable.len();
    // Index p of the arrays: what stands before (after) place p, places counted from 1.
    let mut before_a_even = vec![0_i128; m + 2];
    let mut before_b_odd = vec![0_i128; m + 2];
    let mut after_a_odd = vec![0_i128; m + 2];
    let mut after_b_even = vec![0_i128; m + 2];
    let at = |p: usize| ends[playable[p - 1].1];
    for p in 1..=m {
        let (a, b) = at(p);
        let even = p % 2 == 0;
        before_a_even[p + 1] = before_a_even[p] + if even { a } else { 0 };
        before_b_odd[p + 1] = before_b_odd[p] + if even { 0 } else { b };
    }
    for p in (1..=m).rev() {
        let (a, b) = at(p);
        let even = p % 2 == 0;
        after_a_odd[p - 1] = after_a_odd[p] + if even { 0 } else { a };
        after_b_even[p - 1] = after_b_even[p] + if even { b } else { 0 };
    }
    let back = |x: i128| Dyadic::new(sign * x, exponent);
    let mut v = vec![None; parts.len()];
    let mut stop = constant;
    for (i, &(_, j)) in playable.iter().enumerate() {
        let p = i + 1;
        let value = ends[j].0
            + before_a_even[p]
            + before_b_odd[p]
            + after_a_odd[p]
            + after_b_even[p]
            + constant;
        stop = if i == 0 { value } else { stop.max(value) };
        v[j] = Some(back(value)?);
    }
    Ok(SwitchValues {
        who,
        stop: back(stop)?,
        v,
        by_swing: playable.into_iter().map(|p| p.1).collect(),
    })
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
