//! Any sequence of operations, crashes and damages against a model of what must be there.

mod common;

use std::collections::BTreeMap;

use common::{Place, bytes, identity};
use proptest::prelude::*;
use yose_store::{Coding, Mode, Object, Store, StoreError};

#[derive(Debug, Clone)]
enum Step {
    /// Puts an object under one of a few names.
    Put {
        name: u8,
        seed: u64,
        length: usize,
        zstd: bool,
    },
    /// Drops a put object that was not published.
    Discard {
        name: u8,
    },
    Publish {
        payload: u64,
    },
    /// The process dies and another resumes.
    Crash,
    /// The newest generation is given up.
    FallBack,
}

fn step() -> impl Strategy<Value = Step> {
    let length = prop_oneof![Just(0), 1..200_usize, Just(1 << 18), 1..700_000_usize];
    prop_oneof![
        5 => (0..4_u8, any::<u64>(), length, any::<bool>())
            .prop_map(|(name, seed, length, zstd)| Step::Put { name, seed, length, zstd }),
        1 => (0..4_u8).prop_map(|name| Step::Discard { name }),
        3 => any::<u64>().prop_map(|payload| Step::Publish { payload }),
        2 => Just(Step::Crash),
        1 => Just(Step::FallBack),
    ]
}

type Contents = BTreeMap<String, Vec<u8>>;
type State = (Contents, Option<Vec<u8>>);

/// What is in the store, every byte read.
fn contents(store: &Store) -> State {
    let latest = store.latest();
    let objects = latest.objects().iter();
    let objects = objects.map(|object| {
        let bytes = store.read_all(object).expect("readable");
        assert_eq!(bytes.len() as u64, object.plain_bytes());
        (object.name().to_owned(), bytes)
    });
    (objects.collect(), latest.payload().map(<[u8]>::to_vec))
}

fn run(place: &Place, steps: &[Step]) {
    let open = |mode| Store::open(&place.location, &identity(), mode).expect("opens");
    let mut store = open(Mode::Fresh);
    let (mut published, mut before): (State, Option<State>) = (State::default(), None);
    let mut working: BTreeMap<String, (Object, Vec<u8>)> = BTreeMap::new();
    let mut fresh: Vec<String> = Vec::new();
    // The working state after a start: what was published.
    let reload = |store: &Store, published: &State| -> BTreeMap<String, (Object, Vec<u8>)> {
        let latest = store.latest();
        let objects = latest.objects().iter();
        objects
            .map(|object| {
                let name = object.name().to_owned();
                (name.clone(), (object.clone(), published.0[&name].clone()))
            })
            .collect()
    };
    let mut earlier_objects = None;
    for step in steps {
        match step {
            Step::Put {
                name,
                seed,
                length,
                zstd,
            } => {
                let name = format!("cell-{name}");
                let bytes = bytes(*seed, *length);
                let coding = if *zstd {
                    Coding::default()
                } else {
                    Coding::Plain
                };
                let object = store.put(&name, &bytes, coding).expect("written");
                assert_eq!(store.read_all(&object).expect("read"), bytes);
                working.insert(name.clone(), (object, bytes));
                fresh.push(name);
            }
            Step::Discard { name } => {
                let name = format!("cell-{name}");
                if fresh.contains(&name)
                    && let Some((object, _)) = working.remove(&name)
                {
                    store.discard(&object).expect("discarded");
                    assert!(matches!(
                        store.read(&object),
                        Err(StoreError::Missing { .. })
                    ));
                }
            }
            Step::Publish { payload } => {
                let payload = payload.to_le_bytes().to_vec();
                let objects = working.values().map(|(object, _)| object.clone()).collect();
                store.publish(objects, &payload).expect("published");
                let contents = working
                    .iter()
                    .map(|(name, (_, bytes))| (name.clone(), bytes.clone()));
                let now = (contents.collect(), Some(payload));
                before = Some(std::mem::replace(&mut published, now));
                earlier_objects = None;
                fresh.clear();
            }
            Step::Crash => {
                drop(store);
                store = open(Mode::Resume);
                if earlier_objects.take().is_some() {
                    // Given up but not replaced: it is the newest again.
                    (published, before) = (before.take().expect("kept"), Some(published));
                }
                working = reload(&store, &published);
                fresh.clear();
            }
            Step::FallBack => match (store.fall_back(), before.take()) {
                (Ok(_), Some(state)) => {
                    before = Some(std::mem::replace(&mut published, state));
                    working = reload(&store, &published);
                    earlier_objects = Some(());
                    fresh.clear();
                }
                (Err(StoreError::NoEarlier { .. }), state) => before = state,
                (other, state) => panic!("{other:?}, expected {:?}", state.is_some()),
            },
        }
        assert_eq!(contents(&store), published, "{} after {step:?}", place.name);
        for (object, bytes) in working.values() {
            assert_eq!(store.read_all(object).expect("not collected"), *bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_state_is_what_was_published_last(steps in prop::collection::vec(step(), 1..25)) {
        run(&Place::directory(), &steps);
        run(&Place::memory(), &steps);
    }
}

#[test]
fn the_same_on_s3() {
    let Some(place) = Place::s3() else { return };
    let steps: Vec<Step> = (0..40_u64)
        .map(|number| match number % 7 {
            3 => Step::Publish { payload: number },
            6 => Step::Crash,
            // One object of several parts.
            other => Step::Put {
                name: u8::try_from(other % 4).expect("small"),
                seed: number,
                length: if number == 9 {
                    40 << 20
                } else {
                    9_999 * usize::try_from(number).expect("small")
                },
                zstd: number != 9,
            },
        })
        .collect();
    run(&place, &steps);
}
