//! What a position and each of its moves are worth, best move first, and the line of best play.

use std::cmp::Reverse;

use serde_json::{Value as Json, json};
use yose_retro::{Outcome, Value};
use yose_shogi::table::Worth;
use yose_shogi::{After, Goal, Move, Piece, Position, Rules, Variant};

use super::Oracle;
use crate::output::{Style, Table, counted};

/// A position with its value and its moves. Not known is a value too: `None`.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) position: Position,
    pub(crate) value: Option<Worth>,
    /// Best first, moves of equal worth by USI.
    pub(crate) moves: Vec<JudgedMove>,
    /// How the value is known, or why it is not.
    pub(crate) evidence: String,
}

/// A move and its worth for the side that makes it.
#[derive(Debug)]
pub(crate) struct JudgedMove {
    pub(crate) usi: String,
    /// The position after the move; `None` once a king has been taken.
    pub(crate) after: Option<Position>,
    pub(crate) value: Option<Worth>,
    /// Whether the move ends the game.
    ends: bool,
}

impl Verdict {
    /// Judges a position by what the rules say themselves and by what the oracle knows.
    pub(crate) fn new(oracle: &impl Oracle, position: &Position) -> anyhow::Result<Verdict> {
        let rules = oracle.rules();
        let mut legal = Vec::new();
        rules.moves(position, &mut legal);
        let mut moves: Vec<JudgedMove> = legal
            .into_iter()
            .map(|mv| judge(oracle, position, mv))
            .collect::<anyhow::Result<_>>()?;
        moves.sort_by_cached_key(|mv| (Reverse(order(mv.value)), mv.usi.clone()));
        let (value, evidence) = match by_rule(rules, position) {
            Some((value, why)) => (Some(value.into()), format!("by rule: {why}")),
            None => (oracle.look_up(position)?, oracle.evidence()),
        };
        Ok(Verdict {
            position: *position,
            value,
            moves,
            evidence,
        })
    }

    /// Whether a move is as good as the best. Where no distance is known, every move is that keeps
    /// the outcome.
    fn is_best(&self, mv: &JudgedMove) -> bool {
        self.value.is_some_and(|value| match value.depth {
            Some(_) => mv.value == Some(value),
            None => mv.value.is_some_and(|v| v.outcome == value.outcome),
        })
    }

    /// All moves that are as good as the best. None if the value of the position is not known.
    pub(crate) fn best(&self) -> impl Iterator<Item = &JudgedMove> {
        self.moves.iter().filter(|mv| self.is_best(mv))
    }

    /// The line of best play: the first best move each time, to the end of the game, to what is
    /// not known, or in a draw to the first position met before.
    ///
    /// Without distances nothing tells which winning move makes headway, so then there is none.
    pub(crate) fn line(&self, oracle: &impl Oracle) -> anyhow::Result<Vec<String>> {
        let mut line = Vec::new();
        let decided = |value: &Worth| value.outcome != Outcome::Draw;
        if self
            .value
            .filter(decided)
            .is_some_and(|v| v.depth.is_none())
        {
            return Ok(line);
        }
        let mut met = vec![self.position];
        let mut next = self.step(&mut line);
        while let Some(position) = next {
            if met.contains(&position) {
                break;
            }
            met.push(position);
            next = Verdict::new(oracle, &position)?.step(&mut line);
        }
        Ok(line)
    }

    /// Adds the best move to the line; the position after it unless the game is over.
    fn step(&self, line: &mut Vec<String>) -> Option<Position> {
        let best = self.best().next()?;
        line.push(best.usi.clone());
        if best.ends { None } else { best.after }
    }

    /// The moves as in the JSON of `probe`, at most `top`.
    pub(crate) fn moves_json(&self, variant: &Variant, top: usize) -> Json {
        self.moves
            .iter()
            .take(top)
            .map(|mv| {
                let (value, depth) = value_json(mv.value);
                json!({
                    "usi": mv.usi,
                    "sfen": mv.after.map(|after| variant.sfen(&after)),
                    "value": value,
                    "depth": depth,
                })
            })
            .collect()
    }

    /// The ranked moves as a table for people, at most `top`.
    pub(crate) fn moves_text(&self, top: usize, style: Style) -> String {
        let mut table = Table::new(&["", "move", "result"]);
        for mv in self.moves.iter().take(top) {
            let mark = if self.is_best(mv) { "*" } else { "" };
            table.row([mark.to_owned(), mv.usi.clone(), value_text(mv.value)]);
        }
        let mut text = table.render(style);
        if self.moves.len() > top {
            let more = counted((self.moves.len() - top) as u64, "more move");
            text.push_str(&format!("    ... {more}\n"));
        }
        text
    }
}

/// What a position is worth: by rule, or else as the oracle knows.
pub(crate) fn value(oracle: &impl Oracle, position: &Position) -> anyhow::Result<Option<Worth>> {
    match by_rule(oracle.rules(), position) {
        Some((value, _)) => Ok(Some(value.into())),
        None => oracle.look_up(position),
    }
}

/// What can be seen without any search, and why: the game is over, ends with this move, or there
/// is no move.
fn by_rule(rules: &Rules, position: &Position) -> Option<(Value, &'static str)> {
    if rules.is_over(position) {
        return Some((Value::Loss(0), "the game is over"));
    }
    if rules.takes_king(position) {
        return Some((Value::Win(1), "the king can be taken"));
    }
    if stands_past_its_try(rules, position) {
        return None;
    }
    let (mut wins, mut any) = (false, false);
    rules.for_each_move(position, |mv| {
        any = true;
        wins = wins || !matches!(rules.play(position, mv), After::Continues(_));
    });
    match (wins, any) {
        (true, _) => Some((Value::Win(1), "the king can move to its far rank in safety")),
        (false, true) => None,
        (false, false) => Some((Value::Loss(2), "there is no move")),
    }
}

/// Whether the own king stands on its far rank already, where that wins. Rule sheets differ on
/// whether such a game is over, so nothing is said about it, nor about moving along that rank.
fn stands_past_its_try(rules: &Rules, position: &Position) -> bool {
    let variant = rules.variant();
    let us = position.turn();
    variant.goal == Goal::TakeKingOrTry
        && position
            .king(us)
            .is_some_and(|king| variant.far_rank(us) & king.bit() != 0)
}

fn judge(oracle: &impl Oracle, position: &Position, mv: Move) -> anyhow::Result<JudgedMove> {
    let rules = oracle.rules();
    let (after, value, ends) = match rules.play(position, mv) {
        After::Continues(next) => (Some(next), value(oracle, &next)?, false),
        After::KingTaken => (None, Some(Value::Loss(0).into()), true),
        After::Try => {
            let past = stands_past_its_try(rules, position);
            let value = (!past).then_some(Value::Loss(0).into());
            (after_try(position, mv), value, true)
        }
    };
    Ok(JudgedMove {
        usi: rules.variant().usi(mv),
        after,
        value: value.map(Worth::before_move),
        ends,
    })
}

/// The board after a Try: the game is over, but both kings still stand.
fn after_try(position: &Position, mv: Move) -> Option<Position> {
    let Move::Step { from, to, .. } = mv else {
        return None;
    };
    let us = position.turn();
    let mut after = *position;
    let king = after.remove(from)?;
    if let Some(kind) = after.remove(to).and_then(Piece::kind) {
        after.set_in_hand(us, kind, after.in_hand(us, kind) + 1);
    }
    after.put(to, king);
    after.set_turn(us.other());
    Some(after)
}

/// Known wins first, known losses last, what is not known between. A win whose distance is not
/// known stands after those that are, a loss before.
fn order(value: Option<Worth>) -> (i8, i64) {
    let plies = |worth: Worth| worth.depth.map(i64::from);
    match value {
        Some(win) if win.outcome == Outcome::Win => (3, plies(win).map_or(i64::MIN, |p| -p)),
        None => (2, 0),
        Some(draw) if draw.outcome == Outcome::Draw => (1, 0),
        Some(loss) => (0, plies(loss).unwrap_or(i64::MAX)),
    }
}

/// The words and plies of the JSON contract.
pub(crate) fn value_json(value: Option<Worth>) -> (String, Option<u32>) {
    match value {
        Some(value) => (value.outcome.to_string(), value.depth),
        None => ("unknown".to_owned(), None),
    }
}

/// The value for people.
pub(crate) fn value_text(value: Option<Worth>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => "unknown".to_owned(),
    }
}
