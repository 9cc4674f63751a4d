//! Table files: writing, reading, damage.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod damage;
mod files;
mod format;
mod roundtrip;

use std::num::NonZeroUsize;
use std::path::Path;

use yose_retro::table::{
    Fingerprint, Header, Metric, StartValue, Summary, Table, TableError, TableWriter, WriteError,
};
use yose_retro::tally::HistogramRow;
use yose_retro::{Outcome, Value};

/// Any number of threads.
fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

/// A header for these numbers, with tiny chunks.
fn header(metric: Metric, numbers: &[u32]) -> Header {
    Header {
        game: "shogi4".to_owned(),
        inventory: "PF".to_owned(),
        rules_hash: std::array::from_fn(|at| u8::try_from(at).unwrap()),
        index_version: 7,
        metric,
        slots: numbers.len() as u64,
        chunk_slots: 8,
        greatest: match metric {
            Metric::Wdl => 2,
            _ => numbers.iter().copied().max().unwrap_or(0),
        },
    }
}

/// A summary for these numbers, each position counted four times in `all`.
fn summary(metric: Metric, numbers: &[u32]) -> Summary {
    let mut counts = std::collections::BTreeMap::<u32, u64>::new();
    for number in numbers {
        let key = match metric {
            Metric::Ranks if *number > 0 => 2 - number % 2,
            _ => *number,
        };
        *counts.entry(key).or_default() += 1;
    }
    let outcome = |key: u32| match key {
        0 => Outcome::Draw,
        odd if odd % 2 == 1 => Outcome::Win,
        _ => Outcome::Loss,
    };
    let depth = |key: u32| (metric == Metric::Depth && key > 0).then_some(key);
    let rows = counts.iter().map(|(key, count)| HistogramRow {
        value: outcome(*key),
        depth: depth(*key),
        canonical: *count,
        all: 4 * count,
    });
    let start = numbers.last().map(|number| StartValue {
        value: outcome(*number),
        depth: depth(*number),
    });
    Summary::new(rows.collect(), start)
}

/// Writes a table and reads the file back.
fn write(
    path: &Path,
    header: &Header,
    numbers: &[u32],
    number_of_threads: usize,
) -> Result<Fingerprint, WriteError> {
    let mut plain = Vec::new();
    header.width().encode(numbers, &mut plain);
    let mut writer = TableWriter::create(path, header.clone(), threads(number_of_threads))?;
    writer.write(&plain)?;
    writer.finish(&summary(header.metric, numbers))
}

/// The bytes of a table.
fn bytes_of(header: &Header, numbers: &[u32]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    write(&path, header, numbers, 1).unwrap();
    std::fs::read(path).unwrap()
}

type Opener = fn(&Path) -> Result<Table, TableError>;

/// All ways to open a file.
fn openers() -> Vec<Opener> {
    vec![
        |path| Table::open(path),
        #[cfg(feature = "mmap")]
        |path| Table::open_mmap(path),
        |path| Table::from_bytes(std::fs::read(path).unwrap_or_default()),
    ]
}

/// The numbers of the committed table.
const GOLDEN: [u32; 10] = [1, 2, 3, 0, 5, 0, 1, 4, 1, 2];

/// Its header.
fn golden_header() -> Header {
    Header {
        chunk_slots: 4,
        ..header(Metric::Depth, &GOLDEN)
    }
}

#[test]
fn codes_are_values() {
    for code in (0..1_000).chain([65_535, 65_536, u32::MAX - 1, u32::MAX]) {
        let value = yose_retro::table::value_of(code);
        assert_eq!(yose_retro::table::code_of(value), Some(code));
        assert_eq!(value.depth().unwrap_or(0), code);
    }
    for value in [Value::Loss(0), Value::Loss(3), Value::Win(0), Value::Win(2)] {
        assert_eq!(yose_retro::table::code_of(value), None, "{value}");
    }
}
