//! The bytes of an object's file: a header, then frames.
//!
//! All numbers are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `YOSEOBJ` and a zero |
//! | 4 | version of the format |
//! | 4 | bytes of a block |
//! | 8 | hash of the identity |
//! | 8 | seed of the checksums: the hash of the file's name |
//! | 8 | xxh3 of the 32 bytes before |
//!
//! | bytes | frame |
//! |---|---|
//! | 4 | bytes of the block before compression; all blocks but the last are full |
//! | 4 | bytes stored; as many as before if the block is stored as it is |
//! | 8 | xxh3 with seed + number of the frame, of the 8 bytes before and the stored bytes |
//! | n | the stored bytes |
//!
//! The digest of an object is the xxh3 of the header's and all frames' checksums in order. It
//! stands in the manifest, with both lengths, so a file that was cut, padded, exchanged for another
//! or put together from parts of others is noticed.

use std::io::{self, Read};

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};
use zstd::bulk::{Compressor, Decompressor};

use crate::error::StoreError;
use crate::object::Object;

pub(crate) const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"YOSEOBJ\0";
const HEADER_BYTES: usize = 40;
const FRAME_HEADER_BYTES: usize = 16;
/// Bytes of a block: large enough for the compressor, small enough to hold a few per thread.
pub(crate) const BLOCK_BYTES: usize = 1 << 18;
const BLOCK_BYTES_U32: u32 = 1 << 18;
const BLOCK_BYTES_U64: u64 = 1 << 18;

/// How the bytes of an object are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// As they are.
    Plain,
    /// Compressed by zstd at this level; blocks that would not shrink are stored as they are.
    /// Level 1 is the fastest that pays for most, higher ones take longer and shrink more.
    Zstd(i32),
}

impl Default for Coding {
    fn default() -> Coding {
        Coding::Zstd(1)
    }
}

/// Where the bytes of a file go.
pub(crate) trait Sink: Send {
    /// All of `bytes`.
    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError>;
    /// The file is complete and can be read, though not yet safe from a power cut.
    fn finish(&mut self) -> Result<(), StoreError>;
}

pub(crate) fn seed_of(file: &str) -> u64 {
    xxh3_64(file.as_bytes())
}

fn header(identity: u64, seed: u64) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&BLOCK_BYTES_U32.to_le_bytes());
    header[16..24].copy_from_slice(&identity.to_le_bytes());
    header[24..32].copy_from_slice(&seed.to_le_bytes());
    let checksum = xxh3_64(&header[..32]);
    header[32..].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// Turns bytes into frames.
pub(crate) struct Framer {
    sink: Box<dyn Sink>,
    seed: u64,
    compressor: Option<Compressor<'static>>,
    block: Vec<u8>,
    frame: Vec<u8>,
    packed: Vec<u8>,
    frames: u64,
    digest: Xxh3,
    pub(crate) plain_bytes: u64,
    pub(crate) stored_bytes: u64,
}

impl Framer {
    pub(crate) fn new(
        mut sink: Box<dyn Sink>,
        identity: u64,
        seed: u64,
        coding: Coding,
    ) -> Result<Framer, StoreError> {
        let compressor = match coding {
            Coding::Plain => None,
            Coding::Zstd(level) => Some(Compressor::new(level).map_err(StoreError::Compress)?),
        };
        let header = header(identity, seed);
        sink.write(&header)?;
        let mut digest = Xxh3::new();
        digest.update(&header[32..]);
        Ok(Framer {
            sink,
            seed,
            compressor,
            block: Vec::new(),
            frame: Vec::new(),
            packed: Vec::new(),
            frames: 0,
            digest,
            plain_bytes: 0,
            stored_bytes: HEADER_BYTES as u64,
        })
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        while !bytes.is_empty() {
            // Full blocks straight from the caller, without a copy.
            if self.block.is_empty() && bytes.len() >= BLOCK_BYTES {
                let (block, rest) = bytes.split_at(BLOCK_BYTES);
                self.put_block(block)?;
                bytes = rest;
                continue;
            }
            let room = BLOCK_BYTES - self.block.len();
            let (taken, rest) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(taken);
            bytes = rest;
            if self.block.len() == BLOCK_BYTES {
                self.put_buffered()?;
            }
        }
        Ok(())
    }

    fn put_buffered(&mut self) -> Result<(), StoreError> {
        let mut block = std::mem::take(&mut self.block);
        let result = self.put_block(&block);
        block.clear();
        self.block = block;
        result
    }

    fn put_block(&mut self, block: &[u8]) -> Result<(), StoreError> {
        let mut stored = block;
        if let Some(compressor) = &mut self.compressor {
            self.packed.clear();
            self.packed
                .reserve(zstd::zstd_safe::compress_bound(BLOCK_BYTES));
            compressor
                .compress_to_buffer(block, &mut self.packed)
                .map_err(StoreError::Compress)?;
            if self.packed.len() < block.len() {
                stored = &self.packed;
            }
        }
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
        self.frame.clear();
        self.frame.extend_from_slice(&length(block));
        self.frame.extend_from_slice(&length(stored));
        let checksum = checksum(self.seed, self.frames, &self.frame, stored);
        self.frame.extend_from_slice(&checksum.to_le_bytes());
        self.digest.update(&checksum.to_le_bytes());
        self.sink.write(&self.frame)?;
        self.sink.write(stored)?;
        self.frames += 1;
        self.plain_bytes += block.len() as u64;
        self.stored_bytes += (FRAME_HEADER_BYTES + stored.len()) as u64;
        Ok(())
    }

    /// Writes what is left and gives the digest.
    pub(crate) fn finish(&mut self) -> Result<u64, StoreError> {
        if !self.block.is_empty() {
            self.put_buffered()?;
        }
        self.sink.finish()?;
        Ok(self.digest.digest())
    }
}

/// Streaming is slower than one call for short input, and the lengths are 8 bytes: so these go
/// into the seed.
fn checksum(seed: u64, frame: u64, lengths: &[u8], stored: &[u8]) -> u64 {
    let seed = xxh3_64_with_seed(lengths, seed.wrapping_add(frame));
    xxh3_64_with_seed(stored, seed)
}

/// A frame that is being read.
struct Frame {
    header: [u8; FRAME_HEADER_BYTES],
    /// Bytes of its block, and of what is stored of it: no more than a block has.
    plain: u32,
    stored: u32,
}

/// Turns frames back into bytes, and gives none that were not checked.
pub(crate) struct Unframer {
    source: Box<dyn Read + Send>,
    path: String,
    object: Object,
    seed: u64,
    decompressor: Option<Decompressor<'static>>,
    stored: Vec<u8>,
    block: Vec<u8>,
    /// Bytes of `block` that were given out.
    given: usize,
    frames: u64,
    digest: Xxh3,
    /// Where in the file the next frame begins.
    offset: u64,
    /// Bytes of all blocks so far.
    plain: u64,
}

impl Unframer {
    /// Reads and checks the header. `length` is that of the file.
    pub(crate) fn new(
        source: Box<dyn Read + Send>,
        length: u64,
        path: String,
        object: Object,
        identity: u64,
    ) -> Result<Unframer, StoreError> {
        if length != object.stored_bytes {
            return Err(StoreError::Length {
                path,
                expected: object.stored_bytes,
                got: length,
            });
        }
        let seed = seed_of(&object.file);
        let mut reader = Unframer {
            source,
            path,
            object,
            seed,
            decompressor: None,
            stored: Vec::new(),
            block: Vec::new(),
            given: 0,
            frames: 0,
            digest: Xxh3::new(),
            offset: 0,
            plain: 0,
        };
        let mut found = [0; HEADER_BYTES];
        reader.fill(&mut found)?;
        let expected = header(identity, seed);
        let intact = xxh3_64(&found[..32]).to_le_bytes() == found[32..];
        if intact && found[8..12] != expected[8..12] {
            let mut version = [0; 4];
            version.copy_from_slice(&found[8..12]);
            return Err(StoreError::Version {
                path: reader.path,
                expected: VERSION,
                got: u32::from_le_bytes(version),
            });
        }
        if let Some(at) = (0..HEADER_BYTES).find(|&at| found[at] != expected[at]) {
            let what = match at {
                0..8 => "magic number",
                8..16 => "size of a block",
                16..24 => "hash of the identity",
                24..32 => "hash of the file name",
                _ => "checksum of the header",
            };
            return Err(reader.corrupt(what, hex(&expected[at..]), hex(&found[at..]), at as u64));
        }
        reader.digest.update(&found[32..]);
        reader.offset = HEADER_BYTES as u64;
        if reader.object.plain_bytes == 0 {
            reader.check_end()?;
        }
        Ok(reader)
    }

    fn corrupt(&self, what: &str, expected: String, got: String, offset: u64) -> StoreError {
        StoreError::Corrupt {
            path: self.path.clone(),
            what: what.to_owned(),
            offset,
            expected,
            got,
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), StoreError> {
        fill(
            &mut self.source,
            &self.path,
            self.object.stored_bytes,
            buffer,
        )
    }

    /// The next block, `None` after the last. The last is given only if the whole file was right.
    pub(crate) fn next_block(&mut self) -> Result<Option<&[u8]>, StoreError> {
        let Some(frame) = self.next_frame()? else {
            return Ok(None);
        };
        self.load(&frame)?;
        Ok(Some(&self.block))
    }

    /// Reads the rest of a frame into `block`; there is nothing in it after an error.
    fn load(&mut self, frame: &Frame) -> Result<(), StoreError> {
        self.block.clear();
        self.given = 0;
        let mut stored = std::mem::take(&mut self.stored);
        // At most BLOCK_BYTES.
        stored.resize(frame.stored as usize, 0);
        self.fill(&mut stored)?;
        self.check(frame, &stored)?;
        self.stored = stored;
        if frame.stored == frame.plain {
            std::mem::swap(&mut self.stored, &mut self.block);
        } else {
            self.decompress(frame.plain)?;
        }
        let passed = self.passed(frame);
        if passed.is_err() {
            self.block.clear();
        }
        passed
    }

    /// Begins with the next frame, `None` after the last.
    fn next_frame(&mut self) -> Result<Option<Frame>, StoreError> {
        if self.plain == self.object.plain_bytes {
            return Ok(None);
        }
        let mut header = [0; FRAME_HEADER_BYTES];
        self.fill(&mut header)?;
        let number = |at: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&header[at..at + 4]);
            u32::from_le_bytes(bytes)
        };
        let (plain, stored) = (number(0), number(4));
        let due = (self.object.plain_bytes - self.plain).min(BLOCK_BYTES_U64);
        if u64::from(plain) != due {
            let (what, got) = ("bytes of a block", plain.to_string());
            return Err(self.corrupt(what, due.to_string(), got, self.offset));
        }
        if stored > plain {
            let (what, got) = ("stored bytes of a block", stored.to_string());
            return Err(self.corrupt(what, format!("at most {plain}"), got, self.offset + 4));
        }
        Ok(Some(Frame {
            header,
            plain,
            stored,
        }))
    }

    fn check(&self, frame: &Frame, stored: &[u8]) -> Result<(), StoreError> {
        let mut expected = [0; 8];
        expected.copy_from_slice(&frame.header[8..]);
        let expected = u64::from_le_bytes(expected);
        let got = checksum(self.seed, self.frames, &frame.header[..8], stored);
        if differs(got, expected) {
            let what = format!("checksum of block {}", self.frames);
            let (expected, got) = (format!("{expected:016x}"), format!("{got:016x}"));
            return Err(self.corrupt(&what, expected, got, self.offset));
        }
        Ok(())
    }

    /// All of a frame was read and is right.
    fn passed(&mut self, frame: &Frame) -> Result<(), StoreError> {
        self.digest.update(&frame.header[8..]);
        self.frames += 1;
        self.offset += FRAME_HEADER_BYTES as u64 + u64::from(frame.stored);
        self.plain += u64::from(frame.plain);
        if self.plain == self.object.plain_bytes {
            self.check_end()?;
        }
        Ok(())
    }

    fn decompress(&mut self, plain: u32) -> Result<(), StoreError> {
        if self.decompressor.is_none() {
            self.decompressor = Some(Decompressor::new().map_err(StoreError::Compress)?);
        }
        self.block.clear();
        self.block.reserve_exact(BLOCK_BYTES);
        let result = match &mut self.decompressor {
            Some(decompressor) => decompressor.decompress_to_buffer(&self.stored, &mut self.block),
            None => Ok(0),
        };
        let what = format!("compressed block {}", self.frames);
        match result {
            Ok(length) if length == plain as usize => Ok(()),
            Ok(length) => {
                let expected = format!("{plain} bytes");
                Err(self.corrupt(&what, expected, format!("{length} bytes"), self.offset))
            }
            Err(error) => {
                let expected = "a frame of zstd".to_owned();
                Err(self.corrupt(&what, expected, error.to_string(), self.offset))
            }
        }
    }

    fn check_end(&mut self) -> Result<(), StoreError> {
        if self.offset != self.object.stored_bytes {
            let expected = format!("the end at {}", self.object.stored_bytes);
            return Err(self.corrupt("end of the object", expected, "no end".into(), self.offset));
        }
        let got = self.digest.digest();
        if differs(got, self.object.digest) {
            let expected = format!("{:016x}", self.object.digest);
            return Err(self.corrupt("digest of the object", expected, format!("{got:016x}"), 0));
        }
        Ok(())
    }

    /// The error of a caller that wants `more` bytes after the end.
    pub(crate) fn too_short(&self, more: u64) -> StoreError {
        StoreError::Length {
            path: self.path.clone(),
            expected: self.object.plain_bytes.saturating_add(more),
            got: self.object.plain_bytes,
        }
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, StoreError> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.given == self.block.len() {
            // Nothing of a failed block may be given out by a later call.
            self.block.clear();
            self.given = 0;
            let Some(frame) = self.next_frame()? else {
                return Ok(0);
            };
            // Straight to where it is wanted, without a copy.
            let whole = buffer.get_mut(..frame.plain as usize);
            if let (Some(buffer), true) = (whole, frame.stored == frame.plain) {
                self.fill(buffer)?;
                self.check(&frame, buffer)?;
                self.passed(&frame)?;
                return Ok(buffer.len());
            }
            self.load(&frame)?;
        }
        let rest = &self.block[self.given..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.given += length;
        Ok(length)
    }
}

/// Whether checksums differ. Fuzzing has to get past them.
fn differs(got: u64, expected: u64) -> bool {
    got != expected && !cfg!(fuzzing)
}

/// Fills the buffer from a file that is expected to have `expected` bytes in all.
fn fill(
    source: &mut dyn Read,
    path: &str,
    expected: u64,
    buffer: &mut [u8],
) -> Result<(), StoreError> {
    source.read_exact(buffer).map_err(|error| match error {
        // Cut off since its length was looked at.
        error if error.kind() == io::ErrorKind::UnexpectedEof => StoreError::Corrupt {
            path: path.to_owned(),
            what: "end of the file".to_owned(),
            offset: expected,
            expected: format!("{expected} bytes"),
            got: "fewer".to_owned(),
        },
        error => match StoreError::from_reader(error) {
            Ok(error) => error,
            Err(error) => StoreError::from_io(path, error),
        },
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
