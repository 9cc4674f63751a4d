//! Runs what the fuzz targets run over their committed corpus, with a stable compiler.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../fuzz/src/shogi.rs"]
#[allow(unreachable_pub, reason = "it is a module of another crate")]
mod shogi;

/// Calls `target` with every file of its corpus and with each of them cut short.
fn replay(name: &str, target: fn(&[u8])) {
    let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let data = std::fs::read(entry.unwrap().path()).unwrap();
        target(&data);
        let step = data.len() / 60 + 1;
        for end in (0..data.len()).step_by(step) {
            target(&data[..end]);
        }
        files += 1;
    }
    assert!(files >= 8, "{files} files in the corpus of {name}");
}

#[test]
fn sfen() {
    replay("sfen", shogi::sfen);
}

#[test]
fn usi() {
    replay("usi", shogi::usi);
}

#[test]
fn variant_toml() {
    replay("variant_toml", shogi::variant_toml);
}
