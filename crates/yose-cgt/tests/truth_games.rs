//! Every row of `games.tsv`: value, stops, comparisons, mean, temperature, walls, birthday.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, in helpers too"
)]

mod common;
use yose_cgt::{Games, Wall};

fn wall(w: &Wall) -> String {
    let p: Vec<String> = w.points().iter().map(|(t, x)| format!("{t}:{x}")).collect();
    p.join(" ")
}

#[test]
fn every_row_agrees() {
    let mut shared = Games::new();
    for row in common::rows("games.tsv") {
        let id = row.get("id");
        // Once in a fresh arena and once in one full of other games: ids must not matter.
        let mut fresh = Games::new();
        let mut printed = Vec::new();
        for g in [&mut fresh, &mut shared] {
            let v = g.parse_value(row.get("game")).unwrap();
            assert_eq!(
                g.parse_value(row.get("canonical")).unwrap(),
                v,
                "{id} canonical"
            );
            let (ls, rs) = (g.left_stop(v), g.right_stop(v));
            assert_eq!(ls.to_string(), row.get("left_stop"), "{id}");
            assert_eq!(rs.to_string(), row.get("right_stop"), "{id}");
            let zero = g.integer(0).unwrap();
            let (l, r) = (g.number(ls).unwrap(), g.number(rs).unwrap());
            assert_eq!(
                g.compare(v, zero).unwrap().symbol(),
                row.get("cmp_zero"),
                "{id}"
            );
            assert_eq!(g.compare(v, l).unwrap().symbol(), row.get("cmp_LS"), "{id}");
            assert_eq!(g.compare(v, r).unwrap().symbol(), row.get("cmp_RS"), "{id}");
            let t = g.thermograph(v).unwrap();
            assert_eq!(t.mean.to_string(), row.get("mean"), "{id}");
            assert_eq!(t.temperature.to_string(), row.get("temperature"), "{id}");
            assert_eq!(g.mean(v).unwrap().to_string(), row.get("mean"), "{id}");
            assert_eq!(
                g.temperature(v).unwrap().to_string(),
                row.get("temperature"),
                "{id}"
            );
            assert_eq!(wall(&t.left), row.get("left_wall"), "{id}");
            assert_eq!(wall(&t.right), row.get("right_wall"), "{id}");
            let birthday = g.birthday(v).unwrap().to_string();
            if row.get("birthday") == "NA" {
                assert!(g.birthday(v).unwrap() >= 1_000_000.into(), "{id}");
            } else {
                assert_eq!(birthday, row.get("birthday"), "{id}");
            }
            let text = g.print(v).unwrap();
            assert_eq!(g.parse_value(&text).unwrap(), v, "{id} {text}");
            printed.push(text);
        }
        assert_eq!(printed[0], printed[1], "{id}: text depends on the arena");
    }
}
