//! Who wins, by formula.
//!
//! Three rows are heaps of Nim and the fourth is a purse of spare moves. Let d_A, d_B, d_C be the
//! distances between the pieces of a row, in columns:
//!
//! - **Rows B and C** are heaps of d - 1 stones, the squares between the pieces. A move towards
//!   the enemy takes stones; a move away adds some, but the other side takes as many off by
//!   following, and room to retreat runs out.
//! - **Row A**: who steps next to the enemy piece is taken at once. So the row has d_A - 2 steps
//!   that can be made, either side making any of them: a heap which each move makes smaller by
//!   one, worth its parity. If d_A = 1 the side to move takes and has won.
//! - **Row D**: each side has as many free moves as squares behind its piece. Free moves of one
//!   side beat any heap; equal numbers cancel.
//!
//! So the side to move wins iff it can take in row A, or it has more spare moves, or as many and
//! the Nim sum (d_A mod 2) xor (d_B - 1) xor (d_C - 1) is not 0. That is [`winner`], true of every
//! position on every width.
//!
//! The [statement of the literature](published_winner) is the same for positions with as many
//! spare moves on both sides, but for one thing: it overlooks d_A = 1, where the side to move wins
//! whatever the other rows say.

use yose_retro::Successor;

use crate::{Move, Position, Row, Side};

/// A position as heaps of Nim and spare moves, in the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heaps {
    /// Whether the pieces of row A touch: the side to move takes and wins.
    pub can_take: bool,
    /// Steps that can be made in row A without being taken; 0 if the pieces touch.
    pub steps: u8,
    /// Squares between the pieces of row B.
    pub b: u8,
    /// Squares between the pieces of row C.
    pub c: u8,
    /// Squares behind the own piece of row D: the own spare moves.
    pub own_spares: u8,
    /// Squares behind the enemy piece of row D: the enemy's spare moves.
    pub enemy_spares: u8,
}

impl Heaps {
    /// The heaps of a position.
    ///
    /// ```
    /// use yose_race::nim::Heaps;
    /// //   1 2 3 4 5 6
    /// // A r . . . b .     3 steps until someone must step next to the enemy: 2
    /// // B . r . . b .     2 between
    /// // C . r b . . .     0 between
    /// // D . r . . b .     1 behind red, 1 behind black
    /// let heaps = Heaps::of(&"r3b1/1r2b1/1rb3/1r2b1 r".parse()?);
    /// assert_eq!((heaps.steps, heaps.b, heaps.c), (2, 2, 0));
    /// assert_eq!((heaps.own_spares, heaps.enemy_spares), (1, 1));
    /// assert_eq!(heaps.nim_sum(), 2);
    /// assert!(heaps.side_to_move_wins());
    /// # Ok::<(), yose_race::notation::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position) -> Heaps {
        let own = position.to_move();
        Heaps {
            can_take: position.distance(Row::A) == 1,
            steps: position.distance(Row::A).saturating_sub(2),
            b: position.distance(Row::B) - 1,
            c: position.distance(Row::C) - 1,
            own_spares: position.room_behind(own, Row::D),
            enemy_spares: position.room_behind(own.other(), Row::D),
        }
    }

    /// The Nim sum of rows A, B and C.
    #[must_use]
    pub fn nim_sum(self) -> u8 {
        (self.steps % 2) ^ self.b ^ self.c
    }

    /// Whether the side to move wins.
    #[must_use]
    pub fn side_to_move_wins(self) -> bool {
        self.can_take
            || self.own_spares > self.enemy_spares
            || (self.own_spares == self.enemy_spares && self.nim_sum() != 0)
    }
}

/// Who wins: the corrected statement, true of every position on every width.
#[must_use]
pub fn winner(position: &Position) -> Side {
    if Heaps::of(position).side_to_move_wins() {
        position.to_move()
    } else {
        position.to_move().other()
    }
}

/// Who wins according to the literature, or `None` for a position that it does not speak of: it
/// speaks of the starting placements, with either side to move first.
///
/// With d the difference of columns in a row: the first player loses iff d_A is even and
/// d_B = d_C, or d_A is odd and {d_B, d_C} = {2k - 1, 2k} for some k.
///
/// ```
/// use yose_race::{Position, nim};
/// //   1 2 3 4
/// // A . r b .     d_A = 1, odd
/// // B . r b .     d_B = 1
/// // C r . b .     d_C = 2: the first player should lose, but takes in row A
/// // D . r b .
/// let position: Position = "1rb1/1rb1/r1b1/1rb1 r".parse()?;
/// assert_eq!(nim::published_winner(&position).map(|side| side.to_string()), Some("black".into()));
/// assert_eq!(nim::winner(&position).to_string(), "red");
/// # Ok::<(), yose_race::notation::ParsePositionError>(())
/// ```
#[must_use]
pub fn published_winner(position: &Position) -> Option<Side> {
    if !position.is_start() {
        return None;
    }
    let [a, b, c] = [Row::A, Row::B, Row::C].map(|row| position.distance(row));
    let loses = if a % 2 == 0 {
        b == c
    } else {
        b.abs_diff(c) == 1 && b.max(c) % 2 == 0
    };
    Some(if loses {
        position.to_move().other()
    } else {
        position.to_move()
    })
}

/// What the formulas say about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedForm {
    /// Whether the published statement speaks of this position: a starting placement.
    pub applies: bool,
    /// Who wins by the published statement, `None` if it does not apply.
    pub winner: Option<Side>,
    /// Who wins by the corrected statement, which always applies.
    pub corrected: Side,
}

impl ClosedForm {
    /// The closed form for a position; needs no table.
    #[must_use]
    pub fn of(position: &Position) -> ClosedForm {
        let published = published_winner(position);
        ClosedForm {
            applies: published.is_some(),
            winner: published,
            corrected: winner(position),
        }
    }
}

/// A move that wins by formula, `None` if the side to move loses.
///
/// Never a retreat in rows B and C. Of the moves which leave a position lost for the other side
/// it takes in row A if it can, else goes forward farthest in rows B and C, else steps in row A or
/// D. So a retreat of the other side is always answered by going at least as far after it, which
/// is why the game comes to an end.
#[must_use]
pub fn winning_move(position: &Position) -> Option<Move> {
    let own = position.to_move();
    let forward = |mv: &Move| match own {
        Side::Red => i16::from(mv.to) - i16::from(mv.from),
        Side::Black => i16::from(mv.from) - i16::from(mv.to),
    };
    position
        .moves()
        .into_iter()
        .filter_map(|mv| match position.play_legal(mv) {
            Successor::Decided(_) => Some((i16::MAX, mv)),
            Successor::Position(next) if Heaps::of(&next).side_to_move_wins() => None,
            Successor::Position(_) => match mv.row {
                Row::A | Row::D => Some((0, mv)),
                Row::B | Row::C => Some((forward(&mv), mv)).filter(|(forward, _)| *forward > 0),
            },
        })
        // The first of equals, in order of row and column.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, mv)| mv)
}
