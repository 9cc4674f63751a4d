//! The classical bounds on a sum from the thermographs of its parts: Thermostrat (Winning Ways, ch. 6).
//!
//! At ambient temperature t Left can secure the sum of the right walls at t plus the width of the widest
//! thermograph there; the best t gives the guarantee. Right's is the mirror image.

use super::Player;
use crate::error::Result;
use crate::rational::Rational;
use crate::thermograph::Thermograph;

/// What Thermostrat says about a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thermostat {
    /// The ambient temperature with the best guarantee (the lowest, if several).
    pub temperature: Rational,
    /// The guaranteed score: at most the left stop for Left, at least the right stop for Right.
    pub bound: Rational,
    /// The part to play: the widest thermograph at that temperature (the first, if several).
    pub part: usize,
}

/// The Thermostrat bound of a sum. `parts` are the thermographs of the components that are no numbers, with
/// their index; `constant` is the sum of the numbers. `None` if there is nothing to play, or the time is up.
pub(crate) fn thermostat(
    parts: &[(usize, &Thermograph)],
    constant: &Rational,
    who: Player,
    mut out_of_time: impl FnMut() -> bool,
) -> Result<Option<Thermostat>> {
    // A sum of walls is swept from corner to corner by its slope.
    let mut sum = constant.clone();
    let mut turns: Vec<(Rational, i64)> = vec![(Rational::ZERO, 0)];
    for (_, t) in parts {
        let (mine, other) = match who {
            Player::Left => (&t.right, &t.left),
            Player::Right => (&t.left, &t.right),
        };
        sum = sum.checked_add(&mine.at(&Rational::ZERO)?)?;
        for w in mine.points().windows(2) {
            let ((from, x0), (to, x1)) = (&w[0], &w[1]);
            if *to > Rational::ZERO {
                let slope = x1.cmp(x0) as i64;
                turns.push((from.max(&Rational::ZERO).clone(), slope));
                turns.push((to.clone(), -slope));
            }
        }
        let corners = other.points().iter().filter(|p| p.0 > Rational::ZERO);
        turns.extend(corners.map(|p| (p.0.clone(), 0)));
    }
    turns.sort_unstable();
    // The width of a switch is max(0, 2(T - t)): only the hottest of all switches can be the widest.
    let hottest = |a: &Thermograph, b: &Thermograph| a.temperature > b.temperature;
    let mut switch: Option<(usize, &Thermograph)> = None;
    let mut candidates = Vec::new();
    for &(i, t) in parts {
        if !has_switch_walls(t) {
            candidates.push((i, t));
        } else if switch.is_none_or(|s| hottest(t, s.1)) {
            switch = Some((i, t));
        }
    }
    candidates.extend(switch);
    candidates.sort_unstable_by_key(|c| c.0);
    let mut best: Option<Thermostat> = None;
    let (mut at, mut slope) = (Rational::ZERO, 0);
    for turns in turns.chunk_by(|a, b| a.0 == b.0) {
        if out_of_time() {
            return Ok(None);
        }
        let t = &turns[0].0;
        // All walls are straight between corners, and a maximum of convex pieces is at a corner.
        let dt = t.checked_sub(&at)?;
        sum = sum.checked_add(&dt.times(slope)?)?;
        at = t.clone();
        slope += turns.iter().map(|turn| turn.1).sum::<i64>();
        let mut widest: Option<(Rational, usize)> = None;
        for &(i, th) in &candidates {
            let width = th.left.at(t)?.checked_sub(&th.right.at(t)?)?;
            if widest.as_ref().is_none_or(|w| width > w.0) {
                widest = Some((width, i));
            }
        }
        let Some((width, mut part)) = widest else {
            return Ok(None);
        };
        if width == Rational::ZERO {
            part = parts[0].0;
        }
        let bound = if who == Player::Left {
            sum.checked_add(&width)?
        } else {
            sum.checked_sub(&width)?
        };
        let better = best.as_ref().is_none_or(|b| match who {
            Player::Left => bound > b.bound,
            Player::Right => bound < b.bound,
        });
        if better {
            best = Some(Thermostat {
                temperature: t.clone(),
                bound,
                part,
            });
        }
    }
    Ok(best)
}

/// Both walls drift from 0 on until they meet, as those of {a | b} do.
fn has_switch_walls(t: &Thermograph) -> bool {
    [&t.left, &t.right].into_iter().all(|w| {
        let corner = w.points().iter().rfind(|p| p.0 > Rational::ZERO);
        let corners = w.points().iter().filter(|p| p.0 > Rational::ZERO).count();
        corners == 1 && corner.is_some_and(|c| c.0 == t.temperature)
    })
}
