//! Little-endian numbers, texts and byte strings in a row.

/// Reads from the front; `None` once something is not there.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor {
            rest: bytes,
            length: bytes.len(),
        }
    }

    /// Bytes read so far.
    pub(crate) fn offset(&self) -> usize {
        self.length - self.rest.len()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A byte string with its length before it.
    pub(crate) fn string(&mut self, longest: u32) -> Option<&'a [u8]> {
        let length = self.u32()?;
        if length > longest {
            return None;
        }
        self.take(usize::try_from(length).ok()?)
    }

    pub(crate) fn text(&mut self, longest: u32) -> Option<String> {
        String::from_utf8(self.string(longest)?.to_vec()).ok()
    }
}

/// Callers keep what they write below 4 GiB; a longer one would fail its own check on reading.
pub(crate) fn put_string(bytes: &mut Vec<u8>, string: &[u8]) {
    let length = u32::try_from(string.len()).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(string);
}

pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_string(bytes, text.as_bytes());
}
