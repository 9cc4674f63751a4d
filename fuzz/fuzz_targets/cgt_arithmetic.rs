#![no_main]
//! Dyadics and rationals on both sides of what fits inline: the true result or an error, and a total order
//! that agrees.

use libfuzzer_sys::fuzz_target;
use yose_cgt::{Dyadic, Rational};

fuzz_target!(|input: (i128, u32, u32, i128, u32, u32, i128, i128)| {
    let (m, e, i, n, f, j, p, q) = input;
    let make = |m, exponent, shift| Dyadic::new(m, exponent % 400)?.mul_pow2(shift % 400);
    let (Ok(a), Ok(b)) = (make(m, e, i), make(n, f, j)) else {
        panic!("800 bits fit")
    };
    assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
    assert_eq!(a == b, a.cmp(&b).is_eq());
    let (sum, difference) = (a.checked_add(&b).unwrap(), a.checked_sub(&b).unwrap());
    assert_eq!(sum, b.checked_add(&a).unwrap());
    assert_eq!(sum.checked_sub(&b).unwrap(), a);
    assert_eq!(sum.cmp(&a), b.cmp(&Dyadic::ZERO));
    assert_eq!(difference.cmp(&Dyadic::ZERO), a.cmp(&b));
    // (a + b)(a - b) = a a - b b
    let squares = a
        .checked_mul(&a)
        .unwrap()
        .checked_sub(&b.checked_mul(&b).unwrap());
    assert_eq!(sum.checked_mul(&difference).unwrap(), squares.unwrap());
    assert!(a.floor() <= a && a <= a.ceil());
    assert_eq!(a.half().unwrap().mul_pow2(1).unwrap(), a);
    match Dyadic::simplest(Some((&a, false)), Some((&b, false))).unwrap() {
        Some(x) => assert!(a < x && x < b),
        None => assert!(a >= b),
    }
    let (x, y) = (Rational::from(&a), Rational::from(&b));
    assert_eq!(x.cmp(&y), a.cmp(&b));
    assert_eq!(x.checked_add(&y).unwrap().to_dyadic(), Some(sum));
    if let (Ok(x), Ok(y)) = (Rational::new(p, q), Rational::new(n, m)) {
        assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        let d = x.checked_sub(&y).unwrap();
        assert_eq!(d.signum().cmp(&0), x.cmp(&y));
        assert_eq!(d.checked_add(&y).unwrap(), x);
    }
});
