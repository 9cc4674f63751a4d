//! Unconditional life: chains that live although their owner never answers (Benson 1976).

use crate::Colour;
use crate::grid::{Cell, Components, Grid, NONE};

/// Which regions keep a chain alive depends on whether the enemy may play suicide.
///
/// A region of a colour is a connected part of all points without a stone of that colour; it is
/// *vital* to a chain if the enemy cannot take away the chain's liberty in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BensonForm {
    /// Suicide is illegal: all *empty* points of a vital region touch the chain. The enemy can never
    /// fill the last of them. This is Benson's own definition.
    #[default]
    SuicideIllegal,
    /// Suicide of several stones is legal: *all* points of a vital region touch the chain, enemy
    /// stones included, since the enemy may take stones off the board by filling the last liberty.
    SuicideLegal,
}

/// What lives unconditionally, by index of the grid's cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Life {
    /// The stones of chains that can never be captured.
    pub stones: Vec<bool>,
    /// Points, empty or with an enemy stone, of regions all of whose walls live and in which the
    /// enemy cannot make two eyes: at most one point of the region (with [`BensonForm::SuicideIllegal`]
    /// at most one empty point) touches none of the walls. Enemy stones there are dead.
    pub territory: Vec<bool>,
}

/// Benson's algorithm for one colour, in time linear in the number of cells.
///
/// Sound for any number of passes of the owner: no sequence of enemy moves captures a stone in
/// [`Life::stones`]. It is also complete for enemy moves alone, which the tests check by search.
///
/// ```
/// use yose_go::{BensonForm, Cell, Colour, Grid, benson};
///
/// let cells: Vec<Cell> = ".X.X.|XXXXX|....."
///     .chars()
///     .filter(|&c| c != '|')
///     .map(|c| if c == 'X' { Cell::Black } else { Cell::Empty })
///     .collect();
/// let grid = Grid::new(3, 5, &cells)?;
/// let life = benson(&grid, Colour::Black, BensonForm::SuicideIllegal);
/// assert_eq!(life.stones.iter().filter(|&&alive| alive).count(), 7);
/// assert!(life.territory[0]);
/// # Ok::<(), yose_go::GridError>(())
/// ```
#[must_use]
pub fn benson(grid: &Grid<'_>, colour: Colour, form: BensonForm) -> Life {
    benson_with(grid, colour, form, |_| false)
}

/// As [`benson`], with stones known to be immortal for a reason outside the grid: their chains live,
/// and a region that holds an immortal enemy stone is vital to nobody.
///
/// `immortal` is asked by index, for stones of both colours.
#[must_use]
pub fn benson_with(
    grid: &Grid<'_>,
    colour: Colour,
    form: BensonForm,
    immortal: impl Fn(usize) -> bool,
) -> Life {
    let analysis = Analysis::new(grid, colour, form, &immortal);
    let alive = analysis.alive();
    let territory = analysis.territory(&alive, &immortal);
    let mut stones = vec![false; grid.len()];
    for (chain, _) in alive.iter().enumerate().filter(|&(_, &a)| a) {
        for &p in analysis.chains.points(chain) {
            stones[p as usize] = true;
        }
    }
    Life { stones, territory }
}

/// A region and a chain that touch.
#[derive(Debug, Clone, Copy)]
struct Border {
    chain: u32,
    /// How many of the points that matter touch the chain; all of them make the region vital.
    touching: u32,
    vital: bool,
}

/// Chains of one colour, the regions between them, and who touches whom.
struct Analysis<'a> {
    grid: Grid<'a>,
    form: BensonForm,
    chains: Components,
    regions: Components,
    /// Borders, region after region, and where each region's begin.
    borders: Vec<Border>,
    starts: Vec<usize>,
    /// Chains that hold an immortal stone.
    eternal: Vec<bool>,
}

impl<'a> Analysis<'a> {
    fn new(
        grid: &Grid<'a>,
        colour: Colour,
        form: BensonForm,
        immortal: &impl Fn(usize) -> bool,
    ) -> Self {
        let own = Cell::stone(colour);
        let chains = Components::new(grid, |cell| cell == own);
        let regions = Components::new(grid, |cell| cell != own && cell != Cell::Off);
        let mut eternal = vec![false; chains.len()];
        for (chain, eternal) in eternal.iter_mut().enumerate() {
            *eternal = chains.points(chain).iter().any(|&p| immortal(p as usize));
        }
        let (borders, starts) = borders(grid, form, &chains, &regions, immortal);
        Self {
            grid: *grid,
            form,
            chains,
            regions,
            borders,
            starts,
            eternal,
        }
    }

    fn borders_of(&self, region: usize) -> &[Border] {
        &self.borders[self.starts[region]..self.starts[region + 1]]
    }

    /// The greatest set of chains with two vital regions each, where a region counts only if all
    /// chains around it are in the set. Each chain and each region is dropped at most once.
    fn alive(&self) -> Vec<bool> {
        let chains = self.chains.len();
        // Regions around each chain, as one array with offsets.
        let mut first = vec![0_usize; chains + 1];
        for border in &self.borders {
            first[border.chain as usize + 1] += 1;
        }
        for chain in 0..chains {
            first[chain + 1] += first[chain];
        }
        let mut fill = first.clone();
        let mut around = vec![0_usize; self.borders.len()];
        let mut vital = vec![0_u32; chains];
        for region in 0..self.regions.len() {
            for border in self.borders_of(region) {
                let chain = border.chain as usize;
                around[fill[chain]] = region;
                fill[chain] += 1;
                vital[chain] += u32::from(border.vital);
            }
        }

        let dies = |chain: usize, vital: &[u32]| vital[chain] < 2 && !self.eternal[chain];
        let mut alive = vec![true; chains];
        let mut counts = vec![true; self.regions.len()];
        let mut dropped: Vec<usize> = (0..chains).filter(|&c| dies(c, &vital)).collect();
        for &chain in &dropped {
            alive[chain] = false;
        }
        while let Some(chain) = dropped.pop() {
            for &region in &around[first[chain]..first[chain + 1]] {
                if !std::mem::replace(&mut counts[region], false) {
                    continue;
                }
                for border in self.borders_of(region).iter().filter(|b| b.vital) {
                    let other = border.chain as usize;
                    vital[other] -= 1;
                    if alive[other] && dies(other, &vital) {
                        alive[other] = false;
                        dropped.push(other);
                    }
                }
            }
        }
        alive
    }

    /// Regions in which the enemy cannot live, their walls being alive.
    fn territory(&self, alive: &[bool], immortal: &impl Fn(usize) -> bool) -> Vec<bool> {
        let mut territory = vec![false; self.grid.len()];
        for region in 0..self.regions.len() {
            let walls = self.borders_of(region);
            if walls.is_empty() || !walls.iter().all(|b| alive[b.chain as usize]) {
                continue;
            }
            let points = self.regions.points(region);
            let inner = points.iter().filter(|&&p| {
                let p = p as usize;
                let matters = match self.form {
                    BensonForm::SuicideIllegal => self.grid.cells()[p] == Cell::Empty,
                    BensonForm::SuicideLegal => true,
                };
                matters && !self.grid.neighbours(p).any(|q| self.chains.of[q] != NONE)
            });
            let holds_immortal = points
                .iter()
                .any(|&p| self.grid.cells()[p as usize] != Cell::Empty && immortal(p as usize));
            if inner.take(2).count() <= 1 && !holds_immortal {
                for &p in points {
                    territory[p as usize] = true;
                }
            }
        }
        territory
    }
}

/// For each region the chains that touch it, and to which of them it is vital.
fn borders(
    grid: &Grid<'_>,
    form: BensonForm,
    chains: &Components,
    regions: &Components,
    immortal: &impl Fn(usize) -> bool,
) -> (Vec<Border>, Vec<usize>) {
    let mut borders: Vec<Border> = Vec::new();
    let mut starts = Vec::with_capacity(regions.len() + 1);
    // Where a chain's border with the present region is, if it is at or after the region's start.
    let mut slot = vec![usize::MAX; chains.len()];
    for region in 0..regions.len() {
        let start = borders.len();
        starts.push(start);
        let (mut total, mut empty, mut blocked) = (0_u32, 0_u32, false);
        for &p in regions.points(region) {
            let p = p as usize;
            let is_empty = grid.cells()[p] == Cell::Empty;
            let matters = is_empty || form == BensonForm::SuicideLegal;
            total += u32::from(matters);
            empty += u32::from(is_empty);
            blocked |= !is_empty && immortal(p);
            let (mut seen, mut k) = ([NONE; 4], 0);
            grid.each_neighbour(p, |q| {
                let chain = chains.of[q];
                if chain == NONE || seen.contains(&chain) {
                    return;
                }
                seen[k] = chain;
                k += 1;
                let at = &mut slot[chain as usize];
                if *at == usize::MAX || *at < start {
                    *at = borders.len();
                    borders.push(Border {
                        chain,
                        touching: 0,
                        vital: false,
                    });
                }
                borders[*at].touching += u32::from(matters);
            });
        }
        for border in &mut borders[start..] {
            border.vital = empty > 0 && !blocked && border.touching == total;
        }
    }
    starts.push(borders.len());
    (borders, starts)
}
