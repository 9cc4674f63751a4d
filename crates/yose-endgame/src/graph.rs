//! The graph of local positions: each position once, whatever its place, symmetry and colouring.

use std::collections::{HashMap, HashSet, VecDeque};

use yose_go::{BensonForm, Colour};

use crate::component::{Component, Coordinates};
use crate::field::{Field, Set, Stones, members};
use crate::shortcut::Shape;

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
    /// The value lies between these; equal if it is proved to be that number.
    bounds: (i64, i64),
    settling: Settling,
    /// Its shape has a closed form.
    closed: bool,
}

/// How far it is known whether everything belongs to the owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settling {
    Untried,
    InProgress,
    /// Tried without success, or not even possible.
    Open,
    Proved,
}

/// Deepest proof within proofs: a bound on the stack.
const SETTLING_DEPTH: u32 = 150;

/// Most moves tried to prove that a position is settled.
const SETTLING_MOVES: u32 = 2000;

/// All local positions met so far. It only grows; regions share it.
#[derive(Debug)]
pub(crate) struct Graph {
    /// Whether suicide of several stones is legal.
    form: BensonForm,
    nodes: Vec<Node>,
    by_name: HashMap<Component, NodeId>,
    /// Moves that may still be tried in proofs that positions are settled.
    settling_moves: u64,
    /// Proofs within proofs at present.
    settling_depth: u32,
    /// Points of all positions together.
    points: u64,
    /// Whether shapes with a closed form are recognised.
    closed_forms: bool,
    /// Those recognised and not yet evaluated.
    shapes: Vec<(NodeId, Shape)>,
}

/// How far the graph may grow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    /// Positions, those that are there already included.
    pub(crate) positions: usize,
    /// Points of all positions.
    pub(crate) points: u64,
}

/// Positions expanded between two looks at whether to stop.
const STOP_CHECK: usize = 64;

impl Graph {
    /// Without positions; `suicide`: of several stones is legal.
    pub(crate) fn new(suicide: bool) -> Self {
        Self {
            form: if suicide {
                BensonForm::SuicideLegal
            } else {
                BensonForm::SuicideIllegal
            },
            nodes: Vec::new(),
            by_name: HashMap::new(),
            settling_moves: 0,
            settling_depth: 0,
            points: 0,
            // They are proved for play without suicide.
            closed_forms: !suicide,
            shapes: Vec::new(),
        }
    }

    /// From now on no closed form is used.
    pub(crate) fn without_closed_forms(&mut self) {
        self.closed_forms = false;
    }

    /// Has it a closed form? Such positions are not expanded.
    pub(crate) fn is_closed(&self, node: NodeId) -> bool {
        self.nodes[node].closed
    }

    /// Positions with a closed form that have not been evaluated.
    pub(crate) fn shapes_mut(&mut self) -> &mut Vec<(NodeId, Shape)> {
        &mut self.shapes
    }

    /// The form of unconditional life that holds.
    pub(crate) const fn form(&self) -> BensonForm {
        self.form
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Are there as many points as there may be?
    pub(crate) fn is_full(&self, points: u64) -> bool {
        self.points >= points
    }

    /// How many moves may be tried from now on in proofs that positions are settled.
    pub(crate) fn allow_settling(&mut self, moves: u64) {
        self.settling_moves = moves;
    }

    /// The moves of a position, if it has been expanded.
    pub(crate) fn options(&self, node: NodeId) -> Option<&Options> {
        self.nodes[node].options.as_ref()
    }

    /// Proved by counting or by alternating play: the value is at least and at most this.
    pub(crate) fn bounds(&self, node: NodeId) -> (i64, i64) {
        self.nodes[node].bounds
    }

    /// How many points are empty.
    pub(crate) fn empty_points(&self, node: NodeId) -> u32 {
        self.nodes[node].component.empty_points()
    }

    /// Is it proved to be a number?
    pub(crate) fn is_number(&self, node: NodeId) -> bool {
        let (low, high) = self.nodes[node].bounds;
        low == high
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
        field.settle(&mut at, self.form);
        let mut outcome = Outcome {
            number,
            parts: Vec::new(),
        };
        for part in field.parts(at.all) {
            let within = at.within(part);
            if let Some(settled) = field.settled(&within) {
                outcome.number += settled;
                continue;
            }
            outcome.parts.push(self.number_of(field, &within, places));
        }
        outcome.parts.sort_unstable();
        outcome
    }

    /// The number of a component, and whether its colours are exchanged there.
    fn number_of(
        &mut self,
        field: &Field,
        component: &Stones,
        places: &Coordinates,
    ) -> (NodeId, bool) {
        let named = Component::named(component, component.all, places);
        if let Some(&node) = self.by_name.get(&named.component) {
            return (node, named.negated);
        }
        let (low, high) = component.trivial_bounds();
        let node = self.nodes.len();
        let shape = self.closed_forms.then(|| Shape::of_part(field, component));
        let shape = shape.flatten();
        if let Some(shape) = shape {
            let shape = if named.negated {
                shape.negative()
            } else {
                shape
            };
            self.shapes.push((node, shape));
        }
        self.points += u64::from(component.all.count_ones());
        self.nodes.push(Node {
            component: named.component.clone(),
            options: None,
            bounds: if named.negated {
                (-high, -low)
            } else {
                (low, high)
            },
            settling: Settling::Untried,
            closed: shape.is_some(),
        });
        self.by_name.insert(named.component, node);
        (node, named.negated)
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
        let (next, taken) = field.play(at, colour, point, self.form)?;
        // Enemy stones on the board, or one's own after suicide.
        let white = i64::from((taken & at.stones[Colour::White.index()]).count_ones());
        let all = i64::from(taken.count_ones());
        let own = taken >> point & 1 == 1;
        let number = match (colour, own) {
            (Colour::White, true) => all,
            (Colour::Black, true) => -all,
            (_, false) => 2 * white - all,
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
    /// `done`, until the graph has grown to a limit (by then it may have grown a little beyond) or
    /// `should_stop` says so. Says
    /// whether everything was reached.
    pub(crate) fn explore(
        &mut self,
        roots: &[NodeId],
        done: impl Fn(&Self, NodeId) -> bool,
        most: Growth,
        should_stop: &dyn Fn() -> bool,
    ) -> bool {
        let mut queue: VecDeque<NodeId> = VecDeque::new();
        let mut seen: HashSet<NodeId> = HashSet::new();
        for &root in roots {
            if !done(self, root) && seen.insert(root) {
                queue.push_back(root);
            }
        }
        let mut complete = true;
        let mut expanded = 0;
        while let Some(node) = queue.pop_front() {
            if self.nodes[node].options.is_none() {
                if self.nodes.len() >= most.positions || self.points >= most.points {
                    complete = false;
                    continue;
                }
                expanded += 1;
                if expanded % STOP_CHECK == 0 && should_stop() {
                    return false;
                }
                let allowed = u32::try_from(self.settling_moves).unwrap_or(u32::MAX);
                let allowed = allowed.min(SETTLING_MOVES);
                let mut budget = allowed;
                let settled = self.settles(node, &mut budget);
                self.settling_moves -= u64::from(allowed - budget);
                if settled {
                    continue;
                }
                self.expand(node);
            }
            for next in self.followers(node) {
                if !done(self, next) && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        complete
    }

    /// Does everything in a component belong to the one colour that stands around it? Proved by
    /// alternating play: each move of the enemy has an answer after which it is so again, and the owner
    /// can also move without that. Then the value is the greatest possible number n, for in G - n the
    /// owner wins as second player, a repetition counting against him; in each pair of moves the enemy's
    /// adds a point to what is possible and the owner's takes it away.
    fn settles(&mut self, node: NodeId, budget: &mut u32) -> bool {
        match self.nodes[node].settling {
            Settling::Proved => return true,
            Settling::InProgress | Settling::Open => return false,
            Settling::Untried => {}
        }
        let (field, at, places) = self.nodes[node].component.field();
        let owner = match at.touch {
            [black, 0] if black != 0 => Colour::Black,
            [0, white] if white != 0 => Colour::White,
            _ => {
                self.nodes[node].settling = Settling::Open;
                return false;
            }
        };
        if self.settling_depth >= SETTLING_DEPTH {
            return false;
        }
        self.settling_depth += 1;
        self.nodes[node].settling = Settling::InProgress;
        let mut proved = self.keeps_all(&field, &at, &places, owner, at.empty(), budget);
        for point in members(at.empty()) {
            if !proved {
                break;
            }
            if let Some((mut next, _)) = field.play(&at, !owner, point, self.form) {
                field.settle(&mut next, self.form);
                // Answers close by are most often right.
                let near = field.beside[point] | field.around(field.beside[point]);
                proved = self.keeps_all(&field, &next, &places, owner, near, budget)
                    || self.keeps_all(&field, &next, &places, owner, !near, budget);
            }
        }
        self.settling_depth -= 1;
        // An attempt that ran out of budget is not repeated.
        self.nodes[node].settling = if proved {
            Settling::Proved
        } else {
            Settling::Open
        };
        if proved {
            let (low, high) = self.nodes[node].bounds;
            self.nodes[node].bounds = match owner {
                Colour::Black => (high, high),
                Colour::White => (low, low),
            };
        }
        proved
    }

    /// Has the owner a move, at one of some points, after which everything is settled?
    fn keeps_all(
        &mut self,
        field: &Field,
        at: &Stones,
        places: &Coordinates,
        owner: Colour,
        points: Set,
        budget: &mut u32,
    ) -> bool {
        members(at.empty() & points).any(|point| {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            let Some((mut next, _)) = field.play(at, owner, point, self.form) else {
                return false;
            };
            field.settle(&mut next, self.form);
            next.touch[(!owner).index()] == 0
                && field.parts(next.all).all(|part| {
                    let within = next.within(part);
                    field.settled(&within).is_some() || {
                        let (node, _) = self.number_of(field, &within, places);
                        self.settles(node, budget)
                    }
                })
        })
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
