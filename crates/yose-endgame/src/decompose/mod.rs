//! A board taken apart: what is safe, what is settled, and the regions where play is left.
//!
//! Works on a [`Grid`] of any size, in time linear in the number of cells but for sorting the points of each
//! region. Alternate-play safety, if asked for, searches small areas besides and looks at the whole grid for
//! each group.

mod assumption;
mod auto;

use yose_go::{
    AlternateLimits, BensonForm, Cell, Colour, Grid, alternate_safety, benson, benson_with,
};

pub use assumption::{Assumption, Reason, Vouched};

use crate::area::{Area, AreaError, Place};

/// What a region is, by looking alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// Everything belongs to one colour, which cannot be changed by play: worth this many points, Black
    /// minus White (1 for an empty point, 2 for a dead stone).
    Settled(i64),
    /// A single empty point between the colours: worth `*`.
    Dame,
    /// To be searched.
    Open,
}

/// Connected points that are not safe stones: empty ones and mortal stones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Its empty points, by index of the grid's cells, in row order.
    pub points: Vec<usize>,
    /// Its mortal stones, in row order.
    pub stones: Vec<usize>,
}

impl Region {
    /// By what regions are put in order for people: the first empty point in row order, or the first stone if there
    /// is none.
    #[must_use]
    pub fn order(&self) -> usize {
        let first = self.points.first().or(self.stones.first());
        first.copied().unwrap_or(0)
    }
}

/// A board taken apart. Regions share nothing but safe stones, so their values add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decomposition {
    rows: usize,
    cols: usize,
    cells: Vec<Cell>,
    safe: Vec<bool>,
    regions: Vec<Region>,
    assumptions: Vec<Assumption>,
    not_taken: Vec<usize>,
}

impl Decomposition {
    /// Takes a board apart.
    ///
    /// ```
    /// use yose_endgame::decompose::{Decomposition, RegionKind, Vouched};
    /// use yose_go::{Board, Grid};
    /// let board = Board::from_rows(&["..X.O.", "XXXOOO", ".XXO.O"])?;
    /// let cells = board.cells();
    /// let whole = Decomposition::new(&Grid::new(3, 6, &cells)?, &Vouched::default());
    /// let kinds: Vec<RegionKind> = whole.regions().iter().map(|r| r.kind).collect();
    /// assert_eq!(kinds[0], RegionKind::Settled(2));
    /// assert_eq!(kinds[1], RegionKind::Dame);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(grid: &Grid<'_>, vouched: &Vouched) -> Self {
        let mut alive = vec![false; grid.len()];
        let mut assumptions = Vec::new();
        // The first stone of each chain that is vouched for.
        let mut asked = vouched.alive.clone();
        asked.sort_unstable();
        for stone in asked {
            if stone < grid.len() && grid.cells()[stone].colour().is_some() && !alive[stone] {
                let chain = spread(grid, stone, |cell| cell == grid.cells()[stone], &mut alive);
                let stone = chain.into_iter().min().unwrap_or(stone);
                assumptions.push(Assumption::Alive { stone });
            }
        }
        let mut safe = alive.clone();
        for colour in [Colour::Black, Colour::White] {
            let life = benson_with(grid, colour, vouched.form, |p| alive[p]);
            for (safe, lives) in safe.iter_mut().zip(life.stones) {
                *safe |= lives;
            }
        }
        if assumptions.is_empty() {
            debug_assert_eq!(
                safe.iter().filter(|&&s| s).count(),
                unconditional(grid, vouched.form)
            );
        } else {
            // A chain that lives anyway needs nobody's word.
            let mut proved = vec![false; grid.len()];
            for colour in [Colour::Black, Colour::White] {
                let life = benson(grid, colour, vouched.form);
                for (proved, lives) in proved.iter_mut().zip(life.stones) {
                    *proved |= lives;
                }
            }
            assumptions.retain(|a| !matches!(a, Assumption::Alive { stone } if proved[*stone]));
        }
        if let Some(limits) = vouched.alternate {
            add_answered(grid, vouched.form, limits, &mut safe, &mut assumptions);
        }
        let judged = vouched
            .auto
            .then(|| auto::judge(grid, &mut safe, &mut assumptions));
        let mut regions = regions(grid, &safe);
        let mut not_taken = Vec::new();
        let mut given = vec![false; grid.len()];
        for &stone in &vouched.dead {
            if stone < grid.len() && grid.cells()[stone].colour().is_some() && !given[stone] {
                spread(grid, stone, |c| c == grid.cells()[stone], &mut given);
            }
        }
        for region in &mut regions {
            settle_given(grid, &safe, &given, region, &mut assumptions);
            if let Some(judged) = &judged {
                settle_judged(grid, &safe, judged, region, &mut assumptions);
            }
            if !matches!(region.kind, RegionKind::Settled(_)) {
                not_taken.extend(region.stones.iter().filter(|&&stone| given[stone]));
            }
        }
        not_taken.extend((0..grid.len()).filter(|&stone| given[stone] && safe[stone]));
        not_taken.sort_unstable();
        Self {
            rows: grid.rows(),
            cols: grid.cols(),
            cells: grid.cells().to_vec(),
            safe,
            regions,
            assumptions,
            not_taken,
        }
    }

    /// Stones that were given as dead but are not taken as such, in row order: safe ones, and those whose region
    /// is not closed by safe stones of the other side, or holds more of their colour.
    #[must_use]
    pub fn not_taken(&self) -> &[usize] {
        &self.not_taken
    }

    /// The regions, in order of their first points.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// For each cell: is it a safe stone?
    #[must_use]
    pub fn safe(&self) -> &[bool] {
        &self.safe
    }

    /// What this rests on beyond unconditional life; empty: on nothing.
    #[must_use]
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// Points of all settled regions together, Black minus White, prisoners on the board included.
    #[must_use]
    pub fn settled(&self) -> i64 {
        let settled = self.regions.iter().map(|region| match region.kind {
            RegionKind::Settled(points) => points,
            RegionKind::Dame | RegionKind::Open => 0,
        });
        settled.sum()
    }

    /// The least and the most a region can be worth if one side never plays there.
    ///
    /// # Panics
    /// If there is no region of this number.
    #[must_use]
    pub fn counting_bounds(&self, region: usize) -> (i64, i64) {
        let region = &self.regions[region];
        let empty = i64::try_from(region.points.len()).unwrap_or(i64::MAX);
        let (mut low, mut high) = (-empty, empty);
        for &stone in &region.stones {
            if self.cells[stone] == Cell::Black {
                low -= 2;
            } else {
                high += 2;
            }
        }
        (low, high)
    }

    /// A region cut out with the safe stones beside it, and for each place of the area its index on the
    /// grid.
    ///
    /// # Errors
    /// If it is too large to be searched.
    ///
    /// # Panics
    /// If there is no region of this number.
    pub fn area(&self, region: usize) -> Result<(Area, Vec<usize>), AreaError> {
        let region = &self.regions[region];
        let inside = || region.points.iter().chain(&region.stones).copied();
        let (mut top, mut left, mut bottom, mut right) = (usize::MAX, usize::MAX, 0, 0);
        for p in inside() {
            let (row, col) = (p / self.cols, p % self.cols);
            (top, left) = (
                top.min(row.saturating_sub(1)),
                left.min(col.saturating_sub(1)),
            );
            bottom = bottom.max((row + 1).min(self.rows - 1));
            right = right.max((col + 1).min(self.cols - 1));
        }
        let (rows, cols) = (bottom + 1 - top, right + 1 - left);
        if rows > crate::area::LONGEST_SIDE || cols > crate::area::LONGEST_SIDE {
            return Err(AreaError::TooLong { rows, cols });
        }
        let mut own = vec![false; rows * cols];
        for p in inside() {
            own[(p / self.cols - top) * cols + p % self.cols - left] = true;
        }
        let mut places = Vec::with_capacity(rows * cols);
        let mut indices = Vec::with_capacity(rows * cols);
        for (k, &own) in own.iter().enumerate() {
            let index = (top + k / cols) * self.cols + left + k % cols;
            indices.push(index);
            places.push(match self.cells[index].colour() {
                Some(colour) if own => Place::Mortal(colour),
                None if own => Place::Empty,
                Some(colour) if self.safe[index] => Place::Immortal(colour),
                _ => Place::Off,
            });
        }
        Ok((Area::new(rows, cols, places)?, indices))
    }
}

fn unconditional(grid: &Grid<'_>, form: BensonForm) -> usize {
    let colours = [Colour::Black, Colour::White].into_iter();
    let count = |colour| {
        let life = benson(grid, colour, form);
        life.stones.iter().filter(|&&lives| lives).count()
    };
    colours.map(count).sum()
}

/// Marks and gives everything connected with a cell through cells that belong.
fn spread(
    grid: &Grid<'_>,
    first: usize,
    belongs: impl Fn(Cell) -> bool,
    seen: &mut [bool],
) -> Vec<usize> {
    let mut part = vec![first];
    seen[first] = true;
    let mut next = 0;
    while next < part.len() {
        for q in grid.neighbours(part[next]) {
            if !seen[q] && belongs(grid.cells()[q]) {
                seen[q] = true;
                part.push(q);
            }
        }
        next += 1;
    }
    part
}

/// Adds what is safe if its owner answers, group by group, where the eye space of the group stays in
/// one piece: two threats in different regions against one chain would be a double threat.
fn add_answered(
    grid: &Grid<'_>,
    form: BensonForm,
    limits: AlternateLimits,
    safe: &mut [bool],
    assumptions: &mut Vec<Assumption>,
) {
    let (before, listed) = (safe.to_vec(), assumptions.len());
    for colour in [Colour::Black, Colour::White] {
        for group in alternate_safety(grid, colour, form, limits).groups {
            let [eye_space] = group.regions.as_slice() else {
                continue;
            };
            let mut with = safe.to_vec();
            let mut seen = vec![false; grid.len()];
            for &stone in &group.chains {
                for p in spread(grid, stone, |c| c == Cell::stone(colour), &mut seen) {
                    with[p] = true;
                }
            }
            if with == *safe || !is_in_one_piece(grid, eye_space, &with) {
                continue;
            }
            safe.copy_from_slice(&with);
            assumptions.push(Assumption::Answered {
                chains: group.chains,
                eye_space: eye_space.clone(),
            });
        }
    }
    // A later group may have cut the eye space of an earlier one. Then none is taken.
    let whole = |a: &Assumption| match a {
        Assumption::Answered { eye_space, .. } => is_in_one_piece(grid, eye_space, safe),
        _ => true,
    };
    if !assumptions[listed..].iter().all(whole) {
        safe.copy_from_slice(&before);
        assumptions.truncate(listed);
    }
}

/// Are the points of an eye space that hold no safe stone connected?
fn is_in_one_piece(grid: &Grid<'_>, eye_space: &[usize], safe: &[bool]) -> bool {
    let points: Vec<usize> = eye_space.iter().copied().filter(|&p| !safe[p]).collect();
    let Some(&first) = points.first() else {
        return false;
    };
    let mut seen = vec![true; grid.len()];
    for &p in &points {
        seen[p] = false;
    }
    spread(grid, first, |_| true, &mut seen).len() == points.len()
}

fn regions(grid: &Grid<'_>, safe: &[bool]) -> Vec<Region> {
    let mut seen: Vec<bool> = (0..grid.len())
        .map(|p| safe[p] || grid.cells()[p] == Cell::Off)
        .collect();
    let mut regions = Vec::new();
    for first in 0..grid.len() {
        if seen[first] {
            continue;
        }
        let mut part = spread(grid, first, |_| true, &mut seen);
        part.sort_unstable();
        let kind = kind(grid, safe, &part);
        let is_empty = |&p: &usize| grid.cells()[p] == Cell::Empty;
        let (points, stones) = part.into_iter().partition(is_empty);
        regions.push(Region {
            kind,
            points,
            stones,
        });
    }
    regions
}

/// The static rule: one colour alone stands around, each point touches it, and none of its own stones is
/// in danger.
fn kind(grid: &Grid<'_>, safe: &[bool], part: &[usize]) -> RegionKind {
    let touched = |p: usize, colour| {
        let mut beside = grid.neighbours(p);
        beside.any(|q| safe[q] && grid.cells()[q] == Cell::stone(colour))
    };
    let any = |colour| part.iter().any(|&p| touched(p, colour));
    let owner = match (any(Colour::Black), any(Colour::White)) {
        (true, false) => Colour::Black,
        (false, true) => Colour::White,
        (true, true) if part.len() == 1 && grid.cells()[part[0]] == Cell::Empty => {
            return RegionKind::Dame;
        }
        _ => return RegionKind::Open,
    };
    let mut points = 0;
    for &p in part {
        if grid.cells()[p] == Cell::stone(owner) || !touched(p, owner) {
            return RegionKind::Open;
        }
        points += if grid.cells()[p] == Cell::Empty { 1 } else { 2 };
    }
    RegionKind::Settled(match owner {
        Colour::Black => points,
        Colour::White => -points,
    })
}

/// The colour of all safe stones beside a region, if there are any and all are of one.
fn closed_by(grid: &Grid<'_>, safe: &[bool], region: &Region) -> Option<Colour> {
    let inside = region.points.iter().chain(&region.stones);
    let mut beside = inside
        .flat_map(|&p| grid.neighbours(p))
        .filter(|&q| safe[q])
        .filter_map(|q| grid.cells()[q].colour());
    let first = beside.next()?;
    beside.all(|colour| colour == first).then_some(first)
}

/// Makes a closed region its owner's if every enemy stone in it is dead, and says so. The owner's own stones in
/// it count nothing.
fn settle_as(
    grid: &Grid<'_>,
    owner: Colour,
    dead: &[bool],
    region: &mut Region,
    judged: bool,
    assumptions: &mut Vec<Assumption>,
) -> bool {
    let enemy = Cell::stone(!owner);
    let stones = || region.stones.iter().copied();
    let lost: Vec<usize> = stones().filter(|&s| grid.cells()[s] == enemy).collect();
    if !lost.iter().all(|&stone| dead[stone]) {
        return false;
    }
    let points = region.points.len() + 2 * lost.len();
    let points = i64::try_from(points).unwrap_or(i64::MAX);
    region.kind = RegionKind::Settled(match owner {
        Colour::Black => points,
        Colour::White => -points,
    });
    let mut seen = vec![false; grid.len()];
    let mut chains = Vec::new();
    for &stone in &lost {
        if !seen[stone] {
            spread(grid, stone, |cell| cell == enemy, &mut seen);
            chains.push(stone);
        }
    }
    let first = region
        .points
        .first()
        .into_iter()
        .chain(region.stones.first());
    assumptions.push(Assumption::Territory {
        owner,
        first: first.copied().min().unwrap_or(0),
        points: region.points.len() + region.stones.len(),
        dead: chains,
        judged,
    });
    true
}

fn settle_given(
    grid: &Grid<'_>,
    safe: &[bool],
    given: &[bool],
    region: &mut Region,
    assumptions: &mut Vec<Assumption>,
) {
    if region.kind != RegionKind::Open || !region.stones.iter().any(|&stone| given[stone]) {
        return;
    }
    if let Some(owner) = closed_by(grid, safe, region) {
        let enemy = Cell::stone(!owner);
        let meant = |&&stone: &&usize| given[stone] && grid.cells()[stone] == enemy;
        if region.stones.iter().any(|stone| meant(&stone)) {
            settle_as(grid, owner, given, region, false, assumptions);
        }
    }
}

/// Regions of so many points are left to the search, which decides them most of the time.
const LEFT_TO_SEARCH: usize = 8;

fn settle_judged(
    grid: &Grid<'_>,
    safe: &[bool],
    judged: &auto::Judgement,
    region: &mut Region,
    assumptions: &mut Vec<Assumption>,
) {
    let size = region.points.len() + region.stones.len();
    if region.kind != RegionKind::Open || size <= LEFT_TO_SEARCH {
        return;
    }
    if let Some(owner) = closed_by(grid, safe, region)
        && judged.is_held(&region.points, owner)
    {
        settle_as(grid, owner, &judged.dead, region, true, assumptions);
    }
}
