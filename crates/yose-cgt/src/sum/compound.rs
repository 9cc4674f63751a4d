//! The classical bounds on a sum from the thermographs of its parts: Thermostrat (Winning Ways, ch. 6).
//!
//! At ambient temperature t Left can secure the sum of the right walls at t plus the width of the widest
//! thermograph there; the best t gives the guarantee. Right's is the mirror image.

use super::Player;
use crate::error::Result;
use crate::rational::Rational;
use crate::thermograph::Thermograph;

/// What Thermostrat says about a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thermostat {
    /// The ambient temperature with the best guarantee (the lowest, if several).
    pub temperature: Rational,
    /// The guaranteed score: at most the left stop for Left, at least the right stop for Right.
    pub bound: Rational,
    /// The part to play: the widest thermograph at that temperature (the first, if several).
    pub part: usize,
}

/// The Thermostrat bound of a sum. `parts` are the thermographs of the components that are no numbers, with
/// their index; `constant` is the sum of the numbers. `None` if there is nothing to play.
pub(crate) fn thermostat(
    parts: &[(usize, &Thermograph)],
    constant: Rational,
    who: Player,
) -> Result<Option<Thermostat>> {
    let mut temperatures: Vec<Rational> = vec![Rational::ZERO];
    for (_, t) in parts {
        for p in t.left.points().iter().chain(t.right.points()) {
            if p.0 > Rational::ZERO {
                temperatures.push(p.0);
            }
        }
    }
    temperatures.sort_unstable();
    temperatures.dedup();
    let mut best: Option<Thermostat> = None;
    for t in temperatures {
        // All walls are straight between corners, and a maximum of convex pieces is at a corner.
        let mut sum = constant;
        let mut widest: Option<(Rational, usize)> = None;
        for &(i, th) in parts {
            let (l, r) = (th.left.at(t)?, th.right.at(t)?);
            let width = l.checked_sub(r)?;
            sum = sum.checked_add(if who == Player::Left { r } else { l })?;
            if widest.is_none_or(|w| width > w.0) {
                widest = Some((width, i));
            }
        }
        let Some((width, part)) = widest else {
            return Ok(None);
        };
        let bound = if who == Player::Left {
            sum.checked_add(width)?
        } else {
            sum.checked_sub(width)?
        };
        let better = best.is_none_or(|b| match who {
            Player::Left => bound > b.bound,
            Player::Right => bound < b.bound,
        });
        if better {
            best = Some(Thermostat {
                temperature: t,
                bound,
                part,
            });
        }
    }
    Ok(best)
}
