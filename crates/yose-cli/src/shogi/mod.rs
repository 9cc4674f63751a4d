//! Drop shogi behind the command line: which variant, which pieces, which values.

mod by_rule;
mod certify;
pub(crate) mod cost;
mod cuts;
mod kernel;
mod on_the_spot;
mod reference;
mod report;
mod table;
mod verdict;

use yose_shogi::table::TableFile;
use yose_shogi::{Counts, DropShogi, Inventory, Position, Variant};

use crate::args::{PiecesArg, VariantArg, VariantFile};
use crate::failure::Failure;
use crate::input;
use crate::output::grouped;

pub(crate) use certify::{Audited, audit, audit_file};
pub(crate) use cuts::{cut, cuts};
pub(crate) use kernel::{KernelSolved, domains, value_by_cell, whole_tally};
pub(crate) use on_the_spot::on_the_spot;
pub(crate) use reference::ReferenceSolved;
pub(crate) use report::{
    Counted, ExchangeData, FileFacts, Report, RunData, ScratchData, Seconds, metred, rows,
};
pub(crate) use table::{
    beside, judge, of_variant, open, open_table, probe_all, ranks_of, read_run_data, table_failure,
    write_run_data,
};
pub(crate) use verdict::{
    Judged, best, moves_json, moves_text, probed_json, value_json, value_text,
};

/// Largest variant file that is read; the built-in ones have about 2 KiB.
const MOST_FILE_BYTES: u64 = 1 << 20;

/// All built-in variants.
pub(crate) fn built_in() -> anyhow::Result<Vec<Variant>> {
    Variant::built_in_names()
        .iter()
        .map(|name| named(name))
        .collect()
}

fn named(name: &str) -> anyhow::Result<Variant> {
    Variant::built_in(name).ok_or_else(|| {
        Failure::usage(format!("unknown variant '{name}'"))
            .hint(format!(
                "built in are {}; a variant of your own comes with --variant-file",
                Variant::built_in_names().join(", ")
            ))
            .into()
    })
}

/// The variant that is named, or that of the file.
pub(crate) fn load(name: Option<&str>, file: &VariantFile) -> anyhow::Result<Variant> {
    Ok(load_with_data(name, file)?.0)
}

/// As [`load`], together with the text of the data file.
pub(crate) fn load_with_data(
    name: Option<&str>,
    file: &VariantFile,
) -> anyhow::Result<(Variant, String)> {
    match (name, &file.variant_file) {
        (Some(name), None) => {
            let data = Variant::built_in_text(name).unwrap_or_default();
            Ok((named(name)?, data.to_owned()))
        }
        (None, Some(path)) => {
            let shown = path.display();
            let data = input::file(path, MOST_FILE_BYTES)?;
            let variant = Variant::parse(&data).map_err(|error| {
                Failure::usage(format!("{shown}: {error}"))
                    .hint("`yose variants shogi4` prints a file to start from")
            })?;
            Ok((variant, data))
        }
        (Some(name), Some(_)) => Err(Failure::usage(format!(
            "'{name}' and --variant-file both name a variant; give one of them"
        ))
        .into()),
        (None, None) => Err(Failure::usage("a variant is missing").into()),
    }
}

impl VariantArg {
    /// The variant that these arguments name.
    pub(crate) fn load(&self) -> anyhow::Result<Variant> {
        load(self.variant.as_deref(), &self.file)
    }
}

impl PiecesArg {
    /// The inventory that was typed, or the full set.
    pub(crate) fn inventory(&self, variant: &Variant) -> anyhow::Result<Inventory> {
        match &self.pieces {
            Some(letters) => inventory(letters, variant),
            None => Ok(Inventory::full(variant)),
        }
    }
}

/// Reads the letters of --pieces.
pub(crate) fn inventory(letters: &str, variant: &Variant) -> anyhow::Result<Inventory> {
    Inventory::parse(letters, variant)
        .map_err(|error| Failure::usage(format!("--pieces '{letters}': {error}")).into())
}

/// Refuses pieces typed that are not those of the position.
pub(crate) fn check_pieces(
    typed: Option<&str>,
    variant: &Variant,
    position: &Inventory,
) -> anyhow::Result<()> {
    let Some(letters) = typed else {
        return Ok(());
    };
    let named = inventory(letters, variant)?;
    if named == *position {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the position is played with {}, --pieces says {}",
        position.text(variant),
        named.text(variant)
    ))
    .into())
}

/// Refuses a position that is played with other pieces than the table is of.
pub(crate) fn check_inventory(table: &TableFile, position: &Position) -> Result<(), Failure> {
    let (variant, inventory) = (table.game().variant(), position.inventory());
    if inventory == *table.game().inventory() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the position {} is played with {}, the table {} is of {}",
        variant.sfen(position),
        inventory.text(variant),
        table.table().path().display(),
        table.game().inventory().text(variant)
    )))
}

/// The variant and the rest of the words: the first word names the variant unless a file does.
pub(crate) fn split_words<'w>(
    words: &'w [String],
    file: &VariantFile,
) -> anyhow::Result<(Variant, &'w [String])> {
    if file.variant_file.is_some() {
        return Ok((load(None, file)?, words));
    }
    let Some((name, rest)) = words.split_first() else {
        return Err(Failure::usage("a variant is missing").into());
    };
    Ok((load(Some(name), file)?, rest))
}

/// Reads a position of the variant, as SFEN or as other programs write it; an error shows the text it is about.
pub(crate) fn position(variant: &Variant, sfen: &str) -> anyhow::Result<Position> {
    variant.parse_position(sfen).map_err(|error| {
        let mut failure = Failure::usage(format!("'{sfen}': {error}"));
        if let Some(start) = variant.starts.first() {
            failure = failure.hint(format!(
                "the start of {} is written '{start}'",
                variant.name
            ));
        }
        failure.into()
    })
}

/// The game of a variant with these pieces.
pub(crate) fn game(variant: &Variant, inventory: &Inventory) -> Result<DropShogi, Failure> {
    DropShogi::new(variant.clone(), *inventory).map_err(|error| {
        Failure::usage(format!(
            "{} with {}: {error}",
            variant.name,
            inventory.text(variant)
        ))
    })
}

/// Variant and pieces.
pub(crate) fn name(game: &DropShogi) -> String {
    let variant = game.variant();
    format!("{} with {}", variant.name, game.inventory().text(variant))
}

/// The evidence of a game solved whole.
fn evidence_of_all(game: &DropShogi, how: &str) -> String {
    // By formula: the index may hold a position twice.
    let positions = Counts::new(game.variant(), game.inventory()).map_or_else(
        |_| "all".to_owned(),
        |counts| format!("all {}", grouped(counts.canonical())),
    );
    format!(
        "proved: {positions} positions of {} (turn and mirror folded) {how}",
        name(game),
    )
}
