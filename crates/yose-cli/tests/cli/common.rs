//! What holds for every command: help, global flags, colours, broken pipes, generated files.

use std::process::Stdio;

use crate::yose::{command, error, folder_for, json, yose};

const COMMANDS: [&str; 16] = [
    "best",
    "solve",
    "audit",
    "probe",
    "info",
    "moves",
    "perft",
    "count",
    "index",
    "plan",
    "variants",
    "cgt",
    "race",
    "board",
    "encode",
    "completions",
];

#[test]
fn help_names_every_command() {
    let help = yose(&["--help"]);
    assert_eq!(help.code, 0);
    for name in COMMANDS {
        assert!(help.stdout.contains(&format!("\n  {name} ")), "{name}");
    }
}

/// Lines of a command's help that begin with `yose`, or end a pipe with it.
fn examples(name: &str) -> Vec<String> {
    let help = yose(&[name, "--help"]);
    assert_eq!(help.code, 0, "{name}");
    let (_, examples) = help
        .stdout
        .split_once("\nExample")
        .unwrap_or_else(|| panic!("{name} has no example"));
    examples
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("yose "))
        .map(str::to_owned)
        .collect()
}

#[test]
#[cfg(unix)]
fn examples_in_the_help_work() {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_yose")).parent();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.expect("a folder").display());
    let home = env!("CARGO_TARGET_TMPDIR");
    // Examples that make files come before those that read them.
    let folder_of_examples = folder_for("examples");
    let completions = format!("{home}/.local/share/bash-completion/completions");
    std::fs::create_dir_all(completions).expect("a writable folder");
    for name in COMMANDS {
        let examples = examples(name);
        assert!(!examples.is_empty(), "{name}");
        for example in examples {
            let run = std::process::Command::new("sh")
                .args(["-c", &example])
                .current_dir(&folder_of_examples)
                .env("PATH", &path)
                .env("HOME", home)
                .output()
                .expect("a shell");
            assert!(run.status.success(), "{example}: {run:?}");
        }
    }
}

#[test]
fn every_command_takes_the_global_flags() {
    for name in COMMANDS {
        let help = yose(&[name, "--help"]).stdout;
        for flag in ["--json", "--quiet", "--color", "--threads"] {
            assert!(help.contains(flag), "{name} {flag}");
        }
    }
}

#[test]
fn colours_only_when_wanted() {
    let plain = yose(&["variants"]).stdout;
    assert!(!plain.contains('\x1b'));
    let always = yose(&["variants", "--color", "always"]).stdout;
    assert!(always.contains('\x1b'));
    let json = yose(&["variants", "--json", "--color", "always"]).stdout;
    assert!(!json.contains('\x1b'), "never in JSON");
    error(&["variants", "--color", "sometimes"], 2);
}

#[test]
fn quiet_keeps_the_result() {
    let args = ["solve", "shogi4", "--pieces", "P"];
    let run = yose(&[&args[..], &["--quiet"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("24,480"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command()
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // Nobody reads: the script is written into a closed pipe, or fits into its buffer.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
#[cfg(unix)]
fn an_interrupt_exits_with_130() {
    let child = command()
        .args(["solve", "shogi4", "--pieces", "PFR", "--reference"])
        .args(["--memory", "8GiB"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill is there");
    assert!(killed.success(), "it had ended before");
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = yose(&["completions", shell]);
        assert_eq!(script.code, 0);
        for name in COMMANDS {
            assert!(script.stdout.contains(name), "{shell} {name}");
        }
    }
    error(&["completions", "tcsh"], 2);
}

#[test]
fn manual_pages_for_every_command() {
    let folder = format!("{}/man", env!("CARGO_TARGET_TMPDIR"));
    assert_eq!(yose(&["man", &folder]).code, 0);
    for name in COMMANDS {
        let page = std::fs::read_to_string(format!("{folder}/yose-{name}.1")).expect(name);
        assert!(page.contains("Example"), "{name}");
    }
    assert!(std::fs::metadata(format!("{folder}/yose.1")).is_ok());
    assert_eq!(json(&["man", &folder])["folder"], folder.as_str());
}

#[test]
fn json_is_one_document_for_every_answer() {
    for args in [
        &["best"][..],
        &["moves", "shogi4", "trfk/3p/P3/KFRT b -"],
        &["perft", "shogi4", "--depth", "2"],
        &["count", "shogi4"],
        &["variants"],
        &["variants", "micro"],
        &["race", "--columns", "4", "--prove"],
        &["solve", "shogi4", "--pieces", "-"],
        &["index", "shogi4", "trfk/3p/P3/KFRT b -"],
        &["cgt", "{1|0}"],
        &["best", "{1|0} + {3|-3}"],
    ] {
        json(args);
    }
}
