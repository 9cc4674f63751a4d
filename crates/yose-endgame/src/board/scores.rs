//! What the board is worth, and what it is worth after each move of the side to play: by the search of sums, once
//! where all is exact, else from both ends of what is proved.

use std::collections::HashMap;

use yose_cgt::{Bounds, Dyadic, Error, Form, FormId, GameId, Kind, Pick, SumLimits, SumSolution};
use yose_go::{Colour, Scoring};

use super::analyse::{Work, player, point_bounds};
use super::{Analysis, RegionMove, RegionReport};
use crate::local::LocalSolver;
use crate::selfcheck;
use crate::value::stops_by_chilling;

/// A move that is only bounded may need a search of its own: so many at most, and so many states in each. The
/// others get bounds that need none.
const MOST_SEARCHES: usize = 200;
const MOST_STATES: u64 = 100_000;

/// An end of what is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum End {
    Low,
    High,
}

impl End {
    /// The end that a player is sure of.
    const fn sure(colour: Colour) -> Self {
        match colour {
            Colour::Black => Self::Low,
            Colour::White => Self::High,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }

    const fn of<T: Copy>(self, low: T, high: T) -> T {
        match self {
            Self::Low => low,
            Self::High => high,
        }
    }

    const fn index(self) -> usize {
        self.of(0, 1)
    }
}

/// A sum of the same end of each region, solved, with the scores after moves of the side to play: by region and
/// by value after the move.
struct Solved {
    solution: SumSolution,
    scores: Vec<HashMap<GameId, Bounds>>,
}

impl RegionReport {
    /// Is it proved to be a number, which nobody plays?
    pub(super) fn is_number(&self) -> bool {
        self.worth.as_ref().is_some_and(|w| w.kind == Kind::Number)
    }

    const fn end(&self, end: End) -> GameId {
        end.of(self.low, self.high)
    }
}

impl RegionMove {
    const fn end(&self, end: End) -> GameId {
        end.of(self.low, self.high)
    }
}

impl Work<'_> {
    /// Does the side to play consider a move? Numbers are not played, and a ko is not taken back at once.
    pub(super) fn considers(&self, region: &RegionReport, m: &RegionMove) -> bool {
        m.colour == self.question.to_play
            && !region.is_number()
            && self.question.ko != Some(m.point)
    }

    /// Fills in the stops, mean and temperature of the board and the scores after moves. Gives what rules of
    /// thumb choose, which is known if all regions are exact.
    pub(super) fn solve(
        &self,
        solver: &mut LocalSolver,
        analysis: &mut Analysis,
    ) -> Result<Vec<Pick>, Error> {
        let area = self.question.scoring == Scoring::Area;
        let sure = End::sure(self.question.to_play);
        let mut picks = Vec::new();
        let mut ends = [None, None];
        if analysis.regions.iter().all(|r| r.status.is_exact()) {
            let mut solved = self.sum_of(solver, &analysis.regions, sure, area)?;
            self.take_exact(solver, analysis, &solved)?;
            picks = std::mem::take(&mut solved.solution.picks);
            if !area {
                ends[sure.index()] = Some(solved);
            }
        } else {
            let low = self.sum_of(solver, &analysis.regions, End::Low, false)?;
            let high = self.sum_of(solver, &analysis.regions, End::High, false)?;
            let (l, h) = (&low.solution, &high.solution);
            analysis.left_stop = between(&l.left_stop, &h.left_stop);
            analysis.right_stop = between(&l.right_stop, &h.right_stop);
            for (stop, first) in [
                (&mut analysis.left_stop, Colour::Black),
                (&mut analysis.right_stop, Colour::White),
            ] {
                self.widen(stop, first)?;
                *stop = shifted(stop, &self.outside)?;
            }
            ends = [Some(low), Some(high)];
        }
        self.bound_moves(solver, analysis, &ends)?;
        Ok(picks)
    }

    /// A value under the rules of the question: under area scoring each move is a point more for its
    /// player.
    fn counted(
        &self,
        solver: &mut LocalSolver,
        value: GameId,
        area: bool,
    ) -> Result<GameId, Error> {
        if !area {
            return Ok(value);
        }
        let one = solver.games_mut().integer(1)?;
        solver.games_mut().heat(value, one)
    }

    /// What a region is worth after a move of the side to play, the move included.
    fn counted_after(
        &self,
        solver: &mut LocalSolver,
        value: GameId,
        area: bool,
    ) -> Result<GameId, Error> {
        let value = self.counted(solver, value, area)?;
        let stone = match (area, self.question.to_play) {
            (false, _) => return Ok(value),
            (true, Colour::Black) => 1,
            (true, Colour::White) => -1,
        };
        let stone = solver.games_mut().integer(stone)?;
        solver.games_mut().add(value, stone)
    }

    fn sum(
        &self,
        solver: &mut LocalSolver,
        forms: &[FormId],
        first: Colour,
        limits: SumLimits,
    ) -> Result<SumSolution, Error> {
        let first = player(first);
        solver
            .games_mut()
            .solve_sum_until(forms, first, limits, self.should_stop)
    }

    /// Solves the sum of one end of each region. Its options are the moves of the side to play: at the end that
    /// this player is sure of all that change nothing, else only those that are exact.
    fn sum_of(
        &self,
        solver: &mut LocalSolver,
        regions: &[RegionReport],
        end: End,
        area: bool,
    ) -> Result<Solved, Error> {
        let sure = end == End::sure(self.question.to_play) && !area;
        let mut forms = Vec::with_capacity(regions.len());
        for region in regions {
            let value = self.counted(solver, region.end(end), area)?;
            let mut options = Vec::new();
            let own = region.moves.iter().filter(|m| self.considers(region, m));
            for m in own.filter(|m| sure || m.low == m.high) {
                options.push(self.counted_after(solver, m.end(end), area)?);
            }
            forms.push(self.as_form(solver, value, &options, area)?);
        }
        let solution = self.sum(solver, &forms, self.question.to_play, self.question.sum)?;
        let mut scores = Vec::with_capacity(regions.len());
        for part in &solution.parts {
            let mut known = HashMap::new();
            for (option, score) in &part.options {
                known.insert(solver.games_mut().value(*option)?, score.clone());
            }
            scores.push(known);
        }
        Ok(Solved { solution, scores })
    }

    /// A value as a game in which the side to play has some options, and after them those of its canonical form,
    /// since the moves may be bounds only. An option changes no value that it is not as good as (for Black: at
    /// least as great); others are left out. With points for moves all options are exact, but the order of games
    /// is another (what is dominated need not be so then), and no option is left out.
    fn as_form(
        &self,
        solver: &mut LocalSolver,
        value: GameId,
        options: &[GameId],
        area: bool,
    ) -> Result<FormId, Error> {
        let games = solver.games_mut();
        if games.as_number(value).is_some() || options.is_empty() {
            return games.form(Form::Value(value));
        }
        let black = self.question.to_play == Colour::Black;
        let (left, right) = (games.left_options(value)?, games.right_options(value)?);
        let (canonical, others) = if black { (left, right) } else { (right, left) };
        let mut own = Vec::with_capacity(options.len() + canonical.len());
        for &option in options {
            let changes = !area
                && if black {
                    games.le(value, option)?
                } else {
                    games.le(option, value)?
                };
            if !changes {
                own.push(option);
            }
        }
        own.extend(canonical);
        let mut wrap = |values: Vec<GameId>| -> Result<Vec<FormId>, Error> {
            let forms = values.into_iter().map(|v| games.form(Form::Value(v)));
            forms.collect()
        };
        let (own, others) = (wrap(own)?, wrap(others)?);
        let (left, right) = if black { (own, others) } else { (others, own) };
        games.form(Form::Braces(left, right))
    }

    /// Takes over what is exact: stops, mean, temperature, and the scores after moves that are exact.
    fn take_exact(
        &self,
        solver: &mut LocalSolver,
        analysis: &mut Analysis,
        solved: &Solved,
    ) -> Result<(), Error> {
        let solution = &solved.solution;
        analysis.left_stop = shifted(&solution.left_stop, &self.outside)?;
        analysis.right_stop = shifted(&solution.right_stop, &self.outside)?;
        self.tighten_by_chilling(solver, analysis)?;
        if cfg!(debug_assertions) {
            selfcheck::demand(&self.stops_are_allowed(solver, analysis));
        }
        let mean = solution.mean.as_ref().map(|m| m.checked_add(&self.outside));
        analysis.mean = mean.transpose()?;
        analysis.temperature.clone_from(&solution.max_temperature);
        let area = self.question.scoring == Scoring::Area;
        for (region, scores) in analysis.regions.iter_mut().zip(&solved.scores) {
            let considered: Vec<bool> = region
                .moves
                .iter()
                .map(|m| self.considers(region, m) && m.low == m.high)
                .collect();
            for (m, considered) in region.moves.iter_mut().zip(considered) {
                if considered {
                    let value = self.counted_after(solver, m.low, area)?;
                    let score = scores.get(&value).map(|s| shifted(s, &self.outside));
                    m.score = score.transpose()?;
                }
            }
        }
        Ok(())
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
        let area = self.question.scoring == Scoring::Area;
        let mut parts = Vec::with_capacity(analysis.regions.len());
        for region in &analysis.regions {
            let value = self.counted(solver, region.low, area)?;
            let games = solver.games();
            parts.push((games.left_stop(value), games.right_stop(value)));
        }
        let (left, right) = (&analysis.left_stop, &analysis.right_stop);
        selfcheck::stops(&parts, &self.outside, left, right)
    }

    /// Bounds the scores after all other moves. What a move may lead to at most is searched for only if that may
    /// reach what the player is sure of anyway.
    fn bound_moves(
        &self,
        solver: &mut LocalSolver,
        analysis: &mut Analysis,
        solved: &[Option<Solved>; 2],
    ) -> Result<(), Error> {
        let colour = self.question.to_play;
        let (sure, hope) = (End::sure(colour), End::sure(colour).other());
        let mut ends = Ends::of(solver, &analysis.regions, solved)?;
        let mut floor = sure_of(analysis.score(), colour);
        let mut found = Vec::new();
        for (j, region) in analysis.regions.iter().enumerate() {
            for (k, m) in region.moves.iter().enumerate() {
                if let Some(score) = &m.score {
                    floor = floor.max(sure_of(score, colour));
                } else if self.considers(region, m) {
                    let least = self.after(solver, &mut ends, j, m.end(sure), sure)?;
                    let most = ends.at_sight(solver, j, m.end(hope), hope, colour)?;
                    let score = self.score_of(sure, least.clone(), most)?;
                    floor = floor.max(sure_of(&score, colour));
                    found.push((j, k, m.end(hope), least, score));
                }
            }
        }
        for (j, _, value, least, score) in &mut found {
            if hope_of(score, colour) >= floor {
                let most = self.after(solver, &mut ends, *j, *value, hope)?;
                *score = self.score_of(sure, least.clone(), most)?;
            }
        }
        for (j, k, _, _, score) in found {
            analysis.regions[j].moves[k].score = Some(score);
        }
        Ok(())
    }

    /// The score after a move from what the player is sure of and what may be reached at most, both territory and
    /// without what lies outside the regions.
    fn score_of(&self, sure: End, least: Dyadic, most: Dyadic) -> Result<Bounds, Error> {
        let (low, high) = match sure {
            End::Low => (least, most),
            End::High => (most, least),
        };
        let mut score = Bounds { low, high };
        self.widen(&mut score, self.question.to_play)?;
        shifted(&score, &self.outside)
    }

    /// Area differs from territory by the stones placed in alternation: by one if the player who began also made
    /// the last move, else not.
    fn widen(&self, score: &mut Bounds, first: Colour) -> Result<(), Error> {
        match (self.question.scoring, first) {
            (Scoring::Territory, _) => {}
            (Scoring::Area, Colour::Black) => score.high = score.high.checked_add(&Dyadic::ONE)?,
            (Scoring::Area, Colour::White) => score.low = score.low.checked_sub(&Dyadic::ONE)?,
        }
        Ok(())
    }

    /// What the board is worth at least or at most once a region has become a value, the other side to move.
    fn after(
        &self,
        solver: &mut LocalSolver,
        ends: &mut Ends<'_>,
        j: usize,
        value: GameId,
        end: End,
    ) -> Result<Dyadic, Error> {
        let colour = self.question.to_play;
        if let Some(score) = ends.solved[end.index()]
            .as_ref()
            .and_then(|s| s.scores[j].get(&value))
        {
            return Ok(end.of(&score.low, &score.high).clone());
        }
        let at_sight = ends.at_sight(solver, j, value, end, colour)?;
        let key = (j, value, end);
        if let Some(known) = ends.known.get(&key) {
            return Ok(known.clone());
        }
        if ends.searches == 0 || (self.should_stop)() {
            return Ok(at_sight);
        }
        ends.searches -= 1;
        let mut forms = Vec::with_capacity(ends.regions.len());
        for (number, region) in ends.regions.iter().enumerate() {
            let value = if number == j { value } else { region.end(end) };
            forms.push(solver.games_mut().form(Form::Value(value))?);
        }
        let limits = SumLimits {
            nodes: Some(
                self.question
                    .sum
                    .nodes
                    .map_or(MOST_STATES, |n| n.min(MOST_STATES)),
            ),
            ..self.question.sum
        };
        let solution = self.sum(solver, &forms, !colour, limits)?;
        let found = solution.stop();
        let found = match end {
            End::Low => at_sight.max(found.low.clone()),
            End::High => at_sight.min(found.high.clone()),
        };
        ends.known.insert(key, found.clone());
        Ok(found)
    }
}

/// What is proved of each region from either end, and what has been found out of it.
struct Ends<'a> {
    regions: &'a [RegionReport],
    solved: &'a [Option<Solved>; 2],
    /// The sum of the right stops of all lower ends, and of the left stops of all upper ends.
    stops: [Dyadic; 2],
    /// Scores found by a search of their own: by region, value after the move, and end.
    known: HashMap<(usize, GameId, End), Dyadic>,
    /// Searches left.
    searches: usize,
}

impl<'a> Ends<'a> {
    fn of(
        solver: &LocalSolver,
        regions: &'a [RegionReport],
        solved: &'a [Option<Solved>; 2],
    ) -> Result<Self, Error> {
        let mut stops = [Dyadic::ZERO, Dyadic::ZERO];
        for region in regions {
            for end in [End::Low, End::High] {
                let sum = &mut stops[end.index()];
                *sum = sum.checked_add(&far_stop(solver, region.end(end), end))?;
            }
        }
        Ok(Self {
            regions,
            solved,
            stops,
            known: HashMap::new(),
            searches: MOST_SEARCHES,
        })
    }

    /// As [`Work::after`], without a search: RS(G) + RS(H) <= RS(G+H) <= RS(G) + LS(H), and the like for left stops.
    fn at_sight(
        &self,
        solver: &LocalSolver,
        j: usize,
        value: GameId,
        end: End,
        mover: Colour,
    ) -> Result<Dyadic, Error> {
        let here = far_stop(solver, self.regions[j].end(end), end);
        let rest = self.stops[end.index()].checked_sub(&here)?;
        let stop = match mover {
            Colour::Black => solver.games().right_stop(value),
            Colour::White => solver.games().left_stop(value),
        };
        rest.checked_add(&stop)
    }
}

/// The right stop of a lower end, the left stop of an upper one.
fn far_stop(solver: &LocalSolver, value: GameId, end: End) -> Dyadic {
    match end {
        End::Low => solver.games().right_stop(value),
        End::High => solver.games().left_stop(value),
    }
}

/// What a player is sure of, in this player's view.
pub(super) fn sure_of(score: &Bounds, colour: Colour) -> Dyadic {
    match colour {
        Colour::Black => score.low.clone(),
        Colour::White => score.high.negative(),
    }
}

/// What a player may reach at most, in this player's view.
pub(super) fn hope_of(score: &Bounds, colour: Colour) -> Dyadic {
    match colour {
        Colour::Black => score.high.clone(),
        Colour::White => score.low.negative(),
    }
}

fn between(low: &Bounds, high: &Bounds) -> Bounds {
    Bounds {
        low: low.low.clone(),
        high: high.high.clone(),
    }
}

pub(super) fn shifted(bounds: &Bounds, by: &Dyadic) -> Result<Bounds, Error> {
    Ok(Bounds {
        low: bounds.low.checked_add(by)?,
        high: bounds.high.checked_add(by)?,
    })
}
