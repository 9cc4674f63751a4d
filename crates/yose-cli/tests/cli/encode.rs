//! `yose encode`: files that NumPy reads, and what is refused.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::json as j;
use yose_go::planes::{EncodeOptions, PlaneSet, Plies, encode};
use yose_go::{Colour, Game, Move, Rules, Size};

use crate::yose::{assert_keys, error, folder_for, json, yose, yose_with_input};

/// Three moves on a rectangle, asymmetric.
const RECORD: &str = "(;FF[4]GM[1]SZ[7:5]RU[Chinese];B[ba];W[cd];B[gb])";

fn game() -> Game {
    let size = Size::new(5, 7).expect("a size");
    let point = |row, col| Move::Place(size.point(row, col).expect("on the board"));
    let moves = [
        (Colour::Black, point(0, 1)),
        (Colour::White, point(3, 2)),
        (Colour::Black, point(1, 6)),
    ];
    Game::replay(size, Rules::CHINESE, moves).expect("legal moves")
}

fn record(folder: &Path, text: &str) -> String {
    let path = folder.join("game.sgf");
    fs::write(&path, text).expect("a writable folder");
    path.display().to_string()
}

/// Header and numbers of a `.npy` file.
fn npy(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).expect("the file is there");
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = String::from_utf8(bytes[10..10 + length].to_vec()).expect("text");
    (header, bytes[10 + length..].to_vec())
}

fn out(folder: &Path, name: &str) -> (PathBuf, String) {
    let path = folder.join(name);
    let text = path.display().to_string();
    (path, text)
}

#[test]
fn the_last_position_of_every_set() {
    let folder = folder_for("encode_sets");
    let file = record(&folder, RECORD);
    let (path, name) = out(&folder, "last.npy");
    for set in PlaneSet::ALL {
        let answer = json(&["encode", &file, "--planes", set.name(), "-o", &name]);
        let keys = [
            ("file", "string"),
            ("planes", "string"),
            ("shape", "array"),
            ("dtype", "string"),
            ("symmetry", "number"),
            ("moves", "number"),
            ("remarks", "array"),
        ];
        assert_keys(&answer, &keys);
        assert_eq!(answer["shape"], j!([set.planes(), 5, 7]));
        let expected = encode::<u8>(&[game()], Plies::Final, set, &EncodeOptions::default(), 1);
        let (header, numbers) = npy(&path);
        assert!(
            header.contains(&format!("'shape': ({}, 5, 7)", set.planes())),
            "{header}"
        );
        assert!(header.contains("'descr': '|u1'"), "{header}");
        assert_eq!(numbers, expected.unwrap().data, "{}", set.name());
    }
}

#[test]
fn all_positions_and_one_of_them() {
    let folder = folder_for("encode_all");
    let file = record(&folder, RECORD);
    let (path, name) = out(&folder, "all.npy");
    let answer = json(&["encode", &file, "--planes", "agz", "--all", "-o", &name]);
    assert_eq!(answer["shape"], j!([4, 17, 5, 7]));
    let (_, all) = npy(&path);
    for after in 0..4 {
        let after_text = after.to_string();
        json(&[
            "encode",
            &file,
            "--planes",
            "agz",
            "--move",
            &after_text,
            "-o",
            &name,
        ]);
        let each = 17 * 35;
        assert_eq!(npy(&path).1, all[after * each..][..each], "{after}");
    }
    json(&[
        "encode", &file, "--planes", "agz", "--dtype", "f32", "--all", "-o", &name,
    ]);
    let (header, floats) = npy(&path);
    assert!(header.contains("'descr': '<f4'"), "{header}");
    let floats = floats
        .chunks(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    assert!(floats.eq(all.iter().map(|&n| f32::from(n))));
}

#[test]
fn symmetries() {
    let folder = folder_for("encode_symmetry");
    let file = record(&folder, "(;FF[4]GM[1]SZ[5];B[ba])");
    let (path, name) = out(&folder, "turned.npy");
    // Plane 1 is the opponent's stones: Black's stone, White being to play.
    let expected = [
        (0, 1),
        (0, 3),
        (4, 1),
        (4, 3),
        (1, 0),
        (3, 0),
        (1, 4),
        (3, 4),
    ];
    for (k, (row, col)) in expected.into_iter().enumerate() {
        json(&[
            "encode",
            &file,
            "--planes",
            "agz",
            "--symmetry",
            &k.to_string(),
            "-o",
            &name,
        ]);
        let plane = &npy(&path).1[25..50];
        let at = plane.iter().position(|&n| n == 1).unwrap();
        assert_eq!((at / 5, at % 5), (row, col), "symmetry {k}");
    }
    let file = record(&folder, RECORD);
    let refused = error(
        &[
            "encode",
            &file,
            "--planes",
            "agz",
            "--symmetry",
            "4",
            "-o",
            &name,
        ],
        2,
    );
    assert!(refused.contains("would change the shape"), "{refused}");
}

#[test]
fn set_up_stones_and_repairs() {
    let folder = folder_for("encode_repairs");
    let (path, name) = out(&folder, "x.npy");
    // A comma in komi, a move onto a stone, stones set up later, a missing parenthesis.
    let text = "(;SZ[5]KM[6,5];B[cc];W[cc];AB[aa];B[ee]";
    let args = [
        "encode",
        "-",
        "--planes",
        "agz-absolute",
        "--all",
        "-o",
        &name,
        "--json",
    ];
    let run = yose_with_input(&args, text.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["shape"], j!([4, 17, 5, 5]));
    assert_eq!(answer["remarks"].as_array().unwrap().len(), 3, "{answer}");
    assert!(
        run.stderr
            .contains("move 2, byte 21: the point is occupied"),
        "{}",
        run.stderr
    );
    let (_, all) = npy(&path);
    let stones = |after: usize, plane: usize| {
        let plane = &all[(after * 17 + plane) * 25..][..25];
        (0..25).filter(|&at| plane[at] == 1).collect::<Vec<_>>()
    };
    let black = [0, 1, 2, 3].map(|after| stones(after, 0));
    let white = [0, 1, 2, 3].map(|after| stones(after, 8));
    assert_eq!(black, [vec![], vec![12], vec![0], vec![0, 24]]);
    assert_eq!(white, [vec![], vec![], vec![12], vec![12]]);
}

#[test]
fn several_games_and_archives() {
    let folder = folder_for("encode_games");
    let file = record(&folder, "(;SZ[5];B[aa])(;SZ[6];B[aa];W[bb])");
    let (path, name) = out(&folder, "x.npz");
    let answer = json(&[
        "encode", &file, "--planes", "agz", "--game", "2", "-o", &name,
    ]);
    assert_eq!(answer["moves"], 2);
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..4], b"PK\x03\x04");
    assert!(bytes.windows(10).any(|window| window == b"planes.npy"));
    let refused = error(
        &[
            "encode", &file, "--planes", "agz", "--game", "3", "-o", &name,
        ],
        2,
    );
    assert!(refused.contains("has 2 games, not 3"), "{refused}");
}

/// Text after the last game was once passed over in silence.
#[test]
fn text_around_games_is_told() {
    let folder = folder_for("encode_text");
    let file = record(
        &folder,
        "From: me\n(;SZ[5];B[aa])and\n(;SZ[6];B[aa]) the end\n",
    );
    let (_, name) = out(&folder, "x.npy");
    let remarks = |game: &str| {
        let args = [
            "encode", &file, "--planes", "agz", "--game", game, "-o", &name,
        ];
        json(&args)["remarks"].clone()
    };
    let outside = |at, text, length| {
        format!("byte {at}: {length} bytes outside of any game, {text:?}; skipped")
    };
    assert_eq!(remarks("1"), j!([outside(0, "From: me", 8)]));
    let both = j!([outside(23, "and", 3), outside(42, "the end", 7)]);
    assert_eq!(remarks("2"), both);
}

/// `-o -` once wrote a file of that name.
#[test]
fn to_standard_output() {
    let folder = folder_for("encode_stdout");
    let (path, name) = out(&folder, "x.npy");
    let args = ["encode", "-", "--planes", "agz", "--all", "-o"];
    let run = yose_with_input(&[&args[..], &[&name]].concat(), RECORD.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut child = crate::yose::command()
        .args(args)
        .arg("-")
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(RECORD.as_bytes()).expect("read");
    drop(stdin);
    let piped = child.wait_with_output().expect("the binary ends");
    assert!(piped.status.success());
    assert_eq!(piped.stdout, fs::read(path).unwrap());
    assert!(!folder.join("-").exists());
    let refused = error(&[&args[..], &["-", "--json"]].concat(), 2);
    assert!(refused.contains("standard output"), "{refused}");
}

/// A name that says no format once got one all the same, and the record itself could be written over.
#[test]
fn names_that_are_no_place_for_planes() {
    let folder = folder_for("encode_names");
    let file = record(&folder, RECORD);
    for wrong in ["x.txt", "x", "npy", "x.npy.gz", "game.sgf"] {
        let (path, name) = out(&folder, wrong);
        let refused = error(&["encode", &file, "--planes", "agz", "-o", &name], 2);
        assert!(refused.contains(".npy or .npz"), "{refused}");
        assert!(wrong == "game.sgf" || !path.exists(), "{wrong}");
    }
    let (other, name) = out(&folder, "record.npy");
    let mut ways = vec![other.clone()];
    fs::copy(&file, &other).unwrap();
    ways.push(folder.join(".").join("record.npy"));
    #[cfg(unix)]
    {
        for (n, way) in ["soft.npy", "hard.npy"].into_iter().enumerate() {
            let way = folder.join(way);
            if n == 0 {
                std::os::unix::fs::symlink(&other, &way).unwrap();
            } else {
                fs::hard_link(&other, &way).unwrap();
            }
            ways.push(way);
        }
    }
    for way in ways {
        let way = way.display().to_string();
        let refused = error(&["encode", &name, "--planes", "agz", "-o", &way], 2);
        assert!(refused.contains("over the record"), "{way}: {refused}");
    }
    assert_eq!(fs::read(&file).unwrap(), RECORD.as_bytes());
    assert_eq!(fs::read(&other).unwrap(), RECORD.as_bytes());
    let (path, name) = out(&folder, "LOUD.NPY");
    json(&["encode", &file, "--planes", "agz", "-o", &name]);
    assert!(path.exists());
}

/// The mark that Windows puts before UTF-8, on standard input.
#[test]
fn a_mark_before_the_text() {
    for (args, text) in [
        (vec!["cgt", "-"], "\u{FEFF}{3|1}\n".to_owned()),
        (
            vec!["encode", "-", "--planes", "agz", "-o", "-"],
            format!("\u{FEFF}{RECORD}"),
        ),
    ] {
        let mut child = crate::yose::command()
            .args(&args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(text.as_bytes()).expect("read");
        drop(stdin);
        let run = child.wait_with_output().expect("the binary ends");
        assert!(run.status.success(), "{args:?}: {run:?}");
    }
}

#[test]
fn what_is_refused() {
    let folder = folder_for("encode_refused");
    let (_, name) = out(&folder, "x.npy");
    let file = record(&folder, RECORD);
    for (args, reason) in [
        (vec!["encode", &file, "-o", &name], "--planes"),
        (vec!["encode", &file, "--planes", "agz"], "--output"),
        (
            vec!["encode", &file, "--planes", "zen", "-o", &name],
            "invalid value 'zen'",
        ),
        (
            vec![
                "encode", &file, "--planes", "agz", "--move", "4", "-o", &name,
            ],
            "3 moves, not 4",
        ),
        (
            vec![
                "encode", &file, "--planes", "agz", "--move", "1", "--all", "-o", &name,
            ],
            "--all",
        ),
        (
            vec![
                "encode",
                &file,
                "--planes",
                "agz",
                "--symmetry",
                "8",
                "-o",
                &name,
            ],
            "8",
        ),
        (
            vec!["encode", "no such.sgf", "--planes", "agz", "-o", &name],
            "no such.sgf",
        ),
        (
            vec![
                "encode",
                &file,
                "--planes",
                "agz",
                "-o",
                "no/such/folder.npy",
            ],
            "no/such",
        ),
    ] {
        let refused = error(&args, 2);
        assert!(refused.contains(reason), "{args:?}: {refused}");
    }
    for (text, reason) in [
        ("no game here", "expected a game"),
        ("(;SZ[30])", "at most 25"),
        ("(;GM[2])", "GM[2]"),
    ] {
        let file = record(&folder, text);
        let refused = error(&["encode", &file, "--planes", "agz", "-o", &name], 2);
        assert!(refused.contains(reason), "{text}: {refused}");
    }
    let file = record(&folder, RECORD);
    let text = yose(&["encode", &file, "--planes", "agz", "-o", &name]).stdout;
    assert!(
        text.ends_with("agz planes, shape (17, 5, 7), u8, of a game of 3 moves\n"),
        "{text}"
    );
}
