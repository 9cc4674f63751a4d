//! The classical bounds on a sum from the thermographs of its parts: Thermostrat (Winning Ways, ch. 6).
//!
//! At ambient temperature t Left can secure the sum of the right walls at t plus the width of the widest
//! thermograph there; the best t gives the guarantee. Right's is the mirror image.
//!
//! Cost: O(c log^2 c) for c corners of all walls together.

use super::Player;
use crate::error::Result;
use crate::rational::Rational;
use crate::thermograph::{Thermograph, Wall};
use std::cmp::Ordering;

/// What Thermostrat says about a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thermostrat {
    /// The ambient temperature with the best guarantee (the lowest, if several).
    pub temperature: Rational,
    /// The guaranteed score: at most the left stop for Left, at least the right stop for Right.
    pub bound: Rational,
    /// The part to play: the widest thermograph at that temperature (the first, if several); the hottest, if
    /// none has any width there.
    pub part: usize,
}

/// The Thermostrat bound of a sum. `parts` are the thermographs of the components that are no numbers, with
/// their index; `constant` is the sum of the numbers. `None` if there is nothing to play, or the time is up.
pub(crate) fn thermostrat(
    parts: &[(usize, &Thermograph)],
    constant: &Rational,
    who: Player,
    mut out_of_time: impl FnMut() -> bool,
) -> Result<Option<Thermostrat>> {
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
    let mut widest = Envelope::over(&turns);
    for (_, t) in &candidates {
        if out_of_time() {
            return Ok(None);
        }
        widest.raise(t)?;
    }
    // All walls are straight between corners, and a maximum of convex pieces is at a corner.
    let mut best: Option<(Rational, Rational)> = None;
    let (mut at, mut slope) = (Rational::ZERO, 0);
    for (i, turns) in turns.chunk_by(|a, b| a.0 == b.0).enumerate() {
        if out_of_time() {
            return Ok(None);
        }
        let t = &turns[0].0;
        sum = sum.checked_add(&t.checked_sub(&at)?.times(slope)?)?;
        at = t.clone();
        slope += turns.iter().map(|turn| turn.1).sum::<i64>();
        let width = widest.at(i)?;
        let bound = if who == Player::Left {
            sum.checked_add(&width)?
        } else {
            sum.checked_sub(&width)?
        };
        let better = best.as_ref().is_none_or(|(_, b)| match who {
            Player::Left => bound > *b,
            Player::Right => bound < *b,
        });
        if better {
            best = Some((t.clone(), bound));
        }
    }
    let (Some((temperature, bound)), Some(first)) = (best, parts.first()) else {
        return Ok(None);
    };
    // The first of the widest there. If none has any width, that is the highest temperature of all, and the
    // first of the hottest: to move elsewhere would cost more than the tax.
    let hottest = parts[1..]
        .iter()
        .fold(first, |best, p| if hottest(p.1, best.1) { p } else { best });
    let mut part = (Rational::ZERO, hottest.0);
    for &(i, th) in &candidates {
        let width = width_at(th, &temperature)?;
        if width > part.0 {
            part = (width, i);
        }
    }
    Ok(Some(Thermostrat {
        temperature,
        bound,
        part: part.1,
    }))
}

fn width_at(th: &Thermograph, t: &Rational) -> Result<Rational> {
    th.left.at(t)?.checked_sub(&th.right.at(t)?)
}

/// The greatest width of many thermographs at each of many temperatures: a tree over the temperatures
/// in which each straight stretch of a width is entered where it leads (Li Chao).
struct Envelope<'a> {
    temperatures: Vec<&'a Rational>,
    /// Of the leaf i and its ancestors, one holds the greatest line at temperature i.
    nodes: Vec<Option<Line>>,
    leaves: usize,
}

/// `base + slope t`
#[derive(Clone)]
struct Line {
    base: Rational,
    slope: i64,
}

impl Line {
    fn at(&self, t: &Rational) -> Result<Rational> {
        self.base.checked_add(&t.times(self.slope)?)
    }
}

impl<'a> Envelope<'a> {
    /// Over the distinct temperatures of sorted turns.
    fn over(turns: &'a [(Rational, i64)]) -> Self {
        let temperatures: Vec<&Rational> =
            turns.chunk_by(|a, b| a.0 == b.0).map(|t| &t[0].0).collect();
        let leaves = temperatures.len().next_power_of_two();
        Self {
            nodes: vec![None; 2 * leaves],
            leaves,
            temperatures,
        }
    }

    /// Enters a thermograph, whose corners above 0 are among the temperatures.
    fn raise(&mut self, th: &Thermograph) -> Result<()> {
        let corners = |w: &'_ Wall| -> Vec<Rational> {
            let above = w.points().iter().map(|p| &p.0);
            above.filter(|t| t.signum() > 0).cloned().collect()
        };
        let mut ts = vec![Rational::ZERO];
        ts.extend(corners(&th.left));
        ts.extend(corners(&th.right));
        ts.sort_unstable();
        ts.dedup();
        let mut here = width_at(th, &ts[0])?;
        for pair in ts.windows(2) {
            let next = width_at(th, &pair[1])?;
            // Each wall moves by 0 or 1 a degree, so the width falls by 0, 1 or 2.
            let (dt, fall) = (pair[1].checked_sub(&pair[0])?, here.checked_sub(&next)?);
            let slope = match fall.cmp(&dt) {
                Ordering::Greater => -2,
                Ordering::Equal => -1,
                Ordering::Less => 0,
            };
            let line = Line {
                base: here.checked_sub(&pair[0].times(slope)?)?,
                slope,
            };
            let place = |t: &Rational| self.temperatures.partition_point(|x| *x < t);
            let (from, to) = (place(&pair[0]), place(&pair[1]));
            self.enter(1, 0, self.leaves, (from, to), line)?;
            here = next;
        }
        Ok(())
    }

    /// Enters a line for the temperatures `from..=to` into the node that covers `low..high`.
    fn enter(
        &mut self,
        node: usize,
        low: usize,
        high: usize,
        (from, to): (usize, usize),
        mut line: Line,
    ) -> Result<()> {
        if to < low || from >= high || low >= self.temperatures.len() {
            return Ok(());
        }
        let mid = usize::midpoint(low, high);
        if from > low || to + 1 < high.min(self.temperatures.len()) {
            self.enter(2 * node, low, mid, (from, to), line.clone())?;
            return self.enter(2 * node + 1, mid, high, (from, to), line);
        }
        let Some(old) = &mut self.nodes[node] else {
            self.nodes[node] = Some(line);
            return Ok(());
        };
        // The leader at the middle stays; the other can only lead on one side of it.
        let middle = self.temperatures[mid.min(self.temperatures.len() - 1)];
        if line.at(middle)? > old.at(middle)? {
            std::mem::swap(old, &mut line);
        }
        match line.slope.cmp(&old.slope) {
            _ if high - low == 1 => Ok(()),
            Ordering::Less => self.enter(2 * node, low, mid, (low, to), line),
            Ordering::Greater => self.enter(2 * node + 1, mid, high, (low, to), line),
            Ordering::Equal => Ok(()),
        }
    }

    /// The greatest width at the i-th temperature; 0 if there is none.
    fn at(&self, i: usize) -> Result<Rational> {
        let mut widest = Rational::ZERO;
        let mut node = self.leaves + i;
        while node > 0 {
            if let Some(line) = &self.nodes[node] {
                widest = widest.max(line.at(self.temperatures[i])?);
            }
            node /= 2;
        }
        Ok(widest)
    }
}

/// Both walls drift from 0 on until they meet, as those of {a | b} do.
fn has_switch_walls(t: &Thermograph) -> bool {
    [&t.left, &t.right].into_iter().all(|w| {
        let corner = w.points().iter().rfind(|p| p.0 > Rational::ZERO);
        let corners = w.points().iter().filter(|p| p.0 > Rational::ZERO).count();
        corners == 1 && corner.is_some_and(|c| c.0 == t.temperature)
    })
}
