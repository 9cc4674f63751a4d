//! Finding the number of a layout when one or two pieces of a known layout have moved.
//!
//! Every group of like pieces has a code for the squares of its pieces, in any order; the codes of
//! all groups make a radix number, and a table turns that into the layout's number in the index.
//! So moving a piece costs an addition and two look-ups. Inventories whose table would be too
//! large compute the number instead.

use super::words::prefetch_line;
use crate::index::{Layout, Layouts, MAX_PIECES};

/// Largest table of layout numbers, in entries of four bytes.
const LARGEST_TABLE: u64 = 1 << 24;

/// A layout taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// Free square by slot.
    pub(super) squares: Layout,
    /// The occupied free squares.
    pub(super) occupied: u32,
    radix: u32,
}

impl Placed {
    /// The slot of the piece on a free square, [`MAX_PIECES`] if there is none.
    #[inline(always)]
    pub(super) fn at(&self, square: u8) -> usize {
        // The lowest byte that is equal, found by looking for a zero byte.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let differ = u64::from_le_bytes(self.squares) ^ (ONES * u64::from(square));
        let equal = differ.wrapping_sub(ONES) & !differ & ONES << 7;
        equal.trailing_zeros() as usize / 8
    }
}

/// One piece of a layout, about to move.
pub(super) struct Mover<'a, const LIKE: bool> {
    locator: &'a Locator,
    placed: &'a Placed,
    slot: usize,
    shares: &'a [u32],
    /// The radix number without the share of the piece's group.
    rest: u32,
    /// The code of the group with the piece on square 0.
    code: u32,
    weight: u32,
}

impl<const LIKE: bool> Mover<'_, LIKE> {
    /// The number of the layout in which the piece stands on `to`.
    #[inline(always)]
    pub(super) fn number(&self, to: u8) -> u32 {
        self.number_with(to, 0)
            .unwrap_or_else(|| self.locator.moved::<LIKE>(self.placed, self.slot, to))
    }

    /// The number of the layout in which the piece stands on `to` and a piece of another group has
    /// moved too, which changes the radix number by `change`. `None` if there is no table.
    #[inline(always)]
    pub(super) fn number_with(&self, to: u8, change: u32) -> Option<u32> {
        let share = if LIKE {
            *self
                .shares
                .get((self.code + u32::from(to) * self.weight) as usize)?
        } else {
            u32::from(to) * self.weight
        };
        let radix = self.rest.wrapping_add(share).wrapping_add(change);
        Some(self.locator.numbers[radix as usize])
    }
}

/// Turns layouts into numbers.
#[derive(Debug)]
pub(super) struct Locator {
    layouts: Layouts,
    pieces: usize,
    /// By slot: its group.
    pub(super) group: [u8; MAX_PIECES],
    /// By group: its first slot and its number of pieces.
    pub(super) first: [u8; MAX_PIECES],
    pub(super) count: [u8; MAX_PIECES],
    /// By slot: what its square is worth in the code of its group.
    weight: [u32; MAX_PIECES],
    /// By slot: what its square is worth in the radix number, where all groups have one piece.
    stride: [u32; MAX_PIECES],
    /// By group: from code to the group's share of the radix number.
    shares: Vec<Vec<u32>>,
    /// From radix number to layout number; empty if it would be too large.
    numbers: Vec<u32>,
    /// Every layout; empty if there are too many.
    all: Vec<Placed>,
}

impl Locator {
    pub(super) fn new(layouts: &Layouts) -> Locator {
        let free = u64::from(layouts.free());
        let mut locator = Locator {
            layouts: layouts.clone(),
            pieces: layouts.groups().iter().map(|g| usize::from(g.count)).sum(),
            group: [0; MAX_PIECES],
            first: [0; MAX_PIECES],
            count: [0; MAX_PIECES],
            weight: [0; MAX_PIECES],
            stride: [0; MAX_PIECES],
            shares: Vec::new(),
            numbers: Vec::new(),
            all: Vec::new(),
        };
        let mut stride = 1u64;
        for (g, group) in layouts.groups().iter().enumerate() {
            locator.first[g] = group.first;
            locator.count[g] = group.count;
            for (place, slot) in group.slots().enumerate() {
                locator.group[slot] = g as u8;
                locator.weight[slot] = (free as u32 + 1).pow(place as u32);
            }
            locator.stride[usize::from(group.first)] = stride.min(u64::from(u32::MAX)) as u32;
            // Codes of a group count all orders; its share of the radix number counts sets.
            let codes = (free + 1).pow(u32::from(group.count));
            let mut sets = std::collections::BTreeMap::new();
            let mut shares = Vec::new();
            if codes <= 1 << 20 {
                for code in 0..codes {
                    let mut squares: Vec<u64> = (0..u32::from(group.count))
                        .map(|place| code / (free + 1).pow(place) % (free + 1))
                        .collect();
                    squares.sort_unstable();
                    // Two pieces on one square are never asked for: the smaller the table, the
                    // more of it is in the cache.
                    let stacked = |pair: &[u64]| pair[0] == pair[1] && pair[0] < free;
                    if squares.windows(2).any(stacked) {
                        shares.push(0);
                        continue;
                    }
                    let next = sets.len() as u64;
                    let set = *sets.entry(squares).or_insert(next);
                    shares.push((set * stride.min(u64::from(u32::MAX))) as u32);
                }
                stride = stride.saturating_mul(sets.len() as u64);
            } else {
                stride = u64::MAX;
            }
            locator.shares.push(shares);
        }
        if stride <= LARGEST_TABLE {
            locator.all = (0..layouts.count())
                .map(|number| locator.placed_at::<true>(&layouts.unrank(number)))
                .collect();
            let mut numbers = vec![u32::MAX; stride as usize];
            for (number, placed) in locator.all.iter().enumerate() {
                numbers[placed.radix as usize] = number as u32;
            }
            locator.numbers = numbers;
        } else {
            locator.shares.clear();
        }
        locator
    }

    /// Whether no two pieces are alike and a table of layout numbers is small enough: then the
    /// numbers are found by arithmetic that knows nothing of groups.
    pub(super) fn is_plain(layouts: &Layouts) -> bool {
        let table = (u64::from(layouts.free()) + 1).checked_pow(layouts.groups().len() as u32);
        layouts.groups().iter().all(|group| group.count == 1)
            && table.is_some_and(|entries| entries <= LARGEST_TABLE)
    }

    /// Whether layout numbers are in a table.
    #[inline(always)]
    pub(super) fn has_table(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// How layouts are numbered.
    pub(super) fn numbering(&self) -> &Layouts {
        &self.layouts
    }

    /// Number of layouts.
    pub(super) fn layouts(&self) -> u32 {
        self.layouts.count() as u32
    }

    /// The layout with this number.
    #[inline(always)]
    pub(super) fn placed(&self, number: u32) -> Placed {
        match self.all.get(number as usize) {
            Some(placed) => *placed,
            None => self.placed_at::<true>(&self.layouts.unrank(u64::from(number))),
        }
    }

    /// Asks for what [`placed`](Self::placed) reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: u32) {
        if let Some(placed) = self.all.get(number as usize) {
            prefetch_line(placed);
        }
    }

    /// A layout given by its squares, which ascend within each group.
    #[inline(always)]
    pub(super) fn placed_at<const LIKE: bool>(&self, squares: &Layout) -> Placed {
        let free = self.layouts.free();
        let mut placed = Placed {
            squares: *squares,
            occupied: 0,
            radix: 0,
        };
        for (slot, &square) in squares[..self.pieces].iter().enumerate() {
            placed.occupied |= u32::from(square < free) << square;
            if !LIKE {
                placed.radix += u32::from(square) * self.stride[slot];
            }
        }
        if LIKE {
            for (group, shares) in self.shares.iter().enumerate() {
                placed.radix += shares[self.code(squares, group) as usize];
            }
        }
        placed
    }

    /// The squares of a group as one number, whatever their order.
    #[inline(always)]
    fn code(&self, squares: &Layout, group: usize) -> u32 {
        let first = usize::from(self.first[group]);
        let slots = first..first + usize::from(self.count[group]);
        slots
            .map(|slot| u32::from(squares[slot]) * self.weight[slot])
            .sum()
    }

    /// Pieces of a group on the board.
    #[inline(always)]
    pub(super) fn on_board(&self, placed: &Placed, group: usize) -> u8 {
        let free = self.layouts.free();
        let first = usize::from(self.first[group]);
        let slots = first..first + usize::from(self.count[group]);
        slots
            .map(|slot| u8::from(placed.squares[slot] < free))
            .sum()
    }

    /// Where all groups have one piece: a square's share of the radix number.
    #[inline(always)]
    pub(super) fn worth(&self, slot: usize, square: u8) -> u32 {
        u32::from(square) * self.stride[slot]
    }

    /// The layout with this radix number.
    #[inline(always)]
    pub(super) fn numbered(&self, radix: u32) -> u32 {
        self.numbers[radix as usize]
    }

    /// The number of the layout itself.
    #[inline(always)]
    pub(super) fn same(&self, placed: &Placed) -> u32 {
        match self.numbers.get(placed.radix as usize) {
            Some(&number) => number,
            None => self.layouts.rank(&placed.squares) as u32,
        }
    }

    /// The number of the layout in which the piece in `slot` stands on `to` instead.
    #[inline(always)]
    pub(super) fn moved<const LIKE: bool>(&self, placed: &Placed, slot: usize, to: u8) -> u32 {
        if self.numbers.is_empty() {
            let mut squares = placed.squares;
            squares[slot] = to;
            return self.number::<LIKE>(squares);
        }
        let from = placed.squares[slot];
        if !LIKE {
            let change = u32::from(to)
                .wrapping_sub(u32::from(from))
                .wrapping_mul(self.stride[slot]);
            return self.numbers[placed.radix.wrapping_add(change) as usize];
        }
        let group = usize::from(self.group[slot]);
        let shares = &self.shares[group];
        let code = self.code(&placed.squares, group);
        let after = code.wrapping_add(
            u32::from(to)
                .wrapping_sub(u32::from(from))
                .wrapping_mul(self.weight[slot]),
        );
        let radix = placed.radix - shares[code as usize] + shares[after as usize];
        self.numbers[radix as usize]
    }

    /// Prepares to move one piece of a layout to many squares.
    #[inline(always)]
    pub(super) fn mover<'a, const LIKE: bool>(
        &'a self,
        placed: &'a Placed,
        slot: usize,
    ) -> Mover<'a, LIKE> {
        let from = u32::from(placed.squares[slot]);
        let group = usize::from(self.group[slot]);
        let mut mover = Mover {
            locator: self,
            placed,
            slot,
            shares: &[],
            rest: 0,
            code: 0,
            weight: 0,
        };
        if !LIKE {
            mover.weight = self.stride[slot];
            mover.rest = placed.radix - from * mover.weight;
        } else if let Some(shares) = self.shares.get(group) {
            let code = self.code(&placed.squares, group);
            mover.shares = shares;
            mover.weight = self.weight[slot];
            mover.rest = placed.radix - shares[code as usize];
            mover.code = code - from * mover.weight;
        }
        mover
    }

    /// What the radix number gains when the piece in `slot` moves to `to`; 0 if there is no table.
    #[inline(always)]
    pub(super) fn change<const LIKE: bool>(&self, placed: &Placed, slot: usize, to: u8) -> u32 {
        let moved = u32::from(to).wrapping_sub(u32::from(placed.squares[slot]));
        if !LIKE {
            return moved.wrapping_mul(self.stride[slot]);
        }
        let group = usize::from(self.group[slot]);
        let Some(shares) = self.shares.get(group) else {
            return 0;
        };
        let code = self.code(&placed.squares, group);
        let after = code.wrapping_add(moved.wrapping_mul(self.weight[slot]));
        shares[after as usize].wrapping_sub(shares[code as usize])
    }

    /// The number of the layout in which two pieces stand elsewhere.
    #[inline(always)]
    pub(super) fn moved_two<const LIKE: bool>(
        &self,
        placed: &Placed,
        a: (usize, u8),
        b: (usize, u8),
    ) -> u32 {
        if self.numbers.is_empty() {
            let mut squares = placed.squares;
            squares[a.0] = a.1;
            squares[b.0] = b.1;
            return self.number::<LIKE>(squares);
        }
        let mut squares = placed.squares;
        let mut radix = placed.radix;
        for (slot, to) in [a, b] {
            let from = squares[slot];
            if !LIKE {
                let change = u32::from(to).wrapping_sub(u32::from(from));
                radix = radix.wrapping_add(change.wrapping_mul(self.stride[slot]));
                continue;
            }
            let group = usize::from(self.group[slot]);
            let shares = &self.shares[group];
            let before = shares[self.code(&squares, group) as usize];
            squares[slot] = to;
            let after = shares[self.code(&squares, group) as usize];
            radix = radix.wrapping_sub(before).wrapping_add(after);
        }
        self.numbers[radix as usize]
    }

    /// The number of a layout whose squares may stand in any order within a group.
    #[inline(always)]
    pub(super) fn number<const LIKE: bool>(&self, mut squares: Layout) -> u32 {
        if self.numbers.is_empty() {
            for group in self.layouts.groups() {
                squares[group.slots()].sort_unstable();
            }
            return self.layouts.rank(&squares) as u32;
        }
        if !LIKE {
            let worth = |slot: usize| u32::from(squares[slot]) * self.stride[slot];
            let radix: u32 = (0..self.pieces).map(worth).sum();
            return self.numbers[radix as usize];
        }
        let mut radix = 0;
        for (group, shares) in self.shares.iter().enumerate() {
            radix += shares[self.code(&squares, group) as usize];
        }
        self.numbers[radix as usize]
    }
}
