//! The arena: every value is stored once, in canonical form, and named by a 32-bit id.
//!
//! So equality of games is equality of ids, and every memo is an array or a map by id. Number-up-stars
//! are stored as three numbers; their option lists come into being only when somebody asks.
//!
//! An id says nothing about what kind of node it names (the kind is private to this file), and no
//! algorithm assumes that options have smaller ids. Loopy games can therefore join later as one more
//! kind without a change of the public interface.

use crate::cache::PairCache;
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::form::Forms;
use crate::hash::{FastMap, mix};
use crate::nus::Nus;
use crate::order::RawGame;
use crate::probes::{Probes, number_probes};
use crate::thermograph::Thermograph;
use std::sync::Arc;

/// The name of a value in its [`Games`]: two ids of the same arena are equal iff the games are.
///
/// Ids of different arenas must not be mixed; the arena cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub(crate) u32);

impl GameId {
    /// The zero game; the same id in every arena.
    pub const ZERO: Self = Self(0);

    /// The bare number, for hosts that store ids (Python).
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// How much an arena may grow. Reaching a limit is an error, never a wrong answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Distinct canonical values.
    pub games: u64,
    /// Nodes of expressions as typed.
    pub forms: u64,
    /// Bytes of one printed game (a small graph can unfold to an enormous text).
    pub text: u64,
    /// Corner points of all remembered thermographs together.
    pub breakpoints: u64,
    /// Bytes of numbers beyond 127 bits, in games and in remembered thermographs.
    pub wide: u64,
    /// New games made while one multiple n.G is evaluated: a few characters ask for more than any
    /// memory holds.
    pub multiple: u64,
}

impl Default for Limits {
    /// 2^31 - 2 games and forms (the width of an id), 64 MiB of text, 2^24 corner points, 1 GiB of
    /// wide numbers, 2^15 new games for a multiple.
    fn default() -> Self {
        Self {
            games: MAX_ID,
            forms: MAX_ID,
            text: 1 << 26,
            breakpoints: 1 << 24,
            wide: 1 << 30,
            multiple: 1 << 15,
        }
    }
}

/// What [`Limits::games`] counts, in errors.
pub(crate) const DISTINCT: &str = "distinct games";
const MAX_ID: u64 = (1 << 31) - 2;
const NOT_NUS: u32 = u32::MAX;
const NOT_YET: u32 = u32::MAX;

/// Stops and kind: what comparisons read.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) left_stop: Dyadic,
    pub(crate) right_stop: Dyadic,
    /// Stops of the game plus a switch ±x, for a few x: see [`Probes`].
    pub(crate) probes: Probes,
    /// Index into `nus`, or [`NOT_NUS`].
    nus: u32,
}

/// Options in the common pool: left = start..mid, right = mid..end.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    mid: u32,
    end: u32,
    negative: u32,
    /// Independent of ids, so that printing orders options the same way in every arena.
    fingerprint: u64,
}

/// The arena. All operations on games are its methods, spread over the modules by topic.
///
/// ```
/// use yose_cgt::Games;
/// let mut g = Games::new();
/// let a = g.parse_value("{10|{0|-100}} + {8|-8}")?;
/// assert_eq!(g.left_stop(a).to_string(), "8");
/// assert_eq!(g.print(a)?, "{{18|2},8|||±8||-92|-108}");
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[derive(Debug)]
pub struct Games {
    pub(crate) limits: Limits,
    heads: Vec<Head>,
    spans: Vec<Span>,
    pool: Vec<u32>,
    nus: Vec<Nus>,
    by_nus: FastMap<Nus, u32>,
    /// Open addressing over ids of games with option lists; [`NOT_YET`] = free.
    table: Vec<u32>,
    listed: usize,
    pub(crate) order_cache: PairCache,
    pub(crate) raw: RawGame,
    pub(crate) sums: FastMap<u64, u32>,
    pub(crate) thermographs: FastMap<u32, Arc<Thermograph>>,
    pub(crate) breakpoints: u64,
    wide: u64,
    pub(crate) birthdays: FastMap<u32, Dyadic>,
    pub(crate) reduced: FastMap<u32, u32>,
    pub(crate) forms: Forms,
    /// Comparisons that needed play, for measurements.
    pub(crate) comparisons: u64,
    /// Where they end with an error: for what is nice to know, but not at any price.
    pub(crate) most_comparisons: u64,
}

impl Default for Games {
    fn default() -> Self {
        Self::new()
    }
}

impl Games {
    /// An empty arena (it holds the game 0).
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// An empty arena with limits on its growth.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        let limits = Limits {
            games: limits.games.clamp(1, MAX_ID),
            forms: limits.forms.min(MAX_ID),
            ..limits
        };
        let mut games = Self {
            limits,
            heads: Vec::new(),
            spans: Vec::new(),
            pool: Vec::new(),
            nus: Vec::new(),
            by_nus: FastMap::default(),
            table: vec![NOT_YET; 1 << 8],
            listed: 0,
            order_cache: PairCache::new(),
            raw: RawGame::default(),
            sums: FastMap::default(),
            thermographs: FastMap::default(),
            breakpoints: 0,
            wide: 0,
            birthdays: FastMap::default(),
            reduced: FastMap::default(),
            forms: Forms::default(),
            comparisons: 0,
            most_comparisons: u64::MAX,
        };
        // The first node is 0. It has no options, so nothing can fail.
        games.nus.push(Nus::number(Dyadic::ZERO));
        games.by_nus.insert(Nus::number(Dyadic::ZERO), 0);
        games.heads.push(Head {
            left_stop: Dyadic::ZERO,
            right_stop: Dyadic::ZERO,
            probes: number_probes(&Dyadic::ZERO),
            nus: 0,
        });
        games.spans.push(Span {
            start: 0,
            mid: 0,
            end: 0,
            negative: 0,
            fingerprint: 1,
        });
        games
    }

    /// How many distinct values the arena holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Never true: 0 is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// How many comparisons had to be played out so far (neither stops nor memo decided them).
    #[must_use]
    pub fn comparisons_played(&self) -> u64 {
        self.comparisons
    }

    fn new_id(&self) -> Result<u32> {
        if self.heads.len() as u64 >= self.limits.games {
            return Err(Error::Limit {
                what: DISTINCT,
                limit: self.limits.games,
            });
        }
        u32::try_from(self.heads.len()).map_err(|_| Error::overflow("game id"))
    }

    /// Runs `work` with room for so many new games and for four comparisons played out for each of them.
    pub(crate) fn within<T>(
        &mut self,
        new_games: u64,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let (limits, most) = (self.limits, self.most_comparisons);
        let games = (self.len() as u64).saturating_add(new_games);
        let comparisons = new_games.saturating_mul(4);
        self.limits.games = limits.games.min(games);
        self.most_comparisons = most.min(self.comparisons.saturating_add(comparisons));
        let answer = work(self);
        (self.limits, self.most_comparisons) = (limits, most);
        answer
    }

    /// Counts bytes of wide numbers that are kept.
    pub(crate) fn count_wide(&mut self, bytes: u64) -> Result<()> {
        self.wide = self.wide.saturating_add(bytes);
        if self.wide > self.limits.wide {
            return Err(Error::Limit {
                what: "bytes of numbers beyond 127 bits",
                limit: self.limits.wide,
            });
        }
        Ok(())
    }

    fn pool_index(&self) -> Result<u32> {
        u32::try_from(self.pool.len()).map_err(|_| Error::Limit {
            what: "stored options",
            limit: u64::from(u32::MAX),
        })
    }

    /// The game of a number-up-star.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub fn nus(&mut self, value: Nus) -> Result<GameId> {
        if let Some(&id) = self.by_nus.get(&value) {
            return Ok(GameId(id));
        }
        let id = self.new_id()?;
        let at = u32::try_from(self.nus.len()).map_err(|_| Error::overflow("game id"))?;
        self.count_wide(value.number.heap_bytes())?;
        let (left_stop, right_stop) = (value.number.clone(), value.number.clone());
        let probes = number_probes(&value.number);
        self.heads.push(Head {
            left_stop,
            right_stop,
            probes,
            nus: at,
        });
        let [high, low, exponent] = value.number.fingerprint();
        let infinitesimal = [
            value.up.unsigned_abs(),
            u64::from(value.up < 0),
            u64::from(value.star),
        ];
        let fingerprint = [high, exponent]
            .into_iter()
            .chain(infinitesimal)
            .fold(mix(low), |h, x| mix(h ^ mix(x.wrapping_add(3))));
        self.nus.push(value.clone());
        self.by_nus.insert(value, id);
        self.spans.push(Span {
            start: NOT_YET,
            mid: 0,
            end: 0,
            negative: NOT_YET,
            fingerprint,
        });
        Ok(GameId(id))
    }

    /// The game of a number.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub fn number(&mut self, x: Dyadic) -> Result<GameId> {
        self.nus(Nus::number(x))
    }

    /// The game of an integer. Any size costs the same: nothing is unfolded.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub fn integer(&mut self, n: i64) -> Result<GameId> {
        self.number(Dyadic::from(n))
    }

    /// The game with these options, which must already be its canonical form and no number-up-star.
    /// Both lists are sorted here.
    pub(crate) fn intern(&mut self, left: &mut [u32], right: &mut [u32]) -> Result<u32> {
        left.sort_unstable();
        right.sort_unstable();
        let hash = Self::hash_options(left, right);
        if let Some(id) = self.find(hash, left, right) {
            return Ok(id);
        }
        let id = self.new_id()?;
        let stop = |s: Option<&Dyadic>| s.cloned().ok_or(Error::overflow("stop of an empty side"));
        let left_stop = stop(left.iter().map(|&g| &self.head(g).right_stop).max())?;
        let right_stop = stop(right.iter().map(|&g| &self.head(g).left_stop).min())?;
        let start = self.pool_index()?;
        self.pool.extend_from_slice(left);
        let mid = self.pool_index()?;
        self.pool.extend_from_slice(right);
        let end = self.pool_index()?;
        let probes = self.probes_of(left, right, &left_stop, &right_stop);
        self.heads.push(Head {
            left_stop,
            right_stop,
            probes,
            nus: NOT_NUS,
        });
        let sum = |s: &[u32]| {
            s.iter().fold(0_u64, |h, &g| {
                h.wrapping_add(mix(self.spans[g as usize].fingerprint))
            })
        };
        let fingerprint = mix(mix(sum(left) ^ 0x51) ^ sum(right));
        self.spans.push(Span {
            start,
            mid,
            end,
            negative: NOT_YET,
            fingerprint,
        });
        self.listed += 1;
        if self.listed * 2 > self.table.len() {
            self.grow_table();
        } else {
            self.place(hash, id);
        }
        Ok(id)
    }

    fn hash_options(left: &[u32], right: &[u32]) -> u64 {
        let h = left
            .iter()
            .fold(left.len() as u64, |h, &x| mix(h ^ (u64::from(x) << 8)));
        right
            .iter()
            .fold(h.rotate_left(17), |h, &x| mix(h ^ (u64::from(x) << 8)))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the length of the table"
    )]
    fn find(&self, hash: u64, left: &[u32], right: &[u32]) -> Option<u32> {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at] != NOT_YET {
            let s = self.spans[self.table[at] as usize];
            let (start, mid, end) = (s.start as usize, s.mid as usize, s.end as usize);
            if self.pool[start..mid] == *left && self.pool[mid..end] == *right {
                return Some(self.table[at]);
            }
            at = (at + 1) & mask;
        }
        None
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the length of the table"
    )]
    fn place(&mut self, hash: u64, id: u32) {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at] != NOT_YET {
            at = (at + 1) & mask;
        }
        self.table[at] = id;
    }

    fn grow_table(&mut self) {
        self.table = vec![NOT_YET; self.table.len() * 4];
        for id in 0..self.heads.len() {
            if self.heads[id].nus == NOT_NUS {
                let s = self.spans[id];
                let (start, mid, end) = (s.start as usize, s.mid as usize, s.end as usize);
                let hash = Self::hash_options(&self.pool[start..mid], &self.pool[mid..end]);
                // ids fit: new_id checked them
                self.place(hash, u32::try_from(id).unwrap_or(NOT_YET));
            }
        }
    }

    #[inline]
    pub(crate) fn head(&self, id: u32) -> &Head {
        &self.heads[id as usize]
    }

    #[inline]
    pub(crate) fn nus_of(&self, id: u32) -> Option<&Nus> {
        let at = self.heads[id as usize].nus;
        if at == NOT_NUS {
            None
        } else {
            Some(&self.nus[at as usize])
        }
    }

    #[inline]
    pub(crate) fn is_number_id(&self, id: u32) -> bool {
        self.nus_of(id).is_some_and(Nus::is_number)
    }

    #[inline]
    pub(crate) fn is_expanded(&self, id: u32) -> bool {
        self.spans[id as usize].start != NOT_YET
    }

    /// Makes the option lists of a number-up-star. One step: its options stay unexpanded.
    pub(crate) fn expand(&mut self, id: u32) -> Result<()> {
        if self.is_expanded(id) {
            return Ok(());
        }
        let Some(value) = self.nus_of(id) else {
            return Ok(());
        };
        let options = value.options()?;
        let mut ids = Vec::with_capacity(options.left.len() + options.right.len());
        let lefts = options.left.len();
        for o in options.left.into_iter().chain(options.right) {
            ids.push(self.nus(o)?.0);
        }
        let start = self.pool_index()?;
        self.pool.extend_from_slice(&ids[..lefts]);
        let mid = self.pool_index()?;
        self.pool.extend_from_slice(&ids[lefts..]);
        let end = self.pool_index()?;
        let s = &mut self.spans[id as usize];
        (s.start, s.mid, s.end) = (start, mid, end);
        Ok(())
    }

    /// Left options of an expanded game.
    #[inline]
    pub(crate) fn left_ids(&self, id: u32) -> &[u32] {
        let s = &self.spans[id as usize];
        debug_assert!(s.start != NOT_YET);
        &self.pool[s.start as usize..s.mid as usize]
    }

    /// Right options of an expanded game.
    #[inline]
    pub(crate) fn right_ids(&self, id: u32) -> &[u32] {
        let s = &self.spans[id as usize];
        debug_assert!(s.start != NOT_YET);
        &self.pool[s.mid as usize..s.end as usize]
    }

    pub(crate) fn fingerprint(&self, id: u32) -> u64 {
        self.spans[id as usize].fingerprint
    }

    pub(crate) fn known_negative(&self, id: u32) -> Option<u32> {
        let n = self.spans[id as usize].negative;
        (n != NOT_YET).then_some(n)
    }

    pub(crate) fn set_negative(&mut self, a: u32, b: u32) {
        self.spans[a as usize].negative = b;
        self.spans[b as usize].negative = a;
    }

    /// The followers of `roots` that satisfy `wanted`, options before the games that have them.
    /// Descends only through wanted games. No recursion; visits every game once.
    pub(crate) fn options_first(
        &mut self,
        roots: &[u32],
        mut wanted: impl FnMut(&Self, u32) -> bool,
    ) -> Result<Vec<u32>> {
        let mut order = Vec::new();
        let mut seen: crate::hash::FastSet<u32> = crate::hash::FastSet::default();
        let mut stack: Vec<(u32, bool)> = Vec::new();
        for &root in roots {
            stack.push((root, false));
            while let Some((id, done)) = stack.pop() {
                if done {
                    order.push(id);
                    continue;
                }
                if seen.contains(&id) || !wanted(self, id) {
                    continue;
                }
                seen.insert(id);
                self.expand(id)?;
                stack.push((id, true));
                let s = self.spans[id as usize];
                for i in (s.start..s.end).rev() {
                    stack.push((self.pool[i as usize], false));
                }
            }
        }
        Ok(order)
    }

    /// Left stop: the number reached when Left moves first and both play for the score.
    #[must_use]
    pub fn left_stop(&self, g: GameId) -> Dyadic {
        self.head(g.0).left_stop.clone()
    }

    /// Right stop: the number reached when Right moves first.
    #[must_use]
    pub fn right_stop(&self, g: GameId) -> Dyadic {
        self.head(g.0).right_stop.clone()
    }

    /// The number-up-star that the game is, if it is one.
    #[must_use]
    pub fn as_nus(&self, g: GameId) -> Option<Nus> {
        self.nus_of(g.0).cloned()
    }

    /// The number that the game is, if it is one.
    #[must_use]
    pub fn as_number(&self, g: GameId) -> Option<Dyadic> {
        self.nus_of(g.0)
            .filter(|n| n.is_number())
            .map(|n| n.number.clone())
    }

    /// The canonical left options.
    ///
    /// # Errors
    /// [`Error::Limit`] when an option list has to be made and there is no room (a nimber *k has k).
    pub fn left_options(&mut self, g: GameId) -> Result<Vec<GameId>> {
        self.expand(g.0)?;
        Ok(self.left_ids(g.0).iter().map(|&i| GameId(i)).collect())
    }

    /// The canonical right options.
    ///
    /// # Errors
    /// As [`Self::left_options`].
    pub fn right_options(&mut self, g: GameId) -> Result<Vec<GameId>> {
        self.expand(g.0)?;
        Ok(self.right_ids(g.0).iter().map(|&i| GameId(i)).collect())
    }

    /// How many distinct positions can be reached from the canonical form, itself included.
    ///
    /// # Errors
    /// [`Error::Limit`] (an integer n has |n| followers: they are listed here).
    pub fn follower_count(&mut self, g: GameId) -> Result<usize> {
        Ok(self.options_first(&[g.0], |_, _| true)?.len())
    }
}
