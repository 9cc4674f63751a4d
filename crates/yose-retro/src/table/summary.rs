//! The summary: how many positions of which value, and the value of the start.

use std::cmp::Reverse;
use std::path::Path;

use super::bytes::Fields;
use super::error::{Part, TableError, WriteError};
use super::header::{Header, Metric};
use crate::tally::{Counts, HistogramRow, Tally};
use crate::{Outcome, Value};

const FRONT_BYTES: usize = 16;
const ROW_BYTES: usize = 24;
/// Stands for "no depth".
const NO_DEPTH: u32 = u32::MAX;

/// The value of the start position, as far as the metric knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartValue {
    /// Win, loss or draw for the side to move.
    pub value: Outcome,
    /// Plies to the end; `None` for draws and where the metric is not [`Metric::Depth`].
    pub depth: Option<u32>,
}

/// What `info` says without reading the values. Determined by game, inventory and metric.
///
/// It speaks of all positions, also of those that an index can leave out because a look at the
/// board decides them, so its counts may exceed the slots and its depths the greatest number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Rows and sums, in the order in which [`Tally::of`] makes them: wins by rising distance, then
    /// losses by rising distance, then draws. With a metric other than [`Metric::Depth`] there is
    /// at most one row of each, without a depth.
    pub tally: Tally,
    /// The value of the start, `None` if the game has no start with these pieces.
    pub start: Option<StartValue>,
}

impl Summary {
    /// Gathers rows into a summary. Sums are computed; rows may come in any order, but with no two
    /// of the same value and depth, and all together fewer than 2^64 positions.
    #[must_use]
    pub fn new(mut histogram: Vec<HistogramRow>, start: Option<StartValue>) -> Summary {
        histogram.sort_by_key(order);
        let mut tally = Tally {
            canonical: Counts::default(),
            all: Counts::default(),
            histogram,
        };
        for row in &tally.histogram {
            tally.canonical.add(row.value, row.canonical);
            tally.all.add(row.value, row.all);
        }
        Summary { tally, start }
    }

    /// Whether a table with this header can have this summary.
    ///
    /// # Errors
    ///
    /// [`WriteError::Summary`] with what would be right.
    pub fn check(&self, header: &Header) -> Result<(), WriteError> {
        let fault = |expected: &str, got: String| WriteError::Summary {
            expected: expected.to_owned(),
            got,
        };
        let rows = &self.tally.histogram;
        for row in rows {
            check_depth(header, row.value, row.depth)?;
            if row.canonical == 0 || row.all < row.canonical {
                let expected = "a row with 0 < canonical <= all";
                return Err(fault(expected, format!("{row:?}")));
            }
        }
        for pair in rows.windows(2) {
            if order(&pair[0]) >= order(&pair[1]) {
                let expected = "rows in order: wins, losses, draws, each by rising depth";
                return Err(fault(expected, format!("{:?} then {:?}", pair[0], pair[1])));
            }
        }
        if let Some(start) = self.start {
            check_depth(header, start.value, start.depth)?;
        }
        // No row has more canonical positions than positions, so these fit too.
        let all: u128 = rows.iter().map(|row| u128::from(row.all)).sum();
        if all > u128::from(u64::MAX) {
            return Err(fault("fewer than 2^64 positions", all.to_string()));
        }
        if *self != Summary::new(rows.clone(), self.start) {
            let got = format!("{:?} and {:?}", self.tally.canonical, self.tally.all);
            return Err(fault("counts that are the sums of the rows", got));
        }
        Ok(())
    }

    /// The bytes of a summary that passes [`check`](Summary::check).
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let rows = &self.tally.histogram;
        let mut bytes = Vec::with_capacity(FRONT_BYTES + ROW_BYTES * rows.len());
        let start = self.start;
        let code = start.map_or(0, |start| outcome_code(start.value));
        let depth = start.and_then(|start| start.depth).unwrap_or(NO_DEPTH);
        bytes.extend(code.to_le_bytes());
        bytes.extend(depth.to_le_bytes());
        bytes.extend((rows.len() as u64).to_le_bytes());
        for row in rows {
            bytes.extend(outcome_code(row.value).to_le_bytes());
            bytes.extend(row.depth.unwrap_or(NO_DEPTH).to_le_bytes());
            bytes.extend(row.canonical.to_le_bytes());
            bytes.extend(row.all.to_le_bytes());
        }
        bytes
    }

    /// Reads the section at `offset`, whose checksum has been compared.
    pub(super) fn parse(
        bytes: &[u8],
        header: &Header,
        path: &Path,
        offset: u64,
    ) -> Result<Summary, TableError> {
        let corrupt = |at: usize, expected: &str, got: String| TableError::Corrupt {
            path: path.to_owned(),
            what: Part::Summary,
            offset: offset + at as u64,
            expected: expected.to_owned(),
            got,
        };
        let mut fields = Fields(bytes);
        let start_code = fields.u32();
        let start_depth = fields.u32();
        let count = fields.u64();
        let (rows, rest) = bytes
            .get(FRONT_BYTES..)
            .unwrap_or_default()
            .as_chunks::<ROW_BYTES>();
        if bytes.len() < FRONT_BYTES || !rest.is_empty() || rows.len() as u64 != count {
            let expected = format!("{count} rows of 24 bytes after 16 bytes");
            return Err(corrupt(8, &expected, format!("{} bytes", bytes.len())));
        }
        let value = |code, at| {
            outcome_of(code).ok_or_else(|| corrupt(at, "an outcome from 1 to 3", format!("{code}")))
        };
        let depth = |depth| (depth != NO_DEPTH).then_some(depth);
        let start = match (start_code, start_depth) {
            (0, NO_DEPTH) => None,
            (code, plies) => Some(StartValue {
                value: value(code, 0)?,
                depth: depth(plies),
            }),
        };
        let histogram = rows.iter().enumerate().map(|(number, row)| {
            let mut fields = Fields(row);
            Ok(HistogramRow {
                value: value(fields.u32(), FRONT_BYTES + ROW_BYTES * number)?,
                depth: depth(fields.u32()),
                canonical: fields.u64(),
                all: fields.u64(),
            })
        });
        let histogram = histogram.collect::<Result<Vec<_>, TableError>>()?;
        // The sums below must not overflow.
        let most = histogram
            .iter()
            .map(|row| u128::from(row.all))
            .sum::<u128>();
        let canonical = histogram.iter().map(|row| u128::from(row.canonical));
        if most.max(canonical.sum()) > u128::from(u64::MAX) {
            let got = most.to_string();
            return Err(corrupt(0, "fewer than 2^64 positions", got));
        }
        let summary = Summary {
            tally: Summary::new(histogram.clone(), start).tally,
            start,
        };
        // Before the sort, so that rows out of order are noticed.
        if summary.tally.histogram != histogram {
            return Err(corrupt(0, "rows in order", "others".to_owned()));
        }
        summary
            .check(header)
            .map_err(|fault| corrupt(0, "a possible summary", fault.to_string()))?;
        Ok(summary)
    }
}

/// The order of rows.
fn order(row: &HistogramRow) -> (bool, Reverse<Outcome>, Option<u32>) {
    (row.value == Outcome::Draw, Reverse(row.value), row.depth)
}

/// Whether the metric can give this depth to this outcome.
fn check_depth(header: &Header, value: Outcome, depth: Option<u32>) -> Result<(), WriteError> {
    let possible = match (header.metric, value, depth) {
        (Metric::Depth, Outcome::Win, Some(plies)) => super::code_of(Value::Win(plies)).is_some(),
        (Metric::Depth, Outcome::Loss, Some(plies)) => super::code_of(Value::Loss(plies)).is_some(),
        (Metric::Depth, Outcome::Draw, None) | (Metric::Wdl | Metric::Ranks, _, None) => true,
        _ => false,
    };
    if possible {
        return Ok(());
    }
    Err(WriteError::Summary {
        expected: match header.metric {
            Metric::Depth => "wins at odd, losses at even depths, draws at none".to_owned(),
            metric => format!("no depth in a table of {metric}"),
        },
        got: format!("{value} at {depth:?}"),
    })
}

fn outcome_code(value: Outcome) -> u32 {
    match value {
        Outcome::Win => 1,
        Outcome::Loss => 2,
        Outcome::Draw => 3,
    }
}

fn outcome_of(code: u32) -> Option<Outcome> {
    match code {
        1 => Some(Outcome::Win),
        2 => Some(Outcome::Loss),
        3 => Some(Outcome::Draw),
        _ => None,
    }
}
