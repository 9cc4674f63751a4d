//! Blocks: the lanes of one layout as a bit set, and how lanes move when a bit of their number
//! changes.
//!
//! A block is `N` words of 64 lanes. Bits 0 to 5 of a lane number are places within a word, higher
//! bits tell the word. Blocks of fewer than 64 lanes use the low lanes of one word.

/// A set of lanes.
pub(super) type Block<const N: usize> = [u64; N];

/// The lanes within a word in which bit `b` of the lane number is 1.
pub(super) const ONES: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// How blocks of `N` words are computed with.
///
/// The methods are plain loops without closures: a closure that is not inlined would be compiled for
/// the plainest processor, whatever its caller is compiled for.
pub(super) trait Ops<const N: usize>: Send + Sync + 'static {
    /// Whether the caller is to be compiled for a processor with words of 256 bits.
    const WIDE: bool;

    #[inline(always)]
    fn and(a: &Block<N>, b: &Block<N>) -> Block<N> {
        let mut out = *a;
        for w in 0..N {
            out[w] &= b[w];
        }
        out
    }

    #[inline(always)]
    fn and_not(a: &Block<N>, b: &Block<N>) -> Block<N> {
        let mut out = *a;
        for w in 0..N {
            out[w] &= !b[w];
        }
        out
    }

    #[inline(always)]
    fn not(a: &Block<N>) -> Block<N> {
        let mut out = *a;
        for word in &mut out {
            *word = !*word;
        }
        out
    }

    #[inline(always)]
    fn or_into(a: &mut Block<N>, b: &Block<N>) {
        for w in 0..N {
            a[w] |= b[w];
        }
    }

    #[inline(always)]
    fn is_empty(a: &Block<N>) -> bool {
        let mut all = 0;
        for word in a {
            all |= word;
        }
        all == 0
    }

    /// Whether the sets have a lane in common.
    #[inline(always)]
    fn meets(a: &Block<N>, b: &Block<N>) -> bool {
        !Self::is_empty(&Self::and(a, b))
    }

    #[inline(always)]
    fn count(a: &Block<N>) -> u64 {
        let mut count = 0;
        for word in a {
            count += u64::from(word.count_ones());
        }
        count
    }

    /// The lanes in which bit `b` of the lane number is 1.
    #[inline(always)]
    fn with_bit(b: u32) -> Block<N> {
        if let Some(&ones) = ONES.get(b as usize) {
            return [ones; N];
        }
        let mut out = [0; N];
        for (w, word) in out.iter_mut().enumerate() {
            *word = 0u64.wrapping_sub((w as u64) >> (b - 6) & 1);
        }
        out
    }

    /// Each lane with bit `b` = 0 moves to the lane with that bit = 1; the other lanes are lost.
    #[inline(always)]
    fn raise(a: &Block<N>, b: u32) -> Block<N> {
        let mut out = [0; N];
        if let Some(&ones) = ONES.get(b as usize) {
            for w in 0..N {
                out[w] = a[w] << (1 << b) & ones;
            }
        } else {
            let stride = 1 << (b - 6);
            for w in 0..N {
                out[w] = if w & stride == 0 { 0 } else { a[w ^ stride] };
            }
        }
        out
    }

    /// Each lane with bit `b` = 1 moves to the lane with that bit = 0; the other lanes are lost.
    #[inline(always)]
    fn lower(a: &Block<N>, b: u32) -> Block<N> {
        let mut out = [0; N];
        if let Some(&ones) = ONES.get(b as usize) {
            for w in 0..N {
                out[w] = (a[w] & ones) >> (1 << b);
            }
        } else {
            let stride = 1 << (b - 6);
            for w in 0..N {
                out[w] = if w & stride == 0 { a[w ^ stride] } else { 0 };
            }
        }
        out
    }

    /// Lanes that differ in bit `b` alone change places.
    #[inline(always)]
    fn flip(a: &Block<N>, b: u32) -> Block<N> {
        let mut out = [0; N];
        if let Some(&ones) = ONES.get(b as usize) {
            let s = 1 << b;
            for w in 0..N {
                out[w] = (a[w] << s & ones) | (a[w] & ones) >> s;
            }
        } else {
            let stride = 1 << (b - 6);
            for w in 0..N {
                out[w] = a[w ^ stride];
            }
        }
        out
    }

    /// Bits `low` and `high` of the lane number change places; `low < high`.
    #[inline(always)]
    fn swap_bits(a: &Block<N>, low: u32, high: u32) -> Block<N> {
        debug_assert!(low < high);
        let mut out = [0; N];
        match (ONES.get(low as usize), ONES.get(high as usize)) {
            (Some(&ones_low), Some(&ones_high)) => {
                let shift = (1 << high) - (1 << low);
                let mask = ones_low & !ones_high;
                for w in 0..N {
                    let t = (a[w] >> shift ^ a[w]) & mask;
                    out[w] = a[w] ^ t ^ t << shift;
                }
            }
            (Some(&ones), None) => {
                let (s, stride) = (1 << low, 1 << (high - 6));
                for w in 0..N {
                    out[w] = if w & stride == 0 {
                        (a[w] & !ones) | (a[w ^ stride] & !ones) << s
                    } else {
                        (a[w] & ones) | (a[w ^ stride] & ones) >> s
                    };
                }
            }
            _ => {
                let (x, y) = (low - 6, high - 6);
                for w in 0..N {
                    let differ = (w >> x ^ w >> y) & 1;
                    out[w] = a[w ^ (differ << x | differ << y)];
                }
            }
        }
        out
    }
}

/// For any processor.
#[derive(Debug)]
pub(super) struct Plain;

impl<const N: usize> Ops<N> for Plain {
    const WIDE: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lanes<const N: usize>(a: &Block<N>) -> Vec<bool> {
        (0..64 * N)
            .map(|lane| a[lane / 64] >> (lane % 64) & 1 == 1)
            .collect()
    }

    proptest! {
        #[test]
        fn lane_moves_agree_with_single_lanes(a: [u64; 4], low in 0u32..8, high in 0u32..8) {
            let before = lanes(&a);
            let bit = |lane: usize, b: u32| lane >> b & 1;
            for lane in 0..256 {
                let other = lane ^ 1 << low;
                prop_assert_eq!(lanes(&<Plain as Ops<4>>::flip(&a, low))[lane], before[other]);
                prop_assert_eq!(lanes(&<Plain as Ops<4>>::raise(&a, low))[lane], bit(lane, low) == 1 && before[other]);
                prop_assert_eq!(lanes(&<Plain as Ops<4>>::lower(&a, low))[lane], bit(lane, low) == 0 && before[other]);
                prop_assert_eq!(lanes(&<Plain as Ops<4>>::with_bit(low))[lane], bit(lane, low) == 1);
                if low < high {
                    let differ = bit(lane, low) ^ bit(lane, high);
                    let source = lane ^ (differ << low | differ << high);
                    prop_assert_eq!(lanes(&<Plain as Ops<4>>::swap_bits(&a, low, high))[lane], before[source]);
                }
            }
        }
    }
}
