//! Who wins, by formula: against the table, and proved without one.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::HashMap;

use yose_race::nim::{self, Heaps};
use yose_race::{Columns, Position, Proof, Race, Row, Side, Table, prove};
use yose_retro::{Game, Successor};

fn columns(count: usize) -> Columns {
    Columns::new(count).unwrap()
}

#[test]
fn the_corrected_statement_is_the_table() {
    // (columns, wins and losses of the side to move, starts the first player wins, exceptions)
    for (count, win, loss, first_player_wins, exceptions) in [
        (4, 1_352, 376, 48, 4),
        (6, 44_022, 16_728, 589, 16),
        (8, 481_664, 220_800, 3_464, 40),
        (10, 2_996_450, 1_559_800, 13_645, 80),
        (12, 13_180_152, 7_519_560, 41_648, 140),
    ] {
        let table = Table::solve(columns(count), &mut |_| {}).unwrap();
        let proof = Proof::of(&table);
        assert_eq!(proof.corrected_exceptions, 0, "{count} columns");
        assert_eq!(
            (proof.win, proof.loss, proof.draw),
            (win, loss, 0),
            "{count} columns"
        );
        assert_eq!(proof.positions, win + loss);
        assert_eq!(proof.positions, table.race().positions());
        assert_eq!(proof.placements, (count as u64 / 2).pow(6));
        assert_eq!(
            proof.first_player_wins, first_player_wins,
            "{count} columns"
        );
        assert_eq!(proof.exceptions, exceptions, "{count} columns");
        // Two ways to one count: the full domain above, the weights of the index here.
        let tally = table.tally();
        assert_eq!(
            (tally.all.win, tally.all.loss, tally.all.draw),
            (win, loss, 0)
        );
        assert_eq!(tally.max_depth(), proof.max_depth);
    }
}

/// All exceptions have touching pieces in row A; there the statement fails whenever it says that
/// the first player loses, and 4 C(n + 1, 3) starts are of that kind.
#[test]
fn the_exceptions_are_the_starts_that_touch_in_row_a() {
    for count in [4, 6, 8, 10] {
        let n = count as u64 / 2;
        let race = Race::new(columns(count));
        let mut exceptions = 0;
        for start in race.every_start(Side::Black) {
            let published = nim::published_winner(&start).unwrap();
            let differs = published != nim::winner(&start);
            let touching_and_said_lost =
                start.distance(Row::A) == 1 && published == start.to_move().other();
            assert_eq!(differs, touching_and_said_lost, "{start}");
            exceptions += u64::from(differs);
        }
        assert_eq!(exceptions, 4 * (n + 1) * n * (n - 1) / 6);
        let proof = prove(columns(count), &mut |_| {}).unwrap();
        assert_eq!(proof.exceptions, exceptions);
        assert_eq!(proof.exceptions_touching_in_a, exceptions);
        assert_eq!(proof.exception_samples.len() as u64, exceptions.min(10));
        for sample in &proof.exception_samples {
            assert_eq!(nim::published_winner(sample), Some(Side::Black));
            assert_eq!(nim::winner(sample), Side::Red);
        }
    }
}

#[test]
fn the_published_statement_reads_as_published() {
    // d_A, d_B, d_C of starts on ten columns, and whether the first player loses.
    for (d, loses) in [
        ([2, 3, 3], true),
        ([2, 3, 4], false),
        ([3, 3, 4], true),
        ([3, 4, 3], true),
        ([3, 4, 5], false), // 4 and 5 are 2k and 2k + 1
        ([3, 4, 4], false),
        ([1, 1, 2], true),
        ([5, 2, 3], false),
    ] {
        let place = |d: u8| (4 - (d - 1) / 2, 5 + d / 2);
        let (a, b, c) = (place(d[0]), place(d[1]), place(d[2]));
        let red = [a.0, b.0, c.0, 4];
        let black = [a.1, b.1, c.1, 5];
        for side in [Side::Red, Side::Black] {
            let start = Position::new(columns(10), red, black, side).unwrap();
            let loser = if loses { side } else { side.other() };
            assert_eq!(
                nim::published_winner(&start),
                Some(loser.other()),
                "{start}"
            );
        }
    }
    // Of other positions it does not speak.
    for text in ["r4b4/1r3b4/2r4b2/3r1b4 r", "r4b4/1r3b4/5rb3/4rb4 r"] {
        assert_eq!(nim::published_winner(&text.parse().unwrap()), None);
    }
}

/// The corrected statement proved by forward rules alone, with no table.
///
/// Local agreement would not do, since play can go round; so the strategy comes with a measure
/// that falls with every pair of moves of loser and winner. See `docs/race.md`.
#[test]
fn the_strategy_wins_and_comes_to_an_end() {
    for count in [4, 6, 8] {
        let race = Race::new(columns(count));
        let positions: Vec<Position> = if count == 4 {
            race.every_position().collect()
        } else {
            (0..race.index_size())
                .map(|index| race.unrank(index).unwrap())
                .collect()
        };
        for position in positions {
            let mv = nim::winning_move(&position);
            if Heaps::of(&position).side_to_move_wins() {
                // The winner's move ends the game or leaves the loser with a lost position.
                let next = position.play(mv.expect("a winning move")).unwrap();
                assert!(loses(&next), "{position}");
                continue;
            }
            assert_eq!(mv, None, "{position}");
            let before = measure(&position, position.to_move());
            // Every move of the loser is answered, and the measure falls.
            for mv in position.moves() {
                let Successor::Position(answered) = position.play(mv).unwrap() else {
                    panic!("{mv} takes in the lost position {position}");
                };
                assert!(!loses(&Successor::Position(answered)), "{position} {mv}");
                match answered
                    .play(nim::winning_move(&answered).unwrap())
                    .unwrap()
                {
                    Successor::Decided(_) => {}
                    Successor::Position(next) => {
                        let after = measure(&next, position.to_move());
                        assert!(after < before, "{position} {mv}: {before} to {after}");
                    }
                }
            }
        }
    }
}

/// Whether the side to move after a move loses by formula.
fn loses(next: &Successor<Position>) -> bool {
    match next {
        Successor::Decided(_) => true,
        Successor::Position(next) => !Heaps::of(next).side_to_move_wins(),
    }
}

/// The loser's room to retreat, twice the squares between the pieces of rows B and C, the distance
/// in row A, and all spare moves.
fn measure(position: &Position, loser: Side) -> u32 {
    let room = [Row::B, Row::C].map(|row| position.room_behind(loser, row));
    let between = [Row::B, Row::C].map(|row| position.distance(row) - 1);
    let spares = [Side::Red, Side::Black].map(|side| position.room_behind(side, Row::D));
    let sum = |bytes: [u8; 2]| bytes.iter().copied().map(u32::from).sum::<u32>();
    sum(room) + 2 * sum(between) + u32::from(position.distance(Row::A)) + sum(spares)
}

/// The game that the rows are said to be: heaps that only shrink, and purses of spare moves.
/// `None` for `steps` when the pieces of row A touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Nim {
    steps: Option<u8>,
    b: u8,
    c: u8,
    own: u8,
    enemy: u8,
}

impl Nim {
    /// Whether the side to move wins, by trying every move.
    fn wins(self, known: &mut HashMap<Nim, bool>) -> bool {
        if let Some(&wins) = known.get(&self) {
            return wins;
        }
        let Some(steps) = self.steps else { return true };
        let turn = Nim {
            own: self.enemy,
            enemy: self.own,
            ..self
        };
        let mut next = vec![Nim {
            steps: steps.checked_sub(1),
            ..turn
        }];
        next.extend((0..self.b).map(|b| Nim { b, ..turn }));
        next.extend((0..self.c).map(|c| Nim { c, ..turn }));
        next.extend(
            self.own
                .checked_sub(1)
                .map(|own| Nim { enemy: own, ..turn }),
        );
        let wins = next.into_iter().any(|next| !next.wins(known));
        known.insert(self, wins);
        wins
    }
}

/// The race is that game: retreats in rows B and C, and where the pieces stand, change nothing.
#[test]
fn the_race_is_nim_with_spare_moves() {
    for count in [4, 6, 8] {
        let table = Table::solve(columns(count), &mut |_| {}).unwrap();
        let mut known = HashMap::new();
        for (index, value) in table.solution().iter() {
            let position = table.race().unrank(index).unwrap();
            let heaps = Heaps::of(&position);
            let nim = Nim {
                steps: (!heaps.can_take).then_some(heaps.steps),
                b: heaps.b,
                c: heaps.c,
                own: heaps.own_spares,
                enemy: heaps.enemy_spares,
            };
            let solved = value.outcome() == yose_retro::Outcome::Win;
            assert_eq!(nim.wins(&mut known), solved, "{position}");
        }
    }
}
