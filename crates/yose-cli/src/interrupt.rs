//! Ctrl-C: exit code 130.

use std::io::Write as _;
use std::process;

use crate::failure::Exit;

/// From now on an interrupt ends the program with the exit code of the contract. Nothing that runs
/// so far leaves anything behind that would have to be put in order first.
#[allow(
    clippy::exit,
    reason = "the computation on the main thread cannot be unwound from the handler's thread"
)]
pub(crate) fn install() {
    // It can only fail where handlers cannot be set; then the system's own way to stop will do.
    let _ = ctrlc::set_handler(|| {
        let _ = writeln!(std::io::stderr(), "\ninterrupted");
        process::exit(Exit::Interrupted as i32);
    });
}
