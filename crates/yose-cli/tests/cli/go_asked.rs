//! `yose best FILE.sgf`: what the flags ask, and questions that cannot be answered.

use serde_json::{Value as Json, json as j};

use crate::yose::{error, folder_for, json, yose, yose_with_input};

fn data(name: &str) -> String {
    format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A record of two safe groups; between them a corridor of two points, D2 and E2, open to White: `{1|*}`.
/// Black has 3 points besides, White 2; Black has 10 stones, White 4.
const CORRIDOR: &str =
    "SZ[7:3]PL[B]KM[0]AB[ca][da][ea][ab][bb][cb][bc][cc][dc][ec]AW[fa][fb][gb][fc]";

/// Two safe groups that share a ko for one point: White's B4 is in atari at C4.
const KO: &str = "SZ[7:4]PL[B]KM[0]\
    AB[aa][ab][bb][ac][bc][cc][dc][ec][fc][gc][bd][dd][ed][fd][gd]\
    AW[ba][da][fa][cb][db][eb][fb][gb]";

fn piped(args: &[&str], record: &str) -> crate::yose::Run {
    yose_with_input(
        &[&["best", "-"], args].concat(),
        format!("(;{record})").as_bytes(),
    )
}

fn piped_json(args: &[&str], record: &str) -> Json {
    let run = piped(&[args, &["--json"]].concat(), record);
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("one JSON document")
}

#[test]
fn a_limit_of_time_leaves_bounds_that_are_called_so() {
    let board = data("goendgame/hotstrat19.sgf");
    let best = json(&["best", &board, "--seconds", "0"]);
    assert_eq!(best["score"]["result"], Json::Null);
    assert_eq!(best["best"], j!([]));
    assert_eq!(best["exact"], false);
    let number = |x: &Json| -> f64 {
        let text = x.as_str().expect("a string");
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| -> f64 { text.parse().expect("a number") };
        number(above) / number(below)
    };
    for (key, truth) in [("left_stop", 6.0), ("right_stop", -9.0)] {
        assert_eq!(best["value"][key], Json::Null);
        let bounds = &best["value"][format!("{key}_bounds")];
        let (low, high) = (number(&bounds[0]), number(&bounds[1]));
        assert!(low < high && low <= truth && truth <= high, "{bounds}");
    }
    let regions = best["regions"].as_array().expect("a list");
    for (region, truth) in regions.iter().zip([1.0, -9.0, 6.0]) {
        // Small regions may be solved before the clock is looked at; then their sum is not.
        let known = region["status"] == "exact";
        assert!(known || region["limit"] == "limit of time", "{region}");
        assert_eq!(region["v"], Json::Null);
        if let Some(bounds) = region["v_bounds"].as_array() {
            assert!(
                number(&bounds[0]) <= truth && truth <= number(&bounds[1]),
                "{bounds:?}"
            );
        }
    }
    let text = yose(&["best", &board, "--seconds", "0"]).stdout;
    assert!(text.contains("best move is not proved: "), "{text}");
    assert!(text.contains("proved bounds"), "{text}");
    // A large region ends with bounds of its own.
    let ending = data("endings/09_chinese_2.sgf");
    let best = json(&["best", &ending, "--seconds", "0", "--move", "30"]);
    let regions = best["regions"].as_array().expect("a list");
    let open = |r: &&Json| r["status"] == "bounds" || r["status"] == "unknown";
    let open: Vec<&Json> = regions.iter().filter(open).collect();
    assert!(!open.is_empty());
    for region in open {
        assert_eq!(region["limit"], "limit of time", "{region}");
        assert_eq!(region["value"], Json::Null);
    }
    // Enough time changes nothing.
    let best = json(&["best", &board, "--seconds", "100"]);
    assert_eq!(best["score"]["result"], "B+6");
}

#[test]
fn a_limit_of_positions_leaves_bounds_too() {
    let best = json(&["best", &data("goendgame/hotstrat19.sgf"), "--nodes", "1"]);
    assert_eq!(best["score"]["result"], Json::Null);
    assert!(
        best["regions"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|r| r["limit"].is_string())
    );
}

#[test]
fn a_position_in_the_middle_of_a_game() {
    let game = data("endings/09_chinese_1.sgf");
    let whole = json(&["best", &game, "--nodes", "200"]);
    let moves = whole["position"]["moves"].as_u64().expect("a number");
    let start = json(&["best", &game, "--move", "0", "--nodes", "200"]);
    assert_eq!(start["position"]["last"], Json::Null);
    assert_eq!(start["position"]["board"][4], ".........");
    assert_eq!(start["to_play"], "black");
    let folder = folder_for("go_asked");
    let out = folder
        .join("middle.sgf")
        .to_str()
        .expect("UTF-8")
        .to_owned();
    let middle = (moves - 20).to_string();
    let best = json(&[
        "best", &game, "--move", &middle, "--nodes", "200", "-o", &out,
    ]);
    assert_eq!(best["position"]["moves"], moves - 20);
    assert_eq!(best["score"]["rule"], "chinese");
    assert_ne!(best["position"]["board"], whole["position"]["board"]);
    // The record with the analysis has the same game, whole and up to there.
    let same = |more: &[&str]| {
        let one = json(&[&["best", &game, "--nodes", "200"], more].concat());
        let other = json(&[&["best", &out, "--nodes", "200"], more].concat());
        assert_eq!(one["position"], other["position"], "{more:?}");
        assert_eq!(one["value"], other["value"], "{more:?}");
    };
    same(&[]);
    same(&["--move", &middle]);
    let record = std::fs::read_to_string(&out).expect("it was written");
    let (before, _) = record.split_once("Endgame analysis").expect("a comment");
    let played = before.matches(";B[").count() + before.matches(";W[").count();
    assert_eq!(played as u64, moves - 20, "the comment is at the position");
}

/// Black has 15 or 14 points of area, White 6 or 7; of territory 4 or 3, and 2.
#[test]
fn rules_and_handicap() {
    let score = |rules: &str, side: &str| {
        let best = piped_json(&["--rules", rules, "--to-play", side], CORRIDOR);
        assert_eq!(best["score"]["rule"], rules);
        (
            best["score"]["scoring"].clone(),
            best["score"]["result"].clone(),
        )
    };
    assert_eq!(score("japanese", "b"), (j!("territory"), j!("B+2")));
    assert_eq!(score("japanese", "w"), (j!("territory"), j!("B+1")));
    assert_eq!(score("korean", "w"), (j!("territory"), j!("B+1")));
    for rules in ["chinese", "aga", "tromp-taylor", "new-zealand"] {
        assert_eq!(score(rules, "b"), (j!("area"), j!("B+9")), "{rules}");
        assert_eq!(score(rules, "w"), (j!("area"), j!("B+7")), "{rules}");
    }
    // White is given a point for each handicap stone, for all but the first, or for none.
    for (rules, result, note) in [
        ("chinese", "B+7", Some("White gets 2 more")),
        ("aga", "B+8", Some("White gets 1 more")),
        ("new-zealand", "B+9", None),
        ("japanese", "B+2", None),
    ] {
        let record = format!("{CORRIDOR}HA[2]");
        let best = piped_json(&["--rules", rules], &record);
        assert_eq!(best["score"]["result"], result, "{rules}");
        let notes = best["notes"].to_string();
        assert_eq!(
            notes.contains("for the handicap"),
            note.is_some(),
            "{rules}: {notes}"
        );
        assert!(note.is_none_or(|note| notes.contains(note)), "{notes}");
    }
    let best = piped_json(&["--rules", "chinese", "--komi", "7.5"], CORRIDOR);
    assert_eq!(best["score"]["result"], "B+1.5");
}

#[test]
fn a_ko_is_named_and_has_a_value_for_whoever_wins_it() {
    let best = piped_json(&[], KO);
    let region = &best["regions"][0];
    assert_eq!(region["points"], j!(["C4"]));
    assert_eq!(region["stones"], j!(["B4"]));
    assert_eq!(region["status"], "ko");
    for key in ["value", "mean", "temperature", "v", "thermograph"] {
        assert_eq!(region[key], Json::Null, "{key}");
    }
    assert_eq!(region["bounds"].as_array().map(Vec::len), Some(2));
    for side in ["black", "white"] {
        let ko = &region["ko"][side];
        assert_eq!((&ko["mean"], &ko["temperature"]), (&j!("1/3"), &j!("1/3")));
        assert!(ko["thermograph"]["left"].is_array(), "{ko}");
    }
    assert_eq!(best["score"]["result"], Json::Null);
    assert_eq!(best["best"], j!([]));
    let text = piped(&[], KO).stdout;
    assert!(text.contains("A is ko"), "{text}");
}

/// Moves that lead to kos are named beside the best move, in text, JSON, picture and record.
#[test]
fn a_best_move_beside_moves_that_lead_to_kos() {
    let record = "SZ[4]KM[0]RU[Japanese]AB[aa][ba][ca][da]AW[ac][cc][dc][ad][bd][cd][dd]";
    let folder = folder_for("go_open_moves");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (html, out) = (path("a.html"), path("a.sgf"));
    let args = ["--assume", "alive=A4,A1", "--report", &html, "-o", &out];
    let best = piped_json(&args, record);
    assert_eq!(best["score"]["result"], "0");
    assert_eq!(
        best["best"],
        j!([{"move": "B3", "region": "A", "score": "0", "score_bounds": ["0", "0"]}])
    );
    let open: Vec<&Json> = best["open"].as_array().expect("a list").iter().collect();
    assert_eq!(open.len(), 2);
    for (open, vertex) in open.into_iter().zip(["A3", "C3"]) {
        assert_eq!((&open["move"], &open["region"]), (&j!(vertex), &j!("A")));
        assert_eq!(open["score_bounds"], j!(["-1", "0"]));
        assert_eq!(open["why"], "leads to a ko");
    }
    assert_eq!(
        (&best["best_complete"], &best["exact"]),
        (&j!(false), &j!(false))
    );
    assert_eq!(best["ranking_complete"], true);
    let region = &best["regions"][0];
    assert_eq!(region["v"], "0");
    assert_eq!(region["best"]["left"], j!(["B3"]));
    assert_eq!(region["open"]["left"], j!(["A3", "C3"]));
    assert_eq!(
        best["strategies"]["hottest"],
        j!({"move": "B3", "region": "A", "loss": "0"})
    );
    assert_eq!(
        (&best["line"][0], &best["line_complete"]),
        (&j!("B3"), &j!(true))
    );
    let text = piped(&args, record).stdout;
    let open = "May be as good: A3 (A, leads to a ko), C3 (A, leads to a ko).";
    assert!(
        text.contains("Best: Black B3 (A).") && text.contains(open),
        "{text}"
    );
    assert!(text.contains("B B3 (A3 C3?), W B3"), "{text}");
    let read = |path: &str| std::fs::read_to_string(path).expect(path);
    assert!(read(&html).contains(open));
    let record = read(&out);
    let open = "May be as good: A3 in A (leads to a ko), C3 in A (leads to a ko)";
    assert!(
        record.contains("Best move: B3 in A\n") && record.contains(open),
        "{record}"
    );
    let other = "SZ[5]KM[0]RU[Japanese]AB[ba][bb][bd][be]AW[da][db][dc][dd][de]";
    let best = piped_json(&["--assume", "alive=B1,B5,D1"], other);
    assert_eq!(best["best"][0]["move"], "C3");
    assert_eq!(
        (&best["best_complete"], &best["open"]),
        (&j!(true), &j!([]))
    );
}

/// What is wrong with a record is told once, and not without end.
#[test]
fn notes_on_records() {
    let notes = |record: &str, args: &[&str]| -> Vec<String> {
        let best = piped_json(&[args, &["--nodes", "10"]].concat(), record);
        let notes = best["notes"].as_array().expect("a list").iter();
        notes
            .map(|n| n.as_str().expect("a string").to_owned())
            .collect()
    };
    let terms = "RU[Japanese]AB[aa]";
    let found = notes(&format!("SZ[5]KM[NaN]{terms}"), &[]);
    assert_eq!(
        found,
        ["KM[NaN] gives no komi in half points; 6.5 is taken, as is usual (--komi K)"]
    );
    assert_eq!(notes(&format!("SZ[5]KM[6.3]{terms}"), &[]).len(), 1);
    assert_eq!(
        notes(&format!("SZ[5]KM[NaN]{terms}"), &["--komi", "5"]).len(),
        0
    );
    let found = notes(&format!("SZ[5]{terms}"), &[]);
    assert!(
        found.len() == 1 && found[0].starts_with("the record gives no komi"),
        "{found:?}"
    );
    assert_eq!(notes(&format!("SZ[5:5]KM[0]{terms}"), &[]).len(), 0);
    assert_eq!(notes(&format!("SZ[ 5]KM[0]{terms}"), &[]).len(), 1);
    let hostile = format!("SZ[5]KM[0]{terms}{}", ";B[aa];W[zz]".repeat(500));
    let found = notes(&hostile, &[]);
    assert_eq!(found.len(), 21, "{found:?}");
    let last = found.last().expect("some");
    assert!(
        last.starts_with("and ") && last.ends_with(" remarks more on the record"),
        "{last}"
    );
    // The game ends with its parenthesis; the one that `piped` adds is too many.
    let found = notes(&format!("SZ[5]KM[0]{terms}) sent from afar"), &[]);
    let outside = "bytes outside of any game, \"sent from afar\"; skipped";
    assert!(
        found.len() == 2 && found[0].ends_with(outside) && found[0].starts_with("byte "),
        "{found:?}"
    );
    assert!(found[1].contains("closes nothing"), "{found:?}");
}

#[test]
fn a_ko_that_was_just_taken_is_not_named() {
    let record = format!("{KO};B[ca]");
    let best = piped_json(&[], &record);
    assert_eq!(best["to_play"], "white");
    assert!(best["notes"].to_string().contains("the ko at B4"), "{best}");
    let named = |key: &str| best[key].to_string().contains("B4");
    assert!(!named("best") && !named("open"), "{best}");
    // Black may fill it.
    let best = piped_json(&["--to-play", "b"], &record);
    assert!(!best["notes"].to_string().contains("the ko at"), "{best}");
}

/// Refused before the work.
#[test]
fn one_file_for_picture_and_record() {
    let folder = folder_for("go_one_file");
    let path = folder.join("a.svg");
    let name = path.to_str().expect("UTF-8");
    let around = folder
        .join("..")
        .join(folder.file_name().expect("a name"))
        .join("a.svg");
    for other in [name, around.to_str().expect("UTF-8")] {
        let run = piped(&["--report", name, "-o", other], CORRIDOR);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(
            run.stderr.contains("--report and -o name the same file"),
            "{}",
            run.stderr
        );
        assert!(!path.exists());
    }
}

/// Eight dame among thirteen regions: two and two cancel, so the sum is colder than its hottest part.
#[test]
fn the_temperature_of_a_board_with_many_regions() {
    let game = data("endings/19_japanese_1.sgf");
    let ask = |moves: &str| {
        let flags = ["--assume", "auto", "--nodes", "500", "--move", moves];
        json(&[&["best", &game], &flags[..]].concat())
    };
    let best = ask("220");
    let regions = best["regions"].as_array().expect("a list");
    let dame = regions.iter().filter(|r| r["kind"] == "dame");
    assert_eq!((regions.len(), dame.count()), (13, 8));
    assert_eq!(best["value"]["temperature"], "-1");
    // After one of them is filled, one is left over.
    assert_eq!(ask("221")["value"]["temperature"], "0");
}

/// Nothing is said by colour alone.
#[test]
fn colours_on_and_off() {
    let plain = piped(&["--color", "never"], KO).stdout;
    let coloured = piped(&["--color", "always"], KO).stdout;
    assert_eq!(piped(&[], KO).stdout, plain, "a pipe has no colours");
    assert!(!plain.contains('\x1b') && coloured.contains("\x1b["));
    let mut stripped = String::new();
    for (number, part) in coloured.split('\x1b').enumerate() {
        let text = if number == 0 {
            part
        } else {
            part.split_once('m').expect("the end of a colour").1
        };
        stripped.push_str(text);
    }
    assert_eq!(stripped, plain);
    // The stone in atari is marked, the safe ones are not.
    assert!(plain.contains("4 X~O a O . O . 4"), "{plain}");
    assert!(
        plain.contains("~ a stone that is not proved safe"),
        "{plain}"
    );
}

#[test]
fn files_that_are_no_records() {
    let folder = folder_for("go_no_records");
    for (name, bytes, what) in [
        ("empty.sgf", &b""[..], "0 bytes"),
        ("text.sgf", b"no game at all\n", "expected a game"),
        ("binary.sgf", b"\x00\xff\xfe(\x80", "expected a game"),
        ("other.sgf", b"(;GM[2]SZ[8])", "GM[1]"),
        ("large.sgf", b"(;SZ[26])", "at most 25"),
        ("larger.sgf", b"(;SZ[52:3])", "at most 25"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a writable folder");
        let text = error(&["best", path.to_str().expect("UTF-8")], 2);
        assert!(text.contains(what) && text.contains(name), "{name}: {text}");
    }
    let missing = folder.join("missing.sgf");
    let text = error(&["best", missing.to_str().expect("UTF-8")], 2);
    assert!(text.contains("missing.sgf"), "{text}");
    let run = yose_with_input(&["best", "-"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("standard input"), "{}", run.stderr);
    // Cut short anywhere, a record is read as far as it goes or refused.
    let record = format!("(;{CORRIDOR};B[db];W[eb])");
    for end in (0..record.len()).step_by(3) {
        let run = yose_with_input(&["best", "-", "--nodes", "50"], &record.as_bytes()[..end]);
        assert!(matches!(run.code, 0 | 2), "{end}: {}", run.code);
    }
}

#[test]
fn questions_that_do_not_fit_the_record() {
    let refused = |args: &[&str], what: &str| {
        let run = piped(args, CORRIDOR);
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, "", "{args:?}");
        assert!(run.stderr.contains(what), "{args:?}: {}", run.stderr);
    };
    refused(&["--move", "1"], "0 moves, not 1");
    refused(&["--move", "-1"], "--move");
    refused(&["--game", "2"], "1 game, not 2");
    refused(&["--game", "0"], "1 game, not 0");
    refused(&["--assume", "alive=D2"], "D2: there is no stone");
    refused(&["--assume", "alive=H1"], "H1");
    refused(&["--assume", "alive=pass"], "a pass is no stone");
    refused(&["--assume", "maybe"], "alive=D4,Q16");
    refused(&["--assume", "alive="], "a vertex is missing");
    refused(
        &["--assume", "alive=B2", "--assume", "dead=C3"],
        "both alive and dead",
    );
    refused(&["--seconds", "-1"], "a number of seconds");
    refused(&["--nodes", "many"], "--nodes");
    refused(&["--komi", "1e3"], "half points");
    refused(&["--to-play", "red"], "--to-play");
}
