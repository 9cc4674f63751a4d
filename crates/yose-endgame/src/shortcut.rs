//! Shapes whose value is known without search.
//!
//! Each is proved for every size (or used only as far as the search has confirmed it), under the rules of
//! [`crate::LocalSolver::solve`]. The search takes them as ends of its lines; the tests compare them with a
//! search that does not ([`crate::LocalSolver::without_closed_forms`]).
//!
//! **Corridor**, stones of the enemy anywhere in it. Let Black be the owner: every point touches his wall, the
//! mouth alone touches White's. Write s for the empty points and stones from the mouth on, T(s) for
//! empty points + 2 x stones, the most it can be worth; V of nothing is 0. The mouth is empty, for a stone
//! there would be connected. Let s* be s without the mouth and without the stones that are then connected with
//! White's wall. Claim: V(s) = `{T(s)-1 | V(s*)}`. Whoever plays makes a stone of his wall or, White further
//! in, a stone more in s; so all moves lead to such positions. By induction on the empty points:
//!
//! - *A longer corridor is worth at most the most of what is added:* V(pxr) <= V(p) + 1 + T(r) for an empty point
//!   x. White moves first in the difference and Black answers. White's move in p is answered by the same in pxr,
//!   and it is the same claim for less. In -V(pxr) White plays a move of Black's: in p, and the same there
//!   leaves 0; at x, and it is 1 more than 0; in r = r'yr'', and V(pxr') + T(r'') <= V(p) + 1 + T(r') + T(r''),
//!   which is 1 less than it may be.
//! - *Left's other moves are no better:* at x in s = pxr he gets V(p) + T(r), at most T(s) - 1.
//! - *Right's other moves are no better:* further in, let x be the last empty point before the new stone, s = pxr.
//!   Left answers at x and has V(p) + T(r) + 1, at least V(s): the move is reversed. Right's moves from there
//!   are, by induction, to V(p*) + T(r) + 1, which is at least V(s*) (p not empty, else there is none).
//!
//! With n empty points and k stones at the closed end that is C(n,k) = `{n+2k-1 | C(n-1,k)}`, C(0,k) = 0.
//!
//! **Switch** {2w | -2b}: one empty point that touches both walls, with w White and b Black stones whose
//! last liberty it is. Whoever plays it takes the other's stones, and each point taken touches a wall of his.
//!
//! **Corridor open at both ends**, n points: `*`, 0, then as one open end with two points fewer.

use yose_cgt::{Error, GameId, Games};
use yose_go::Colour;

use crate::area::Area;
use crate::corridor::{Corridor, Row};
use crate::field::{Field, Set, Stones, members};

/// How far corridors open at both ends have been compared with the search.
const THROUGH: usize = 15;

/// A shape with a closed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A corridor of this owner, open to the other side at one end.
    Corridor(Colour, Corridor),
    /// The same with stones of the other side that have empty points behind them.
    Row(Colour, Row),
    /// A corridor of so many points, open at both ends.
    Through(Colour, u32),
    /// Whoever plays the one empty point takes so many stones: Black, White.
    Switch(u32, u32),
}

impl Shape {
    /// The shape of an area, if it is one of these.
    ///
    /// ```
    /// use yose_endgame::{Area, Shape};
    /// let area = Area::from_rows(&["#BBBB#", "W...OB", "#BBBB#"])?;
    /// assert!(matches!(Shape::of(&area), Some(Shape::Corridor(_, c)) if c.points == 3 && c.prisoners == 1));
    /// # Ok::<(), yose_endgame::AreaError>(())
    /// ```
    #[must_use]
    pub fn of(area: &Area) -> Option<Self> {
        let (field, at, _) = Field::of(area);
        let joined = [0, 1].map(|c| at.stones[c] & at.touch[c]);
        let first = at.all & at.all.wrapping_neg();
        let whole = at.all != 0 && field.spread(first, at.all) == at.all;
        (whole && joined == [0, 0]).then(|| Self::of_part(&field, &at))?
    }

    /// The shape of a component: connected, and no mortal stone joined to an immortal one.
    pub(crate) fn of_part(field: &Field, at: &Stones) -> Option<Self> {
        switch(field, at).or_else(|| corridor(field, at))
    }

    /// With colours exchanged.
    pub(crate) const fn negative(self) -> Self {
        match self {
            Self::Corridor(Colour::Black, c) => Self::Corridor(Colour::White, c),
            Self::Corridor(Colour::White, c) => Self::Corridor(Colour::Black, c),
            Self::Row(Colour::Black, r) => Self::Row(Colour::White, r),
            Self::Row(Colour::White, r) => Self::Row(Colour::Black, r),
            Self::Through(Colour::Black, n) => Self::Through(Colour::White, n),
            Self::Through(Colour::White, n) => Self::Through(Colour::Black, n),
            Self::Switch(black, white) => Self::Switch(white, black),
        }
    }

    /// Its value; Black is positive.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn value(self, games: &mut Games) -> Result<GameId, Error> {
        let (owner, value) = match self {
            Self::Corridor(owner, corridor) => (owner, corridor.value(games)?),
            Self::Row(owner, row) => (owner, row.value(games)?),
            Self::Through(owner, points) => {
                let value = match points {
                    0 | 2 => GameId::ZERO,
                    1 => games.make(&[GameId::ZERO], &[GameId::ZERO])?,
                    points => Corridor {
                        points: points - 2,
                        prisoners: 0,
                    }
                    .value(games)?,
                };
                (owner, value)
            }
            Self::Switch(left, right) => {
                let left = games.integer(2 * i64::from(left))?;
                let right = games.integer(-2 * i64::from(right))?;
                (Colour::Black, games.make(&[left], &[right])?)
            }
        };
        match owner {
            Colour::Black => Ok(value),
            Colour::White => games.neg(value),
        }
    }
}

/// The value of an area whose shape has a closed form.
///
/// ```
/// use yose_cgt::Games;
/// use yose_endgame::{Area, shortcut};
/// let mut games = Games::new();
/// let area = Area::from_rows(&["#BBB#", "W...B", "#BBB#"])?;
/// let value = shortcut(&area, &mut games)?.expect("a corridor");
/// assert_eq!(games.print(value)?, "{2||1|*}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Limit`], [`Error::Overflow`]
pub fn shortcut(area: &Area, games: &mut Games) -> Result<Option<GameId>, Error> {
    Shape::of(area).map(|shape| shape.value(games)).transpose()
}

fn switch(field: &Field, at: &Stones) -> Option<Shape> {
    let point = at.empty();
    if point.count_ones() != 1 || point & at.touch[0] & at.touch[1] == 0 {
        return None;
    }
    for (own, taker) in [(0, 1), (1, 0)] {
        let stones = at.stones[own];
        // A stone taken leaves a point that must touch the taker's wall: a stone that was immortal before, or
        // becomes so by the move.
        let wall = at.touch[taker] | field.around(point | at.stones[taker]);
        // Chains that are not at the point would stay mortal.
        if stones & !wall != 0 || field.spread(point, point | stones) != point | stones {
            return None;
        }
    }
    let [black, white] = at.stones.map(Set::count_ones);
    Some(Shape::Switch(white, black))
}

/// The points in order, if each but the ends lies between two others.
fn path(field: &Field, all: Set) -> Option<Vec<usize>> {
    let beside = |p: usize| field.beside[p] & all;
    if members(all).any(|p| beside(p).count_ones() > 2) {
        return None;
    }
    let mut path = vec![members(all).find(|&p| beside(p).count_ones() <= 1)?];
    let mut rest = all;
    while let Some(&last) = path.last() {
        rest &= !(1 << last);
        match members(beside(last) & rest).next() {
            Some(next) => path.push(next),
            None => break,
        }
    }
    Some(path)
}

fn corridor(field: &Field, at: &Stones) -> Option<Shape> {
    let owner = [Colour::Black, Colour::White].into_iter().find(|owner| {
        let own = owner.index();
        at.touch[own] == at.all && at.stones[own] == 0
    })?;
    let (open, stones) = (at.touch[(!owner).index()], at.stones[(!owner).index()]);
    if !(1..=2).contains(&open.count_ones()) {
        return None;
    }
    let mut path = path(field, at.all)?;
    let length = u32::try_from(path.len()).ok()?;
    let (first, last) = (1 << path[0], 1 << path[path.len() - 1]);
    if open == first | last && first != last {
        let through = stones == 0 && path.len() <= THROUGH;
        return through.then_some(Shape::Through(owner, length));
    }
    if open == last {
        path.reverse();
    } else if open != first {
        return None;
    }
    let mut row = Row { length, stones: 0 };
    for (i, &p) in path.iter().enumerate() {
        row.stones |= (stones >> p & 1) << i;
    }
    Some(match row.as_corridor() {
        Some(corridor) => Shape::Corridor(owner, corridor),
        None => Shape::Row(owner, row),
    })
}
