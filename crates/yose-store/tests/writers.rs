//! Several writers and readers of one store: fencing, members, the lock.

mod common;

use common::{Place, bytes, identity};
use yose_store::{Coding, Location, Mode, Object, Store, StoreError};

#[test]
fn a_writer_that_was_thought_dead_is_fenced_off() {
    for place in Place::all() {
        let open = |mode| Store::open(&place.location, &identity(), mode).expect("opens");
        let zombie = open(Mode::Fresh);
        let cell = zombie
            .put("cell", &bytes(1, 1000), Coding::default())
            .expect("written");
        zombie.publish(vec![cell], b"1").expect("published");
        let late = zombie
            .put("cell", &bytes(2, 1000), Coding::default())
            .expect("written");

        let heir = open(Mode::Resume);
        assert_eq!(heir.latest().payload(), Some(&b"1"[..]));
        let error = zombie
            .publish(vec![late.clone()], b"zombie")
            .expect_err("fenced");
        assert!(
            matches!(error, StoreError::Fenced { .. }),
            "{}: {error}",
            place.name
        );

        // However long it slept: the number it would take is free again by then.
        for round in 0..4_u8 {
            let cell = heir
                .put("cell", &bytes(3, 1000), Coding::default())
                .expect("written");
            heir.publish(vec![cell], &[round]).expect("published");
            let error = zombie
                .publish(vec![late.clone()], b"zombie")
                .expect_err("fenced");
            assert!(
                matches!(error, StoreError::Fenced { .. }),
                "{}: {error}",
                place.name
            );
        }
        drop(heir);
        let after = open(Mode::Resume);
        assert_eq!(after.latest().payload(), Some(&[3][..]));
        let latest = after.latest();
        let cell = latest.object("cell").expect("published");
        assert_eq!(after.read_all(cell).expect("whole"), bytes(3, 1000));
        after.verify(&latest).expect("whole");
    }
}

/// Many writers at once, each taking the store over from the others: exactly one line of
/// generations comes of it, and nobody who was told "published" was not.
#[test]
fn of_many_writers_one_line_remains() {
    for place in [Place::directory(), Place::memory()] {
        drop(Store::open(&place.location, &identity(), Mode::Fresh).expect("opens"));
        let published = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let (place, published) = (&place, &published);
                scope.spawn(move || {
                    for round in 0..10_u8 {
                        // Fenced while opening: the others were faster every time.
                        let Ok(store) = Store::open(&place.location, &identity(), Mode::Resume)
                        else {
                            continue;
                        };
                        for step in 0..3_u8 {
                            let contents = [writer, round, step];
                            let Ok(object) = store.put("cell", &contents, Coding::Plain) else {
                                break;
                            };
                            match store.publish(vec![object], &contents) {
                                Ok(generation) => {
                                    let mut published = published.lock().expect("whole");
                                    published.push((generation.number(), contents));
                                }
                                Err(_) => break,
                            }
                        }
                    }
                });
            }
        });
        let mut published = published.into_inner().expect("whole");
        published.sort_unstable();
        assert!(!published.is_empty(), "{}", place.name);
        let twice = published.windows(2).find(|pair| pair[0].0 == pair[1].0);
        assert_eq!(twice, None, "{}: a number was published twice", place.name);
        let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
        let latest = store.latest();
        let last = published.last().expect("some").1;
        assert_eq!(latest.payload(), Some(&last[..]), "{}", place.name);
        let cell = latest.object("cell").expect("published");
        assert_eq!(store.read_all(cell).expect("whole"), last, "{}", place.name);
    }
}

/// What a process that died has left of a manifest is removed by the next; but without a lock it may be what
/// another one is writing, who would publish under that name whatever stands there then.
#[test]
fn manifests_in_writing_are_left_to_their_writers() {
    for locked in [false, true] {
        let place = Place::directory();
        let location = match locked {
            true => Location::directory(place.path()),
            false => place.location.clone(),
        };
        drop(Store::open(&location, &identity(), Mode::Fresh).expect("opens"));
        let staged = place.path().join("manifest-00000000000000000007#1");
        std::fs::write(&staged, "half").expect("written");
        drop(Store::open(&location, &identity(), Mode::Resume).expect("opens"));
        assert_eq!(staged.exists(), !locked);
    }
}

#[test]
fn members_put_and_the_leader_publishes() {
    for place in Place::all() {
        let leader = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
        let member = Store::join(&place.location, &identity(), leader.ticket()).expect("joins");
        for round in 0..4_u64 {
            let ours = leader
                .put("cell-0", &bytes(round, 2_000), Coding::Plain)
                .expect("written");
            let theirs = member.put("cell-1", &bytes(round + 9, 2_000), Coding::default());
            let theirs = theirs.expect("written");
            let forgotten = member
                .put("cell-2", b"never sent", Coding::Plain)
                .expect("written");
            member.sync().expect("synced");
            let theirs = Object::from_bytes(&theirs.to_bytes()).expect("its own bytes");
            leader.publish(vec![ours, theirs], &[1]).expect("published");
            let generation = member.follow(leader.ticket()).expect("follows");
            let cell = generation.object("cell-0").expect("the leader's");
            assert_eq!(member.read_all(cell).expect("read"), bytes(round, 2_000));
            let cell = generation.object("cell-1").expect("its own");
            assert_eq!(
                leader.read_all(cell).expect("read"),
                bytes(round + 9, 2_000)
            );
            let error = member.read(&forgotten).expect_err("removed");
            assert!(matches!(error, StoreError::Missing { .. }), "{error}");
        }
        let error = member.publish(Vec::new(), b"").expect_err("a member");
        assert!(matches!(error, StoreError::NotLeader { .. }), "{error}");
        let other = identity().with("pieces", "PFR");
        let error = Store::join(&place.location, &other, leader.ticket()).expect_err("another");
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    }
}

#[test]
fn inspecting_changes_nothing() {
    for place in Place::all() {
        let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
        store.publish(Vec::new(), b"one").expect("published");
        let seen = Store::inspect(&place.location, &identity()).expect("opens");
        assert_eq!(seen.latest().payload(), Some(&b"one"[..]));
        store.publish(Vec::new(), b"two").expect("not fenced");
    }
}

#[test]
fn one_directory_is_not_opened_twice() {
    let place = Place::directory();
    let locked = Location::directory(place.path());
    let store = Store::open(&locked, &identity(), Mode::Fresh).expect("opens");
    let error = Store::open(&locked, &identity(), Mode::Resume).expect_err("locked");
    let StoreError::InUse { holder, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*holder, format!("process {}", std::process::id()));
    store.publish(Vec::new(), b"").expect("undisturbed");
    drop(store);
    Store::open(&locked, &identity(), Mode::Resume).expect("free again");
}

#[test]
fn descriptors_from_outside_are_checked() {
    let place = Place::memory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let good = store
        .put("cell", b"abc", Coding::Plain)
        .expect("written")
        .to_bytes();
    for length in 0..good.len() {
        let error = Object::from_bytes(&good[..length]).expect_err("cut");
        assert!(matches!(error, StoreError::Descriptor { .. }), "{error}");
    }
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            // Another object that could be: reading it must fail.
            if let Ok(object) = Object::from_bytes(&bad) {
                store.read_all(&object).expect_err("no such object");
            }
        }
    }
}

#[test]
fn names_and_sets_are_checked() {
    let place = Place::memory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    for name in ["", "a b", "a/b", "..", "a.b", "ü", &"x".repeat(129)] {
        let error = store.put(name, b"", Coding::Plain).expect_err("no name");
        assert!(matches!(error, StoreError::Name { .. }), "{error}");
    }
    let once = store.put("cell", b"1", Coding::Plain).expect("written");
    let again = store.put("cell", b"2", Coding::Plain).expect("written");
    let error = store.publish(vec![once, again], b"").expect_err("twice");
    assert!(matches!(error, StoreError::Twice { .. }), "{error}");
    assert!(matches!(
        Location::parse("ftp://a/b"),
        Err(StoreError::Address { .. })
    ));
    assert!(matches!(
        Location::parse("s3:///b"),
        Err(StoreError::Address { .. })
    ));
}

/// Objects of any length one over the other: the last is there, what was published stays, a writer that
/// gives up leaves nothing, and no file is left over.
#[test]
fn what_is_written_over_is_gone_and_what_is_published_stays() {
    for place in Place::all() {
        let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
        let first = store.put("cell", &bytes(0, 700_000), Coding::Plain);
        let first = first.expect("written");
        store.publish(vec![first.clone()], b"1").expect("published");
        let mut last = first.clone();
        for (seed, length) in [(1, 700_000), (2, 1000), (3, 600_000), (4, 0), (5, 300_000)] {
            let coding = if seed == 3 {
                Coding::Zstd(1)
            } else {
                Coding::Plain
            };
            let mut writer = store.writer_over(&last, coding).expect("opens");
            writer.put(&bytes(seed, length)).expect("written");
            let next = writer.finish().expect("finished");
            assert_eq!(store.read_all(&next).expect("whole"), bytes(seed, length));
            if last != first {
                let error = store.read(&last).expect_err("gone");
                assert!(matches!(error, StoreError::Missing { .. }), "{error}");
            }
            last = next;
        }
        assert_eq!(store.read_all(&first).expect("whole"), bytes(0, 700_000));

        let other = store
            .put("other", &bytes(6, 10), Coding::Plain)
            .expect("written");
        drop(store.writer_over(&other, Coding::Plain).expect("opens"));
        store.read(&other).expect_err("gone");
        store.publish(vec![last.clone()], b"2").expect("published");
        assert_eq!(store.read_all(&last).expect("whole"), bytes(5, 300_000));
        drop(store);
        let again = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
        assert_eq!(again.notes(), [], "{}", place.name);
        let latest = again.latest();
        assert_eq!(latest.payload(), Some(&b"2"[..]));
        again.verify(&latest).expect("whole");
    }
}

#[test]
fn files_of_discarded_objects_are_few_and_written_over() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let put = |round: usize| -> Vec<(Object, Vec<u8>)> {
        let numbers = 0..50;
        let objects = numbers.map(|number| {
            // Longer than before, or shorter.
            let bytes = bytes(round as u64, 1000 + (number * 7919 + 31 * round) % 5000);
            let name = format!("thing-{number}");
            let object = store.put(&name, &bytes, Coding::Plain).expect("written");
            (object, bytes)
        });
        objects.collect()
    };
    for round in 0..4 {
        let objects = put(round);
        assert_eq!(place.files(), 50, "round {round}");
        for (object, bytes) in &objects {
            assert_eq!(&store.read_all(object).expect("read"), bytes);
        }
        for (object, _) in &objects {
            store.discard(object).expect("discarded");
            let read = store.read(object);
            assert!(matches!(read, Err(StoreError::Missing { .. })));
        }
        assert!(place.files() <= 32, "round {round}: {}", place.files());
    }
    let large = vec![store.put("large", &bytes(9, 20 << 20), Coding::Plain)];
    let larger = store.put("larger", &bytes(9, 20 << 20), Coding::Plain);
    for object in large.into_iter().chain([larger]) {
        store.discard(&object.expect("written")).expect("discarded");
    }
    let files = std::fs::read_dir(place.path().join("objects")).expect("a folder");
    let lengths = files.map(|file| file.expect("a file").metadata().expect("data").len());
    assert!(lengths.sum::<u64>() <= 33 << 20);
    drop(store);
    // They are nobody's: a full disk has their space back at once, not after the next opening.
    assert_eq!(place.files(), 0);
    let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
    assert_eq!(store.latest().objects().len(), 0);
}

/// A process that dies leaves discarded files where they were.
#[test]
fn discarded_files_that_were_left_are_removed_on_opening() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let kept = store.put("kept", b"kept", Coding::Plain).expect("written");
    let gone = store.put("gone", b"gone", Coding::Plain).expect("written");
    store.publish(vec![kept.clone()], b"").expect("published");
    let left = store.put("left", b"left", Coding::Plain).expect("written");
    store.discard(&left).expect("discarded");
    store.discard(&gone).expect("removed already");
    assert_eq!(place.files(), 2);
    let copy = Place::directory();
    let objects = copy.path().join("objects");
    std::fs::create_dir_all(&objects).expect("made");
    for folder in [place.path().to_owned(), place.path().join("objects")] {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let to = copy
                .path()
                .join(path.strip_prefix(place.path()).expect("inside"));
            if path.is_file() {
                std::fs::copy(&path, to).expect("copied");
            }
        }
    }
    let again = Store::open(&copy.location, &identity(), Mode::Resume).expect("opens");
    assert_eq!(again.read_all(&kept).expect("whole"), b"kept");
    assert_eq!(std::fs::read_dir(objects).expect("a folder").count(), 1);
    // A member's are its own.
    let member = Store::join(&place.location, &identity(), store.ticket()).expect("joins");
    let its = member.put("its", b"its", Coding::Plain).expect("written");
    member.discard(&its).expect("discarded");
    assert_eq!(place.files(), 3);
    drop(member);
    assert_eq!(place.files(), 2);
    drop(store);
    assert_eq!(place.files(), 1);
}

/// Whoever takes the store over removes the files that another one would have written over.
#[test]
fn a_fenced_writer_without_its_spare_files_goes_on_to_its_end() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let kept = store.put("kept", b"kept", Coding::Plain).expect("written");
    store.publish(vec![kept.clone()], b"").expect("published");
    for round in 0..3 {
        let object = store.put("gone", &bytes(round, 5000), Coding::Plain);
        store.discard(&object.expect("written")).expect("discarded");
    }
    // Spare files, of which one is in use again and one not.
    let objects: Vec<_> = (0..2)
        .map(|_| {
            store
                .put("thing", b"thing", Coding::Plain)
                .expect("written")
        })
        .collect();
    for object in &objects {
        store.discard(object).expect("discarded");
    }
    let mut open = store.writer("open", Coding::Plain).expect("opens");
    open.put(&bytes(1, 300_000)).expect("written");
    let other = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
    for round in 0..3 {
        let bytes = bytes(round, 7000);
        let object = store.put("late", &bytes, Coding::Plain).expect("written");
        assert_eq!(store.read_all(&object).expect("read"), bytes);
        store.discard(&object).expect("discarded");
    }
    drop(open);
    let error = store.publish(vec![kept.clone()], b"").expect_err("fenced");
    assert!(matches!(error, StoreError::Fenced { .. }), "{error}");
    drop(store);
    assert_eq!(other.read_all(&kept).expect("whole"), b"kept");
    assert_eq!(place.files(), 1);
}

/// What is begun in the place of a discarded object and given up takes that place with it.
#[test]
fn a_writer_given_up_leaves_no_spare_file() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let objects: Vec<_> = (0..3)
        .map(|n| {
            store
                .put("old", &bytes(n, 400_000), Coding::Plain)
                .expect("written")
        })
        .collect();
    for object in &objects {
        store.discard(object).expect("discarded");
    }
    assert_eq!(place.files(), 3);
    for left in [2, 1, 0] {
        let mut writer = store.writer("new", Coding::Plain).expect("opens");
        writer.put(&bytes(9, 300_000)).expect("written");
        drop(writer);
        assert_eq!(place.files(), left);
    }
    for object in &objects {
        let read = store.read(object);
        assert!(matches!(read, Err(StoreError::Missing { .. })));
    }
}

/// A thread may be reading what another one discards and writes over: it finds an error or the bytes that
/// were there, never others.
#[test]
fn what_is_written_over_while_it_is_read_is_never_taken_for_it() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let (mut whole, mut gone) = (0, 0);
    for round in 0..60_u64 {
        let bytes_of = |seed: u64| bytes(seed, 1_500_000);
        let coding = [Coding::Plain, Coding::Zstd(1)][usize::try_from(round % 2).expect("small")];
        let before = bytes_of(round);
        let object = store.put("thing", &before, coding).expect("written");
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(|| store.read_all(&object));
            store.discard(&object).expect("discarded");
            let next = store
                .put("thing", &bytes_of(round + 1), coding)
                .expect("written");
            store.discard(&next).expect("discarded");
            reader.join().expect("no panic")
        });
        match read {
            Ok(read) => {
                assert_eq!(read, before);
                whole += 1;
            }
            Err(error) => {
                assert!(error.is_damage(), "{error}");
                gone += 1;
            }
        }
    }
    assert_eq!(whole + gone, 60);
}

#[test]
fn what_is_over_leaves_nothing_but_what_is_not_ours() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let place = Location::directory(directory.path().join("scratch"));
    for foreign in [false, true] {
        let store = Store::open(&place, &identity(), Mode::Fresh).expect("opens");
        let object = store.put("cell", &bytes(1, 1000), Coding::Plain);
        let gone = store.put("gone", &bytes(2, 1000), Coding::Plain);
        store.discard(&gone.expect("written")).expect("discarded");
        let objects = vec![object.expect("written")];
        store.publish(objects, b"1").expect("published");
        let theirs = directory.path().join("scratch/objects/notes.txt");
        if foreign {
            std::fs::write(&theirs, "theirs").expect("written");
        }
        store.clear().expect("cleared");
        let left = std::fs::read_dir(directory.path().join("scratch")).expect("a folder");
        let left: Vec<_> = left
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        assert_eq!(left.len(), usize::from(foreign), "{left:?}");
        assert_eq!(theirs.exists(), foreign);
    }
}
