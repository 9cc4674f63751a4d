//! Laws of the algebra, and fast paths against the plain definitions of `reference`.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

use proptest::prelude::*;
use yose_cgt::reference::{Tree, best_in, le, number_of, stop, sum_stop, walls_on_grid};
use yose_cgt::{
    Bounds, Dyadic, FormId, GameId, Games, Limits, Nus, Player, Rational, Relation, SumLimits,
    SumSolution,
};

fn leaf() -> impl Strategy<Value = Tree> {
    prop_oneof![
        6 => (-6_i64..=6).prop_map(|n| Tree::number(Dyadic::from(n))),
        1 => (-9_i128..=9, 1_u32..=2).prop_map(|(n, k)| Tree::number(Dyadic::new(n, k).unwrap())),
        1 => (-2_i64..=2, -2_i64..=2, 0_u32..=2)
            .prop_map(|(n, up, star)| Tree::Leaf(Nus { number: Dyadic::from(n), up, star })),
    ]
}

/// Trees with numbers, ups and stars at the leaves; often hot, sometimes cold or empty on one side.
fn tree(depth: u32) -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(depth, 12, 2, |inner| {
        let side = prop_oneof![
            8 => prop::collection::vec(inner.clone(), 1..=2),
            1 => prop::collection::vec(inner, 0..=1),
        ];
        (side.clone(), side).prop_map(|(l, r)| Tree::Node(l, r))
    })
}

/// All-small trees: both players can move or neither can.
fn all_small() -> impl Strategy<Value = Tree> {
    let zero = Just(Tree::number(Dyadic::ZERO));
    zero.prop_recursive(4, 14, 2, |inner| {
        let side = prop::collection::vec(inner, 1..=2);
        (side.clone(), side).prop_map(|(l, r)| Tree::Node(l, r))
    })
}

fn value(g: &mut Games, t: &Tree) -> GameId {
    let f = t.to_form(g).unwrap();
    g.value(f).unwrap()
}

fn relation(a: &Tree, b: &Tree) -> Relation {
    match (le(a, b).unwrap(), le(b, a).unwrap()) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Less,
        (false, true) => Relation::Greater,
        (false, false) => Relation::Confused,
    }
}

fn forms(g: &mut Games, parts: &[Tree]) -> Vec<FormId> {
    parts.iter().map(|t| t.to_form(g).unwrap()).collect()
}

fn contains(b: &Bounds, x: &Dyadic) -> bool {
    b.low <= *x && *x <= b.high
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn order_is_the_definition(a in tree(3), b in tree(3)) {
        let mut g = Games::new();
        let (x, y) = (value(&mut g, &a), value(&mut g, &b));
        prop_assert_eq!(g.compare(x, y).unwrap(), relation(&a, &b));
        prop_assert_eq!(x == y, relation(&a, &b) == Relation::Equal);
    }

    #[test]
    fn canonical_form_is_canonical(a in tree(3)) {
        let mut g = Games::new();
        let x = value(&mut g, &a);
        let t = Tree::of_value(&mut g, x).unwrap();
        prop_assert_eq!(relation(&a, &t), Relation::Equal);
        let (l, r) = t.options().unwrap();
        for (i, p) in l.iter().enumerate() {
            for (j, q) in l.iter().enumerate() {
                prop_assert!(i == j || !le(p, q).unwrap(), "dominated");
            }
            for back in p.options().unwrap().1 {
                prop_assert!(!le(&back, &t).unwrap(), "reversible");
            }
        }
        for (i, p) in r.iter().enumerate() {
            for (j, q) in r.iter().enumerate() {
                prop_assert!(i == j || !le(q, p).unwrap(), "dominated");
            }
            for back in p.options().unwrap().0 {
                prop_assert!(!le(&t, &back).unwrap(), "reversible");
            }
        }
        // idempotent: rebuilding the value from its own canonical options finds the same id
        let (l, r) = (g.left_options(x).unwrap(), g.right_options(x).unwrap());
        prop_assert_eq!(g.make(&l, &r).unwrap(), x);
        prop_assert_eq!(g.as_number(x), number_of(&a).unwrap());
    }

    #[test]
    fn group_laws(a in tree(3), b in tree(3), c in tree(2)) {
        let mut g = Games::new();
        let (a, b, c) = (value(&mut g, &a), value(&mut g, &b), value(&mut g, &c));
        let ab = g.add(a, b).unwrap();
        prop_assert_eq!(ab, g.add(b, a).unwrap());
        let (bc, left) = (g.add(b, c).unwrap(), g.add(ab, c).unwrap());
        prop_assert_eq!(g.add(a, bc).unwrap(), left);
        prop_assert_eq!(g.sum(&[a, b, c]).unwrap(), left);
        prop_assert_eq!(g.add(a, GameId::ZERO).unwrap(), a);
        prop_assert_eq!(g.sub(a, a).unwrap(), GameId::ZERO);
        // the same without knowing that one is the other's negative
        let n = g.neg(a).unwrap();
        let mut fresh = Games::new();
        let (ta, tn) = (g.print(a).unwrap(), g.print(n).unwrap());
        let zero = fresh.parse_value(&format!("{ta} + {tn}")).unwrap();
        prop_assert_eq!(zero, GameId::ZERO);
        prop_assert_eq!(g.neg(n).unwrap(), a);
        let back = g.sub(ab, b).unwrap();
        prop_assert_eq!(back, a);
        let three = g.sum(&[a, a, a]).unwrap();
        prop_assert_eq!(g.times(3, a).unwrap(), three);
        let minus_three = g.neg(three).unwrap();
        prop_assert_eq!(g.times(-3, a).unwrap(), minus_three);
    }

    #[test]
    fn order_laws(a in tree(3), b in tree(3), c in tree(2)) {
        let mut g = Games::new();
        let (a, b, c) = (value(&mut g, &a), value(&mut g, &b), value(&mut g, &c));
        let r = g.compare(a, b).unwrap();
        prop_assert_eq!(g.compare(b, a).unwrap(), r.reverse());
        let (ac, bc) = (g.add(a, c).unwrap(), g.add(b, c).unwrap());
        prop_assert_eq!(g.compare(ac, bc).unwrap(), r);
        let (na, nb) = (g.neg(a).unwrap(), g.neg(b).unwrap());
        prop_assert_eq!(g.compare(nb, na).unwrap(), r);
        let d = g.sub(a, b).unwrap();
        prop_assert_eq!(g.compare(d, GameId::ZERO).unwrap(), r);
        if g.le(a, b).unwrap() && g.le(b, c).unwrap() {
            prop_assert!(g.le(a, c).unwrap());
        }
    }

    #[test]
    fn stops_three_ways(a in tree(3)) {
        let mut g = Games::new();
        let x = value(&mut g, &a);
        prop_assert_eq!(g.left_stop(x), stop(&a, Player::Left).unwrap());
        prop_assert_eq!(g.right_stop(x), stop(&a, Player::Right).unwrap());
        let t = g.thermograph(x).unwrap();
        let at0 = |w: &yose_cgt::Wall| w.at(&Rational::ZERO).unwrap().to_dyadic().unwrap();
        prop_assert_eq!(at0(&t.left), g.left_stop(x));
        prop_assert_eq!(at0(&t.right), g.right_stop(x));
    }

    #[test]
    fn thermograph_point_by_point(a in tree(3)) {
        let mut g = Games::new();
        let x = value(&mut g, &a);
        let tree = Tree::of_value(&mut g, x).unwrap();
        let t = g.thermograph(x).unwrap();
        // depth 3 with leaves in quarters: corners are multiples of 1/64
        let step = Rational::new(1, 64).unwrap();
        let mut at = Rational::MINUS_ONE;
        for (l, r) in walls_on_grid(&tree, &step, 64 * 9).unwrap() {
            prop_assert_eq!(t.left.at(&at).unwrap(), l, "left wall at {}", at);
            prop_assert_eq!(t.right.at(&at).unwrap(), r, "right wall at {}", at);
            at = at.checked_add(&step).unwrap();
        }
        // no needless corners, and the last one starts the mast
        for w in [&t.left, &t.right] {
            let p = w.points();
            prop_assert_eq!(&p[p.len() - 1].1, &t.mean);
            prop_assert!(p[p.len() - 1].0 <= t.temperature);
            for q in p.windows(2) {
                prop_assert!(q[0].0 < q[1].0);
            }
            for q in p.windows(3) {
                prop_assert!(q[0].1.cmp(&q[1].1) != q[1].1.cmp(&q[2].1), "straight corner");
            }
            prop_assert!(p.len() < 2 || p[p.len() - 2].1 != p[p.len() - 1].1, "corner on the mast");
        }
    }

    #[test]
    fn number_up_stars_have_the_thermograph_of_their_options(
        n in -9_i128..=9, k in 0_u32..=2, up in -5_i64..=5, star in 0_u32..=6,
    ) {
        let v = Nus { number: Dyadic::new(n, k).unwrap(), up, star };
        let mut g = Games::new();
        let id = g.nus(v.clone()).unwrap();
        let t = g.thermograph(id).unwrap();
        let step = Rational::new(1, 16).unwrap();
        let mut at = Rational::MINUS_ONE;
        for (l, r) in walls_on_grid(&Tree::Leaf(v.clone()), &step, 20).unwrap() {
            prop_assert_eq!(t.left.at(&at).unwrap(), l);
            prop_assert_eq!(t.right.at(&at).unwrap(), r);
            at = at.checked_add(&step).unwrap();
        }
        prop_assert_eq!(g.temperature(id).unwrap(), t.temperature.to_dyadic().unwrap());
        // its option lists are canonical and come back as itself
        let (l, r) = (g.left_options(id).unwrap(), g.right_options(id).unwrap());
        prop_assert_eq!(g.make(&l, &r).unwrap(), id);
        let height = |g: &mut Games, ids: &[GameId]| {
            ids.iter().map(|&o| g.birthday(o).unwrap()).max()
        };
        let tallest = height(&mut g, &l).max(height(&mut g, &r));
        let b = tallest.map_or(Dyadic::ZERO, |b| (b + Dyadic::ONE).unwrap());
        prop_assert_eq!(g.birthday(id).unwrap(), b);
    }

    #[test]
    fn number_up_stars_are_ordered_by_play(
        a in (-1_i64..=1, -3_i64..=3, 0_u32..=4), b in (-1_i64..=1, -3_i64..=3, 0_u32..=4),
    ) {
        let nus = |(n, up, star): (i64, i64, u32)| Nus { number: Dyadic::from(n), up, star };
        let (a, b) = (nus(a), nus(b));
        prop_assert_eq!(a.le(&b), le(&Tree::Leaf(a), &Tree::Leaf(b)).unwrap());
    }

    #[test]
    fn cooling_is_a_homomorphism(a in tree(3), b in tree(3), n in 0_i128..=24, s in 0_i128..=8) {
        let mut g = Games::new();
        let (x, y) = (value(&mut g, &a), value(&mut g, &b));
        let (t, s) = (Dyadic::new(n, 2).unwrap(), Dyadic::new(s, 2).unwrap());
        let sum = g.add(x, y).unwrap();
        let (cx, cy, cs) = (g.cool(x, &t).unwrap(), g.cool(y, &t).unwrap(), g.cool(sum, &t).unwrap());
        prop_assert_eq!(g.add(cx, cy).unwrap(), cs);
        // cooling twice is cooling once by both; means stay
        let both = g.cool(x, &(&t + &s).unwrap()).unwrap();
        prop_assert_eq!(g.cool(cx, &s).unwrap(), both);
        prop_assert_eq!(g.mean(cx).unwrap(), g.mean(x).unwrap());
        // the stops of G cooled by t are its walls at t
        let th = g.thermograph(x).unwrap();
        let at = Rational::from(&t);
        prop_assert_eq!(th.left.at(&at).unwrap().to_dyadic().unwrap(), g.left_stop(cx));
        prop_assert_eq!(th.right.at(&at).unwrap().to_dyadic().unwrap(), g.right_stop(cx));
    }

    #[test]
    fn heating_undoes_cooling(a in tree(3), n in 1_i128..=8) {
        let mut g = Games::new();
        let x = value(&mut g, &a);
        let t = Dyadic::new(n, 1).unwrap();
        let by = g.number(t.clone()).unwrap();
        let hot = g.heat(x, by).unwrap();
        prop_assert_eq!(g.cool(hot, &t).unwrap(), x);
        // overheating from 1 to 0 changes nothing
        let one = g.integer(1).unwrap();
        prop_assert_eq!(g.overheat(x, one, GameId::ZERO).unwrap(), x);
    }

    #[test]
    fn thermograph_of_a_shifted_game(a in tree(3), n in -5_i64..=5, m in -9_i128..=9) {
        let mut g = Games::new();
        let x = value(&mut g, &a);
        let t = g.thermograph(x).unwrap();
        let shift = g.integer(n).unwrap();
        let y = g.add(x, shift).unwrap();
        let s = g.thermograph(y).unwrap();
        let by = Rational::integer(i128::from(n));
        for (p, q) in [(&t.left, &s.left), (&t.right, &s.right)] {
            let moved: Vec<_> =
                p.points().iter().map(|(t, x)| (t.clone(), x.checked_add(&by).unwrap())).collect();
            prop_assert_eq!(&moved[..], q.points());
        }
        let frac = Dyadic::new(m, 2).unwrap();
        let shift = g.number(frac.clone()).unwrap();
        let y = g.add(x, shift).unwrap();
        let s = g.thermograph(y).unwrap();
        let by = Rational::from(&frac);
        for i in 0..40 {
            let at = Rational::new(i, 4).unwrap();
            for (p, q) in [(&t.left, &s.left), (&t.right, &s.right)] {
                let moved = p.at(&at).unwrap().checked_add(&by).unwrap();
                prop_assert_eq!(moved, q.at(&at).unwrap());
            }
        }
    }

    #[test]
    fn means_add_and_temperatures_do_not_rise(a in tree(3), b in tree(3)) {
        let mut g = Games::new();
        let (a, b) = (value(&mut g, &a), value(&mut g, &b));
        let s = g.add(a, b).unwrap();
        let sum = (g.mean(a).unwrap() + g.mean(b).unwrap()).unwrap();
        prop_assert_eq!(g.mean(s).unwrap(), sum);
        let hottest = g.temperature(a).unwrap().max(g.temperature(b).unwrap());
        prop_assert!(g.temperature(s).unwrap() <= hottest);
    }

    #[test]
    fn text_round_trips(a in tree(4)) {
        let mut g = Games::new();
        let form = a.to_form(&mut g).unwrap();
        let x = g.value(form).unwrap();
        let text = g.print(x).unwrap();
        prop_assert_eq!(g.parse_value(&text).unwrap(), x, "{}", text);
        let mut other = Games::new();
        other.parse_value("{7|{3|2}} + {{5|*},^|-1}").unwrap();
        let y = other.parse_value(&text).unwrap();
        prop_assert_eq!(other.print(y).unwrap(), text);
        let typed = g.print_form(form).unwrap();
        prop_assert_eq!(g.parse_value(&typed).unwrap(), x, "{}", typed);
    }

    #[test]
    fn reduced_form(a in tree(3), b in all_small()) {
        let mut g = Games::new();
        let (x, e) = (value(&mut g, &a), value(&mut g, &b));
        let r = g.reduced(x).unwrap();
        let d = g.sub(x, r).unwrap();
        prop_assert_eq!(g.left_stop(d), Dyadic::ZERO);
        prop_assert_eq!(g.right_stop(d), Dyadic::ZERO);
        prop_assert_eq!(g.reduced(r).unwrap(), r);
        // all games that differ by infinitesimals have the same reduced form
        let y = g.add(x, e).unwrap();
        prop_assert_eq!(g.reduced(y).unwrap(), r);
    }

    #[test]
    fn atomic_weights(a in all_small(), b in all_small()) {
        let mut g = Games::new();
        let (x, y) = (value(&mut g, &a), value(&mut g, &b));
        let s = g.add(x, y).unwrap();
        let (wx, wy) = (g.atomic_weight(x).unwrap(), g.atomic_weight(y).unwrap());
        let ws = g.atomic_weight(s).unwrap();
        prop_assert_eq!(g.add(wx, wy).unwrap(), ws);
        // two-ahead rule
        let (two, minus) = (g.integer(2).unwrap(), g.integer(-2).unwrap());
        if g.le(two, wx).unwrap() {
            prop_assert_eq!(g.compare(x, GameId::ZERO).unwrap(), Relation::Greater);
        }
        if g.le(wx, minus).unwrap() {
            prop_assert_eq!(g.compare(x, GameId::ZERO).unwrap(), Relation::Less);
        }
    }

    #[test]
    fn incentives_and_ordinal_sums(a in tree(2), b in tree(2), c in tree(2)) {
        let mut g = Games::new();
        let (x, y, z) = (value(&mut g, &a), value(&mut g, &b), value(&mut g, &c));
        // no incentive is >= 0
        for i in [g.left_incentives(x).unwrap(), g.right_incentives(x).unwrap()].concat() {
            prop_assert!(!g.le(GameId::ZERO, i).unwrap());
        }
        // the colon principle
        if g.le(y, z).unwrap() {
            let (p, q) = (g.ordinal_sum(x, y).unwrap(), g.ordinal_sum(x, z).unwrap());
            prop_assert!(g.le(p, q).unwrap());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn sums_by_search_are_sums_by_minimax(
        parts in prop::collection::vec(tree(2), 1..=3), right in any::<bool>(),
    ) {
        let who = if right { Player::Right } else { Player::Left };
        let mut g = Games::new();
        let f = forms(&mut g, &parts);
        let s = g.solve_sum(&f, who, SumLimits::default()).unwrap();
        prop_assert!(s.is_exact());
        prop_assert_eq!(s.left_stop.exact().unwrap(), sum_stop(&parts, Player::Left).unwrap());
        prop_assert_eq!(s.right_stop.exact().unwrap(), sum_stop(&parts, Player::Right).unwrap());
        for j in 0..parts.len() {
            match number_of(&parts[j]).unwrap() {
                Some(_) => prop_assert!(s.parts[j].v.is_none()),
                None => {
                    let v = best_in(&parts, j, who).unwrap();
                    prop_assert_eq!(s.parts[j].v.as_ref().map(|v| v.exact().unwrap()), v);
                }
            }
        }
        // limits give bounds that hold
        for nodes in [0, 1, 3, 10] {
            let limits = SumLimits { nodes: Some(nodes), time: None };
            let b = g.solve_sum(&f, who, limits).unwrap();
            prop_assert!(contains(&b.left_stop, &s.left_stop.low));
            prop_assert!(contains(&b.right_stop, &s.right_stop.low));
            for (p, q) in b.parts.iter().zip(&s.parts) {
                prop_assert_eq!(p.v.is_some(), q.v.is_some());
                if let (Some(p), Some(q)) = (&p.v, &q.v) {
                    prop_assert!(contains(p, &q.low));
                }
            }
            for m in &b.best {
                prop_assert!(s.best.iter().any(|n| n.part == m.part && n.score == m.score));
            }
        }
    }

    #[test]
    fn sums_without_thermographs_are_exact_too(
        parts in prop::collection::vec(tree(3), 1..=4), right in any::<bool>(),
    ) {
        let who = if right { Player::Right } else { Player::Left };
        let mut g = Games::new();
        let f = forms(&mut g, &parts);
        let s = g.solve_sum(&f, who, SumLimits::default()).unwrap();
        // no room for a single corner: means and temperatures are bounds only
        let mut g = Games::with_limits(Limits { breakpoints: 0, ..Limits::default() });
        let f = forms(&mut g, &parts);
        let b = g.solve_sum(&f, who, SumLimits::default()).unwrap();
        prop_assert!(b.is_exact());
        prop_assert_eq!(&b.left_stop, &s.left_stop);
        prop_assert_eq!(&b.right_stop, &s.right_stop);
        let best = |s: &SumSolution| -> Vec<_> { s.best.iter().map(|m| (m.part, m.score.clone())).collect() };
        prop_assert_eq!(best(&b), best(&s));
        for (p, q) in b.parts.iter().zip(&s.parts) {
            prop_assert_eq!(&p.v, &q.v);
        }
        for nodes in [0, 1, 3, 10] {
            let limits = SumLimits { nodes: Some(nodes), time: None };
            let b = g.solve_sum(&f, who, limits).unwrap();
            prop_assert!(contains(&b.left_stop, &s.left_stop.low));
            prop_assert!(contains(&b.right_stop, &s.right_stop.low));
            for (p, q) in b.parts.iter().zip(&s.parts) {
                if let (Some(p), Some(q)) = (&p.v, &q.v) {
                    prop_assert!(contains(p, &q.low));
                }
            }
        }
    }

    #[test]
    fn thermostrat_is_its_definition(parts in prop::collection::vec(tree(3), 1..=9), right in any::<bool>()) {
        let who = if right { Player::Right } else { Player::Left };
        let mut g = Games::new();
        let f = forms(&mut g, &parts);
        let none = SumLimits { nodes: Some(0), time: None };
        let s = g.solve_sum(&f, who, none).unwrap();
        // at every corner from 0 on: the sum of my walls, and the widest thermograph that is still hot on top
        let mut walls = Vec::new();
        for p in &s.parts {
            walls.push((g.as_number(p.value).is_none(), g.thermograph(p.value).unwrap()));
        }
        let all = || walls.iter().flat_map(|w| w.1.left.points().iter().chain(w.1.right.points()));
        let mut corners: Vec<Rational> = all().map(|p| p.0.clone()).filter(|t| t.signum() >= 0).collect();
        corners.push(Rational::ZERO);
        corners.sort();
        let mut best: Option<(Rational, Rational, usize)> = None;
        for t in corners {
            let mut sum = Rational::ZERO;
            let mut widest: Option<(Rational, usize)> = None;
            for (i, (playable, w)) in walls.iter().enumerate() {
                let (l, r) = (w.left.at(&t).unwrap(), w.right.at(&t).unwrap());
                let width = l.checked_sub(&r).unwrap();
                sum = sum.checked_add(if right { &l } else { &r }).unwrap();
                let hot = *playable && w.temperature >= t;
                if hot && widest.as_ref().is_none_or(|x| width > x.0) {
                    widest = Some((width, i));
                }
            }
            let Some((width, i)) = widest else { continue };
            // scores as Right sees them
            let sign = if right { -1 } else { 1 };
            let bound = sum.times(sign).unwrap().checked_add(&width).unwrap();
            if best.as_ref().is_none_or(|b| bound > b.1) {
                best = Some((t, bound, i));
            }
        }
        let got = s.thermostrat.map(|x| (x.temperature, x.bound.times(if right { -1 } else { 1 }).unwrap(), x.part));
        prop_assert_eq!(got, best);
    }

    #[test]
    fn sums_are_symmetric_and_bounded(parts in prop::collection::vec(tree(3), 1..=5)) {
        let mut g = Games::new();
        let f = forms(&mut g, &parts);
        let n: Vec<FormId> = f.iter().map(|&f| g.negative_form(f).unwrap()).collect();
        let s = g.solve_sum(&f, Player::Left, SumLimits::default()).unwrap();
        let m = g.solve_sum(&n, Player::Right, SumLimits::default()).unwrap();
        let minus = |b: &Bounds| b.exact().unwrap().negative();
        prop_assert_eq!(s.left_stop.exact().unwrap(), minus(&m.right_stop));
        prop_assert_eq!(s.right_stop.exact().unwrap(), minus(&m.left_stop));
        for (p, q) in s.parts.iter().zip(&m.parts) {
            prop_assert_eq!(p.v.as_ref().map(|v| v.low.clone()), q.v.as_ref().map(minus));
        }
        let values: Vec<GameId> = s.parts.iter().map(|p| p.value).collect();
        let whole = g.sum(&values).unwrap();
        prop_assert_eq!(g.left_stop(whole), s.left_stop.low.clone());
        prop_assert_eq!(g.right_stop(whole), s.right_stop.low.clone());
        let mean = s.mean.clone().unwrap();
        prop_assert_eq!(&g.mean(whole).unwrap(), &mean);
        let ls = s.left_stop.low.clone();
        prop_assert!(mean <= ls);
        if let Some(t) = &s.max_temperature {
            prop_assert!(ls <= (&mean + t).unwrap());
            let guarantee = s.thermostrat.as_ref().unwrap().bound.to_dyadic().unwrap();
            prop_assert!(guarantee <= ls);
            let guarantee = m.thermostrat.as_ref().unwrap().bound.to_dyadic().unwrap();
            prop_assert_eq!(guarantee.negative(), s.thermostrat.as_ref().unwrap().bound.to_dyadic().unwrap());
        }
    }

    #[test]
    fn strategies_lose_what_they_lose(parts in prop::collection::vec(tree(2), 1..=4), left in any::<bool>()) {
        let who = if left { Player::Left } else { Player::Right };
        let mut g = Games::new();
        let f = forms(&mut g, &parts);
        let s = g.solve_sum(&f, who, SumLimits::default()).unwrap();
        for strategy in yose_cgt::Strategy::ALL {
            let game = g.play_out(&f, who, who, strategy, SumLimits::default()).unwrap();
            prop_assert_eq!(&game.optimal, &s.stop().low);
            prop_assert!(game.loss.signum() >= 0);
            let root = s.picks.iter().find(|p| p.strategy == strategy);
            if let Some(root) = root {
                prop_assert!(root.loss <= game.loss, "a first loss is never made good");
                prop_assert_eq!(root.part, game.moves[0].part);
            }
            if strategy == yose_cgt::Strategy::Thermostrat && !game.moves.is_empty() {
                // Winning Ways: the guarantee holds when played on
                let bound = s.thermostrat.as_ref().unwrap().bound.to_dyadic().unwrap();
                let kept = if left { game.score >= bound } else { game.score <= bound };
                prop_assert!(kept, "{} against {}", game.score, bound);
            }
        }
    }
}

/// All of one temperature, so that no thermograph has a width at the best ambient temperature: to play the star
/// would cost it. Found by `strategies_lose_what_they_lose`.
#[test]
fn thermostrat_plays_the_hottest_where_none_has_width() {
    let mut g = Games::new();
    let sum = g.parse("* + {5|1} + {3|-1} + {7/2||0|-1}").unwrap();
    let parts = g.components(sum);
    for who in [Player::Left, Player::Right] {
        let t = g
            .solve_sum(&parts, who, SumLimits::default())
            .unwrap()
            .thermostrat
            .unwrap();
        let strategy = yose_cgt::Strategy::Thermostrat;
        let score = g
            .play_out(&parts, who, who, strategy, SumLimits::default())
            .unwrap()
            .score;
        let bound = t.bound.to_dyadic().unwrap();
        if who == Player::Right {
            assert_eq!(
                (t.temperature.to_string(), t.bound.to_string(), t.part),
                ("2".into(), "11/2".into(), 1)
            );
            assert!(score <= bound, "{score}");
        } else {
            assert!(score >= bound, "{score}");
        }
    }
}

proptest! {
    // the sum as a tree and the order on it without memory: exponential, so small games
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sums_are_the_definition(a in tree(1), b in tree(1), c in tree(1)) {
        // a + b <= c, by the definition of the sum as a tree
        fn plus(a: &Tree, b: &Tree) -> Tree {
            let ((al, ar), (bl, br)) = (a.options().unwrap(), b.options().unwrap());
            let l = al.iter().map(|o| plus(o, b)).chain(bl.iter().map(|o| plus(a, o))).collect();
            let r = ar.iter().map(|o| plus(o, b)).chain(br.iter().map(|o| plus(a, o))).collect();
            Tree::Node(l, r)
        }
        let mut g = Games::new();
        let (x, y, z) = (value(&mut g, &a), value(&mut g, &b), value(&mut g, &c));
        let s = g.add(x, y).unwrap();
        prop_assert_eq!(g.compare(s, z).unwrap(), relation(&plus(&a, &b), &c));
    }
}
