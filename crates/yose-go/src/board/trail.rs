//! Undoing moves: every word that a move changed, with what it held before.

use super::Board;
use super::memory::Journal;
use crate::colour::Colour;

/// The moves that can be undone on one board, for readers that try moves and take them back:
/// [`Board::play_on`] adds one, [`Board::undo`] takes the last one back, at the cost of the words
/// that it changed (a few dozen, more for captures and joined chains).
///
/// A trail belongs to the board it was made on (or a clone), as it stood after the last move on
/// the trail. With any other board, even one with the same stones that came to them in another way,
/// nothing is undone: boards carry a 64-bit mark of all that was done to them.
#[derive(Clone, Default, Debug)]
pub struct Trail {
    /// Address and old value of each changed word.
    words: Vec<(u16, u16)>,
    moves: Vec<Frame>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    hash: u64,
    past: u64,
    /// What the board's past is after the move.
    past_after: u64,
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
            past: board.past,
            past_after: board.past,
            captures: board.captures,
            words: self.words.len(),
            ko: board.ko,
            empties: board.empties,
            ko_colour: board.ko_colour,
        });
    }
}

impl Trail {
    /// The move that was begun is made.
    pub(super) fn end(&mut self, board: &Board) {
        if let Some(frame) = self.moves.last_mut() {
            frame.past_after = board.past;
        }
    }
}

impl Journal for Trail {
    #[inline]
    fn note(&mut self, address: u16, old: u16) {
        self.words.push((address, old));
    }
}

impl Board {
    /// Takes back the last move played with this trail; `false`, and nothing is changed, if there is
    /// none, or this is not the board after it.
    pub fn undo(&mut self, trail: &mut Trail) -> bool {
        let Some(&frame) = trail
            .moves
            .last()
            .filter(|frame| frame.past_after == self.past)
        else {
            return false;
        };
        trail.moves.pop();
        for (address, old) in trail.words.drain(frame.words..).rev() {
            self.memory.restore(address, old);
        }
        self.hash = frame.hash;
        self.past = frame.past;
        self.captures = frame.captures;
        self.ko = frame.ko;
        self.empties = frame.empties;
        self.ko_colour = frame.ko_colour;
        true
    }
}
