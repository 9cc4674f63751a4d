//! What the fuzz targets do with a text. The crates' own tests run the same functions over the
//! committed corpus with a stable compiler.
//!
//! With a nightly compiler and `cargo install cargo-fuzz`: `cargo +nightly fuzz run sfen`.

pub mod go;
pub mod go_ladder;
pub mod shogi;
