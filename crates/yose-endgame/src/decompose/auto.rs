//! The static judgement behind `auto`: who is safe as far as looking goes. Nothing here is a proof; what it
//! says is listed as an assumption.
//!
//! Each empty point belongs to the colour whose stones are nearer, counted in moves over empty points. A
//! point is *secure* if the enemy needs at least three moves to it and two more than the owner. Secure points
//! that hang together are eye space. Chains of a colour form a group if they share eye space of three points or
//! more, or two liberties. A group with [`LARGE`] points of eye space or with two eyes is safe, but for chains with
//! fewer than two secure liberties: an atari would cost their owner a move. A chain is also
//! safe if it shares two liberties with a safe one, mouths of corridors not counted. Groups without eye space, touched by safe enemy
//! stones alone and away from safe friends, are regarded as taken off, and all is judged again. A closed region is
//! territory if nothing of the enemy in it looks alive and there is no room to live far from its owner's stones.

use std::collections::{BTreeMap, BTreeSet};

use yose_go::{Cell, Colour, Grid};

use super::assumption::{Assumption, Reason};
use super::spread;

/// Secure territory of so many points makes a group safe.
const LARGE: usize = 7;

/// Eye space of so many points joins the chains around it.
const JOINING: usize = 3;

/// How often stones that look dead are taken off and all is judged again.
const ROUNDS: usize = 3;

/// Farther than any stone.
const FAR: usize = usize::MAX / 2;

/// Points at most so many moves away from a stone are near it.
const NEAR: usize = 3;

/// So many points that are not near may be room to live for the other side.
const ROOM: usize = 16;

/// The judgement.
pub(super) struct Judgement {
    /// For each cell: a stone that looks dead.
    pub(super) dead: Vec<bool>,
    look: Look,
}

impl Judgement {
    /// Are these points near stones of a colour, but for too few to live there?
    pub(super) fn is_held(&self, points: &[usize], owner: Colour) -> bool {
        let moves = &self.look.moves[owner.index()];
        points.iter().filter(|&&p| moves[p] > NEAR).count() < ROOM
    }
}

/// Marks what looks safe and says why.
pub(super) fn judge(
    grid: &Grid<'_>,
    safe: &mut [bool],
    assumptions: &mut Vec<Assumption>,
) -> Judgement {
    let chains = Chains::of(grid);
    let mut dead = vec![false; grid.len()];
    for _ in 0..ROUNDS {
        let before = dead.clone();
        let look = Look::at(grid, &dead);
        // Each step for both colours before the next, so that neither comes first.
        let colours = [Colour::Black, Colour::White];
        let groups = colours.map(|colour| Groups::of(grid, &chains, &look, colour, &dead));
        for groups in &groups {
            groups.mark_safe(grid, &chains, &look, safe, assumptions);
        }
        for colour in colours {
            connect(grid, &chains, colour, safe, &dead, assumptions);
        }
        for groups in &groups {
            groups.mark_dead(grid, &chains, safe, &mut dead);
        }
        if dead == before {
            break;
        }
    }
    let look = Look::at(grid, &dead);
    Judgement { dead, look }
}

/// All chains, numbered in row order of their first stones.
struct Chains {
    /// For each cell its chain; nothing if there is no stone.
    number: Vec<Option<usize>>,
    stones: Vec<Vec<usize>>,
}

impl Chains {
    fn of(grid: &Grid<'_>) -> Self {
        let mut seen = vec![false; grid.len()];
        let (mut number, mut stones) = (vec![None; grid.len()], Vec::new());
        for first in 0..grid.len() {
            let cell = grid.cells()[first];
            if seen[first] || cell.colour().is_none() {
                continue;
            }
            let chain = spread(grid, first, |c| c == cell, &mut seen);
            for &stone in &chain {
                number[stone] = Some(stones.len());
            }
            stones.push(chain);
        }
        Self { number, stones }
    }

    fn colour(&self, grid: &Grid<'_>, chain: usize) -> Option<Colour> {
        grid.cells()[self.stones[chain][0]].colour()
    }

    fn liberties(&self, grid: &Grid<'_>, chain: usize) -> BTreeSet<usize> {
        let beside = self.stones[chain].iter().flat_map(|&s| grid.neighbours(s));
        beside.filter(|&p| grid.cells()[p] == Cell::Empty).collect()
    }

    /// Chains of a colour beside a set of cells.
    fn beside(
        &self,
        grid: &Grid<'_>,
        points: impl IntoIterator<Item = usize>,
        colour: Colour,
    ) -> BTreeSet<usize> {
        let beside = points.into_iter().flat_map(|p| grid.neighbours(p));
        let own = beside.filter(|&q| grid.cells()[q] == Cell::stone(colour));
        own.filter_map(|q| self.number[q]).collect()
    }
}

/// Distances of the points.
struct Look {
    /// Moves from the nearest stone of each colour, over empty points.
    moves: [Vec<usize>; 2],
}

impl Look {
    /// Stones that look dead are regarded as taken off.
    fn at(grid: &Grid<'_>, dead: &[bool]) -> Self {
        let moves = [Colour::Black, Colour::White].map(|colour| {
            let mut moves = vec![FAR; grid.len()];
            let mut queue: Vec<usize> = (0..grid.len())
                .filter(|&p| grid.cells()[p] == Cell::stone(colour) && !dead[p])
                .collect();
            for &p in &queue {
                moves[p] = 0;
            }
            let mut next = 0;
            while next < queue.len() {
                let p = queue[next];
                next += 1;
                for q in grid.neighbours(p) {
                    let free =
                        grid.cells()[q] == Cell::Empty || (dead[q] && grid.cells()[q] != Cell::Off);
                    if free && moves[q] == FAR {
                        moves[q] = moves[p] + 1;
                        queue.push(q);
                    }
                }
            }
            moves
        });
        Self { moves }
    }

    fn is_secure(&self, point: usize, colour: Colour) -> bool {
        let own = self.moves[colour.index()][point];
        let enemy = self.moves[(!colour).index()][point];
        own > 0 && own <= NEAR && enemy >= 3 && enemy >= own + 2
    }
}

/// The chains of one colour in groups.
struct Groups {
    colour: Colour,
    /// For each chain its group, named by one of its chains.
    leader: BTreeMap<usize, usize>,
    /// Connected secure points and the chains around them.
    spaces: Vec<(Vec<usize>, BTreeSet<usize>)>,
}

impl Groups {
    fn of(grid: &Grid<'_>, chains: &Chains, look: &Look, colour: Colour, dead: &[bool]) -> Self {
        let own = |&c: &usize| chains.colour(grid, c) == Some(colour) && !dead[chains.stones[c][0]];
        let mut groups = Self {
            colour,
            leader: (0..chains.stones.len())
                .filter(own)
                .map(|c| (c, c))
                .collect(),
            spaces: Vec::new(),
        };
        let mut seen: Vec<bool> = (0..grid.len())
            .map(|p| !look.is_secure(p, colour))
            .collect();
        for first in 0..grid.len() {
            if seen[first] {
                continue;
            }
            let space = spread(grid, first, |_| true, &mut seen);
            let mut around = chains.beside(grid, space.iter().copied(), colour);
            around.retain(|chain| groups.leader.contains_key(chain));
            if space.len() >= JOINING {
                groups.join(&around);
            }
            groups.spaces.push((space, around));
        }
        let ids: Vec<usize> = groups.leader.keys().copied().collect();
        for &chain in &ids {
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            for liberty in chains.liberties(grid, chain) {
                for other in chains.beside(grid, [liberty], colour) {
                    *shared.entry(other).or_default() += 1;
                }
            }
            for (other, liberties) in shared {
                if liberties >= 2 && other != chain && groups.leader.contains_key(&other) {
                    groups.join(&[chain, other].into());
                }
            }
        }
        groups
    }

    fn join(&mut self, together: &BTreeSet<usize>) {
        let leaders: BTreeSet<usize> = together.iter().map(|c| self.leader[c]).collect();
        if let Some(&first) = leaders.first() {
            for leader in self.leader.values_mut() {
                if leaders.contains(leader) {
                    *leader = first;
                }
            }
        }
    }

    /// The eye spaces of a group: one of three points or more that it touches, or a smaller one that
    /// nobody else does.
    fn eyes(&self, group: usize) -> Vec<&Vec<usize>> {
        let of_group = |chain: &usize| self.leader[chain] == group;
        let spaces = self.spaces.iter().filter(|(space, around)| {
            if space.len() >= JOINING {
                around.iter().any(of_group)
            } else {
                !around.is_empty() && around.iter().all(of_group)
            }
        });
        spaces.map(|(space, _)| space).collect()
    }

    fn members(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        let members = self
            .leader
            .iter()
            .filter(move |&(_, &leader)| leader == group);
        members.map(|(&chain, _)| chain)
    }

    fn names(&self) -> BTreeSet<usize> {
        self.leader.values().copied().collect()
    }

    fn mark_safe(
        &self,
        grid: &Grid<'_>,
        chains: &Chains,
        look: &Look,
        safe: &mut [bool],
        assumptions: &mut Vec<Assumption>,
    ) {
        for group in self.names() {
            let eyes = self.eyes(group);
            let points: usize = eyes.iter().map(|space| space.len()).sum();
            let reason = if points >= LARGE {
                Reason::Territory(points)
            } else if let [one, other, ..] = eyes.as_slice() {
                Reason::TwoEyes(one[0], other[0])
            } else {
                continue;
            };
            for chain in self.members(group) {
                let secure = |p: &&usize| look.is_secure(**p, self.colour);
                if chains.liberties(grid, chain).iter().filter(secure).count() < 2 {
                    continue;
                }
                take(grid, chains, chain, reason, safe, assumptions);
            }
        }
    }

    /// Groups without eye space that only safe enemy stones touch, away from safe friends.
    fn mark_dead(&self, grid: &Grid<'_>, chains: &Chains, safe: &[bool], dead: &mut [bool]) {
        for group in self.names() {
            let members: Vec<usize> = self.members(group).collect();
            let stones = || {
                members
                    .iter()
                    .flat_map(|&c| chains.stones[c].iter().copied())
            };
            if stones().any(|s| safe[s])
                || self.eyes(group).iter().map(|e| e.len()).sum::<usize>() > 1
            {
                continue;
            }
            let is_safe = |chain: &usize| safe[chains.stones[*chain][0]];
            let mut touched = chains.beside(grid, stones(), !self.colour);
            let near: BTreeSet<usize> = members
                .iter()
                .flat_map(|&c| chains.liberties(grid, c))
                .collect();
            touched.extend(chains.beside(grid, near.iter().copied(), !self.colour));
            let friends = chains.beside(grid, near.iter().copied(), self.colour);
            let alone = friends
                .iter()
                .all(|chain| self.leader.get(chain) == Some(&group));
            if alone && !touched.is_empty() && touched.iter().all(is_safe) {
                for stone in stones() {
                    dead[stone] = true;
                }
            }
        }
    }
}

fn take(
    grid: &Grid<'_>,
    chains: &Chains,
    chain: usize,
    reason: Reason,
    safe: &mut [bool],
    assumptions: &mut Vec<Assumption>,
) {
    let stones = &chains.stones[chain];
    // A chain in atari is not safe at a glance.
    if safe[stones[0]] || chains.liberties(grid, chain).len() < 2 {
        return;
    }
    for &stone in stones {
        safe[stone] = true;
    }
    assumptions.push(Assumption::Judged {
        stone: stones[0],
        reason,
    });
}

/// Does the enemy come in here: is a point beside one of his stones, and another empty one behind it?
fn is_mouth(grid: &Grid<'_>, point: usize, owner: Colour) -> bool {
    let beside = |cell: Cell| grid.neighbours(point).any(|q| grid.cells()[q] == cell);
    beside(Cell::stone(!owner)) && beside(Cell::Empty)
}

/// Chains that share two liberties with a safe one. Where the enemy comes in at one of them, cutting is a threat that
/// gains on the way; so such liberties do not count. At others he loses what the answer costs, or nothing is at stake.
fn connect(
    grid: &Grid<'_>,
    chains: &Chains,
    colour: Colour,
    safe: &mut [bool],
    dead: &[bool],
    assumptions: &mut Vec<Assumption>,
) {
    loop {
        let mut found = None;
        for (chain, stones) in chains.stones.iter().enumerate() {
            let candidate = chains.colour(grid, chain) == Some(colour);
            if !candidate || safe[stones[0]] || dead[stones[0]] {
                continue;
            }
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            let mut liberties = chains.liberties(grid, chain);
            liberties.retain(|&liberty| !is_mouth(grid, liberty, colour));
            for liberty in liberties {
                for other in chains.beside(grid, [liberty], colour) {
                    if safe[chains.stones[other][0]] {
                        *shared.entry(other).or_default() += 1;
                    }
                }
            }
            let other = shared.into_iter().find(|&(_, liberties)| liberties >= 2);
            if let Some((other, _)) = other {
                found = Some((chain, chains.stones[other][0]));
                break;
            }
        }
        let Some((chain, to)) = found else {
            return;
        };
        take(
            grid,
            chains,
            chain,
            Reason::Connected(to),
            safe,
            assumptions,
        );
    }
}
