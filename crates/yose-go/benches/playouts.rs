//! Uniform random playouts: this board and the crate `goban` on the same work.
//!
//! `cargo bench -p yose-go --bench playouts [-- SECONDS]`. One thread. The two take turns of 150
//! milliseconds each, for SECONDS (default 6) on each size; shown are the turn that a tenth of all
//! were faster than, and the median, in nanoseconds of a move (passes counted). Processor time
//! where the system tells it (Linux), else time by the clock.
//!
//! The work: from the empty board each side plays one of its moves that are legal by simple ko and
//! without suicide and fill no own one-point eye (all points beside it own stones; of the diagonal ones at
//! most one enemy stone, none at the edge), all with the same probability, by SplitMix64; it
//! passes if there is none; two passes or 3 moves for each point end the game. Both keep a hash.
//!
//! `goban` has no list of empty points; the driver keeps one for it, renewed after captures, so
//! that no time is lost where its user could save it.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark reports on standard output"
)]

use std::time::{Duration, Instant};

use goban::pieces::stones::Color;
use goban::rules::game::Game;
use goban::rules::{GobanSizes, IllegalRules, JAPANESE, Move};
use yose_go::playout::{self, Random};
use yose_go::{Board, Colour, Size};

const TURN: Duration = Duration::from_millis(150);

/// Games, moves, and games that Black won by area at komi 7.5.
#[derive(Clone, Copy, Default)]
struct Count {
    games: u32,
    moves: u64,
    black: u32,
}

fn ours(empty: &Board, board: &mut Board, random: &mut Random, count: &mut Count) {
    board.copy_from(empty);
    count.moves += u64::from(playout::run(board, Colour::Black, random).moves);
    count.games += 1;
    // Every point is now a stone or an eye.
    let lead: i32 = empty
        .size()
        .points()
        .map(|point| {
            let owner = board
                .stone(point)
                .or_else(|| board.neighbours(point).find_map(|near| board.stone(near)));
            owner.map_or(0, |colour| if colour == Colour::Black { 1 } else { -1 })
        })
        .sum();
    count.black += u32::from(lead > 7);
}

fn is_eye(game: &Game, (row, col): (u8, u8), side: u8) -> bool {
    let own = game.turn();
    let at = |row: u8, col: u8| game.goban().get_color((row, col));
    let inside = |row: u8, col: u8| row < side && col < side;
    let beside = [
        (row.wrapping_sub(1), col),
        (row, col.wrapping_sub(1)),
        (row, col + 1),
        (row + 1, col),
    ];
    if beside
        .iter()
        .any(|&(row, col)| inside(row, col) && at(row, col) != Some(own))
    {
        return false;
    }
    let (mut enemies, mut edge) = (0, 0);
    for row in [row.wrapping_sub(1), row + 1] {
        for col in [col.wrapping_sub(1), col + 1] {
            if !inside(row, col) {
                edge = 1;
            } else if at(row, col) == Some(!own) {
                enemies += 1;
            }
        }
    }
    enemies + edge < 2
}

fn theirs(side: u8, random: &mut Random, count: &mut Count) {
    let rules = IllegalRules::KO | IllegalRules::SUICIDE;
    let mut game = Game::new(GobanSizes::Custom(side.into(), side.into()), JAPANESE);
    let mut empty: Vec<(u8, u8)> = game.pseudo_legals().collect();
    let limit = 3 * u64::from(side) * u64::from(side);
    let mut moves = 0;
    while moves < limit && !game.is_over() {
        moves += 1;
        let mut left = empty.len();
        let mut chosen = None;
        while left > 0 && chosen.is_none() {
            let place = usize::from(random.below(u16::try_from(left).expect("small")));
            let point = empty[place];
            if !is_eye(&game, point, side) && game.check_point_by(point, rules).is_none() {
                chosen = Some(place);
            } else {
                left -= 1;
                empty.swap(place, left);
            }
        }
        let Some(place) = chosen else {
            game.play(Move::Pass);
            continue;
        };
        let (row, col) = empty.swap_remove(place);
        let prisoners = game.prisoners();
        game.play(Move::Play(row, col));
        if game.prisoners() != prisoners {
            empty.clear();
            empty.extend(game.pseudo_legals());
        }
    }
    count.moves += moves;
    count.games += 1;
    let goban = game.goban();
    let mut lead = 0;
    for row in 0..side {
        for col in 0..side {
            let owner = goban.get_color((row, col)).or_else(|| {
                goban
                    .get_connected_stones((row, col))
                    .next()
                    .map(|stone| stone.color)
            });
            lead += owner.map_or(0, |colour| if colour == Color::Black { 1 } else { -1 });
        }
    }
    count.black += u32::from(lead > 7);
}

/// Processor time of this thread in nanoseconds, or time by the clock since `start`.
fn nanoseconds(start: Instant) -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let field = text.split(' ').next().and_then(|field| field.parse().ok());
    field.unwrap_or_else(|| u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

fn measure(mut game: impl FnMut(&mut Count)) -> (f64, Count) {
    let mut count = Count::default();
    let start = Instant::now();
    let before = nanoseconds(start);
    while start.elapsed() < TURN {
        game(&mut count);
    }
    let spent = nanoseconds(start) - before;
    let moves = u32::try_from(count.moves).expect("few");
    (mean(spent, moves), count)
}

#[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
fn mean(total: u64, count: u32) -> f64 {
    total as f64 / f64::from(count)
}

fn main() {
    let seconds: f64 = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(6.0);
    for side in [9_u8, 13, 19] {
        let size = Size::square(usize::from(side)).expect("a size");
        let empty = Board::new(size);
        let mut board = empty.clone();
        let mut random = Random::new(1);
        let mut turns = [Vec::new(), Vec::new()];
        let mut counts = [Count::default(); 2];
        let start = Instant::now();
        while start.elapsed().as_secs_f64() < seconds || turns[0].len() < 11 {
            let measured = [
                measure(|count| ours(&empty, &mut board, &mut random, count)),
                measure(|count| theirs(side, &mut random, count)),
            ];
            for (i, (nanoseconds, count)) in measured.into_iter().enumerate() {
                turns[i].push(nanoseconds);
                counts[i].games += count.games;
                counts[i].moves += count.moves;
                counts[i].black += count.black;
            }
        }
        for turns in &mut turns {
            turns.sort_by(f64::total_cmp);
        }
        let shown = turns
            .each_ref()
            .map(|turns| [turns[turns.len() / 10], turns[turns.len() / 2]]);
        for ((name, [tenth, median]), count) in
            ["yose-go", "goban 0.20.0"].iter().zip(shown).zip(counts)
        {
            println!(
                "{side:2}x{side:<2} {name:12} tenth {tenth:7.1} median {median:7.1} ns/move, \
                 {:5.1} moves/game, Black wins {:4.1} % of {} games",
                mean(count.moves, count.games),
                100.0 * mean(u64::from(count.black), count.games),
                count.games
            );
        }
        println!(
            "      goban / yose-go: tenth {:.1}, median {:.1}",
            shown[1][0] / shown[0][0],
            shown[1][1] / shown[0][1]
        );
    }
}
