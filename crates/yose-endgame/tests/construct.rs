//! Constructed boards: as drawn in `tests/data/goendgame`, and proved for many parameters.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use yose_endgame::LocalSolver;
use yose_endgame::construct::{
    self, ConstructError, Constructed, Corridors, Hotstrat, ProofError, Third, corridors,
    false_independence, hotstrat, switches,
};
use yose_go::Cell;

fn drawn(name: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/goendgame");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn proved(board: &Constructed) -> construct::Proof {
    let proof = board.prove(&mut LocalSolver::default().without_closed_forms());
    proof.unwrap_or_else(|error| panic!("{error}\n{}", board.rows().join("\n")))
}

#[test]
fn the_default_boards_are_the_drawn_ones() {
    assert_eq!(construct::built_in().rows(), drawn("hotstrat19.rows"));
    let two = Hotstrat {
        third: Third::None,
        ..Hotstrat::default()
    };
    assert_eq!(
        hotstrat(&two).unwrap().rows(),
        drawn("hotstrat19_two_regions.rows")
    );
    let split = false_independence(&Hotstrat::default()).unwrap();
    assert_eq!(split.rows(), drawn("false_independence19.rows"));
}

#[test]
fn hotstrat_by_parameters() {
    let mut lost = 0;
    for (side, atari, chain, prey) in [
        (19, 5, 50, 8),
        (19, 5, 6, 8),
        (19, 4, 7, 6),
        (19, 1, 6, 1),
        (19, 3, 33, 5),
        (19, 9, 38, 12),
        (19, 7, 46, 10),
        (13, 3, 10, 5),
        (25, 8, 100, 12),
        (14, 2, 20, 3),
    ] {
        for third in [Third::None, Third::Dame, Third::Corridor, Third::Switch] {
            let wanted = Hotstrat {
                side,
                atari,
                chain,
                prey,
                third,
            };
            let board = hotstrat(&wanted).unwrap_or_else(|e| panic!("{wanted:?}: {e}"));
            let proof = proved(&board);
            assert!(proof.analysis.is_exact());
            let stones = board.cells.iter().filter(|&&cell| cell != Cell::Empty);
            assert!(stones.count() < side * side);
            lost += usize::from(board.hottest_loses.is_some());
            let flipped = board.flipped();
            let other = proved(&flipped);
            assert_eq!(
                other.analysis.left_stop.exact().unwrap(),
                proof.analysis.right_stop.exact().unwrap().negative()
            );
        }
        let wanted = Hotstrat {
            side,
            atari,
            chain,
            prey,
            third: Third::None,
        };
        proved(&false_independence(&wanted).unwrap());
    }
    assert!(lost > 20, "{lost}");
}

#[test]
fn corridors_by_length() {
    for n in 1..=15 {
        let board = corridors(&Corridors {
            lengths: vec![n],
            ..Corridors::default()
        });
        proved(&board.unwrap());
    }
    for n in 1..=15 {
        let board = corridors(&Corridors {
            lengths: vec![n, 1],
            both_ends: true,
            ..Corridors::default()
        });
        proved(&board.unwrap());
    }
    for n in 1..=6 {
        for k in 1..=4 {
            let board = corridors(&Corridors {
                side: 15,
                lengths: vec![n],
                prisoners: vec![k],
                both_ends: false,
            });
            proved(&board.unwrap());
        }
    }
    let many = Corridors {
        lengths: vec![2, 3, 4, 5, 2, 3, 1],
        prisoners: vec![0, 0, 1, 0, 2, 1, 0],
        ..Corridors::default()
    };
    let board = corridors(&many).unwrap();
    proved(&board);
    proved(&board.flipped());
}

#[test]
fn switches_and_their_record() {
    let board = switches(19, &[8, 5, 3, 3, 1, 9, 14, 2, 4]).unwrap();
    let mut solver = LocalSolver::default().without_closed_forms();
    let proof = board.prove(&mut solver).unwrap();
    assert_eq!(proof.hottest().unwrap().loss.to_string(), "0");
    let tree = board.record(&proof, &mut solver).unwrap();
    let bytes = yose_go::sgf::write(&[tree]);
    let read = yose_go::sgf::read_strict(&bytes).unwrap();
    let replay = read[0]
        .replay(&yose_go::sgf::ReplayOptions::default())
        .unwrap();
    let shown = replay.game.board().to_rows();
    assert_eq!(shown, board.rows());
    let text = read[0].root().text("C").unwrap();
    assert!(
        text.contains("{28|0}") && text.contains("nothing is assumed"),
        "{text}"
    );
}

/// A claim that is wrong is found out.
#[test]
fn a_wrong_claim_is_no_proof() {
    let mut solver = LocalSolver::default().without_closed_forms();
    let mut board = construct::built_in();
    board.claims[1].value = "{14|0}".to_owned();
    assert!(matches!(
        board.prove(&mut solver),
        Err(ProofError::Region { .. })
    ));
    let mut board = construct::built_in();
    board.hottest_loses = Some(6);
    assert!(matches!(
        board.prove(&mut solver),
        Err(ProofError::Score { .. })
    ));
    let mut board = construct::built_in();
    board.settled = 1;
    assert!(matches!(
        board.prove(&mut solver),
        Err(ProofError::Score { .. })
    ));
    let mut board = construct::built_in();
    board.claims.pop();
    assert!(matches!(
        board.prove(&mut solver),
        Err(ProofError::Regions { .. })
    ));
    // One frame group without its second eye: its stones are mortal, the regions others.
    let mut board = construct::built_in();
    board.cells[10 * 19 + 2] = Cell::White;
    assert!(board.prove(&mut solver).is_err());
}

#[test]
fn what_does_not_fit_is_said() {
    let range = |result: Result<Constructed, ConstructError>| match result {
        Err(ConstructError::Range {
            what, low, high, ..
        }) => (what, low, high),
        other => panic!("{other:?}"),
    };
    assert_eq!(range(switches(19, &[0])), ("stones of a switch", 1, 14));
    assert_eq!(range(switches(19, &[16])), ("stones of a switch", 1, 14));
    assert_eq!(range(switches(19, &[1; 10])), ("regions", 1, 9));
    assert_eq!(range(switches(26, &[1])), ("side", 5, 25));
    assert_eq!(range(switches(0, &[])), ("side", 5, 25));
    for (side, atari, chain, prey) in [
        (12, 1, 6, 1),
        (19, 10, 20, 1),
        (19, 0, 20, 1),
        (19, 5, 5, 1),
        (19, 5, 55, 1),
        (19, 5, 50, 12),
        (usize::MAX, usize::MAX, usize::MAX, usize::MAX),
    ] {
        let wanted = Hotstrat {
            side,
            atari,
            chain,
            prey,
            third: Third::None,
        };
        range(hotstrat(&wanted));
        range(false_independence(&wanted));
    }
    let both = Corridors {
        lengths: vec![3],
        prisoners: vec![1],
        both_ends: true,
        ..Corridors::default()
    };
    range(corridors(&both));
    let ragged = Corridors {
        prisoners: vec![1],
        ..Corridors::default()
    };
    assert!(matches!(
        corridors(&ragged),
        Err(ConstructError::Prisoners { .. })
    ));
}
