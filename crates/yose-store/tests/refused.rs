//! Full disks, read-only file systems and other people's directories. What needs the rights of root
//! (mounting a small file system) is left out, and says so, where they are missing.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "what is left out is said")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{bytes, identity};
use yose_store::{Coding, Location, Mode, Owner, Store, StoreError};

/// A file system of 2 MiB in memory, unmounted when dropped.
struct Small {
    directory: tempfile::TempDir,
}

impl Small {
    fn mount() -> Option<Small> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(directory.path())
            .stderr(Stdio::null())
            .status();
        if mount.is_ok_and(|status| status.success()) {
            return Some(Small { directory });
        }
        eprintln!("left out: mounting a tmpfs needs root");
        None
    }

    fn scratch(&self) -> PathBuf {
        self.directory.path().join("scratch")
    }

    fn remount(&self, how: &str) {
        let status = Command::new("mount")
            .args(["-o", &format!("remount,{how}")])
            .arg(self.directory.path())
            .status();
        assert!(status.expect("mount").success());
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("-l")
            .arg(self.directory.path())
            .status();
    }
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..length.div_ceil(8))
        .flat_map(|_| next())
        .take(length)
        .collect()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}

#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    let Some(small) = Small::mount() else { return };
    let location = Location::directory(small.scratch());
    let store = Store::open(&location, &identity(), Mode::Fresh).expect("opens");
    let good = store
        .put("cell", &noise(300_000), Coding::default())
        .expect("fits");
    store
        .publish(vec![good.clone()], b"good")
        .expect("published");

    // An object that does not fit. What it took is given back.
    for _ in 0..5 {
        let error = store
            .put("huge", &noise(3 << 20), Coding::default())
            .expect_err("full");
        assert!(matches!(error, StoreError::NoSpace { .. }), "{error}");
        assert!(error.to_string().contains("huge."), "{error}");
    }
    // A manifest that does not fit.
    let next = store
        .put("next", &noise(100_000), Coding::Plain)
        .expect("fits");
    let filler = small.directory.path().join("filler");
    let mut rest = noise(3 << 20);
    while fs::write(&filler, &rest).is_err() {
        rest.truncate(rest.len() - 4096);
    }
    let error = store
        .publish(vec![good.clone(), next.clone()], &[1; 9000])
        .expect_err("full");
    assert!(matches!(error, StoreError::NoSpace { .. }), "{error}");
    assert!(error.to_string().contains("manifest-"), "{error}");
    assert_eq!(store.latest().payload(), Some(&b"good"[..]));
    let seen = Store::inspect(&location, &identity()).expect("opens");
    assert_eq!(seen.latest().payload(), Some(&b"good"[..]));
    assert_eq!(seen.read_all(&good).expect("whole"), noise(300_000));

    // Opening writes a manifest, so it is refused, and the state stays.
    drop(store);
    let error = Store::open(&location, &identity(), Mode::Resume).expect_err("full");
    assert!(matches!(error, StoreError::NoSpace { .. }), "{error}");

    fs::remove_file(&filler).expect("removed");
    let store = Store::open(&location, &identity(), Mode::Resume).expect("opens");
    assert_eq!(store.latest().payload(), Some(&b"good"[..]));
    assert_eq!(store.read_all(&good).expect("whole"), noise(300_000));
    let next = store
        .put("next", &noise(100_000), Coding::Plain)
        .expect("fits");
    store.publish(vec![good, next], &[1; 9000]).expect("fits");
}

/// Discarded files are kept to be written over, but not at the price of a full disk.
#[test]
fn a_full_disk_takes_the_room_of_discarded_objects() {
    let Some(small) = Small::mount() else { return };
    let location = Location::directory(small.scratch());
    let store = Store::open(&location, &identity(), Mode::Fresh).expect("opens");
    let files = || {
        let files = fs::read_dir(small.scratch().join("objects"));
        files.expect("a folder").count()
    };
    let put = |name: &str, length| store.put(name, &noise(length), Coding::Plain);
    let put_and_discard = |count: usize| {
        let objects = (0..count).map(|_| put("gone", 400_000).expect("fits"));
        for object in objects.collect::<Vec<_>>() {
            store.discard(&object).expect("discarded");
        }
    };
    // One of these is written over; the others would not leave room for so much in 2 MiB.
    put_and_discard(4);
    assert_eq!(files(), 4);
    let large = put("large", 1_800_000).expect("given up");
    assert!(store.read_all(&large).expect("whole") == noise(1_800_000));
    assert_eq!(files(), 1);
    // With nothing left to give up, the disk is full.
    let error = put("next", 400_000).expect_err("full");
    assert!(matches!(error, StoreError::NoSpace { .. }), "{error}");
    store.read_all(&large).expect("whole");
    drop(store.writer_over(&large, Coding::Plain).expect("opens"));
    assert_eq!(files(), 0);

    // One that was begun before others were discarded goes on.
    let mut writer = store.writer("slow", Coding::Plain).expect("opens");
    writer.put(&noise(300_000)).expect("fits");
    put_and_discard(2);
    assert_eq!(files(), 3);
    writer.put(&noise(1_500_000)).expect("given up");
    let slow = writer.finish().expect("finished");
    assert_eq!(files(), 1);
    let expected = [noise(300_000), noise(1_500_000)].concat();
    assert!(store.read_all(&slow).expect("whole") == expected);

    // A manifest.
    store.discard(&slow).expect("discarded");
    let filler = small.directory.path().join("filler");
    let mut rest = noise(3 << 20);
    while fs::write(&filler, &rest).is_err() {
        rest.truncate(rest.len() - 4096);
    }
    assert_eq!(files(), 1);
    let generation = store.publish(vec![], &[1; 9000]).expect("given up");
    assert_eq!(generation.payload(), Some(&[1; 9000][..]));
    assert_eq!(files(), 0);
}

#[test]
fn a_publication_that_failed_can_be_tried_again() {
    let Some(small) = Small::mount() else { return };
    // A file that is open for writing, as the lock is, would forbid the change.
    let location = Location::directory(small.scratch()).without_lock();
    let store = Store::open(&location, &identity(), Mode::Fresh).expect("opens");
    let object = store
        .put("cell", &noise(300_000), Coding::default())
        .expect("fits");
    small.remount("ro");
    let error = store
        .publish(vec![object.clone()], b"1")
        .expect_err("read-only");
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    let error = store
        .put("cell", b"", Coding::default())
        .expect_err("read-only");
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    drop(Store::inspect(&location, &identity()).expect("reading is possible"));
    let error = Store::open(&location, &identity(), Mode::Resume).expect_err("read-only");
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    small.remount("rw");
    store.publish(vec![object], b"1").expect("published");
    assert_eq!(store.latest().payload(), Some(&b"1"[..]));
}

#[test]
fn the_state_of_another_user_is_named() {
    if !is_root() {
        eprintln!("left out: giving a file away needs root");
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let location = Location::directory(directory.path());
    Store::open(&location, &identity(), Mode::Fresh).expect("opens");
    for entry in fs::read_dir(directory.path()).expect("read") {
        let path = entry.expect("an entry").path();
        std::os::unix::fs::chown(path, Some(65_534), None).expect("given away");
    }
    let error = Store::open(&location, &identity(), Mode::Resume).expect_err("another's");
    let StoreError::WrongOwner { path, owner } = &error else {
        panic!("{error}")
    };
    assert_eq!(
        *owner,
        Owner {
            owner: 65_534,
            us: 0
        }
    );
    assert!(path.contains("manifest-"));
    // It may be looked at.
    Store::inspect(&location, &identity()).expect("opens");
}

const FORBIDDEN: &str = "YOSE_STORE_TEST_FORBIDDEN";

#[test]
#[ignore = "the process that the test below starts as another user"]
fn without_rights() {
    let directory = std::env::var_os(FORBIDDEN).expect("started by its parent");
    refused(Path::new(&directory));
}

fn refused(directory: &Path) {
    for scratch in [directory.to_owned(), directory.join("below")] {
        let location = Location::directory(scratch);
        let error = Store::open(&location, &identity(), Mode::Either).expect_err("not ours");
        assert!(matches!(error, StoreError::Denied { .. }), "{error}");
        assert!(error.to_string().contains("not permitted"), "{error}");
    }
}

#[test]
fn a_directory_that_we_may_not_write_is_named() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let forbidden = directory.path().join("forbidden");
    fs::create_dir(&forbidden).expect("made");
    fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o555)).expect("set");
    if !is_root() {
        refused(&forbidden);
        return;
    }
    // Root may write everywhere, so another user tries, with a copy of this program where that
    // user can read it.
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("set");
    let program = directory.path().join("program");
    fs::copy(std::env::current_exe().expect("this program"), &program).expect("copied");
    let output = Command::new(&program)
        .args(["--exact", "without_rights", "--ignored", "--nocapture"])
        .env(FORBIDDEN, &forbidden)
        .current_dir("/")
        .uid(65_534)
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

/// Bounded memory: nothing is allocated by what a damaged file says.
#[test]
fn peak_memory_of_streaming_is_a_few_blocks() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let location = Location::directory(directory.path().join("scratch"));
    let store = Store::open(&location, &identity(), Mode::Fresh).expect("opens");
    let block = bytes(1, 1 << 20);
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line
            .and_then(|line| line.trim().strip_suffix(" kB"))
            .expect("a line");
        kib.trim().parse::<u64>().expect("a number")
    };
    let write = |count: u32| {
        let mut writer = store.writer("cell", Coding::default()).expect("opens");
        for _ in 0..count {
            writer.put(&block).expect("written");
        }
        let object = writer.finish().expect("written");
        let mut reader = store.read(&object).expect("opens");
        while reader.next_block().expect("whole").is_some() {}
    };
    write(4);
    let before = peak();
    write(256);
    // The other tests of this file run meanwhile and hold a few MiB.
    assert!(peak() - before < 64 << 10, "{} KiB more", peak() - before);
}
