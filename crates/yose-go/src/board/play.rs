//! Placing a stone: legality, captures, ko, suicide.

use thiserror::Error;

use super::Board;
use super::memory::{Cell, EMPTY, Forget, Journal, WALL, around, cell_of};
use super::trail::Trail;
use crate::colour::Colour;
use crate::point::Point;
use crate::zobrist;

/// Which moves that leave the own chain without liberties are legal; its stones then come off the
/// board and count as taken by the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Suicide {
    /// None.
    #[default]
    Forbidden,
    /// Those of two or more stones.
    MultiStone,
    /// All, also of a single stone, which changes nothing but the turn.
    Allowed,
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum IllegalMove {
    /// The point is not on this board.
    #[error("the point is not on the board")]
    OffBoard,
    /// There is a stone already.
    #[error("the point is occupied")]
    Occupied,
    /// The own chain would have no liberty, and the rules forbid that.
    #[error("the move is suicide")]
    Suicide,
    /// It takes back a single stone just taken.
    #[error("the move retakes a ko at once")]
    Ko,
    /// It repeats an earlier position.
    #[error("the move repeats the position after move {after}")]
    Superko {
        /// The number of moves, passes counted, after which the position stood; 0 is the start.
        after: usize,
    },
}

/// What a move took off the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Played {
    /// Stones of the other side.
    pub captured: u16,
    /// Own stones, by suicide.
    pub suicide: u16,
}

impl Board {
    /// Places a stone if that is legal by simple ko and the board's suicide rule.
    ///
    /// # Errors
    ///
    /// Why the move is not legal; the board is then unchanged.
    #[inline]
    pub fn play(&mut self, colour: Colour, point: Point) -> Result<Played, IllegalMove> {
        self.check(colour, point)?;
        Ok(self.place(&mut Forget, colour, point.slot()))
    }

    /// [`play`](Self::play), to be undone with [`undo`](Self::undo) and the same trail.
    ///
    /// # Errors
    ///
    /// Why the move is not legal; board and trail are then unchanged.
    #[inline]
    pub fn play_on(
        &mut self,
        trail: &mut Trail,
        colour: Colour,
        point: Point,
    ) -> Result<Played, IllegalMove> {
        self.check(colour, point)?;
        trail.begin(self);
        let played = self.place(trail, colour, point.slot());
        trail.end(self);
        Ok(played)
    }

    /// Places a stone on an empty point without asking whether that is legal: ko is ignored, and
    /// suicide takes the stones off. For moves that [`is_legal`](Self::is_legal) has just
    /// confirmed.
    ///
    /// On a point that is not empty nothing is played.
    #[inline]
    pub fn play_unchecked(&mut self, colour: Colour, point: Point) -> Played {
        if self.is_empty(point) {
            self.place(&mut Forget, colour, point.slot())
        } else {
            Played::default()
        }
    }

    /// [`play_unchecked`](Self::play_unchecked) with a trail. On a point that is not empty nothing is played,
    /// but undoing still counts it as a move.
    #[inline]
    pub fn play_unchecked_on(&mut self, trail: &mut Trail, colour: Colour, point: Point) -> Played {
        trail.begin(self);
        if !self.is_empty(point) {
            return Played::default();
        }
        let played = self.place(trail, colour, point.slot());
        trail.end(self);
        played
    }

    /// A pass: lifts the ko ban, changes nothing else.
    pub const fn pass(&mut self) {
        self.clear_ko();
        self.went_on();
    }

    /// A pass that [`undo`](Self::undo) takes back.
    pub fn pass_on(&mut self, trail: &mut Trail) {
        trail.begin(self);
        self.pass();
        trail.end(self);
    }

    /// Whether `colour` may play there by simple ko and the board's suicide rule. O(1).
    #[must_use]
    #[inline]
    pub fn is_legal(&self, colour: Colour, point: Point) -> bool {
        self.check(colour, point).is_ok()
    }

    /// Whether `colour` may play there, and if not why.
    ///
    /// # Errors
    ///
    /// Why the move is not legal.
    #[inline]
    pub fn check(&self, colour: Colour, point: Point) -> Result<(), IllegalMove> {
        let slot = point.slot();
        match self.memory.cell(slot) {
            EMPTY => {}
            WALL => return Err(IllegalMove::OffBoard),
            _ => return Err(IllegalMove::Occupied),
        }
        if self.sum_around(slot) & 0xF != 0 {
            return Ok(());
        }
        if slot == self.ko && colour == self.ko_colour {
            return Err(IllegalMove::Ko);
        }
        self.check_crowded(colour, slot)
    }

    /// [`hash`](Self::hash) as it would be after `colour` has placed a stone on an empty point,
    /// captures and suicide included; the present hash if the point is not empty. O(1) if nothing
    /// comes off.
    #[must_use]
    pub fn hash_after(&self, colour: Colour, point: Point) -> u64 {
        if !self.is_empty(point) {
            return self.hash;
        }
        let without = |hash: u64, stone: Point, colour: Colour| {
            self.chain_stones(stone)
                .fold(hash, |hash, stone| hash ^ zobrist::stone_key(colour, stone))
        };
        let mut hash = self.hash ^ zobrist::stone_key(colour, point);
        let near = around(point.slot());
        let (mut lives, mut seen) = (self.sum_around(point.slot()) & 0xF != 0, [0; 4]);
        for (i, slot) in near.into_iter().enumerate() {
            let (stone, head) = (Point::from_slot(slot), self.memory.head(slot));
            seen[i] = head;
            if self.stone(stone) == Some(!colour) && self.liberties(stone) == 1 {
                lives = true;
                if !seen[..i].contains(&head) {
                    hash = without(hash, stone, !colour);
                }
            }
            lives |= self.stone(stone) == Some(colour) && self.liberties(stone) > 1;
        }
        if !lives {
            hash ^= zobrist::stone_key(colour, point);
            for (i, slot) in near.into_iter().enumerate() {
                let stone = Point::from_slot(slot);
                if self.stone(stone) == Some(colour) && !seen[..i].contains(&seen[i]) {
                    hash = without(hash, stone, colour);
                }
            }
        }
        hash
    }

    /// The points that the last move, which is given, took stones off: the newest of the list of
    /// empty ones.
    pub(crate) fn last_removed(&self, played: Played) -> impl Iterator<Item = Point> + '_ {
        let count = played.captured + played.suicide;
        let first = self.empties.saturating_sub(count);
        (first..self.empties).map(|place| Point::from_slot(self.memory.listed(place)))
    }

    /// How many of each kind of cell are around, four bits each.
    #[inline]
    pub(super) fn sum_around(&self, slot: u16) -> Cell {
        let [up, left, right, down] = self.memory.cells_around(slot);
        up + left + right + down
    }

    /// A point without an empty one beside it: legal if it joins an own chain that has another
    /// liberty, or takes something.
    #[inline]
    pub(super) fn check_crowded(&self, colour: Colour, slot: u16) -> Result<(), IllegalMove> {
        let (own, other) = (cell_of(colour), cell_of(!colour));
        let cells = self.memory.cells_around(slot);
        let heads = self.memory.heads_around(slot);
        let (mut fine, mut joins) = (false, false);
        // Without branches: which of the four decides cannot be foreseen.
        for i in 0..4 {
            let last = self.memory.liberties(heads[i]) == 1;
            fine |= ((cells[i] == own) & !last) | ((cells[i] == other) & last);
            joins |= cells[i] == own;
        }
        if fine {
            return Ok(());
        }
        match self.suicide {
            Suicide::Allowed => Ok(()),
            Suicide::MultiStone if joins => Ok(()),
            _ => Err(IllegalMove::Suicide),
        }
    }

    /// Places a stone on an empty point and does all that follows from it.
    #[inline]
    pub(super) fn place<J: Journal>(
        &mut self,
        journal: &mut J,
        colour: Colour,
        slot: u16,
    ) -> Played {
        match colour {
            Colour::Black => self.place_as::<J, false>(journal, slot),
            Colour::White => self.place_as::<J, true>(journal, slot),
        }
    }

    /// [`place`](Self::place) for a colour known to the compiler.
    ///
    /// What happens seldom (joining chains, taking stones) is asked for all four neighbours at
    /// once, without branches: a branch for each would be a guess each, and wrong guesses cost
    /// more than all the rest.
    #[inline]
    pub(super) fn place_as<J: Journal, const WHITE: bool>(
        &mut self,
        journal: &mut J,
        slot: u16,
    ) -> Played {
        let colour = if WHITE { Colour::White } else { Colour::Black };
        let (own, other) = (cell_of(colour), cell_of(!colour));
        let cells = self.memory.cells_around(slot);
        let heads = self.memory.heads_around(slot);

        // The last of the list takes the place of the point in it.
        self.empties -= 1;
        let last = self.memory.listed(self.empties);
        let listed = self.memory.link(slot);
        self.memory.set_listed(journal, listed, last);
        self.memory.set_link(journal, last, listed);

        self.memory.set_cell(journal, slot, own);
        self.hash ^= zobrist::stone_slot_key(colour, slot);
        self.went_on();

        // Every chain beside it loses the point as a liberty, once. Places that are not stones are
        // their own heads, and nobody reads what is counted there: that spares the question.
        let left = self.count_around(journal, heads, u16::MAX);

        // The chain that the stone joins: the first own one beside it, or one of its own.
        let (mut head, mut liberties) = (slot, 0);
        for i in (0..4).rev() {
            head = if cells[i] == own { heads[i] } else { head };
            liberties = if cells[i] == own { left[i] } else { liberties };
        }
        liberties += self.memory.new_liberties(slot, cells, head);
        let alone = head == slot;
        let stones = if alone {
            0
        } else {
            self.memory.chain_stones(head)
        };
        // Behind the head in the circle; a stone alone is its own circle.
        let next = if alone { slot } else { self.memory.link(head) };
        self.memory.set_link(journal, slot, next);
        self.memory.set_link(journal, head, slot);
        self.memory.set_head(journal, slot, head);
        self.memory.set_chain_stones(journal, head, stones + 1);
        self.memory.set_liberties(journal, head, liberties);

        // A bit for each neighbour.
        let (mut joins, mut takes) = (0_u8, 0_u8);
        for i in 0..4 {
            joins |= u8::from((cells[i] == own) & (heads[i] != head)) << i;
            takes |= u8::from((cells[i] == other) & (left[i] == 0)) << i;
        }
        if joins != 0 {
            head = self.join_around(journal, heads, joins, head);
        }
        self.ko = 0;
        self.ko_colour = Colour::Black;
        if takes != 0 {
            let played = self.take_around(journal, colour, slot, heads, takes);
            // A stone among enemies that took a single one.
            if played.captured == 1 && !cells.contains(&own) && !cells.contains(&EMPTY) {
                self.ko = self.memory.listed(self.empties - 1);
                self.ko_colour = !colour;
            }
            return played;
        }
        let mut played = Played::default();
        if self.memory.liberties(head) == 0 {
            played.suicide = self.remove(journal, colour, slot);
            self.captures[(!colour).index()] += u32::from(played.suicide);
        }
        played
    }

    /// Adds to the number of liberties of each of up to four chains, once where they are the same.
    /// Returns what they have then.
    #[inline]
    fn count_around<J: Journal>(&mut self, journal: &mut J, heads: [u16; 4], add: u16) -> [u16; 4] {
        let [a, b, c, d] = heads;
        let new = [
            true,
            b != a,
            (c != a) & (c != b),
            (d != a) & (d != b) & (d != c),
        ];
        std::array::from_fn(|i| {
            let add = if new[i] { add } else { 0 };
            let liberties = self.memory.liberties(heads[i]).wrapping_add(add);
            self.memory.set_liberties(journal, heads[i], liberties);
            liberties
        })
    }

    /// Joins chains around a stone with its own, whose head is given; returns the head. `which` has
    /// a bit for each neighbour that is of another chain.
    #[cold]
    #[inline(never)]
    fn join_around<J: Journal>(
        &mut self,
        journal: &mut J,
        heads: [u16; 4],
        mut which: u8,
        mut head: u16,
    ) -> u16 {
        while which != 0 {
            let joined = heads[which.trailing_zeros() as usize & 3];
            head = self.join(journal, head, joined);
            which &= !same(heads, joined);
        }
        head
    }

    /// Takes off enemy chains around a stone. `which` has a bit for each neighbour of one.
    #[cold]
    #[inline(never)]
    fn take_around<J: Journal>(
        &mut self,
        journal: &mut J,
        colour: Colour,
        slot: u16,
        heads: [u16; 4],
        mut which: u8,
    ) -> Played {
        let mut played = Played::default();
        while which != 0 {
            let i = which.trailing_zeros() as usize & 3;
            played.captured += self.remove(journal, !colour, around(slot)[i]);
            which &= !same(heads, heads[i]);
        }
        self.captures[colour.index()] += u32::from(played.captured);
        played
    }

    /// Joins two chains of one colour: the smaller is added to the larger stone by stone. Returns
    /// the head.
    #[inline]
    fn join<J: Journal>(&mut self, journal: &mut J, a: u16, b: u16) -> u16 {
        let (stones_a, stones_b) = (self.memory.chain_stones(a), self.memory.chain_stones(b));
        let (head, small) = if stones_a >= stones_b { (a, b) } else { (b, a) };
        let mut liberties = self.memory.liberties(head);
        let mut stone = small;
        loop {
            let cells = self.memory.cells_around(stone);
            liberties += self.memory.new_liberties(stone, cells, head);
            self.memory.set_head(journal, stone, head);
            stone = self.memory.link(stone);
            if stone == small {
                break;
            }
        }
        let (next_head, next_small) = (self.memory.link(head), self.memory.link(small));
        self.memory.set_link(journal, head, next_small);
        self.memory.set_link(journal, small, next_head);
        self.memory.set_liberties(journal, head, liberties);
        self.memory
            .set_chain_stones(journal, head, stones_a + stones_b);
        head
    }

    /// Takes the chain of `colour` with a stone at `first` off the board; returns its size.
    #[inline(never)]
    fn remove<J: Journal>(&mut self, journal: &mut J, colour: Colour, first: u16) -> u16 {
        let mut count = 0;
        let mut slot = first;
        loop {
            let next = self.memory.link(slot);
            self.memory.set_cell(journal, slot, EMPTY);
            self.memory.set_head(journal, slot, slot);
            self.memory.set_link(journal, slot, self.empties);
            self.memory.set_listed(journal, self.empties, slot);
            self.empties += 1;
            self.hash ^= zobrist::stone_slot_key(colour, slot);
            // Stones of the chain itself gain too; nobody reads that any more.
            let heads = self.memory.heads_around(slot);
            self.count_around(journal, heads, 1);
            count += 1;
            if next == first {
                return count;
            }
            slot = next;
        }
    }
}

/// A bit for each of the heads that is this one.
#[inline]
fn same(heads: [u16; 4], head: u16) -> u8 {
    (0..4).map(|i| u8::from(heads[i] == head) << i).sum()
}
