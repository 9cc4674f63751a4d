//! `yose cgt`: what a game in the sense of combinatorial game theory is worth.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde_json::Value as Json;
use yose_cgt::Limits;
use yose_cgt::report::{self, CgtReport};
use yose_diagram::{ThermographStyle, thermograph_svg};

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{Answer, Style};

/// Calculate with games: canonical form, stops, mean, temperature, thermograph.
///
/// Write games in braces: {5||2|1}, {10|{0|-100}} + {8|-8}, *, ^, +-1, tiny(2), 1/2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  yose cgt '{5||2|1}'
  yose cgt '{10|{0|-100}} + {8|-8}' --vs 3
  echo '{5||2|1}' | yose cgt -
  yose cgt '{3||2|1}' --plot thermograph.svg")]
pub(crate) struct CgtArgs {
    /// The game, or - to read it from standard input.
    #[arg(allow_hyphen_values = true)]
    expression: String,
    /// Compare with this game too.
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    vs: Option<String>,
    /// Draw the thermograph into this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

pub(crate) fn run(args: &CgtArgs, context: &Context) -> anyhow::Result<Exit> {
    let piped;
    let expression = if args.expression == "-" {
        piped = input::stdin()?;
        // The line feed that ends the text is no part of it.
        piped.trim_end()
    } else {
        &args.expression
    };
    let report = report::cgt(expression, args.vs.as_deref(), Limits::default())
        .map_err(|error| failure(expression, args.vs.as_deref(), &error))?;
    if let Some(path) = &args.plot {
        plot(&report, path)?;
    }
    context.answer(&Calculated(report))?;
    Ok(Exit::Answer)
}

/// Which of the two texts an error is about is found out by reading the first alone.
fn failure(expression: &str, vs: Option<&str>, error: &yose_cgt::Error) -> Failure {
    let first_is_wrong = yose_cgt::Games::new().parse(expression).is_err();
    match (error, vs) {
        (yose_cgt::Error::Parse(error), Some(vs)) if !first_is_wrong => {
            Failure::usage(format!("--vs {}: {error}", quoted(vs)))
        }
        (yose_cgt::Error::Parse(error), _) => {
            Failure::usage(format!("{}: {error}", quoted(expression)))
        }
        (error, _) => Failure::usage(error.to_string()),
    }
}

/// A text in a complaint: itself, if it is short enough to be read there.
pub(crate) fn quoted(text: &str) -> String {
    if text.len() > 1_000 {
        return format!("a text of {} bytes", text.len());
    }
    format!("'{text}'")
}

fn plot(report: &CgtReport, path: &Path) -> anyhow::Result<()> {
    let Some(thermograph) = &report.plot else {
        return Err(Failure::usage("this game is too deep for its thermograph to be drawn").into());
    };
    let walls = [&thermograph.left, &thermograph.right];
    let mut corners = walls.into_iter().flat_map(yose_cgt::Wall::points);
    if corners.any(|(t, x)| !t.to_f64().is_finite() || !x.to_f64().is_finite()) {
        let why = "the numbers of this thermograph are too large to be drawn (beyond 2^1023)";
        return Err(Failure::usage(why).into());
    }
    let style = ThermographStyle {
        title: report.canonical.clone(),
        ..ThermographStyle::default()
    };
    fs::write(path, thermograph_svg(thermograph, &style))
        .with_context(|| format!("writing {}", path.display()))
}

struct Calculated(CgtReport);

impl Answer for Calculated {
    fn json(&self) -> Json {
        // Plain strings and lists: nothing that could fail.
        serde_json::to_value(&self.0).unwrap_or_default()
    }

    fn text(&self, _: Style) -> String {
        self.0.to_text()
    }
}
