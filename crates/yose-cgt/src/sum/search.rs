//! Exact stops of a tuple of components: alpha-beta with memory over the table.
//!
//! A state is the list of components left (sorted, hottest first); numbers and means are outside it, so its
//! mean is 0 and the stop with Left to move lies in [0, T_max], with Right to move in [-T_max, 0]. The
//! slack of games whose mean is not known exactly widens that.

use super::Player;
use super::table::{Edge, NUMBER, NodeId, Table};
use crate::hash::FastMap;
use std::time::Instant;

/// Deepest line searched by recursion; a state beyond it ends the search like the node limit does.
const MAX_PLY: u32 = 600;

/// The search stopped at a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopped;

/// When the time is up: by the clock, or because somebody says so.
#[derive(Clone, Copy, Default)]
pub(crate) struct Deadline<'a> {
    pub(crate) at: Option<Instant>,
    pub(crate) asked: Option<&'a dyn Fn() -> bool>,
}

impl Deadline<'_> {
    pub(crate) fn is_over(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at) || self.asked.is_some_and(|asked| asked())
    }
}

impl std::fmt::Debug for Deadline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deadline")
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Proved bounds of the stop, by state.
type Memo = FastMap<Box<[NodeId]>, (i128, i128)>;

#[derive(Debug)]
pub(crate) struct Search<'a> {
    pub(crate) table: &'a Table,
    memo: [Memo; 2],
    pub(crate) nodes: u64,
    pub(crate) max_nodes: u64,
    pub(crate) deadline: Deadline<'a>,
    out_of_time: bool,
    /// Parts seen since the last look at the clock.
    work: usize,
}

/// A move in a state.
#[derive(Debug, Clone, Copy)]
struct Move {
    part: usize,
    edge: Edge,
    hope: i128,
}

impl<'a> Search<'a> {
    pub(crate) fn new(table: &'a Table, max_nodes: u64, deadline: Deadline<'a>) -> Self {
        Self {
            table,
            memo: Default::default(),
            nodes: 0,
            max_nodes,
            deadline,
            out_of_time: false,
            work: 0,
        }
    }

    /// Sorts a list of components and cancels pairs G, -G.
    pub(crate) fn normal(&self, parts: &mut Vec<NodeId>) {
        parts.retain(|&p| p != NUMBER);
        parts.sort_unstable();
        // By runs of equal parts: 20,000 copies cost a walk over them, not a removal each.
        let mut runs: Vec<(NodeId, usize)> = Vec::new();
        for run in parts.chunk_by(|a, b| a == b) {
            runs.push((run[0], run.len()));
        }
        let mut cancelled = false;
        for i in 0..runs.len() {
            let (p, count) = runs[i];
            let negative = self.table.nodes[p as usize].negative;
            if negative == p {
                runs[i].1 = count % 2;
                cancelled |= count > 1;
            } else if negative != NUMBER
                && let Ok(j) = runs[i + 1..].binary_search_by_key(&negative, |r| r.0)
            {
                let pairs = count.min(runs[i + 1 + j].1);
                runs[i].1 -= pairs;
                runs[i + 1 + j].1 -= pairs;
                cancelled |= pairs > 0;
            }
        }
        if cancelled {
            parts.clear();
            for (p, count) in runs {
                parts.extend(std::iter::repeat_n(p, count));
            }
        }
    }

    /// The temperature of a part, 0 for a number.
    pub(crate) fn heat(&self, part: NodeId) -> i128 {
        if part == NUMBER {
            0
        } else {
            self.temperature(part)
        }
    }

    /// How far the mean of a part may be from 0.
    pub(crate) fn slack(&self, part: NodeId) -> i128 {
        if part == NUMBER {
            0
        } else {
            self.table.nodes[part as usize].slack
        }
    }

    fn temperature(&self, part: NodeId) -> i128 {
        self.table.nodes[part as usize].temperature
    }

    /// Bounds that need no search. The state is normal.
    pub(crate) fn static_bounds(&self, parts: &[NodeId], who: Player) -> (i128, i128) {
        let hottest = parts.first().map_or(0, |&p| self.temperature(p));
        let slack: i128 = if self.table.is_exact {
            0
        } else {
            parts.iter().map(|&p| self.slack(p)).sum()
        };
        match who {
            Player::Left => (-slack, hottest + slack),
            Player::Right => (-hottest - slack, slack),
        }
    }

    /// Bounds from earlier search and theory.
    pub(crate) fn known_bounds(&self, parts: &[NodeId], who: Player) -> (i128, i128) {
        let (lo, hi) = self.static_bounds(parts, who);
        match self.memo[who.index()].get(parts) {
            Some(&(a, b)) => (lo.max(a), hi.min(b)),
            None => (lo, hi),
        }
    }

    /// Tells the search what theory knows about a normal state: what `who` is sure of (Thermostrat) and what
    /// `who` cannot exceed (the sum of the stops).
    pub(crate) fn seed(
        &mut self,
        parts: &[NodeId],
        who: Player,
        guarantee: Option<i128>,
        reach: Option<i128>,
    ) {
        let (lo, hi) = self.static_bounds(parts, who);
        let (lo, hi) = match who {
            Player::Left => (lo.max(guarantee.unwrap_or(lo)), hi.min(reach.unwrap_or(hi))),
            Player::Right => (lo.max(reach.unwrap_or(lo)), hi.min(guarantee.unwrap_or(hi))),
        };
        self.memo[who.index()].insert(parts.into(), (lo, hi));
    }

    /// The stop, if no search is needed: nothing left, one part left, or switches only.
    fn closed(&self, parts: &[NodeId], who: Player) -> Option<i128> {
        match parts {
            [] => Some(0),
            [one] => {
                let n = &self.table.nodes[*one as usize];
                Some(if who == Player::Left {
                    n.left_stop
                } else {
                    n.right_stop
                })
            }
            _ => {
                // Hottest first is largest swing first: the players alternate down the list.
                let mut stop = 0;
                for (i, &p) in parts.iter().enumerate() {
                    let n = &self.table.nodes[p as usize];
                    if !n.is_switch {
                        return None;
                    }
                    stop += if i % 2 == 0 {
                        n.temperature
                    } else {
                        -n.temperature
                    };
                }
                Some(if who == Player::Left { stop } else { -stop })
            }
        }
    }

    /// The exact stop of a normal state.
    pub(crate) fn exact(&mut self, parts: &[NodeId], who: Player) -> Result<i128, Stopped> {
        let (lo, hi) = self.static_bounds(parts, who);
        self.stop(parts, who, lo - 1, hi + 1, 0)
    }

    /// Fail-soft alpha-beta: exact if the result lies strictly between alpha and beta, else a bound.
    pub(crate) fn stop(
        &mut self,
        parts: &[NodeId],
        who: Player,
        alpha: i128,
        beta: i128,
        ply: u32,
    ) -> Result<i128, Stopped> {
        if let Some(v) = self.closed(parts, who) {
            return Ok(v);
        }
        let (lo, hi) = self.known_bounds(parts, who);
        if lo == hi || lo >= beta {
            return Ok(lo);
        }
        if hi <= alpha {
            return Ok(hi);
        }
        self.count(ply, parts.len())?;
        let (alpha0, beta0) = (alpha, beta);
        let (mut alpha, mut beta) = (alpha.max(lo - 1), beta.min(hi + 1));
        let left = who == Player::Left;
        let mut best = if left { lo } else { hi };
        let mut child = Vec::with_capacity(parts.len());
        for m in self.moves(parts, who) {
            child.clear();
            child.extend(
                parts
                    .iter()
                    .enumerate()
                    .filter(|&(i, _)| i != m.part)
                    .map(|(_, &p)| p),
            );
            child.push(m.edge.to);
            self.normal(&mut child);
            let g = m.edge.gain;
            let v = g + self.stop(&child, who.other(), alpha - g, beta - g, ply + 1)?;
            if left {
                best = best.max(v);
                alpha = alpha.max(v);
            } else {
                best = best.min(v);
                beta = beta.min(v);
            }
            if alpha >= beta || (left && best >= hi) || (!left && best <= lo) {
                break;
            }
        }
        self.learn(parts, who, best, alpha0, beta0, lo, hi);
        Ok(best)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the window and the bounds belong together"
    )]
    fn learn(
        &mut self,
        parts: &[NodeId],
        who: Player,
        v: i128,
        alpha: i128,
        beta: i128,
        lo: i128,
        hi: i128,
    ) {
        let (lo, hi) = if v <= alpha {
            (lo, hi.min(v))
        } else if v >= beta {
            (lo.max(v), hi)
        } else {
            (v, v)
        };
        self.memo[who.index()].insert(parts.into(), (lo, hi));
    }

    fn count(&mut self, ply: u32, parts: usize) -> Result<(), Stopped> {
        if self.out_of_time || self.nodes >= self.max_nodes || ply > MAX_PLY {
            return Err(Stopped);
        }
        self.nodes += 1;
        // The clock is slow; look at it now and then, the sooner the more parts there are.
        self.work += parts;
        if self.work >= 4096 {
            self.work = 0;
            if self.is_out_of_time() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Looks at the clock. Once the time is up, no search begins any more.
    pub(crate) fn is_out_of_time(&mut self) -> bool {
        self.out_of_time |= self.deadline.is_over();
        self.out_of_time
    }

    /// Neither time nor states are left.
    pub(crate) fn is_exhausted(&mut self) -> bool {
        self.nodes >= self.max_nodes || self.is_out_of_time()
    }

    /// The moves, most promising first: what the mean gains, less what the threat that is left behind
    /// exceeds the rest of the board by.
    fn moves(&self, parts: &[NodeId], who: Player) -> Vec<Move> {
        let mut out = Vec::new();
        for (i, &p) in parts.iter().enumerate() {
            if i > 0 && parts[i - 1] == p {
                continue;
            }
            let ambient = match i {
                0 => parts.get(1).map_or(0, |&q| self.temperature(q)),
                _ => self.temperature(parts[0]),
            };
            let n = &self.table.nodes[p as usize];
            let edges = if who == Player::Left {
                &n.left
            } else {
                &n.right
            };
            for &edge in edges {
                let left_hot = if edge.to == NUMBER {
                    0
                } else {
                    self.temperature(edge.to)
                };
                let gain = if who == Player::Left {
                    edge.gain
                } else {
                    -edge.gain
                };
                out.push(Move {
                    part: i,
                    edge,
                    hope: gain - (left_hot - ambient).max(0),
                });
            }
        }
        out.sort_by_key(|m| -m.hope);
        out
    }
}
