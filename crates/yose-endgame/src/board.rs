//! The whole board: the exact score and the best move among all regions, by a search of their sum.

use yose_cgt::{
    Bounds, Dyadic, Error, Form, FormId, GameId, Kind, Pick, Player, Rational, SumLimits,
    SumSolution,
};
use yose_go::{Colour, Grid};

use crate::decompose::{Decomposition, RegionKind, Vouched};
use crate::local::{LocalSolver, Status};
use crate::value::{Worth, best_at};

/// What holds for an analysis.
#[derive(Debug, Clone)]
pub struct Question {
    /// Who is to move.
    pub to_play: Colour,
    /// Added to every score, Black minus White: prisoners so far, minus komi.
    pub offset: Dyadic,
    /// What may be taken for granted.
    pub vouched: Vouched,
    /// When the search of the sum stops.
    pub sum: SumLimits,
}

impl Question {
    /// Nothing taken for granted, no komi, no prisoners.
    #[must_use]
    pub fn new(to_play: Colour) -> Self {
        Self {
            to_play,
            offset: Dyadic::ZERO,
            vouched: Vouched::default(),
            sum: SumLimits::default(),
        }
    }
}

/// A legal move in a region.
#[derive(Debug, Clone)]
pub struct RegionMove {
    /// Who plays.
    pub colour: Colour,
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// The region after it is worth at least and at most this game.
    pub low: GameId,
    /// See `low`.
    pub high: GameId,
    /// For the side to play, if all regions are exact: the score of the board after it and best play. Of
    /// moves that are not the best of their region one bound may be loose.
    pub score: Option<Bounds>,
}

/// A region where play is left, or a number that needed a search.
#[derive(Debug, Clone)]
pub struct RegionReport {
    /// Its number in [`Decomposition::regions`].
    pub region: usize,
    /// How its value is known.
    pub status: Status,
    /// Proved: the value is at least this game, in [`LocalSolver::games`].
    pub low: GameId,
    /// Proved: the value is at most this game.
    pub high: GameId,
    /// Is each legal move known exactly, or the region a number, which nobody plays? A limit can leave
    /// moves open although the value is exact.
    pub moves_known: bool,
    /// What an exact value means.
    pub worth: Option<Worth>,
    /// All legal moves; none if the region is too large to be searched.
    pub moves: Vec<RegionMove>,
    /// For Black and for White: which of the moves are best at the region's temperature. Empty for numbers, and
    /// if the value or a move is not exact.
    pub best: [Vec<usize>; 2],
    /// V: the score of the board after the best move of the side to play in this region. `None` for
    /// numbers, if some region is not exact, and if moves here are not known exactly.
    pub v: Option<Bounds>,
}

/// A region's place in a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The region's number in [`Decomposition::regions`].
    pub region: usize,
    /// By what it is ranked.
    pub value: Dyadic,
    /// The best move in it for the whole board, by index of the grid's cells.
    pub point: usize,
}

/// The readings of "which region first?", each a list, first choice first; dame come last, equal values
/// in order of regions. Empty unless all is exact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranking {
    /// By temperature.
    pub hottest: Vec<Ranked>,
    /// By left stop minus right stop.
    pub swing: Vec<Ranked>,
    /// By V, best for the side to play first.
    pub must: Vec<Ranked>,
    /// By V, worst for the side to play first.
    pub avoid: Vec<Ranked>,
    /// By points lost against the best move, least first.
    pub loss: Vec<Ranked>,
}

/// A best move of the whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// In which region.
    pub region: usize,
    /// The score after it and best play.
    pub score: Dyadic,
}

/// The answer about a board. Scores are Black minus White and include settled territory and the offset.
///
/// They are territory scores under the mathematical rules. If regions are not exact, the stops are proved
/// bounds and there are no best moves.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The board taken apart; it lists what the answer rests on.
    pub decomposition: Decomposition,
    /// The regions that are not settled at sight.
    pub regions: Vec<RegionReport>,
    /// The score if Black plays first.
    pub left_stop: Bounds,
    /// The score if White plays first.
    pub right_stop: Bounds,
    /// The count of the whole; `None` unless all is exact.
    pub mean: Option<Dyadic>,
    /// The highest temperature; `None` unless all is exact, and if nothing is left to play.
    pub temperature: Option<Dyadic>,
    /// The best moves of the side to play; all of them are equal in score. Empty unless all values are
    /// exact; all there are if [`Analysis::is_exact`].
    pub best: Vec<BestMove>,
    /// The readings.
    pub ranking: Ranking,
    /// What rules of thumb lose: `part` counts in [`Analysis::regions`]. Empty unless all is exact, every
    /// move included.
    pub strategies: Vec<Pick>,
}

impl Analysis {
    /// Is every region exact, every move in it too, and the search of the sum complete?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.regions
            .iter()
            .all(|r| r.status == Status::Exact && r.moves_known)
            && self.left_stop.exact().is_some()
            && self.right_stop.exact().is_some()
    }
}

/// Analyses a board.
///
/// ```
/// use yose_endgame::{LocalSolver, Question, analyse};
/// use yose_go::{Board, Colour, Grid};
/// // Two groups with two eyes each, and a dame between them.
/// let board = Board::from_rows(&["..X.O.", "XXXOOO", ".XXO.O"])?;
/// let cells = board.cells();
/// let mut solver = LocalSolver::default();
/// let question = Question::new(Colour::Black);
/// let answer = analyse(&mut solver, &Grid::new(3, 6, &cells)?, &question)?;
/// assert!(answer.is_exact());
/// assert_eq!(answer.left_stop.low.to_string(), "1"); // 3 points against 2
/// assert_eq!(answer.best[0].point, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If games do not fit into the limits; regions that are too much for the search are no error.
pub fn analyse(
    solver: &mut LocalSolver,
    grid: &Grid<'_>,
    question: &Question,
) -> Result<Analysis, Error> {
    let decomposition = Decomposition::new(grid, &question.vouched);
    let mut regions = Vec::new();
    for (number, region) in decomposition.regions().iter().enumerate() {
        if !matches!(region.kind, RegionKind::Settled(_)) {
            regions.push(report(solver, &decomposition, number)?);
        }
    }
    let settled = Dyadic::from(decomposition.settled());
    let outside = settled.checked_add(&question.offset)?;
    let mut analysis = Analysis {
        decomposition,
        regions,
        left_stop: point_bounds(&outside),
        right_stop: point_bounds(&outside),
        mean: None,
        temperature: None,
        best: Vec::new(),
        ranking: Ranking::default(),
        strategies: Vec::new(),
    };
    if analysis.regions.iter().all(|r| r.status == Status::Exact) {
        solve_exact(solver, &mut analysis, question, &outside)?;
    } else {
        solve_bounds(solver, &mut analysis, question, &outside)?;
    }
    Ok(analysis)
}

fn point_bounds(x: &Dyadic) -> Bounds {
    Bounds {
        low: x.clone(),
        high: x.clone(),
    }
}

fn shifted(bounds: &Bounds, by: &Dyadic) -> Result<Bounds, Error> {
    Ok(Bounds {
        low: bounds.low.checked_add(by)?,
        high: bounds.high.checked_add(by)?,
    })
}

const fn player(colour: Colour) -> Player {
    match colour {
        Colour::Black => Player::Left,
        Colour::White => Player::Right,
    }
}

fn report(
    solver: &mut LocalSolver,
    decomposition: &Decomposition,
    number: usize,
) -> Result<RegionReport, Error> {
    let mut report = RegionReport {
        region: number,
        status: Status::Unknown,
        moves_known: false,
        low: GameId::ZERO,
        high: GameId::ZERO,
        worth: None,
        moves: Vec::new(),
        best: [Vec::new(), Vec::new()],
        v: None,
    };
    let Ok((area, indices)) = decomposition.area(number) else {
        let (low, high) = decomposition.counting_bounds(number);
        report.low = solver.games_mut().integer(low)?;
        report.high = solver.games_mut().integer(high)?;
        return Ok(report);
    };
    let solution = solver.solve(&area)?;
    report.status = solution.status;
    (report.low, report.high) = (solution.low, solution.high);
    report.moves = solution
        .moves
        .iter()
        .map(|m| RegionMove {
            colour: m.colour,
            point: indices[m.place],
            low: m.low,
            high: m.high,
            score: None,
        })
        .collect();
    if let Some(value) = solution.exact() {
        let worth = solver.worth(value)?;
        let number = worth.kind == Kind::Number;
        report.moves_known = number || report.moves.iter().all(|m| m.low == m.high);
        if !number && report.moves_known {
            let t = Rational::from(&worth.temperature);
            for colour in [Colour::Black, Colour::White] {
                let own: Vec<usize> = (0..report.moves.len())
                    .filter(|&k| report.moves[k].colour == colour)
                    .collect();
                let options: Vec<GameId> = own.iter().map(|&k| report.moves[k].low).collect();
                let best = best_at(solver.games_mut(), &options, &t, colour == Colour::Black)?;
                report.best[colour.index()] = best.into_iter().map(|k| own[k]).collect();
            }
        }
        report.worth = Some(worth);
    }
    Ok(report)
}

/// A region as a game whose options are the values after each legal move.
fn as_form(solver: &mut LocalSolver, region: &RegionReport) -> Result<FormId, Error> {
    let number = region
        .worth
        .as_ref()
        .is_some_and(|w| w.kind == Kind::Number);
    if number || !region.moves_known {
        // Numbers are not played. If a limit left moves open, the value gives the stops of the board all
        // the same, but its canonical options are not the legal moves.
        return solver.games_mut().form(Form::Value(region.low));
    }
    let mut sides = [Vec::new(), Vec::new()];
    for m in &region.moves {
        let form = solver.games_mut().form(Form::Value(m.low))?;
        sides[m.colour.index()].push(form);
    }
    let [left, right] = sides;
    solver.games_mut().form(Form::Braces(left, right))
}

fn solve_exact(
    solver: &mut LocalSolver,
    analysis: &mut Analysis,
    question: &Question,
    outside: &Dyadic,
) -> Result<(), Error> {
    let mut forms = Vec::with_capacity(analysis.regions.len());
    for region in &analysis.regions {
        let form = as_form(solver, region)?;
        debug_assert_eq!(solver.games_mut().value(form), Ok(region.low));
        forms.push(form);
    }
    let who = player(question.to_play);
    let solution = solver.games_mut().solve_sum(&forms, who, question.sum)?;
    analysis.left_stop = shifted(&solution.left_stop, outside)?;
    analysis.right_stop = shifted(&solution.right_stop, outside)?;
    let mean = solution.mean.as_ref().map(|m| m.checked_add(outside));
    analysis.mean = mean.transpose()?;
    analysis.temperature = solution.max_temperature.clone();
    for (region, part) in analysis.regions.iter_mut().zip(&solution.parts) {
        if !region.moves_known {
            continue;
        }
        let v = part.v.as_ref().map(|v| shifted(v, outside));
        region.v = v.transpose()?;
        for (option, score) in &part.options {
            let value = solver.games_mut().value(*option)?;
            for m in &mut region.moves {
                let exact = m.low == m.high && m.low == value;
                if m.colour == question.to_play && exact {
                    m.score = Some(shifted(score, outside)?);
                }
            }
        }
    }
    fill_best(analysis, &solution, outside)?;
    if analysis.regions.iter().all(|r| r.moves_known) {
        analysis.strategies.clone_from(&solution.picks);
    }
    Ok(())
}

fn fill_best(
    analysis: &mut Analysis,
    solution: &SumSolution,
    outside: &Dyadic,
) -> Result<(), Error> {
    let black = solution.who == Player::Left;
    let Some(stop) = solution.stop().exact() else {
        return Ok(());
    };
    let stop = stop.checked_add(outside)?;
    for region in &analysis.regions {
        for m in &region.moves {
            if m.score.as_ref().and_then(Bounds::exact).as_ref() == Some(&stop) {
                analysis.best.push(BestMove {
                    point: m.point,
                    region: region.region,
                    score: stop.clone(),
                });
            }
        }
    }
    if analysis.regions.iter().any(|r| !r.moves_known) {
        return Ok(());
    }
    // Region, worth, V, best move; only if every V is exact is there a ranking.
    let mut rows = Vec::new();
    for region in &analysis.regions {
        let (Some(worth), Some(v)) = (&region.worth, &region.v) else {
            continue;
        };
        let Some(v) = v.exact() else {
            return Ok(());
        };
        let is_best = |m: &&RegionMove| m.score.as_ref().and_then(Bounds::exact) == Some(v.clone());
        if let Some(m) = region.moves.iter().find(is_best) {
            rows.push((region.region, worth, v, m.point));
        }
    }
    let ranked = |value: &dyn Fn(&Worth, &Dyadic) -> Result<Dyadic, Error>, falls: bool| {
        let mut list = Vec::new();
        for (region, worth, v, point) in &rows {
            let ranked = Ranked {
                region: *region,
                value: value(worth, v)?,
                point: *point,
            };
            list.push((worth.kind == Kind::Dame, ranked));
        }
        list.sort_by(|(a_dame, a), (b_dame, b)| {
            let order = a.value.cmp(&b.value);
            a_dame
                .cmp(b_dame)
                .then(if falls { order.reverse() } else { order })
        });
        Ok::<_, Error>(list.into_iter().map(|(_, ranked)| ranked).collect())
    };
    analysis.ranking = Ranking {
        hottest: ranked(&|w, _| Ok(w.temperature.clone()), true)?,
        swing: ranked(&|w, _| Ok(w.swing.clone()), true)?,
        must: ranked(&|_, v| Ok(v.clone()), black)?,
        avoid: ranked(&|_, v| Ok(v.clone()), !black)?,
        loss: ranked(&|_, v| Ok(stop.checked_sub(v)?.abs()), false)?,
    };
    Ok(())
}

/// Bounds of the stops: the sum is at least the sum of what is proved below, and at most of what is proved
/// above.
fn solve_bounds(
    solver: &mut LocalSolver,
    analysis: &mut Analysis,
    question: &Question,
    outside: &Dyadic,
) -> Result<(), Error> {
    let who = player(question.to_play);
    let mut solve = |values: Vec<GameId>| -> Result<SumSolution, Error> {
        let forms = values
            .into_iter()
            .map(|value| solver.games_mut().form(Form::Value(value)));
        let forms: Vec<FormId> = forms.collect::<Result<_, _>>()?;
        solver.games_mut().solve_sum(&forms, who, question.sum)
    };
    let low = solve(analysis.regions.iter().map(|r| r.low).collect())?;
    let high = solve(analysis.regions.iter().map(|r| r.high).collect())?;
    let between = |low: &Bounds, high: &Bounds| {
        Ok::<_, Error>(Bounds {
            low: low.low.checked_add(outside)?,
            high: high.high.checked_add(outside)?,
        })
    };
    analysis.left_stop = between(&low.left_stop, &high.left_stop)?;
    analysis.right_stop = between(&low.right_stop, &high.right_stop)?;
    Ok(())
}
