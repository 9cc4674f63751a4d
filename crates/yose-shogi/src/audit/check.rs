//! Every position of a range of layouts against its children.

use std::ops::Range;
use std::sync::Arc;

use super::census::{Census, mirrored_pairs};
use super::fold::{PART, fold, mark};
use super::geometry::{LayoutMoves, Scratch, SliceMoves, Try};
use super::judge::{Judge, StoredBy};
use super::maps::Maps;
use crate::index::Index;

/// The keys of a slice as its parents read them.
pub(super) type Keys<K> = Arc<Vec<K>>;

/// What was found in a range of layouts.
#[derive(Debug, Default, Clone)]
pub(super) struct Found {
    /// Positions that were checked.
    pub(super) positions: u64,
    /// Slots whose value is wrong.
    pub(super) violations: u64,
    /// The first of them.
    pub(super) first: Vec<u64>,
    /// The positions by value.
    pub(super) census: Census,
}

const WON: u8 = 1;
const HOLE: u8 = 2;

/// The keys of a slice as parents read them: in each block the lane `l` comes to `l` with all owner
/// bits turned over.
pub(super) fn turned_keys<J: Judge>(index: &Index, stored: &StoredBy<'_, J>) -> Keys<J::Key> {
    let lanes = index.lanes();
    let owners = (0..lanes.pieces()).fold(0, |set, s| set | 1 << lanes.field(s).owner_bit());
    let mut turned = vec![J::Key::default(); stored.lengths().0];
    let mut block = vec![J::Key::default(); lanes.width()];
    for (i, turned) in turned.chunks_exact_mut(lanes.width()).enumerate() {
        J::keys(stored, i * lanes.width(), &mut block);
        for (lane, key) in turned.iter_mut().enumerate() {
            *key = block[lane ^ owners];
        }
    }
    Arc::new(turned)
}

/// A slice that is being checked.
pub(super) struct Checked<'a, J: Judge> {
    pub(super) index: &'a Index,
    pub(super) number: usize,
    pub(super) moves: SliceMoves<'a>,
    pub(super) stored: StoredBy<'a, J>,
    /// In the order of [`SliceMoves::children`].
    pub(super) children: Vec<Keys<J::Key>>,
    /// How many slots with violations are listed.
    pub(super) list: usize,
}

impl<'a, J: Judge> Checked<'a, J> {
    /// Checks all lanes of these layouts.
    pub(super) fn layouts(&self, layouts: Range<u64>) -> Found {
        let mut found = Found::default();
        let mut maps = Maps::new(self.index);
        let mut scratch = Scratch::default();
        let mut moves = LayoutMoves::default();
        for layout in layouts {
            self.moves
                .layout(layout, &mut scratch, &mut maps, &mut moves);
            self.blocks(layout, &moves, &maps, &mut found);
        }
        found
    }

    fn blocks(&self, layout: u64, moves: &LayoutMoves, maps: &Maps, found: &mut Found) {
        let width = self.index.lanes().width();
        let unfolded = self.index.slices().is_self_mirrored(self.number);
        let pairs = unfolded.then(|| mirrored_pairs(self.index, self.number, layout));
        let pairs = pairs.flatten();
        let len = 1usize << maps.low_bits;
        let mut flags = [0u8; PART];
        let mut best = [J::Key::default(); PART];
        let mut own = [J::Key::default(); PART];
        let (flags, best, own) = (&mut flags[..len], &mut best[..len], &mut own[..len]);
        for high in 0..(width / len) as u32 {
            flags.fill(0);
            for &cube in &moves.holes {
                mark(flags, cube, high, maps.low_bits, HOLE);
            }
            for &cube in &moves.wins {
                mark(flags, cube, high, maps.low_bits, WON);
            }
            for tried in &moves.tries {
                mark_try(flags, tried, high, maps.low_bits);
            }
            best.fill(J::Key::default());
            for edge in &moves.edges {
                let start = edge.to.start;
                let block = &self.children[edge.to.child][start..start + width];
                fold(best, block, edge, high, maps);
            }
            let start = layout as usize * width + high as usize * len;
            J::keys(&self.stored, start, own);
            let mut wrong = false;
            let mut holes = 0;
            for ((&own, &best), &flags) in own.iter().zip(&*best).zip(&*flags) {
                holes += u64::from(flags >> 1);
                wrong |= !agrees::<J>(own, best, flags);
            }
            found.positions += len as u64 - holes;
            let census = &mut found.census;
            let numbers = match unfolded {
                true => &mut census.unfolded,
                false => &mut census.folded,
            };
            for (slot, &flags) in (start..).zip(&*flags) {
                if flags & HOLE == 0 {
                    numbers.add(self.stored.codes(slot).0, 1);
                }
            }
            if let Some(pairs) = &pairs {
                for (lane, &flags) in (high as usize * len..).zip(&*flags) {
                    let same =
                        |&[a, b, mask]: &[u32; 3]| (lane >> a ^ lane >> b) & mask as usize == 0;
                    if flags & HOLE == 0 && pairs.iter().all(same) {
                        let slot = layout as usize * width + lane;
                        census.symmetric.add(self.stored.codes(slot).0, 1);
                    }
                }
            }
            if wrong {
                self.list(start, own, best, flags, found);
            }
        }
    }

    fn list(&self, start: usize, own: &[J::Key], best: &[J::Key], flags: &[u8], found: &mut Found) {
        let slots_of_slice = self.index.layouts().count() * self.index.lanes().width() as u64;
        let first = self.number as u64 * slots_of_slice + start as u64;
        for (slot, ((&own, &best), &flags)) in (first..).zip(own.iter().zip(best).zip(flags)) {
            if !agrees::<J>(own, best, flags) {
                found.violations += 1;
                if found.first.len() < self.list {
                    found.first.push(slot);
                }
            }
        }
    }
}

#[inline]
fn agrees<J: Judge>(own: J::Key, best: J::Key, flags: u8) -> bool {
    if flags & HOLE != 0 {
        own == J::draw()
    } else {
        J::agrees(own, best, flags & WON != 0)
    }
}

fn mark_try(flags: &mut [u8], tried: &Try, high: u32, low_bits: u32) {
    const MOVES: u8 = 4;
    const ATTACKED: u8 = 8;
    mark(flags, tried.moves, high, low_bits, MOVES);
    for &cube in &tried.attacked {
        mark(flags, cube, high, low_bits, ATTACKED);
    }
    for flags in flags {
        *flags = *flags & (WON | HOLE) | u8::from(*flags & (MOVES | ATTACKED) == MOVES);
    }
}
