//! The reference solver against games whose values are known otherwise.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use common::Graph;
use proptest::prelude::*;
use yose_retro::reference::{self, Progress, SolveError};
use yose_retro::{Game, Successor, Value};

fn values(game: &Graph) -> Vec<Option<Value>> {
    let solution = reference::solve(game, &mut |_| {}).unwrap();
    (0..game.index_size())
        .map(|index| solution.value(index))
        .collect()
}

/// Whether the side to move can force its win within `plies`, by search from the definition.
fn wins_within(game: &Graph, position: u64, plies: u32) -> bool {
    successors(game, position).iter().any(|next| match *next {
        Successor::Decided(Value::Loss(depth)) => depth < plies,
        Successor::Decided(_) => false,
        Successor::Position(next) => plies > 0 && loses_within(game, next, plies - 1),
    })
}

/// Whether the side to move loses within `plies` whatever it does.
fn loses_within(game: &Graph, position: u64, plies: u32) -> bool {
    let next = successors(game, position);
    if next.is_empty() {
        return matches!(game.stuck, Value::Loss(depth) if depth <= plies);
    }
    next.iter().all(|next| match *next {
        Successor::Decided(Value::Win(depth)) => depth < plies,
        Successor::Decided(_) => false,
        Successor::Position(next) => plies > 0 && wins_within(game, next, plies - 1),
    })
}

fn successors(game: &Graph, position: u64) -> &[Successor<u64>] {
    game.moves[usize::try_from(position).unwrap()]
        .as_ref()
        .unwrap()
}

/// The value by search, for values of at most `limit` plies; deeper ones count as draws.
fn searched(game: &Graph, position: u64, limit: u32) -> Value {
    for plies in 0..=limit {
        if wins_within(game, position, plies) {
            return Value::Win(plies);
        }
        if loses_within(game, position, plies) {
            return Value::Loss(plies);
        }
    }
    Value::Draw
}

#[test]
fn a_heap_of_stones_has_its_textbook_values() {
    // Take one, two or three; who cannot move has lost: a loss at multiples of four.
    let size = 100;
    let moves = (0..size)
        .map(|heap: u64| {
            Some(
                (1..=3.min(heap))
                    .map(|n| Successor::Position(heap - n))
                    .collect(),
            )
        })
        .collect();
    let solution = reference::solve(
        &Graph {
            moves,
            stuck: Value::Loss(0),
        },
        &mut |_| {},
    )
    .unwrap();
    for (heap, value) in solution.iter() {
        // The loser takes one at a time and the winner completes four.
        let rounds = u32::try_from(heap / 4).unwrap();
        let expected = if heap % 4 == 0 {
            Value::Loss(2 * rounds)
        } else {
            Value::Win(2 * rounds + 1)
        };
        assert_eq!(value, expected, "heap of {heap}");
    }
    assert_eq!(solution.iter().count(), 100);
}

#[test]
fn a_game_without_end_is_a_draw_everywhere() {
    // Two rings with chords between them, and no position without a move.
    let children: Vec<Vec<u64>> = (0..1000)
        .map(|i| vec![(i + 1) % 1000, (i * 7) % 1000])
        .collect();
    let children: Vec<&[u64]> = children.iter().map(Vec::as_slice).collect();
    let mut levels = 0;
    let solution = reference::solve(&Graph::plain(&children), &mut |progress| {
        levels += u32::from(matches!(progress, Progress::Level { .. }));
    })
    .unwrap();
    assert!((0..1000).all(|index| solution.value(index) == Some(Value::Draw)));
    assert_eq!(levels, 0, "nothing can be decided at any distance");
}

#[test]
fn the_winner_hurries_and_the_loser_delays() {
    // 0 is lost. 1 -> 0 wins in 1; 2 -> 1 loses in 2; 3 -> 2 wins in 3; 4 -> 1 or 3 loses in 4,
    // 5 -> 0 or 2 or 4 wins in 1.
    let game = Graph::plain(&[&[], &[0], &[1], &[2], &[1, 3], &[0, 2, 4]]);
    let expected = [
        Value::Loss(0),
        Value::Win(1),
        Value::Loss(2),
        Value::Win(3),
        Value::Loss(4),
        Value::Win(1),
    ];
    assert_eq!(values(&game), expected.map(Some));
}

#[test]
fn a_side_that_can_hold_a_draw_does() {
    // 1 and 2 go round; 2 may also leave for 3, which wins for the other side.
    let game = Graph::plain(&[&[], &[2], &[1, 3], &[0]]);
    assert_eq!(
        values(&game),
        [Value::Loss(0), Value::Draw, Value::Draw, Value::Win(1)].map(Some)
    );
}

#[test]
fn distances_beyond_sixteen_bits_are_exact() {
    // A single file of positions, each with a move to the one before; the first is lost in 60,000
    // by rule, which spares the test the two billion looks of a file of 66,000.
    let length = 6_000;
    let moves = (0..length)
        .map(|i: u64| {
            let first = Successor::Decided(Value::Loss(60_000));
            Some(vec![i.checked_sub(1).map_or(first, Successor::Position)])
        })
        .collect();
    let solution = reference::solve(
        &Graph {
            moves,
            stuck: Value::Loss(0),
        },
        &mut |_| {},
    )
    .unwrap();
    for (index, value) in solution.iter() {
        let depth = 60_001 + u32::try_from(index).unwrap();
        let expected = if index % 2 == 0 {
            Value::Win(depth)
        } else {
            Value::Loss(depth)
        };
        assert_eq!(value, expected);
    }
    assert_eq!(solution.value(5_999), Some(Value::Loss(66_000)));
}

#[test]
fn values_by_rule_act_at_their_own_distance() {
    // Position 0 can be lost in a million by rule or go to 1, which loses in 7 for its mover.
    let game = Graph {
        moves: vec![
            Some(vec![
                Successor::Decided(Value::Loss(1_000_000)),
                Successor::Position(1),
            ]),
            Some(vec![
                Successor::Decided(Value::Win(6)),
                Successor::Decided(Value::Win(2)),
            ]),
            Some(vec![Successor::Decided(Value::Loss(1_000_000))]),
            Some(vec![
                Successor::Position(2),
                Successor::Decided(Value::Win(1)),
            ]),
            Some(vec![
                Successor::Decided(Value::Draw),
                Successor::Decided(Value::Win(1)),
            ]),
            None,
            Some(vec![]),
        ],
        stuck: Value::Loss(2),
    };
    assert_eq!(
        values(&game),
        [
            Some(Value::Win(8)),
            Some(Value::Loss(7)),
            Some(Value::Win(1_000_001)),
            Some(Value::Loss(1_000_002)),
            Some(Value::Draw),
            None,
            Some(Value::Loss(2)),
        ]
    );
}

#[test]
fn being_stuck_may_be_a_win_or_a_draw() {
    let mut game = Graph::plain(&[&[], &[0], &[1]]);
    game.stuck = Value::Win(0);
    assert_eq!(
        values(&game),
        [Value::Win(0), Value::Loss(1), Value::Win(2)].map(Some)
    );
    game.stuck = Value::Draw;
    assert_eq!(values(&game), [Some(Value::Draw); 3]);
}

#[test]
fn faults_of_a_game_are_named() {
    let game = Graph::plain(&[&[], &[0, 9]]);
    let error = reference::solve(&game, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 1 of 1 (index 1) leads to 9, which has no index"
    );

    let mut game = Graph::plain(&[&[], &[0], &[1]]);
    game.moves[1] = None;
    let error = reference::solve(&game, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 0 of 2 (index 2) leads to index 1, which is a hole"
    );

    let mut game = Graph::plain(&[&[]]);
    game.stuck = Value::Loss(u32::MAX);
    let error = reference::solve(&game, &mut |_| {}).unwrap_err();
    assert_eq!(error, SolveError::TooDeep(u32::MAX));
}

#[test]
fn the_estimate_is_what_the_solver_holds() {
    let small = Graph::plain(&[&[], &[0], &[0, 1], &[0, 1, 2]]);
    let estimate = reference::estimate(&small);
    assert!(estimate.exact);
    assert_eq!((estimate.indices, estimate.moves), (4, 6));
    assert_eq!(estimate.bytes, 4 * 20 + 6 * 4);

    // Every third index is a hole, the others have one to five moves: 3 on average.
    let size = 200_000_u64;
    let moves = (1..=5)
        .cycle()
        .zip(0..size)
        .map(|(moves, i)| (i % 3 != 0).then(|| vec![Successor::Decided(Value::Draw); moves]))
        .collect();
    let game = Graph {
        moves,
        stuck: Value::Draw,
    };
    let estimate = reference::estimate(&game);
    let moves = reference::solve(&game, &mut |_| {}).unwrap().moves();
    assert!(!estimate.exact);
    assert!(
        estimate.moves.abs_diff(moves) * 100 < moves,
        "{estimate:?} for {moves} moves"
    );
    assert!(estimate.bytes >= size * 20 + moves * 4);
    assert!(estimate.bytes <= size * 20 + moves * 4 * 12 / 10);
}

#[test]
fn an_index_too_large_is_refused_before_it_is_allocated() {
    struct Huge;
    impl Game for Huge {
        type Position = u64;
        type Move = u64;
        fn index_size(&self) -> u64 {
            u64::MAX
        }
        fn rank(&self, position: &u64) -> Option<u64> {
            Some(*position)
        }
        fn unrank(&self, index: u64) -> Option<u64> {
            Some(index)
        }
        fn moves(&self, _: &u64, moves: &mut Vec<u64>) {
            moves.extend([0, 1, 2]);
        }
        fn play(&self, _: &u64, mv: u64) -> Successor<u64> {
            Successor::Position(mv)
        }
        fn stuck(&self) -> Value {
            Value::Loss(0)
        }
        fn weight(&self, _: &u64) -> u64 {
            1
        }
        fn symmetries(&self, _: &u64) -> Vec<u64> {
            Vec::new()
        }
    }
    let error = reference::solve(&Huge, &mut |_| {}).unwrap_err();
    assert_eq!(error, SolveError::TooLarge { size: u64::MAX });
    assert_eq!(
        reference::estimate(&Huge).bytes,
        u64::MAX,
        "saturates rather than wraps"
    );
}

/// Random graphs of up to 9 positions with holes and values by rule.
fn graphs() -> impl Strategy<Value = Graph> {
    let value = prop_oneof![
        (0_u32..4).prop_map(|n| Value::Loss(2 * n)),
        (0_u32..4).prop_map(|n| Value::Win(2 * n + 1)),
        Just(Value::Draw),
    ];
    let stuck = prop_oneof![
        Just(Value::Loss(0)),
        Just(Value::Loss(2)),
        Just(Value::Draw)
    ];
    (
        prop::collection::vec(prop::bool::weighted(0.9), 1..10),
        stuck,
    )
        .prop_flat_map(move |(present, stuck)| {
            let live: Vec<u64> = (0..)
                .zip(&present)
                .filter(|(_, p)| **p)
                .map(|(i, _)| i)
                .collect();
            let successor = if live.is_empty() {
                value.clone().prop_map(Successor::Decided).boxed()
            } else {
                prop_oneof![
                    5 => prop::sample::select(live).prop_map(Successor::Position),
                    1 => value.clone().prop_map(Successor::Decided),
                ]
                .boxed()
            };
            let lists: Vec<BoxedStrategy<Option<Vec<Successor<u64>>>>> = present
                .iter()
                .map(|&present| {
                    if present {
                        prop::collection::vec(successor.clone(), 0..3)
                            .prop_map(Some)
                            .boxed()
                    } else {
                        Just(None).boxed()
                    }
                })
                .collect();
            lists.prop_map(move |moves| Graph { moves, stuck })
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two ways to one truth: levels over the whole graph, and a search from each position.
    #[test]
    fn agrees_with_search(game in graphs()) {
        let limit = 12;
        for (index, value) in (0..).zip(values(&game)) {
            match value {
                None => prop_assert!(game.moves[usize::try_from(index).unwrap()].is_none()),
                Some(value) if value.depth().is_some_and(|depth| depth > limit) => {
                    prop_assert_eq!(searched(&game, index, limit), Value::Draw);
                }
                Some(value) => prop_assert_eq!(searched(&game, index, limit), value),
            }
        }
    }

    /// Each value follows from its successors' values by exactly one ply: with distances as ranks
    /// this fixes all values, also where play goes round.
    #[test]
    fn values_follow_from_their_successors(game in graphs()) {
        let solved = values(&game);
        for (moves, value) in game.moves.iter().zip(&solved) {
            let (Some(moves), Some(value)) = (moves, value) else { continue };
            let best = moves
                .iter()
                .map(|next| match *next {
                    Successor::Decided(value) => value,
                    Successor::Position(p) => solved[usize::try_from(p).unwrap()].unwrap(),
                })
                .map(Value::before_move)
                .max_by_key(|value| value.preference());
            prop_assert_eq!(best.unwrap_or(game.stuck), *value);
        }
    }
}
