//! Solves an inventory with the bit-parallel kernel and prints counts, time and memory.
//!
//! `cargo run --release -p yose-shogi --example kernel -- shogi4 PTRF 1 depth`

use yose_shogi::kernel::{SolveOptions, estimate, solve};
use yose_shogi::{Index, Inventory, Variant};

#[allow(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let variant = Variant::built_in(&args[0]).expect("a variant");
    let inventory = Inventory::parse(&args[1], &variant).expect("an inventory");
    let threads = args.get(2).map_or(1, |t| t.parse().expect("threads"));
    let depth = args.get(3).is_some_and(|m| m == "depth");
    let index = Index::new(&variant, &inventory).expect("an index");
    let options = SolveOptions { threads, depth };
    println!("{:?}", estimate(&index, options));
    let start = std::time::Instant::now();
    let solved = solve(&variant, &index, options, &mut |_| {});
    println!("{:.2} s", start.elapsed().as_secs_f64());
    let mut out = Vec::new();
    let mut sum = 0u64;
    for slice in 0..index.slices().stored() {
        if depth {
            solved.depths(slice, &mut out);
        } else {
            solved.outcomes(slice, &mut out);
        }
        sum += out.iter().map(|&v| u64::from(v)).sum::<u64>();
    }
    println!(
        "{:.2} s with all values, sum {sum}",
        start.elapsed().as_secs_f64()
    );
    let tally = solved.levels().tally();
    println!(
        "canonical {:?} all {:?} max {}",
        tally.canonical,
        tally.all,
        solved.levels().max_depth()
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|l| l.starts_with("VmHWM")) {
        println!("{line}");
    }
}
