//! What an area is worth: search of its local game graph under the mathematical rules.

use yose_cgt::{Error, GameId, Games};
use yose_go::{Colour, Suicide};

use crate::area::Area;
use crate::component::Coordinates;
use crate::evaluate::{Enclosure, Values};
use crate::field::{Field, Stones, members};
use crate::graph::{Graph, Growth, NodeId, Outcome};
use crate::ko::{KoWorth, ko_worth};
use crate::seki;
use crate::selfcheck;
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
    /// Proved, and a seki: stones of both colours stand that neither side can take, and each liberty they
    /// share is a loss to whoever fills it.
    Seki,
    /// A limit was reached, but something is proved.
    Bounds,
    /// A limit was reached, and nothing is proved beyond what counting points and stones says.
    Unknown,
}

impl Status {
    /// Is the value proved?
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact | Self::Seki)
    }

    /// The word in reports: `exact`, `seki`, `ko`, `bounds` (also for repetitions that are no ko), `unknown`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Seki => "seki",
            Self::Ko => "ko",
            Self::Repetition | Self::Bounds => "bounds",
            Self::Unknown => "unknown",
        }
    }
}

/// What kept a search from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`LocalLimits::nodes`].
    Positions,
    /// [`LocalLimits::points`].
    Points,
    /// [`LocalLimits::games`], or a value too large for the arena.
    Games,
    /// The caller said so.
    Stopped,
    /// The region has more than [`crate::MOST_POINTS`] points in play, or is too long.
    TooLarge,
}

impl Limit {
    /// What was reached, in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Positions => "limit of positions",
            Self::Points => "limit of points remembered",
            Self::Games => "limit of games",
            Self::Stopped => "limit of time",
            Self::TooLarge => "too large to be searched",
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
    /// How that is known: exact or not, [`Status::Seki`] is not told apart.
    pub status: Status,
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
    /// What kept the search from its end; a value can be exact all the same.
    pub limit: Option<Limit>,
    /// For [`Status::Ko`]: what it is worth to whoever wins all kos, if that is known.
    pub ko: Option<KoWorth>,
}

impl LocalSolution {
    /// The value, if it is exact.
    #[must_use]
    pub fn exact(&self) -> Option<GameId> {
        self.status.is_exact().then_some(self.low)
    }
}

/// Solves areas; what it has learnt of one it knows for all others. Debug builds solve small areas three times
/// and compare.
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
    /// Without suicide, with suicide of several stones: what is legal makes other positions of the same
    /// picture.
    books: [Book; 2],
    /// Whether small regions are solved once more, as `selfcheck` does.
    checks: bool,
}

/// Positions and their values under one rule about suicide.
#[derive(Debug)]
struct Book {
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
            books: [false, true].map(|suicide| Book {
                graph: Graph::new(suicide),
                values: Values::default(),
            }),
            checks: cfg!(debug_assertions),
        }
    }

    /// For the self-checks, which would have no end otherwise.
    pub(crate) fn without_checks(mut self) -> Self {
        self.checks = false;
        self
    }

    /// From now on it knows no closed form ([`crate::Shape`]) and searches everything: the way to compare them.
    #[must_use]
    pub fn without_closed_forms(mut self) -> Self {
        for book in &mut self.books {
            book.graph.without_closed_forms();
        }
        self
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
        self.books.iter().map(|book| book.graph.len()).sum()
    }

    /// What an area is worth without suicide. A limit shows in [`LocalSolution::status`].
    ///
    /// # Errors
    /// If not even the bounds fit into the limits.
    pub fn solve(&mut self, area: &Area) -> Result<LocalSolution, Error> {
        self.solve_until(area, Suicide::Forbidden, &|| false)
    }

    /// What an area is worth, until `should_stop` says so: it is asked now and then, and what is proved by
    /// then is given. Suicide of several stones is a move like any other: it takes one's own stones off and
    /// makes them prisoners. (Suicide of one stone is a pass and never better than other moves.)
    ///
    /// # Errors
    /// If not even the bounds fit into the limits.
    pub fn solve_until(
        &mut self,
        area: &Area,
        suicide: Suicide,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<LocalSolution, Error> {
        let book = &mut self.books[usize::from(suicide != Suicide::Forbidden)];
        let mut search = Search {
            limits: self.limits,
            games: &mut self.games,
            graph: &mut book.graph,
            values: &mut book.values,
            should_stop,
        };
        let solution = search.solve(area)?;
        let small = (1..=selfcheck::MOST_NODES).contains(&solution.nodes);
        if self.checks && small && solution.limit.is_none() {
            let fault = selfcheck::pictures(&mut self.games, area, suicide, &solution);
            selfcheck::demand(&fault);
        }
        Ok(solution)
    }

    /// Everything that players ask of an exact value.
    ///
    /// # Errors
    /// Errors of the thermograph: a limit, or a number too large.
    pub fn worth(&mut self, value: GameId) -> Result<Worth, Error> {
        Worth::of(&mut self.games, value)
    }
}

/// One area being solved.
struct Search<'a> {
    limits: LocalLimits,
    games: &'a mut Games,
    graph: &'a mut Graph,
    values: &'a mut Values,
    should_stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    fn solve(&mut self, area: &Area) -> Result<LocalSolution, Error> {
        let (field, mut at, indices) = Field::of(area);
        let cols = area.cols();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let coordinates = indices
            .iter()
            .map(|&i| (number(i / cols), number(i % cols)))
            .collect();
        let before = self.graph.len();
        let root = self.graph.outcome(&field, at, &coordinates, 0);
        field.settle(&mut at, self.graph.form());
        let mut moves = Vec::new();
        for colour in [Colour::Black, Colour::White] {
            for point in members(at.empty()) {
                if let Some(next) = self.graph.after(&field, &at, &coordinates, colour, point) {
                    moves.push((colour, indices[point], next));
                }
            }
        }
        let mut roots: Vec<NodeId> = root.parts.iter().map(|part| part.0).collect();
        roots.extend(moves.iter().flat_map(|m| m.2.parts.iter().map(|p| p.0)));
        let limit = self.search(&roots, before)?;
        let nodes = self.graph.len() - before;

        let Enclosure { low, high } = self.values.of_outcome(self.games, self.graph, &root)?;
        let mut status = self.status(&root, low, high, limit)?;
        if status == Status::Exact && self.is_seki(&field, &at, &coordinates, low)? {
            status = Status::Seki;
        }
        if cfg!(debug_assertions) && low == high && nodes <= selfcheck::MOST_NODES {
            let fault = selfcheck::parity(self.games, self.graph, self.values, &root);
            selfcheck::demand(&fault);
        }
        let ko = match status {
            Status::Ko => ko_worth(self.games, self.graph, self.values, &root)?,
            _ => None,
        };
        let mut local_moves = Vec::with_capacity(moves.len());
        for (colour, place, next) in moves {
            let Enclosure { low, high } = self.values.of_outcome(self.games, self.graph, &next)?;
            local_moves.push(LocalMove {
                colour,
                place,
                low,
                high,
                status: self.status(&next, low, high, limit)?,
            });
        }
        Ok(LocalSolution {
            status,
            low,
            high,
            moves: local_moves,
            nodes,
            limit,
            ko,
        })
    }

    /// How what is known of an outcome is known, once the search is over.
    fn status(
        &mut self,
        outcome: &Outcome,
        low: GameId,
        high: GameId,
        limit: Option<Limit>,
    ) -> Result<Status, Error> {
        if low == high {
            return Ok(Status::Exact);
        }
        if limit.is_none() {
            let roots: Vec<NodeId> = outcome.parts.iter().map(|part| part.0).collect();
            let ko = self.hangs_on_ko(&roots);
            return Ok(if ko { Status::Ko } else { Status::Repetition });
        }
        let nothing = Values::default().of_outcome(self.games, self.graph, outcome)?;
        let same = nothing == (Enclosure { low, high });
        Ok(if same {
            Status::Unknown
        } else {
            Status::Bounds
        })
    }

    /// Expands and evaluates by turns, since values often meet their bounds long before everything is
    /// expanded. `before`: positions known before this area. Says what kept it from its end.
    fn search(&mut self, roots: &[NodeId], before: usize) -> Result<Option<Limit>, Error> {
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
            let values = &*self.values;
            let done = |graph: &Graph, node| graph.is_closed(node) || values.is_exact(graph, node);
            let complete = self.graph.explore(roots, done, growth, self.should_stop);
            let closed = self.values.close(self.games, self.graph)?;
            let fits = self.values.evaluate(self.games, self.graph, roots)? && closed;
            let mut open = roots
                .iter()
                .filter(|&&r| !self.values.is_exact(self.graph, r));
            if open.next().is_none() {
                return Ok(None);
            }
            if complete {
                return Ok((!fits).then_some(Limit::Games));
            }
            if (self.should_stop)() {
                return Ok(Some(Limit::Stopped));
            }
            if growth.positions >= most {
                return Ok(Some(Limit::Positions));
            }
            if self.graph.is_full(self.limits.points) {
                return Ok(Some(Limit::Points));
            }
            batch = batch.saturating_mul(3);
        }
    }

    /// Is a settled position worth a number, do stones of both colours share liberties that neither side can
    /// fill without loss, and can neither take a stone of the other?
    fn is_seki(
        &mut self,
        field: &Field,
        at: &Stones,
        places: &Coordinates,
        value: GameId,
    ) -> Result<bool, Error> {
        let shared = seki::shared(field, at);
        let Some(number) = self.games.as_number(value) else {
            return Ok(false);
        };
        if shared == 0 {
            return Ok(false);
        }
        for colour in [Colour::Black, Colour::White] {
            for point in members(shared) {
                let Some(next) = self.graph.after(field, at, places, colour, point) else {
                    continue;
                };
                // What bounds say is enough: the move loses whatever is left open.
                let after = self.values.of_outcome(self.games, self.graph, &next)?;
                let loses = match colour {
                    Colour::Black => self.games.right_stop(after.high) < number,
                    Colour::White => self.games.left_stop(after.low) > number,
                };
                if !loses {
                    return Ok(false);
                }
            }
        }
        let form = self.graph.form();
        Ok([Colour::Black, Colour::White]
            .into_iter()
            .all(|attacker| seki::cannot_take(field, at, attacker, form)))
    }

    /// Is there a ko among the positions whose value is open?
    fn hangs_on_ko(&self, roots: &[NodeId]) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(node) = stack.pop() {
            if self.values.is_exact(self.graph, node) || !seen.insert(node) {
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
