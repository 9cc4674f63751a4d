//! The `yose` binary.
fn main() {}
