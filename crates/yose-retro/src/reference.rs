//! The reference solver: value and exact distance in plies of every position of a game.
//!
//! Made to be read. It generates every successor once, by the forward rules alone, and then asks
//! for each distance d = 1, 2, 3, ... which of the positions still undecided are now decided:
//!
//! - `Win(d)` if some move leads to a loss in d - 1 for the other side;
//! - `Loss(d)` if every move leads to a win for the other side, the longest in d - 1;
//! - a position without moves has the value the game gives to being [stuck](Game::stuck);
//! - what is never decided is a draw.
//!
//! Un-moves, counters and queues, with which fast solvers go wrong, have no part in it.

use std::collections::{BTreeSet, HashMap};

use thiserror::Error;

use crate::{Game, Successor, Value};

/// The mark of an edge that holds the number of a value by rule instead of a child's index.
const BY_RULE: u32 = 1 << 31;

/// The greatest index size the solver takes: 2^31 positions.
pub const MAX_INDEX_SIZE: u64 = 1 << 31;

/// Up to this many indices, [`estimate`] counts the moves of all; above it looks at a sample of
/// this size.
pub const ESTIMATE_SAMPLE: u64 = 1 << 15;

/// Bytes the solver holds for one index: its value, where its moves start, and its place in the
/// list of undecided positions.
const BYTES_PER_INDEX: u64 =
    (size_of::<Option<Value>>() + size_of::<u64>() + size_of::<u32>()) as u64;

/// Bytes the solver holds for one move.
const BYTES_PER_MOVE: u64 = size_of::<u32>() as u64;

/// How often progress is reported while positions are generated.
const PROGRESS_STEP: u64 = 1 << 14;

/// How far a solve has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Moves are being counted: `done` of `total` indices.
    Counting {
        /// Indices visited so far.
        done: u64,
        /// All indices.
        total: u64,
    },
    /// Successors are being generated: `done` of `total` indices.
    Expanding {
        /// Indices visited so far.
        done: u64,
        /// All indices.
        total: u64,
    },
    /// All positions of this distance are decided.
    Level {
        /// The distance in plies.
        level: u32,
        /// Positions decided at this distance.
        decided: u64,
        /// Positions still undecided.
        undecided: u64,
    },
}

/// Why a game could not be solved. Every error but the first and the last is a fault of the
/// [`Game`], named by the position where it shows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The index is too large for this solver.
    #[error("{size} indices; the reference solver takes at most {MAX_INDEX_SIZE}")]
    TooLarge {
        /// The game's index size.
        size: u64,
    },
    /// A move leads to a position that has no index.
    #[error("move {mv} of {position} (index {index}) leads to {successor}, which has no index")]
    OutsideIndex {
        /// Index of the position with the move.
        index: u64,
        /// The position.
        position: String,
        /// The move.
        mv: String,
        /// The position after the move.
        successor: String,
    },
    /// A move leads to an index that the game says is a hole or beyond its index size.
    #[error("move {mv} of {position} (index {index}) leads to index {child}, which is a hole")]
    Hole {
        /// Index of the position with the move.
        index: u64,
        /// The position.
        position: String,
        /// The move.
        mv: String,
        /// The index after the move.
        child: u64,
    },
    /// A distance does not fit into 32 bits.
    #[error("a distance of {0} plies; the reference solver counts to {max}", max = u32::MAX - 1)]
    TooDeep(u32),
    /// The system refused the memory.
    #[error("the system refused {bytes} bytes of memory")]
    OutOfMemory {
        /// What was asked for.
        bytes: u64,
    },
}

/// What a solve will need, known before anything large is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// The game's index size, holes included.
    pub indices: u64,
    /// Moves of all positions together.
    pub moves: u64,
    /// Whether `moves` was counted over every index (`true`) or scaled up from a sample.
    pub exact: bool,
    /// Bytes of memory the solver will hold at its peak; from a sample, with a tenth to spare.
    pub bytes: u64,
}

/// Announces the memory that [`solve`] will take, without allocating it.
///
/// The moves of all positions are counted if the index has at most [`ESTIMATE_SAMPLE`] entries,
/// else those of a fixed, evenly spread sample of that many.
pub fn estimate<G: Game>(game: &G) -> Estimate {
    let indices = game.index_size();
    let exact = indices <= ESTIMATE_SAMPLE;
    let sample = indices.min(ESTIMATE_SAMPLE);
    let mut buffer = Vec::new();
    let mut counted = 0;
    for i in 0..sample {
        let index = if exact { i } else { spread(i, indices) };
        counted += count_moves(game, index, &mut buffer).unwrap_or(0);
    }
    let moves = if exact {
        counted
    } else {
        scale(counted, indices, sample)
    };
    let spare = if exact { 0 } else { moves / 10 };
    let bytes = bytes_needed(indices, moves.saturating_add(spare));
    Estimate {
        indices,
        moves,
        exact,
        bytes,
    }
}

/// The `i`-th point of a golden-ratio sequence over `0..size`: evenly spread, and out of step
/// with whatever period the index has.
fn spread(i: u64, size: u64) -> u64 {
    let fraction = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let scaled = (u128::from(fraction) * u128::from(size)) >> 64;
    u64::try_from(scaled).unwrap_or(0)
}

/// `counted * indices / sample`, saturating.
fn scale(counted: u64, indices: u64, sample: u64) -> u64 {
    let scaled = u128::from(counted) * u128::from(indices) / u128::from(sample.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

fn bytes_needed(indices: u64, moves: u64) -> u64 {
    let positions = indices.saturating_mul(BYTES_PER_INDEX);
    positions.saturating_add(moves.saturating_mul(BYTES_PER_MOVE))
}

/// The number of moves at an index, `None` for a hole.
fn count_moves<G: Game>(game: &G, index: u64, buffer: &mut Vec<G::Move>) -> Option<u64> {
    let position = game.unrank(index)?;
    buffer.clear();
    game.moves(&position, buffer);
    Some(buffer.len() as u64)
}

/// The value of every index of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    values: Vec<Option<Value>>,
    moves: u64,
}

impl Solution {
    /// The value at an index in the view of the side to move; `None` for a hole and beyond the end
    /// of the index.
    #[must_use]
    pub fn value(&self, index: u64) -> Option<Value> {
        self.values
            .get(usize::try_from(index).ok()?)
            .copied()
            .flatten()
    }

    /// The value of a position in the view of its side to move; `None` if it is outside the game's
    /// domain.
    pub fn value_of<G: Game>(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.value(game.rank(position)?)
    }

    /// One more than the greatest index.
    #[must_use]
    pub fn index_size(&self) -> u64 {
        self.values.len() as u64
    }

    /// Moves of all positions together, those that end the game included.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Every index that is not a hole with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Value)> {
        (0..)
            .zip(&self.values)
            .filter_map(|(index, value)| Some((index, (*value)?)))
    }
}

/// Solves a game: win, loss or draw and the exact distance of every index.
///
/// Takes the memory announced by [`estimate`]. `progress` is called every few thousand positions
/// and after each level.
///
/// ```
/// # use yose_retro::{Game, Successor, Value, reference};
/// # struct Ring;
/// # impl Game for Ring {
/// #     type Position = u64;
/// #     type Move = ();
/// #     fn index_size(&self) -> u64 { 5 }
/// #     fn rank(&self, p: &u64) -> Option<u64> { Some(*p) }
/// #     fn unrank(&self, i: u64) -> Option<u64> { Some(i) }
/// #     fn moves(&self, _: &u64, moves: &mut Vec<()>) { moves.push(()) }
/// #     fn play(&self, p: &u64, _: ()) -> Successor<u64> { Successor::Position((p + 1) % 5) }
/// #     fn stuck(&self) -> Value { Value::Loss(0) }
/// #     fn weight(&self, _: &u64) -> u64 { 1 }
/// #     fn symmetries(&self, _: &u64) -> Vec<u64> { vec![] }
/// # }
/// // Five positions in a ring, one move each: nobody ever loses.
/// let solution = reference::solve(&Ring, &mut |_| {})?;
/// assert!(solution.iter().all(|(_, value)| value == Value::Draw));
/// # Ok::<(), reference::SolveError>(())
/// ```
///
/// # Errors
/// [`SolveError`]: the index is too large, the system refuses the memory, or the game breaks a
/// promise of [`Game`]: a move that leaves the domain, a distance beyond 32 bits.
pub fn solve<G: Game>(
    game: &G,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution, SolveError> {
    let size = game.index_size();
    if size > MAX_INDEX_SIZE {
        return Err(SolveError::TooLarge { size });
    }
    let counted = count(game, progress)?;
    let graph = expand(game, counted, progress)?;
    decide(graph, game.stuck(), progress)
}

/// What the first pass finds: which indices are holes, and where the moves of each start.
struct Counted {
    values: Vec<Option<Value>>,
    starts: Vec<u64>,
}

/// The game as a graph. `values` holds `None` for holes and, until decided, a draw.
struct Graph {
    values: Vec<Option<Value>>,
    /// The edges of index i are `edges[starts[i]..starts[i + 1]]`.
    starts: Vec<u64>,
    /// A child's index, or `BY_RULE` and a number into `by_rule`.
    edges: Vec<u32>,
    /// The distinct values of [`Successor::Decided`].
    by_rule: Vec<Value>,
}

impl Graph {
    fn edges_of(&self, index: u32) -> &[u32] {
        let at = |i: usize| usize::try_from(self.starts[i]).unwrap_or(usize::MAX);
        &self.edges[at(index as usize)..at(index as usize + 1)]
    }

    /// The value after a move, in the view of the side then to move.
    fn value_after(&self, edge: u32) -> Value {
        if edge & BY_RULE == 0 {
            // Never a hole: `expand` has refused those.
            self.values[edge as usize].unwrap_or(Value::Draw)
        } else {
            self.by_rule[(edge & !BY_RULE) as usize]
        }
    }

    /// The value of an undecided position if its distance is `level`. Only what was decided at
    /// lower levels counts, so the order within a level does not matter.
    fn decided_at(&self, level: u32, index: u32) -> Option<Value> {
        let mut every_move_loses = true;
        for &edge in self.edges_of(index) {
            match self.value_after(edge) {
                Value::Loss(plies) if plies < level => return Some(Value::Win(level)),
                Value::Win(plies) if plies < level => {}
                _ => every_move_loses = false,
            }
        }
        every_move_loses.then_some(Value::Loss(level))
    }
}

fn count<G: Game>(game: &G, progress: &mut dyn FnMut(Progress)) -> Result<Counted, SolveError> {
    let total = game.index_size();
    let mut values = reserve(total)?;
    let mut starts = reserve(total + 1)?;
    let mut buffer = Vec::new();
    let mut moves = 0;
    starts.push(0);
    for index in 0..total {
        let count = count_moves(game, index, &mut buffer);
        values.push(count.map(|_| Value::Draw));
        moves += count.unwrap_or(0);
        starts.push(moves);
        if (index + 1) % PROGRESS_STEP == 0 {
            progress(Progress::Counting {
                done: index + 1,
                total,
            });
        }
    }
    Ok(Counted { values, starts })
}

fn expand<G: Game>(
    game: &G,
    counted: Counted,
    progress: &mut dyn FnMut(Progress),
) -> Result<Graph, SolveError> {
    let Counted { values, starts } = counted;
    let total = game.index_size();
    let mut edges = reserve(starts.last().copied().unwrap_or(0))?;
    let mut by_rule = Vec::new();
    let mut number_of = HashMap::new();
    let mut moves = Vec::new();
    for index in 0..total {
        let Some(position) = game.unrank(index) else {
            continue;
        };
        moves.clear();
        game.moves(&position, &mut moves);
        for &mv in &moves {
            let edge = match game.play(&position, mv) {
                Successor::Decided(value) => {
                    BY_RULE
                        | *number_of.entry(value).or_insert_with(|| {
                            by_rule.push(value);
                            // Fewer than 2^31 in any table that fits into memory.
                            u32::try_from(by_rule.len() - 1).unwrap_or(!BY_RULE)
                        })
                }
                Successor::Position(successor) => {
                    let child = game
                        .rank(&successor)
                        .ok_or_else(|| SolveError::OutsideIndex {
                            index,
                            position: format!("{position:?}"),
                            mv: format!("{mv:?}"),
                            successor: format!("{successor:?}"),
                        })?;
                    child_edge(&values, child).ok_or_else(|| SolveError::Hole {
                        index,
                        position: format!("{position:?}"),
                        mv: format!("{mv:?}"),
                        child,
                    })?
                }
            };
            edges.push(edge);
        }
        if (index + 1) % PROGRESS_STEP == 0 {
            progress(Progress::Expanding {
                done: index + 1,
                total,
            });
        }
    }
    Ok(Graph {
        values,
        starts,
        edges,
        by_rule,
    })
}

/// The edge to a child, `None` if the child is a hole or beyond the index.
fn child_edge(values: &[Option<Value>], child: u64) -> Option<u32> {
    let edge = u32::try_from(child).ok()?;
    values.get(edge as usize)?.is_some().then_some(edge)
}

fn decide(
    mut graph: Graph,
    stuck: Value,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution, SolveError> {
    let size = u32::try_from(graph.values.len()).unwrap_or(u32::MAX);
    let mut undecided: Vec<u32> = reserve(u64::from(size))?;
    // The levels at which something may be decided: one above every value known so far.
    let mut levels = BTreeSet::new();
    for value in &graph.by_rule {
        levels.extend(level_after(*value)?);
    }
    for index in 0..size {
        if graph.values[index as usize].is_none() {
            continue;
        }
        if graph.edges_of(index).is_empty() {
            graph.values[index as usize] = Some(stuck);
            levels.extend(level_after(stuck)?);
        } else {
            undecided.push(index);
        }
    }
    while let Some(level) = levels.pop_first() {
        let before = undecided.len();
        undecided.retain(|&index| {
            let value = graph.decided_at(level, index);
            if value.is_some() {
                graph.values[index as usize] = value;
            }
            value.is_none()
        });
        let decided = (before - undecided.len()) as u64;
        progress(Progress::Level {
            level,
            decided,
            undecided: undecided.len() as u64,
        });
        if decided > 0 {
            levels.extend(level_after(Value::Win(level))?);
        }
    }
    Ok(Solution {
        moves: graph.edges.len() as u64,
        values: graph.values,
    })
}

/// The level at which a position one move before this value may be decided.
fn level_after(value: Value) -> Result<Option<u32>, SolveError> {
    match value.depth() {
        None => Ok(None),
        Some(depth) => depth
            .checked_add(1)
            .map(Some)
            .ok_or(SolveError::TooDeep(depth)),
    }
}

/// An empty vector with room for exactly `len` elements.
fn reserve<T>(len: u64) -> Result<Vec<T>, SolveError> {
    let refused = || SolveError::OutOfMemory {
        bytes: len.saturating_mul(size_of::<T>() as u64),
    };
    let mut vec = Vec::new();
    let len = usize::try_from(len).map_err(|_| refused())?;
    vec.try_reserve_exact(len).map_err(|_| refused())?;
    Ok(vec)
}
