//! Life and death in a small enclosed area, by search: the enemy moves first, and play alternates.
//!
//! The area is a few regions of the defender's colour. The chains around it have no liberties but
//! those in the area, unless they are immortal; so whatever happens elsewhere cannot hurt. All its
//! points lie in one word of bits.

use std::collections::HashMap;

use super::BensonForm;

/// Most points of an area.
pub(super) const MOST_POINTS: usize = 24;

/// Most walls of an area.
pub(super) const MOST_WALLS: usize = 32;

/// A set of points of the area.
type Set = u32;

/// A chain of the defender around the area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wall {
    /// The points of the area that it touches.
    pub(super) touches: Set,
    /// Lives without the area.
    pub(super) immortal: bool,
}

/// An area and who stands around it.
#[derive(Debug, Clone)]
pub(super) struct Area {
    /// The neighbours of each point within the area.
    pub(super) beside: Vec<Set>,
    pub(super) walls: Vec<Wall>,
    pub(super) form: BensonForm,
    /// Vital regions elsewhere that each mortal wall may count on. They are no liberties.
    pub(super) elsewhere: u32,
}

/// What stands in the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) defender: Set,
    pub(super) attacker: Set,
}

/// Connected stones of the defender, walls included.
#[derive(Debug, Clone, Copy)]
struct Group {
    stones: Set,
    /// All points of the area that it touches.
    touches: Set,
    /// The walls that belong to it, by their numbers.
    walls: u32,
    immortal: bool,
}

/// The search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    area: &'a Area,
    all: Set,
    /// Positions with the attacker to play that are decided. A position on the present line counts
    /// as lost: whoever repeats it, the defender makes no progress.
    known: HashMap<State, bool>,
    nodes: u64,
    limit: u64,
}

fn points(set: Set) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros() as usize;
        let some = rest != 0;
        rest &= rest.wrapping_sub(1);
        some.then_some(point)
    })
}

impl<'a> Search<'a> {
    pub(super) fn new(area: &'a Area, limit: u64) -> Self {
        debug_assert!(area.beside.len() <= MOST_POINTS);
        Self {
            area,
            all: (1 << area.beside.len()) - 1,
            known: HashMap::new(),
            nodes: 0,
            limit,
        }
    }

    /// With the attacker to play: do all mortal walls survive whatever the attacker does in the area,
    /// and can the defender always answer? `false` also if the limit is met.
    pub(super) fn holds(&mut self, state: State) -> bool {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        self.nodes += 1;
        if self.nodes > self.limit {
            return false;
        }
        if self.is_alive(state) {
            self.known.insert(state, true);
            return true;
        }
        self.known.insert(state, false);
        let empty = self.all & !state.defender & !state.attacker;
        let holds = points(empty).all(|point| match self.attack(state, point) {
            Attack::Illegal => true,
            Attack::Captures => false,
            Attack::Played { next, ko } => self.answers(next, ko),
        });
        // A limit met further down leaves the question open, but then every answer is no.
        self.known.insert(state, holds);
        holds
    }

    /// With the defender to play: is there a good answer? `ko` may not be retaken.
    fn answers(&mut self, state: State, ko: Set) -> bool {
        // An answer may be to leave things as they are, mostly when the attack was pointless.
        if self.is_alive(state) {
            return true;
        }
        let empty = self.all & !state.defender & !state.attacker;
        for point in points(empty & !ko) {
            if let Some(next) = self.defend(state, point)
                && self.holds(next)
            {
                return true;
            }
        }
        self.holds(state)
    }

    fn attack(&self, state: State, point: usize) -> Attack {
        let bit = 1 << point;
        let mut next = State {
            attacker: state.attacker | bit,
            ..state
        };
        let empty = self.all & !next.defender & !next.attacker;
        let mut taken = 0;
        for group in self.groups(next.defender) {
            if !group.immortal && group.touches & bit != 0 && group.touches & empty == 0 {
                if group.walls != 0 {
                    return Attack::Captures;
                }
                taken |= group.stones;
            }
        }
        next.defender &= !taken;
        let chain = self.chain(bit, next.attacker);
        let liberties = self.around(chain) & !next.attacker & !next.defender;
        if liberties == 0 {
            // A single stone that takes itself off changes nothing.
            if self.area.form == BensonForm::SuicideIllegal || chain == bit {
                return Attack::Illegal;
            }
            next.attacker &= !chain;
        }
        let is_ko = taken.count_ones() == 1 && chain == bit && liberties == taken;
        Attack::Played {
            next,
            ko: if is_ko { taken } else { 0 },
        }
    }

    /// The defender's move, if it is legal even without liberties elsewhere.
    fn defend(&self, state: State, point: usize) -> Option<State> {
        let bit = 1 << point;
        let mut next = State {
            defender: state.defender | bit,
            ..state
        };
        for neighbour in points(self.area.beside[point] & state.attacker) {
            let chain = self.chain(1 << neighbour, next.attacker);
            if self.around(chain) & !next.attacker & !next.defender == 0 {
                next.attacker &= !chain;
            }
        }
        let empty = self.all & !next.defender & !next.attacker;
        let suffocates = |group: &Group| !group.immortal && group.touches & empty == 0;
        (!self.groups(next.defender).iter().any(suffocates)).then_some(next)
    }

    /// The chain of stones in `stones` that contains `seed`.
    fn chain(&self, seed: Set, stones: Set) -> Set {
        let mut chain = seed;
        loop {
            let more = self.around(chain) & stones | chain;
            if more == chain {
                return chain;
            }
            chain = more;
        }
    }

    /// All points beside a set, and perhaps of it.
    fn around(&self, set: Set) -> Set {
        points(set).fold(0, |sum, point| sum | self.area.beside[point])
    }

    fn groups(&self, defender: Set) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::with_capacity(self.area.walls.len() + 4);
        groups.extend(self.area.walls.iter().enumerate().map(|(k, wall)| Group {
            stones: 0,
            touches: wall.touches,
            walls: 1 << k,
            immortal: wall.immortal,
        }));
        let mut rest = defender;
        while rest != 0 {
            let chain = self.chain(rest & rest.wrapping_neg(), defender);
            rest &= !chain;
            let mut joined = Group {
                stones: chain,
                touches: self.around(chain),
                walls: 0,
                immortal: false,
            };
            groups.retain(|group| {
                let apart = group.touches & chain == 0;
                if !apart {
                    joined.stones |= group.stones;
                    joined.touches |= group.touches;
                    joined.walls |= group.walls;
                    joined.immortal |= group.immortal;
                }
                apart
            });
            groups.push(joined);
        }
        groups
    }

    /// Do all walls live unconditionally, counting what they have elsewhere? Benson's algorithm.
    fn is_alive(&self, state: State) -> bool {
        let mut groups = self.groups(state.defender);
        let mut regions = Vec::new();
        let mut rest = self.all & !state.defender;
        while rest != 0 {
            let region = self.chain(rest & rest.wrapping_neg(), self.all & !state.defender);
            rest &= !region;
            regions.push(region);
        }
        loop {
            let before = (groups.len(), regions.len());
            let mut lost = 0;
            groups.retain(|group| {
                let vital = |&&region: &&Set| {
                    let empty = region & !state.attacker;
                    let matters = match self.area.form {
                        BensonForm::SuicideIllegal => empty,
                        BensonForm::SuicideLegal => region,
                    };
                    empty != 0 && matters & !group.touches == 0
                };
                let elsewhere = if group.walls != 0 {
                    self.area.elsewhere as usize
                } else {
                    0
                };
                let lives = group.immortal || regions.iter().filter(vital).count() + elsewhere >= 2;
                lost |= if lives { 0 } else { group.touches };
                lives
            });
            regions.retain(|region| region & lost == 0);
            if (groups.len(), regions.len()) == before {
                break;
            }
        }
        let alive = groups.iter().fold(0, |sum, group| sum | group.walls);
        let all = self.area.walls.iter().enumerate();
        all.fold(0, |sum, (k, wall)| sum | u32::from(!wall.immortal) << k) & !alive == 0
    }
}

/// What a move of the attacker does.
#[derive(Debug, Clone, Copy)]
enum Attack {
    Illegal,
    /// It captures a wall.
    Captures,
    Played {
        next: State,
        ko: Set,
    },
}
