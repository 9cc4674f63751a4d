//! Writing tables.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::coding::Width;
use super::error::WriteError;
use super::fingerprint::Fingerprint;
use super::header::{Header, Metric};
use super::pack::Packers;
use super::sections::{Entry, FOOTER_BYTES, Footer, entries_to_bytes};
use super::summary::Summary;
use super::temporary::Temporary;

/// Writes a table in order of slots.
///
/// The bytes go to a temporary file in the same directory, which replaces the final name only once
/// all is written and synced: see [`finish`](TableWriter::finish). A writer that is dropped earlier
/// removes it.
///
/// ```
/// use std::num::NonZeroUsize;
/// use yose_retro::table::{CHUNK_SLOTS, Header, Metric, Summary, Table, TableWriter};
/// use yose_retro::tally::HistogramRow;
/// use yose_retro::Outcome;
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("tiny.yose");
/// let header = Header {
///     game: "tiny".to_owned(),
///     inventory: "-".to_owned(),
///     rules_hash: [0; 32],
///     index_version: 1,
///     metric: Metric::Depth,
///     slots: 4,
///     chunk_slots: CHUNK_SLOTS,
///     greatest: 3,
/// };
/// let rows = [(Outcome::Win, Some(1)), (Outcome::Win, Some(3)), (Outcome::Loss, Some(2))];
/// let rows = rows.map(|(value, depth)| HistogramRow { value, depth, canonical: 1, all: 4 });
///
/// let mut writer = TableWriter::create(&path, header, NonZeroUsize::MIN)?;
/// writer.write(&[1, 2])?;
/// writer.write(&[3, 0])?;
/// let fingerprint = writer.finish(&Summary::new(rows.to_vec(), None))?;
///
/// let table = Table::open(&path)?;
/// assert_eq!(table.value(2)?, 3);
/// assert_eq!(table.fingerprint()?, fingerprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableWriter {
    header: Header,
    path: PathBuf,
    temporary: Temporary,
    hasher: blake3::Hasher,
    /// Bytes in the file so far.
    offset: u64,
    header_hash: u64,
    entries: Vec<Entry>,
    packers: Packers,
    /// Numbers not yet compressed, fewer than a batch.
    pending: Vec<u8>,
    /// Bytes of numbers taken so far.
    taken: u64,
    greatest: u32,
    failed: bool,
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter")
            .field("path", &self.path)
            .field("header", &self.header)
            .field("taken", &self.taken)
            .finish_non_exhaustive()
    }
}

impl TableWriter {
    /// Begins a table that shall be at `path`, compressing on `threads` threads. The bytes of the
    /// file do not depend on their number. Takes up to 8 MiB of memory a thread, and 32 bytes for
    /// each chunk.
    ///
    /// # Errors
    ///
    /// [`WriteError::Header`], [`WriteError::NotAFile`] if `path` is a device or a directory, or
    /// [`WriteError::Io`].
    pub fn create(
        path: impl AsRef<Path>,
        header: Header,
        threads: NonZeroUsize,
    ) -> Result<TableWriter, WriteError> {
        header.check()?;
        let path = path.as_ref();
        let chunk_bytes = header.width().bytes(header.chunk_slots);
        let packers = Packers::new(chunk_bytes, threads)?;
        let bytes = header.to_bytes();
        let mut writer = TableWriter {
            path: path.to_owned(),
            temporary: Temporary::beside(path)?,
            hasher: blake3::Hasher::new(),
            offset: 0,
            header_hash: xxh3_64(&bytes),
            entries: Vec::new(),
            packers,
            pending: Vec::new(),
            taken: 0,
            greatest: 0,
            failed: false,
            header,
        };
        writer.put(&bytes)?;
        Ok(writer)
    }

    /// Takes the numbers of the next slots in the coding of the header's [`Width`]. They may come
    /// in pieces of any length; long ones, of a few MiB, are compressed without being copied.
    ///
    /// # Errors
    ///
    /// [`WriteError::Length`] if these are more than the header's slots, [`WriteError::Value`] if
    /// one is greater than the header's greatest, which may come to light only some MiB later,
    /// [`WriteError::UnusedBits`], [`WriteError::Io`] if the file cannot be written. After an error
    /// every further call fails.
    pub fn write(&mut self, plain: &[u8]) -> Result<(), WriteError> {
        self.guarded(|writer| writer.take(plain))
    }

    /// Completes the file, syncs it, gives it its final name, replacing a file that has it, and
    /// syncs the directory. When this returns the table is on the disk.
    ///
    /// # Errors
    ///
    /// [`WriteError::Length`] if slots are missing, [`WriteError::Greatest`] if the header's
    /// greatest number did not occur, [`WriteError::Summary`], [`WriteError::Io`]. Then there is
    /// no new file under the final name, and the temporary file is removed. Only if nothing but the
    /// last step fails, syncing the directory, the new file is there all the same.
    pub fn finish(mut self, summary: &Summary) -> Result<Fingerprint, WriteError> {
        self.guarded(|writer| writer.complete(summary))?;
        self.temporary.publish(&self.path)?;
        Ok(self.hasher.finalize().into())
    }

    /// Runs a step, none after one that failed.
    fn guarded(
        &mut self,
        step: impl FnOnce(&mut TableWriter) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        if self.failed {
            return Err(WriteError::Failed);
        }
        // Stays set if the step panics.
        self.failed = true;
        step(self)?;
        self.failed = false;
        Ok(())
    }

    fn take(&mut self, plain: &[u8]) -> Result<(), WriteError> {
        let got = self.taken.saturating_add(plain.len() as u64);
        let expected = self.header.plain_bytes();
        if got > expected {
            return Err(WriteError::Length { expected, got });
        }
        if got == expected && self.header.width() == Width::Bits2 {
            let used = self.header.slots % 4;
            let unused = plain.last().map_or(0, |last| last >> (2 * used));
            if used != 0 && unused != 0 {
                return Err(WriteError::UnusedBits { got: unused });
            }
        }
        self.taken = got;
        let batch = self.packers.batch_bytes();
        let mut rest = plain;
        if !self.pending.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(batch - self.pending.len()));
            self.pending.extend_from_slice(now);
            rest = later;
            if self.pending.len() == batch {
                let full = std::mem::take(&mut self.pending);
                self.pack(&full)?;
                self.pending = full;
                self.pending.clear();
            }
        }
        while rest.len() >= batch {
            let (now, later) = rest.split_at(batch);
            self.pack(now)?;
            rest = later;
        }
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// Compresses whole chunks and puts them into the file.
    fn pack(&mut self, plain: &[u8]) -> Result<(), WriteError> {
        let width = self.header.width();
        let mut packers = std::mem::take(&mut self.packers);
        for piece in packers.pack(plain, width)? {
            for chunk in &piece.chunks {
                self.check(chunk.greatest)?;
                self.entries.push(Entry {
                    offset: self.offset + chunk.start,
                    length: chunk.length,
                    packed_hash: chunk.packed_hash,
                    plain_hash: chunk.plain_hash,
                });
            }
            self.put(&piece.bytes)?;
        }
        self.packers = packers;
        Ok(())
    }

    /// Compares the greatest number of the next chunk with the header.
    fn check(&mut self, got: u32) -> Result<(), WriteError> {
        if got > self.header.greatest {
            let number = self.entries.len() as u64;
            let first_slot = number * u64::from(self.header.chunk_slots);
            return Err(WriteError::Value {
                first_slot,
                last_slot: first_slot + u64::from(self.header.slots_in(number)) - 1,
                greatest: self.header.greatest,
                got,
            });
        }
        self.greatest = self.greatest.max(got);
        Ok(())
    }

    fn complete(&mut self, summary: &Summary) -> Result<(), WriteError> {
        let expected = self.header.plain_bytes();
        if self.taken != expected {
            return Err(WriteError::Length {
                expected,
                got: self.taken,
            });
        }
        summary.check(&self.header)?;
        let last = std::mem::take(&mut self.pending);
        self.pack(&last)?;
        if self.header.metric != Metric::Wdl && self.greatest != self.header.greatest {
            return Err(WriteError::Greatest {
                expected: self.header.greatest,
                got: self.greatest,
            });
        }
        let index = entries_to_bytes(&self.entries);
        let summary = summary.to_bytes();
        let index_offset = self.offset;
        let summary_offset = index_offset + index.len() as u64;
        let footer = Footer {
            file_bytes: summary_offset + (summary.len() + FOOTER_BYTES) as u64,
            index_offset,
            summary_offset,
            header_hash: self.header_hash,
            index_hash: xxh3_64(&index),
            summary_hash: xxh3_64(&summary),
        };
        self.put(&index)?;
        self.put(&summary)?;
        self.put(&footer.to_bytes())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.temporary.write(bytes)?;
        self.hasher.update(bytes);
        self.offset += bytes.len() as u64;
        Ok(())
    }
}
