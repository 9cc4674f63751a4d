//! Encodes a game as the planes of AlphaGo 2016 and writes them as NumPy reads them:
//! `cargo run --release -p yose-go --example planes -- planes.npy planes.npz`.

use std::fs::File;
use std::io::BufWriter;

use yose_go::planes::{EncodeOptions, PlaneSet, Plies, encode, write_npy, write_npz};
use yose_go::{Colour, Game, Rules, Size};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names = std::env::args().skip(1);
    let (Some(npy), Some(npz)) = (names.next(), names.next()) else {
        return Err("usage: planes FILE.npy FILE.npz".into());
    };
    let size = Size::square(19)?;
    let vertices = ["Q16", "D4", "Q3", "D16", "R5", "pass", "C3"];
    let moves = vertices.iter().zip(Colour::BOTH.into_iter().cycle());
    let moves: Result<Vec<_>, _> = moves
        .map(|(vertex, colour)| size.parse_gtp(vertex).map(|mv| (colour, mv)))
        .collect();
    let game = [Game::replay(size, Rules::CHINESE, moves?)?];
    let options = EncodeOptions::default();
    let all = encode::<u8>(&game, Plies::All, PlaneSet::AlphaGo, &options, 2)?;
    write_npy(BufWriter::new(File::create(npy)?), &all, false)?;
    let last = encode::<f32>(&game, Plies::Final, PlaneSet::Agz, &options, 1)?;
    let after = encode::<f32>(&game, Plies::After(2), PlaneSet::Agz, &options, 1)?;
    let file = BufWriter::new(File::create(npz)?);
    write_npz(file, &[("last", &last), ("after_2", &after)])?;
    Ok(())
}
