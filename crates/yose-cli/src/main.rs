//! The `yose` binary: arguments in, exact answers out.
//!
//! Layers: [`args`] says what may be typed, [`context`] resolves it to what holds (threads, memory,
//! colour), one file in [`commands`] per command computes an answer, [`output`] writes it. Nothing
//! else in the workspace prints or exits.

mod args;
mod commands;
mod context;
mod failure;
mod input;
mod interrupt;
mod memory;
mod output;
mod progress;
mod shogi;
mod usage;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::context::Context;

fn main() -> ExitCode {
    let cli = Cli::parse_from(args::words(std::env::args_os()));
    interrupt::install();
    let context = Context::resolve(&cli.global);
    let exit = commands::run(cli.command, &context)
        .unwrap_or_else(|error| failure::report(&error, &context));
    ExitCode::from(exit as u8)
}
