//! Feature planes against arrays made by other programs and against plain encoders.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod plain;
mod truth;

use plain::Plain;
use plain::planes::Past;
use proptest::prelude::*;
use truth::{Random, game, random_game, records};
use yose_go::planes::{
    EncodeError, EncodeOptions, Encoder, PlaneSet, Plies, Sample, encode, encode_samples,
};
use yose_go::{Board, Colour, Game, Move, Rules, Size, Symmetry};

/// Arrays of a file: set, id, planes, bits one by one.
fn arrays(file: &str) -> Vec<(String, u64, usize, Vec<u8>)> {
    let text = truth::text(file);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [id, set, planes, size, hex] = cells[..] else {
                panic!("{line}")
            };
            let (planes, size): (usize, usize) = (planes.parse().unwrap(), size.parse().unwrap());
            // numpy.packbits: the first bit is the highest.
            let bytes =
                (0..hex.len() / 2).map(|k| u8::from_str_radix(&hex[2 * k..2 * k + 2], 16).unwrap());
            let mut bits: Vec<u8> = bytes
                .flat_map(|b| (0..8).map(move |k| b >> (7 - k) & 1))
                .collect();
            bits.truncate(planes * size * size);
            (set.to_owned(), id.parse().unwrap(), planes, bits)
        })
        .collect()
}

fn options(repeat_oldest: bool, capture_zero_plane: bool) -> EncodeOptions {
    EncodeOptions {
        repeat_oldest,
        capture_zero_plane,
        ..EncodeOptions::default()
    }
}

/// The game to the position that an array is of, its board and side to play compared.
fn encoded_game(positions: &[serde_json::Value], id: u64) -> Game {
    let mut records = positions.iter();
    let record = records.find(|r| r["id"].as_u64() == Some(id)).unwrap();
    let game = game(record);
    let board = truth::strings(&record["board"]);
    assert_eq!(game.board().to_rows(), board, "{id}");
    assert_eq!(game.to_play(), truth::colour(&record["to_play"]), "{id}");
    game
}

fn encoded(game: &Game, set: PlaneSet) -> Vec<u8> {
    let games = std::slice::from_ref(game);
    let tensor = encode(games, Plies::Final, set, &EncodeOptions::default(), 1).unwrap();
    tensor.data
}

#[test]
fn arrays_of_other_programs() {
    let positions = records("encoder_positions.jsonl");
    let mut compared = 0;
    for (set, id, planes, expected) in arrays("planes.tsv") {
        let game = encoded_game(&positions, id);
        let set = if set == "agz17" {
            PlaneSet::Agz
        } else {
            PlaneSet::AlphaGo
        };
        assert_eq!(set.planes(), planes);
        let found = encoded(&game, set);
        let area = game.size().area();
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (plane, point) = (k / area, k % area);
            assert_eq!(found, expected, "{id} {set:?} plane {plane} point {point}");
        }
        assert_eq!(found.len(), expected.len());
        compared += 1;
    }
    assert!(compared >= 44, "{compared}");
}

/// Minigo's older planes are not a set of ours, but each says what some of ours say.
#[test]
fn older_arrays_of_minigo_agree() {
    let positions = records("encoder_positions.jsonl");
    let (mut compared, mut kos, mut taken) = (0, 0, 0);
    for (_, id, planes, theirs) in arrays("planes_minigo21.tsv") {
        assert_eq!(planes, 21);
        let game = encoded_game(&positions, id);
        let area = game.size().area();
        let alphago = encoded(&game, PlaneSet::AlphaGo);
        let overview = encoded(&game, PlaneSet::Overview48);
        let their = |plane: usize| &theirs[plane * area..][..area];
        let ours = |plane: usize| &alphago[plane * area..][..area];
        // Own and opponent's stones, empty points, ones.
        for plane in 0..4 {
            assert_eq!(ours(plane), their(plane), "{id} plane {plane}");
        }
        // Liberties, 1 to 8.
        for plane in 0..8 {
            assert_eq!(ours(12 + plane), their(4 + plane), "{id} liberties");
        }
        // The last eight moves: theirs stand there also if the stone is gone or a newer one in its place.
        let mut newer = vec![false; area];
        for turn in 0..8 {
            let mut last = game.moves().iter().rev();
            let last = last.nth(turn).and_then(|ply| ply.mv.point());
            let last = last.map(|point| game.size().flat(point));
            assert_eq!(their(12 + turn).iter().position(|&b| b == 1), last, "{id}");
            for (point, newer) in newer.iter_mut().enumerate() {
                let played = their(12 + turn)[point] == 1;
                let stands = played && !*newer && ours(2)[point] == 0;
                *newer |= played;
                taken += u32::from(played && !stands);
                // The oldest age is theirs and all before.
                let known = turn < 7 || stands;
                let age = ours(4 + turn)[point] == 1;
                assert!(!known || age == stands, "{id} turn {turn} point {point}");
            }
        }
        // Captures: theirs look at the opponent's last liberty, ours at what is legal, so a ko is theirs alone.
        for point in 0..area {
            let captures = (21..28).any(|plane| ours(plane)[point] == 1);
            let ko = overview[46 * area + point] == 1;
            kos += u32::from(ko);
            let found = captures || ko;
            assert_eq!(found, their(20)[point] == 1, "{id} captures at {point}");
        }
        compared += 1;
    }
    assert!(
        compared >= 22 && kos >= 6 && taken > 0,
        "{compared} {kos} {taken}"
    );
}

/// The boards of a game, replayed by the plain code.
fn replay(game: &Game) -> Vec<Plain> {
    let size = game.size();
    let start = game.start().to_rows();
    let mut board = Plain::from_rows(&start.iter().map(String::as_str).collect::<Vec<_>>());
    let mut boards = vec![board.clone()];
    for ply in game.moves() {
        match ply.mv {
            Move::Pass => board.pass(),
            Move::Place(point) => board.play(size.flat(point), ply.colour.symbol()),
        }
        boards.push(board.clone());
    }
    boards
}

/// The planes of every set by the plain code.
fn plain_planes(set: PlaneSet, past: &Past<'_>, o: &EncodeOptions) -> Vec<u8> {
    let planes = match set {
        PlaneSet::Agz => plain::planes::agz(past, o.repeat_oldest),
        PlaneSet::AgzAbsolute => plain::planes::agz_absolute(past, o.repeat_oldest),
        PlaneSet::AlphaGo => plain::planes::alphago(past, o.capture_zero_plane),
        PlaneSet::AlphaGo49 => plain::planes::alphago49(past, o.capture_zero_plane),
        PlaneSet::Overview48 => plain::planes::overview48(past, o.capture_zero_plane),
        PlaneSet::GnuGo => plain::planes::gnugo(past),
    };
    assert_eq!(planes.len(), set.planes());
    planes.concat()
}

fn compare(game: &Game, plies: &[usize], options: &EncodeOptions) {
    let boards = replay(game);
    let area = game.size().area();
    for set in PlaneSet::ALL {
        let mut encoder = Encoder::new(set, game.size(), *options);
        // Whatever stands there before must not matter.
        let mut found = vec![77_u8; encoder.len()];
        for &ply in plies {
            encoder.encode(game, ply, &mut found).unwrap();
            let to_play = game
                .moves()
                .get(ply)
                .map_or(game.to_play(), |next| next.colour);
            let past = Past {
                boards: &boards[..=ply],
                to_play: to_play.symbol(),
            };
            let expected = plain_planes(set, &past, options);
            if let Some(k) = (0..found.len()).find(|&k| found[k] != expected[k]) {
                panic!(
                    "{set:?} plane {} ({}) point {}: {} for {}, ply {ply}, {to_play} to play\n{}",
                    k / area,
                    set.describe(k / area).unwrap(),
                    k % area,
                    found[k],
                    expected[k],
                    boards[ply]
                        .cells
                        .chunks(game.size().cols())
                        .map(|r| r.iter().collect::<String>())
                        .collect::<Vec<_>>()
                        .join("\n"),
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_as_plain_code_encodes_them(
        rows in 1_usize..10,
        cols in 1_usize..10,
        plies in 0_usize..130,
        seed: u64,
        repeat: bool,
        zero: bool,
    ) {
        let mut random = Random(seed);
        let game = random_game(Size::new(rows, cols).unwrap(), plies, &mut random);
        let chosen: Vec<usize> = (0..=plies).filter(|ply| *ply == plies || random.below(20) == 0).collect();
        compare(&game, &chosen, &options(repeat, zero));
    }
}

#[test]
fn large_boards_and_records_as_plain_code_encodes_them() {
    let mut random = Random(19);
    for (side, plies) in [(13, 120), (19, 260), (25, 300)] {
        let game = random_game(Size::square(side).unwrap(), plies, &mut random);
        compare(&game, &[plies], &EncodeOptions::default());
    }
    for record in records("encoder_positions.jsonl") {
        let game = game(&record);
        if game.size().rows() <= 13 {
            compare(&game, &[game.moves().len()], &options(true, false));
        }
    }
}

/// The ladder across the whole of 19x19, 63 plies: only a reader without a limit on depth sees it.
#[test]
fn the_longest_straight_ladder_is_marked() {
    let size = Size::square(19).unwrap();
    let mut game = Game::new(size, Rules::CHINESE);
    for vertex in ["B3", "C3", "C2", "pass", "B4", "pass"] {
        game.play(size.parse_gtp(vertex).unwrap()).unwrap();
    }
    let planes = encode::<u8>(
        &[game],
        Plies::Final,
        PlaneSet::AlphaGo,
        &EncodeOptions::default(),
        1,
    )
    .unwrap();
    let marked: Vec<usize> = (0..361)
        .filter(|&p| planes.data[44 * 361 + p] == 1)
        .collect();
    assert_eq!(marked, [size.flat(truth::point(size, "D3"))]);
}

/// White's D4 is in atari. Capturing D5 and D6 at D7 saves it, though D7 does not touch it.
#[test]
fn an_escape_need_not_touch_the_prey() {
    let board = Board::from_rows(&[
        ".......", //
        "..OXO..", "..OXO..", "..XOX..", ".......", ".......", ".......",
    ])
    .unwrap();
    let size = board.size();
    let game = Game::from_board(board, Colour::White, Rules::CHINESE);
    compare(&game, &[0], &EncodeOptions::default());
    let planes = encode::<u8>(
        &[game],
        Plies::Final,
        PlaneSet::AlphaGo,
        &EncodeOptions::default(),
        1,
    )
    .unwrap();
    let escapes = &planes.data[45 * 49..46 * 49];
    assert_eq!(escapes[size.flat(truth::point(size, "D7"))], 1);
}

#[test]
fn set_up_stones_are_old_and_have_no_history() {
    let board = Board::from_rows(&["X.O", "...", "..."]).unwrap();
    let mut game = Game::from_board(board, Colour::White, Rules::CHINESE);
    let size = game.size();
    game.play(size.parse_gtp("B2").unwrap()).unwrap();
    compare(&game, &[0, 1], &options(false, true));
    compare(&game, &[0, 1], &options(true, true));
    let planes = |set, o: EncodeOptions| {
        encode::<u8>(&[game.clone()], Plies::Final, set, &o, 1)
            .unwrap()
            .data
    };
    let zeros = planes(PlaneSet::Agz, options(false, true));
    let repeated = planes(PlaneSet::Agz, options(true, true));
    // Two positions ago nothing is known; Black is to play and owns the corner.
    assert_eq!((zeros[4 * 9], repeated[4 * 9]), (0, 1));
    assert_eq!((zeros[16 * 9], zeros[2 * 9]), (1, 1));
    let ages = planes(PlaneSet::AlphaGo, EncodeOptions::default());
    assert_eq!((ages[11 * 9], ages[4 * 9 + 4], ages[11 * 9 + 4]), (1, 1, 0));
}

#[test]
fn batches_do_not_depend_on_threads() {
    let mut random = Random(7);
    let size = Size::new(7, 9).unwrap();
    let games: Vec<Game> = (0..6)
        .map(|k| random_game(size, 20 * k, &mut random))
        .collect();
    for set in PlaneSet::ALL {
        let options = EncodeOptions::default();
        let one = encode::<u8>(&games, Plies::All, set, &options, 1).unwrap();
        let moves: usize = games.iter().map(|g| g.moves().len() + 1).sum();
        assert_eq!(one.shape, [moves, set.planes(), 7, 9]);
        assert_eq!(one.data.len(), one.shape.iter().product::<usize>());
        assert_eq!(one, encode(&games, Plies::All, set, &options, 3).unwrap());
        let floats = encode::<f32>(&games, Plies::All, set, &options, 2).unwrap();
        assert!(
            floats
                .data
                .iter()
                .zip(&one.data)
                .all(|(a, b)| a.to_bits() == f32::from(*b).to_bits())
        );
        // Chosen positions, in any order.
        let samples = [(5, 93), (0, 0), (3, 7)].map(|(g, ply)| Sample {
            history: games[g].history(),
            ply,
        });
        let chosen = encode_samples::<u8>(&samples, size, set, &options, 1).unwrap();
        let each = set.len(size);
        let starts: Vec<usize> = games
            .iter()
            .scan(0, |sum, g| {
                let start = *sum;
                *sum += g.moves().len() + 1;
                Some(start)
            })
            .collect();
        for (k, (g, ply)) in [(5, 93), (0, 0), (3, 7)].into_iter().enumerate() {
            let at = (starts[g] + ply) * each;
            assert_eq!(
                chosen.data[k * each..(k + 1) * each],
                one.data[at..at + each]
            );
        }
    }
}

#[test]
fn what_cannot_be_encoded() {
    let nine = Game::new(Size::square(9).unwrap(), Rules::CHINESE);
    let seven = Game::new(Size::square(7).unwrap(), Rules::CHINESE);
    let o = EncodeOptions::default();
    let error =
        |games: &[Game], plies| encode::<u8>(games, plies, PlaneSet::Agz, &o, 1).unwrap_err();
    assert_eq!(error(&[], Plies::All), EncodeError::Nothing);
    assert_eq!(
        error(std::slice::from_ref(&nine), Plies::After(1)),
        EncodeError::Ply { ply: 1, moves: 0 }
    );
    let sizes = error(&[nine.clone(), seven], Plies::All);
    assert_eq!(
        sizes.to_string(),
        "the planes are for a board of 9 x 9, the game is on 7 x 7"
    );
    let mut encoder = Encoder::new(PlaneSet::Agz, nine.size(), o);
    let room = encoder.encode(&nine, 0, &mut [0_u8; 5]).unwrap_err();
    assert_eq!(
        room,
        EncodeError::Room {
            expected: 17 * 81,
            got: 5
        }
    );
    let name = PlaneSet::by_name("agz18").unwrap_err();
    assert!(name.to_string().contains("\"agz18\"") && name.to_string().contains("overview48"));
    let samples = [Sample {
        history: nine.history(),
        ply: 0,
    }; 3];
    assert_eq!(
        encode_samples::<u8>(&samples[..0], nine.size(), PlaneSet::Agz, &o, 4)
            .unwrap()
            .shape,
        [0, 17, 9, 9]
    );
}

#[test]
fn names_and_descriptions() {
    for set in PlaneSet::ALL {
        assert_eq!(PlaneSet::by_name(set.name()).unwrap(), set);
        let mut seen = std::collections::HashSet::new();
        for plane in 0..set.planes() {
            let text = set.describe(plane).unwrap();
            assert!(seen.insert(text.clone()), "{set:?} {plane} {text}");
        }
        assert_eq!(set.describe(set.planes()), None);
    }
}

/// A board seen in a mirror has its planes seen in a mirror: no plane depends on the order in which
/// points are looked at. The pattern of `gnugo` names directions, so it is left out.
#[test]
fn planes_of_a_turned_game_are_turned() {
    let mut random = Random(88);
    for (rows, cols) in [(9, 9), (7, 7), (6, 9), (13, 13)] {
        let size = Size::new(rows, cols).unwrap();
        for _ in 0..8 {
            let plies = random.below(size.area() + 20);
            let game = random_game(size, plies, &mut random);
            for symmetry in Symmetry::all(size) {
                let moves = game
                    .moves()
                    .iter()
                    .map(|ply| (ply.colour, symmetry.mv(size, ply.mv)));
                let turned_size = symmetry.size(size);
                let turned = Game::replay(turned_size, game.rules(), moves).unwrap();
                for set in PlaneSet::ALL {
                    let o = EncodeOptions::default();
                    let of = |game: &Game| {
                        let games = std::slice::from_ref(game);
                        encode::<u8>(games, Plies::Final, set, &o, 1).unwrap().data
                    };
                    let planes = if set == PlaneSet::GnuGo {
                        7
                    } else {
                        set.planes()
                    };
                    let (ours, theirs) = (of(&game), of(&turned));
                    let expected = symmetry
                        .planes(size, &ours[..planes * size.area()])
                        .unwrap();
                    assert_eq!(
                        expected,
                        theirs[..planes * size.area()],
                        "{set:?} {symmetry:?}"
                    );
                }
            }
        }
    }
}
