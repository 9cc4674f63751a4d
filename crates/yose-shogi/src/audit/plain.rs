//! One position against its children by unranking, generating, playing and ranking: the plain form
//! of the audit, for any [`Game`]. It describes what the fast form finds, and tests compare the two.

use yose_retro::{Game, Outcome, Successor, Value};

/// What a table says about a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// A value with its exact distance, or a draw, or that the slot is a hole.
    Depth(Value),
    /// A value without a distance, or that the slot is a hole (a draw).
    Outcome(Outcome),
    /// A value with a rank, which means nothing for draws.
    Ranked(Outcome, u32),
    /// A number that is no code of the metric.
    NoCode(u32),
}

impl Claim {
    fn outcome(self) -> Option<Outcome> {
        match self {
            Claim::Depth(value) => Some(value.outcome()),
            Claim::Outcome(outcome) | Claim::Ranked(outcome, _) => Some(outcome),
            Claim::NoCode(_) => None,
        }
    }

    /// The code of a hole.
    fn is_empty(self) -> bool {
        self.outcome() == Some(Outcome::Draw)
    }
}

/// What is wrong with a claim, in the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The slot is a hole and should be 0.
    Hole,
    /// The number means nothing.
    NoCode,
    /// The side to move ends the game at once: this is a win in 1.
    WinsNow,
    /// By its children the position has this value. If that is better than claimed, the move named
    /// achieves it; if worse, the move is the best there is.
    Value(Value),
    /// The same without distances.
    Outcome(Outcome),
    /// The outcome agrees with the children's, but no lost child has a smaller rank than this win,
    /// or the move named leads to a child whose rank is not smaller than that of this loss.
    Rank {
        /// The rank of the child: for a win the least of those lost.
        of_child: u32,
    },
}

/// A claim that does not agree with those about the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw<M> {
    /// What is wrong.
    pub fault: Fault,
    /// The move that shows it, if one does.
    pub mv: Option<M>,
}

impl<M> Flaw<M> {
    fn new(fault: Fault, mv: Option<M>) -> Flaw<M> {
        Flaw { fault, mv }
    }
}

/// Checks what a table claims about one position, by the rules of the game alone.
///
/// `claim` answers for any index of the game under `stored`; positions with greater indices are
/// wins in 1 by rule. `Ok(None)`: the claim agrees with those about the children.
///
/// # Errors
/// Those of `claim`.
pub fn check<G: Game, E>(
    game: &G,
    stored: u64,
    index: u64,
    claim: &mut impl FnMut(u64) -> Result<Claim, E>,
) -> Result<Option<Flaw<G::Move>>, E> {
    let own = claim(index)?;
    let Some(position) = game.unrank(index) else {
        return Ok((!own.is_empty()).then_some(Flaw::new(Fault::Hole, None)));
    };
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut children = Vec::new();
    for mv in moves {
        let child = match game.play(&position, mv) {
            Successor::Decided(value) => Child::Known(value),
            Successor::Position(next) => match game.rank(&next) {
                Some(child) if child < stored => Child::Claimed(claim(child)?),
                _ => Child::Known(Value::Win(1)),
            },
        };
        children.push((mv, child));
    }
    let ends = children
        .iter()
        .find(|(_, child)| *child == Child::Known(Value::Loss(0)));
    if let Some(&(mv, _)) = ends {
        let agrees = match own {
            Claim::Depth(value) => value == Value::Win(1),
            _ => own.outcome() == Some(Outcome::Win),
        };
        return Ok((!agrees).then_some(Flaw::new(Fault::WinsNow, Some(mv))));
    }
    Ok(match own {
        Claim::NoCode(_) => Some(Flaw::new(Fault::NoCode, None)),
        Claim::Depth(value) => {
            let best = children
                .iter()
                .map(|&(mv, child)| (child.value().before_move(), Some(mv)))
                .reduce(|best, next| {
                    if next.0.preference() > best.0.preference() {
                        next
                    } else {
                        best
                    }
                });
            let (found, mv) = best.unwrap_or((game.stuck(), None));
            (found != value).then_some(Flaw::new(Fault::Value(found), mv))
        }
        Claim::Outcome(outcome) => check_outcome(outcome, None, &children),
        Claim::Ranked(outcome, rank) => check_outcome(outcome, Some(rank), &children),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    /// By rule.
    Known(Value),
    Claimed(Claim),
}

impl Child {
    fn value(self) -> Value {
        match self {
            Child::Known(value) | Child::Claimed(Claim::Depth(value)) => value,
            // A table of depths has depths only.
            Child::Claimed(_) => Value::Draw,
        }
    }

    /// What the child is to the side that moves there. A number that is no code counts as a loss
    /// for that side; the child's own slot is reported.
    fn outcome_before(self) -> Outcome {
        let outcome = match self {
            Child::Known(value) => Some(value.outcome()),
            Child::Claimed(claim) => claim.outcome(),
        };
        match outcome {
            Some(Outcome::Loss) => Outcome::Win,
            Some(Outcome::Draw) => Outcome::Draw,
            Some(Outcome::Win) | None => Outcome::Loss,
        }
    }

    fn rank(self) -> Option<u32> {
        match self {
            Child::Claimed(Claim::Ranked(_, rank)) => Some(rank),
            _ => None,
        }
    }
}

fn check_outcome<M: Copy>(
    outcome: Outcome,
    rank: Option<u32>,
    children: &[(M, Child)],
) -> Option<Flaw<M>> {
    let best = children
        .iter()
        .rev()
        .max_by_key(|(_, child)| child.outcome_before());
    let found = best.map_or(Outcome::Loss, |(_, child)| child.outcome_before());
    if found != outcome {
        return Some(Flaw::new(Fault::Outcome(found), best.map(|&(mv, _)| mv)));
    }
    let rank = rank?;
    let of_child = |&(mv, child): &(M, Child)| Some((child.rank()?, mv));
    let (of_child, mv) = match outcome {
        Outcome::Draw => return None,
        Outcome::Win => children
            .iter()
            .filter(|(_, child)| child.outcome_before() == Outcome::Win)
            .filter_map(of_child)
            .min_by_key(|&(rank, _)| rank)?,
        Outcome::Loss => children
            .iter()
            .filter(|(_, child)| !matches!(child, Child::Claimed(Claim::NoCode(_))))
            .filter_map(of_child)
            .max_by_key(|&(rank, _)| rank)?,
    };
    (of_child >= rank).then_some(Flaw::new(Fault::Rank { of_child }, Some(mv)))
}
