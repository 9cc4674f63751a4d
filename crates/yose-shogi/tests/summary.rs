//! A table whose summary is not what its values add up to is found out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroUsize;
use std::path::Path;

use yose_retro::Outcome;
use yose_retro::table::{Metric, StartValue, Summary, Table, WriteError};
use yose_shogi::audit::Options;

use yose_shogi::kernel::{SolveOptions, Solved, solve};
use yose_shogi::probe::Verdict;
use yose_shogi::table::{self, Claims, TableFile};
use yose_shogi::{Counts, DropShogi, Inventory, Variant};

/// What the audit has to say of the summary of a file.
fn faults(path: &Path, game: &DropShogi) -> Vec<String> {
    let file = TableFile::new(Table::open(path).unwrap(), game.variant().clone()).unwrap();
    let claims = Claims::of_file(&file, None);
    let report = claims.audit(game, &Options::default(), &|_| {}).unwrap();
    assert_eq!(report.violations, 0);
    let faults = file.summary_faults(&report).unwrap();
    faults.iter().map(ToString::to_string).collect()
}

fn write(path: &Path, game: &DropShogi, solved: &Solved, metric: Metric, summary: &Summary) {
    let greatest = match metric {
        Metric::Wdl => 2,
        Metric::Depth | Metric::Ranks => solved.levels().max_depth(),
    };
    table::write(
        path,
        game,
        metric,
        greatest,
        summary,
        NonZeroUsize::MIN,
        game.index().slices().stored(),
        &|slice| Ok::<_, WriteError>(solved.numbers(slice, metric)),
        &mut |_, _| {},
    )
    .unwrap();
}

/// The right summary, made as the command line makes it.
fn summary(game: &DropShogi, solved: &Solved, metric: Metric, path: &Path) -> Summary {
    let counts = Counts::new(game.variant(), game.inventory()).unwrap();
    let mut rows = solved.levels().whole_tally(&counts).histogram;
    if metric != Metric::Depth {
        for outcome in [Outcome::Win, Outcome::Loss, Outcome::Draw] {
            let mut of_it = rows.extract_if(.., |row| row.value == outcome);
            let Some(mut sum) = of_it.next() else {
                continue;
            };
            for row in of_it {
                sum.canonical += row.canonical;
                sum.all += row.all;
            }
            sum.depth = None;
            rows.push(sum);
        }
    }
    let mut summary = Summary::new(rows, None);
    if let Some(start) = game.variant().start(game.inventory()) {
        write(path, game, solved, metric, &summary);
        let table = Table::open(path).unwrap();
        let file = TableFile::new(table, game.variant().clone()).unwrap();
        if let Verdict::Known { outcome, depth } = file.prober().value(&start).unwrap() {
            summary.start = Some(StartValue {
                value: outcome,
                depth: depth.filter(|_| metric == Metric::Depth),
            });
        }
    }
    summary
}

#[test]
fn forged_summaries_are_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.yose");
    for (variant, pieces) in [
        ("shogi4", "P"),
        ("shogi4", "-"),
        ("dobutsu", "CC"),
        ("micro", "G"),
    ] {
        let variant = Variant::built_in(variant).unwrap();
        let inventory = Inventory::parse(pieces, &variant).unwrap();
        let game = DropShogi::new(variant.clone(), inventory).unwrap();
        let options = SolveOptions {
            threads: 1,
            depth: true,
        };
        let solved = solve(&variant, game.index(), options, &mut |_| {});
        for metric in [Metric::Depth, Metric::Wdl, Metric::Ranks] {
            let right = summary(&game, &solved, metric, &path);
            write(&path, &game, &solved, metric, &right);
            let none: [&str; 0] = [];
            assert_eq!(
                faults(&path, &game),
                none,
                "{} {pieces} {metric:?}",
                variant.name
            );

            // One position more that is won.
            let mut rows = right.tally.histogram.clone();
            rows[0].canonical += 1;
            rows[0].all += 1;
            write(
                &path,
                &game,
                &solved,
                metric,
                &Summary::new(rows, right.start),
            );
            let told = faults(&path, &game);
            assert_eq!(told.len(), 1);
            assert!(told[0].starts_with("summary, win"), "{told:?}");

            // A row that is missing.
            let mut rows = right.tally.histogram.clone();
            rows.pop();
            write(
                &path,
                &game,
                &solved,
                metric,
                &Summary::new(rows, right.start),
            );
            let told = faults(&path, &game);
            assert_eq!(told.len(), 1);
            assert!(told[0].contains("none claimed"), "{told:?}");

            // Another value of the start.
            if let Some(start) = right.start {
                let value = match start.value {
                    Outcome::Draw => Outcome::Win,
                    Outcome::Win | Outcome::Loss => Outcome::Draw,
                };
                let depth = (metric == Metric::Depth && value == Outcome::Win).then_some(3);
                let start = Some(StartValue { value, depth });
                let forged = Summary::new(right.tally.histogram.clone(), start);
                write(&path, &game, &solved, metric, &forged);
                let told = faults(&path, &game);
                assert_eq!(told.len(), 1);
                assert!(told[0].starts_with("summary, the start"), "{told:?}");
            }
        }
    }
}
