//! Variant files: the built-in ones, those in `examples/`, and what the reader says of bad ones.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use yose_shogi::{Counting, Inventory, Position, Rules, Side, Variant};

#[test]
fn built_in_variants_are_what_they_are_called() {
    for name in Variant::built_in_names() {
        let variant = Variant::built_in(name).unwrap();
        assert_eq!(variant.name, name);
        let full = Inventory::full(&variant);
        let start = variant.start(&full).unwrap();
        assert_eq!(variant.sfen(&start), variant.starts[0]);
        // All three start positions look the same to both sides.
        let mut turned = start.turned(variant.board());
        turned.set_turn(Side::Black);
        assert_eq!(turned, start);
    }
    assert_eq!(Variant::built_in("chess"), None);
    let micro = Variant::built_in("micro").unwrap();
    for (pieces, sfen) in [
        ("PP", "k3/p3/4/3P/3K b - 1"),
        ("GGPP", "k1g1/p3/4/3P/1G1K b - 1"),
    ] {
        let start = micro
            .start(&Inventory::parse(pieces, &micro).unwrap())
            .unwrap();
        assert_eq!(micro.sfen(&start), sfen);
    }
    assert_eq!(micro.start(&Inventory::parse("S", &micro).unwrap()), None);
}

#[test]
fn lishogi_letters_are_read_for_dobutsu() {
    let dobutsu = Variant::built_in("dobutsu").unwrap();
    let start = dobutsu.parse_sfen("rkb/1p1/1P1/BKR b - 1").unwrap();
    assert_eq!(dobutsu.sfen(&start), "gle/1c1/1C1/ELG b - 1");
    let promoted = dobutsu.parse_sfen("1k1/1+P1/3/1K1 w Pr").unwrap();
    assert_eq!(dobutsu.sfen(&promoted), "1l1/1+C1/3/1L1 w Cg 1");
}

#[test]
fn examples_are_playable() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let variant = Variant::parse(&text).unwrap();
        assert_eq!(
            path.file_stem().unwrap().to_str(),
            Some(variant.name.as_str())
        );
        names.push(variant.name.clone());
        let rules = Rules::new(variant);
        for sfen in &rules.variant().starts {
            let start = rules.variant().parse_sfen(sfen).unwrap();
            assert_eq!(&rules.variant().sfen(&start), sfen);
            assert!(
                rules.perft(&start, 3, Counting::KingSafe).unwrap()[2] > 0,
                "{sfen}"
            );
        }
    }
    assert!(names.contains(&"wagon".to_owned()));
}

/// A small variant with one thing replaced.
fn with(from: &str, to: &str) -> String {
    let text = include_str!("../../../examples/wagon.toml");
    let text: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let text = text.join("\n");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

fn error(from: &str, to: &str) -> String {
    Variant::parse(&with(from, to)).unwrap_err().to_string()
}

#[test]
fn errors_name_line_key_and_expectation() {
    let cases = [
        (
            "rows = 4",
            "rows = 1",
            "line 4: `rows`: expected a whole number from 2 to 9, got 1",
        ),
        (
            "rows = 4",
            "rows = 99999999999999999999",
            "line 4: `rows`: expected a whole number from 2 to 9, got 99999999999999999999",
        ),
        (
            "rows = 4",
            "rows = 4.0",
            "line 4: `rows`: expected a whole number from 2 to 9, got float",
        ),
        (
            "rows = 4",
            "rows = -4",
            "line 4: `rows`: expected a whole number from 2 to 9, got -4",
        ),
        (
            "columns = 3",
            "columns = 9",
            "line 5: `columns`: expected at most 32 squares in all, got 9",
        ),
        (
            "columns = 3\n",
            "",
            "line 1: the file needs the key `columns`",
        ),
        (
            "rows = 4",
            "ranks = 4",
            "line 1: the file needs the key `rows`",
        ),
        (
            "rows = 4",
            "rows = 4\nlevel = 3",
            "line 5: unknown key `level` in the file; known are name, title, rows, columns, \
             promotion, captured, drop-faces, drop-ban, friendly-jump, goal, starts, king, kinds",
        ),
        (
            "total = 2 #",
            "totals = 2 #",
            "line 21: [[kinds]] needs the key `total`",
        ),
        (
            "total = 2 #",
            "total = 0 #",
            "line 24: `total`: expected a whole number from 1 to 18, got 0",
        ),
        (
            "\"far-rank\"",
            "\"maybe\"",
            "line 7: `promotion`: expected one of \"never\", \"far-rank\", \"on-capture\", got \"maybe\"",
        ),
        (
            "= false",
            "= 0",
            "line 11: `friendly-jump`: expected true or false, got 0",
        ),
        (
            "name = \"wagon\"",
            "name = \"Wagon!\"",
            "line 2: `name`: expected lower-case letters, digits and '-', not '-' first, got \"Wagon!\"",
        ),
        (
            "letter = \"W\"",
            "letter = \"S\"",
            "line 34: the letter \"S\" of the wagon already stands for the soldier",
        ),
        (
            "letter = \"W\"",
            "letter = \"W\"\naliases = [\"K\"]",
            "line 35: the letter \"K\" of the wagon already stands for the king",
        ),
        (
            "letter = \"W\"",
            "letter = \"w\"",
            "line 34: `letter`: expected a letter from A to Z, got \"w\"",
        ),
        (
            "letter = \"+W\"",
            "letter = \"++\"",
            "line 40: `letter`: expected a letter from A to Z, perhaps with a + before it, got \"++\"",
        ),
        (
            "letter = \"+W\"",
            "letter = \"+W\"\nplain = \"S\"",
            "line 39: the letter \"S\" of the war wagon already stands for the soldier",
        ),
        (
            "steps = [\"NE\", \"NW\"]",
            "steps = [\"NE\"]",
            "line 39: the war wagon does not move alike to the left and to the right; positions are \
             folded with their mirror images, so it must",
        ),
        (
            "slides = [\"N\", \"S\"]",
            "slides = [\"N\", \"N\"]",
            "line 36: `slides`: expected each direction once, got \"N\"",
        ),
        (
            "slides = [\"N\", \"S\"]",
            "leaps = [[0, 9]]",
            "line 36: `leaps`: expected a whole number from -8 to 8, got 9",
        ),
        (
            "slides = [\"N\", \"S\"]",
            "leaps = [[1]]",
            "line 36: `leaps`: expected [columns to the right, rows upward], such as [-1, 2], got array",
        ),
        (
            "1kw/1s1/1S1/WK1 b - 1",
            "1kw/1s1/1S1/XK1 b - 1",
            "line 14: `starts`: \"1kw/1s1/1S1/XK1 b - 1\": unknown piece letter 'X' at byte 12; this \
             variant has K S W",
        ),
        (
            "1kw/1s1/1S1/WK1 b - 1",
            "1kw/1s1/3/WK1 b - 1",
            "line 14: `starts`: expected first a start position with all pieces of the variant, got \
             \"1kw/1s1/3/WK1 b - 1\"",
        ),
        (
            "\"1kw/3/3/WK1 b - 1\"",
            "\"1k1/1s1/3/1K1 b S 1\"",
            "line 14: `starts`: expected one start position for each set of pieces, got \
             \"1k1/1s1/3/1K1 b S 1\"",
        ),
    ];
    for (from, to, message) in cases {
        assert_eq!(error(from, to), message, "{from} -> {to}");
    }
    let syntax = error("rows = 4", "rows = ");
    assert!(syntax.starts_with("line 4: "), "{syntax}");
    assert!(Variant::parse("").is_err());
    let no_kinds = Variant::parse(
        "name = 'kings'\ntitle = 'Two kings'\nrows = 3\ncolumns = 3\npromotion = 'never'\n\
         captured = 'hand'\ndrop-faces = 'base'\ndrop-ban = 'none'\nfriendly-jump = false\n\
         goal = 'take-king'\nstarts = ['1k1/3/1K1 b -']\n[king]\nname = 'king'\nletter = 'K'\n\
         steps = ['N', 'S', 'E', 'W']\n",
    );
    assert_eq!(no_kinds.unwrap().kinds.len(), 0);
}

#[test]
fn a_start_in_which_the_game_is_over_is_refused() {
    let text = Variant::built_in_text("dobutsu").unwrap();
    let over = text.replace("gle/1c1/1C1/ELG b - 1", "gLe/1c1/1C1/ElG b - 1");
    // Black's elephant and giraffe stand beside White's lion, so it can be taken: not over.
    assert!(Variant::parse(&over).is_ok());
    let over = text.replace("gle/1c1/1C1/ELG b - 1", "1L1/3/3/1l1 b 2C2G2E 1");
    assert_eq!(
        Variant::parse(&over).unwrap_err().to_string(),
        "line 15: `starts`: expected a position in which the game is not over, got \
         \"1L1/3/3/1l1 b 2C2G2E 1\""
    );
}

fn sfen_error(variant: &str, sfen: &str) -> String {
    let variant = Variant::built_in(variant).unwrap();
    variant.parse_position(sfen).unwrap_err().to_string()
}

#[test]
fn sfen_errors_name_the_byte() {
    for (sfen, message) in [
        (
            "",
            "row 1 from the top has 0 squares at byte 0; the board has 4 columns",
        ),
        (
            "trfk/3p/P3/KFRX b -",
            "unknown piece letter 'X' at byte 14; this variant has K P T R F",
        ),
        (
            "trfk/3p/P3/KFR+K b -",
            "unknown piece letter '+K' at byte 14; this variant has K P T R F",
        ),
        (
            "trfk/3p/P3/KFRTT b -",
            "row 4 from the top has 5 squares at byte 15; the board has 4 columns",
        ),
        (
            "trfk/3p/P3/KFR b -",
            "row 4 from the top has 3 squares at byte 14; the board has 4 columns",
        ),
        (
            "trfk/5/P3/KFRT b -",
            "row 2 from the top has 5 squares at byte 5; the board has 4 columns",
        ),
        ("trfk/22/P3/KFRT b -", "expected a piece at byte 6, got '2'"),
        ("trfk/0p/P3/KFRT b -", "expected a piece at byte 5, got '0'"),
        (
            "trfk/3p/P3 b -",
            "expected '/' and row 4 from the top at byte 10, got ' '",
        ),
        (
            "trfk/3p/P3/KFRT/4 b -",
            "expected a space and the side to move at byte 15, got '/'",
        ),
        (
            "trfk/3p/P3/KFRT",
            "expected a space and the side to move at byte 15, got the end",
        ),
        (
            "trfk/3p/P3/KFRT x -",
            "expected the side to move, b or w at byte 16, got 'x'",
        ),
        (
            "trfk/3p/P3/KFRT b",
            "expected a space and the pieces in hand at byte 17, got the end",
        ),
        (
            "trfk/3p/P3/KFRT b ",
            "expected a piece in hand at byte 18, got the end",
        ),
        (
            "trfk/3p/P3/KFRT b - 0",
            "expected the move counter, 1 or more at byte 20, got '0'",
        ),
        (
            "trfk/3p/P3/KFRT b - 1 ",
            "expected the end at byte 21, got ' '",
        ),
        (
            "trfk/3p/P3/KFRT b P",
            "too many pieces P at byte 18; this variant has 2",
        ),
        (
            "k3/4/4/3K b 3P",
            "too many pieces P at byte 12; this variant has 2",
        ),
        (
            "k3/4/4/3K b 1P",
            "expected a number of pieces from 2 to 99 at byte 12, got '1'",
        ),
        (
            "k3/4/4/3K b PP",
            "expected each kind once in a hand at byte 13, got 'P'",
        ),
        (
            "k3/4/4/3K b K",
            "unknown piece letter 'K' at byte 12; a hand holds P T R F",
        ),
        (
            "k3/4/4/3K b +P",
            "unknown piece letter '+P' at byte 12; a hand holds P T R F",
        ),
        ("k3/4/4/4 b -", "there is no black king; it is written 'K'"),
        ("4/4/4/3K b -", "there is no white king; it is written 'k'"),
        ("k3/4/4/2KK b -", "a second black king at byte 9"),
        (
            "k2P/4/4/3K b -",
            "piece 'P' at byte 2 stands on its far rank; there it must be '+P'",
        ),
        (
            "k3/4/4/t2K b -",
            "piece 't' at byte 7 stands on its far rank; there it must be '+t'",
        ),
        ("k\u{e9}2/4/4/3K b -", "expected a piece at byte 1, got 'é'"),
        (
            "KFRTP......ptrfk;0000;0000;3",
            "expected the side to move, 1 or 2 at byte 27, got '3'",
        ),
        (
            "KFRTP......ptrf;0000;0000;1",
            "expected a piece or an empty square at byte 15, got ';'",
        ),
        (
            "KFRTP......ptrfX;0000;0000;1",
            "unknown piece letter 'X' at byte 15; this variant has K P O T B R N F G",
        ),
        (
            "KFRTP......ptrfk;000;0000;1",
            "expected a digit for each kind of piece in hand at byte 20, got ';'",
        ),
        (
            "KFRTP......ptrfk;1000;0000;1",
            "too many pieces P at byte 17; this variant has 2",
        ),
        (
            "KFRTP......ptrfk;0000;0000;11",
            "expected the end at byte 28, got '1'",
        ),
    ] {
        assert_eq!(sfen_error("shogi4", sfen), message, "{sfen}");
    }
    for (text, message) in [
        (
            "S/gle/-c-/-C-/ELG/R",
            "expected a piece that can be in hand at byte 18, got 'R'",
        ),
        (
            "S/gle/-c-/-C-/ELG",
            "expected \"/\" at byte 17, got the end",
        ),
        (
            "G/gle/-c-/-C-/EL/-",
            "expected a piece or an empty square at byte 16, got '/'",
        ),
    ] {
        assert_eq!(
            sfen_error("dobutsu", text),
            message.replace('"', "'"),
            "{text}"
        );
    }
}

fn move_error(variant: &str, position: &str, text: &str) -> String {
    let rules = Rules::new(Variant::built_in(variant).unwrap());
    let position: Position = rules.variant().parse_sfen(position).unwrap();
    rules.parse_move(&position, text).unwrap_err().to_string()
}

#[test]
fn move_errors_tell_malformed_from_illegal() {
    let start = "trfk/3p/P3/KFRT b - 1";
    for (text, message) in [
        (
            "",
            "expected a square or a piece letter at byte 0, got the end",
        ),
        ("5c4b", "expected a file from 1 to 4 at byte 0, got '5'"),
        ("4e4b", "expected a rank from a to d at byte 1, got 'e'"),
        ("4c4b+ ", "expected the end at byte 5, got ' '"),
        ("4c4", "expected a rank from a to d at byte 3, got the end"),
        (
            "X*3b",
            "unknown piece letter 'X' at byte 0; a hand holds P T R F",
        ),
        (
            "K*3b",
            "unknown piece letter 'K' at byte 0; a hand holds P T R F",
        ),
        ("+*3b", "expected a piece letter at byte 1, got '*'"),
        ("P3b", "expected '*' and a square at byte 1, got '3'"),
        (
            "\u{e9}",
            "expected a square or a piece letter at byte 0, got 'é'",
        ),
        (
            "4c4a",
            "4c4a is not legal: the carp does not go from there to 4a",
        ),
        ("4b4c", "4b4c is not legal: black has no piece on 4b"),
        ("1b1c", "1b1c is not legal: black has no piece on 1b"),
        ("4c4b+", "4c4b+ is not legal: here it is written 4c4b"),
        ("P*3b", "P*3b is not legal: black has no carp in hand"),
    ] {
        assert_eq!(move_error("shogi4", start, text), message, "{text}");
    }
    for (text, message) in [
        (
            "P*1a",
            "P*1a is not legal: the carp cannot be dropped on 1a",
        ),
        (
            "P*4a",
            "P*4a is not legal: the carp cannot be dropped on 4a",
        ),
        (
            "+P*2b",
            "+P*2b is not legal: the koi cannot be dropped on 2b",
        ),
    ] {
        assert_eq!(
            move_error("shogi4", "k3/4/4/3K b P", text),
            message,
            "{text}"
        );
    }
    assert_eq!(
        move_error("dobutsu", "2L/3/3/l2 w -", "3d3c"),
        "3d3c is not legal: the game is over"
    );
}
