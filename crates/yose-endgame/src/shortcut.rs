//! Shapes whose value is known without search.
//!
//! Each is proved for every size (or used only as far as the search has confirmed it), under the rules of
//! [`crate::LocalSolver::solve`]. The tests compare them with the search.
//!
//! **Corridor** of n empty points, k enemy stones at its closed end, C(n,k) = `{n+2k-1 | C(n-1,k)}`,
//! C(0,k) = 0. Let Black be the owner: every point touches his wall, the mouth alone touches White's.
//!
//! - *A longer corridor is worth at most a point more for each point:* C(n,k) <= C(m,0) + (n-m) + 2k for m <= n.
//!   Right moves first in the difference: C(m,0) to C(m-1,0) is answered in the other part, and it is the same
//!   claim; -C(n,k) to -(n+2k-1) leaves C(m,0) - m + 1, where Left moves to 0 (for m = 0 it is 1).
//! - *Left's other moves are no better:* further in, at distance i from the mouth, he gets
//!   C(i,0) + (n-1-i) + 2k, at most n-1+2k.
//! - *Right's other moves are no better:* further in, at distance i >= 1, Left answers next to it on the side
//!   of the mouth. What is behind is his, so he has C(i-1,0) + (n-i+1) + 2k, at least C(n,k): the move is
//!   reversed. Right's moves from there, to C(i-2,0) + (n-i+1) + 2k, are at least C(n-1,k).
//!
//! **Switch** {2w | -2b}: one empty point that touches both walls, with w White and b Black stones whose
//! last liberty it is. Whoever plays it takes the other's stones, and each point taken touches a wall of his.
//!
//! **Corridor open at both ends**, n points: `*`, 0, then as one open end with two points fewer.

use yose_cgt::{Error, GameId, Games};
use yose_go::Colour;

use crate::area::{Area, Place};
use crate::corridor::Corridor;

/// How far corridors open at both ends have been compared with the search.
const THROUGH: usize = 15;

/// A shape with a closed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A corridor of this owner, open to the other side at one end.
    Corridor(Colour, Corridor),
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
        let points = Points::of(area)?;
        points.switch().or_else(|| points.corridor())
    }

    /// Its value; Black is positive.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Overflow`]
    pub fn value(self, games: &mut Games) -> Result<GameId, Error> {
        let (owner, value) = match self {
            Self::Corridor(owner, corridor) => (owner, corridor.value(games)?),
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

/// The points in play of an area, which hang together, and what they touch.
struct Points<'a> {
    area: &'a Area,
    /// Their places.
    all: Vec<usize>,
}

impl<'a> Points<'a> {
    /// Nothing if there are none, they fall apart, or a mortal stone is joined to an immortal one.
    fn of(area: &'a Area) -> Option<Self> {
        let in_play = |p: usize| matches!(area.places()[p], Place::Empty | Place::Mortal(_));
        let all: Vec<usize> = (0..area.places().len()).filter(|&p| in_play(p)).collect();
        let mut reached = vec![*all.first()?];
        let mut next = 0;
        while next < reached.len() {
            for q in area.beside(reached[next]) {
                if in_play(q) && !reached.contains(&q) {
                    reached.push(q);
                }
            }
            next += 1;
        }
        let points = Self { area, all };
        let joined = |&p: &usize| match area.places()[p] {
            Place::Mortal(colour) => points.touches(p, colour),
            _ => false,
        };
        let whole = reached.len() == points.all.len() && !points.all.iter().any(joined);
        whole.then_some(points)
    }

    fn touches(&self, p: usize, colour: Colour) -> bool {
        let mut beside = self.area.beside(p);
        beside.any(|q| self.area.places()[q] == Place::Immortal(colour))
    }

    fn is(&self, p: usize, place: Place) -> bool {
        self.area.places()[p] == place
    }

    fn beside(&self, p: usize) -> Vec<usize> {
        let beside = self.area.beside(p);
        beside.filter(|q| self.all.contains(q)).collect()
    }

    fn switch(&self) -> Option<Shape> {
        let mut empty = self.all.iter().filter(|&&p| self.is(p, Place::Empty));
        let (&point, None) = (empty.next()?, empty.next()) else {
            return None;
        };
        if !self.touches(point, Colour::Black) || !self.touches(point, Colour::White) {
            return None;
        }
        // A stone taken leaves a point that must touch the taker's wall: a stone that was immortal before, or
        // becomes so by the move.
        let count = |colour: Colour| {
            let own = |p: usize| self.is(p, Place::Mortal(colour));
            let mut stones = 0;
            for &p in self.all.iter().filter(|&&p| own(p)) {
                let new_wall = |q: usize| q == point || self.is(q, Place::Mortal(!colour));
                let walled = self.touches(p, !colour) || self.beside(p).into_iter().any(new_wall);
                // Chains of the taker that are not at the point would stay mortal.
                if !walled {
                    return None;
                }
                stones += 1;
            }
            Some(stones)
        };
        let (black, white) = (count(Colour::Black)?, count(Colour::White)?);
        let chains_meet = [Colour::Black, Colour::White]
            .into_iter()
            .all(|colour| self.is_one_move_from_all(point, colour));
        chains_meet.then_some(Shape::Switch(white, black))
    }

    /// Has every stone of the colour the point for a liberty (through its chain)?
    fn is_one_move_from_all(&self, point: usize, colour: Colour) -> bool {
        let mut reached = vec![point];
        let mut next = 0;
        while next < reached.len() {
            for q in self.beside(reached[next]) {
                if self.is(q, Place::Mortal(colour)) && !reached.contains(&q) {
                    reached.push(q);
                }
            }
            next += 1;
        }
        let stones = self
            .all
            .iter()
            .filter(|&&p| self.is(p, Place::Mortal(colour)));
        stones.count() + 1 == reached.len()
    }

    /// The points in order, if each but the ends lies between two others.
    fn path(&self) -> Option<Vec<usize>> {
        let mut ends = self.all.iter().filter(|&&p| self.beside(p).len() <= 1);
        let mut path = vec![*ends.next()?];
        while let Some(&last) = path.last() {
            let mut further = self.beside(last).into_iter().filter(|q| !path.contains(q));
            let next = further.next();
            if further.next().is_some() {
                return None;
            }
            match next {
                Some(next) => path.push(next),
                None => break,
            }
        }
        let edges: usize = self.all.iter().map(|&p| self.beside(p).len()).sum();
        (path.len() == self.all.len() && edges == 2 * (path.len() - 1)).then_some(path)
    }

    fn corridor(&self) -> Option<Shape> {
        let mut path = self.path()?;
        for owner in [Colour::Black, Colour::White] {
            if !path.iter().all(|&p| self.touches(p, owner)) {
                continue;
            }
            if self.touches(path[path.len() - 1], !owner) && !self.touches(path[0], !owner) {
                path.reverse();
            }
            let open: Vec<usize> = (0..path.len())
                .filter(|&i| self.touches(path[i], !owner))
                .collect();
            let points = path
                .iter()
                .take_while(|&&p| self.is(p, Place::Empty))
                .count();
            let enemy = |&&p: &&usize| self.is(p, Place::Mortal(!owner));
            let prisoners = path[points..].iter().take_while(enemy).count();
            if points == 0 || points + prisoners != path.len() {
                continue;
            }
            let (n, k) = (u32::try_from(points).ok()?, u32::try_from(prisoners).ok()?);
            if open == [0] {
                let corridor = Corridor {
                    points: n,
                    prisoners: k,
                };
                return Some(Shape::Corridor(owner, corridor));
            }
            if k == 0 && points <= THROUGH && points > 1 && open == [0, points - 1] {
                return Some(Shape::Through(owner, n));
            }
        }
        None
    }
}
