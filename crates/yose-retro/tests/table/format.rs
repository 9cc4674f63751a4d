//! The committed table, read by the crate and by a reader that knows only `docs/FORMAT.md`.

use xxhash_rust::xxh3::xxh3_64;
use yose_retro::table::{Fingerprint, Metric, Table};

use super::{GOLDEN, bytes_of, golden_header, header, summary, write};

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

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// What a file says, read from `docs/FORMAT.md` alone: it shares no code with the crate.
struct Plain {
    game: String,
    inventory: String,
    metric: u8,
    index_version: u64,
    rules: [u8; 32],
    numbers: Vec<u64>,
    start: (u64, u64),
    /// Value, depth, canonical, all.
    rows: Vec<[u64; 4]>,
}

fn read(file: &[u8]) -> Plain {
    let field = |at: u64, length: u64| {
        let (at, length) = (
            usize::try_from(at).unwrap(),
            usize::try_from(length).unwrap(),
        );
        &file[at..at + length]
    };
    let int = |at: u64, length: u64| number(field(at, length));
    assert_eq!(
        field(0, 8),
        [0x89, 0x59, 0x4F, 0x53, 0x45, 0x0D, 0x0A, 0x1A]
    );
    assert_eq!(int(8, 4), 1);
    let header = int(12, 4);
    assert_eq!(int(header - 8, 8), xxh3_64(field(0, header - 8)));
    let (slots, in_chunk, greatest, bits) = (int(16, 8), int(24, 4), int(28, 4), int(37, 1));
    let (game, inventory) = (int(38, 1), int(39, 1));
    assert_eq!(header, 80 + game + inventory);

    let end = file.len() as u64;
    let footer = end - 64;
    assert_eq!(
        field(end - 8, 8),
        [0x59, 0x4F, 0x53, 0x45, 0x65, 0x6E, 0x64, 0x0A]
    );
    assert_eq!(int(footer + 48, 8), xxh3_64(field(footer, 48)));
    assert_eq!(int(footer, 8), end);
    let (index, summary) = (int(footer + 8, 8), int(footer + 16, 8));
    let chunks = slots.div_ceil(in_chunk);
    assert_eq!(summary - index, 32 * chunks);
    assert_eq!(int(footer + 24, 8), xxh3_64(field(0, header)));
    assert_eq!(int(footer + 32, 8), xxh3_64(field(index, 32 * chunks)));
    assert_eq!(
        int(footer + 40, 8),
        xxh3_64(field(summary, footer - summary))
    );

    let mut numbers = Vec::new();
    let mut next = header;
    for chunk in 0..chunks {
        let entry = index + 32 * chunk;
        let (offset, length) = (int(entry, 8), int(entry + 8, 8));
        assert_eq!(offset, next);
        next = offset + length;
        let packed = field(offset, length);
        assert_eq!(int(entry + 16, 8), xxh3_64(packed));
        let plain = zstd::decode_all(packed).unwrap();
        assert_eq!(int(entry + 24, 8), xxh3_64(&plain));
        let have = in_chunk.min(slots - chunk * in_chunk);
        assert_eq!(plain.len() as u64, (have * bits).div_ceil(8));
        for slot in 0..have {
            let at = usize::try_from(slot * bits / 8).unwrap();
            numbers.push(match bits {
                2 => number(&plain[at..=at]) >> (2 * (slot % 4)) & 3,
                _ => number(&plain[at..at + usize::try_from(bits / 8).unwrap()]),
            });
        }
    }
    assert_eq!(next, index);
    assert!(numbers.iter().all(|number| *number <= greatest));
    let rows = int(summary + 8, 8);
    assert_eq!(footer - summary, 16 + 24 * rows);
    let rows = (0..rows).map(|row| {
        let at = summary + 16 + 24 * row;
        [int(at, 4), int(at + 4, 4), int(at + 8, 8), int(at + 16, 8)]
    });
    Plain {
        game: String::from_utf8(field(72, game).to_vec()).unwrap(),
        inventory: String::from_utf8(field(72 + game, inventory).to_vec()).unwrap(),
        metric: file[36],
        index_version: int(32, 4),
        rules: field(40, 32).try_into().unwrap(),
        numbers,
        start: (int(summary, 4), int(summary + 4, 4)),
        rows: rows.collect(),
    }
}

const NONE: u64 = 0xffff_ffff;

#[test]
fn reader_of_the_document_reads_the_committed() {
    let plain = read(&std::fs::read(FILE).unwrap());
    assert_eq!(
        (plain.game.as_str(), plain.inventory.as_str()),
        ("shogi4", "PF")
    );
    assert_eq!((plain.metric, plain.index_version), (1, 7));
    assert_eq!(
        plain.rules,
        std::array::from_fn(|at| u8::try_from(at).unwrap())
    );
    assert_eq!(plain.numbers, GOLDEN.map(u64::from));
    assert_eq!(plain.start, (2, 2));
    let rows = [
        [1, 1, 3, 12],
        [1, 3, 1, 4],
        [1, 5, 1, 4],
        [2, 2, 2, 8],
        [2, 4, 1, 4],
        [3, NONE, 2, 8],
    ];
    assert_eq!(plain.rows, rows);
}

#[test]
fn reader_of_the_document_reads_every_width() {
    let small: Vec<u32> = (0..21).map(|n| n * n % 3).collect();
    let scaled = |by: u32| small.iter().map(|number| number * by).collect::<Vec<_>>();
    for (metric, code, numbers) in [
        (Metric::Wdl, 0, small.clone()),
        (Metric::Depth, 1, small.clone()),
        (Metric::Depth, 1, scaled(1_001)),
        (Metric::Ranks, 2, scaled(1_000_001)),
        (Metric::Depth, 1, Vec::new()),
    ] {
        let plain = read(&bytes_of(&header(metric, &numbers), &numbers));
        assert_eq!(plain.metric, code);
        let expected: Vec<u64> = numbers.iter().copied().map(u64::from).collect();
        assert_eq!(plain.numbers, expected);
        if numbers.is_empty() {
            assert_eq!((plain.start, plain.rows.len()), ((0, NONE), 0));
        }
    }
}

#[test]
fn fuzz_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/table");
    for (file, expected) in [
        ("depth", None),
        ("cut_off", Some("cut off")),
        ("version", Some("version 2")),
    ] {
        let bytes = std::fs::read(format!("{folder}/{file}")).unwrap();
        match (Table::from_bytes(bytes), expected) {
            (Ok(table), None) => table.verify(super::threads(1)).unwrap(),
            (Err(error), Some(part)) if error.to_string().contains(part) => {}
            (other, _) => panic!("{file}: {other:?}"),
        }
    }
}
