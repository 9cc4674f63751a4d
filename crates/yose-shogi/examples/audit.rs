//! Solves an inventory with exact depths, audits the result and prints the processor time of each.
//!
//! `cargo run --release -p yose-shogi --example audit -- shogi4 PTRF 2 [FILE [ranked|outcomes]]`
//!
//! FILE keeps the depths, a byte each, so that the audit can be run again without solving. Then it
//! can also be run on the outcomes alone, or on outcomes with the depths as ranks.

use std::num::NonZero;

use yose_shogi::audit::{self, AuditReport, Code, InMemory, Options};
use yose_shogi::kernel::{SolveOptions, solve};
use yose_shogi::{Index, Inventory, Rules, Variant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, pieces, threads] = &args[..3] else {
        panic!("VARIANT PIECES THREADS [FILE]");
    };
    let variant = Variant::built_in(variant).expect("a variant");
    let inventory = Inventory::parse(pieces, &variant).expect("an inventory");
    let threads: usize = threads.parse().expect("threads");
    let index = Index::new(&variant, &inventory).expect("an index");
    let rules = Rules::new(variant);
    let options = Options::default().with_threads(NonZero::new(threads).expect("threads"));
    if let Some(codes) = args.get(3).and_then(|file| std::fs::read(file).ok()) {
        let report = match args.get(4).map(String::as_str) {
            None => audit(&rules, &index, codes, &options),
            Some("ranked") => audit_outcomes(&rules, &index, codes, &options, true),
            Some("outcomes") => audit_outcomes(&rules, &index, codes, &options, false),
            Some(other) => panic!("{other} is neither ranked nor outcomes"),
        };
        print(&report);
        return;
    }
    let cpu = cpu_seconds();
    let solved = solve(
        rules.variant(),
        &index,
        SolveOptions {
            threads,
            depth: true,
        },
        &mut |_| {},
    );
    let mut bytes: Vec<u8> = Vec::new();
    let mut slice_bytes = Vec::new();
    for slice in 0..index.slices().stored() {
        solved.depths(slice, &mut slice_bytes);
        bytes.extend_from_slice(&slice_bytes);
    }
    let width = solved.levels().depth_bytes();
    drop(solved);
    say(&format!("solved in {:.2} CPU s", cpu_seconds() - cpu));
    let report = match width {
        1 => {
            if let Some(file) = args.get(3) {
                std::fs::write(file, &bytes).expect("a file to write");
            }
            audit(&rules, &index, bytes, &options)
        }
        2 => {
            let codes = bytes.as_chunks().0.iter();
            let codes = codes.map(|&code| u16::from_le_bytes(code)).collect();
            audit(&rules, &index, codes, &options)
        }
        _ => {
            let codes = bytes.as_chunks().0.iter();
            let codes = codes.map(|&code| u32::from_le_bytes(code)).collect();
            audit(&rules, &index, codes, &options)
        }
    };
    print(&report);
}

fn audit<C: Code>(rules: &Rules, index: &Index, codes: Vec<C>, options: &Options) -> AuditReport {
    let table = InMemory::new(index, codes).expect("all slots");
    let start = std::time::Instant::now();
    let cpu = cpu_seconds();
    let report = audit::depths(rules, index, &table, options, &|_| {}).expect("an audit");
    say(&format!(
        "audited in {:.2} s, {:.2} CPU s",
        start.elapsed().as_secs_f64(),
        cpu_seconds() - cpu
    ));
    report
}

fn audit_outcomes(
    rules: &Rules,
    index: &Index,
    depths: Vec<u8>,
    options: &Options,
    ranked: bool,
) -> AuditReport {
    let outcome = |&depth: &u8| match depth {
        0 => 0,
        depth => 2 - depth % 2,
    };
    let table = InMemory::new(index, depths.iter().map(outcome).collect()).expect("all slots");
    let ranks = InMemory::new(index, depths).expect("all slots");
    let cpu = cpu_seconds();
    let report = if ranked {
        audit::ranked_outcomes(rules, index, &table, &ranks, options, &|_| {})
    } else {
        audit::outcomes(rules, index, &table, options, &|_| {})
    };
    say(&format!("audited in {:.2} CPU s", cpu_seconds() - cpu));
    report.expect("an audit")
}

fn print(report: &AuditReport) {
    say(&format!(
        "{}: {} canonical positions, {} checked, {} violations",
        report.result, report.positions, report.checked, report.violations
    ));
    for violation in &report.first_violations {
        say(&violation.to_string());
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|l| l.starts_with("VmHWM")) {
        say(line);
    }
}

/// Processor time of all threads so far, on Linux, where the kernel counts in hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

#[allow(clippy::print_stdout, reason = "an example prints")]
fn say(text: &str) {
    println!("{text}");
}
