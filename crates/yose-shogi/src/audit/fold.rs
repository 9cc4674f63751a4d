//! The inner loops: over the lanes of a part of a block.
//!
//! A block is taken in parts of at most 256 lanes: the *low* bits of a lane number its place in the
//! part, the *high* bits the part. Each loop runs over all lanes of a part without a branch, so that
//! the compiler can use vector instructions.

use super::cube::Cube;
use super::geometry::Edge;
use super::judge::Key;
use super::maps::Maps;

/// Most lanes of a part.
pub(super) const PART: usize = 256;

/// The lanes of a part as numbers.
static LANES: [u8; PART] = {
    let mut lanes = [0; PART];
    let mut lane = 0;
    while lane < PART {
        lanes[lane] = lane as u8;
        lane += 1;
    }
    lanes
};

/// What the cube is in the part with these high bits: mask and value of the low bits, or `None` if
/// no lane of the part is in the cube.
#[inline]
fn in_part(cube: Cube, high: u32, low_bits: u32) -> Option<(u8, u8)> {
    let fits = high & (cube.mask >> low_bits) == cube.value >> low_bits;
    let low = (1u32 << low_bits) - 1;
    fits.then_some(((cube.mask & low) as u8, (cube.value & low) as u8))
}

/// Sets `flag` in the lanes of the cube.
#[inline]
pub(super) fn mark(flags: &mut [u8], cube: Cube, high: u32, low_bits: u32, flag: u8) {
    if let Some((mask, value)) = in_part(cube, high, low_bits) {
        for (flags, lane) in flags.iter_mut().zip(&LANES) {
            *flags |= if lane & mask == value { flag } else { 0 };
        }
    }
}

/// Raises `best` to the keys of the children of a move. `block` has the keys of the child's block,
/// with the owner bits of its lanes turned over.
#[inline]
pub(super) fn fold<K: Key>(best: &mut [K], block: &[K], edge: &Edge, high: u32, maps: &Maps) {
    let low_bits = maps.low_bits;
    let Some((mask, value)) = in_part(edge.cube, high, low_bits) else {
        return;
    };
    let (flip_high, flip) = (edge.flip >> low_bits, edge.flip & ((1 << low_bits) - 1));
    let high = high ^ flip_high;
    if edge.to.map != 0 {
        let map = maps.get(edge.to.map);
        let part = &block[map.high[high as usize] as usize..];
        return fold_mapped(best, part, &map.low, flip, mask, value);
    }
    let start = (high << low_bits) as usize;
    let part = &block[start..start + best.len()];
    if flip == 0 {
        fold_straight(best, part, mask, value);
    } else if best.len().is_multiple_of(16) {
        fold_flipped(best, part, flip as usize, mask, value);
    } else {
        for (lane, best) in (0..).zip(best) {
            if lane & mask == value {
                *best = (*best).max(part[usize::from(lane) ^ flip as usize]);
            }
        }
    }
}

#[inline]
fn fold_straight<K: Key>(best: &mut [K], part: &[K], mask: u8, value: u8) {
    for ((best, &key), lane) in best.iter_mut().zip(part).zip(&LANES) {
        let key = if lane & mask == value {
            key
        } else {
            K::default()
        };
        *best = (*best).max(key);
    }
}

/// Lane `l` reads lane `l ^ flip`: groups of 16 in another order, each with its lanes exchanged in a
/// way that is known when this is compiled.
#[inline]
fn fold_flipped<K: Key>(best: &mut [K], part: &[K], flip: usize, mask: u8, value: u8) {
    macro_rules! cases {
        ($($case:literal)*) => {
            match flip & 15 {
                $($case => fold_sixteens::<K, $case>(best, part, flip >> 4, mask, value),)*
                _ => {}
            }
        };
    }
    cases!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

fn fold_sixteens<K: Key, const FLIP: usize>(
    best: &mut [K],
    part: &[K],
    flip: usize,
    mask: u8,
    value: u8,
) {
    let (parts, _) = part.as_chunks::<16>();
    let (bests, _) = best.as_chunks_mut::<16>();
    let (lanes, _) = LANES.as_chunks::<16>();
    for (group, (bests, lanes)) in bests.iter_mut().zip(lanes).enumerate() {
        let from = &parts[group ^ flip];
        for i in 0..16 {
            let key = if lanes[i] & mask == value {
                from[i ^ FLIP]
            } else {
                K::default()
            };
            bests[i] = bests[i].max(key);
        }
    }
}

/// Lane `l` reads where the map sends `l ^ flip`, for the lanes of the cube one after the other.
fn fold_mapped<K: Key>(best: &mut [K], part: &[K], low: &[u32], flip: u32, mask: u8, value: u8) {
    let last = (low.len() - 1) as u32;
    let fixed = u32::from(mask);
    let mut lane = u32::from(value);
    loop {
        let from = low[(lane ^ flip) as usize] as usize;
        let best = &mut best[lane as usize];
        *best = (*best).max(part[from]);
        // The next lane with the same bits under the mask.
        let next = ((lane | fixed) + 1) & !fixed;
        if next > last {
            return;
        }
        lane = next | u32::from(value);
    }
}
