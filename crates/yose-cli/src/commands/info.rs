//! `yose info`: what a table file holds, and how it was made.

use std::path::PathBuf;

use clap::Args;
use yose_shogi::probe::Verdict;

use crate::context::Context;
use crate::failure::Exit;
use crate::shogi::{self, FileFacts, Report};

/// Show what a table holds: counts, histogram, fingerprint, and how it was made.
///
/// The whole file is read and every checksum compared first.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  yose info pf.yose")]
pub(crate) struct InfoArgs {
    /// The table.
    file: PathBuf,
}

pub(crate) fn run(args: &InfoArgs, context: &Context) -> anyhow::Result<Exit> {
    let table = shogi::open(&args.file)?;
    table
        .verify(context.threads)
        .map_err(|error| shogi::table_failure(&error))?;
    let fingerprint = table
        .fingerprint()
        .map_err(|error| shogi::table_failure(&error))?
        .to_string();
    let header = table.header();
    let summary = table.summary();
    let mut run = shogi::read_run_data(&args.file, &fingerprint).unwrap_or_default();
    run.fingerprint = Some(fingerprint);
    context.answer(&Report {
        variant: header.game.clone(),
        pieces: header.inventory.clone(),
        metric: header.metric,
        tally: summary.tally.clone(),
        start: summary.start.map(|start| Verdict::Known {
            outcome: start.value,
            depth: start.depth,
        }),
        run,
        file: Some(FileFacts {
            path: args.file.display().to_string(),
            bytes: table.file_bytes(),
            slots: header.slots,
            bits: header.width().bits(),
            chunks: header.chunks(),
            format_version: yose_retro::table::FORMAT_VERSION,
            index_version: header.index_version,
            rules: header
                .rules_hash
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        }),
    })?;
    Ok(Exit::Answer)
}
