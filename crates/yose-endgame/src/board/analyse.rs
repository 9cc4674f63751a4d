//! Regions are solved one by one and handed to the search of sums.

use yose_cgt::{Bounds, Dyadic, Error, GameId, Kind, Player};
use yose_go::{Cell, Colour, Grid, Scoring};

use super::{Analysis, Question, Ranking, RegionMove, RegionReport};
use crate::decompose::{Decomposition, RegionKind, Vouched};
use crate::local::{Limit, LocalSolver, Status};
use crate::selfcheck;
use crate::value::{Worth, best_of_bounds};

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
    analyse_until(solver, grid, question, &|| false)
}

/// As [`analyse`], until `should_stop` says so; it is asked now and then. What is known by then is given
/// as bounds.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_until(
    solver: &mut LocalSolver,
    grid: &Grid<'_>,
    question: &Question,
    should_stop: &dyn Fn() -> bool,
) -> Result<Analysis, Error> {
    let vouched = Vouched {
        form: question.form(),
        ..question.vouched.clone()
    };
    let decomposition = Decomposition::new(grid, &vouched);
    let outside = outside(grid, &decomposition, question)?;
    let work = &Work {
        question,
        should_stop,
        outside,
    };
    let mut analysis = work.analyse(solver, decomposition)?;
    if !analysis.best.is_empty() && analysis.is_searched() {
        work.fill_line(solver, grid, &mut analysis)?;
    }
    Ok(analysis)
}

/// What every score has besides the regions. A player's area is the territory, the stones on the board now
/// and those placed from now on, less those lost from now on, which the regions count as prisoners.
pub(super) fn outside(
    grid: &Grid<'_>,
    decomposition: &Decomposition,
    question: &Question,
) -> Result<Dyadic, Error> {
    let now = match question.scoring {
        Scoring::Territory => question.prisoners,
        Scoring::Area => grid.cells().iter().fold(0, |sum, cell| match cell {
            Cell::Black => sum + 1,
            Cell::White => sum - 1,
            Cell::Empty | Cell::Off => sum,
        }),
    };
    Dyadic::from(decomposition.settled())
        .checked_add(&Dyadic::from(now))?
        .checked_sub(&question.komi)
}

/// A question being answered.
pub(super) struct Work<'a> {
    pub(super) question: &'a Question,
    pub(super) should_stop: &'a dyn Fn() -> bool,
    /// What every score has besides the regions.
    pub(super) outside: Dyadic,
}

impl Work<'_> {
    /// Everything but the line.
    pub(super) fn analyse(
        &self,
        solver: &mut LocalSolver,
        decomposition: Decomposition,
    ) -> Result<Analysis, Error> {
        let mut regions = Vec::new();
        for (number, region) in decomposition.regions().iter().enumerate() {
            if !matches!(region.kind, RegionKind::Settled(_)) {
                regions.push(self.report(solver, &decomposition, number)?);
            }
        }
        let mut analysis = Analysis {
            decomposition,
            regions,
            left_stop: point_bounds(&self.outside),
            right_stop: point_bounds(&self.outside),
            mean: None,
            temperature: None,
            best: Vec::new(),
            open: Vec::new(),
            best_complete: false,
            ranking: Ranking::default(),
            ranking_complete: false,
            strategies: Vec::new(),
            line: Vec::new(),
            line_complete: false,
            to_play: self.question.to_play,
        };
        let picks = self.solve(solver, &mut analysis)?;
        self.find_best(solver.games(), &mut analysis);
        super::ranking::fill(&mut analysis, &picks)?;
        Ok(analysis)
    }

    fn report(
        &self,
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
            ko: None,
            limit: Some(Limit::TooLarge),
            moves: Vec::new(),
            best: [Vec::new(), Vec::new()],
            open: [Vec::new(), Vec::new()],
            v: None,
        };
        let Ok((area, indices)) = decomposition.area(number) else {
            let (low, high) = decomposition.counting_bounds(number);
            report.low = solver.games_mut().integer(low)?;
            report.high = solver.games_mut().integer(high)?;
            return Ok(report);
        };
        let solution = solver.solve_until(&area, self.question.suicide, self.should_stop)?;
        report.status = solution.status;
        report.limit = solution.limit;
        report.ko = solution.ko;
        (report.low, report.high) = (solution.low, solution.high);
        report.moves = solution
            .moves
            .iter()
            .map(|m| RegionMove {
                colour: m.colour,
                point: indices[m.place],
                low: m.low,
                high: m.high,
                status: m.status,
                score: None,
            })
            .collect();
        if report.status.is_exact() {
            let worth = solver.worth(report.low)?;
            let number = worth.kind == Kind::Number;
            report.moves_known = number || report.moves.iter().all(|m| m.low == m.high);
            if !number {
                self.fill_local_best(solver, &mut report, &worth)?;
            }
            report.worth = Some(worth);
        }
        Ok(report)
    }

    /// The moves of either side that are best at the region's temperature, and those that may be.
    fn fill_local_best(
        &self,
        solver: &mut LocalSolver,
        report: &mut RegionReport,
        worth: &Worth,
    ) -> Result<(), Error> {
        let games = solver.games_mut();
        if cfg!(debug_assertions) && report.moves_known {
            let moves = report.moves.iter().map(|m| (m.colour, m.low));
            selfcheck::demand(&selfcheck::moves(games, moves, report.low));
        }
        for colour in [Colour::Black, Colour::White] {
            let own = (0..report.moves.len()).filter(|&k| report.moves[k].colour == colour);
            let own: Vec<usize> = own.collect();
            let options: Vec<(GameId, GameId)> = own
                .iter()
                .map(|&k| (report.moves[k].low, report.moves[k].high))
                .collect();
            let black = colour == Colour::Black;
            let [best, open] = best_of_bounds(games, &options, worth, black)?;
            report.best[colour.index()] = best.into_iter().map(|k| own[k]).collect();
            report.open[colour.index()] = open.into_iter().map(|k| own[k]).collect();
        }
        Ok(())
    }
}

pub(super) fn point_bounds(x: &Dyadic) -> Bounds {
    Bounds {
        low: x.clone(),
        high: x.clone(),
    }
}

pub(super) const fn player(colour: Colour) -> Player {
    match colour {
        Colour::Black => Player::Left,
        Colour::White => Player::Right,
    }
}
