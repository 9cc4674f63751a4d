//! Speed of the encoders: `cargo bench -p yose-go --bench planes`.
//!
//! Positions: the records of `tests/data/go/encoder_positions.jsonl` of the size, and random games
//! (uniform legal moves that fill no one-point eye) stopped at 20, 60, 120, 200, 280 and 360 plies,
//! several seeds each. Each position is encoded on one thread into the same place; the time is the
//! median of seven rounds of at least 0.1 s of processor time. A second figure leaves the random games out: GNU Go's
//! games look more like real ones.
#![allow(clippy::print_stdout, reason = "it is what a benchmark is for")]
#![allow(clippy::unwrap_used, reason = "nothing comes from outside")]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use yose_go::planes::{Element, EncodeOptions, Encoder, PlaneSet, Sample, encode_into};
use yose_go::playout::Random;
use yose_go::{
    AlternateLimits, BensonForm, Board, Cell, Colour, Game, Grid, KoRule, LADDER_NODES, Move,
    Rules, Size, alternate_safety, benson, ladder,
};

const RULES: Rules = Rules {
    ko: KoRule::Simple,
    ..Rules::CHINESE
};

/// The games of the records that are played on a board of that side.
fn recorded(side: usize) -> Vec<Game> {
    let path = format!(
        "{}/../../tests/data/go/encoder_positions.jsonl",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let size = Size::square(side).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|record| record["size"] == side)
        .map(|record| {
            let moves = record["moves"].as_array().unwrap().iter().map(|pair| {
                let colour = Colour::parse(pair[0].as_str().unwrap()).unwrap();
                (colour, size.parse_gtp(pair[1].as_str().unwrap()).unwrap())
            });
            Game::replay(size, RULES, moves).unwrap()
        })
        .collect()
}

fn random(side: usize, plies: usize, seed: u64) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(Size::square(side).unwrap(), RULES);
    for _ in 0..plies {
        let colour = game.to_play();
        let moves: Vec<_> = game
            .legal_moves(colour)
            .filter(|&point| !game.board().is_one_point_eye(colour, point))
            .collect();
        let n = u16::try_from(moves.len()).unwrap();
        let mv = if n == 0 {
            Move::Pass
        } else {
            Move::Place(moves[usize::from(random.below(n))])
        };
        game.play(mv).unwrap();
    }
    game
}

/// Records and random games.
fn positions(side: usize) -> Vec<Game> {
    let mut games = recorded(side);
    for seed in 0..4 {
        let stops = [20, 60, 120, 200, 280, 360].map(|plies| plies * side * side / 361);
        games.extend(stops.map(|plies| random(side, plies, seed)));
    }
    games
}

/// Processor time of this thread in nanoseconds: on a machine with other work, wall clock counts the
/// others too. Where the system does not tell, wall clock since the first call.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let cpu = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let cpu = cpu.and_then(|text| text.split_whitespace().next()?.parse().ok());
    cpu.unwrap_or_else(|| START.elapsed().as_secs_f64() * 1e9)
}

/// Nanoseconds for one of `n` things that a round does: median of seven.
fn median(n: usize, mut round: impl FnMut()) -> f64 {
    let start = now();
    round();
    // Asking for the time costs as much as a few positions; processor time may be told in steps.
    let once = (now() - start).max(1e4);
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let start = now();
            let mut rounds = 0_usize;
            while now() - start < 1e8 {
                let some = if once < 1e6 { 10 } else { 1 };
                (0..some).for_each(|_| round());
                rounds += some;
            }
            (now() - start) / rounds as f64 / n as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[3]
}

fn encoding<T: Element>(set: PlaneSet, games: &[Game]) -> f64 {
    let mut encoder = Encoder::new(set, games[0].size(), EncodeOptions::default());
    let mut out = vec![T::default(); encoder.len()];
    median(games.len(), || {
        for game in games {
            encoder.encode(game, game.moves().len(), &mut out).unwrap();
            black_box(&out);
        }
    })
}

fn main() {
    // `-- alphago` measures that set alone.
    let chosen = std::env::args().find_map(|name| PlaneSet::by_name(&name).ok());
    if let Some(set) = chosen {
        let games = positions(19);
        println!(
            "{} {:8.2} us",
            set.name(),
            encoding::<u8>(set, &games) / 1e3
        );
        return;
    }
    for side in [19, 9] {
        let records = recorded(side);
        let games = positions(side);
        println!(
            "{side}x{side}: {} positions, {} of them records",
            games.len(),
            records.len()
        );
        for set in PlaneSet::ALL {
            let (all, real) = (encoding::<u8>(set, &games), encoding::<u8>(set, &records));
            let floats = encoding::<f32>(set, &games);
            println!(
                "  {:12} u8 {:8.2} us ({:9.0} positions/s), records alone {:8.2} us; f32 {:8.2} us",
                set.name(),
                all / 1e3,
                1e9 / all,
                real / 1e3,
                floats / 1e3
            );
        }
        let no_ladders = EncodeOptions {
            ladder_nodes: 0,
            ..EncodeOptions::default()
        };
        let mut encoder = Encoder::new(PlaneSet::AlphaGo, games[0].size(), no_ladders);
        let mut out = vec![0_u8; encoder.len()];
        let time = median(games.len(), || {
            for game in &games {
                encoder.encode(game, game.moves().len(), &mut out).unwrap();
                black_box(&out);
            }
        });
        println!("  alphago without ladders {:8.2} us", time / 1e3);
        let whole: Vec<Game> = (0..20)
            .map(|seed| random(side, side * side, 100 + seed))
            .collect();
        let n: usize = whole.iter().map(|game| game.moves().len() + 1).sum();
        for set in [PlaneSet::Agz, PlaneSet::AlphaGo] {
            let size = whole[0].size();
            let samples: Vec<Sample<'_>> = whole
                .iter()
                .map(Game::history)
                .flat_map(|history| {
                    (0..=history.moves().len()).map(move |ply| Sample { history, ply })
                })
                .collect();
            let mut out = vec![0_u8; n * set.len(size)];
            let options = EncodeOptions::default();
            let time = median(n, || {
                encode_into(&samples, size, set, &options, 1, &mut out).unwrap();
                black_box(&out);
            });
            println!(
                "  {} of {n} positions of whole games into one array {:8.2} us",
                set.name(),
                time / 1e3
            );
        }
        let cells: Vec<_> = games.iter().map(|game| game.board().cells()).collect();
        let time = median(cells.len(), || {
            for cells in &cells {
                let grid = Grid::new(side, side, cells).unwrap();
                black_box(benson(&grid, Colour::Black, BensonForm::SuicideIllegal));
            }
        });
        println!("  Benson, one colour {:8.2} us", time / 1e3);
        let time = median(cells.len(), || {
            for cells in &cells {
                let grid = Grid::new(side, side, cells).unwrap();
                let limits = AlternateLimits::default();
                black_box(alternate_safety(
                    &grid,
                    Colour::Black,
                    BensonForm::default(),
                    limits,
                ));
            }
        });
        println!(
            "  safety by alternate play, one colour {:8.2} us",
            time / 1e3
        );
    }
    // Stripes of stones with teeth, open space between them: many chains, large regions.
    let lattice: Vec<Cell> = (0..1_000_000)
        .map(|p| match (p / 1000 % 3, p % 1000 % 2) {
            (2, _) => Cell::Empty,
            (1, 0) => Cell::Empty,
            _ => Cell::Black,
        })
        .collect();
    let grid = Grid::new(1000, 1000, &lattice).unwrap();
    let time = median(1_000_000, || {
        black_box(benson(&grid, Colour::Black, BensonForm::SuicideIllegal));
    });
    println!("Benson, one colour, 1000x1000 {time:8.2} ms");
    let mut long = Board::new(Size::square(19).unwrap());
    for (colour, vertex) in [("b", "B3"), ("b", "C2"), ("b", "B4"), ("w", "C3")] {
        let point = long.size().parse_gtp(vertex).unwrap().point().unwrap();
        long.play(Colour::parse(colour).unwrap(), point).unwrap();
    }
    let prey = long.size().point(16, 2).unwrap();
    let time = median(1, || {
        black_box(ladder(&long, prey, Colour::Black, LADDER_NODES).unwrap());
    });
    println!(
        "ladder of 63 plies, verdict, moves, length and line {:8.2} us",
        time / 1e3
    );
}
