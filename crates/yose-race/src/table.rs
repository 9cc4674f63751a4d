//! Who wins and how soon, for every position of a width; reports for one.

use thiserror::Error;
use yose_retro::reference::{self, Estimate, Progress, Solution, SolveError};
use yose_retro::tally::Tally;
use yose_retro::{Value, best};

use crate::nim::ClosedForm;
use crate::{Columns, Move, Position, Race, Side};

/// Every position of a width, solved.
#[derive(Debug, Clone)]
pub struct Table {
    race: Race,
    solution: Solution,
}

/// A move of a reported position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// Who wins after it.
    pub winner: Side,
    /// Plies to the end, the move itself counted; so that of the best move is the position's.
    pub depth: u32,
}

/// A position with its winner, its moves and the line of best play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The position.
    pub position: Position,
    /// The side to move.
    pub to_move: Side,
    /// Who wins against best play.
    pub winner: Side,
    /// Plies to the end: the winner hurries, the loser delays.
    pub depth: u32,
    /// Who wins by formula.
    pub closed_form: ClosedForm,
    /// All moves, best first for the side to move; moves of equal worth in order of their text.
    pub moves: Vec<MoveReport>,
    /// The line of best play, of `depth` moves.
    pub line: Vec<Move>,
}

/// Why a position could not be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReportError {
    /// The table is of another width.
    #[error("a position of {position} columns; the table has {table}")]
    Columns {
        /// The width of the position.
        position: Columns,
        /// The width of the table.
        table: Columns,
    },
    /// The table says that nobody wins. By the theorem there is no such position.
    #[error("{0} is a draw in the table, against the theorem")]
    Draw(Position),
}

impl Table {
    /// The memory that [`solve`](Self::solve) will take at a width.
    #[must_use]
    pub fn estimate(columns: Columns) -> Estimate {
        reference::estimate(&Race::new(columns))
    }

    /// Solves every position of a width with the reference solver.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn solve(
        columns: Columns,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Table, SolveError> {
        let race = Race::new(columns);
        let solution = reference::solve(&race, progress)?;
        Ok(Table { race, solution })
    }

    /// The race that is solved.
    #[must_use]
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// The values by index.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The value for the side to move, with the distance in plies; `None` for a position of
    /// another width.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.solution.value_of(&self.race, position)
    }

    /// Wins and losses of the side to move over all positions, by distance.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::of(&self.race, &self.solution)
    }

    /// A position's winner, moves and line of best play.
    ///
    /// ```
    /// use yose_race::{Columns, Position, Table};
    ///
    /// let table = Table::solve(Columns::new(4)?, &mut |_| {})?;
    /// //   1 2 3 4
    /// // A r . . b
    /// // B . r b .
    /// // C r . b .
    /// // D . r b .
    /// let position: Position = "r2b/1rb1/r1b1/1rb1 r".parse()?;
    /// let report = table.report(&position)?;
    /// assert_eq!(report.winner.to_string(), "black");
    /// assert_eq!(report.depth, 10);
    /// assert_eq!(report.closed_form.winner, Some(report.winner));
    /// assert_eq!(report.moves[0].mv.to_string(), "B2-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the position is of another width than the table.
    pub fn report(&self, position: &Position) -> Result<Report, ReportError> {
        let other_width = ReportError::Columns {
            position: position.columns(),
            table: self.race.columns(),
        };
        let to_move = position.to_move();
        let decided = |value: Value| match value {
            Value::Win(depth) => Ok((to_move, depth)),
            Value::Loss(depth) => Ok((to_move.other(), depth)),
            Value::Draw => Err(ReportError::Draw(*position)),
        };
        let (winner, depth) = decided(self.value(position).ok_or(other_width)?)?;
        let text = |_: &Position, mv: Move| mv.to_string();
        let moves = best::moves(&self.race, &self.solution, position, text)
            .ok_or(other_width)?
            .into_iter()
            .map(|ranked| {
                let (winner, depth) = decided(ranked.value)?;
                Ok(MoveReport {
                    mv: ranked.mv,
                    winner,
                    depth,
                })
            })
            .collect::<Result<_, _>>()?;
        let line = best::line(&self.race, &self.solution, position, text).ok_or(other_width)?;
        let closed_form = ClosedForm::of(position);
        Ok(Report {
            position: *position,
            to_move,
            winner,
            depth,
            closed_form,
            moves,
            line,
        })
    }
}
