//! Walking over a line of text from outside without ever leaving it.

/// A place in a text, kept on character boundaries.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// Byte offset.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns to an offset that [`at`](Self::at) gave.
    pub(crate) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn peek_char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Steps over one character.
    pub(crate) fn bump(&mut self) {
        self.at += self.peek_char().map_or(0, char::len_utf8);
    }

    /// Steps over this ASCII character if it stands here.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        if here {
            self.at += 1;
        }
        here
    }

    /// Reads a decimal number without leading zeros, `None` if there is none or it does not fit.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let digits = self.text.as_bytes()[self.at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let text = &self.text[self.at..self.at + digits];
        self.at += digits;
        if digits > 1 && text.starts_with('0') {
            return None;
        }
        text.parse().ok()
    }

    /// What stands here, for an error message.
    pub(crate) fn got(&self) -> String {
        match self.peek_char() {
            Some(character) => format!("{character:?}"),
            None => "the end".to_owned(),
        }
    }
}
