//! How bytes become characters: the charsets that game records are written in.
//!
//! In Shift-JIS, GBK, GB18030 and Big5 the second byte of a character may be `\` or `]`. Whoever
//! looks for the end of a value must therefore step from character to character, not from byte to
//! byte; [`Charset::step`] does that.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// A charset that a game record may be written in.
///
/// Names are those of the `CA` property, read as browsers read them: `ISO-8859-1` also stands for
/// its superset windows-1252, `GB2312` for GBK. Charsets in which ASCII bytes may mean something
/// else everywhere (UTF-16, ISO-2022-JP) are turned into UTF-8 before a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    encoding: &'static Encoding,
    /// Whether it goes by the name of Latin-1, which has the same decoder as windows-1252.
    latin_1: bool,
}

impl Charset {
    /// UTF-8, the charset of everything new.
    pub const UTF_8: Self = Self::of(encoding_rs::UTF_8);
    /// Latin-1 with windows-1252's characters in 0x80..0x9F: what FF\[4\] assumes without `CA`.
    pub const LATIN_1: Self = Self {
        encoding: encoding_rs::WINDOWS_1252,
        latin_1: true,
    };
    /// windows-1252. It decodes as [`LATIN_1`](Self::LATIN_1) does; its name says that there are
    /// characters which other readers do not see in Latin-1.
    pub const WINDOWS_1252: Self = Self::of(encoding_rs::WINDOWS_1252);
    /// Shift-JIS as Windows writes it.
    pub const SHIFT_JIS: Self = Self::of(encoding_rs::SHIFT_JIS);
    /// GB18030, a superset of GBK and GB2312.
    pub const GB18030: Self = Self::of(encoding_rs::GB18030);
    /// Big5.
    pub const BIG5: Self = Self::of(encoding_rs::BIG5);
    /// EUC-KR as Windows writes it.
    pub const EUC_KR: Self = Self::of(encoding_rs::EUC_KR);
    /// EUC-JP.
    pub const EUC_JP: Self = Self::of(encoding_rs::EUC_JP);

    const fn of(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            latin_1: false,
        }
    }

    /// The charset with this name, case ignored.
    ///
    /// # Examples
    ///
    /// ```
    /// use yose_go::sgf::Charset;
    ///
    /// assert_eq!(Charset::for_label("sjis"), Some(Charset::SHIFT_JIS));
    /// assert_eq!(Charset::for_label("klingon"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: &str) -> Option<Self> {
        let label = label.trim();
        if let Some(known) = Encoding::for_label_no_replacement(label.as_bytes()) {
            let latin_1 = known == encoding_rs::WINDOWS_1252 && !label.contains("1252");
            return Some(if latin_1 {
                Self::LATIN_1
            } else {
                Self::of(known)
            });
        }
        // Names that programs write and browsers do not know.
        match label.to_ascii_lowercase().as_str() {
            "cp932" | "ms-932" => Some(Self::SHIFT_JIS),
            "cp936" | "ms936" | "windows-936" => Some(Self::of(encoding_rs::GBK)),
            "cp949" | "ms949" | "uhc" => Some(Self::EUC_KR),
            "cp950" | "ms950" => Some(Self::BIG5),
            "latin-1" | "latin_1" => Some(Self::LATIN_1),
            "eucjp" | "euc_jp" => Some(Self::EUC_JP),
            "euckr" | "euc_kr" => Some(Self::EUC_KR),
            "utf_8" | "utf-8-sig" | "utf8mb4" => Some(Self::UTF_8),
            _ => None,
        }
    }

    /// The name, as `CA` gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self.latin_1 {
            "ISO-8859-1"
        } else {
            self.encoding.name()
        }
    }

    /// Whether ASCII bytes outside characters always mean themselves.
    pub(crate) fn is_ascii_compatible(self) -> bool {
        self.encoding.is_ascii_compatible()
    }

    /// Whether every byte is one character.
    pub(crate) fn is_single_byte(self) -> bool {
        self.encoding.is_single_byte()
    }

    /// Whether `\` and `]` can be halves of characters, so that bytes alone do not show where a
    /// value ends.
    pub(crate) fn hides_ascii(self) -> bool {
        self == Self::SHIFT_JIS
            || self == Self::BIG5
            || self == Self::GB18030
            || self.encoding == encoding_rs::GBK
    }

    /// Bytes of the character at the beginning of `bytes`, which must not be empty. Where every
    /// ASCII byte means itself, or the bytes are no character, 1.
    pub(crate) fn step(self, bytes: &[u8]) -> usize {
        let Some((&lead, rest)) = bytes.split_first() else {
            return 0;
        };
        if lead < 0x80 || !self.hides_ascii() {
            return 1;
        }
        let Some(&trail) = rest.first() else { return 1 };
        let pair = if self == Self::SHIFT_JIS {
            matches!(lead, 0x81..=0x9F | 0xE0..=0xFC) && matches!(trail, 0x40..=0x7E | 0x80..=0xFC)
        } else if self == Self::BIG5 {
            lead != 0x80 && lead != 0xFF && matches!(trail, 0x40..=0x7E | 0xA1..=0xFE)
        } else {
            lead != 0x80 && lead != 0xFF && matches!(trail, 0x40..=0x7E | 0x80..=0xFE)
        };
        if pair {
            return 2;
        }
        let four = self != Self::SHIFT_JIS
            && self != Self::BIG5
            && matches!(lead, 0x81..=0xFE)
            && trail.is_ascii_digit()
            && matches!(rest.get(1), Some(0x81..=0xFE))
            && rest.get(2).is_some_and(u8::is_ascii_digit);
        if four { 4 } else { 1 }
    }

    /// The characters; what is none becomes U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding.decode_without_bom_handling(bytes).0
    }

    /// Whether the bytes are characters throughout.
    pub(crate) fn can_decode(self, bytes: &[u8]) -> bool {
        bytes.is_ascii()
            || self
                .encoding
                .decode_without_bom_handling_and_without_replacement(bytes)
                .is_some()
    }

    /// The bytes of a text, if the charset has all its characters.
    pub(crate) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, used, failed) = self.encoding.encode(text);
        // Of UTF-16 and the like the encoder makes UTF-8. And it is generous: Shift-JIS gets a
        // backslash for a yen sign, which then would be an escape.
        let same = !failed && used == self.encoding && self.decode(&bytes) == text;
        same.then_some(bytes)
    }

    /// What a detector trained on web pages thinks of the bytes. UTF-8 is not among its answers.
    pub(crate) fn guess(bytes: &[u8]) -> Self {
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        Self::of(detector.guess(None, chardetng::Utf8Detection::Deny))
    }
}

impl std::fmt::Display for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for Charset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

/// The file as UTF-8, where it is written so that ASCII bytes do not mean themselves: UTF-16 with
/// its mark, what the caller says, or ISO-2022-JP if the file says so and is.
///
/// `label` is what `CA` says to whoever reads the file byte by byte, so it cannot be true of UTF-16.
pub(crate) fn transcoded(
    bytes: &[u8],
    told: Option<Charset>,
    label: Option<Charset>,
) -> Option<(Vec<u8>, Charset)> {
    let (charset, sure) = match (bytes, told) {
        ([0xFE, 0xFF, ..], _) => (Charset::of(encoding_rs::UTF_16BE), true),
        ([0xFF, 0xFE, ..], _) => (Charset::of(encoding_rs::UTF_16LE), true),
        (_, Some(told)) => (told, true),
        (_, None) => (label?, false),
    };
    if charset.is_ascii_compatible() || (!sure && charset.encoding != encoding_rs::ISO_2022_JP) {
        return None;
    }
    let (text, damaged) = charset.encoding.decode_with_bom_removal(bytes);
    (sure || !damaged).then(|| (text.into_owned().into_bytes(), charset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_stepped_over_as_a_whole() {
        // The katakana SO ends in 0x5C, which alone would be a backslash.
        assert_eq!(Charset::SHIFT_JIS.step(&[0x83, 0x5C, b']']), 2);
        assert_eq!(
            Charset::SHIFT_JIS.step(&[0xB1, 0x5C]),
            1,
            "half-width katakana is one byte"
        );
        assert_eq!(Charset::GB18030.step(&[0x81, 0x5D]), 2);
        assert_eq!(Charset::GB18030.step(&[0x81, b'0', 0x81, b'0', b']']), 4);
        assert_eq!(Charset::BIG5.step(&[0xA5, 0x5C]), 2);
        assert_eq!(Charset::LATIN_1.step(&[0xE9, 0x5D]), 1);
        assert_eq!(Charset::UTF_8.step("é]".as_bytes()), 1);
        assert_eq!(
            Charset::EUC_KR.step(&[0xB0, 0xA1]),
            1,
            "no half of a character is ASCII here"
        );
        assert_eq!(Charset::GB18030.step(&[0x81]), 1);
    }

    #[test]
    fn steps_and_decoder_agree_on_every_pair_of_bytes() {
        for charset in [Charset::SHIFT_JIS, Charset::GB18030, Charset::BIG5] {
            for lead in 0x80..=0xFF_u8 {
                for trail in [b'\\', b']', b'[', b':', b'a', b'9', 0x80, 0xA1, 0xFF] {
                    let pair = [lead, trail];
                    if charset.can_decode(&pair) && trail < 0x80 {
                        let one = !charset.decode(&pair).ends_with(char::from(trail));
                        let step = if one { 2 } else { 1 };
                        assert_eq!(charset.step(&pair), step, "{charset} {lead:x} {trail:x}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_what_reads_back_is_encoded() {
        assert_eq!(
            Charset::SHIFT_JIS.encode("\u{A5}"),
            None,
            "the yen sign is not a backslash"
        );
        assert_eq!(Charset::LATIN_1.encode("表"), None);
        assert_eq!(
            Charset::SHIFT_JIS.encode("ソ").as_deref(),
            Some(&[0x83, 0x5C][..])
        );
    }

    #[test]
    fn names_read_back() {
        for charset in [
            Charset::UTF_8,
            Charset::LATIN_1,
            Charset::WINDOWS_1252,
            Charset::SHIFT_JIS,
            Charset::GB18030,
        ] {
            assert_eq!(Charset::for_label(charset.name()), Some(charset));
        }
        let windows = Charset::for_label("cp1252");
        assert_eq!(windows.map(Charset::name), Some("windows-1252"));
        assert_eq!(Charset::for_label("latin1"), Some(Charset::LATIN_1));
        assert_eq!(Charset::for_label(" CP932 "), Some(Charset::SHIFT_JIS));
    }
}
