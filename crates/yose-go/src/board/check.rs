//! The same answers the slow way, from the stones alone: for tests and fuzzing.

use super::Board;
use super::memory::{EMPTY, WALL};
use crate::point::Point;
use crate::zobrist;

impl Board {
    /// [`hash`](Self::hash) computed from the stones. O(area).
    #[must_use]
    pub fn hash_from_scratch(&self) -> u64 {
        self.stones()
            .fold(zobrist::size_key(self.size), |hash, (point, colour)| {
                hash ^ zobrist::stone_key(colour, point)
            })
    }

    /// Compares everything that is kept from move to move with what the stones say.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, in words. No sequence of calls should lead to one.
    pub fn self_check(&self) -> Result<(), String> {
        if self.hash != self.hash_from_scratch() {
            return Err("the hash is not that of the stones".to_owned());
        }
        let empty = self
            .size
            .points()
            .filter(|&point| self.is_empty(point))
            .count();
        if empty != self.empty_count() {
            return Err(format!("{empty} empty points, {} listed", self.empties));
        }
        for place in 0..self.empties {
            let slot = self.memory.listed(place);
            if self.memory.cell(slot) != EMPTY || self.memory.link(slot) != place {
                return Err(format!(
                    "place {place} of the list holds {slot}, which is not there"
                ));
            }
        }
        for slot in 0..754 {
            let stone = !matches!(self.memory.cell(slot), EMPTY | WALL);
            if !stone && self.memory.head(slot) != slot {
                return Err(format!("place {slot} holds no stone, but has a head"));
            }
        }
        let mut checked = [false; Point::INDICES];
        for (point, _) in self.stones() {
            if !checked[point.index()] {
                for stone in self.check_chain(point)? {
                    checked[stone.index()] = true;
                }
            }
        }
        Ok(())
    }

    /// Finds the chain of a stone by spreading; it is returned if what is kept agrees.
    fn check_chain(&self, point: Point) -> Result<Vec<Point>, String> {
        let mut seen = [false; Point::INDICES];
        let (mut stones, mut liberties) = (Vec::new(), Vec::new());
        let mut open = vec![point];
        seen[point.index()] = true;
        while let Some(stone) = open.pop() {
            stones.push(stone);
            for near in self.size.neighbours(stone) {
                if seen[near.index()] {
                    continue;
                }
                if self.is_empty(near) {
                    seen[near.index()] = true;
                    liberties.push(near);
                } else if self.stone(near) == self.stone(point) {
                    seen[near.index()] = true;
                    open.push(near);
                }
            }
        }
        let sorted = |points: &mut Vec<Point>| points.sort_unstable();
        let mut linked: Vec<Point> = self.chain_stones(point).take(1000).collect();
        let mut kept: Vec<Point> = self.chain_liberties(point).take(1000).collect();
        for list in [&mut stones, &mut liberties, &mut linked, &mut kept] {
            sorted(list);
        }
        if linked != stones
            || stones
                .iter()
                .any(|&stone| self.chain(stone) != self.chain(point))
        {
            return Err(format!(
                "the chain at {point:?} is {stones:?}, not {linked:?}"
            ));
        }
        if usize::from(self.chain_size(point)) != stones.len() {
            return Err(format!(
                "the chain at {point:?} has {} stones",
                stones.len()
            ));
        }
        if usize::from(self.liberties(point)) != liberties.len() || kept != liberties {
            return Err(format!(
                "the chain at {point:?} has the liberties {liberties:?}"
            ));
        }
        Ok(stones)
    }
}
