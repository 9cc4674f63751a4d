//! Speed of the rules: perft of the three built-in games on one core, median of a few runs, each
//! checked against the published count.
//!
//! `cargo bench -p yose-shogi --bench perft [-- DEPTH_OF_SHOGI4]`

use std::time::{Duration, Instant};

use yose_shogi::{Counting, Inventory, Rules, Variant};

const RUNS: usize = 5;

/// Variant, depth, published number of lines.
const GAMES: [(&str, u32, u64); 4] = [
    ("dobutsu", 8, 5_953_153),
    ("micro", 6, 1_213_695),
    ("shogi4", 8, 111_506_130),
    ("shogi4", 9, 1_425_309_007),
];

#[allow(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]
fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let deepest = numbers.next().unwrap_or(8);
    println!("variant\tdepth\tlines\tmedian seconds\tmillion lines a second");
    for (name, depth, lines) in GAMES {
        if depth > deepest {
            continue;
        }
        let Some(variant) = Variant::built_in(name) else {
            panic!("{name} is built in");
        };
        let rules = Rules::new(variant);
        let Some(start) = rules.variant().start(&Inventory::full(rules.variant())) else {
            panic!("{name} has a start position");
        };
        let mut times: Vec<Duration> = (0..RUNS)
            .map(|_| {
                let began = Instant::now();
                let counts = rules.perft(&start, depth, Counting::All);
                let time = began.elapsed();
                assert_eq!(counts.ok().and_then(|c| c.last().copied()), Some(lines));
                time
            })
            .collect();
        times.sort_unstable();
        let seconds = times[RUNS / 2].as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "for people")]
        let rate = lines as f64 / seconds / 1e6;
        println!("{name}\t{depth}\t{lines}\t{seconds:.3}\t{rate:.0}");
    }
}
