//! The global options resolved: what holds for this run, whatever was typed.

use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::thread;

use crate::args::{ColorChoice, Global};
use crate::output::{Answer, Style};

/// What every command may ask for.
#[derive(Debug)]
pub(crate) struct Context {
    /// One JSON document instead of text.
    pub(crate) json: bool,
    /// No progress and no remarks.
    pub(crate) quiet: bool,
    /// How many threads to use.
    pub(crate) threads: NonZeroUsize,
    out: Style,
    err: Style,
}

impl Context {
    pub(crate) fn resolve(global: &Global) -> Context {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Context {
            json: global.json,
            quiet: global.quiet,
            threads: global.threads.map_or_else(cores, |threads| {
                NonZeroUsize::new(threads.into()).unwrap_or_else(cores)
            }),
            out: style(global.color, io::stdout().is_terminal()),
            err: style(global.color, io::stderr().is_terminal()),
        }
    }

    /// Writes the result to stdout: the JSON document or the text.
    pub(crate) fn answer(&self, answer: &impl Answer) -> anyhow::Result<()> {
        let mut text = if self.json {
            serde_json::to_string_pretty(&answer.json())?
        } else {
            answer.text(self.out)
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.raw(text.as_bytes())
    }

    /// Writes bytes to stdout as they are.
    #[allow(clippy::unused_self, reason = "nothing is written without a context")]
    pub(crate) fn raw(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// Says something in passing, on stderr, unless asked to be quiet.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            // Nobody is left to be told if stderr is closed.
            let _ = writeln!(io::stderr(), "{}", self.err.dim(&printable(text)));
        }
    }

    /// Tells an error on stderr.
    pub(crate) fn complain(&self, message: &str, hint: Option<&str>) {
        let mut stderr = io::stderr().lock();
        let _ = writeln!(stderr, "{} {}", self.err.bad("error:"), printable(message));
        if let Some(hint) = hint {
            let _ = writeln!(stderr, "{} {}", self.err.dim("hint:"), printable(hint));
        }
    }
}

/// A text that quotes bytes from outside must not steer the terminal: control characters are shown
/// by their codes.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c.to_string(),
            c if c.is_control() => c.escape_default().to_string(),
            c => c.to_string(),
        })
        .collect()
}

/// Colours are for people: `auto` means a terminal that has not asked for none
/// (<https://no-color.org>).
fn style(choice: ColorChoice, terminal: bool) -> Style {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    Style::new(match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && !unwanted,
    })
}
