//! The audit behind the command line: of a table file, or of a solve that was not written.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use yose_retro::table::TableError;
use yose_shogi::DropShogi;
use yose_shogi::audit::{AuditError, AuditReport, Options};
use yose_shogi::table::Claims;

use super::table_failure;
use crate::context::Context;
use crate::failure::Failure;
use crate::memory;
use crate::progress::Progress;

/// The auditor is given this much unless it needs more: with it most tables are read about twice.
const MEMORY: u64 = 1 << 30;

/// A report, and how long it took.
#[derive(Debug)]
pub(crate) struct Audited {
    pub(crate) report: AuditReport,
    pub(crate) seconds: f64,
}

/// Audits what a game's solve or table claims.
pub(crate) fn audit(
    game: &DropShogi,
    claims: &Claims<'_>,
    asked: Option<u64>,
    context: &Context,
) -> anyhow::Result<Audited> {
    let clock = Instant::now();
    let limit = memory::limit(asked);
    let mut bytes = limit.map_or(MEMORY, |limit| limit.min(MEMORY));
    let bar = Mutex::new(Progress::new(context));
    let progress = |step: yose_shogi::audit::Progress| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        bar.steps("auditing", step.slices as u64, step.total as u64);
    };
    loop {
        let options = Options::default()
            .with_threads(context.threads)
            .with_memory(bytes);
        match claims.audit(game, &options, &progress) {
            Ok(report) => {
                return Ok(Audited {
                    report,
                    seconds: clock.elapsed().as_secs_f64(),
                });
            }
            // Found out before anything is read, so nothing is lost.
            Err(AuditError::TooLittleMemory { needed, given }) => {
                memory::check("the audit", needed, asked)?;
                if needed <= given {
                    return Err(Failure::usage("the audit needs more memory").into());
                }
                bytes = needed;
            }
            Err(error) => return Err(failure(error)),
        }
    }
}

fn failure(error: AuditError<TableError>) -> anyhow::Error {
    match error {
        AuditError::Source(error) => table_failure(&error).into(),
        other => other.into(),
    }
}
