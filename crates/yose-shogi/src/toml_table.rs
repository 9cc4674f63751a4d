//! A TOML table that is taken apart key by key, so that every error names its line and no key is
//! passed over in silence.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::variant_file::VariantError;

/// A table of the file.
pub(crate) struct Table<'a> {
    text: &'a str,
    /// How messages call the table, such as `[king]`.
    name: &'static str,
    line: usize,
    entries: BTreeMap<String, (usize, Spanned<DeValue<'a>>)>,
    asked: Vec<&'static str>,
}

/// A value of the file with the key it stands for.
pub(crate) struct Node<'a> {
    text: &'a str,
    key: &'static str,
    /// Counted from 1.
    pub(crate) line: usize,
    value: DeValue<'a>,
}

/// The line of a byte offset, counted from 1.
fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

impl<'a> Table<'a> {
    /// Reads a whole file.
    pub(crate) fn parse(text: &'a str) -> Result<Table<'a>, VariantError> {
        let table = DeTable::parse(text).map_err(|error| VariantError::Syntax {
            line: line_at(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        Ok(Table::new(text, "the file", 1, table.into_inner()))
    }

    fn new(text: &'a str, name: &'static str, line: usize, table: DeTable<'a>) -> Table<'a> {
        let entries = table
            .into_iter()
            .map(|(key, value)| {
                let line = line_at(text, key.span().start);
                (key.into_inner().into_owned(), (line, value))
            })
            .collect();
        Table {
            text,
            name,
            line,
            entries,
            asked: Vec::new(),
        }
    }

    /// Takes a key that may be left out.
    pub(crate) fn optional(&mut self, key: &'static str) -> Option<Node<'a>> {
        self.asked.push(key);
        let (line, value) = self.entries.remove(key)?;
        Some(Node {
            text: self.text,
            key,
            line,
            value: value.into_inner(),
        })
    }

    /// Takes a key that must be there.
    pub(crate) fn required(&mut self, key: &'static str) -> Result<Node<'a>, VariantError> {
        self.optional(key).ok_or(VariantError::MissingKey {
            line: self.line,
            key,
            table: self.name,
        })
    }

    /// Says which key was not asked for.
    pub(crate) fn finish(self) -> Result<(), VariantError> {
        // The first in the file, not in the alphabet.
        match self.entries.into_iter().min_by_key(|(_, (line, _))| *line) {
            None => Ok(()),
            Some((key, (line, _))) => Err(VariantError::UnknownKey {
                line,
                key,
                table: self.name,
                known: self.asked.join(", "),
            }),
        }
    }
}

impl<'a> Node<'a> {
    /// An error about this value.
    pub(crate) fn bad(&self, expected: impl Into<String>) -> VariantError {
        let got = match &self.value {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            other => other.type_str().to_owned(),
        };
        VariantError::BadValue {
            line: self.line,
            key: self.key,
            expected: expected.into(),
            got,
        }
    }

    pub(crate) fn string(&self) -> Result<&str, VariantError> {
        self.value.as_str().ok_or_else(|| self.bad("a string"))
    }

    /// A string for people: not empty, on one line, and at most `most` characters.
    pub(crate) fn words(&self, most: usize) -> Result<String, VariantError> {
        let words = self.string()?;
        let length = words.chars().count();
        if length == 0 || length > most || words.chars().any(char::is_control) {
            return Err(self.bad(format!("one line of 1 to {most} characters")));
        }
        Ok(words.to_owned())
    }

    pub(crate) fn flag(&self) -> Result<bool, VariantError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.bad("true or false"))
    }

    /// A whole number in a range.
    pub(crate) fn number(&self, range: RangeInclusive<i8>) -> Result<i8, VariantError> {
        let number = self.value.as_integer().and_then(|digits| {
            let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok()?;
            i8::try_from(number).ok()
        });
        match number {
            Some(number) if range.contains(&number) => Ok(number),
            _ => Err(self.bad(format!(
                "a whole number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// One of a few words.
    pub(crate) fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, VariantError> {
        let word = self.value.as_str();
        match choices.iter().find(|(name, _)| Some(*name) == word) {
            Some(&(_, choice)) => Ok(choice),
            None => {
                let names: Vec<_> = choices
                    .iter()
                    .map(|(name, _)| format!("{name:?}"))
                    .collect();
                Err(self.bad(format!("one of {}", names.join(", "))))
            }
        }
    }

    /// The elements of an array.
    pub(crate) fn list(self) -> Result<Vec<Node<'a>>, VariantError> {
        let (text, key) = (self.text, self.key);
        match self.value {
            DeValue::Array(elements) => Ok(elements
                .into_iter()
                .map(|element| Node {
                    text,
                    key,
                    line: line_at(text, element.span().start),
                    value: element.into_inner(),
                })
                .collect()),
            _ => Err(self.bad("an array")),
        }
    }

    pub(crate) fn table(self, name: &'static str) -> Result<Table<'a>, VariantError> {
        match self.value {
            DeValue::Table(table) => Ok(Table::new(self.text, name, self.line, table)),
            _ => Err(self.bad("a table")),
        }
    }
}
