//! What a game record is: a tree of nodes, each a list of properties with their values.

use smallvec::SmallVec;
use thiserror::Error;

use super::charset::Charset;
use super::text;

/// Marks that there is no such node.
const NONE: u32 = u32::MAX;

/// The number of a node in its tree. The root is [`NodeId::ROOT`]; a parent's number is smaller
/// than its children's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The first node of every tree.
    pub const ROOT: Self = Self(0);

    fn some(raw: u32) -> Option<Self> {
        (raw != NONE).then_some(Self(raw))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// One value of a property, as it is written between its brackets: in the tree's charset, escapes
/// and all, byte for byte.
#[derive(Clone)]
pub struct Value {
    pub(super) raw: SmallVec<[u8; 16]>,
    /// Where its `[` stood in the file; no part of what the value is.
    pub(super) offset: usize,
}

impl Value {
    /// The bytes between the brackets.
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Offset in bytes of the value's `[` in the file that it was read from; 0 if it was not read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Value {}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}]", String::from_utf8_lossy(&self.raw))
    }
}

/// A property: a name and one value or several.
#[derive(Clone)]
pub struct Property {
    pub(super) name: SmallVec<[u8; 8]>,
    pub(super) values: SmallVec<[Value; 1]>,
    pub(super) offset: usize,
}

impl Property {
    /// The name as it is written, such as `AB` or FF\[1\]'s `AddBlack`.
    #[must_use]
    pub fn written_name(&self) -> &str {
        // Only ASCII letters and digits are ever stored.
        std::str::from_utf8(&self.name).unwrap_or_default()
    }

    /// The name as FF\[4\] has it: capital letters and digits only (`AddBlack` is `AB`). A name
    /// without any capital letter is taken as if it had only these.
    #[must_use]
    pub fn id(&self) -> String {
        id_letters(&self.name).map(char::from).collect()
    }

    /// [`Property::id`] without a string being made.
    pub(super) fn short_id(&self) -> ShortId {
        ShortId(id_letters(&self.name).collect())
    }

    /// Whether this is the property with the given FF\[4\] name.
    #[must_use]
    pub fn is(&self, id: &str) -> bool {
        id_letters(&self.name).eq(id.bytes())
    }

    /// All values, at least one.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Offset in bytes of the name in the file that it was read from; 0 if it was not read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// The name of a property as FF\[4\] has it, mostly in place.
pub(super) struct ShortId(SmallVec<[u8; 8]>);

impl ShortId {
    pub(super) fn as_str(&self) -> &str {
        // Only ASCII letters and digits are ever stored.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The capital letters and digits of a name; all its letters, made capital, if it has no capital.
pub(super) fn id_letters(name: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let capitals = name.iter().any(u8::is_ascii_uppercase);
    name.iter()
        .filter(move |b| !capitals || !b.is_ascii_lowercase())
        .map(u8::to_ascii_uppercase)
}

impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.values == other.values
    }
}

impl Eq for Property {}

impl std::fmt::Debug for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.written_name(), self.values)
    }
}

#[derive(Clone)]
struct Node {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    properties: Vec<Property>,
}

impl Node {
    fn new(parent: u32) -> Self {
        Self {
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            properties: Vec::new(),
        }
    }
}

/// Why a tree could not be changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// Not the name of a property.
    #[error("expected a property name of capital letters, got {0:?}")]
    Name(String),
    /// A character that the tree's charset does not have.
    #[error("{charset} cannot write {text:?}; turn the tree into UTF-8 first")]
    Unencodable {
        /// The tree's charset.
        charset: Charset,
        /// The text.
        text: String,
    },
    /// A property has at least one value, be it empty.
    #[error("expected at least one value for {0}")]
    NoValue(String),
    /// The tree has no room for another node.
    #[error("a tree holds at most {} nodes", u32::MAX - 1)]
    Full,
}

/// A game record. Any depth and width: nothing here is recursive.
///
/// # Examples
///
/// ```
/// use yose_go::sgf::{NodeId, Tree};
///
/// let mut tree = Tree::new();
/// tree.set_raw(NodeId::ROOT, "SZ", &["9"])?;
/// let first = tree.add_node(NodeId::ROOT)?;
/// tree.set_raw(first, "B", &["ee"])?;
/// tree.set_text(first, "C", "the centre [tengen]")?;
/// assert_eq!(
///     String::from_utf8_lossy(&yose_go::sgf::write(&[tree])),
///     "(;FF[4]GM[1]CA[UTF-8]SZ[9]\n;B[ee]C[the centre [tengen\\]])\n"
/// );
/// # Ok::<(), yose_go::sgf::EditError>(())
/// ```
#[derive(Clone)]
pub struct Tree {
    charset: Charset,
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// A Go record in UTF-8 with nothing in it: `(;FF[4]GM[1]CA[UTF-8])`.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Self::empty(Charset::UTF_8);
        for (name, value) in [("FF", "4"), ("GM", "1"), ("CA", "UTF-8")] {
            tree.push_ascii(NodeId::ROOT, name, value);
        }
        tree
    }

    /// A tree of one node without properties.
    pub(super) fn empty(charset: Charset) -> Self {
        Self {
            charset,
            nodes: vec![Node::new(NONE)],
        }
    }

    /// The charset of the values.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// How many nodes there are, at least 1.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The first node, which holds what concerns the whole game.
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        self.node(NodeId::ROOT)
    }

    /// A node by its number.
    ///
    /// # Panics
    ///
    /// If the number is another tree's and this tree is smaller.
    #[must_use]
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        assert!(
            id.index() < self.nodes.len(),
            "node {} of {}",
            id.0,
            self.nodes.len()
        );
        NodeRef { tree: self, id }
    }

    /// The root and, from every node, its first child: the game as it was played.
    pub fn main_line(&self) -> impl Iterator<Item = NodeRef<'_>> + '_ {
        std::iter::successors(Some(self.root()), |node| node.children().next())
    }

    /// All nodes, each before its children, first variations first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> + '_ {
        std::iter::successors(Some(self.root()), |node| {
            if let Some(child) = node.children().next() {
                return Some(child);
            }
            let mut at = *node;
            loop {
                if let Some(sibling) = at.next_sibling() {
                    return Some(sibling);
                }
                at = at.parent()?;
            }
        })
    }

    /// The nodes where a line ends.
    pub fn leaves(&self) -> impl Iterator<Item = NodeRef<'_>> + '_ {
        self.nodes().filter(|node| node.children().next().is_none())
    }

    /// Adds a last child.
    ///
    /// # Errors
    ///
    /// If the tree is full.
    pub fn add_node(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        let id = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&id| id != NONE)
            .ok_or(EditError::Full)?;
        let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
        match NodeId::some(last) {
            Some(last) => self.nodes[last.index()].next_sibling = id,
            None => self.nodes[parent.index()].first_child = id,
        }
        self.nodes.push(Node::new(parent.0));
        Ok(NodeId(id))
    }

    /// Sets a property, replacing what it was. The values are as they are to be written, escapes
    /// included; a bracket that would end a value early is escaped.
    ///
    /// # Errors
    ///
    /// If the name is none, there is no value, or the charset lacks a character.
    pub fn set_raw(&mut self, node: NodeId, id: &str, values: &[&str]) -> Result<(), EditError> {
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(EditError::Name(id.to_string()));
        }
        if values.is_empty() {
            return Err(EditError::NoValue(id.to_string()));
        }
        let values = values
            .iter()
            .map(|value| self.encoded(&text::reescape(value)))
            .collect::<Result<_, _>>()?;
        let name = SmallVec::from_slice(id.as_bytes());
        let property = Property {
            name,
            values,
            offset: 0,
        };
        let properties = &mut self.nodes[node.index()].properties;
        match properties.iter_mut().find(|p| p.is(id)) {
            Some(old) => *old = property,
            None => properties.push(property),
        }
        Ok(())
    }

    /// Sets a property to one value that is text, and escapes it.
    ///
    /// # Errors
    ///
    /// As [`Tree::set_raw`].
    pub fn set_text(&mut self, node: NodeId, id: &str, text: &str) -> Result<(), EditError> {
        self.set_raw(node, id, &[&text::escape(text, false)])
    }

    /// Takes a property away; whether there was one.
    pub fn remove(&mut self, node: NodeId, id: &str) -> bool {
        let properties = &mut self.nodes[node.index()].properties;
        let before = properties.len();
        properties.retain(|p| !p.is(id));
        properties.len() != before
    }

    /// Turns all values into UTF-8 and says so in `CA`. Bytes that were no characters become
    /// U+FFFD; the answer is how many values had such.
    pub fn make_utf8(&mut self) -> usize {
        let charset = self.charset;
        let mut damaged = 0;
        for property in self.nodes.iter_mut().flat_map(|node| &mut node.properties) {
            for value in &mut property.values {
                if value.raw.is_ascii() || charset == Charset::UTF_8 {
                    continue;
                }
                damaged += usize::from(!charset.can_decode(&value.raw));
                let decoded = text::reescape(&charset.decode(&value.raw));
                value.raw = SmallVec::from_slice(decoded.as_bytes());
            }
        }
        self.declare(Charset::UTF_8);
        damaged
    }

    /// Makes `charset` the tree's, of which all values are ASCII.
    pub(super) fn set_charset(&mut self, charset: Charset) {
        self.charset = charset;
    }

    /// Makes `charset` the tree's and `CA` say so, where it does not yet.
    pub(super) fn declare(&mut self, charset: Charset) {
        self.charset = charset;
        let says = self
            .root()
            .get("CA")
            .and_then(|p| Charset::for_label(std::str::from_utf8(p.values[0].raw()).ok()?));
        if says == Some(charset) {
            return;
        }
        self.remove(NodeId::ROOT, "CA");
        self.push_ascii(NodeId::ROOT, "CA", charset.name());
    }

    fn encoded(&self, escaped: &str) -> Result<Value, EditError> {
        let raw = self
            .charset
            .encode(escaped)
            .ok_or_else(|| EditError::Unencodable {
                charset: self.charset,
                text: escaped.to_string(),
            })?;
        Ok(Value {
            raw: SmallVec::from_slice(&raw),
            offset: 0,
        })
    }

    fn push_ascii(&mut self, node: NodeId, name: &str, value: &str) {
        let value = Value {
            raw: SmallVec::from_slice(value.as_bytes()),
            offset: 0,
        };
        let values = SmallVec::from_iter([value]);
        let name = SmallVec::from_slice(name.as_bytes());
        self.push(
            node,
            Property {
                name,
                values,
                offset: 0,
            },
        );
    }

    pub(super) fn push(&mut self, node: NodeId, property: Property) {
        let properties = &mut self.nodes[node.index()].properties;
        if properties.is_empty() {
            // Most nodes have one property; a vector would otherwise begin with four.
            properties.reserve_exact(1);
        }
        properties.push(property);
    }

    pub(super) fn properties_mut(&mut self, node: NodeId) -> &mut [Property] {
        &mut self.nodes[node.index()].properties
    }
}

/// Equal charsets, equal shapes, equal properties in equal order.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let mut theirs = other.nodes();
        self.charset == other.charset
            && self.node_count() == other.node_count()
            && self.nodes().all(|node| {
                theirs.next().is_some_and(|their| {
                    node.properties() == their.properties()
                        && node.children().count() == their.children().count()
                })
            })
    }
}

impl Eq for Tree {}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let written = super::write(std::slice::from_ref(self));
        write!(
            f,
            "Tree({}: {})",
            self.charset,
            String::from_utf8_lossy(&written).trim_end()
        )
    }
}

/// A node of a tree, to be looked at.
#[derive(Clone, Copy)]
pub struct NodeRef<'a> {
    tree: &'a Tree,
    id: NodeId,
}

impl<'a> NodeRef<'a> {
    /// Its number.
    #[must_use]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The tree that it is part of.
    #[must_use]
    pub fn tree(self) -> &'a Tree {
        self.tree
    }

    fn node(self) -> &'a Node {
        &self.tree.nodes[self.id.index()]
    }

    /// The properties, in the order of the file.
    #[must_use]
    pub fn properties(self) -> &'a [Property] {
        &self.node().properties
    }

    /// The property with this FF\[4\] name.
    #[must_use]
    pub fn get(self, id: &str) -> Option<&'a Property> {
        self.properties().iter().find(|p| p.is(id))
    }

    /// The node before; none before the root.
    #[must_use]
    pub fn parent(self) -> Option<NodeRef<'a>> {
        NodeId::some(self.node().parent).map(|id| NodeRef {
            tree: self.tree,
            id,
        })
    }

    fn next_sibling(self) -> Option<NodeRef<'a>> {
        NodeId::some(self.node().next_sibling).map(|id| NodeRef {
            tree: self.tree,
            id,
        })
    }

    /// The nodes that follow: the main line's first, then its variations.
    pub fn children(self) -> impl Iterator<Item = NodeRef<'a>> + 'a {
        let first = NodeId::some(self.node().first_child);
        std::iter::successors(
            first.map(|id| NodeRef {
                tree: self.tree,
                id,
            }),
            |n| n.next_sibling(),
        )
    }

    /// The nodes from the root to this one, both included.
    #[must_use]
    pub fn path(self) -> Vec<NodeRef<'a>> {
        let mut path: Vec<_> = std::iter::successors(Some(self), |n| n.parent()).collect();
        path.reverse();
        path
    }
}

impl std::fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {} {:?}", self.id.0, self.properties())
    }
}
