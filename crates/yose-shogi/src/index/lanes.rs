//! Lanes: who owns each piece and which face it shows, as bits.

use super::layouts::Group;

/// The bits of one piece within a lane number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// 0: ours, 1: theirs.
    owner: u8,
    /// Whether the next bit tells the face: 0 base, 1 promoted.
    two_faced: bool,
}

impl Field {
    /// The bits of a piece with this owner and face.
    #[must_use]
    pub fn value(self, theirs: bool, promoted: bool) -> usize {
        debug_assert!(self.two_faced || !promoted);
        usize::from(theirs) << self.owner | usize::from(promoted) << (self.owner + 1)
    }

    /// Whether the piece is theirs in this lane.
    #[must_use]
    pub fn theirs(self, lane: usize) -> bool {
        lane >> self.owner & 1 == 1
    }

    /// Whether the piece shows its promoted face in this lane.
    #[must_use]
    pub fn promoted(self, lane: usize) -> bool {
        self.two_faced && lane >> (self.owner + 1) & 1 == 1
    }

    /// The place of the owner bit; the face bit, if there is one, is the next.
    #[must_use]
    pub fn owner_bit(self) -> u32 {
        u32::from(self.owner)
    }

    /// Whether the piece has a face bit.
    #[must_use]
    pub fn two_faced(self) -> bool {
        self.two_faced
    }
}

/// The lanes of a block: for each piece an owner bit (0 ours, 1 theirs) and, if it has two faces, a
/// face bit (0 base, 1 promoted), the first piece in the lowest bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lanes {
    fields: Vec<Field>,
    bits: u8,
}

impl Lanes {
    pub(crate) fn new(groups: &[Group]) -> Lanes {
        let mut fields = Vec::new();
        let mut bits = 0;
        for group in groups {
            for _ in group.slots() {
                fields.push(Field {
                    owner: bits,
                    two_faced: group.two_faced,
                });
                bits += if group.two_faced { 2 } else { 1 };
            }
        }
        Lanes { fields, bits }
    }

    /// Number of lanes: a power of two.
    #[must_use]
    pub fn width(&self) -> usize {
        1 << self.bits
    }

    /// Number of bits of a lane number.
    #[must_use]
    pub fn bits(&self) -> u32 {
        u32::from(self.bits)
    }

    /// The bits of the piece in this slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn field(&self, slot: usize) -> Field {
        self.fields[slot]
    }

    /// Number of pieces.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.fields.len()
    }
}
