//! Readers of drop-shogi texts. Each function takes any bytes and must return; what it accepts must
//! survive being printed and read again.

use std::sync::OnceLock;

use yose_shogi::{After, Counts, Inventory, Position, Rules, Variant};

fn built_in() -> &'static [Rules] {
    static RULES: OnceLock<Vec<Rules>> = OnceLock::new();
    RULES.get_or_init(|| {
        let names = Variant::built_in_names();
        let variants = names.into_iter().filter_map(Variant::built_in);
        variants.map(Rules::new).collect()
    })
}

/// A position text, read for every built-in variant.
pub fn sfen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for rules in built_in() {
        match rules.variant().parse_position(text) {
            Ok(position) => play_around(rules, &position),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        if let Ok(inventory) = Inventory::parse(text, rules.variant()) {
            let printed = inventory.text(rules.variant());
            assert_eq!(Inventory::parse(&printed, rules.variant()), Ok(inventory));
        }
    }
}

/// A position text, a line break, and a move text, read for every built-in variant. Without a line
/// break the text is a move from the start.
pub fn usi(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for rules in built_in() {
        let variant = rules.variant();
        let (position, text) = match text.split_once('\n') {
            Some((sfen, text)) => (variant.parse_sfen(sfen).ok(), text),
            None => (variant.start(&Inventory::full(variant)), text),
        };
        if let Ok(mv) = variant.parse_usi(text) {
            assert_eq!(variant.parse_usi(&variant.usi(mv)), Ok(mv));
        }
        let Some(position) = position else { continue };
        match rules.parse_move(&position, text) {
            Ok(mv) => {
                assert!(rules.is_legal(&position, mv));
                assert_eq!(rules.parse_move(&position, &variant.usi(mv)), Ok(mv));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A variant file.
pub fn variant_toml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let variant = match Variant::parse(text) {
        Ok(variant) => variant,
        Err(error) => {
            assert!(error.to_string().starts_with("line "), "{error}");
            return;
        }
    };
    let rules = Rules::new(variant);
    let variant = rules.variant();
    let full = Inventory::full(variant);
    let start = variant
        .start(&full)
        .expect("a variant names a start with all pieces");
    play_around(&rules, &start);
    if let Ok(counts) = Counts::new(variant, &full) {
        assert!(counts.legal() <= counts.arrangements());
        assert!(counts.canonical() <= counts.legal());
    }
}

/// Prints and reads a position, plays its moves and takes them back.
fn play_around(rules: &Rules, position: &Position) {
    let variant = rules.variant();
    let printed = variant.sfen(position);
    assert_eq!(variant.parse_sfen(&printed).as_ref(), Ok(position));
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    assert_eq!(moves.len(), rules.count_moves(position) as usize);
    // A few are enough: un-moves are slow on crowded boards.
    for mv in moves.into_iter().take(8) {
        if let After::Continues(next) = rules.play(position, mv) {
            assert!(rules.predecessors(&next).contains(position));
        }
    }
}
