//! Ladders: can a chain be captured by one atari after the other?
//!
//! The attacker plays on a liberty of a chain that has exactly two; the defender, in atari, extends
//! or captures an attacking chain in atari that touches the prey; and so on, without a limit on
//! depth. The prey has escaped when it has three liberties, or two and no atari works, or when a
//! position repeats. Suicide is illegal and ko is simple, whatever rules the game has. General
//! reading (nets, sacrifices elsewhere, ko threats) is not asked for.

pub(crate) mod field;
pub(crate) mod read;

use std::cmp::Reverse;

use thiserror::Error;

use crate::{Board, Colour, Move, Point};
use field::{BLACK, EMPTY, Field, NOWHERE, Spot, WHITE};
use read::Reader;

/// How many positions a reading looks at unless told otherwise.
pub const LADDER_NODES: u64 = 1_000_000;

/// How a ladder ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LadderVerdict {
    /// The attacker captures.
    Captured,
    /// The chain escapes, or is in no ladder: it has three liberties or more.
    Escapes,
    /// The limit on positions came first.
    Unknown,
}

/// What was read about one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    /// The end.
    pub verdict: LadderVerdict,
    /// The side to play's moves that reach its end, in reading order: moves that capture if the
    /// attacker is to play, moves that save the chain if the defender is. Without such a move it is
    /// empty. If the chain is safe where it stands and the defender is to play, the moves that leave
    /// it safe among those a defender in a ladder has.
    pub moves: Vec<Point>,
    /// Plies to the removal of the chain, the capture included: the attacker takes the shortest way
    /// and the defender the longest. Nothing if it escapes, or if the limit came first.
    pub plies: Option<u32>,
    /// One line of play of that length; among moves of equal length the one in the lowest row, then
    /// the leftmost, is taken, and a defender without a legal move passes. For a chain that is saved
    /// by a move, that move.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// What cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LadderError {
    /// There is nothing to capture.
    #[error("a ladder needs a stone at row {row}, column {col} (both count from 0)")]
    NoStone {
        /// Row, 0 at the top.
        row: usize,
        /// Column, 0 at the left.
        col: usize,
    },
}

/// Reads the ladder on the chain of the stone at `prey`, with `first` to play: the owner of the
/// stone or the attacker. Looks at no more than `limit` positions for each of up to three questions
/// (verdict, moves, length); [`LADDER_NODES`] is plenty.
///
/// The board's ko ban is heeded if it binds `first`.
///
/// # Errors
/// If there is no stone at `prey`.
///
/// ```
/// use yose_go::{Board, Colour, LADDER_NODES, LadderVerdict, ladder};
///
/// let board = Board::from_rows(&[
///     ".....", //
///     ".....",
///     ".X...",
///     ".XO..",
///     "..X..",
/// ])?;
/// let prey = board.size().point(3, 2)?; // C2
/// let ladder = ladder(&board, prey, Colour::Black, LADDER_NODES)?;
/// assert_eq!(ladder.verdict, LadderVerdict::Captured);
/// assert_eq!(ladder.moves, [board.size().point(3, 3)?]); // D2
/// assert_eq!(ladder.plies, Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ladder(
    board: &Board,
    prey: Point,
    first: Colour,
    limit: u64,
) -> Result<Ladder, LadderError> {
    let Some(owner) = board.stone(prey) else {
        return Err(LadderError::NoStone {
            row: prey.row(),
            col: prey.col(),
        });
    };
    let field = field_of(board, first);
    let spot = field.spot(prey.row(), prey.col());
    let mut in_atari = Vec::new();
    for chain in board.chains().filter(|&chain| board.liberties(chain) == 1) {
        in_atari.push(field.spot(chain.row(), chain.col()));
    }
    let mut reading = Reading {
        reader: Reader::new(field),
        prey: spot,
        in_atari,
        limit,
        nodes: 0,
    };
    Ok(if first == owner {
        reading.defender_first()
    } else {
        reading.attacker_first()
    })
}

/// The number that a field has for a stone.
pub(crate) const fn code(stone: Option<Colour>) -> u8 {
    match stone {
        None => EMPTY,
        Some(Colour::Black) => BLACK,
        Some(Colour::White) => WHITE,
    }
}

fn field_of(board: &Board, first: Colour) -> Field {
    let size = board.size();
    let mut field = Field::new(size.rows(), size.cols());
    let cells: Vec<u8> = size
        .points()
        .map(|point| code(board.stone(point)))
        .collect();
    let ko = board
        .ko_point()
        .filter(|_| board.ko_colour() == Some(first));
    field.load(&cells, ko.map(|point| (point.row(), point.col())));
    field
}

struct Reading {
    reader: Reader,
    prey: Spot,
    in_atari: Vec<Spot>,
    limit: u64,
    nodes: u64,
}

impl Reading {
    fn attacker_first(&mut self) -> Ladder {
        let chain = self.reader.field.chain(self.prey);
        let liberties = self.reader.field.liberty_count(chain);
        let attacker = 3 - self.reader.field.at(self.prey);
        let mut ladder = self.answer(LadderVerdict::Escapes);
        if liberties > 2 {
            return ladder;
        }
        let candidates: [Spot; 2] = self.reader.field.first_liberties(chain);
        let mut unknown = false;
        for spot in candidates.into_iter().filter(|&s| s != NOWHERE) {
            if !self.reader.field.is_legal(spot, attacker) {
                continue;
            }
            let captured = liberties == 1
                || self.ask(|reader, prey| {
                    // The position before the atari belongs to the line: it may not come back.
                    reader.mark_root();
                    let mark = reader.play(spot, attacker);
                    let captured = reader.defend(prey);
                    reader.unplay(mark);
                    captured
                });
            unknown |= self.reader.exhausted;
            if captured && !self.reader.exhausted {
                ladder.moves.push(self.point(spot));
            }
        }
        if ladder.moves.is_empty() {
            if unknown {
                ladder.verdict = LadderVerdict::Unknown;
            }
        } else {
            ladder.verdict = LadderVerdict::Captured;
            let mut line = Vec::new();
            let length = self.ask(|reader, prey| reader.attack_length(prey, u32::MAX, &mut line));
            self.put_line(&mut ladder, length, &line);
        }
        ladder.nodes = self.nodes;
        ladder
    }

    fn defender_first(&mut self) -> Ladder {
        let chain = self.reader.field.chain(self.prey);
        let liberties = self.reader.field.liberty_count(chain);
        let mut ladder = self.answer(LadderVerdict::Escapes);
        if liberties > 2 {
            return ladder;
        }
        self.reader.begin(self.limit, &self.in_atari, self.prey);
        let (candidates, n) = self.reader.defences(self.prey);
        let mut unknown = self.reader.exhausted;
        for &spot in &candidates[..n] {
            let saved = self.ask(|reader, prey| reader.saves(prey, spot));
            unknown |= self.reader.exhausted;
            if saved && !self.reader.exhausted {
                ladder.moves.push(self.point(spot));
            }
        }
        // With two liberties the chain may be safe where it stands.
        let waits = ladder.moves.is_empty() && liberties == 2;
        let safe = waits
            && !self.ask(|reader, prey| {
                reader.field.pass();
                let captured = reader.attack(prey);
                reader.field.undo();
                captured
            });
        unknown |= self.reader.exhausted;
        let lowest = |point: &&Point| (Reverse(point.row()), point.col());
        if let Some(&first) = ladder.moves.iter().min_by_key(lowest) {
            ladder.line.push(Move::Place(first));
        } else if unknown {
            ladder.verdict = LadderVerdict::Unknown;
        } else if !safe {
            ladder.verdict = LadderVerdict::Captured;
            let mut line = Vec::new();
            let length = self.ask(|reader, prey| reader.defend_length(prey, u32::MAX, &mut line));
            self.put_line(&mut ladder, length, &line);
        }
        ladder.nodes = self.nodes;
        ladder
    }

    /// Puts one question with the whole limit.
    fn ask<T>(&mut self, question: impl FnOnce(&mut Reader, Spot) -> T) -> T {
        self.reader.begin(self.limit, &self.in_atari, self.prey);
        let answer = question(&mut self.reader, self.prey);
        self.nodes += self.reader.nodes;
        answer
    }

    fn answer(&self, verdict: LadderVerdict) -> Ladder {
        Ladder {
            verdict,
            moves: Vec::new(),
            plies: None,
            line: Vec::new(),
            nodes: self.nodes,
        }
    }

    fn put_line(&self, ladder: &mut Ladder, length: Option<u32>, line: &[Spot]) {
        if let (Some(length), false) = (length, self.reader.exhausted) {
            ladder.plies = Some(length);
            ladder.line = line
                .iter()
                .map(|&spot| match spot {
                    NOWHERE => Move::Pass,
                    _ => Move::Place(self.point(spot)),
                })
                .collect();
        }
    }

    fn point(&self, spot: Spot) -> Point {
        let (row, col) = self.reader.field.row_col(spot);
        Point::new(row, col).unwrap_or_else(|| unreachable!("a field is no larger than a board"))
    }
}
