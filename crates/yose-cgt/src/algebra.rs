//! The group of games: negative, sum, difference, multiples.

use crate::arena::{DISTINCT, GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::hash::FastMap;
use crate::nus::Nus;

/// One sum under way.
#[derive(Debug, Clone, Copy)]
struct Frame {
    g: u32,
    h: u32,
    /// Next option to add up: left options of the sum first, then right ones.
    next: u32,
    /// Where this sum's finished options start on the result stack.
    base: usize,
}

fn key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

impl Games {
    /// -G: the roles of Left and Right exchanged. Linear in the followers, remembered for each.
    ///
    /// # Errors
    /// [`crate::Error::Limit`], [`crate::Error::Overflow`]
    pub fn neg(&mut self, g: GameId) -> Result<GameId> {
        self.neg_id(g.0).map(GameId)
    }

    pub(crate) fn neg_id(&mut self, id: u32) -> Result<u32> {
        if let Some(n) = self.neg_quick(id)? {
            return Ok(n);
        }
        let order = self.options_first(&[id], |s, i| {
            s.nus_of(i).is_none() && s.known_negative(i).is_none()
        })?;
        for i in order {
            let mut sides = [Vec::new(), Vec::new()];
            for (side, options) in [
                (0, self.right_ids(i).to_vec()),
                (1, self.left_ids(i).to_vec()),
            ] {
                for o in options {
                    if let Some(n) = self.neg_quick(o)? {
                        sides[side].push(n);
                    }
                }
            }
            let [mut left, mut right] = sides;
            let n = self.intern(&mut left, &mut right)?;
            self.set_negative(i, n);
        }
        Ok(self.known_negative(id).unwrap_or(id))
    }

    fn neg_quick(&mut self, id: u32) -> Result<Option<u32>> {
        if let Some(n) = self.known_negative(id) {
            return Ok(Some(n));
        }
        let Some(value) = self.nus_of(id) else {
            return Ok(None);
        };
        let n = self.nus(value.checked_neg()?)?.0;
        self.set_negative(id, n);
        Ok(Some(n))
    }

    /// G + H in canonical form.
    ///
    /// A number is added by translation (the options move with it, nothing is compared).
    ///
    /// # Errors
    /// [`crate::Error::Limit`], [`crate::Error::Overflow`]
    pub fn add(&mut self, g: GameId, h: GameId) -> Result<GameId> {
        self.add_ids(g.0, h.0).map(GameId)
    }

    /// G - H.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn sub(&mut self, g: GameId, h: GameId) -> Result<GameId> {
        let n = self.neg_id(h.0)?;
        self.add_ids(g.0, n).map(GameId)
    }

    fn add_quick(&mut self, g: u32, h: u32) -> Result<Option<u32>> {
        if g == 0 {
            return Ok(Some(h));
        }
        if h == 0 {
            return Ok(Some(g));
        }
        if let (Some(a), Some(b)) = (self.nus_of(g), self.nus_of(h)) {
            return Ok(Some(self.nus(a.checked_add(b)?)?.0));
        }
        if self.known_negative(g) == Some(h) {
            return Ok(Some(0));
        }
        Ok(self.sums.get(&key(g, h)).copied())
    }

    pub(crate) fn add_ids(&mut self, g: u32, h: u32) -> Result<u32> {
        if let Some(s) = self.add_quick(g, h)? {
            return Ok(s);
        }
        let mut results: Vec<u32> = Vec::new();
        let mut frames = vec![self.open_sum(g, h, 0)?];
        while let Some(top) = frames.last_mut() {
            let Frame { g, h, base, .. } = *top;
            let mut descend = None;
            while let Some((a, b)) = self.option_of_sum(g, h, top.next as usize) {
                top.next += 1;
                if let Some(s) = self.add_quick(a, b)? {
                    results.push(s);
                } else {
                    descend = Some((a, b));
                    break;
                }
            }
            if let Some((a, b)) = descend {
                let frame = self.open_sum(a, b, results.len())?;
                frames.push(frame);
                continue;
            }
            let lefts = self.summands_left(g).len() + self.summands_left(h).len();
            let right = results.split_off(base + lefts);
            let left = results.split_off(base);
            let sum = self.finish_sum(g, h, left, right)?;
            self.sums.insert(key(g, h), sum);
            frames.pop();
            results.push(sum);
        }
        Ok(results.pop().unwrap_or(0))
    }

    fn finish_sum(
        &mut self,
        g: u32,
        h: u32,
        mut left: Vec<u32>,
        mut right: Vec<u32>,
    ) -> Result<u32> {
        if self.is_number_id(g) || self.is_number_id(h) {
            // Number translation theorem: {G^L + x | G^R + x} is canonical when G is and is no number.
            return match self.recognise_ids(&left, &right) {
                Some(value) => Ok(self.nus(value)?.0),
                None => self.intern(&mut left, &mut right),
            };
        }
        self.make_ids(left, right)
    }

    fn open_sum(&mut self, g: u32, h: u32, base: usize) -> Result<Frame> {
        for id in [g, h] {
            if !self.is_number_id(id) {
                self.expand(id)?;
            }
        }
        Ok(Frame {
            g,
            h,
            next: 0,
            base,
        })
    }

    fn summands_left(&self, g: u32) -> &[u32] {
        if self.is_number_id(g) {
            &[]
        } else {
            self.left_ids(g)
        }
    }

    fn summands_right(&self, g: u32) -> &[u32] {
        if self.is_number_id(g) {
            &[]
        } else {
            self.right_ids(g)
        }
    }

    /// The i-th option of g + h as a pair still to be added: left options of g, of h, then right ones.
    /// Moves in a number are left out (see [`Self::finish_sum`]).
    fn option_of_sum(&self, g: u32, h: u32, i: usize) -> Option<(u32, u32)> {
        let mut i = i;
        for (options, in_g) in [
            (self.summands_left(g), true),
            (self.summands_left(h), false),
            (self.summands_right(g), true),
            (self.summands_right(h), false),
        ] {
            if let Some(&o) = options.get(i) {
                return Some(if in_g { (o, h) } else { (g, o) });
            }
            i -= options.len();
        }
        None
    }

    /// The sum of any number of games. Equal games with opposite sign cancel first and number-up-stars
    /// are added by arithmetic; the rest is added from the smallest graph up.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn sum(&mut self, games: &[GameId]) -> Result<GameId> {
        let mut rest: Vec<u32> = Vec::new();
        // How many of each are left once opposites have cancelled.
        let mut open: FastMap<u32, usize> = FastMap::default();
        let mut nus = Nus::number(Dyadic::ZERO);
        for g in games {
            if let Some(v) = self.nus_of(g.0) {
                nus = nus.checked_add(v)?;
                continue;
            }
            let n = self.neg_id(g.0)?;
            match open.get_mut(&n) {
                Some(left) if *left > 0 => *left -= 1,
                _ => {
                    *open.entry(g.0).or_insert(0) += 1;
                    rest.push(g.0);
                }
            }
        }
        rest.retain(|g| match open.get_mut(g) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        });
        let mut sized = Vec::with_capacity(rest.len());
        for g in rest {
            let size = self
                .options_first(&[g], |s, i| s.nus_of(i).is_none())?
                .len();
            sized.push((size, g));
        }
        sized.sort_unstable();
        // The number comes last, where it only shifts; the infinitesimal first, while sums are small.
        let number = self.number(nus.number)?.0;
        let mut total = self
            .nus(Nus {
                number: Dyadic::ZERO,
                ..nus
            })?
            .0;
        for (_, g) in sized {
            total = self.add_ids(total, g)?;
        }
        self.add_ids(total, number).map(GameId)
    }

    /// n copies of G (of -G for negative n). Number-up-stars by arithmetic, others by doubling.
    ///
    /// # Errors
    /// As [`Self::add`]; [`Error::Limit`] if it takes more new games than [`crate::Limits::multiple`].
    pub fn times(&mut self, n: i64, g: GameId) -> Result<GameId> {
        if let Some(value) = self.as_nus(g) {
            return self.nus(value.checked_times(n)?);
        }
        let before = self.limits;
        let budget = (self.len() as u64).saturating_add(before.multiple);
        self.limits.games = before.games.min(budget);
        let total = self.double_and_add(n, g);
        self.limits = before;
        total.map_err(|e| match e {
            Error::Limit { what: DISTINCT, .. } if budget < before.games => Error::Limit {
                what: "new games for one multiple n.G (Limits::multiple)",
                limit: before.multiple,
            },
            e => e,
        })
    }

    fn double_and_add(&mut self, n: i64, g: GameId) -> Result<GameId> {
        let mut power = if n < 0 { self.neg(g)? } else { g };
        let mut left = n.unsigned_abs();
        let mut total = GameId::ZERO;
        while left > 0 {
            if left & 1 == 1 {
                total = self.add(total, power)?;
            }
            left >>= 1;
            if left > 0 {
                power = self.add(power, power)?;
            }
        }
        Ok(total)
    }

    /// {G | -G}, written ±G.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn plus_minus(&mut self, g: GameId) -> Result<GameId> {
        let n = self.neg(g)?;
        self.make(&[g], &[n])
    }

    /// tiny-G = {0 || 0 | -G}.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn tiny(&mut self, g: GameId) -> Result<GameId> {
        let n = self.neg(g)?;
        let threat = self.make(&[GameId::ZERO], &[n])?;
        self.make(&[GameId::ZERO], &[threat])
    }

    /// miny-G = {G | 0 || 0} = -tiny-G.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn miny(&mut self, g: GameId) -> Result<GameId> {
        let t = self.tiny(g)?;
        self.neg(t)
    }

    /// Left's incentives G^L - G, undominated, in canonical form: what a move of Left's changes.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn left_incentives(&mut self, g: GameId) -> Result<Vec<GameId>> {
        let n = self.neg(g)?;
        let mut all = Vec::new();
        for o in self.left_options(g)? {
            all.push(self.add(o, n)?.0);
        }
        self.drop_dominated(&mut all, true)?;
        Ok(all.into_iter().map(GameId).collect())
    }

    /// Right's incentives G - G^R, undominated: like Left's, they count for the player who moves.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn right_incentives(&mut self, g: GameId) -> Result<Vec<GameId>> {
        let mut all = Vec::new();
        for o in self.right_options(g)? {
            all.push(self.sub(g, o)?.0);
        }
        self.drop_dominated(&mut all, true)?;
        Ok(all.into_iter().map(GameId).collect())
    }

    /// Formal birthday: the height of the canonical form. An integer's is its size, without unfolding.
    ///
    /// # Errors
    /// [`crate::Error::Limit`]
    pub fn birthday(&mut self, g: GameId) -> Result<Dyadic> {
        let order = self.options_first(&[g.0], |s, i| {
            s.nus_of(i).is_none() && !s.birthdays.contains_key(&i)
        })?;
        for i in order {
            let mut last = Dyadic::ZERO;
            for &o in self.left_ids(i).iter().chain(self.right_ids(i)) {
                last = last.max(self.known_birthday(o)?);
            }
            self.birthdays.insert(i, last.checked_add(&Dyadic::ONE)?);
        }
        self.known_birthday(g.0)
    }

    /// Of a number-up-star, or one already remembered.
    fn known_birthday(&self, id: u32) -> Result<Dyadic> {
        match self.nus_of(id) {
            Some(n) => n.birthday(),
            None => Ok(self.birthdays.get(&id).cloned().unwrap_or_default()),
        }
    }
}
