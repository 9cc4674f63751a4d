//! What rule sets say about moves and counting.

use crate::board::Suicide;

/// Which repetitions are forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum KoRule {
    /// Nothing is forbidden: for entering games as they were played.
    None,
    /// A single stone that has just taken a single stone may not be taken back at once, if that
    /// would take it alone and restore the position. A pass lifts the ban.
    #[default]
    Simple,
    /// No placed stone may leave a position of stones that stood before in the game.
    Positional,
    /// As positional, but positions count as the same only if the same side is to move.
    Situational,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scoring {
    /// Own stones on the board and points that reach only own stones.
    #[default]
    Area,
    /// Points that reach only own stones, and prisoners.
    Territory,
}

/// What White receives for a handicap of N stones, beyond komi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HandicapBonus {
    /// Nothing.
    #[default]
    None,
    /// N points.
    Stones,
    /// N - 1 points.
    StonesMinusOne,
}

/// A rule set as far as the board is concerned. The constants are the usual ones; any field can be
/// changed.
///
/// ```
/// use yose_go::{KoRule, Rules};
/// let club = Rules { ko: KoRule::Positional, ..Rules::JAPANESE };
/// assert_eq!(Rules::by_name("tromp-taylor"), Some(Rules::TROMP_TAYLOR));
/// # let _ = club;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Forbidden repetitions.
    pub ko: KoRule,
    /// Legal suicides.
    pub suicide: Suicide,
    /// What is counted.
    pub scoring: Scoring,
    /// Each pass gives the other side a prisoner, and White passes last (AGA).
    pub pass_stones: bool,
    /// What White receives for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Usual komi of an even game, in half points.
    pub komi: i16,
    /// Handicap stones go anywhere; otherwise to the star points.
    pub free_handicap: bool,
}

impl Rules {
    /// Chinese rules as their text has them: positional superko, no suicide, area, komi 7 1/2
    /// (3 3/4 zi), compensation of a point for each handicap stone, which go anywhere. (Servers often play
    /// simple ko under this name.)
    pub const CHINESE: Self = Self {
        ko: KoRule::Positional,
        suicide: Suicide::Forbidden,
        scoring: Scoring::Area,
        pass_stones: false,
        handicap_bonus: HandicapBonus::Stones,
        komi: 15,
        free_handicap: true,
    };

    /// Japanese rules: simple ko (a longer repetition is no result, which is left to the players),
    /// no suicide, territory and prisoners, komi 6 1/2, handicap on the star points.
    pub const JAPANESE: Self = Self {
        ko: KoRule::Simple,
        suicide: Suicide::Forbidden,
        scoring: Scoring::Territory,
        pass_stones: false,
        handicap_bonus: HandicapBonus::None,
        komi: 13,
        free_handicap: false,
    };

    /// Korean rules: as the Japanese ones in all that is told apart here.
    pub const KOREAN: Self = Self::JAPANESE;

    /// AGA rules: situational superko, no suicide; area counting, and territory counting gives the same, since
    /// a pass costs a stone; komi 7 1/2; a point for each handicap stone but the first.
    pub const AGA: Self = Self {
        ko: KoRule::Situational,
        suicide: Suicide::Forbidden,
        scoring: Scoring::Area,
        pass_stones: true,
        handicap_bonus: HandicapBonus::StonesMinusOne,
        komi: 15,
        free_handicap: false,
    };

    /// Tromp-Taylor rules: positional superko, suicide, area with every stone alive. The rules
    /// name no komi; 7 1/2 is what programs use.
    pub const TROMP_TAYLOR: Self = Self {
        ko: KoRule::Positional,
        suicide: Suicide::Allowed,
        scoring: Scoring::Area,
        pass_stones: false,
        handicap_bonus: HandicapBonus::None,
        komi: 15,
        free_handicap: true,
    };

    /// New Zealand rules: situational superko, suicide, area, komi 7, handicap anywhere.
    pub const NEW_ZEALAND: Self = Self {
        ko: KoRule::Situational,
        suicide: Suicide::Allowed,
        scoring: Scoring::Area,
        pass_stones: false,
        handicap_bonus: HandicapBonus::None,
        komi: 14,
        free_handicap: true,
    };

    /// The names of [`by_name`](Self::by_name) with their rules.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("chinese", Self::CHINESE),
        ("japanese", Self::JAPANESE),
        ("aga", Self::AGA),
        ("tromp-taylor", Self::TROMP_TAYLOR),
        ("new-zealand", Self::NEW_ZEALAND),
        ("korean", Self::KOREAN),
    ];

    /// The rules of a name of [`NAMED`](Self::NAMED), in any case, with `_` or blanks for `-`; `nz`
    /// is New Zealand, as in SGF.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::named(name).map(|(_, rules)| rules)
    }

    /// [`by_name`](Self::by_name) with the name as [`NAMED`](Self::NAMED) writes it: Korean and Japanese
    /// rules are equal here but for it.
    #[must_use]
    pub fn named(name: &str) -> Option<(&'static str, Self)> {
        let name = name.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        let name = if name == "nz" { "new-zealand" } else { &name };
        Self::NAMED.into_iter().find(|(known, _)| *known == name)
    }
}

impl Default for Rules {
    /// Tromp-Taylor rules.
    fn default() -> Self {
        Self::TROMP_TAYLOR
    }
}
