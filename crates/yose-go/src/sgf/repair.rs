//! What can be wrong with a file, where, and what is made of it.

use thiserror::Error;

use super::charset::Charset;

/// Something that the standard does not allow, and what the lenient reader makes of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("byte {offset}: {fault}")]
pub struct Repair {
    /// Offset in bytes from the beginning of the file. Of a file in UTF-16 or ISO-2022-JP, from the
    /// beginning of its translation into UTF-8.
    pub offset: usize,
    /// Which game of the file, counted from 0; outside of games the one that follows, after the
    /// last one that.
    pub game: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// The kinds of fault. The text says, after the semicolon, what the lenient reader does.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// Something before, between or after the games.
    #[error("{length} bytes outside of any game, {text:?}; skipped")]
    OutsideText {
        /// Bytes.
        length: usize,
        /// How they begin.
        text: String,
    },
    /// A `)` too many.
    #[error("a `)` that closes nothing; skipped")]
    ExtraClose,
    /// A `(` before the root.
    #[error("a `(` where a node is due; skipped")]
    ExtraOpen,
    /// A game that does not begin with `(`.
    #[error("a game without `(`; read as if it stood there")]
    MissingOpen,
    /// The file ends, or the next game begins, inside a game.
    #[error("{count} `)` missing at the end of a game; what was read is kept")]
    MissingClose {
        /// How many.
        count: usize,
    },
    /// A property where a node is due.
    #[error("a property without `;` before it; a node is begun")]
    MissingSemicolon,
    /// A node behind the variations of the one it follows.
    #[error("a node after variations; read as one more variation")]
    NodeAfterVariations,
    /// A second root.
    #[error("a second node without one before it; read as following the first")]
    SecondRoot,
    /// `()` inside a game.
    #[error("a variation without nodes; left out")]
    EmptyVariation,
    /// Something between properties.
    #[error("{length} bytes between properties, {text:?}; skipped")]
    StrayText {
        /// Bytes.
        length: usize,
        /// How they begin.
        text: String,
    },
    /// A value without a name before it.
    #[error("the value {text:?} has no property name; skipped")]
    StrayValue {
        /// How it begins.
        text: String,
    },
    /// A `]` in a value that lacks its backslash.
    #[error("a `]` without a backslash inside a value of {name}; read as part of it")]
    UnescapedBracket {
        /// The property.
        name: String,
    },
    /// The file ends inside a value of text.
    #[error("the file ends in a value of {name}; its beginning is kept")]
    CutText {
        /// The property.
        name: String,
    },
    /// The file ends inside a value that would mean something else when cut.
    #[error("the file ends in a value of {name}, {text:?}; left out")]
    CutValue {
        /// The property.
        name: String,
        /// What there was of it.
        text: String,
    },
    /// Small letters in a name, which only FF\[1\] to FF\[3\] allow.
    #[error("small letters in the name {name}; read as {id}")]
    SmallLetters {
        /// As written.
        name: String,
        /// As read.
        id: String,
    },
    /// A digit in a name.
    #[error("a digit in the name {name}; kept")]
    DigitInName {
        /// As written.
        name: String,
    },
    /// The same property twice in a node.
    #[error("{name} a second time in one node; its values are joined to the first's")]
    DuplicateProperty {
        /// The property.
        name: String,
    },
    /// A second value where one is due.
    #[error("{name} takes one value, got {text:?} besides; kept but without meaning")]
    ExtraValue {
        /// The property.
        name: String,
        /// The value.
        text: String,
    },
    /// No `CA`, and characters beyond ASCII that are not Latin-1 as the standard presumes.
    #[error("no CA, and not the Latin-1 that this means; read as {used}")]
    MissingCharset {
        /// The charset used.
        used: Charset,
    },
    /// A `CA` that names no known charset.
    #[error("CA names no known charset, {label:?}; read as {used}")]
    UnknownCharset {
        /// As written.
        label: String,
        /// The charset used.
        used: Charset,
    },
    /// A `CA` that does not fit the bytes.
    #[error("CA says {declared}, but the bytes are not; read as {used}")]
    WrongCharset {
        /// What `CA` (or the mark at the beginning of the file) says.
        declared: Charset,
        /// The charset used.
        used: Charset,
    },
    /// A charset in which ASCII bytes do not mean themselves.
    #[error("the file is in {from}; turned into UTF-8")]
    Transcoded {
        /// What it was.
        from: Charset,
    },
    /// Bytes that are no characters.
    #[error("bytes that are no character in {charset}; they are kept, and read as U+FFFD")]
    Undecodable {
        /// The charset used.
        charset: Charset,
    },
    /// A value that is not what the property takes.
    #[error("{name} takes {expected}, got {text:?}; kept but without meaning")]
    BadValue {
        /// The property.
        name: String,
        /// What would be right.
        expected: &'static str,
        /// The value.
        text: String,
    },
    /// A value not written as it should be, whose meaning is clear.
    #[error("{name} takes {expected}, got {text:?}; read as {read_as}")]
    LooseValue {
        /// The property.
        name: String,
        /// What would be right.
        expected: &'static str,
        /// The value.
        text: String,
        /// What it is read as.
        read_as: String,
    },
    /// A point that the board does not have.
    #[error(
        "{text:?} in {name} is not on the board of {columns} columns and {rows} rows; left out"
    )]
    OffBoard {
        /// The property.
        name: String,
        /// The value.
        text: String,
        /// Of the board.
        columns: u8,
        /// Of the board.
        rows: u8,
    },
    /// A point twice where points are due once.
    #[error("{text:?} in {name} names a point again; taken once")]
    RepeatedPoint {
        /// The property.
        name: String,
        /// The value.
        text: String,
    },
    /// A point that two properties of a node set up differently.
    #[error(
        "{text:?} in {name} sets up a point that this node has set up already; the last counts"
    )]
    SetupConflict {
        /// The later property.
        name: String,
        /// The value.
        text: String,
    },
    /// A board size that is none.
    #[error("SZ takes a number from 1 to 52, or two, got {text:?}; read as {columns}x{rows}")]
    BadSize {
        /// The value.
        text: String,
        /// Columns used.
        columns: u8,
        /// Rows used.
        rows: u8,
    },
    /// Two moves, or a move and stones set up, in one node.
    #[error("{name} stands in one node with {with}; set up first, then played in this order")]
    MixedNode {
        /// The later property.
        name: String,
        /// The earlier.
        with: String,
    },
    /// A property of the root elsewhere.
    #[error("{name} has a meaning in the first node only; kept but without meaning")]
    NotInRoot {
        /// The property.
        name: String,
    },
}

impl Fault {
    /// Whether the text was taken apart by guess, so that another charset may fit it better.
    pub(super) fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::StrayText { .. }
                | Self::StrayValue { .. }
                | Self::UnescapedBracket { .. }
                | Self::CutText { .. }
                | Self::CutValue { .. }
                | Self::MissingClose { .. }
                | Self::MissingSemicolon
        )
    }
}

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no game in it.
    #[error("expected a game, `(;` and properties, found none in {length} bytes")]
    NoGame {
        /// Bytes of the file.
        length: usize,
    },
    /// The strict reader met what the lenient one would repair.
    #[error("{0}")]
    Refused(Box<Repair>),
    /// More nodes than the caller allowed.
    #[error("byte {offset}: more than {limit} nodes")]
    TooManyNodes {
        /// Where the first one too many begins.
        offset: usize,
        /// The limit.
        limit: usize,
    },
}

/// More repairs than this are counted, not listed.
const LISTED: usize = 100_000;

/// The repairs of a file, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repairs {
    pub(super) listed: Vec<Repair>,
    pub(super) unlisted: usize,
}

impl Repairs {
    pub(super) fn add(&mut self, offset: usize, game: usize, fault: Fault) {
        if self.listed.len() < LISTED {
            self.listed.push(Repair {
                offset,
                game,
                fault,
            });
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        let room = LISTED - self.listed.len();
        let over = other.listed.len().saturating_sub(room);
        self.unlisted += other.unlisted + over;
        self.listed.extend(other.listed.into_iter().take(room));
    }

    /// Those listed, by offset: the first 100,000.
    #[must_use]
    pub fn as_slice(&self) -> &[Repair] {
        &self.listed
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.listed.len() + self.unlisted
    }

    /// Whether the file was as the standard wants it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }
}

/// The beginning of something for a message: at most 40 characters.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
