//! Records in SGF: any bytes.

use yose_go::sgf::{self, Fallback, ReadError, ReadOptions, ReplayOptions};

/// No panic; strict reading refuses exactly what lenient reading repairs; what was read is written
/// so that it is read as the same; and it can be played, or there is a reason.
///
/// # Panics
///
/// If one of these fails.
pub fn record(bytes: &[u8]) {
    let fallback = if bytes.len().is_multiple_of(2) {
        Fallback::Standard
    } else {
        Fallback::Guess
    };
    let options = ReadOptions {
        fallback,
        ..ReadOptions::default()
    };
    let Ok(reading) = sgf::read_with(bytes, &options) else {
        return;
    };
    let repairs = reading.repairs.as_slice();
    let strict = ReadOptions {
        strict: true,
        ..options
    };
    match (sgf::read_with(bytes, &strict), repairs.first()) {
        (Ok(strict), None) => assert_eq!(strict.games, reading.games),
        (Err(ReadError::Refused(refused)), Some(first)) => assert_eq!(&*refused, first),
        (strict, first) => panic!("{strict:?} {first:?}"),
    }
    for game in &reading.games {
        let written = sgf::write(std::slice::from_ref(game));
        let told = ReadOptions {
            charset: Some(game.charset()),
            ..ReadOptions::default()
        };
        let again = sgf::read_with(&written, &told).expect("what was written");
        assert_eq!(again.games, std::slice::from_ref(game));
        for node in game.nodes() {
            for property in node.properties() {
                let _ = (node.text(&property.id()), node.points(&property.id()));
            }
        }
        if let Ok(replay) = game.replay(&ReplayOptions::default()) {
            replay.game.board().self_check().expect("a board");
            for (moves, sample) in replay.positions().enumerate() {
                assert!(sample.ply <= moves);
            }
            assert_eq!(replay.positions().count(), replay.moves + 1);
        }
    }
}
