//! Safety by alternate play (after Mueller 1997): chains that live if their owner answers.

use std::collections::HashMap;

use super::area::{Area, MOST_POINTS, MOST_WALLS, Search, State, Wall};
use super::{BensonForm, Life, benson};
use crate::Colour;
use crate::grid::{Cell, Components, Grid, NONE};

/// How far the search goes. What it does not reach is not called safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlternateLimits {
    /// Most points, stones included, of an area that is searched; more than 24 count as 24.
    pub points: usize,
    /// Most positions of one search.
    pub nodes: u64,
}

impl Default for AlternateLimits {
    fn default() -> Self {
        Self {
            points: 16,
            nodes: 20_000,
        }
    }
}

/// Chains proved together, and where their owner must answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlternateGroup {
    /// A stone of each chain, by index of the grid's cells.
    pub chains: Vec<usize>,
    /// Their eye space: the points of the regions in which each move of the enemy is to be answered,
    /// by index, region after region.
    pub regions: Vec<Vec<usize>>,
}

/// What is safe by alternate play, on top of what lives unconditionally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlternateSafety {
    /// What lives unconditionally: the first level.
    pub unconditional: Life,
    /// The stones that are safe by alternate play only: the second level.
    pub stones: Vec<bool>,
    /// The proofs. No region is in two of them, so one answer never has to serve two purposes.
    pub groups: Vec<AlternateGroup>,
    /// Regions with a wall not known to be safe that were too large or took too many positions.
    pub open_regions: usize,
}

/// Finds chains of one colour that survive if the enemy moves first, play alternates and the owner
/// answers each enemy move in the region where it was made; a region is a connected part of all
/// points without a stone of that colour.
///
/// Sound, not complete. Three kinds of proof are tried, each by search without any liberty outside:
///
/// 1. in one region all chains around it become unconditionally alive;
/// 2. a chain has two regions, bordered by no other mortal chain, in each of which it keeps a liberty
///    at all times and becomes alive if it has one more eye elsewhere;
/// 3. as 1, in all regions of a chain together.
///
/// The enemy is not bound by ko, the owner is, by simple ko; a repetition counts against the owner.
/// Superko can forbid an answer only by a position from before. Two threats at a time, one of them
/// outside the group's regions, are not provided for: see `docs/safety.md`.
///
/// ```
/// use yose_go::{AlternateLimits, BensonForm, Board, Colour, Grid, alternate_safety};
///
/// // Four points in a row are two eyes, whoever begins.
/// let board = Board::from_rows(&["....X.", "XXXXX.", "......", "......"])?;
/// let cells = board.cells();
/// let grid = Grid::new(4, 6, &cells)?;
/// let limits = AlternateLimits::default();
/// let safe = alternate_safety(&grid, Colour::Black, BensonForm::SuicideIllegal, limits);
/// assert!(!safe.unconditional.stones[4]);
/// assert!(safe.stones[4]);
/// assert_eq!(safe.groups[0].regions, [vec![0, 1, 2, 3]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn alternate_safety(
    grid: &Grid<'_>,
    colour: Colour,
    form: BensonForm,
    limits: AlternateLimits,
) -> AlternateSafety {
    let unconditional = benson(grid, colour, form);
    let mut work = Work::new(grid, colour, form, limits, &unconditional);
    work.single_regions();
    work.two_regions();
    work.joint_regions();
    let open_regions = work.open_regions();
    let mut stones = vec![false; grid.len()];
    for chain in (0..work.chains.len()).filter(|&c| work.status[c] == Status::Safe) {
        for &p in work.chains.points(chain) {
            stones[p as usize] = true;
        }
    }
    AlternateSafety {
        stones,
        groups: work.groups,
        open_regions,
        unconditional,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Lives unconditionally.
    Immortal,
    /// Proved safe here.
    Safe,
    Unknown,
}

struct Work<'a> {
    grid: Grid<'a>,
    form: BensonForm,
    limits: AlternateLimits,
    attacker: Cell,
    chains: Components,
    regions: Components,
    status: Vec<Status>,
    /// Chains that touch each region.
    walls: Vec<Vec<usize>>,
    /// Regions that each chain touches.
    around: Vec<Vec<usize>>,
    used: Vec<bool>,
    groups: Vec<AlternateGroup>,
}

impl<'a> Work<'a> {
    fn new(
        grid: &Grid<'a>,
        colour: Colour,
        form: BensonForm,
        limits: AlternateLimits,
        life: &Life,
    ) -> Self {
        let own = Cell::stone(colour);
        let chains = Components::new(grid, |cell| cell == own);
        let regions = Components::new(grid, |cell| cell != own && cell != Cell::Off);
        let status = (0..chains.len()).map(|chain| {
            let first = chains.points(chain)[0] as usize;
            if life.stones[first] {
                Status::Immortal
            } else {
                Status::Unknown
            }
        });
        let mut walls = vec![Vec::new(); regions.len()];
        let mut around = vec![Vec::new(); chains.len()];
        let mut last = vec![NONE; chains.len()];
        for (region, walls) in walls.iter_mut().enumerate() {
            for &p in regions.points(region) {
                for q in grid.neighbours(p as usize) {
                    let chain = chains.of[q];
                    if chain != NONE && last[chain as usize] != regions.of[p as usize] {
                        last[chain as usize] = regions.of[p as usize];
                        walls.push(chain as usize);
                        around[chain as usize].push(region);
                    }
                }
            }
        }
        Self {
            grid: *grid,
            form,
            limits: AlternateLimits {
                points: limits.points.min(MOST_POINTS),
                ..limits
            },
            attacker: Cell::stone(!colour),
            status: status.collect(),
            used: vec![false; regions.len()],
            chains,
            regions,
            walls,
            around,
            groups: Vec::new(),
        }
    }

    fn is_unknown(&self, chain: usize) -> bool {
        self.status[chain] == Status::Unknown
    }

    fn mortal_walls(&self, region: usize) -> impl Iterator<Item = usize> + '_ {
        let walls = self.walls[region].iter().copied();
        walls.filter(|&chain| self.status[chain] != Status::Immortal)
    }

    /// Proofs in one region each.
    fn single_regions(&mut self) {
        for region in 0..self.regions.len() {
            let wanted = self.walls[region]
                .iter()
                .any(|&chain| self.is_unknown(chain));
            if wanted && self.holds(&[region], 0) {
                self.prove(self.mortal_walls(region).collect(), &[region]);
            }
        }
    }

    /// Proofs of one chain in two regions of its own.
    fn two_regions(&mut self) {
        for chain in 0..self.chains.len() {
            if !self.is_unknown(chain) {
                continue;
            }
            let mut eyes = Vec::new();
            for &region in &self.around[chain] {
                let own = self.mortal_walls(region).all(|wall| wall == chain);
                if own && !self.used[region] && self.holds(&[region], 1) {
                    eyes.push(region);
                }
                if eyes.len() == 2 {
                    self.prove(vec![chain], &eyes);
                    break;
                }
            }
        }
    }

    /// Proofs in all regions of a chain at once.
    fn joint_regions(&mut self) {
        for chain in 0..self.chains.len() {
            if !self.is_unknown(chain) {
                continue;
            }
            let regions: Vec<usize> = self.around[chain]
                .iter()
                .copied()
                .filter(|&r| !self.used[r])
                .collect();
            if regions.len() > 1 && self.holds(&regions, 0) {
                let mut walls: Vec<usize> =
                    regions.iter().flat_map(|&r| self.mortal_walls(r)).collect();
                walls.sort_unstable();
                walls.dedup();
                self.prove(walls, &regions);
            }
        }
    }

    fn prove(&mut self, chains: Vec<usize>, regions: &[usize]) {
        for &region in regions {
            self.used[region] = true;
        }
        // A wall may have been proved elsewhere before; it is safe there.
        let new: Vec<usize> = chains
            .into_iter()
            .filter(|&chain| self.is_unknown(chain))
            .collect();
        for &chain in &new {
            self.status[chain] = Status::Safe;
        }
        let indices = |points: &[u32]| points.iter().map(|&p| p as usize).collect();
        self.groups.push(AlternateGroup {
            chains: new
                .iter()
                .map(|&chain| self.chains.points(chain)[0] as usize)
                .collect(),
            regions: regions
                .iter()
                .map(|&region| indices(self.regions.points(region)))
                .collect(),
        });
    }

    /// Regions not used in a proof that touch a chain nothing is known of.
    fn open_regions(&self) -> usize {
        let open = |&region: &usize| {
            self.walls[region]
                .iter()
                .any(|&chain| self.is_unknown(chain))
        };
        (0..self.regions.len()).filter(open).count()
    }

    /// Does the search of some regions together prove all mortal walls alive?
    fn holds(&self, regions: &[usize], elsewhere: u32) -> bool {
        let Some((area, state)) = self.area(regions, elsewhere) else {
            return false;
        };
        Search::new(&area, self.limits.nodes).holds(state)
    }

    /// The area of some regions, if it is small enough and each mortal wall has a liberty in it.
    fn area(&self, regions: &[usize], elsewhere: u32) -> Option<(Area, State)> {
        let size: usize = regions.iter().map(|&r| self.regions.points(r).len()).sum();
        let walls: usize = regions.iter().map(|&r| self.walls[r].len()).sum();
        if size > self.limits.points || walls > MOST_WALLS {
            return None;
        }
        let points = regions.iter().flat_map(|&r| self.regions.points(r));
        let number: HashMap<usize, usize> =
            points.enumerate().map(|(k, &p)| (p as usize, k)).collect();
        let mut beside = vec![0; size];
        let mut touches: HashMap<usize, u32> = HashMap::new();
        let mut state = State {
            defender: 0,
            attacker: 0,
        };
        for (&p, &k) in &number {
            if self.grid.cells()[p] == self.attacker {
                state.attacker |= 1 << k;
            }
            for q in self.grid.neighbours(p) {
                if let Some(&other) = number.get(&q) {
                    beside[k] |= 1 << other;
                } else if self.chains.of[q] != NONE {
                    *touches.entry(self.chains.of[q] as usize).or_default() |= 1 << k;
                }
            }
        }
        let mut walls: Vec<(usize, u32)> = touches.into_iter().collect();
        walls.sort_unstable();
        let walls: Vec<Wall> = walls
            .into_iter()
            .map(|(chain, touches)| Wall {
                touches,
                immortal: self.status[chain] == Status::Immortal,
            })
            .collect();
        let breathes = |wall: &Wall| wall.immortal || wall.touches & !state.attacker != 0;
        let area = Area {
            beside,
            walls,
            form: self.form,
            elsewhere,
        };
        area.walls.iter().all(breathes).then_some((area, state))
    }
}
