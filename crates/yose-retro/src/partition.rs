//! A game cut into cells, as the solvers see it that do not hold it in one piece.

use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::ops::AddAssign;

use thiserror::Error;

/// Bytes that are not what [`Pack::pack`] writes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadBytes(pub String);

impl From<BadBytes> for io::Error {
    fn from(bad: BadBytes) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, bad)
    }
}

/// What can be written as bytes and read again, of which there may be many.
pub trait Pack: Sized + Send + Sync {
    /// Writes the bytes.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    fn pack(&self, out: &mut impl Write) -> io::Result<()>;
    /// Reads so many bytes, all of them. Memory grows with what was read.
    ///
    /// # Errors
    ///
    /// Those of `from`, and [`BadBytes`] as invalid data if the bytes are not of such a thing.
    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self>;
    /// The same in place of this one, whose memory can be used again.
    ///
    /// # Errors
    ///
    /// As [`unpack`](Pack::unpack).
    fn unpack_over(self, from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        drop(self);
        Self::unpack(from, bytes)
    }

    /// The bytes in one piece.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // A vector takes all that it is given.
        let _ = self.pack(&mut bytes);
        bytes
    }

    /// What [`to_bytes`](Pack::to_bytes) gave.
    ///
    /// # Errors
    ///
    /// If the bytes are not of such a thing.
    fn from_bytes(mut bytes: &[u8]) -> Result<Self, BadBytes> {
        let length = bytes.len() as u64;
        Self::unpack(&mut bytes, length).map_err(|error| BadBytes(error.to_string()))
    }
}

/// Bytes of memory that the parts of a cell take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellBytes {
    /// What nobody else reads.
    pub own: u64,
    /// Decided as won.
    pub won: u64,
    /// A frontier at most.
    pub frontier: u64,
    /// The values of a cell, a byte each.
    pub slots: u64,
}

/// A partitioned game. Cells are numbered in the order of their slots in a table. Work on a cell writes only what is of that cell.
pub trait Partition: Sync {
    /// What nobody else reads.
    type Own: Pack;
    /// Decided as won: read by the parents' cells.
    type Won: Pack + Clone;
    /// Positions of a cell newly decided, as the parents read them.
    type Frontier: Pack + Clone;
    /// Counts.
    type Decided: Pack + Copy + AddAssign + Default + Debug + Send;
    /// What a thread needs for itself.
    type Scratch: Send;

    /// Number of cells.
    fn cells(&self) -> usize;
    /// What a cell takes.
    fn cell_bytes(&self, cell: usize) -> CellBytes;
    /// What each thread needs for itself, in bytes.
    fn scratch_bytes(&self) -> u64;
    /// Cells of one orbit belong to one worker.
    fn orbit(&self, cell: usize) -> usize;
    /// The cells whose frontiers and won sets a cell reads, each once.
    fn children(&self, cell: usize) -> &[usize];
    /// New scratch.
    fn scratch(&self) -> Self::Scratch;
    /// Ply 1.
    fn first(&self, cell: usize) -> (Self::Own, Self::Won, Self::Decided);
    /// Ply 2: everything undecided may be lost.
    fn candidates_all(&self, cell: usize, own: &mut Self::Own, scratch: &mut Self::Scratch);
    /// The parents in `cell` of a frontier of `child`.
    fn collect(
        &self,
        cell: usize,
        child: usize,
        frontier: &Self::Frontier,
        own: &mut Self::Own,
        scratch: &mut Self::Scratch,
    );
    /// Whether anything is collected.
    fn has_collected(&self, scratch: &Self::Scratch) -> bool;
    /// What is collected is won.
    fn wins(
        &self,
        cell: usize,
        ply: u32,
        own: &mut Self::Own,
        won: &mut Self::Won,
        scratch: &mut Self::Scratch,
    ) -> (Self::Frontier, Self::Decided);
    /// Takes away what a move into one of these children, given with their won sets, saves.
    fn look(
        &self,
        cell: usize,
        children: &[(usize, &Self::Won)],
        own: &mut Self::Own,
        scratch: &mut Self::Scratch,
    );
    /// The same, after which all children have been looked at: what is left of the collected is lost.
    fn losses(
        &self,
        cell: usize,
        ply: u32,
        children: &[(usize, &Self::Won)],
        own: &mut Self::Own,
        scratch: &mut Self::Scratch,
    ) -> (Self::Frontier, Self::Decided);
    /// A ghost copy of a won set follows its owner.
    fn absorb(&self, cell: usize, won: &mut Self::Won, frontier: &Self::Frontier);
    /// Whether a frontier has no position.
    fn is_empty(&self, frontier: &Self::Frontier) -> bool;
    /// Makes one frontier of two of the same cell.
    fn join(&self, frontier: &mut Self::Frontier, other: Self::Frontier);
    /// Whether what was read of a cell is of this game. If not, other methods may panic that are given it.
    fn own_fits(&self, cell: usize, own: &Self::Own) -> bool;
    /// The same of a won set.
    fn won_fits(&self, cell: usize, won: &Self::Won) -> bool;
    /// The same of a frontier.
    fn frontier_fits(&self, cell: usize, frontier: &Self::Frontier) -> bool;
    /// Bytes of memory that a frontier takes.
    fn frontier_bytes(&self, frontier: &Self::Frontier) -> u64;
    /// How many positions are counted.
    fn count(&self, decided: &Self::Decided) -> u64;
    /// The undecided positions of a cell.
    fn draws(&self, cell: usize, own: &Self::Own) -> Self::Decided;
    /// The outcomes of a cell's slots in order, as [`Numbers::Outcomes`] has them.
    fn outcomes(&self, cell: usize, own: &Self::Own, won: &Self::Won) -> Vec<u8>;
    /// The distances of a cell's slots in order, as [`Numbers::Depths`] of so many bytes has them, before
    /// any frontier is [entered](Partition::enter): 1 for what is won, at whatever ply, and 0 for the rest.
    fn won_at_once(&self, cell: usize, won: &Self::Won, bytes: usize) -> Vec<u8>;
    /// Enters the ply of a frontier of the cell, which so many bytes can hold, into its distances. Once all are
    /// entered, in any order, the distances are right.
    fn enter(
        &self,
        cell: usize,
        ply: u32,
        frontier: &Self::Frontier,
        bytes: usize,
        distances: &mut [u8],
    );
}

/// What is wanted of each slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// A byte: 0 for a draw or a hole, 1 for a win, 2 for a loss.
    Outcomes,
    /// Plies, as little-endian numbers of so many bytes.
    Depths(usize),
}

/// What is to be done with a partitioned game, whatever its types.
pub trait Visitor<D> {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<P: Partition<Decided = D>>(self, partition: &P) -> Self::Output;
}
