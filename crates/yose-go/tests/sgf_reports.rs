//! Bugs that were reported to other programs, each as a test of its own. The names give repository
//! and number.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use yose_go::sgf::{
    self, Charset, Fallback, Fault, NodeId, NodeRef, ReadError, ReadOptions, ReplayFault,
    ReplayOptions, SgfPoint, Tree,
};
use yose_go::{Colour, IllegalMove, Rules};

fn tree(bytes: impl AsRef<[u8]>) -> Tree {
    sgf::read(bytes.as_ref()).unwrap().games.remove(0)
}

fn faults(bytes: impl AsRef<[u8]>) -> Vec<Fault> {
    let repairs = sgf::read(bytes.as_ref()).unwrap().repairs;
    repairs
        .as_slice()
        .iter()
        .map(|repair| repair.fault.clone())
        .collect()
}

fn moves(tree: &Tree) -> Vec<(Colour, Option<String>)> {
    tree.main_line()
        .flat_map(NodeRef::moves)
        .map(|(colour, point)| (colour, point.and_then(SgfPoint::letters)))
        .collect()
}

fn rows(tree: &Tree) -> Vec<String> {
    tree.replay(&ReplayOptions::default())
        .unwrap()
        .game
        .board()
        .to_rows()
}

/// Comments that end in one to four backslashes.
#[test]
fn sabaki_69_backslashes() {
    for n in 1..=4 {
        let comment = "\\".repeat(n);
        let mut game = Tree::new();
        game.set_text(NodeId::ROOT, "C", &comment).unwrap();
        let node = game.add_node(NodeId::ROOT).unwrap();
        game.set_raw(node, "B", &["dd"]).unwrap();
        let again = tree(sgf::write(&[game.clone()]));
        assert_eq!(again, game);
        assert_eq!(again.root().text("C"), Some(comment));
        assert_eq!(moves(&again).len(), 1);
    }
}

/// `;;)` hung.
#[test]
fn sabaki_565_semicolons_without_a_tree() {
    for text in [
        ";;)", ";;", ";", ")", "(", "()", "((", "(()", "", "\u{feff}",
    ] {
        let length = text.len();
        assert_eq!(
            sgf::read(text.as_bytes()).unwrap_err(),
            ReadError::NoGame { length },
            "{text}"
        );
    }
}

/// `(B[pp];W[dd])` had one node; it should have two or be refused.
#[test]
fn sabaki_sgf_3_tree_without_semicolon() {
    let game = tree("(B[pp];W[dd])");
    assert_eq!(game.node_count(), 2);
    assert_eq!(moves(&game).len(), 2);
    assert!(sgf::read_strict(b"(B[pp];W[dd])").is_err());
    // Without the parenthesis too.
    assert_eq!(moves(&tree(";B[pp];W[dd]")).len(), 2);
}

#[test]
fn sabaki_687_unescaped_bracket() {
    let bytes = "(;FF[4]GM[1]US[Matsuyama[3d]]PB[a [b] [c]]SZ[19];B[pd])";
    let game = tree(bytes);
    assert_eq!(game.root().text("US").as_deref(), Some("Matsuyama[3d]"));
    // Where a bracket opens again, that is one more value, as far as anyone can tell.
    assert_eq!(game.root().text("PB").as_deref(), Some("a [b"));
    assert_eq!(moves(&game).len(), 1);
    assert!(faults(bytes).contains(&Fault::UnescapedBracket { name: "US".into() }));
    assert!(
        String::from_utf8(sgf::write(&[game]))
            .unwrap()
            .contains(r"US[Matsuyama[3d\]]")
    );
}

/// Shift-JIS without CA.
#[test]
fn sabaki_1029_shift_jis_without_ca() {
    // "PB[...SO]": the name ends in the two bytes 0x83 0x5C, so that a reader of bytes runs on
    // into the moves.
    let bytes = b"(;GM[1]SZ[19]PB[\x83\x5C]PW[\x88\xE4\x8E\x52\x97\x54\x91\xBE];B[pd];W[dd])";
    let game = tree(bytes);
    assert_eq!(game.charset(), Charset::SHIFT_JIS);
    assert_eq!(game.root().text("PB").as_deref(), Some("ソ"));
    assert_eq!(game.root().text("PW").as_deref(), Some("井山裕太"));
    assert_eq!(game.root().text("CA").as_deref(), Some("Shift_JIS"));
    assert_eq!(moves(&game).len(), 2);
}

/// FF[1]'s long names.
#[test]
fn sabaki_68_long_names() {
    let game = tree("(;GaMe[1]VieW[]SiZe[19]AddBlack[dd][pp];White[qd]Comment[text])");
    assert_eq!(game.root().points("AB").len(), 2);
    assert_eq!(moves(&game), [(Colour::White, Some("qd".into()))]);
}

/// Chinese and Korean names without CA: read with the option, or told which charset it is.
#[test]
fn sgfmill_4_names_without_ca() {
    let gbk = b"(;GM[1]SZ[19]PB[\xB9\xC5\xC1\xA6]PW[\xBF\xC2\xBD\xE0]EV[\xCA\xC0\xBD\xE7\xCE\xA7\xC6\xE5\xB4\xF3\xCA\xA6\xC8\xFC];B[pd])";
    let guess = ReadOptions {
        fallback: Fallback::Guess,
        ..ReadOptions::default()
    };
    let game = &sgf::read_with(gbk, &guess).unwrap().games[0];
    assert_eq!(game.root().text("PB").as_deref(), Some("古力"));
    assert_eq!(game.root().text("PW").as_deref(), Some("柯洁"));
    let told = ReadOptions {
        charset: Charset::for_label("GB18030"),
        ..ReadOptions::default()
    };
    let game = &sgf::read_with(gbk, &told).unwrap().games[0];
    assert_eq!(game.root().text("PB").as_deref(), Some("古力"));
    // Left alone it is what the standard says it is, and nothing is lost.
    let game = tree(gbk);
    assert_eq!(game.charset(), Charset::LATIN_1);
    assert_eq!(moves(&game).len(), 1);
    assert!(
        sgf::write(&[game])
            .windows(4)
            .any(|w| w == b"\xB9\xC5\xC1\xA6")
    );
}

/// A compressed list is six stones.
#[test]
fn katrain_474_compressed_list() {
    assert_eq!(tree("(;FF[4]SZ[19]AB[dd:ef])").root().points("AB").len(), 6);
}

/// One variation a move.
#[test]
fn katrain_288_a_variation_for_every_move() {
    let mut bytes = b"(;FF[4]GM[1]SZ[19]".to_vec();
    for n in 0..361 {
        let letter = |n: usize| b"abcdefghijklmnopqrs"[n];
        let letters = [letter(n % 19), letter(n / 19)];
        bytes.extend(if n % 2 == 0 { b"(;B[" } else { b"(;W[" });
        bytes.extend(letters);
        bytes.push(b']');
    }
    bytes.resize(bytes.len() + 362, b')');
    let game = tree(bytes);
    assert_eq!(game.replay(&ReplayOptions::default()).unwrap().moves, 361);
}

/// A handicap that is no number must not stop the file.
#[test]
fn katrain_292_handicap_that_is_no_number() {
    let bytes = "(;FF[4]SZ[19]HA[three]AB[dd][pp][dp];W[pd])";
    assert_eq!(tree(bytes).info().handicap, None);
    assert!(matches!(&faults(bytes)[..], [Fault::BadValue { name, .. }] if name == "HA"));
    assert_eq!(
        tree(bytes).replay(&ReplayOptions::default()).unwrap().moves,
        1
    );
}

/// An empty SQ, written on a pass.
#[test]
fn katrain_281_empty_square() {
    let bytes = "(;FF[4]SZ[19];B[]SQ[];W[dd])";
    assert_eq!(moves(&tree(bytes)).len(), 2);
    assert!(matches!(&faults(bytes)[..], [Fault::BadValue { name, .. }] if name == "SQ"));
}

/// Boards that are not square; also Remi-Coulom/gogui#39, waltheri/wgo.js#105,
/// online-go/gtp2ogs#270.
#[test]
fn katrain_558_rectangular_board() {
    let game = tree("(;FF[4]SZ[5:3];B[ea];W[ac])");
    assert_eq!(rows(&game), ["....X", ".....", "O...."]);
}

/// A handicap game, in which White moves first.
#[test]
fn sente_45_handicap() {
    let game = tree("(;FF[4]GM[1]SZ[19]HA[2]AB[dd][pp];W[pd];B[dp])");
    let replay = game.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(replay.notes, []);
    assert_eq!(replay.game.moves()[0].colour, Colour::White);
    assert_eq!(replay.game.to_play(), Colour::White);
    // With a handicap and no move at all it is White's turn too.
    let start = tree("(;FF[4]GM[1]SZ[19]HA[2]AB[dd][pp])");
    let replay = start.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(replay.game.to_play(), Colour::White);
}

/// What is written must be readable.
#[test]
fn sente_26_written_records_can_be_read() {
    let mut game = Tree::new();
    game.set_text(NodeId::ROOT, "C", "a [b] c\\ (;B[aa])\n;")
        .unwrap();
    game.set_text(NodeId::ROOT, "GN", "一局").unwrap();
    let written = sgf::write(&[game.clone()]);
    assert_eq!(sgf::read_strict(&written).unwrap(), [game]);
}

/// Two spaces for a pass.
#[test]
fn leelawatcher_32_spaces_for_a_pass() {
    let bytes = "(;FF[4]GM[1]SZ[19];B[pp];W[  ];B[dd])";
    let expected = [
        (Colour::Black, Some("pp")),
        (Colour::White, None),
        (Colour::Black, Some("dd")),
    ];
    let expected = expected.map(|(colour, point)| (colour, point.map(str::to_string)));
    assert_eq!(moves(&tree(bytes)), expected);
    assert_eq!(faults(bytes).len(), 1);
}

/// UTF-8 written without CA.
#[test]
fn online_go_695_utf_8_without_ca() {
    let bytes = "(;FF[4]GM[1]SZ[19]PB[Łukasz 李];B[dd])";
    let game = tree(bytes);
    assert_eq!(game.root().text("PB").as_deref(), Some("Łukasz 李"));
    assert_eq!(
        faults(bytes),
        [Fault::MissingCharset {
            used: Charset::UTF_8
        }]
    );
    assert!(
        String::from_utf8(sgf::write(&[game]))
            .unwrap()
            .contains("CA[UTF-8]")
    );
}

/// A bracket not escaped; parentheses inside values.
#[test]
fn lizzie_434_brackets_and_parentheses_in_values() {
    let mut game = Tree::new();
    let name = "name (9d) [pro] ;x";
    game.set_text(NodeId::ROOT, "PB", name).unwrap();
    let again = tree(sgf::write(&[game]));
    assert_eq!(again.root().text("PB").as_deref(), Some(name));
    let game = tree("(;FF[4]GM[1]C[see (;B[aa\\]) and (this)];B[dd](;W[pp]C[(])(;W[qq]C[)]))");
    assert_eq!(game.leaves().count(), 2);
}

/// Set-up stones, then a move of Black's.
#[test]
fn leela_zero_1469_set_up_then_black() {
    let game = tree("(;FF[4]GM[1]SZ[9]AB[cc][gg]AW[cg][gc];B[ee])");
    let replay = game.root().replay(&ReplayOptions::default()).unwrap();
    assert_eq!(replay.game.to_play(), Colour::Black);
    let replay = game.replay(&ReplayOptions::default()).unwrap();
    assert_eq!(
        (replay.notes.len(), replay.game.to_play()),
        (0, Colour::White)
    );
}

/// A record with a ko retaken at once: the replay goes on as the record does and says which move.
#[test]
fn katago_911_illegal_ko_capture() {
    let bytes =
        "(;FF[4]GM[1]SZ[5]RU[Japanese]AB[ba][ab][bc]AW[ca][cc][db];B[cb];W[bb];B[cb];W[ee])";
    let game = tree(bytes);
    let replay = game.replay(&ReplayOptions::default()).unwrap();
    let [note] = &replay.notes[..] else {
        panic!("{:?}", replay.notes)
    };
    assert_eq!(note.number, Some(3));
    assert_eq!(note.fault, ReplayFault::Illegal(IllegalMove::Ko));
    assert_eq!(&bytes[note.offset..note.offset + 5], "B[cb]");
    assert_eq!(
        replay.game.board().to_rows()[1],
        "X.XO.",
        "the record's position, not another"
    );
    assert_eq!(replay.moves, 4);
}

/// Superko from a set-up position: the set-up position counts as one that stood, what came before
/// it does not.
#[test]
fn katago_1100_superko_from_a_set_up_root() {
    let bytes = "(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][cc][db][bb]PL[B];B[cb];W[ee];B[ea];W[bb])";
    let options = ReplayOptions {
        rules: Some(Rules::TROMP_TAYLOR),
        ..ReplayOptions::default()
    };
    let replay = tree(bytes).replay(&options).unwrap();
    assert_eq!(
        replay.notes,
        [],
        "two stones more than at the start: not the same position"
    );
    let bytes = "(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][cc][db][bb]PL[B];B[cb];W[];B[];W[bb])";
    let replay = tree(bytes).replay(&options).unwrap();
    let superko = ReplayFault::Illegal(IllegalMove::Superko { after: 0 });
    assert_eq!(
        replay.notes.iter().map(|n| n.fault).collect::<Vec<_>>(),
        [superko]
    );
    assert_eq!(replay.notes[0].number, Some(4));
}

/// Moves that break superko must be enterable: the rule is a switch.
#[test]
fn lizzie_410_superko_is_a_switch() {
    let bytes = "(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][cc][db][bb]PL[B];B[cb];W[];B[];W[bb])";
    let simple = ReplayOptions {
        rules: Some(Rules::JAPANESE),
        ..ReplayOptions::default()
    };
    assert_eq!(tree(bytes).replay(&simple).unwrap().notes, []);
}

/// An engine attached in mid-game must learn of the ko: the moves are played, not set up.
#[test]
fn sabaki_294_history_is_played() {
    let bytes = "(;FF[4]GM[1]SZ[5]AB[ba][ab][bc]AW[ca][cc][db][bb]PL[B];B[cb])";
    let game = tree(bytes).replay(&ReplayOptions::default()).unwrap().game;
    assert!(game.board().ko_point().is_some());
    assert_eq!(game.moves().len(), 1);
}
