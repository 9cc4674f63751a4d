//! What the rules say about a position by themselves, where nothing is solved.

use yose_retro::Value;
use yose_shogi::probe::{Probed, ProbedMove, Verdict};
use yose_shogi::{After, Goal, Move, Piece, Position, Rules};

/// What can be seen without any search, and why: the game is over, ends with this move, or there
/// is no move.
pub(crate) fn by_rule(rules: &Rules, position: &Position) -> Option<(Value, &'static str)> {
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

/// A position and its moves as far as the rules tell: known wins first, known losses last, what is
/// not known between.
pub(crate) fn probe(rules: &Rules, position: &Position) -> Probed {
    let mut legal = Vec::new();
    rules.moves(position, &mut legal);
    let mut moves: Vec<ProbedMove> = legal
        .into_iter()
        .map(|mv| judge(rules, position, mv))
        .collect();
    // No draw can be seen by the rules alone: wins take an odd number of plies, losses an even one.
    moves.sort_by_cached_key(|mv| {
        let place = match mv.verdict.depth() {
            Some(odd) if odd % 2 == 1 => (0, odd),
            None => (1, 0),
            Some(even) => (2, u32::MAX - even),
        };
        (place, mv.usi.clone())
    });
    Probed {
        verdict: by_rule(rules, position).map_or(Verdict::Unknown, |(value, _)| known(value)),
        moves,
    }
}

/// A value as a verdict.
pub(crate) fn known(value: Value) -> Verdict {
    Verdict::Known {
        outcome: value.outcome(),
        depth: value.depth(),
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

fn judge(rules: &Rules, position: &Position, mv: Move) -> ProbedMove {
    let (after, value) = match rules.play(position, mv) {
        After::Continues(next) => (Some(next), by_rule(rules, &next).map(|(value, _)| value)),
        After::KingTaken => (None, Some(Value::Loss(0))),
        After::Try => {
            let past = stands_past_its_try(rules, position);
            (after_try(position, mv), (!past).then_some(Value::Loss(0)))
        }
    };
    ProbedMove {
        mv,
        usi: rules.variant().usi(mv),
        sfen: after.map(|after| rules.variant().sfen(&after)),
        verdict: value.map_or(Verdict::Unknown, |value| known(value.before_move())),
    }
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
