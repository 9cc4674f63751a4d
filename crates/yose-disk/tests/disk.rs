//! What is solved on disk is what is solved in memory, whatever the order, the room, the threads, and
//! wherever it was interrupted.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use yose_disk::{DiskError, Options, Order, Progress, Solved, needs, solve};
use yose_retro::partition::{Numbers, Partition as _};
use yose_shogi::kernel::{self, Decided, Slices, SolveOptions};
use yose_shogi::{DropShogi, Inventory, Variant};
use yose_store::{Coding, Identity, Location, Mode, Note, Store};

struct Case {
    game: DropShogi,
    slices: Slices,
    whole: kernel::Solved,
}

fn case(variant: &str, pieces: &str) -> Case {
    cut(variant, pieces, 0)
}

/// A game whose slices are cut by the squares of so many kinds.
fn cut(variant: &str, pieces: &str, pinned: usize) -> Case {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    let game = DropShogi::new(variant, inventory).unwrap();
    let options = SolveOptions {
        threads: 1,
        depth: true,
    };
    Case {
        slices: Slices::cut(game.variant(), game.index(), pinned),
        whole: kernel::solve(game.variant(), game.index(), options, &mut |_| {}),
        game,
    }
}

fn identity() -> Identity {
    Identity::new().with("game", "test")
}

fn options(order: Order, room: u64, threads: usize) -> Options {
    Options {
        room,
        pressure: None,
        threads,
        order,
        checkpoint_every: Duration::from_secs(3600),
        coding: if room.is_multiple_of(2) {
            Coding::Plain
        } else {
            Coding::Zstd(1)
        },
    }
}

#[test]
fn a_checkpoint_after_every_visit() {
    let case = case("shogi4", "P");
    for order in [Order::Plies, Order::Inbox] {
        let folder = tempfile::tempdir().unwrap();
        let place = Location::directory(folder.path());
        let store = Store::open(&place, &identity(), Mode::Fresh).unwrap();
        let mut options = options(order, 0, 2);
        options.checkpoint_every = Duration::ZERO;
        let most = AtomicU64::new(0);
        let watch = |step: Progress| {
            if step.visits.is_multiple_of(16) {
                most.fetch_max(on_disk(folder.path()), Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        };
        let solved = solve(&case.slices, &store, options, &watch).unwrap();
        compare(&case, &solved, order, "a checkpoint after every visit");
        let (most, may) = (most.into_inner(), needs(&case.slices, 2, order).disk);
        assert!(most <= may, "{order:?}: {most} bytes of disk, not {may}");
        assert!(store.latest().number() > 78, "{}", store.latest().number());
    }
}

/// Bytes of the blocks that a file system gives to what lies there now.
fn on_disk(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let bytes = files.map(|file| match file.metadata() {
        Ok(data) if data.is_dir() => on_disk(&file.path()),
        Ok(data) => data.len().next_multiple_of(4096),
        // Gone since the folder was read.
        Err(_) => 0,
    });
    bytes.sum()
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn compare(case: &Case, solved: &Solved<'_, Slices>, order: Order, what: &str) {
    let (slices, whole) = (&case.slices, &case.whole);
    let mut expected = Vec::new();
    let mut decided = Decided::default();
    for level in solved.levels() {
        decided += level;
    }
    decided += solved.draws().unwrap();
    assert_eq!(decided, whole.levels().stored(), "{what}");
    if order.is_by_ply() {
        let levels = solved.levels();
        let levels = levels.iter().map(|level| level.stored());
        let levels: Vec<u64> = levels.filter(|&stored| stored > 0).collect();
        let plies = whole
            .levels()
            .rows()
            .filter_map(|(value, decided)| Some((value.depth()?, decided.stored())));
        let plies: Vec<u64> = plies.map(|(_, stored)| stored).collect();
        assert_eq!(levels, plies, "{what}");
    }
    let parts = slices.cells() / slices.slices();
    let values = |slice: usize, numbers| {
        let cells = slice * parts..(slice + 1) * parts;
        let values = cells.map(|cell| solved.values(cell, numbers).unwrap());
        values.collect::<Vec<_>>().concat()
    };
    for slice in 0..slices.slices() {
        whole.outcomes(slice, &mut expected);
        let got = values(slice, Numbers::Outcomes);
        assert!(got == expected, "{what}: slice {slice}");
        if order.is_by_ply() {
            whole.depths(slice, &mut expected);
            let got = values(slice, Numbers::Depths(whole.levels().depth_bytes()));
            assert!(got == expected, "{what}: slice {slice}");
        }
    }
}

const ORDERS: [Order; 5] = [
    Order::Plies,
    Order::Inbox,
    Order::Queue,
    Order::Drawn(1),
    Order::Drawn(2),
];

#[test]
fn any_order_any_room_any_threads() {
    for (variant, pieces, pinned) in [
        ("shogi4", "PF", 0),
        ("dobutsu", "CG", 0),
        ("micro", "PP", 0),
        ("shogi4", "-", 0),
        ("shogi4", "PF", 1),
        ("dobutsu", "CG", 2),
    ] {
        let case = cut(variant, pieces, pinned);
        let state = needs(&case.slices, 1, Order::Inbox).state;
        let rooms = [(0, 1), (state / 20, 2), (u64::MAX, 8)];
        for (at, order) in ORDERS.into_iter().enumerate() {
            // All rooms for the first and the smallest game, of the others a different one each time.
            let rooms = match pieces {
                "-" => &rooms[..],
                _ => &rooms[at % 3..at % 3 + 1],
            };
            for &(room, threads) in rooms {
                let what = format!(
                    "{variant} {pieces}, {pinned} pinned, {order:?}, room {room}, {threads} threads"
                );
                let folder = tempfile::tempdir().unwrap();
                let place = Location::directory(folder.path());
                let store = Store::open(&place, &identity(), Mode::Fresh).unwrap();
                let solved = solve(&case.slices, &store, options(order, room, threads), &go_on);
                compare(&case, &solved.unwrap(), order, &what);
            }
        }
        assert_eq!(case.game.variant().name, variant);
    }
}

#[test]
fn what_was_stopped_goes_on() {
    let case = case("shogi4", "PF");
    for order in ORDERS {
        let folder = tempfile::tempdir().unwrap();
        let place = Location::directory(folder.path());
        let mut runs = 0;
        loop {
            let store = Store::open(&place, &identity(), Mode::Either).unwrap();
            let left = AtomicU64::new(7 + runs * 5);
            let stop = |_: Progress| match left.fetch_sub(1, Ordering::Relaxed) {
                1 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            runs += 1;
            let threads = usize::try_from(runs).unwrap() % 3 + 1;
            match solve(
                &case.slices,
                &store,
                options(order, runs << 14, threads),
                &stop,
            ) {
                Ok(solved) => {
                    compare(
                        &case,
                        &solved,
                        order,
                        &format!("{order:?} after {runs} runs"),
                    );
                    break;
                }
                Err(DiskError::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert!(runs > 3, "{order:?}: {runs} runs");
    }
}

#[test]
fn a_damaged_checkpoint_is_passed_over_and_named() {
    let case = case("shogi4", "P");
    for order in [Order::Plies, Order::Inbox] {
        let folder = tempfile::tempdir().unwrap();
        let place = Location::directory(folder.path());
        let open = |mode| Store::open(&place, &identity(), mode).unwrap();
        let options = options(order, 0, 1);
        // A checkpoint each.
        for (mode, last) in [(Mode::Fresh, 100), (Mode::Resume, 200)] {
            let store = open(mode);
            let watch = |step: Progress| match step.visits < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            let stopped = solve(&case.slices, &store, options, &watch);
            assert!(matches!(stopped, Err(DiskError::Stopped)));
        }
        // Opened, a store has only what its generations name, and one more of them.
        let newest = open(Mode::Resume).latest().number();
        let files = fs::read_dir(folder.path().join("objects")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        // Written last, so the generation before has no part in it.
        let since = |path: &Path| {
            let parts = path.extension().unwrap().to_string_lossy().into_owned();
            parts.split('-').next().unwrap().parse::<u64>().unwrap()
        };
        let path = files.max_by_key(|path| since(path)).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let store = open(Mode::Resume);
        let solved = solve(&case.slices, &store, options, &go_on).unwrap();
        let [Note::Skipped { generation, why }] = solved.notes() else {
            panic!("{:?}", solved.notes());
        };
        assert_eq!(*generation, newest + 1);
        assert!(why.contains("checksum"), "{why}");
        compare(&case, &solved, order, "from the checkpoint before");
    }
}

/// The checksums are right and the names too, but the sets are of other sizes.
#[test]
fn sets_of_another_game_are_refused() {
    let (one, other) = (case("shogi4", "P"), case("shogi4", "PF"));
    for (order, visits) in [(Order::Plies, 300), (Order::Inbox, 100)] {
        for (from, to) in [(&one, &other), (&other, &one)] {
            let folder = tempfile::tempdir().unwrap();
            let place = Location::directory(folder.path());
            let store = Store::open(&place, &identity(), Mode::Fresh).unwrap();
            let stop = |progress: Progress| match progress.visits < visits {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            let stopped = solve(&from.slices, &store, options(order, 0, 1), &stop);
            assert!(matches!(stopped, Err(DiskError::Stopped)));
            drop(stopped);
            drop(store);
            let store = Store::open(&place, &identity(), Mode::Resume).unwrap();
            let resumed = solve(&to.slices, &store, options(order, 0, 1), &go_on);
            assert!(
                matches!(resumed, Err(DiskError::State { .. })),
                "{order:?}: {resumed:?}"
            );
        }
    }
}

/// One ply, from whatever stands there; what it leaves: name and bytes of every object, and the rest.
fn one_ply(case: &Case, folder: &Path, threads: usize) -> (bool, Vec<(String, Vec<u8>)>) {
    let place = Location::directory(folder);
    let store = Store::open(&place, &identity(), Mode::Either).unwrap();
    let before = AtomicU64::new(0);
    let stop = |progress: Progress| {
        let before = before.fetch_max(progress.ply.into(), Ordering::Relaxed);
        match before != 0 && before != u64::from(progress.ply) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let result = solve(
        &case.slices,
        &store,
        options(Order::Plies, 1 << 20, threads),
        &stop,
    );
    let generation = store.latest();
    let objects = generation.objects().iter();
    let mut left: Vec<_> = objects
        .map(|object| (object.name().to_owned(), store.read_all(object).unwrap()))
        .collect();
    left.push((String::new(), generation.payload().unwrap().to_vec()));
    (result.is_ok(), left)
}

#[test]
fn each_ply_from_its_checkpoint_gives_the_same_bytes() {
    let case = case("shogi4", "P");
    let folder = tempfile::tempdir().unwrap();
    let mut plies = 0;
    loop {
        let copy = tempfile::tempdir().unwrap();
        if plies > 0 {
            copy_all(folder.path(), copy.path());
        }
        let (over, once) = one_ply(&case, folder.path(), 1);
        let (_, again) = one_ply(&case, copy.path(), 1);
        assert!(once == again, "ply {plies}");
        plies += 1;
        if over {
            break;
        }
    }
    assert!(plies > 20, "{plies}");
}

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
