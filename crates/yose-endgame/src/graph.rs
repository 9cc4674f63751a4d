//! The graph of local positions: each position once, whatever its place, symmetry and colouring.

use std::collections::{HashMap, HashSet, VecDeque};

use yose_go::Colour;

use crate::component::{Component, Coordinates};
use crate::field::{Field, Stones, members};

/// The number of a position in its [`Graph`].
pub(crate) type NodeId = usize;

/// What is left after a move: points that are decided, and components that are not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Outcome {
    /// Territory and prisoners, Black minus White.
    pub(crate) number: i64,
    /// The open components; `true`: with colours exchanged. In order.
    pub(crate) parts: Vec<(NodeId, bool)>,
}

/// The moves of a position, each outcome once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// After a move of Black and after one of White.
    pub(crate) after: [Vec<Outcome>; 2],
}

/// A local position.
#[derive(Debug)]
struct Node {
    component: Component,
    /// Its moves, once it has been expanded.
    options: Option<Options>,
    trivial: (i64, i64),
}

/// All local positions met so far. It only grows; regions share it.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    by_name: HashMap<Component, NodeId>,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The moves of a position, if it has been expanded.
    pub(crate) fn options(&self, node: NodeId) -> Option<&Options> {
        self.nodes[node].options.as_ref()
    }

    /// Proved without any search: the value is at least and at most this.
    pub(crate) fn trivial_bounds(&self, node: NodeId) -> (i64, i64) {
        self.nodes[node].trivial
    }

    /// Takes a position apart: what is immortal leaves, what is settled is counted, the rest gets
    /// its numbers. `number` is what was decided before.
    pub(crate) fn outcome(
        &mut self,
        field: &Field,
        mut at: Stones,
        places: &Coordinates,
        number: i64,
    ) -> Outcome {
        field.settle(&mut at);
        let mut outcome = Outcome {
            number,
            parts: Vec::new(),
        };
        for part in field.parts(at.all) {
            let within = at.within(part);
            if let Some(settled) = within.settled() {
                outcome.number += settled;
                continue;
            }
            let named = Component::named(&within, part, places);
            let trivial = || {
                let (low, high) = within.trivial_bounds();
                if named.negated {
                    (-high, -low)
                } else {
                    (low, high)
                }
            };
            let node = match self.by_name.get(&named.component) {
                Some(&node) => node,
                None => {
                    let node = self.nodes.len();
                    self.nodes.push(Node {
                        component: named.component.clone(),
                        options: None,
                        trivial: trivial(),
                    });
                    self.by_name.insert(named.component, node);
                    node
                }
            };
            outcome.parts.push((node, named.negated));
        }
        outcome.parts.sort_unstable();
        outcome
    }

    /// What is left after a move; nothing if it is illegal. A captured stone is a prisoner and leaves a
    /// point.
    pub(crate) fn after(
        &mut self,
        field: &Field,
        at: &Stones,
        places: &Coordinates,
        colour: Colour,
        point: usize,
    ) -> Option<Outcome> {
        let (next, taken) = field.play(at, colour, point)?;
        let taken = i64::from(taken.count_ones());
        let number = match colour {
            Colour::Black => taken,
            Colour::White => -taken,
        };
        Some(self.outcome(field, next, places, number))
    }

    fn expand(&mut self, node: NodeId) {
        let (field, at, places) = self.nodes[node].component.field();
        let mut options = Options::default();
        for colour in [Colour::Black, Colour::White] {
            let mut seen = HashSet::new();
            for point in members(at.empty()) {
                if let Some(outcome) = self.after(&field, &at, &places, colour, point)
                    && seen.insert(outcome.clone())
                {
                    options.after[colour.index()].push(outcome);
                }
            }
        }
        self.nodes[node].options = Some(options);
    }

    /// Expands everything that can be reached from some positions, breadth first, except what is
    /// `done`, until `limit` positions have been expanded. Gives the number of them, and whether
    /// everything was reached.
    pub(crate) fn explore(
        &mut self,
        roots: &[NodeId],
        done: impl Fn(NodeId) -> bool,
        limit: u64,
    ) -> (u64, bool) {
        let mut queue: VecDeque<NodeId> = VecDeque::new();
        let mut seen: HashSet<NodeId> = HashSet::new();
        for &root in roots {
            if !done(root) && seen.insert(root) {
                queue.push_back(root);
            }
        }
        let (mut expanded, mut complete) = (0, true);
        while let Some(node) = queue.pop_front() {
            if self.nodes[node].options.is_none() {
                if expanded >= limit {
                    complete = false;
                    continue;
                }
                expanded += 1;
                self.expand(node);
            }
            for next in self.followers(node) {
                if !done(next) && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        (expanded, complete)
    }

    /// The components after any move of either side, repetitions kept.
    pub(crate) fn followers(&self, node: NodeId) -> Vec<NodeId> {
        let outcomes = self.nodes[node].options.iter();
        outcomes
            .flat_map(|options| options.after.iter().flatten())
            .flat_map(|outcome| outcome.parts.iter().map(|&(part, _)| part))
            .collect()
    }

    /// Can a player move from `node` to a position from which the other can at once move back? By
    /// counting stones each of the two moves then takes exactly one stone: a ko.
    pub(crate) fn is_ko(&self, node: NodeId) -> bool {
        let Some(options) = self.options(node) else {
            return false;
        };
        [0, 1].into_iter().any(|mover: usize| {
            let parts = options.after[mover].iter().flat_map(|o| &o.parts);
            parts.clone().any(|&(next, negated)| {
                let back = if negated { mover } else { 1 - mover };
                self.options(next).is_some_and(|options| {
                    let mut parts = options.after[back].iter().flat_map(|o| &o.parts);
                    parts.any(|&(part, again)| part == node && again == negated)
                })
            })
        })
    }
}
