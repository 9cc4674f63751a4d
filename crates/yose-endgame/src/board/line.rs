//! The line of best play: the best move is played on the board, and the board asked again.

use yose_cgt::{Dyadic, Error, Kind};
use yose_go::{Cell, Colour, Grid, Scoring};

use super::analyse::{Work, outside};
use super::{Analysis, BestMove, LineMove};
use crate::decompose::{Decomposition, Vouched};
use crate::local::LocalSolver;

/// Plays a move on the cells and gives the stones taken off, each with its colour. Safe stones are never taken,
/// also those that are safe only because somebody vouches for them.
fn play(
    (rows, cols): (usize, usize),
    cells: &mut [Cell],
    safe: &[bool],
    colour: Colour,
    point: usize,
) -> Vec<(usize, Colour)> {
    cells[point] = Cell::stone(colour);
    let mut taken = Vec::new();
    let beside = |cells: &[Cell], p: usize| -> Vec<usize> {
        Grid::new(rows, cols, cells).map_or_else(|_| Vec::new(), |g| g.neighbours(p).collect())
    };
    let mut near = beside(cells, point);
    // The enemy first; then the own chain, where suicide is legal.
    near.push(point);
    for first in near {
        let chain_colour = if first == point { colour } else { !colour };
        if cells[first] != Cell::stone(chain_colour) || (first == point && !taken.is_empty()) {
            continue;
        }
        let (mut chain, mut next, mut breathes) = (vec![first], 0, false);
        while next < chain.len() {
            breathes |= safe[chain[next]];
            for q in beside(cells, chain[next]) {
                breathes |= cells[q] == Cell::Empty;
                if cells[q] == Cell::stone(chain_colour) && !chain.contains(&q) {
                    chain.push(q);
                }
            }
            next += 1;
        }
        if !breathes {
            for p in chain {
                cells[p] = Cell::Empty;
                taken.push((p, chain_colour));
            }
        }
    }
    taken
}

/// The point that cannot be taken back at once: a stone alone has taken one, and can only be taken there.
fn ko(grid: &Grid<'_>, cells: &[Cell], point: usize, taken: &[(usize, Colour)]) -> Option<usize> {
    let [(at, colour)] = *taken else {
        return None;
    };
    let enemy = Cell::stone(colour);
    let alone = grid
        .neighbours(point)
        .all(|q| q == at || [enemy, Cell::Off].contains(&cells[q]));
    (cells[point] == Cell::stone(!colour) && alone).then_some(at)
}

/// Of equal moves the one in the hottest region, then the first.
fn choice(analysis: &Analysis) -> Option<&BestMove> {
    let heat = |best: &BestMove| {
        let region = analysis.regions.iter().find(|r| r.region == best.region);
        let worth = region.and_then(|r| r.worth.as_ref());
        worth.map(|w| (w.kind != Kind::Dame, w.temperature.clone()))
    };
    let mut choice: Option<(&BestMove, _)> = None;
    for best in &analysis.best {
        let heat = heat(best);
        if choice.as_ref().is_none_or(|(_, hottest)| heat > *hottest) {
            choice = Some((best, heat));
        }
    }
    choice.map(|c| c.0)
}

impl Analysis {
    /// Has no limit left moves open? Each move of the line asks anew, and so would go on with such a search.
    pub(super) fn is_searched(&self) -> bool {
        self.regions
            .iter()
            .all(|r| r.limit.is_none() || r.moves_known)
    }
}

impl Work<'_> {
    /// Plays best moves until none is left. What is safe stays safe, so each board is taken apart with
    /// the safe stones of the first as given. Nobody plays where it is settled, be it only taken for granted, so
    /// these regions are taken off the board and counted once.
    pub(super) fn fill_line(
        &self,
        solver: &mut LocalSolver,
        grid: &Grid<'_>,
        analysis: &mut Analysis,
    ) -> Result<(), Error> {
        let first = &analysis.decomposition;
        let mut region_of = vec![None; grid.len()];
        for (number, region) in first.regions().iter().enumerate() {
            for &p in region.points.iter().chain(&region.stones) {
                region_of[p] = Some(number);
            }
        }
        let alive: Vec<usize> = (0..grid.len()).filter(|&p| first.safe()[p]).collect();
        let mut cells = grid.cells().to_vec();
        let open: Vec<usize> = analysis.regions.iter().map(|r| r.region).collect();
        let mut settled = first.settled();
        for (cell, region) in cells.iter_mut().zip(&region_of) {
            if region.is_none_or(|region| open.contains(&region)) {
                continue;
            }
            // Area scoring counts the stones on the board besides.
            if self.question.scoring == Scoring::Area {
                settled += match cell {
                    Cell::Black => 1,
                    Cell::White => -1,
                    Cell::Empty | Cell::Off => 0,
                };
            }
            *cell = Cell::Off;
        }
        let settled = Dyadic::from(settled);
        let (mut question, mut line) = (self.question.clone(), Vec::new());
        question.vouched = Vouched {
            alive,
            form: question.form(),
            ..Vouched::default()
        };
        let mut next: Option<Analysis> = None;
        let mut complete = false;
        while line.len() < self.question.line && !(self.should_stop)() {
            let now = next.as_ref().unwrap_or(&*analysis);
            let Some(best) = choice(now) else {
                complete = now.is_exact();
                break;
            };
            let colour = now.to_play;
            let (point, score, equals) = (best.point, best.score.clone(), now.best.len() - 1);
            let safe = now.decomposition.safe();
            let taken = play((grid.rows(), grid.cols()), &mut cells, safe, colour, point);
            let Some(region) = region_of[point] else {
                break;
            };
            line.push(LineMove {
                colour,
                point,
                region,
                taken: taken.len(),
                equals,
            });
            let prisoners = |sum, p: &(usize, Colour)| match p.1 {
                Colour::Black => sum - 1,
                Colour::White => sum + 1,
            };
            question.prisoners = taken.iter().fold(question.prisoners, prisoners);
            question.to_play = !colour;
            question.ko = ko(grid, &cells, point, &taken);
            let Ok(grid) = Grid::new(grid.rows(), grid.cols(), &cells) else {
                break;
            };
            let decomposition = Decomposition::new(&grid, &question.vouched);
            let work = Work {
                outside: outside(&grid, &decomposition, &question)?.checked_add(&settled)?,
                question: &question,
                should_stop: self.should_stop,
            };
            let after = work.analyse(solver, decomposition)?;
            let (now, before) = (after.score(), &score);
            debug_assert!(
                now.low <= before.high && before.low <= now.high,
                "the score changed along best play"
            );
            if !after.is_searched() {
                break;
            }
            next = Some(after);
        }
        analysis.line = line;
        analysis.line_complete = complete;
        Ok(())
    }
}
