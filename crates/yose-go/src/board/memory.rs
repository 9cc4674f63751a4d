//! Where everything about a board lies: one array of 16-bit words, several regions of one word
//! for each place of the padded board.
//!
//! Why so: the distance to a neighbour is the same constant on every size; border places spare
//! every test for the edge; an index into the padded board masked to 10 bits plus the start of a
//! region is below the length of the array, which the compiler sees, so no access is checked; a
//! copy is one move of memory; and a change is an address and the old word, so that undoing needs no
//! knowledge of what a move does.

use crate::colour::Colour;
use crate::point::{MAX_SIDE, STRIDE};

/// What is at a place, as a field of four bits in a 16-bit word: so the sum over four neighbours
/// counts each kind.
pub(super) type Cell = u16;
pub(super) const EMPTY: Cell = 0x0001;
pub(super) const BLACK: Cell = 0x0010;
pub(super) const WHITE: Cell = 0x0100;
pub(super) const WALL: Cell = 0x1000;

/// The cell of a stone.
#[inline]
pub(super) const fn cell_of(colour: Colour) -> Cell {
    match colour {
        Colour::Black => BLACK,
        Colour::White => WHITE,
    }
}

const REGION: usize = 768;
const MASK: u16 = 1023;

/// [`Cell`] of each place. Before it there is room for looking two rows up from any place.
const CELL: usize = 64;
/// Of a stone the head of its chain; of any other place itself.
const HEAD: usize = CELL + REGION;
/// Of a stone the next one of its chain, in a circle; of an empty point its place in the list.
const LINK: usize = CELL + 2 * REGION;
/// At the head of a chain the number of its liberties; elsewhere anything.
const LIBERTIES: usize = CELL + 3 * REGION;
/// At the head of a chain the number of its stones; elsewhere anything.
const STONES: usize = CELL + 4 * REGION;
/// The list of empty points.
const LIST: usize = CELL + 5 * REGION;
const WORDS: usize = LIST + MASK as usize + 1;

/// Distance between rows.
const ROW: usize = STRIDE as usize;

/// The places around: up, left, right, down.
#[inline]
pub(super) const fn around(slot: u16) -> [u16; 4] {
    [
        slot.wrapping_sub(STRIDE),
        slot.wrapping_sub(1),
        slot.wrapping_add(1),
        slot.wrapping_add(STRIDE),
    ]
}

/// Hears of every word before it changes.
pub(super) trait Journal {
    fn note(&mut self, address: u16, old: u16);
}

/// Hears nothing.
pub(super) struct Forget;

impl Journal for Forget {
    #[inline]
    fn note(&mut self, _: u16, _: u16) {}
}

#[derive(Clone)]
pub(super) struct Memory([u16; WORDS]);

macro_rules! words {
    ($($(#[$doc:meta])* $get:ident $set:ident $region:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(super) fn $get(&self, slot: u16) -> u16 {
            self.0[$region + usize::from(slot & MASK)]
        }
        #[inline]
        pub(super) fn $set(&mut self, journal: &mut impl Journal, slot: u16, value: u16) {
            let address = $region + usize::from(slot & MASK);
            #[allow(clippy::cast_possible_truncation, reason = "below WORDS")]
            journal.note(address as u16, self.0[address]);
            self.0[address] = value;
        }
    )*};
}

impl Memory {
    /// Walls everywhere.
    pub(super) fn new() -> Self {
        let mut words = [0; WORDS];
        words[CELL..HEAD].fill(WALL);
        for (slot, head) in (0..).zip(&mut words[HEAD..LINK]) {
            *head = slot;
        }
        Self(words)
    }

    words! {
        cell set_cell CELL;
        head set_head HEAD;
        link set_link LINK;
        liberties set_liberties LIBERTIES;
        chain_stones set_chain_stones STONES;
        listed set_listed LIST;
    }

    /// The cells around a place: up, left, right, down.
    ///
    /// One mask serves all four, and so in the functions below.
    #[inline]
    pub(super) fn cells_around(&self, slot: u16) -> [Cell; 4] {
        let at = CELL + usize::from(slot & MASK);
        [
            self.0[at - ROW],
            self.0[at - 1],
            self.0[at + 1],
            self.0[at + ROW],
        ]
    }

    /// The heads around a place: up, left, right, down.
    #[inline]
    pub(super) fn heads_around(&self, slot: u16) -> [u16; 4] {
        let at = HEAD + usize::from(slot & MASK);
        [
            self.0[at - ROW],
            self.0[at - 1],
            self.0[at + 1],
            self.0[at + ROW],
        ]
    }

    /// The sum of the four cells diagonal to a place.
    #[inline]
    pub(super) fn sum_of_corners(&self, slot: u16) -> Cell {
        let at = CELL + usize::from(slot & MASK);
        self.0[at - ROW - 1] + self.0[at - ROW + 1] + self.0[at + ROW - 1] + self.0[at + ROW + 1]
    }

    /// How many of the empty points around a stone, whose neighbours have those cells, touch no
    /// other stone of the chain with that head.
    #[inline]
    pub(super) fn new_liberties(&self, slot: u16, cells: [Cell; 4], head: u16) -> u16 {
        let at = HEAD + usize::from(slot & MASK);
        // Numbers, not truths: an empty cell is 1 in the lowest bit.
        let own = |at: usize| Cell::from(self.0[at] == head);
        let (up_left, up_right) = (own(at - ROW - 1), own(at - ROW + 1));
        let (down_left, down_right) = (own(at + ROW - 1), own(at + ROW + 1));
        let [up, left, right, down] = cells;
        (EMPTY & up & !(own(at - 2 * ROW) | up_left | up_right))
            + (EMPTY & left & !(own(at - 2) | up_left | down_left))
            + (EMPTY & right & !(own(at + 2) | up_right | down_right))
            + (EMPTY & down & !(own(at + 2 * ROW) | down_left | down_right))
    }

    /// Makes a place an empty point, the last of the list.
    pub(super) fn put_empty(&mut self, slot: u16, listed: u16) {
        self.set_cell(&mut Forget, slot, EMPTY);
        self.set_link(&mut Forget, slot, listed);
        self.set_listed(&mut Forget, listed, slot);
    }

    /// Puts an old word back.
    pub(super) fn restore(&mut self, address: u16, old: u16) {
        if let Some(word) = self.0.get_mut(usize::from(address)) {
            *word = old;
        }
    }

    /// Copies what a board of that many rows uses.
    pub(super) fn copy_rows(&mut self, other: &Self, rows: usize) {
        let used = usize::from(STRIDE) * (rows.min(MAX_SIDE) + 4);
        for region in [CELL, HEAD, LINK, LIBERTIES, STONES, LIST] {
            self.0[region..region + used].copy_from_slice(&other.0[region..region + used]);
        }
    }
}
