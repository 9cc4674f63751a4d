//! What an area is worth: search of its local game graph under the mathematical rules.

use yose_cgt::{Error, GameId, Games};
use yose_go::Colour;

use crate::area::Area;
use crate::evaluate::{Enclosure, Values};
use crate::field::Field;
use crate::graph::{Graph, NodeId};
use crate::value::Worth;

/// How far a search goes. What is not reached is bounded, never guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalLimits {
    /// Most positions expanded for one area (those known from earlier ones are free).
    pub nodes: u64,
    /// Most distinct games of all areas together.
    pub games: u64,
}

impl Default for LocalLimits {
    fn default() -> Self {
        Self {
            nodes: 100_000,
            games: 4_000_000,
        }
    }
}

/// Positions expanded before values are looked at for the first time.
const FIRST_BATCH: u64 = 64;

/// Moves tried in proofs that a position is settled, for each position that may be expanded.
const SETTLING_MOVES: u64 = 4;

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
    /// Positions expanded for this area.
    pub nodes: u64,
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
        let (nodes, complete) = self.search(&roots)?;

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
    /// expanded. Gives the number of positions expanded, and whether those were all.
    fn search(&mut self, roots: &[NodeId]) -> Result<(u64, bool), Error> {
        let mut nodes = 0;
        self.graph
            .allow_settling(self.limits.nodes.saturating_mul(SETTLING_MOVES));
        loop {
            let left = self.limits.nodes.saturating_sub(nodes);
            let values = &self.values;
            let batch = left.min(FIRST_BATCH.max(2 * nodes));
            let done = |graph: &Graph, node| values.is_exact(graph, node);
            let (expanded, complete) = self.graph.explore(roots, done, batch);
            nodes += expanded;
            self.values.evaluate(&mut self.games, &self.graph, roots)?;
            let exact = roots
                .iter()
                .all(|&root| self.values.is_exact(&self.graph, root));
            if exact || complete || expanded == left {
                return Ok((nodes, exact || complete));
            }
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
