//! Exact numbers: the true result or an error, on small values against plain integers and on any
//! values against each other.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use num_bigint::BigInt;
use num_integer::Integer;
use proptest::prelude::*;
use yose_cgt::{Dyadic, Games, Rational};

/// Bits of every length, so that edges are met.
fn wide() -> impl Strategy<Value = i128> {
    (any::<i128>(), 0_u32..=127).prop_map(|(m, s)| m >> s)
}

/// Numerators on both sides of what fits inline.
fn huge() -> impl Strategy<Value = (BigInt, u32)> {
    (wide(), wide(), 0_u32..=200, 0_u32..300)
        .prop_map(|(m, low, s, e)| ((BigInt::from(m) << s) + low, e))
}

/// By text: the one way from a big integer to a number that is public.
fn dyadic(m: &BigInt, e: u32) -> Dyadic {
    let mut g = Games::new();
    let text = format!("{m}/{}", BigInt::from(1) << e);
    let id = g.parse_value(&text).unwrap();
    g.as_number(id).unwrap()
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
        prop_assert_eq!(x.checked_add(&y).unwrap(), Dyadic::new(p + q, 6).unwrap());
        prop_assert_eq!(x.checked_sub(&y).unwrap(), Dyadic::new(p - q, 6).unwrap());
        prop_assert_eq!(x.checked_mul(&y).unwrap(), Dyadic::new(p * q, 12).unwrap());
        prop_assert_eq!(x.floor().to_i128(), Some(p.div_euclid(64)));
        prop_assert_eq!(x.ceil().to_i128(), Some(-(-p).div_euclid(64)));
        prop_assert_eq!(x.half().unwrap(), Dyadic::new(p, 7).unwrap());
        prop_assert_eq!(x.mul_pow2(3).unwrap(), Dyadic::new(p * 8, 6).unwrap());
        prop_assert!(x.numerator().unwrap() % 2 != 0 || x.exponent() == 0, "lowest terms");
        let mut g = Games::new();
        let id = g.number(x.clone()).unwrap();
        prop_assert_eq!(g.parse_value(&x.to_string()).unwrap(), id);
    }

    #[test]
    fn simplest_is_born_first(a in small(), b in small(), ac in any::<bool>(), bc in any::<bool>()) {
        let (x, y) = (Dyadic::new(a.0, a.1).unwrap(), Dyadic::new(b.0, b.1).unwrap());
        let inside = |z: &Dyadic| (x < *z || (ac && x == *z)) && (*z < y || (bc && *z == y));
        let mut best: Option<Dyadic> = None;
        for e in 0..=8 {
            for m in -(200_i128 << e)..=(200 << e) {
                let z = Dyadic::new(m, e).unwrap();
                if z.exponent() == e && inside(&z) && best.as_ref().is_none_or(|b| z.birthday() < b.birthday()) {
                    best = Some(z);
                }
            }
            if best.is_some() && e >= 2 {
                break;
            }
        }
        prop_assert_eq!(Dyadic::simplest(Some((&x, ac)), Some((&y, bc))).unwrap(), best);
    }

    #[test]
    fn wide_values_against_big_integers((m, e) in huge(), (n, f) in huge()) {
        let (a, b) = (dyadic(&m, e), dyadic(&n, f));
        // over the common denominator everything is an integer
        let common = e.max(f);
        let (p, q) = (&m << (common - e), &n << (common - f));
        prop_assert_eq!(a.cmp(&b), p.cmp(&q));
        prop_assert_eq!(a == b, p == q);
        prop_assert_eq!(a.signum(), i32::from(p > BigInt::ZERO) - i32::from(p < BigInt::ZERO));
        prop_assert_eq!(a.checked_add(&b).unwrap(), dyadic(&(&p + &q), common));
        prop_assert_eq!(a.checked_sub(&b).unwrap(), dyadic(&(&p - &q), common));
        prop_assert_eq!(a.checked_mul(&b).unwrap(), dyadic(&(&m * &n), e + f));
        prop_assert_eq!(a.half().unwrap(), dyadic(&m, e + 1));
        prop_assert_eq!(a.mul_pow2(77).unwrap(), dyadic(&(&m << 77), e));
        prop_assert_eq!(a.negative(), dyadic(&-&m, e));
        prop_assert_eq!(a.floor(), dyadic(&m.div_floor(&(BigInt::from(1) << e)), 0));
        prop_assert_eq!(a.ceil(), dyadic(&m.div_ceil(&(BigInt::from(1) << e)), 0));
        let exact = a.to_f64();
        let whole = a.floor().to_string().parse::<f64>().unwrap();
        prop_assert!((exact - whole).abs() <= 1.0 + whole.abs() * 1e-15, "{exact} {whole}");
        // fractions do the same
        let (x, y) = (Rational::from(&a), Rational::from(&b));
        prop_assert_eq!(x.cmp(&y), p.cmp(&q));
        prop_assert_eq!(x == y, p == q);
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(x.to_dyadic(), Some(a.clone()));
        prop_assert_eq!(x.checked_add(&y).unwrap(), Rational::from(&dyadic(&(&p + &q), common)));
        prop_assert_eq!(x.checked_sub(&y).unwrap(), Rational::from(&dyadic(&(&p - &q), common)));
        prop_assert_eq!(x.half().unwrap(), Rational::from(&dyadic(&m, e + 1)));
        prop_assert_eq!(x.times(-12).unwrap(), Rational::from(&dyadic(&(&m * -12), e)));
        prop_assert_eq!(x.negative(), Rational::from(&a.negative()));
        prop_assert!((x.to_f64() - exact).abs() <= exact.abs() * 4e-16, "a rounding or two");
        // the simplest between: inside, and nothing coarser or nearer 0 beside it is
        for closed in [false, true] {
            let Some(z) = Dyadic::simplest(Some((&a, closed)), Some((&b, closed))).unwrap() else {
                prop_assert!(p > q || (p == q && !closed));
                continue;
            };
            let inside = |z: &Dyadic| (a < *z || (closed && a == *z)) && (*z < b || (closed && *z == b));
            prop_assert!(inside(&z), "{z}");
            let nearer = if z.is_integer() { Dyadic::from(i64::from(z.signum())) } else {
                let step = Dyadic::new(1, z.exponent()).unwrap();
                prop_assert!(!inside(&z.checked_add(&step).unwrap()), "{z}");
                step
            };
            prop_assert!(z == Dyadic::ZERO || !inside(&z.checked_sub(&nearer).unwrap()), "{z}");
        }
        // text
        let mut g = Games::new();
        let id = g.number(a.clone()).unwrap();
        prop_assert_eq!(g.parse_value(&a.to_string()).unwrap(), id);
    }

    #[test]
    fn fractions(p in wide(), q in wide(), r in wide(), s in wide(), i in -60_i128..=60, j in 1_i128..=60, k in -60_i128..=60, l in 1_i128..=60) {
        let small = |n, d| Rational::new(n, d).unwrap();
        let (x, y) = (small(i, j), small(k, l));
        prop_assert_eq!(x.cmp(&y), (i * l).cmp(&(k * j)));
        prop_assert_eq!(x.checked_add(&y).unwrap(), small(i * l + k * j, j * l));
        prop_assert_eq!(x.checked_sub(&y).unwrap(), small(i * l - k * j, j * l));
        if let (Ok(x), Ok(y)) = (Rational::new(p, q), Rational::new(r, s)) {
            prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
            prop_assert_eq!(x == y, x.cmp(&y).is_eq());
            let d = x.checked_sub(&y).unwrap();
            prop_assert_eq!(d.signum().cmp(&0), x.cmp(&y));
            prop_assert_eq!(d.checked_add(&y).unwrap(), x);
        }
    }
}

#[test]
fn denominators_beyond_128_bits_in_text() {
    let mut g = Games::new();
    for e in [0, 1, 63, 64, 126, 127, 128, 200, 1000, 4096, 131_072] {
        let x = Dyadic::new(-3, e).unwrap();
        let id = g.number(x.clone()).unwrap();
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
