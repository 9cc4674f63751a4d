//! Bad input of all sorts: exit code 2, an error that can be read aloud, and never a panic.

use crate::yose::{error, yose, yose_with_input};

#[test]
fn an_error_says_what_where_and_what_to_try() {
    let text = error(&["best", "shogi4", "trfk/3p/P3/KFRX b - 1"], 2);
    assert_eq!(
        text,
        "error: 'trfk/3p/P3/KFRX b - 1': unknown piece letter 'X' at byte 14; \
         this variant has K P T R F\n\
         hint: the start of shogi4 is written 'trfk/3p/P3/KFRT b - 1'\n"
    );
}

#[test]
fn bad_positions() {
    for sfen in [
        "",
        " ",
        "b",
        "-",
        "////",
        "4/4/4/4 b -",
        "kK2/4/4/4 b",
        "kK2/4/4/4 x -",
        "kK2/4/4/4 b Q",
        "kK2/4/4/4 b 9P",
        "kK2/4/4/4 b 99999999999999999999P",
        "kK2/4/4/4 b - 1 1",
        "kK2/4/4/4 b - 99999999999999999999999999x",
        "kK2/4/4 b -",
        "kK2/4/4/4/4 b -",
        "kKK1/4/4/4 b -",
        "kK2/9/4/4 b -",
        "kK2/+4/4/4 b -",
        "kK2/++P3/4/4 b -",
        "kKP1/4/4/4 b -",
        "kK2/4/4/4 b PPP",
        "ｋK2/4/4/4 b -",
        "kK2/4/4/4 b -\n",
    ] {
        for command in ["best", "moves"] {
            let text = error(&[command, "shogi4", sfen], 2);
            assert!(text.starts_with("error: "), "{sfen}: {text}");
        }
        let text = error(&["perft", "shogi4", "--depth", "1", "--position", sfen], 2);
        assert!(text.starts_with("error: "), "{sfen}: {text}");
    }
}

/// Every prefix and every one-byte change of a position is read or refused, nothing else.
#[test]
fn damaged_positions() {
    let good = "t+Pfk/3p/4/KFRT w 2R1 1";
    let mut lines = Vec::new();
    for end in 0..good.len() {
        lines.push(good[..end].to_owned());
        for replacement in ["", "9", "/", "+", "é", " ", "K"] {
            lines.push(format!("{}{replacement}{}", &good[..end], &good[end + 1..]));
        }
    }
    for line in lines {
        let run = yose(&["moves", "shogi4", &line]);
        assert!(matches!(run.code, 0 | 2), "{line}: {}", run.code);
    }
}

#[test]
fn standard_input_that_is_no_text() {
    for command in [
        &["best", "-"][..],
        &["moves", "shogi4", "-"],
        &["race", "-"],
    ] {
        let run = yose_with_input(command, b"kK2/4/4/\xff\xfe");
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("not UTF-8 text (byte 8)"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn usage() {
    error(&["bets"], 2);
    error(&["best", "--no-such-flag"], 2);
    error(&["best", "-j", "many"], 2);
    error(&["best", "--top", "-1"], 2);
    assert_eq!(yose::<&str>(&[]).code, 2);
}

/// More threads than any machine has would take memory for nothing.
#[test]
fn threads_have_a_limit() {
    for threads in ["1025", "99999999999", "-1", "x"] {
        error(&["solve", "shogi4", "--pieces", "-", "-j", threads], 2);
    }
    yose(&["solve", "shogi4", "--pieces", "-", "-j", "1024"]);
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_not_read_to_its_end() {
    let text = error(&["variants", "--variant-file", "/dev/zero"], 2);
    assert!(text.contains("longer than"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_refuses_the_table_is_noticed_before_the_solve() {
    for place in ["/proc/table", "/dev/full", "/no/such/folder/table", "/"] {
        let text = error(&["solve", "shogi4", "--pieces", "-", "-o", place], 2);
        assert!(!text.contains("panicked"), "{text}");
    }
}

#[test]
fn completions_are_one_json_document_when_asked() {
    let document = crate::yose::json(&["completions", "bash"]);
    assert_eq!(document["shell"], "bash");
    assert!(
        document["script"]
            .as_str()
            .is_some_and(|s| s.contains("complete"))
    );
}
