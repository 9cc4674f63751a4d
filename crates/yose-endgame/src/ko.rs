//! What a region with a ko is worth to whoever wins all kos.

use yose_cgt::Rational;

/// A thermograph if one player is master of the ko: wins it, but may not avoid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KoThermograph {
    /// The count: where the walls meet for good.
    pub mean: Rational,
    /// What a move is worth (the miai value).
    pub temperature: Rational,
    /// Score if Black moves first, by temperature: `(t, x)` at t = -1 and at each change of slope; vertical
    /// above the last.
    pub left: Vec<(Rational, Rational)>,
    /// Score if White moves first.
    pub right: Vec<(Rational, Rational)>,
}

/// Bounds of a region with a ko: whoever has more threats, it is worth at most the first and at least
/// the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KoWorth {
    /// If Black wins all kos.
    pub black: KoThermograph,
    /// If White wins all kos.
    pub white: KoThermograph,
}
