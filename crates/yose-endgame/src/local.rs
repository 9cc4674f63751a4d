//! What an area is worth: search of its local game graph under the mathematical rules.

use yose_cgt::{Error, GameId, Games};
use yose_go::Colour;

use crate::area::Area;
use crate::evaluate::{Enclosure, Values};
use crate::field::Field;
use crate::graph::{Graph, Growth, NodeId};
use crate::value::Worth;

/// How far a search goes. What is not reached is bounded, never guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalLimits {
    /// Most new positions for one area (those known from earlier ones are free). Work and memory go with
    /// it: some ten microseconds and a hundred bytes each for a small area, ten times that for a large one.
    pub nodes: usize,
    /// Most points of all positions remembered, of all areas together: 4 bytes each.
    pub points: u64,
    /// Most distinct games of all areas together.
    pub games: u64,
}

impl Default for LocalLimits {
    fn default() -> Self {
        Self {
            nodes: 300_000,
            points: 1 << 26,
            games: 4_000_000,
        }
    }
}

/// New positions before values are looked at for the first time.
const FIRST_BATCH: usize = 200;

/// Moves tried in proofs that a position is settled, for each new position that may be met.
const SETTLING_MOVES: u64 = 2;

/// How a value is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Proved. No rule about repetitions makes a difference to it.
    Exact,
    /// The value hangs on a ko. [`LocalSolution::low`] and [`LocalSolution::high`] hold if every
    /// repetition counts for White, for Black; nothing more is claimed.
    Ko,
    /// The value hangs on a repetition that is no simple ko; bounds as for a ko.
    Repetition,
    /// A limit was reached, but something is proved.
    Bounds,
    /// A limit was reached, and nothing is proved beyond what counting points and stones says.
    Unknown,
}

impl Status {
    /// The word in reports: `exact`, `ko`, `bounds` (also for repetitions that are no ko), `unknown`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Ko => "ko",
            Self::Repetition | Self::Bounds => "bounds",
            Self::Unknown => "unknown",
        }
    }
}

/// A legal move of an area and what is left after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalMove {
    /// Who plays.
    pub colour: Colour,
    /// Where: an index into the places of the area.
    pub place: usize,
    /// The area after it, prisoners included, is worth at least this.
    pub low: GameId,
    /// And at most this: the same if it is known exactly.
    pub high: GameId,
}

impl LocalMove {
    /// The value of what is left, if it is known exactly.
    #[must_use]
    pub fn exact(&self) -> Option<GameId> {
        (self.low == self.high).then_some(self.low)
    }
}

/// What is known of an area. Black (Left) is positive; games belong to [`LocalSolver::games`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSolution {
    /// How the value is known.
    pub status: Status,
    /// Proved: the value is at least this game.
    pub low: GameId,
    /// Proved: the value is at most this game.
    pub high: GameId,
    /// All legal moves of both sides, Black's first, each in order of places.
    pub moves: Vec<LocalMove>,
    /// New positions met for this area, up to symmetry and exchange of colours.
    pub nodes: usize,
}

impl LocalSolution {
    /// The value, if it is exact.
    #[must_use]
    pub fn exact(&self) -> Option<GameId> {
        (self.status == Status::Exact).then_some(self.low)
    }
}

/// Solves areas; what it has learnt of one it knows for all others.
///
/// The rules: normal play without passes and without suicide, a mover fills one point, each captured
/// stone is a free move for its captor. A group that becomes unconditionally alive is immortal at
/// once. Then an empty point of settled territory is worth 1, a dead stone 2, a dame nothing.
///
/// ```
/// use yose_endgame::{Area, LocalSolver};
/// let mut solver = LocalSolver::default();
/// let corridor = Area::from_rows(&["#BBB#", "W...B", "#BBB#"])?;
/// let solution = solver.solve(&corridor)?;
/// let value = solution.exact().expect("small and without ko");
/// assert_eq!(solver.games_mut().print(value)?, "{2||1|*}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LocalSolver {
    limits: LocalLimits,
    games: Games,
    graph: Graph,
    values: Values,
}

impl Default for LocalSolver {
    fn default() -> Self {
        Self::new(LocalLimits::default())
    }
}

impl LocalSolver {
    /// A solver that knows nothing yet.
    #[must_use]
    pub fn new(limits: LocalLimits) -> Self {
        let games = yose_cgt::Limits {
            games: limits.games.min(yose_cgt::Limits::default().games),
            ..Default::default()
        };
        Self {
            limits,
            games: Games::with_limits(games),
            graph: Graph::default(),
            values: Values::default(),
        }
    }

    /// The arena of the values.
    #[must_use]
    pub const fn games(&self) -> &Games {
        &self.games
    }

    /// The arena of the values, to compute with.
    pub const fn games_mut(&mut self) -> &mut Games {
        &mut self.games
    }

    /// Different local positions met so far (up to symmetry and exchange of colours).
    #[must_use]
    pub fn positions(&self) -> usize {
        self.graph.len()
    }

    /// What an area is worth. A limit shows in [`LocalSolution::status`].
    ///
    /// # Errors
    /// If not even the bounds fit into the limits.
    pub fn solve(&mut self, area: &Area) -> Result<LocalSolution, Error> {
        let (field, mut at, indices) = Field::of(area);
        let cols = area.cols();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let coordinates = indices
            .iter()
            .map(|&i| (number(i / cols), number(i % cols)))
            .collect();
        let before = self.graph.len();
        let root = self.graph.outcome(&field, at, &coordinates, 0);
        field.settle(&mut at);
        let mut moves = Vec::new();
        for colour in [Colour::Black, Colour::White] {
            for point in crate::field::members(at.empty()) {
                if let Some(next) = self.graph.after(&field, &at, &coordinates, colour, point) {
                    moves.push((colour, indices[point], next));
                }
            }
        }
        let mut roots: Vec<NodeId> = root.parts.iter().map(|part| part.0).collect();
        roots.extend(moves.iter().flat_map(|m| m.2.parts.iter().map(|p| p.0)));
        let complete = self.search(&roots, before)?;
        let nodes = self.graph.len() - before;

        let Enclosure { low, high } =
            self.values
                .of_outcome(&mut self.games, &self.graph, &root)?;
        let status = if low == high {
            Status::Exact
        } else if complete {
            if self.hangs_on_ko(&roots) {
                Status::Ko
            } else {
                Status::Repetition
            }
        } else {
            let mut trivial = Values::default();
            std::mem::swap(&mut trivial, &mut self.values);
            let nothing = Values::default().of_outcome(&mut self.games, &self.graph, &root);
            std::mem::swap(&mut trivial, &mut self.values);
            if nothing? == (Enclosure { low, high }) {
                Status::Unknown
            } else {
                Status::Bounds
            }
        };
        let mut local_moves = Vec::with_capacity(moves.len());
        for (colour, place, next) in moves {
            let value = self
                .values
                .of_outcome(&mut self.games, &self.graph, &next)?;
            local_moves.push(LocalMove {
                colour,
                place,
                low: value.low,
                high: value.high,
            });
        }
        Ok(LocalSolution {
            status,
            low,
            high,
            moves: local_moves,
            nodes,
        })
    }

    /// Everything that players ask of an exact value.
    ///
    /// # Errors
    /// Errors of the thermograph: a limit, or a number too large.
    pub fn worth(&mut self, value: GameId) -> Result<Worth, Error> {
        Worth::of(&mut self.games, value)
    }

    /// Expands and evaluates by turns, since values often meet their bounds long before everything is
    /// expanded. `before`: positions known before this area. Says whether nothing was left out.
    fn search(&mut self, roots: &[NodeId], before: usize) -> Result<bool, Error> {
        let most = before.saturating_add(self.limits.nodes);
        let moves = u64::try_from(self.limits.nodes).unwrap_or(u64::MAX);
        self.graph
            .allow_settling(moves.saturating_mul(SETTLING_MOVES));
        let mut batch = FIRST_BATCH;
        loop {
            let growth = Growth {
                positions: before.saturating_add(batch).min(most),
                points: self.limits.points,
            };
            let values = &self.values;
            let done = |graph: &Graph, node| values.is_exact(graph, node);
            let complete = self.graph.explore(roots, done, growth);
            self.values.evaluate(&mut self.games, &self.graph, roots)?;
            let mut open = roots
                .iter()
                .filter(|&&r| !self.values.is_exact(&self.graph, r));
            if complete || open.next().is_none() {
                return Ok(true);
            }
            if growth.positions >= most || self.graph.is_full(self.limits.points) {
                return Ok(false);
            }
            batch = batch.saturating_mul(3);
        }
    }

    /// Is there a ko among the positions whose value is open?
    fn hangs_on_ko(&self, roots: &[NodeId]) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(node) = stack.pop() {
            if self.values.is_exact(&self.graph, node) || !seen.insert(node) {
                continue;
            }
            if self.graph.is_ko(node) {
                return true;
            }
            stack.extend(self.graph.followers(node));
        }
        false
    }
}
