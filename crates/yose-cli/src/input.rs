//! Words of the command line and lines of standard input, put together to positions.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::Context as _;

use crate::failure::Failure;

/// No answer needs more text than this; whoever pipes in more has made a mistake.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a text file to its end, unless that is further than `most` bytes: a device may have none.
pub(crate) fn file(path: &Path, most: u64) -> anyhow::Result<String> {
    let shown = path.display();
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_string(&mut text))
        .with_context(|| format!("reading {shown}"))?;
    if text.len() as u64 > most {
        return Err(Failure::usage(format!("{shown} is longer than {most} bytes")).into());
    }
    Ok(without_mark(text))
}

/// The text without the mark that Windows' editors and shells put before UTF-8.
fn without_mark(mut text: String) -> String {
    if text.starts_with('\u{FEFF}') {
        text.remove(0);
    }
    text
}

/// Reads a file of any bytes, `-` being standard input, unless it is longer than `most`.
pub(crate) fn bytes(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let standard = path.as_os_str() == "-";
    let shown = if standard {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let mut bytes = Vec::new();
    let read = if standard {
        io::stdin().lock().take(most + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("reading {shown}"))?;
    if bytes.len() as u64 > most {
        return Err(Failure::usage(format!("{shown} is longer than {most} bytes")).into());
    }
    Ok(bytes)
}

/// Reads standard input to its end.
pub(crate) fn stdin() -> anyhow::Result<String> {
    text(bytes(Path::new("-"), MOST_BYTES)?)
}

/// What stood on standard input, as text.
pub(crate) fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).map(without_mark).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("standard input is not UTF-8 text (byte {at})")).into()
    })
}

/// A position as it was given.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sfen {
    text: String,
    /// Its line of standard input, from 1.
    line: Option<usize>,
}

impl Sfen {
    /// Reads the position; an error says in which line of standard input it is.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&str) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let result = read(&self.text);
        match self.line {
            Some(line) => result.with_context(|| format!("line {line} of standard input")),
            None => result,
        }
    }
}

/// Positions given as words: each one an SFEN, or `-` for the lines of standard input. An SFEN
/// whose blanks the shell has split is put together again.
pub(crate) fn sfens(words: &[String]) -> anyhow::Result<Vec<Sfen>> {
    let word = |text: String| Sfen { text, line: None };
    if let [dash] = words
        && dash == "-"
    {
        let text = stdin()?;
        let lines = (1..).zip(text.lines().map(str::trim));
        return Ok(lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(number, line)| Sfen {
                text: line.to_owned(),
                line: Some(number),
            })
            .collect());
    }
    if is_split_sfen(words) {
        return Ok(vec![word(words.join(" "))]);
    }
    Ok(words.iter().cloned().map(word).collect())
}

/// Whether the words are one SFEN without quotes: board, side, hands and perhaps a counter.
fn is_split_sfen(words: &[String]) -> bool {
    matches!(words.len(), 3 | 4)
        && matches!(words[1].as_str(), "b" | "w")
        && words.iter().all(|word| !word.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn the_mark_is_no_part_of_the_text() {
        assert_eq!(without_mark("\u{FEFF}{1|0}".to_owned()), "{1|0}");
        assert_eq!(without_mark("\u{FEFF}\u{FEFF}".to_owned()), "\u{FEFF}");
        assert_eq!(without_mark("a\u{FEFF}".to_owned()), "a\u{FEFF}");
        assert_eq!(without_mark(String::new()), "");
    }

    #[test]
    fn split_sfens_are_joined() {
        let sfens = |words: &[String]| -> Vec<String> {
            sfens(words)
                .unwrap()
                .into_iter()
                .map(|sfen| sfen.text)
                .collect()
        };
        let split = words(&["trfk/3p/P3/KFRT", "b", "-", "1"]);
        assert_eq!(sfens(&split), ["trfk/3p/P3/KFRT b - 1"]);
        let two = words(&["a/b b - 1", "c/d w - 1"]);
        assert_eq!(sfens(&two), two);
        let odd = words(&["a/b b -", "b", "c/d w -"]);
        assert_eq!(sfens(&odd), odd);
    }
}
