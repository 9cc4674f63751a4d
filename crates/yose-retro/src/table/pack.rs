//! Compressing chunks on several threads.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::coding::Width;
use super::error::WriteError;

/// How hard zstd looks for repetitions. Changing these two changes every fingerprint. `docs/FORMAT.md`
/// has the figures.
const LEVEL: i32 = 1;
/// Shortest repetition that zstd looks for, in bytes: less than this is cheaper as single numbers.
const MIN_MATCH: u32 = 7;

/// Bytes of numbers that a thread takes at a time, about.
const PIECE_BYTES: usize = 1 << 20;
/// Pieces of a batch for each thread.
const PIECES_A_THREAD: usize = 4;

/// A compressed chunk: where it is in its piece, and what the index says of it.
#[derive(Debug)]
pub(super) struct PackedChunk {
    pub(super) start: u64,
    pub(super) length: u64,
    pub(super) packed_hash: u64,
    pub(super) plain_hash: u64,
    pub(super) greatest: u32,
}

/// Compressed chunks that follow each other.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) chunks: Vec<PackedChunk>,
}

/// Compressors, one a thread, and room for what they make.
#[derive(Default)]
pub(super) struct Packers {
    chunk_bytes: usize,
    chunks_a_piece: usize,
    compressors: Vec<Compressor<'static>>,
    pieces: Vec<Mutex<Piece>>,
}

impl Packers {
    pub(super) fn new(chunk_bytes: usize, threads: NonZeroUsize) -> Result<Packers, WriteError> {
        let threads = threads.get();
        let compressors = (0..threads)
            .map(|_| compressor().map_err(WriteError::Compress))
            .collect::<Result<_, _>>()?;
        Ok(Packers {
            chunk_bytes,
            chunks_a_piece: (PIECE_BYTES / chunk_bytes).max(1),
            compressors,
            pieces: (0..threads * PIECES_A_THREAD)
                .map(|_| Mutex::default())
                .collect(),
        })
    }

    /// Bytes to give to [`pack`](Packers::pack) at once.
    pub(super) fn batch_bytes(&self) -> usize {
        self.piece_bytes() * self.pieces.len()
    }

    fn piece_bytes(&self) -> usize {
        self.chunk_bytes * self.chunks_a_piece
    }

    /// Compresses at most a batch of whole chunks, of which only the very last of a table may be
    /// short. The pieces are in the order of the chunks.
    pub(super) fn pack(
        &mut self,
        plain: &[u8],
        width: Width,
    ) -> Result<impl Iterator<Item = &mut Piece>, WriteError> {
        let (piece_bytes, chunk_bytes) = (self.piece_bytes(), self.chunk_bytes);
        let count = plain.len().div_ceil(piece_bytes);
        let pieces = &self.pieces[..count];
        let next = AtomicUsize::new(0);
        let work = |compressor: &mut Compressor<'static>| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(number) else {
                    return Ok(());
                };
                let end = plain.len().min((number + 1) * piece_bytes);
                let mut piece = piece.lock().unwrap_or_else(PoisonError::into_inner);
                let plain = &plain[number * piece_bytes..end];
                piece.fill(plain, chunk_bytes, width, compressor)?;
            }
        };
        let threads = self.compressors.len().min(count);
        if let [own, helpers @ ..] = &mut self.compressors[..threads] {
            thread::scope(|scope| {
                let helpers: Vec<_> = helpers
                    .iter_mut()
                    .map(|compressor| scope.spawn(|| work(compressor)))
                    .collect();
                let mut result = work(own);
                for helper in helpers {
                    let theirs = helper.join();
                    let theirs = theirs.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    result = result.and(theirs);
                }
                result
            })?;
        }
        let pieces = self.pieces[..count].iter_mut();
        Ok(pieces.map(|piece| piece.get_mut().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::MinMatch(MIN_MATCH))?;
    Ok(compressor)
}

impl Piece {
    /// Replaces what is here by the compressed chunks of `plain`.
    fn fill(
        &mut self,
        plain: &[u8],
        chunk_bytes: usize,
        width: Width,
        compressor: &mut Compressor<'static>,
    ) -> Result<(), WriteError> {
        self.bytes.clear();
        self.chunks.clear();
        for plain in plain.chunks(chunk_bytes) {
            let start = self.bytes.len();
            // zstd never needs more than this.
            let most = plain.len() + plain.len() / 256 + 64;
            self.bytes.resize(start + most, 0);
            let length = compressor
                .compress_to_buffer(plain, &mut self.bytes[start..])
                .map_err(WriteError::Compress)?;
            self.bytes.truncate(start + length);
            self.chunks.push(PackedChunk {
                start: start as u64,
                length: length as u64,
                packed_hash: xxh3_64(&self.bytes[start..]),
                plain_hash: xxh3_64(plain),
                greatest: width.greatest(plain),
            });
        }
        Ok(())
    }
}
