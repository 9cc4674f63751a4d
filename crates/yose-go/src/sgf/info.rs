//! What the root says about the game: board, rules, komi, handicap, players, result.

use std::fmt;

use super::tree::{NodeRef, Tree};
use super::value::{self, SgfSize};
use crate::colour::Colour;
use crate::rules::Rules;

/// How a game ended, as `RE` tells it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum GameResult {
    /// Not known, or not told in the standard's words.
    #[default]
    Unknown,
    /// A draw.
    Draw,
    /// No result, as after a triple ko.
    Void,
    /// A win.
    Win {
        /// Whose.
        winner: Colour,
        /// By what.
        margin: Margin,
    },
}

/// By what a game was won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Margin {
    /// Points, komi counted.
    Points(f64),
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side lost by forfeit.
    Forfeit,
    /// Not told.
    Unspecified,
}

impl GameResult {
    /// Reads the value of `RE`. Small letters, spaces, `B+Resign` and a decimal comma are
    /// understood; what is not is [`GameResult::Unknown`].
    ///
    /// # Examples
    ///
    /// ```
    /// use yose_go::sgf::{GameResult, Margin};
    /// use yose_go::Colour;
    ///
    /// let win = GameResult::Win { winner: Colour::White, margin: Margin::Points(3.5) };
    /// assert_eq!(GameResult::parse("W+3.5"), win);
    /// assert_eq!(win.to_string(), "W+3.5");
    /// assert_eq!(GameResult::parse("Black wins"), GameResult::Unknown);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        match text.as_str() {
            "0" | "draw" | "jigo" => return Self::Draw,
            "void" => return Self::Void,
            _ => {}
        }
        let Some((winner, margin)) = text.split_once('+') else {
            return Self::Unknown;
        };
        let Some(winner) = Colour::parse(winner.trim()) else {
            return Self::Unknown;
        };
        let margin = match margin.trim() {
            "" => Margin::Unspecified,
            "r" | "resign" | "resignation" => Margin::Resignation,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            points => match value::real(points) {
                Some(points) if points.value() >= 0.0 => Margin::Points(points.value()),
                _ => return Self::Unknown,
            },
        };
        Self::Win { winner, margin }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, margin) = match self {
            Self::Unknown => return f.write_str("?"),
            Self::Draw => return f.write_str("0"),
            Self::Void => return f.write_str("Void"),
            Self::Win { winner, margin } => (winner, margin),
        };
        f.write_str(match winner {
            Colour::Black => "B+",
            Colour::White => "W+",
        })?;
        match margin {
            Margin::Points(points) => write!(f, "{points}"),
            Margin::Resignation => f.write_str("R"),
            Margin::Time => f.write_str("T"),
            Margin::Forfeit => f.write_str("F"),
            Margin::Unspecified => Ok(()),
        }
    }
}

/// What the root says about a game of Go. What is missing, or no value, is `None`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GameInfo {
    /// `SZ`, 19x19 if missing.
    pub size: SgfSize,
    /// `KM` in points for White. Hundredths (`650`) and Chinese stones (`3.75`, `375`: 7.5), as
    /// servers write them, are points here, and a repair when read.
    pub komi: Option<f64>,
    /// `HA`: fewer stones than the board has points.
    pub handicap: Option<u16>,
    /// `RU` as written.
    pub rules_text: Option<String>,
    /// `RU`, if it names rules that are known here. Ing's are not.
    pub rules: Option<Rules>,
    /// The name that these have here, one of [`Rules::NAMED`].
    pub rules_name: Option<&'static str>,
    /// `PB`, a name or names.
    pub black: Option<String>,
    /// `PW`.
    pub white: Option<String>,
    /// `BR`.
    pub black_rank: Option<String>,
    /// `WR`.
    pub white_rank: Option<String>,
    /// `DT`, as written: mostly YYYY-MM-DD.
    pub date: Option<String>,
    /// `EV`.
    pub event: Option<String>,
    /// `RE`.
    pub result: GameResult,
}

impl Tree {
    /// What the root says about the game.
    #[must_use]
    pub fn info(&self) -> GameInfo {
        let root = self.root();
        let text = |id| root.text(id).filter(|text| !text.trim().is_empty());
        let rules_text = text("RU");
        let rules = rules_text.as_deref().and_then(rules);
        GameInfo {
            size: self.board_size(),
            komi: komi(root),
            handicap: handicap(root),
            rules: rules.map(|(_, rules)| rules),
            rules_name: rules.map(|(name, _)| name),
            rules_text,
            black: text("PB"),
            white: text("PW"),
            black_rank: text("BR"),
            white_rank: text("WR"),
            date: text("DT"),
            event: text("EV"),
            result: text("RE").map_or(GameResult::Unknown, |text| GameResult::parse(&text)),
        }
    }
}

fn komi(root: NodeRef<'_>) -> Option<f64> {
    value::komi(&root.first_escaped("KM")?).map(value::Seen::value)
}

fn handicap(root: NodeRef<'_>) -> Option<u16> {
    let size = root.tree().board_size();
    value::handicap(&root.first_escaped("HA")?, size).map(value::Seen::value)
}

/// The rules that a name in a record means, and their name here.
fn rules(text: &str) -> Option<(&'static str, Rules)> {
    let name = text.trim().to_lowercase().replace([' ', '_'], "-");
    let name = match name.as_str() {
        "nzl" => "new-zealand",
        "tt" | "tromptaylor" => "tromp-taylor",
        "jp" | "japan" | "nihon-kiin" => "japanese",
        "cn" | "china" | "chn" => "chinese",
        "kr" | "korea" => "korean",
        "us" | "usgo" => "aga",
        name => name,
    };
    Rules::named(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        let win = |winner, margin| GameResult::Win { winner, margin };
        let (b, w) = (Colour::Black, Colour::White);
        for (text, result, printed) in [
            ("B+R", win(b, Margin::Resignation), "B+R"),
            ("W+Resign", win(w, Margin::Resignation), "W+R"),
            ("b + 0,5", win(b, Margin::Points(0.5)), "B+0.5"),
            ("W+Time", win(w, Margin::Time), "W+T"),
            ("W+F", win(w, Margin::Forfeit), "W+F"),
            ("B+", win(b, Margin::Unspecified), "B+"),
            ("Draw", GameResult::Draw, "0"),
            ("Void", GameResult::Void, "Void"),
            ("?", GameResult::Unknown, "?"),
            ("B+-3", GameResult::Unknown, "?"),
            ("B+lots", GameResult::Unknown, "?"),
        ] {
            assert_eq!(GameResult::parse(text), result, "{text}");
            assert_eq!(result.to_string(), printed);
            assert_eq!(GameResult::parse(printed), result);
        }
    }

    #[test]
    fn names_of_rules() {
        assert_eq!(rules("Chinese"), Some(("chinese", Rules::CHINESE)));
        assert_eq!(rules("jp"), Some(("japanese", Rules::JAPANESE)));
        assert_eq!(rules("AGA"), Some(("aga", Rules::AGA)));
        assert_eq!(rules("NZ"), Some(("new-zealand", Rules::NEW_ZEALAND)));
        assert_eq!(rules("Korea"), Some(("korean", Rules::KOREAN)));
        let tromp_taylor = Some(("tromp-taylor", Rules::TROMP_TAYLOR));
        assert_eq!(rules("Tromp Taylor"), tromp_taylor);
        assert_eq!(rules("GOE"), None);
    }
}
