//! The identity of a table file.

use std::fmt;
use std::str::FromStr;

/// The BLAKE3 hash of all bytes of a table file. Prints as 64 hexadecimal digits, and reads them.
///
/// Equal for any number of threads and on every machine, as long as the same version of zstd
/// compresses: `Cargo.lock` pins it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// A text that is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a fingerprint is 64 hexadecimal digits, got {0:?}")]
pub struct FingerprintError(String);

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Fingerprint, FingerprintError> {
        let digit = |byte: &u8| {
            let digit = char::from(*byte).to_digit(16)?;
            u8::try_from(digit).ok()
        };
        let mut hash = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != hash.len() || !rest.is_empty() {
            return Err(FingerprintError(text.to_owned()));
        }
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            let (Some(high), Some(low)) = (digit(high), digit(low)) else {
                return Err(FingerprintError(text.to_owned()));
            };
            *byte = high << 4 | low;
        }
        Ok(Fingerprint(hash))
    }
}

impl From<blake3::Hash> for Fingerprint {
    fn from(hash: blake3::Hash) -> Fingerprint {
        Fingerprint(hash.into())
    }
}
