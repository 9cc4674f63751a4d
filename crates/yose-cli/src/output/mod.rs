//! How answers are written: for people as text, for programs as one JSON document.

mod board;
mod style;
mod table;

use serde_json::Value as Json;

pub(crate) use board::draw;
pub(crate) use style::Style;
pub(crate) use table::Table;

/// A result that can be shown both ways.
pub(crate) trait Answer {
    /// The JSON document. Its keys are a contract with scripts outside the project.
    fn json(&self) -> Json;
    /// The text for people.
    fn text(&self, style: Style) -> String;
}

/// A whole number with its digits in groups of three, for people.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 position`, `2 positions`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// `1 ply`, `2 plies`.
pub(crate) fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_groups() {
        assert_eq!(grouped(0_u64), "0");
        assert_eq!(grouped(999_u64), "999");
        assert_eq!(grouped(1000_u64), "1,000");
        assert_eq!(grouped(205_148_532_253_680_u64), "205,148,532,253,680");
        assert_eq!(counted(1, "position"), "1 position");
        assert_eq!(plies(1), "1 ply");
        assert_eq!(plies(173), "173 plies");
        assert_eq!(counted(4096, "position"), "4,096 positions");
    }
}
