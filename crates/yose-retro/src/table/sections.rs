//! What follows the chunks: the list of chunks and the footer.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{Fields, differ};
use super::error::{Part, TableError};
use super::header::Header;

/// Bytes of a chunk in the list.
pub(super) const ENTRY_BYTES: usize = 32;
/// The footer.
pub(super) const FOOTER_BYTES: usize = 64;
/// The least summary.
pub(super) const LEAST_SUMMARY_BYTES: usize = 16;
const END_MARK: [u8; 8] = *b"YOSEend\n";

/// Where a chunk is and what its bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) packed_hash: u64,
    pub(super) plain_hash: u64,
}

/// The list of chunks as bytes.
pub(super) fn entries_to_bytes(entries: &[Entry]) -> Vec<u8> {
    let fields = entries
        .iter()
        .flat_map(|e| [e.offset, e.length, e.packed_hash, e.plain_hash]);
    fields.flat_map(u64::to_le_bytes).collect()
}

/// The greatest length that a chunk of so many bytes can have when compressed.
fn longest(plain: usize) -> u64 {
    let plain = plain as u64;
    plain + plain / 256 + 64
}

/// Reads the list of chunks at `offset`, whose checksum has been compared. The chunks must follow
/// each other without a gap from the end of the header to the list.
pub(super) fn parse_entries(
    bytes: &[u8],
    header: &Header,
    header_bytes: u64,
    offset: u64,
    path: &Path,
) -> Result<Vec<Entry>, TableError> {
    let corrupt = |at: usize, expected: String, got: u64| TableError::Corrupt {
        path: path.to_owned(),
        what: Part::Index,
        offset: offset + at as u64,
        expected,
        got: got.to_string(),
    };
    let (raw, _) = bytes.as_chunks::<ENTRY_BYTES>();
    let mut entries = Vec::with_capacity(raw.len());
    let mut end = header_bytes;
    for (number, raw) in raw.iter().enumerate() {
        let at = number * ENTRY_BYTES;
        let mut fields = Fields(raw);
        let entry = Entry {
            offset: fields.u64(),
            length: fields.u64(),
            packed_hash: fields.u64(),
            plain_hash: fields.u64(),
        };
        if entry.offset != end {
            return Err(corrupt(
                at,
                format!("a chunk at offset {end}"),
                entry.offset,
            ));
        }
        let plain = header.width().bytes(header.slots_in(number as u64));
        let most = longest(plain).min(offset - end);
        if entry.length > most {
            let expected = format!("a chunk of at most {most} bytes");
            return Err(corrupt(at + 8, expected, entry.length));
        }
        end += entry.length;
        entries.push(entry);
    }
    if end != offset {
        let expected = format!("chunks up to offset {offset}");
        return Err(corrupt(0, expected, end));
    }
    Ok(entries)
}

/// The last bytes of a table: where the sections are, and the checksums of all but the chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) file_bytes: u64,
    pub(super) index_offset: u64,
    pub(super) summary_offset: u64,
    pub(super) header_hash: u64,
    pub(super) index_hash: u64,
    pub(super) summary_hash: u64,
}

impl Footer {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FOOTER_BYTES);
        bytes.extend(self.file_bytes.to_le_bytes());
        bytes.extend(self.index_offset.to_le_bytes());
        bytes.extend(self.summary_offset.to_le_bytes());
        bytes.extend(self.header_hash.to_le_bytes());
        bytes.extend(self.index_hash.to_le_bytes());
        bytes.extend(self.summary_hash.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes.extend(END_MARK);
        bytes
    }

    /// Reads the last 64 bytes of a file of `file_bytes`.
    pub(super) fn parse(
        bytes: &[u8],
        header: &Header,
        header_bytes: u64,
        file_bytes: u64,
        path: &Path,
    ) -> Result<Footer, TableError> {
        let offset = file_bytes.saturating_sub(FOOTER_BYTES as u64);
        let corrupt = |at: u64, expected: &str, got: &str| TableError::Corrupt {
            path: path.to_owned(),
            what: Part::Footer,
            offset: offset + at,
            expected: expected.to_owned(),
            got: got.to_owned(),
        };
        let mut fields = Fields(bytes);
        let footer = Footer {
            file_bytes: fields.u64(),
            index_offset: fields.u64(),
            summary_offset: fields.u64(),
            header_hash: fields.u64(),
            index_hash: fields.u64(),
            summary_hash: fields.u64(),
        };
        let expected = fields.u64();
        let mark: [u8; 8] = fields.array();
        if mark != END_MARK {
            let got = mark.escape_ascii().to_string();
            let expected = "the end mark YOSEend\\n: is the file cut off or longer than written?";
            return Err(corrupt(56, expected, &got));
        }
        let got = xxh3_64(&bytes[..bytes.len().min(48)]);
        if differ(expected, got) {
            return Err(TableError::Checksum {
                path: path.to_owned(),
                what: Part::Footer,
                offset,
                expected,
                got,
            });
        }
        if footer.file_bytes != file_bytes {
            return Err(TableError::Length {
                path: path.to_owned(),
                expected: footer.file_bytes,
                got: file_bytes,
            });
        }
        let index_bytes = header.chunks().checked_mul(ENTRY_BYTES as u64);
        let in_order = footer.index_offset >= header_bytes
            && footer.summary_offset.checked_sub(footer.index_offset) == index_bytes
            && offset.checked_sub(footer.summary_offset) >= Some(LEAST_SUMMARY_BYTES as u64);
        if !in_order {
            let got = format!(
                "index at {}, summary at {}",
                footer.index_offset, footer.summary_offset
            );
            let expected = format!("an index of {} chunks, then a summary", header.chunks());
            return Err(corrupt(8, &expected, &got));
        }
        Ok(footer)
    }
}
