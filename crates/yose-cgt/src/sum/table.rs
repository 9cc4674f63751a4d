//! The followers of a sum's components, prepared for search: reduced up to infinitesimals, shifted to
//! mean 0, hash-consed again, numbered from hot to cold, with all scores as integers over one power
//! of two.
//!
//! Scores are sums of stops, and only they must fit. A game so deep that its mean has too fine a
//! denominator, or that its thermograph was not to be had, is shifted by the middle of its stops instead;
//! its mean is then known to within half their difference (the node's slack), its temperature to be below
//! a bound. Both serve only to order moves and to bound scores, so answers stay exact.
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

/// A game that is no number, up to infinitesimals, of mean 0 (give or take its slack).
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) left: Vec<Edge>,
    pub(crate) right: Vec<Edge>,
    pub(crate) left_stop: i128,
    pub(crate) right_stop: i128,
    /// At most so hot.
    pub(crate) temperature: i128,
    /// The mean is at most so far from 0; 0 if it was known.
    pub(crate) slack: i128,
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

impl Place {
    /// Of a number that stands outside the table.
    pub(crate) const NOTHING: Self = Self {
        node: NUMBER,
        offset: 0,
    };
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) nodes: Vec<Node>,
    places: FastMap<u32, Place>,
    /// No node has slack.
    pub(crate) is_exact: bool,
    exponent: u32,
    /// Scores stay below this, so that no sum over the parts can overflow.
    greatest: u128,
    /// While building: equal shapes at different means are one node.
    shapes: FastMap<(Vec<Edge>, Vec<Edge>), NodeId>,
}

struct Raw {
    id: u32,
    /// Mean and temperature, where known.
    thermal: Option<(Dyadic, Dyadic)>,
}

impl Table {
    /// The table for these values, which are no numbers (their options may be), and all their followers.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the scores are too wide.
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
        let mut known = true;
        for &id in &order {
            // Once one thermograph did not fit, those of the games above it would not either.
            let thermal = if known { thermal(games, id)? } else { None };
            known = thermal.is_some();
            raw.push(Raw { id, thermal });
        }
        let greatest = (1 << 123) / (roots.len() as u128 + 1);
        let mut table = Self {
            exponent: common_exponent(games, &mut raw, &targets, greatest),
            greatest,
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
        table.is_exact = table.nodes.iter().all(|n| n.slack == 0);
        table.sort_hot_first();
        table.find_negatives();
        Ok(table)
    }

    pub(crate) fn scale(&self, x: &Dyadic) -> Result<i128> {
        x.scaled(self.exponent)
            .filter(|m| m.unsigned_abs() < self.greatest)
            .ok_or(Error::overflow(
                "scores of a sum take 120 bits over their common denominator",
            ))
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
                offset: self.scale(&h.left_stop)?,
            });
        }
        Err(Error::overflow("a follower missing from the table"))
    }

    fn insert(&mut self, games: &Games, r: &Raw) -> Result<()> {
        let h = games.head(r.id);
        let (left_stop, right_stop) = (self.scale(&h.left_stop)?, self.scale(&h.right_stop)?);
        let (mean, known) = match &r.thermal {
            Some((mean, temperature)) => (self.scale(mean)?, Some(self.scale(temperature)?)),
            // The exponent leaves room for the half.
            None => ((left_stop + right_stop) / 2, None),
        };
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
        let is_switch = matches!((&left[..], &right[..]),
            ([a], [b]) if a.to == NUMBER && b.to == NUMBER && a.gain == -b.gain);
        let node = Node {
            left_stop: left_stop - mean,
            right_stop: right_stop - mean,
            temperature: match known {
                Some(t) => t,
                None => self.hottest_possible(games, r.id)?,
            },
            // The mean of a switch is the middle of its stops.
            slack: match known {
                None if !is_switch => (left_stop - right_stop + 1) / 2,
                _ => 0,
            },
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

    /// A bound on the temperature. Above the temperatures of all options these are masts, and the
    /// scaffolds meet where `max mean(G^L) - t = min mean(G^R) + t`, if they have not met before; and a
    /// mean lies between the stops.
    fn hottest_possible(&self, games: &Games, id: u32) -> Result<i128> {
        let mut hottest = 0;
        let mut ends = [None; 2];
        for &o in games.left_ids(id).iter().chain(games.right_ids(id)) {
            let node = self.place_of(games, o)?.node;
            if node != NUMBER {
                hottest = hottest.max(self.nodes[node as usize].temperature);
            }
        }
        for &o in games.left_ids(id) {
            ends[0] = ends[0].max(Some(self.scale(&games.head(o).left_stop)?));
        }
        for &o in games.right_ids(id) {
            ends[1] = ends[1].max(Some(-self.scale(&games.head(o).right_stop)?));
        }
        let gap: i128 = ends.into_iter().flatten().sum();
        // Rounded up; exact for switches, as the closed form needs it.
        Ok(hottest.max((gap + 1).div_euclid(2)))
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

/// Mean and temperature, unless they are too fine or a limit was met.
fn thermal(games: &mut Games, id: u32) -> Result<Option<(Dyadic, Dyadic)>> {
    let both = games
        .mean(GameId(id))
        .and_then(|mean| Ok((mean, games.temperature(GameId(id))?)));
    match both {
        Ok(both) => Ok(Some(both)),
        Err(Error::Limit { .. } | Error::Overflow { .. }) => Ok(None),
        Err(e) => Err(e),
    }
}

/// The exponent of a denominator common to all stops and to as many means and temperatures as fit below
/// `greatest`; those that do not are forgotten.
fn common_exponent(games: &Games, raw: &mut [Raw], targets: &[u32], greatest: u128) -> u32 {
    let mut of_stops = 0;
    let mut bits = 0;
    let mut see = |id: u32| {
        let h = games.head(id);
        for x in [&h.left_stop, &h.right_stop] {
            of_stops = of_stops.max(x.exponent());
            let whole = x.floor_saturating().unsigned_abs();
            bits = bits.max(128 - whole.leading_zeros());
        }
    };
    targets.iter().for_each(|&t| see(t));
    for r in raw.iter() {
        see(r.id);
        games.left_ids(r.id).iter().for_each(|&o| see(o));
        games.right_ids(r.id).iter().for_each(|&o| see(o));
    }
    // A temperature is at most the greatest difference of stops.
    let room = (127 - greatest.leading_zeros()).saturating_sub(bits + 2);
    let mut exponent = of_stops;
    for r in raw {
        if let Some((mean, temperature)) = &r.thermal {
            let fine = mean.exponent().max(temperature.exponent());
            if fine <= room {
                exponent = exponent.max(fine);
            } else {
                r.thermal = None;
            }
        }
        if r.thermal.is_none() {
            exponent = exponent.max(of_stops + 1);
        }
    }
    exponent
}
