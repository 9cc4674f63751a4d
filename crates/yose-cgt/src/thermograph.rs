//! Thermographs: what a game is worth to each player when every move costs t.
//!
//! At temperature t Left's scaffold is `max RW_t(G^L) - t`, Right's is `min LW_t(G^R) + t`, for t from -1
//! upward. Above the *lowest* temperature where the two meet stands the mast, at the mean. An integer
//! is a mast from -1 on.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::nus::Nus;
use crate::rational::Rational;
use std::sync::Arc;

/// One wall: corner points `(t, x)` from t = -1 upward. Straight between them, vertical above the last.
/// Only points where the slope changes are kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wall {
    points: Vec<(Rational, Rational)>,
}

impl Wall {
    fn mast(x: Rational) -> Self {
        Self {
            points: vec![(Rational::MINUS_ONE, x)],
        }
    }

    /// The corner points, temperature first, in order of temperature.
    #[must_use]
    pub fn points(&self) -> &[(Rational, Rational)] {
        &self.points
    }

    /// The value at temperature t (below -1: as at -1).
    ///
    /// # Errors
    /// [`Error::Overflow`]
    pub fn at(&self, t: &Rational) -> Result<Rational> {
        let i = self.points.partition_point(|p| p.0 <= *t);
        let Some((t0, x0)) = self.points.get(i.wrapping_sub(1)) else {
            return Ok(self.points[0].1.clone());
        };
        match self.points.get(i) {
            None => Ok(x0.clone()),
            Some((_, x1)) => match slope(x0, x1) {
                0 => Ok(x0.clone()),
                s => step(x0, s, &t.checked_sub(t0)?),
            },
        }
    }
}

/// Walls are vertical (0) or drift one point a degree towards the other player (left wall -1, right
/// wall +1).
fn slope(x0: &Rational, x1: &Rational) -> i32 {
    match x1.cmp(x0) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }
}

fn step(x: &Rational, slope: i32, dt: &Rational) -> Result<Rational> {
    match slope {
        0 => Ok(x.clone()),
        1 => x.checked_add(dt),
        _ => x.checked_sub(dt),
    }
}

/// The thermograph of a loop-free game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Thermograph {
    /// Left's wall (x never grows with t).
    pub left: Wall,
    /// Right's wall (x never falls with t).
    pub right: Wall,
    /// Where the mast stands.
    pub mean: Rational,
    /// The lowest temperature at which the walls meet: -1 for integers, -1/2^k for other numbers,
    /// 0 for other infinitesimals, positive for hot games.
    pub temperature: Rational,
}

/// Which player's scaffold is being built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A scaffold: corner points, then the slope above the last one.
struct Scaffold {
    points: Vec<(Rational, Rational)>,
    last_slope: i32,
}

impl Scaffold {
    /// The opponent's wall of an option, taxed by t.
    fn taxed(wall: &Wall, side: Side) -> Result<Self> {
        let mut points = Vec::with_capacity(wall.points.len() + 1);
        for (t, x) in &wall.points {
            let y = if side == Side::Left {
                x.checked_sub(t)?
            } else {
                x.checked_add(t)?
            };
            points.push((t.clone(), y));
        }
        Ok(Self {
            points,
            last_slope: if side == Side::Left { -1 } else { 1 },
        })
    }

    fn slope_after(&self, i: usize) -> i32 {
        match self.points.get(i + 1) {
            None => self.last_slope,
            Some(p) => slope(&self.points[i].1, &p.1),
        }
    }
}

/// Walks along two broken lines at once and visits every stretch on which both are straight.
struct Pairwise<'a> {
    a: &'a Scaffold,
    b: &'a Scaffold,
    i: usize,
    j: usize,
    t: Rational,
    xa: Rational,
    xb: Rational,
}

struct Stretch {
    t: Rational,
    xa: Rational,
    xb: Rational,
    slope_a: i32,
    slope_b: i32,
    /// The end, absent for the last stretch.
    end: Option<Rational>,
}

impl<'a> Pairwise<'a> {
    fn new(a: &'a Scaffold, b: &'a Scaffold) -> Self {
        Self {
            a,
            b,
            i: 0,
            j: 0,
            t: Rational::MINUS_ONE,
            xa: a.points[0].1.clone(),
            xb: b.points[0].1.clone(),
        }
    }

    fn stretch(&self) -> Stretch {
        let next = |s: &'a Scaffold, i: usize| s.points.get(i + 1).map(|p| &p.0);
        let end = match (next(self.a, self.i), next(self.b, self.j)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Stretch {
            t: self.t.clone(),
            xa: self.xa.clone(),
            xb: self.xb.clone(),
            slope_a: self.a.slope_after(self.i),
            slope_b: self.b.slope_after(self.j),
            end: end.cloned(),
        }
    }

    fn advance(&mut self, s: &Stretch, end: &Rational) -> Result<()> {
        let dt = end.checked_sub(&self.t)?;
        let go = |line: &Scaffold, i: &mut usize, x: &Rational, slope: i32| match line
            .points
            .get(*i + 1)
        {
            Some(p) if p.0 == *end => {
                *i += 1;
                Ok(p.1.clone())
            }
            _ => step(x, slope, &dt),
        };
        self.xa = go(self.a, &mut self.i, &self.xa, s.slope_a)?;
        self.xb = go(self.b, &mut self.j, &self.xb, s.slope_b)?;
        self.t = end.clone();
        Ok(())
    }
}

/// Appends a point; drops the one before it if it lies on a straight line. (x, slope) describe the
/// line that starts here.
struct Builder {
    points: Vec<(Rational, Rational)>,
    slope: i32,
}

impl Builder {
    fn corner(&mut self, t: &Rational, x: &Rational, slope: i32) {
        match self.points.last() {
            Some(last) if last.0 == *t => self.slope = slope,
            Some(_) if self.slope == slope => return,
            _ => {
                self.points.push((t.clone(), x.clone()));
                self.slope = slope;
                return;
            }
        }
        // A corner of zero length: with the new slope the last point may be no corner at all.
        let n = self.points.len();
        if n >= 2 {
            let before = crate::thermograph::slope(&self.points[n - 2].1, &self.points[n - 1].1);
            if before == slope {
                self.points.pop();
            }
        }
    }
}

/// When two lines `x + s.dt` starting at the same t meet: dt = (xa - xb) / (sb - sa), if positive.
fn meeting(xa: &Rational, xb: &Rational, sa: i32, sb: i32) -> Result<Option<Rational>> {
    let closing = sb - sa;
    if closing == 0 {
        return Ok(None);
    }
    let gap = xa.checked_sub(xb)?;
    let gap = match (gap.signum(), closing.signum()) {
        (1, 1) => gap,
        (-1, -1) => gap.negative(),
        _ => return Ok(None),
    };
    Ok(Some(if closing.abs() == 2 { gap.half()? } else { gap }))
}

/// The better of two scaffolds for their owner at every temperature.
fn better(a: &Scaffold, b: &Scaffold, side: Side) -> Result<Scaffold> {
    let mut walk = Pairwise::new(a, b);
    let mut out = Builder {
        points: Vec::new(),
        slope: 0,
    };
    loop {
        let s = walk.stretch();
        let (sa, sb) = (s.slope_a, s.slope_b);
        let a_first = match (side, s.xa.cmp(&s.xb)) {
            (Side::Left, std::cmp::Ordering::Greater) | (Side::Right, std::cmp::Ordering::Less) => {
                true
            }
            (_, std::cmp::Ordering::Equal) => (side == Side::Left) == (sa > sb) || sa == sb,
            _ => false,
        };
        let (x, slope_now, slope_then) = if a_first {
            (&s.xa, sa, sb)
        } else {
            (&s.xb, sb, sa)
        };
        out.corner(&s.t, x, slope_now);
        if let Some(dt) = meeting(&s.xa, &s.xb, sa, sb)? {
            let t = s.t.checked_add(&dt)?;
            if s.end.as_ref().is_none_or(|end| t < *end) {
                out.corner(&t, &step(x, slope_now, &dt)?, slope_then);
            }
        }
        match &s.end {
            None => break,
            Some(end) => walk.advance(&s, end)?,
        }
    }
    Ok(Scaffold {
        points: out.points,
        last_slope: out.slope,
    })
}

/// Cuts two scaffolds at their lowest meeting point and puts the mast on it.
fn assemble(left: &Scaffold, right: &Scaffold) -> Result<Thermograph> {
    let mut walk = Pairwise::new(left, right);
    let mut lw = Builder {
        points: Vec::new(),
        slope: 0,
    };
    let mut rw = Builder {
        points: Vec::new(),
        slope: 0,
    };
    let (temperature, mean) = loop {
        let s = walk.stretch();
        if s.xa <= s.xb {
            // Canonical scaffolds start apart and are continuous, so here they are equal.
            break (s.t, s.xa);
        }
        lw.corner(&s.t, &s.xa, s.slope_a);
        rw.corner(&s.t, &s.xb, s.slope_b);
        if let Some(dt) = meeting(&s.xa, &s.xb, s.slope_a, s.slope_b)? {
            let t = s.t.checked_add(&dt)?;
            if s.end.as_ref().is_none_or(|end| t <= *end) {
                break (t, step(&s.xa, s.slope_a, &dt)?);
            }
        }
        match &s.end {
            None => return Err(Error::overflow("thermograph: walls that never meet")),
            Some(end) => walk.advance(&s, end)?,
        }
    };
    lw.corner(&temperature, &mean, 0);
    rw.corner(&temperature, &mean, 0);
    Ok(Thermograph {
        left: Wall { points: lw.points },
        right: Wall { points: rw.points },
        mean,
        temperature,
    })
}

impl Games {
    /// The thermograph, from t = -1 (so with its sub-zero part), of the canonical form.
    ///
    /// Cost: linear in the options below times the corners of their walls; remembered for every follower.
    ///
    /// ```
    /// use yose_cgt::Games;
    /// let mut g = Games::new();
    /// let id = g.parse_value("{5||2|1}")?;
    /// let t = g.thermograph(id)?;
    /// assert_eq!((t.mean.to_string(), t.temperature.to_string()), ("13/4".into(), "7/4".into()));
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`]; [`Error::Overflow`] for numbers beyond the range of [`Rational`].
    pub fn thermograph(&mut self, g: GameId) -> Result<Arc<Thermograph>> {
        let id = self.thermal_twin(g.0)?;
        if let Some(t) = self.thermographs.get(&id) {
            return Ok(Arc::clone(t));
        }
        // Twins first: a number-up-star far from 0 is never unfolded.
        let mut todo = vec![(id, false)];
        while let Some((id, ready)) = todo.pop() {
            if self.thermographs.contains_key(&id) {
                continue;
            }
            // An integer is a mast; walking down to 0 would take as long as it is large.
            let is_integer = self
                .nus_of(id)
                .is_some_and(|v| v.is_number() && v.number.is_integer());
            if !is_integer {
                self.expand(id)?;
            }
            if !ready && !is_integer {
                todo.push((id, true));
                let options: Vec<u32> = self
                    .left_ids(id)
                    .iter()
                    .chain(self.right_ids(id))
                    .copied()
                    .collect();
                for o in options {
                    let twin = self.thermal_twin(o)?;
                    if !self.thermographs.contains_key(&twin) {
                        todo.push((twin, false));
                    }
                }
                continue;
            }
            let t = Arc::new(self.thermograph_from_options(id)?);
            let corners = || t.left.points.iter().chain(&t.right.points);
            self.count_wide(corners().map(|p| p.0.heap_bytes() + p.1.heap_bytes()).sum())?;
            self.breakpoints += corners().count() as u64;
            if self.breakpoints > self.limits.breakpoints {
                let limit = self.limits.breakpoints;
                return Err(Error::Limit {
                    what: "corner points of thermographs",
                    limit,
                });
            }
            self.thermographs.insert(id, t);
        }
        self.thermographs.get(&id).cloned().ok_or(Error::Limit {
            what: "thermographs",
            limit: self.limits.games,
        })
    }

    /// The thermograph, unless it is beyond the limits or too fine.
    pub(crate) fn thermograph_within_limits(
        &mut self,
        g: GameId,
    ) -> Result<Option<Arc<Thermograph>>> {
        match self.thermograph(g) {
            Ok(t) => Ok(Some(t)),
            Err(Error::Limit { .. } | Error::Overflow { .. }) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// A game with the same thermograph and few options: `x + n.up + *k` depends on n only up to 2
    /// and on k only up to 2 (see the test against full unfolding), integers are masts.
    fn thermal_twin(&mut self, id: u32) -> Result<u32> {
        let Some(v) = self.nus_of(id) else {
            return Ok(id);
        };
        let twin = match v.up.unsigned_abs() {
            0 | 1 => Nus {
                star: v.star.min(2),
                ..v.clone()
            },
            _ => Nus {
                up: 2 * v.up.signum(),
                star: 0,
                ..v.clone()
            },
        };
        Ok(self.nus(twin)?.0)
    }

    fn thermograph_from_options(&mut self, id: u32) -> Result<Thermograph> {
        if let Some(v) = self.nus_of(id)
            && v.is_number()
            && v.number.is_integer()
        {
            let x = Rational::from(&v.number);
            return Ok(Thermograph {
                left: Wall::mast(x.clone()),
                right: Wall::mast(x.clone()),
                mean: x,
                temperature: Rational::MINUS_ONE,
            });
        }
        let left = self.scaffold(id, Side::Left)?;
        let right = self.scaffold(id, Side::Right)?;
        assemble(&left, &right)
    }

    fn scaffold(&mut self, id: u32, side: Side) -> Result<Scaffold> {
        let options = if side == Side::Left {
            self.left_ids(id).to_vec()
        } else {
            self.right_ids(id).to_vec()
        };
        let mut best: Option<Scaffold> = None;
        for o in options {
            let twin = self.thermal_twin(o)?;
            let Some(t) = self.thermographs.get(&twin) else {
                return Err(Error::overflow("thermograph order"));
            };
            let new = Scaffold::taxed(
                if side == Side::Left {
                    &t.right
                } else {
                    &t.left
                },
                side,
            )?;
            best = Some(match best {
                None => new,
                Some(old) => better(&old, &new, side)?,
            });
        }
        best.ok_or(Error::overflow("scaffold without options"))
    }

    /// The mean (mast value).
    ///
    /// # Errors
    /// As [`Self::thermograph`].
    pub fn mean(&mut self, g: GameId) -> Result<Dyadic> {
        if let Some(v) = self.as_nus(g) {
            return Ok(v.number);
        }
        let t = self.thermograph(g)?;
        t.mean.to_dyadic().ok_or(Error::overflow("mean"))
    }

    /// The temperature: the lowest meeting point of the walls.
    ///
    /// # Errors
    /// As [`Self::thermograph`].
    pub fn temperature(&mut self, g: GameId) -> Result<Dyadic> {
        let t = match self.as_nus(g) {
            Some(v) if v.is_number() && v.number.is_integer() => return Ok(Dyadic::MINUS_ONE),
            Some(v) if v.is_number() => return Dyadic::new(-1, v.number.exponent()),
            Some(_) => return Ok(Dyadic::ZERO),
            None => self.thermograph(g)?.temperature.clone(),
        };
        t.to_dyadic().ok_or(Error::overflow("temperature"))
    }

    /// The options that realise a wall of `g` at temperature t: for Left those of greatest
    /// `RW_t(G^L)`, for Right those of least `LW_t(G^R)`.
    ///
    /// # Errors
    /// As [`Self::thermograph`].
    pub fn best_options_at(
        &mut self,
        g: GameId,
        t: &Rational,
        is_left: bool,
    ) -> Result<Vec<GameId>> {
        let options = if is_left {
            self.left_options(g)?
        } else {
            self.right_options(g)?
        };
        let mut best: Option<Rational> = None;
        let mut out = Vec::new();
        for o in options {
            let th = self.thermograph(o)?;
            let x = if is_left {
                th.right.at(t)?
            } else {
                th.left.at(t)?
            };
            let better = best
                .as_ref()
                .is_none_or(|b| if is_left { x > *b } else { x < *b });
            if better {
                best = Some(x);
                out = vec![o];
            } else if best == Some(x) {
                out.push(o);
            }
        }
        Ok(out)
    }
}
