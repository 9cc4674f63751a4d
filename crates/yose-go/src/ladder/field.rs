//! The board that ladders are read on: moves are made and taken back millions of times a second.
//!
//! Beside colours it keeps, for each chain, its stones as a circular list and its liberties as a set
//! of bits with their number, so that "which are the two liberties" needs no walk. Chains are joined
//! as trees of parents, the smaller under the larger and never compressed, so that a joint can be
//! undone. Points lie in rows that share one wall cell.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "cells have numbers below 703, and steps lead from one to the next"
)]

/// Most rows or columns.
pub(crate) const MOST_LINES: usize = 25;
/// Cells of the largest board with its walls.
const CELLS: usize = (MOST_LINES + 2) * (MOST_LINES + 1) + 1;
/// Words of 64 bits in a set of cells.
const WORDS: usize = CELLS.div_ceil(64);

/// The empty set of cells.
pub(crate) const NO_CELLS: Bits = [0; WORDS];

/// What a cell holds.
pub(crate) const EMPTY: u8 = 0;
pub(crate) const BLACK: u8 = 1;
pub(crate) const WHITE: u8 = 2;
const WALL: u8 = 3;

/// A cell of the field.
pub(crate) type Spot = u16;
/// No cell.
pub(crate) const NOWHERE: Spot = Spot::MAX;

/// A set of cells.
pub(crate) type Bits = [u64; WORDS];

/// What is needed to take a move back.
#[derive(Debug, Clone, Copy)]
struct Undo {
    spot: Spot,
    ko: Spot,
    hash: u64,
    /// The chain that took up the new stone, or `NOWHERE` if the stone is alone.
    main: Spot,
    /// How many liberties were noted for that chain, or for the cell of a stone that is alone.
    main_liberties: u16,
    joined: [Spot; 3],
    captured: [Spot; 4],
    /// What the cell's links were: a captured stone that stood here needs them to come back.
    parent: Spot,
    next: Spot,
    size: u16,
}

/// Colours, chains and liberties, with moves that can be taken back.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    rows: usize,
    cols: usize,
    words: usize,
    steps: [isize; 4],
    colour: Box<[u8; CELLS]>,
    parent: Box<[Spot; CELLS]>,
    next: Box<[Spot; CELLS]>,
    size: Box<[u16; CELLS]>,
    count: Box<[u16; CELLS]>,
    liberties: Box<[Bits; CELLS]>,
    ko: Spot,
    hash: u64,
    undo: Vec<Undo>,
    saved: Vec<Bits>,
}

impl Field {
    /// An empty board; both numbers of lines are at most [`MOST_LINES`].
    pub(crate) fn new(rows: usize, cols: usize) -> Self {
        debug_assert!(rows <= MOST_LINES && cols <= MOST_LINES);
        let stride = cols as isize + 1;
        let mut field = Self {
            rows,
            cols,
            words: ((rows + 2) * (cols + 1) + 1).div_ceil(64),
            steps: [-stride, -1, 1, stride],
            colour: Box::new([WALL; CELLS]),
            parent: Box::new([0; CELLS]),
            next: Box::new([0; CELLS]),
            size: Box::new([0; CELLS]),
            count: Box::new([0; CELLS]),
            liberties: Box::new([[0; WORDS]; CELLS]),
            ko: NOWHERE,
            hash: 0,
            undo: Vec::new(),
            saved: Vec::new(),
        };
        for row in 0..rows {
            for col in 0..cols {
                field.colour[usize::from(field.spot(row, col))] = EMPTY;
            }
        }
        field
    }

    /// The cell of a point.
    pub(crate) fn spot(&self, row: usize, col: usize) -> Spot {
        ((row + 1) * (self.cols + 1) + col + 1) as Spot
    }

    /// Row and column of a cell that is a point.
    pub(crate) fn row_col(&self, spot: Spot) -> (usize, usize) {
        let spot = usize::from(spot);
        (spot / (self.cols + 1) - 1, spot % (self.cols + 1) - 1)
    }

    /// Places a position: a byte for each point in row order, and the point where a ko may not be
    /// retaken.
    pub(crate) fn load(&mut self, points: &[u8], ko: Option<(usize, usize)>) {
        debug_assert_eq!(points.len(), self.rows * self.cols);
        self.undo.clear();
        self.saved.clear();
        self.ko = ko.map_or(NOWHERE, |(row, col)| self.spot(row, col));
        self.hash = 0;
        for (row, line) in points.chunks_exact(self.cols).enumerate() {
            let start = usize::from(self.spot(row, 0));
            self.colour[start..start + self.cols].copy_from_slice(line);
            // Chains are found below; until then stones have none.
            self.parent[start..start + self.cols].fill(NOWHERE);
        }
        for row in 0..self.rows {
            let start = usize::from(self.spot(row, 0));
            for spot in start..start + self.cols {
                if self.parent[spot] == NOWHERE && matches!(self.colour[spot], BLACK | WHITE) {
                    self.find_chain(spot as Spot);
                }
            }
        }
    }

    /// Walks the chain of a stone and notes its stones and liberties.
    fn find_chain(&mut self, root: Spot) {
        let colour = self.colour[usize::from(root)];
        let mut liberties = [0; WORDS];
        let (mut size, mut count) = (1, 0);
        self.parent[usize::from(root)] = root;
        self.next[usize::from(root)] = root;
        // The circular list is its own queue: new stones are hung in at its end.
        let (mut at, mut last) = (root, root);
        loop {
            for step in self.steps {
                let q = beside(at, step);
                let there = self.colour[usize::from(q)];
                if there == EMPTY {
                    count += u16::from(insert(&mut liberties, q));
                } else if there == colour && self.parent[usize::from(q)] == NOWHERE {
                    self.parent[usize::from(q)] = root;
                    self.next[usize::from(last)] = q;
                    self.next[usize::from(q)] = root;
                    last = q;
                    size += 1;
                }
            }
            at = self.next[usize::from(at)];
            if at == root {
                break;
            }
        }
        self.size[usize::from(root)] = size;
        self.count[usize::from(root)] = count;
        self.liberties[usize::from(root)] = liberties;
    }

    /// What a cell holds.
    #[inline]
    pub(crate) fn at(&self, spot: Spot) -> u8 {
        self.colour[usize::from(spot)]
    }

    /// Where a ko may not be retaken, or `NOWHERE`.
    #[inline]
    pub(crate) fn ko(&self) -> Spot {
        self.ko
    }

    /// The four cells that touch one with a corner.
    #[inline]
    pub(crate) fn corners(&self, spot: Spot) -> [Spot; 4] {
        let [up, left, right, down] = self.steps;
        [up + left, up + right, down + left, down + right].map(|step| beside(spot, step))
    }

    /// The eight cells round one, row by row.
    pub(crate) fn around(&self, spot: Spot) -> [Spot; 8] {
        let [up, left, right, down] = self.steps;
        let steps = [
            up + left,
            up,
            up + right,
            left,
            right,
            down + left,
            down,
            down + right,
        ];
        steps.map(|step| beside(spot, step))
    }

    /// Is a cell a liberty of a chain?
    #[inline]
    pub(crate) fn has_liberty(&self, chain: Spot, spot: Spot) -> bool {
        contains(&self.liberties[usize::from(chain)], spot)
    }

    /// The liberties of several chains together.
    pub(crate) fn liberty_set(&self, chains: &[Spot]) -> Bits {
        let mut union = [0; WORDS];
        for &chain in chains {
            for (to, from) in union.iter_mut().zip(self.liberties(chain)) {
                *to |= from;
            }
        }
        union
    }

    /// The four cells beside one.
    #[inline]
    pub(crate) fn beside(&self, spot: Spot) -> [Spot; 4] {
        self.steps.map(|step| beside(spot, step))
    }

    /// The stone that stands for the chain of a stone.
    #[inline]
    pub(crate) fn chain(&self, stone: Spot) -> Spot {
        let mut at = stone;
        loop {
            let parent = self.parent[usize::from(at)];
            if parent == at {
                return at;
            }
            at = parent;
        }
    }

    /// Number of stones of a chain, named by the stone that stands for it.
    #[inline]
    pub(crate) fn size(&self, chain: Spot) -> u16 {
        self.size[usize::from(chain)]
    }

    /// Number of liberties of a chain.
    #[inline]
    pub(crate) fn liberty_count(&self, chain: Spot) -> u16 {
        self.count[usize::from(chain)]
    }

    /// Liberties of a chain.
    #[inline]
    pub(crate) fn liberties(&self, chain: Spot) -> &[u64] {
        &self.liberties[usize::from(chain)][..self.words]
    }

    /// The first liberties of a chain in row order, as many as asked for or as there are, and
    /// `NOWHERE` for the rest.
    #[inline]
    pub(crate) fn first_liberties<const N: usize>(&self, chain: Spot) -> [Spot; N] {
        let mut found = [NOWHERE; N];
        let mut n = 0;
        for (k, &word) in self.liberties(chain).iter().enumerate() {
            let mut word = word;
            while word != 0 {
                if n == N {
                    return found;
                }
                found[n] = (k * 64) as Spot + word.trailing_zeros() as Spot;
                n += 1;
                word &= word - 1;
            }
        }
        found
    }

    /// The stones of a chain, beginning with the one named.
    pub(crate) fn stones(&self, first: Spot) -> impl Iterator<Item = Spot> + '_ {
        let mut at = Some(first);
        std::iter::from_fn(move || {
            let stone = at?;
            let next = self.next[usize::from(stone)];
            at = (next != first).then_some(next);
            Some(stone)
        })
    }

    /// A number for ko and all changes since the position was loaded; different positions differ with
    /// all but certainty.
    pub(crate) fn hash(&self) -> u64 {
        self.hash ^ u64::from(self.ko).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// May the colour play here: an empty point, not a ko that may not be retaken, no suicide?
    pub(crate) fn is_legal(&self, spot: Spot, colour: u8) -> bool {
        if self.at(spot) != EMPTY || spot == self.ko {
            return false;
        }
        for q in self.beside(spot) {
            let there = self.at(q);
            if there == EMPTY {
                return true;
            }
            if there != WALL {
                let in_atari = self.liberty_count(self.chain(q)) == 1;
                if in_atari != (there == colour) {
                    return true;
                }
            }
        }
        false
    }

    /// Plays a legal move. Returns the number of stones it captures.
    pub(crate) fn play(&mut self, spot: Spot, colour: u8) -> usize {
        debug_assert!(self.is_legal(spot, colour));
        let at = usize::from(spot);
        let mut undo = Undo {
            spot,
            ko: self.ko,
            hash: self.hash,
            main: NOWHERE,
            main_liberties: 0,
            joined: [NOWHERE; 3],
            captured: [NOWHERE; 4],
            parent: self.parent[at],
            next: self.next[at],
            size: self.size[at],
        };
        let around = self.beside(spot);
        self.colour[at] = colour;
        self.hash ^= key(spot, colour);

        let (mut own, mut own_n, mut captured_n) = ([NOWHERE; 4], 0, 0);
        for q in around {
            let there = self.at(q);
            if there == EMPTY || there == WALL {
                continue;
            }
            let chain = self.chain(q);
            if there == colour {
                if !among(own, chain) {
                    own[own_n] = chain;
                    own_n += 1;
                }
            } else if self.remove_liberty(chain, spot) && self.liberty_count(chain) == 0 {
                undo.captured[captured_n] = chain;
                captured_n += 1;
            }
        }
        self.join(spot, &mut own[..own_n], &mut undo);
        let main = self.chain(spot);
        for q in around {
            if self.at(q) == EMPTY {
                self.add_liberty(main, q);
            }
        }

        let mut stones = 0;
        let mut last = NOWHERE;
        for chain in undo.captured.into_iter().take(captured_n) {
            let mut stone = chain;
            loop {
                self.colour[usize::from(stone)] = EMPTY;
                self.hash ^= key(stone, 3 - colour);
                for q in self.beside(stone) {
                    if self.at(q) == colour {
                        self.add_liberty(self.chain(q), stone);
                    }
                }
                stones += 1;
                last = stone;
                stone = self.next[usize::from(stone)];
                if stone == chain {
                    break;
                }
            }
        }
        let is_ko = stones == 1 && own_n == 0 && self.liberty_count(spot) == 1;
        self.ko = if is_ko { last } else { NOWHERE };
        self.undo.push(undo);
        stones
    }

    /// A turn without a stone: it lifts a ko.
    pub(crate) fn pass(&mut self) {
        self.undo.push(Undo {
            spot: NOWHERE,
            ko: self.ko,
            hash: self.hash,
            main: NOWHERE,
            main_liberties: 0,
            joined: [NOWHERE; 3],
            captured: [NOWHERE; 4],
            parent: NOWHERE,
            next: NOWHERE,
            size: 0,
        });
        self.ko = NOWHERE;
    }

    /// Makes a chain of the new stone and the chains beside it.
    fn join(&mut self, spot: Spot, own: &mut [Spot], undo: &mut Undo) {
        let at = usize::from(spot);
        self.next[at] = spot;
        if own.is_empty() {
            // A chain that was joined to another and then captured may have left its liberties here;
            // when it comes back and is parted again, they are needed.
            undo.main_liberties = self.count[at];
            self.saved.push(self.liberties[at]);
            self.parent[at] = spot;
            self.size[at] = 1;
            self.count[at] = 0;
            self.liberties[at][..self.words].fill(0);
            return;
        }
        let largest = (1..own.len()).fold(0, |best, k| {
            if self.size(own[k]) > self.size(own[best]) {
                k
            } else {
                best
            }
        });
        own.swap(0, largest);
        let main = own[0];
        let m = usize::from(main);
        undo.main = main;
        undo.main_liberties = self.count[m];
        self.saved.push(self.liberties[m]);
        self.remove_liberty(main, spot);
        self.parent[at] = main;
        self.next.swap(at, m);
        self.size[m] += 1;
        for (k, &other) in own[1..].iter().enumerate() {
            let o = usize::from(other);
            undo.joined[k] = other;
            self.parent[o] = main;
            self.next.swap(o, m);
            self.size[m] += self.size[o];
            let mut gained = 0;
            for word in 0..self.words {
                let new = self.liberties[o][word] & !self.liberties[m][word];
                if new != 0 {
                    self.liberties[m][word] |= new;
                    gained += new.count_ones() as u16;
                }
            }
            self.count[m] += gained;
            // The new stone was a liberty of the other chain too.
            self.remove_liberty(main, spot);
        }
    }

    /// Takes the last move back.
    pub(crate) fn undo(&mut self) {
        let Some(undo) = self.undo.pop() else {
            debug_assert!(false, "no move to take back");
            return;
        };
        self.ko = undo.ko;
        self.hash = undo.hash;
        if undo.spot == NOWHERE {
            return;
        }
        let at = usize::from(undo.spot);
        let colour = self.colour[at];
        for chain in undo.captured.into_iter().rev().filter(|&c| c != NOWHERE) {
            let mut stone = chain;
            loop {
                for q in self.beside(stone) {
                    if self.at(q) == colour {
                        self.remove_liberty(self.chain(q), stone);
                    }
                }
                self.colour[usize::from(stone)] = 3 - colour;
                stone = self.next[usize::from(stone)];
                if stone == chain {
                    break;
                }
            }
        }
        if undo.main != NOWHERE {
            let m = usize::from(undo.main);
            for other in undo.joined.into_iter().rev().filter(|&c| c != NOWHERE) {
                let o = usize::from(other);
                self.size[m] -= self.size[o];
                self.next.swap(o, m);
                self.parent[o] = other;
            }
            self.size[m] -= 1;
            self.next.swap(at, m);
            self.count[m] = undo.main_liberties;
            if let Some(saved) = self.saved.pop() {
                self.liberties[m] = saved;
            }
        }
        if undo.main == NOWHERE {
            self.count[at] = undo.main_liberties;
            if let Some(saved) = self.saved.pop() {
                self.liberties[at] = saved;
            }
        }
        self.parent[at] = undo.parent;
        self.next[at] = undo.next;
        self.size[at] = undo.size;
        self.colour[at] = EMPTY;
        for q in self.beside(undo.spot) {
            if self.at(q) == 3 - colour {
                self.add_liberty(self.chain(q), undo.spot);
            }
        }
    }

    /// Returns whether the point was a liberty of the chain until now.
    #[inline]
    fn remove_liberty(&mut self, chain: Spot, spot: Spot) -> bool {
        let word = &mut self.liberties[usize::from(chain)][usize::from(spot) / 64];
        let bit = 1 << (spot % 64);
        let was = *word & bit != 0;
        *word &= !bit;
        self.count[usize::from(chain)] -= u16::from(was);
        was
    }

    #[inline]
    fn add_liberty(&mut self, chain: Spot, spot: Spot) {
        let new = insert(&mut self.liberties[usize::from(chain)], spot);
        self.count[usize::from(chain)] += u16::from(new);
    }
}

/// Is a chain one of four? Written out, since a call would cost more.
#[inline]
pub(crate) const fn among(four: [Spot; 4], chain: Spot) -> bool {
    let [a, b, c, d] = four;
    a == chain || b == chain || c == chain || d == chain
}

/// Is a cell in a set?
#[inline]
pub(crate) fn contains(bits: &Bits, spot: Spot) -> bool {
    bits[usize::from(spot) / 64] >> (spot % 64) & 1 != 0
}

/// Takes a cell out of a set.
#[inline]
pub(crate) fn remove(bits: &mut Bits, spot: Spot) {
    bits[usize::from(spot) / 64] &= !(1 << (spot % 64));
}

/// Adds a cell to a set; returns whether it is new.
#[inline]
pub(crate) fn insert(bits: &mut Bits, spot: Spot) -> bool {
    let word = &mut bits[usize::from(spot) / 64];
    let bit = 1 << (spot % 64);
    let new = *word & bit == 0;
    *word |= bit;
    new
}

#[inline]
fn beside(spot: Spot, step: isize) -> Spot {
    (spot as isize + step) as Spot
}

/// A number for a stone on a cell, well mixed (the finisher of SplitMix64).
#[inline]
fn key(spot: Spot, colour: u8) -> u64 {
    let mut z = (u64::from(spot) * 4 + u64::from(colour) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
