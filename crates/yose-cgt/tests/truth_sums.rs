//! Every row of `sums.tsv` and `switch_sums.tsv`.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

mod common;
use yose_cgt::{
    Cold, Dyadic, FormId, Games, Player, Strategy, SumLimits, SumSolution, Switch, switch_values,
};

fn texts(cell: &str) -> Vec<String> {
    cell.split(';').map(String::from).collect()
}

fn exact(b: &yose_cgt::Bounds) -> String {
    b.exact().expect("exact").to_string()
}

fn solve(g: &mut Games, text: &str, who: Player) -> SumSolution {
    let form = g.parse(text).unwrap();
    let parts = g.components(form);
    g.solve_sum(&parts, who, SumLimits::default()).unwrap()
}

#[test]
fn sums() {
    for row in common::rows("sums.tsv") {
        let (id, text) = (row.get("id"), row.get("components"));
        let mut g = Games::new();
        let s = solve(&mut g, text, Player::Left);
        assert!(s.is_exact());
        assert_eq!(exact(&s.left_stop), row.get("LS"), "{id}");
        assert_eq!(exact(&s.right_stop), row.get("RS"), "{id}");
        assert_eq!(
            s.mean.as_ref().unwrap().to_string(),
            row.get("mean"),
            "{id}"
        );
        assert_eq!(
            s.max_temperature.as_ref().unwrap().to_string(),
            row.get("max_temp"),
            "{id}"
        );
        let v: Vec<String> = s
            .parts
            .iter()
            .map(|p| exact(p.v.as_ref().unwrap()))
            .collect();
        assert_eq!(v, texts(row.get("V")), "{id}");
        let mut best: Vec<String> = s.best.iter().map(|m| m.part.to_string()).collect();
        best.dedup();
        assert_eq!(best.join(","), row.get("argmaxV"), "{id}");
        for (i, p) in s.parts.iter().enumerate() {
            let t = g.temperature(p.value).unwrap().to_string();
            assert_eq!(t, texts(row.get("temps"))[i], "{id}");
            let swing = (g.left_stop(p.value) - g.right_stop(p.value)).unwrap();
            assert_eq!(swing.to_string(), texts(row.get("swings"))[i], "{id}");
        }
        let t = s.thermostrat.as_ref().unwrap();
        assert_eq!(t.bound.to_string(), row.get("thermo_bound"), "{id}");
        assert_eq!(t.temperature.to_string(), row.get("thermo_T"), "{id}");
        let widest = &row
            .get("thermo_comp")
            .split(',')
            .map(String::from)
            .collect::<Vec<_>>();
        assert_eq!(t.part.to_string(), widest[0], "{id}");
        let pick = s
            .picks
            .iter()
            .find(|p| p.strategy == Strategy::Thermostrat)
            .unwrap();
        assert_eq!(pick.part.to_string(), widest[0], "{id}");
        // The strategies take the first of equals; the columns say best and worst of equals.
        let hot = &row
            .get("hottest")
            .split(',')
            .map(String::from)
            .collect::<Vec<_>>();
        let pick = s
            .picks
            .iter()
            .find(|p| p.strategy == Strategy::Hotstrat)
            .unwrap();
        assert_eq!(pick.part.to_string(), hot[0], "{id}");
        let of_part = |i: &String| {
            let v = s.parts[i.parse::<usize>().unwrap()]
                .v
                .as_ref()
                .unwrap()
                .exact()
                .unwrap();
            s.left_stop.exact().unwrap().checked_sub(&v).unwrap()
        };
        assert_eq!(
            hot.iter().map(of_part).min().unwrap().to_string(),
            row.get("hot_loss_best"),
            "{id}"
        );
        assert_eq!(
            hot.iter().map(of_part).max().unwrap().to_string(),
            row.get("hot_loss_worst"),
            "{id}"
        );
        assert_eq!(
            widest.iter().map(of_part).min().unwrap().to_string(),
            row.get("thermo_loss"),
            "{id}"
        );
        let wide = &row
            .get("max_swing")
            .split(',')
            .map(String::from)
            .collect::<Vec<_>>();
        let pick = s
            .picks
            .iter()
            .find(|p| p.strategy == Strategy::LargestSwing)
            .unwrap();
        assert_eq!(pick.part.to_string(), wide[0], "{id}");
        assert_eq!(
            wide.iter().map(of_part).min().unwrap().to_string(),
            row.get("swing_loss"),
            "{id}"
        );
        // The line: alternating moves of the right player that end in the stop.
        assert!(!s.line.is_empty(), "{id}");
        assert_eq!(follow(&mut g, &s).to_string(), row.get("LS"), "{id}");
        // Right's view of the same sum, and the mirrored sum for Right.
        let r = solve(&mut g, text, Player::Right);
        assert_eq!(exact(&r.right_stop), row.get("RS"), "{id}");
        assert_eq!(follow(&mut g, &r).to_string(), row.get("RS"), "{id}");
        let mirrored = solve(&mut g, &format!("0 - ({text})"), Player::Right);
        let minus: Vec<String> = mirrored
            .parts
            .iter()
            .filter_map(|p| p.v.as_ref())
            .map(|v| v.exact().unwrap().negative().to_string())
            .collect();
        assert_eq!(minus, texts(row.get("V")), "{id} mirrored");
        // The canonical form of the whole knows the stops too.
        let whole = g.parse_value(text).unwrap();
        assert_eq!(
            g.left_stop(whole).to_string(),
            row.get("LS"),
            "{id} canonical"
        );
        assert_eq!(
            g.right_stop(whole).to_string(),
            row.get("RS"),
            "{id} canonical"
        );
        assert_eq!(
            g.mean(whole).unwrap().to_string(),
            row.get("mean"),
            "{id} canonical"
        );
    }
}

/// Plays the line, checking that every move is an option of its part, and returns the final score.
fn follow(g: &mut Games, s: &SumSolution) -> Dyadic {
    let mut forms: Vec<FormId> = s.parts.iter().map(|p| p.form).collect();
    let mut who = s.who;
    for &(part, to) in &s.line {
        let now = g.value(forms[part]).unwrap();
        let (mut l, mut r) = (g.left_options(now).unwrap(), g.right_options(now).unwrap());
        let (gl, gr) = g.options_as_given(forms[part]).unwrap();
        for f in gl {
            l.push(g.value(f).unwrap());
        }
        for f in gr {
            r.push(g.value(f).unwrap());
        }
        let to_value = g.value(to).unwrap();
        assert!(if who == Player::Left { l } else { r }.contains(&to_value));
        forms[part] = to;
        who = who.other();
    }
    let mut score = Dyadic::ZERO;
    for f in forms {
        let v = g.value(f).unwrap();
        let x = g.as_number(v).expect("played to the end");
        score = (score + x).unwrap();
    }
    score
}

fn switches(text: &str) -> Vec<Switch> {
    let mut g = Games::new();
    let form = g.parse(text).unwrap();
    let mut out = Vec::new();
    for c in g.components(form) {
        let (l, r) = g.options_as_given(c).unwrap();
        let (l, r) = (g.value(l[0]).unwrap(), g.value(r[0]).unwrap());
        out.push(Switch {
            left: g.as_number(l).unwrap(),
            right: g.as_number(r).unwrap(),
        });
    }
    out
}

#[test]
fn switch_sums() {
    for row in common::rows("switch_sums.tsv") {
        let (family, text) = (row.get("family"), row.get("switches"));
        let parts = switches(text);
        let cold = if family.ends_with("compulsory") {
            Cold::Compulsory
        } else {
            Cold::Number
        };
        let closed = switch_values(&parts, Player::Left, cold).unwrap();
        assert_eq!(closed.stop.to_string(), row.get("LS"), "{text}");
        let wanted = texts(row.get("V"));
        if cold == Cold::Compulsory {
            let v: Vec<String> = closed
                .v
                .iter()
                .map(|v| v.as_ref().unwrap().to_string())
                .collect();
            assert_eq!(v, wanted, "{text}");
            continue;
        }
        let mut g = Games::new();
        let s = solve(&mut g, text, Player::Left);
        assert_eq!(exact(&s.left_stop), row.get("LS"), "{text}");
        for (j, w) in wanted.iter().enumerate() {
            match &closed.v[j] {
                Some(v) => {
                    assert_eq!(v.to_string(), *w, "{text} part {j}");
                    assert_eq!(
                        exact(s.parts[j].v.as_ref().unwrap()),
                        *w,
                        "{text} part {j} by search"
                    );
                }
                // The file plays in a number all the same: a_j, then Right moves in the rest.
                None => {
                    assert!(s.parts[j].v.is_none());
                    let mut rest = parts.clone();
                    let a = rest.remove(j).left;
                    let rest = switch_values(&rest, Player::Right, Cold::Number).unwrap();
                    assert_eq!((a + rest.stop).unwrap().to_string(), *w, "{text} part {j}");
                }
            }
        }
    }
}
