//! The committed table.

use yose_retro::table::{Fingerprint, Table};

use super::{GOLDEN, golden_header, summary, write};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/tables/tiny.yose"
);
const FINGERPRINT: &str = "3e494839f26953ebe9877dae39ea6d833b9a33db98267ba26b0a41e1b01cf9b6";

#[test]
fn same_bytes_as_committed() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiny.yose");
    let fingerprint = write(&path, &golden_header(), &GOLDEN, 1).unwrap();
    assert_eq!(
        std::fs::read(&path).unwrap(),
        std::fs::read(FILE).unwrap_or_default(),
        "{} is new: {fingerprint}",
        path.display()
    );
    assert_eq!(fingerprint.to_string(), FINGERPRINT);
    assert_eq!(FINGERPRINT.parse::<Fingerprint>(), Ok(fingerprint));
}

#[test]
fn reads_the_committed() {
    let table = Table::open(FILE).unwrap();
    assert_eq!(*table.header(), golden_header());
    assert_eq!(*table.summary(), summary(golden_header().metric, &GOLDEN));
    let values = (0..10).map(|slot| table.value(slot).unwrap());
    assert_eq!(values.collect::<Vec<_>>(), GOLDEN);
    assert_eq!(table.fingerprint().unwrap().to_string(), FINGERPRINT);
}
