//! `yose variants` and `--variant-file`.

use serde_json::json as j;

use crate::yose::{assert_keys, error, json, yose};

const KEYS: [(&str, &str); 6] = [
    ("name", "string"),
    ("title", "string"),
    ("rows", "number"),
    ("columns", "number"),
    ("pieces", "string"),
    ("start", "string"),
];

#[test]
fn built_in_variants() {
    let variants = json(&["variants"]);
    let variants = variants.as_array().expect("a list");
    let facts: Vec<_> = variants
        .iter()
        .map(|v| {
            assert_keys(v, &KEYS);
            j!([v["name"], v["columns"], v["rows"], v["pieces"], v["start"]])
        })
        .collect();
    assert_eq!(
        facts,
        [
            j!(["shogi4", 4, 4, "PPTTRRFF", "trfk/3p/P3/KFRT b - 1"]),
            j!(["dobutsu", 3, 4, "CCGGEE", "gle/1c1/1C1/ELG b - 1"]),
            j!(["micro", 4, 5, "PPGGSSBB", "kbgs/p3/4/3P/SGBK b - 1"]),
        ]
    );
}

/// A printed data file, read back, is the same variant.
#[test]
fn data_files_are_read_back() {
    for name in ["shogi4", "dobutsu", "micro"] {
        let printed = yose(&["variants", name]);
        assert_eq!(printed.code, 0);
        let path = format!("{}/{name}.toml", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, &printed.stdout).expect("a writable folder");
        let one = json(&["variants", "--variant-file", &path]);
        assert_eq!(one[0]["data"], printed.stdout);
        assert_eq!(one, json(&["variants", name]));
        let perft = ["perft", "--depth", "3"];
        assert_eq!(
            json(&[&perft[..], &["--variant-file", &path]].concat()),
            json(&[&perft[..], &[name]].concat())
        );
        let start = one[0]["start"].as_str().expect("a start");
        assert_eq!(
            json(&["moves", "--variant-file", &path, start]),
            json(&["moves", name, start])
        );
    }
}

/// The commands that the example file itself names.
#[test]
fn the_example_of_a_variant_of_ones_own() {
    let path = format!("{}/../../examples/wagon.toml", env!("CARGO_MANIFEST_DIR"));
    let perft = json(&["perft", "--variant-file", &path, "--depth", "5"]);
    assert_eq!(perft["variant"], "wagon");
    let solve = json(&["solve", "--variant-file", &path, "--pieces", "SW"]);
    let count = json(&["count", "--variant-file", &path, "--pieces", "SW"]);
    assert_eq!(solve["canonical"]["positions"], count["canonical"]);
    let start = perft["position"].as_str().expect("a start");
    let best = json(&["best", "--variant-file", &path, start]);
    assert_eq!(best["variant"], "wagon");
}

#[test]
fn bad_variants() {
    let text = error(&["variants", "chess"], 2);
    assert!(text.contains("unknown variant 'chess'"), "{text}");
    assert!(text.contains("shogi4, dobutsu, micro"), "{text}");
    let text = error(&["variants", "--variant-file", "no/such/file.toml"], 2);
    assert!(text.contains("no/such/file.toml"), "{text}");
    let text = error(&["variants", "shogi4", "--variant-file", "x.toml"], 2);
    assert!(text.contains("both name a variant"), "{text}");
}

#[test]
fn broken_variant_files() {
    let good = yose(&["variants", "shogi4"]).stdout;
    let path = format!("{}/broken.toml", env!("CARGO_TARGET_TMPDIR"));
    let broken = [
        String::new(),
        "rows = [".to_owned(),
        good.replace("rows = 4", "rows = 400000000000"),
        good.replace("rows = 4", "rows = -4"),
        good.replace("total = 2", "total = 255"),
        good.replace("\"trfk/3p", "\"trfkk/3p"),
        good.replace("letter = \"T\"", "letter = \"P\""),
        good[..good.len() / 2].to_owned(),
    ];
    for text in broken {
        std::fs::write(&path, &text).expect("a writable folder");
        let told = error(&["count", "--variant-file", &path], 2);
        assert!(told.contains("broken.toml"), "{told}");
    }
    std::fs::write(&path, [0xff, 0xfe, 0x00]).expect("a writable folder");
    error(&["count", "--variant-file", &path], 2);
}
