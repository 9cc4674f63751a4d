//! `yose audit`: certifies a table with code that shares only rules and index with the solver.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::audit::Verdict;

use crate::args::VariantFile;
use crate::context::Context;
use crate::failure::Exit;
use crate::memory;
use crate::output::{Answer, Style, counted, grouped};
use crate::shogi::{self, Audited};

/// Certify a table: check every value against the values one move later.
///
/// A table of distances is checked exactly; a table of outcomes needs the ranks in FILE.ranks,
/// and is called consistent without them. Exit code 0 only if the table is certified.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  yose audit pf.yose")]
pub(crate) struct AuditArgs {
    /// The table.
    table: PathBuf,
    #[command(flatten)]
    file: VariantFile,
    /// The most memory to use, such as 4GiB. Left out: 1 GiB, or as much as is needed.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
}

pub(crate) fn run(args: &AuditArgs, context: &Context) -> anyhow::Result<Exit> {
    let table = shogi::open_table(&args.table, &args.file)?;
    let ranks = shogi::ranks_of(&table)?;
    let audited = shogi::audit_file(&table, ranks.as_ref(), args.memory, context)?;
    let certified = audited.verdict() == Verdict::Certified;
    context.answer(&Found(audited))?;
    Ok(if certified { Exit::Answer } else { Exit::No })
}

/// Faults of a summary that are described in a text.
const MOST_FAULTS: usize = 10;

struct Found(Audited);

impl Answer for Found {
    fn json(&self) -> Json {
        let Found(audited) = self;
        let report = &audited.report;
        let summary: Vec<Json> = audited
            .summary
            .iter()
            .map(|f| json!(f.to_string()))
            .collect();
        let first: Vec<Json> = report
            .first_violations
            .iter()
            .map(|violation| {
                json!({
                    "slot": violation.slot,
                    "sfen": violation.sfen,
                    "usi": violation.usi,
                    "what": violation.to_string(),
                })
            })
            .collect();
        json!({
            "result": audited.verdict().to_string(),
            "positions": report.positions,
            "violations": report.violations,
            "first_violations": first,
            "seconds": audited.seconds,
            "checked": report.checked,
            "summary_faults": summary,
        })
    }

    fn text(&self, style: Style) -> String {
        let Found(audited) = self;
        let (report, seconds) = (&audited.report, audited.seconds);
        let result = audited.verdict().to_string();
        let result = match audited.verdict() {
            Verdict::Certified => style.strong(&result),
            Verdict::Consistent | Verdict::Failed => style.bad(&result),
        };
        let mut text = format!(
            "{result}: {} positions (turn and mirror folded), {}, in {seconds:.2} s\n",
            grouped(report.positions),
            counted(report.violations, "violation"),
        );
        for violation in &report.first_violations {
            text.push_str(&format!("  {violation}\n"));
        }
        for fault in audited.summary.iter().take(MOST_FAULTS) {
            text.push_str(&format!("  {fault}\n"));
        }
        if audited.summary.len() > MOST_FAULTS {
            let more = (audited.summary.len() - MOST_FAULTS) as u64;
            text.push_str(&format!("  and {} more\n", counted(more, "fault")));
        }
        if audited.verdict() == Verdict::Consistent {
            text.push_str(
                "Every value agrees with the values one move later. Wrong ones could support each \
                 other,\nhowever: without distances or ranks (FILE.ranks) that cannot be ruled \
                 out.\n",
            );
        }
        text
    }
}
