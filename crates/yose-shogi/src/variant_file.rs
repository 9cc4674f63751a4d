//! The TOML format of a variant. `docs/variants.md` describes it for people.

use thiserror::Error;

use crate::inventory::Inventory;
use crate::rules::Rules;
use crate::sfen::SfenError;
use crate::square::{Direction, MAX_SQUARES};
use crate::toml_table::{Node, Table};
use crate::variant::{
    Captured, Directions, DropBan, DropFaces, Face, Goal, Kind, MAX_KINDS, Promotion, Variant,
};

/// Most pieces of one kind, both sides together.
const MAX_TOTAL: i8 = 18;
/// Most pieces but the kings, both sides together.
const MAX_PIECES: u32 = 38;

const BUILT_IN: [(&str, &str); 3] = [
    ("shogi4", include_str!("../variants/shogi4.toml")),
    ("dobutsu", include_str!("../variants/dobutsu.toml")),
    ("micro", include_str!("../variants/micro.toml")),
];

/// Why a text is not a variant. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VariantError {
    /// The text is not TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where.
        line: usize,
        /// What the TOML reader says.
        message: String,
    },
    /// A key that has no meaning here.
    #[error("line {line}: unknown key `{key}` in {table}; known are {known}")]
    UnknownKey {
        /// Where.
        line: usize,
        /// The key.
        key: String,
        /// The table it stands in.
        table: &'static str,
        /// The keys that have a meaning.
        known: String,
    },
    /// A key that has to be there.
    #[error("line {line}: {table} needs the key `{key}`")]
    MissingKey {
        /// Where the table begins.
        line: usize,
        /// The key.
        key: &'static str,
        /// The table it should stand in.
        table: &'static str,
    },
    /// A value that does not fit.
    #[error("line {line}: `{key}`: expected {expected}, got {got}")]
    BadValue {
        /// Where.
        line: usize,
        /// The key.
        key: &'static str,
        /// What would fit.
        expected: String,
        /// What stands there.
        got: String,
    },
    /// A letter that stands for two faces.
    #[error("line {line}: the letter {letter:?} of the {second} already stands for the {first}")]
    SameLetter {
        /// Where.
        line: usize,
        /// The letter or alias.
        letter: String,
        /// The face that has it.
        first: String,
        /// The face that claims it.
        second: String,
    },
    /// A piece that moves otherwise to the left than to the right.
    #[error(
        "line {line}: the {face} does not move alike to the left and to the right; positions are \
         folded with their mirror images, so it must"
    )]
    Lopsided {
        /// Where the face is described.
        line: usize,
        /// Its name.
        face: String,
    },
    /// A start position that is none.
    #[error("line {line}: `starts`: {sfen:?}: {error}")]
    Start {
        /// Where.
        line: usize,
        /// The text.
        sfen: String,
        /// What is wrong with it.
        error: SfenError,
    },
}

impl Variant {
    /// Reads a variant from its TOML text.
    ///
    /// # Errors
    /// With line and expectation, if anything in the text is missing, unknown or out of range.
    ///
    /// ```
    /// use yose_shogi::Variant;
    ///
    /// let text = Variant::built_in_text("shogi4").unwrap();
    /// let shogi4 = Variant::parse(text).unwrap();
    /// assert_eq!((shogi4.rows, shogi4.columns), (4, 4));
    ///
    /// let wide = text.replace("columns = 4", "columns = 40");
    /// assert_eq!(
    ///     Variant::parse(&wide).unwrap_err().to_string(),
    ///     "line 6: `columns`: expected a whole number from 2 to 9, got 40"
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Variant, VariantError> {
        let mut file = Table::parse(text)?;
        let name = name(&file.required("name")?)?;
        let title = file.required("title")?.words(100)?;
        let rows = file.required("rows")?.number(2..=9)?.unsigned_abs();
        let columns_node = file.required("columns")?;
        let columns = columns_node.number(2..=9)?.unsigned_abs();
        if usize::from(rows) * usize::from(columns) > MAX_SQUARES {
            return Err(columns_node.bad(format!("at most {MAX_SQUARES} squares in all")));
        }
        let promotion = file.required("promotion")?.choice(&[
            ("never", Promotion::Never),
            ("far-rank", Promotion::FarRank),
            ("on-capture", Promotion::OnCapture),
        ])?;
        let captured = file
            .required("captured")?
            .choice(&[("hand", Captured::Hand), ("gone", Captured::Gone)])?;
        let drop_faces = file
            .required("drop-faces")?
            .choice(&[("base", DropFaces::Base), ("either", DropFaces::Either)])?;
        let drop_ban = file
            .required("drop-ban")?
            .choice(&[("none", DropBan::None), ("far-rank", DropBan::FarRank)])?;
        let friendly_jump = file.required("friendly-jump")?.flag()?;
        let goal = file.required("goal")?.choice(&[
            ("take-king", Goal::TakeKing),
            ("take-king-or-try", Goal::TakeKingOrTry),
        ])?;
        let starts = file.required("starts")?;
        let mut letters = Letters::default();
        let mut king_table = file.required("king")?.table("[king]")?;
        let king = face(&mut king_table, &mut letters, Plus::Refused)?;
        king_table.finish()?;
        let kinds = match file.optional("kinds") {
            Some(node) => kinds(node, &mut letters)?,
            None => Vec::new(),
        };
        file.finish()?;
        let mut variant = Variant {
            name,
            title,
            rows,
            columns,
            king,
            kinds,
            promotion,
            captured,
            drop_faces,
            drop_ban,
            friendly_jump,
            goal,
            starts: Vec::new(),
        };
        variant.starts = start_positions(&variant, starts)?;
        Ok(variant)
    }

    /// A variant that comes with the crate: `shogi4`, `dobutsu` or `micro`.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Variant> {
        // Tests parse every built-in text.
        Variant::parse(Variant::built_in_text(name)?).ok()
    }

    /// The names that [`built_in`](Self::built_in) knows.
    #[must_use]
    pub fn built_in_names() -> [&'static str; 3] {
        BUILT_IN.map(|(name, _)| name)
    }

    /// The TOML text of a built-in variant.
    #[must_use]
    pub fn built_in_text(name: &str) -> Option<&'static str> {
        let found = BUILT_IN.iter().find(|(built_in, _)| *built_in == name);
        found.map(|(_, text)| *text)
    }
}

fn name(node: &Node<'_>) -> Result<String, VariantError> {
    let name = node.words(32)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.starts_with('-') || !name.chars().all(plain) {
        return Err(node.bad("lower-case letters, digits and '-', not '-' first"));
    }
    Ok(name)
}

/// Whether a letter may have a `+` before it.
#[derive(Clone, Copy)]
enum Plus {
    Refused,
    Allowed,
}

/// The letters given so far: text, name of the face.
#[derive(Default)]
struct Letters {
    /// In SFEN.
    sfen: Vec<(String, String)>,
    /// In plain texts.
    plain: Vec<(String, String)>,
}

impl Letters {
    fn add(&mut self, node: &Node<'_>, face: &str, plus: Plus) -> Result<String, VariantError> {
        let letter = node.string()?;
        let bare = match plus {
            Plus::Allowed => letter.strip_prefix('+').unwrap_or(letter),
            Plus::Refused => letter,
        };
        if bare.len() != 1 || !bare.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(node.bad(match plus {
                Plus::Allowed => "a letter from A to Z, perhaps with a + before it",
                Plus::Refused => "a letter from A to Z",
            }));
        }
        claim(&mut self.sfen, node.line, letter, face)?;
        Ok(letter.to_owned())
    }
}

/// Adds a letter to those taken.
fn claim(
    taken: &mut Vec<(String, String)>,
    line: usize,
    letter: &str,
    face: &str,
) -> Result<(), VariantError> {
    if let Some((_, first)) = taken.iter().find(|(known, _)| known == letter) {
        return Err(VariantError::SameLetter {
            line,
            letter: letter.to_owned(),
            first: first.clone(),
            second: face.to_owned(),
        });
    }
    taken.push((letter.to_owned(), face.to_owned()));
    Ok(())
}

fn face(table: &mut Table<'_>, letters: &mut Letters, plus: Plus) -> Result<Face, VariantError> {
    let name_node = table.required("name")?;
    let name = name_node.words(30)?;
    let letter = letters.add(&table.required("letter")?, &name, plus)?;
    let mut aliases = Vec::new();
    if let Some(list) = table.optional("aliases") {
        for alias in list.list()? {
            aliases.push(letters.add(&alias, &name, plus)?);
        }
    }
    let plain = match table.optional("plain") {
        None => None,
        Some(node) => match node.string()?.as_bytes() {
            [byte] if byte.is_ascii_uppercase() => Some(char::from(*byte)),
            _ => return Err(node.bad("a letter from A to Z")),
        },
    };
    let steps = directions(table.optional("steps"))?;
    let slides = directions(table.optional("slides"))?;
    let leaps = leaps(table.optional("leaps"))?;
    let alike = |set: Directions| set.iter().all(|d| set.contains(d.mirrored()));
    let leaps_alike = leaps.iter().all(|&(x, y)| leaps.contains(&(-x, y)));
    if !alike(steps) || !alike(slides) || !leaps_alike {
        return Err(VariantError::Lopsided {
            line: name_node.line,
            face: name,
        });
    }
    let face = Face {
        name,
        letter,
        aliases,
        plain,
        steps,
        slides,
        leaps,
    };
    if let Some(letter) = face.plain_letter() {
        claim(
            &mut letters.plain,
            name_node.line,
            &letter.to_string(),
            &face.name,
        )?;
    }
    Ok(face)
}

fn directions(list: Option<Node<'_>>) -> Result<Directions, VariantError> {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let choices: Vec<_> = names.into_iter().zip(Direction::ALL).collect();
    let mut set = Directions::NONE;
    for node in list.map_or(Ok(Vec::new()), Node::list)? {
        let direction = node.choice(&choices)?;
        if set.contains(direction) {
            return Err(node.bad("each direction once"));
        }
        set = set.with(direction);
    }
    Ok(set)
}

fn leaps(list: Option<Node<'_>>) -> Result<Vec<(i8, i8)>, VariantError> {
    let mut leaps = Vec::new();
    for node in list.map_or(Ok(Vec::new()), Node::list)? {
        let wrong = node.bad("[columns to the right, rows upward], such as [-1, 2]");
        let repeated = node.bad("each leap once, and none of [0, 0]");
        let offsets = node.list()?;
        let [right, up] = offsets.as_slice() else {
            return Err(wrong);
        };
        let leap = (right.number(-8..=8)?, up.number(-8..=8)?);
        if leap == (0, 0) || leaps.contains(&leap) {
            return Err(repeated);
        }
        leaps.push(leap);
    }
    Ok(leaps)
}

fn kinds(node: Node<'_>, letters: &mut Letters) -> Result<Vec<Kind>, VariantError> {
    let too_many = node.bad(format!("at most {MAX_KINDS} tables"));
    let too_full = node.bad(format!("at most {MAX_PIECES} pieces in all"));
    let list = node.list()?;
    if list.len() > MAX_KINDS {
        return Err(too_many);
    }
    let mut kinds = Vec::new();
    for node in list {
        let mut table = node.table("[[kinds]]")?;
        let total = table
            .required("total")?
            .number(1..=MAX_TOTAL)?
            .unsigned_abs();
        let base = face(&mut table, letters, Plus::Refused)?;
        let promoted = match table.optional("promoted") {
            None => None,
            Some(node) => {
                let mut table = node.table("[kinds.promoted]")?;
                let promoted = face(&mut table, letters, Plus::Allowed)?;
                table.finish()?;
                Some(promoted)
            }
        };
        table.finish()?;
        kinds.push(Kind {
            total,
            base,
            promoted,
        });
    }
    if kinds.iter().map(|kind| u32::from(kind.total)).sum::<u32>() > MAX_PIECES {
        return Err(too_full);
    }
    Ok(kinds)
}

fn start_positions(variant: &Variant, starts: Node<'_>) -> Result<Vec<String>, VariantError> {
    let none = starts.bad("one start position at least");
    let mut texts = Vec::new();
    let mut inventories = Vec::new();
    let rules = Rules::new(variant.clone());
    for node in starts.list()? {
        let text = node.string()?;
        let position = variant
            .parse_sfen(text)
            .map_err(|error| VariantError::Start {
                line: node.line,
                sfen: text.to_owned(),
                error,
            })?;
        let inventory = position.inventory();
        if inventories.is_empty() && inventory != Inventory::full(variant) {
            return Err(node.bad("first a start position with all pieces of the variant"));
        }
        if rules.is_over(&position) {
            return Err(node.bad("a position in which the game is not over"));
        }
        if inventories.contains(&inventory) {
            return Err(node.bad("one start position for each set of pieces"));
        }
        inventories.push(inventory);
        texts.push(text.to_owned());
    }
    if texts.is_empty() {
        return Err(none);
    }
    Ok(texts)
}
