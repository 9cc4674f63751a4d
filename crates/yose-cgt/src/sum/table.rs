//! The followers of a sum's components, prepared for search: reduced up to infinitesimals, shifted to
//! mean 0, hash-consed again, numbered from hot to cold, with all scores as integers over one power
//! of two.
//!
//! Why this is exact for scores: games that differ by an infinitesimal have equal stops in every
//! sum; numbers only add; the stop of a sum of non-numbers is reached without a move in a number
//! (number avoidance).

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::hash::FastMap;

/// Index of a [`Node`]; [`NUMBER`] = nothing left to play.
pub(crate) type NodeId = u32;
pub(crate) const NUMBER: NodeId = u32::MAX;

/// Beyond this many followers a component is searched unreduced: reducing could cost more than it saves.
const REDUCE_UP_TO: usize = 2_000;

/// A move: the score it gains (in means) and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    pub(crate) to: NodeId,
    pub(crate) gain: i128,
}

/// A game of mean 0 that is no number, up to infinitesimals.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) left: Vec<Edge>,
    pub(crate) right: Vec<Edge>,
    pub(crate) left_stop: i128,
    pub(crate) right_stop: i128,
    pub(crate) temperature: i128,
    /// {h | -h}
    pub(crate) is_switch: bool,
    /// The node of the negative game, if it occurs.
    pub(crate) negative: NodeId,
}

/// Where a value lives in the table: a node plus a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) node: NodeId,
    pub(crate) offset: i128,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) nodes: Vec<Node>,
    places: FastMap<u32, Place>,
    exponent: u32,
    /// Scores stay below this, so that no sum over the parts can overflow.
    greatest: u128,
    /// While building: equal shapes at different means are one node.
    shapes: FastMap<(Vec<Edge>, Vec<Edge>), NodeId>,
}

struct Raw {
    id: u32,
    mean: Dyadic,
    temperature: Dyadic,
}

impl Table {
    /// The table for these values and all their followers.
    pub(crate) fn new(games: &mut Games, roots: &[GameId]) -> Result<Self> {
        // Every follower of every root, and what stands for it in the search.
        let mut light: Vec<(u32, u32)> = Vec::new();
        for root in roots {
            let followers = games.options_first(&[root.0], |s, i| s.nus_of(i).is_none())?;
            let reduce = followers.len() <= REDUCE_UP_TO;
            if followers.is_empty() {
                light.push((root.0, root.0));
            }
            for f in followers {
                let r = if reduce {
                    games.reduced(GameId(f))?.0
                } else {
                    f
                };
                light.push((f, r));
                for o in games.left_ids(f).iter().chain(games.right_ids(f)) {
                    light.push((*o, *o));
                }
            }
        }
        light.sort_unstable();
        light.dedup();
        // A value may be listed both as itself (seen as an option) and reduced; prefer reduced.
        let mut stands_for: FastMap<u32, u32> = FastMap::default();
        for (f, r) in light {
            let e = stands_for.entry(f).or_insert(r);
            if r != f {
                *e = r;
            }
        }
        let targets: Vec<u32> = stands_for.values().copied().collect();
        let order = games.options_first(&targets, |s, i| {
            let h = s.head(i);
            h.left_stop != h.right_stop
        })?;
        let mut raw = Vec::with_capacity(order.len());
        for &id in &order {
            let (mean, temperature) = (games.mean(GameId(id))?, games.temperature(GameId(id))?);
            raw.push(Raw {
                id,
                mean,
                temperature,
            });
        }
        let mut table = Self {
            exponent: common_exponent(games, &raw, &targets),
            greatest: (1 << 123) / (roots.len() as u128 + 1),
            ..Self::default()
        };
        for r in &raw {
            table.insert(games, r)?;
        }
        for (&f, &r) in &stands_for {
            if f != r {
                let p = table.place_of(games, r)?;
                table.places.insert(f, p);
            }
        }
        table.shapes = FastMap::default();
        table.sort_hot_first();
        table.find_negatives();
        Ok(table)
    }

    pub(crate) fn scale(&self, x: Dyadic) -> Result<i128> {
        x.scaled(self.exponent)
            .filter(|m| m.unsigned_abs() < self.greatest)
            .ok_or(Error::overflow("scores over a common denominator"))
    }

    pub(crate) fn unscale(&self, x: i128) -> Result<Dyadic> {
        Dyadic::new(x, self.exponent)
    }

    /// Where a value lives. Infinitesimals are forgotten: a numberish game is its number.
    pub(crate) fn place_of(&self, games: &Games, id: u32) -> Result<Place> {
        if let Some(p) = self.places.get(&id) {
            return Ok(*p);
        }
        let h = games.head(id);
        if h.left_stop == h.right_stop {
            return Ok(Place {
                node: NUMBER,
                offset: self.scale(h.left_stop)?,
            });
        }
        Err(Error::overflow("a follower missing from the table"))
    }

    fn insert(&mut self, games: &Games, r: &Raw) -> Result<()> {
        let mean = self.scale(r.mean)?;
        let edges = |ids: &[u32]| -> Result<Vec<Edge>> {
            let mut out = Vec::with_capacity(ids.len());
            for &o in ids {
                let p = self.place_of(games, o)?;
                out.push(Edge {
                    to: p.node,
                    gain: p.offset - mean,
                });
            }
            out.sort_unstable_by_key(|e| (e.to, e.gain));
            out.dedup();
            Ok(out)
        };
        let (left, right) = (edges(games.left_ids(r.id))?, edges(games.right_ids(r.id))?);
        let h = games.head(r.id);
        let is_switch = matches!((&left[..], &right[..]),
            ([a], [b]) if a.to == NUMBER && b.to == NUMBER && a.gain == -b.gain);
        let node = Node {
            left_stop: self.scale(h.left_stop)? - mean,
            right_stop: self.scale(h.right_stop)? - mean,
            temperature: self.scale(r.temperature)?,
            is_switch,
            negative: NUMBER,
            left,
            right,
        };
        let at = u32::try_from(self.nodes.len()).map_err(|_| Error::overflow("node id"))?;
        let shape = (node.left.clone(), node.right.clone());
        let at = match self.shapes.get(&shape) {
            Some(&old) => old,
            None => {
                self.shapes.insert(shape, at);
                self.nodes.push(node);
                at
            }
        };
        self.places.insert(
            r.id,
            Place {
                node: at,
                offset: mean,
            },
        );
        Ok(())
    }

    /// Numbers the nodes from hot to cold, so that a sorted state lists the hottest part first.
    fn sort_hot_first(&mut self) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&i| (-self.nodes[i].temperature, i));
        let mut new_id = vec![NUMBER; self.nodes.len()];
        for (new, &old) in order.iter().enumerate() {
            new_id[old] = u32::try_from(new).unwrap_or(NUMBER);
        }
        let renamed = |to: NodeId| {
            if to == NUMBER {
                NUMBER
            } else {
                new_id[to as usize]
            }
        };
        let mut nodes = Vec::with_capacity(order.len());
        for old in order {
            let mut n = self.nodes[old].clone();
            for side in [&mut n.left, &mut n.right] {
                for e in side.iter_mut() {
                    e.to = renamed(e.to);
                }
                side.sort_unstable_by_key(|e| (e.to, e.gain));
            }
            nodes.push(n);
        }
        self.nodes = nodes;
        for p in self.places.values_mut() {
            p.node = renamed(p.node);
        }
    }

    fn find_negatives(&mut self) {
        let mut by_shape: FastMap<(Vec<Edge>, Vec<Edge>), NodeId> = FastMap::default();
        for (i, n) in self.nodes.iter().enumerate() {
            let i = u32::try_from(i).unwrap_or(NUMBER);
            by_shape
                .entry((n.left.clone(), n.right.clone()))
                .or_insert(i);
        }
        // Options are colder or hotter in any order, so ask in order of height: repeat until stable,
        // which takes at most as many rounds as the tallest game is high.
        let mut pending: Vec<usize> = (0..self.nodes.len()).collect();
        loop {
            let before = pending.len();
            let mut found: Vec<(usize, NodeId)> = Vec::new();
            pending.retain(|&i| {
                let n = &self.nodes[i];
                let flip = |edges: &[Edge]| -> Option<Vec<Edge>> {
                    let mut out = Vec::with_capacity(edges.len());
                    for e in edges {
                        let to = match e.to {
                            NUMBER => NUMBER,
                            t => Some(self.nodes[t as usize].negative).filter(|&x| x != NUMBER)?,
                        };
                        out.push(Edge { to, gain: -e.gain });
                    }
                    out.sort_unstable_by_key(|e| (e.to, e.gain));
                    Some(out)
                };
                let (Some(l), Some(r)) = (flip(&n.right), flip(&n.left)) else {
                    return true;
                };
                match by_shape.get(&(l, r)) {
                    Some(&neg) => {
                        found.push((i, neg));
                        false
                    }
                    None => true,
                }
            });
            for (i, neg) in found {
                self.nodes[i].negative = neg;
            }
            if pending.len() == before || before > 4096 {
                break;
            }
        }
    }
}

fn common_exponent(games: &Games, raw: &[Raw], targets: &[u32]) -> u32 {
    let of = |id: u32| {
        let h = games.head(id);
        h.left_stop.exponent().max(h.right_stop.exponent())
    };
    let mut e = targets.iter().map(|&t| of(t)).max().unwrap_or(0);
    for r in raw {
        e = e
            .max(r.mean.exponent())
            .max(r.temperature.exponent())
            .max(of(r.id));
        for &o in games.left_ids(r.id).iter().chain(games.right_ids(r.id)) {
            e = e.max(of(o));
        }
    }
    e
}
