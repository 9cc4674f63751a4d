//! The header: which game, which metric, how many slots.

use std::fmt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{Fields, differ};
use super::coding::Width;
use super::error::{Part, TableError, WriteError};

/// The version of the format that this crate reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// Slots of a chunk in every table but those made for tests.
pub const CHUNK_SLOTS: u32 = 65_536;

/// The first bytes of every table. The first is no ASCII, and the line ends show a copy in text mode.
pub(super) const MAGIC: [u8; 8] = *b"\x89YOSE\r\n\x1a";

/// The header without game and inventory.
pub(super) const FIXED_BYTES: usize = 80;
/// The greatest header: two texts of 255 bytes.
pub(super) const MOST_BYTES: usize = FIXED_BYTES + 2 * 255;
/// More slots than any table will ever have, few enough that no size overflows.
const MOST_SLOTS: u64 = 1 << 56;
const MOST_CHUNK_SLOTS: u32 = 1 << 20;

/// What the numbers of a table mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// 0 draw or hole of the index, 1 win, 2 loss, for the side to move.
    Wdl,
    /// Exact distance in plies: 0 draw or hole, odd win, even loss.
    Depth,
    /// A number that proves the value without being a distance: 0 draw or hole, odd win, even loss;
    /// greater than that of the successors which prove it.
    Ranks,
}

impl fmt::Display for Metric {
    /// `wdl`, `depth` or `ranks`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Metric::Wdl => "wdl",
            Metric::Depth => "depth",
            Metric::Ranks => "ranks",
        })
    }
}

/// What a table is about. Only what game, inventory and metric determine, so that the bytes are
/// the same whoever makes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Name of the game, at most 255 bytes, without control characters.
    pub game: String,
    /// The pieces, in the game's own notation, at most 255 bytes, without control characters.
    pub inventory: String,
    /// A hash of the rules, so that a table is not read under others. The container does not
    /// interpret it.
    pub rules_hash: [u8; 32],
    /// The version of the mapping from positions to slots. The container does not interpret it.
    pub index_version: u32,
    /// What the numbers mean.
    pub metric: Metric,
    /// Number of slots, at most 2^56. May be 0.
    pub slots: u64,
    /// Slots of a chunk: [`CHUNK_SLOTS`], or for tests any multiple of 4 up to 2^20.
    pub chunk_slots: u32,
    /// The greatest number in the table, which sets the width; always 2 for [`Metric::Wdl`].
    pub greatest: u32,
}

impl Header {
    /// How the numbers are laid out.
    #[must_use]
    pub fn width(&self) -> Width {
        match self.metric {
            Metric::Wdl => Width::Bits2,
            Metric::Depth | Metric::Ranks => Width::of_bytes(self.greatest),
        }
    }

    /// Number of chunks.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.slots.div_ceil(u64::from(self.chunk_slots.max(1)))
    }

    /// Number of slots in a chunk: [`chunk_slots`](Header::chunk_slots), fewer in the last one, 0
    /// beyond it.
    #[must_use]
    pub fn slots_in(&self, chunk: u64) -> u32 {
        let first = u128::from(chunk) * u128::from(self.chunk_slots);
        let left = u128::from(self.slots).saturating_sub(first);
        u32::try_from(left).map_or(self.chunk_slots, |left| left.min(self.chunk_slots))
    }

    /// Bytes of all numbers before compression.
    #[must_use]
    pub fn plain_bytes(&self) -> u64 {
        match self.width() {
            Width::Bits2 => self.slots.div_ceil(4),
            width => self.slots.saturating_mul(u64::from(width.bits() / 8)),
        }
    }

    /// Whether a table can have this header.
    ///
    /// # Errors
    ///
    /// [`WriteError::Header`] with the field.
    pub fn check(&self) -> Result<(), WriteError> {
        let fault = |field, expected, got: &dyn fmt::Display| WriteError::Header {
            field,
            expected,
            got: got.to_string(),
        };
        for (field, text) in [("game", &self.game), ("inventory", &self.inventory)] {
            if text.len() > 255 {
                return Err(fault(field, "at most 255 bytes", &text.len()));
            }
            if text.chars().any(char::is_control) {
                return Err(fault(field, "no control characters", &text.escape_debug()));
            }
        }
        if self.slots > MOST_SLOTS {
            return Err(fault("slots", "at most 2^56", &self.slots));
        }
        let chunk = self.chunk_slots;
        if !chunk.is_multiple_of(4) || !(4..=MOST_CHUNK_SLOTS).contains(&chunk) {
            let expected = "a multiple of 4 from 4 to 1048576";
            return Err(fault("chunk_slots", expected, &chunk));
        }
        if self.metric == Metric::Wdl && self.greatest != 2 {
            return Err(fault("greatest", "2 for wdl", &self.greatest));
        }
        Ok(())
    }

    /// The bytes of a header that passes [`check`](Header::check).
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let length = |text: &str| u8::try_from(text.len()).unwrap_or(u8::MAX);
        let total = FIXED_BYTES + self.game.len() + self.inventory.len();
        let mut bytes = Vec::with_capacity(total);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend(u32::try_from(total).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(self.slots.to_le_bytes());
        bytes.extend(self.chunk_slots.to_le_bytes());
        bytes.extend(self.greatest.to_le_bytes());
        bytes.extend(self.index_version.to_le_bytes());
        bytes.push(match self.metric {
            Metric::Wdl => 0,
            Metric::Depth => 1,
            Metric::Ranks => 2,
        });
        bytes.push(self.width().bits());
        bytes.push(length(&self.game));
        bytes.push(length(&self.inventory));
        bytes.extend(self.rules_hash);
        bytes.extend(self.game.as_bytes());
        bytes.extend(self.inventory.as_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a header from the first bytes of a file, all of them or at least [`MOST_BYTES`].
    /// The second result is its length in bytes.
    pub(super) fn parse(front: &[u8], path: &Path) -> Result<(Header, usize), TableError> {
        let corrupt = |offset, expected: &str, got: &dyn fmt::Display| TableError::Corrupt {
            path: path.to_owned(),
            what: Part::Header,
            offset,
            expected: expected.to_owned(),
            got: got.to_string(),
        };
        let truncated = |expected: usize| TableError::Truncated {
            path: path.to_owned(),
            expected: expected as u64,
            got: front.len() as u64,
        };
        let start = &front[..front.len().min(MAGIC.len())];
        if start != &MAGIC[..start.len()] || start.is_empty() {
            return Err(TableError::NotATable {
                path: path.to_owned(),
                expected: "a file that begins with \\x89YOSE\\r\\n\\x1a",
                got: start.escape_ascii().to_string(),
            });
        }
        // The header of another version may be shorter.
        if front.len() < MAGIC.len() + 4 {
            return Err(truncated(FIXED_BYTES));
        }
        let mut fields = Fields(&front[MAGIC.len()..]);
        let version = fields.u32();
        if version != FORMAT_VERSION {
            return Err(TableError::Version {
                path: path.to_owned(),
                expected: FORMAT_VERSION,
                got: version,
            });
        }
        if front.len() < FIXED_BYTES {
            return Err(truncated(FIXED_BYTES));
        }
        let total = fields.u32();
        let length = total as usize;
        if !(FIXED_BYTES..=MOST_BYTES).contains(&length) {
            return Err(corrupt(12, "a header of 80 to 590 bytes", &total));
        }
        let Some(covered) = front.get(..length) else {
            return Err(truncated(length));
        };
        let (covered, checksum) = covered.split_at(length - 8);
        let expected = Fields(checksum).u64();
        let got = xxh3_64(covered);
        if differ(expected, got) {
            return Err(TableError::Checksum {
                path: path.to_owned(),
                what: Part::Header,
                offset: 0,
                expected,
                got,
            });
        }

        let slots = fields.u64();
        let chunk_slots = fields.u32();
        let greatest = fields.u32();
        let index_version = fields.u32();
        let metric = match fields.u8() {
            0 => Metric::Wdl,
            1 => Metric::Depth,
            2 => Metric::Ranks,
            other => return Err(corrupt(36, "a metric from 0 to 2", &other)),
        };
        let bits = fields.u8();
        let lengths = [fields.u8(), fields.u8()].map(usize::from);
        if FIXED_BYTES + lengths[0] + lengths[1] != length {
            let expected = format!("texts of {} bytes", length - FIXED_BYTES);
            return Err(corrupt(38, &expected, &(lengths[0] + lengths[1])));
        }
        let rules_hash = fields.array();
        let mut text = |length| {
            std::str::from_utf8(fields.slice(length))
                .map(str::to_owned)
                .map_err(|error| corrupt(72, "UTF-8", &error))
        };
        let header = Header {
            game: text(lengths[0])?,
            inventory: text(lengths[1])?,
            rules_hash,
            index_version,
            metric,
            slots,
            chunk_slots,
            greatest,
        };
        header
            .check()
            .map_err(|fault| corrupt(0, "a possible header", &fault))?;
        if header.width().bits() != bits {
            let expected = format!("{} bits a slot", header.width().bits());
            return Err(corrupt(37, &expected, &bits));
        }
        Ok((header, length))
    }
}
