//! What kind of move a game offers: gote, somebody's sente, or nothing worth points.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::Result;

/// The kind of a game by its thermograph just below its temperature.
///
/// "Double sente" does not occur: two walls that are both vertical just below the temperature would have
/// met below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Both walls slope: whoever plays gives up the turn.
    Gote,
    /// The left wall is vertical: Left's move is answered (Right's move there is reverse sente).
    LeftSente,
    /// The right wall is vertical: Right's move is answered.
    RightSente,
    /// A number: nobody wants to move.
    Number,
    /// A number plus *: a move, but no points.
    Dame,
    /// Another infinitesimal beside a number: no points, but the last move may hang on it.
    Infinitesimal,
}

impl Kind {
    /// The word in reports, with Left called black and Right white.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Gote => "gote",
            Self::LeftSente => "black_sente",
            Self::RightSente => "white_sente",
            Self::Number => "number",
            Self::Dame => "dame",
            Self::Infinitesimal => "infinitesimal",
        }
    }
}

impl Games {
    /// The kind of a game.
    ///
    /// ```
    /// use yose_cgt::{Games, Kind};
    /// let mut g = Games::new();
    /// for (text, kind) in [
    ///     ("{8|-8}", Kind::Gote),
    ///     ("{10|{0|-100}}", Kind::RightSente),
    ///     ("{{100|0}|-10}", Kind::LeftSente),
    ///     ("3*", Kind::Dame),
    ///     ("^", Kind::Infinitesimal),
    ///     ("{1|2}", Kind::Number),
    /// ] {
    ///     let id = g.parse_value(text)?;
    ///     assert_eq!(g.kind(id)?, kind);
    /// }
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::thermograph`].
    pub fn kind(&mut self, g: GameId) -> Result<Kind> {
        if let Some(v) = self.as_nus(g) {
            return Ok(match (v.up, v.star) {
                (0, 0) => Kind::Number,
                (0, 1) => Kind::Dame,
                _ => Kind::Infinitesimal,
            });
        }
        let t = self.thermograph(g)?;
        if self.left_stop(g) == self.right_stop(g) {
            return Ok(Kind::Infinitesimal);
        }
        let foot = |w: &crate::Wall| w.points().last().is_some_and(|p| p.0 < t.temperature);
        Ok(if foot(&t.left) {
            Kind::LeftSente
        } else if foot(&t.right) {
            Kind::RightSente
        } else {
            Kind::Gote
        })
    }

    /// Miai value (what one move is worth) and deiri value (the difference between the two players
    /// having moved): T and 2T for gote, T and T for sente, 0 without points; `None` for numbers.
    ///
    /// # Errors
    /// As [`Self::thermograph`].
    pub fn miai_and_deiri(&mut self, g: GameId) -> Result<Option<(Dyadic, Dyadic)>> {
        let t = self.temperature(g)?;
        Ok(match self.kind(g)? {
            Kind::Number => None,
            Kind::Gote => Some((t.clone(), t.mul_pow2(1)?)),
            Kind::LeftSente | Kind::RightSente => Some((t.clone(), t)),
            Kind::Dame | Kind::Infinitesimal => Some((Dyadic::ZERO, Dyadic::ZERO)),
        })
    }
}
