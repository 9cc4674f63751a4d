//! What is known of a solve beside the sets themselves: how far it has come.

use yose_retro::partition::Pack;
use yose_store::Generation;

use crate::Order;
use crate::error::DiskError;
use crate::slots::Id;

/// A frontier that has been written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// Numbers of a log rise, not always by one.
    pub(crate) number: usize,
    /// Odd for wins, even for losses.
    pub(crate) ply: u32,
    /// How many positions.
    pub(crate) positions: u64,
}

/// The frontiers of a cell, in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) parts: Vec<Part>,
    /// How many stretches there are of those before, which only the values need.
    pub(crate) stretches: usize,
    /// More than any number until now.
    pub(crate) end: usize,
}

impl Log {
    /// The parts from this number on.
    pub(crate) fn since(&self, number: usize) -> &[Part] {
        &self.parts[self.parts.partition_point(|part| part.number < number)..]
    }

    /// The part of a ply, in a log by plies.
    pub(crate) fn at(&self, ply: u32) -> Option<Part> {
        let rest = &self.parts[self.parts.partition_point(|part| part.ply < ply)..];
        rest.first().filter(|part| part.ply == ply).copied()
    }

    pub(crate) fn append(&mut self, parts: impl IntoIterator<Item = Part>) {
        self.parts.extend(parts);
        if let Some(last) = self.parts.last() {
            self.end = self.end.max(last.number + 1);
        }
    }
}

/// How far a solve has come. With the sets that it speaks of, this is the whole state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ledger<D> {
    pub(crate) order: Order,
    /// The ply that is being decided; 0 when all is decided. Orders other than by plies decide all
    /// later ones in ply 2.
    pub(crate) ply: u32,
    /// By cell: whether it has done this ply; in other orders, whether it has been visited.
    pub(crate) done: Vec<bool>,
    /// By cell and child: the number of the first part of the child's log that was not read.
    pub(crate) read: Vec<Vec<usize>>,
    pub(crate) logs: Vec<Log>,
    /// What was decided, by ply from the first; in other orders wins and losses.
    pub(crate) levels: Vec<D>,
    /// How often a cell was worked on.
    pub(crate) visits: u64,
}

const MAGIC: &[u8; 8] = b"YOSEDISK";
const VERSION: u64 = 3;

impl<D: Pack + Copy> Ledger<D> {
    pub(crate) fn new(order: Order, children: &[usize]) -> Ledger<D> {
        Ledger {
            order,
            ply: 1,
            done: vec![false; children.len()],
            read: children.iter().map(|&count| vec![0; count]).collect(),
            logs: vec![Log::default(); children.len()],
            levels: Vec::new(),
            visits: 0,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let mut put = |number: u64| out.extend(number.to_le_bytes());
        put(VERSION);
        put(self.order.is_by_ply().into());
        put(self.ply.into());
        put(self.visits);
        put(self.done.len() as u64);
        for ((done, read), log) in self.done.iter().zip(&self.read).zip(&self.logs) {
            put(u64::from(*done));
            put(read.len() as u64);
            read.iter().for_each(|&number| put(number as u64));
            put(log.stretches as u64);
            put(log.end as u64);
            put(log.parts.len() as u64);
            for part in &log.parts {
                put(part.number as u64);
                put(part.ply.into());
                put(part.positions);
            }
        }
        put(self.levels.len() as u64);
        for level in &self.levels {
            let bytes = level.to_bytes();
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, of a game with so many children by cell.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        order: Order,
        children: &[usize],
    ) -> Result<Ledger<D>, DiskError> {
        let mut reader = Reader { rest: bytes };
        reader
            .ledger(order, children)
            .filter(|_| reader.rest.is_empty())
            .ok_or_else(|| {
                let at = bytes.len() - reader.rest.len();
                let why = format!("expected the ledger of such a solve, it differs at byte {at}");
                DiskError::state("what is published with it", why)
            })
    }

    /// The parts that are kept, as ids of a pool.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Id> {
        let logs = self.logs.iter().enumerate();
        logs.flat_map(|(cell, log)| log.parts.iter().map(move |part| (cell, part.number)))
    }

    /// The stretches of those before, as ids of another pool.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = Id> {
        let logs = self.logs.iter().enumerate();
        logs.flat_map(|(cell, log)| (0..log.stretches).map(move |number| (cell, number)))
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// A number of parts or bytes; more than these would not be of any solve.
    fn size(&mut self) -> Option<usize> {
        let number = u32::try_from(self.number()?).ok()?;
        usize::try_from(number).ok()
    }

    /// A count of things of 8 bytes at least, all of which must still be there.
    fn count(&mut self) -> Option<usize> {
        let count = self.size()?;
        (count <= self.rest.len() / 8).then_some(count)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn ledger<D: Pack>(&mut self, order: Order, children: &[usize]) -> Option<Ledger<D>> {
        let (magic, rest) = self.rest.split_first_chunk::<8>()?;
        self.rest = rest;
        let known = magic == MAGIC && self.number()? == VERSION;
        if !known || self.flag()? != order.is_by_ply() {
            return None;
        }
        let ply = u32::try_from(self.number()?).ok()?;
        let visits = self.number()?;
        if self.count()? != children.len() {
            return None;
        }
        let mut ledger = Ledger {
            order,
            ply,
            done: Vec::new(),
            read: Vec::new(),
            logs: Vec::new(),
            levels: Vec::new(),
            visits,
        };
        for &count in children {
            ledger.done.push(self.flag()?);
            if self.count()? != count {
                return None;
            }
            let read: Option<_> = (0..count).map(|_| self.size()).collect();
            ledger.read.push(read?);
            let stretches = self.size()?;
            let end = self.size()?;
            let parts = self.count()?;
            let parts: Option<Vec<Part>> = (0..parts).map(|_| self.part()).collect();
            let parts = parts?;
            let rising = parts.is_sorted_by(|a, b| a.number < b.number);
            if !rising || parts.last().is_some_and(|last| last.number >= end) {
                return None;
            }
            ledger.logs.push(Log {
                parts,
                stretches,
                end,
            });
        }
        for _ in 0..self.count()? {
            let length = self.size()?;
            let (level, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            ledger.levels.push(D::from_bytes(level).ok()?);
        }
        Some(ledger)
    }

    fn part(&mut self) -> Option<Part> {
        Some(Part {
            number: self.size()?,
            ply: u32::try_from(self.number()?).ok()?,
            positions: self.number()?,
        })
    }
}

/// What a generation of a store says of a solve; `None` before its first checkpoint.
pub(crate) fn published<D: Pack + Copy>(
    generation: &Generation,
    order: Order,
    children: &[usize],
) -> Result<Option<Ledger<D>>, DiskError> {
    let payload = generation.payload();
    payload
        .map(|bytes| Ledger::from_bytes(bytes, order, children))
        .transpose()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use super::*;
    use yose_retro::partition::BadBytes;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Count(u8);

    impl Pack for Count {
        fn pack(&self, out: &mut impl Write) -> io::Result<()> {
            out.write_all(&[self.0])
        }

        fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
            let mut count = [0];
            if bytes != 1 {
                return Err(BadBytes("expected one byte".to_owned()).into());
            }
            from.read_exact(&mut count)?;
            Ok(Count(count[0]))
        }
    }

    fn some() -> Ledger<Count> {
        let mut ledger = Ledger::new(Order::Inbox, &[2, 0, 1]);
        ledger.ply = 2;
        ledger.done[1] = true;
        ledger.read[0][1] = 7;
        let part = |number, ply, positions| Part {
            number,
            ply,
            positions,
        };
        ledger.logs[2].append([part(3, 1, 9), part(6, 2, 4)]);
        ledger.logs[1].stretches = 2;
        ledger.levels = vec![Count(1), Count(2)];
        ledger
    }

    #[test]
    fn what_is_written_is_read() {
        let ledger = some();
        let read = Ledger::from_bytes(&ledger.to_bytes(), Order::Inbox, &[2, 0, 1]).unwrap();
        assert_eq!(ledger, read);
        assert!(read.parts().eq([(2, 3), (2, 6)]));
        assert!(read.stretches().eq([(1, 0), (1, 1)]));
        assert_eq!(read.logs[2].since(4).len(), 1);
        assert_eq!(read.logs[2].end, 7);
    }

    #[test]
    fn nothing_else_is_read() {
        let bytes = some().to_bytes();
        let read = |bytes: &[u8], order, children: &[usize]| {
            Ledger::<Count>::from_bytes(bytes, order, children).is_ok()
        };
        assert!(!read(&bytes, Order::Plies, &[2, 0, 1]));
        assert!(!read(&bytes, Order::Inbox, &[2, 0, 2]));
        assert!(!read(&bytes, Order::Inbox, &[2, 0]));
        for end in 0..bytes.len() {
            assert!(!read(&bytes[..end], Order::Inbox, &[2, 0, 1]), "{end}");
        }
        // Any byte may be anything: that is an error or another ledger, no panic and no great vector.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            let _ = read(&changed, Order::Inbox, &[2, 0, 1]);
        }
    }
}
