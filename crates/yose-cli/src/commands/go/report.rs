//! The answer about a Go board as plain data: what JSON shows, and what text and pictures are made from.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use yose_cgt::report::{Ranked, Ranking, Sides, StrategyMove, Walls, WholeValue};
use yose_cgt::{Bounds, Dyadic, GameId, Rational, Thermograph, Wall};
use yose_endgame::annotate::{lettered, score_text};
use yose_endgame::board::{self, RegionReport};
use yose_endgame::decompose::Assumption;
use yose_endgame::{Analysis, LocalSolver};
use yose_go::{Board, Colour, Point, Scoring};

use super::question::{Setting, decimal};

/// Values of games longer than this are cut; what they are worth stands beside them.
const LONGEST_VALUE: usize = 20_000;

/// New games allowed for finding the temperature of the whole board.
const WHOLE_BUDGET: u64 = 30_000;

/// Everything `yose best FILE.sgf` says. The first keys are the contract's, in its order.
#[derive(Debug, Serialize)]
pub(crate) struct GoReport {
    pub(crate) to_play: &'static str,
    pub(crate) value: WholeValue,
    pub(crate) regions: Vec<Region>,
    pub(crate) ranking: Ranking<Ranked>,
    pub(crate) best: Vec<BestMove>,
    /// Moves that may be as good as those.
    pub(crate) open: Vec<OpenMove>,
    /// Is there no other best move?
    pub(crate) best_complete: bool,
    /// Are all places of the ranking proved? Else each list ends before the first that is not.
    pub(crate) ranking_complete: bool,
    pub(crate) line: Vec<String>,
    pub(crate) line_regions: Vec<String>,
    pub(crate) line_complete: bool,
    pub(crate) strategies: BTreeMap<&'static str, StrategyMove>,
    pub(crate) score: Option<Score>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) seconds: f64,
    pub(crate) position: Position,
    pub(crate) settled: i64,
    /// Is everything proved, every move included?
    pub(crate) exact: bool,
    pub(crate) notes: Vec<String>,
    /// The assumptions for people, in fewer lines.
    #[serde(skip)]
    pub(crate) assumed: Vec<String>,
}

/// A best move.
#[derive(Debug, Serialize)]
pub(crate) struct BestMove {
    #[serde(rename = "move")]
    pub(crate) option: String,
    pub(crate) region: String,
    /// `null` if it is only bounded; no other move is better all the same.
    pub(crate) score: Option<String>,
    pub(crate) score_bounds: [String; 2],
}

/// A move that may be as good as the best.
#[derive(Debug, Serialize)]
pub(crate) struct OpenMove {
    #[serde(rename = "move")]
    pub(crate) option: String,
    pub(crate) region: String,
    pub(crate) score_bounds: [String; 2],
    /// Why it is not decided.
    pub(crate) why: &'static str,
}

/// The score with best play of both.
#[derive(Debug, Serialize)]
pub(crate) struct Score {
    pub(crate) rule: &'static str,
    pub(crate) komi: String,
    /// `null` if it is not known exactly.
    pub(crate) result: Option<String>,
    /// `area` or `territory`.
    pub(crate) scoring: &'static str,
    /// White stones taken so far minus black ones.
    pub(crate) prisoners: i64,
}

/// Which position this is about.
#[derive(Debug, Serialize)]
pub(crate) struct Position {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Moves of the record before it.
    pub(crate) moves: usize,
    pub(crate) last: Option<String>,
    /// From the top; `X` is Black, `O` White.
    pub(crate) board: Vec<String>,
}

/// A region.
#[derive(Debug, Serialize)]
pub(crate) struct Region {
    pub(crate) id: String,
    pub(crate) points: Vec<String>,
    pub(crate) stones: Vec<String>,
    pub(crate) value: Option<String>,
    pub(crate) left_stop: Option<String>,
    pub(crate) right_stop: Option<String>,
    pub(crate) swing: Option<String>,
    pub(crate) mean: Option<String>,
    pub(crate) temperature: Option<String>,
    pub(crate) miai_value: Option<String>,
    pub(crate) deiri_value: Option<String>,
    pub(crate) chilled: Option<String>,
    pub(crate) kind: Option<&'static str>,
    pub(crate) status: &'static str,
    pub(crate) best: Sides,
    /// Other moves that may be as good as those in `best`.
    pub(crate) open: Sides,
    pub(crate) v: Option<String>,
    pub(crate) v_bounds: Option<[String; 2]>,
    /// Proved: the value is at least and at most this.
    pub(crate) bounds: [String; 2],
    pub(crate) thermograph: Option<Walls>,
    /// What kept the search from its end.
    pub(crate) limit: Option<&'static str>,
    /// For a ko: thermographs if Black, if White wins all kos.
    pub(crate) ko: Option<Ko>,
    /// How many points it loses to play here first.
    #[serde(skip)]
    pub(crate) loss: Option<String>,
    /// For pictures.
    #[serde(skip)]
    pub(crate) drawn: Option<Arc<Thermograph>>,
    /// From 0 to 1, the hottest of the board; `None` if not known.
    #[serde(skip)]
    pub(crate) heat: Option<f64>,
    /// Places of points and of stones.
    #[serde(skip)]
    pub(crate) places: (Vec<Point>, Vec<Point>),
}

/// A ko by who wins it.
#[derive(Debug, Serialize)]
pub(crate) struct Ko {
    pub(crate) black: KoSide,
    pub(crate) white: KoSide,
}

/// What a ko is worth to whoever wins all kos.
#[derive(Debug, Serialize)]
pub(crate) struct KoSide {
    pub(crate) mean: String,
    pub(crate) temperature: String,
    pub(crate) thermograph: Walls,
}

/// Names of points, and letters of regions by number in the decomposition.
struct Names<'a> {
    board: &'a Board,
    points: Vec<Point>,
    letters: BTreeMap<usize, (usize, String)>,
}

impl Names<'_> {
    fn vertex(&self, point: usize) -> String {
        let point = self.points.get(point);
        point.map_or_else(String::new, |&point| self.board.size().gtp(point))
    }

    fn places(&self, points: &[usize]) -> Vec<Point> {
        let found = points.iter().filter_map(|&p| self.points.get(p));
        found.copied().collect()
    }

    fn letter(&self, region: usize) -> String {
        let found = self.letters.get(&region);
        found.map_or_else(String::new, |(_, letters)| letters.clone())
    }
}

fn ends(bounds: &Bounds) -> [String; 2] {
    [bounds.low.to_string(), bounds.high.to_string()]
}

fn exact(bounds: &Bounds) -> Option<String> {
    bounds.exact().map(|x| x.to_string())
}

pub(crate) const fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "black",
        Colour::White => "white",
    }
}

/// Puts an analysis into words and numbers.
pub(crate) fn report(
    setting: &Setting,
    analysis: &Analysis,
    solver: &mut LocalSolver,
    top: usize,
    start: Instant,
) -> anyhow::Result<GoReport> {
    let board = &setting.board;
    let order = lettered(analysis);
    let names = Names {
        board,
        points: board.size().points().collect(),
        letters: order
            .iter()
            .enumerate()
            .map(|(place, (letters, r))| (r.region, (place, letters.clone())))
            .collect(),
    };
    let temperatures = analysis.regions.iter().filter_map(|r| r.worth.as_ref());
    let hottest = temperatures
        .map(|w| w.temperature.to_f64())
        .fold(0.0, f64::max);
    let mut regions = Vec::with_capacity(order.len());
    for (letters, report) in &order {
        regions.push(region(analysis, solver, &names, letters, report, hottest)?);
    }
    let mut ranking = analysis.ranking.map(|place| Ranked {
        id: names.letter(place.region),
        value: place.value.to_string(),
        option: names.vertex(place.point),
    });
    ranking.truncate(top);
    let mut notes = setting.notes.clone();
    let not_taken = analysis.decomposition.not_taken();
    if !not_taken.is_empty() {
        let stones: Vec<String> = not_taken.iter().map(|&p| names.vertex(p)).collect();
        notes.push(format!(
            "not taken as dead, since their region is not closed: {}",
            stones.join(", ")
        ));
    }
    let vertex = |p: usize| names.vertex(p);
    let assumptions: Vec<String> = analysis
        .assumptions()
        .iter()
        .map(|a| a.text(&vertex))
        .collect();
    Ok(GoReport {
        to_play: colour_name(analysis.to_play),
        value: WholeValue {
            left_stop: exact(&analysis.left_stop),
            right_stop: exact(&analysis.right_stop),
            mean: analysis.mean.as_ref().map(ToString::to_string),
            temperature: whole_temperature(analysis, solver),
            left_stop_bounds: ends(&analysis.left_stop),
            right_stop_bounds: ends(&analysis.right_stop),
        },
        regions,
        ranking,
        best: best(analysis, &names),
        open: open(analysis, &names),
        best_complete: analysis.best_complete,
        ranking_complete: analysis.ranking_complete,
        line: analysis
            .line
            .iter()
            .map(|m| names.vertex(m.point))
            .collect(),
        line_regions: analysis
            .line
            .iter()
            .map(|m| names.letter(m.region))
            .collect(),
        line_complete: analysis.line_complete,
        strategies: strategies(analysis, &names),
        score: Some(score(setting, analysis)),
        assumptions,
        settled: analysis.decomposition.settled(),
        exact: analysis.is_exact(),
        position: Position {
            columns: board.size().cols(),
            rows: board.size().rows(),
            moves: setting.moves,
            last: setting.last.map(|point| board.size().gtp(point)),
            board: board.to_rows(),
        },
        notes,
        assumed: Assumption::texts(analysis.assumptions(), &vertex),
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn score(setting: &Setting, analysis: &Analysis) -> Score {
    Score {
        rule: setting.rules,
        komi: decimal(&setting.komi),
        result: analysis.score().exact().map(|x| score_text(&x)),
        scoring: match setting.question.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        },
        prisoners: setting.question.prisoners,
    }
}

impl Names<'_> {
    /// The order of a move: by the letters of its region, then by its place.
    fn order(&self, region: usize, point: usize) -> (Option<usize>, usize) {
        (self.letters.get(&region).map(|(place, _)| *place), point)
    }
}

fn best(analysis: &Analysis, names: &Names<'_>) -> Vec<BestMove> {
    let mut best: Vec<&board::BestMove> = analysis.best.iter().collect();
    best.sort_by_key(|m| names.order(m.region, m.point));
    let put = |m: &board::BestMove| BestMove {
        option: names.vertex(m.point),
        region: names.letter(m.region),
        score: exact(&m.score),
        score_bounds: ends(&m.score),
    };
    best.into_iter().map(put).collect()
}

fn open(analysis: &Analysis, names: &Names<'_>) -> Vec<OpenMove> {
    let mut open: Vec<&board::OpenMove> = analysis.open.iter().collect();
    open.sort_by_key(|m| names.order(m.region, m.point));
    let put = |m: &board::OpenMove| OpenMove {
        option: names.vertex(m.point),
        region: names.letter(m.region),
        score_bounds: ends(&m.score),
        why: yose_endgame::annotate::why_open(m.status),
    };
    open.into_iter().map(put).collect()
}

fn strategies(analysis: &Analysis, names: &Names<'_>) -> BTreeMap<&'static str, StrategyMove> {
    let pick = |m: &board::StrategyMove| StrategyMove {
        option: names.vertex(m.point),
        region: names.letter(m.region),
        loss: m.loss.to_string(),
    };
    let all = analysis.strategies.iter();
    all.map(|m| (m.strategy.key(), pick(m))).collect()
}

/// The temperature of the sum of all regions: at most the hottest region's, and less where regions are miai.
fn whole_temperature(analysis: &Analysis, solver: &mut LocalSolver) -> Option<String> {
    if analysis.regions.iter().any(|r| r.worth.is_none()) {
        return None;
    }
    let games: Vec<GameId> = analysis.regions.iter().map(|r| r.low).collect();
    let found = solver.games_mut().sum_temperature(&games, WHOLE_BUDGET);
    found.ok().flatten().map(|t| t.to_string())
}

fn cut(text: String) -> String {
    if text.len() <= LONGEST_VALUE {
        return text;
    }
    let short: String = text.chars().take(LONGEST_VALUE).collect();
    format!("{short}...")
}

fn walls(left: &[(Rational, Rational)], right: &[(Rational, Rational)]) -> Walls {
    let corners = |wall: &[(Rational, Rational)]| {
        let corners = wall.iter().map(|(t, x)| [t.to_string(), x.to_string()]);
        corners.collect()
    };
    Walls {
        left: corners(left),
        right: corners(right),
    }
}

fn region(
    analysis: &Analysis,
    solver: &mut LocalSolver,
    names: &Names<'_>,
    letters: &str,
    report: &RegionReport,
    hottest: f64,
) -> anyhow::Result<Region> {
    let here = &analysis.decomposition.regions()[report.region];
    let worth = report.worth.as_ref();
    let text = |number: &Dyadic| number.to_string();
    let sides = |moves: &[Vec<usize>; 2]| {
        let side = |colour: Colour| {
            let moves = moves[colour.index()].iter();
            moves
                .map(|&k| names.vertex(report.moves[k].point))
                .collect()
        };
        Sides {
            left: side(Colour::Black),
            right: side(Colour::White),
        }
    };
    let loss = match (&report.v, analysis.score().exact()) {
        (Some(v), Some(score)) => v.exact().map(|v| score.checked_sub(&v)).transpose()?,
        _ => None,
    };
    let games = solver.games_mut();
    let mut print = |game: GameId| games.print(game).map(cut);
    let chilled = worth.map(|w| print(w.chilled)).transpose()?;
    let bounds = [print(report.low)?, print(report.high)?];
    let corners = |wall: &Wall| wall.points().to_vec();
    Ok(Region {
        id: letters.to_owned(),
        points: here.points.iter().map(|&p| names.vertex(p)).collect(),
        stones: here.stones.iter().map(|&p| names.vertex(p)).collect(),
        value: worth.map(|w| cut(w.text.clone())),
        left_stop: worth.map(|w| text(&w.left_stop)),
        right_stop: worth.map(|w| text(&w.right_stop)),
        swing: worth.map(|w| text(&w.swing)),
        mean: worth.map(|w| text(&w.mean)),
        temperature: worth.map(|w| text(&w.temperature)),
        miai_value: worth.and_then(|w| w.miai_value.as_ref().map(text)),
        deiri_value: worth.and_then(|w| w.deiri_value.as_ref().map(text)),
        chilled,
        kind: worth.map(|w| w.kind.key()),
        status: report.status.key(),
        best: sides(&report.best),
        open: sides(&report.open),
        loss: loss.map(|loss| text(&loss.abs())),
        v: report.v.as_ref().and_then(exact),
        v_bounds: report.v.as_ref().map(ends),
        bounds,
        thermograph: worth.map(|w| {
            walls(
                &corners(&w.thermograph.left),
                &corners(&w.thermograph.right),
            )
        }),
        limit: report.limit.map(yose_endgame::Limit::text),
        ko: report.ko.as_ref().map(|ko| {
            let side = |t: &yose_endgame::KoThermograph| KoSide {
                mean: t.mean.to_string(),
                temperature: t.temperature.to_string(),
                thermograph: walls(&t.left, &t.right),
            };
            Ko {
                black: side(&ko.black),
                white: side(&ko.white),
            }
        }),
        drawn: worth.map(|w| w.thermograph.clone()),
        heat: worth.map(|w| {
            let heat = w.temperature.to_f64().max(0.0);
            if hottest > 0.0 { heat / hottest } else { 0.0 }
        }),
        places: (names.places(&here.points), names.places(&here.stones)),
    })
}
