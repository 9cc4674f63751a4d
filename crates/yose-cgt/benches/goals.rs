fn main() {
    let path = format!("{}/../../tests/data/cgt/sums.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let c: Vec<&str> = line.split('\t').collect();
        if c[1].parse::<u32>().unwrap() < 7 { continue; }
        let mut g = yose_cgt::Games::new();
        let t = std::time::Instant::now();
        let v = g.parse_value(c[2]).unwrap();
        let dt = t.elapsed();
        println!("{} n={} {:?} games {} compared {} followers {}", c[0], c[1], dt, g.len(), g.comparisons_played(), g.follower_count(v).unwrap());
        let t = std::time::Instant::now();
        let th = g.thermograph(v).unwrap();
        println!("   thermo {:?} LS {} mean {}", t.elapsed(), g.left_stop(v), th.mean);
        assert_eq!(g.left_stop(v).to_string(), c[3]);
    }
}
