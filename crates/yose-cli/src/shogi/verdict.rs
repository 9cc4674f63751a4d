//! A position with its value, its moves and the line of best play, as it is shown.

use serde_json::{Value as Json, json};
use yose_retro::Outcome;
use yose_shogi::probe::{ProbeError, Probed, ProbedMove, Prober, SlotValues, Verdict};
use yose_shogi::{Position, Rules, Variant};

use super::by_rule::{self, by_rule};
use crate::output::{Style, Table, counted};

/// What is told about a position.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) position: Position,
    pub(crate) probed: Probed,
    /// The line of best play, to the end of the game or, in a draw, to the first position met
    /// before. Without distances nothing tells which winning move makes headway, so then it is empty.
    pub(crate) line: Vec<String>,
    /// How the value is known, or why it is not.
    pub(crate) evidence: String,
}

impl Judged {
    /// By what is solved. `evidence` says how.
    pub(crate) fn solved<T: SlotValues>(
        prober: &Prober<'_, T>,
        rules: &Rules,
        position: &Position,
        evidence: String,
    ) -> Result<Judged, ProbeError<T::Error>> {
        let line = prober.line(position)?;
        let variant = rules.variant();
        let probed = prober.probe(position)?;
        let evidence = match (by_rule(rules, position), probed.verdict) {
            (Some((_, why)), _) => format!("by rule: {why}"),
            (None, Verdict::Unknown) => format!("not among what was solved ({evidence})"),
            (None, _) => evidence,
        };
        Ok(Judged {
            position: *position,
            probed,
            line: line.into_iter().map(|mv| variant.usi(mv)).collect(),
            evidence,
        })
    }

    /// By the rules alone. `why` says why there is nothing else.
    pub(crate) fn unsolved(rules: &Rules, position: &Position, why: String) -> Judged {
        let probed = by_rule::probe(rules, position);
        let ends = probed.verdict.depth() == Some(1);
        Judged {
            position: *position,
            line: best(&probed)
                .filter(|_| ends)
                .take(1)
                .map(|mv| mv.usi.clone())
                .collect(),
            probed,
            evidence: by_rule(rules, position).map_or(why, |(_, why)| format!("by rule: {why}")),
        }
    }
}

/// Whether a move is as good as the best. Where no distance is known, every move is that keeps the
/// outcome.
fn is_best(position: Verdict, mv: Verdict) -> bool {
    match position {
        Verdict::Unknown => false,
        Verdict::Known { depth: Some(_), .. } => mv == position,
        Verdict::Known { outcome, .. } => mv.outcome() == Some(outcome),
    }
}

/// All moves that are as good as the best. None if the value of the position is not known.
pub(crate) fn best(probed: &Probed) -> impl Iterator<Item = &ProbedMove> {
    let position = probed.verdict;
    let moves = probed.moves.iter();
    moves.filter(move |mv| is_best(position, mv.verdict))
}

/// The moves as in the JSON of `probe`, at most `top`.
pub(crate) fn moves_json(probed: &Probed, top: usize) -> Json {
    let moves = probed.moves.iter().take(top);
    moves
        .map(|mv| {
            let (value, depth) = value_json(mv.verdict);
            json!({ "usi": mv.usi, "sfen": mv.sfen, "value": value, "depth": depth })
        })
        .collect()
}

/// A position as in the JSON of `probe`.
pub(crate) fn probed_json(variant: &Variant, position: &Position, probed: &Probed) -> Json {
    let (value, depth) = value_json(probed.verdict);
    json!({
        "sfen": variant.sfen(position),
        "value": value,
        "depth": depth,
        "moves": moves_json(probed, usize::MAX),
    })
}

/// The ranked moves as a table for people, at most `top`.
pub(crate) fn moves_text(probed: &Probed, top: usize, style: Style) -> String {
    let mut table = Table::new(&["", "move", "result"]);
    for mv in probed.moves.iter().take(top) {
        let mark = if is_best(probed.verdict, mv.verdict) {
            "*"
        } else {
            ""
        };
        table.row([mark.to_owned(), mv.usi.clone(), value_text(mv.verdict)]);
    }
    let mut text = table.render(style);
    if probed.moves.len() > top {
        let more = counted((probed.moves.len() - top) as u64, "more move");
        text.push_str(&format!("    ... {more}\n"));
    }
    text
}

/// The words and plies of the JSON contract.
pub(crate) fn value_json(verdict: Verdict) -> (String, Option<u32>) {
    let word = |outcome: Outcome| outcome.to_string();
    let value = verdict.outcome().map_or_else(|| "unknown".to_owned(), word);
    (value, verdict.depth())
}

/// The value for people.
pub(crate) fn value_text(verdict: Verdict) -> String {
    let (value, depth) = value_json(verdict);
    match depth {
        Some(plies) => format!("{value} in {plies}"),
        None => value,
    }
}
