//! Plain and slow: a board, a ladder reader and encoders written to be read, to compare with. They
//! share nothing with the crate.
#![allow(
    dead_code,
    unreachable_pub,
    missing_debug_implementations,
    reason = "each test binary uses its part"
)]

use std::collections::BTreeSet;

pub mod ladder;
pub mod planes;

/// A board as characters `.`, `X`, `O`, row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plain {
    pub rows: usize,
    pub cols: usize,
    pub cells: Vec<char>,
    pub ko: Option<usize>,
    /// For each point the number of the turn in which its stone was played.
    pub played: Vec<Option<usize>>,
    /// Turns so far, passes included.
    pub turns: usize,
}

pub fn other(colour: char) -> char {
    if colour == 'X' { 'O' } else { 'X' }
}

impl Plain {
    pub fn new(rows: usize, cols: usize) -> Self {
        Self {
            rows,
            cols,
            cells: vec!['.'; rows * cols],
            ko: None,
            played: vec![None; rows * cols],
            turns: 0,
        }
    }

    pub fn from_rows(rows: &[&str]) -> Self {
        let mut board = Self::new(rows.len(), rows[0].len());
        board.cells = rows.concat().chars().collect();
        board
    }

    pub fn neighbours(&self, p: usize) -> Vec<usize> {
        let (r, c) = (p / self.cols, p % self.cols);
        let mut out = Vec::new();
        if r > 0 {
            out.push(p - self.cols);
        }
        if c > 0 {
            out.push(p - 1);
        }
        if c + 1 < self.cols {
            out.push(p + 1);
        }
        if r + 1 < self.rows {
            out.push(p + self.cols);
        }
        out
    }

    pub fn diagonals(&self, p: usize) -> Vec<usize> {
        let (r, c) = (p / self.cols, p % self.cols);
        let mut out = Vec::new();
        for q in 0..self.cells.len() {
            let (y, x) = (q / self.cols, q % self.cols);
            if y.abs_diff(r) == 1 && x.abs_diff(c) == 1 {
                out.push(q);
            }
        }
        out
    }

    /// Stones and liberties of the chain at a point.
    pub fn chain(&self, p: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let colour = self.cells[p];
        assert_ne!(colour, '.');
        let (mut stones, mut liberties) = (BTreeSet::from([p]), BTreeSet::new());
        let mut todo = vec![p];
        while let Some(p) = todo.pop() {
            for q in self.neighbours(p) {
                if self.cells[q] == '.' {
                    liberties.insert(q);
                } else if self.cells[q] == colour && stones.insert(q) {
                    todo.push(q);
                }
            }
        }
        (stones, liberties)
    }

    pub fn liberties(&self, p: usize) -> usize {
        self.chain(p).1.len()
    }

    /// Places a stone and takes what has no liberty off the board, enemies first. Returns the
    /// captured enemy stones and the own ones.
    pub fn place(&mut self, p: usize, colour: char) -> (BTreeSet<usize>, BTreeSet<usize>) {
        assert_eq!(self.cells[p], '.');
        self.cells[p] = colour;
        let mut captured = BTreeSet::new();
        for q in self.neighbours(p) {
            if self.cells[q] == other(colour) && self.liberties(q) == 0 {
                captured.extend(self.chain(q).0);
            }
        }
        for &q in &captured {
            self.cells[q] = '.';
            self.played[q] = None;
        }
        let (stones, liberties) = self.chain(p);
        let own = if liberties.is_empty() {
            stones.clone()
        } else {
            BTreeSet::new()
        };
        for &q in &own {
            self.cells[q] = '.';
            self.played[q] = None;
        }
        self.ko = None;
        let alone = captured.len() == 1 && stones.len() == 1 && self.cells[p] == colour;
        if alone && self.chain(p).1 == captured {
            self.ko = captured.first().copied();
        }
        (captured, own)
    }

    /// Simple ko, no suicide.
    pub fn legal(&self, p: usize, colour: char) -> bool {
        if self.cells[p] != '.' || self.ko == Some(p) {
            return false;
        }
        self.clone().place(p, colour).1.is_empty()
    }

    pub fn play(&mut self, p: usize, colour: char) {
        assert!(self.legal(p, colour));
        self.place(p, colour);
        self.played[p] = Some(self.turns);
        self.turns += 1;
    }

    pub fn pass(&mut self) {
        self.ko = None;
        self.turns += 1;
    }

    /// The recursive eye rule, taken literally: `path` holds the points it came from.
    pub fn eye(&self, p: usize, colour: char, path: &mut Vec<usize>) -> bool {
        if self.cells[p] != '.' || self.neighbours(p).iter().any(|&q| self.cells[q] != colour) {
            return false;
        }
        let allowed = usize::from(self.neighbours(p).len() == 4);
        let mut bad = 0;
        for q in self.diagonals(p) {
            if self.cells[q] == other(colour) {
                bad += 1;
            } else if self.cells[q] == '.' && !path.contains(&q) {
                path.push(p);
                if !self.eye(q, colour, path) {
                    bad += 1;
                }
                path.pop();
            }
        }
        bad <= allowed
    }
}
