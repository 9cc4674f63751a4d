//! What processes would send each other: solves an inventory with distances, then counts for every
//! ply and slice the positions decided there and the bytes of that frontier, compressed, and deals
//! the orbits out to processes.
//!
//! `cargo run --release -p yose-shogi --example exchange -- PTRF [PROCESSES...]`
//!
//! A position looks at what its king can reach in another slice; all its other moves lead to the
//! turned slice, which is in the same orbit. So the frontier of a slice is sent once to every other
//! process that owns a slice from which a king moves into it. Ply 1 is seen by looking at a
//! position, so nobody sends it. Frontiers are bit sets over the slots of a slice, cut into parts of
//! 32 KiB; parts without a bit are left out, the others compressed by zstd at level 1.

#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "an example that prints ratios"
)]

use std::collections::BTreeSet;

use yose_retro::{Game, Successor};
use yose_shogi::kernel::{SolveOptions, Solved, solve};
use yose_shogi::{Counts, DropShogi, Index, Inventory, Position, Variant};

/// Bytes of a part of a frontier: 2^18 slots.
const PART: usize = 1 << 15;

/// By slice: the slices from which a king moves into it, found by playing the moves of every
/// `step`th position.
fn readers(game: &DropShogi, step: usize) -> Vec<BTreeSet<usize>> {
    let index = game.index();
    let stored = index.slices().stored();
    let per_slice = index.size() / index.slices().len() as u64;
    let slice_of = |position: &Position| Some((game.rank(position)? / per_slice) as usize);
    let mut readers = vec![BTreeSet::new(); stored];
    let mut moves = Vec::new();
    for number in (0..index.stored_size()).step_by(step) {
        let Some(position) = game.unrank(number) else {
            continue;
        };
        let from = (number / per_slice) as usize;
        let twin = index.slices().turned(from).slice;
        moves.clear();
        game.moves(&position, &mut moves);
        for &mv in &moves {
            if let Successor::Position(child) = game.play(&position, mv)
                && let Some(into) = slice_of(&child).filter(|&into| into < stored)
                && into != twin
            {
                readers[into].insert(from);
            }
        }
    }
    readers
}

/// By ply, then by slice: positions decided and bytes of the compressed frontier.
fn frontiers(index: &Index, solved: &Solved) -> Vec<Vec<(u64, u64)>> {
    let stored = index.slices().stored();
    let mut levels = vec![vec![(0, 0); stored]; solved.levels().max_depth() as usize + 1];
    let width = solved.levels().depth_bytes();
    let mut depths = Vec::new();
    for slice in 0..stored {
        solved.depths(slice, &mut depths);
        let part_slots = 8 * PART * width;
        for part in depths.chunks(part_slots) {
            let mut sets: Vec<Option<Vec<u8>>> = vec![None; levels.len()];
            for (slot, depth) in part.chunks(width).enumerate() {
                let depth = depth.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b));
                if depth > 0 {
                    let set = sets[depth].get_or_insert_with(|| vec![0; PART]);
                    set[slot / 8] |= 1 << (slot % 8);
                    levels[depth][slice].0 += 1;
                }
            }
            for (depth, set) in sets.iter().enumerate() {
                if let Some(set) = set {
                    let packed = zstd::bulk::compress(set, 1).expect("compresses");
                    levels[depth][slice].1 += packed.len() as u64 + 8;
                }
            }
        }
    }
    levels
}

/// Which process owns each slice: whole orbits, as many slices for each as can be, dealt out in
/// order and then exchanged in pairs as long as that saves bytes.
fn deal(
    index: &Index,
    readers: &[BTreeSet<usize>],
    bytes: &[u64],
    processes: usize,
) -> (Vec<usize>, u64) {
    let stored = index.slices().stored();
    let twin = |slice: usize| index.slices().turned(slice).slice;
    let mut orbits: Vec<usize> = (0..stored).filter(|&slice| slice <= twin(slice)).collect();
    let size = |slice: usize| if twin(slice) == slice { 1 } else { 2 };
    orbits.sort_by_key(|&slice| std::cmp::Reverse(size(slice)));
    let (mut owner, mut load) = (vec![0; stored], vec![0; processes]);
    for &slice in &orbits {
        let least = (0..processes).min_by_key(|&p| load[p]).unwrap_or(0);
        load[least] += size(slice);
        owner[slice] = least;
        owner[twin(slice)] = least;
    }
    let sent = |owner: &[usize]| volume(readers, bytes, owner);
    let mut best = sent(&owner);
    loop {
        let before = best;
        for &a in &orbits {
            for &b in &orbits {
                if size(a) != size(b) || owner[a] == owner[b] {
                    continue;
                }
                let mut tried = owner.clone();
                for (slice, of) in [(a, b), (b, a)] {
                    tried[slice] = owner[of];
                    tried[twin(slice)] = owner[of];
                }
                let now = sent(&tried);
                if now < best {
                    (best, owner) = (now, tried);
                }
            }
        }
        if best == before {
            return (owner, best);
        }
    }
}

/// Bytes sent if every slice's frontier goes once to each other process that reads it.
fn volume(readers: &[BTreeSet<usize>], bytes: &[u64], owner: &[usize]) -> u64 {
    let copies = |slice: usize| {
        let others = readers[slice].iter().map(|&reader| owner[reader]);
        let others: BTreeSet<usize> = others.filter(|&of| of != owner[slice]).collect();
        others.len() as u64
    };
    (0..bytes.len())
        .map(|slice| bytes[slice] * copies(slice))
        .sum()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let variant = Variant::built_in("shogi4").expect("built in");
    let pieces = args.first().map_or("PFR", String::as_str);
    let inventory = Inventory::parse(pieces, &variant).expect("pieces of Shogi4");
    let mut processes: Vec<usize> = args.iter().skip(1).map(|n| n.parse().expect("N")).collect();
    if processes.is_empty() {
        processes = vec![2, 4, 8, 16];
    }
    let counts = Counts::new(&variant, &inventory).expect("counts");
    let game = DropShogi::new(variant, inventory).expect("an index");
    let index = game.index();
    let step = 1 + (index.stored_size() / 5_000_000) as usize * 2;
    let readers = readers(&game, step);
    let (threads, depth) = (1, true);
    let options = SolveOptions { threads, depth };
    let solved = solve(game.variant(), index, options, &mut |_| {});
    let levels = frontiers(index, &solved);

    // A slice that is its own mirror image would be counted twice; Shogi4 has none.
    let canonical = counts.canonical() as f64;
    let sum = |level: &[(u64, u64)]| {
        level
            .iter()
            .fold((0, 0), |(n, bytes), slice| (n + slice.0, bytes + slice.1))
    };
    let stored = index.slices().stored();
    let mut totals = vec![0; stored];
    for level in levels.iter().skip(2) {
        for (total, slice) in totals.iter_mut().zip(level) {
            *total += slice.1;
        }
    }
    let four = deal(index, &readers, &totals, 4).0;
    println!("ply\tdecided\tbytes\tbits_per_decided\tsent_by_4_processes");
    for (ply, level) in levels.iter().enumerate().skip(1) {
        let (decided, bytes) = sum(level);
        let slices: Vec<u64> = level.iter().map(|slice| slice.1).collect();
        let sent = if ply == 1 {
            0
        } else {
            volume(&readers, &slices, &four)
        };
        let bits = 8.0 * bytes as f64 / decided.max(1) as f64;
        println!("{ply}\t{decided}\t{bytes}\t{bits:.2}\t{sent}");
    }
    let decided: u64 = levels.iter().skip(2).map(|level| sum(level).0).sum();
    let one_copy: u64 = totals.iter().sum();
    let busiest = levels
        .iter()
        .skip(2)
        .map(|level| sum(level).1)
        .max()
        .unwrap_or(0);
    println!("canonical positions {canonical}, of them decided after ply 1: {decided}");
    println!(
        "one copy of all frontiers {one_copy} bytes: {:.3} bits per decided position, {:.4} bytes \
         per canonical position; busiest ply {busiest} bytes",
        8.0 * one_copy as f64 / decided as f64,
        one_copy as f64 / canonical
    );
    let reading: usize = readers.iter().map(BTreeSet::len).sum();
    println!(
        "slices {stored}, read by {:.2} other slices each",
        reading as f64 / stored as f64
    );
    for count in processes {
        let (_, sent) = deal(index, &readers, &totals, count);
        println!(
            "{count} processes: {sent} bytes sent, {:.4} per canonical position, {:.2} copies",
            sent as f64 / canonical,
            sent as f64 / one_copy as f64
        );
    }
}
