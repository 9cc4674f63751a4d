//! Whether the summary of a table is what its values add up to.

use std::collections::BTreeMap;

use yose_retro::Outcome;
use yose_retro::table::{Metric, StartValue, Summary, TableError};
use yose_retro::tally::{HistogramRow, Tally};

use super::TableFile;
use crate::audit::AuditReport;
use crate::probe::{ProbeError, Verdict};

/// Something that the summary or the header of a table says and its values do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryFault {
    /// What it is about: a row of the histogram, the start, the greatest number.
    pub what: String,
    /// What the file says.
    pub claimed: String,
    /// What the values add up to.
    pub found: String,
}

impl std::fmt::Display for SummaryFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SummaryFault {
            what,
            claimed,
            found,
        } = self;
        write!(
            f,
            "summary, {what}: {claimed} claimed, but the values say {found}"
        )
    }
}

impl TableFile {
    /// Compares the summary and the header with what an audit of the same file has counted.
    ///
    /// An audit that found no violations and a summary without faults mean that everything the file
    /// says of its game is right.
    ///
    /// # Errors
    /// If the value of the start cannot be read.
    pub fn summary_faults(
        &self,
        report: &AuditReport,
    ) -> Result<Vec<SummaryFault>, ProbeError<TableError>> {
        let (header, summary) = (self.table().header(), self.table().summary());
        let mut faults = Vec::new();
        let mut compare = |what: String, claimed: String, found: String| {
            if claimed != found {
                faults.push(SummaryFault {
                    what,
                    claimed,
                    found,
                });
            }
        };
        let counted = match header.metric {
            Metric::Depth => report.tally.clone(),
            Metric::Wdl | Metric::Ranks => without_depths(&report.tally),
        };
        let (claimed, found) = (rows(&summary.tally), rows(&counted));
        for key in claimed
            .keys()
            .chain(found.keys().filter(|k| !claimed.contains_key(k)))
        {
            let text = |row: Option<&&HistogramRow>| match row {
                Some(row) => format!("{} positions, {} in all", row.canonical, row.all),
                None => "none".to_owned(),
            };
            let what = match key.1 {
                Some(plies) => format!("{} in {plies}", key.0),
                None => key.0.to_string(),
            };
            compare(what, text(claimed.get(key)), text(found.get(key)));
        }
        let text = |start: Option<StartValue>| match start {
            Some(StartValue { value, depth }) => match depth {
                Some(plies) => format!("{value} in {plies}"),
                None => value.to_string(),
            },
            None => "no value".to_owned(),
        };
        // Variants of other names may have the same rules and start elsewhere.
        if header.game == self.game().variant().name {
            let found = text(self.start()?);
            compare("the start".to_owned(), text(summary.start), found);
        }
        let greatest = match header.metric {
            Metric::Wdl => 2,
            Metric::Depth | Metric::Ranks => report.greatest,
        };
        let what = "the greatest number".to_owned();
        compare(what, header.greatest.to_string(), greatest.to_string());
        Ok(faults)
    }

    /// What the values say of the start, in the metric of the summary.
    fn start(&self) -> Result<Option<StartValue>, ProbeError<TableError>> {
        let Some(start) = self.game().variant().start(self.game().inventory()) else {
            return Ok(None);
        };
        Ok(match self.prober().value(&start)? {
            // No table can hold a game that is over before it begins.
            Verdict::Known {
                outcome: Outcome::Loss,
                depth: Some(0),
            }
            | Verdict::Unknown => None,
            Verdict::Known { outcome, depth } => Some(StartValue {
                value: outcome,
                depth: depth.filter(|_| self.table().header().metric == Metric::Depth),
            }),
        })
    }
}

fn rows(tally: &Tally) -> BTreeMap<(Outcome, Option<u32>), &HistogramRow> {
    let rows = tally.histogram.iter();
    rows.map(|row| ((row.value, row.depth), row)).collect()
}

fn without_depths(tally: &Tally) -> Tally {
    let mut rows: BTreeMap<Outcome, HistogramRow> = BTreeMap::new();
    for row in &tally.histogram {
        let sum = rows.entry(row.value).or_insert(HistogramRow {
            value: row.value,
            depth: None,
            canonical: 0,
            all: 0,
        });
        sum.canonical += row.canonical;
        sum.all += row.all;
    }
    Summary::new(rows.into_values().collect(), None).tally
}
