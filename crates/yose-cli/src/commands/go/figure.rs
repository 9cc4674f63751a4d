//! The answer about a Go board as a picture.

use yose_diagram::{EndgameFigure, RegionFigure};
use yose_endgame::Analysis;
use yose_endgame::annotate::territory;

use super::question::Setting;
use super::report::{GoReport, Region};
use super::text::{
    COLUMNS, INCOMPLETE, READINGS, capital, cells, has_readings, moves, reading, sentences, short,
    strategies,
};

/// Places of a ranking in a picture.
const PLACES: usize = 12;
/// Letters of a list or a value in the table.
const LONGEST: usize = 24;

const COLUMNS_MEAN: [&str; 2] = [
    "count: what a region is worth on average, Black minus White; temp: what a move in it gains; \
     swing: Black first against White first",
    "V: the score of the board if the side to play moves in that region first; loses: how many points \
     that is worse than the best move",
];

const THERMOGRAPHS_MEAN: &str = "thermographs: the blue wall is Black's (Left), the red one White's \
     (Right); at temperatures above the point where they meet nobody gains by a move there";

pub(crate) fn figure(
    setting: &Setting,
    analysis: &Analysis,
    report: &GoReport,
    shown: &str,
) -> EndgameFigure {
    let size = setting.board.size();
    let region = |region: &Region| RegionFigure {
        id: region.id.clone(),
        points: region
            .places
            .0
            .iter()
            .chain(&region.places.1)
            .copied()
            .collect(),
        heat: region.heat,
        cells: cells(region, LONGEST),
        // Numbers and infinitesimals have nothing to show.
        thermograph: region
            .drawn
            .clone()
            .filter(|_| region.heat.is_some_and(|heat| heat > 0.0))
            .map(|drawn| {
                let value = region.value.as_deref().unwrap_or_default();
                (drawn, format!("{}: {}", region.id, short(value, 34)))
            }),
    };
    let worths = analysis.regions.iter().filter_map(|r| r.worth.as_ref());
    let temperatures = worths.map(|worth| &worth.temperature);
    let best = analysis
        .best
        .iter()
        .filter_map(|m| size.point_at(m.point).ok());
    let mut lists = Vec::new();
    if has_readings(report) {
        let line =
            |(key, how): &(&str, &str)| format!("{key}, {how}: {}", reading(report, key, PLACES));
        let mut entries: Vec<String> = READINGS.iter().map(line).collect();
        if !report.ranking_complete {
            entries.push(INCOMPLETE.to_owned());
        }
        lists.push(("Which region first?".to_owned(), entries));
    }
    let mut list = |heading: &str, entries: Vec<String>| {
        if !entries.is_empty() {
            lists.push((heading.to_owned(), entries));
        }
    };
    list("Rules of thumb", strategies(report));
    let line = moves(report);
    if !line.is_empty() {
        list("Best play of both", vec![line.join(", ")]);
    }
    list("Assumed", report.assumed.clone());
    list("Notes", report.notes.clone());
    let regions: Vec<RegionFigure> = report.regions.iter().map(region).collect();
    let mut how = Vec::new();
    if !regions.is_empty() {
        how.extend(COLUMNS_MEAN.map(str::to_owned));
    }
    if regions.iter().any(|region| region.thermograph.is_some()) {
        how.push(THERMOGRAPHS_MEAN.to_owned());
    }
    list("How to read this", how);
    EndgameFigure {
        title: format!(
            "{shown}: {} to play after {} moves ({})",
            capital(report.to_play),
            report.position.moves,
            setting.terms()
        ),
        answer: sentences(report),
        board: setting.board.clone(),
        last: setting.last,
        regions,
        columns: COLUMNS.iter().map(|&name| name.to_owned()).collect(),
        hottest: temperatures.max().map(ToString::to_string),
        owned: territory(analysis, &setting.board),
        best: best.collect(),
        lists,
    }
}
