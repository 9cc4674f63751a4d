//! Prints the report for an expression, or with `best` in front for a sum: a stand-in for the command line.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

use yose_cgt::{Limits, Player, SumLimits, report};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let answer = match words[..] {
        ["best", sum] => report::best(sum, Player::Left, SumLimits::default(), Limits::default())
            .map(|r| r.to_text()),
        [g] => report::cgt(g, None, Limits::default()).map(|r| r.to_text()),
        [g, h] => report::cgt(g, Some(h), Limits::default()).map(|r| r.to_text()),
        _ => Ok("usage: show EXPRESSION [OTHER] | show best SUM\n".into()),
    };
    match answer {
        Ok(text) => print!("{text}"),
        Err(e) => eprintln!("{e}"),
    }
}
