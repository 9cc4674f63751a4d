//! Files: missing ones, unfinished ones, full disks.

use std::fs;
use std::path::Path;
use std::process::Command;

use yose_retro::table::{Header, Metric, Table, TableError, TableWriter, WriteError};

use super::{header, openers, threads, write};

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_missing_file_is_missing_for_everyone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none");
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let error = Table::open(&path).unwrap_err();
                    assert!(matches!(&error, TableError::Missing { path: p } if *p == path));
                    #[cfg(feature = "mmap")]
                    assert!(matches!(
                        Table::open_mmap(&path),
                        Err(TableError::Missing { .. })
                    ));
                }
            });
        }
    });
}

#[test]
fn what_is_no_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for text in ["", "x", "SFEN", "\u{89}YOSE", &"x".repeat(1_000)] {
        fs::write(&path, text).unwrap();
        for open in openers() {
            let error = open(&path).unwrap_err();
            assert!(
                matches!(error, TableError::NotATable { .. }),
                "{text:?}: {error}"
            );
        }
    }
    let not_regular = [
        directory.path(),
        #[cfg(unix)]
        Path::new("/dev/zero"),
    ];
    for path in not_regular {
        let error = Table::open(path).unwrap_err();
        assert!(matches!(error, TableError::NotATable { .. }), "{error}");
    }
    let mut other_version = super::bytes_of(&header(Metric::Depth, &[1]), &[1]);
    other_version[8] = 2;
    let error = Table::from_bytes(other_version).unwrap_err();
    let typed = matches!(
        error,
        TableError::Version {
            expected: 1,
            got: 2,
            ..
        }
    );
    assert!(typed, "{error}");
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    fs::write(&path, "old").unwrap();
    let new = || TableWriter::create(&path, header(Metric::Depth, &[1; 9]), threads(1)).unwrap();
    let mut writer = new();
    writer.write(&[1; 4]).unwrap();
    assert_eq!(names(directory.path()).len(), 2);
    drop(writer);
    assert_eq!(names(directory.path()), ["table"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");

    // Two writers of one name do not disturb each other; the last to finish stays.
    let (mut one, mut two) = (new(), new());
    one.write(&[1; 9]).unwrap();
    two.write(&[1; 9]).unwrap();
    let summary = super::summary(Metric::Depth, &[1; 9]);
    let fingerprint = one.finish(&summary).unwrap();
    assert_eq!(two.finish(&summary).unwrap(), fingerprint);
    assert_eq!(names(directory.path()), ["table"]);
    assert_eq!(
        Table::open(&path).unwrap().fingerprint().unwrap(),
        fingerprint
    );
}

#[test]
fn an_open_table_outlives_its_replacement() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    write(&path, &header(Metric::Depth, &[1; 20]), &[1; 20], 1).unwrap();
    let old: Vec<_> = openers().iter().map(|open| open(&path).unwrap()).collect();
    write(&path, &header(Metric::Depth, &[2; 20]), &[2; 20], 1).unwrap();
    for table in old {
        assert_eq!(table.value(19).unwrap(), 1);
    }
    assert_eq!(Table::open(&path).unwrap().value(19).unwrap(), 2);
}

#[test]
fn no_file_can_be_made_there() {
    let directory = tempfile::tempdir().unwrap();
    let create = |path: &Path| TableWriter::create(path, header(Metric::Depth, &[1]), threads(1));
    let error = create(&directory.path().join("none/table")).unwrap_err();
    assert!(matches!(error, WriteError::Io { .. }), "{error}");
    let error = create(directory.path()).unwrap_err();
    assert!(matches!(error, WriteError::NotAFile { .. }), "{error}");
    let error = create(Path::new("..")).unwrap_err();
    assert!(matches!(error, WriteError::NotAFile { .. }), "{error}");
    // Renaming over a device would take it away from everyone.
    #[cfg(unix)]
    assert!(matches!(
        create(Path::new("/dev/null")),
        Err(WriteError::NotAFile { .. })
    ));
}

/// Where the processes below work.
const PLACE: &str = "YOSE_TEST_PLACE";

/// Runs in a process that may have few files open: see below.
#[test]
#[ignore = "run by opened_a_thousand_times in a process of its own"]
fn few_files_process() {
    let path = std::path::PathBuf::from(std::env::var_os(PLACE).unwrap());
    for round in 0..1_000 {
        if round % 20 == 0 {
            write(&path, &header(Metric::Depth, &[1, 2, 3]), &[1, 2, 3], 1).unwrap();
        }
        for open in openers() {
            assert_eq!(open(&path).unwrap().value(2).unwrap(), 3);
        }
    }
    println!("as expected: none stayed open");
}

/// Runs in a process that may not make files beyond some size: see below.
#[test]
#[ignore = "run by full_disk in a process of its own"]
fn full_disk_process() {
    let path = std::path::PathBuf::from(std::env::var_os(PLACE).unwrap());
    // Noise, so that it stays large when compressed.
    let mut state = 1u32;
    let plain: Vec<u8> = (0..6 << 20)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_le_bytes()[3]
        })
        .collect();
    let header = Header {
        slots: plain.len() as u64,
        greatest: 255,
        ..header(Metric::Depth, &[])
    };
    let mut writer = TableWriter::create(path, header, threads(1)).unwrap();
    let error = writer.write(&plain).unwrap_err();
    assert!(matches!(error, WriteError::Io { .. }), "{error}");
    println!("as expected: {error}");
}

/// Runs one of the tests above in a process with limits set by the shell.
#[cfg(unix)]
fn run_limited(limits: &str, test: &str, path: &Path) {
    let output = Command::new("sh")
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture"])
        .env(PLACE, path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let passed = output.status.success() && text.contains("as expected");
    assert!(passed, "{output:?}");
}

#[cfg(unix)]
#[test]
fn opened_a_thousand_times() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    run_limited("ulimit -n 40", "files::few_files_process", &path);
    assert_eq!(names(directory.path()), ["table"]);
}

#[cfg(unix)]
#[test]
fn full_disk() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    // A limit on the size of files, whose signal is ignored, fails a write like a full disk does.
    let limits = "trap '' XFSZ; ulimit -f 64";
    run_limited(limits, "files::full_disk_process", &path);
    assert_eq!(names(directory.path()), Vec::<String>::new());
}
