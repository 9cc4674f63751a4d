//! The report about a sum.

use super::{Sides, optional};
use crate::arena::{Games, Limits};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::form::FormId;
use crate::kind::Kind;
use crate::ranking::{Candidate, Ranking};
use crate::rational::Rational;
use crate::sum::{Bounds, Player, SumLimits, SumSolution};
use crate::text;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// New games allowed for finding the temperature of a whole sum: adding parts can take enormously many.
const WHOLE_BUDGET: u64 = 30_000;

/// Everything `yose best 'SUM'` says.
#[derive(Debug, Clone, Serialize)]
pub struct SumReport {
    /// `black` (Left) or `white` (Right).
    pub to_play: &'static str,
    /// The whole sum.
    pub value: WholeValue,
    /// The components, as typed.
    pub regions: Vec<Region>,
    /// The five readings.
    pub ranking: Ranking<Ranked>,
    /// All optimal moves.
    pub best: Vec<BestMove>,
    /// Perfect play: the options moved to, from the side to play on. Cut at 2,000 moves and at
    /// [`Limits::text`] bytes.
    pub line: Vec<String>,
    /// The region of each move of `line`.
    pub line_regions: Vec<String>,
    /// What each strategy would play; absent strategies are not known (limit) or have no move.
    pub strategies: BTreeMap<&'static str, StrategyMove>,
    /// Always `null` for sums: no rules of Go apply.
    pub score: Option<()>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
    /// Wall time of the whole answer.
    pub seconds: f64,
}

/// Stops, mean and temperature of the whole; `null` where not known exactly.
#[derive(Debug, Clone, Serialize)]
pub struct WholeValue {
    /// Left stop.
    pub left_stop: Option<String>,
    /// Right stop.
    pub right_stop: Option<String>,
    /// Mean.
    pub mean: Option<String>,
    /// Temperature of the sum (at most the hottest component's).
    pub temperature: Option<String>,
    /// Proved bounds `[low, high]` of the left stop.
    pub left_stop_bounds: [String; 2],
    /// Proved bounds `[low, high]` of the right stop.
    pub right_stop_bounds: [String; 2],
}

/// One component.
#[derive(Debug, Clone, Serialize)]
pub struct Region {
    /// `0`, `1`, .. as typed.
    pub id: String,
    /// Empty for sums.
    pub points: Vec<String>,
    /// Empty for sums.
    pub stones: Vec<String>,
    /// As typed, braces only.
    pub typed: String,
    /// Canonical form.
    pub value: String,
    /// Left stop.
    pub left_stop: String,
    /// Right stop.
    pub right_stop: String,
    /// Left stop minus right stop.
    pub swing: String,
    /// Mean; `null`, like all that follows from the thermograph, for games so deep that it meets
    /// [`Limits`].
    pub mean: Option<String>,
    /// Temperature; `null` as for the mean.
    pub temperature: Option<String>,
    /// What one move is worth; `null` for numbers.
    pub miai_value: Option<String>,
    /// The difference between both players having moved; `null` for numbers.
    pub deiri_value: Option<String>,
    /// Cooled by 1.
    pub chilled: Option<String>,
    /// `gote`, `black_sente`, `white_sente`, `number`, `dame`, `infinitesimal`.
    /// `null` as for the mean.
    pub kind: Option<&'static str>,
    /// `exact`, or `bounds` when a limit was reached before V was known.
    pub status: &'static str,
    /// The locally best options at the component's own temperature (none for numbers, nor where the
    /// temperature is not known).
    pub best: Sides,
    /// V_j: the stop of the whole after the best own move here; `null` for numbers or if not known.
    pub v: Option<String>,
    /// Proved bounds of V_j.
    pub v_bounds: Option<[String; 2]>,
}

/// One place in a ranking.
#[derive(Debug, Clone, Serialize)]
pub struct Ranked {
    /// The component.
    pub id: String,
    /// What is ranked.
    pub value: String,
    /// The option to play there.
    #[serde(rename = "move")]
    pub option: String,
}

/// An optimal move.
#[derive(Debug, Clone, Serialize)]
pub struct BestMove {
    /// The option moved to.
    #[serde(rename = "move")]
    pub option: String,
    /// In which component.
    pub region: String,
    /// The stop of the whole after it.
    pub score: String,
}

/// What a strategy plays.
#[derive(Debug, Clone, Serialize)]
pub struct StrategyMove {
    /// The option moved to.
    #[serde(rename = "move")]
    pub option: String,
    /// In which component.
    pub region: String,
    /// Points lost against the best move.
    pub loss: String,
}

/// The report for `yose best 'SUM'`. Left is black.
///
/// ```
/// use yose_cgt::{Limits, Player, SumLimits};
/// let r = yose_cgt::report::best("{10|{0|-100}} + {8|-8}", Player::Left, SumLimits::default(), Limits::default())?;
/// assert_eq!((r.best[0].region.as_str(), r.best[0].score.as_str()), ("1", "8"));
/// assert_eq!(r.strategies["hottest"].loss, "6");
/// # Ok::<(), yose_cgt::Error>(())
/// ```
///
/// # Errors
/// As [`super::cgt`]. A search limit is no error: what is not known is `null` and the bounds say the rest.
pub fn best(input: &str, who: Player, search: SumLimits, limits: Limits) -> Result<SumReport> {
    let start = Instant::now();
    let mut games = Games::with_limits(limits);
    let g = &mut games;
    let form = g.parse(input)?;
    let parts = g.components(form);
    let s = g.solve_sum(&parts, who, search)?;
    let mut regions = Vec::with_capacity(s.parts.len());
    for j in 0..s.parts.len() {
        regions.push(region(g, &s, j)?);
    }
    // A line through deep games could print one nesting a thousand times over: cut it at the limit of text.
    let mut line = Vec::new();
    let mut room = limits.text;
    for &(_, f) in &s.line {
        let text = option_text(g, f)?;
        let Some(left) = room.checked_sub(text.len() as u64) else {
            break;
        };
        room = left;
        line.push(text);
    }
    let mut best = Vec::new();
    for m in &s.best {
        best.push(BestMove {
            option: option_text(g, m.option)?,
            region: m.part.to_string(),
            score: m.score.to_string(),
        });
    }
    let mut strategies = BTreeMap::new();
    for p in &s.picks {
        let option = option_text(g, p.option)?;
        let (region, loss) = (p.part.to_string(), p.loss.to_string());
        strategies.insert(
            p.strategy.key(),
            StrategyMove {
                option,
                region,
                loss,
            },
        );
    }
    let ranking = ranking(g, &s)?;
    // The temperature of the whole comes last, and not at all when the time is up.
    let temperature = match search.time {
        Some(limit) if start.elapsed() >= limit => None,
        _ => {
            let values: Vec<_> = s.parts.iter().map(|p| p.value).collect();
            optional(g.sum_temperature(&values, WHOLE_BUDGET))?.flatten()
        }
    };
    let ends = |b: &Bounds| [b.low.to_string(), b.high.to_string()];
    Ok(SumReport {
        to_play: if who == Player::Left {
            "black"
        } else {
            "white"
        },
        value: WholeValue {
            left_stop: s.left_stop.exact().map(|x| x.to_string()),
            right_stop: s.right_stop.exact().map(|x| x.to_string()),
            mean: s.mean.as_ref().map(ToString::to_string),
            temperature: temperature.map(|t| t.to_string()),
            left_stop_bounds: ends(&s.left_stop),
            right_stop_bounds: ends(&s.right_stop),
        },
        regions,
        ranking,
        best,
        line_regions: s.line[..line.len()]
            .iter()
            .map(|m| m.0.to_string())
            .collect(),
        line,
        strategies,
        score: None,
        assumptions: Vec::new(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl SumReport {
    /// For a terminal: aligned columns. Ends with a line feed.
    #[must_use]
    pub fn to_text(&self) -> String {
        text::sum(self)
    }
}

fn option_text(g: &mut Games, f: FormId) -> Result<String> {
    let v = g.value(f)?;
    g.print(v)
}

fn region(g: &mut Games, s: &SumSolution, j: usize) -> Result<Region> {
    let p = &s.parts[j];
    let (ls, rs) = (g.left_stop(p.value), g.right_stop(p.value));
    let values = optional(g.miai_and_deiri(p.value))?.flatten();
    let kind = optional(g.kind(p.value))?;
    let temperature = optional(g.temperature(p.value))?;
    let chilled = match optional(g.cool(p.value, &Dyadic::ONE))? {
        Some(x) => optional(g.print(x))?,
        None => None,
    };
    let mut best = Sides::default();
    if let (Some(t), true) = (&temperature, kind != Some(Kind::Number)) {
        let (l, r) = g.options_as_given(p.form)?;
        let t = Rational::from(t);
        best.left = best_as_given(g, &l, &t, true)?;
        best.right = best_as_given(g, &r, &t, false)?;
    }
    let exact = p.v.as_ref().is_none_or(|v| v.exact().is_some());
    Ok(Region {
        id: j.to_string(),
        points: Vec::new(),
        stones: Vec::new(),
        typed: g.print_form(p.form)?,
        value: g.print(p.value)?,
        left_stop: ls.to_string(),
        right_stop: rs.to_string(),
        swing: (ls - rs)?.to_string(),
        mean: optional(g.mean(p.value))?.map(|x| x.to_string()),
        temperature: temperature.map(|x| x.to_string()),
        miai_value: values.as_ref().map(|v| v.0.to_string()),
        deiri_value: values.as_ref().map(|v| v.1.to_string()),
        chilled,
        kind: kind.map(Kind::key),
        status: if exact { "exact" } else { "bounds" },
        best,
        v: p.v.as_ref().and_then(Bounds::exact).map(|v| v.to_string()),
        v_bounds: p
            .v
            .as_ref()
            .map(|v| [v.low.to_string(), v.high.to_string()]),
    })
}

/// The options as given that reach the wall at temperature t, equal values once.
fn best_as_given(g: &mut Games, forms: &[FormId], t: &Rational, left: bool) -> Result<Vec<String>> {
    let mut best: Option<Rational> = None;
    let mut out: Vec<crate::GameId> = Vec::new();
    for &f in forms {
        let v = g.value(f)?;
        let Some(th) = optional(g.thermograph(v))? else {
            return Ok(Vec::new());
        };
        let x = if left {
            th.right.at(t)?
        } else {
            th.left.at(t)?
        };
        let better = best
            .as_ref()
            .is_none_or(|b| if left { x > *b } else { x < *b });
        if better {
            best = Some(x);
            out = vec![v];
        } else if best == Some(x) && !out.contains(&v) {
            out.push(v);
        }
    }
    out.into_iter().map(|v| g.print(v)).collect()
}

fn ranking(g: &mut Games, s: &SumSolution) -> Result<Ranking<Ranked>> {
    // Where each candidate stands, and the text of its best option.
    let (mut candidates, mut names) = (Vec::new(), Vec::new());
    for (j, p) in s.parts.iter().enumerate() {
        if p.v.is_none() {
            continue;
        }
        let v = p.v.as_ref().and_then(Bounds::exact);
        let option = p.options.iter().find(|o| v.is_some() && o.1.exact() == v);
        let option = match option.or(p.options.first()) {
            Some((f, _)) => option_text(g, *f)?,
            None => continue,
        };
        candidates.push(Candidate {
            temperature: optional(g.temperature(p.value))?,
            swing: (g.left_stop(p.value) - g.right_stop(p.value))?,
            v,
            kind: optional(g.kind(p.value))?,
        });
        names.push((j, option));
    }
    let ranking = Ranking::of(&candidates, s.who, s.stop().exact().as_ref())?;
    Ok(ranking.map(|place| {
        let (part, option) = &names[place.candidate];
        Ranked {
            id: part.to_string(),
            value: place.value.to_string(),
            option: option.clone(),
        }
    }))
}
