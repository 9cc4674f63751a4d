//! Speed of game records: `cargo bench -p yose-go --bench records [-- FILE.sgf]`.
//!
//! 100 random games of 200 moves on 19x19 (uniform legal moves), as one file of about 120 kB, are
//! read, written and played; then all their positions, and the last ones alone, are encoded on one
//! thread. Wall clock, median of 15 rounds. With FILE the games are written there, for
//! `crates/yose-py/benches/batches.py`, which does the same from Python.
#![allow(clippy::print_stdout, reason = "it is what a benchmark is for")]
#![allow(clippy::unwrap_used, reason = "nothing comes from outside")]

use std::hint::black_box;
use std::time::Instant;

use yose_go::planes::{EncodeOptions, PlaneSet, Plies, encode};
use yose_go::playout::Random;
use yose_go::sgf::{self, NodeId, ReplayOptions, Tree};
use yose_go::{Colour, Game, Move, Rules, Size};

const GAMES: u32 = 100;
const MOVES: u32 = 200;

fn record(seed: u64) -> Tree {
    let size = Size::square(19).unwrap();
    let mut random = Random::new(seed);
    let mut game = Game::new(size, Rules::JAPANESE);
    let mut tree = Tree::new();
    tree.set_raw(NodeId::ROOT, "SZ", &["19"]).unwrap();
    tree.set_raw(NodeId::ROOT, "RU", &["Japanese"]).unwrap();
    let mut node = NodeId::ROOT;
    for _ in 0..MOVES {
        let colour = game.to_play();
        let legal: Vec<_> = game.legal_moves(colour).collect();
        let n = u16::try_from(legal.len()).unwrap();
        let point = legal[usize::from(random.below(n))];
        game.play(Move::Place(point)).unwrap();
        node = tree.add_node(node).unwrap();
        let id = if colour == Colour::Black { "B" } else { "W" };
        tree.set_raw(node, id, &[&size.sgf(point)]).unwrap();
    }
    tree
}

/// Seconds: the median of 15 rounds.
fn median<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut times = [0.0; 15];
    for time in &mut times {
        let start = Instant::now();
        black_box(work());
        *time = start.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    times[7]
}

fn main() {
    let trees: Vec<Tree> = (0..u64::from(GAMES)).map(record).collect();
    let file = sgf::write(&trees);
    // Cargo adds an argument of its own.
    if let Some(path) = std::env::args().skip(1).find(|a| !a.starts_with('-')) {
        std::fs::write(path, &file).unwrap();
    }
    let nodes = f64::from(GAMES * (MOVES + 1));
    let megabytes = f64::from(u32::try_from(file.len()).unwrap()) / 1e6;
    let show = |what: &str, seconds: f64| {
        let (speed, node) = (megabytes / seconds, seconds / nodes * 1e9);
        println!("{what:<20} {speed:7.1} MB/s {node:7.1} ns a node");
    };
    show("read", median(|| sgf::read(&file).unwrap()));
    show("read strictly", median(|| sgf::read_strict(&file).unwrap()));
    show("write", median(|| sgf::write(&trees)));
    let play = |tree: &Tree| tree.replay(&ReplayOptions::default()).unwrap().game;
    show(
        "play",
        median(|| trees.iter().map(play).collect::<Vec<_>>()),
    );
    let games: Vec<Game> = trees.iter().map(play).collect();
    for set in [PlaneSet::Agz, PlaneSet::AlphaGo] {
        for (name, plies) in [("all", Plies::All), ("last", Plies::Final)] {
            let work = || encode::<u8>(&games, plies, set, &EncodeOptions::default(), 1).unwrap();
            let positions = f64::from(u32::try_from(work().shape[0]).unwrap());
            let each = median(work) / positions * 1e6;
            println!(
                "{:<8} {name:<4} {each:9.3} microseconds a position",
                set.name()
            );
        }
    }
}
