//! Runs what the fuzz targets run over their committed corpus, with a stable compiler.

#![allow(
    unreachable_pub,
    reason = "the file is a module of another crate as well"
)]

#[path = "../../../fuzz/src/go.rs"]
mod go;
#[path = "../../../fuzz/src/go_ladder.rs"]
mod go_ladder;

fn replay(name: &str, run: fn(&[u8])) {
    let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus is there") {
        run(&std::fs::read(entry.expect("readable").path()).expect("readable"));
        files += 1;
    }
    assert!(files >= 5, "{folder} holds {files} files");
}

#[test]
fn vertices() {
    replay("go_vertex", go::vertex);
}

#[test]
fn boards() {
    replay("go_board", go::board);
}

#[test]
fn ladders() {
    replay("go_ladder", go_ladder::ladders);
}
