//! Writing and reading one object.

use std::fmt;
use std::io::{self, Read, Write};

use crate::error::StoreError;
use crate::format::{Framer, Unframer};
use crate::object::Object;
use crate::store::Store;

/// An object being written: see [`Store::writer`]. Dropped before
/// [`finish`](ObjectWriter::finish), it leaves nothing.
pub struct ObjectWriter<'a> {
    pub(crate) store: &'a Store,
    pub(crate) framer: Framer,
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) failed: bool,
}

impl ObjectWriter<'_> {
    /// Writes all of `bytes`; what [`Write`] does, with the store's own error.
    ///
    /// # Errors
    ///
    /// As [`Store::put`]. After an error the object cannot be finished.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        if self.failed {
            return Err(self.failure());
        }
        let result = self.framer.write(bytes);
        self.failed = result.is_err();
        result
    }

    /// Bytes written so far.
    pub fn plain_bytes(&self) -> u64 {
        self.framer.plain_bytes
    }

    fn failure(&self) -> StoreError {
        StoreError::Failed {
            path: self.store.object_path(&self.file),
        }
    }

    /// Completes the object. It can be read at once; it survives a power cut once it was published
    /// or [synced](Store::sync).
    ///
    /// # Errors
    ///
    /// As [`Store::put`].
    pub fn finish(mut self) -> Result<Object, StoreError> {
        if self.failed {
            return Err(self.failure());
        }
        let digest = self.framer.finish()?;
        let object = Object {
            name: self.name,
            file: self.file,
            plain_bytes: self.framer.plain_bytes,
            stored_bytes: self.framer.stored_bytes,
            digest,
        };
        self.store.wrote(&object);
        Ok(object)
    }
}

impl Write for ObjectWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes).map_err(StoreError::into_io)?;
        Ok(bytes.len())
    }

    /// Does nothing: blocks are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for ObjectWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectWriter")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

/// An object being read: see [`Store::read`]. Every byte it gives was checked before; the last
/// block is given only if the whole object was right. Holds two blocks of 256 KiB (and, from a
/// remote store, one part of 16 MiB).
pub struct ObjectReader(pub(crate) Unframer);

impl ObjectReader {
    /// The next block as it lies in memory, at most 256 KiB, `None` after the last. Do not mix
    /// with [`Read`], which remembers what it has given of a block.
    ///
    /// # Errors
    ///
    /// As [`Store::read`].
    pub fn next_block(&mut self) -> Result<Option<&[u8]>, StoreError> {
        self.0.next_block()
    }

    /// Fills the buffer; what [`Read::read_exact`] does, with the store's own error.
    ///
    /// # Errors
    ///
    /// As [`Store::read`]; [`StoreError::Length`] if the object ends first.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<(), StoreError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read(&mut buffer[filled..])? {
                0 => return Err(self.0.too_short((buffer.len() - filled) as u64)),
                length => filled += length,
            }
        }
        Ok(())
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(StoreError::into_io)
    }
}

impl fmt::Debug for ObjectReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ObjectReader").finish_non_exhaustive()
    }
}
