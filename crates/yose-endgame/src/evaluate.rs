//! Values of local positions, from below and from above.
//!
//! Without repetitions a position's value is made of its options' values. With repetitions it is
//! enclosed: if an endless repetition counts for Black the value is the greatest solution of
//! `G = {G^L | G^R}`, if it counts for White the least. Starting from bounds that hold anyway, each
//! application of that equation gives better ones, which are ordinary games without loops and proved
//! after every step. Where both meet, no rule about repetitions makes a difference.

use yose_cgt::{Error, GameId, Games};

use crate::graph::{Graph, NodeId, Outcome};

/// What is proved of a position: `low <= value <= high` as games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Enclosure {
    pub(crate) low: GameId,
    pub(crate) high: GameId,
}

impl Enclosure {
    pub(crate) fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// Values by number of the node; `None` = nothing but what the graph knows.
#[derive(Debug, Default)]
pub(crate) struct Values {
    known: Vec<Option<Enclosure>>,
}

/// How often a repeating part of the graph is gone through at most.
const MOST_ROUNDS: usize = 40;

impl Values {
    pub(crate) fn is_exact(&self, graph: &Graph, node: NodeId) -> bool {
        let known = self.known.get(node);
        graph.is_number(node) || known.is_some_and(|v| v.is_some_and(Enclosure::is_exact))
    }

    pub(crate) fn set(&mut self, node: NodeId, value: Enclosure) {
        if self.known.len() <= node {
            self.known.resize(node + 1, None);
        }
        self.known[node] = Some(value);
    }

    /// What is known of a position.
    pub(crate) fn of(
        &self,
        games: &mut Games,
        graph: &Graph,
        node: NodeId,
    ) -> Result<Enclosure, Error> {
        if let Some(Some(known)) = self.known.get(node)
            && !graph.is_number(node)
        {
            return Ok(*known);
        }
        let (low, high) = graph.bounds(node);
        Ok(Enclosure {
            low: games.integer(low)?,
            high: games.integer(high)?,
        })
    }

    /// What is known of an outcome: the sum of its parts.
    pub(crate) fn of_outcome(
        &self,
        games: &mut Games,
        graph: &Graph,
        outcome: &Outcome,
    ) -> Result<Enclosure, Error> {
        let number = games.integer(outcome.number)?;
        let mut sum = Enclosure {
            low: number,
            high: number,
        };
        for &(part, negated) in &outcome.parts {
            let mut value = self.of(games, graph, part)?;
            if negated {
                value = Enclosure {
                    low: games.neg(value.high)?,
                    high: games.neg(value.low)?,
                };
            }
            let exact = sum.is_exact() && value.is_exact();
            sum.low = games.add(sum.low, value.low)?;
            sum.high = if exact {
                sum.low
            } else {
                games.add(sum.high, value.high)?
            };
        }
        Ok(sum)
    }

    fn by_options(
        &self,
        games: &mut Games,
        graph: &Graph,
        node: NodeId,
    ) -> Result<Enclosure, Error> {
        let Some(options) = graph.options(node) else {
            return self.of(games, graph, node);
        };
        let mut sides = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        let mut exact = true;
        for (outcomes, (lows, highs)) in options.after.iter().zip(&mut sides) {
            for outcome in outcomes {
                let value = self.of_outcome(games, graph, outcome)?;
                exact &= value.is_exact();
                lows.push(value.low);
                highs.push(value.high);
            }
        }
        let [(left_lows, left_highs), (right_lows, right_highs)] = sides;
        let low = games.make(&left_lows, &right_lows)?;
        let high = if exact {
            low
        } else {
            games.make(&left_highs, &right_highs)?
        };
        Ok(Enclosure { low, high })
    }

    /// Takes over the values of closed forms; `false` if not all fit into the arena.
    pub(crate) fn close(&mut self, games: &mut Games, graph: &mut Graph) -> Result<bool, Error> {
        let mut left = Vec::new();
        for (node, shape) in std::mem::take(graph.shapes_mut()) {
            match shape.value(games) {
                Ok(value) => self.set(
                    node,
                    Enclosure {
                        low: value,
                        high: value,
                    },
                ),
                Err(Error::Limit { .. } | Error::Overflow { .. }) => left.push((node, shape)),
                Err(error) => return Err(error),
            }
        }
        let fits = left.is_empty();
        *graph.shapes_mut() = left;
        Ok(fits)
    }

    /// Evaluates everything below some positions. A full arena leaves bounds as they are; `false` says that
    /// this happened.
    pub(crate) fn evaluate(
        &mut self,
        games: &mut Games,
        graph: &Graph,
        roots: &[NodeId],
    ) -> Result<bool, Error> {
        let mut fits = true;
        for component in strong_components(graph, roots, |node| self.is_exact(graph, node)) {
            match self.evaluate_component(games, graph, &component) {
                Ok(()) => {}
                Err(Error::Limit { .. } | Error::Overflow { .. }) => fits = false,
                Err(error) => return Err(error),
            }
        }
        Ok(fits)
    }

    fn evaluate_component(
        &mut self,
        games: &mut Games,
        graph: &Graph,
        component: &[NodeId],
    ) -> Result<(), Error> {
        if let [node] = *component
            && !graph.followers(node).contains(&node)
        {
            let value = self.by_options(games, graph, node)?;
            self.set(node, value);
            return Ok(());
        }
        // Bounds of an earlier call were proved then and are a good start now.
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for &node in component {
                if self.is_exact(graph, node) {
                    continue;
                }
                let before = self.of(games, graph, node)?;
                let value = self.by_options(games, graph, node)?;
                changed |= value != before;
                self.set(node, value);
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }
}

/// The strongly connected parts of what is reached from some nodes, followers first (Tarjan, without
/// recursion).
fn strong_components(
    graph: &Graph,
    roots: &[NodeId],
    done: impl Fn(NodeId) -> bool,
) -> Vec<Vec<NodeId>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; graph.len()];
    let mut lowest = vec![0; graph.len()];
    let mut open = vec![false; graph.len()];
    let (mut stack, mut components, mut count) = (Vec::new(), Vec::new(), 0);
    for &root in roots {
        if order[root] != UNSEEN || done(root) {
            continue;
        }
        let mut calls: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                order[node] = count;
                lowest[node] = count;
                count += 1;
                open[node] = true;
                stack.push(node);
                calls.push((node, graph.followers(node)));
            }
            let Some((node, rest)) = calls.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(next) = rest.pop() {
                if order[next] == UNSEEN {
                    if !done(next) {
                        enter = Some(next);
                    }
                } else if open[next] {
                    lowest[node] = lowest[node].min(order[next]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    open[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                components.push(component);
            }
        }
    }
    components
}
