//! Properties of reading and writing: what is written is read as the same; reading anything at all
//! ends, and writing what was read is stable.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use proptest::prelude::*;
use yose_go::sgf::{self, Charset, Fallback, NodeId, ReadError, ReadOptions, ReplayOptions, Tree};

/// A text in which the characters that matter are frequent.
fn text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "\\", "]", "[", ":", ";", "(", ")", "\n", "\r\n", " ", "B[aa]", "a", "é", "ソ", "表", "能",
        "淽", "\u{80}",
    ]);
    prop::collection::vec(odd, 0..8).prop_map(|parts| parts.concat())
}

/// A tree: for each node after the root its parent's number, and what stands in it.
fn tree() -> impl Strategy<Value = Tree> {
    let point = (0_u8..19, 0_u8..19).prop_map(|(c, r)| {
        [c, r]
            .iter()
            .map(|n| char::from(b'a' + n))
            .collect::<String>()
    });
    let node = (any::<prop::sample::Index>(), text(), point, 0..5_u8);
    prop::collection::vec(node, 0..30).prop_map(|nodes| {
        let mut tree = Tree::new();
        let mut ids = vec![NodeId::ROOT];
        for (parent, text, point, kind) in nodes {
            let id = tree.add_node(ids[parent.index(ids.len())]).unwrap();
            ids.push(id);
            match kind {
                0 => tree.set_raw(id, "B", &[&point]).unwrap(),
                1 => tree.set_raw(id, "W", &[""]).unwrap(),
                2 => tree.set_raw(id, "XX", &[&text, "", &text]).unwrap(),
                3 => tree.set_raw(id, "AB", &[&point]).unwrap(),
                _ => {}
            }
            if kind != 4 {
                tree.set_text(id, "C", &text).unwrap();
            }
        }
        tree
    })
}

/// Bytes that look like a record, more or less.
fn almost_a_record() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"(;"[..],
        b";",
        b"(",
        b")",
        b"B[dd]",
        b"W[]",
        b"AB[aa:cc]",
        b"SZ[9]",
        b"SZ[52:1]",
        b"C[",
        b"]",
        b"\\",
        b"FF[4]",
        b"GM[1]",
        b"CA[Shift_JIS]",
        b"CA[UTF-8]",
        b"CA[gbk]",
        b"CA[x]",
        b"ca[x]",
        b"\x83\x5C",
        b"\x9C\x5D",
        b"\xE9",
        b"\xC3\xA9",
        b"\xEF\xBB\xBF",
        b"[",
        b"lower[x]",
        b"KM[6,5]",
        b"AE[dd]",
        b"PL[w]",
        b" ",
        b"\n",
        b"junk",
        b"AB[dd]AW[dd]",
        b"B[dd]B[ee]",
        b"W[tt]",
        b"\0",
        b"X1[\\]]",
        b"CA[ISO-2022-JP]",
        b"\x1B$B",
        b"\xFF\xFE",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<u8>(), 0..60),
    ]
}

fn all_options() -> Vec<ReadOptions> {
    let with = |fallback| ReadOptions {
        fallback,
        ..ReadOptions::default()
    };
    let mut options = vec![
        with(Fallback::Standard),
        with(Fallback::Latin1),
        with(Fallback::Guess),
        with(Fallback::Charset(Charset::BIG5)),
    ];
    for charset in [Charset::SHIFT_JIS, Charset::GB18030, Charset::UTF_8] {
        options.push(ReadOptions {
            charset: Some(charset),
            ..ReadOptions::default()
        });
    }
    options
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_parsed_as_the_same(tree in tree()) {
        let printed = sgf::write(std::slice::from_ref(&tree));
        let reading = sgf::read(&printed).unwrap();
        prop_assert_eq!(&reading.games[..], std::slice::from_ref(&tree));
        prop_assert_eq!(sgf::write(&reading.games), printed);
        let two = sgf::write(&[tree.clone(), tree.clone()]);
        prop_assert_eq!(&sgf::read(&two).unwrap().games[..], &[tree.clone(), tree]);
    }

    /// The same in charsets where the second byte of a character can be a bracket.
    #[test]
    fn and_so_in_other_charsets(texts in prop::collection::vec(text(), 1..6)) {
        for label in ["Shift_JIS", "GB18030", "gbk", "Big5", "EUC-KR", "EUC-JP", "ISO-8859-1"] {
            let start = format!("(;FF[4]GM[1]CA[{label}]SZ[19])");
            let mut tree = sgf::read(start.as_bytes()).unwrap().games.remove(0);
            for text in &texts {
                let node = tree.add_node(NodeId::ROOT).unwrap();
                // Not every charset has every character.
                if tree.set_text(node, "C", text).is_err() {
                    tree.set_text(node, "C", "none").unwrap();
                }
            }
            let options = ReadOptions { charset: Some(tree.charset()), ..ReadOptions::default() };
            let printed = sgf::write(std::slice::from_ref(&tree));
            let again = sgf::read_with(&printed, &options).unwrap();
            prop_assert_eq!(&again.games[0], &tree);
            let mut utf8 = tree.clone();
            prop_assert_eq!(utf8.make_utf8(), 0);
            for (a, b) in tree.nodes().zip(utf8.nodes()) {
                prop_assert_eq!(a.text("C"), b.text("C"));
            }
            prop_assert_eq!(&sgf::read(&sgf::write(&[utf8.clone()])).unwrap().games[0], &utf8);
        }
    }

    #[test]
    fn anything_is_read_or_refused(bytes in almost_a_record()) {
        for options in all_options() {
            let reading = match sgf::read_with(&bytes, &options) {
                Ok(reading) => reading,
                Err(ReadError::NoGame { length }) => {
                    prop_assert!(length <= bytes.len() * 3);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let repairs = reading.repairs.as_slice();
            prop_assert!(repairs.windows(2).all(|pair| pair[0].offset <= pair[1].offset));
            // Strict reading and lenient reading agree about what is right.
            let strict = sgf::read_with(&bytes, &ReadOptions { strict: true, ..options.clone() });
            match (strict, repairs.first()) {
                (Ok(strict), None) => prop_assert_eq!(strict.games, reading.games.clone()),
                (Err(ReadError::Refused(at)), Some(first)) => prop_assert_eq!(&*at, first),
                (strict, first) => panic!("{strict:?} {first:?}"),
            }
            // Writing and reading again changes nothing, in each game's charset.
            for game in &reading.games {
                let written = sgf::write(std::slice::from_ref(game));
                let again = ReadOptions { charset: Some(game.charset()), ..ReadOptions::default() };
                let again = sgf::read_with(&written, &again).unwrap();
                let mut expected = game.clone();
                if game.root().get("CA").is_none() && !written.is_ascii() {
                    // Being told the charset, reading says so in the record.
                    expected.set_raw(NodeId::ROOT, "CA", &[game.charset().name()]).unwrap();
                }
                prop_assert_eq!(&again.games[..], std::slice::from_ref(&expected));
                prop_assert_eq!(sgf::write(&again.games), sgf::write(&[expected]));
                // And whatever it is, it can be played or there is a reason.
                if let Ok(replay) = game.replay(&ReplayOptions::default()) {
                    replay.game.board().self_check().unwrap();
                }
            }
        }
    }
}
