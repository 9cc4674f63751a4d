//! Sums of games whose numbers pass 127 bits: the same answers as on the small scale, or bounds that hold.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use proptest::prelude::*;
use yose_cgt::{Bounds, Dyadic, Games, Player, SumLimits, SumSolution};

/// {a||b|c} with a > b > c or {a|b} with a > b: hot at every scale, so that scaling the numbers scales
/// all scores.
fn hot() -> impl Strategy<Value = Vec<i64>> {
    (-20_i64..=20, 1_i64..=15, 0_i64..=15).prop_map(|(a, b, c)| match c {
        0..=5 => vec![a, a - b],
        _ => vec![a, a - b, a - b - c],
    })
}

fn text(stops: &[i64], write: &dyn Fn(i64) -> String) -> String {
    let w: Vec<String> = stops.iter().map(|&x| write(x)).collect();
    match &w[..] {
        [a, b] => format!("{{{a}|{b}}}"),
        [a, b, c] => format!("{{{a}||{b}|{c}}}"),
        _ => unreachable!(),
    }
}

fn solve(
    parts: &[Vec<i64>],
    beside: &str,
    write: &dyn Fn(i64) -> String,
    who: Player,
) -> SumSolution {
    let mut g = Games::new();
    let all: Vec<String> = parts.iter().map(|p| text(p, write)).collect();
    let form = g.parse(&format!("{}{beside}", all.join(" + "))).unwrap();
    let parts = g.components(form);
    g.solve_sum(&parts, who, SumLimits::default()).unwrap()
}

/// x * 2^e
fn scaled(x: i64, e: i32) -> Dyadic {
    match u32::try_from(e) {
        Ok(up) => Dyadic::from(x).mul_pow2(up).unwrap(),
        Err(_) => Dyadic::new(x.into(), e.unsigned_abs()).unwrap(),
    }
}

fn contains(b: &Bounds, x: &Dyadic) -> bool {
    b.low <= *x && *x <= b.high
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scale_does_not_matter(
        parts in prop::collection::vec(hot(), 1..=4), e in prop_oneof![Just(300), Just(-300), Just(70), Just(-70)],
        right in any::<bool>(),
    ) {
        let who = if right { Player::Right } else { Player::Left };
        let small = solve(&parts, "", &|x| x.to_string(), who);
        let wide = solve(&parts, "", &|x| scaled(x, e).to_string(), who);
        let stop = |b: &Bounds| -> Dyadic {
            let x = b.exact().unwrap();
            if e < 0 {
                (0..-e).fold(x, |x, _| x.half().unwrap())
            } else {
                x.mul_pow2(e.unsigned_abs()).unwrap()
            }
        };
        let needs_search = parts.len() > 1 && parts.iter().any(|p| p.len() > 2);
        if !needs_search || e.abs() < 100 {
            prop_assert!(wide.is_exact());
            let best = |s: &SumSolution| s.best.iter().map(|m| m.part).collect::<Vec<_>>();
            prop_assert_eq!(best(&wide), best(&small));
        }
        prop_assert!(contains(&wide.left_stop, &stop(&small.left_stop)));
        prop_assert!(contains(&wide.right_stop, &stop(&small.right_stop)));
        for (p, q) in wide.parts.iter().zip(&small.parts) {
            prop_assert!(contains(p.v.as_ref().unwrap(), &stop(q.v.as_ref().unwrap())));
        }
        let mean = |s: &SumSolution| s.mean.clone().unwrap();
        prop_assert_eq!(mean(&wide), stop(&Bounds { low: mean(&small), high: mean(&small) }));
    }

    #[test]
    fn a_number_beside_the_sum_only_shifts_it(parts in prop::collection::vec(hot(), 1..=4), right in any::<bool>()) {
        let who = if right { Player::Right } else { Player::Left };
        let write = |x: i64| x.to_string();
        let small = solve(&parts, "", &write, who);
        let (huge, fine) = (scaled(1, 400), scaled(3, -400));
        let shifted = solve(&parts, &format!(" + {huge} - {fine} + ^"), &write, who);
        let shift = huge.checked_sub(&fine).unwrap();
        let moved = |b: &Bounds| b.exact().unwrap().checked_add(&shift).unwrap();
        prop_assert!(shifted.is_exact());
        prop_assert_eq!(shifted.left_stop.exact().unwrap(), moved(&small.left_stop));
        prop_assert_eq!(shifted.right_stop.exact().unwrap(), moved(&small.right_stop));
        for (p, q) in shifted.parts.iter().zip(&small.parts) {
            prop_assert_eq!(p.v.as_ref().unwrap().exact().unwrap(), moved(q.v.as_ref().unwrap()));
        }
        prop_assert!(!shifted.line.is_empty());
        prop_assert_eq!(&shifted.line[0].0, &shifted.best[0].part);
    }
}
