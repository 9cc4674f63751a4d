//! What is written is what is read.

use proptest::prelude::*;
use yose_retro::Outcome;
use yose_retro::table::{
    CHUNK_SLOTS, Header, Metric, StartValue, Summary, Table, TableError, TableWriter, Width,
    WriteError,
};
use yose_retro::tally::HistogramRow;

use super::{header, openers, summary, threads, write};

/// Writes, opens in every way, compares everything.
fn check(header: &Header, numbers: &[u32]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let fingerprint = write(&path, header, numbers, 2).unwrap();
    for open in openers() {
        let table = open(&path).unwrap();
        assert_eq!(table.header(), header);
        assert_eq!(*table.summary(), summary(header.metric, numbers));
        assert_eq!(table.fingerprint().unwrap(), fingerprint);
        table.verify(threads(2)).unwrap();
        let single = (0..header.slots).map(|slot| table.value(slot).unwrap());
        assert_eq!(single.collect::<Vec<_>>(), numbers);
        for first in 0..numbers.len().min(20) {
            let mut range = vec![9; numbers.len() - first];
            table.values(first as u64, &mut range).unwrap();
            assert_eq!(range, numbers[first..]);
        }
        for slot in [header.slots, header.slots + 1, u64::MAX] {
            let error = table.value(slot).unwrap_err();
            assert!(
                matches!(error, TableError::SlotOutOfRange { slot: s, slots, .. }
                    if s == slot && slots == header.slots),
                "{error}"
            );
        }
        let error = table.values(1, &mut vec![0; numbers.len()]).unwrap_err();
        assert!(
            matches!(error, TableError::SlotOutOfRange { .. }),
            "{error}"
        );
        assert!(table.chunk(header.chunks()).is_err());
    }
}

#[test]
fn sizes_around_a_chunk() {
    for slots in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 64, 65] {
        for metric in [Metric::Wdl, Metric::Depth, Metric::Ranks] {
            let numbers: Vec<u32> = (0..slots).map(|n| n * 7 % 3).collect();
            check(&header(metric, &numbers), &numbers);
        }
    }
}

#[test]
fn every_width() {
    for (greatest, width, bytes) in [
        (0, Width::Bits8, 9),
        (255, Width::Bits8, 9),
        (256, Width::Bits16, 18),
        (65_535, Width::Bits16, 18),
        (65_536, Width::Bits32, 36),
        (u32::MAX - 1, Width::Bits32, 36),
    ] {
        let numbers: Vec<u32> = (0..9).map(|n| greatest / 8 * n).chain([greatest]).collect();
        let header = header(Metric::Depth, &numbers[1..]);
        assert_eq!((header.width(), header.plain_bytes()), (width, bytes));
        check(&header, &numbers[1..]);
    }
}

#[test]
fn real_chunk_size_across_batches() {
    // More than a batch of one thread, not a whole number of chunks.
    let slots = 5 * (1 << 20) + 12_345u32;
    for (metric, modulus) in [
        (Metric::Depth, 7),
        (Metric::Wdl, 3),
        (Metric::Depth, 70_000),
    ] {
        let numbers: Vec<u32> = (0..slots)
            .map(|n| (n / 100).wrapping_mul(n) % modulus)
            .collect();
        let header = Header {
            chunk_slots: CHUNK_SLOTS,
            ..header(metric, &numbers)
        };
        let mut plain = Vec::new();
        header.width().encode(&numbers, &mut plain);
        let directory = tempfile::tempdir().unwrap();
        // Any number of threads, and any pieces.
        let files = [(1, 1 << 30), (2, 100_003), (8, 6 << 20)].map(|(number, piece)| {
            let path = directory.path().join(format!("{number}"));
            let mut writer = TableWriter::create(&path, header.clone(), threads(number)).unwrap();
            for piece in plain.chunks(piece) {
                writer.write(piece).unwrap();
            }
            writer.finish(&summary(metric, &numbers)).unwrap();
            std::fs::read(path).unwrap()
        });
        assert!(files[0] == files[1] && files[0] == files[2], "{metric}");

        let [bytes, ..] = files;
        let table = Table::from_bytes(bytes).unwrap();
        table.verify(threads(2)).unwrap();
        let mut all = vec![0; numbers.len()];
        table.values(0, &mut all).unwrap();
        assert!(all == numbers, "{metric}");
        let mut loaded = vec![0; plain.len()];
        let chunk_bytes = header.width().bytes(CHUNK_SLOTS);
        for (number, chunk) in (0..).zip(loaded.chunks_mut(chunk_bytes)) {
            table.load_chunk(number, chunk).unwrap();
        }
        assert!(loaded == plain, "{metric}");
        let error = table.load_chunk(0, &mut [0; 3]).unwrap_err();
        assert!(
            matches!(error, TableError::Buffer { got: 3, .. }),
            "{error}"
        );
    }
}

#[test]
fn many_threads_and_a_small_cache() {
    let numbers: Vec<u32> = (0..4_000u32)
        .map(|n| n.wrapping_mul(2_654_435_761) >> 24)
        .collect();
    let header = Header {
        chunk_slots: 64,
        ..header(Metric::Depth, &numbers)
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    write(&path, &header, &numbers, 1).unwrap();
    for open in openers() {
        let table = open(&path).unwrap().with_cache_bytes(2 * 64);
        std::thread::scope(|scope| {
            for thread in 0..16u64 {
                let (table, numbers) = (&table, &numbers);
                scope.spawn(move || {
                    let mut state = thread + 1;
                    for _ in 0..2_000 {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        let slot = (state >> 33) % 4_000;
                        let number = numbers[usize::try_from(slot).unwrap()];
                        assert_eq!(table.value(slot).unwrap(), number, "slot {slot}");
                    }
                });
            }
        });
    }
}

#[test]
fn writer_refuses_what_the_header_denies() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let numbers = [1, 2, 3, 0, 1, 2, 3, 0, 1];
    let good = header(Metric::Depth, &numbers);
    let sum = summary(Metric::Depth, &numbers);
    let plain = numbers.map(|number| u8::try_from(number).unwrap());
    let run = |header: &Header, plain: &[u8], summary: &Summary| {
        let mut writer = TableWriter::create(&path, header.clone(), threads(1))?;
        writer.write(plain)?;
        writer.finish(summary)
    };
    let header_fault = |change: fn(&mut Header)| {
        let mut header = good.clone();
        change(&mut header);
        let error = run(&header, &plain, &sum).unwrap_err();
        assert!(matches!(error, WriteError::Header { .. }), "{error}");
    };
    header_fault(|header| header.game = "x".repeat(256));
    header_fault(|header| header.game = "\u{1b}[31mred".to_owned());
    header_fault(|header| header.inventory = "x".repeat(256));
    header_fault(|header| header.slots = (1 << 56) + 1);
    header_fault(|header| header.chunk_slots = 6);
    header_fault(|header| header.chunk_slots = (1 << 20) + 4);
    header_fault(|header| header.metric = Metric::Wdl);

    let error = run(&good, &[1; 10], &sum).unwrap_err();
    assert!(
        matches!(
            error,
            WriteError::Length {
                expected: 9,
                got: 10
            }
        ),
        "{error}"
    );
    let error = run(&good, &plain[..8], &sum).unwrap_err();
    assert!(
        matches!(
            error,
            WriteError::Length {
                expected: 9,
                got: 8
            }
        ),
        "{error}"
    );
    let error = run(&good, &[1, 2, 3, 1, 1, 1, 1, 1, 4], &sum).unwrap_err();
    let place = matches!(
        error,
        WriteError::Value {
            first_slot: 8,
            last_slot: 8,
            got: 4,
            ..
        }
    );
    assert!(place, "{error}");
    let error = run(&good, &[1; 9], &sum).unwrap_err();
    assert!(
        matches!(
            error,
            WriteError::Greatest {
                expected: 3,
                got: 1
            }
        ),
        "{error}"
    );

    let wdl = Header {
        slots: 5,
        ..header(Metric::Wdl, &[])
    };
    let none = Summary::new(Vec::new(), None);
    let error = run(&wdl, &[0, 0b100], &none).unwrap_err();
    assert!(
        matches!(error, WriteError::UnusedBits { got: 1 }),
        "{error}"
    );
    let error = run(&wdl, &[0b11_00, 0], &none).unwrap_err();
    assert!(matches!(error, WriteError::Value { got: 3, .. }), "{error}");

    let row = |value, depth, canonical, all| HistogramRow {
        value,
        depth,
        canonical,
        all,
    };
    let win = |depth| row(Outcome::Win, depth, 1, 1);
    let mut wrong_sum = sum.clone();
    wrong_sum.tally.canonical.win += 1;
    let mut wrong_order = sum.clone();
    wrong_order.tally.histogram.swap(0, 1);
    let start = StartValue {
        value: Outcome::Loss,
        depth: Some(3),
    };
    for bad in [
        Summary::new(vec![win(None)], None),
        Summary::new(vec![win(Some(2))], None),
        Summary::new(vec![row(Outcome::Draw, Some(2), 1, 1)], None),
        Summary::new(vec![row(Outcome::Loss, Some(0), 1, 1)], None),
        Summary::new(vec![row(Outcome::Draw, None, 2, 1)], None),
        Summary::new(vec![row(Outcome::Draw, None, 0, 0)], None),
        Summary::new(vec![win(Some(1)), win(Some(1))], None),
        Summary::new(Vec::new(), Some(start)),
        wrong_sum,
        wrong_order,
    ] {
        let error = run(&good, &plain, &bad).unwrap_err();
        assert!(matches!(error, WriteError::Summary { .. }), "{error}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    // And the good one passes.
    run(&good, &plain, &sum).unwrap();
}

#[test]
fn nothing_follows_a_failed_write() {
    let directory = tempfile::tempdir().unwrap();
    let numbers = [1; 9];
    let header = header(Metric::Depth, &numbers);
    let path = directory.path().join("table");
    let mut writer = TableWriter::create(&path, header, threads(1)).unwrap();
    assert!(writer.write(&[1; 10]).is_err());
    assert!(matches!(writer.write(&[1; 9]), Err(WriteError::Failed)));
    let error = writer
        .finish(&summary(Metric::Depth, &numbers))
        .unwrap_err();
    assert!(matches!(error, WriteError::Failed), "{error}");
    assert!(!path.exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_table(
        numbers in prop::collection::vec(0..3u32, 0..300),
        scale in prop::sample::select(vec![1, 127, 30_000, 1 << 29]),
        chunk in 1..20u32,
        metric in prop::sample::select(vec![Metric::Wdl, Metric::Depth, Metric::Ranks]),
        game in r"\PC{0,40}",
        index_version in any::<u32>(),
    ) {
        let scale = if metric == Metric::Wdl { 1 } else { scale };
        let numbers: Vec<u32> = numbers.iter().map(|number| number * scale).collect();
        let header = Header {
            game,
            index_version,
            chunk_slots: 4 * chunk,
            ..header(metric, &numbers)
        };
        check(&header, &numbers);
    }
}
