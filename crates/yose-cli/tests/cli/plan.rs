//! `yose plan`: exact counts, and estimates that move as they should.

use serde_json::Value as Json;

use crate::yose::{assert_keys, error, json, yose};

/// A given speed, so that nothing is measured.
fn plan(arguments: &[&str]) -> Json {
    json(&[&["plan", "shogi4", "--speed", "1e7"], arguments].concat())
}

fn figure(plan: &Json, key: &str) -> f64 {
    plan[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} is no number"))
}

#[test]
fn the_full_game_is_counted_exactly() {
    let full = plan(&[]);
    let keys = [
        "canonical",
        "canonical_kings_apart",
        "state_bytes",
        "io_bytes",
        "network_bytes",
        "core_hours",
        "cost",
    ];
    for key in keys {
        assert!(full[key].is_number(), "{key}");
    }
    assert_keys(
        &full["hours"],
        &["processors", "disk", "network"].map(|key| (key, "number")),
    );
    assert_eq!(full["canonical"], 36_713_949_235_800_u64);
    assert_eq!(full["canonical_kings_apart"], 24_321_053_220_318_u64);
    // Two bits for each slot; slots are more than positions.
    let slots = full["slots"].as_u64().expect("a number");
    assert!(slots > 24_321_053_220_318);
    assert_eq!(full["state_bytes"], slots.div_ceil(4));
    let range = full["core_hours_range"].as_array().expect("two");
    let [low, high] = [0, 1].map(|at| range[at].as_f64().expect("a number"));
    assert!(low < figure(&full, "core_hours") && figure(&full, "core_hours") < high);
}

#[test]
fn estimates_move_as_they_should() {
    let (one, eight) = (plan(&[]), plan(&["--nodes", "8"]));
    assert_eq!(one["network_bytes"], 0, "one machine sends nothing");
    assert!(figure(&eight, "network_bytes") > 0.0);
    assert!(figure(&plan(&["--nodes", "16"]), "network_bytes") > figure(&eight, "network_bytes"));
    assert_eq!(one["core_hours"], eight["core_hours"]);

    let fast = plan(&["--disk", "20GB/s"]);
    let hours = |plan: &Json| plan["hours"]["disk"].as_f64().expect("a number");
    assert!((hours(&one) / hours(&fast) - 4.0).abs() < 0.01);

    let slow = json(&["plan", "shogi4", "--speed", "1e6"]);
    let ratio = figure(&slow, "core_hours") / figure(&one, "core_hours");
    assert!((ratio - 10.0).abs() < 0.05, "{ratio}");

    let dear = plan(&["--core-hour", "0.08", "--terabyte-hour", "0.2"]);
    assert!((figure(&dear, "cost") / figure(&one, "cost") - 2.0).abs() < 0.01);
    let free = plan(&["--core-hour", "0", "--terabyte-hour", "0"]);
    assert!(figure(&free, "cost").abs() < f64::EPSILON);

    // What fits into memory is written, not swept.
    let small = plan(&["--pieces", "PTRF"]);
    let whole = |plan: &Json, key: &str| plan[key].as_u64().expect("a whole number");
    assert_eq!(whole(&small, "io_bytes"), 2 * whole(&small, "state_bytes"));
    assert_eq!(whole(&small, "disk_bytes"), whole(&small, "state_bytes"));
    // With files there are three generations of the state, and frontiers.
    assert!(whole(&one, "disk_bytes") > 3 * whole(&one, "state_bytes"));
    let tight = plan(&["--pieces", "PTRF", "--node-memory", "1MiB"]);
    assert!(figure(&tight, "io_bytes") > 10.0 * figure(&small, "io_bytes"));
}

/// Measured on this machine, in whatever build this is.
#[test]
fn speed_is_measured_if_it_is_not_given() {
    let measured = json(&["plan", "dobutsu"]);
    assert!(figure(&measured, "speed") > 1e4);
    let text = measured["assumptions"].to_string();
    assert!(text.contains("measured now"), "{text}");
    assert!(plan(&[])["assumptions"].to_string().contains("as given"));
}

#[test]
fn nonsense_is_refused() {
    for arguments in [
        &["--speed", "0"][..],
        &["--speed", "nan"],
        &["--disk", "0GB/s"],
        &["--disk", "fast"],
        &["--nodes", "0"],
        &["--core-hour", "-1"],
        &["--pieces", "PX"],
    ] {
        error(&[&["plan", "shogi4"], arguments].concat(), 2);
    }
}

#[test]
fn people_see_what_was_assumed() {
    let text = yose(&["plan", "shogi4", "--speed", "1e7"]).stdout;
    assert!(text.contains("36,713,949,235,800"), "{text}");
    assert!(text.contains("Assumed:"), "{text}");
}

#[test]
fn what_the_solvers_refuse_is_said() {
    let obstacles = |arguments: &[&str]| -> String {
        let plan = plan(arguments);
        let lines = plan["obstacles"].as_array().expect("a list");
        let lines = lines.iter().map(|line| line.as_str().expect("a text"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(obstacles(&["--pieces", "PTRF"]), "");
    assert_eq!(obstacles(&["--pieces", "PTRF", "--nodes", "16"]), "");
    let few = obstacles(&["--nodes", "64", "--node-memory", "1PiB"]);
    assert!(few.starts_with("44 machines at most"), "{few}");
    assert!(!few.contains("--scratch"), "{few}");
    let disks = obstacles(&["--nodes", "16"]);
    assert!(
        disks.contains("only one machine can use its disks"),
        "{disks}"
    );
    let one = obstacles(&["--node-memory", "1GiB"]);
    assert!(one.contains("with files a solve takes"), "{one}");
    assert_eq!(obstacles(&["--node-memory", "8GiB"]), "");
    // Whatever memory the machine has.
    let least = |memory: &str| plan(&["--node-memory", memory])["scratch_memory_bytes"].clone();
    assert_eq!(least("1MiB"), least("1PiB"));
    // Cells are cut as far as memory asks for it, and cores wait for memory.
    let cores =
        |memory: &str| -> String { plan(&["--node-memory", memory])["assumptions"].to_string() };
    assert!(cores("8GiB").contains("of the 64 cores work"));
    assert!(!cores("128GiB").contains("of the 64 cores work"));
    // As the solver itself says.
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = folder.path().to_string_lossy().into_owned();
    let solve = [
        "solve", "shogi4", "--pieces", "PTRF", "--metric", "wdl", "-j", "1",
    ];
    let more = ["--scratch", &scratch, "--memory", "1MiB"];
    let refused = error(&[&solve[..], &more[..]].concat(), 2);
    let (_, rest) = refused.split_once("needs ").expect("what it needs");
    let (least, _) = rest.split_once(" MiB").expect("MiB");
    let least: f64 = least.parse().expect("a number");
    let planned = figure(&plan(&["--pieces", "PTRF"]), "scratch_memory_bytes") / 1_048_576.0;
    // What the process has by itself comes on top.
    assert!(
        planned < least && least < planned + 24.0,
        "{planned}, {least}"
    );
}
