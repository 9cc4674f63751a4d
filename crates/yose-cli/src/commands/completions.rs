//! `yose completions`: completions for a shell, made from the definitions of the commands.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;
use crate::context::Context;
use crate::failure::Exit;

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  yose completions bash > ~/.local/share/bash-completion/completions/yose"
)]
pub(crate) struct CompletionsArgs {
    /// The shell to complete in.
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, context: &Context) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "yose", &mut script);
    context.raw(&script)?;
    Ok(Exit::Answer)
}
