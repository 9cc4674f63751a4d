//! One file per command: its arguments, what it computes, how the answer looks.
//!
//! A command takes its arguments and the [`Context`], computes, hands one
//! [`Answer`](crate::output::Answer) to the context and says how to exit. To add a command: a file
//! here, a line in [`Command`] and one in [`run`].

pub(crate) mod audit;
pub(crate) mod best;
pub(crate) mod board;
pub(crate) mod cgt;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod encode;
pub(crate) mod go;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod race;
pub(crate) mod solve;
pub(crate) mod sum;
pub(crate) mod variants;

use crate::args::Command;
use crate::context::Context;
use crate::failure::Exit;

pub(crate) fn run(command: Command, context: &Context) -> anyhow::Result<Exit> {
    match command {
        Command::Best(args) => best::run(&args, context),
        Command::Solve(args) => solve::run(&args, context),
        Command::Audit(args) => audit::run(&args, context),
        Command::Probe(args) => probe::run(&args, context),
        Command::Info(args) => info::run(&args, context),
        Command::Moves(args) => moves::run(&args, context),
        Command::Perft(args) => perft::run(&args, context),
        Command::Plan(args) => plan::run(&args, context),
        Command::Count(args) => count::run(&args, context),
        Command::Index(args) => index::run(&args, context),
        Command::Cgt(args) => cgt::run(&args, context),
        Command::Encode(args) => encode::run(&args, context),
        Command::Variants(args) => variants::run(&args, context),
        Command::Race(args) => race::run(&args, context),
        Command::Board(args) => board::run(&args, context),
        Command::Completions(args) => completions::run(&args, context),
        Command::Man(args) => man::run(&args, context),
    }
}
