//! What several tests use: a board written for being read.

#![allow(dead_code, reason = "each test file uses a part")]

use yose_go::{Board, Colour, Point, Size, Suicide};

/// Stones in a table, everything found by spreading; simple ko by its definition: no move may
/// restore the position before the other side's last move.
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub(crate) size: Size,
    pub(crate) suicide: Suicide,
    pub(crate) stones: Vec<Option<Colour>>,
    pub(crate) captures: [u32; 2],
    /// Who made the last move, and the stones before it; nothing after a pass.
    last: Option<(Colour, Vec<Option<Colour>>)>,
}

impl Naive {
    pub(crate) fn new(size: Size, suicide: Suicide) -> Self {
        let stones = vec![None; size.area()];
        Self {
            size,
            suicide,
            stones,
            captures: [0; 2],
            last: None,
        }
    }

    pub(crate) fn stone(&self, point: Point) -> Option<Colour> {
        self.stones[self.size.flat(point)]
    }

    /// The chain of a stone and its liberties, in reading order.
    pub(crate) fn chain(&self, stone: Point) -> (Vec<Point>, Vec<Point>) {
        let colour = self.stone(stone);
        assert!(colour.is_some());
        let (mut chain, mut liberties) = (vec![stone], Vec::new());
        let mut seen = vec![false; self.size.area()];
        seen[self.size.flat(stone)] = true;
        let mut next = 0;
        while next < chain.len() {
            for near in self.size.neighbours(chain[next]) {
                let flat = self.size.flat(near);
                if seen[flat] {
                    continue;
                }
                if self.stone(near).is_none() {
                    seen[flat] = true;
                    liberties.push(near);
                } else if self.stone(near) == colour {
                    seen[flat] = true;
                    chain.push(near);
                }
            }
            next += 1;
        }
        chain.sort_unstable();
        liberties.sort_unstable();
        (chain, liberties)
    }

    /// Takes off the chain of a stone if it has no liberty.
    fn remove_if_taken(&mut self, stone: Point) -> u32 {
        let (chain, liberties) = self.chain(stone);
        if !liberties.is_empty() {
            return 0;
        }
        for stone in &chain {
            self.stones[self.size.flat(*stone)] = None;
        }
        u32::try_from(chain.len()).expect("small")
    }

    /// The board after a move, or nothing if it is not legal.
    pub(crate) fn after(&self, colour: Colour, point: Point) -> Option<Self> {
        if !self.size.contains(point) || self.stone(point).is_some() {
            return None;
        }
        let mut next = self.clone();
        next.stones[self.size.flat(point)] = Some(colour);
        for near in self.size.neighbours(point) {
            if next.stone(near) == Some(!colour) {
                next.captures[colour.index()] += next.remove_if_taken(near);
            }
        }
        let lost = next.remove_if_taken(point);
        let legal = match self.suicide {
            Suicide::Forbidden => lost == 0,
            Suicide::MultiStone => lost != 1,
            Suicide::Allowed => true,
        };
        next.captures[(!colour).index()] += lost;
        if let Some((mover, before)) = &self.last
            && *mover == !colour
            && lost == 0
            && *before == next.stones
        {
            return None;
        }
        next.last = Some((colour, self.stones.clone()));
        legal.then_some(next)
    }

    pub(crate) fn pass(&mut self) {
        self.last = None;
    }

    /// Fails if a board does not hold the same.
    pub(crate) fn assert_same(&self, board: &Board) {
        for point in self.size.points() {
            assert_eq!(self.stone(point), board.stone(point), "{board}{point:?}");
        }
        for colour in Colour::BOTH {
            assert_eq!(self.captures[colour.index()], board.captures(colour));
        }
    }

    /// Fails if the chain of a stone is not the same.
    pub(crate) fn assert_same_chain(&self, board: &Board, stone: Point) {
        let (chain, liberties) = self.chain(stone);
        let sorted = |mut points: Vec<Point>| {
            points.sort_unstable();
            points
        };
        assert_eq!(sorted(board.chain_stones(stone).collect()), chain);
        assert_eq!(sorted(board.chain_liberties(stone).collect()), liberties);
        assert_eq!(usize::from(board.chain_size(stone)), chain.len());
        assert_eq!(usize::from(board.liberties(stone)), liberties.len());
    }

    /// Fails if not the same moves are legal.
    pub(crate) fn assert_same_moves(&self, board: &Board) {
        for colour in Colour::BOTH {
            for point in self.size.points() {
                assert_eq!(
                    self.after(colour, point).is_some(),
                    board.is_legal(colour, point),
                    "{colour} {}\n{board}",
                    self.size.gtp(point)
                );
            }
        }
    }
}
