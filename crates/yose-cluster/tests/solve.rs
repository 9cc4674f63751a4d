//! Workers decide together what the kernel decides alone, and go on where others stopped.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use yose_cluster::{ClusterError, Hosts, Map, Options, Seat, Solved, Step, solve};
use yose_retro::partition::{Numbers, Partition};
use yose_shogi::kernel::{self, Decided, Slices, SolveOptions};
use yose_shogi::{DropShogi, Inventory, Variant};
use yose_store::{Identity, Location, Mode, Store};

fn game(variant: &str, pieces: &str) -> DropShogi {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

fn options(game: &DropShogi, scratch: &Path) -> Options {
    let variant = game.variant();
    Options {
        identity: Identity::new()
            .with("game", &*variant.name)
            .with("pieces", game.inventory().text(variant)),
        build: "test".to_owned(),
        depth: true,
        checkpoints: Location::directory(scratch),
        mode: Mode::Fresh,
        every: Duration::from_secs(3600),
        threads: 1,
        window: 2,
        patience: Duration::from_secs(60),
        silence: Duration::from_secs(60),
    }
}

/// Addresses on loopback that are free now.
fn hosts(count: usize) -> Hosts {
    let listeners: Vec<TcpListener> = (0..count)
        .map(|_| TcpListener::bind(("127.0.0.1", 0)).unwrap())
        .collect();
    let lines: Vec<String> = listeners
        .iter()
        .map(|listener| listener.local_addr().unwrap().to_string())
        .collect();
    Hosts::parse(&lines.join("\n")).unwrap()
}

fn over_loopback(count: usize) -> Vec<Seat> {
    let hosts = hosts(count);
    (0..count)
        .map(|process| Seat::at(&hosts, process).unwrap())
        .collect()
}

type Run = Vec<Result<Option<Solved>, ClusterError>>;

/// Each worker on a thread with options of its own; all steps of all of them are watched.
fn watched(
    slices: &Slices,
    seats: Vec<Seat>,
    options: &[Options],
    watch: &(dyn Fn(&Step) -> ControlFlow<()> + Sync),
) -> Run {
    thread::scope(|scope| {
        let workers: Vec<_> = seats
            .into_iter()
            .zip(options)
            .map(|(seat, options)| {
                scope.spawn(move || solve(slices, seat, options, &mut |step| watch(step)))
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    })
}

/// The same; stops after the ply given.
fn run(slices: &Slices, seats: Vec<Seat>, options: &[Options], stop: u32) -> (Run, Vec<Step>) {
    let steps = Mutex::new(Vec::new());
    let results = watched(slices, seats, options, &|step| {
        steps.lock().unwrap().push(step.clone());
        match step.ply == stop {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    (results, steps.into_inner().unwrap())
}

/// A game, and two workers that have stopped at a ply, with a checkpoint at each one.
fn stopped(ply: u32) -> (DropShogi, Slices, TempDir, Options, Run) {
    let game = game("shogi4", "PF");
    let slices = Slices::new(game.variant(), game.index());
    let (directory, scratch) = scratch();
    let options = Options {
        every: Duration::ZERO,
        ..options(&game, &scratch)
    };
    let (results, _) = run(&slices, Seat::threads(2), &vec![options.clone(); 2], ply);
    (game, slices, directory, options, results)
}

fn solved(slices: &Slices, seats: Vec<Seat>, options: &Options) -> (Solved, Vec<Step>) {
    let all = vec![options.clone(); seats.len()];
    let (results, steps) = run(slices, seats, &all, 0);
    let leaders = results.into_iter().filter_map(|result| result.unwrap());
    (leaders.into_iter().next().unwrap(), steps)
}

/// All values and counts, against the solver in memory.
fn compare(game: &DropShogi, slices: &Slices, solved: &Solved, depth: bool, what: &str) {
    let options = SolveOptions { threads: 1, depth };
    let whole = kernel::solve(game.variant(), game.index(), options, &mut |_| {});
    let mut all = solved.draws::<Decided>().unwrap();
    for level in solved.levels::<Decided>().unwrap() {
        all += level;
    }
    assert_eq!(all, whole.levels().stored(), "{what}");
    let mut expected = Vec::new();
    for cell in 0..slices.cells() {
        let numbers = if depth {
            whole.depths(cell, &mut expected);
            Numbers::Depths(whole.levels().depth_bytes())
        } else {
            whole.outcomes(cell, &mut expected);
            Numbers::Outcomes
        };
        let got = solved.values(slices, cell, numbers).unwrap();
        assert!(got == expected, "{what}: cell {cell}");
    }
}

fn scratch() -> (TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let scratch = directory.path().join("scratch");
    (directory, scratch)
}

#[test]
fn workers_decide_what_the_kernel_decides() {
    for (variant, pieces) in [
        ("shogi4", "PF"),
        ("shogi4", "PP"),
        ("dobutsu", "CG"),
        ("micro", "PP"),
    ] {
        let game = game(variant, pieces);
        let slices = Slices::new(game.variant(), game.index());
        for (workers, depth, threads) in [(1, true, 2), (2, false, 1), (4, true, 1), (8, false, 2)]
        {
            let (_directory, scratch) = scratch();
            let options = Options {
                depth,
                threads,
                ..options(&game, &scratch)
            };
            let (solved, steps) = solved(&slices, Seat::threads(workers), &options);
            let what = format!("{variant} {pieces}, {workers} workers, depth {depth}");
            compare(&game, &slices, &solved, depth, &what);
            let sent: u64 = steps.iter().map(|step| step.sent_bytes).sum();
            assert_eq!(sent > 0, workers > 1, "{what}: {sent} bytes sent");
        }
    }
}

#[test]
fn over_the_network_it_is_the_same() {
    let game = game("shogi4", "PF");
    let slices = Slices::new(game.variant(), game.index());
    let mut digests = Vec::new();
    for (workers, depth) in [(1, true), (2, false), (4, true), (8, false)] {
        let (_directory, scratch) = scratch();
        let options = Options {
            depth,
            ..options(&game, &scratch)
        };
        let (solved, steps) = solved(&slices, over_loopback(workers), &options);
        compare(&game, &slices, &solved, depth, &format!("{workers} hosts"));
        // The longest line.
        assert_eq!(steps.last().unwrap().ply, 54);
        assert_eq!(solved.levels::<Decided>().unwrap().len(), 54);
        digests.push(steps.iter().map(|step| step.digest).collect::<Vec<_>>());
    }
    // Whoever has a cell, and whatever is wanted, a ply decides the same.
    assert!(digests.iter().all(|steps| *steps == digests[0]));
}

#[test]
fn more_workers_than_orbits() {
    let game = game("shogi4", "P");
    let slices = Slices::new(game.variant(), game.index());
    let mut first = None;
    for workers in [1, 4, 16, 64] {
        let (_directory, scratch) = scratch();
        let options = options(&game, &scratch);
        let (solved, steps) = solved(&slices, Seat::threads(workers), &options);
        compare(&game, &slices, &solved, true, &format!("{workers} shards"));
        let digests: Vec<u64> = steps.iter().map(|step| step.digest).collect();
        assert_eq!(
            *first.get_or_insert(digests.clone()),
            digests,
            "{workers} shards"
        );
    }
}

#[test]
fn others_go_on_from_any_checkpoint() {
    let game = game("shogi4", "PF");
    let slices = Slices::new(game.variant(), game.index());
    for depth in [true, false] {
        let (_directory, whole_scratch) = scratch();
        let base = Options {
            depth,
            ..options(&game, &whole_scratch)
        };
        let (_, whole) = solved(&slices, Seat::threads(2), &base);
        let (_directory, scratch) = scratch();
        let mut options = Options {
            checkpoints: Location::directory(&scratch),
            ..base.clone()
        };
        let mut steps = Vec::new();
        // Eight begin, four go on, then one, then three to the end.
        for (workers, stop) in [(8, 5), (4, 12), (1, 25), (3, 0)] {
            let all = vec![options.clone(); workers];
            let (results, more) = run(&slices, Seat::threads(workers), &all, stop);
            steps.extend(more);
            options.mode = Mode::Resume;
            if stop > 0 {
                // The word goes out with the superstep after.
                for result in results {
                    let error = result.unwrap_err();
                    assert!(
                        matches!(error, ClusterError::Stopped { ply } if ply == stop + 1),
                        "{error}"
                    );
                }
            } else {
                let leader = results.into_iter().find_map(|result| result.unwrap());
                compare(&game, &slices, &leader.unwrap(), depth, "resumed");
            }
        }
        let bytes = |steps: &[Step]| {
            let bytes = steps
                .iter()
                .map(|step| (step.ply, step.decided, step.packed_bytes, step.digest));
            bytes.collect::<Vec<_>>()
        };
        assert_eq!(bytes(&steps), bytes(&whole), "depth {depth}");
        // It is done: resumed once more, it is there at once.
        let (solved, steps) = solved(&slices, Seat::threads(2), &options);
        assert!(steps.is_empty());
        compare(&game, &slices, &solved, depth, "done");
    }
}

#[test]
fn a_damaged_checkpoint_is_passed_over() {
    let (game, slices, directory, mut options, results) = stopped(9);
    let scratch = directory.path().join("scratch");
    assert!(results.iter().all(Result::is_err));
    // A byte in the middle of a won set of the newest generation.
    let mut newest: Vec<_> = fs::read_dir(scratch.join("objects"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    newest.retain(|path| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("won-")
    });
    let generation = |path: &Path| -> u64 {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.split_once('.')
            .unwrap()
            .1
            .split('-')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let path = newest
        .into_iter()
        .max_by_key(|path| generation(path))
        .unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();

    options.mode = Mode::Resume;
    let (solved, steps) = solved(&slices, Seat::threads(3), &options);
    compare(&game, &slices, &solved, true, "after damage");
    // Ply 10 was in the damaged one, so it is done again.
    assert_eq!(steps[0].ply, 10);
    let file = path.file_name().unwrap().to_string_lossy();
    let notes = solved.notes();
    assert!(
        notes.len() == 1 && notes[0].contains("cannot be used") && notes[0].contains(&*file),
        "{notes:?}"
    );
}

/// Whoever owns the cell finds the damage, and there is no way out: all say so and name the file.
#[test]
fn damage_is_damage_for_all() {
    let (_, slices, directory, mut options, _) = stopped(10);
    let scratch = directory.path().join("scratch");
    for entry in fs::read_dir(scratch.join("objects")).unwrap() {
        let path = entry.unwrap().path();
        // Cell 5 is one worker's, or both read it.
        if path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("own-5.")
        {
            let mut bytes = fs::read(&path).unwrap();
            bytes[60] ^= 1;
            fs::write(&path, bytes).unwrap();
        }
    }
    options.mode = Mode::Resume;
    let (results, _) = run(&slices, Seat::threads(2), &vec![options; 2], 0);
    for result in results {
        let error = result.unwrap_err();
        assert!(error.is_damage(), "{error}");
        assert!(error.to_string().contains("own-5."), "{error}");
    }
}

#[test]
fn whoever_differs_is_named() {
    let game = game("shogi4", "P");
    let slices = Slices::new(game.variant(), game.index());
    let (_directory, scratch) = scratch();
    let ours = Options {
        identity: Identity::new()
            .with("game", "shogi4")
            .with("pieces", "P")
            .with("rules", "12ab")
            .with("format", "1"),
        ..options(&game, &scratch)
    };
    for field in ["game", "pieces", "rules", "format", "build"] {
        let mut theirs = ours.clone();
        if field == "build" {
            theirs.build = "another".to_owned();
        } else {
            theirs.identity = theirs.identity.with(field, "another");
        }
        let all = [ours.clone(), ours.clone(), theirs];
        let (results, steps) = run(&slices, over_loopback(3), &all, 0);
        assert!(steps.is_empty());
        for result in results {
            let error = result.unwrap_err().to_string();
            let start = format!("{field} differs: process 2 at 127.0.0.1:");
            assert!(
                error.starts_with(&start) && error.contains("has another, process 0"),
                "{error}"
            );
        }
        // Nothing was begun.
        assert!(!scratch.exists());
    }
}

#[test]
fn all_need_one_place_for_checkpoints() {
    let game = game("shogi4", "P");
    let slices = Slices::new(game.variant(), game.index());
    let (_directory, here) = scratch();
    let (_other, there) = scratch();
    let ours = options(&game, &here);
    let theirs = options(&game, &there);
    let refused = |all: &[Options]| {
        let (results, _) = run(&slices, Seat::threads(2), all, 0);
        for result in results {
            let error = result.unwrap_err().to_string();
            assert!(
                error.contains("is not the place that the leader opened"),
                "{error}"
            );
        }
    };
    refused(&[ours.clone(), theirs.clone()]);
    // Nor will a place do that looks the same.
    drop(solved(&slices, Seat::threads(1), &theirs));
    let again = Options {
        mode: Mode::Resume,
        ..ours
    };
    refused(&[again, theirs]);
}

/// Somebody thought that this cluster was dead and took its store over: its next checkpoint fails, and
/// what the other has is untouched.
#[test]
fn a_cluster_that_was_replaced_is_fenced_off() {
    let game = game("shogi4", "PF");
    let slices = Slices::new(game.variant(), game.index());
    let (_directory, scratch) = scratch();
    let ours = Options {
        every: Duration::ZERO,
        // As on a network file system, whose locks do not tell.
        checkpoints: Location::directory(&scratch).without_lock(),
        ..options(&game, &scratch)
    };
    let taken = Mutex::new(None);
    let both = vec![ours.clone(); 2];
    let results = watched(&slices, Seat::threads(2), &both, &|step| {
        if step.ply == 8 {
            let store = Store::open(&ours.checkpoints, &ours.identity, Mode::Resume);
            *taken.lock().unwrap() = Some(store.unwrap());
        }
        ControlFlow::Continue(())
    });
    for result in results {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("fenced off"), "{error}");
    }
    drop(taken);
    let again = Options {
        mode: Mode::Resume,
        ..ours
    };
    let (solved, steps) = solved(&slices, Seat::threads(3), &again);
    assert_eq!(steps[0].ply, 8);
    compare(&game, &slices, &solved, true, "the other cluster");
}

#[test]
fn a_peer_that_does_not_come() {
    let game = game("shogi4", "P");
    let slices = Slices::new(game.variant(), game.index());
    let (_directory, scratch) = scratch();
    let options = Options {
        patience: Duration::from_millis(300),
        ..options(&game, &scratch)
    };
    let seat = over_loopback(2).remove(0);
    let error = solve(&slices, seat, &options, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.is_temporary(), "{error}");
    assert!(
        error.to_string().contains("did not get in touch"),
        "{error}"
    );
}

#[test]
fn the_map_is_balanced_and_whole() {
    let game = game("shogi4", "PF");
    let slices = Slices::new(game.variant(), game.index());
    for workers in [1, 2, 4, 8, 100] {
        let map = Map::deal(&slices, workers);
        assert_eq!(map.hash(), Map::deal(&slices, workers).hash());
        let loads: Vec<usize> = (0..workers).map(|worker| map.owned(worker).len()).collect();
        assert_eq!(loads.iter().sum::<usize>(), slices.cells());
        // An orbit has two cells at most.
        let spread = loads.iter().max().unwrap() - loads.iter().min().unwrap();
        assert!(spread <= 2, "{loads:?}");
        for cell in 0..slices.cells() {
            assert_eq!(map.owner(cell), map.owner(slices.orbit(cell)));
        }
        assert_eq!(map.cut() == 0, workers == 1);
    }
    assert_ne!(Map::deal(&slices, 2).hash(), Map::deal(&slices, 4).hash());
}
