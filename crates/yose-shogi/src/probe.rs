//! Asking a table: the value of a position, its moves best first, the line of best play.

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;
use yose_retro::{Outcome, Value};

use crate::audit::{Code, InMemory, depth_value};
use crate::index::Index;
use crate::inventory::Inventory;
use crate::moves::{After, Move};
use crate::position::{Position, Side};
use crate::rules::Rules;
use crate::variant::{Goal, MAX_KINDS};

/// The most plies of a line of best play in a drawn position.
pub const MAX_DRAWN_LINE: usize = 512;

/// A table by slot. The codes are those of [`audit::Source`](crate::audit::Source).
pub trait SlotValues: Sync {
    /// Why a value cannot be read.
    type Error: std::error::Error + Send + 'static;

    /// The code at a slot, which is under [`Index::stored_size`].
    ///
    /// # Errors
    /// If it cannot be read.
    fn value(&self, slot: u64) -> Result<u32, Self::Error>;
}

impl<T: SlotValues + ?Sized> SlotValues for &T {
    type Error = T::Error;

    fn value(&self, slot: u64) -> Result<u32, T::Error> {
        (**self).value(slot)
    }
}

/// A table in memory has no such slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the table has no slot {0}")]
pub struct NoSlot(pub u64);

impl<C: Code> SlotValues for InMemory<C> {
    type Error = NoSlot;

    fn value(&self, slot: u64) -> Result<u32, NoSlot> {
        let code = usize::try_from(slot).ok().and_then(|s| self.codes().get(s));
        code.map(|&code| code.into()).ok_or(NoSlot(slot))
    }
}

/// What the codes of a table mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Plies: 0 draw, odd win, even loss.
    Depths,
    /// 0 draw, 1 win, 2 loss.
    Outcomes,
}

/// What is known about a position or a move, in the view of the side to move or the side that makes
/// the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The table or the rules tell the value.
    Known {
        /// Win, loss or draw.
        outcome: Outcome,
        /// Plies to the end of the game, that of the move itself among them. `None` for a draw, and
        /// with a table of outcomes wherever the game does not end with the next move.
        depth: Option<u32>,
    },
    /// Neither tells: the position has other pieces than the table or stands outside its domain.
    Unknown,
}

impl Verdict {
    /// Win, loss or draw; `None` if it is unknown.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Verdict::Known { outcome, .. } => Some(outcome),
            Verdict::Unknown => None,
        }
    }

    /// Plies to the end of the game, if they are known.
    #[must_use]
    pub fn depth(self) -> Option<u32> {
        match self {
            Verdict::Known { depth, .. } => depth,
            Verdict::Unknown => None,
        }
    }

    fn exactly(value: Value) -> Verdict {
        Verdict::Known {
            outcome: value.outcome(),
            depth: value.depth(),
        }
    }

    /// The worth of a move for the side that makes it if this is what the position after it is
    /// worth to the other side.
    fn before_move(self) -> Verdict {
        match self {
            Verdict::Unknown => Verdict::Unknown,
            Verdict::Known { outcome, depth } => Verdict::Known {
                outcome: match outcome {
                    Outcome::Win => Outcome::Loss,
                    Outcome::Draw => Outcome::Draw,
                    Outcome::Loss => Outcome::Win,
                },
                depth: depth.map(|plies| plies.saturating_add(1)),
            },
        }
    }

    /// Sorts what the mover prefers first: a quick win, a slow win, a win of unknown distance, a
    /// draw, a loss of unknown distance, a slow loss, a quick loss; what is unknown comes last.
    fn order(self) -> (u8, u32) {
        match self {
            Verdict::Known { outcome, depth } => match outcome {
                Outcome::Win => (0, depth.unwrap_or(u32::MAX)),
                Outcome::Draw => (1, 0),
                Outcome::Loss => (2, u32::MAX - depth.unwrap_or(u32::MAX)),
            },
            Verdict::Unknown => (3, 0),
        }
    }
}

/// A move with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move.
    pub mv: Move,
    /// The move in USI.
    pub usi: String,
    /// The position after it, `None` if it takes the king.
    pub sfen: Option<String>,
    /// Its worth in the view of the side that makes it. The distance counts the move itself.
    pub verdict: Verdict,
}

/// A position with its value and its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// Its value in the view of the side to move.
    pub verdict: Verdict,
    /// Its moves, best first; moves of equal worth by USI. A finished game has none.
    pub moves: Vec<ProbedMove>,
}

/// Why a table did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProbeError<E: std::error::Error + 'static> {
    /// The table cannot be read.
    #[error("a value of the table cannot be read")]
    Table(#[source] E),
    /// A number that is no value.
    #[error("slot {slot} of the table holds {code}, which is no value")]
    NoValue {
        /// The slot.
        slot: u64,
        /// What it holds.
        code: u32,
    },
    /// A value does not agree with those of the moves: the table is wrong.
    #[error("the table contradicts itself about {sfen}")]
    Contradiction {
        /// The position.
        sfen: String,
    },
}

/// Where the value of a position comes from.
enum Place {
    Slot(u64),
    Rule(Verdict),
}

/// Answers questions about positions from a table and the rules. It only reads, so threads can
/// share it.
///
/// ```
/// use yose_retro::{Outcome, reference};
/// use yose_shogi::audit::{InMemory, depth_code};
/// use yose_shogi::probe::{Coding, Prober, Verdict};
/// use yose_shogi::{DropShogi, Inventory, Variant};
///
/// let variant = Variant::built_in("shogi4").unwrap();
/// let inventory = Inventory::parse("F", &variant).unwrap();
/// let game = DropShogi::new(variant, inventory).unwrap();
/// let solved = reference::solve(&game, &mut |_| {}).unwrap();
/// let codes = (0..game.index().stored_size())
///     .map(|slot| solved.value(slot).map_or(0, depth_code) as u8)
///     .collect();
/// let table = InMemory::new(game.index(), codes).unwrap();
/// let prober = Prober::new(game.rules(), game.index(), table, Coding::Depths);
///
/// //  . . . k
/// //  . . . .
/// //  . . . .
/// //  K . . .        A fox in hand.
/// let position = game.variant().parse_sfen("3k/4/4/K3 b F").unwrap();
/// let probed = prober.probe(&position).unwrap();
/// assert_eq!(probed.verdict.outcome(), Some(Outcome::Win));
/// // The best move takes as long as the position.
/// assert_eq!(probed.moves[0].verdict, probed.verdict);
/// let line = prober.line(&position).unwrap();
/// assert_eq!(line.len(), probed.verdict.depth().unwrap() as usize);
/// ```
#[derive(Debug)]
pub struct Prober<'a, T> {
    rules: &'a Rules,
    index: &'a Index,
    inventory: Inventory,
    table: T,
    coding: Coding,
}

impl<'a, T: SlotValues> Prober<'a, T> {
    /// A prober for the table of this index.
    #[must_use]
    pub fn new(rules: &'a Rules, index: &'a Index, table: T, coding: Coding) -> Prober<'a, T> {
        let mut counts = [0; MAX_KINDS];
        for group in index.layouts().groups() {
            counts[group.kind] = group.count;
        }
        Prober {
            rules,
            index,
            inventory: Inventory::from_counts(counts),
            table,
            coding,
        }
    }

    /// The value of a position in the view of its side to move.
    ///
    /// Outside the slots of the table the rules answer: where the kings touch, the side to move
    /// wins in 1. In a variant with a Try, if the other side's king stands on its far rank, that is
    /// a win in 1 if it can be taken and else a game that is over, a loss in 0; if the own king
    /// stands on its far rank, the value is unknown. It is unknown as well with other pieces than
    /// those of the table.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn value(&self, position: &Position) -> Result<Verdict, ProbeError<T::Error>> {
        match self.place(position) {
            Place::Rule(verdict) => Ok(verdict),
            Place::Slot(slot) => self.decode(position, slot, self.read(slot)?),
        }
    }

    /// The values of many positions, in their order. The table is read in the order of its slots.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<Verdict>, ProbeError<T::Error>> {
        let places: Vec<_> = positions.iter().map(|p| self.place(p)).collect();
        let codes = self.read_all(&places)?;
        let answers = positions.iter().zip(&places);
        answers
            .map(|(position, place)| self.answer(position, place, &codes))
            .collect()
    }

    /// The value of a position and of each of its moves.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Probed, ProbeError<T::Error>> {
        let mut probed = self.probe_all(std::slice::from_ref(position))?;
        Ok(probed.remove(0))
    }

    /// The moves of a position with their values, best first.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn moves(&self, position: &Position) -> Result<Vec<ProbedMove>, ProbeError<T::Error>> {
        Ok(self.probe(position)?.moves)
    }

    /// The same as [`probe`](Self::probe) for many positions, in their order. The table is read in
    /// the order of its slots, each slot once.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn probe_all(&self, positions: &[Position]) -> Result<Vec<Probed>, ProbeError<T::Error>> {
        let mut places = Vec::new();
        let mut next = Vec::new();
        for position in positions {
            places.push(self.place(position));
            let mut children = Vec::new();
            let mut moves = Vec::new();
            self.rules.moves(position, &mut moves);
            for mv in moves {
                let after = self.after(position, mv);
                if let Some(after) = &after {
                    places.push(self.place(after));
                }
                children.push((mv, after));
            }
            next.push(children);
        }
        let codes = self.read_all(&places)?;
        let mut places = places.iter();
        let mut answer = |position: &Position| match places.next() {
            Some(place) => self.answer(position, place, &codes),
            None => Ok(Verdict::Unknown),
        };
        let mut all = Vec::new();
        for (position, children) in positions.iter().zip(next) {
            let verdict = answer(position)?;
            let mut moves = Vec::new();
            for (mv, after) in children {
                let child = match &after {
                    Some(after) => answer(after)?,
                    // The king has been taken.
                    None => Verdict::exactly(Value::Loss(0)),
                };
                moves.push(ProbedMove {
                    mv,
                    usi: self.rules.variant().usi(mv),
                    sfen: after.map(|after| self.rules.variant().sfen(&after)),
                    verdict: self.move_verdict(child),
                });
            }
            moves.sort_by(|a, b| {
                let order = a.verdict.order().cmp(&b.verdict.order());
                order.then_with(|| a.usi.cmp(&b.usi))
            });
            all.push(Probed { verdict, moves });
        }
        Ok(all)
    }

    /// The line of best play from a position to the end of the game: the first of the best moves,
    /// and so on. In a drawn position it ends before a position comes again, or after
    /// [`MAX_DRAWN_LINE`] plies; where the value is unknown it is empty, and so it is with a table
    /// of outcomes, which does not tell how to make progress.
    ///
    /// # Errors
    /// If the table cannot be read or a move does not shorten the way to the end.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError<T::Error>> {
        let mut line = Vec::new();
        if self.coding == Coding::Outcomes {
            return Ok(line);
        }
        let mut met = HashSet::new();
        let mut position = *position;
        loop {
            let probed = self.probe(&position)?;
            let Some(outcome) = probed.verdict.outcome() else {
                return Ok(line);
            };
            let Some(best) = probed.moves.first() else {
                return Ok(line);
            };
            if best.verdict != probed.verdict {
                let sfen = self.rules.variant().sfen(&position);
                return Err(ProbeError::Contradiction { sfen });
            }
            if outcome == Outcome::Draw && (!met.insert(position) || line.len() == MAX_DRAWN_LINE) {
                return Ok(line);
            }
            line.push(best.mv);
            match self.after(&position, best.mv) {
                Some(after) => position = after,
                None => return Ok(line),
            }
        }
    }

    /// The position after a move, `None` if it takes the king.
    fn after(&self, position: &Position, mv: Move) -> Option<Position> {
        match self.rules.play(position, mv) {
            After::Continues(next) => Some(next),
            After::KingTaken => None,
            After::Try => {
                let Move::Step { from, to, .. } = mv else {
                    return None;
                };
                let mut next = *position;
                let us = position.turn();
                let king = next.remove(from)?;
                if let Some(kind) = next.remove(to).and_then(crate::Piece::kind) {
                    next.set_in_hand(us, kind, next.in_hand(us, kind) + 1);
                }
                next.put(to, king);
                next.set_turn(us.other());
                Some(next)
            }
        }
    }

    fn place(&self, position: &Position) -> Place {
        match self.index.rank(position) {
            Some(slot) if slot < self.index.stored_size() => Place::Slot(slot),
            // The kings touch.
            Some(_) => Place::Rule(Verdict::exactly(Value::Win(1))),
            None => Place::Rule(self.by_rule(position)),
        }
    }

    /// The value of a position that has no index.
    fn by_rule(&self, position: &Position) -> Verdict {
        let (us, them) = (position.turn(), position.turn().other());
        let (Some(own), Some(other)) = (position.king(us), position.king(them)) else {
            return Verdict::Unknown;
        };
        let on_far_rank =
            |side: Side, king: crate::Square| self.rules.far_rank[side.index()] & king.bit() != 0;
        if self.rules.variant().goal != Goal::TakeKingOrTry
            || position.inventory() != self.inventory
        {
            Verdict::Unknown
        } else if self.rules.kings_touch(us, own, other) {
            Verdict::exactly(Value::Win(1))
        } else if on_far_rank(them, other) {
            Verdict::exactly(if self.rules.takes_king(position) {
                Value::Win(1)
            } else {
                Value::Loss(0)
            })
        } else {
            // The own king is on its far rank, or a piece stands where it cannot have come.
            Verdict::Unknown
        }
    }

    fn read(&self, slot: u64) -> Result<u32, ProbeError<T::Error>> {
        self.table.value(slot).map_err(ProbeError::Table)
    }

    /// The codes of all these places that are slots.
    fn read_all(&self, places: &[Place]) -> Result<BTreeMap<u64, u32>, ProbeError<T::Error>> {
        let mut codes = BTreeMap::new();
        for place in places {
            if let Place::Slot(slot) = place {
                codes.insert(*slot, 0);
            }
        }
        for (&slot, code) in &mut codes {
            *code = self.read(slot)?;
        }
        Ok(codes)
    }

    fn answer(
        &self,
        position: &Position,
        place: &Place,
        codes: &BTreeMap<u64, u32>,
    ) -> Result<Verdict, ProbeError<T::Error>> {
        match *place {
            Place::Rule(verdict) => Ok(verdict),
            Place::Slot(slot) => {
                let code = codes.get(&slot).copied();
                self.decode(position, slot, code.map_or_else(|| self.read(slot), Ok)?)
            }
        }
    }

    fn decode(
        &self,
        position: &Position,
        slot: u64,
        code: u32,
    ) -> Result<Verdict, ProbeError<T::Error>> {
        if self.coding == Coding::Depths {
            return Ok(Verdict::exactly(depth_value(code)));
        }
        let outcome = match code {
            0 => Outcome::Draw,
            1 => Outcome::Win,
            2 => Outcome::Loss,
            _ => return Err(ProbeError::NoValue { slot, code }),
        };
        let now = outcome == Outcome::Win && self.ends_now(position);
        Ok(Verdict::Known {
            outcome,
            depth: now.then_some(1),
        })
    }

    /// The worth of a move by the value of the position after it. With a table of outcomes only
    /// moves that end the game have a distance, as positions have.
    fn move_verdict(&self, child: Verdict) -> Verdict {
        match (self.coding, child.before_move()) {
            (Coding::Outcomes, Verdict::Known { outcome, depth }) => Verdict::Known {
                outcome,
                depth: depth.filter(|&plies| plies == 1),
            },
            (_, verdict) => verdict,
        }
    }

    /// Whether the side to move can take the king or make a Try that wins.
    fn ends_now(&self, position: &Position) -> bool {
        if self.rules.takes_king(position) {
            return true;
        }
        let mut found = false;
        if self.rules.variant().goal == Goal::TakeKingOrTry {
            self.rules.for_each_move(position, |mv| {
                found |= self.rules.play(position, mv) == After::Try;
            });
        }
        found
    }
}
