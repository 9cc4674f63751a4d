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

    /// The temperature of a sum. Only the hottest parts are added: just below their temperature, what is colder is
    /// a number but for an infinitesimal, so a sum is as hot as its hottest part if no other part is as
    /// hot, and otherwise no hotter.
    ///
    /// `new_games` is room for adding them; `None` if that is not enough.
    ///
    /// ```
    /// use yose_cgt::Games;
    /// let mut g = Games::new();
    /// let parts = ["{5|1}", "{1|-1}", "{3||2|0}", "*"].map(|text| g.parse_value(text));
    /// let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    /// let temperature = g.sum_temperature(&parts, 1_000)?;
    /// assert_eq!(temperature.map(|t| t.to_string()).as_deref(), Some("2"));
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::thermograph`] for the parts one by one.
    pub fn sum_temperature(&mut self, parts: &[GameId], new_games: u64) -> Result<Option<Dyadic>> {
        let mut hottest = Vec::with_capacity(parts.len());
        for &part in parts {
            hottest.push((self.temperature(part)?, part));
        }
        hottest.sort_by(|a, b| b.0.cmp(&a.0));
        let added = self.within(new_games, |games| {
            let (mut sum, mut temperature) = (GameId::ZERO, Dyadic::MINUS_ONE);
            for equals in hottest.chunk_by(|a, b| a.0 == b.0) {
                // A sum of hotter ones that is still hotter than all the rest.
                if temperature > equals[0].0 {
                    break;
                }
                let mut all: Vec<GameId> = equals.iter().map(|part| part.1).collect();
                all.push(sum);
                sum = games.sum(&all)?;
                temperature = games.temperature(sum)?;
            }
            Ok(temperature)
        });
        match added {
            Ok(temperature) => Ok(Some(temperature)),
            Err(Error::Limit { .. } | Error::Overflow { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adding everything is the second way.
    #[test]
    fn the_temperature_of_a_sum_is_that_of_the_whole() {
        let mut g = Games::new();
        let texts = [
            "0",
            "-3",
            "1/2",
            "-3/4",
            "*",
            "^",
            "v*",
            "{3|-3}",
            "{-1|-7}",
            "{3||3|-3}",
            "{2||1|*}",
            "{*|{-10|-110}}",
            "{0||0|-4}",
            "{1|0}",
            "{5|{2|{1|-6}}}",
        ];
        let games: Vec<GameId> = texts
            .iter()
            .map(|text| g.parse_value(text).unwrap())
            .collect();
        let (mut asked, mut colder) = (0, 0);
        let mut check = |parts: &[GameId]| {
            let whole = g.sum(parts).unwrap();
            let expected = g.temperature(whole).unwrap();
            let found = g.sum_temperature(parts, 1 << 20).unwrap();
            assert_eq!(found, Some(expected.clone()), "{parts:?}");
            let most = parts.iter().map(|&part| g.temperature(part).unwrap()).max();
            assert!(most.as_ref().is_none_or(|most| expected <= *most));
            asked += 1;
            colder += usize::from(most.is_some_and(|most| expected < most));
        };
        check(&[]);
        for (i, &a) in games.iter().enumerate() {
            check(&[a]);
            for (j, &b) in games.iter().enumerate().skip(i) {
                check(&[a, b]);
                for (k, &c) in games.iter().enumerate().skip(j) {
                    check(&[a, b, c]);
                    check(&[a, b, c, games[(i + 2 * j + 3 * k) % games.len()]]);
                }
            }
        }
        assert!(
            asked > 1_000 && colder > 50,
            "{asked} sums, {colder} colder"
        );
        // Too little room is no error; where one part is the hottest, little is needed.
        let texts = [
            "{20|3||-3}",
            "{12|0}",
            "{13|1||-1|-30}",
            "{40|5||-1|-7}",
            "{9|{4|{3|-20}}}",
        ];
        let parts = texts.map(|text| g.parse_value(text).unwrap());
        let six = Dyadic::from(6);
        assert!(
            parts[..2]
                .iter()
                .all(|&part| g.temperature(part).unwrap() == six)
        );
        assert_eq!(g.sum_temperature(&parts[..2], 1).unwrap(), None);
        let hottest = parts.iter().map(|&part| g.temperature(part).unwrap()).max();
        assert!(hottest > Some(six));
        assert_eq!(g.sum_temperature(&parts, 10).unwrap(), hottest);
    }
}
