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

    /// Something of a heat from 0 to 1, pale to dark orange; grey if that is not known.
    pub(crate) fn heat(self, heat: Option<f64>, text: &str) -> String {
        let background = match heat {
            None => "250",
            Some(heat) if heat < 0.2 => "230",
            Some(heat) if heat < 0.4 => "229",
            Some(heat) if heat < 0.6 => "222",
            Some(heat) if heat < 0.8 => "215",
            Some(_) => "208",
        };
        self.paint(&format!("38;5;16;48;5;{background}"), text)
    }
}
