//! Bugs that users of other programs reported, each as a test of this board. Repository and number
//! of the report stand in the name; what it says stands in the comment.

use yose_go::score::{self, Agreed, Score};
use yose_go::{
    Board, Colour, Game, IllegalMove, KoRule, LADDER_NODES, LadderVerdict, Move, Point, Rules,
    Size, Suicide, VertexError, ladder,
};

fn size(side: usize) -> Size {
    Size::square(side).expect("a size")
}

/// Plays (row, column) pairs, Black first; `None` is a pass.
fn play(game: &mut Game, moves: &[Option<(usize, usize)>]) {
    for mv in moves {
        let mv = mv.map_or(Move::Pass, |(row, col)| {
            Move::Place(game.size().point(row, col).expect("on board"))
        });
        game.play(mv).expect("legal");
    }
}

fn at(game: &Game, row: usize, col: usize) -> Move {
    Move::Place(game.size().point(row, col).expect("on board"))
}

/// Plays the moves of an SGF line, `;B[ee];W[]..`.
fn play_sgf(game: &mut Game, line: &str) {
    for node in line.split(';').filter(|node| !node.is_empty()) {
        let colour = Colour::parse(&node[..1]).expect("a colour");
        let mv = game
            .size()
            .parse_sgf(&node[2..node.len() - 1])
            .expect("a point");
        assert_eq!(colour, game.to_play());
        game.play(mv).expect("legal");
    }
}

/// Sagebati/goban#6: taking a stone back with two stones is no ko.
#[test]
fn goban_6_two_stones_are_no_ko() {
    let mut game = Game::new(size(19), Rules::JAPANESE);
    let stones = [
        (0, 2),
        (0, 1),
        (0, 3),
        (1, 2),
        (1, 4),
        (1, 3),
        (0, 5),
        (2, 4),
        (2, 5),
        (0, 4),
    ];
    play(&mut game, &stones.map(Some));
    // White at (0, 4) took two black stones; Black takes back one.
    assert_eq!(game.moves().last().map(|ply| ply.played.captured), Some(2));
    let back = at(&game, 0, 3);
    assert_eq!(game.play(back).map(|played| played.captured), Ok(1));
}

/// Sagebati/goban#13: a snapback is no ko.
#[test]
fn goban_13_snapback_is_no_ko() {
    let mut game = Game::new(size(19), Rules::JAPANESE);
    let stones = [
        (3, 3),
        (2, 2),
        (2, 4),
        (2, 3),
        (4, 2),
        (3, 5),
        (1, 3),
        (3, 4),
        (3, 1),
        (4, 3),
        (2, 1),
        (5, 3),
        (1, 2),
        (3, 2),
    ];
    play(&mut game, &stones.map(Some));
    let back = at(&game, 3, 3);
    assert!(game.play(back).expect("legal").captured > 1);
}

/// Sagebati/goban#14: a pass lifts the ban.
#[test]
fn goban_14_pass_lifts_the_ko_ban() {
    let mut game = Game::new(size(19), Rules::JAPANESE);
    play(
        &mut game,
        &[
            Some((1, 1)),
            Some((0, 1)),
            Some((2, 0)),
            Some((1, 0)),
            Some((0, 0)),
            None,
        ],
    );
    let connect = at(&game, 1, 0);
    assert!(game.play(connect).is_ok());
}

/// Sagebati/goban#15: suicide is called suicide, not ko.
#[test]
fn goban_15_suicide_is_called_suicide() {
    let mut game = Game::new(size(19), Rules::JAPANESE);
    play(&mut game, &[Some((0, 1)), Some((0, 0)), Some((1, 0))]);
    let corner = at(&game, 0, 0);
    assert_eq!(game.check(Colour::White, corner), Err(IllegalMove::Suicide));
}

/// Sagebati/goban#18: 70,000 suicides with passes between them leave a sound board, and the suicide
/// of a lone stone repeats the position.
#[test]
fn goban_18_many_suicides_and_lone_stones() {
    let mut board = Board::from_rows(&[".XO", "XX.", ".X."]).expect("a board");
    board.set_suicide(Suicide::Allowed);
    let corner = board.size().point(0, 0).expect("on board");
    let before = board.clone();
    for count in 1..=70_000 {
        assert_eq!(board.play(Colour::White, corner).expect("legal").suicide, 1);
        board.pass();
        assert_eq!(board.captures(Colour::Black), count);
    }
    board.self_check().expect("right");
    assert_eq!(board.hash(), before.hash());

    let game = Game::from_board(before, Colour::White, Rules::TROMP_TAYLOR);
    assert_eq!(
        game.check(Colour::White, Move::Place(corner)),
        Err(IllegalMove::Superko { after: 0 })
    );
    // With the side to move counted, a lone suicide is a pass.
    let mut game = game;
    game.set_rules(Rules::NEW_ZEALAND);
    assert!(game.is_legal(Colour::White, Move::Place(corner)));
}

/// lightvector/KataGo#1100: does a set-up start count under superko? Here it does: no move may
/// bring it back. The corner of the report: Black sends two, White takes them, Black takes one.
#[test]
fn katago_1100_a_set_up_start_counts_as_a_position() {
    let start = Board::from_rows(&[".X.X.", "OOXX.", ".....", "....."]).expect("a board");
    for (ko, expected) in [
        (KoRule::Positional, Err(IllegalMove::Superko { after: 0 })),
        // Black was to move at the start, White would be now.
        (KoRule::Situational, Ok(())),
        (KoRule::Simple, Ok(())),
    ] {
        let rules = Rules {
            ko,
            ..Rules::CHINESE
        };
        let mut game = Game::from_board(start.clone(), Colour::Black, rules);
        play(&mut game, &[Some((0, 0)), Some((0, 2))]);
        assert_eq!(game.moves()[1].played.captured, 2);
        let third = at(&game, 0, 1);
        assert_eq!(game.check(Colour::Black, third), expected, "{ko:?}");
        if expected.is_ok() {
            game.play(third).expect("legal");
            assert_eq!(game.positions()[3], game.positions()[0]);
            assert_eq!(game.board().hash(), start.hash());
        }
    }
}

/// lightvector/KataGo#911: a record with an illegal ko capture; the replay says at which move.
#[test]
fn katago_911_replay_names_the_illegal_move() {
    let size = size(5);
    let vertices = ["B3", "C3", "C4", "D4", "C2", "D2", "A5", "E3", "D3", "C3"];
    let moves = vertices.iter().enumerate().map(|(number, vertex)| {
        let colour = if number % 2 == 0 {
            Colour::Black
        } else {
            Colour::White
        };
        (colour, size.parse_gtp(vertex).expect("a vertex"))
    });
    let error = Game::replay(size, Rules::JAPANESE, moves).expect_err("a ko");
    assert_eq!((error.ply, error.reason), (9, IllegalMove::Ko));
    assert_eq!(
        error.to_string(),
        "move 10 (White, C3) is not legal: the move retakes a ko at once"
    );
}

/// lightvector/KataGo#596: final_score and RE differed. RE[W+5.5] there counts half a point for
/// the first pass (a button), which these rules have not: area counting with every stone alive gives W+6.
#[test]
fn katago_596_final_score_is_area_less_komi() {
    let mut game = Game::new(size(7), Rules::TROMP_TAYLOR);
    game.set_komi(14);
    play_sgf(
        &mut game,
        ";B[dd];W[cd];B[ce];W[de];B[cf];W[dc];B[ed];W[ec];B[cc];W[fd];B[ee];W[cb];B[bc];W[fe];\
         B[ef];W[bb];B[bd];W[ff];B[fg];W[ab];B[ac];W[gf];B[db];W[eb];B[eg];W[gg];B[];W[fc];B[];W[]",
    );
    let score = score::score(&game, &Agreed::nothing()).expect("no dead stones");
    assert_eq!(score.to_string(), "W+6");
}

/// lightvector/KataGo#474: self-play games on 9x9 whose results looked wrong; counted with every
/// stone alive they are what the records say.
#[test]
fn katago_474_games_with_strings_and_dame_left() {
    for (line, result) in [
        (
            ";B[ee];W[ec];B[fg];W[cf];B[dd];W[gd];B[dc];W[be];B[ch];W[bc];B[he];W[ge];B[hf];W[eb];\
             B[db];W[hd];B[gb];W[hb];B[ea];W[fb];B[dg];W[bg];B[bh];W[ba];B[fa];W[gc];B[ga];W[ed];\
             B[de];W[ha];B[da];W[cb];B[fd];W[gf];B[gg];W[fc];B[fe];W[id];B[ag];W[af];B[ah];W[ie];\
             B[hg];W[ef];B[ff];W[df];B[cc];W[eg];B[eh];W[bd];B[cg];W[bf];B[ca];W[bb];B[if];W[ib];\
             B[];W[]",
            "0",
        ),
        (
            ";B[ee];W[eg];B[dc];W[gd];B[ff];W[cf];B[fg];W[he];B[fb];W[hg];B[be];W[ce];B[bd];W[eh];\
             B[fh];W[bf];B[ch];W[bh];B[ei];W[dh];B[hc];W[gc];B[gb];W[hd];B[hb];W[ed];B[dd];W[ec];\
             B[eb];W[gf];B[hh];W[fe];B[ef];W[ci];B[de];W[cd];B[cc];W[ih];B[fc];W[fd];B[hi];W[gg];\
             B[ae];W[af];B[bc];W[di];B[fi];W[df];B[id];W[gh];B[gi];W[ie];B[ic];W[cg];B[];W[]",
            "W+3",
        ),
    ] {
        let mut game = Game::new(
            size(9),
            Rules {
                suicide: Suicide::MultiStone,
                ..Rules::CHINESE
            },
        );
        game.set_komi(14);
        play_sgf(&mut game, line);
        let score = score::score(&game, &Agreed::nothing()).expect("no dead stones");
        assert_eq!(score.to_string(), result);
    }
}

/// SabakiHQ/Sabaki#859 (and SabakiHQ/deadstones#7, #10): a chain with a single eye was never found
/// dead, since filling that eye was held to be illegal. The board is that of deadstones#7.
#[test]
fn sabaki_859_one_eyed_chains_are_guessed_dead() {
    let board = [
        ".X.X.X.XXXOX.",
        "X..X.XXX.XOOO",
        "XX.X.XOXXXO..",
        ".X..XXOX..XOO",
        "..XXOOOX.XXXO",
        ".XX.XO.OXXXO.",
        "X.XXXO.OO..OO",
        "..XXOOO..OOOO",
        "XXX.XOO..O..O",
        "..XXXXOO.OXXX",
        "XXOOXXXO.OOXO",
        "XOOOOXOOOOOOO",
        ".XO.OXO.O.O..",
    ];
    let board = Board::from_rows(&board).expect("a board");
    let dead = score::guess_dead(&board, Colour::Black, 500, 1);
    let white = board.size().point(11, 1).expect("on board");
    let chain = board.chain(white);
    assert_eq!(board.chain_size(white), 8);
    assert!(
        dead.iter().any(|&point| board.chain(point) == chain),
        "{dead:?}"
    );
}

/// SabakiHQ/Sabaki#294: an engine that is told the stones in any order knows no ko. The moves in
/// their order do.
#[test]
fn sabaki_294_ko_is_known_only_from_moves_in_order() {
    let mut game = Game::new(size(5), Rules::JAPANESE);
    for vertex in ["B3", "C3", "C4", "D4", "C2", "D2", "A5", "E3", "D3"] {
        game.play(game.size().parse_gtp(vertex).expect("a vertex"))
            .expect("legal");
    }
    let back = game.size().parse_gtp("C3").expect("a vertex");
    assert_eq!(game.check(Colour::White, back), Err(IllegalMove::Ko));
    let set_up = Board::from_stones(game.size(), game.board().stones()).expect("possible");
    assert_eq!(set_up.ko_point(), None);
    let later = Game::from_board(set_up, Colour::White, Rules::JAPANESE);
    assert!(
        later.is_legal(Colour::White, back),
        "without history nobody can know"
    );
    // Handed over whole, a board keeps its ban.
    let whole = Game::from_board(game.board().clone(), Colour::White, Rules::JAPANESE);
    assert_eq!(whole.check(Colour::White, back), Err(IllegalMove::Ko));
}

/// online-go/online-go.com#1234: prisoners counted twice; here a dead chain may be named by each
/// of its stones and still counts once.
#[test]
fn online_go_1234_dead_stones_count_once() {
    let rows = [".XO..", "XXO..", "OOO.X", "....X", "....."];
    let board = Board::from_rows(&rows).expect("a board");
    let game = Game::from_board(board, Colour::Black, Rules::JAPANESE);
    let point = |row, col| game.size().point(row, col).expect("on board");
    let once = Agreed {
        dead: vec![point(0, 1)],
        seki: Vec::new(),
    };
    let thrice = Agreed {
        dead: vec![point(0, 1), point(1, 1), point(0, 1)],
        seki: Vec::new(),
    };
    assert_eq!(score::score(&game, &once), score::score(&game, &thrice));
    assert_eq!(score::dead_stones(game.board(), &thrice), Ok([3, 0]));
    let all = Agreed {
        dead: vec![point(0, 1), point(2, 4)],
        seki: Vec::new(),
    };
    assert_eq!(
        score::dead_stones(game.board(), &all).map(|[black, _]| black),
        Ok(5)
    );
}

/// online-go/goban#182: the estimate on the final board counted what was already counted.
/// Counting changes nothing, so counting again says the same.
#[test]
fn online_go_goban_182_counting_twice_is_the_same() {
    let board = Board::from_rows(&[".XO..", "XXO..", "OOO.X", "....X", "....."]).expect("a board");
    let game = Game::from_board(board.clone(), Colour::Black, Rules::JAPANESE);
    let dead = Agreed {
        dead: vec![game.size().point(2, 4).expect("on board")],
        seki: vec![],
    };
    let first = score::score(&game, &dead).expect("stones");
    assert_eq!(score::score(&game, &dead), Ok(first));
    assert_eq!(game.board(), &board);
}

/// featurecat/lizzie#410: tools must be able to enter games that break superko.
#[test]
fn lizzie_410_superko_can_be_switched_off() {
    // Send two, return one, from the game file with number 0: A3 repeats the position after 7.
    let mut game = Game::new(
        size(3),
        Rules {
            ko: KoRule::Positional,
            ..Rules::CHINESE
        },
    );
    for vertex in ["B1", "A3", "B2", "C2", "C3", "A1", "A2", "B3", "C3"] {
        game.play(game.size().parse_gtp(vertex).expect("a vertex"))
            .expect("legal");
    }
    let mv = game.size().parse_gtp("A3").expect("a vertex");
    assert!(matches!(
        game.check(Colour::White, mv),
        Err(IllegalMove::Superko { .. })
    ));
    let rules = game.rules();
    game.set_rules(Rules {
        ko: KoRule::None,
        ..rules
    });
    game.play(mv).expect("switched off");
    game.set_rules(rules);
    assert_eq!(game.moves().len(), 10);
    assert!(game.undo(), "and undone under the old rules");

    // A plain ko too.
    let mut game = Game::new(
        size(5),
        Rules {
            ko: KoRule::None,
            ..Rules::JAPANESE
        },
    );
    for vertex in ["B3", "C3", "C4", "D4", "C2", "D2", "A5", "E3", "D3", "C3"] {
        game.play(game.size().parse_gtp(vertex).expect("a vertex"))
            .expect("legal");
    }
    game.board().self_check().expect("right");
}

/// leela-zero/leela-zero#1469: set-up stones, then Black moves.
#[test]
fn leela_zero_1469_black_moves_after_set_up() {
    let size = size(19);
    let corner = size
        .parse_sgf("dd")
        .expect("a point")
        .point()
        .expect("no pass");
    let board = Board::from_stones(size, [(corner, Colour::Black)]).expect("possible");
    let mut game = Game::from_board(board, Colour::Black, Rules::CHINESE);
    game.play(size.parse_sgf("pd").expect("a point"))
        .expect("legal");
    game.play(size.parse_sgf("pp").expect("a point"))
        .expect("legal");
    let stones: Vec<(Point, Colour)> = game.board().stones().collect();
    assert_eq!(stones.len(), 3);
    assert_eq!(
        stones
            .iter()
            .filter(|(_, colour)| *colour == Colour::Black)
            .count(),
        2
    );
}

/// leela-zero/leela-zero#2445: taking a chain that winds over the whole board and touches its last
/// liberty with four stones.
#[test]
fn leela_zero_2445_a_long_chain_is_taken() {
    let rows = [
        "OOOOOOOOO",
        "O.O.OXOXO",
        "OOOXOXOXO",
        "OXOXOXOXO",
        "OXOXOXOXO",
        "OXOXOXOXO",
        "OXOXOXOXO",
        "XXXXXXXXX",
        ".........",
    ];
    let mut board = Board::from_rows(&rows).expect("a board");
    let size = board.size();
    let point = |row, col| size.point(row, col).expect("on board");
    assert_eq!(board.liberties(point(0, 8)), 2);
    assert_eq!(
        board.check(Colour::Black, point(1, 1)),
        Err(IllegalMove::Suicide)
    );
    board.play(Colour::Black, point(1, 3)).expect("legal");
    assert_eq!(board.liberties(point(0, 8)), 1);
    let taken = board.chain_size(point(0, 8));
    assert!(taken > 35);
    assert_eq!(
        board
            .play(Colour::Black, point(1, 1))
            .map(|played| played.captured),
        Ok(taken)
    );
    board.self_check().expect("right");
}

/// jtauber/gtp#4: a pass is a vertex.
#[test]
fn gtp_4_pass_is_a_vertex() {
    for text in ["pass", "PASS", "Pass"] {
        assert_eq!(size(9).parse_gtp(text), Ok(Move::Pass));
    }
    let mut game = Game::new(size(9), Rules::CHINESE);
    assert!(game.is_legal(Colour::Black, Move::Pass));
    game.play(Move::Pass).expect("always legal");
    assert!(matches!(
        size(9).parse_gtp("A0"),
        Err(VertexError::Form { .. })
    ));
    assert!(matches!(
        size(9).parse_gtp("K1"),
        Err(VertexError::OffBoard { .. })
    ));
}

/// herzbube/littlego#289: after going back, the same capture is legal again.
#[test]
fn littlego_289_undone_positions_do_not_count() {
    for ko in [KoRule::Positional, KoRule::Situational, KoRule::Simple] {
        let mut game = Game::new(
            size(9),
            Rules {
                ko,
                ..Rules::CHINESE
            },
        );
        for vertex in ["A2", "A1", "B1"] {
            game.play(game.size().parse_gtp(vertex).expect("a vertex"))
                .expect("legal");
        }
        assert!(game.undo());
        let again = game.size().parse_gtp("B1").expect("a vertex");
        assert_eq!(game.play(again).map(|played| played.captured), Ok(1));
    }
}

/// brilee/MuGo#25: the point just taken in a ko is not legal. The board is the report's.
#[test]
fn mugo_25_ko_on_a_full_board() {
    let rows = [
        "...................",
        "...............X...",
        ".............X.XX..",
        "..X...........XO.X.",
        "..............O.OO.",
        "...............OX..",
        "...............OXXX",
        "................OO.",
    ];
    let mut board = Board::from_rows(&rows).expect("a board");
    let size = board.size();
    // White at Q16 in the report has just been placed; Black takes it from Q15.
    let (white, take) = (
        size.point(3, 15).expect("on"),
        size.point(4, 15).expect("on"),
    );
    assert_eq!(board.liberties(white), 2);
    let right = size.point(3, 16).expect("on board");
    board.play(Colour::Black, right).expect("legal");
    assert_eq!(
        board
            .play(Colour::Black, take)
            .map(|played| played.captured),
        Ok(1)
    );
    assert_eq!(board.check(Colour::White, white), Err(IllegalMove::Ko));
    board.pass();
    assert!(board.is_legal(Colour::White, white));
}

/// online-go/online-go.com#3664: a move that repeats an older position is refused, and legal moves do not list it.
#[test]
fn online_go_3664_superko_moves_are_not_listed() {
    let mut game = Game::new(
        size(3),
        Rules {
            ko: KoRule::Positional,
            ..Rules::CHINESE
        },
    );
    for vertex in ["B1", "A3", "B2", "C2", "C3", "A1", "A2", "B3", "C3"] {
        game.play(game.size().parse_gtp(vertex).expect("a vertex"))
            .expect("legal");
    }
    let listed: Vec<String> = game
        .legal_moves(Colour::White)
        .map(|point| game.size().gtp(point))
        .collect();
    assert_eq!(listed, ["B3"]);
}

/// Remi-Coulom/gogui#39, waltheri/wgo.js#105, online-go/gtp2ogs#270, sanderland/katrain#558:
/// boards that are no squares.
#[test]
fn gogui_39_rectangles() {
    let size = Size::new(5, 9).expect("a size");
    let mut game = Game::new(size, Rules::CHINESE);
    for vertex in ["J5", "A1", "J1", "A5"] {
        game.play(size.parse_gtp(vertex).expect("a vertex"))
            .expect("legal");
    }
    let rows = [
        "O.......X",
        ".........",
        ".........",
        ".........",
        "O.......X",
    ];
    assert_eq!(game.board().to_rows(), rows);
    assert!(size.parse_gtp("A6").is_err());
    assert!(size.parse_gtp("K1").is_err());
    let area = score::area(game.board(), &Agreed::nothing()).expect("no dead stones");
    assert_eq!(area.neutral(), 41);
    let score = score::score(&game, &Agreed::nothing()).expect("no dead stones");
    assert_eq!(score, Score::from_half_points(-15));
}

/// mattheww/sgfmill#2: a faster `play` broke ko and the capture of the played stone first: a move
/// without liberties that takes is legal, and its stone stays.
#[test]
fn sgfmill_2_taking_comes_before_suicide() {
    let mut board = Board::from_rows(&[".XO.", "XO..", "OO..", "...."]).expect("a board");
    let corner = board.size().point(0, 0).expect("on board");
    assert_eq!(
        board
            .play(Colour::White, corner)
            .map(|played| played.captured),
        Ok(2)
    );
    assert_eq!(board.stone(corner), Some(Colour::White));
    assert_eq!(board.ko_point(), None);
    assert_eq!(board.captures(Colour::White), 2);
}

/// A disputed board of another program's tests: does White's chain in atari get out by going on, or can Black
/// take it whatever follows? There is a second line for White, so both going on and taking get out.
#[test]
fn rocalphago_213_the_second_escape() {
    let board = Board::from_rows(&["..X...", ".XO...", ".XOX..", ".OX...", "..O...", "......"])
        .expect("a board and a chain");
    let size = board.size();
    let prey = size
        .parse_gtp("C5")
        .ok()
        .and_then(Move::point)
        .expect("a point");
    let read = ladder(&board, prey, Colour::White, LADDER_NODES).expect("a board and a chain");
    assert_eq!(read.verdict, LadderVerdict::Escapes);
    let moves: Vec<String> = read.moves.iter().map(|&p| size.gtp(p)).collect();
    assert_eq!(moves, ["D5", "D3"]);
    // And with Black to play it is taken at once.
    let read = ladder(&board, prey, Colour::Black, LADDER_NODES).expect("a board and a chain");
    assert_eq!(
        (read.verdict, read.plies),
        (LadderVerdict::Captured, Some(1))
    );
}
