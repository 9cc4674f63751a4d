//! The audit: is every value of a table what the rules make of the values one move later?
//!
//! It goes through all stored positions and looks at all their moves, forward, and shares with a
//! solver the [`Rules`] and the [`Index`] alone.
//!
//! Agreement with the children is proof only if something grows smaller along the moves that
//! decide: cycles of positions can support each other's wrong wins and losses. Exact distances do
//! that ([`depths`]), and so does any rank that is smaller for the deciding children
//! ([`ranked_outcomes`]). Without either, a table can be [`Consistent`](Verdict::Consistent) and
//! wrong ([`outcomes`]).
//!
//! Positions that no table stores have the value that the rules give them: where the kings touch,
//! and where a king has moved onto its far rank in a variant with a Try.

#![allow(
    clippy::cast_possible_truncation,
    reason = "squares, slots and lanes are small numbers, and slots of a slice fit into memory"
)]

mod census;
mod check;
mod cube;
mod fold;
mod geometry;
mod judge;
mod maps;
mod places;
pub mod plain;
mod run;
mod values;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::num::NonZero;

use thiserror::Error;
use yose_retro::table::Summary;
use yose_retro::tally::{HistogramRow, Tally};
use yose_retro::{Game, Outcome};

use crate::count::{CountError, Counts};
use crate::game::DropShogi;
use crate::index::Index;
use crate::inventory::Inventory;
use crate::rules::Rules;
use crate::variant::MAX_KINDS;
use census::Census;
use judge::Judge;
use plain::{Claim, Fault, Flaw};
pub use values::{Code, InMemory, Source, WrongLength, depth_code, depth_value};

/// How an audit is to be done. The result does not depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Threads.
    pub threads: NonZero<usize>,
    /// Bytes for values in memory, beside what the source holds itself. More means that slices are
    /// read less often; with room for about thirty slices each is read twice.
    pub memory: u64,
    /// How many violations are described.
    pub list: usize,
}

impl Default for Options {
    /// One thread, 1 GiB, ten violations.
    fn default() -> Options {
        Options {
            threads: NonZero::<usize>::MIN,
            memory: 1 << 30,
            list: 10,
        }
    }
}

impl Options {
    /// The same with this many threads.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> Options {
        Options { threads, ..self }
    }

    /// The same with this many bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Options {
        Options { memory, ..self }
    }

    /// The same with this many violations described.
    #[must_use]
    pub fn with_list(self, list: usize) -> Options {
        Options { list, ..self }
    }
}

/// How far an audit has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Slices checked so far.
    pub slices: usize,
    /// All stored slices.
    pub total: usize,
}

/// The outcome of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every value is right: each agrees with its children's, and distances or ranks rule out that
    /// wrong values support each other.
    Certified,
    /// Every value agrees with its children's. They may all the same be wrong.
    Consistent,
    /// Some value does not agree with its children's.
    Failed,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Certified => "certified",
            Verdict::Consistent => "consistent",
            Verdict::Failed => "failed",
        })
    }
}

/// What an audit has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditReport {
    /// The outcome.
    pub result: Verdict,
    /// Positions of the inventory, `canonical`: turn and mirror folded, those with touching kings
    /// among them, whose value the rules give.
    pub positions: u64,
    /// Positions that were looked at one by one: every stored slot that is not a hole. Where both
    /// kings stand on the centre file, mirror images have slots of their own.
    pub checked: u64,
    /// Stored slots whose value is wrong, holes that are not 0 among them.
    pub violations: u64,
    /// Those with the smallest numbers, at most [`Options::list`], in order.
    pub first_violations: Vec<Violation>,
    /// How many positions of the inventory have each value, counted from the values themselves: those
    /// with touching kings among them, which are wins in 1. Outcomes have no depth.
    pub tally: Tally,
    /// The greatest code of a stored position.
    pub greatest: u32,
}

/// A slot whose value does not agree with its children's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The slot: the index of the position.
    pub slot: u64,
    /// The position, Black to move; `None` for a hole.
    pub sfen: Option<String>,
    /// What the table says.
    pub claimed: Claim,
    /// What is wrong with it.
    pub fault: Fault,
    /// The move that shows it, if one does.
    pub usi: Option<String>,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.sfen {
            Some(sfen) => write!(f, "{sfen} (slot {}): ", self.slot)?,
            None => write!(f, "slot {}: ", self.slot)?,
        }
        match self.claimed {
            Claim::Depth(value) => write!(f, "{value} claimed")?,
            Claim::Outcome(outcome) => write!(f, "{outcome} claimed")?,
            Claim::Ranked(outcome, rank) => write!(f, "{outcome} of rank {rank} claimed")?,
            Claim::NoCode(code) => write!(f, "{code} claimed")?,
        }
        match self.fault {
            Fault::Hole => f.write_str(", but no position has this slot")?,
            Fault::NoCode => f.write_str(", which is no value")?,
            Fault::WinsNow => f.write_str(", but the game is won now")?,
            Fault::Value(value) => write!(f, ", but its moves make it a {value}")?,
            Fault::Outcome(outcome) => write!(f, ", but its moves make it a {outcome}")?,
            Fault::Rank { of_child } => write!(f, ", which rests on a child of rank {of_child}")?,
        }
        match &self.usi {
            Some(usi) => write!(f, " ({usi})"),
            None => Ok(()),
        }
    }
}

/// Why a table could not be audited.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AuditError<E: std::error::Error + 'static> {
    /// The source failed.
    #[error("the values of a slice cannot be read")]
    Source(#[source] E),
    /// The source has given too few or too many codes.
    #[error("slice {slice} has {got} values, {expected} expected")]
    WrongLength {
        /// Number of the slice.
        slice: usize,
        /// Slots of a slice.
        expected: u64,
        /// Codes given.
        got: u64,
    },
    /// The memory allowed does not hold what one slice needs.
    #[error("{needed} bytes of memory needed at least, {given} allowed")]
    TooLittleMemory {
        /// Bytes for one slice and those that its children stand in.
        needed: u64,
        /// [`Options::memory`].
        given: u64,
    },
    /// The index is not one of an inventory of the variant.
    #[error("the index is not of the variant {variant}")]
    NotOfVariant {
        /// Name of the variant.
        variant: String,
    },
    /// The positions of the inventory cannot be counted.
    #[error("the positions cannot be counted")]
    Count(#[source] CountError),
    /// The auditor found fault with a position in which plain rules find none: it is the auditor
    /// that is wrong, and nothing is known about the table.
    #[error("the auditor contradicts itself about slot {slot}")]
    Contradiction {
        /// The slot.
        slot: u64,
    },
}

/// Audits a table of exact depths: every win, loss and draw, and every distance.
///
/// A win must be one ply longer than the quickest loss, a loss one ply longer than the slowest win
/// among its children, and a draw have a draw but no loss among them; a position in which the king
/// can be taken (or a Try succeeds) is a win in 1, one without any move a loss in 2.
///
/// Costs about 45 nanoseconds of processor time for each position, measured with 345 million of
/// Shogi4, 249 million of Dobutsu and 724 million of Micro. `progress` is called from any thread.
///
/// ```
/// use yose_retro::reference;
/// use yose_shogi::audit::{self, InMemory, Options, Verdict, depth_code};
/// use yose_shogi::{DropShogi, Inventory, Variant};
///
/// let variant = Variant::built_in("shogi4").unwrap();
/// let inventory = Inventory::parse("F", &variant).unwrap();
/// let game = DropShogi::new(variant, inventory).unwrap();
/// let solved = reference::solve(&game, &mut |_| {}).unwrap();
///
/// let code = |slot| solved.value(slot).map_or(0, depth_code) as u8;
/// let codes = (0..game.index().stored_size()).map(code).collect();
/// let mut table = InMemory::new(game.index(), codes).unwrap();
/// let audit = |table: &InMemory<u8>| {
///     audit::depths(game.rules(), game.index(), table, &Options::default(), &|_| {}).unwrap()
/// };
/// let report = audit(&table);
/// assert_eq!((report.result, report.positions), (Verdict::Certified, 24_480 / 4));
///
/// // A loss in 2 said to be one in 4, and all that follows from it is in order elsewhere.
/// let slot = table.codes().iter().position(|&code| code == 2).unwrap();
/// table.codes_mut()[slot] = 4;
/// let report = audit(&table);
/// assert_eq!(report.result, Verdict::Failed);
/// assert!(report.first_violations.iter().any(|v| v.slot == slot as u64));
/// ```
///
/// # Errors
/// [`AuditError`]: the source fails, or the options or arguments do not fit. A wrong value is not
/// an error but a [`Violation`].
pub fn depths<S: Source>(
    rules: &Rules,
    index: &Index,
    source: &S,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<AuditReport, AuditError<S::Error>> {
    let claim = |code, _| Claim::Depth(depth_value(code));
    audit(
        rules,
        index,
        &judge::Depths(source),
        options,
        progress,
        Verdict::Certified,
        claim,
    )
}

/// Checks outcomes without ranks: a win must have a loss among its children, a loss wins only, a
/// draw a draw but no loss. At best the table is [`Consistent`](Verdict::Consistent).
///
/// Cost and arguments are as for [`depths`]. Codes other than 0, 1 and 2 are violations.
///
/// # Errors
/// As for [`depths`].
pub fn outcomes<S: Source<Code = u8>>(
    rules: &Rules,
    index: &Index,
    source: &S,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<AuditReport, AuditError<S::Error>> {
    let claim = |code, _| outcome(code).map_or(Claim::NoCode(code), Claim::Outcome);
    audit(
        rules,
        index,
        &judge::Outcomes(source),
        options,
        progress,
        Verdict::Consistent,
        claim,
    )
}

/// Audits outcomes with a rank for each decided position. Beyond what [`outcomes`] checks, some
/// lost child of a win must have a smaller rank than the win, and all children of a loss a smaller
/// rank than the loss. A position in which the game can be won now may have any rank.
///
/// Distances are ranks, and so are the rounds of any solver in which a position was decided, if
/// those that its decision rests on were decided in rounds before. If any ranks pass, every value
/// is right: of the wrong wins and losses one would have the smallest rank, and it would rest on
/// something smaller.
///
/// Cost and arguments are as for [`depths`], with twice the memory or more.
///
/// # Errors
/// As for [`depths`].
pub fn ranked_outcomes<S: Source<Code = u8>, R: Source<Error = S::Error>>(
    rules: &Rules,
    index: &Index,
    source: &S,
    ranks: &R,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<AuditReport, AuditError<S::Error>> {
    let judge = judge::Ranked {
        values: source,
        ranks,
    };
    let claim = |code, rank: Option<u32>| {
        outcome(code).map_or(Claim::NoCode(code), |outcome| {
            Claim::Ranked(outcome, rank.unwrap_or(0))
        })
    };
    audit(
        rules,
        index,
        &judge,
        options,
        progress,
        Verdict::Certified,
        claim,
    )
}

fn outcome(code: u32) -> Option<Outcome> {
    match code {
        0 => Some(Outcome::Draw),
        1 => Some(Outcome::Win),
        2 => Some(Outcome::Loss),
        _ => None,
    }
}

fn audit<J: Judge>(
    rules: &Rules,
    index: &Index,
    judge: &J,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
    at_best: Verdict,
    claim: impl Fn(u32, Option<u32>) -> Claim,
) -> Result<AuditReport, AuditError<J::Error>> {
    let variant = rules.variant();
    let mut counts = [0; MAX_KINDS];
    for group in index.layouts().groups() {
        counts[group.kind] = group.count;
    }
    let inventory = Inventory::from_counts(counts);
    let game = DropShogi::new(variant.clone(), inventory)
        .ok()
        .filter(|game| game.index() == index)
        .ok_or_else(|| AuditError::NotOfVariant {
            variant: variant.name.clone(),
        })?;
    let counts = Counts::new(variant, &inventory).map_err(AuditError::Count)?;
    let found = run::run(rules, index, judge, options, progress)?;
    let mut first_violations = Vec::new();
    for &slot in &found.first {
        first_violations.push(describe(&game, judge, slot, &claim)?);
    }
    let with_depth = matches!(claim(0, None), Claim::Depth(_));
    Ok(AuditReport {
        greatest: found.census.positions().keys().copied().max().unwrap_or(0),
        tally: tally(&counts, &found.census, with_depth, |code| claim(code, None)),
        result: if found.violations > 0 {
            Verdict::Failed
        } else {
            at_best
        },
        positions: u64::try_from(counts.canonical()).unwrap_or(u64::MAX),
        checked: found.positions,
        violations: found.violations,
        first_violations,
    })
}

/// The positions by value: the stored ones as counted, the others as wins in 1.
fn tally(
    counts: &Counts,
    census: &Census,
    with_depth: bool,
    claim: impl Fn(u32) -> Claim,
) -> Tally {
    let mut rows: BTreeMap<(u8, Option<u32>), HistogramRow> = BTreeMap::new();
    let mut add = |value: Outcome, depth: Option<u32>, canonical: u64, all: u64| {
        let row = rows.entry((value as u8, depth)).or_insert(HistogramRow {
            value,
            depth,
            canonical: 0,
            all: 0,
        });
        row.canonical += canonical;
        row.all += all;
    };
    let (mut left, mut left_all) = (counts.canonical(), 2 * counts.legal());
    for (code, (canonical, all)) in census.positions() {
        left = left.saturating_sub(canonical.into());
        left_all = left_all.saturating_sub(all.into());
        match claim(code) {
            Claim::Depth(value) => add(value.outcome(), value.depth(), canonical, all),
            Claim::Outcome(value) | Claim::Ranked(value, _) => add(value, None, canonical, all),
            // A violation.
            Claim::NoCode(_) => {}
        }
    }
    let number = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
    if left > 0 {
        let depth = with_depth.then_some(1);
        add(Outcome::Win, depth, number(left), number(left_all));
    }
    Summary::new(rows.into_values().collect(), None).tally
}

/// Says what is wrong with a slot, by plain rules.
fn describe<J: Judge>(
    game: &DropShogi,
    judge: &J,
    slot: u64,
    claim: &impl Fn(u32, Option<u32>) -> Claim,
) -> Result<Violation, AuditError<J::Error>> {
    let index = game.index();
    let slots_of_slice = index.layouts().count() * index.lanes().width() as u64;
    let mut slices = BTreeMap::new();
    let mut claim_at = |slot: u64| -> Result<Claim, AuditError<J::Error>> {
        let number = (slot / slots_of_slice) as usize;
        let slice = match slices.entry(number) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(run::load(index, judge, number)?),
        };
        let (code, rank) = slice.codes((slot % slots_of_slice) as usize);
        Ok(claim(code, rank))
    };
    let claimed = claim_at(slot)?;
    let checked = plain::check(game, index.stored_size(), slot, &mut claim_at)?;
    let Flaw { fault, mv } = checked.ok_or(AuditError::Contradiction { slot })?;
    Ok(Violation {
        slot,
        sfen: game.unrank(slot).map(|p| game.variant().sfen(&p)),
        claimed,
        fault,
        usi: mv.map(|mv| game.variant().usi(mv)),
    })
}
