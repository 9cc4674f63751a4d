//! How fast objects are written and read: plain and compressed, by the store's own files and, for
//! comparison, by `object_store`'s local file system.
//!
//! `cargo run --release -p yose-store --example rate -- DIRECTORY [MEBIBYTES]`

#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "an example that prints rates"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Instant;

use common::bytes;
use object_store::local::LocalFileSystem;
use yose_store::{Coding, Identity, Location, Mode, Store};

fn run(name: &str, location: &Location, coding: Coding, mebibytes: usize) {
    let identity = Identity::new().with("game", "rate");
    let store = Store::open(location, &identity, Mode::Either).expect("opens");
    let piece = bytes(1, 1 << 20);
    let clock = Instant::now();
    let mut writer = store.writer("cell", coding).expect("opens");
    for _ in 0..mebibytes {
        writer.put(&piece).expect("written");
    }
    let object = writer.finish().expect("written");
    let written = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    store.publish(vec![object.clone()], &[]).expect("published");
    let published = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let mut reader = store.read(&object).expect("opens");
    while reader.next_block().expect("whole").is_some() {}
    let read = clock.elapsed().as_secs_f64();
    let rate = |seconds: f64| mebibytes as f64 / seconds;
    println!(
        "{name:24} write {:6.0} MiB/s, publish {published:.2} s, read {:6.0} MiB/s, stored {:.3}",
        rate(written),
        rate(read),
        object.stored_bytes() as f64 / object.plain_bytes() as f64
    );
}

fn main() {
    let mut args = std::env::args().skip(1);
    let directory = args.next().expect("a directory");
    let mebibytes = args
        .next()
        .map_or(512, |number| number.parse().expect("a number"));
    let codings = [
        ("plain", Coding::Plain),
        ("zstd 1", Coding::Zstd(1)),
        ("zstd 3", Coding::Zstd(3)),
    ];
    for (name, coding) in codings {
        let root = format!("{directory}/own");
        run(
            &format!("own files, {name}"),
            &Location::directory(root),
            coding,
            mebibytes,
        );
    }
    let root = format!("{directory}/object_store");
    std::fs::create_dir_all(&root).expect("made");
    let files = LocalFileSystem::new_with_prefix(&root).expect("opens");
    let files = Arc::new(files.with_fsync(true));
    let location = Location::remote(files, "", root);
    run("object_store, plain", &location, Coding::Plain, mebibytes);
}
