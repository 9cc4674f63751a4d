//! Sets of lanes: those with given values at some bits.

use crate::square::SquareSet;

/// The lanes `l` with `l & mask == value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cube {
    pub(super) mask: u32,
    pub(super) value: u32,
}

impl Cube {
    /// All lanes.
    pub(super) const ALL: Cube = Cube { mask: 0, value: 0 };

    /// The lanes of the cube in which the bits `bits` are all set, or all clear.
    pub(super) fn with(self, bits: u32, set: bool) -> Cube {
        Cube {
            mask: self.mask | bits,
            value: self.value & !bits | if set { bits } else { 0 },
        }
    }
}

/// Calls `found` with disjoint cubes that hold the owner patterns in which `target` is in the set.
///
/// `sets` has an entry for every pattern: bit `i` of its number is the owner of the piece whose
/// owner bit is `owner_bits[i]`. Bits on which the set does not depend are left free, so a condition
/// like "this piece is ours and that one theirs" comes out as one cube.
pub(super) fn cubes(
    sets: &[SquareSet],
    owner_bits: &[u32],
    target: SquareSet,
    cube: Cube,
    found: &mut impl FnMut(Cube),
) {
    if sets.iter().all(|set| set & target != 0) {
        return found(cube);
    }
    let Some((&bit, rest)) = owner_bits.split_last() else {
        return;
    };
    let (ours, theirs) = sets.split_at(sets.len() / 2);
    if ours.iter().zip(theirs).all(|(a, b)| (a ^ b) & target == 0) {
        cubes(ours, rest, target, cube, found);
    } else {
        cubes(ours, rest, target, cube.with(bit, false), found);
        cubes(theirs, rest, target, cube.with(bit, true), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_hold_exactly_the_patterns_of_the_set() {
        let bits = [1 << 1, 1 << 3, 1 << 6];
        for patterns in 0u32..256 {
            let sets: Vec<SquareSet> = (0..8).map(|p| patterns >> p & 1).collect();
            let mut found = Vec::new();
            cubes(&sets, &bits, 1, Cube::ALL, &mut |cube| found.push(cube));
            for p in 0u32..8 {
                let lane = (p & 1) << 1 | (p >> 1 & 1) << 3 | (p >> 2) << 6;
                let inside = found.iter().filter(|c| lane & c.mask == c.value).count();
                assert_eq!(inside, (patterns >> p & 1) as usize, "{patterns:08b} {p}");
            }
        }
    }

    #[test]
    fn a_conjunction_is_one_cube() {
        // The second piece ours, the third theirs, the first either.
        let sets: Vec<SquareSet> = (0..8).map(|p| u32::from(p & 0b110 == 0b100)).collect();
        let mut found = Vec::new();
        cubes(&sets, &[1, 2, 4], 1, Cube::ALL, &mut |cube| {
            found.push(cube);
        });
        assert_eq!(
            found,
            [Cube {
                mask: 0b110,
                value: 0b100
            }]
        );
    }
}
