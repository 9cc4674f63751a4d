//! Files: where games begin, in which charset each is, and what to do about faults.

use std::cell::Cell;

use super::charset::{Charset, transcoded};
use super::check::check;
use super::parse::{Ending, Parsed, Start, declared_charset, parse_game, skip_space, start};
use super::repair::{Fault, ReadError, Repair, Repairs, excerpt};
use super::tree::{NodeRef, Tree};

/// What to assume of a game without a usable `CA` whose bytes are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fallback {
    /// Latin-1, as the standard says; but where a backslash follows a byte beyond ASCII, as in
    /// the second halves of Japanese and Chinese characters, first ask as [`Fallback::Guess`]
    /// does: read as Latin-1 such a text loses values and moves. If there is too little to guess by, the
    /// first of Shift-JIS, Big5 and GB18030 in which no more is wrong, and more is found, than in Latin-1.
    #[default]
    Standard,
    /// Latin-1 whatever comes.
    Latin1,
    /// What the bytes look like: Shift-JIS, GBK, Big5, EUC-KR, EUC-JP or Latin-1. Short texts can
    /// deceive.
    Guess,
    /// This one.
    Charset(Charset),
}

/// How to read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// Refuse the file at its first fault instead of repairing it.
    pub strict: bool,
    /// Read everything in this charset, whatever the file says.
    pub charset: Option<Charset>,
    /// What to assume without one.
    pub fallback: Fallback,
    /// The most nodes of a game. A node takes about 100 bytes of memory but can be one of the file.
    pub max_nodes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            strict: false,
            charset: None,
            fallback: Fallback::Standard,
            max_nodes: 20_000_000,
        }
    }
}

/// The games of a file, and what had to be repaired.
#[derive(Debug, Clone)]
pub struct Reading {
    /// At least one.
    pub games: Vec<Tree>,
    /// By offset; none if the file is as the standard wants it.
    pub repairs: Repairs,
}

/// Reads a file, repairing what is wrong with it.
///
/// The charset of a game is what `CA` says, unless the bytes are not; else UTF-8 if the file has
/// its mark or is it; else Latin-1. Memory and time grow in proportion to the file, whatever
/// stands in it, and no depth of nesting is too deep.
///
/// # Errors
///
/// If there is no game in it, or more nodes than 20 million.
///
/// # Examples
///
/// ```
/// use yose_go::sgf;
///
/// let file = b"(;FF[4]SZ[9]KM[6,5];B[ee];W[gc";
/// let reading = sgf::read(file)?;
/// let game = &reading.games[0];
/// assert_eq!(game.root().real("KM"), Some(6.5));
/// assert_eq!(game.main_line().flat_map(|node| node.moves()).count(), 1);
/// let repairs: Vec<_> = reading.repairs.as_slice().iter().map(|r| r.offset).collect();
/// assert_eq!(repairs, [14, 27, 30]); // the comma; the cut move; the missing parenthesis
/// # Ok::<(), sgf::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    read_with(bytes, &ReadOptions::default())
}

/// Reads a file that must be as the standard wants it.
///
/// # Errors
///
/// The first fault in the file, with its offset: everything that [`read`] would repair.
pub fn read_strict(bytes: &[u8]) -> Result<Vec<Tree>, ReadError> {
    let options = ReadOptions {
        strict: true,
        ..ReadOptions::default()
    };
    Ok(read_with(bytes, &options)?.games)
}

/// Reads a file with options.
///
/// # Errors
///
/// If there is no game, or too many nodes; if strict, the first fault.
pub fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Reading, ReadError> {
    let label = first_label(bytes);
    let translated = transcoded(bytes, options.charset, label);
    let mut repairs = Repairs::default();
    let reading = match translated {
        Some((text, from)) => {
            repairs.add(0, 0, Fault::Transcoded { from });
            let utf8 = ReadOptions {
                charset: Some(Charset::UTF_8),
                ..options.clone()
            };
            read_bytes(&text, &utf8, repairs)?
        }
        None => read_bytes(bytes, options, repairs)?,
    };
    match reading.repairs.as_slice().first() {
        Some(first) if options.strict => Err(ReadError::Refused(Box::new(first.clone()))),
        _ => Ok(reading),
    }
}

/// The charset that the first game declares.
fn first_label(bytes: &[u8]) -> Option<Charset> {
    let (label, _) = declared_charset(bytes, first_game(bytes, 0)?)?;
    Charset::for_label(&label)
}

fn read_bytes(
    bytes: &[u8],
    options: &ReadOptions,
    mut repairs: Repairs,
) -> Result<Reading, ReadError> {
    let has_mark = bytes.starts_with(b"\xEF\xBB\xBF");
    let mut at = if has_mark { 3 } else { 0 };
    let mut games = Vec::new();
    let mut outside = at;
    let split = Cell::new(false);
    let first = skip_space(bytes, at);
    let bare = start(bytes, first) == Start::Bare && first_game(bytes, first).is_none();
    while at < bytes.len() {
        let begins = match start(bytes, at) {
            Start::Game => true,
            Start::Bare => bare && at == first,
            Start::No => false,
        };
        if !begins {
            // Of a run of parentheses all or none begin a game.
            at += bytes[at..]
                .iter()
                .take_while(|&&b| b == b'(')
                .count()
                .max(1);
            continue;
        }
        report_outside(bytes, outside, at, games.len(), &mut repairs);
        let game = Reader {
            bytes,
            options,
            at,
            game: games.len(),
            has_mark,
            split: &split,
        }
        .read()?;
        repairs.append(game.repairs);
        check(&game.tree, games.len(), &mut repairs);
        at = game.end.max(at + 1);
        outside = at;
        games.push(game.tree);
    }
    let Some(last) = games.len().checked_sub(1) else {
        return Err(ReadError::NoGame {
            length: bytes.len(),
        });
    };
    // With the last game: a game that does not follow is nobody's to ask about.
    report_outside(bytes, outside, bytes.len(), last, &mut repairs);
    repairs.listed.sort_by_key(|repair| repair.offset);
    Ok(Reading { games, repairs })
}

/// Where the first game begins that begins with its parenthesis.
fn first_game(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(next) = bytes[at..].iter().position(|&b| b == b'(') {
        at += next;
        if start(bytes, at) == Start::Game {
            return Some(at);
        }
        at += bytes[at..].iter().take_while(|&&b| b == b'(').count();
    }
    None
}

/// What stands between games: each `)` is one fault, the rest another.
fn report_outside(bytes: &[u8], from: usize, to: usize, game: usize, repairs: &mut Repairs) {
    let mut at = from;
    while at < to {
        at = skip_space(bytes, at).min(to);
        if at == to {
            return;
        }
        if bytes[at] == b')' {
            repairs.add(at, game, Fault::ExtraClose);
            at += 1;
            continue;
        }
        let end = bytes[at..to]
            .iter()
            .position(|&b| b == b')')
            .map_or(to, |n| at + n);
        let text = bytes[at..end].trim_ascii_end();
        let shown = String::from_utf8_lossy(&text[..text.len().min(160)]);
        let fault = Fault::OutsideText {
            length: text.len(),
            text: excerpt(&shown),
        };
        repairs.add(at, game, fault);
        at = end;
    }
}

/// Reads one game, trying charsets.
struct Reader<'a> {
    bytes: &'a [u8],
    options: &'a ReadOptions,
    at: usize,
    game: usize,
    has_mark: bool,
    /// Whether games are known not to be closed.
    split: &'a Cell<bool>,
}

impl Reader<'_> {
    fn parse(&self, charset: Charset) -> Result<Parsed, ReadError> {
        let parse = |split| {
            let max_nodes = self.options.max_nodes;
            parse_game(self.bytes, self.at, self.game, charset, max_nodes, split)
        };
        if self.split.get() {
            return parse(true);
        }
        let whole = parse(false)?;
        if whole.ending != Ending::File {
            return Ok(whole);
        }
        // Parentheses are missing. Perhaps because another game begins before the end?
        let first = parse(true)?;
        if first.ending == Ending::File {
            return Ok(whole);
        }
        // Where one game lacks them, others may: do not read to the end for each.
        self.split.set(true);
        Ok(first)
    }

    fn read(&self) -> Result<Parsed, ReadError> {
        if let Some(charset) = self.options.charset {
            let mut parsed = self.parse(charset)?;
            self.conclude(&mut parsed, charset, None);
            return Ok(parsed);
        }
        let declared = declared_charset(self.bytes, self.at)
            .map(|(label, offset)| (Charset::for_label(&label), label, offset));
        // Where CA can be read byte by byte, its game is not in UTF-16 or the like.
        let named = declared
            .as_ref()
            .and_then(|(charset, ..)| *charset)
            .filter(|charset| charset.is_ascii_compatible());
        let mut best: Option<(Parsed, Charset)> = None;
        for candidate in self.candidates(named) {
            let parsed = self.parse(candidate)?;
            if self.bytes[self.at..parsed.end].is_ascii() {
                // Every charset reads it alike.
                let mut parsed = parsed;
                let charset = named.unwrap_or(candidate);
                parsed.tree.set_charset(charset);
                self.conclude(&mut parsed, charset, declared);
                return Ok(parsed);
            }
            let clean = parsed.undecodable == 0 && parsed.damage == 0;
            let better = best.as_ref().is_none_or(|(other, _)| {
                (parsed.undecodable, parsed.damage) < (other.undecodable, other.damage)
            });
            if better {
                best = Some((parsed, candidate));
            }
            if clean {
                break;
            }
        }
        let (mut parsed, charset) = match best {
            Some((parsed, charset)) if parsed.undecodable == 0 && parsed.damage == 0 => {
                (parsed, charset)
            }
            other => self.fall_back(other)?,
        };
        self.conclude(&mut parsed, charset, declared);
        Ok(parsed)
    }

    /// What to try first: what the file says, and UTF-8. Bytes that are UTF-8 but are said to be
    /// of a charset in which all bytes are characters are UTF-8: by chance that does not happen.
    fn candidates(&self, named: Option<Charset>) -> Vec<Charset> {
        let mut candidates = match named {
            Some(charset) if charset.is_single_byte() => vec![Charset::UTF_8, charset],
            Some(charset) => vec![charset, Charset::UTF_8],
            None => vec![Charset::UTF_8],
        };
        if self.has_mark {
            candidates.insert(0, Charset::UTF_8);
        }
        candidates.dedup();
        candidates
    }

    /// The last resort, unless what was found already is better.
    fn fall_back(&self, best: Option<(Parsed, Charset)>) -> Result<(Parsed, Charset), ReadError> {
        let charset = match self.options.fallback {
            Fallback::Latin1 => Charset::LATIN_1,
            Fallback::Charset(charset) => charset,
            Fallback::Guess => self.guess(self.parse(Charset::LATIN_1)?.end),
            Fallback::Standard => {
                let latin = self.parse(Charset::LATIN_1)?;
                let mut pairs = self.bytes[self.at..latin.end].windows(2);
                if pairs.any(|pair| pair[0] >= 0x80 && pair[1] == b'\\') {
                    let guess = self.guess(latin.end);
                    if guess == Charset::LATIN_1 {
                        self.finds_more(&latin)?
                    } else {
                        guess
                    }
                } else {
                    Charset::LATIN_1
                }
            }
        };
        let last = self.parse(charset)?;
        Ok(match best {
            Some((parsed, found))
                if (parsed.undecodable, parsed.damage) <= (last.undecodable, last.damage) =>
            {
                (parsed, found)
            }
            _ => (last, charset),
        })
    }

    fn guess(&self, end: usize) -> Charset {
        let guess = Charset::guess(&self.bytes[self.at..end]);
        let east_asian =
            guess.hides_ascii() || guess == Charset::EUC_KR || guess == Charset::EUC_JP;
        if east_asian { guess } else { Charset::LATIN_1 }
    }

    /// A name of one character is too short to guess by. But where moves stand that are text to a reader of
    /// bytes, they are moves.
    fn finds_more(&self, latin: &Parsed) -> Result<Charset, ReadError> {
        for charset in [Charset::SHIFT_JIS, Charset::BIG5, Charset::GB18030] {
            let parsed = self.parse(charset)?;
            let fits = parsed.undecodable == 0 && parsed.damage <= latin.damage;
            if fits && amount(&parsed.tree) > amount(&latin.tree) {
                return Ok(charset);
            }
        }
        Ok(Charset::LATIN_1)
    }

    /// Notes what was assumed about the charset, and makes `CA` say it.
    fn conclude(
        &self,
        parsed: &mut Parsed,
        used: Charset,
        declared: Option<(Option<Charset>, String, usize)>,
    ) {
        let bytes = &self.bytes[self.at..parsed.end];
        let ascii = bytes.is_ascii();
        let presumed = used == Charset::LATIN_1;
        let silent = parsed.tree.root().get("CA").is_none();
        let windows = bytes.iter().any(|b| matches!(b, 0x80..=0x9F));
        let used = if presumed && silent && windows {
            Charset::WINDOWS_1252
        } else {
            used
        };
        // CA must be true where it matters. What looked like CA to the eye that searched for it may
        // have been something else to the reader who knows the charset, and the other way round. Also
        // Latin-1 is named, though the standard presumes it: whoever reads again need not guess.
        if !ascii || says_wide(&parsed.tree) {
            parsed.tree.declare(used);
        }
        if self.options.charset.is_some() {
            return;
        }
        let (offset, fault) = match declared {
            Some((Some(named), _, _))
                if named == used || (ascii && named.is_ascii_compatible()) =>
            {
                return;
            }
            Some((Some(declared), _, at)) => (at, Fault::WrongCharset { declared, used }),
            Some((None, label, at)) => {
                let label = excerpt(&label);
                (at, Fault::UnknownCharset { label, used })
            }
            None if ascii || presumed => return,
            None => (self.at, Fault::MissingCharset { used }),
        };
        parsed.tree.declare(used);
        parsed.repairs.listed.push(Repair {
            offset,
            game: self.game,
            fault,
        });
    }
}

/// Nodes and values.
fn amount(tree: &Tree) -> usize {
    let properties = tree.nodes().flat_map(NodeRef::properties);
    let values = properties.map(|property| property.values().len());
    tree.node_count() + values.sum::<usize>()
}

/// Whether `CA` names a charset in which ASCII bytes do not mean themselves. Trees never are in one.
fn says_wide(tree: &Tree) -> bool {
    let label = tree.root().text("CA");
    let said = label.and_then(|label| Charset::for_label(&label));
    said.is_some_and(|charset| !charset.is_ascii_compatible())
}
