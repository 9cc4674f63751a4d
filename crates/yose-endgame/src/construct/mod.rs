//! Boards made to have a known exact value, and the proof that they have it.
//!
//! A construction says by closed forms what each of its regions is worth. [`Constructed::prove`] takes the
//! board apart like any other, searches its regions and compares: what is claimed and what the solver finds
//! come from different code. Nothing here reads or writes files.
//!
//! All frame stones live unconditionally; nothing is assumed.

mod bands;
mod canvas;
mod gadget;
mod record;

use std::collections::BTreeMap;

use yose_cgt::{Dyadic, Error, Form, GameId, Player, Strategy, Switch};
use yose_go::{Cell, Colour, Grid, Size};

pub use bands::{Corridors, corridors, switches};
pub use gadget::{Hotstrat, Third, false_independence, hotstrat};
pub use record::RecordError;

use crate::board::{Analysis, Question, StrategyMove, analyse};
use crate::local::{LocalSolver, Status};

/// A board cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstructError {
    /// A parameter is out of what fits.
    #[error("{what}: expected {low} to {high} on a board of {side}x{side}, got {found}")]
    Range {
        /// Which parameter.
        what: &'static str,
        /// The least that fits.
        low: usize,
        /// The most that fits.
        high: usize,
        /// The side of the board.
        side: usize,
        /// What was asked for.
        found: usize,
    },
    /// Lists that must be of one length are not.
    #[error("expected as many numbers of prisoners as corridors ({expected}), got {found}")]
    Prisoners {
        /// How many corridors there are.
        expected: usize,
        /// How many numbers there are.
        found: usize,
    },
}

/// The solver does not find what a construction claims: a fault in one of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// A region has another value, or none that is proved.
    #[error("region {name}: claimed {claimed}, found {found}")]
    Region {
        /// What the construction calls it.
        name: String,
        /// The claimed value.
        claimed: String,
        /// What the solver says.
        found: String,
    },
    /// There are other regions than those drawn.
    #[error("expected {expected} regions in play, found {found}")]
    Regions {
        /// How many were drawn.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// The score of the board, or what a move or a rule of thumb is worth, is another.
    #[error("{what}: claimed {claimed}, found {found}")]
    Score {
        /// What is compared.
        what: String,
        /// By closed forms.
        claimed: String,
        /// By the solver.
        found: String,
    },
    /// Games do not fit into the limits.
    #[error(transparent)]
    Games(#[from] Error),
}

/// A region of a construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it is called: `G`, `H`, `corridor 3`.
    pub name: String,
    /// One of its points, by index of the cells in row order.
    pub point: usize,
    /// What it is worth, in the notation of `yose-cgt`; Black is positive.
    pub value: String,
    /// Its ends, if it is a simple switch.
    pub switch: Option<(i64, i64)>,
}

/// A board with its claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constructed {
    /// What it shows, in a line.
    pub title: String,
    /// Rows and columns.
    pub size: Size,
    /// What stands on it, row by row from the top.
    pub cells: Vec<Cell>,
    /// Who is to move in the question that the board asks.
    pub to_play: Colour,
    /// All regions that are not settled.
    pub claims: Vec<Claim>,
    /// Black's settled points minus White's: the eyes of the frames.
    pub settled: i64,
    /// What playing the hottest region first loses for the side to play, where a formula says so.
    pub hottest_loses: Option<i64>,
}

/// What was proved of a constructed board.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The analysis for the side to play.
    pub analysis: Analysis,
    /// For each region of the analysis the claim it proves, by number.
    pub claims: Vec<usize>,
}

impl Constructed {
    /// The board as rows of `.`, `X` and `O`.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let sign = |cell: &Cell| match cell {
            Cell::Black => 'X',
            Cell::White => 'O',
            Cell::Empty | Cell::Off => '.',
        };
        let rows = self.cells.chunks(self.size.cols());
        rows.map(|row| row.iter().map(sign).collect()).collect()
    }

    /// The same with colours exchanged: all values are the negative.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |cell: &Cell| match cell.colour() {
            Some(colour) => Cell::stone(!colour),
            None => *cell,
        };
        let claim = |claim: &Claim| Claim {
            value: format!("-({})", claim.value),
            switch: claim.switch.map(|(left, right)| (-right, -left)),
            ..claim.clone()
        };
        Self {
            cells: self.cells.iter().map(flip).collect(),
            to_play: !self.to_play,
            claims: self.claims.iter().map(claim).collect(),
            settled: -self.settled,
            ..self.clone()
        }
    }

    /// Proves every claim by the solver, best one [without closed
    /// forms](LocalSolver::without_closed_forms): each region's value, the regions themselves, the score of the
    /// board (that of the sum of the claimed games), V of each region if all are switches (algorithm
    /// 2.3), and what the hottest move loses.
    ///
    /// ```
    /// use yose_endgame::{LocalSolver, construct};
    /// let board = construct::built_in();
    /// let proof = board.prove(&mut LocalSolver::default().without_closed_forms())?;
    /// assert_eq!(proof.analysis.left_stop.exact().unwrap().to_string(), "6");
    /// assert_eq!(proof.hottest().unwrap().loss.to_string(), "5");
    /// # Ok::<(), yose_endgame::construct::ProofError>(())
    /// ```
    ///
    /// # Errors
    /// If anything claimed is not what the solver proves.
    pub fn prove(&self, solver: &mut LocalSolver) -> Result<Proof, ProofError> {
        let grid = Grid::new(self.size.rows(), self.size.cols(), &self.cells);
        let Ok(grid) = grid else {
            return Err(ProofError::Regions {
                expected: self.claims.len(),
                found: 0,
            });
        };
        let analysis = analyse(solver, &grid, &Question::new(self.to_play))?;
        let claims = self.prove_regions(solver, &analysis)?;
        self.prove_sum(solver, &analysis, &claims)?;
        let proof = Proof { analysis, claims };
        if let Some(claimed) = self.hottest_loses {
            let found = proof.hottest().map(|pick| pick.loss.to_string());
            same("loss of the hottest move", &claimed.to_string(), found)?;
        }
        Ok(proof)
    }

    fn prove_regions(
        &self,
        solver: &mut LocalSolver,
        analysis: &Analysis,
    ) -> Result<Vec<usize>, ProofError> {
        let by_point: BTreeMap<usize, usize> = self
            .claims
            .iter()
            .enumerate()
            .map(|(number, claim)| (claim.point, number))
            .collect();
        let settled: i64 = analysis.decomposition.settled();
        same(
            "settled points",
            &self.settled.to_string(),
            Some(settled.to_string()),
        )?;
        let mut numbers = Vec::new();
        for report in &analysis.regions {
            let region = &analysis.decomposition.regions()[report.region];
            let number = region.points.iter().find_map(|point| by_point.get(point));
            let Some(&number) = number else {
                return Err(ProofError::Regions {
                    expected: self.claims.len(),
                    found: analysis.regions.len(),
                });
            };
            let claim = &self.claims[number];
            let claimed = solver.games_mut().parse_value(&claim.value)?;
            let exact = report.status == Status::Exact;
            if !exact || report.low != claimed {
                let found = if exact {
                    solver.games_mut().print(report.low)?
                } else {
                    report.status.key().to_owned()
                };
                return Err(ProofError::Region {
                    name: claim.name.clone(),
                    claimed: claim.value.clone(),
                    found,
                });
            }
            numbers.push(number);
        }
        // Each claim once. A settled region is none in play.
        let mut seen = numbers.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() != self.claims.len() || numbers.len() != self.claims.len() {
            return Err(ProofError::Regions {
                expected: self.claims.len(),
                found: numbers.len(),
            });
        }
        Ok(numbers)
    }

    /// The score of the board from the claimed games alone.
    fn prove_sum(
        &self,
        solver: &mut LocalSolver,
        analysis: &Analysis,
        claims: &[usize],
    ) -> Result<(), ProofError> {
        let games = solver.games_mut();
        let mut forms = Vec::new();
        for claim in &self.claims {
            let value: GameId = games.parse_value(&claim.value)?;
            forms.push(games.form(Form::Value(value))?);
        }
        let who = match self.to_play {
            Colour::Black => Player::Left,
            Colour::White => Player::Right,
        };
        let sum = games.solve_sum(&forms, who, yose_cgt::SumLimits::default())?;
        let settled = Dyadic::from(self.settled);
        for (what, claimed, found) in [
            ("score if Black begins", &sum.left_stop, &analysis.left_stop),
            (
                "score if White begins",
                &sum.right_stop,
                &analysis.right_stop,
            ),
        ] {
            let claimed = claimed
                .exact()
                .map(|x| x.checked_add(&settled))
                .transpose()?;
            let claimed = claimed.map_or_else(|| "not proved".to_owned(), |x| x.to_string());
            same(what, &claimed, found.exact().map(|x| x.to_string()))?;
        }
        let switches: Option<Vec<Switch>> = self
            .claims
            .iter()
            .map(|claim| {
                claim.switch.map(|(left, right)| Switch {
                    left: left.into(),
                    right: right.into(),
                })
            })
            .collect();
        if let Some(switches) = switches {
            let values = yose_cgt::switch_values(&switches, who, yose_cgt::Cold::Number)?;
            for (report, &number) in analysis.regions.iter().zip(claims) {
                let claimed = values.v[number].as_ref().map(|v| v.checked_add(&settled));
                let claimed = claimed
                    .transpose()?
                    .map_or_else(String::new, |v| v.to_string());
                let found = report.v.as_ref().and_then(yose_cgt::Bounds::exact);
                let what = format!("V of {}", self.claims[number].name);
                same(&what, &claimed, found.map(|v| v.to_string()))?;
            }
        }
        Ok(())
    }
}

fn same(what: &str, claimed: &str, found: Option<String>) -> Result<(), ProofError> {
    let found = found.unwrap_or_else(|| "nothing proved".to_owned());
    if claimed == found {
        return Ok(());
    }
    Err(ProofError::Score {
        what: what.to_owned(),
        claimed: claimed.to_owned(),
        found,
    })
}

impl Proof {
    /// What "play the hottest region" chooses, and what that loses.
    #[must_use]
    pub fn hottest(&self) -> Option<&StrategyMove> {
        let mut picks = self.analysis.strategies.iter();
        picks.find(|pick| pick.strategy == Strategy::Hotstrat)
    }
}

/// The board that stands for all: the hottest move loses five points (19x19, [`Hotstrat::default`]).
///
/// # Panics
/// Never: it fits.
#[must_use]
#[allow(
    clippy::missing_panics_doc,
    clippy::expect_used,
    reason = "the default fits, and a test says so"
)]
pub fn built_in() -> Constructed {
    hotstrat(&Hotstrat::default()).expect("the default fits on 19x19")
}
