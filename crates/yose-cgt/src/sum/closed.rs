//! Sums that need no search: switches only, or one part; and what can be said when scores are too wide for
//! the search.

use super::Player;
use super::compound::Thermostrat;
use super::solve::{Bounds, SumSolution};
use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::switches::{Cold, Switch, switch_values};

impl Games {
    /// The parts that are no numbers as switches, if each has, in canonical form and as given, one number to
    /// move to: then all V_j together cost O(m log m) instead of a search each.
    pub(super) fn as_switches(&mut self, s: &SumSolution) -> Result<Option<Vec<Switch>>> {
        let mut out = Vec::with_capacity(s.parts.len());
        for p in &s.parts {
            if p.options.is_empty() {
                continue;
            }
            let (l, r) = (self.left_options(p.value)?, self.right_options(p.value)?);
            let ([l], [r], [(option, _)]) = (&l[..], &r[..], &p.options[..]) else {
                return Ok(None);
            };
            let (Some(a), Some(b)) = (self.as_number(*l), self.as_number(*r)) else {
                return Ok(None);
            };
            let mine = if s.who == Player::Left { *l } else { *r };
            if self.value(*option)? != mine {
                return Ok(None);
            }
            out.push(Switch { left: a, right: b });
        }
        Ok(Some(out))
    }

    /// Fills in a sum of switches (as by [`Self::as_switches`]) and a number.
    pub(super) fn fill_switches(
        &mut self,
        s: &mut SumSolution,
        switches: &[Switch],
        constant: &Dyadic,
    ) -> Result<()> {
        let exact = |x: &Dyadic| {
            let x = x.checked_add(constant)?;
            Ok::<_, crate::Error>(Bounds {
                low: x.clone(),
                high: x,
            })
        };
        let left = switch_values(switches, Player::Left, Cold::Number)?;
        let right = switch_values(switches, Player::Right, Cold::Number)?;
        s.left_stop = exact(&left.stop)?;
        s.right_stop = exact(&right.stop)?;
        let mine = if s.who == Player::Left { left } else { right };
        let hot = s.parts.iter_mut().filter(|p| !p.options.is_empty());
        for (part, v) in hot.zip(mine.v) {
            let Some(v) = v else { continue };
            let v = exact(&v)?;
            part.options[0].1 = v.clone();
            part.v = Some(v);
        }
        Ok(())
    }

    /// Fills in what follows from the stops of the parts: everything, if only one part can be played; else
    /// bounds. A stop of a sum lies between the sum of the right and the sum of the left stops.
    pub(super) fn fill_by_stops(
        &mut self,
        s: &mut SumSolution,
        guarantees: &[Option<Thermostrat>; 2],
        constant: &Dyadic,
    ) -> Result<()> {
        let playable = s.parts.iter().filter(|p| !p.options.is_empty()).count();
        let (mut low, mut high) = (constant.clone(), constant.clone());
        for p in s.parts.iter().filter(|p| !p.options.is_empty()) {
            low = low.checked_add(&self.head(p.value.0).right_stop)?;
            high = high.checked_add(&self.head(p.value.0).left_stop)?;
        }
        let bound = |player: Player| {
            let guarantee = guarantees[player.index()].as_ref();
            guarantee.and_then(|t| t.bound.to_dyadic())
        };
        let both = |low: &Dyadic, high: &Dyadic| Bounds {
            low: low.clone(),
            high: high.clone(),
        };
        if playable == 1 {
            s.left_stop = both(&high, &high);
            s.right_stop = both(&low, &low);
        } else {
            let at_least = bound(Player::Left).map_or(low.clone(), |b| b.max(low.clone()));
            let at_most = bound(Player::Right).map_or(high.clone(), |b| b.min(high.clone()));
            s.left_stop = both(&at_least, &high);
            s.right_stop = both(&low, &at_most);
        }
        let left = s.who == Player::Left;
        for j in 0..s.parts.len() {
            if s.parts[j].options.is_empty() {
                continue;
            }
            let here = self.stops(s.parts[j].value);
            let rest = (low.checked_sub(&here.0)?, high.checked_sub(&here.1)?);
            let mut v: Option<Bounds> = None;
            for k in 0..s.parts[j].options.len() {
                let option = self.value(s.parts[j].options[k].0)?;
                let (mut right, mut l) = self.stops(option);
                if playable == 1 {
                    // The opponent moves next, in this part or not at all.
                    if left {
                        l = right.clone();
                    } else {
                        right = l.clone();
                    }
                }
                let b = Bounds {
                    low: rest.0.checked_add(&right)?,
                    high: rest.1.checked_add(&l)?,
                };
                v = Some(match v {
                    None => b.clone(),
                    Some(v) => better(v, &b, left),
                });
                s.parts[j].options[k].1 = b;
            }
            s.parts[j].v = v;
        }
        Ok(())
    }

    /// Right and left stop.
    fn stops(&self, g: GameId) -> (Dyadic, Dyadic) {
        let h = self.head(g.0);
        (h.right_stop.clone(), h.left_stop.clone())
    }
}

/// The bounds of the better of two scores.
fn better(a: Bounds, b: &Bounds, left: bool) -> Bounds {
    let pick = |x: Dyadic, y: &Dyadic| {
        if left == (x < *y) { y.clone() } else { x }
    };
    Bounds {
        low: pick(a.low, &b.low),
        high: pick(a.high, &b.high),
    }
}
