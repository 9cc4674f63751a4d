//! Colour, where it is wanted.

/// Whether to colour, and with what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    pub(crate) fn new(colour: bool) -> Style {
        Style { colour }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// What to look at first.
    pub(crate) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What can be skipped.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// An error.
    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// A win, loss or draw. Blue and orange can be told apart by nearly everyone; the word says it
    /// as well.
    pub(crate) fn value(self, value: &str) -> String {
        let code = match value.split(' ').next() {
            Some("win") => "34",
            Some("loss") => "38;5;208",
            _ => "2",
        };
        self.paint(code, value)
    }
}
