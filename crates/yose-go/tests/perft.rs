//! Numbers of games against an independent count, legal positions, tiny boards solved.

use std::collections::HashSet;

use yose_go::perft::{Moves, perft};
use yose_go::{Game, KoRule, Rules, Size, Suicide, enumerate, solve, symmetry};

/// Rows of the table, each cut where a count passes `limit`.
fn check_rows(limit: u64) {
    let text = include_str!("../../../tests/data/go/perft.tsv");
    let mut rows = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [width, height] = [0, 1].map(|i| fields[i].parse().expect("a number"));
        let size = Size::new(height, width).expect("a size");
        let ko = if fields[2].starts_with("simple-ko") {
            KoRule::Simple
        } else {
            KoRule::Positional
        };
        let suicide = if fields[2].ends_with("suicide-legal") {
            Suicide::Allowed
        } else {
            Suicide::Forbidden
        };
        let moves = if fields[3] == "stones-only" {
            Moves::Stones
        } else {
            Moves::WithPasses
        };
        let expected: Vec<u64> = fields[4..]
            .iter()
            .map(|count| count.parse().expect("a number"))
            .take_while(|&count| count <= limit)
            .collect();
        let rules = Rules {
            ko,
            suicide,
            ..Rules::TROMP_TAYLOR
        };
        let mut game = Game::new(size, rules);
        assert_eq!(perft(&mut game, expected.len(), moves), expected, "{line}");
        assert!(game.moves().is_empty());
        rows += 1;
    }
    assert_eq!(rows, 60);
}

#[test]
fn numbers_of_games() {
    check_rows(200_000);
}

#[test]
#[ignore = "a quarter of a minute: 40 million positions, with history"]
fn numbers_of_games_to_full_depth() {
    check_rows(u64::MAX);
}

#[test]
fn numbers_of_games_to_full_depth_under_simple_ko() {
    for (side, expected) in [(9, vec![81, 6480, 511_920]), (19, vec![361, 129_960])] {
        let size = Size::square(side).expect("a size");
        let rules = Rules {
            ko: KoRule::Simple,
            ..Rules::CHINESE
        };
        let counts = perft(&mut Game::new(size, rules), expected.len(), Moves::Stones);
        assert_eq!(counts, expected);
    }
}

/// John Tromp's numbers of legal positions.
#[test]
fn numbers_of_legal_positions() {
    for (rows, cols, expected) in [
        (1, 1, 1),
        (1, 2, 5),
        (1, 3, 15),
        (1, 4, 41),
        (4, 1, 41),
        (2, 2, 57),
        (2, 3, 489),
        (2, 4, 4_125),
        (3, 3, 12_675),
    ] {
        let size = Size::new(rows, cols).expect("a size");
        assert_eq!(enumerate::count(size), Ok(expected), "{size}");
        // The same by the board's own test of set-up stones, and each once.
        let mut seen = HashSet::new();
        enumerate::for_each(size, |position| {
            position.to_board().expect("every chain breathes");
            assert!(seen.insert(*position));
        })
        .expect("small");
        assert_eq!(seen.len() as u64, expected);
    }
    assert!(enumerate::count(Size::new(3, 7).expect("a size")).is_err());
}

#[test]
fn number_of_legal_positions_on_4x4() {
    assert_eq!(
        enumerate::count(Size::square(4).expect("a size")),
        Ok(24_318_165)
    );
}

#[test]
#[ignore = "a minute: 3,487 million arrangements"]
fn number_of_legal_positions_on_4x5() {
    assert_eq!(
        enumerate::count(Size::new(4, 5).expect("a size")),
        Ok(1_840_058_693)
    );
}

/// Canonical positions of 3 x 3 fall into orbits whose sizes add up to all of them.
#[test]
fn orbits_of_3x3() {
    let size = Size::square(3).expect("a size");
    let mut orbits = HashSet::new();
    let mut all = 0;
    enumerate::for_each(size, |position| {
        all += 1;
        let (least, by) = symmetry::canonical(position);
        assert_eq!(by.position(position), least);
        if orbits.insert(least) {
            for other in symmetry::Symmetry::all(size) {
                assert_eq!(symmetry::canonical(&other.position(position)).0, least);
            }
        }
    })
    .expect("small");
    let members: usize = orbits
        .iter()
        .map(|least| {
            let moved = symmetry::Symmetry::all(size).map(|by| by.position(least));
            moved.collect::<HashSet<_>>().len()
        })
        .sum();
    assert_eq!((all, members), (12_675, 12_675));
}

/// Exact values under positional superko, area counting.
#[test]
fn tiny_boards_solved() {
    for (rows, cols, value) in [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (2, 2, 1)] {
        for suicide in [Suicide::Forbidden, Suicide::Allowed] {
            let size = Size::new(rows, cols).expect("a size");
            let rules = Rules {
                suicide,
                ..Rules::TROMP_TAYLOR
            };
            let solution = solve::solve(&Game::new(size, rules), 1_000_000).expect("small");
            assert_eq!(
                solution.value, value,
                "{size} {suicide:?} {}",
                solution.nodes
            );
        }
    }
}

/// On 3 x 3 Black, to move, gets all nine points, so that is its value.
#[test]
fn three_by_three_is_all_black() {
    let size = Size::square(3).expect("a size");
    for rules in [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::NEW_ZEALAND] {
        let game = Game::new(size, rules);
        assert_eq!(solve::proves(&game, 9, 1_000_000), Ok(true));
    }
    // No proof of more than there is: 2 x 2 is worth 1.
    let game = Game::new(Size::square(2).expect("a size"), Rules::TROMP_TAYLOR);
    assert_eq!(solve::proves(&game, 2, 1_000_000), Ok(false));
    assert!(solve::solve(&game, 100).is_err());
}
