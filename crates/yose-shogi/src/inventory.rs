//! Which pieces a game is played with.

use thiserror::Error;

use crate::position::{Position, Side};
use crate::variant::{MAX_KINDS, Variant};

/// How many pieces of each kind there are, the kings apart: both sides together, on the board and
/// in hand. Play never changes it, so each inventory of a variant is a closed game of its own.
///
/// ```
/// use yose_shogi::{Inventory, Variant};
///
/// let shogi4 = Variant::built_in("shogi4").unwrap();
/// let inventory = Inventory::parse("FP", &shogi4).unwrap();
/// assert_eq!(inventory.pieces(), 2);
/// assert_eq!(inventory.text(&shogi4), "PF");
/// assert_eq!(Inventory::kings_alone().text(&shogi4), "-");
/// assert_eq!(Inventory::full(&shogi4).text(&shogi4), "PPTTRRFF");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Inventory {
    counts: [u8; MAX_KINDS],
}

/// Why a text is not an inventory of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InventoryError {
    /// A letter that names no kind of the variant.
    #[error("unknown piece letter '{letter}' at byte {at}; this variant has {known}")]
    UnknownLetter {
        /// What stands there.
        letter: char,
        /// Byte offset.
        at: usize,
        /// The variant's base letters.
        known: String,
    },
    /// More pieces of a kind than the variant has.
    #[error("piece {letter} at byte {at} is one too many; this variant has {most}")]
    TooMany {
        /// The kind's base letter.
        letter: String,
        /// Byte offset of the first piece too many.
        at: usize,
        /// How many the variant has.
        most: u8,
    },
    /// No text at all.
    #[error("no pieces given; kings alone are written -")]
    Empty,
}

impl Inventory {
    /// Two kings and nothing else.
    #[must_use]
    pub fn kings_alone() -> Inventory {
        Inventory::default()
    }

    /// All pieces of the variant.
    #[must_use]
    pub fn full(variant: &Variant) -> Inventory {
        let mut inventory = Inventory::default();
        for (count, kind) in inventory.counts.iter_mut().zip(&variant.kinds) {
            *count = kind.total;
        }
        inventory
    }

    /// The inventory with these counts by kind; kinds beyond [`MAX_KINDS`] are left out.
    #[must_use]
    pub fn from_counts(counts: impl IntoIterator<Item = u8>) -> Inventory {
        let mut inventory = Inventory::default();
        for (slot, count) in inventory.counts.iter_mut().zip(counts) {
            *slot = count;
        }
        inventory
    }

    /// Reads base letters in any order, such as `PF`; `-` is the kings alone.
    ///
    /// # Errors
    /// For a letter that the variant does not have and for more pieces than it has.
    ///
    /// ```
    /// use yose_shogi::{Inventory, Variant};
    /// let shogi4 = Variant::built_in("shogi4").unwrap();
    /// assert_eq!(
    ///     Inventory::parse("PFX", &shogi4).unwrap_err().to_string(),
    ///     "unknown piece letter 'X' at byte 2; this variant has P T R F"
    /// );
    /// ```
    pub fn parse(text: &str, variant: &Variant) -> Result<Inventory, InventoryError> {
        let mut inventory = Inventory::default();
        if text == "-" {
            return Ok(inventory);
        }
        if text.is_empty() {
            return Err(InventoryError::Empty);
        }
        for (at, letter) in text.char_indices() {
            let mut buffer = [0; 4];
            let Some(kind) = variant.kind_of_base(letter.encode_utf8(&mut buffer)) else {
                return Err(InventoryError::UnknownLetter {
                    letter,
                    at,
                    known: variant.hand_letters(),
                });
            };
            let most = variant.kinds[kind].total;
            if inventory.counts[kind] == most {
                return Err(InventoryError::TooMany {
                    letter: variant.kinds[kind].base.letter.clone(),
                    at,
                    most,
                });
            }
            inventory.counts[kind] += 1;
        }
        Ok(inventory)
    }

    /// How many pieces of a kind there are; 0 for a kind that the variant does not have.
    #[must_use]
    pub fn count(&self, kind: usize) -> u8 {
        self.counts.get(kind).copied().unwrap_or(0)
    }

    /// How many pieces there are, the kings apart.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.counts.iter().map(|&count| u32::from(count)).sum()
    }

    /// Base letters in the variant's order, `-` for the kings alone.
    #[must_use]
    pub fn text(&self, variant: &Variant) -> String {
        if self.pieces() == 0 {
            return "-".to_owned();
        }
        let kinds = variant.kinds.iter().zip(self.counts);
        kinds
            .map(|(kind, count)| kind.base.letter.repeat(usize::from(count)))
            .collect()
    }

    /// Whether the variant has all these pieces.
    #[must_use]
    pub fn fits(&self, variant: &Variant) -> bool {
        (0..MAX_KINDS)
            .all(|kind| self.count(kind) <= variant.kinds.get(kind).map_or(0, |k| k.total))
    }
}

impl Position {
    /// The pieces that this position is played with.
    #[must_use]
    pub fn inventory(&self) -> Inventory {
        let mut inventory = Inventory::default();
        for kind in 0..MAX_KINDS {
            inventory.counts[kind] =
                self.in_hand(Side::Black, kind) + self.in_hand(Side::White, kind);
        }
        for square in crate::squares(self.occupied(Side::Black) | self.occupied(Side::White)) {
            if let Some(kind) = self.piece_on(square).and_then(crate::Piece::kind) {
                inventory.counts[kind] += 1;
            }
        }
        inventory
    }
}

impl Variant {
    /// The start position with these pieces, `None` if the variant's data names none.
    #[must_use]
    pub fn start(&self, inventory: &Inventory) -> Option<Position> {
        self.starts
            .iter()
            .filter_map(|sfen| self.parse_sfen(sfen).ok())
            .find(|position| position.inventory() == *inventory)
    }
}
