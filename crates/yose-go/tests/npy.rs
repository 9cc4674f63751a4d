//! NumPy's files, read back by rules written here.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Read};

use yose_go::planes::{EncodeOptions, PlaneSet, Plies, Tensor, encode, write_npy, write_npz};
use yose_go::{Game, Rules, Size};

/// Type, shape as text and data of a `.npy` file of format 1.0.
fn read(file: &[u8]) -> (String, String, &[u8]) {
    assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
    assert_eq!((10 + length) % 64, 0);
    let text = std::str::from_utf8(&file[10..10 + length]).unwrap();
    assert!(text.ends_with('\n') && text.is_ascii());
    let after = |key: &str| text.split(key).nth(1).unwrap();
    let descr = after("'descr': '").split('\'').next().unwrap();
    let shape = after("'shape': ").split(')').next().unwrap();
    assert!(text.contains("'fortran_order': False"));
    (descr.to_owned(), format!("{shape})"), &file[10 + length..])
}

fn game() -> Game {
    let size = Size::new(5, 7).unwrap();
    let mut game = Game::new(size, Rules::CHINESE);
    for vertex in ["C3", "D3", "pass", "A1"] {
        game.play(size.parse_gtp(vertex).unwrap()).unwrap();
    }
    game
}

#[test]
fn bytes_and_floats() {
    let o = EncodeOptions::default();
    let bytes = encode::<u8>(&[game()], Plies::All, PlaneSet::AlphaGo, &o, 1).unwrap();
    let mut file = Vec::new();
    write_npy(&mut file, &bytes, true).unwrap();
    // The shape of several positions stays whole.
    assert_eq!(
        read(&file),
        ("|u1".into(), "(5, 48, 5, 7)".into(), &bytes.data[..])
    );

    let floats = encode::<f32>(&[game()], Plies::Final, PlaneSet::AlphaGo, &o, 1).unwrap();
    for (one, shape) in [(true, "(48, 5, 7)"), (false, "(1, 48, 5, 7)")] {
        let mut file = Vec::new();
        write_npy(&mut file, &floats, one).unwrap();
        let (descr, found, data) = read(&file);
        assert_eq!((descr.as_str(), found.as_str()), ("<f4", shape));
        let numbers = data
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        assert!(numbers.eq(floats.data.iter().copied()));
    }
}

#[test]
fn archives() {
    let o = EncodeOptions::default();
    let planes = [PlaneSet::Agz, PlaneSet::GnuGo]
        .map(|set| encode::<u8>(&[game()], Plies::All, set, &o, 1).unwrap());
    let mut file = Cursor::new(Vec::new());
    write_npz(&mut file, &[("agz", &planes[0]), ("gnugo", &planes[1])]).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    assert_eq!(archive.len(), 2);
    for (name, planes) in [("agz.npy", &planes[0]), ("gnugo.npy", &planes[1])] {
        let mut array = Vec::new();
        archive
            .by_name(name)
            .unwrap()
            .read_to_end(&mut array)
            .unwrap();
        let (descr, shape, data) = read(&array);
        let [n, p, r, c] = planes.shape;
        assert_eq!(
            (descr, shape),
            ("|u1".to_owned(), format!("({n}, {p}, {r}, {c})"))
        );
        assert_eq!(data, planes.data);
    }
}

/// A place that takes nothing.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let planes = Tensor {
        shape: [1, 1, 1, 1],
        data: vec![0_u8],
    };
    let error = write_npy(Full, &planes, false).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}
