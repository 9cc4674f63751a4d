//! Flipped, cut, padded, exchanged and missing files: recognised, named, survived.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Place, bytes, identity};
use yose_store::{Coding, Mode, Note, Store, StoreError};

/// Two generations, each with an object that compresses and one that does not.
fn two_generations(place: &Place) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let mut sets = Vec::new();
    for generation in 0..2 {
        let set = vec![bytes(generation * 2, 400), bytes(generation * 2 + 1, 60)];
        let zstd = store
            .put("zstd", &set[0], Coding::default())
            .expect("written");
        let plain = store.put("plain", &set[1], Coding::Plain).expect("written");
        store
            .publish(
                vec![zstd, plain],
                &[u8::try_from(generation).expect("small")],
            )
            .expect("ok");
        sets.push(set);
    }
    let second = sets.pop().expect("two");
    (sets.pop().expect("two"), second)
}

fn files(place: &Place, below: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.path().join(below)).expect("a directory");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn read(store: &Store) -> Result<Vec<Vec<u8>>, StoreError> {
    let latest = store.latest();
    let names = ["zstd", "plain"].map(|name| latest.object(name).expect("published").clone());
    names.iter().map(|object| store.read_all(object)).collect()
}

fn copy(from: &Place) -> Place {
    let to = Place::directory();
    fs::create_dir_all(to.path().join("objects")).expect("made");
    for below in ["", "objects"] {
        for file in files(from, below) {
            let name = file.file_name().expect("a name");
            fs::copy(&file, to.path().join(below).join(name)).expect("copied");
        }
    }
    to
}

/// What must hold after any damage to one file: the newest generation, or a named fault and then
/// the one before. Gives the fault.
fn survive(place: &Place, first: &[Vec<u8>], second: &[Vec<u8>]) -> Option<String> {
    let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
    let skipped = store.notes().iter().find_map(|note| match note {
        Note::Skipped { why, .. } => Some(why.clone()),
        _ => None,
    });
    if skipped.is_some() {
        assert_eq!(read(&store).expect("the generation before"), first);
        assert_eq!(store.latest().payload(), Some(&[0_u8][..]));
        return skipped;
    }
    match read(&store) {
        Ok(contents) => {
            assert_eq!(contents, second, "accepted and wrong");
            None
        }
        Err(error) => {
            assert!(error.is_damage(), "{error}");
            store.fall_back().expect("one before");
            assert_eq!(read(&store).expect("the generation before"), first);
            Some(error.to_string())
        }
    }
}

#[test]
fn every_flipped_byte_is_noticed() {
    let original = Place::directory();
    let (first, second) = two_generations(&original);
    let targets = of_the_newest(&original);
    assert_eq!(targets.len(), 3);
    assert!(targets[0].1.starts_with("manifest-"), "{}", targets[0].1);
    for (below, name, good) in targets {
        for at in 0..good.len() {
            let place = copy(&original);
            let path = place.path().join(below).join(&name);
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&path, bad).expect("written");
            let fault = survive(&place, &first, &second);
            let fault = fault.unwrap_or_else(|| panic!("{name}: byte {at} went unnoticed"));
            assert!(fault.contains(&name), "{fault} does not name {name}");
        }
    }
}

/// The newest manifest and the objects that only it names: folder, name and bytes.
fn of_the_newest(original: &Place) -> Vec<(&'static str, String, Vec<u8>)> {
    let manifest = files(original, "").pop().expect("a manifest");
    // The claim of the fresh start was generation 1.
    let objects = files(original, "objects");
    let objects = objects
        .into_iter()
        .filter(|file| file.to_string_lossy().contains(".3-"));
    let targets = std::iter::once(("", manifest)).chain(objects.map(|file| ("objects", file)));
    targets
        .map(|(below, file)| {
            let name = file
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (below, name, fs::read(&file).expect("read"))
        })
        .collect()
}

#[test]
fn cut_padded_and_missing_files_are_noticed() {
    let original = Place::directory();
    let (first, second) = two_generations(&original);
    for (below, name, good) in of_the_newest(&original) {
        for length in (0..good.len())
            .step_by(7)
            .chain([good.len() - 1, good.len() + 1])
        {
            let place = copy(&original);
            let mut bad = good.clone();
            bad.resize(length, 0);
            fs::write(place.path().join(below).join(&name), bad).expect("written");
            let fault = survive(&place, &first, &second).expect("noticed");
            assert!(fault.contains(&name), "{fault}");
        }
        let place = copy(&original);
        fs::remove_file(place.path().join(below).join(&name)).expect("removed");
        if below.is_empty() {
            // Without its manifest a generation was never published.
            let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
            assert_eq!(read(&store).expect("read"), first);
        } else {
            let fault = survive(&place, &first, &second).expect("noticed");
            assert!(
                fault.contains("missing") && fault.contains(&name),
                "{fault}"
            );
        }
    }
}

#[test]
fn files_that_change_places_are_noticed() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let (a, b) = (bytes(1, 5_000), bytes(2, 5_000));
    let one = store.put("one", &a, Coding::Plain).expect("written");
    let two = store.put("two", &b, Coding::Plain).expect("written");
    store.publish(vec![one, two], b"").expect("published");
    drop(store);
    let objects = files(&place, "objects");
    let [one, two] = &objects[..] else {
        panic!("{objects:?}")
    };
    let (bytes_of_one, bytes_of_two) = (fs::read(one).expect("read"), fs::read(two).expect("read"));
    fs::write(one, bytes_of_two).expect("written");
    fs::write(two, bytes_of_one).expect("written");
    let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
    let latest = store.latest();
    for object in latest.objects() {
        let error = store.read_all(object).expect_err("another object's bytes");
        // The hashes of the two names may begin alike.
        assert!(
            matches!(error, StoreError::Corrupt { offset: 24..32, .. }),
            "{error}"
        );
    }
}

#[test]
fn blocks_that_change_places_are_noticed() {
    let place = Place::directory();
    let store = Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let mut plain = vec![1; 1 << 18];
    plain.extend(vec![2; 1 << 18]);
    let object = store.put("one", &plain, Coding::Plain).expect("written");
    store.publish(vec![object.clone()], b"").expect("published");
    let file = &files(&place, "objects")[0];
    let good = fs::read(file).expect("read");
    let frame = 16 + (1 << 18);
    let mut bad = good[..40].to_vec();
    bad.extend_from_slice(&good[40 + frame..]);
    bad.extend_from_slice(&good[40..40 + frame]);
    fs::write(file, bad).expect("written");
    let error = store.read_all(&object).expect_err("exchanged blocks");
    assert!(
        matches!(error, StoreError::Corrupt { offset: 40, .. }),
        "{error}"
    );
}

#[test]
fn the_state_of_another_computation_is_named() {
    for place in Place::all() {
        let open = |identity, mode| Store::open(&place.location, &identity, mode);
        let store = open(identity(), Mode::Fresh).expect("opens");
        store.publish(Vec::new(), b"").expect("published");
        drop(store);
        let other = identity().with("pieces", "PFR");
        let error = open(other.clone(), Mode::Resume).expect_err("another's");
        let StoreError::Foreign {
            field,
            expected,
            got,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!([field, expected, got], ["pieces", "PFR", "PF"]);
        let error = open(other, Mode::Fresh).expect_err("occupied");
        let StoreError::Occupied { identity, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(identity, "game shogi4, metric wdl, pieces PF");
        open(identity_without_metric(), Mode::Either).expect_err("a field less");
        open(common::identity(), Mode::Either).expect("ours");
    }
}

fn identity_without_metric() -> yose_store::Identity {
    yose_store::Identity::new()
        .with("game", "shogi4")
        .with("pieces", "PF")
}

#[test]
fn what_is_no_store_is_left_alone() {
    let place = Place::directory();
    fs::create_dir_all(place.path()).expect("made");
    fs::write(place.path().join("thesis.tex"), "precious").expect("written");
    for mode in [Mode::Fresh, Mode::Resume, Mode::Either] {
        let error = Store::open(&place.location, &identity(), mode).expect_err("no store");
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        assert!(error.to_string().contains("thesis.tex"));
    }
    assert_eq!(fs::read_dir(place.path()).expect("read").count(), 1);

    let empty = Place::directory();
    let error = Store::open(&empty.location, &identity(), Mode::Resume).expect_err("nothing");
    assert!(
        matches!(error, StoreError::NothingToResume { .. }),
        "{error}"
    );
}

#[test]
fn a_stranger_among_the_objects_is_named_and_left() {
    let place = Place::directory();
    Store::open(&place.location, &identity(), Mode::Fresh).expect("opens");
    let stranger = place.path().join("objects/notes.txt");
    fs::write(&stranger, "mine").expect("written");
    let store = Store::open(&place.location, &identity(), Mode::Resume).expect("opens");
    assert!(matches!(store.notes(), [Note::Unknown { path }] if path.ends_with("notes.txt")));
    assert!(stranger.exists());
}

/// Made by hand: what a later version would write.
#[test]
fn a_later_version_is_named_and_kept() {
    let place = Place::directory();
    two_generations(&place);
    let newest = files(&place, "").pop().expect("a manifest");
    let mut bytes = fs::read(&newest).expect("read");
    bytes[8] = 2;
    let end = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&newest, &bytes).expect("written");
    let error = Store::open(&place.location, &identity(), Mode::Resume).expect_err("later");
    assert!(
        matches!(
            error,
            StoreError::Version {
                expected: 1,
                got: 2,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(fs::read(&newest).expect("still there"), bytes);
}
