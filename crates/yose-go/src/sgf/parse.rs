//! One game of a file: brackets, semicolons, names and values. What the values mean is asked
//! later; here only text is taken apart, in a charset that is given.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::charset::Charset;
use super::properties::{self, Type};
use super::repair::{Fault, ReadError, Repairs, excerpt};
use super::tree::{NodeId, Property, Tree, Value, id_letters};

/// A game taken apart.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    /// Offset of the first byte behind it.
    pub(super) end: usize,
    pub(super) repairs: Repairs,
    /// Repairs that were guesses about where things end.
    pub(super) damage: usize,
    /// Values with bytes that are no characters.
    pub(super) undecodable: usize,
    /// How it ended.
    pub(super) ending: Ending,
}

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// With its `)`.
    Closed,
    /// With the file.
    File,
    /// Where the next one begins.
    NextGame,
}

/// What stands at an offset between games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// `(` and a node or a property.
    Game,
    /// `;` and a property: a game whose `(` is missing.
    Bare,
    No,
}

/// Whether a game begins at an offset.
pub(super) fn start(bytes: &[u8], at: usize) -> Start {
    let open = match bytes.get(at) {
        Some(b'(') => true,
        Some(b';') => false,
        _ => return Start::No,
    };
    let mut next = skip_space(bytes, at + 1);
    if open && bytes.get(next) == Some(&b'(') {
        // ((; and more of them: the root is inside. A long run is looked through once, by the
        // last of them that is asked.
        while bytes.get(next) == Some(&b'(') {
            next = skip_space(bytes, next + 1);
        }
    }
    if open && bytes.get(next) == Some(&b';') {
        return Start::Game;
    }
    match (named_value(bytes, next), open) {
        (true, true) => Start::Game,
        (true, false) => Start::Bare,
        _ => Start::No,
    }
}

/// Whether a name with a capital letter and a `[` stand at an offset.
fn named_value(bytes: &[u8], at: usize) -> bool {
    let end = name_end(bytes, at);
    bytes[at..end].iter().any(u8::is_ascii_uppercase)
        && bytes.get(skip_space(bytes, end)) == Some(&b'[')
}

/// White space between tokens: what the standard names, and the NUL that old programs padded with.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0)
}

pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    bytes[at.min(bytes.len())..]
        .iter()
        .position(|&b| !is_space(b))
        .map_or(bytes.len(), |n| at + n)
}

fn name_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at.min(bytes.len())..];
    at + rest
        .iter()
        .position(|b| !b.is_ascii_alphanumeric())
        .unwrap_or(rest.len())
}

/// Where a value ends whose first byte is at `at`: its `]`, or the end of the file.
fn value_end(bytes: &[u8], at: usize, charset: Charset) -> (usize, bool) {
    let mut open_brackets = false;
    let mut p = at;
    while let Some(&byte) = bytes.get(p) {
        match byte {
            b']' => return (p, open_brackets),
            b'\\' => {
                p += 1;
                p += charset.step(&bytes[p.min(bytes.len())..]);
            }
            b'[' => {
                open_brackets = true;
                p += 1;
            }
            0x80.. => p += charset.step(&bytes[p..]),
            _ => p += 1,
        }
    }
    (bytes.len(), open_brackets)
}

/// The charset that the root's `CA` names, and where. The root is walked in the charsets that
/// disagree about where values end, until one finds it.
pub(super) fn declared_charset(bytes: &[u8], start: usize) -> Option<(String, usize)> {
    [Charset::LATIN_1, Charset::SHIFT_JIS, Charset::GB18030]
        .into_iter()
        .find_map(|charset| root_charset(bytes, start, charset))
}

fn root_charset(bytes: &[u8], start: usize, charset: Charset) -> Option<(String, usize)> {
    let mut at = start;
    let mut begun = false;
    let mut is_ca = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' | b'(' if begun => return None,
            b')' => return None,
            b';' => begun = true,
            b'[' => {
                begun = true;
                let (end, _) = value_end(bytes, at + 1, charset);
                if is_ca {
                    let label = String::from_utf8_lossy(&bytes[at + 1..end]).into_owned();
                    return Some((label, at));
                }
                at = end;
            }
            b'A'..=b'Z' | b'a'..=b'z' => {
                let end = name_end(bytes, at);
                is_ca = id_letters(&bytes[at..end]).eq(*b"CA");
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Takes a game apart. With `split`, what begins like a game ends the one before; a file whose
/// parentheses are complete must be read without.
pub(super) fn parse_game(
    bytes: &[u8],
    at: usize,
    game: usize,
    charset: Charset,
    max_nodes: usize,
    split: bool,
) -> Result<Parsed, ReadError> {
    let mut parser = Parser {
        bytes,
        at,
        game,
        charset,
        max_nodes,
        split,
        tree: Tree::empty(charset),
        has_root: false,
        current: None,
        accepts_properties: false,
        open: Vec::new(),
        last: Last::Open,
        stray: None,
        names: HashMap::new(),
        repairs: Repairs::default(),
        damage: 0,
        undecodable: 0,
    };
    let ending = parser.run()?;
    let Parser {
        tree,
        at,
        repairs,
        damage,
        undecodable,
        ..
    } = parser;
    Ok(Parsed {
        tree,
        end: at,
        repairs,
        damage,
        undecodable,
        ending,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Open,
    Close,
    Node,
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    game: usize,
    charset: Charset,
    max_nodes: usize,
    split: bool,
    tree: Tree,
    has_root: bool,
    /// The node that the next one follows.
    current: Option<NodeId>,
    /// Whether `current` was begun here, and not come back to.
    accepts_properties: bool,
    /// For each open `(`, the node before it.
    open: Vec<Option<NodeId>>,
    last: Last,
    /// Where text between properties began that nothing could be made of.
    stray: Option<usize>,
    /// Where the properties of the current node stand, once there are many.
    names: HashMap<String, usize>,
    repairs: Repairs,
    damage: usize,
    undecodable: usize,
}

/// Up to here a property is looked for among its node's, above in a table.
const FEW: usize = 24;

impl Parser<'_> {
    fn run(&mut self) -> Result<Ending, ReadError> {
        if self.bytes[self.at] == b'(' {
            self.at += 1;
        } else {
            self.report(self.at, Fault::MissingOpen);
        }
        self.open.push(None);
        loop {
            self.at = skip_space(self.bytes, self.at);
            let Some(&byte) = self.bytes.get(self.at) else {
                self.flush_stray();
                let count = self.open.len();
                self.report(self.at, Fault::MissingClose { count });
                return Ok(Ending::File);
            };
            match byte {
                b'(' if self.begins_another_game() => {
                    self.flush_stray();
                    let count = self.open.len();
                    self.report(self.at, Fault::MissingClose { count });
                    return Ok(Ending::NextGame);
                }
                b'(' => self.open_variation(),
                b')' => {
                    if self.close_variation() {
                        return Ok(Ending::Closed);
                    }
                }
                b';' => {
                    self.flush_stray();
                    self.begin_node()?;
                    self.at += 1;
                }
                b'[' => self.stray_value(),
                b if b.is_ascii_alphanumeric() => self.property_or_stray()?,
                _ => {
                    self.stray.get_or_insert(self.at);
                    self.at += self.charset.step(&self.bytes[self.at..]).max(1);
                }
            }
        }
    }

    fn report(&mut self, offset: usize, fault: Fault) {
        self.damage += usize::from(fault.is_damage());
        self.repairs.add(offset, self.game, fault);
    }

    fn text(&self, from: usize, to: usize) -> String {
        // No message needs more than its beginning.
        let to = to.min(from + 160);
        excerpt(&self.charset.decode(&self.bytes[from..to]))
    }

    fn flush_stray(&mut self) {
        if let Some(from) = self.stray.take() {
            let trimmed = self.bytes[from..self.at].trim_ascii_end().len();
            let text = self.text(from, from + trimmed);
            self.report(
                from,
                Fault::StrayText {
                    length: trimmed,
                    text,
                },
            );
        }
    }

    /// A variation cannot begin with FF or GM: where one seems to, the `)` of a game is missing.
    fn begins_another_game(&self) -> bool {
        if !self.has_root || !self.split {
            return false;
        }
        let node = skip_space(self.bytes, self.at + 1);
        if self.bytes.get(node) != Some(&b';') {
            return false;
        }
        let name = skip_space(self.bytes, node + 1);
        let rest = &self.bytes[name..];
        rest.starts_with(b"FF[") || rest.starts_with(b"GM[")
    }

    fn open_variation(&mut self) {
        self.flush_stray();
        if self.has_root {
            self.open.push(self.current);
        } else {
            self.open.push(None);
            self.report(self.at, Fault::ExtraOpen);
        }
        self.accepts_properties = false;
        self.last = Last::Open;
        self.at += 1;
    }

    /// Whether that was the end of the game.
    fn close_variation(&mut self) -> bool {
        self.flush_stray();
        if self.last == Last::Open {
            self.report(self.at, Fault::EmptyVariation);
        }
        self.current = self.open.pop().flatten();
        self.accepts_properties = false;
        self.last = Last::Close;
        self.at += 1;
        self.open.is_empty()
    }

    fn begin_node(&mut self) -> Result<(), ReadError> {
        if self.last == Last::Close && self.current.is_some() {
            self.report(self.at, Fault::NodeAfterVariations);
        }
        let id = match (self.has_root, self.current) {
            (false, _) => NodeId::ROOT,
            (true, Some(parent)) => self.add_node(parent)?,
            (true, None) => {
                self.report(self.at, Fault::SecondRoot);
                self.add_node(NodeId::ROOT)?
            }
        };
        self.has_root = true;
        self.current = Some(id);
        self.accepts_properties = true;
        self.last = Last::Node;
        if !self.names.is_empty() {
            self.names = HashMap::new();
        }
        Ok(())
    }

    fn add_node(&mut self, parent: NodeId) -> Result<NodeId, ReadError> {
        let too_many = ReadError::TooManyNodes {
            offset: self.at,
            limit: self.max_nodes,
        };
        if self.tree.node_count() >= self.max_nodes {
            return Err(too_many);
        }
        self.tree.add_node(parent).map_err(|_| too_many)
    }

    fn stray_value(&mut self) {
        self.flush_stray();
        let (end, _) = value_end(self.bytes, self.at + 1, self.charset);
        let text = self.text(self.at + 1, end);
        self.report(self.at, Fault::StrayValue { text });
        self.at = (end + 1).min(self.bytes.len());
    }

    fn property_or_stray(&mut self) -> Result<(), ReadError> {
        let from = self.at;
        let end = name_end(self.bytes, from);
        let bracket = skip_space(self.bytes, end);
        let has_letter = self.bytes[from..end].iter().any(u8::is_ascii_alphabetic);
        if self.bytes.get(bracket) != Some(&b'[') || !has_letter {
            self.stray.get_or_insert(from);
            self.at = end;
            return Ok(());
        }
        self.flush_stray();
        if !self.accepts_properties {
            self.report(from, Fault::MissingSemicolon);
            self.begin_node()?;
        }
        let name = SmallVec::from_slice(&self.bytes[from..end]);
        let mut property = Property {
            name,
            values: SmallVec::new(),
            offset: from,
        };
        self.at = bracket;
        while self.bytes.get(self.at) == Some(&b'[') {
            if let Some(value) = self.value(&property) {
                property.values.push(value);
            }
            let next = skip_space(self.bytes, self.at);
            if self.bytes.get(next) != Some(&b'[') {
                break;
            }
            self.at = next;
        }
        if !property.values.is_empty() {
            self.add_property(property);
        }
        Ok(())
    }

    /// The value whose `[` is here.
    fn value(&mut self, property: &Property) -> Option<Value> {
        let offset = self.at;
        let (mut end, open_brackets) = value_end(self.bytes, offset + 1, self.charset);
        let mut raw = SmallVec::from_slice(&self.bytes[offset + 1..end]);
        if end == self.bytes.len() {
            self.at = end;
            return self.cut_value(property, offset, raw);
        }
        if open_brackets {
            while let Some(further) = self.unescaped_bracket(end + 1) {
                let name = property.id();
                self.report(end, Fault::UnescapedBracket { name });
                raw.extend_from_slice(b"\\]");
                raw.extend_from_slice(&self.bytes[end + 1..further]);
                end = further;
            }
        }
        self.at = end + 1;
        if !self.charset.can_decode(&raw) {
            self.undecodable += 1;
            self.report(
                offset,
                Fault::Undecodable {
                    charset: self.charset,
                },
            );
        }
        Some(Value { raw, offset })
    }

    /// Where another `]` stands before anything that could go on with the file: then the one
    /// before it was part of the value.
    fn unescaped_bracket(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.bytes.get(at)? {
                b']' => return Some(at),
                b'[' | b';' | b'(' | b')' | b'\\' => return None,
                _ => at += self.charset.step(&self.bytes[at..]),
            }
        }
    }

    /// A value that the end of the file has cut off: text is still text, a cut number or point
    /// would be another number or point.
    fn cut_value(
        &mut self,
        property: &Property,
        offset: usize,
        mut raw: SmallVec<[u8; 16]>,
    ) -> Option<Value> {
        let name = property.id();
        let is_text = properties::spec(&name)
            .is_none_or(|spec| matches!(spec.value, Type::Text | Type::SimpleText | Type::Unknown));
        if !is_text {
            let text = self.text(offset + 1, self.bytes.len());
            self.report(offset, Fault::CutValue { name, text });
            return None;
        }
        self.report(offset, Fault::CutText { name });
        let whole = whole_characters(&raw, self.charset);
        raw.truncate(whole);
        if !self.charset.can_decode(&raw) {
            self.undecodable += 1;
            self.report(
                offset,
                Fault::Undecodable {
                    charset: self.charset,
                },
            );
        }
        Some(Value { raw, offset })
    }

    fn add_property(&mut self, property: Property) {
        let Some(node) = self.current else { return };
        let short = property.short_id();
        let id = short.as_str();
        let properties = self.tree.properties_mut(node);
        let count = properties.len();
        let earlier = if count > FEW {
            if self.names.is_empty() {
                // The first of a name stays the one that is found.
                for (at, p) in properties.iter().enumerate().rev() {
                    self.names.insert(p.id(), at);
                }
            }
            self.names.get(id).copied()
        } else {
            properties.iter().position(|p| p.is(id))
        };
        if let Some(at) = earlier {
            properties[at].values.extend(property.values);
            let name = id.to_string();
            self.report(property.offset, Fault::DuplicateProperty { name });
            return;
        }
        if count > FEW {
            self.names.insert(id.to_string(), count);
        }
        self.tree.push(node, property);
    }
}

/// How many bytes of a cut value can be followed by its `]`: no half character, which would swallow
/// the bracket, and no half escape.
fn whole_characters(raw: &[u8], charset: Charset) -> usize {
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let escape = usize::from(byte == b'\\');
        let Some(&first) = raw.get(at + escape) else {
            break;
        };
        let mut rest =
            SmallVec::<[u8; 4]>::from_slice(&raw[at + escape..raw.len().min(at + escape + 4)]);
        rest.push(b']');
        let step = charset.step(&rest);
        if at + escape + step > raw.len() {
            break;
        }
        // Half a character of UTF-8 would do no harm, and is cut off as well.
        if charset == Charset::UTF_8
            && first >= 0x80
            && let Err(error) = std::str::from_utf8(&rest[..rest.len() - 1])
            && error.valid_up_to() == 0
            && error.error_len().is_none()
        {
            break;
        }
        at += escape + step;
    }
    at
}
