#![no_main]
//! Small sums: the solver under a small limit gives bounds that contain its exact answer.

use libfuzzer_sys::fuzz_target;
use yose_cgt::{Games, Limits, Player, SumLimits};

fuzz_target!(|text: &str| {
    if text.len() > 120 {
        return;
    }
    let limits = Limits {
        games: 20_000,
        forms: 2_000,
        text: 1 << 16,
        breakpoints: 1 << 16,
        wide: 1 << 22,
        multiple: 1 << 8,
    };
    let mut g = Games::with_limits(limits);
    let Ok(form) = g.parse(text) else { return };
    let parts = g.components(form);
    for who in [Player::Left, Player::Right] {
        let few = SumLimits {
            nodes: Some(3),
            time: None,
        };
        let many = SumLimits {
            nodes: Some(20_000),
            time: None,
        };
        let (Ok(a), Ok(b)) = (
            g.solve_sum(&parts, who, few),
            g.solve_sum(&parts, who, many),
        ) else {
            return;
        };
        for (x, y) in [(&a.left_stop, &b.left_stop), (&a.right_stop, &b.right_stop)] {
            assert!(x.low <= y.low && y.high <= x.high);
        }
        if let Ok(whole) = g.value(form) {
            let (l, r) = (g.left_stop(whole), g.right_stop(whole));
            assert!(b.left_stop.low <= l && l <= b.left_stop.high);
            assert!(b.right_stop.low <= r && r <= b.right_stop.high);
        }
    }
});
