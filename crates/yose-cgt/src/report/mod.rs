//! Answers as plain data, ready for JSON: what `yose cgt` and `yose best 'SUM'` print.
//!
//! Keys are a contract with scripts (adding some is fine). Numbers are strings such as `"3/4"`; what is
//! not known is `null`.

mod sum;

pub use crate::ranking::Ranking;
pub use sum::{BestMove, Ranked, Region, StrategyMove, SumReport, WholeValue, best};

use crate::arena::{Games, Limits};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::text;
use crate::thermograph::{Thermograph, Wall};
use serde::Serialize;
use std::sync::Arc;

/// Everything `yose cgt` says about one game.
#[derive(Debug, Clone, Serialize)]
pub struct CgtReport {
    /// The text as given.
    pub input: String,
    /// Canonical form.
    pub canonical: String,
    /// Left stop.
    pub left_stop: String,
    /// Right stop.
    pub right_stop: String,
    /// Left stop minus right stop.
    pub swing: String,
    /// Mean; `null` as for the thermograph.
    pub mean: Option<String>,
    /// Temperature: the lowest meeting point of the walls; `null` as for the thermograph.
    pub temperature: Option<String>,
    /// Is the value a number?
    pub is_number: bool,
    /// `L`, `R`, `N` or `P`.
    pub outcome: &'static str,
    /// Formal birthday.
    pub birthday: String,
    /// The game against 0 and against its stops.
    pub compare: Compare,
    /// The walls; `null` for games so deep that they meet [`Limits`].
    pub thermograph: Option<Walls>,
    /// Cooled by 1.
    pub chilled: Option<String>,
    /// Reduced canonical form (up to infinitesimals); `null` for large games.
    pub reduced: Option<String>,
    /// Atomic weight; `null` if the game is not all-small, or large.
    pub atomic_weight: Option<String>,
    /// Undominated incentives of both players; `null` for large games.
    pub incentives: Option<Sides>,
    /// The relation to another game, when one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vs: Option<Versus>,
    /// The thermograph itself, for plots.
    #[serde(skip)]
    pub plot: Option<Arc<Thermograph>>,
}

/// One of `<` `>` `=` `||` each: the game to the left of the sign.
#[derive(Debug, Clone, Serialize)]
pub struct Compare {
    /// Against 0.
    pub zero: &'static str,
    /// Against its left stop.
    pub left_stop: &'static str,
    /// Against its right stop.
    pub right_stop: &'static str,
}

/// `[t, x]` corners from t = -1, vertical above the last.
#[derive(Debug, Clone, Serialize)]
pub struct Walls {
    /// Left wall.
    pub left: Vec<[String; 2]>,
    /// Right wall.
    pub right: Vec<[String; 2]>,
}

/// Texts for Left and for Right.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sides {
    /// Left's.
    pub left: Vec<String>,
    /// Right's.
    pub right: Vec<String>,
}

/// The second game of `--vs`.
#[derive(Debug, Clone, Serialize)]
pub struct Versus {
    /// The text as given.
    pub input: String,
    /// Its canonical form.
    pub canonical: String,
    /// First game REL second game.
    pub relation: &'static str,
}

/// Games with more followers get no reduced form, incentives or atomic weight in a report.
const SMALL: usize = 300;

/// New games for each of these, which add and compare whole games.
const EXTRA: u64 = 20_000;

fn corners(w: &Wall) -> Vec<[String; 2]> {
    w.points()
        .iter()
        .map(|(t, x)| [t.to_string(), x.to_string()])
        .collect()
}

/// `None` where an answer is undefined or too large, errors otherwise.
fn optional<T>(r: Result<T>) -> Result<Option<T>> {
    match r {
        Ok(x) => Ok(Some(x)),
        Err(Error::Undefined { .. } | Error::Limit { .. } | Error::Overflow { .. }) => Ok(None),
        Err(e) => Err(e),
    }
}

/// The report for `yose cgt EXPRESSION [--vs B]`.
///
/// ```
/// let r = yose_cgt::report::cgt("{10|{0|-100}} + {8|-8}", Some("3"), yose_cgt::Limits::default())?;
/// assert_eq!((r.left_stop.as_str(), r.mean.as_deref(), r.temperature.as_deref()), ("8", Some("0"), Some("10")));
/// assert_eq!(r.vs.unwrap().relation, "||");
/// # Ok::<(), yose_cgt::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] (offsets are in the text at fault), [`Error::Limit`], [`Error::Overflow`],
/// [`Error::Undefined`] from operations in the expression.
pub fn cgt(input: &str, vs: Option<&str>, limits: Limits) -> Result<CgtReport> {
    let mut games = Games::with_limits(limits);
    let g = &mut games;
    let id = g.parse_value(input)?;
    let (ls, rs) = (g.left_stop(id), g.right_stop(id));
    let (zero, l, r) = (g.integer(0)?, g.number(ls.clone())?, g.number(rs.clone())?);
    let compare = Compare {
        zero: g.compare(id, zero)?.symbol(),
        left_stop: g.compare(id, l)?.symbol(),
        right_stop: g.compare(id, r)?.symbol(),
    };
    let vs = match vs {
        None => None,
        Some(text) => {
            let other = g.parse_value(text)?;
            Some(Versus {
                input: text.to_string(),
                canonical: g.print(other)?,
                relation: g.compare(id, other)?.symbol(),
            })
        }
    };
    let plot = optional(g.thermograph(id))?;
    // Counting walks down integers; their followers are of no interest here.
    let small = g
        .options_first(&[id.0], |s, i| s.nus_of(i).is_none())?
        .len()
        <= SMALL;
    let (mut reduced, mut atomic_weight, mut incentives) = (None, None, None);
    if small {
        reduced = match optional(g.within(EXTRA, |g| g.reduced(id)))? {
            Some(x) => Some(g.print(x)?),
            None => None,
        };
        atomic_weight = match optional(g.within(EXTRA, |g| g.atomic_weight(id)))? {
            Some(x) => Some(g.print(x)?),
            None => None,
        };
        let both = g.within(EXTRA, |g| {
            Ok((g.left_incentives(id)?, g.right_incentives(id)?))
        });
        incentives = match optional(both)? {
            None => None,
            Some((l, r)) => {
                let mut print = |ids: Vec<_>| ids.into_iter().map(|i| g.print(i)).collect();
                let (left, right): (Result<_>, Result<_>) = (print(l), print(r));
                Some(Sides {
                    left: left?,
                    right: right?,
                })
            }
        };
    }
    let chilled = match optional(g.cool(id, &Dyadic::ONE))? {
        Some(x) => optional(g.print(x))?,
        None => None,
    };
    Ok(CgtReport {
        input: input.to_string(),
        canonical: g.print(id)?,
        left_stop: ls.to_string(),
        right_stop: rs.to_string(),
        swing: (ls - rs)?.to_string(),
        mean: optional(g.mean(id))?.map(|x| x.to_string()),
        temperature: optional(g.temperature(id))?.map(|x| x.to_string()),
        is_number: g.as_number(id).is_some(),
        outcome: g.outcome(id)?.letter(),
        birthday: g.birthday(id)?.to_string(),
        compare,
        thermograph: plot.as_ref().map(|t| Walls {
            left: corners(&t.left),
            right: corners(&t.right),
        }),
        chilled,
        reduced,
        atomic_weight,
        incentives,
        vs,
        plot,
    })
}

impl CgtReport {
    /// For a terminal: aligned, with a thermograph in text. Ends with a line feed.
    #[must_use]
    pub fn to_text(&self) -> String {
        text::cgt(self)
    }
}
