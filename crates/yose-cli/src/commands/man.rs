//! `yose man`: writes the manual pages, for those who build packages.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use serde_json::{Value as Json, json};

use crate::args::Cli;
use crate::context::Context;
use crate::failure::Exit;
use crate::output::{Answer, Style};

/// Write the manual pages into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  yose man target/man")]
pub(crate) struct ManArgs {
    /// Where to write `yose.1`, `yose-best.1` and so on; made if it does not exist.
    folder: PathBuf,
}

pub(crate) fn run(args: &ManArgs, context: &Context) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("writing manual pages to {}", folder.display()))?;
    if context.json {
        context.answer(&Written(folder.display().to_string()))?;
    } else {
        context.remark(&format!("manual pages written to {}", folder.display()));
    }
    Ok(Exit::Answer)
}

/// Where the pages are.
struct Written(String);

impl Answer for Written {
    fn json(&self) -> Json {
        json!({ "folder": self.0 })
    }

    fn text(&self, _: Style) -> String {
        format!("manual pages written to {}\n", self.0)
    }
}
