#![no_main]
//! Dyadics and rationals on any bits: the true result or an error, and a total order that agrees.

use libfuzzer_sys::fuzz_target;
use yose_cgt::{Dyadic, Rational};

fuzz_target!(|input: (i128, u32, i128, u32, i128, i128)| {
    let (m, e, n, f, p, q) = input;
    let (Ok(a), Ok(b)) = (Dyadic::new(m, e % 400), Dyadic::new(n, f % 400)) else {
        return;
    };
    assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
    if let Ok(s) = a.checked_add(b) {
        if let Ok(back) = s.checked_sub(b) {
            assert_eq!(back, a);
        }
        assert_eq!(s.cmp(&a), b.cmp(&Dyadic::ZERO));
    }
    if let Ok(Some(x)) = Dyadic::simplest(Some((a, false)), Some((b, false))) {
        assert!(a < x && x < b);
    } else {
        // nothing between, or a number that does not fit
        assert!(a >= b || Dyadic::simplest(Some((a, false)), Some((b, false))).is_err());
    }
    if let (Ok(x), Ok(y)) = (Rational::try_from(a), Rational::try_from(b)) {
        assert_eq!(x.cmp(&y), a.cmp(&b));
        if let (Ok(s), Ok(t)) = (x.checked_add(y), a.checked_add(b)) {
            assert_eq!(s.to_dyadic(), Some(t));
        }
    }
    if let (Ok(x), Ok(y)) = (Rational::new(p, q), Rational::new(n, m)) {
        assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        if let Ok(d) = x.checked_sub(y) {
            assert_eq!(d.cmp(&Rational::ZERO), x.cmp(&y));
        }
    }
});
