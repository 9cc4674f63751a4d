//! From values to pixels.

/// A straight map of [low, high] onto [from, to]; a single value goes to the middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub(crate) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Self {
            low,
            high,
            from,
            to,
        }
    }

    pub(crate) fn at(&self, x: f64) -> f64 {
        let width = self.high - self.low;
        let part = if width > 0.0 {
            (x - self.low) / width
        } else {
            0.5
        };
        self.from + part * (self.to - self.from)
    }
}

/// Pixels with at most two decimals, so that files are small and the same on every machine.
pub(crate) fn px(x: f64) -> String {
    let s = format!("{x:.2}");
    let s = s.trim_end_matches('0').trim_end_matches('.');
    if s == "-0" { "0".into() } else { s.to_string() }
}

/// Text for XML.
pub(crate) fn escape(s: &str) -> String {
    s.chars()
        .map(|c| match c {
            '&' => "&amp;".to_string(),
            '<' => "&lt;".to_string(),
            '>' => "&gt;".to_string(),
            '"' => "&quot;".to_string(),
            // not allowed in XML 1.0
            c if c.is_control() => " ".to_string(),
            c => c.to_string(),
        })
        .collect()
}
