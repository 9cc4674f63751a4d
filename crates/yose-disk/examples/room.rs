//! What a solve costs whose cells do not all fit into memory: visits, bytes and processor time.
//!
//! ```text
//! cargo run --release -p yose-disk --example room -- PTRF 10     # room for 10 % of the state
//! cargo run --release -p yose-disk --example room -- PTRF 10 1   # and the same game in memory before
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement fails by panicking, and prints"
)]

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use yose_disk::{Options, Order, needs, solve};
use yose_shogi::kernel::{self, Slices, SolveOptions};
use yose_shogi::{DropShogi, Inventory, Variant};
use yose_store::{Coding, Identity, Location, Mode, Store};

/// Seconds of processor time of this process, from `/proc`; 100 ticks a second.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let pieces = arguments.get(1).map_or("PFR", String::as_str);
    let share: u64 = arguments.get(2).map_or(10, |text| text.parse().unwrap());
    let variant = Variant::built_in("shogi4").unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    let game = DropShogi::new(variant, inventory).unwrap();
    let slices = Slices::new(game.variant(), game.index());
    let needs = needs(&slices, 1, Order::Inbox);
    if arguments.get(3).is_some() {
        let (before, clock) = (cpu(), Instant::now());
        let options = SolveOptions {
            threads: 1,
            depth: false,
        };
        let _ = kernel::solve(game.variant(), game.index(), options, &mut |_| {});
        println!(
            "in memory: {:.2} s, CPU {:.2} s",
            clock.elapsed().as_secs_f64(),
            cpu() - before
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(
        &Location::directory(folder.path()),
        &Identity::new().with("game", pieces),
        Mode::Fresh,
    )
    .unwrap();
    let options = Options {
        room: needs.state * share / 100,
        pressure: None,
        threads: 1,
        order: Order::Inbox,
        checkpoint_every: Duration::from_secs(3600),
        coding: Coding::Plain,
    };
    let (before, clock) = (cpu(), Instant::now());
    let last = Mutex::new(None);
    let solved = solve(&slices, &store, options, &|step| {
        *last.lock().unwrap() = Some(step);
        ControlFlow::Continue(())
    })
    .unwrap();
    let step = last.lock().unwrap().unwrap();
    println!(
        "{pieces}, {share} % of {:.1} MB in memory: {:.2} s, CPU {:.2} s, {} visits, read {:.2} GB, written {:.2} GB",
        needs.state as f64 / 1e6,
        clock.elapsed().as_secs_f64(),
        cpu() - before,
        step.visits,
        step.read_bytes as f64 / 1e9,
        step.written_bytes as f64 / 1e9,
    );
    let draws = solved.draws().unwrap().stored();
    println!("undecided: {draws} of the positions that are stored");
}
