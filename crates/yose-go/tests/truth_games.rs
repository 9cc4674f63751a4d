//! Games of outside programs: final board, prisoners, ko, all legal moves, area.

use std::path::PathBuf;

use serde_json::Value;
use yose_go::score::{self, Agreed};
use yose_go::{Colour, Game, KoRule, Move, Rules, Size, Suicide};

fn lines(name: &str) -> Vec<Value> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/data/go", name]
        .iter()
        .collect();
    let text = std::fs::read_to_string(path).expect("the file is there");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn list(value: &Value) -> Vec<String> {
    let texts = value.as_array().expect("a list").iter();
    texts
        .map(|text| text.as_str().expect("text").to_owned())
        .collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn played(case: &Value, rules: Rules) -> Game {
    let side = usize::try_from(number(&case["size"])).expect("small");
    let size = Size::square(side).expect("a size");
    let moves = case["moves"].as_array().expect("a list").iter().map(|mv| {
        let colour = Colour::parse(mv[0].as_str().expect("text")).expect("a colour");
        (
            colour,
            size.parse_gtp(mv[1].as_str().expect("text"))
                .expect("a vertex"),
        )
    });
    Game::replay(size, rules, moves).expect("legal moves")
}

/// Legal points of the side to move as sorted vertices.
fn legal(game: &Game, ko: KoRule, suicide: Suicide) -> Vec<String> {
    let mut game = game.clone();
    game.set_rules(Rules {
        ko,
        suicide,
        ..game.rules()
    });
    let to_play = game.to_play();
    let mut vertices: Vec<String> = game
        .legal_moves(to_play)
        .map(|point| game.size().gtp(point))
        .collect();
    vertices.sort();
    vertices
}

fn sorted(value: &Value) -> Vec<String> {
    let mut vertices = list(value);
    vertices.sort();
    vertices
}

fn check_board(case: &Value, game: &Game) {
    let id = &case["id"];
    let (board, size) = (game.board(), game.size());
    board.self_check().expect("right");
    assert_eq!(board.to_rows(), list(&case["board"]), "game {id}: board");
    let by = |colour: Colour| u64::from(board.captures(colour));
    assert_eq!(
        by(Colour::Black),
        number(&case["stones_captured_by_black"]),
        "game {id}"
    );
    assert_eq!(
        by(Colour::White),
        number(&case["stones_captured_by_white"]),
        "game {id}"
    );
    let ko = board.ko_point().map(|point| size.gtp(point));
    assert_eq!(ko.as_deref(), case["ko"].as_str(), "game {id}: ko");
    assert_eq!(
        Colour::parse(case["to_play"].as_str().expect("text")),
        Some(game.to_play())
    );
}

fn check_area(case: &Value, game: &Game) {
    let area = score::area(game.board(), &Agreed::nothing()).expect("no dead stones");
    let counts = [
        area.count(Colour::Black),
        area.count(Colour::White),
        area.neutral(),
    ];
    let expected = ["area_black", "area_white", "area_neutral"].map(|key| number(&case[key]));
    assert_eq!(
        counts.map(|count| count as u64),
        expected,
        "game {}: area",
        case["id"]
    );
}

fn simple(suicide: Suicide) -> Rules {
    Rules {
        ko: KoRule::Simple,
        suicide,
        ..Rules::CHINESE
    }
}

#[test]
fn random_games() {
    let cases = lines("random_games.jsonl");
    assert!(cases.len() >= 20);
    for case in cases {
        let game = played(&case, simple(Suicide::Forbidden));
        check_board(&case, &game);
        check_area(&case, &game);
        let no = Suicide::Forbidden;
        assert_eq!(
            legal(&game, KoRule::Simple, no),
            sorted(&case["legal_simple_ko_no_suicide"])
        );
        assert_eq!(
            legal(&game, KoRule::Positional, no),
            sorted(&case["legal_positional_superko_no_suicide"])
        );
    }
}

#[test]
fn games_with_suicide() {
    let cases = lines("suicide_games.jsonl");
    assert!(cases.len() >= 5);
    for case in cases {
        let game = played(&case, simple(Suicide::MultiStone));
        check_board(&case, &game);
        let suicides = game
            .moves()
            .iter()
            .filter(|ply| ply.played.suicide > 0)
            .count();
        assert_eq!(suicides as u64, number(&case["suicides"]));
        for (key, suicide) in [
            ("legal_no_suicide", Suicide::Forbidden),
            ("legal_multi_suicide", Suicide::MultiStone),
            ("legal_all_suicide", Suicide::Allowed),
        ] {
            let legal = legal(&game, KoRule::Simple, suicide);
            assert_eq!(legal, sorted(&case[key]), "game {}: {key}", case["id"]);
        }
    }
}

#[test]
fn games_with_superko() {
    let cases = lines("superko_games.jsonl");
    assert!(cases.len() >= 9);
    for case in cases {
        let game = played(&case, simple(Suicide::Forbidden));
        check_board(&case, &game);
        check_area(&case, &game);
        for (key, ko) in [
            ("legal_simple_ko", KoRule::Simple),
            ("legal_positional_superko", KoRule::Positional),
            ("legal_situational_superko", KoRule::Situational),
        ] {
            let legal = legal(&game, ko, Suicide::Forbidden);
            assert_eq!(legal, sorted(&case[key]), "game {}: {key}", case["id"]);
        }
        // The move after which the position stood, not only that it did.
        let mut strict = game.clone();
        strict.set_rules(Rules {
            ko: KoRule::Positional,
            ..game.rules()
        });
        let banned = case["psk_banned_repeats_position_after_ply"]
            .as_object()
            .expect("a map");
        for (vertex, after) in banned {
            let mv = game.size().parse_gtp(vertex).expect("a vertex");
            let Err(yose_go::IllegalMove::Superko { after: found }) =
                strict.check(strict.to_play(), mv)
            else {
                panic!("game {}: {vertex} should be forbidden", case["id"]);
            };
            let stood = &game.positions()[usize::try_from(number(after)).expect("small")];
            assert_eq!(
                &game.positions()[found],
                stood,
                "game {}: {vertex}",
                case["id"]
            );
        }
    }
}

/// The games again, undone to the start: every board on the way is the one of the way there.
#[test]
fn undone_games_end_at_the_start() {
    for case in lines("random_games.jsonl").into_iter().take(8) {
        let mut game = played(&case, simple(Suicide::Forbidden));
        let moves: Vec<(Colour, Move)> = game
            .moves()
            .iter()
            .map(|ply| (ply.colour, ply.mv))
            .collect();
        let positions = game.positions().to_vec();
        let mut again = Game::new(game.size(), game.rules());
        let boards: Vec<_> = moves
            .iter()
            .map(|&(colour, mv)| {
                let before = again.board().clone();
                again.play_as(colour, mv).expect("legal");
                before
            })
            .collect();
        for (number, before) in boards.iter().enumerate().rev() {
            assert!(game.undo());
            assert_eq!(game.board(), before);
            assert_eq!(game.positions(), &positions[..=number]);
            game.board().self_check().expect("right");
        }
        assert!(!game.undo());
    }
}
