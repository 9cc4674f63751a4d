//! Changing the temperature of a game: cooling, heating, overheating.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::hash::FastMap;
use crate::rational::Rational;

impl Games {
    /// G cooled by t: every move costs t, and a game colder than t freezes to its mean. At its own
    /// temperature a game is still played (`±1` cooled by 1 is `*`). A homomorphism of the group.
    ///
    /// ```
    /// use yose_cgt::{Dyadic, Games};
    /// let mut g = Games::new();
    /// let hot = g.parse_value("{5||2|1}")?;
    /// let cooled = g.cool(hot, &Dyadic::ONE)?;
    /// assert_eq!(g.print(cooled)?, "{4|5/2}");
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undefined`] for t < 0; otherwise as [`Self::thermograph`].
    pub fn cool(&mut self, g: GameId, t: &Dyadic) -> Result<GameId> {
        if t.signum() < 0 {
            return Err(Error::Undefined {
                operation: "cool",
                expected: "a temperature of at least 0",
                got: t.to_string(),
            });
        }
        if t.signum() == 0 {
            return Ok(g);
        }
        let threshold = Rational::from(t);
        self.thermograph(g)?;
        let order = self.options_first(&[g.0], |s, i| {
            // Every follower of a non-number has its thermograph by now.
            s.nus_of(i).is_none()
                && s.thermographs
                    .get(&i)
                    .is_some_and(|th| th.temperature >= threshold)
        })?;
        let mut cooled: FastMap<u32, u32> = FastMap::default();
        let (tax, refund) = (self.number(t.negative())?.0, self.number(t.clone())?.0);
        for i in order {
            let (left, right) = (self.left_ids(i).to_vec(), self.right_ids(i).to_vec());
            let left = self.shift_all(&left, &cooled, tax)?;
            let right = self.shift_all(&right, &cooled, refund)?;
            let c = self.make_ids(left, right)?;
            cooled.insert(i, c);
        }
        match cooled.get(&g.0) {
            Some(&c) => Ok(GameId(c)),
            None => self.frozen(g.0).map(GameId),
        }
    }

    /// The mean as a game.
    fn frozen(&mut self, id: u32) -> Result<u32> {
        let mean = self.mean(GameId(id))?;
        Ok(self.number(mean)?.0)
    }

    fn shift_all(
        &mut self,
        options: &[u32],
        done: &FastMap<u32, u32>,
        shift: u32,
    ) -> Result<Vec<u32>> {
        let mut out = Vec::with_capacity(options.len());
        for &o in options {
            let x = match done.get(&o) {
                Some(&c) => c,
                None => self.frozen(o)?,
            };
            out.push(self.add_ids(x, shift)?);
        }
        Ok(out)
    }

    /// G heated by `t`: numbers stay, every other game becomes `{heat(G^L) + t | heat(G^R) - t}`.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn heat(&mut self, g: GameId, t: GameId) -> Result<GameId> {
        self.heated(g, t, |s, i| Ok(s.is_number_id(i).then_some(i)))
    }

    /// G overheated from `s` to `t`: an integer n becomes n copies of `s`; every other game becomes
    /// `{G'^L + t | G'^R - t}` over its overheated options.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn overheat(&mut self, g: GameId, s: GameId, t: GameId) -> Result<GameId> {
        self.heated(g, t, |games, i| match games.as_number(GameId(i)) {
            Some(n) if n.is_integer() => {
                let n = n.to_i128().and_then(|n| i64::try_from(n).ok());
                let n = n.ok_or(Error::overflow("overheating takes integers below 2^63"))?;
                Ok(Some(games.times(n, s)?.0))
            }
            _ => Ok(None),
        })
    }

    /// Heating with a rule for what is replaced outright.
    fn heated(
        &mut self,
        g: GameId,
        t: GameId,
        mut base: impl FnMut(&mut Self, u32) -> Result<Option<u32>>,
    ) -> Result<GameId> {
        let mut done: FastMap<u32, u32> = FastMap::default();
        let (plus, minus) = (t.0, self.neg_id(t.0)?);
        let mut todo = vec![(g.0, false)];
        while let Some((id, ready)) = todo.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if let Some(x) = base(self, id)? {
                done.insert(id, x);
                continue;
            }
            self.expand(id)?;
            let (left, right) = (self.left_ids(id).to_vec(), self.right_ids(id).to_vec());
            if !ready {
                todo.push((id, true));
                todo.extend(left.iter().chain(&right).map(|&o| (o, false)));
                continue;
            }
            let left = self.shift_all(&left, &done, plus)?;
            let right = self.shift_all(&right, &done, minus)?;
            let x = self.make_ids(left, right)?;
            done.insert(id, x);
        }
        Ok(GameId(done[&g.0]))
    }
}
