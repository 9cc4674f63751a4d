//! Undoing moves: every word that a move changed, with what it held before.

use super::Board;
use super::memory::Journal;
use crate::colour::Colour;

/// The moves that can be undone on one board, for readers that try moves and take them back:
/// [`Board::play_on`] adds one, [`Board::undo`] takes the last one back, at the cost of the words
/// that it changed (a few dozen, more for captures and joined chains).
///
/// A trail belongs to the board it was made on, as it stood after the last move on the trail. A
/// board changed otherwise in between, or another board, comes out wrong.
#[derive(Clone, Default, Debug)]
pub struct Trail {
    /// Address and old value of each changed word.
    words: Vec<(u16, u16)>,
    moves: Vec<Frame>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    hash: u64,
    captures: [u32; 2],
    /// Length of `words` before the move.
    words: usize,
    ko: u16,
    empties: u16,
    ko_colour: Colour,
}

impl Trail {
    /// Nothing to undo.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            words: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// How many moves can be undone.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is nothing to undo.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Forgets all moves; the memory is kept for the next ones.
    pub fn clear(&mut self) {
        self.words.clear();
        self.moves.clear();
    }

    pub(super) fn begin(&mut self, board: &Board) {
        self.moves.push(Frame {
            hash: board.hash,
            captures: board.captures,
            words: self.words.len(),
            ko: board.ko,
            empties: board.empties,
            ko_colour: board.ko_colour,
        });
    }
}

impl Journal for Trail {
    #[inline]
    fn note(&mut self, address: u16, old: u16) {
        self.words.push((address, old));
    }
}

impl Board {
    /// Takes back the last move played with this trail; `false` if there is none.
    pub fn undo(&mut self, trail: &mut Trail) -> bool {
        let Some(frame) = trail.moves.pop() else {
            return false;
        };
        for (address, old) in trail.words.drain(frame.words..).rev() {
            self.memory.restore(address, old);
        }
        self.hash = frame.hash;
        self.captures = frame.captures;
        self.ko = frame.ko;
        self.empties = frame.empties;
        self.ko_colour = frame.ko_colour;
        true
    }
}
