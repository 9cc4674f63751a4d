//! Ladders against the records of three readers, and against a plain reader on random boards.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod truth;

use plain::Plain;
use truth::{Random, point, random_game, records, strings};
use yose_go::{Board, Colour, LADDER_NODES, LadderVerdict, Move, Size, ladder};

#[test]
fn records_of_ladders() {
    let mut captured = 0;
    for record in records("ladders.jsonl") {
        let name = record["name"].as_str().unwrap();
        let board = Board::from_rows(&strings(&record["board"])).unwrap();
        let size = board.size();
        let prey = point(size, record["prey"].as_str().unwrap());
        let read = ladder(
            &board,
            prey,
            truth::colour(&record["to_play"]),
            LADDER_NODES,
        )
        .unwrap();
        let expected = record["captured"].as_bool().unwrap();
        captured += usize::from(expected);
        let verdict = if expected {
            LadderVerdict::Captured
        } else {
            LadderVerdict::Escapes
        };
        assert_eq!(read.verdict, verdict, "{name}");
        let moves: Vec<String> = read.moves.iter().map(|&p| size.gtp(p)).collect();
        for key in ["capture_moves", "escape_moves"] {
            if record[key].is_array() {
                let mut sorted = moves.clone();
                sorted.sort();
                assert_eq!(sorted, strings(&record[key]), "{name}");
            }
        }
        let plies = record["plies_to_removal"].as_u64();
        assert_eq!(read.plies.map(u64::from), plies, "{name}");
        let line: Vec<String> = read.line.iter().map(|&mv| size.gtp_move(mv)).collect();
        assert_eq!(line, strings(&record["line"]), "{name}");
    }
    assert!(captured >= 3);
}

/// The board of a game as the plain code has it.
fn plain_of(board: &Board, first: Colour) -> Plain {
    let rows = board.to_rows();
    let mut plain = Plain::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    if board.ko_colour() == Some(first) {
        plain.ko = board.ko_point().map(|p| board.size().flat(p));
    }
    plain
}

/// Every chain of a board with one or two liberties, read both ways by both readers.
fn compare(board: &Board) -> (usize, usize, usize) {
    let size = board.size();
    let (mut captured, mut longest, mut waited) = (0, 0, 0);
    for chain in board.chains().filter(|&c| board.liberties(c) <= 2) {
        let owner = board.stone(chain).unwrap();
        let prey = size.flat(chain);
        for first in [owner, !owner] {
            let plain = plain_of(board, first);
            let read = ladder(board, chain, first, LADDER_NODES).unwrap();
            let mut waiting = plain.clone();
            waiting.ko = None;
            let waits = || plain::ladder::attack(&waiting, prey, &mut Vec::new()).is_none();
            let length = if first != owner {
                plain::ladder::attack(&plain, prey, &mut Vec::new())
            } else if board.liberties(chain) == 2 && waits() {
                // Not in atari, and safe where it stands.
                waited += 1;
                None
            } else {
                plain::ladder::defend(&plain, prey, &mut Vec::new())
            };
            let context = || {
                format!(
                    "{:?} {}\n{}",
                    first,
                    size.gtp(chain),
                    board.to_rows().join("\n")
                )
            };
            assert_ne!(read.verdict, LadderVerdict::Unknown, "{}", context());
            assert_eq!(read.plies, length, "{}", context());
            assert_eq!(
                read.verdict == LadderVerdict::Captured,
                length.is_some(),
                "{}",
                context()
            );
            if let Some(length) = length {
                captured += 1;
                longest = longest.max(length as usize);
                replay(board, chain, first, &read.line, &context());
            }
        }
    }
    (captured, longest, waited)
}

/// A line of play is legal and ends with the prey off the board, not before.
fn replay(board: &Board, prey: yose_go::Point, first: Colour, line: &[Move], context: &str) {
    let mut board = board.clone();
    let owner = board.stone(prey).unwrap();
    let mut colour = first;
    for &mv in line {
        assert_eq!(board.stone(prey), Some(owner), "{context}");
        match mv {
            Move::Pass => board.pass(),
            Move::Place(point) => {
                board
                    .play(colour, point)
                    .unwrap_or_else(|e| panic!("{e}: {context}"));
            }
        }
        colour = !colour;
    }
    assert_eq!(board.stone(prey), None, "{context}");
}

#[test]
fn random_boards_as_a_plain_reader_reads_them() {
    let mut random = Random(0x5eed_1add);
    let (mut captured, mut longest, mut waited) = (0, 0, 0);
    for (rows, cols, games) in [
        (5, 5, 150),
        (7, 7, 150),
        (4, 9, 100),
        (9, 9, 100),
        (13, 13, 20),
        (1, 7, 20),
        (2, 8, 50),
    ] {
        let size = Size::new(rows, cols).unwrap();
        for _ in 0..games {
            let plies = random.below(size.area() * 3 / 2) + 1;
            let game = random_game(size, plies, &mut random);
            let (c, l, w) = compare(game.board());
            waited += w;
            captured += c;
            longest = longest.max(l);
        }
    }
    // The test must have had something to test.
    assert!(captured > 1_000, "{captured}");
    assert!(longest >= 13 && waited > 100, "{longest} {waited}");
}

#[test]
fn a_limit_gives_unknown() {
    let record = &records("ladders.jsonl")[0];
    let board = Board::from_rows(&strings(&record["board"])).unwrap();
    let prey = point(board.size(), "C3");
    let read = ladder(&board, prey, Colour::Black, 5).unwrap();
    assert_eq!(read.verdict, LadderVerdict::Unknown);
    assert_eq!((read.plies, read.line.len()), (None, 0));
}

#[test]
fn nothing_to_capture_is_an_error() {
    let board = Board::new(Size::square(5).unwrap());
    let empty = board.size().point(2, 3).unwrap();
    let error = ladder(&board, empty, Colour::Black, LADDER_NODES).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a ladder needs a stone at row 2, column 3 (both count from 0)"
    );
}

/// Lengths that other readers gave for the ladder from C3 to the far corner.
#[test]
fn straight_ladders_across_boards() {
    for (side, black, length) in [
        (9, vec![], 23),
        (13, vec![], 39),
        (19, vec![], 63),
        // A black stone on the way shortens it.
        (19, vec!["K10"], 27),
    ] {
        let size = Size::square(side).unwrap();
        let stones = ["B3", "C2", "B4"].into_iter().chain(black.iter().copied());
        let stones = stones.map(|v| (point(size, v), Colour::Black));
        let prey = point(size, "C3");
        let board = Board::from_stones(size, stones.chain([(prey, Colour::White)])).unwrap();
        let read = ladder(&board, prey, Colour::Black, LADDER_NODES).unwrap();
        assert_eq!(
            (read.plies, read.moves.len()),
            (Some(length), 1),
            "{side} {black:?}"
        );
        assert!(read.nodes < 3_000, "{}", read.nodes);
        replay(&board, prey, Colour::Black, &read.line, "straight");
        // One move later, the prey in atari: the same ladder, White to play.
        let mut next = board.clone();
        next.play(Colour::Black, read.moves[0]).unwrap();
        let run = ladder(&next, prey, Colour::White, LADDER_NODES).unwrap();
        assert_eq!(run.verdict, LadderVerdict::Captured);
        assert_eq!((run.plies, run.moves.len()), (Some(length - 1), 0));
        assert_eq!(run.line, read.line[1..]);
    }
}
