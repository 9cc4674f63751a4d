//! Reading tables.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use super::bytes::differ;
use super::cache::Cache;
use super::coding::Width;
use super::error::{Part, TableError};
use super::fingerprint::Fingerprint;
use super::header::{Header, MOST_BYTES, Metric};
use super::sections::{
    ENTRY_BYTES, Entry, FOOTER_BYTES, Footer, LEAST_SUMMARY_BYTES, parse_entries,
};
use super::source::Source;
use super::summary::Summary;

/// Bytes of decompressed chunks that a table keeps unless told otherwise: 64 MiB.
pub const CACHE_BYTES: usize = 64 << 20;

/// Slots read and checked together.
#[derive(Debug)]
pub struct Chunk {
    first: u64,
    slots: u32,
    width: Width,
    plain: Vec<u8>,
}

impl Chunk {
    /// The slots of the chunk.
    #[must_use]
    pub fn slots(&self) -> Range<u64> {
        self.first..self.first + u64::from(self.slots)
    }

    /// The number of a slot, `None` if the slot is not in this chunk. Costs a few instructions.
    #[must_use]
    pub fn get(&self, slot: u64) -> Option<u32> {
        let at = slot.checked_sub(self.first)?;
        if at >= u64::from(self.slots) {
            return None;
        }
        self.width.get(&self.plain, usize::try_from(at).ok()?)
    }

    /// The numbers as bytes in the table's [`Width`].
    #[must_use]
    pub fn plain(&self) -> &[u8] {
        &self.plain
    }

    #[cfg(test)]
    pub(super) fn for_tests(bytes: usize) -> Chunk {
        Chunk {
            first: 0,
            slots: 0,
            width: Width::Bits8,
            plain: vec![0; bytes],
        }
    }
}

/// What a thread needs while it decompresses.
struct Workshop {
    decompressor: Decompressor<'static>,
    packed: Vec<u8>,
}

/// A table file, open for reading.
///
/// All methods take `&self`: share one table among threads. Opening reads header, list of chunks
/// (32 bytes for each 65,536 slots), summary and footer, and checks them; a chunk is checked each
/// time it is read. So a damaged file gives an error that names what is damaged and where, either
/// on opening or on reading a slot of the damaged chunk, and never a wrong number.
///
/// ```
/// # use yose_retro::table::*;
/// # let bytes = include_bytes!("../../../../tests/data/tables/tiny.yose").to_vec();
/// let table = Table::from_bytes(bytes)?;
/// assert_eq!(table.header().metric, Metric::Depth);
/// assert_eq!(table.value(2)?, 3);
/// assert!(matches!(table.value(10), Err(TableError::SlotOutOfRange { .. })));
/// # Ok::<(), TableError>(())
/// ```
pub struct Table {
    path: PathBuf,
    source: Source,
    header: Header,
    summary: Summary,
    entries: Vec<Entry>,
    cache: Mutex<Cache>,
    workshops: Mutex<Vec<Workshop>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("path", &self.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Opens a file, to be read at offsets.
    ///
    /// # Errors
    ///
    /// [`TableError::Missing`] if there is none; otherwise what is wrong with it.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        let path = path.as_ref();
        Table::from_source(Source::open(path)?, path)
    }

    /// Opens a file by mapping it into memory, which saves a system call and a copy for each chunk
    /// that is read. The answers are those of [`open`](Table::open).
    ///
    /// Nothing may shorten or change the file while the table is open. If something shortens it,
    /// the operating system ends the process (SIGBUS) when the missing part is read; other changes
    /// are noticed by the checksums, but only chunk by chunk as they are read. Replacing the file
    /// by renaming another one over it is safe, and that is what
    /// [`TableWriter`](super::TableWriter) does. Use `open` for files that others write to and on
    /// network file systems.
    ///
    /// # Errors
    ///
    /// As for [`open`](Table::open).
    #[cfg(feature = "mmap")]
    pub fn open_mmap(path: impl AsRef<Path>) -> Result<Table, TableError> {
        let path = path.as_ref();
        Table::from_source(Source::open_map(path)?, path)
    }

    /// A table whose file is in memory already.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::from_source(Source::Memory(bytes), Path::new("(memory)"))
    }

    fn from_source(source: Source, path: &Path) -> Result<Table, TableError> {
        let scratch = &mut Vec::new();
        let got = source.len();
        let front = source.read(0..got.min(MOST_BYTES as u64), scratch, path)?;
        let (header, header_bytes) = Header::parse(front, path)?;
        let header_hash = xxh3_64(&front[..header_bytes]);
        let header_bytes = header_bytes as u64;

        // At least a byte for each chunk. This bounds the list of chunks by the file's length.
        let tail = (FOOTER_BYTES + LEAST_SUMMARY_BYTES) as u64;
        let chunks = header.chunks().saturating_mul(ENTRY_BYTES as u64 + 1);
        let expected = chunks.saturating_add(header_bytes + tail);
        if got < expected {
            return Err(TableError::Truncated {
                path: path.to_owned(),
                expected,
                got,
            });
        }
        let footer_offset = got - FOOTER_BYTES as u64;
        let footer = source.read(footer_offset..got, scratch, path)?;
        let footer = Footer::parse(footer, &header, header_bytes, got, path)?;

        let check = |what, offset, expected, got| {
            if !differ(expected, got) {
                return Ok(());
            }
            Err(TableError::Checksum {
                path: path.to_owned(),
                what,
                offset,
                expected,
                got,
            })
        };
        check(Part::Header, 0, footer.header_hash, header_hash)?;
        let (index_offset, summary_offset) = (footer.index_offset, footer.summary_offset);
        let bytes = source.read(summary_offset..footer_offset, scratch, path)?;
        let hash = xxh3_64(bytes);
        check(Part::Summary, summary_offset, footer.summary_hash, hash)?;
        let summary = Summary::parse(bytes, &header, path, summary_offset)?;

        let bytes = source.read(index_offset..summary_offset, scratch, path)?;
        let hash = xxh3_64(bytes);
        check(Part::Index, index_offset, footer.index_hash, hash)?;
        let entries = parse_entries(bytes, &header, header_bytes, index_offset, path)?;
        Ok(Table {
            path: path.to_owned(),
            source,
            header,
            summary,
            entries,
            cache: Mutex::new(Cache::new(CACHE_BYTES)),
            workshops: Mutex::default(),
        })
    }

    /// The same table with room for this many bytes of decompressed chunks instead of
    /// [`CACHE_BYTES`]. A chunk has 65,536 slots, so 64 KiB where a number has a byte; with less
    /// than that nothing is kept and each call decompresses.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: usize) -> Table {
        self.cache = Mutex::new(Cache::new(bytes));
        self
    }

    /// What the table is about. Compare it with what you are about to ask: the game, and the hash
    /// of its rules.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Counts, histogram and start value.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The file, `(memory)` for one in memory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.source.len()
    }

    /// The number of a slot. Costs about 0.3 µs if the slot's chunk is in the cache, 0.1 ms if not.
    ///
    /// # Errors
    ///
    /// [`TableError::SlotOutOfRange`], or what is wrong with the file.
    pub fn value(&self, slot: u64) -> Result<u32, TableError> {
        let out_of_range = || TableError::SlotOutOfRange {
            path: self.path.clone(),
            slot,
            slots: self.header.slots,
        };
        let number = slot / u64::from(self.header.chunk_slots);
        let chunk = self.chunk(number).map_err(|error| match error {
            TableError::SlotOutOfRange { .. } => out_of_range(),
            other => other,
        })?;
        chunk.get(slot).ok_or_else(out_of_range)
    }

    /// Fills `values` with the numbers of the slots from `first` on.
    ///
    /// # Errors
    ///
    /// As for [`value`](Table::value); `values` may be filled in part.
    pub fn values(&self, first: u64, values: &mut [u32]) -> Result<(), TableError> {
        let end = first.saturating_add(values.len() as u64);
        if end > self.header.slots {
            return Err(TableError::SlotOutOfRange {
                path: self.path.clone(),
                slot: first.max(self.header.slots),
                slots: self.header.slots,
            });
        }
        let mut first = first;
        let mut left = values;
        while !left.is_empty() {
            let chunk = self.chunk(first / u64::from(self.header.chunk_slots))?;
            let have = usize::try_from(chunk.slots().end - first).unwrap_or(usize::MAX);
            let (now, later) = left.split_at_mut(have.min(left.len()));
            let at = usize::try_from(first - chunk.first).unwrap_or(usize::MAX);
            chunk.width.decode(&chunk.plain, at, now);
            first += now.len() as u64;
            left = later;
        }
        Ok(())
    }

    /// The chunk with this number, from the cache or the file. Slot `s` is in the chunk
    /// `s / header().chunk_slots`. Hold on to a chunk to read many slots near each other.
    ///
    /// # Errors
    ///
    /// As for [`value`](Table::value).
    pub fn chunk(&self, number: u64) -> Result<Arc<Chunk>, TableError> {
        if let Some(chunk) = lock(&self.cache).get(number) {
            return Ok(chunk);
        }
        // Not under the lock: two threads may do this at once for the same chunk.
        let slots = self.header.slots_in(number);
        let width = self.header.width();
        let mut plain = vec![0; width.bytes(slots)];
        self.load_chunk(number, &mut plain)?;
        let chunk = Arc::new(Chunk {
            first: number * u64::from(self.header.chunk_slots),
            slots,
            width,
            plain,
        });
        lock(&self.cache).insert(number, &chunk);
        Ok(chunk)
    }

    /// Decompresses a chunk into `plain`, past the cache: to read a whole table into memory, as
    /// many chunks at a time as there are threads. `plain` must be as long as the numbers of the
    /// chunk in the table's [`Width`]: `width.bytes(header.slots_in(number))`. Returns the greatest
    /// number in it. Costs about 0.05 ms for 65,536 slots.
    ///
    /// ```
    /// # use yose_retro::table::*;
    /// # let table = Table::from_bytes(include_bytes!("../../../../tests/data/tables/tiny.yose").to_vec())?;
    /// let (header, width) = (table.header(), table.header().width());
    /// let mut all = vec![0; header.plain_bytes() as usize];
    /// for (number, plain) in (0..).zip(all.chunks_mut(width.bytes(header.chunk_slots))) {
    ///     table.load_chunk(number, plain)?;
    /// }
    /// assert_eq!(width.get(&all, 2), Some(3));
    /// # Ok::<(), TableError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`value`](Table::value), and [`TableError::Buffer`].
    pub fn load_chunk(&self, number: u64, plain: &mut [u8]) -> Result<u32, TableError> {
        let entry = usize::try_from(number)
            .ok()
            .and_then(|number| self.entries.get(number));
        let Some(entry) = entry else {
            return Err(TableError::SlotOutOfRange {
                path: self.path.clone(),
                slot: number.saturating_mul(u64::from(self.header.chunk_slots)),
                slots: self.header.slots,
            });
        };
        let width = self.header.width();
        let length = width.bytes(self.header.slots_in(number));
        if plain.len() != length {
            return Err(TableError::Buffer {
                path: self.path.clone(),
                expected: length,
                got: plain.len(),
            });
        }
        let idle = lock(&self.workshops).pop();
        let mut workshop = match idle {
            Some(workshop) => workshop,
            None => Workshop {
                decompressor: Decompressor::new().map_err(|source| TableError::Io {
                    path: self.path.clone(),
                    source,
                })?,
                packed: Vec::new(),
            },
        };
        let greatest = self.unpack(number, entry, &mut workshop, plain);
        lock(&self.workshops).push(workshop);
        greatest
    }

    fn unpack(
        &self,
        number: u64,
        entry: &Entry,
        workshop: &mut Workshop,
        plain: &mut [u8],
    ) -> Result<u32, TableError> {
        let checksum = |expected, got| {
            if !differ(expected, got) {
                return Ok(());
            }
            Err(TableError::Checksum {
                path: self.path.clone(),
                what: Part::Chunk(number),
                offset: entry.offset,
                expected,
                got,
            })
        };
        let corrupt = |expected: String, got: String| TableError::Corrupt {
            path: self.path.clone(),
            what: Part::Chunk(number),
            offset: entry.offset,
            expected,
            got,
        };
        let range = entry.offset..entry.offset + entry.length;
        let packed = self.source.read(range, &mut workshop.packed, &self.path)?;
        checksum(entry.packed_hash, xxh3_64(packed))?;
        let unpacked = workshop.decompressor.decompress_to_buffer(packed, plain);
        let expected = || format!("a zstd frame of {} bytes", plain.len());
        match unpacked {
            Ok(length) if length == plain.len() => {}
            Ok(length) => return Err(corrupt(expected(), format!("{length} bytes"))),
            Err(error) => return Err(corrupt(expected(), error.to_string())),
        }
        checksum(entry.plain_hash, xxh3_64(plain))?;
        let width = self.header.width();
        let greatest = width.greatest(plain);
        if greatest > self.header.greatest {
            let expected = format!("numbers up to {}", self.header.greatest);
            return Err(corrupt(expected, greatest.to_string()));
        }
        let unused = match (width, self.header.slots_in(number) % 4) {
            (Width::Bits2, used @ 1..) => plain.last().map_or(0, |last| last >> (2 * used)),
            _ => 0,
        };
        if unused != 0 {
            let expected = "zeros after the last slot".to_owned();
            return Err(corrupt(expected, unused.to_string()));
        }
        Ok(greatest)
    }

    /// Reads every chunk, past the cache, and checks it as any reading does; and that the greatest
    /// number is that of the header. Costs one pass over the file and 0.7 ns a slot.
    ///
    /// # Errors
    ///
    /// What is wrong with the first damaged chunk.
    pub fn verify(&self, threads: NonZeroUsize) -> Result<(), TableError> {
        let next = AtomicU64::new(0);
        let fault: Mutex<Option<(u64, TableError)>> = Mutex::new(None);
        let work = || {
            let mut plain = Vec::new();
            let mut greatest = 0;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.entries.len() as u64 {
                    return greatest;
                }
                plain.resize(self.header.width().bytes(self.header.slots_in(number)), 0);
                match self.load_chunk(number, &mut plain) {
                    Ok(most) => greatest = greatest.max(most),
                    Err(error) => {
                        // Chunks before this one have been claimed, so their faults arrive too.
                        next.store(self.entries.len() as u64, Ordering::Relaxed);
                        let mut fault = lock(&fault);
                        if fault.as_ref().is_none_or(|(first, _)| number < *first) {
                            *fault = Some((number, error));
                        }
                        return greatest;
                    }
                }
            }
        };
        let greatest = thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads.get()).map(|_| scope.spawn(work)).collect();
            let own = work();
            helpers.into_iter().fold(own, |greatest, helper| {
                let theirs = helper.join();
                greatest.max(theirs.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        });
        if let Some((_, error)) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if self.header.metric != Metric::Wdl && greatest != self.header.greatest {
            return Err(TableError::Corrupt {
                path: self.path.clone(),
                what: Part::Header,
                offset: 28,
                expected: format!("the greatest number, {greatest}"),
                got: self.header.greatest.to_string(),
            });
        }
        Ok(())
    }

    /// Hashes the whole file. Costs one pass over the file and about 0.5 ns a byte. It says which
    /// file this is, not that the file is sound: for that see [`verify`](Table::verify).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is shorter than it was.
    pub fn fingerprint(&self) -> Result<Fingerprint, TableError> {
        let mut hasher = blake3::Hasher::new();
        let mut scratch = Vec::new();
        let end = self.source.len();
        let mut start = 0;
        while start < end {
            let stop = end.min(start + (1 << 20));
            hasher.update(self.source.read(start..stop, &mut scratch, &self.path)?);
            start = stop;
        }
        Ok(hasher.finalize().into())
    }
}

/// Locks what stays sound when a thread panics while holding it: cached chunks are never changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
