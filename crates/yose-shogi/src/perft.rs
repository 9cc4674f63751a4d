//! Counting lines of play, the classic check of a move generator.

use thiserror::Error;

use crate::moves::{After, Move};
use crate::position::Position;
use crate::rules::Rules;

/// The greatest depth that perft counts to.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// Which moves are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Every move.
    All,
    /// Not moves after which the own king can be taken, nor captures of the king.
    KingSafe,
}

/// Why lines were not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PerftError {
    /// Deeper than [`MAX_PERFT_DEPTH`].
    #[error("depth {0}: expected at most {MAX_PERFT_DEPTH} plies")]
    TooDeep(u32),
    /// More than 2^64 - 1 lines.
    #[error("more than {max} lines of {depth} plies", max = u64::MAX)]
    TooMany {
        /// Plies.
        depth: usize,
    },
}

impl Rules {
    /// How many lines of 1, 2, ... `depth` plies there are from a position. A line that a move has
    /// ended sooner counts as one line at every greater depth; one that stops because a side has no
    /// move counts at no greater depth.
    ///
    /// # Errors
    /// If `depth` is over [`MAX_PERFT_DEPTH`] or a count does not fit 64 bits.
    ///
    /// ```
    /// use yose_shogi::{Counting, Inventory, Rules, Variant};
    ///
    /// let rules = Rules::new(Variant::built_in("shogi4").unwrap());
    /// let start = rules.variant().start(&Inventory::full(rules.variant())).unwrap();
    /// assert_eq!(rules.perft(&start, 4, Counting::All).unwrap(), [8, 64, 626, 6304]);
    /// ```
    pub fn perft(
        &self,
        position: &Position,
        depth: u32,
        counting: Counting,
    ) -> Result<Vec<u64>, PerftError> {
        if depth > MAX_PERFT_DEPTH {
            return Err(PerftError::TooDeep(depth));
        }
        let mut nodes = vec![Ply::default(); depth as usize];
        match counting {
            _ if self.is_over(position) => {}
            Counting::All => self.walk_all(position, &mut nodes),
            Counting::KingSafe => self.walk_safe(position, &mut nodes),
        }
        let mut ended = 0_u64;
        let mut counts = Vec::with_capacity(nodes.len());
        for (ply, depth) in nodes.iter().zip(1..) {
            let count = ply.moves.checked_add(ended);
            counts.push(count.ok_or(PerftError::TooMany { depth })?);
            ended = ended
                .checked_add(ply.ended)
                .ok_or(PerftError::TooMany { depth })?;
        }
        Ok(counts)
    }

    /// Adds the lines from a position to `plies`, one entry for each ply from here.
    fn walk_all(&self, position: &Position, plies: &mut [Ply]) {
        match plies {
            [] => {}
            [last] => last.moves += u64::from(self.generate_count(position)),
            [here, rest @ ..] => self.generate(position, |mv| {
                here.moves += 1;
                match self.play(position, mv) {
                    After::Continues(next) => self.walk_all(&next, rest),
                    After::KingTaken | After::Try => here.ended += 1,
                }
            }),
        }
    }

    fn walk_safe(&self, position: &Position, plies: &mut [Ply]) {
        let Some((here, rest)) = plies.split_first_mut() else {
            return;
        };
        self.generate(position, |mv: Move| match self.play(position, mv) {
            After::KingTaken => {}
            After::Try => {
                here.moves += 1;
                here.ended += 1;
            }
            After::Continues(next) if self.takes_king(&next) => {}
            After::Continues(next) => {
                here.moves += 1;
                self.walk_safe(&next, rest);
            }
        });
    }
}

/// Lines by the ply they have reached. One that counted 10^9 of them a second would need centuries
/// to overflow these sums; sums over plies are checked all the same.
#[derive(Debug, Clone, Copy, Default)]
struct Ply {
    /// Moves made at this ply.
    moves: u64,
    /// Those of them that ended the game.
    ended: u64,
}
