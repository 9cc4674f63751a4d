//! Laws that every answer keeps. Each is a function that names the fault, if there is one.
//!
//! Debug builds, so all tests, ask them about each small region that brought new positions and about each exact
//! board, and panic at a fault; release builds ask nothing. That
//!
//! - colours exchanged make the negative, and a mirror image searched without closed forms the same value;
//! - integers keep the law of parity (`value::parity`) where it applies;
//! - the legal moves of a region make its value;
//! - no score of a board leaves what the stops of its regions allow.
//!
//! The fight for the last point against the search of the sum, and the score along the line of best play, are
//! compared where they are computed (`board`).

use std::collections::HashSet;

use yose_cgt::{Bounds, Dyadic, Error, GameId, Games};
use yose_go::{Colour, Suicide};

use crate::area::Area;
use crate::evaluate::Values;
use crate::graph::{Graph, NodeId, Outcome};
use crate::local::{LocalLimits, LocalSolution, LocalSolver};
use crate::value;

/// Regions with more new positions are not solved again.
pub(crate) const MOST_NODES: usize = 150;

/// New positions allowed to a search that knows no closed form, for each of the first.
const WITHOUT_CLOSED_FORMS: usize = 20;

/// Which law is broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{value} with {empty} empty points breaks the law of parity")]
    Parity { value: String, empty: u32 },
    #[error("{picture}: from {low} to {high} against {found}")]
    Picture {
        picture: &'static str,
        low: String,
        high: String,
        found: String,
    },
    #[error("the moves of a region worth {value} make {moves}")]
    Moves { value: String, moves: String },
    #[error("a score from {found:?} where the stops of the regions allow {low} to {high}")]
    Stops {
        found: Bounds,
        low: Dyadic,
        high: Dyadic,
    },
}

/// Panics in debug builds if there is a fault. That a limit ended the check is none.
pub(crate) fn demand(fault: &Result<Option<Fault>, Error>) {
    if let Ok(Some(fault)) = fault {
        debug_assert!(false, "self-check: {fault}");
    }
}

/// Solves an area once more with colours exchanged, and once as its mirror image without closed forms.
pub(crate) fn pictures(
    games: &mut Games,
    area: &Area,
    suicide: Suicide,
    solution: &LocalSolution,
) -> Result<Option<Fault>, Error> {
    let nodes = solution.nodes.max(1) * WITHOUT_CLOSED_FORMS;
    let solver = || {
        LocalSolver::new(LocalLimits {
            nodes,
            ..LocalLimits::default()
        })
        .without_checks()
    };
    let mut flipped = solver();
    let found = flipped.solve_until(&area.flipped(), suicide, &|| false)?;
    let ends = (
        flipped.games_mut().neg(found.high)?,
        flipped.games_mut().neg(found.low)?,
    );
    let fault = agree(
        games,
        solution,
        flipped.games_mut(),
        ends,
        "colours exchanged",
    )?;
    if fault.is_some() {
        return Ok(fault);
    }
    let mut mirrored = solver().without_closed_forms();
    let found = mirrored.solve_until(&area.mirrored(), suicide, &|| false)?;
    let ends = (found.low, found.high);
    agree(games, solution, mirrored.games_mut(), ends, "mirror image")
}

/// What is proved here and there of the same value: the ends must not cross, so exact values are equal.
fn agree(
    games: &mut Games,
    solution: &LocalSolution,
    other: &mut Games,
    (low, high): (GameId, GameId),
    picture: &'static str,
) -> Result<Option<Fault>, Error> {
    let texts = [games.print(solution.low)?, games.print(solution.high)?];
    let own_low = other.parse_value(&texts[0])?;
    let own_high = other.parse_value(&texts[1])?;
    if other.le(own_low, high)? && other.le(low, own_high)? {
        return Ok(None);
    }
    let [own_low, own_high] = texts;
    let found = format!("{} to {}", other.print(low)?, other.print(high)?);
    Ok(Some(Fault::Picture {
        picture,
        low: own_low,
        high: own_high,
        found,
    }))
}

/// The law of parity for the parts of an outcome, where it applies: everything below is exact, and each number
/// below has the parity of the empty points there, which a seki need not have.
pub(crate) fn parity(
    games: &mut Games,
    graph: &Graph,
    values: &Values,
    outcome: &Outcome,
) -> Result<Option<Fault>, Error> {
    for &(root, _) in &outcome.parts {
        let (mut seen, mut stack) = (HashSet::from([root]), vec![root]);
        let mut applies = true;
        while let Some(node) = stack.pop()
            && applies
        {
            let value = values.of(games, graph, node)?;
            applies = value.is_exact()
                && (games.as_number(value.low).is_none() || keeps(games, graph, node, value.low)?);
            stack.extend(
                graph
                    .followers(node)
                    .into_iter()
                    .filter(|n| seen.insert(*n)),
            );
        }
        if applies {
            let value = values.of(games, graph, root)?.low;
            if !keeps(games, graph, root, value)? {
                return Ok(Some(Fault::Parity {
                    value: games.print(value)?,
                    empty: graph.empty_points(root),
                }));
            }
        }
    }
    Ok(None)
}

fn keeps(games: &mut Games, graph: &Graph, node: NodeId, value: GameId) -> Result<bool, Error> {
    let odd = graph.empty_points(node) % 2 == 1;
    Ok(value::parity(games, value)? == Some(odd))
}

/// A region as the game of its legal moves has the value that was found.
pub(crate) fn moves(
    games: &mut Games,
    moves: impl Iterator<Item = (Colour, GameId)>,
    value: GameId,
) -> Result<Option<Fault>, Error> {
    let mut sides = [Vec::new(), Vec::new()];
    for (colour, after) in moves {
        sides[colour.index()].push(after);
    }
    let found = games.make(&sides[0], &sides[1])?;
    if found == value {
        return Ok(None);
    }
    Ok(Some(Fault::Moves {
        value: games.print(value)?,
        moves: games.print(found)?,
    }))
}

/// Left and right stop of a sum against those of its parts, `outside` added: RS(G) + RS(H) <= RS(G+H) <=
/// RS(G) + LS(H) <= LS(G+H) <= LS(G) + LS(H).
pub(crate) fn stops(
    parts: &[(Dyadic, Dyadic)],
    outside: &Dyadic,
    left: &Bounds,
    right: &Bounds,
) -> Result<Option<Fault>, Error> {
    let (mut all_left, mut all_right) = (outside.clone(), outside.clone());
    for (l, r) in parts {
        all_left = all_left.checked_add(l)?;
        all_right = all_right.checked_add(r)?;
    }
    // Who begins gets the better stop of one part at least.
    let (mut least_left, mut most_right) = (all_right.clone(), all_left.clone());
    for (l, r) in parts {
        let swing = l.checked_sub(r)?;
        least_left = least_left.max(all_right.checked_add(&swing)?);
        most_right = most_right.min(all_left.checked_sub(&swing)?);
    }
    for (found, low, high) in [(left, least_left, all_left), (right, all_right, most_right)] {
        if found.high < low || found.low > high {
            return Ok(Some(Fault::Stops {
                found: found.clone(),
                low,
                high,
            }));
        }
    }
    Ok(None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    //! Each check finds a fault that is planted, and none where there is none.

    use super::*;
    use crate::evaluate::Enclosure;
    use crate::field::Field;
    use crate::graph::Growth;

    fn area(rows: &[&str]) -> Area {
        Area::from_rows(rows).unwrap()
    }

    /// Neither its own negative nor of even parity: `{3|*}`.
    fn hot() -> Area {
        area(&["#BBB#", "W.O.B", "#BBB#"])
    }

    #[test]
    fn a_wrong_value_differs_from_that_of_other_pictures() {
        for suicide in [Suicide::Forbidden, Suicide::MultiStone] {
            let mut solver = LocalSolver::default().without_checks();
            let right = solver.solve_until(&hot(), suicide, &|| false).unwrap();
            let fault = |solver: &mut LocalSolver, solution: &LocalSolution| {
                pictures(solver.games_mut(), &hot(), suicide, solution).unwrap()
            };
            assert_eq!(fault(&mut solver, &right), None);
            for text in ["{3|0}", "{-*|-3}", "0", "{3||*|*}"] {
                let value = solver.games_mut().parse_value(text).unwrap();
                let wrong = LocalSolution {
                    low: value,
                    high: value,
                    ..right.clone()
                };
                let found = fault(&mut solver, &wrong);
                assert!(matches!(found, Some(Fault::Picture { .. })), "{text}");
                demand_panics(&Ok(found));
            }
        }
    }

    /// The mirror image alone finds what the closed form and its negative have in common.
    #[test]
    fn a_value_that_is_wrong_in_both_colours() {
        let mut solver = LocalSolver::default().without_checks();
        let right = solver.solve(&hot()).unwrap();
        let zero = LocalSolution {
            low: GameId::ZERO,
            high: GameId::ZERO,
            ..right
        };
        let mut other = Games::new();
        let ends = (GameId::ZERO, GameId::ZERO);
        let as_negative = agree(
            solver.games_mut(),
            &zero,
            &mut other,
            ends,
            "colours exchanged",
        );
        assert_eq!(as_negative.unwrap(), None);
        let fault = pictures(solver.games_mut(), &hot(), Suicide::Forbidden, &zero).unwrap();
        assert!(fault.is_some());
    }

    #[test]
    fn bounds_may_overlap_but_not_miss() {
        let mut solver = LocalSolver::default().without_checks();
        let right = solver.solve(&hot()).unwrap();
        let games = solver.games_mut();
        let [low, high] = ["-4", "5"].map(|text| games.parse_value(text).unwrap());
        let wide = LocalSolution { low, high, ..right };
        let check =
            |games: &mut Games, s: &_| pictures(games, &hot(), Suicide::Forbidden, s).unwrap();
        assert_eq!(check(games, &wide), None);
        let low = games.parse_value("4").unwrap();
        assert!(check(games, &LocalSolution { low, ..wide }).is_some());
    }

    #[test]
    fn a_value_of_the_wrong_parity() {
        let (field, at, places) = Field::of(&hot());
        let places = places
            .iter()
            .map(|&p| (0, u32::try_from(p).unwrap()))
            .collect();
        let (mut graph, mut values, mut games) =
            (Graph::new(false), Values::default(), Games::new());
        graph.without_closed_forms();
        let root = graph.outcome(&field, at, &places, 0);
        let roots: Vec<NodeId> = root.parts.iter().map(|p| p.0).collect();
        let most = Growth {
            positions: 1000,
            points: 10_000,
        };
        assert!(graph.explore(&roots, |_, _| false, most, &|| false));
        values.evaluate(&mut games, &graph, &roots).unwrap();
        assert_eq!(parity(&mut games, &graph, &values, &root).unwrap(), None);
        // One point more, a fraction between, and integers of both kinds.
        for text in ["{4|1*}", "{3|1/2}", "{3|0}"] {
            let wrong = games.parse_value(text).unwrap();
            values.set(
                roots[0],
                Enclosure {
                    low: wrong,
                    high: wrong,
                },
            );
            let fault = parity(&mut games, &graph, &values, &root).unwrap();
            assert!(
                matches!(fault, Some(Fault::Parity { empty: 2, .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn moves_that_make_another_value() {
        let mut games = Games::new();
        let [three, star, value] = ["3", "*", "{3|*}"].map(|t| games.parse_value(t).unwrap());
        let mut found = |black, white| {
            let all = [(Colour::Black, black), (Colour::White, white)];
            moves(&mut games, all.into_iter(), value).unwrap()
        };
        assert_eq!(found(three, star), None);
        let fault = found(star, star);
        assert!(matches!(fault, Some(Fault::Moves { .. })));
    }

    #[test]
    fn scores_that_the_stops_do_not_allow() {
        let parts = [(4, -4), (3, 1)].map(|(l, r)| (Dyadic::from(l), Dyadic::from(r)));
        let point = |x: i64| Bounds {
            low: x.into(),
            high: x.into(),
        };
        let outside = Dyadic::from(10_i64);
        let fault = |l: i64, r: i64| stops(&parts, &outside, &point(l), &point(r)).unwrap();
        // Left from 15 (4 + 1) to 17, Right from 7 to 9 (4 more).
        for (left, right, fine) in [
            (15, 7, true),
            (17, 9, true),
            (14, 7, false),
            (18, 7, false),
            (15, 6, false),
            (15, 10, false),
        ] {
            assert_eq!(fault(left, right).is_none(), fine, "{left} {right}");
        }
        assert_eq!(stops(&[], &outside, &point(10), &point(10)).unwrap(), None);
        assert!(
            stops(&[], &outside, &point(11), &point(10))
                .unwrap()
                .is_some()
        );
    }

    fn demand_panics(fault: &Result<Option<Fault>, Error>) {
        let panics = std::panic::catch_unwind(|| demand(fault)).is_err();
        assert_eq!(panics, cfg!(debug_assertions));
    }

    #[test]
    fn no_fault_and_no_answer_are_let_through() {
        demand(&Ok(None));
        demand(&Err(Error::Overflow {
            operation: "an addition",
        }));
    }
}
