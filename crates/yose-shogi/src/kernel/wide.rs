//! Blocks of four words computed with as one word of 256 bits, on x86 processors that have those.
//!
//! Left to itself the compiler keeps the four words apart, on the stack where registers run out.
#![allow(
    unsafe_code,
    reason = "the only way to say 256-bit words, and measured: a fifth of the time"
)]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_andnot_si256, _mm256_blend_epi32,
    _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_sll_epi64, _mm256_srl_epi64, _mm256_testz_si256, _mm256_xor_si256,
};

use super::block::{Block, ONES, Ops, Plain};

/// For processors with AVX2 and BMI2. Whoever names this type has seen that the processor has
/// them: that is what every `unsafe` block below relies on.
#[derive(Debug)]
pub(super) struct Wide;

/// Whether [`Wide`] may be used here.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

macro_rules! plain {
    ($($n:literal)*) => {$(
        impl Ops<$n> for Wide {
            const WIDE: bool = true;
        }
    )*};
}

plain!(1 16 64 256 1024);

#[inline(always)]
fn wide(a: &Block<4>) -> __m256i {
    // SAFETY: both types are 32 bytes of which every pattern is a value.
    unsafe { std::mem::transmute::<Block<4>, __m256i>(*a) }
}

#[inline(always)]
fn narrow(a: __m256i) -> Block<4> {
    // SAFETY: as in `wide`.
    unsafe { std::mem::transmute::<__m256i, Block<4>>(a) }
}

/// The word whose number differs in bit 0, or in bit 1, comes to the place of each word.
#[inline(always)]
fn other_words(a: __m256i, stride: u32) -> __m256i {
    // SAFETY: the processor has AVX2, see `Wide`.
    unsafe {
        if stride == 1 {
            _mm256_permute4x64_epi64::<0b10_11_00_01>(a)
        } else {
            _mm256_permute4x64_epi64::<0b01_00_11_10>(a)
        }
    }
}

/// `zero` in words whose number has 0 in bit 0, or in bit 1, `one` in the others.
#[inline(always)]
fn by_word(zero: __m256i, one: __m256i, stride: u32) -> __m256i {
    // SAFETY: the processor has AVX2, see `Wide`.
    unsafe {
        if stride == 1 {
            _mm256_blend_epi32::<0b1100_1100>(zero, one)
        } else {
            _mm256_blend_epi32::<0b1111_0000>(zero, one)
        }
    }
}

#[inline(always)]
fn ones(bit: u32) -> Option<__m256i> {
    let ones = *ONES.get(bit as usize)?;
    // SAFETY: the processor has AVX2, see `Wide`.
    Some(unsafe { _mm256_set1_epi64x(ones.cast_signed()) })
}

#[inline(always)]
fn shl(a: __m256i, by: u32) -> __m256i {
    // SAFETY: the processor has AVX2, see `Wide`.
    unsafe { _mm256_sll_epi64(a, _mm_cvtsi32_si128(by.cast_signed())) }
}

#[inline(always)]
fn shr(a: __m256i, by: u32) -> __m256i {
    // SAFETY: the processor has AVX2, see `Wide`.
    unsafe { _mm256_srl_epi64(a, _mm_cvtsi32_si128(by.cast_signed())) }
}

// SAFETY of the blocks in this implementation: the processor has AVX2, see `Wide`.
#[allow(
    clippy::undocumented_unsafe_blocks,
    reason = "the line above is for all of them"
)]
impl Ops<4> for Wide {
    const WIDE: bool = true;

    #[inline(always)]
    fn and(a: &Block<4>, b: &Block<4>) -> Block<4> {
        narrow(unsafe { _mm256_and_si256(wide(a), wide(b)) })
    }

    #[inline(always)]
    fn and_not(a: &Block<4>, b: &Block<4>) -> Block<4> {
        narrow(unsafe { _mm256_andnot_si256(wide(b), wide(a)) })
    }

    #[inline(always)]
    fn not(a: &Block<4>) -> Block<4> {
        narrow(unsafe { _mm256_xor_si256(wide(a), _mm256_set1_epi64x(-1)) })
    }

    #[inline(always)]
    fn or_into(a: &mut Block<4>, b: &Block<4>) {
        *a = narrow(unsafe { _mm256_or_si256(wide(a), wide(b)) });
    }

    #[inline(always)]
    fn is_empty(a: &Block<4>) -> bool {
        unsafe { _mm256_testz_si256(wide(a), wide(a)) == 1 }
    }

    #[inline(always)]
    fn meets(a: &Block<4>, b: &Block<4>) -> bool {
        unsafe { _mm256_testz_si256(wide(a), wide(b)) == 0 }
    }

    #[inline(always)]
    fn raise(a: &Block<4>, b: u32) -> Block<4> {
        let a = wide(a);
        narrow(match ones(b) {
            Some(ones) => unsafe { _mm256_and_si256(shl(a, 1 << b), ones) },
            None => {
                let stride = 1 << (b - 6);
                by_word(
                    unsafe { _mm256_setzero_si256() },
                    other_words(a, stride),
                    stride,
                )
            }
        })
    }

    #[inline(always)]
    fn lower(a: &Block<4>, b: u32) -> Block<4> {
        let a = wide(a);
        narrow(match ones(b) {
            Some(ones) => shr(unsafe { _mm256_and_si256(a, ones) }, 1 << b),
            None => {
                let stride = 1 << (b - 6);
                by_word(
                    other_words(a, stride),
                    unsafe { _mm256_setzero_si256() },
                    stride,
                )
            }
        })
    }

    #[inline(always)]
    fn flip(a: &Block<4>, b: u32) -> Block<4> {
        let a = wide(a);
        narrow(match ones(b) {
            Some(ones) => unsafe {
                _mm256_or_si256(
                    _mm256_and_si256(shl(a, 1 << b), ones),
                    shr(_mm256_and_si256(a, ones), 1 << b),
                )
            },
            None => other_words(a, 1 << (b - 6)),
        })
    }

    #[inline(always)]
    fn swap_bits(a: &Block<4>, low: u32, high: u32) -> Block<4> {
        let v = wide(a);
        match (ones(low), ones(high)) {
            (Some(ones_low), Some(ones_high)) => narrow(unsafe {
                let shift = (1 << high) - (1 << low);
                let mask = _mm256_andnot_si256(ones_high, ones_low);
                let t = _mm256_and_si256(_mm256_xor_si256(shr(v, shift), v), mask);
                _mm256_xor_si256(_mm256_xor_si256(v, t), shl(t, shift))
            }),
            (Some(ones), None) => narrow(unsafe {
                let (s, stride) = (1 << low, 1 << (high - 6));
                let other = other_words(v, stride);
                // Where the high bit is 0 the low 0s stay, where it is 1 the low 1s.
                let zero = _mm256_or_si256(
                    _mm256_andnot_si256(ones, v),
                    shl(_mm256_andnot_si256(ones, other), s),
                );
                let one = _mm256_or_si256(
                    _mm256_and_si256(ones, v),
                    shr(_mm256_and_si256(ones, other), s),
                );
                by_word(zero, one, stride)
            }),
            (None, None) => narrow(unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(v) }),
            (None, Some(_)) => Plain::swap_bits(a, low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wide_words_agree_with_plain_ones(
            a: [u64; 4], b: [u64; 4], low in 0u32..8, high in 0u32..8
        ) {
            if !is_available() {
                return Ok(());
            }
            prop_assert_eq!(<Wide as Ops<4>>::and(&a, &b), <Plain as Ops<4>>::and(&a, &b));
            prop_assert_eq!(<Wide as Ops<4>>::and_not(&a, &b), <Plain as Ops<4>>::and_not(&a, &b));
            prop_assert_eq!(<Wide as Ops<4>>::not(&a), <Plain as Ops<4>>::not(&a));
            let (mut wide, mut plain) = (a, a);
            <Wide as Ops<4>>::or_into(&mut wide, &b);
            <Plain as Ops<4>>::or_into(&mut plain, &b);
            prop_assert_eq!(wide, plain);
            let rare = [a[0] & b[0] & b[1], 0, 0, a[1] & a[2] & a[3]];
            for x in [a, rare, [0; 4]] {
                prop_assert_eq!(<Wide as Ops<4>>::is_empty(&x), <Plain as Ops<4>>::is_empty(&x));
                prop_assert_eq!(<Wide as Ops<4>>::meets(&x, &b), <Plain as Ops<4>>::meets(&x, &b));
            }
            prop_assert_eq!(<Wide as Ops<4>>::raise(&a, low), <Plain as Ops<4>>::raise(&a, low));
            prop_assert_eq!(<Wide as Ops<4>>::lower(&a, low), <Plain as Ops<4>>::lower(&a, low));
            prop_assert_eq!(<Wide as Ops<4>>::flip(&a, low), <Plain as Ops<4>>::flip(&a, low));
            if low < high {
                prop_assert_eq!(
                    <Wide as Ops<4>>::swap_bits(&a, low, high),
                    <Plain as Ops<4>>::swap_bits(&a, low, high)
                );
            }
        }
    }
}
