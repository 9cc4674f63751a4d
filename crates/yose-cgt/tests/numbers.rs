//! Exact numbers: the true result or an error, on small values against plain integers and on any
//! values against each other.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use proptest::prelude::*;
use yose_cgt::{Dyadic, Games, Rational};

/// Bits of every length, so that edges are met.
fn wide() -> impl Strategy<Value = i128> {
    (any::<i128>(), 0_u32..=127).prop_map(|(m, s)| m >> s)
}

fn small() -> impl Strategy<Value = (i128, u32)> {
    (-200_i128..=200, 0_u32..=6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn small_values_against_integers(a in small(), b in small()) {
        // over the common denominator 2^6 (products: 2^12) everything is an integer
        let over = |(m, e): (i128, u32)| m << (6 - e);
        let (x, y) = (Dyadic::new(a.0, a.1).unwrap(), Dyadic::new(b.0, b.1).unwrap());
        let (p, q) = (over(a), over(b));
        prop_assert_eq!(x.cmp(&y), p.cmp(&q));
        prop_assert_eq!(x.checked_add(y).unwrap(), Dyadic::new(p + q, 6).unwrap());
        prop_assert_eq!(x.checked_sub(y).unwrap(), Dyadic::new(p - q, 6).unwrap());
        prop_assert_eq!(x.checked_mul(y).unwrap(), Dyadic::new(p * q, 12).unwrap());
        prop_assert_eq!(x.floor(), p.div_euclid(64));
        prop_assert_eq!(x.ceil(), -(-p).div_euclid(64));
        prop_assert_eq!(x.half().unwrap(), Dyadic::new(p, 7).unwrap());
        prop_assert_eq!(x.mul_pow2(3).unwrap(), Dyadic::new(p * 8, 6).unwrap());
        prop_assert!(x.numerator() % 2 != 0 || x.exponent() == 0, "lowest terms");
        let mut g = Games::new();
        let id = g.number(x).unwrap();
        prop_assert_eq!(g.parse_value(&x.to_string()).unwrap(), id);
    }

    #[test]
    fn simplest_is_born_first(a in small(), b in small(), ac in any::<bool>(), bc in any::<bool>()) {
        let (x, y) = (Dyadic::new(a.0, a.1).unwrap(), Dyadic::new(b.0, b.1).unwrap());
        let inside = |z: Dyadic| (x < z || (ac && x == z)) && (z < y || (bc && z == y));
        let mut best: Option<Dyadic> = None;
        for e in 0..=8 {
            for m in -(200_i128 << e)..=(200 << e) {
                let z = Dyadic::new(m, e).unwrap();
                if z.exponent() == e && inside(z) && best.is_none_or(|b| z.birthday() < b.birthday()) {
                    best = Some(z);
                }
            }
            if best.is_some() && e >= 2 {
                break;
            }
        }
        prop_assert_eq!(Dyadic::simplest(Some((x, ac)), Some((y, bc))).unwrap(), best);
    }

    #[test]
    fn wide_values_never_wrap(m in wide(), e in 0_u32..300, n in wide(), f in 0_u32..300) {
        let (a, b) = (Dyadic::new(m, e).unwrap(), Dyadic::new(n, f).unwrap());
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        if let Ok(s) = a.checked_add(b) {
            prop_assert_eq!(s.cmp(&a), b.cmp(&Dyadic::ZERO));
            prop_assert_eq!(s.cmp(&b), a.cmp(&Dyadic::ZERO));
            prop_assert_eq!(b.checked_add(a).unwrap(), s);
            if let Ok(back) = s.checked_sub(b) {
                prop_assert_eq!(back, a);
            }
        }
        if let Ok(d) = a.checked_sub(b) {
            prop_assert_eq!(d.cmp(&Dyadic::ZERO), a.cmp(&b));
        }
        if let (Ok(x), Ok(y)) = (Rational::try_from(a), Rational::try_from(b)) {
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.to_dyadic(), Some(a));
            if let (Ok(s), Ok(t)) = (x.checked_add(y), a.checked_add(b)) {
                prop_assert_eq!(s.to_dyadic(), Some(t));
            }
            prop_assert_eq!(x.half().ok().and_then(Rational::to_dyadic).is_none_or(|h| Some(h) == a.half().ok()), true);
        }
        if let Ok(Some(z)) = Dyadic::simplest(Some((a, false)), Some((b, false))) {
            prop_assert!(a < z && z < b);
        }
    }

    #[test]
    fn fractions(p in wide(), q in wide(), r in wide(), s in wide(), i in -60_i128..=60, j in 1_i128..=60, k in -60_i128..=60, l in 1_i128..=60) {
        let small = |n, d| Rational::new(n, d).unwrap();
        let (x, y) = (small(i, j), small(k, l));
        prop_assert_eq!(x.cmp(&y), (i * l).cmp(&(k * j)));
        prop_assert_eq!(x.checked_add(y).unwrap(), small(i * l + k * j, j * l));
        prop_assert_eq!(x.checked_sub(y).unwrap(), small(i * l - k * j, j * l));
        if let (Ok(x), Ok(y)) = (Rational::new(p, q), Rational::new(r, s)) {
            prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
            if let Ok(d) = x.checked_sub(y) {
                prop_assert_eq!(d.cmp(&Rational::ZERO), x.cmp(&y));
            }
        }
    }
}

#[test]
fn denominators_beyond_128_bits_in_text() {
    let mut g = Games::new();
    for e in [0, 1, 63, 64, 126, 127, 128, 200, 1000, 4096, 131_072] {
        let x = Dyadic::new(-3, e).unwrap();
        let id = g.number(x).unwrap();
        let text = x.to_string();
        assert_eq!(g.parse_value(&text).unwrap(), id, "{e}");
    }
    assert!(Dyadic::new(1, 131_073).is_err());
    let off_by_one = Dyadic::new(1, 200).unwrap().to_string().replace('6', "7");
    assert!(g.parse(&off_by_one).is_err());
    assert!(g.parse(&format!("1/{}", "9".repeat(1_000_000))).is_err());
}

/// Hosts keep an arena in an object of their own and call it from any thread.
#[test]
fn arenas_can_be_sent_and_shared() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Games>();
    check::<yose_cgt::SumSolution>();
    check::<yose_cgt::Thermograph>();
}
