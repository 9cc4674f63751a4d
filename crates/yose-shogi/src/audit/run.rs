//! The order of work: which slices are held at a time, and which thread checks what.
//!
//! Children of a slice stand in its turned slice and in those that our king can move to; seen by the
//! other side, these have the same square of its own king. So slices with the same square of the
//! other king, folded, are checked together: they share most of their children, and each slice is
//! read about twice in all.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::check::{Checked, Found, Keys, turned_keys};
use super::geometry::SliceMoves;
use super::judge::{Judge, StoredBy};
use super::{AuditError, Options, Progress};
use crate::index::Index;
use crate::rules::Rules;

/// Layouts that a thread takes at a time, at least.
const LEAST_LAYOUTS: u64 = 64;

/// Pieces of work that a slice is cut into, at most.
const MOST_PIECES: u64 = 64;

/// Checks all stored positions.
pub(super) fn run<J: Judge>(
    rules: &Rules,
    index: &Index,
    judge: &J,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Found, AuditError<J::Error>> {
    let mut all = Found::default();
    let mut held: BTreeMap<usize, Keys<J::Key>> = BTreeMap::new();
    let mut done = 0;
    let total = index.slices().stored();
    for batch in batches::<J>(rules, index, options)? {
        held.retain(|number, _| batch.children.contains(number));
        let missing = batch.children.iter().filter(|n| !held.contains_key(n));
        let missing: Vec<usize> = missing.copied().collect();
        let read = in_threads(options.threads, missing.len(), |i| {
            let number = missing[i];
            let slice = load(index, judge, number)?;
            Ok((number, turned_keys::<J>(index, &slice)))
        })?;
        held.extend(read);
        let checked = in_threads(options.threads, batch.slices.len(), |i| {
            let number = batch.slices[i];
            let moves = SliceMoves::new(rules, index, number);
            let children = moves.children().map(|child| held[&child].clone());
            Ok(Checked::<J> {
                children: children.collect(),
                stored: load(index, judge, number)?,
                index,
                number,
                moves,
                list: options.list,
            })
        })?;
        let pieces: Vec<_> = (0..checked.len())
            .flat_map(|slice| pieces(index).into_iter().map(move |range| (slice, range)))
            .collect();
        let per_slice = pieces.len() / checked.len().max(1);
        let finished = AtomicUsize::new(0);
        let found = in_threads(options.threads, pieces.len(), |i| {
            let (slice, range) = &pieces[i];
            let found = checked[*slice].layouts(range.clone());
            let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
            if finished.is_multiple_of(per_slice) {
                progress(Progress {
                    slices: done + finished / per_slice,
                    total,
                });
            }
            Ok(found)
        })?;
        for found in found {
            all.positions += found.positions;
            all.violations += found.violations;
            all.first.extend(found.first);
            all.census.merge(&found.census);
        }
        all.first.sort_unstable();
        all.first.truncate(options.list);
        done += batch.slices.len();
    }
    Ok(all)
}

/// Slices that are checked together.
struct Batch {
    slices: Vec<usize>,
    /// All slices that their children stand in.
    children: BTreeSet<usize>,
}

fn batches<J: Judge>(
    rules: &Rules,
    index: &Index,
    options: &Options,
) -> Result<Vec<Batch>, AuditError<J::Error>> {
    let slots = index.layouts().count() * index.lanes().width() as u64;
    let bytes_of_child = slots * size_of::<J::Key>() as u64;
    let bytes_of_checked = slots * J::BYTES as u64;
    let board = index.board();
    let mut order: Vec<usize> = (0..index.slices().stored()).collect();
    order.sort_by_key(|&number| {
        let other = index.slices().get(number).other;
        (other.min(board.mirrored(other)), number)
    });
    let mut batches: Vec<Batch> = Vec::new();
    let mut last_group = None;
    for number in order {
        let other = index.slices().get(number).other;
        let group = other.min(board.mirrored(other));
        let children: BTreeSet<usize> = SliceMoves::new(rules, index, number).children().collect();
        let bytes = |slices: usize, children: usize| {
            slices as u64 * bytes_of_checked + children as u64 * bytes_of_child
        };
        // A slice is also in memory while its keys are made.
        let alone = bytes(1, children.len()) + bytes_of_checked;
        if alone > options.memory {
            return Err(AuditError::TooLittleMemory {
                needed: alone,
                given: options.memory,
            });
        }
        if let Some(batch) = batches.last_mut().filter(|_| last_group == Some(group)) {
            let union = batch.children.union(&children).count();
            let threads = options.threads.get() as u64;
            if bytes(batch.slices.len() + 1, union) + threads * bytes_of_checked <= options.memory {
                batch.slices.push(number);
                batch.children.extend(children);
                continue;
            }
        }
        last_group = Some(group);
        batches.push(Batch {
            slices: vec![number],
            children,
        });
    }
    Ok(batches)
}

/// The layouts of a slice in pieces.
fn pieces(index: &Index) -> Vec<Range<u64>> {
    let count = index.layouts().count();
    let step = LEAST_LAYOUTS.max(count.div_ceil(MOST_PIECES));
    let starts = (0..count.div_ceil(step)).map(|i| i * step);
    starts.map(|s| s..count.min(s + step)).collect()
}

/// Reads a slice and checks that all of it is there.
pub(super) fn load<'a, J: Judge>(
    index: &Index,
    judge: &'a J,
    number: usize,
) -> Result<StoredBy<'a, J>, AuditError<J::Error>> {
    let slice = judge.load(number).map_err(AuditError::Source)?;
    let expected = index.layouts().count() * index.lanes().width() as u64;
    let (values, ranks) = slice.lengths();
    for got in [values as u64, ranks as u64] {
        if got != expected {
            return Err(AuditError::WrongLength {
                slice: number,
                expected,
                got,
            });
        }
    }
    Ok(slice)
}

/// Does pieces of work 0..count in threads; the results come in order. Of several errors that of
/// the first piece is returned.
fn in_threads<T: Send, E: std::error::Error + Send>(
    threads: std::num::NonZero<usize>,
    count: usize,
    work: impl Fn(usize) -> Result<T, AuditError<E>> + Sync,
) -> Result<Vec<T>, AuditError<E>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return;
            }
            let result = work(i);
            if result.is_err() {
                // No new work.
                next.store(count, Ordering::Relaxed);
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((i, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get().min(count) {
            scope.spawn(worker);
        }
        worker();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}
