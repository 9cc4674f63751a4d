//! `yose variants`: the built-in variants, or one variant's rules and data file.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_shogi::{Inventory, Variant};

use crate::args::VariantFile;
use crate::context::Context;
use crate::failure::Exit;
use crate::output::{Answer, Style, Table};
use crate::shogi;

/// List the built-in variants of drop shogi, or print one's rules as its data file.
///
/// The data file of a built-in variant is a good start for one of your own: change it and pass it
/// with --variant-file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  yose variants\n  yose variants shogi4")]
pub(crate) struct VariantsArgs {
    /// The variant to print: shogi4, dobutsu or micro.
    variant: Option<String>,
    #[command(flatten)]
    file: VariantFile,
}

pub(crate) fn run(args: &VariantsArgs, context: &Context) -> anyhow::Result<Exit> {
    if args.variant.is_none() && args.file.variant_file.is_none() {
        let variants = shogi::built_in()?;
        context.answer(&List(variants))?;
    } else {
        let (variant, data) = shogi::load_with_data(args.variant.as_deref(), &args.file)?;
        context.answer(&One { variant, data })?;
    }
    Ok(Exit::Answer)
}

fn summary(variant: &Variant) -> Json {
    let full = Inventory::full(variant);
    json!({
        "name": variant.name,
        "title": variant.title,
        "rows": variant.rows,
        "columns": variant.columns,
        "pieces": full.text(variant),
        "start": variant.start(&full).map(|start| variant.sfen(&start)),
    })
}

struct List(Vec<Variant>);

impl Answer for List {
    fn json(&self) -> Json {
        self.0.iter().map(summary).collect()
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["variant", "board", "pieces", "start"]);
        for variant in &self.0 {
            let full = Inventory::full(variant);
            table.row([
                variant.name.clone(),
                format!("{} x {}", variant.columns, variant.rows),
                full.text(variant),
                variant
                    .start(&full)
                    .map_or_else(|| "-".to_owned(), |start| variant.sfen(&start)),
            ]);
        }
        table.render(style)
    }
}

struct One {
    variant: Variant,
    data: String,
}

impl Answer for One {
    /// A list of one, so that a reader of the list needs nothing new; with the data file added.
    fn json(&self) -> Json {
        let mut summary = summary(&self.variant);
        summary["data"] = json!(self.data);
        json!([summary])
    }

    fn text(&self, _: Style) -> String {
        self.data.clone()
    }
}
