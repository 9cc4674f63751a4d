//! Small inventories, solved by the reference solver, against published and independent figures:
//! every distance, every count, every sampled position.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;

use yose_retro::reference::{self, Solution};
use yose_retro::selfcheck::{self, Options};
use yose_retro::tally::Tally;
use yose_retro::{Game, Outcome, Successor, Value, reachable};
use yose_shogi::{Counts, DropShogi, Inventory, Position, Variant};

fn game(variant: &str, pieces: &str) -> DropShogi {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

fn solve(game: &DropShogi) -> (Solution, Tally) {
    let solution = reference::solve(game, &mut |_| {}).unwrap();
    let tally = Tally::of(game, &solution);
    (solution, tally)
}

/// The lines of a data file that are not remarks, split at tabs, without the line of names.
fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

fn outcome(word: &str) -> Outcome {
    match word {
        "win" => Outcome::Win,
        "loss" => Outcome::Loss,
        "draw" => Outcome::Draw,
        _ => panic!("{word} is no outcome"),
    }
}

/// A file with lines of outcome, ply and number of positions.
fn histogram(data: &str) -> BTreeMap<(Outcome, Option<u32>), u64> {
    let known = rows(data).map(|row| {
        (
            (outcome(row[0]), row[1].parse().ok()),
            row[2].parse().unwrap(),
        )
    });
    known.filter(|&(_, positions)| positions > 0).collect()
}

/// What a table says, `scale` positions for each canonical one.
fn solved_histogram(tally: &Tally, scale: u64) -> BTreeMap<(Outcome, Option<u32>), u64> {
    let rows = tally.histogram.iter();
    rows.map(|row| ((row.value, row.depth), row.canonical * scale))
        .collect()
}

macro_rules! data {
    ($name:literal) => {
        include_str!(concat!("../../../tests/data/shogi/", $name))
    };
}

#[test]
fn shogi4_counts_and_distances() {
    let mut compared = 0;
    for row in rows(data!("shogi4_wld.tsv")) {
        let [inventory, positions, win, loss, draw, max_ply] = row[..6] else {
            panic!("{row:?} is short");
        };
        let positions: u64 = positions.parse().unwrap();
        // Larger ones are left to the fast solver.
        if positions > 1_200_000 {
            continue;
        }
        let pieces = if inventory == "2K" { "-" } else { inventory };
        let game = game("shogi4", pieces);
        let (solution, tally) = solve(&game);
        assert_eq!(tally.all.positions(), positions, "{inventory}");
        assert_eq!(tally.canonical.positions() * 4, positions, "{inventory}");
        assert_eq!(tally.all.win, win.parse::<u64>().unwrap(), "{inventory}");
        assert_eq!(tally.all.loss, loss.parse::<u64>().unwrap(), "{inventory}");
        assert_eq!(tally.all.draw, draw.parse::<u64>().unwrap(), "{inventory}");
        assert_eq!(
            tally.max_depth(),
            Some(max_ply.parse().unwrap()),
            "{inventory}"
        );
        let known = histogram(match inventory {
            "2K" => data!("shogi4_dtw_2K.tsv"),
            "P" => data!("shogi4_dtw_P.tsv"),
            "F" => data!("shogi4_dtw_F.tsv"),
            "PP" => data!("shogi4_dtw_PP.tsv"),
            "FF" => data!("shogi4_dtw_FF.tsv"),
            "PF" => data!("shogi4_dtw_PF.tsv"),
            "TR" => data!("shogi4_dtw_TR.tsv"),
            _ => panic!("no histogram of {inventory}"),
        });
        assert_eq!(solved_histogram(&tally, 4), known, "{inventory}");
        let samples = rows(data!("shogi4_dtw_samples.tsv")).filter(|row| row[0] == inventory);
        let samples = samples.map(|row| (row[1], row[2], row[3]));
        check_samples(&game, &solution, samples);
        compared += 1;
    }
    assert_eq!(compared, 7);
}

/// Compares sampled positions: text, outcome, ply.
fn check_samples<'a>(
    game: &DropShogi,
    solution: &Solution,
    samples: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) {
    for (text, word, ply) in samples {
        let position = game.variant().parse_position(text).unwrap();
        let value = solution.value_of(game, &position).unwrap();
        assert_eq!(value.outcome(), outcome(word), "{text}");
        if word != "draw" {
            assert_eq!(value.depth(), Some(ply.parse().unwrap()), "{text}");
        }
    }
}

#[test]
fn micro_counts_and_distances() {
    for (domain, pieces, dtm) in [
        ("full_2K+G", "G", data!("micro_full_G_dtm.tsv")),
        ("full_2K+P", "P", data!("micro_full_P_dtm.tsv")),
        ("full_2K+PP", "PP", data!("micro_full_PP_dtm.tsv")),
    ] {
        let game = game("micro", pieces);
        let (solution, tally) = solve(&game);
        let row = rows(data!("micro_wld.tsv"))
            .find(|row| row[0] == domain)
            .unwrap();
        let known: Vec<u64> = row[1..5]
            .iter()
            .map(|field| field.parse().unwrap())
            .collect();
        // These rows have one side to move.
        let counts = [
            tally.all.positions(),
            tally.all.win,
            tally.all.loss,
            tally.all.draw,
        ];
        assert_eq!(counts.map(|count| count / 2).to_vec(), known, "{domain}");
        assert_eq!(solved_histogram(&tally, 2), histogram(dtm), "{domain}");
        if pieces == "PP" {
            micro_reachable(&game, &solution);
            let samples = rows(data!("micro_kp_samples.tsv")).map(|row| (row[0], row[1], row[2]));
            check_samples(&game, &solution, samples);
        }
    }
}

fn micro_reachable(game: &DropShogi, solution: &Solution) {
    let start = game.variant().start(game.inventory()).unwrap();
    let tally = reachable::count(game, solution, &start).unwrap();
    let counts = tally.canonical;
    assert_eq!(counts.positions(), 457_993);
    assert_eq!(
        [counts.win, counts.loss, counts.draw],
        [135_804, 2_956, 319_233]
    );
    assert_eq!(
        solved_histogram(&tally, 1),
        histogram(data!("micro_kp_reachable_dtm.tsv"))
    );
    assert_eq!(solution.value_of(game, &start), Some(Value::Draw));
}

/// The value of a position as far as `plies` tell, from the rules alone.
fn search(game: &DropShogi, position: &Position, plies: u32) -> Value {
    if plies == 0 {
        return Value::Draw;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let values = moves.iter().map(|&mv| match game.play(position, mv) {
        Successor::Decided(value) => value.before_move(),
        Successor::Position(next) => search(game, &next, plies - 1).before_move(),
    });
    let best = values
        .max_by_key(|value| value.preference())
        .unwrap_or(game.stuck());
    match best.depth() {
        Some(depth) if depth <= plies => best,
        _ => Value::Draw,
    }
}

#[test]
fn a_shallow_search_agrees_with_samples_of_large_games() {
    let dobutsu = game("dobutsu", "CCGGEE");
    let shogi4 = game("shogi4", "PFR");
    let samples = rows(data!("dobutsu_samples.tsv"))
        .map(|row| (&dobutsu, row[0], row[1], row[2]))
        .chain(
            rows(data!("shogi4_dtw_samples.tsv"))
                .filter(|row| row[0] == "PFR")
                .map(|row| (&shogi4, row[1], row[2], row[3])),
        );
    let (mut decided, mut open) = (0, 0);
    for (game, text, word, ply) in samples {
        let position = game.variant().parse_position(text).unwrap();
        assert!(game.rank(&position).is_some(), "{text}");
        let known = match (word, ply.parse()) {
            ("win", Ok(ply)) if ply <= 3 => Value::Win(ply),
            ("loss", Ok(ply)) if ply <= 3 => Value::Loss(ply),
            _ => Value::Draw,
        };
        assert_eq!(search(game, &position, 3), known, "{text}");
        if known == Value::Draw {
            open += 1;
        } else {
            decided += 1;
        }
    }
    assert!(decided > 60 && open > 200, "{decided} decided, {open} open");
}

fn self_check(game: &DropShogi, label: &str, made_up: bool) {
    let counts = Counts::new(game.variant(), game.inventory()).unwrap();
    let (solution, tally) = solve(game);
    let options = Options {
        solution: Some(&solution),
        positions: Some(2 * u64::try_from(counts.legal()).unwrap()),
    };
    let report = selfcheck::check(game, options);
    assert!(report.passed(), "{label}: {:#?}", report.first);
    assert!(report.predecessors > 0 || made_up, "{label}");
    assert_eq!(
        u128::from(tally.canonical.positions()),
        counts.canonical(),
        "{label}"
    );
}

#[test]
fn built_in_games_keep_their_promises() {
    for (variant, pieces) in [
        ("shogi4", "-"),
        ("shogi4", "P"),
        ("shogi4", "F"),
        ("dobutsu", "-"),
        ("dobutsu", "C"),
        ("dobutsu", "G"),
        ("dobutsu", "CC"),
        ("dobutsu", "CE"),
        ("micro", "-"),
        ("micro", "P"),
        ("micro", "B"),
    ] {
        self_check(
            &game(variant, pieces),
            &format!("{variant} {pieces}"),
            false,
        );
    }
}

#[test]
fn made_up_games_keep_their_promises() {
    let mut checked = 0;
    for seed in 0.. {
        let variant = common::made_up_variant(seed);
        let counts = variant.kinds.iter().enumerate().map(|(number, kind)| {
            let wanted = [2, 1, 0, 0][usize::try_from(seed >> number & 3).unwrap()];
            kind.total.min(wanted)
        });
        let inventory = Inventory::from_counts(counts);
        let game = DropShogi::new(variant, inventory).unwrap();
        if game.index_size() <= 20_000 {
            self_check(&game, &common::variant_text(seed), true);
            checked += 1;
        }
        if checked == 60 {
            break;
        }
    }
}
