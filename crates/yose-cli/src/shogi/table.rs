//! Table files behind the command line: opening them, what beside them says, looking values up.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use yose_retro::table::{Metric, Table, TableError};
use yose_shogi::probe::{ProbeError, Probed};
use yose_shogi::table::{OpenError, TableFile};
use yose_shogi::{Position, Variant};

use super::report::RunData;
use super::{Judged, load, name};
use crate::args::VariantFile;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::grouped;

/// What went wrong with a table, with the exit code of the contract.
pub(crate) fn table_failure(error: &TableError) -> Failure {
    match error {
        TableError::Missing { .. } => Failure::new(Exit::MissingTable, error.to_string())
            .hint("`yose solve VARIANT -o FILE` makes a table"),
        TableError::Io { .. } => Failure::usage(error.to_string()),
        // Errors of the container name the place in the file; these are about its beginning.
        TableError::NotATable { .. } => {
            Failure::new(Exit::CorruptTable, format!("{error} at offset 0"))
        }
        TableError::Version { .. } => {
            Failure::new(Exit::CorruptTable, format!("{error} (offset 8)"))
        }
        _ => Failure::new(Exit::CorruptTable, error.to_string()),
    }
}

fn open_failure(error: &OpenError) -> Failure {
    match error {
        OpenError::Table(error) => table_failure(error),
        OpenError::OtherRules { .. } => Failure::usage(error.to_string())
            .hint("name the variant's own file with --variant-file"),
        OpenError::OtherIndex { .. } => {
            Failure::usage(error.to_string()).hint("solve it again with this version")
        }
        _ => Failure::new(Exit::CorruptTable, error.to_string()),
    }
}

/// Opens a file as a table, of whatever game.
pub(crate) fn open(path: &Path) -> Result<Table, Failure> {
    Table::open(path).map_err(|error| table_failure(&error))
}

/// Opens a table of drop shogi: of the variant in the file given, or of the built-in one that its
/// header names.
pub(crate) fn open_table(path: &Path, file: &VariantFile) -> anyhow::Result<TableFile> {
    let table = open(path)?;
    if table.header().metric == Metric::Ranks {
        return Err(Failure::usage(format!(
            "{} holds the ranks of a table, which are no distances",
            path.display()
        ))
        .hint("name the table beside it, the same name without .ranks")
        .into());
    }
    let variant = if file.variant_file.is_some() {
        load(None, file)?
    } else {
        let game = &table.header().game;
        Variant::built_in(game).ok_or_else(|| {
            Failure::usage(format!(
                "{}: the table is of {game}, which is not built in",
                path.display()
            ))
            .hint("name the variant's own file with --variant-file")
        })?
    };
    of_variant(table, variant)
}

/// Takes a table that must be of this variant.
pub(crate) fn of_variant(table: Table, variant: Variant) -> anyhow::Result<TableFile> {
    Ok(TableFile::new(table, variant).map_err(|error| open_failure(&error))?)
}

/// The name of a file that stands beside a table.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// The ranks beside a table of outcomes, if there are any.
pub(crate) fn ranks_of(file: &TableFile) -> anyhow::Result<Option<TableFile>> {
    if file.table().header().metric != Metric::Wdl {
        return Ok(None);
    }
    let path = beside(file.table().path(), ".ranks");
    let table = match Table::open(&path) {
        Ok(table) => table,
        Err(TableError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(table_failure(&error).into()),
    };
    let ranks = of_variant(table, file.game().variant().clone())?;
    if ranks.table().header().metric != Metric::Ranks || ranks.game().index() != file.game().index()
    {
        return Err(Failure::new(
            Exit::CorruptTable,
            format!("{}: these are not the ranks of that table", path.display()),
        )
        .into());
    }
    Ok(Some(ranks))
}

/// Writes the run data beside a table, complete or not at all.
pub(crate) fn write_run_data(table: &Path, run: &RunData) -> anyhow::Result<()> {
    let path = beside(table, ".run.json");
    let unfinished = beside(table, &format!(".run.json.{}.tmp", std::process::id()));
    let mut text = serde_json::to_string_pretty(run)?;
    text.push('\n');
    fs::write(&unfinished, text)
        .and_then(|()| fs::rename(&unfinished, &path))
        .inspect_err(|_| {
            // It may not be there at all.
            let _ = fs::remove_file(&unfinished);
        })
        .with_context(|| format!("writing {}", path.display()))
}

/// Run data are a few lines, or a few hundred with a histogram.
const MOST_RUN_DATA: u64 = 16 << 20;

/// The run data beside a table, if they are there, readable, and of this very table.
pub(crate) fn read_run_data(table: &Path, fingerprint: &str) -> Option<RunData> {
    let text = input::file(&beside(table, ".run.json"), MOST_RUN_DATA).ok()?;
    let run: RunData = serde_json::from_str(&text).ok()?;
    (run.fingerprint.as_deref() == Some(fingerprint)).then_some(run)
}

fn probe_failure(table: &TableFile, error: &ProbeError<TableError>) -> Failure {
    match error {
        ProbeError::Table(error) => table_failure(error),
        other => Failure::new(
            Exit::CorruptTable,
            format!("{}: {other}", table.table().path().display()),
        ),
    }
}

/// Positions with their moves, looked up in a table.
pub(crate) fn probe_all(table: &TableFile, positions: &[Position]) -> anyhow::Result<Vec<Probed>> {
    let probed = table.prober().probe_all(positions);
    Ok(probed.map_err(|error| probe_failure(table, &error))?)
}

/// A position with its moves and the line of best play, looked up in a table.
pub(crate) fn judge(table: &TableFile, position: &Position) -> anyhow::Result<Judged> {
    let values = match table.table().header().metric {
        Metric::Depth => "distances",
        Metric::Wdl => "outcomes",
        Metric::Ranks => "ranks",
    };
    let evidence = format!(
        "table {}: {values} of all {} positions of {} (turn and mirror folded)",
        table.table().path().display(),
        grouped(table.table().summary().tally.canonical.positions()),
        name(table.game()),
    );
    let judged = Judged::solved(&table.prober(), table.game().rules(), position, evidence);
    Ok(judged.map_err(|error| probe_failure(table, &error))?)
}
