//! Solves an inventory with the bit-parallel kernel and prints what each ply decides.
//!
//! `cargo run --release -p yose-shogi --example kernel -- shogi4 PTRF 1 depth`

use yose_shogi::kernel::{SolveOptions, solve};
use yose_shogi::{Index, Inventory, Variant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let variant = Variant::built_in(&args[0]).expect("a variant");
    let inventory = Inventory::parse(&args[1], &variant).expect("an inventory");
    let threads = args.get(2).map_or(1, |t| t.parse().expect("threads"));
    let depth = args.get(3).is_some_and(|m| m == "depth");
    let index = Index::new(&variant, &inventory).expect("an index");
    let start = std::time::Instant::now();
    let solved = solve(&variant, &index, SolveOptions { threads, depth });
    println!(
        "{:.2} s, {} layouts, {} slices",
        start.elapsed().as_secs_f64(),
        index.layouts().count(),
        index.slices().stored()
    );
    for (ply, count) in (1..).zip(&solved.levels) {
        println!("{ply}\t{count}");
    }
    let draws: u64 = solved
        .slices
        .iter()
        .flat_map(|s| &s.undecided)
        .map(|w| u64::from(w.count_ones()))
        .sum();
    let wins: u64 = solved.levels.iter().step_by(2).sum();
    let losses: u64 = solved.levels.iter().skip(1).step_by(2).sum();
    println!("win {wins} loss {losses} draw {draws} (stored slices, canonical)");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|l| l.starts_with("VmHWM")) {
        println!("{line}");
    }
}
