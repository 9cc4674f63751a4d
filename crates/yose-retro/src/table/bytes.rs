//! Little endian fields in order, and comparing checksums.

/// Whether a checksum is wrong. Under a fuzzer none is, or it would never get past them.
pub(super) fn differ(expected: u64, got: u64) -> bool {
    expected != got && !cfg!(fuzzing)
}

/// Takes fields off the front of bytes whose length the caller has checked; what is missing all
/// the same reads as zero.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn slice(&mut self, length: usize) -> &'a [u8] {
        let (front, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        front
    }

    pub(super) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let front = self.slice(N);
        array[..front.len()].copy_from_slice(front);
        array
    }

    pub(super) fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub(super) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }
}
