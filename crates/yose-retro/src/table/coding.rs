//! How the number of a slot is laid out in bytes.

use crate::Value;

/// Bits of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// 2 bits, four slots in a byte, the first slot in the lowest bits. Values 0 to 2.
    Bits2,
    /// One byte.
    Bits8,
    /// Two bytes, little endian.
    Bits16,
    /// Four bytes, little endian.
    Bits32,
}

impl Width {
    /// The narrowest width of whole bytes that holds `greatest`.
    #[must_use]
    pub fn of_bytes(greatest: u32) -> Width {
        match greatest {
            0..=0xff => Width::Bits8,
            0x100..=0xffff => Width::Bits16,
            _ => Width::Bits32,
        }
    }

    /// Bits of a slot: 2, 8, 16 or 32.
    #[must_use]
    pub fn bits(self) -> u8 {
        match self {
            Width::Bits2 => 2,
            Width::Bits8 => 8,
            Width::Bits16 => 16,
            Width::Bits32 => 32,
        }
    }

    /// Bytes of this many slots. A last byte that is not full counts as a whole one.
    ///
    /// ```
    /// use yose_retro::table::Width;
    /// assert_eq!(Width::Bits2.bytes(9), 3);
    /// assert_eq!(Width::Bits16.bytes(9), 18);
    /// ```
    #[must_use]
    pub fn bytes(self, slots: u32) -> usize {
        let slots = slots as usize;
        match self {
            Width::Bits2 => slots.div_ceil(4),
            Width::Bits8 => slots,
            Width::Bits16 => 2 * slots,
            Width::Bits32 => 4 * slots,
        }
    }

    /// Appends values to bytes in this coding. At [`Width::Bits2`] the values begin a new byte, so
    /// all calls but the last should have a multiple of 4 values.
    ///
    /// ```
    /// use yose_retro::table::Width;
    /// let mut plain = Vec::new();
    /// Width::Bits2.encode(&[1, 2, 0, 1, 2], &mut plain);
    /// assert_eq!(plain, [0b01_00_10_01, 0b10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If a value does not fit: more than 2 at `Bits2`, and so on. It never wraps.
    pub fn encode(self, values: &[u32], plain: &mut Vec<u8>) {
        let limit = match self {
            Width::Bits2 => 2,
            Width::Bits8 => 0xff,
            Width::Bits16 => 0xffff,
            Width::Bits32 => u32::MAX,
        };
        let greatest = values.iter().copied().max().unwrap_or(0);
        assert!(
            greatest <= limit,
            "{greatest} does not fit {} bits",
            self.bits()
        );
        let low = |value: &u32| value.to_le_bytes()[0];
        match self {
            Width::Bits2 => plain.extend(values.chunks(4).map(|four| {
                four.iter()
                    .rev()
                    .fold(0, |byte, value| byte << 2 | low(value))
            })),
            Width::Bits8 => plain.extend(values.iter().map(low)),
            Width::Bits16 => plain.extend(values.iter().flat_map(|value| {
                let [a, b, _, _] = value.to_le_bytes();
                [a, b]
            })),
            Width::Bits32 => plain.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        }
    }

    /// The value of the slot with this number in `plain`, `None` past the end.
    #[must_use]
    pub fn get(self, plain: &[u8], slot: usize) -> Option<u32> {
        match self {
            Width::Bits2 => plain
                .get(slot / 4)
                .map(|byte| u32::from(byte >> (2 * (slot % 4)) & 3)),
            Width::Bits8 => plain.get(slot).map(|byte| u32::from(*byte)),
            Width::Bits16 => {
                let (twos, _) = plain.as_chunks::<2>();
                twos.get(slot)
                    .map(|two| u32::from(u16::from_le_bytes(*two)))
            }
            Width::Bits32 => {
                let (fours, _) = plain.as_chunks::<4>();
                fours.get(slot).map(|four| u32::from_le_bytes(*four))
            }
        }
    }

    /// Decodes the slots of `plain` from `first` on, as many as `values` holds and `plain` has.
    pub fn decode(self, plain: &[u8], first: usize, values: &mut [u32]) {
        match self {
            Width::Bits2 => {
                for (slot, value) in (first..).zip(values) {
                    *value = self.get(plain, slot).unwrap_or(0);
                }
            }
            Width::Bits8 => {
                for (value, byte) in values.iter_mut().zip(plain.iter().skip(first)) {
                    *value = u32::from(*byte);
                }
            }
            Width::Bits16 => {
                let (twos, _) = plain.as_chunks::<2>();
                for (value, two) in values.iter_mut().zip(twos.iter().skip(first)) {
                    *value = u32::from(u16::from_le_bytes(*two));
                }
            }
            Width::Bits32 => {
                let (fours, _) = plain.as_chunks::<4>();
                for (value, four) in values.iter_mut().zip(fours.iter().skip(first)) {
                    *value = u32::from_le_bytes(*four);
                }
            }
        }
    }

    /// The greatest number in `plain`, unused bits of the last byte included; 0 if it is empty.
    #[must_use]
    pub fn greatest(self, plain: &[u8]) -> u32 {
        match self {
            Width::Bits2 => {
                // Unlike a maximum of digits, these two vectorise.
                let (any, both) = plain.iter().fold((0, 0), |(any, both), byte| {
                    (any | byte, both | byte & byte >> 1)
                });
                match (both & 0x55 != 0, any & 0xaa != 0, any != 0) {
                    (true, _, _) => 3,
                    (_, true, _) => 2,
                    (_, _, some) => u32::from(some),
                }
            }
            Width::Bits8 => u32::from(plain.iter().copied().max().unwrap_or(0)),
            Width::Bits16 => {
                let (twos, _) = plain.as_chunks::<2>();
                let values = twos.iter().map(|two| u16::from_le_bytes(*two));
                u32::from(values.max().unwrap_or(0))
            }
            Width::Bits32 => {
                let (fours, _) = plain.as_chunks::<4>();
                let values = fours.iter().map(|four| u32::from_le_bytes(*four));
                values.max().unwrap_or(0)
            }
        }
    }
}

/// Appends outcomes, one a byte (0 draw, 1 win, 2 loss), as numbers of two bits: the coding of a table
/// of [`Metric::Wdl`](super::Metric::Wdl). All calls but the last need a multiple of 4 outcomes. A
/// greater number than 2 comes out as nonsense, which [`TableWriter`](super::TableWriter) may or may
/// not notice. Costs less than 1 ns a slot.
///
/// ```
/// use yose_retro::table;
/// let mut plain = Vec::new();
/// table::pack_outcomes(&[1, 2, 0, 1, 2], &mut plain);
/// assert_eq!(plain, [0b01_00_10_01, 0b10]);
/// ```
pub fn pack_outcomes(outcomes: &[u8], plain: &mut Vec<u8>) {
    let (fours, rest) = outcomes.as_chunks::<4>();
    plain.extend(
        fours
            .iter()
            .map(|[a, b, c, d]| a | b << 2 | c << 4 | d << 6),
    );
    if !rest.is_empty() {
        plain.push(
            rest.iter()
                .rev()
                .fold(0, |byte, outcome| byte << 2 | outcome),
        );
    }
}

/// The number that stands for a value in a table of depths: plies, 0 for a draw. `None` for a value
/// that has none: a win in an even or a loss in an odd number of plies, and a loss in 0.
///
/// ```
/// use yose_retro::{Value, table};
/// assert_eq!(table::code_of(Value::Win(3)), Some(3));
/// assert_eq!(table::code_of(Value::Draw), Some(0));
/// assert_eq!(table::code_of(Value::Loss(0)), None);
/// ```
#[must_use]
pub fn code_of(value: Value) -> Option<u32> {
    match value {
        Value::Win(plies) if plies % 2 == 1 => Some(plies),
        Value::Loss(plies) if plies % 2 == 0 && plies > 0 => Some(plies),
        Value::Draw => Some(0),
        Value::Win(_) | Value::Loss(_) => None,
    }
}

/// The value that a number in a table of depths stands for. A hole of the index reads as a draw.
///
/// ```
/// use yose_retro::{Value, table};
/// assert_eq!(table::value_of(78), Value::Loss(78));
/// ```
#[must_use]
pub fn value_of(code: u32) -> Value {
    match code {
        0 => Value::Draw,
        odd if odd % 2 == 1 => Value::Win(odd),
        even => Value::Loss(even),
    }
}

#[cfg(test)]
mod tests {
    use super::Width;

    #[test]
    fn greatest_of_two_bits() {
        let mut plain = Vec::new();
        for (values, greatest) in [
            (&[0, 0, 0, 0, 0][..], 0),
            (&[0, 1, 1, 1, 1, 1], 1),
            (&[1, 1, 2, 1, 2], 2),
            (&[0, 0, 0, 0, 2], 2),
        ] {
            plain.clear();
            Width::Bits2.encode(values, &mut plain);
            assert_eq!(Width::Bits2.greatest(&plain), greatest, "{values:?}");
        }
        // A 1 beside a 2 has two set bits side by side, but is no 3.
        assert_eq!(Width::Bits2.greatest(&[0b00_01_10_00]), 2);
        assert_eq!(Width::Bits2.greatest(&[0b00_11_00_00]), 3);
        assert_eq!(Width::Bits2.greatest(&[0, 0b11_00_00_00]), 3);
    }

    #[test]
    #[should_panic(expected = "256 does not fit 8 bits")]
    fn never_wraps() {
        Width::Bits8.encode(&[256], &mut Vec::new());
    }
}
