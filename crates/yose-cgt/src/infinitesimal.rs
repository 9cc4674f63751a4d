//! Values up to infinitesimals and beyond numbers: reduced canonical form, atomic weight, ordinal sum.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::hash::FastMap;
use crate::nus::{MAX_LISTED_NIMBER, Nus};

impl Games {
    /// The simplest game that differs from G by an infinitesimal only. It has the same stops, mean
    /// and temperature (for t >= 0 the same thermograph), in every sum.
    ///
    /// Options dominated or reversible up to infinitesimals are removed (Grossman and Siegel,
    /// "Reductions of partizan games", 2009): `A >= B` up to infinitesimals iff `RS(A - B) >= 0`.
    ///
    /// ```
    /// use yose_cgt::Games;
    /// let mut g = Games::new();
    /// let id = g.parse_value("{3*|^} + tiny(2)")?;
    /// let r = g.reduced(id)?;
    /// assert_eq!(g.print(r)?, "{3|0}");
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn reduced(&mut self, g: GameId) -> Result<GameId> {
        let order = self.options_first(&[g.0], |s, i| {
            s.nus_of(i).is_none() && !s.reduced.contains_key(&i)
        })?;
        for i in order {
            let r = self.reduce_one(i)?;
            self.reduced.insert(i, r);
            self.reduced.insert(r, r);
        }
        self.reduced_known(g.0).map(GameId)
    }

    fn reduced_known(&mut self, id: u32) -> Result<u32> {
        match self.nus_of(id) {
            Some(v) => {
                let number = v.number.clone();
                Ok(self.number(number)?.0)
            }
            None => Ok(self.reduced.get(&id).copied().unwrap_or(id)),
        }
    }

    fn reduce_one(&mut self, id: u32) -> Result<u32> {
        let head = self.head(id);
        if head.left_stop == head.right_stop {
            let x = head.left_stop.clone();
            return Ok(self.number(x)?.0);
        }
        let (left, right) = (self.left_ids(id).to_vec(), self.right_ids(id).to_vec());
        let map = |s: &mut Self, v: Vec<u32>| {
            v.into_iter()
                .map(|o| s.reduced_known(o))
                .collect::<Result<Vec<_>>>()
        };
        let (mut left, mut right) = (map(self, left)?, map(self, right)?);
        // Bypassing can make further options reversible or dominated; each round strictly shrinks
        // what the options reach, so this ends.
        loop {
            self.drop_inf_dominated(&mut left, true)?;
            self.drop_inf_dominated(&mut right, false)?;
            let changed =
                self.bypass_inf(&mut left, id, true)? | self.bypass_inf(&mut right, id, false)?;
            if !changed {
                break;
            }
        }
        // Left over are reduced options; what plain canonical form would still change is done by make.
        self.make_ids(left, right)
    }

    /// Is `a >= b` up to infinitesimals?
    fn ge_inf(&mut self, a: u32, b: u32) -> Result<bool> {
        let (ha, hb) = (self.head(a), self.head(b));
        if ha.right_stop >= hb.left_stop {
            return Ok(true);
        }
        if ha.left_stop < hb.left_stop || ha.right_stop < hb.right_stop {
            return Ok(false);
        }
        let n = self.neg_id(b)?;
        let d = self.add_ids(a, n)?;
        Ok(self.head(d).right_stop.signum() >= 0)
    }

    fn drop_inf_dominated(&mut self, options: &mut Vec<u32>, is_left: bool) -> Result<()> {
        options.sort_unstable();
        options.dedup();
        let mut i = 0;
        while i < options.len() {
            let mut dominated = false;
            for j in 0..options.len() {
                let (a, b) = if is_left {
                    (options[j], options[i])
                } else {
                    (options[i], options[j])
                };
                if i != j && self.ge_inf(a, b)? {
                    dominated = true;
                    break;
                }
            }
            if dominated {
                options.remove(i);
            } else {
                i += 1;
            }
        }
        Ok(())
    }

    fn bypass_inf(&mut self, options: &mut Vec<u32>, whole: u32, is_left: bool) -> Result<bool> {
        for i in 0..options.len() {
            let o = options[i];
            if self.is_number_id(o) {
                continue;
            }
            self.expand(o)?;
            let replies = if is_left {
                self.right_ids(o).to_vec()
            } else {
                self.left_ids(o).to_vec()
            };
            for r in replies {
                let reverses = if is_left {
                    self.ge_inf(whole, r)?
                } else {
                    self.ge_inf(r, whole)?
                };
                if reverses {
                    self.expand(r)?;
                    let through = if is_left {
                        self.left_ids(r)
                    } else {
                        self.right_ids(r)
                    }
                    .to_vec();
                    options.remove(i);
                    for t in through {
                        self.reduced(GameId(t))?;
                        let t = self.reduced_known(t)?;
                        options.push(t);
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The atomic weight of an all-small game (no follower in which just one player can move).
    ///
    /// `{aw(G^L) - 2 | aw(G^R) + 2}`, except that when this is an integer, the comparison of G with
    /// the remote star decides: above it the greatest integer that fits, below it the least, else the
    /// value itself (Winning Ways, chapter 8). Weighs up as 1, so `aw(n.up + *k)` = n.
    ///
    /// # Errors
    /// [`Error::Undefined`] for a game that is not all-small; [`Error::Limit`], [`Error::Overflow`].
    pub fn atomic_weight(&mut self, g: GameId) -> Result<GameId> {
        let order = self.options_first(&[g.0], |s, i| s.nus_of(i).is_none())?;
        let mut weights: FastMap<u32, u32> = FastMap::default();
        let two = self.integer(2)?.0;
        let minus_two = self.integer(-2)?.0;
        for i in order.into_iter().chain([g.0]) {
            if weights.contains_key(&i) {
                continue;
            }
            if let Some(v) = self.nus_of(i) {
                if v.number.signum() != 0 {
                    let got = self.print(g)?;
                    return Err(not_all_small(got));
                }
                let w = self.integer(v.up)?.0;
                weights.insert(i, w);
                continue;
            }
            let mut sides = [Vec::new(), Vec::new()];
            for (side, options, shift) in [
                (0, self.left_ids(i).to_vec(), minus_two),
                (1, self.right_ids(i).to_vec(), two),
            ] {
                for o in options {
                    let w = match (weights.get(&o), self.nus_of(o)) {
                        (Some(&w), _) => w,
                        (None, Some(v)) if v.number.signum() == 0 => self.integer(v.up)?.0,
                        _ => {
                            let got = self.print(g)?;
                            return Err(not_all_small(got));
                        }
                    };
                    sides[side].push(self.add_ids(w, shift)?);
                }
            }
            let [left, right] = sides;
            let w = self.weight_from(i, &left, &right)?;
            weights.insert(i, w);
        }
        Ok(GameId(weights[&g.0]))
    }

    fn weight_from(&mut self, id: u32, left: &[u32], right: &[u32]) -> Result<u32> {
        let plain = self.make_ids(left.to_vec(), right.to_vec())?;
        match self.nus_of(plain) {
            Some(v) if v.is_number() && v.number.is_integer() => {}
            _ => return Ok(plain),
        }
        let star = self.remote_star(id)?;
        let (below, above) = (self.le_ids(id, star)?, self.le_ids(star, id)?);
        if !below && !above {
            return Ok(plain);
        }
        // Integers n with no left option >= n and no right option <= n; G is never equal to the
        // remote star, so exactly one of the two holds.
        let from = if above {
            right.iter().map(|&r| self.head(r).left_stop.ceil()).min()
        } else {
            left.iter().map(|&l| self.head(l).right_stop.floor()).max()
        };
        let Some(from) = from else { return Ok(plain) };
        // The stop is within one of the last integer that fits; walk from just outside.
        let step = Dyadic::from(if above { -1 } else { 1 });
        let mut n = from.checked_sub(&step)?;
        let near = self.nus_of(plain).map(|v| v.number.clone());
        while Some(&n) != near.as_ref() {
            let id = self.number(n.clone())?.0;
            let mut fits = true;
            for &o in if above { right } else { left } {
                let crossed = if above {
                    self.le_ids(o, id)?
                } else {
                    self.le_ids(id, o)?
                };
                fits &= !crossed;
            }
            if fits {
                return Ok(id);
            }
            n = n.checked_add(&step)?;
        }
        Ok(plain)
    }

    /// *N with N a power of two beyond every nimber that can occur below `id`.
    fn remote_star(&mut self, id: u32) -> Result<u32> {
        let limit = u64::from(MAX_LISTED_NIMBER);
        let b = self.birthday(GameId(id))?;
        let star = b
            .to_i128()
            .and_then(|b| u32::try_from(b + 1).ok())
            .and_then(u32::checked_next_power_of_two)
            .filter(|&n| n <= MAX_LISTED_NIMBER)
            .ok_or(Error::Limit {
                what: "options of the remote star",
                limit,
            })?;
        Ok(self.nus(Nus::number(Dyadic::ZERO).with_star(star))?.0)
    }

    /// The ordinal sum G:H of canonical forms: a move in G ends H. `{G^L, G:H^L | G^R, G:H^R}`.
    ///
    /// The ordinal sum depends on the form of G, so this is a statement about canonical G.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn ordinal_sum(&mut self, g: GameId, h: GameId) -> Result<GameId> {
        self.expand(g.0)?;
        let (gl, gr) = (self.left_ids(g.0).to_vec(), self.right_ids(g.0).to_vec());
        let order = self.options_first(&[h.0], |_, _| true)?;
        let mut done: FastMap<u32, u32> = FastMap::default();
        for i in order {
            let (mut left, mut right) = (gl.clone(), gr.clone());
            left.extend(self.left_ids(i).iter().filter_map(|o| done.get(o)));
            right.extend(self.right_ids(i).iter().filter_map(|o| done.get(o)));
            let s = self.make_ids(left, right)?;
            done.insert(i, s);
        }
        Ok(GameId(done[&h.0]))
    }
}

fn not_all_small(got: String) -> Error {
    Error::Undefined {
        operation: "atomic weight",
        expected: "an all-small game",
        got,
    }
}
