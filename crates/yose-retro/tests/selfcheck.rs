//! The check of a game against itself passes a sound game and catches planted faults.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use yose_retro::selfcheck::{self, Options, Violation};
use yose_retro::{Game, Successor, Value, reference};

/// A rook on a board of four by four, which moves towards the corner (0, 0) along its row or
/// column; who cannot move has lost. Turning the board over its diagonal changes nothing.
///
/// ```text
///      0 1 2 3
///   0  # . . .     the index counts the lower left triangle row by row
///   1  # # . .
///   2  # # # .
///   3  # # R #     R: index 8
/// ```
struct Corner(Fault);

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Two positions share an index.
    RankCollides,
    /// `rank` does not fold.
    RankFoldsNothing,
    /// Folding changes the position.
    RankFoldsWrongly,
    /// The rook may leave the board.
    LeavesTheBoard,
    /// The rook may jump to a hole.
    JumpsIntoAHole,
    /// Along columns the rook moves one square at most.
    SlowOnColumns,
    /// An image that is none.
    FalseImage,
    /// An image off the board.
    ImageOffTheBoard,
    /// Un-moves forget the columns.
    PredecessorsForget,
    /// Un-moves go round the corner.
    PredecessorsInvent,
    /// Un-moves come from off the board.
    PredecessorsOffTheBoard,
    /// The diagonal is counted twice.
    WeighsTooMuch,
    /// One class is not counted.
    WeighsNothing,
}

const SIDE: i64 = 4;
/// The index after the triangle is a hole.
const HOLE: u64 = 10;

type Square = (i64, i64);

fn on_board(&(row, column): &Square) -> bool {
    (0..SIDE).contains(&row) && (0..SIDE).contains(&column)
}

fn turned(&(row, column): &Square) -> Square {
    (column, row)
}

fn triangle(row: i64, column: i64) -> u64 {
    u64::try_from(row * (row + 1) / 2 + column).unwrap()
}

impl Game for Corner {
    type Position = Square;
    type Move = Square;

    fn index_size(&self) -> u64 {
        HOLE + 1
    }

    fn rank(&self, square: &Square) -> Option<u64> {
        if !on_board(square) {
            return (*square == (9, 9)).then_some(HOLE);
        }
        let (row, column) = (square.0.max(square.1), square.0.min(square.1));
        match self.0 {
            Fault::RankCollides if (row, column) == (2, 2) => Some(triangle(2, 1)),
            Fault::RankFoldsNothing if square.0 < square.1 => None,
            Fault::RankFoldsWrongly if *square == (0, 3) => Some(triangle(3, 1)),
            _ => Some(triangle(row, column)),
        }
    }

    fn unrank(&self, index: u64) -> Option<Square> {
        (0..SIDE)
            .flat_map(|row| (0..=row).map(move |column| (row, column)))
            .find(|&(row, column)| triangle(row, column) == index)
    }

    fn moves(&self, &(row, column): &Square, moves: &mut Vec<Square>) {
        moves.extend((0..row).map(|to| (to, column)));
        moves.extend((0..column).map(|to| (row, to)));
        match self.0 {
            Fault::LeavesTheBoard if (row, column) == (3, 0) => moves.push((4, 0)),
            Fault::JumpsIntoAHole if (row, column) == (3, 0) => moves.push((9, 9)),
            Fault::SlowOnColumns => {
                moves.retain(|&(r, c)| r == row || (r == row - 1 && c == column));
            }
            _ => {}
        }
    }

    fn play(&self, _: &Square, to: Square) -> Successor<Square> {
        Successor::Position(to)
    }

    fn stuck(&self) -> Value {
        Value::Loss(0)
    }

    fn weight(&self, &(row, column): &Square) -> u64 {
        match self.0 {
            Fault::WeighsNothing if (row, column) == (3, 1) => 0,
            Fault::WeighsTooMuch => 4,
            _ => 2 * if row == column { 1 } else { 2 },
        }
    }

    fn symmetries(&self, square: &Square) -> Vec<Square> {
        match self.0 {
            Fault::FalseImage if *square == (3, 0) => vec![(2, 2)],
            Fault::ImageOffTheBoard if *square == (3, 0) => vec![(0, 3), (7, 7)],
            _ => vec![turned(square)],
        }
    }

    fn predecessors(&self, &(row, column): &Square) -> Option<Vec<Square>> {
        let mut from: Vec<Square> = (row + 1..SIDE).map(|row| (row, column)).collect();
        match self.0 {
            Fault::PredecessorsForget => return Some(from),
            Fault::PredecessorsInvent if (row, column) == (2, 1) => from.push((3, 3)),
            Fault::PredecessorsOffTheBoard if (row, column) == (2, 1) => from.push((2, 4)),
            _ => {}
        }
        from.extend((column + 1..SIDE).map(|column| (row, column)));
        Some(from)
    }
}

fn check(fault: Fault) -> selfcheck::Report<Square, Square> {
    let positions = Some(2 * SIDE.unsigned_abs().pow(2));
    selfcheck::check(
        &Corner(fault),
        Options {
            positions,
            solution: None,
        },
    )
}

/// The fault is found where it is.
fn finds(fault: Fault, expected: &Violation<Square, Square>) {
    let report = check(fault);
    assert!(!report.passed());
    assert!(report.violations >= report.first.len() as u64);
    assert!(
        report.first.contains(expected),
        "{expected} not in {:#?}",
        report.first
    );
}

#[test]
fn a_sound_game_passes() {
    let sound = Corner(Fault::None);
    let solution = reference::solve(&sound, &mut |_| {}).unwrap();
    let options = Options {
        solution: Some(&solution),
        positions: Some(32),
    };
    let report = selfcheck::check(&sound, options);
    assert!(report.passed(), "{:#?}", report.first);
    // Of 16 squares, 48 rook moves towards the corner: the triangle holds 30 of them.
    let expected = (10, 1, 30, 10, 32);
    let seen = (
        report.positions,
        report.holes,
        report.moves,
        report.images,
        report.weight,
    );
    assert_eq!(seen, expected);
    assert_eq!(report.predecessors, 30);
}

#[test]
fn faults_of_the_index_are_found() {
    finds(
        Fault::RankCollides,
        &Violation::RankOfUnrank {
            index: 5,
            position: (2, 2),
            rank: Some(4),
        },
    );
    finds(
        Fault::RankFoldsNothing,
        &Violation::ImageOutside {
            position: (1, 0),
            image: (0, 1),
        },
    );
    finds(
        Fault::RankFoldsWrongly,
        &Violation::NotTheSame {
            position: (0, 3),
            index: 7,
            found: Some((3, 1)),
        },
    );
}

#[test]
fn moves_that_leave_the_domain_are_found() {
    let outside = Violation::SuccessorOutside {
        position: (3, 0),
        mv: (4, 0),
        successor: (4, 0),
    };
    finds(Fault::LeavesTheBoard, &outside);
    assert_eq!(
        outside.to_string(),
        "(4, 0) leads from (3, 0) to (4, 0), which has no index"
    );
    let hole = Violation::NotTheSame {
        position: (9, 9),
        index: HOLE,
        found: None,
    };
    finds(Fault::JumpsIntoAHole, &hole);
}

#[test]
fn moves_that_break_the_symmetry_are_found() {
    finds(
        Fault::SlowOnColumns,
        &Violation::ImageMoves {
            position: (2, 0),
            image: (0, 2),
        },
    );
}

#[test]
fn images_that_are_none_are_found() {
    finds(
        Fault::FalseImage,
        &Violation::ImageNotMutual {
            position: (3, 0),
            image: (2, 2),
        },
    );
    let outside = Violation::ImageOutside {
        position: (3, 0),
        image: (7, 7),
    };
    finds(Fault::ImageOffTheBoard, &outside);
}

#[test]
fn images_of_another_value_are_found() {
    // The values of a game whose rook is slow on columns break the symmetry of the sound one once
    // `rank` does not hide it: (1, 0) and (0, 1) share an index here, so plant a false image.
    let solution = reference::solve(&Corner(Fault::None), &mut |_| {}).unwrap();
    let options = Options {
        solution: Some(&solution),
        positions: None,
    };
    let report = selfcheck::check(&Corner(Fault::FalseImage), options);
    let value = Violation::ImageValue {
        position: (3, 0),
        value: Some(Value::Win(1)),
        image: (2, 2),
        image_value: Some(Value::Loss(4)),
    };
    assert!(report.first.contains(&value), "{:#?}", report.first);
}

#[test]
fn faults_of_unmoves_are_found() {
    finds(
        Fault::PredecessorsForget,
        &Violation::PredecessorMissing {
            position: (1, 1),
            mv: (1, 0),
            successor: (1, 0),
        },
    );
    finds(
        Fault::PredecessorsInvent,
        &Violation::PredecessorFalse {
            position: (2, 1),
            predecessor: (3, 3),
        },
    );
    finds(
        Fault::PredecessorsOffTheBoard,
        &Violation::PredecessorOutside {
            position: (2, 1),
            predecessor: (2, 4),
        },
    );
}

#[test]
fn faults_of_weights_are_found() {
    finds(
        Fault::WeighsTooMuch,
        &Violation::WeightSum {
            expected: 32,
            sum: 40,
        },
    );
    finds(
        Fault::WeighsNothing,
        &Violation::ClassWeight {
            position: (3, 1),
            weighted: 0,
        },
    );
}
