//! Damaged files: an error that says what and where, or the right numbers; nothing else.

use std::sync::LazyLock;

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;
use yose_retro::table::{Metric, Part, Table, TableError};

use super::{bytes_of, header, openers, summary, threads};

/// A table of three widths and some chunks, small enough to damage everywhere.
fn samples() -> Vec<(Metric, Vec<u32>)> {
    vec![
        (Metric::Depth, (0..19).map(|n| n * n % 12).collect()),
        (Metric::Wdl, (0..21).map(|n| n * n % 3).collect()),
        (Metric::Ranks, vec![0, 300, 7, 7, 7, 7, 7, 7, 9, 1]),
        (Metric::Depth, vec![65_536, 1, 2]),
        (Metric::Depth, Vec::new()),
    ]
}

/// Opens damaged bytes and reads all. `true` if anything was noticed; panics at a wrong answer.
fn noticed(bytes: Vec<u8>, metric: Metric, numbers: &[u32]) -> Result<(), TableError> {
    let length = bytes.len() as u64;
    let table = match Table::from_bytes(bytes) {
        Ok(table) => table,
        Err(error) => {
            match &error {
                TableError::Checksum {
                    offset,
                    expected,
                    got,
                    ..
                } => {
                    assert!(*offset < length && expected != got, "{error}");
                }
                TableError::Corrupt { offset, .. } => assert!(*offset < length, "{error}"),
                TableError::Truncated { expected, got, .. } => assert!(expected > got, "{error}"),
                TableError::Length { expected, got, .. } => assert_ne!(expected, got, "{error}"),
                TableError::NotATable { .. } | TableError::Version { .. } => {}
                other => panic!("{other}"),
            }
            return Err(error);
        }
    };
    assert_eq!(*table.summary(), summary(metric, numbers));
    assert_eq!(*table.header(), header(metric, numbers));
    let mut fault = Ok(());
    for (slot, number) in (0..).zip(numbers) {
        match table.value(slot) {
            Ok(value) => assert_eq!(value, *number, "slot {slot}"),
            Err(error) => fault = Err(error),
        }
    }
    assert_eq!(table.verify(threads(1)).is_err(), fault.is_err());
    fault
}

#[test]
fn every_flipped_bit() {
    for (metric, numbers) in samples() {
        let good = bytes_of(&header(metric, &numbers), &numbers);
        noticed(good.clone(), metric, &numbers).unwrap();
        for at in 0..good.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 0xff] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                let result = noticed(bad, metric, &numbers);
                assert!(result.is_err(), "{metric}: byte {at} ^ {flip:#x} unnoticed");
            }
        }
    }
}

#[test]
fn every_length() {
    for (metric, numbers) in samples() {
        let good = bytes_of(&header(metric, &numbers), &numbers);
        for length in 0..good.len() {
            let result = noticed(good[..length].to_vec(), metric, &numbers);
            assert!(result.is_err(), "{metric}: cut to {length} unnoticed");
        }
        for more in 1..200 {
            for fill in [0, b'\n', 0xff] {
                let mut bad = good.clone();
                bad.resize(good.len() + more, fill);
                let result = noticed(bad, metric, &numbers);
                assert!(result.is_err(), "{metric}: {more} bytes more unnoticed");
            }
        }
        // Even if what is added ends like a table.
        let twice = [good.clone(), good.clone()].concat();
        let error = noticed(twice, metric, &numbers).unwrap_err();
        assert!(matches!(error, TableError::Length { .. }), "{error}");
    }
}

#[test]
fn bytes_missing_or_added_in_the_middle() {
    let (metric, numbers) = samples().swap_remove(0);
    let good = bytes_of(&header(metric, &numbers), &numbers);
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad.remove(at);
        assert!(noticed(bad, metric, &numbers).is_err(), "without {at}");
        let mut bad = good.clone();
        bad.insert(at, 0);
        assert!(
            noticed(bad, metric, &numbers).is_err(),
            "with one more at {at}"
        );
        let mut bad = good.clone();
        bad.truncate(at);
        bad.resize(good.len(), 0);
        assert!(noticed(bad, metric, &numbers).is_err(), "zeros from {at}");
    }
}

#[test]
fn parts_of_two_tables() {
    // Same sizes, other game: neither header may stand before the other's chunks.
    let numbers = [1, 2, 3, 0, 1, 2, 3, 0, 1];
    let ours = header(Metric::Depth, &numbers);
    let mut theirs = ours.clone();
    theirs.game = "shogi5".to_owned();
    let (ours_bytes, theirs_bytes) = (bytes_of(&ours, &numbers), bytes_of(&theirs, &numbers));
    let mixed = [&theirs_bytes[..88], &ours_bytes[88..]].concat();
    let error = Table::from_bytes(mixed).unwrap_err();
    let what = matches!(
        error,
        TableError::Checksum {
            what: Part::Header,
            ..
        }
    );
    assert!(what, "{error}");
}

#[test]
fn swapped_chunks() {
    let numbers: Vec<u32> = (0..16).map(|n| if n < 8 { 1 } else { 2 }).collect();
    let mut bytes = bytes_of(&header(Metric::Depth, &numbers), &numbers);
    // Both chunks are a frame of the same length behind a header of 88 bytes.
    let index = usize::try_from(u64::from_le_bytes(
        bytes[bytes.len() - 56..][..8].try_into().unwrap(),
    ));
    let (start, end) = (88, index.unwrap());
    let half = (end - start) / 2;
    assert_ne!(bytes[start..start + half], bytes[start + half..end]);
    bytes[start..end].rotate_left(half);
    let table = Table::from_bytes(bytes).unwrap();
    for slot in [0, 15] {
        let error = table.value(slot).unwrap_err();
        assert!(
            matches!(error, TableError::Checksum { what: Part::Chunk(n), .. } if n == slot / 8),
            "{error}"
        );
    }
    let error = table.verify(threads(2)).unwrap_err().to_string();
    assert!(error.contains("chunk 0 at offset 88"), "{error}");
}

/// Writes bytes over those of a table and makes all checksums right again, as far as the sections
/// can still be found, but those of decompressed chunks.
fn forge(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    let footer = bytes.len() - 64;
    let int = |bytes: &[u8], at: usize, length: usize| {
        let raw = bytes.get(at..at + length).unwrap_or_default();
        let value = raw
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u64::from(*byte));
        usize::try_from(value).unwrap()
    };
    // A hash goes where it belongs if both places are in the file.
    let put = |bytes: &mut Vec<u8>, at: usize, from: usize, to: usize| {
        if let Some(sum) = bytes.get(from..to).map(xxh3_64)
            && let Some(place) = bytes.get_mut(at..at.saturating_add(8))
        {
            place.copy_from_slice(&sum.to_le_bytes());
        }
    };
    let header = int(&bytes, 12, 4);
    put(
        &mut bytes,
        header.saturating_sub(8),
        0,
        header.saturating_sub(8),
    );
    let (index, summary) = (int(&bytes, footer + 8, 8), int(&bytes, footer + 16, 8));
    if index <= summary && summary <= footer {
        for entry in (index..summary).step_by(32) {
            let (start, length) = (int(&bytes, entry, 8), int(&bytes, entry + 8, 8));
            put(&mut bytes, entry + 16, start, start.saturating_add(length));
        }
    }
    put(&mut bytes, footer + 24, 0, header);
    put(&mut bytes, footer + 32, index, summary);
    put(&mut bytes, footer + 40, summary, footer);
    put(&mut bytes, footer + 48, footer, footer + 48);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    // Whoever makes the checksums right can change what a table says, but not crash its reader or
    // make it disagree with itself.
    #[test]
    fn forgeries(
        sample in 0..5usize,
        at in any::<prop::sample::Index>(),
        new in prop::collection::vec(prop_oneof![Just(0), Just(0xff), any::<u8>()], 1..9),
    ) {
        static GOOD: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
            let samples = samples().into_iter();
            samples.map(|(metric, numbers)| bytes_of(&header(metric, &numbers), &numbers)).collect()
        });
        let good = &GOOD[sample];
        let at = at.index(good.len() - new.len());
        let Ok(table) = Table::from_bytes(forge(good.clone(), at, &new)) else {
            return Ok(());
        };
        let header = table.header();
        prop_assert!(table.summary().check(header).is_ok());
        let mut sound = true;
        for slot in 0..header.slots {
            match table.value(slot) {
                Ok(value) => prop_assert!(value <= header.greatest),
                Err(_) => sound = false,
            }
        }
        prop_assert!(sound || table.verify(threads(1)).is_err());
    }
}

#[test]
fn forged_fields_with_right_checksums() {
    let numbers: Vec<u32> = (0..19).map(|n| n * n % 12).collect();
    let good = bytes_of(&header(Metric::Depth, &numbers), &numbers);
    assert_eq!(forge(good.clone(), 0, &[0x89]), good);
    let footer = good.len() - 64;
    let raw = good[footer + 8..][..8].try_into().unwrap();
    let index = usize::try_from(u64::from_le_bytes(raw)).unwrap();
    let huge = u64::MAX.to_le_bytes();
    let cases: [(&str, usize, &[u8]); 16] = [
        ("slots", 16, &huge),
        ("slots", 16, &(1u64 << 56).to_le_bytes()),
        ("slots", 16, &27u64.to_le_bytes()),
        ("no chunk size", 24, &[0; 4]),
        ("chunk size", 24, &[9, 0, 0, 0]),
        ("chunk size", 24, &[0xfc, 0xff, 0xff, 0xff]),
        ("width of the greatest", 28, &300u32.to_le_bytes()),
        ("metric", 36, &[9]),
        ("bits", 37, &[16]),
        ("text lengths", 38, &[200, 200]),
        ("text", 72, &[0xff]),
        ("first offset", index, &0u64.to_le_bytes()),
        ("length of a chunk", index + 8, &huge),
        ("second offset", index + 32, &huge),
        ("start", index + 96, &[9]),
        ("rows", index + 96 + 8, &huge),
    ];
    for (what, at, new) in cases {
        let result = Table::from_bytes(forge(good.clone(), at, new)).map(drop);
        let error = result.expect_err(what);
        let typed = matches!(
            error,
            TableError::Corrupt { .. } | TableError::Truncated { .. }
        );
        assert!(typed, "{what}: {error}");
    }
    // A greatest number of 2 when there are greater ones: found when the chunk is read.
    let table = Table::from_bytes(forge(good.clone(), 28, &2u32.to_le_bytes())).unwrap();
    let error = table.value(0).unwrap_err().to_string();
    assert!(error.contains("expected numbers up to 2, got 9"), "{error}");
    // One that does not occur: found by reading all.
    let table = Table::from_bytes(forge(good.clone(), 28, &200u32.to_le_bytes())).unwrap();
    assert_eq!(table.value(0).unwrap(), 0);
    let error = table.verify(threads(1)).unwrap_err().to_string();
    assert!(error.contains("the greatest number, 9, got 200"), "{error}");

    // Another hash of the bytes before compression, as if zstd had gone wrong.
    let table = Table::from_bytes(forge(good.clone(), index + 24, &[0; 8])).unwrap();
    let error = table.value(0).unwrap_err();
    assert!(
        matches!(error, TableError::Checksum { expected: 0, .. }),
        "{error}"
    );
    // More slots than the file has room for: said before the footer is looked at.
    let error = Table::from_bytes(forge(good.clone(), 16, &(1u64 << 40).to_le_bytes()));
    let expected = 88 + 33 * (1 << 37) + 80;
    assert!(
        matches!(error, Err(TableError::Truncated { expected: e, .. }) if e == expected),
        "{error:?}"
    );

    let rows = index + 96 + 16;
    let mut swapped = good[rows..rows + 48].to_vec();
    swapped.rotate_left(24);
    let error = Table::from_bytes(forge(good.clone(), rows, &swapped)).unwrap_err();
    assert!(
        error.to_string().contains("expected rows in order"),
        "{error}"
    );
    // Two rows of 2^63 positions each.
    let mut many = good[rows..rows + 48].to_vec();
    many[16..24].copy_from_slice(&(1u64 << 63).to_le_bytes());
    many[40..48].copy_from_slice(&(1u64 << 63).to_le_bytes());
    let error = Table::from_bytes(forge(good.clone(), rows, &many)).unwrap_err();
    assert!(
        error.to_string().contains("fewer than 2^64 positions"),
        "{error}"
    );
    // A byte between the last chunk and the index.
    let mut gap = good;
    gap.insert(index, 0);
    let footer = footer + 1;
    for (field, value) in [(0, footer + 64), (8, index + 1)] {
        let value = (value as u64).to_le_bytes();
        gap[footer + field..][..8].copy_from_slice(&value);
    }
    let summary = u64::from_le_bytes(gap[footer + 16..][..8].try_into().unwrap()) + 1;
    let error = Table::from_bytes(forge(gap, footer + 16, &summary.to_le_bytes())).unwrap_err();
    let expected = format!("expected chunks up to offset {}", index + 1);
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn forged_bits_after_the_last_slot() {
    // One chunk of one slot, so that the frame is one byte stored as it is: 1, then 1 and more.
    let one = bytes_of(&header(Metric::Wdl, &[1]), &[1]);
    let more = bytes_of(&header(Metric::Wdl, &[1, 1]), &[1, 1]);
    assert_eq!(one.len(), more.len());
    let forged = forge(more, 16, &1u64.to_le_bytes());
    let table = Table::from_bytes(forged).unwrap();
    let error = table.value(0).unwrap_err().to_string();
    assert!(
        error.contains("expected zeros after the last slot"),
        "{error}"
    );
}

#[test]
fn cut_off_while_open() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let numbers: Vec<u32> = (0..100).map(|n| n % 9).collect();
    std::fs::write(&path, bytes_of(&header(Metric::Depth, &numbers), &numbers)).unwrap();
    let table = Table::open(&path).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(90).unwrap();
    let error = table.value(50).unwrap_err();
    let typed = matches!(&error, TableError::Truncated { got: 90, path: p, .. } if *p == path);
    assert!(typed, "{error}");
    let error = table.fingerprint().unwrap_err();
    assert!(
        matches!(error, TableError::Truncated { got: 90, .. }),
        "{error}"
    );
}

#[test]
fn errors_name_the_file_and_the_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let numbers = [3; 20];
    let mut bytes = bytes_of(&header(Metric::Depth, &numbers), &numbers);
    bytes[95] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    for open in openers() {
        let table = open(&path).unwrap();
        let error = table.value(0).unwrap_err().to_string();
        let place = "chunk 0 at offset 88: expected checksum ";
        assert!(
            error.starts_with(&table.path().display().to_string()),
            "{error}"
        );
        assert!(error.contains(place), "{error}");
        // The other chunks can be read all the same.
        assert_eq!(table.value(8).unwrap(), 3);
    }
}
