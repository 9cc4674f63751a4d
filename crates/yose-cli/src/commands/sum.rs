//! `yose best 'SUM'`: the best move in a sum of games, and what every strategy would lose.

use std::path::Path;
use std::time::Duration;

use serde_json::Value as Json;
use yose_cgt::report::{self, SumReport};
use yose_cgt::{Games, Limits, Player, SumLimits};
use yose_shogi::Variant;

use crate::commands::cgt::quoted;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Answer, Style};

/// What may be asked about a sum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub(crate) to_play: Player,
    /// At most so many places of each ranking.
    pub(crate) top: usize,
    pub(crate) nodes: Option<u64>,
    pub(crate) seconds: Option<f64>,
}

/// Whether a text is a sum of games rather than a variant and a position, a race or a file.
pub(crate) fn is_sum(text: &str) -> bool {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    if first == "race" || Variant::built_in_names().contains(&first) {
        return false;
    }
    // Names begin with a letter, paths also with a dot; all else can only be meant as a sum, and is
    // complained about as one.
    let named = text.starts_with(|c: char| c.is_alphabetic() || "._/".contains(c));
    !text.is_empty() && !Path::new(text).is_file() && (!named || not_a_sum(text).is_none())
}

/// Why a text does not read as a sum; nothing if it does.
pub(crate) fn not_a_sum(text: &str) -> Option<String> {
    match Games::new().parse(text) {
        Err(yose_cgt::Error::Parse(error)) => Some(error.to_string()),
        _ => None,
    }
}

/// Answers what is best in a sum.
pub(crate) fn best(text: &str, question: Question, context: &Context) -> anyhow::Result<()> {
    let limits = SumLimits {
        nodes: question.nodes,
        time: question.seconds.map(Duration::from_secs_f64),
    };
    let mut report = report::best(text, question.to_play, limits, Limits::default())
        .map_err(|error| failure(text, &error))?;
    report.ranking.truncate(question.top);
    context.answer(&Summed(report))
}

fn failure(text: &str, error: &yose_cgt::Error) -> Failure {
    let yose_cgt::Error::Parse(error) = error else {
        return Failure::usage(error.to_string());
    };
    let failure = Failure::usage(format!("{}: {error}", quoted(text)));
    if text.split(' ').any(|word| word == "b" || word == "w") {
        return failure.hint("a position comes after its variant: yose best shogi4 'SFEN'");
    }
    failure
}

struct Summed(SumReport);

impl Answer for Summed {
    fn json(&self) -> Json {
        // Plain strings, numbers and lists: nothing that could fail.
        serde_json::to_value(&self.0).unwrap_or_default()
    }

    fn text(&self, _: Style) -> String {
        self.0.to_text()
    }
}

#[cfg(test)]
mod tests {
    use super::is_sum;

    #[test]
    fn sums_and_variants() {
        for sum in [
            "{1|0}",
            "3",
            "-1/2 + *",
            "*",
            "^",
            "v",
            "v2*",
            "+-1",
            "±1",
            "tiny(2)",
            "(1)",
            "v + *",
            "neg({1|0}) + {2|0}",
            "neg ( 1 )",
            "aw(^) - v",
            "{1|",
        ] {
            assert!(is_sum(sum), "{sum}");
        }
        for other in [
            "shogi4",
            "v board",
            "vee",
            "game.sgf",
            "./game.sgf",
            "race r2b",
            "chess 8/8 w",
            "v + neg",
            "",
        ] {
            assert!(!is_sum(other), "{other}");
        }
    }
}
