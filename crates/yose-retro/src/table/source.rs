//! Where the bytes of a table come from.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::error::TableError;

/// Bytes that any number of threads can read at once.
#[derive(Debug)]
pub(super) enum Source {
    /// A file, read at offsets; its length when it was opened.
    File(File, u64),
    /// A file mapped into memory.
    #[cfg(feature = "mmap")]
    Map(memmap2::Mmap),
    /// Bytes in memory.
    Memory(Vec<u8>),
}

impl Source {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> Result<Source, TableError> {
        let fault = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => TableError::Missing {
                path: path.to_owned(),
            },
            _ => TableError::Io {
                path: path.to_owned(),
                source,
            },
        };
        // Before opening, because opening a pipe waits for its other end.
        if !std::fs::metadata(path).map_err(fault)?.is_file() {
            return Err(TableError::NotATable {
                path: path.to_owned(),
                expected: "a regular file",
                got: "a directory or a device".to_owned(),
            });
        }
        let file = File::open(path).map_err(fault)?;
        let length = file.metadata().map_err(fault)?.len();
        Ok(Source::File(file, length))
    }

    /// Opens a file and maps it.
    #[cfg(feature = "mmap")]
    pub(super) fn open_map(path: &Path) -> Result<Source, TableError> {
        let Source::File(file, length) = Source::open(path)? else {
            unreachable!("opened as a file");
        };
        if length == 0 {
            // Cannot be mapped.
            return Ok(Source::Memory(Vec::new()));
        }
        #[allow(unsafe_code, reason = "memmap2 leaves the promise below to the caller")]
        // SAFETY: the map is only read, and only as bytes, which any bit pattern is. Nobody may
        // change the file while it is mapped: `Table::open_mmap` says so, our writer never touches
        // a file that has its final name, and a chunk is checked against its checksums after it
        // was decompressed, so that bytes changed from outside do not go unnoticed either.
        let map = unsafe { memmap2::Mmap::map(&file) };
        map.map(Source::Map).map_err(|source| TableError::Io {
            path: path.to_owned(),
            source,
        })
    }

    /// Bytes in all.
    pub(super) fn len(&self) -> u64 {
        match self {
            Source::File(_, length) => *length,
            #[cfg(feature = "mmap")]
            Source::Map(map) => map.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The bytes in a range, read into `scratch` where they are not in memory. The caller has
    /// checked the range against [`len`](Source::len); a file may have become shorter since.
    pub(super) fn read<'a>(
        &'a self,
        range: Range<u64>,
        scratch: &'a mut Vec<u8>,
        path: &Path,
    ) -> Result<&'a [u8], TableError> {
        let truncated = |got| TableError::Truncated {
            path: path.to_owned(),
            expected: range.end,
            got,
        };
        if range.end > self.len() || range.start > range.end {
            return Err(truncated(self.len()));
        }
        let (Ok(start), Ok(end)) = (usize::try_from(range.start), usize::try_from(range.end))
        else {
            // More than this machine can address: only possible for a plain file.
            return self.read_file(range, scratch, path);
        };
        match self {
            Source::File(..) => self.read_file(range, scratch, path),
            #[cfg(feature = "mmap")]
            Source::Map(map) => map.get(start..end).ok_or_else(|| truncated(self.len())),
            Source::Memory(bytes) => bytes.get(start..end).ok_or_else(|| truncated(self.len())),
        }
    }

    fn read_file<'a>(
        &'a self,
        range: Range<u64>,
        scratch: &'a mut Vec<u8>,
        path: &Path,
    ) -> Result<&'a [u8], TableError> {
        let io_fault = |source| TableError::Io {
            path: path.to_owned(),
            source,
        };
        let (Source::File(file, _), Ok(length)) = (self, usize::try_from(range.end - range.start))
        else {
            return Err(io_fault(io::ErrorKind::OutOfMemory.into()));
        };
        scratch.clear();
        scratch.resize(length, 0);
        match read_at(file, scratch, range.start) {
            Ok(()) => Ok(scratch),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(TableError::Truncated {
                    path: path.to_owned(),
                    expected: range.end,
                    got: file.metadata().map_err(io_fault)?.len(),
                })
            }
            Err(error) => Err(io_fault(error)),
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
