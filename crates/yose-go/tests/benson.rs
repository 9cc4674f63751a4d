//! Unconditional life against the records and against exhaustive search on small boards.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod truth;

use std::collections::HashSet;

use plain::Plain;
use truth::{Random, records, strings};
use yose_go::{BensonForm, Cell, Colour, Grid, Life, benson, benson_with};

const FORMS: [BensonForm; 2] = [BensonForm::SuicideIllegal, BensonForm::SuicideLegal];

fn cells(board: &Plain) -> Vec<Cell> {
    let cell = |&c: &char| match c {
        'X' => Cell::Black,
        'O' => Cell::White,
        _ => Cell::Empty,
    };
    board.cells.iter().map(cell).collect()
}

fn life(board: &Plain, colour: Colour, form: BensonForm) -> Life {
    let cells = cells(board);
    benson(
        &Grid::new(board.rows, board.cols, &cells).unwrap(),
        colour,
        form,
    )
}

/// GTP vertex of a point.
fn vertex(board: &Plain, p: usize) -> String {
    let letter = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[p % board.cols];
    format!("{}{}", char::from(letter), board.rows - p / board.cols)
}

#[test]
fn records_of_life() {
    let mut alive = 0;
    for record in records("benson.jsonl") {
        let name = record["name"].as_str().unwrap();
        let board = Plain::from_rows(&strings(&record["board"]));
        for (form, suffix, area) in [
            (BensonForm::SuicideIllegal, "classic", "no_suicide"),
            (BensonForm::SuicideLegal, "suicide_legal", "suicide"),
        ] {
            let lives = [Colour::Black, Colour::White].map(|c| life(&board, c, form));
            for (life, colour) in lives.iter().zip(["black", "white"]) {
                let points = (0..board.cells.len()).filter(|&p| life.stones[p]);
                let mut stones: Vec<String> = points.map(|p| vertex(&board, p)).collect();
                stones.sort();
                let key = format!("{colour}_alive_stones_{suffix}");
                assert_eq!(stones, strings(&record[&key]), "{name} {key}");
                alive += stones.len();
            }
            let mark = |p: usize| match &lives {
                [black, _] if black.stones[p] || black.territory[p] => 'X',
                [_, white] if white.stones[p] || white.territory[p] => 'O',
                _ => '.',
            };
            let marks: Vec<char> = (0..board.cells.len()).map(mark).collect();
            let rows: Vec<String> = marks
                .chunks(board.cols)
                .map(|r| r.iter().collect())
                .collect();
            let key = format!("katago_pass_alive_area_{area}");
            assert_eq!(rows, strings(&record[&key]), "{name} {key}");
        }
    }
    assert!(alive > 100);
}

/// Two bits a point.
fn pack(cells: &[char]) -> u64 {
    cells.iter().fold(0, |sum, &c| {
        sum << 2 | u64::from(c == 'X') << 1 | u64::from(c == 'O')
    })
}

/// Stones of a colour that no sequence of enemy moves captures, superko and simple ko disregarded;
/// nothing if that takes too many boards.
fn never_captured(board: &Plain, colour: char, suicide: bool) -> Option<Vec<bool>> {
    let enemy = plain::other(colour);
    let mut seen = HashSet::from([pack(&board.cells)]);
    let mut todo = vec![board.clone()];
    let mut safe: Vec<bool> = board.cells.iter().map(|&c| c == colour).collect();
    while let Some(board) = todo.pop() {
        for (p, safe) in safe.iter_mut().enumerate() {
            *safe &= board.cells[p] == colour;
            if board.cells[p] != '.' {
                continue;
            }
            let mut next = board.clone();
            let (_, own) = next.place(p, enemy);
            if (own.is_empty() || suicide) && seen.insert(pack(&next.cells)) {
                todo.push(next);
            }
        }
        if seen.len() > 700 {
            return None;
        }
    }
    Some(safe)
}

/// A board filled at random, chains without liberties taken off.
fn random_board(rows: usize, cols: usize, random: &mut Random) -> Plain {
    let mut board = Plain::new(rows, cols);
    // Much of one colour, so that there is something alive.
    let weights = [(30, 60), (45, 50), (25, 70), (35, 35)][random.below(4)];
    for p in 0..board.cells.len() {
        let roll = random.below(100);
        board.cells[p] = if roll < weights.0 {
            '.'
        } else if roll < weights.0 + weights.1 {
            'X'
        } else {
            'O'
        };
    }
    for p in 0..board.cells.len() {
        if board.cells[p] != '.' && board.liberties(p) == 0 {
            for q in board.chain(p).0 {
                board.cells[q] = '.';
            }
        }
    }
    board
}

#[test]
fn exhaustive_enemy_search_agrees() {
    let mut random = Random(0xbe75_0e11);
    let mut living = 0;
    let (mut searched, mut differ) = (0, 0);
    for (rows, cols, boards) in [
        (1, 7, 40),
        (2, 6, 120),
        (3, 3, 150),
        (3, 4, 250),
        (4, 4, 300),
        (5, 4, 200),
    ] {
        for _ in 0..boards {
            let board = random_board(rows, cols, &mut random);
            for (colour, symbol) in [(Colour::Black, 'X'), (Colour::White, 'O')] {
                let found = FORMS.map(|form| life(&board, colour, form).stones);
                for (found, suicide) in found.iter().zip([false, true]) {
                    if let Some(safe) = never_captured(&board, symbol, suicide) {
                        assert_eq!(*found, safe, "{board:?} {suicide}");
                        searched += 1;
                        living += usize::from(safe.contains(&true));
                    }
                }
                differ += usize::from(found[0] != found[1]);
            }
        }
    }
    assert!(searched > 1_000 && living > 300, "{searched} {living}");
    assert!(differ > 3, "{differ}");
}

#[test]
fn immortal_stones_and_cells_that_are_no_points() {
    // A corridor cut out of a board: the walls left and right are immortal, # is no point.
    let cells: Vec<Cell> = "#XXX#|#.X.O|#XXX#"
        .chars()
        .filter(|&c| c != '|')
        .map(|c| match c {
            '#' => Cell::Off,
            'X' => Cell::Black,
            'O' => Cell::White,
            _ => Cell::Empty,
        })
        .collect();
    let grid = Grid::new(3, 5, &cells).unwrap();
    // Both eyes touch the one black chain, the white stone being dead in the second.
    let alone = benson(&grid, Colour::Black, BensonForm::SuicideIllegal);
    assert_eq!(alone.stones.iter().filter(|&&s| s).count(), 7);
    assert!(alone.territory[9]);
    // If White's stone can never be captured, the second eye is none.
    let white_stays = benson_with(&grid, Colour::Black, BensonForm::SuicideIllegal, |p| p == 9);
    assert!(!white_stays.stones.contains(&true));
    let black_stays = benson_with(&grid, Colour::Black, BensonForm::SuicideIllegal, |p| {
        p == 1 || p == 9
    });
    assert_eq!(black_stays.stones.iter().filter(|&&s| s).count(), 7);
    assert!(!black_stays.territory[9], "an immortal stone lives");
}

#[test]
fn a_million_cells() {
    // Rooms of 3x3 with two eyes each fourth row would be dull: every second point is an eye.
    let (rows, cols) = (1000, 1000);
    let cells: Vec<Cell> = (0..rows * cols)
        .map(|p| match (p / cols % 2, p % cols % 2) {
            (0, 0) => Cell::Empty,
            _ => Cell::Black,
        })
        .collect();
    let life = benson(
        &Grid::new(rows, cols, &cells).unwrap(),
        Colour::Black,
        BensonForm::default(),
    );
    assert_eq!(life.stones.iter().filter(|&&s| s).count(), 750_000);
    // One region without an end, around stones that stand alone: nothing lives.
    let cells: Vec<Cell> = (0..rows * cols)
        .map(|p| match (p / cols % 2, p % cols % 2) {
            (1, 1) => Cell::Black,
            _ => Cell::Empty,
        })
        .collect();
    let life = benson(
        &Grid::new(rows, cols, &cells).unwrap(),
        Colour::Black,
        BensonForm::default(),
    );
    assert!(!life.stones.contains(&true));
}

#[test]
fn a_grid_needs_its_cells() {
    let error = Grid::new(2, 3, &[Cell::Empty; 5]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a grid of 2 rows and 3 columns needs rows x columns cells, got 5"
    );
    assert!(Grid::new(usize::MAX, 2, &[]).is_err());
    let none = Grid::new(0, 5, &[]).unwrap();
    assert!(
        benson(&none, Colour::White, BensonForm::default())
            .stones
            .is_empty()
    );
}
