//! Records whose `CA` is missing or wrong, and what is written of them.

use proptest::prelude::*;
use yose_go::sgf::{self, Charset, Fault, ReadError, ReadOptions, Tree};

fn one(bytes: &[u8]) -> (Tree, Vec<sgf::Repair>) {
    let mut reading = sgf::read(bytes).expect("a game");
    assert_eq!(reading.games.len(), 1);
    (reading.games.remove(0), reading.repairs.as_slice().to_vec())
}

/// Bytes in which `CA[UTF-16]` can be read are not UTF-16. Read so, nothing of the file was left.
#[test]
fn a_wide_charset_that_the_file_is_not_in() {
    for label in [
        "UTF-16",
        "utf-16le",
        "UTF-16BE",
        "UCS-2",
        "unicode",
        "ISO-10646-UCS-2",
    ] {
        for name in ["Ann", "吴清源"] {
            let file = format!("(;FF[4]GM[1]CA[{label}]SZ[9]PB[{name}];B[ee])");
            let (tree, repairs) = one(file.as_bytes());
            assert_eq!(tree.info().black.as_deref(), Some(name), "{label}");
            assert_eq!(tree.main_line().count(), 2);
            assert_eq!(tree.charset(), Charset::UTF_8);
            let declared = Charset::for_label(label).expect(label);
            let used = Charset::UTF_8;
            let fault = Fault::WrongCharset { declared, used };
            assert_eq!(
                repairs.iter().map(|r| &r.fault).collect::<Vec<_>>(),
                [&fault]
            );
            assert_eq!(repairs[0].offset, file.find("CA").expect("CA") + 2);
            // Strict reading refuses it there.
            let Err(ReadError::Refused(refused)) = sgf::read_strict(file.as_bytes()) else {
                panic!("{label}");
            };
            assert_eq!(*refused, repairs[0]);
            // Written it says what it is.
            let written = sgf::write(std::slice::from_ref(&tree));
            assert_eq!(one(&written), (tree, vec![]), "{label}");
        }
    }
    // Of two games of a file, each for itself.
    let file = "(;FF[4]CA[UTF-8]PB[李])(;FF[4]CA[UTF-16]PB[李])";
    let reading = sgf::read(file.as_bytes()).unwrap();
    let players: Vec<_> = reading.games.iter().map(|game| game.info().black).collect();
    assert_eq!(players, [Some("李".to_string()), Some("李".to_string())]);
    assert_eq!(reading.repairs.len(), 1);
}

/// One character that ends in a backslash is too little to guess by, and once took the moves behind it along.
#[test]
fn a_short_name_takes_no_moves_along() {
    // Four of Shift-JIS, four of Big5.
    let names: [&[u8]; 8] = [
        b"\x95\\",
        b"\x94\\",
        b"\x8D\\",
        b"\x93\\",
        b"\xA5\\",
        b"\xB3\\",
        b"\xBB\\",
        b"\xB3\\\xA5\\\xBB\\",
    ];
    for name in names {
        let file = [b"(;FF[4]SZ[9]PB[", name, b"]KM[6.5];B[aa];W[bb])"].concat();
        let (tree, repairs) = one(&file);
        let moves = tree.main_line().flat_map(sgf::NodeRef::moves);
        assert_eq!(moves.count(), 2, "{name:?}");
        assert_eq!(tree.info().komi, Some(6.5), "{name:?}");
        let used = tree.charset();
        assert!(["Shift_JIS", "Big5"].contains(&used.name()), "{used}");
        let fault = Fault::MissingCharset { used };
        assert_eq!(
            repairs.iter().map(|r| &r.fault).collect::<Vec<_>>(),
            [&fault]
        );
        let written = sgf::write(std::slice::from_ref(&tree));
        assert_eq!(one(&written), (tree, vec![]), "{name:?}");
        // Nor in a file that ends too soon.
        let (tree, repairs) = one(&file[..file.len() - 1]);
        assert_eq!((tree.node_count(), repairs.len()), (3, 2), "{name:?}");
    }
    // In Latin-1 a bracket behind such a letter may be escaped.
    for text in [
        &b"see [caf\xE9\\] now"[..],
        b"[caf\xE9\\]",
        b"\xE9\\\\ \xE9\\:",
    ] {
        let file = [b"(;FF[4]SZ[9];B[aa]C[", text, b"]N[n];W[bb])"].concat();
        let (tree, repairs) = one(&file);
        assert_eq!(tree.charset(), Charset::LATIN_1);
        assert_eq!((tree.node_count(), repairs.len()), (3, 0), "{text:?}");
    }
}

/// UTF-16 with its mark, or said to be by the caller, is.
#[test]
fn utf_16() {
    let text = "(;FF[4]GM[1]CA[UTF-16]SZ[9]PB[Ann];B[ee])";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xFF, 0xFE][..], &little].concat();
    let told = ReadOptions {
        charset: Charset::for_label("UTF-16"),
        ..ReadOptions::default()
    };
    for reading in [sgf::read(&marked), sgf::read_with(&little, &told)] {
        let game = &reading.unwrap().games[0];
        assert_eq!(game.info().black.as_deref(), Some("Ann"));
        let written = sgf::write(std::slice::from_ref(game));
        assert_eq!(one(&written), (game.clone(), vec![]));
    }
}

/// The same for ISO-2022-JP where the bytes are not.
#[test]
fn iso_2022_jp_or_not() {
    let real = b"(;FF[4]CA[ISO-2022-JP]PB[\x1B$B0f;3\x1B(B];B[aa])";
    assert_eq!(one(real).0.info().black.as_deref(), Some("井山"));
    let (tree, repairs) = one("(;FF[4]CA[ISO-2022-JP]PB[井山];B[aa])".as_bytes());
    assert_eq!(tree.info().black.as_deref(), Some("井山"));
    assert!(
        matches!(repairs[0].fault, Fault::WrongCharset { .. }),
        "{repairs:?}"
    );
}

/// Latin-1 is presumed without CA, and nothing to repair; but what is written says so, since a reader
/// might guess otherwise.
#[test]
fn latin_1_is_named_when_written() {
    for (file, name) in [
        (&b"(;FF[4]PB[J\xF6rg];B[aa])"[..], "ISO-8859-1"),
        (
            &b"(;FF[4]PB[J\xF6rg]C[\xE9\\] \xE0\\\\];B[aa])"[..],
            "ISO-8859-1",
        ),
        (&b"(;FF[4]PB[\x93J\xF6rg\x94];B[aa])"[..], "windows-1252"),
    ] {
        let (tree, repairs) = one(file);
        assert_eq!(repairs, []);
        assert!(sgf::read_strict(file).is_ok());
        assert_eq!(tree.charset().name(), name);
        let written = sgf::write(std::slice::from_ref(&tree));
        let says = format!("CA[{name}]");
        assert!(String::from_utf8_lossy(&written).contains(&says));
        assert_eq!(one(&written), (tree, vec![]));
    }
    // Where nothing beyond ASCII is written, nothing needs to be said.
    assert!(one(b"(;FF[4]PB[Jorg])").0.root().get("CA").is_none());
}

#[test]
fn a_charset_keeps_its_name() {
    for (label, name) in [
        ("windows-1252", "windows-1252"),
        ("cp1252", "windows-1252"),
        ("latin1", "ISO-8859-1"),
        ("ISO-8859-1", "ISO-8859-1"),
    ] {
        let file = [format!("(;FF[4]CA[{label}]PB[").as_bytes(), b"\xE9])"].concat();
        let (tree, repairs) = one(&file);
        assert_eq!((tree.charset().name(), repairs), (name, vec![]));
        assert_eq!(tree.root().text("CA").as_deref(), Some(label));
    }
}

proptest! {
    /// Whatever Latin-1 text is in a file without CA: what was read is read again from what is
    /// written, without being told the charset.
    #[test]
    fn files_without_ca_round_trip(
        text in prop::collection::vec(
            prop_oneof![
                4 => 0x80_u8..,
                1 => Just(b'\\'),
                1 => b' '..b'[',
                1 => Just(b']'),
                1 => b'a'..b'{',
            ],
            0..40,
        ),
    ) {
        let file = [&b"(;FF[4]GM[1]C["[..], &text, b"];B[aa];W[bb])"].concat();
        for game in sgf::read(&file).unwrap().games {
            let written = sgf::write(std::slice::from_ref(&game));
            let again = sgf::read(&written).unwrap();
            prop_assert_eq!(&again.games, &[game], "{:?}", again.repairs);
        }
    }
}
