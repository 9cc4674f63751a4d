//! `yose best 'SUM'`: the best move in a sum of games, and what every strategy would lose.

use std::time::Duration;

use serde_json::Value as Json;
use yose_cgt::report::{self, SumReport};
use yose_cgt::{Limits, Player, SumLimits};

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

/// Words that begin games in the notation; all other words that begin with a letter name variants.
const NAMES: [&str; 11] = [
    "v", "tiny", "miny", "Tiny", "Miny", "cool", "heat", "overheat", "rcf", "aw", "ordinal",
];

/// Whether a text is a sum of games rather than a variant and a position.
pub(crate) fn is_sum(text: &str) -> bool {
    let text = text.trim_start();
    let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    if NAMES.contains(&word.as_str()) {
        // A variant of this name would be followed by a space and a board.
        let rest = &text[word.len()..];
        return rest.is_empty() || !rest.starts_with(|c: char| c == ' ' || c.is_alphabetic());
    }
    // Names of variants and files begin with a letter or a dot.
    word.is_empty() && !text.starts_with(['.', '/', '_']) && !text.is_empty()
}

/// Answers what is best in a sum.
pub(crate) fn best(text: &str, question: Question, context: &Context) -> anyhow::Result<()> {
    let limits = SumLimits {
        nodes: question.nodes,
        time: question.seconds.map(Duration::from_secs_f64),
    };
    let mut report = report::best(text, question.to_play, limits, Limits::default())
        .map_err(|error| failure(text, &error))?;
    let ranking = &mut report.ranking;
    for list in [
        &mut ranking.hottest,
        &mut ranking.swing,
        &mut ranking.must,
        &mut ranking.avoid,
        &mut ranking.loss,
    ] {
        list.truncate(question.top);
    }
    context.answer(&Summed(report))
}

fn failure(text: &str, error: &yose_cgt::Error) -> Failure {
    let yose_cgt::Error::Parse(error) = error else {
        return Failure::usage(error.to_string());
    };
    let failure = Failure::usage(format!("'{text}': {error}"));
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
            "{1|0}", "3", "-1/2 + *", "*", "^", "v", "v2*", "+-1", "±1", "tiny(2)", "(1)",
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
            "",
        ] {
            assert!(!is_sum(other), "{other}");
        }
    }
}
