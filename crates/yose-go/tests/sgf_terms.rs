//! Komi, handicap and rules of a record: which are taken at their word, which otherwise, which are none.

use yose_go::Rules;
use yose_go::sgf::{self, Fault, Replay, ReplayFault, ReplayOptions};

/// The faults of a record of one move with these properties, and its replay.
fn read(properties: &str) -> (Vec<Fault>, Replay) {
    let file = format!("(;FF[4]GM[1]SZ[19]{properties};B[dd])");
    let reading = sgf::read(file.as_bytes()).expect("a game");
    let faults: Vec<_> = reading
        .repairs
        .as_slice()
        .iter()
        .map(|r| r.fault.clone())
        .collect();
    // What is read otherwise than it stands there, strict reading refuses.
    assert_eq!(
        sgf::read_strict(file.as_bytes()).is_ok(),
        faults.is_empty(),
        "{file}"
    );
    (
        faults,
        reading.games[0]
            .replay(&ReplayOptions::default())
            .expect("a replay"),
    )
}

#[test]
fn komi_at_its_word() {
    for (text, half_points) in [
        ("6.5", 13),
        ("0", 0),
        ("-5.5", -11),
        ("50", 100),
        ("100", 200),
        ("361", 722),
    ] {
        let (faults, replay) = read(&format!("KM[{text}]"));
        assert_eq!(
            (replay.game.komi(), faults, replay.notes),
            (half_points, vec![], vec![]),
            "{text}"
        );
    }
}

#[test]
fn komi_of_servers_is_understood_and_told() {
    for (text, half_points, read_as) in [
        ("2.75", 11, "5.5"),
        ("3.75", 15, "7.5"),
        ("275", 11, "5.5"),
        ("375", 15, "7.5"),
        ("650", 13, "6.5"),
        ("700", 14, "7.0"),
    ] {
        let (faults, replay) = read(&format!("KM[{text}]"));
        assert_eq!(
            (replay.game.komi(), &replay.notes[..]),
            (half_points, &[][..]),
            "{text}"
        );
        let [Fault::LooseValue { read_as: told, .. }] = &faults[..] else {
            panic!("{text}: {faults:?}");
        };
        assert_eq!(told, read_as);
    }
}

#[test]
fn what_is_no_komi() {
    for (text, faults_read) in [("99999", 1), ("six", 1), ("5.3", 0), ("6.6", 0)] {
        let (faults, replay) = read(&format!("RU[AGA]KM[{text}]"));
        assert_eq!(faults.len(), faults_read, "{text}: {faults:?}");
        assert_eq!(replay.game.komi(), Rules::AGA.komi);
        assert_eq!(replay.notes[0].fault, ReplayFault::Komi, "{text}");
    }
}

#[test]
fn what_is_no_handicap() {
    for text in ["-3", "999999999999", "500", "361", "two"] {
        let (faults, replay) = read(&format!("HA[{text}]"));
        assert!(
            matches!(&faults[..], [Fault::BadValue { name, .. }] if name == "HA"),
            "{text}: {faults:?}"
        );
        assert_eq!(replay.game.handicap(), 0);
    }
    for (text, stones) in [("0", 0), ("1", 1), ("9", 9)] {
        let (faults, replay) = read(&format!("HA[{text}]"));
        assert_eq!((faults, replay.game.handicap()), (vec![], stones));
    }
}

/// Rules that are not known are no reason to refuse a file, which may name any; but who plays it
/// by others hears of that.
#[test]
fn unknown_rules_are_told() {
    let (faults, replay) = read("RU[GOE]");
    assert_eq!((faults, replay.game.rules()), (vec![], Rules::JAPANESE));
    assert_eq!(
        replay.notes.iter().map(|n| n.fault).collect::<Vec<_>>(),
        [ReplayFault::Rules]
    );
    let game = &sgf::read(b"(;FF[4]GM[1]SZ[9]RU[GOE];B[dd])").unwrap().games[0];
    let strict = ReplayOptions {
        strict: true,
        ..ReplayOptions::default()
    };
    let refused = game.replay(&strict).unwrap_err().to_string();
    assert_eq!(
        refused,
        "byte 17: RU names no rules that are known here; Japanese rules are used"
    );
    let told = ReplayOptions {
        rules: Some(Rules::CHINESE),
        ..strict
    };
    assert!(game.replay(&told).is_ok());
    for known in ["", "RU[Korean]", "RU[nz]", "RU[ ]"] {
        assert_eq!(read(known).1.notes, []);
    }
}

#[test]
fn korean_rules_keep_their_name() {
    let games = sgf::read(b"(;RU[Korean])(;RU[Japanese])(;RU[Ing])")
        .unwrap()
        .games;
    let names: Vec<_> = games.iter().map(|game| game.info().rules_name).collect();
    assert_eq!(names, [Some("korean"), Some("japanese"), None]);
}
