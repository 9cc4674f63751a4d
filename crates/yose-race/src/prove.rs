//! The formulas against the table: every starting placement, and every position.

use yose_retro::Outcome;
use yose_retro::reference::{Progress, SolveError};

use crate::{Columns, Position, Row, Side, Table, nim};

/// How many exceptions a [`Proof`] keeps as samples.
pub const SAMPLES: usize = 10;

/// What solving every position of a width says about the formulas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The width of the board.
    pub columns: Columns,
    /// All positions, both sides to move and no symmetry folded: 2 x C(2n, 2)^3 x n^2.
    pub positions: u64,
    /// Those in which the side to move wins.
    pub win: u64,
    /// Those in which the side to move loses.
    pub loss: u64,
    /// Those in which neither side can force the end.
    pub draw: u64,
    /// The largest distance to the end of any position, in plies.
    pub max_depth: Option<u32>,
    /// Starting placements, Red to move first: n^6.
    pub placements: u64,
    /// Those which the first player wins.
    pub first_player_wins: u64,
    /// Those of which the published statement says the opposite of the table.
    pub exceptions: u64,
    /// The first [`SAMPLES`] of them.
    pub exception_samples: Vec<Position>,
    /// Those of the exceptions in which the pieces of row A touch, so that the first player takes
    /// at once: what all exceptions have in common, if this equals `exceptions`.
    pub exceptions_touching_in_a: u64,
    /// Positions, of all, of which the corrected statement says the opposite of the table.
    pub corrected_exceptions: u64,
}

/// Solves every position of a width and compares the published statement with the table over all
/// starting placements, and the corrected one over all positions.
///
/// ```
/// use yose_race::{Columns, prove};
///
/// let proof = prove(Columns::new(4)?, &mut |_| {})?;
/// assert_eq!((proof.positions, proof.draw), (1728, 0));
/// assert_eq!((proof.placements, proof.first_player_wins, proof.exceptions), (64, 48, 4));
/// assert_eq!(proof.exceptions_touching_in_a, proof.exceptions);
/// assert_eq!(proof.corrected_exceptions, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the system refuses the memory.
pub fn prove(columns: Columns, progress: &mut dyn FnMut(Progress)) -> Result<Proof, SolveError> {
    Ok(Proof::of(&Table::solve(columns, progress)?))
}

impl Proof {
    /// The comparison for a width that is solved already.
    #[must_use]
    pub fn of(table: &Table) -> Proof {
        let mut proof = Proof {
            columns: table.race().columns(),
            positions: 0,
            win: 0,
            loss: 0,
            draw: 0,
            max_depth: table.tally().max_depth(),
            placements: 0,
            first_player_wins: 0,
            exceptions: 0,
            exception_samples: Vec::new(),
            exceptions_touching_in_a: 0,
            corrected_exceptions: 0,
        };
        // The full domain one by one, not the weights of the index: they check each other.
        for position in table.race().every_position() {
            let winner = proof.count(table, &position);
            proof.corrected_exceptions += u64::from(winner != Some(nim::winner(&position)));
        }
        for start in table.race().every_start(Side::Red) {
            let winner = solved_winner(table, &start);
            proof.placements += 1;
            proof.first_player_wins += u64::from(winner == Some(Side::Red));
            if nim::published_winner(&start) != winner {
                proof.exceptions += 1;
                proof.exceptions_touching_in_a += u64::from(start.distance(Row::A) == 1);
                if proof.exception_samples.len() < SAMPLES {
                    proof.exception_samples.push(start);
                }
            }
        }
        proof
    }

    fn count(&mut self, table: &Table, position: &Position) -> Option<Side> {
        self.positions += 1;
        let winner = solved_winner(table, position);
        match winner {
            Some(side) if side == position.to_move() => self.win += 1,
            Some(_) => self.loss += 1,
            None => self.draw += 1,
        }
        winner
    }
}

/// Who wins by the table, `None` for a draw.
fn solved_winner(table: &Table, position: &Position) -> Option<Side> {
    match table.value(position)?.outcome() {
        Outcome::Win => Some(position.to_move()),
        Outcome::Loss => Some(position.to_move().other()),
        Outcome::Draw => None,
    }
}
