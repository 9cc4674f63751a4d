//! Made-up variants and positions, and a slow second implementation of the rules.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "shared by several tests, which may panic"
)]

pub(crate) mod naive;

use std::fmt::Write as _;

use yose_shogi::{Piece, Position, Side, Variant, squares};

/// A stream of choices that follows from a seed.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Choices {
        Choices(seed)
    }

    /// A number under `below` (splitmix64).
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ z >> 31) % below as u64).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// The TOML text of a made-up variant.
pub(crate) fn variant_text(seed: u64) -> String {
    let mut c = Choices::new(seed);
    let rows = 2 + c.below(5);
    let columns = 2 + c.below((32 / rows).min(7) - 1);
    let mut text = format!("name = \"made-up-{seed}\"\ntitle = \"Made up\"\n");
    let _ = writeln!(text, "rows = {rows}\ncolumns = {columns}");
    for (key, words) in [
        ("promotion", &["never", "far-rank", "on-capture"][..]),
        ("captured", &["hand", "hand", "gone"]),
        ("drop-faces", &["base", "either"]),
        ("drop-ban", &["none", "far-rank"]),
        ("goal", &["take-king", "take-king-or-try"]),
    ] {
        let _ = writeln!(text, "{key} = {:?}", c.pick(words));
    }
    let _ = writeln!(text, "friendly-jump = {}", c.one_in(2));
    let letters = ["A", "B", "C", "D", "E"];
    let kinds: Vec<usize> = (0..c.below(letters.len() + 1))
        .map(|_| 1 + c.below(3))
        .collect();
    let mut hand = String::new();
    for (letter, &total) in letters.iter().zip(&kinds) {
        if total > 1 {
            let _ = write!(hand, "{total}");
        }
        hand.push_str(letter);
    }
    if hand.is_empty() {
        hand.push('-');
    }
    let mut start = format!("{}k", columns - 1);
    for _ in 2..rows {
        let _ = write!(start, "/{columns}");
    }
    let _ = write!(start, "/K{} b {hand} 1", columns - 1);
    let _ = writeln!(
        text,
        "starts = [{start:?}]\n\n[king]\nname = \"king\"\nletter = \"K\""
    );
    moves_text(&mut text, &mut c, true);
    for (letter, total) in letters.iter().zip(kinds) {
        let _ = writeln!(
            text,
            "[[kinds]]\nname = \"{letter}\"\nletter = \"{letter}\"\ntotal = {total}"
        );
        moves_text(&mut text, &mut c, false);
        if !c.one_in(3) {
            // Either `+A` or a letter of its own.
            let other = if c.one_in(2) {
                format!("+{letter}")
            } else {
                char::from(letter.as_bytes()[0] + 12).to_string()
            };
            let _ = writeln!(
                text,
                "[kinds.promoted]\nname = \"other {letter}\"\nletter = \"{other}\""
            );
            moves_text(&mut text, &mut c, false);
        }
    }
    text
}

fn moves_text(text: &mut String, c: &mut Choices, king: bool) {
    let mut directions = |odds: usize| {
        let mut set = Vec::new();
        for pair in [
            &["N"][..],
            &["S"],
            &["E", "W"],
            &["NE", "NW"],
            &["SE", "SW"],
        ] {
            if c.below(10) < odds {
                set.extend_from_slice(pair);
            }
        }
        format!("{set:?}")
    };
    let steps = directions(if king { 8 } else { 4 });
    let slides = directions(1);
    let _ = writeln!(text, "steps = {steps}\nslides = {slides}");
    let leaps = c.pick(&[
        "[]",
        "[]",
        "[[0, 2]]",
        "[[1, 2], [-1, 2]]",
        "[[2, -1], [-2, -1], [0, -2]]",
    ]);
    let _ = writeln!(text, "leaps = {leaps}");
}

/// A made-up variant.
pub(crate) fn made_up_variant(seed: u64) -> Variant {
    Variant::parse(&variant_text(seed)).unwrap()
}

/// A built-in variant or a made-up one.
pub(crate) fn any_variant(seed: u64) -> Variant {
    let names = Variant::built_in_names();
    let place = usize::try_from(seed % 8).unwrap();
    match names.get(place) {
        Some(name) => Variant::built_in(name).unwrap(),
        None => made_up_variant(seed),
    }
}

/// A legal position of some inventory of the variant.
pub(crate) fn any_position(variant: &Variant, seed: u64) -> Position {
    let mut c = Choices::new(seed);
    let side = |white: bool| if white { Side::White } else { Side::Black };
    let mut position = Position::empty(side(c.one_in(2)));
    let mut free: Vec<_> = squares(variant.board().all()).collect();
    for king in [Side::Black, Side::White] {
        let square = free.swap_remove(c.below(free.len()));
        position.put(square, Piece::king(king));
    }
    for (kind, data) in variant.kinds.iter().enumerate() {
        for _ in 0..data.total {
            let owner = side(c.one_in(2));
            let promoted = data.promoted.is_some() && c.one_in(2);
            match c.below(4) {
                0 => {}
                1 => position.set_in_hand(owner, kind, position.in_hand(owner, kind) + 1),
                _ if free.is_empty() => {}
                _ => {
                    let square = free.swap_remove(c.below(free.len()));
                    let far = variant.far_rank(owner) & square.bit() != 0;
                    let must = far && !variant.base_on_far_rank(kind);
                    position.put(square, Piece::new(owner, kind, promoted || must));
                }
            }
        }
    }
    position
}
