//! What holds for every size, point, position and symmetry.

mod common;

use common::Naive;
use proptest::prelude::*;
use yose_go::playout::{self, Random};
use yose_go::score::{self, Agreed};
use yose_go::symmetry::{self, Sample, Symmetry};
use yose_go::{
    Board, Colour, Game, KoRule, Move, OffBoard, Point, Position, Rules, Size, Suicide, Trail,
    handicap, zobrist,
};

fn sizes(side: usize) -> impl Strategy<Value = Size> {
    (1..=side, 1..=side).prop_map(|(rows, cols)| Size::new(rows, cols).expect("a size"))
}

/// Boards in the middle of random games.
fn boards(side: usize) -> impl Strategy<Value = Board> {
    (sizes(side), any::<u64>(), 0..3_usize, 0..200_u32).prop_map(|(size, seed, suicide, moves)| {
        let mut board = Board::new(size);
        board.set_suicide([Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed][suicide]);
        let mut random = Random::new(seed);
        let mut colour = Colour::Black;
        for _ in 0..moves {
            if board.play_random(colour, &mut random).is_none() {
                board.pass();
            }
            colour = !colour;
        }
        board
    })
}

fn symmetries() -> impl Strategy<Value = Symmetry> {
    (0..8_usize).prop_map(|number| Symmetry::new(number).expect("below 8"))
}

fn all_points() -> impl Iterator<Item = Point> {
    Size::square(25).expect("a size").points()
}

proptest! {
    #[test]
    fn coordinates_go_there_and_back(size in sizes(25)) {
        for (flat, point) in size.points().enumerate() {
            prop_assert_eq!(size.flat(point), flat);
            prop_assert_eq!(size.point_at(flat), Ok(point));
            prop_assert_eq!(size.point(point.row(), point.col()), Ok(point));
            prop_assert_eq!(size.parse_gtp(&size.gtp(point)), Ok(Move::Place(point)));
            prop_assert_eq!(
                size.parse_gtp(&size.gtp(point).to_lowercase()),
                Ok(Move::Place(point))
            );
            // On boards of 20 and more, `tt` is a point like any other.
            prop_assert_eq!(size.parse_sgf(&size.sgf(point)), Ok(Move::Place(point)));
        }
        prop_assert!(size.points().is_sorted());
        let mut backwards: Vec<Point> = size.points().rev().collect();
        backwards.reverse();
        prop_assert_eq!(backwards, size.points().collect::<Vec<_>>());
        for point in all_points() {
            let inside = point.row() < size.rows() && point.col() < size.cols();
            prop_assert_eq!(size.contains(point), inside);
            if !inside {
                let (row, col) = (point.row(), point.col());
                prop_assert_eq!(size.point(row, col), Err(OffBoard::RowCol { row, col, size }));
                prop_assert!(size.parse_gtp(&Size::square(25).expect("a size").gtp(point)).is_err()
                    || size.rows() != 25 && point.col() < size.cols());
            }
        }
        prop_assert!(size.point_at(size.area()).is_err());
    }

    #[test]
    fn no_text_makes_vertices_panic(size in sizes(25), text in "\\PC{0,6}") {
        for parsed in [size.parse_gtp(&text), size.parse_sgf(&text)] {
            match parsed {
                Ok(Move::Place(point)) => prop_assert!(size.contains(point)),
                Ok(Move::Pass) => {}
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn neighbours_are_one_step_away(size in sizes(25)) {
        let board = Board::new(size);
        for point in size.points() {
            let near: Vec<Point> = size.neighbours(point).collect();
            prop_assert_eq!(&board.neighbours(point).collect::<Vec<_>>(), &near);
            for other in size.points() {
                let rows = point.row().abs_diff(other.row());
                let cols = point.col().abs_diff(other.col());
                prop_assert_eq!(near.contains(&other), rows + cols == 1);
                let diagonal = size.diagonals(point).any(|corner| corner == other);
                prop_assert_eq!(diagonal, rows == 1 && cols == 1);
            }
        }
    }

    #[test]
    fn boards_in_random_games_are_sound(board in boards(12)) {
        prop_assert_eq!(board.self_check(), Ok(()));
        let rows = board.to_rows();
        let read = Board::from_rows(&rows).expect("its own text");
        prop_assert_eq!(read.to_rows(), rows);
        prop_assert_eq!(read.hash(), board.hash());
        let position = Position::of(&board);
        prop_assert_eq!(position.to_board().map(|board| board.hash()), Ok(board.hash()));
        for point in all_points() {
            prop_assert_eq!(position.stone(point), board.stone(point));
            prop_assert!(board.contains(point) || !board.is_legal(Colour::Black, point));
        }
        let mut copy = Board::new(Size::square(3).expect("a size"));
        copy.copy_from(&board);
        prop_assert_eq!(copy.self_check(), Ok(()));
        prop_assert_eq!(&copy, &board);
        let chains: usize =
            board.chains().map(|chain| usize::from(board.chain_size(chain))).sum();
        prop_assert_eq!(chains, board.stones().count());
    }

    #[test]
    fn full_hash_tells_side_and_ko_apart(board in boards(6)) {
        let [black, white] = Colour::BOTH.map(|colour| board.full_hash(colour));
        prop_assert_eq!(black ^ white, zobrist::to_move_key(Colour::White));
        let mut lifted = board.clone();
        lifted.clear_ko();
        prop_assert_eq!(lifted.full_hash(Colour::Black) == black, board.ko_point().is_none());
        prop_assert_eq!(lifted.hash(), board.hash());
    }

    /// Points changed one by one and all at once give the same board, or the same refusal.
    #[test]
    fn set_up_stones_stand_if_they_breathe(size in sizes(5), signs in prop::collection::vec(0..3_u8, 25)) {
        let stones: Vec<(Point, Colour)> = size
            .points()
            .zip(&signs)
            .filter(|(_, sign)| **sign > 0)
            .map(|(point, sign)| (point, if *sign == 1 { Colour::Black } else { Colour::White }))
            .collect();
        let mut naive = Naive::new(size, Suicide::Forbidden);
        for &(point, colour) in &stones {
            naive.stones[size.flat(point)] = Some(colour);
        }
        let breathes = stones.iter().all(|&(point, _)| !naive.chain(point).1.is_empty());
        match Board::from_stones(size, stones.iter().copied()) {
            Ok(board) => {
                prop_assert!(breathes);
                prop_assert_eq!(board.self_check(), Ok(()));
                naive.assert_same(&board);
                let mut again = board.clone();
                let all = stones.iter().map(|&(point, colour)| (point, Some(colour)));
                again.set_all(all).expect("nothing changes");
                prop_assert_eq!(again, board);
            }
            Err(error) => {
                prop_assert!(!breathes);
                prop_assert!(error.to_string().contains("no liberty"));
            }
        }
    }

    #[test]
    fn symmetries_form_a_group(a in symmetries(), b in symmetries(), size in sizes(9)) {
        for point in size.points() {
            let there = a.point(size, point);
            prop_assert_eq!(a.inverse().point(a.size(size), there), point);
            let both = b.point(a.size(size), there);
            prop_assert_eq!(a.then(b).point(size, point), both);
        }
        prop_assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
        prop_assert_eq!(a.then(b).size(size), b.size(a.size(size)));
    }

    #[test]
    fn rules_are_the_same_in_every_symmetry(board in boards(7), by in symmetries()) {
        let size = board.size();
        let moved = by.board(&board);
        prop_assert_eq!(moved.self_check(), Ok(()));
        prop_assert_eq!(by.inverse().board(&moved), board.clone());
        prop_assert_eq!(by.position(&Position::of(&board)), Position::of(&moved));
        for colour in Colour::BOTH {
            prop_assert_eq!(moved.captures(colour), board.captures(colour));
            for point in size.points() {
                let there = by.point(size, point);
                prop_assert_eq!(
                    board.check(colour, point), moved.check(colour, there));
                prop_assert_eq!(
                    board.is_one_point_eye(colour, point), moved.is_one_point_eye(colour, there));
                prop_assert_eq!(board.liberties(point), moved.liberties(there));
            }
        }
        let areas = [&board, &moved]
            .map(|board| score::area(board, &Agreed::nothing()).expect("no dead stones").lead());
        prop_assert_eq!(areas[0], areas[1]);
    }

    /// Planes and policies go where the points go.
    #[test]
    fn arrays_move_with_the_points(size in sizes(9), by in symmetries(), planes in 1..4_usize) {
        let array: Vec<u32> = (0..).take(planes * size.area()).collect();
        let moved = by.planes(size, &array).expect("fits");
        let to = by.size(size);
        for plane in 0..planes {
            for point in size.points() {
                let there = to.flat(by.point(size, point));
                prop_assert_eq!(
                    moved[plane * size.area() + there],
                    array[plane * size.area() + size.flat(point)]
                );
            }
        }
        prop_assert_eq!(by.inverse().planes(to, &moved), Ok(array));
        let policy: Vec<u32> = (0..).take(size.area() + 1).collect();
        let moved = by.policy(size, &policy).expect("fits");
        prop_assert_eq!(moved.last(), policy.last());
        prop_assert_eq!(by.inverse().policy(to, &moved), Ok(policy.clone()));
        prop_assert!(by.policy(size, &policy[1..]).is_err());
        prop_assert!(size.area() == 1 || by.planes(size, &policy).is_err());
    }

    /// A prediction that moves with the board has its own average; eight samples have their symmetries.
    #[test]
    fn averages_of_moved_predictions(size in sizes(6), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut unit = || f32::from(random.below(1000)) / 1000.0;
        let policy: Vec<f32> = (0..=size.area()).map(|_| unit()).collect();
        let planes: Vec<f32> = (0..2 * size.area()).map(|_| unit()).collect();
        let sample = Sample { planes, policy: policy.clone(), value: 0.25 };
        let samples = symmetry::augment(size, &sample).expect("fits");
        prop_assert_eq!(samples.len(), if size.is_square() { 8 } else { 4 });
        prop_assert_eq!(&samples[0], &sample);
        let predictions = Symmetry::all(size)
            .zip(&samples)
            .map(|(by, moved)| (by, moved.policy.as_slice(), moved.value));
        let (mean, value) = symmetry::average(size, predictions).expect("fits");
        prop_assert_eq!(mean, policy);
        prop_assert!((value - 0.25).abs() < f32::EPSILON);
    }

    /// Random games end with nothing but stones and eyes; a ko may be left, whose ban the last
    /// passes lifted.
    #[test]
    fn playouts_leave_no_move(size in sizes(9), seed in any::<u64>()) {
        let mut board = Board::new(size);
        let end = playout::run(&mut board, Colour::Black, &mut Random::new(seed));
        prop_assert_eq!(board.self_check(), Ok(()));
        prop_assert!(end.moves as usize <= 3 * size.area().max(1));
        if end.finished {
            for colour in Colour::BOTH {
                for point in size.points() {
                    let mut next = board.clone();
                    if next.play(colour, point).is_ok() && next.ko_point().is_none() {
                        prop_assert!(board.is_one_point_eye(colour, point));
                    }
                }
            }
        }
    }

    /// Superko the slow way: the position after every move, compared with all before.
    #[test]
    fn superko_forbids_what_stood_before(
        size in sizes(3), seed in any::<u64>(), rule in 0..2_usize, suicide in 0..3_usize
    ) {
        let ko = [KoRule::Positional, KoRule::Situational][rule];
        let suicide = [Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed][suicide];
        let mut game = Game::new(size, Rules { ko, suicide, ..Rules::CHINESE });
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let colour = game.to_play();
            let mut legal = Vec::new();
            for point in size.points() {
                let mut board = game.board().clone();
                let plain = board.play(colour, point).is_ok();
                let position = Position::of(&board);
                // Who was to move after each earlier position.
                let repeats = game.positions().iter().enumerate().any(|(after, earlier)| {
                    let to_play = if after % 2 == 0 { Colour::Black } else { Colour::White };
                    *earlier == position && (ko == KoRule::Positional || to_play != colour)
                });
                let mv = Move::Place(point);
                prop_assert_eq!(game.is_legal(colour, mv), plain && !repeats);
                if plain && !repeats {
                    legal.push(mv);
                }
            }
            legal.push(Move::Pass);
            let choice = random.below(u16::try_from(legal.len()).expect("small"));
            game.play(legal[usize::from(choice)]).expect("legal");
            prop_assert_eq!(game.positions().last(), Some(&Position::of(game.board())));
            prop_assert_eq!(game.positions().len(), game.moves().len() + 1);
        }
    }

    #[test]
    fn ages_count_from_the_newest_stone(seed in any::<u64>()) {
        let size = Size::square(4).expect("a size");
        let mut game = Game::new(size, Rules::NEW_ZEALAND);
        let mut random = Random::new(seed);
        // The move at which each stone now standing was placed.
        let mut placed = vec![None; size.area()];
        for number in 1..60_usize {
            let point = size.point_at(usize::from(random.below(16))).expect("on board");
            let mv = if game.is_legal(game.to_play(), Move::Place(point)) {
                Move::Place(point)
            } else {
                Move::Pass
            };
            game.play(mv).expect("legal");
            if let Some(point) = mv.point() {
                placed[size.flat(point)] = Some(number);
            }
            for point in size.points() {
                if game.board().stone(point).is_none() {
                    placed[size.flat(point)] = None;
                }
                let age = placed[size.flat(point)].map(|placed| number + 1 - placed);
                prop_assert_eq!(game.age(point), age);
            }
        }
    }
}

/// The published keys: a change of generator, seed or order must not go unnoticed.
#[test]
fn hashes_are_those_published() {
    let nine = Size::square(9).expect("a size");
    let point = |row, col| nine.point(row, col).expect("on board");
    // The first outputs of SplitMix64 from the seed.
    let mut state = zobrist::SEED;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for point in Size::square(25).expect("a size").points() {
        for colour in Colour::BOTH {
            assert_eq!(zobrist::stone_key(colour, point), next());
        }
        for colour in Colour::BOTH {
            assert_eq!(zobrist::ko_key(colour, point), next());
        }
    }
    assert_eq!(zobrist::to_move_key(Colour::White), next());
    for rows in 1..=25 {
        for cols in 1..=25 {
            assert_eq!(
                zobrist::size_key(Size::new(rows, cols).expect("a size")),
                next()
            );
        }
    }
    let board = Board::from_stones(
        nine,
        [(point(4, 4), Colour::Black), (point(2, 6), Colour::White)],
    )
    .expect("possible");
    assert_eq!(format!("{:016x}", board.hash()), "4e1069819f89c90c");
}

#[test]
fn handicap_stones_stand_on_star_points() {
    let vertices = |rows, cols, stones| -> Option<Vec<String>> {
        let size = Size::new(rows, cols).expect("a size");
        let places = handicap::fixed(size, stones).ok()?;
        Some(places.into_iter().map(|point| size.gtp(point)).collect())
    };
    let nineteen = ["D4", "Q16", "Q4", "D16", "D10", "Q10", "K4", "K16", "K10"];
    assert_eq!(
        vertices(19, 19, 9),
        Some(nineteen.map(str::to_owned).to_vec())
    );
    assert_eq!(
        vertices(19, 19, 5),
        Some(
            ["D4", "Q16", "Q4", "D16", "K10"]
                .map(str::to_owned)
                .to_vec()
        )
    );
    assert_eq!(vertices(19, 19, 6).map(|places| places.len()), Some(6));
    assert_eq!(
        vertices(9, 9, 4),
        Some(["C3", "G7", "G3", "C7"].map(str::to_owned).to_vec())
    );
    assert_eq!(vertices(8, 8, 5), None);
    assert_eq!(vertices(7, 7, 4).map(|places| places.len()), Some(4));
    assert_eq!(vertices(5, 5, 2), None);
    assert_eq!(vertices(19, 19, 1), None);
    assert_eq!(vertices(19, 19, 10), None);
    assert_eq!(
        vertices(13, 19, 2),
        Some(["D4", "Q10"].map(str::to_owned).to_vec())
    );
}

#[test]
fn territory_leaves_seki_out_and_counts_prisoners() {
    let rows = [".X.OO", "XX.O.", ".X.OO", "XX.OO", ".X.O."];
    let board = Board::from_rows(&rows).expect("a board");
    let mut game = Game::from_board(board, Colour::Black, Rules::JAPANESE);
    game.set_komi(0);
    let score = |agreed: &Agreed, game: &Game| score::score(game, agreed).expect("stones");
    // Black surrounds 3 points, White 2; the column between is neutral.
    assert_eq!(score(&Agreed::nothing(), &game).to_string(), "B+1");
    let size = game.size();
    let point = |row, col| size.point(row, col).expect("on board");
    let seki = Agreed {
        dead: Vec::new(),
        seki: vec![point(0, 3)],
    };
    assert_eq!(score(&seki, &game).to_string(), "B+3");
    let dead = Agreed {
        dead: vec![point(0, 3)],
        seki: Vec::new(),
    };
    // All points without black stones are Black's, and the dead stones are prisoners.
    let stones = i32::from(game.board().chain_size(point(0, 3)));
    let black = i32::try_from(
        game.board()
            .stones()
            .filter(|(_, colour)| *colour == Colour::Black)
            .count(),
    )
    .expect("small");
    assert_eq!(score(&dead, &game).half_points(), 2 * (25 - black + stones));
    game.set_rules(Rules {
        pass_stones: true,
        ..game.rules()
    });
    game.play(Move::Pass).expect("always legal");
    assert_eq!(score(&Agreed::nothing(), &game).to_string(), "0");
    assert!(
        score::score(
            &game,
            &Agreed {
                dead: vec![point(0, 0)],
                seki: vec![]
            }
        )
        .is_err()
    );
}

#[test]
fn a_chain_is_dead_or_in_seki() {
    let board = Board::from_rows(&[".XX.", "OO..", "...."]).unwrap();
    let at = |row, col| board.size().point(row, col).unwrap();
    let agreed = Agreed {
        dead: vec![at(0, 1)],
        seki: vec![at(0, 2)],
    };
    for counted in [
        score::area(&board, &agreed),
        score::territory(&board, &agreed),
    ] {
        let error = counted.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the chain at C3 is called both dead and alive in seki"
        );
    }
    let agreed = Agreed {
        dead: vec![at(0, 1)],
        seki: vec![at(1, 0)],
    };
    assert!(score::territory(&board, &agreed).is_ok());
}

#[test]
fn handicap_and_komi_enter_the_score() {
    let size = Size::square(9).expect("a size");
    // One side owns the whole board: 81 points of area, or the 78 without stones.
    for (name, points) in [
        ("Chinese", 81 - 3),
        ("AGA", 81 - 2),
        ("new zealand", 81),
        ("JAPANESE", 78),
    ] {
        let rules = Rules::by_name(name).expect("a name");
        let stones = handicap::fixed(size, 3).expect("three");
        let board = Board::from_stones(size, stones.iter().map(|&point| (point, Colour::Black)))
            .expect("possible");
        let mut game = Game::from_board(board, Colour::White, rules);
        game.set_komi(1);
        game.set_handicap(3);
        let score = score::score(&game, &Agreed::nothing()).expect("no dead stones");
        assert_eq!(score.half_points(), 2 * points - 1, "{name}");
    }
    assert_eq!(Rules::by_name("go"), None);
}

/// A trail is not used up on a board that is not the one it belongs to.
#[test]
fn a_trail_undoes_nothing_on_another_board() {
    let size = Size::square(5).expect("a size");
    let [a, b] = [(2, 2), (1, 3)].map(|(row, col)| size.point(row, col).expect("on board"));
    let mut board = Board::new(size);
    let mut trail = Trail::new();
    board.play_on(&mut trail, Colour::Black, a).expect("legal");
    let mut other = board.clone();
    other.play(Colour::White, b).expect("legal");
    let before = other.clone();
    assert!(!other.undo(&mut trail));
    assert_eq!(other, before);
    assert_eq!(trail.len(), 1);
    assert!(board.undo(&mut trail));
    assert_eq!(board, Board::new(size));
    assert!(!board.undo(&mut trail));
}
