//! A process that publishes in a loop, killed at any moment: what it said it had published is there.

#![cfg(unix)]

mod common;

use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{bytes, identity};
use yose_store::{Coding, Location, Mode, Store};

const SCRATCH: &str = "YOSE_STORE_TEST_SCRATCH";

fn number(store: &Store) -> u64 {
    let latest = store.latest();
    let payload = latest.payload().unwrap_or(&[0; 8]);
    u64::from_le_bytes(payload.try_into().expect("eight bytes"))
}

/// Cell `index` after step `number`: each step writes one of the three anew.
fn cell(number: u64, index: u64) -> Vec<u8> {
    let written = number.saturating_sub((number + 3 - index) % 3);
    bytes(
        written,
        usize::try_from(written % 50 * 9_000).expect("small"),
    )
}

#[test]
#[ignore = "the process that the test below starts and kills"]
fn child() {
    let scratch = std::env::var_os(SCRATCH).expect("started by its parent");
    let location = Location::directory(scratch);
    let store = Store::open(&location, &identity(), Mode::Either).expect("opens");
    let mut out = std::io::stdout();
    loop {
        let next = number(&store) + 1;
        let latest = store.latest();
        let objects = (0..3).map(|index| {
            let name = format!("cell-{index}");
            match latest.object(&name) {
                Some(object) if next % 3 != index => object.clone(),
                _ => store
                    .put(&name, &cell(next, index), Coding::default())
                    .expect("put"),
            }
        });
        let objects = objects.collect();
        store
            .publish(objects, &next.to_le_bytes())
            .expect("published");
        writeln!(out, "published {next}").expect("a parent that reads");
        out.flush().expect("a parent that reads");
    }
}

#[test]
fn killed_at_any_moment_the_last_publication_stands() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let scratch = directory.path().join("scratch");
    let location = Location::directory(&scratch);
    let random = || {
        let state = std::collections::hash_map::RandomState::new();
        state.build_hasher().finish()
    };
    let (mut last, mut between) = (0, 0);
    for _ in 0..40 {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "child",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(SCRATCH, &scratch)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(Duration::from_micros(random() % 60_000));
        child.kill().expect("SIGKILL");
        let output = child.stdout.take().expect("piped");
        let said = BufReader::new(output).lines().map_while(Result::ok);
        let said = said.filter_map(|line| line.rsplit_once("published ")?.1.parse().ok());
        let said: u64 = said.last().unwrap_or(last);
        child.wait().expect("ended");

        if !scratch.join("lock").exists() {
            // Killed before it had begun.
            continue;
        }
        let store = Store::open(&location, &identity(), Mode::Either).expect("opens");
        let found = number(&store);
        assert!(
            found == said || found == said + 1,
            "said {said}, found {found}"
        );
        between += u32::from(found != said);
        for note in store.notes() {
            let expected = matches!(note, yose_store::Note::Removed { .. });
            assert!(expected, "{note}");
        }
        let latest = store.latest();
        for object in latest.objects() {
            let index: u64 = object.name()["cell-".len()..].parse().expect("its number");
            let bytes = store.read_all(object).expect("whole");
            assert_eq!(bytes, cell(found, index), "{} of {found}", object.name());
        }
        assert!(found == 0 || latest.objects().len() == 3);
        last = found;
    }
    assert!(last > 0, "no child published anything");
    println!("{last} publications, {between} children killed between publishing and saying so");
}
