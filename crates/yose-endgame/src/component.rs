//! The name of a local position: the same for all its symmetries and for exchanged colours.

use std::sync::Arc;

use crate::field::{Field, Set, Stones, members};

const BLACK: u32 = 1;
const WHITE: u32 = 2;
const TOUCHES_BLACK: u32 = 4;
const TOUCHES_WHITE: u32 = 8;

/// One connected part of the points in play, without its place on the board: for each point row,
/// column, stone, and which immortal colours it touches; in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Component(Arc<[u32]>);

/// Row and column of each point of a field.
pub(crate) type Coordinates = Vec<(u32, u32)>;

/// A component and whether its colours were exchanged: then its value is the negative.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) component: Component,
    pub(crate) negated: bool,
}

impl Component {
    /// The least of all sixteen pictures (eight symmetries, two colourings).
    pub(crate) fn named(at: &Stones, part: Set, places: &[(u32, u32)]) -> Named {
        let points: Vec<(u32, u32, u32)> = members(part)
            .map(|p| {
                let has = |set: Set, code: u32| if set >> p & 1 == 1 { code } else { 0 };
                let code = has(at.stones[0], BLACK)
                    | has(at.stones[1], WHITE)
                    | has(at.touch[0], TOUCHES_BLACK)
                    | has(at.touch[1], TOUCHES_WHITE);
                (places[p].0, places[p].1, code)
            })
            .collect();
        let (mut top, mut left, mut bottom, mut right) = (u32::MAX, u32::MAX, 0, 0);
        for &(row, col, _) in &points {
            (top, left) = (top.min(row), left.min(col));
            (bottom, right) = (bottom.max(row), right.max(col));
        }
        let mut best: Option<(Vec<u32>, bool)> = None;
        let mut picture = Vec::with_capacity(points.len());
        for symmetry in 0..16 {
            picture.clear();
            picture.extend(points.iter().map(|&(row, col, code)| {
                let mut r = if symmetry & 1 == 0 {
                    row - top
                } else {
                    bottom - row
                };
                let mut c = if symmetry & 2 == 0 {
                    col - left
                } else {
                    right - col
                };
                if symmetry & 4 != 0 {
                    (r, c) = (c, r);
                }
                let code = if symmetry & 8 == 0 {
                    code
                } else {
                    exchanged(code)
                };
                r << 16 | c << 8 | code
            }));
            picture.sort_unstable();
            if best.as_ref().is_none_or(|(least, _)| picture < *least) {
                best = Some((picture.clone(), symmetry & 8 != 0));
            }
        }
        let (picture, negated) = best.unwrap_or_default();
        Named {
            component: Self(picture.into()),
            negated,
        }
    }

    /// How many of its points are empty.
    pub(crate) fn empty_points(&self) -> u32 {
        let stones = self.0.iter().filter(|&point| point & (BLACK | WHITE) != 0);
        u32::try_from(self.0.len() - stones.count()).unwrap_or(u32::MAX)
    }

    /// The field of this component, what stands on it, and where.
    pub(crate) fn field(&self) -> (Field, Stones, Coordinates) {
        let mut stones = Stones {
            all: 0,
            stones: [0; 2],
            touch: [0; 2],
        };
        let mut beside = vec![0; self.0.len()];
        let mut places = Vec::with_capacity(self.0.len());
        for (p, &picture) in self.0.iter().enumerate() {
            let bit: Set = 1 << p;
            stones.all |= bit;
            let mark = |code: u32, set: &mut Set| {
                if picture & code != 0 {
                    *set |= bit;
                }
            };
            mark(BLACK, &mut stones.stones[0]);
            mark(WHITE, &mut stones.stones[1]);
            mark(TOUCHES_BLACK, &mut stones.touch[0]);
            mark(TOUCHES_WHITE, &mut stones.touch[1]);
            let (row, col) = (picture >> 16, picture >> 8 & 0xff);
            places.push((row, col));
            // Those before it in order lie above it or to its left.
            for (r, c) in [(row.wrapping_sub(1), col), (row, col.wrapping_sub(1))] {
                if let Ok(q) = places.binary_search(&(r, c)) {
                    beside[p] |= 1 << q;
                    beside[q] |= bit;
                }
            }
        }
        (Field { beside }, stones, places)
    }
}

const fn exchanged(code: u32) -> u32 {
    (code & 0b0101) << 1 | (code & 0b1010) >> 1
}
