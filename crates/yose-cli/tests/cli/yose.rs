//! Runs the binary and looks at what it did.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `yose` with these arguments and nothing on standard input.
pub(crate) fn yose<S: AsRef<str>>(args: &[S]) -> Run {
    yose_with_input(args, b"")
}

/// Runs `yose` with these arguments and this standard input.
pub(crate) fn yose_with_input<S: AsRef<str>>(args: &[S], input: &[u8]) -> Run {
    let mut child = command()
        .args(args.iter().map(AsRef::as_ref))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A run that fails early may have closed its input already.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    let run = Run {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    };
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

/// The binary, free of what the environment of the tests may say about colours.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yose"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs `yose ... --json`, which must succeed, and reads its one document.
pub(crate) fn json(args: &[&str]) -> Json {
    let mut args = args.to_vec();
    args.push("--json");
    let run = yose(&args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("one JSON document")
}

/// The error text of `yose ...`, which must fail with this code and print no result.
pub(crate) fn error(args: &[&str], code: i32) -> String {
    let run = yose(args);
    assert_eq!(run.code, code, "{args:?}: {}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "", "{args:?}");
    run.stderr
}

/// Checks that an object has exactly these keys in this order, each of one of the named types:
/// `number`, `string`, `array`, `object`, `null`, with `|` between.
pub(crate) fn assert_keys(object: &Json, keys: &[(&str, &str)]) {
    let map = object.as_object().expect("an object");
    let names: Vec<&str> = map.keys().map(String::as_str).collect();
    let expected: Vec<&str> = keys.iter().map(|&(name, _)| name).collect();
    assert_eq!(names, expected);
    for (name, types) in keys {
        let is = match &map[*name] {
            Json::Null => "null",
            Json::Bool(_) => "bool",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        };
        assert!(
            types.split('|').any(|t| t == is),
            "{name}: {is}, not {types}"
        );
    }
}

/// Checks that an object has these keys, written with spaces between, each with a value: more may stand
/// beside them.
pub(crate) fn assert_has(object: &Json, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(!object[key].is_null(), "{key} in {object}");
    }
}

/// Rows of a table of facts under `tests/data`: cells between tabs, without comments and heading.
pub(crate) fn facts(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let rows: Vec<Vec<String>> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

/// An empty folder for the files of one test.
pub(crate) fn folder_for(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    // What an earlier run has left; that there is nothing is no fault.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

/// Solves an inventory with more options into FILE in a folder; the path of FILE.
pub(crate) fn table(folder: &Path, file: &str, options: &[&str]) -> String {
    let path = folder.join(file).to_str().expect("UTF-8").to_owned();
    let run = yose(&[&["solve", "--quiet"], options, &["-o", &path]].concat());
    assert_eq!(run.code, 0, "{options:?}: {}", run.stderr);
    path
}
