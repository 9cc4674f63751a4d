//! Cheap invariants that refute most comparisons without play.

use crate::arena::Games;
use crate::dyadic::Dyadic;

/// Left and right stops of G ± x for each x of [`PROBED`], rounded down to sixteenths and clamped.
///
/// G <= H implies that the stops of G + X are at most those of H + X for every X, and rounding down keeps
/// order. So probes refute most comparisons that the plain stops cannot, without play.
pub(crate) type Probes = [i32; 2 * PROBED.len()];
const PROBED: [i64; 3] = [1, 4, 12];

fn probe_value(x: &Dyadic, shift: i64) -> i32 {
    // Values this large are clamped anyway; the shift must not overflow on the way there.
    let floor = x.floor_saturating();
    let whole = floor.clamp(-(1 << 40), 1 << 40);
    let sixteenths = if x.exponent() <= 100 && floor == whole {
        x.scaled(x.exponent().max(4))
            .map_or(whole * 16, |m| m >> (x.exponent().max(4) - 4))
    } else {
        whole * 16
    };
    let v = sixteenths + i128::from(shift) * 16;
    i32::try_from(v.clamp(i128::from(i32::MIN), i128::from(i32::MAX))).unwrap_or(0)
}

pub(crate) fn number_probes(x: &Dyadic) -> Probes {
    let mut p = [0; 2 * PROBED.len()];
    for (i, &s) in PROBED.iter().enumerate() {
        p[2 * i] = probe_value(x, s);
        p[2 * i + 1] = probe_value(x, -s);
    }
    p
}

impl Games {
    /// Probes of `{left|right}`, which is no number: the first player moves in the game or in the switch.
    pub(crate) fn probes_of(
        &self,
        left: &[u32],
        right: &[u32],
        left_stop: &Dyadic,
        right_stop: &Dyadic,
    ) -> Probes {
        let mut p = [0; 2 * PROBED.len()];
        for (i, &x) in PROBED.iter().enumerate() {
            p[2 * i] = probe_value(right_stop, x);
            p[2 * i + 1] = probe_value(left_stop, -x);
        }
        for &o in left {
            let q = &self.head(o).probes;
            for i in 0..PROBED.len() {
                p[2 * i] = p[2 * i].max(q[2 * i + 1]);
            }
        }
        for &o in right {
            let q = &self.head(o).probes;
            for i in 0..PROBED.len() {
                p[2 * i + 1] = p[2 * i + 1].min(q[2 * i]);
            }
        }
        p
    }
}
