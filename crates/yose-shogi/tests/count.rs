//! Counts by formula: the published ones, and against enumeration.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use yose_shogi::{Counts, Goal, Index, Inventory, Piece, Position, Side, Square, Variant, squares};

fn counts(variant: &Variant, pieces: &str) -> Counts {
    Counts::new(variant, &Inventory::parse(pieces, variant).unwrap()).unwrap()
}

#[test]
fn published_counts_of_the_full_games() {
    for (name, arrangements, legal, canonical) in [
        (
            "shogi4",
            205_148_532_253_680,
            73_427_898_471_600,
            36_713_949_235_800,
        ),
        ("dobutsu", 1_567_925_964, 463_250_853, 231_641_991),
        (
            "micro",
            3_915_109_365_634_620,
            3_915_109_365_634_620,
            1_957_554_682_817_310,
        ),
    ] {
        let variant = Variant::built_in(name).unwrap();
        let counts = Counts::new(&variant, &Inventory::full(&variant)).unwrap();
        assert_eq!(counts.arrangements(), arrangements, "{name}");
        assert_eq!(counts.legal(), legal, "{name}");
        assert_eq!(counts.canonical(), canonical, "{name}");
    }
    let shogi4 = Variant::built_in("shogi4").unwrap();
    let full = Counts::new(&shogi4, &Inventory::full(&shogi4)).unwrap();
    assert_eq!(full.canonical_kings_apart(), 24_321_053_220_318);
    // The published table of Dobutsu by pieces in hand has this sum; these are its parts.
    let dobutsu = Variant::built_in("dobutsu").unwrap();
    let full = Counts::new(&dobutsu, &Inventory::full(&dobutsu)).unwrap();
    let by_in_hand: Vec<u128> = full.by_in_hand.iter().map(|c| c.arrangements).collect();
    assert_eq!(
        by_in_hand,
        [
            638_668_800,
            638_668_800,
            242_161_920,
            44_098_560,
            4_134_240,
            190_080,
            3_564
        ]
    );
}

#[test]
fn published_counts_of_small_games() {
    let shogi4 = Variant::built_in("shogi4").unwrap();
    for (pieces, all) in [
        ("-", 480),
        ("P", 24_480),
        ("F", 24_480),
        ("PP", 582_832),
        ("FF", 582_832),
        ("PF", 1_164_704),
        ("TR", 1_164_704),
        ("PFR", 51_461_568),
        ("PTRF", 2_100_849_024),
    ] {
        // Published with both sides to move, no mirror fold.
        assert_eq!(4 * counts(&shogi4, pieces).canonical(), all, "{pieces}");
        assert_eq!(2 * counts(&shogi4, pieces).legal(), all, "{pieces}");
    }
    let micro = Variant::built_in("micro").unwrap();
    for (pieces, one_side) in [
        ("G", 28_120),
        ("P", 28_120),
        ("PP", 986_100),
        ("PPGG", 2_037_557_340),
    ] {
        assert_eq!(counts(&micro, pieces).legal(), one_side, "{pieces}");
        assert_eq!(counts(&micro, pieces).arrangements(), one_side, "{pieces}");
    }
}

/// Every arrangement, Black to move, by trying every square and owner and face for every piece.
fn enumerate(variant: &Variant, inventory: &Inventory) -> HashSet<Position> {
    let board = variant.board();
    let mut positions = HashSet::new();
    for own in squares(board.all()) {
        for other in squares(board.all() & !own.bit()) {
            let mut position = Position::empty(Side::Black);
            position.put(own, Piece::king(Side::Black));
            position.put(other, Piece::king(Side::White));
            positions.insert(position);
        }
    }
    for (kind, data) in variant.kinds.iter().enumerate() {
        for _ in 0..inventory.count(kind) {
            let mut more = HashSet::new();
            for position in &positions {
                for side in [Side::Black, Side::White] {
                    let mut with = *position;
                    with.set_in_hand(side, kind, with.in_hand(side, kind) + 1);
                    more.insert(with);
                    for square in squares(board.all()) {
                        for promoted in [false, true] {
                            if position.piece_on(square).is_some()
                                || promoted && data.promoted.is_none()
                            {
                                continue;
                            }
                            let mut with = *position;
                            with.put(square, Piece::new(side, kind, promoted));
                            more.insert(with);
                        }
                    }
                }
            }
            positions = more;
        }
    }
    positions
}

fn touch(variant: &Variant, a: Square, b: Square) -> bool {
    let board = variant.board();
    board.row(a).abs_diff(board.row(b)) <= 1 && board.column(a).abs_diff(board.column(b)) <= 1
}

fn legal(variant: &Variant, position: &Position) -> bool {
    let own = position.king(Side::Black).unwrap();
    let other = position.king(Side::White).unwrap();
    if variant.goal == Goal::TakeKingOrTry
        && (touch(variant, own, other)
            || variant.far_rank(Side::Black) & own.bit() != 0
            || variant.far_rank(Side::White) & other.bit() != 0)
    {
        return false;
    }
    squares(variant.board().all()).all(|square| match position.piece_on(square) {
        Some(piece) if variant.far_rank(piece.side()) & square.bit() != 0 && !piece.promoted() => {
            piece
                .kind()
                .is_none_or(|kind| variant.base_on_far_rank(kind))
        }
        _ => true,
    })
}

#[test]
fn formula_equals_enumeration_and_index() {
    for (name, pieces) in [
        ("shogi4", "-"),
        ("shogi4", "P"),
        ("shogi4", "PP"),
        ("dobutsu", "-"),
        ("dobutsu", "C"),
        ("dobutsu", "G"),
        ("dobutsu", "CC"),
        ("dobutsu", "CG"),
        ("dobutsu", "GE"),
        ("micro", "G"),
    ] {
        let variant = Variant::built_in(name).unwrap();
        let inventory = Inventory::parse(pieces, &variant).unwrap();
        let counts = Counts::new(&variant, &inventory).unwrap();
        let all = enumerate(&variant, &inventory);
        let board = variant.board();
        let in_hand = |position: &Position| -> usize {
            let kinds = 0..variant.kinds.len();
            kinds
                .map(|kind| {
                    position.in_hand(Side::Black, kind) + position.in_hand(Side::White, kind)
                })
                .map(usize::from)
                .sum()
        };
        for (hand, count) in counts.by_in_hand.iter().enumerate() {
            let here: HashSet<_> = all.iter().filter(|p| in_hand(p) == hand).collect();
            let legal: Vec<_> = here.iter().filter(|p| legal(&variant, p)).collect();
            let orbits: HashSet<[String; 2]> = legal
                .iter()
                .map(|p| {
                    let mut orbit = [variant.sfen(p), variant.sfen(&p.mirrored(board))];
                    orbit.sort_unstable();
                    orbit
                })
                .collect();
            let apart = legal.iter().filter(|p| {
                !touch(
                    &variant,
                    p.king(Side::Black).unwrap(),
                    p.king(Side::White).unwrap(),
                )
            });
            let apart: HashSet<[String; 2]> = apart
                .map(|p| {
                    let mut orbit = [variant.sfen(p), variant.sfen(&p.mirrored(board))];
                    orbit.sort_unstable();
                    orbit
                })
                .collect();
            let label = format!("{name} {pieces}, {hand} in hand");
            assert_eq!(count.arrangements, here.len() as u128, "{label}");
            assert_eq!(count.legal, legal.len() as u128, "{label}");
            assert_eq!(count.canonical, orbits.len() as u128, "{label}");
            assert_eq!(count.canonical_kings_apart, apart.len() as u128, "{label}");
        }
        let legal: HashSet<_> = all.iter().filter(|p| legal(&variant, p)).copied().collect();
        let index = Index::new(&variant, &inventory).unwrap();
        let indexed: Vec<_> = (0..index.size()).filter_map(|i| index.unrank(i)).collect();
        assert!(indexed.iter().all(|p| legal.contains(p)), "{name} {pieces}");
        assert!(
            legal.iter().all(|p| index.rank(p).is_some()),
            "{name} {pieces}"
        );
    }
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    let mut variant = Variant::built_in("micro").unwrap();
    variant.rows = 8;
    for kind in &mut variant.kinds {
        kind.total = 9;
    }
    let full = Inventory::full(&variant);
    assert_eq!(
        Counts::new(&variant, &full),
        Err(yose_shogi::CountError::TooLarge)
    );
    let pieces = Inventory::from_counts([3]);
    let shogi4 = Variant::built_in("shogi4").unwrap();
    assert_eq!(
        Counts::new(&shogi4, &pieces),
        Err(yose_shogi::CountError::NotOfVariant)
    );
}
