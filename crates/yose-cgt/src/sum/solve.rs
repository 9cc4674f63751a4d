//! `solve_sum`: exact stops of a sum, the value of the best move in every part, all best moves, a line.

use super::Player;
use super::compound::{Thermostrat, thermostrat};
use super::search::{Deadline, Search, Stopped};
use super::strategy::{Pick, picks};
use super::table::{NodeId, Place, Table};
use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::form::FormId;
use crate::rational::Rational;
use crate::thermograph::Thermograph;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// When to stop searching. What is known by then is returned as proved bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SumLimits {
    /// Greatest number of states searched. Absent: as many as can be remembered in less than 1 GiB, that
    /// is 800 MiB / (200 + 4 m) for m parts (about 4 million for few, 2.3 million for 40), also if only
    /// the time is limited.
    pub nodes: Option<u64>,
    /// Longest time (absent: no limit). It covers the search and what follows from it; evaluating the
    /// parts themselves comes before and is bounded by [`crate::Limits`].
    pub time: Option<Duration>,
}

/// A score that is proved to lie in an interval; exact if the ends are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Proved: the score is at least this.
    pub low: Dyadic,
    /// Proved: the score is at most this.
    pub high: Dyadic,
}

impl Bounds {
    /// Before anything is known; replaced in every answer.
    const UNKNOWN: Self = Self {
        low: Dyadic::ZERO,
        high: Dyadic::ZERO,
    };

    /// The score, if it is known exactly.
    #[must_use]
    pub fn exact(&self) -> Option<Dyadic> {
        (self.low == self.high).then(|| self.low.clone())
    }
}

/// What is known about one component.
#[derive(Debug, Clone)]
pub struct PartSolution {
    /// The component as given.
    pub form: FormId,
    /// Its value.
    pub value: GameId,
    /// V_j: the stop of the whole sum after the best own move in this part; `None` if it is a number.
    pub v: Option<Bounds>,
    /// The options (as given, repeated values once) with the stop of the whole after each.
    /// Of options that are not the best of their part the upper (for Right lower) bound may be loose.
    pub options: Vec<(FormId, Bounds)>,
}

/// A move and the score it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredMove {
    /// Index of the component.
    pub part: usize,
    /// Where the player moves to.
    pub option: FormId,
    /// The stop of the whole sum after it.
    pub score: Dyadic,
}

/// The answer about a sum.
#[derive(Debug, Clone)]
pub struct SumSolution {
    /// Who is to move.
    pub who: Player,
    /// Left stop of the whole.
    pub left_stop: Bounds,
    /// Right stop of the whole.
    pub right_stop: Bounds,
    /// Mean of the whole: the sum of the means. `None` if a part is too deep for its thermograph to be known
    /// within [`crate::Limits`].
    pub mean: Option<Dyadic>,
    /// The highest temperature of a component; the sum is not hotter. `None` if all are numbers, or as for
    /// the mean.
    pub max_temperature: Option<Dyadic>,
    /// The components in the order given.
    pub parts: Vec<PartSolution>,
    /// All optimal moves, part by part. Empty if nothing can be played or a limit was reached first.
    pub best: Vec<ScoredMove>,
    /// Perfect play to the end, alternating from `who`: part and option. Empty as `best` is.
    pub line: Vec<(usize, FormId)>,
    /// Thermostrat's guarantee for `who`; `None` as for the temperature.
    pub thermostrat: Option<Thermostrat>,
    /// What each strategy would play and what that costs; empty when V is not exact.
    pub picks: Vec<Pick>,
    /// States searched.
    pub nodes: u64,
}

impl SumSolution {
    /// The stop with `who` to move.
    #[must_use]
    pub const fn stop(&self) -> &Bounds {
        match self.who {
            Player::Left => &self.left_stop,
            Player::Right => &self.right_stop,
        }
    }

    /// Is everything proved exactly?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.left_stop.exact().is_some()
            && self.right_stop.exact().is_some()
            && self
                .parts
                .iter()
                .all(|p| p.v.as_ref().is_none_or(|v| v.exact().is_some()))
    }
}

/// Memory for remembered states when the caller sets no limit on them.
const DEFAULT_BYTES: u64 = 800 << 20;

/// States searched when the caller sets no limit: one remembered takes 4 bytes for each part and, while
/// the map of them grows, up to 200 more.
pub(crate) fn default_nodes(parts: usize) -> u64 {
    DEFAULT_BYTES / (200 + 4 * parts as u64)
}

/// The parts that can be played, with their thermographs, and the number beside them.
struct HotParts {
    constant: Rational,
    thermographs: Vec<(usize, Arc<Thermograph>)>,
}

impl HotParts {
    fn walls(&self) -> Vec<(usize, &Thermograph)> {
        self.thermographs.iter().map(|(i, t)| (*i, &**t)).collect()
    }

    fn max_temperature(&self) -> Option<Dyadic> {
        self.thermographs
            .iter()
            .filter_map(|(_, t)| t.temperature.to_dyadic())
            .max()
    }
}

/// A sum under solution: components with their places in the table.
pub(crate) struct Board {
    /// Of a component that is a number: [`Place::NOTHING`].
    pub(crate) places: Vec<Place>,
    /// The components that are numbers, added up. They may be too wide for the table.
    pub(crate) constant: Dyadic,
}

impl Board {
    /// Scores of the table as scores of the sum.
    fn bounds(&self, table: &Table, (low, high): (i128, i128), offset: i128) -> Result<Bounds> {
        let score = |x: i128| table.unscale(x + offset)?.checked_add(&self.constant);
        Ok(Bounds {
            low: score(low)?,
            high: score(high)?,
        })
    }

    /// The state after part j has become `new`, and the number outside it.
    pub(crate) fn after(&self, search: &Search<'_>, j: usize, new: Place) -> (Vec<NodeId>, i128) {
        let mut parts = Vec::with_capacity(self.places.len());
        let mut offset = 0;
        for (i, p) in self.places.iter().enumerate() {
            let p = if i == j { new } else { *p };
            parts.push(p.node);
            offset += p.offset;
        }
        search.normal(&mut parts);
        (parts, offset)
    }
}

impl Games {
    /// Solves a sum for the score.
    ///
    /// Numbers are split off (they are never played), infinitesimals are dropped (they never change a
    /// score), opposite pairs cancel, equal parts are tried once, sums of switches are closed by the
    /// formula of [`crate::switch_values`]; the rest is alpha-beta over the tuple of parts, windowed by
    /// the mean and the highest temperature. Left and Right are treated alike.
    ///
    /// Cost: exponential in the number of parts that are no switches, in the worst case.
    ///
    /// ```
    /// use yose_cgt::{Games, Player, SumLimits};
    /// let mut g = Games::new();
    /// let sum = g.parse("{10|{0|-100}} + {8|-8}")?;
    /// let parts = g.components(sum);
    /// let s = g.solve_sum(&parts, Player::Left, SumLimits::default())?;
    /// let v: Vec<_> = s.parts.iter().map(|p| p.v.as_ref().unwrap().exact().unwrap().to_string()).collect();
    /// assert_eq!(v, ["2", "8"]); // the hottest part is the wrong one
    /// assert_eq!(s.best[0].part, 1);
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of evaluation. A limit is no error: it shows in the bounds; and so do scores too wide for the
    /// search (about 120 bits over their common denominator).
    pub fn solve_sum(
        &mut self,
        components: &[FormId],
        who: Player,
        limits: SumLimits,
    ) -> Result<SumSolution> {
        self.solve_sum_until(components, who, limits, &|| false)
    }

    /// As [`Self::solve_sum`]; the search also ends when `should_stop` says so, which is asked now and then.
    ///
    /// # Errors
    /// As [`Self::solve_sum`].
    pub fn solve_sum_until(
        &mut self,
        components: &[FormId],
        who: Player,
        limits: SumLimits,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<SumSolution> {
        let deadline = Deadline {
            at: limits.time.and_then(|t| Instant::now().checked_add(t)),
            asked: Some(should_stop),
        };
        let out_of_time = || deadline.is_over();
        let mut parts = Vec::with_capacity(components.len());
        let mut roots = Vec::new();
        let mut constant = Dyadic::ZERO;
        for &form in components {
            let value = self.value(form)?;
            let mut part = PartSolution {
                form,
                value,
                v: None,
                options: Vec::new(),
            };
            if let Some(x) = self.as_number(value) {
                constant = constant.checked_add(&x)?;
            } else {
                roots.push(value);
                for (option, v) in self.distinct_options(form, who)? {
                    roots.push(v);
                    part.options.push((option, Bounds::UNKNOWN));
                }
            }
            parts.push(part);
        }
        let hot = self.hot_parts(&parts, &constant)?;
        let mut thermostrats = [None, None];
        if let Some(hot) = &hot {
            for side in [Player::Left, Player::Right] {
                thermostrats[side.index()] =
                    thermostrat(&hot.walls(), &hot.constant, side, out_of_time)?;
            }
        }
        let mut solution = SumSolution {
            who,
            left_stop: Bounds::UNKNOWN,
            right_stop: Bounds::UNKNOWN,
            mean: self.sum_of_means(&parts)?,
            max_temperature: hot.as_ref().and_then(HotParts::max_temperature),
            parts,
            best: Vec::new(),
            line: Vec::new(),
            thermostrat: None,
            picks: Vec::new(),
            nodes: 0,
        };
        if let Some(switches) = self.as_switches(&solution)? {
            solution.thermostrat = thermostrats[who.index()].take();
            self.fill_switches(&mut solution, &switches, &constant)?;
            list_best(&mut solution);
            solution.picks = picks(self, &solution, out_of_time)?;
            if let Some(first) = solution.best.first().cloned() {
                solution.line = self.line_of_switches(&solution, &first)?;
            }
            return Ok(solution);
        }
        let table = match Table::new(self, &roots) {
            Ok(table) => table,
            Err(Error::Overflow { .. }) => {
                self.fill_by_stops(&mut solution, &thermostrats, &constant)?;
                solution.thermostrat = thermostrats[who.index()].take();
                list_best(&mut solution);
                solution.picks = picks(self, &solution, out_of_time)?;
                return Ok(solution);
            }
            Err(e) => return Err(e),
        };
        let max_nodes = limits.nodes;
        let max_nodes = max_nodes.unwrap_or_else(|| default_nodes(components.len()));
        let mut search = Search::new(&table, max_nodes, deadline);
        // A search looks at the clock only after some work; if the time is up already, none begins.
        search.is_out_of_time();
        let mut places = Vec::with_capacity(components.len());
        for p in &solution.parts {
            places.push(match p.options.is_empty() {
                true => Place::NOTHING,
                false => table.place_of(self, p.value.0)?,
            });
        }
        let board = Board { places, constant };
        let (state, offset) = board.after(&search, usize::MAX, Place::NOTHING);
        for side in [who, who.other()] {
            if let Some(t) = &thermostrats[side.index()] {
                let guarantee = t.bound.to_dyadic();
                let reach = self.sum_of_stops(&solution.parts, side)?;
                let inside = |x: Option<Dyadic>| {
                    let x = x?.checked_sub(&board.constant).ok()?;
                    table.scale(&x).ok().map(|x| x - offset)
                };
                search.seed(&state, side, inside(guarantee), inside(Some(reach)));
            }
            let stop = board.bounds(&table, stop_bounds(&mut search, &state, side), offset)?;
            match side {
                Player::Left => solution.left_stop = stop,
                Player::Right => solution.right_stop = stop,
            }
        }
        solution.thermostrat = thermostrats[who.index()].take();
        self.fill_values(&mut solution, &mut search, &board)?;
        tighten(&mut solution);
        list_best(&mut solution);
        solution.picks = picks(self, &solution, || search.is_out_of_time())?;
        if let Some(first) = solution.best.first().cloned() {
            solution.line = self.principal_line(&solution, &first, &board, &mut search)?;
        }
        solution.nodes = search.nodes;
        Ok(solution)
    }

    /// The player's options of a component as given, equal values once (the first of them).
    fn distinct_options(&mut self, form: FormId, who: Player) -> Result<Vec<(FormId, GameId)>> {
        let (l, r) = self.options_as_given(form)?;
        let mut out: Vec<(FormId, GameId)> = Vec::new();
        let mut seen = crate::hash::FastSet::default();
        for o in if who == Player::Left { l } else { r } {
            let v = self.value(o)?;
            if seen.insert(v.0) {
                out.push((o, v));
            }
        }
        Ok(out)
    }

    fn fill_values(
        &mut self,
        s: &mut SumSolution,
        search: &mut Search<'_>,
        board: &Board,
    ) -> Result<()> {
        let table = search.table;
        let whole: i128 = board.places.iter().map(|p| p.offset).sum();
        let hottest = board.places.iter().map(|p| search.heat(p.node)).max();
        let slack: i128 = board.places.iter().map(|p| search.slack(p.node)).sum();
        for j in 0..s.parts.len() {
            let mut v: Option<(i128, i128)> = None;
            let left = s.who == Player::Left;
            for k in 0..s.parts[j].options.len() {
                let form = s.parts[j].options[k].0;
                let id = self.value(form)?.0;
                let place = table.place_of(self, id)?;
                let (lo, hi) = if search.is_exhausted() {
                    // No time to look at the whole again: between 0 and the temperature, beside the number.
                    let heat = search.heat(place.node).max(hottest.unwrap_or(0));
                    let offset = whole - board.places[j].offset + place.offset;
                    let slack =
                        slack - search.slack(board.places[j].node) + search.slack(place.node);
                    if left {
                        (offset - heat - slack, offset + slack)
                    } else {
                        (offset - slack, offset + heat + slack)
                    }
                } else {
                    let (state, offset) = board.after(search, j, place);
                    // Only whether an option beats the best one of its part so far matters.
                    let beaten = v.filter(|b| b.0 == b.1).map(|b| b.0 - offset);
                    let (lo, hi) = option_bounds(search, &state, s.who.other(), beaten, left);
                    (lo + offset, hi + offset)
                };
                s.parts[j].options[k].1 = board.bounds(table, (lo, hi), 0)?;
                v = Some(match v {
                    None => (lo, hi),
                    Some((a, b)) if left => (a.max(lo), b.max(hi)),
                    Some((a, b)) => (a.min(lo), b.min(hi)),
                });
            }
            s.parts[j].v = match v {
                None => None,
                Some(ends) => Some(board.bounds(table, ends, 0)?),
            };
        }
        Ok(())
    }

    /// The thermographs of the parts that are no numbers, and the sum of the numbers; `None` if one is too
    /// deep for the limits.
    fn hot_parts(&mut self, parts: &[PartSolution], constant: &Dyadic) -> Result<Option<HotParts>> {
        let mut hot = HotParts {
            constant: Rational::from(constant),
            thermographs: Vec::new(),
        };
        for (i, p) in parts.iter().enumerate() {
            if self.as_number(p.value).is_none() {
                match self.thermograph_within_limits(p.value)? {
                    Some(t) => hot.thermographs.push((i, t)),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(hot))
    }

    fn sum_of_means(&mut self, parts: &[PartSolution]) -> Result<Option<Dyadic>> {
        let mut sum = Dyadic::ZERO;
        for p in parts {
            let mean = match self.as_nus(p.value) {
                Some(n) => Some(n.number),
                None => match self.thermograph_within_limits(p.value)? {
                    Some(t) => t.mean.to_dyadic(),
                    None => None,
                },
            };
            match mean.map(|m| sum.checked_add(&m)) {
                Some(Ok(x)) => sum = x,
                _ => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// No stop of a sum is better for its player than the sum of the stops.
    fn sum_of_stops(&self, parts: &[PartSolution], who: Player) -> Result<Dyadic> {
        let mut sum = Dyadic::ZERO;
        for p in parts {
            let stop = match who {
                Player::Left => &self.head(p.value.0).left_stop,
                Player::Right => &self.head(p.value.0).right_stop,
            };
            sum = sum.checked_add(stop)?;
        }
        Ok(sum)
    }
}

fn stop_bounds(search: &mut Search<'_>, state: &[NodeId], who: Player) -> (i128, i128) {
    match search.exact(state, who) {
        Ok(v) => (v, v),
        Err(Stopped) => search.known_bounds(state, who),
    }
}

/// The stop after an option: exact, or proved not better than `beaten`, or bounds at the limit.
fn option_bounds(
    search: &mut Search<'_>,
    state: &[NodeId],
    who: Player,
    beaten: Option<i128>,
    left: bool,
) -> (i128, i128) {
    let (lo, hi) = search.known_bounds(state, who);
    let (alpha, beta) = match beaten {
        Some(b) if left => ((lo - 1).max(b - 1), hi + 1),
        Some(b) => (lo - 1, (hi + 1).min(b + 1)),
        None => (lo - 1, hi + 1),
    };
    if alpha >= beta {
        return (lo, hi);
    }
    match search.stop(state, who, alpha, beta, 0) {
        Err(Stopped) => search.known_bounds(state, who),
        Ok(v) if v <= alpha => (lo, v.min(hi)),
        Ok(v) if v >= beta => (v.max(lo), hi),
        Ok(v) => (v, v),
    }
}

/// At a limit, the moves may say more than the whole: its stop is the best V.
fn tighten(s: &mut SumSolution) {
    if s.stop().exact().is_some() {
        return;
    }
    let left = s.who == Player::Left;
    let stop = if left {
        &mut s.left_stop
    } else {
        &mut s.right_stop
    };
    let known: Vec<&Bounds> = s.parts.iter().filter_map(|p| p.v.as_ref()).collect();
    let (lows, highs) = (known.iter().map(|v| &v.low), known.iter().map(|v| &v.high));
    let (low, high) = if left {
        (lows.max(), highs.max())
    } else {
        (lows.min(), highs.min())
    };
    if let Some(low) = low.filter(|low| **low > stop.low) {
        stop.low = low.clone();
    }
    if let Some(high) = high.filter(|high| **high < stop.high) {
        stop.high = high.clone();
    }
}

fn list_best(s: &mut SumSolution) {
    let Some(stop) = s.stop().exact() else {
        return;
    };
    for (part, p) in s.parts.iter().enumerate() {
        for (option, b) in &p.options {
            if b.exact().as_ref() == Some(&stop) {
                s.best.push(ScoredMove {
                    part,
                    option: *option,
                    score: stop.clone(),
                });
            }
        }
    }
}
