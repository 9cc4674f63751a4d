//! Escapes, line breaks and the two kinds of text.
//!
//! Everything here works on characters: values are decoded before they are unescaped.

/// Text as `Text` properties mean it: an escaped line break vanishes, a line break is `\n` however
/// it was written, other white space is a space.
pub(crate) fn unescape(escaped: &str) -> String {
    unescaped(escaped, '\n')
}

/// Text as `SimpleText` properties mean it: a line break is a space.
pub(crate) fn unescape_simple(escaped: &str) -> String {
    unescaped(escaped, ' ')
}

fn unescaped(escaped: &str, line_break: char) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped.chars().peekable();
    while let Some(c) = rest.next() {
        let (c, was_escaped) = if c == '\\' {
            match rest.next() {
                Some(next) => (next, true),
                None => break,
            }
        } else {
            (c, false)
        };
        match c {
            '\n' | '\r' => {
                // CR LF and LF CR are one line break, CR CR are two.
                let other = if c == '\n' { '\r' } else { '\n' };
                rest.next_if_eq(&other);
                if !was_escaped {
                    out.push(line_break);
                }
            }
            c if is_blank(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// White space that a reader turns into a space: tabs and their like, not line breaks.
fn is_blank(c: char) -> bool {
    matches!(c, '\t' | '\x0B' | '\x0C')
}

/// Text with `\` before what would otherwise end or divide the value.
pub(crate) fn escape(text: &str, composed: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if matches!(c, ']' | '\\') || (composed && c == ':') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The same text, escaped, with all that would end the value early escaped too and no `\` left
/// over at the end. What is a value already is not changed.
pub(crate) fn reescape(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                if let Some(next) = rest.next() {
                    out.push('\\');
                    out.push(next);
                }
            }
            ']' => out.push_str("\\]"),
            c => out.push(c),
        }
    }
    out
}

/// The two halves of a composed value, still escaped; the second is missing without a colon.
pub(crate) fn split_composed(escaped: &str) -> (&str, Option<&str>) {
    let mut rest = escaped.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                rest.next();
            }
            ':' => {
                let (first, second) = escaped.split_at(at);
                return (first, second.get(1..));
            }
            _ => {}
        }
    }
    (escaped, None)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_breaks() {
        assert_eq!(
            unescape("one\\\ntwo\\\r\nthree\nfour\tfive"),
            "onetwothree\nfour five"
        );
        assert_eq!(
            unescape_simple("simple\ntext\\\njoined"),
            "simple textjoined"
        );
        assert_eq!(unescape("a\r\nb\n\rc\rd\ne"), "a\nb\nc\nd\ne");
        assert_eq!(unescape("a\r\rb"), "a\n\nb");
        assert_eq!(
            unescape("a\\\tb"),
            "a b",
            "escaped white space is white space still"
        );
    }

    /// SabakiHQ/Sabaki#69: comments that end in one to four backslashes.
    #[test]
    fn sabaki_69_backslashes_before_the_bracket() {
        for n in 1..=4 {
            let text = format!("text{}", "\\".repeat(n));
            let written = escape(&text, false);
            assert_eq!(written, format!("text{}", "\\".repeat(2 * n)));
            assert_eq!(unescape(&written), text);
        }
        assert_eq!(
            unescape("a\\"),
            "a",
            "a backslash before the end of the file"
        );
    }

    #[test]
    fn composed_values_split_at_the_first_free_colon() {
        assert_eq!(split_composed("gg:A\\:b"), ("gg", Some("A\\:b")));
        assert_eq!(split_composed("a\\:b:c:d"), ("a\\:b", Some("c:d")));
        assert_eq!(split_composed("19"), ("19", None));
        assert_eq!(split_composed("é\\\\:"), ("é\\\\", Some("")));
    }

    proptest! {
        #[test]
        fn escaping_is_undone(text in "[^\r\t\x0B\x0C]*", composed: bool) {
            let written = escape(&text, composed);
            prop_assert_eq!(unescape(&written), &*text);
            prop_assert_eq!(&reescape(&written), &written);
            if composed {
                prop_assert_eq!(split_composed(&written), (&*written, None));
            }
        }

        #[test]
        fn what_is_re_escaped_is_a_value(text in any::<String>()) {
            let value = reescape(&text);
            prop_assert_eq!(unescape(&value), unescape(&text));
            let mut chars = value.chars();
            while let Some(c) = chars.next() {
                prop_assert_ne!(c, ']');
                if c == '\\' {
                    prop_assert!(chars.next().is_some());
                }
            }
        }
    }
}
