//! What a position is worth to the side to move, with its distance in plies.

use std::fmt;

/// Win, loss or draw, without a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move loses against best play.
    Loss,
    /// Neither side can force the end of the game.
    Draw,
    /// The side to move can force a win.
    Win,
}

/// The exact value of a position in the view of the side to move.
///
/// Distances are in plies: taking the king is ply 1, so a position where it can be taken is
/// `Win(1)`, and a position in which every move allows that is `Loss(2)`. The winner makes the
/// distance as short, the loser as long as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies.
    Win(u32),
    /// The side to move loses in this many plies; `Loss(0)`: the game is over.
    Loss(u32),
    /// Neither side can force the end of the game.
    Draw,
}

impl Value {
    /// The value without its distance.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Win(_) => Outcome::Win,
            Value::Loss(_) => Outcome::Loss,
            Value::Draw => Outcome::Draw,
        }
    }

    /// Plies to the end of the game, `None` for a draw.
    #[must_use]
    pub fn depth(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// The worth of a move for the side that makes it, if the position after it has this value
    /// for the other side. The distance counts the move itself.
    ///
    /// ```
    /// use yose_retro::Value;
    /// assert_eq!(Value::Loss(0).before_move(), Value::Win(1));
    /// assert_eq!(Value::Win(1).before_move(), Value::Loss(2));
    /// assert_eq!(Value::Draw.before_move(), Value::Draw);
    /// ```
    #[must_use]
    pub fn before_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
        }
    }

    /// Orders values by what the side to move prefers: a quick win, a slow win, a draw, a slow
    /// loss, a quick loss. The first is the greatest.
    ///
    /// ```
    /// use yose_retro::Value;
    /// let mut values = [Value::Loss(2), Value::Win(9), Value::Draw, Value::Win(1), Value::Loss(8)];
    /// values.sort_by_key(|v| std::cmp::Reverse(v.preference()));
    /// assert_eq!(
    ///     values,
    ///     [Value::Win(1), Value::Win(9), Value::Draw, Value::Loss(8), Value::Loss(2)]
    /// );
    /// ```
    #[must_use]
    pub fn preference(self) -> i64 {
        match self {
            Value::Win(plies) => i64::from(u32::MAX) + 1 - i64::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - i64::from(u32::MAX) - 1,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win in {plies}"),
            Value::Loss(plies) => write!(f, "loss in {plies}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}
