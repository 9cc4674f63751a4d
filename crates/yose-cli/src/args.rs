//! What may be typed: the global flags, the list of commands, arguments that several share.
//!
//! A command's own arguments stand in its own file, beside the code that reads them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;

const EXIT_CODES: &str = "\
Exit codes: 0 an answer was given; 1 the answer is \"no\"; 2 usage or bad input;
3 missing table; 4 corrupt table; 75 a process was lost; 130 interrupted.

Example:
  yose best";

/// Exact answers on small boards: which move is best, what it is worth, and how we know.
///
/// Results go to standard output, progress and errors to standard error.
#[derive(Debug, Parser)]
#[command(name = "yose", version, propagate_version = true, after_help = EXIT_CODES)]
#[command(disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print one JSON document instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress bars and no remarks, only the result and errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Colours: `auto` means on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Threads to use, at most 1024; 0 or nothing means all cores.
    #[arg(short = 'j', long, global = true, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(crate) threads: Option<u16>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The commands, in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Best(commands::best::BestArgs),
    Solve(commands::solve::SolveArgs),
    Audit(commands::audit::AuditArgs),
    Probe(commands::probe::ProbeArgs),
    Info(commands::info::InfoArgs),
    Moves(commands::moves::MovesArgs),
    Perft(commands::perft::PerftArgs),
    Count(commands::count::CountArgs),
    Index(commands::index::IndexArgs),
    Plan(commands::plan::PlanArgs),
    Variants(commands::variants::VariantsArgs),
    Cgt(commands::cgt::CgtArgs),
    Race(commands::race::RaceArgs),
    Board(commands::board::BoardArgs),
    Encode(commands::encode::EncodeArgs),
    Completions(commands::completions::CompletionsArgs),
    #[command(hide = true)]
    Man(commands::man::ManArgs),
}

/// A variant of drop shogi: a built-in one by name, or a file of the user's own.
#[derive(Debug, Clone, Args)]
pub(crate) struct VariantArg {
    /// A built-in variant: shogi4, dobutsu or micro.
    #[arg(required_unless_present = "variant_file")]
    pub(crate) variant: Option<String>,
    #[command(flatten)]
    pub(crate) file: VariantFile,
}

/// `--variant-file`, which may stand wherever VARIANT does.
#[derive(Debug, Clone, Args)]
pub(crate) struct VariantFile {
    /// Read the variant from this file instead of naming a built-in one.
    #[arg(long, value_name = "FILE")]
    pub(crate) variant_file: Option<PathBuf>,
}

/// `--pieces`, the inventory.
#[derive(Debug, Clone, Args)]
pub(crate) struct PiecesArg {
    /// Letters of all pieces but the kings, both sides together; `-` for kings alone. Left out:
    /// the full set.
    #[arg(long, value_name = "LETTERS", allow_hyphen_values = true)]
    pub(crate) pieces: Option<String>,
}

/// The words of the command line. A sum of games may begin with a sign, as in `yose best '-4 + 3'`: a blank
/// before it tells it from a flag.
pub(crate) fn words(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let (mut words, mut best): (Vec<OsString>, bool) = (words.into_iter().collect(), false);
    for word in words.iter_mut().skip(1) {
        if word == "--" {
            break;
        }
        if best && word.to_str().is_some_and(is_negative_sum) {
            let mut spaced = OsString::from(" ");
            spaced.push(&word);
            *word = spaced;
        }
        best |= word == "best" || word == "cgt";
    }
    words
}

/// Whether a word with a leading sign can be no flag, nor a lone number, which may be a flag's value.
fn is_negative_sum(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('-') else {
        return false;
    };
    let Some(first) = rest.chars().next() else {
        return false;
    };
    if first.is_alphabetic() {
        // `-v + *`, `-tiny(2)`; flags with a value glued to them are -j, which has a number, and -o.
        return !"jo".contains(first) && rest.contains([' ', '(', '{']);
    }
    first != '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_with_a_sign_are_no_flags() {
        for sum in [
            "-4 + 3", "-1/2", "-{1|0}", "-*", "-^", "-3", "-v + *", "-tiny(2)", "-v2 - 1",
        ] {
            assert!(is_negative_sum(sum), "{sum}");
        }
        for other in [
            "-",
            "--json",
            "--komi=-6.5",
            "-q",
            "-j2",
            "-o",
            "-ofile name.sgf",
            "-h",
            "3",
            "",
        ] {
            assert!(!is_negative_sum(other), "{other}");
        }
        let typed = ["yose", "-q", "best", "-4 + 3", "-j", "2", "--", "-1"];
        let words = words(typed.map(OsString::from));
        assert_eq!(words[3], " -4 + 3");
        assert_eq!(words[7], "-1");
    }
}
