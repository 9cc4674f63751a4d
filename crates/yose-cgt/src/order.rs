//! The order of games: `G <= H` iff Right, moving second, does not lose `G - H`; decided on the two
//! graphs without building the difference.
//!
//! `G <= H` iff no left option of G is `>= H` and no right option of H is `<= G`. Before playing, the
//! stops are asked: they are monotone, and `LS(G) < RS(H)` implies `G < H`. The play itself is an
//! explicit stack, so depth costs memory, never the machine's stack.

use crate::arena::{GameId, Games, Head};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::hash::mix;
use crate::probes::Probes;

/// How two games compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Left is worse off: G < H.
    Less,
    /// The same value.
    Equal,
    /// G > H.
    Greater,
    /// Neither: whoever moves first in G - H wins.
    Confused,
}

impl Relation {
    /// `<`, `=`, `>` or `||`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::Equal => "=",
            Self::Greater => ">",
            Self::Confused => "||",
        }
    }

    /// The relation of H to G.
    #[must_use]
    pub const fn reverse(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            other => other,
        }
    }
}

/// Who wins a game under normal play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Left, whoever starts (G > 0).
    Left,
    /// Right, whoever starts (G < 0).
    Right,
    /// The next player (G confused with 0).
    Next,
    /// The previous player (G = 0).
    Previous,
}

impl Outcome {
    /// `L`, `R`, `N` or `P`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::Right => "R",
            Self::Next => "N",
            Self::Previous => "P",
        }
    }
}

/// Stands for the game under construction, which has no id yet.
pub(crate) const RAW: u32 = u32::MAX;
const RAW_SLOTS: usize = 1 << 12;

/// The game under construction: canonical options, itself perhaps not canonical, and no number.
#[derive(Debug, Default)]
pub(crate) struct RawGame {
    pub(crate) left: Vec<u32>,
    pub(crate) right: Vec<u32>,
    pub(crate) left_stop: Dyadic,
    pub(crate) right_stop: Dyadic,
    pub(crate) probes: Probes,
    /// Answers about this game only: (generation, other id, side) packed, and the answer.
    memo: Vec<(u64, bool)>,
    generation: u64,
    frames: Vec<Frame>,
}

impl Default for Dyadic {
    fn default() -> Self {
        Self::ZERO
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    g: u32,
    h: u32,
    /// Next reply to try: first the left options of g, then the right options of h.
    next: u32,
}

impl RawGame {
    fn slot(&self, g: u32, h: u32) -> (usize, u64) {
        // generation: 31 bits, id: 32, side: 1
        let other = if g == RAW { h } else { g };
        let key = self.generation << 33 | u64::from(other) << 1 | u64::from(g == RAW);
        #[expect(clippy::cast_possible_truncation, reason = "masked")]
        let at = mix(key) as usize & (RAW_SLOTS - 1);
        (at, key)
    }

    /// Forgets the previous game.
    pub(crate) fn renew(&mut self) {
        self.generation += 1;
        if self.memo.is_empty() || self.generation >= 1 << 31 {
            self.generation = 1;
            self.memo = vec![(0, false); RAW_SLOTS];
        }
    }
}

impl Games {
    #[inline]
    fn quick_head(&self, id: u32) -> (&Dyadic, &Dyadic, &Probes) {
        if id == RAW {
            (&self.raw.left_stop, &self.raw.right_stop, &self.raw.probes)
        } else {
            let h: &Head = self.head(id);
            (&h.left_stop, &h.right_stop, &h.probes)
        }
    }

    /// The answer, if it can be had without play.
    #[inline]
    fn le_quick(&self, g: u32, h: u32) -> Option<bool> {
        if g == h {
            return Some(true);
        }
        let ((gl, gr, gp), (hl, hr, hp)) = (self.quick_head(g), self.quick_head(h));
        // The probes first: small integers, and they decide most cases.
        if gp.iter().zip(hp).any(|(a, b)| a > b) {
            return Some(false);
        }
        if gl < hr {
            return Some(true);
        }
        if gl > hl || gr > hr {
            return Some(false);
        }
        if g == RAW || h == RAW {
            let (at, key) = self.raw.slot(g, h);
            return self.raw.memo.get(at).filter(|e| e.0 == key).map(|e| e.1);
        }
        if let (Some(a), Some(b)) = (self.nus_of(g), self.nus_of(h)) {
            return Some(a.le(b));
        }
        self.order_cache.get(g, h)
    }

    fn remember(&mut self, g: u32, h: u32, answer: bool) {
        if g == RAW || h == RAW {
            let (at, key) = self.raw.slot(g, h);
            if let Some(e) = self.raw.memo.get_mut(at) {
                *e = (key, answer);
            }
        } else {
            self.order_cache.put(g, h, answer);
        }
    }

    /// `g <= h`, where either may be [`RAW`].
    pub(crate) fn le_ids(&mut self, g: u32, h: u32) -> Result<bool> {
        if let Some(answer) = self.le_quick(g, h) {
            return Ok(answer);
        }
        let mut frames = std::mem::take(&mut self.raw.frames);
        let answer = self.le_play(g, h, &mut frames);
        frames.clear();
        self.raw.frames = frames;
        answer
    }

    fn le_play(&mut self, g: u32, h: u32, frames: &mut Vec<Frame>) -> Result<bool> {
        frames.push(self.open(g, h)?);
        let mut returned: Option<bool> = None;
        while let Some(top) = frames.last_mut() {
            let (g, h) = (top.g, top.h);
            let mut refuted = returned.take() == Some(true);
            let mut descend = None;
            if !refuted {
                let lefts = self.replies_left(g);
                let rights = self.replies_right(h);
                // A refutation that needs no play saves playing out the replies before it.
                refuted = top.next == 0
                    && (lefts.iter().any(|&gl| self.le_quick(h, gl) == Some(true))
                        || rights.iter().any(|&hr| self.le_quick(hr, g) == Some(true)));
                let replies = lefts.iter().map(|&gl| (h, gl));
                let replies = replies.chain(rights.iter().map(|&hr| (hr, g)));
                for (a, b) in replies.skip(if refuted {
                    usize::MAX
                } else {
                    top.next as usize
                }) {
                    top.next += 1;
                    match self.le_quick(a, b) {
                        Some(answer) => refuted = answer,
                        None => descend = Some((a, b)),
                    }
                    if refuted || descend.is_some() {
                        break;
                    }
                }
            }
            if let (Some((a, b)), false) = (descend, refuted) {
                let frame = self.open(a, b)?;
                frames.push(frame);
            } else {
                frames.pop();
                self.remember(g, h, !refuted);
                returned = Some(!refuted);
            }
        }
        Ok(returned.unwrap_or(false))
    }

    fn open(&mut self, g: u32, h: u32) -> Result<Frame> {
        if self.comparisons >= self.most_comparisons {
            return Err(Error::Limit {
                what: "comparisons played out",
                limit: self.most_comparisons,
            });
        }
        self.comparisons += 1;
        for id in [g, h] {
            // Numbers are never played against non-numbers, so they need no lists.
            if id != RAW && !self.is_number_id(id) {
                self.expand(id)?;
            }
        }
        Ok(Frame { g, h, next: 0 })
    }

    /// Left's moves in `g - h` that come from g. By number avoidance none if g is a number: h is not
    /// one then (two numbers never get here), so if Left can win, she can win in h.
    fn replies_left(&self, g: u32) -> &[u32] {
        if g == RAW {
            &self.raw.left
        } else if self.is_number_id(g) {
            &[]
        } else {
            self.left_ids(g)
        }
    }

    fn replies_right(&self, h: u32) -> &[u32] {
        if h == RAW {
            &self.raw.right
        } else if self.is_number_id(h) {
            &[]
        } else {
            self.right_ids(h)
        }
    }

    /// Is `g <= h`?
    ///
    /// Cost: proportional to the pairs of followers that have to be looked at; remembered for both.
    ///
    /// # Errors
    /// [`crate::Error::Limit`] if a number-up-star must be unfolded and there is no room.
    pub fn le(&mut self, g: GameId, h: GameId) -> Result<bool> {
        self.le_ids(g.0, h.0)
    }

    /// How `g` compares to `h`.
    ///
    /// ```
    /// use yose_cgt::{Games, Relation};
    /// let mut g = Games::new();
    /// let (up, star) = (g.parse_value("^")?, g.parse_value("*")?);
    /// assert_eq!(g.compare(up, star)?, Relation::Confused);
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::le`].
    pub fn compare(&mut self, g: GameId, h: GameId) -> Result<Relation> {
        Ok(if g == h {
            Relation::Equal
        } else if self.le(g, h)? {
            Relation::Less
        } else if self.le(h, g)? {
            Relation::Greater
        } else {
            Relation::Confused
        })
    }

    /// Outcome class: how the game compares to 0.
    ///
    /// # Errors
    /// As [`Self::le`].
    pub fn outcome(&mut self, g: GameId) -> Result<Outcome> {
        Ok(match self.compare(g, GameId::ZERO)? {
            Relation::Less => Outcome::Right,
            Relation::Greater => Outcome::Left,
            Relation::Equal => Outcome::Previous,
            Relation::Confused => Outcome::Next,
        })
    }
}
