//! Trees as text.

use super::tree::{NodeRef, Tree};

/// A line of the file is not made longer than this by another node.
const LINE: usize = 72;

/// The records as a file. Values and names are written as the trees have them, byte for byte;
/// nothing is left out or put in. Lines are broken between nodes only.
///
/// Variations are put in parentheses where a node has more than one; each begins a line.
#[must_use]
pub fn write(games: &[Tree]) -> Vec<u8> {
    let mut out = Vec::new();
    for game in games {
        write_game(&mut out, game);
    }
    out
}

fn write_game(out: &mut Vec<u8>, game: &Tree) {
    // What is still to be written, last first.
    enum Due<'a> {
        Node(NodeRef<'a>),
        Variation(NodeRef<'a>),
        Close,
    }
    let mut due = vec![Due::Close, Due::Node(game.root())];
    let mut line_start = out.len();
    out.push(b'(');
    while let Some(next) = due.pop() {
        let node = match next {
            Due::Close => {
                out.push(b')');
                continue;
            }
            Due::Variation(node) => {
                out.extend_from_slice(b"\n(");
                line_start = out.len() - 1;
                due.push(Due::Close);
                node
            }
            Due::Node(node) => {
                let length = 1 + node.properties().iter().map(written_length).sum::<usize>();
                let after_root = node.parent().is_some_and(|p| p.parent().is_none());
                let full = out.len() - line_start + length > LINE;
                if node.parent().is_some() && (after_root || full) {
                    out.push(b'\n');
                    line_start = out.len();
                }
                node
            }
        };
        write_node(out, node);
        let first = due.len();
        due.extend(node.children().map(Due::Variation));
        if let [Due::Variation(only)] = due[first..] {
            due[first] = Due::Node(only);
        }
        due[first..].reverse();
    }
    out.push(b'\n');
}

fn write_node(out: &mut Vec<u8>, node: NodeRef<'_>) {
    out.push(b';');
    for property in node.properties() {
        out.extend_from_slice(property.written_name().as_bytes());
        for value in property.values() {
            out.push(b'[');
            out.extend_from_slice(value.raw());
            out.push(b']');
        }
    }
}

fn written_length(property: &super::Property) -> usize {
    property.written_name().len()
        + property
            .values()
            .iter()
            .map(|value| value.raw().len() + 2)
            .sum::<usize>()
}
