//! The audit behind the command line: of a table file, or of a solve that was not written.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use yose_retro::table::TableError;
use yose_shogi::DropShogi;
use yose_shogi::audit::{AuditError, AuditReport, Options, Verdict};
use yose_shogi::probe::ProbeError;
use yose_shogi::table::{Claims, SummaryFault, TableFile};

use super::table_failure;
use crate::context::Context;
use crate::failure::Failure;
use crate::memory;
use crate::progress::Progress;

/// The auditor is given this much unless it needs more: with it most tables are read about twice.
const MEMORY: u64 = 1 << 30;

/// A report, what is wrong with the summary of a file, and how long it took.
#[derive(Debug)]
pub(crate) struct Audited {
    pub(crate) report: AuditReport,
    pub(crate) summary: Vec<SummaryFault>,
    pub(crate) seconds: f64,
}

impl Audited {
    /// The outcome: a summary that the values contradict is a failure too.
    pub(crate) fn verdict(&self) -> Verdict {
        if self.summary.is_empty() {
            self.report.result
        } else {
            Verdict::Failed
        }
    }
}

/// Audits a table file: its values, then its summary.
pub(crate) fn audit_file(
    file: &TableFile,
    ranks: Option<&TableFile>,
    asked: Option<u64>,
    context: &Context,
) -> anyhow::Result<Audited> {
    let claims = Claims::of_file(file, ranks);
    let mut audited = audit(file.game(), &claims, asked, context)?;
    audited.summary = file
        .summary_faults(&audited.report)
        .map_err(|error| match error {
            ProbeError::Table(error) => anyhow::Error::from(table_failure(&error)),
            other => other.into(),
        })?;
    Ok(audited)
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
                    summary: Vec::new(),
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
