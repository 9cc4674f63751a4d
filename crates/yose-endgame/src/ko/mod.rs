//! What a region with a ko is worth to whoever wins all kos.

mod wall;

use std::collections::HashMap;

use yose_cgt::{Error, Games, Rational};

use crate::evaluate::Values;
use crate::graph::{Graph, NodeId, Outcome};
use wall::Line;

/// A thermograph if one player is master of the ko: wins it, but may not avoid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KoThermograph {
    /// The count: where the walls meet for good.
    pub mean: Rational,
    /// What a move is worth (the miai value).
    pub temperature: Rational,
    /// Score if Black moves first, by temperature: `(t, x)` at t = -1 and at each change of slope; vertical
    /// above the last.
    pub left: Vec<(Rational, Rational)>,
    /// Score if White moves first.
    pub right: Vec<(Rational, Rational)>,
}

/// What a region with a ko is worth to either master. The two enclose what real threats leave, under the
/// rules for masters in `docs/endgame.md`; the stops of a board do not rest on them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KoWorth {
    /// If Black wins all kos.
    pub black: KoThermograph,
    /// If White wins all kos.
    pub white: KoThermograph,
}

/// Why there is no thermograph.
#[derive(Debug)]
enum Refusal {
    /// Not a simple ko, or too much of it.
    Unsupported,
    Failed(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Positions looked at for one thermograph.
const MOST_STATES: usize = 20_000;

/// A position as it stands, and whether the master has just taken a ko there, which the other may then not
/// take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    node: NodeId,
    negated: bool,
    taken: bool,
}

/// Left and right wall.
type Walls = [Line; 2];

/// Thermographs by ko-masters of an outcome that hangs on simple kos, at most one of them open at a time;
/// `None` for others.
///
/// The master may take a ko whenever it is open and must go on in it at his next turn; the other side may take it
/// too, but not take it back from the master. So the walls of the position after the master's take are
/// his scaffold alone, and each step of the scaffold costs him t: slopes beyond 1 and rational corners (Berlekamp
/// 1996, Mueller, Berlekamp and Spight 1996).
pub(crate) fn ko_worth(
    games: &mut Games,
    graph: &Graph,
    values: &Values,
    root: &Outcome,
) -> Result<Option<KoWorth>, Error> {
    let mut masters = Vec::new();
    for master in [0, 1] {
        let range: i64 = root
            .parts
            .iter()
            .map(|&(node, _)| graph.bounds(node).1 - graph.bounds(node).0)
            .sum();
        let mut search = KoSearch {
            games,
            graph,
            values,
            master,
            top: Rational::integer(i128::from(range) + 2),
            known: HashMap::new(),
            open: Vec::new(),
        };
        match search.thermograph(root) {
            Ok(thermograph) => masters.push(thermograph),
            Err(Refusal::Unsupported) => return Ok(None),
            Err(Refusal::Failed(Error::Limit { .. } | Error::Overflow { .. })) => return Ok(None),
            Err(Refusal::Failed(error)) => return Err(error),
        }
    }
    let Ok([black, white]) = <[KoThermograph; 2]>::try_from(masters) else {
        return Ok(None);
    };
    Ok(Some(KoWorth { black, white }))
}

struct KoSearch<'a> {
    games: &'a mut Games,
    graph: &'a Graph,
    values: &'a Values,
    /// 0 for Black, 1 for White.
    master: usize,
    /// Above this nothing happens any more.
    top: Rational,
    known: HashMap<State, Walls>,
    /// The positions on the way; one that comes again is no simple ko.
    open: Vec<State>,
}

impl KoSearch<'_> {
    fn thermograph(&mut self, root: &Outcome) -> Result<KoThermograph, Refusal> {
        let [left, right] = self.walls_of(root, false)?;
        // The walls are apart below the temperature and one above it.
        let mut temperature = Rational::MINUS_ONE;
        let mut corners: Vec<&Rational> = left.0.iter().chain(&right.0).map(|c| &c.0).collect();
        corners.sort_unstable();
        for t in corners {
            if left.at(t)? != right.at(t)? || left.at(t)? != left.at(&self.top)? {
                continue;
            }
            temperature = t.clone();
            break;
        }
        let short = |line: &Line| {
            let mut corners = line.0.clone();
            // The last corner is only the end of the range.
            while let [.., a, b] = corners.as_slice() {
                if a.1 != b.1 {
                    break;
                }
                corners.pop();
            }
            corners
        };
        Ok(KoThermograph {
            mean: left.at(&self.top)?,
            temperature,
            left: short(&left),
            right: short(&right),
        })
    }

    /// The walls of what is left after a move: exact parts added up, or one position with a ko.
    fn walls_of(&mut self, outcome: &Outcome, taken: bool) -> Result<Walls, Refusal> {
        let value = self.values.of_outcome(self.games, self.graph, outcome)?;
        if value.is_exact() {
            let thermograph = self.games.thermograph(value.low)?;
            let line = |wall: &yose_cgt::Wall| {
                let mut corners = wall.points().to_vec();
                let last = corners.last().ok_or(Refusal::Unsupported)?;
                if last.0 >= self.top {
                    return Err(Refusal::Unsupported);
                }
                corners.push((self.top.clone(), last.1.clone()));
                Ok(Line(corners))
            };
            return Ok([line(&thermograph.left)?, line(&thermograph.right)?]);
        }
        let (mut number, mut hot) = (i128::from(outcome.number), None);
        for &(node, negated) in &outcome.parts {
            let (low, high) = self.graph.bounds(node);
            if low == high {
                number += i128::from(if negated { -low } else { low });
            } else if hot.replace((node, negated)).is_some() {
                return Err(Refusal::Unsupported);
            }
        }
        let (node, negated) = hot.ok_or(Refusal::Unsupported)?;
        let state = State {
            node,
            negated,
            taken,
        };
        let [left, right] = self.walls(state)?;
        let number = Rational::integer(number);
        Ok([left.moved(&number, 0)?, right.moved(&number, 0)?])
    }

    fn walls(&mut self, state: State) -> Result<Walls, Refusal> {
        if let Some(known) = self.known.get(&state) {
            return Ok(known.clone());
        }
        let deep = self.open.len() >= 200 || self.known.len() >= MOST_STATES;
        if deep || self.open.contains(&state) {
            return Err(Refusal::Unsupported);
        }
        self.open.push(state);
        let walls = self.by_options(state);
        self.open.pop();
        let walls = walls?;
        self.known.insert(state, walls.clone());
        Ok(walls)
    }

    fn by_options(&mut self, state: State) -> Result<Walls, Refusal> {
        let Some(options) = self.graph.options(state.node) else {
            return Err(Refusal::Unsupported);
        };
        let mut scaffolds: [Option<Line>; 2] = [None, None];
        for mover in [0, 1] {
            let side = if state.negated { 1 - mover } else { mover };
            for outcome in &options.after[side] {
                let outcome = if state.negated {
                    negative(outcome)
                } else {
                    outcome.clone()
                };
                let takes = self.takes_ko(state, mover, &outcome);
                if takes && state.taken && mover != self.master {
                    continue;
                }
                let walls = self.walls_of(&outcome, takes && mover == self.master)?;
                // The other side moves next; this move has cost t.
                let tilt = if mover == 0 { -1 } else { 1 };
                let line = walls[1 - mover].moved(&Rational::ZERO, tilt)?;
                scaffolds[mover] = Some(match &scaffolds[mover] {
                    None => line,
                    Some(best) => best.extreme(&line, mover == 0)?,
                });
            }
        }
        let [left, right] = scaffolds;
        if state.taken {
            // The other side may leave it alone; then the master goes on.
            let (own, other) = if self.master == 0 {
                (left, right)
            } else {
                (right, left)
            };
            let own = own.ok_or(Refusal::Unsupported)?;
            let other = match other {
                None => own.clone(),
                Some(line) => line.extreme(&own, self.master == 1)?,
            };
            return Ok(if self.master == 0 {
                [own, other]
            } else {
                [other, own]
            });
        }
        let (Some(left), Some(right)) = (left, right) else {
            return Err(Refusal::Unsupported);
        };
        let temperature = left.last_above(&right)?.ok_or(Refusal::Unsupported)?;
        if temperature >= self.top {
            return Err(Refusal::Unsupported);
        }
        Ok([
            left.with_mast(&temperature)?,
            right.with_mast(&temperature)?,
        ])
    }

    /// Can the move be taken back at once?
    fn takes_ko(&self, from: State, mover: usize, outcome: &Outcome) -> bool {
        outcome.parts.iter().any(|&(next, negated)| {
            let back = if negated { mover } else { 1 - mover };
            self.graph.options(next).is_some_and(|options| {
                let mut parts = options.after[back].iter().flat_map(|o| &o.parts);
                parts.any(|&(part, again)| part == from.node && (again != negated) == from.negated)
            })
        })
    }
}

/// With colours exchanged.
fn negative(outcome: &Outcome) -> Outcome {
    Outcome {
        number: -outcome.number,
        parts: outcome
            .parts
            .iter()
            .map(|&(node, negated)| (node, !negated))
            .collect(),
    }
}
