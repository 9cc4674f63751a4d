//! What is asked of chains: stones of one colour connected along lines.

use super::Board;
use super::memory::{BLACK, EMPTY, WHITE, around};
use crate::point::Point;

impl Board {
    #[inline]
    fn is_stone(&self, slot: u16) -> bool {
        self.memory.cell(slot) & (BLACK | WHITE) != 0
    }

    /// The stone that stands for the chain of the stone at `point`; nothing if there is none. All
    /// stones of a chain answer the same, until the next move. O(1).
    #[must_use]
    #[inline]
    pub fn chain(&self, point: Point) -> Option<Point> {
        self.is_stone(point.slot())
            .then(|| Point::from_slot(self.memory.head(point.slot())))
    }

    /// How many different empty points the chain of the stone at `point` touches; 0 if there is no
    /// stone. Exact, O(1).
    #[must_use]
    #[inline]
    pub fn liberties(&self, point: Point) -> u16 {
        if self.is_stone(point.slot()) {
            self.memory.liberties(self.memory.head(point.slot()))
        } else {
            0
        }
    }

    /// How many stones the chain of the stone at `point` has; 0 if there is no stone. O(1).
    #[must_use]
    #[inline]
    pub fn chain_size(&self, point: Point) -> u16 {
        if self.is_stone(point.slot()) {
            self.memory.chain_stones(self.memory.head(point.slot()))
        } else {
            0
        }
    }

    /// The stones of the chain of the stone at `point`, beginning with it; none if there is no
    /// stone.
    #[must_use]
    pub fn chain_stones(&self, point: Point) -> ChainStones<'_> {
        let first = point.slot();
        ChainStones {
            board: self,
            first,
            next: if self.is_stone(first) { first } else { 0 },
        }
    }

    /// The empty points next to the chain of the stone at `point`, each once, in no particular
    /// order; none if there is no stone. Stops early without cost: the first few liberties of a long
    /// chain are found in a few steps.
    #[must_use]
    pub fn chain_liberties(&self, point: Point) -> ChainLiberties<'_> {
        ChainLiberties {
            board: self,
            head: self.memory.head(point.slot()),
            stones: self.chain_stones(point),
            stone: 0,
            direction: 4,
        }
    }

    /// One stone of each chain, in reading order of the first stone of each.
    pub fn chains(&self) -> impl Iterator<Item = Point> + '_ {
        let mut seen = [0_u64; Point::INDICES / 64];
        self.size.points().filter(move |&point| {
            let Some(head) = self.chain(point) else {
                return false;
            };
            let bit = 1 << (head.index() % 64);
            let word = &mut seen[head.index() / 64];
            let new = *word & bit == 0;
            *word |= bit;
            new
        })
    }

    /// A liberty of a chain touches up to four of its stones; it is counted with the first of them
    /// in the order up, left, right, down as seen from the liberty.
    #[inline]
    fn counted_with(&self, liberty: u16, head: u16) -> Option<u16> {
        around(liberty)
            .into_iter()
            .find(|&stone| self.memory.head(stone) == head && self.is_stone(stone))
    }
}

/// See [`Board::chain_stones`].
#[derive(Clone)]
pub struct ChainStones<'a> {
    board: &'a Board,
    first: u16,
    /// 0 when all have been seen.
    next: u16,
}

impl Iterator for ChainStones<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.next == 0 {
            return None;
        }
        let here = self.next;
        let link = self.board.memory.link(here);
        self.next = if link == self.first { 0 } else { link };
        Some(Point::from_slot(here))
    }
}

/// See [`Board::chain_liberties`].
#[derive(Clone)]
pub struct ChainLiberties<'a> {
    board: &'a Board,
    head: u16,
    stones: ChainStones<'a>,
    stone: u16,
    /// Which neighbour of `stone` comes next; 4 when it is time for the next stone.
    direction: usize,
}

impl Iterator for ChainLiberties<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        loop {
            if self.direction == 4 {
                self.stone = self.stones.next()?.slot();
                self.direction = 0;
            }
            let slot = around(self.stone)[self.direction];
            self.direction += 1;
            if self.board.memory.cell(slot) == EMPTY
                && self.board.counted_with(slot, self.head) == Some(self.stone)
            {
                return Some(Point::from_slot(slot));
            }
        }
    }
}

impl std::fmt::Debug for ChainStones<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl std::fmt::Debug for ChainLiberties<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
