//! Sets of points as bits, and planes as bytes.

/// The eight bits of a byte, lowest first, as bytes 0 and 1.
static SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][bit] = 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes bit k of a set to byte k of a plane.
#[inline]
pub(crate) fn spread(bits: &[u64], plane: &mut [u8]) {
    for (word, chunk) in bits.iter().zip(plane.chunks_mut(64)) {
        let bytes = word.to_le_bytes();
        let full = chunk.len() / 8;
        let (eights, rest) = chunk.split_at_mut(full * 8);
        for (eight, byte) in eights.chunks_exact_mut(8).zip(bytes) {
            eight.copy_from_slice(&SPREAD[usize::from(byte)]);
        }
        if !rest.is_empty() {
            rest.copy_from_slice(&SPREAD[usize::from(bytes[full])][..rest.len()]);
        }
    }
}
