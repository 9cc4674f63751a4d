//! Tallies, reachable positions and best moves on a board small enough to count by hand.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use common::Graph;
use yose_retro::reachable::{self, ReachableError};
use yose_retro::tally::{Counts, HistogramRow, Tally};
use yose_retro::{Game, Outcome, Successor, Value, best, reference};

/// Two heaps, a move takes stones from one; folded so that the first is not the larger.
///
/// ```text
///          second heap
///          0  1  2
/// first 0  L  W  W     L: the side to move loses: equal heaps
///       1  .  L  W
///       2  .  .  L
/// ```
struct Heaps;

const SIDE: u64 = 3;

impl Game for Heaps {
    type Position = (u64, u64);
    type Move = (usize, u64);

    fn index_size(&self) -> u64 {
        SIDE * SIDE
    }
    fn rank(&self, &(a, b): &(u64, u64)) -> Option<u64> {
        (a.max(b) < SIDE).then_some(a.min(b) * SIDE + a.max(b))
    }
    fn unrank(&self, index: u64) -> Option<(u64, u64)> {
        let (a, b) = (index / SIDE, index % SIDE);
        (a <= b && a < SIDE).then_some((a, b))
    }
    fn moves(&self, &(a, b): &(u64, u64), moves: &mut Vec<(usize, u64)>) {
        moves.extend((0..a).map(|to| (0, to)));
        moves.extend((0..b).map(|to| (1, to)));
    }
    fn play(&self, &(a, b): &(u64, u64), (heap, to): (usize, u64)) -> Successor<(u64, u64)> {
        Successor::Position(if heap == 0 { (to, b) } else { (a, to) })
    }
    fn stuck(&self) -> Value {
        Value::Loss(0)
    }
    fn weight(&self, &(a, b): &(u64, u64)) -> u64 {
        2 * if a == b { 1 } else { 2 }
    }
    fn symmetries(&self, &(a, b): &(u64, u64)) -> Vec<(u64, u64)> {
        vec![(b, a)]
    }
}

#[test]
fn a_tally_counts_folded_and_unfolded() {
    let solution = reference::solve(&Heaps, &mut |_| {}).unwrap();
    let tally = Tally::of(&Heaps, &solution);
    assert_eq!(
        tally.canonical,
        Counts {
            win: 3,
            loss: 3,
            draw: 0
        }
    );
    assert_eq!(
        tally.all,
        Counts {
            win: 12,
            loss: 6,
            draw: 0
        }
    );
    assert_eq!(tally.all.positions(), 2 * SIDE * SIDE);
    let row = |value, depth, canonical, all| HistogramRow {
        value,
        depth,
        canonical,
        all,
    };
    // (1, 1) loses in 2; (2, 2) in 4; (0, 1) and (0, 2) win in 1, (1, 2) in 3.
    assert_eq!(
        tally.histogram,
        [
            row(Outcome::Win, Some(1), 2, 8),
            row(Outcome::Win, Some(3), 1, 4),
            row(Outcome::Loss, Some(0), 1, 2),
            row(Outcome::Loss, Some(2), 1, 2),
            row(Outcome::Loss, Some(4), 1, 2),
        ]
    );
    assert_eq!(tally.max_depth(), Some(4));
}

#[test]
fn draws_stand_last_in_a_histogram() {
    // 0 lost, 1 won, 2 and 3 go round.
    let game = Graph::plain(&[&[], &[0], &[3], &[2]]);
    let tally = Tally::of(&game, &reference::solve(&game, &mut |_| {}).unwrap());
    let rows: Vec<_> = tally
        .histogram
        .iter()
        .map(|row| (row.value, row.depth, row.all))
        .collect();
    assert_eq!(
        rows,
        [
            (Outcome::Win, Some(1), 1),
            (Outcome::Loss, Some(0), 1),
            (Outcome::Draw, None, 2)
        ]
    );
    assert_eq!(tally.max_depth(), Some(1));
}

#[test]
fn positions_won_in_one_are_reached_but_not_played_on_from() {
    // 5 -> 4 -> {0 lost, 3}: 4 wins in 1, so 3 is not reached, though 4 has a move there.
    let game = Graph::plain(&[&[], &[0], &[1], &[2], &[0, 3], &[4], &[5]]);
    let solution = reference::solve(&game, &mut |_| {}).unwrap();
    let tally = reachable::count(&game, &solution, &6).unwrap();
    assert_eq!(
        tally.canonical,
        Counts {
            win: 2,
            loss: 1,
            draw: 0
        }
    );
    assert_eq!(tally.max_depth(), Some(3));
}

#[test]
fn reachable_positions_are_folded() {
    let solution = reference::solve(&Heaps, &mut |_| {}).unwrap();
    let from = |start| reachable::count(&Heaps, &solution, &start).unwrap();
    // Play meets every position but (0, 0), which is reached only from positions won in 1.
    let mut expected = Tally::of(&Heaps, &solution);
    expected.canonical.loss -= 1;
    expected.all.loss -= Heaps.weight(&(0, 0));
    expected.histogram.retain(|row| row.depth != Some(0));
    assert_eq!(from((2, 2)), expected);
    assert_eq!(from((1, 2)), from((2, 1)));
    assert_eq!(
        reachable::count(&Heaps, &solution, &(3, 0)),
        Err(ReachableError::OutsideDomain("(3, 0)".into()))
    );
}

#[test]
fn a_solution_of_another_game_is_noticed() {
    let game = Graph::plain(&[&[], &[0], &[1]]);
    let other = Graph::plain(&[&[]]);
    let solution = reference::solve(&other, &mut |_| {}).unwrap();
    assert_eq!(
        reachable::count(&game, &solution, &2),
        Err(ReachableError::NoValue {
            index: 2,
            position: "2".into()
        })
    );
    assert_eq!(best::moves(&game, &solution, &2, |_, mv| mv), None);
}

#[test]
fn the_best_move_comes_first_and_ties_go_by_key() {
    // From 4: to 3 (won for the other side in 1), 1 (likewise), 0 (lost: wins at once), 5 (draw).
    let game = Graph::plain(&[&[], &[0], &[1], &[0], &[3, 1, 0, 5, 2], &[6], &[5]]);
    let solution = reference::solve(&game, &mut |_| {}).unwrap();
    let ranked = best::moves(&game, &solution, &4, |_, mv| mv).unwrap();
    let seen: Vec<_> = ranked.iter().map(|m| (m.mv, m.value)).collect();
    assert_eq!(
        seen,
        [
            (2, Value::Win(1)),
            (4, Value::Win(3)),
            (3, Value::Draw),
            (0, Value::Loss(2)),
            (1, Value::Loss(2))
        ]
    );
    let ranked = best::moves(&game, &solution, &4, |_, mv| std::cmp::Reverse(mv)).unwrap();
    assert_eq!((ranked[3].mv, ranked[4].mv), (1, 0));
}

#[test]
fn the_line_of_best_play_is_as_long_as_the_value_says() {
    let solution = reference::solve(&Heaps, &mut |_| {}).unwrap();
    for (index, value) in solution.iter() {
        let start = Heaps.unrank(index).unwrap();
        let line = best::line(&Heaps, &solution, &start, |_, mv| mv).unwrap();
        assert_eq!(line.len(), value.depth().unwrap() as usize, "{start:?}");
    }
    // A drawn line stops where it meets a position again; 2 -> 3 -> 2.
    let game = Graph::plain(&[&[], &[0], &[3], &[2]]);
    let solution = reference::solve(&game, &mut |_| {}).unwrap();
    assert_eq!(
        best::line(&game, &solution, &2, |_, mv| mv),
        Some(vec![0, 0])
    );
}
