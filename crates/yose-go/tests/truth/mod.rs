//! Reading the records in `tests/data/go`.
#![allow(
    dead_code,
    unreachable_pub,
    missing_debug_implementations,
    reason = "each test binary uses its part"
)]

use serde_json::Value;
use yose_go::{Colour, Game, Move, Point, Rules, Size};

/// A file of `tests/data/go` as text.
pub fn text(file: &str) -> String {
    let path = format!("{}/../../tests/data/go/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The records of a JSONL file; lines that begin with `#` are comments.
pub fn records(file: &str) -> Vec<Value> {
    let text = text(file);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let records: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!records.is_empty(), "{file} has no records");
    records
}

/// The strings of an array.
pub fn strings(value: &Value) -> Vec<&str> {
    let array = value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is no array"));
    array.iter().map(|v| v.as_str().unwrap()).collect()
}

pub fn colour(value: &Value) -> Colour {
    Colour::parse(value.as_str().unwrap()).unwrap()
}

pub fn point(size: Size, vertex: &str) -> Point {
    size.parse_gtp(vertex).unwrap().point().unwrap()
}

/// The game of a record with `size` and `moves`.
pub fn game(record: &Value) -> Game {
    let size = Size::square(usize::try_from(record["size"].as_u64().unwrap()).unwrap()).unwrap();
    let moves = record["moves"].as_array().unwrap().iter().map(|pair| {
        let mv: Move = size.parse_gtp(pair[1].as_str().unwrap()).unwrap();
        (colour(&pair[0]), mv)
    });
    let rules = Rules {
        ko: yose_go::KoRule::Simple,
        ..Rules::CHINESE
    };
    Game::replay(size, rules, moves).unwrap()
}

/// A small generator of random numbers (SplitMix64), the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }
}

/// Plays random legal moves, now and then a pass, until `plies` moves are played or nothing is left.
pub fn random_game(size: Size, plies: usize, random: &mut Random) -> Game {
    let rules = Rules {
        ko: yose_go::KoRule::Simple,
        ..Rules::CHINESE
    };
    let mut game = Game::new(size, rules);
    for _ in 0..plies {
        let moves: Vec<Point> = game.legal_moves(game.to_play()).collect();
        if moves.is_empty() || random.below(40) == 0 {
            game.play(Move::Pass).unwrap();
        } else {
            game.play(Move::Place(moves[random.below(moves.len())]))
                .unwrap();
        }
    }
    game
}
