//! Uniform random legal moves, for playouts.

use super::Board;
use super::memory::{Cell, EMPTY, Forget, WALL, cell_of};
use crate::colour::Colour;
use crate::playout::Random;
use crate::point::Point;

impl Board {
    /// Whether the point is a one-point eye of `colour` that playouts do not fill: it is empty, all
    /// points beside it hold own stones, and of the points diagonal to it at most one holds an
    /// enemy stone, none if the point is on the edge.
    #[must_use]
    #[inline]
    pub fn is_one_point_eye(&self, colour: Colour, point: Point) -> bool {
        let slot = point.slot();
        self.memory.cell(slot) == EMPTY
            && self.sum_around(slot) & (0xF | (0xF * cell_of(!colour))) == 0
            && self.has_good_corners(colour, slot)
    }

    /// The part of the eye rule about diagonals.
    #[inline]
    fn has_good_corners(&self, colour: Colour, slot: u16) -> bool {
        let sum = self.memory.sum_of_corners(slot);
        let enemies = (sum / cell_of(!colour)) & 0xF;
        enemies + Cell::from(sum >= WALL) < 2
    }

    /// Plays a move for `colour`, each with the same probability among those that are legal by
    /// simple ko and the board's suicide rule and fill no
    /// [one-point eye](Self::is_one_point_eye); nothing if there is none.
    ///
    /// Candidates are drawn from the list of empty points without putting back those that fail,
    /// which is exactly uniform.
    pub fn play_random(&mut self, colour: Colour, random: &mut Random) -> Option<Point> {
        match colour {
            Colour::Black => self.play_random_as::<false>(random),
            Colour::White => self.play_random_as::<true>(random),
        }
    }

    /// [`play_random`](Self::play_random) for a colour known to the compiler. Always inline: the
    /// call alone, with its registers to save, is 2 % of a playout.
    #[inline(always)]
    pub(crate) fn play_random_as<const WHITE: bool>(
        &mut self,
        random: &mut Random,
    ) -> Option<Point> {
        let mut left = self.empties;
        while left > 0 {
            let place = random.below(left);
            let slot = self.memory.listed(place);
            if self.is_playable::<WHITE>(slot) {
                self.place_as::<_, WHITE>(&mut Forget, slot);
                return Some(Point::from_slot(slot));
            }
            left -= 1;
            let other = self.memory.listed(left);
            self.memory.set_listed(&mut Forget, place, other);
            self.memory.set_link(&mut Forget, other, place);
            self.memory.set_listed(&mut Forget, left, slot);
            self.memory.set_link(&mut Forget, slot, left);
            self.went_by(u64::from(place) << 16 | u64::from(left));
        }
        None
    }

    /// Whether an empty point is legal and no own eye.
    #[inline]
    fn is_playable<const WHITE: bool>(&self, slot: u16) -> bool {
        let colour = if WHITE { Colour::White } else { Colour::Black };
        let sum = self.sum_around(slot);
        if sum & 0xF != 0 {
            return true;
        }
        if sum & (0xF * cell_of(!colour)) == 0 && self.has_good_corners(colour, slot) {
            return false;
        }
        !(slot == self.ko && colour == self.ko_colour) && self.check_crowded(colour, slot).is_ok()
    }
}
