//! Canonical form: dominated options out, reversible moves bypassed, named values recognised.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::nus::Nus;
use crate::order::RAW;

impl Games {
    /// The value of `{left|right}`.
    ///
    /// Cost: comparisons among the options and along their reversing moves; all remembered.
    ///
    /// ```
    /// use yose_cgt::{GameId, Games};
    /// let mut g = Games::new();
    /// let (a, b) = (g.integer(-5)?, g.integer(3)?);
    /// assert_eq!(g.make(&[a], &[b])?, GameId::ZERO); // {-5|3} is 0, not a switch
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Limit`] when the arena is full, [`crate::Error::Overflow`] when the value is a
    /// number too large.
    pub fn make(&mut self, left: &[GameId], right: &[GameId]) -> Result<GameId> {
        let left = left.iter().map(|g| g.0).collect();
        let right = right.iter().map(|g| g.0).collect();
        self.make_ids(left, right).map(GameId)
    }

    pub(crate) fn make_ids(&mut self, mut left: Vec<u32>, mut right: Vec<u32>) -> Result<u32> {
        if let Some(x) = self.number_between(&left, &right)? {
            return Ok(self.number(x)?.0);
        }
        // Not a number, so neither side is empty from here on.
        self.drop_dominated(&mut left, true)?;
        self.drop_dominated(&mut right, false)?;
        self.raw.renew();
        self.raw.left_stop = self.max_right_stop(&left).unwrap_or_default();
        self.raw.right_stop = self.min_left_stop(&right).unwrap_or_default();
        self.raw.probes = self.probes_of(&left, &right, &self.raw.left_stop, &self.raw.right_stop);
        self.raw.left = left;
        self.raw.right = right;
        let bypassed_left = self.bypass(true)?;
        let bypassed_right = self.bypass(false)?;
        let mut left = std::mem::take(&mut self.raw.left);
        let mut right = std::mem::take(&mut self.raw.right);
        if bypassed_left {
            self.drop_dominated(&mut left, true)?;
        }
        if bypassed_right {
            self.drop_dominated(&mut right, false)?;
        }
        if let Some(value) = self.recognise_ids(&left, &right) {
            return Ok(self.nus(value)?.0);
        }
        self.intern(&mut left, &mut right)
    }

    /// The number-up-star with these canonical options, if it is one.
    pub(crate) fn recognise_ids(&self, left: &[u32], right: &[u32]) -> Option<Nus> {
        // Most lists hold a game that is none; this looks before collecting.
        let number = &self.nus_of(*left.first()?)?.number;
        let all = |ids: &[u32]| {
            let beside = |&g: &u32| self.nus_of(g).filter(|n| n.number == *number);
            ids.iter()
                .map(|g| beside(g).map(|n| (n.up, n.star)))
                .collect::<Option<Vec<_>>>()
        };
        let (up, star) = Nus::recognise(&all(left)?, &all(right)?)?;
        Some(Nus {
            number: number.clone(),
            up,
            star,
        })
    }

    fn max_right_stop(&self, left: &[u32]) -> Option<Dyadic> {
        left.iter()
            .map(|&g| &self.head(g).right_stop)
            .max()
            .cloned()
    }

    fn min_left_stop(&self, right: &[u32]) -> Option<Dyadic> {
        right
            .iter()
            .map(|&g| &self.head(g).left_stop)
            .min()
            .cloned()
    }

    /// Simplicity theorem: if some number x is not <= any left option and not >= any right option,
    /// the value is the simplest such x. Those numbers form an interval whose ends are the stops;
    /// whether an end belongs to it is a comparison.
    fn number_between(&mut self, left: &[u32], right: &[u32]) -> Result<Option<Dyadic>> {
        let (low, high) = (self.max_right_stop(left), self.min_left_stop(right));
        if let (Some(l), Some(h)) = (&low, &high)
            && l > h
        {
            return Ok(None);
        }
        let simplest = |low_closed: bool, high_closed: bool| {
            let low = low.as_ref().map(|l| (l, low_closed));
            Dyadic::simplest(low, high.as_ref().map(|h| (h, high_closed)))
        };
        let (open, closed) = (simplest(false, false)?, simplest(true, true)?);
        // The ends matter only if one of them would be simpler than everything between.
        if open == closed {
            return Ok(open);
        }
        let low_fits = match &low {
            Some(l) => self.fits(l.clone(), left, true)?,
            None => false,
        };
        let high_fits = match &high {
            Some(h) => self.fits(h.clone(), right, false)?,
            None => false,
        };
        simplest(low_fits, high_fits)
    }

    /// Is no left option >= x (no right option <= x)?
    fn fits(&mut self, x: Dyadic, options: &[u32], is_left: bool) -> Result<bool> {
        let id = self.number(x)?.0;
        for &g in options {
            if if is_left {
                self.le_ids(id, g)?
            } else {
                self.le_ids(g, id)?
            } {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keeps the maximal (for Left) or minimal (for Right) options, one of each value.
    pub(crate) fn drop_dominated(&mut self, options: &mut Vec<u32>, is_left: bool) -> Result<()> {
        options.sort_unstable();
        options.dedup();
        if options.len() < 2 {
            return Ok(());
        }
        // The strongest first: they throw out most of the others at once.
        options.sort_by(|&a, &b| {
            let (a, b) = (self.head(a), self.head(b));
            if is_left {
                (&b.right_stop, &b.left_stop).cmp(&(&a.right_stop, &a.left_stop))
            } else {
                (&a.left_stop, &a.right_stop).cmp(&(&b.left_stop, &b.right_stop))
            }
        });
        let mut kept: Vec<u32> = Vec::new();
        'next: for &new in options.iter() {
            let mut i = 0;
            while i < kept.len() {
                let old = kept[i];
                let (new_worse, old_worse) = if is_left {
                    (self.le_ids(new, old)?, self.le_ids(old, new)?)
                } else {
                    (self.le_ids(old, new)?, self.le_ids(new, old)?)
                };
                if new_worse {
                    continue 'next;
                }
                if old_worse {
                    kept.swap_remove(i);
                } else {
                    i += 1;
                }
            }
            kept.push(new);
        }
        *options = kept;
        Ok(())
    }

    /// Replaces every reversible option of the raw game by the options behind the reversing move,
    /// until none is left. Returns whether anything changed.
    fn bypass(&mut self, is_left: bool) -> Result<bool> {
        let mut todo = if is_left {
            self.raw.left.clone()
        } else {
            self.raw.right.clone()
        };
        let mut kept: Vec<u32> = Vec::with_capacity(todo.len());
        let mut seen: Vec<u32> = todo.clone();
        let mut changed = false;
        while let Some(option) = todo.pop() {
            // A number among undominated options of a non-number is never reversible: its reversing
            // move would lie strictly inside the stops' gap.
            if self.is_number_id(option) && !changed {
                kept.push(option);
                continue;
            }
            self.expand(option)?;
            match self.reversing_move(option, is_left)? {
                None => kept.push(option),
                Some(through) => {
                    changed = true;
                    self.expand(through)?;
                    let replaced = if is_left {
                        self.left_ids(through)
                    } else {
                        self.right_ids(through)
                    };
                    for &r in replaced {
                        if !seen.contains(&r) {
                            seen.push(r);
                            todo.push(r);
                        }
                    }
                }
            }
        }
        if changed {
            // The value has not changed, so answers about the raw game stay true.
            *(if is_left {
                &mut self.raw.left
            } else {
                &mut self.raw.right
            }) = kept;
        }
        Ok(changed)
    }

    fn reversing_move(&mut self, option: u32, is_left: bool) -> Result<Option<u32>> {
        let replies = if is_left {
            self.right_ids(option)
        } else {
            self.left_ids(option)
        };
        for i in 0..replies.len() {
            let reply = if is_left {
                self.right_ids(option)[i]
            } else {
                self.left_ids(option)[i]
            };
            let reverses = if is_left {
                self.le_ids(reply, RAW)?
            } else {
                self.le_ids(RAW, reply)?
            };
            if reverses {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}
