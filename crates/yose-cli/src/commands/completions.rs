//! `yose completions`: completions for a shell, made from the definitions of the commands.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use serde_json::{Value as Json, json};

use crate::args::Cli;
use crate::context::Context;
use crate::failure::Exit;
use crate::output::{Answer, Style};

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
    if context.json {
        context.answer(&Script {
            shell: args.shell,
            script: String::from_utf8(script)?,
        })?;
    } else {
        context.raw(&script)?;
    }
    Ok(Exit::Answer)
}

/// Completions as a JSON document.
struct Script {
    shell: Shell,
    script: String,
}

impl Answer for Script {
    fn json(&self) -> Json {
        json!({ "shell": self.shell.to_string(), "script": self.script })
    }

    fn text(&self, _: Style) -> String {
        self.script.clone()
    }
}
