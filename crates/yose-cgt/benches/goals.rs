//! The speed goals of the crate, measured: `cargo bench -p yose-cgt --bench goals`.
//!
//! Every line is a median over repetitions, with the worst case beside it; of time on the processor where the
//! system tells it (Linux; there is one thread, so on an idle machine that is wall time). The records come from
//! `tests/data/cgt`, the twelve-component set from `twelve.txt` beside this file.
#![expect(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

use std::time::{Duration, Instant};
use yose_cgt::{Cold, Dyadic, FormId, Games, Player, SumLimits, Switch, switch_values};

fn data(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|l| l.split('\t').map(String::from).collect())
        .collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn time<T>(f: impl FnOnce() -> T) -> (Duration, T) {
    let (busy, start) = (on_processor(), Instant::now());
    let out = f();
    let wall = start.elapsed();
    // Asking the system costs some microseconds, so short measurements go by the clock; their medians
    // are not disturbed by others at work.
    let cpu = on_processor().zip(busy).map(|(now, then)| now - then);
    let long = wall > Duration::from_millis(1);
    (cpu.filter(|_| long).unwrap_or(wall), out)
}

/// Time that this thread has spent on a processor.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Median over `reps` of a measurement that prepares its own input.
fn repeat(reps: usize, mut f: impl FnMut() -> Duration) -> Duration {
    median((0..reps).map(|_| f()).collect())
}

fn report(name: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let mean = sorted.iter().sum::<Duration>() / u32::try_from(sorted.len()).unwrap_or(1);
    println!(
        "{name:<58} {:>3} cases  median {:>10.2?}  mean {mean:>10.2?}  worst {:>10.2?}",
        sorted.len(),
        sorted[sorted.len() / 2],
        sorted[sorted.len() - 1],
    );
}

fn parts(g: &mut Games, text: &str) -> Vec<FormId> {
    let form = g.parse(text).expect("a sum");
    g.components(form)
}

fn games() {
    let texts: Vec<String> = data("../../tests/data/cgt/games.tsv")
        .into_iter()
        .map(|r| r[2].clone())
        .collect();
    let mut canonical = Vec::new();
    let mut walls = Vec::new();
    for text in &texts {
        canonical.push(repeat(9, || {
            time(|| Games::new().parse_value(text).expect("a game")).0
        }));
        walls.push(repeat(9, || {
            let mut g = Games::new();
            let v = g.parse_value(text).expect("a game");
            time(|| g.thermograph(v).expect("walls")).0
        }));
    }
    report(
        "parse + canonical form, truth games, a new arena each",
        &canonical,
    );
    report("thermograph, truth games, a new arena each", &walls);
    let shared = repeat(9, || {
        let mut g = Games::new();
        time(|| texts.iter().for_each(|t| drop(g.parse_value(t)))).0
    });
    let each = shared / u32::try_from(texts.len()).unwrap_or(1);
    println!(
        "{:<58} mean {each:.2?} a game",
        "parse + canonical form, truth games, one arena"
    );
}

fn sums() {
    let rows = data("../../tests/data/cgt/sums.tsv");
    let eight: Vec<(String, String)> = rows
        .into_iter()
        .filter(|r| r[1] == "8")
        .map(|r| (r[0].clone(), r[2].clone()))
        .collect();
    let mut canonical = Vec::new();
    for (id, text) in &eight {
        let t = repeat(5, || {
            time(|| Games::new().parse_value(text).expect("a game")).0
        });
        println!("  canonical form of {id}: {t:.2?}");
        canonical.push(t);
    }
    report("canonical form of 8-component hot sums", &canonical);
    let eight: Vec<String> = eight.into_iter().map(|r| r.1).collect();
    let twelve: Vec<String> = data("benches/twelve.txt")
        .into_iter()
        .map(|r| r[0].clone())
        .collect();
    for (name, set, reps) in [
        (
            "stops, all V_j, moves, line of 8-component hot sums",
            &eight,
            9,
        ),
        (
            "stops, all V_j, moves, line of the 12-component set",
            &twelve,
            5,
        ),
    ] {
        let mut times = Vec::new();
        for text in set {
            times.push(repeat(reps, || {
                let mut g = Games::new();
                time(|| {
                    let p = parts(&mut g, text);
                    let s = g
                        .solve_sum(&p, Player::Left, SumLimits::default())
                        .expect("a solution");
                    assert!(s.is_exact());
                })
                .0
            }));
        }
        report(name, &times);
    }
}

fn switches() {
    // a fixed linear congruence: spread, with ties
    let mut x = 1_u64;
    let mut next = || {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(x >> 40).unwrap_or(0)
    };
    let million: Vec<Switch> = (0..1_000_000)
        .map(|_| {
            let (b, d) = (next(), next());
            Switch {
                left: Dyadic::from(b + d),
                right: Dyadic::from(b),
            }
        })
        .collect();
    let mut times = Vec::new();
    for _ in 0..5 {
        let (t, s) = time(|| switch_values(&million, Player::Left, Cold::Number));
        assert_eq!(s.expect("values").v.len(), 1_000_000);
        times.push(t);
    }
    report("algorithm 2.3, a million switches", &times);
}

fn main() {
    games();
    sums();
    switches();
}
