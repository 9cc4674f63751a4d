//! The records under `tests/data/sgf`: each is read as a good reader should, leniently and
//! strictly.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::path::Path;

use yose_go::Colour;
use yose_go::sgf::{
    self, Charset, Fallback, Fault, NodeRef, ReadError, ReadOptions, Reading, ReplayFault,
    ReplayOptions, SgfPoint, SgfSize, Tree,
};

fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/sgf")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn one(bytes: &[u8]) -> (Tree, Vec<(usize, Fault)>) {
    let Reading { mut games, repairs } = sgf::read(bytes).unwrap();
    assert_eq!(games.len(), 1);
    let repairs = repairs
        .as_slice()
        .iter()
        .map(|r| (r.offset, r.fault.clone()))
        .collect();
    let tree = games.remove(0);
    // Whatever was repaired, what is written then is read again as the same.
    let written = sgf::write(std::slice::from_ref(&tree));
    assert_eq!(sgf::read(&written).unwrap().games[0], tree);
    (tree, repairs)
}

/// Reads a file that is as the standard wants it.
fn clean(name: &str) -> Tree {
    let bytes = file(name);
    let (tree, repairs) = one(&bytes);
    assert_eq!(repairs, []);
    assert_eq!(sgf::read_strict(&bytes).unwrap()[0], tree);
    tree
}

/// Reads a file that is not, and whose first fault is at an offset.
fn faulty(name: &str, offset: usize) -> (Tree, Vec<Fault>) {
    faulty_bytes(&file(name), offset)
}

fn faulty_bytes(bytes: &[u8], offset: usize) -> (Tree, Vec<Fault>) {
    let (tree, repairs) = one(bytes);
    assert!(!repairs.is_empty());
    assert_eq!(repairs[0].0, offset, "{repairs:?}");
    match sgf::read_strict(bytes) {
        Err(ReadError::Refused(refused)) => {
            assert_eq!((refused.offset, refused.fault), repairs[0]);
        }
        other => panic!("{other:?}"),
    }
    (tree, repairs.into_iter().map(|(_, fault)| fault).collect())
}

fn at(letters: &str) -> SgfPoint {
    let n = |b: u8| if b < b'a' { b - b'A' + 26 } else { b - b'a' };
    SgfPoint {
        column: n(letters.as_bytes()[0]),
        row: n(letters.as_bytes()[1]),
    }
}

/// The moves of the main line, `B ee` and so on; a pass without a point.
fn moves(tree: &Tree) -> Vec<String> {
    tree.main_line()
        .flat_map(NodeRef::moves)
        .map(shown)
        .collect()
}

fn shown((colour, point): (Colour, Option<SgfPoint>)) -> String {
    let letters = point.map(|p| p.letters().unwrap()).unwrap_or_default();
    format!(
        "{} {letters}",
        if colour == Colour::Black { "B" } else { "W" }
    )
}

fn rows(tree: &Tree) -> Vec<String> {
    tree.replay(&ReplayOptions::default())
        .unwrap()
        .game
        .board()
        .to_rows()
}

#[test]
fn f01_escapes() {
    let tree = clean("01_escapes.sgf");
    let nodes: Vec<_> = tree.main_line().collect();
    assert_eq!(nodes.len(), 3);
    assert_eq!(nodes[0].text("C").unwrap(), r"a ] b \ c : d [ e");
    assert_eq!(nodes[1].text("C").unwrap(), r"ends with backslash \");
    assert_eq!(nodes[2].text("C").unwrap(), "];B[aa]");
    assert_eq!(nodes[2].text("N").unwrap(), "x:y:z");
    assert_eq!(nodes[2].get("N").unwrap().values()[0].raw(), br"x:y\:z");
}

#[test]
fn f02_soft_line_breaks() {
    let tree = clean("02_soft_linebreaks.sgf");
    assert_eq!(tree.root().text("C").unwrap(), "onetwothree\nfour five");
    assert_eq!(tree.root().text("GN").unwrap(), "simple textjoined");
}

#[test]
fn f03_compressed_lists_and_an_empty_one() {
    let bytes = b"(;FF[4]GM[1]SZ[9]AB[aa:cb][ee]AW[ga:gc];DD[aa:bb]VW[];B[ef]DD[]TB[])";
    let (tree, repairs) = one(bytes);
    assert_eq!(repairs, []);
    assert_eq!(tree.root().points("AB").len(), 7);
    assert_eq!(tree.root().points("AW"), [at("ga"), at("gb"), at("gc")]);
    let last = tree.main_line().last().unwrap();
    assert!(last.get("DD").is_some() && last.points("DD").is_empty());
    assert!(sgf::read_strict(bytes).is_ok());
}

#[test]
fn f04_rectangle_lower_right_first() {
    let (tree, faults) = faulty("04_compressed_bad_order.sgf", 19);
    assert_eq!(tree.root().points("AB").len(), 9);
    assert!(matches!(&faults[..], [Fault::LooseValue { name, .. }] if name == "AB"));
}

#[test]
fn f05_tt_is_a_pass_up_to_19() {
    assert_eq!(
        moves(&clean("05_pass_tt_19.sgf")),
        ["B pd", "W ", "B ", "W "]
    );
}

#[test]
fn f06_tt_is_a_point_on_larger_boards() {
    let (tree, repairs) = one(b"(;FF[4]GM[1]SZ[21];B[tt];W[])");
    assert_eq!(repairs, []);
    assert_eq!(moves(&tree), ["B tt", "W "]);
    assert_eq!(&rows(&tree)[19][19..20], "X");
}

#[test]
fn f07_variations() {
    let tree = clean("07_variations.sgf");
    assert_eq!(tree.leaves().count(), 5);
    assert_eq!(moves(&tree), ["B ee", "W gc", "B cg", "W cc"]);
    // Every leaf is a position of its own, reached by its own path.
    let ends: Vec<Vec<String>> = tree
        .leaves()
        .map(|leaf| {
            leaf.replay(&ReplayOptions::default())
                .unwrap()
                .game
                .board()
                .to_rows()
        })
        .collect();
    assert!((1..ends.len()).all(|n| !ends[..n].contains(&ends[n])));
}

#[test]
fn f08_set_up_in_mid_game() {
    let (tree, faults) = faulty("08_setup_mid_game.sgf", 57);
    assert!(matches!(&faults[..], [Fault::SetupConflict { name, .. }] if name == "AW"));
    assert_eq!(tree.root().colour("PL"), Some(Colour::White));
    let replay = tree.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(replay.notes, []);
    assert_eq!(replay.moves, 2);
    // What is set up after the first move is there before the second.
    let before = replay.position(1).unwrap();
    let board = before.history.positions()[before.ply].to_board().unwrap();
    assert_eq!(&board.to_rows()[2][2..3], "O");
    assert_eq!(replay.positions().count(), 3);
    let rows = replay.game.board().to_rows();
    assert_eq!(&rows[2][2..3], "O", "white ends on cc");
    assert_eq!(&rows[3][4..5], "X");
    assert_eq!(replay.game.to_play(), Colour::White);
}

#[test]
fn f09_komi_and_handicap_without_stones() {
    let (tree, repairs) = one(b"(;FF[4]GM[1]SZ[19]HA[2]KM[0.5];W[dd])");
    assert_eq!(repairs, []);
    assert_eq!(tree.info().handicap, Some(2));
    assert_eq!(tree.info().komi, Some(0.5));
    let game = tree.replay(&ReplayOptions::default()).unwrap().game;
    assert_eq!(
        (game.komi(), game.handicap()),
        (1, 2),
        "komi in half points"
    );
    let (tree, _) = one(b"(;FF[4]GM[1]SZ[19]KM[5.3];B[dd])");
    let notes = tree.replay(&ReplayOptions::default()).unwrap().notes;
    assert_eq!(notes[0].fault, ReplayFault::Komi);
}

#[test]
fn f10_without_sz_19() {
    let tree = clean("10_missing_sz.sgf");
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 19,
            rows: 19
        }
    );
    assert_eq!(moves(&tree), ["B pd", "W dp"]);
}

#[test]
fn f11_rectangular_board() {
    let tree = clean("11_rect_size.sgf");
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 13,
            rows: 9
        }
    );
    let rows = rows(&tree);
    assert_eq!((rows.len(), rows[0].len()), (9, 13));
    assert_eq!(&rows[0][12..], "X", "ma is the upper right corner");
    assert_eq!(&rows[8][..1], "O", "ai is the lower left corner");
    assert_eq!(&rows[8][12..], "X");
}

#[test]
fn f12_square_board_as_a_rectangle() {
    let (tree, faults) = faulty_bytes(b"(;FF[4]GM[1]SZ[9:9];B[ee])", 14);
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 9,
            rows: 9
        }
    );
    assert!(matches!(&faults[..], [Fault::LooseValue { name, .. }] if name == "SZ"));
}

#[test]
fn f13_board_of_52() {
    let tree = clean("13_big_size_52.sgf");
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 52,
            rows: 52
        }
    );
    assert_eq!(moves(&tree), ["B aa", "W ZZ", "B zA"]);
    assert_eq!(
        at("ZZ"),
        SgfPoint {
            column: 51,
            row: 51
        }
    );
    assert_eq!(
        at("zA"),
        SgfPoint {
            column: 25,
            row: 26
        },
        "column 26, row 27 from 1"
    );
    let error = tree.replay(&ReplayOptions::default()).unwrap_err();
    assert!(error.to_string().contains("at most 25"), "{error}");
}

#[test]
fn f14_latin_1_without_ca() {
    let tree = clean("14_latin1.sgf");
    assert_eq!(tree.charset(), Charset::LATIN_1);
    assert_eq!(tree.info().black.as_deref(), Some("J\u{f6}rg"));
    assert_eq!(tree.info().white.as_deref(), Some("Ren\u{e9}e"));
}

#[test]
fn f15_utf_8_and_gb18030() {
    let (tree, repairs) = one("(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[吴清源]PW[木谷實];B[ee])".as_bytes());
    assert_eq!(repairs, []);
    assert_eq!(tree.info().black.as_deref(), Some("吴清源"));
    let mut bytes = b"(;FF[4]GM[1]CA[gb2312]SZ[9]PB[".to_vec();
    // GBK 9C5D: the second byte is a closing bracket.
    bytes.extend([0xCE, 0xE2, 0xC7, 0xE5, 0x9C, 0x5D]);
    bytes.extend(b"]C[\x81\x30\x81\x30];B[ee])");
    let (tree, repairs) = one(&bytes);
    assert_eq!(repairs, []);
    assert_eq!(tree.info().black.as_deref(), Some("吴清淽"));
    assert_eq!(
        tree.root().text("C").as_deref(),
        Some("\u{80}"),
        "four bytes"
    );
    assert_eq!(moves(&tree), ["B ee"]);
}

#[test]
fn f16_shift_jis_without_ca() {
    let (tree, faults) = faulty("16_shift_jis_no_ca.sgf", 0);
    assert_eq!(
        faults,
        [Fault::MissingCharset {
            used: Charset::SHIFT_JIS
        }]
    );
    assert_eq!(moves(&tree), ["B pd", "W dd"]);
    assert_eq!(tree.info().black.as_deref(), Some("表示ソ能"));
    assert_eq!(tree.info().white.as_deref(), Some("井山"));
    // Strictly by the standard it is Latin-1; the moves can be read even so.
    let latin = ReadOptions {
        fallback: Fallback::Latin1,
        ..ReadOptions::default()
    };
    let reading = sgf::read_with(&file("16_shift_jis_no_ca.sgf"), &latin).unwrap();
    assert_eq!(moves(&reading.games[0]), ["B pd", "W dd"]);
}

#[test]
fn f17_shift_jis_with_ca() {
    let tree = clean("17_shift_jis_ca.sgf");
    assert_eq!(tree.info().black.as_deref(), Some("表示ソ能"));
    assert_eq!(tree.root().text("C").as_deref(), Some("ソ"));
    assert_eq!(moves(&tree), ["B pd"]);
}

#[test]
fn f18_byte_order_mark() {
    let bytes = "\u{feff}(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[Jörg];B[ee])".as_bytes();
    let (tree, repairs) = one(bytes);
    assert_eq!(repairs, []);
    assert_eq!(tree.info().black.as_deref(), Some("Jörg"));
    assert!(sgf::read_strict(bytes).is_ok());
    // Without CA the mark decides, and CA is put in.
    let bytes = "\u{feff}(;FF[4]GM[1]SZ[9]PB[Jörg];B[ee])".as_bytes();
    let (tree, faults) = faulty_bytes(bytes, 3);
    assert_eq!(
        faults,
        [Fault::MissingCharset {
            used: Charset::UTF_8
        }]
    );
    assert_eq!(tree.root().text("CA").as_deref(), Some("UTF-8"));
}

#[test]
fn f19_text_around_the_game() {
    let (tree, faults) = faulty("19_leading_text.sgf", 0);
    assert_eq!(moves(&tree), ["B ee"]);
    let text = |fault: &Fault| match fault {
        Fault::OutsideText { text, .. } => text.clone(),
        Fault::ExtraClose => ")".to_string(),
        other => panic!("{other:?}"),
    };
    let texts: Vec<_> = faults.iter().map(text).collect();
    assert_eq!(
        texts,
        [
            "Subject: my game\n\nhello (not a game",
            ")",
            "trailing text"
        ]
    );
}

/// Text belongs to the game that follows, and after the last one to that: whoever asks about one
/// game is told all that stands around it.
#[test]
fn text_between_games_has_a_game_to_be_told_with() {
    let bytes = b"x(;FF[4]SZ[9])y(;FF[4]SZ[9])\n z ) w";
    let reading = sgf::read(bytes).unwrap();
    assert_eq!(reading.games.len(), 2);
    let found: Vec<_> = reading
        .repairs
        .as_slice()
        .iter()
        .map(|r| (r.offset, r.game))
        .collect();
    assert_eq!(found, [(0, 0), (14, 1), (30, 1), (32, 1), (34, 1)]);
}

#[test]
fn f20_long_names_of_ff1() {
    let tree = clean("20_ff1_long_names.sgf");
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 9,
            rows: 9
        }
    );
    assert_eq!(moves(&tree), ["B ee", "W gg"]);
    assert_eq!(tree.root().text("C").as_deref(), Some("old style"));
    // The names stay as they were.
    let written = String::from_utf8(sgf::write(&[tree])).unwrap();
    assert_eq!(
        written,
        "(;GaMe[1]SiZe[9]Black[ee]White[gg]Comment[old style])\n"
    );
}

#[test]
fn f22_cut_in_a_text() {
    let (tree, faults) = faulty("22_truncated.sgf", 18);
    assert_eq!(tree.root().text("C").as_deref(), Some("cut of"));
    assert_eq!(
        faults,
        [
            Fault::CutText { name: "C".into() },
            Fault::MissingClose { count: 1 }
        ]
    );
}

#[test]
fn f23_cut_in_a_move() {
    let (tree, faults) = faulty("23_truncated_moves.sgf", 31);
    assert_eq!(moves(&tree), ["B ee", "W gg"]);
    assert!(matches!(&faults[0], Fault::CutValue { text, .. } if text == "c"));
    // Cut right after the bracket it must not become a pass.
    let (tree, _) = one(b"(;FF[4]GM[1]SZ[9];B[ee];W[");
    assert_eq!(moves(&tree), ["B ee"]);
}

#[test]
fn f24_missing_parentheses() {
    let (tree, faults) = faulty_bytes(b"(;FF[4]GM[1]SZ[9];B[ee](;W[gg];B[cc]", 36);
    assert_eq!(faults, [Fault::MissingClose { count: 2 }]);
    assert_eq!(moves(&tree), ["B ee", "W gg", "B cc"]);
    // The next game shows that the one before has ended.
    let reading = sgf::read(b"(;FF[4]GM[1]SZ[9];B[ee]\n(;FF[4]GM[1]SZ[9];B[gg])").unwrap();
    assert_eq!(reading.games.len(), 2);
    assert_eq!(moves(&reading.games[1]), ["B gg"]);
}

#[test]
fn f25_extra_parentheses() {
    let (tree, faults) = faulty("25_extra_close.sgf", 24);
    assert_eq!(faults, [Fault::ExtraClose, Fault::ExtraClose]);
    assert_eq!(moves(&tree), ["B ee"]);
}

#[test]
fn f26_duplicate_properties() {
    let (tree, faults) = faulty("26_duplicate_props.sgf", 24);
    assert_eq!(tree.root().real("KM"), Some(6.5), "the first stays");
    assert_eq!(tree.root().points("AB"), [at("aa"), at("bb")]);
    assert!(faults.contains(&Fault::DuplicateProperty { name: "KM".into() }));
    assert!(faults.contains(&Fault::DuplicateProperty { name: "AB".into() }));
}

#[test]
fn f27_points_off_the_board_and_odd_ones() {
    let bytes = b"(;FF[4]GM[1]SZ[9];B[zz];W[jj];B[a];W[abc];B[e5];W[ee];B[EE])";
    let (tree, faults) = faulty_bytes(bytes, 19);
    assert_eq!(faults.len(), 6);
    assert!(matches!(faults[0], Fault::OffBoard { .. }));
    assert!(matches!(faults[2], Fault::BadValue { .. }));
    assert_eq!(moves(&tree), ["W ee"]);
    let replay = tree.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(replay.notes.len(), 6);
    assert!(
        replay
            .notes
            .iter()
            .all(|note| note.fault == ReplayFault::NoMove)
    );
    // All of it is there when it is written.
    assert_eq!(
        sgf::write(&[tree]).iter().filter(|&&b| b == b'[').count(),
        10
    );
}

#[test]
fn f28_forms_of_numbers() {
    let (tree, faults) = faulty("28_number_forms.sgf", 19);
    assert_eq!(tree.info().komi, Some(6.5));
    assert_eq!(tree.info().handicap, Some(2));
    assert_eq!(tree.root().real("TM"), Some(1800.0));
    let second = tree.main_line().nth(1).unwrap();
    assert_eq!(
        (second.real("BL"), second.number("OB")),
        (Some(1790.5), Some(4))
    );
    assert_eq!(faults.len(), 2, "the comma and the blanks: {faults:?}");
}

#[test]
fn f29_white_space_everywhere() {
    let (tree, faults) = faulty("29_lowercase_mixed.sgf", 14);
    assert_eq!(
        faults.len(),
        1,
        "only in the number it is not allowed: {faults:?}"
    );
    assert_eq!(
        tree.board_size(),
        SgfSize {
            columns: 9,
            rows: 9
        }
    );
    assert_eq!(moves(&tree), ["B ee", "W gg"]);
}

#[test]
fn f30_small_letters_in_ff4() {
    let (tree, faults) = faulty_bytes(b"(;FF[4]GM[1]SZ[9];b[ee];White[gg])", 18);
    assert_eq!(moves(&tree), ["B ee", "W gg"]);
    assert!(
        faults
            .iter()
            .all(|fault| matches!(fault, Fault::SmallLetters { .. }))
    );
}

#[test]
fn f31_no_semicolon() {
    let (tree, faults) = faulty("31_no_semicolon.sgf", 1);
    assert_eq!(faults[0], Fault::MissingSemicolon);
    assert_eq!(moves(&tree), ["B ee", "W gg"]);
    assert_eq!(tree.node_count(), 2);
}

#[test]
fn f32_only_semicolons() {
    let bytes = file("32_only_semicolons.sgf");
    assert_eq!(
        sgf::read(&bytes).unwrap_err(),
        ReadError::NoGame {
            length: bytes.len()
        }
    );
}

#[test]
fn f33_deep_nesting() {
    const DEPTH: usize = 200_000;
    let mut bytes = b"(;FF[4]GM[1]SZ[19]".to_vec();
    for n in 0..DEPTH {
        bytes.extend(if n % 2 == 0 { b"(;B[dd]" } else { b"(;W[pp]" });
    }
    bytes.resize(bytes.len() + DEPTH + 1, b')');
    let (tree, repairs) = one(&bytes);
    assert_eq!(repairs, []);
    assert_eq!(tree.node_count(), DEPTH + 1);
    assert_eq!(tree.leaves().count(), 1);
    assert_eq!(tree.main_line().count(), DEPTH + 1);
    // And where every node has a second variation.
    let mut bytes = b"(;FF[4]GM[1]SZ[19]".to_vec();
    for _ in 0..DEPTH {
        bytes.extend(b"(;B[dd])(;W[pp]");
    }
    bytes.resize(bytes.len() + DEPTH + 1, b')');
    let (tree, _) = one(&bytes);
    assert_eq!(tree.leaves().count(), DEPTH + 1);
}

#[test]
fn f34_a_long_comment() {
    let mut bytes = b"(;FF[4]GM[1]SZ[19]C[".to_vec();
    bytes.resize(bytes.len() + 100_000_000, b'x');
    bytes.extend(b"];B[pd])");
    let Reading { games, repairs } = sgf::read(&bytes).unwrap();
    assert!(repairs.is_empty());
    assert_eq!(
        games[0].root().get("C").unwrap().values()[0].raw().len(),
        100_000_000
    );
    assert_eq!(moves(&games[0]), ["B pd"]);
}

#[test]
fn f35_handicap() {
    let tree = clean("35_handicap.sgf");
    let root = tree.root().replay(&ReplayOptions::default()).unwrap();
    assert_eq!(root.game.board().stones().count(), 4);
    assert_eq!(root.game.to_play(), Colour::White, "without PL");
    assert_eq!(moves(&tree), ["W qf", "B nd"]);
    let all = tree.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(all.game.start().stones().count(), 4);
    assert_eq!(all.game.moves()[0].colour, Colour::White);
}

#[test]
fn f36_empty_nodes() {
    let (tree, repairs) = one(b"(;FF[4]GM[1]SZ[9];;B[ee];;)");
    assert_eq!(repairs, []);
    assert_eq!(tree.node_count(), 5);
    assert_eq!(moves(&tree), ["B ee"]);
}

#[test]
fn f37_move_onto_a_stone() {
    let tree = clean("37_illegal_occupied.sgf");
    let replay = tree.replay(&ReplayOptions::default()).unwrap();
    let rows = replay.game.board().to_rows();
    assert_eq!(&rows[4][4..5], "O", "the later stone stays");
    assert_eq!(&rows[6][6..7], "X");
    assert_eq!(replay.moves, 3);
    // The position before the move has the old stone, the one after it the new.
    let stones = |moves| {
        let sample = replay.position(moves).unwrap();
        let position = sample.history.positions()[sample.ply];
        let size = position.size();
        let stone = |row, col| position.stone(size.point(row, col).unwrap());
        (stone(4, 4), stone(6, 6))
    };
    let (black, white) = (Some(Colour::Black), Some(Colour::White));
    assert_eq!(
        [0, 1, 2, 3].map(stones),
        [(None, None), (black, None), (white, None), (white, black)]
    );
    assert!(replay.position(4).is_none());
    assert_eq!(replay.positions().count(), 4);
    let [note] = &replay.notes[..] else {
        panic!("{:?}", replay.notes)
    };
    assert_eq!(
        (note.number, note.offset, note.fault),
        (Some(2), 24, ReplayFault::Occupied)
    );
    let strict = ReplayOptions {
        strict: true,
        ..ReplayOptions::default()
    };
    let refused = tree.replay(&strict).unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("move 2, byte 24: the point is occupied"),
        "{refused}"
    );
}

#[test]
fn f38_suicide_and_ko() {
    let tree = clean("38_suicide_and_ko.sgf");
    let replay = tree.replay(&ReplayOptions::default()).unwrap();
    // White bb has no liberty of its own but takes cb, black aa then has none and takes nothing.
    let suicides: Vec<_> = replay
        .notes
        .iter()
        .map(|note| (note.number, note.fault))
        .collect();
    let rows = replay.game.board().to_rows();
    assert_eq!(suicides, [], "{rows:?}");
    assert_eq!(&rows[1], "XO.O.");
    assert_eq!(replay.game.board().captures(Colour::White), 1);
}

#[test]
fn f39_labels() {
    let bytes = br"(;FF[4]GM[1]SZ[9]LB[gg:A\:b][cc:1]AR[aa:bb]LN[cc:dd];B[ee])";
    let (tree, repairs) = one(bytes);
    assert_eq!(repairs, []);
    assert_eq!(
        tree.root().labels("LB"),
        [(at("gg"), "A:b".into()), (at("cc"), "1".into())]
    );
    assert_eq!(tree.root().point_pairs("AR"), [(at("aa"), at("bb"))]);
    assert!(sgf::read_strict(bytes).is_ok());
}

#[test]
fn f40_private_properties() {
    let bytes = file("40_private_props.sgf");
    let digit = bytes.windows(3).position(|w| w == b"XY1").unwrap();
    let (tree, faults) = faulty("40_private_props.sgf", digit);
    assert_eq!(faults, [Fault::DigitInName { name: "XY1".into() }]);
    let written = sgf::write(std::slice::from_ref(&tree));
    for property in [
        "LZOP[foo bar]",
        "SBKV[55.2]",
        "XY1[bad id]",
        "LZ[Leela 0.16 47.0 1.2k\nmove E5 visits 10]",
    ] {
        assert!(
            String::from_utf8_lossy(&written).contains(property),
            "{property}"
        );
    }
}
