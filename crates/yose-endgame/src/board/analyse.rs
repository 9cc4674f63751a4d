//! Regions are solved one by one and handed to the search of sums.

use std::collections::HashMap;

use yose_cgt::{Bounds, Dyadic, Error, Form, FormId, GameId, Kind, Player, Rational, SumSolution};
use yose_go::{Cell, Colour, Grid, Scoring};

use super::{Analysis, BestMove, Question, Ranking, RegionMove, RegionReport};
use crate::decompose::{Decomposition, RegionKind, Vouched};
use crate::local::{Limit, LocalSolver, Status};
use crate::selfcheck;
use crate::value::{best_at, stops_by_chilling};

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
    if !analysis.best.is_empty() && analysis.is_exact() {
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
            ranking: Ranking::default(),
            strategies: Vec::new(),
            line: Vec::new(),
            line_complete: false,
            to_play: self.question.to_play,
        };
        if analysis.regions.iter().all(|r| r.status.is_exact()) {
            self.solve_exact(solver, &mut analysis)?;
        } else {
            self.solve_bounds(solver, &mut analysis)?;
        }
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
                score: None,
            })
            .collect();
        if report.status.is_exact() {
            let worth = solver.worth(report.low)?;
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

    /// A value under the rules of the question: under area scoring each move is a point more for its
    /// player.
    fn counted(&self, solver: &mut LocalSolver, value: GameId) -> Result<GameId, Error> {
        match self.question.scoring {
            Scoring::Territory => Ok(value),
            Scoring::Area => {
                let one = solver.games_mut().integer(1)?;
                solver.games_mut().heat(value, one)
            }
        }
    }

    /// What a region is worth after a move, the move included.
    fn counted_after(
        &self,
        solver: &mut LocalSolver,
        value: GameId,
        colour: Colour,
    ) -> Result<GameId, Error> {
        let value = self.counted(solver, value)?;
        let stone = match (self.question.scoring, colour) {
            (Scoring::Territory, _) => return Ok(value),
            (Scoring::Area, Colour::Black) => 1,
            (Scoring::Area, Colour::White) => -1,
        };
        let stone = solver.games_mut().integer(stone)?;
        solver.games_mut().add(value, stone)
    }

    /// A region as a game whose options are the values after each legal move.
    fn as_form(&self, solver: &mut LocalSolver, region: &RegionReport) -> Result<FormId, Error> {
        let number = region
            .worth
            .as_ref()
            .is_some_and(|w| w.kind == Kind::Number);
        if number || !region.moves_known {
            // Numbers are not played. If a limit left moves open, the value gives the stops of the board
            // all the same, but its canonical options are not the legal moves.
            let value = self.counted(solver, region.low)?;
            return solver.games_mut().form(Form::Value(value));
        }
        let mut sides = [Vec::new(), Vec::new()];
        for m in &region.moves {
            let value = self.counted_after(solver, m.low, m.colour)?;
            let form = solver.games_mut().form(Form::Value(value))?;
            sides[m.colour.index()].push(form);
        }
        let [left, right] = sides;
        let form = solver.games_mut().form(Form::Braces(left, right))?;
        if cfg!(debug_assertions) && self.question.scoring == Scoring::Territory {
            selfcheck::demand(&selfcheck::moves(solver.games_mut(), form, region.low));
        }
        Ok(form)
    }

    fn sum(&self, solver: &mut LocalSolver, forms: &[FormId]) -> Result<SumSolution, Error> {
        let who = player(self.question.to_play);
        let limits = self.question.sum;
        solver
            .games_mut()
            .solve_sum_until(forms, who, limits, self.should_stop)
    }

    fn solve_exact(&self, solver: &mut LocalSolver, analysis: &mut Analysis) -> Result<(), Error> {
        let mut forms = Vec::with_capacity(analysis.regions.len());
        for region in &analysis.regions {
            forms.push(self.as_form(solver, region)?);
        }
        let solution = self.sum(solver, &forms)?;
        analysis.left_stop = shifted(&solution.left_stop, &self.outside)?;
        analysis.right_stop = shifted(&solution.right_stop, &self.outside)?;
        self.tighten_by_chilling(solver, analysis)?;
        if cfg!(debug_assertions) {
            selfcheck::demand(&self.stops_are_allowed(solver, analysis));
        }
        let mean = solution.mean.as_ref().map(|m| m.checked_add(&self.outside));
        analysis.mean = mean.transpose()?;
        analysis.temperature.clone_from(&solution.max_temperature);
        for (region, part) in analysis.regions.iter_mut().zip(&solution.parts) {
            if !region.moves_known {
                continue;
            }
            let v = part.v.as_ref().map(|v| shifted(v, &self.outside));
            region.v = v.transpose()?;
            let mut scores = HashMap::new();
            for (option, score) in &part.options {
                scores.insert(solver.games_mut().value(*option)?, score);
            }
            for m in &mut region.moves {
                if m.colour != self.question.to_play || m.low != m.high {
                    continue;
                }
                let value = self.counted_after(solver, m.low, m.colour)?;
                if let Some(score) = scores.get(&value) {
                    m.score = Some(shifted(score, &self.outside)?);
                }
            }
        }
        self.fill_best(analysis, &solution)
    }

    /// Where the search of the sum met its limit but nothing is hotter than 1, the fight for the last point
    /// decides. Where it did not, this is the second way to the same score, and debug builds compare.
    fn tighten_by_chilling(
        &self,
        solver: &mut LocalSolver,
        analysis: &mut Analysis,
    ) -> Result<(), Error> {
        let exact = analysis.left_stop.exact().is_some() && analysis.right_stop.exact().is_some();
        if self.question.scoring == Scoring::Area || exact && !cfg!(debug_assertions) {
            return Ok(());
        }
        let values: Vec<GameId> = analysis.regions.iter().map(|r| r.low).collect();
        let stops = match stops_by_chilling(solver.games_mut(), &values) {
            Ok(Some((left, right))) => {
                [left, right].map(|x| shifted(&point_bounds(&x), &self.outside))
            }
            Ok(None) | Err(Error::Limit { .. } | Error::Overflow { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let [left, right] = stops;
        let (left, right) = (left?, right?);
        let within = |x: &Bounds, of: &Bounds| of.low <= x.low && x.high <= of.high;
        debug_assert!(within(&left, &analysis.left_stop), "stops by chilling");
        debug_assert!(within(&right, &analysis.right_stop), "stops by chilling");
        (analysis.left_stop, analysis.right_stop) = (left, right);
        Ok(())
    }

    /// The stops of the board against those of its regions.
    fn stops_are_allowed(
        &self,
        solver: &mut LocalSolver,
        analysis: &Analysis,
    ) -> Result<Option<selfcheck::Fault>, Error> {
        let mut parts = Vec::with_capacity(analysis.regions.len());
        for region in &analysis.regions {
            let value = self.counted(solver, region.low)?;
            let games = solver.games();
            parts.push((games.left_stop(value), games.right_stop(value)));
        }
        let (left, right) = (&analysis.left_stop, &analysis.right_stop);
        selfcheck::stops(&parts, &self.outside, left, right)
    }

    fn fill_best(&self, analysis: &mut Analysis, solution: &SumSolution) -> Result<(), Error> {
        let Some(stop) = analysis.score().exact() else {
            return Ok(());
        };
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
        if analysis.regions.iter().all(|r| r.moves_known) {
            super::ranking::fill(analysis, &stop, &solution.picks)?;
        }
        Ok(())
    }

    /// Bounds of the stops: the sum is at least the sum of what is proved below, and at most of what is
    /// proved above. Area differs from territory by the stones placed in alternation: by one if the player
    /// who began also made the last move, else not.
    fn solve_bounds(&self, solver: &mut LocalSolver, analysis: &mut Analysis) -> Result<(), Error> {
        let mut solve = |values: Vec<GameId>| -> Result<SumSolution, Error> {
            let forms = values
                .into_iter()
                .map(|value| solver.games_mut().form(Form::Value(value)));
            let forms: Vec<FormId> = forms.collect::<Result<_, _>>()?;
            self.sum(solver, &forms)
        };
        let low = solve(analysis.regions.iter().map(|r| r.low).collect())?;
        let high = solve(analysis.regions.iter().map(|r| r.high).collect())?;
        let between = |low: &Bounds, high: &Bounds| {
            Ok::<_, Error>(Bounds {
                low: low.low.checked_add(&self.outside)?,
                high: high.high.checked_add(&self.outside)?,
            })
        };
        analysis.left_stop = between(&low.left_stop, &high.left_stop)?;
        analysis.right_stop = between(&low.right_stop, &high.right_stop)?;
        if self.question.scoring == Scoring::Area {
            analysis.left_stop.high = analysis.left_stop.high.checked_add(&Dyadic::ONE)?;
            analysis.right_stop.low = analysis.right_stop.low.checked_sub(&Dyadic::ONE)?;
        }
        Ok(())
    }
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

pub(super) const fn player(colour: Colour) -> Player {
    match colour {
        Colour::Black => Player::Left,
        Colour::White => Player::Right,
    }
}
