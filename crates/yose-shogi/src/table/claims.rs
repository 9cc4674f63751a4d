//! What a solve or a table claims, as the auditor reads it.

use std::borrow::Cow;
use std::marker::PhantomData;

use yose_retro::table::{Metric, TableError, Width};

use super::TableFile;
use crate::audit::{self, AuditError, AuditReport, Code, Options, Progress, Source};
use crate::game::DropShogi;
use crate::kernel::Solved;

/// Reads the numbers of a slice as little-endian bytes into an empty buffer.
type Read<'a> = dyn Fn(usize, &mut Vec<u8>) -> Result<(), TableError> + Sync + 'a;

/// Numbers by slice, from a solve or from a file.
pub struct Numbers<'a> {
    bytes: usize,
    read: Box<Read<'a>>,
}

impl std::fmt::Debug for Numbers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Numbers")
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl<'a> Numbers<'a> {
    /// The distances of a solve that has them.
    #[must_use]
    pub fn depths(solved: &'a Solved) -> Numbers<'a> {
        Numbers {
            bytes: solved.levels().depth_bytes(),
            read: Box::new(|slice, plain| {
                solved.depths(slice, plain);
                Ok(())
            }),
        }
    }

    /// The outcomes of a solve.
    #[must_use]
    pub fn outcomes(solved: &'a Solved) -> Numbers<'a> {
        Numbers {
            bytes: 1,
            read: Box::new(|slice, plain| {
                solved.outcomes(slice, plain);
                Ok(())
            }),
        }
    }

    /// The numbers of a table file, those of two bits spread to bytes.
    #[must_use]
    pub fn of_file(file: &'a TableFile) -> Numbers<'a> {
        let bytes = match file.table().header().width() {
            Width::Bits2 | Width::Bits8 => 1,
            Width::Bits16 => 2,
            Width::Bits32 => 4,
        };
        Numbers {
            bytes,
            read: Box::new(|slice, plain| read_slice(file, slice as u64, plain)),
        }
    }
}

fn read_slice(file: &TableFile, slice: u64, plain: &mut Vec<u8>) -> Result<(), TableError> {
    let index = file.game().index();
    let (table, header) = (file.table(), file.table().header());
    let slots = index.layouts().count() * index.lanes().width() as u64;
    let (mut first, end) = (slice * slots, (slice + 1) * slots);
    while first < end {
        let chunk = table.chunk(first / u64::from(header.chunk_slots))?;
        let stop = end.min(chunk.slots().end);
        let start = chunk.slots().start;
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a chunk has at most 2^20 slots"
        )]
        let (from, to) = ((first - start) as usize, (stop - start) as usize);
        match header.width() {
            Width::Bits2 => {
                // The first and the last byte may hold slots of the neighbours.
                let length = plain.len();
                for byte in &chunk.plain()[from / 4..to.div_ceil(4)] {
                    plain.extend([byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6]);
                }
                plain.drain(length..length + from % 4);
                plain.truncate(length + to - from);
            }
            width => {
                let bytes = usize::from(width.bits() / 8);
                plain.extend_from_slice(&chunk.plain()[bytes * from..bytes * to]);
            }
        }
        first = stop;
    }
    Ok(())
}

/// What is claimed, and what speaks for it.
#[derive(Debug)]
pub enum Claims<'a> {
    /// Exact distances.
    Depths(Numbers<'a>),
    /// Outcomes alone, which cannot be certified.
    Outcomes(Numbers<'a>),
    /// Outcomes and a rank for each.
    Ranked {
        /// Win, loss, draw.
        outcomes: Numbers<'a>,
        /// The ranks.
        ranks: Numbers<'a>,
    },
}

impl<'a> Claims<'a> {
    /// What a table file claims; a table of outcomes with the ranks beside it, if there are any.
    #[must_use]
    pub fn of_file(file: &'a TableFile, ranks: Option<&'a TableFile>) -> Claims<'a> {
        let numbers = Numbers::of_file(file);
        match (file.table().header().metric, ranks) {
            (Metric::Wdl, None) => Claims::Outcomes(numbers),
            (Metric::Wdl, Some(ranks)) => Claims::Ranked {
                outcomes: numbers,
                ranks: Numbers::of_file(ranks),
            },
            // Ranks alone are numbers of the same parity as distances; whether they are distances
            // is what the audit finds out.
            (Metric::Depth | Metric::Ranks, _) => Claims::Depths(numbers),
        }
    }

    /// Audits the claims, see [`audit`].
    ///
    /// # Errors
    /// As for [`audit::depths`].
    pub fn audit(
        &self,
        game: &DropShogi,
        options: &Options,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<AuditReport, AuditError<TableError>> {
        let (rules, index) = (game.rules(), game.index());
        match self {
            Claims::Outcomes(outcomes) => {
                audit::outcomes(rules, index, &typed::<u8>(outcomes), options, progress)
            }
            Claims::Depths(depths) => match depths.bytes {
                1 => audit::depths(rules, index, &typed::<u8>(depths), options, progress),
                2 => audit::depths(rules, index, &typed::<u16>(depths), options, progress),
                _ => audit::depths(rules, index, &typed::<u32>(depths), options, progress),
            },
            Claims::Ranked { outcomes, ranks } => {
                let outcomes = typed::<u8>(outcomes);
                macro_rules! ranked {
                    ($code:ty) => {
                        audit::ranked_outcomes(
                            rules,
                            index,
                            &outcomes,
                            &typed::<$code>(ranks),
                            options,
                            progress,
                        )
                    };
                }
                match ranks.bytes {
                    1 => ranked!(u8),
                    2 => ranked!(u16),
                    _ => ranked!(u32),
                }
            }
        }
    }
}

/// Numbers of a known width.
struct Typed<'a, C> {
    numbers: &'a Numbers<'a>,
    code: PhantomData<fn() -> C>,
}

fn typed<'a, C>(numbers: &'a Numbers<'a>) -> Typed<'a, C> {
    Typed {
        numbers,
        code: PhantomData,
    }
}

/// A width of code as it stands in little-endian bytes.
trait FromBytes: Code {
    fn from_bytes(plain: Vec<u8>) -> Vec<Self>;
}

impl FromBytes for u8 {
    fn from_bytes(plain: Vec<u8>) -> Vec<u8> {
        plain
    }
}

impl FromBytes for u16 {
    fn from_bytes(plain: Vec<u8>) -> Vec<u16> {
        let (twos, _) = plain.as_chunks::<2>();
        twos.iter().copied().map(u16::from_le_bytes).collect()
    }
}

impl FromBytes for u32 {
    fn from_bytes(plain: Vec<u8>) -> Vec<u32> {
        let (fours, _) = plain.as_chunks::<4>();
        fours.iter().copied().map(u32::from_le_bytes).collect()
    }
}

impl<C: FromBytes> Source for Typed<'_, C> {
    type Code = C;
    type Error = TableError;

    fn slice(&self, number: usize) -> Result<Cow<'_, [C]>, TableError> {
        let mut plain = Vec::new();
        (self.numbers.read)(number, &mut plain)?;
        Ok(Cow::Owned(C::from_bytes(plain)))
    }
}
