//! What is asked about a Go board: position, rules, komi, what is taken for granted.

use std::path::Path;

use yose_cgt::Dyadic;
use yose_endgame::Question;
use yose_endgame::decompose::Vouched;
use yose_go::sgf::{self, Fault, NodeId, ReplayFault, ReplayOptions, Tree};
use yose_go::{Board, Colour, HandicapBonus, Point, Rules, Scoring, Size};

use crate::failure::Failure;
use crate::output::counted;

/// A komi or a handicap beyond this is a mistake.
const MOST_KOMI: u32 = 1000;

/// So many faults of a record are told.
const MOST_REMARKS: usize = 20;

/// Letters of a value that are shown.
const MOST_LETTERS: usize = 20;

/// The flags that apply to a Go board, as typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) to_play: Option<Colour>,
    pub(crate) after: Option<usize>,
    pub(crate) game: Option<usize>,
    pub(crate) rules: Option<String>,
    pub(crate) komi: Option<Dyadic>,
    pub(crate) assume: Vec<Assume>,
}

/// One `--assume`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Assume {
    /// Stones of groups that live.
    Alive(Vec<String>),
    /// Stones of groups that are dead.
    Dead(Vec<String>),
    /// What a static judgement finds.
    Auto,
}

impl std::str::FromStr for Assume {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let stones = |list: &str| -> Result<Vec<String>, String> {
            let stones: Vec<String> = list
                .split(',')
                .map(str::trim)
                .filter(|stone| !stone.is_empty())
                .map(str::to_owned)
                .collect();
            if stones.is_empty() {
                return Err("a vertex is missing, such as alive=D4,Q16".to_owned());
            }
            Ok(stones)
        };
        match text.split_once('=') {
            None if text == "auto" => Ok(Self::Auto),
            Some(("alive", list)) => stones(list).map(Self::Alive),
            Some(("dead", list)) => stones(list).map(Self::Dead),
            _ => Err("expected alive=D4,Q16 or dead=D4,Q16 or auto".to_owned()),
        }
    }
}

/// Reads a komi in half points.
pub(crate) fn komi(text: &str) -> Result<Dyadic, String> {
    let wrong = || "a number of points or half points, such as 6.5".to_owned();
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let points: u32 = whole.parse().map_err(|_| wrong())?;
    let half = match part.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return Err(wrong()),
    };
    if whole.starts_with('+') || points > MOST_KOMI {
        return Err(wrong());
    }
    let half = sign * (2 * i64::from(points) + half);
    Dyadic::new(half.into(), 1).map_err(|_| wrong())
}

/// A record with the place in it that is asked about.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The games of the file; annotations go to one of them.
    pub(crate) trees: Vec<Tree>,
    /// Which.
    pub(crate) tree: usize,
    /// The node of the position.
    pub(crate) node: NodeId,
    /// Moves before it.
    pub(crate) moves: usize,
    pub(crate) board: Board,
    /// The last move.
    pub(crate) last: Option<Point>,
    /// The name of the rules in force.
    pub(crate) rules: &'static str,
    pub(crate) komi: Dyadic,
    pub(crate) question: Question,
    /// What was assumed or repaired.
    pub(crate) notes: Vec<String>,
}

impl Setting {
    /// What is counted, in words.
    pub(crate) fn terms(&self) -> String {
        let scoring = match self.question.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        };
        format!(
            "{} rules, {scoring} scoring, komi {}",
            self.rules,
            decimal(&self.komi)
        )
    }
}

/// Half points as people write them.
pub(crate) fn decimal(number: &Dyadic) -> String {
    if number.exponent() != 1 {
        return number.to_string();
    }
    let sign = if number.signum() < 0 { "-" } else { "" };
    format!("{sign}{}.5", number.abs().floor())
}

/// Reads a record and finds the position in it. `shown` is what the file is called in errors.
pub(crate) fn setting(bytes: &[u8], shown: &str, asked: &Asked) -> anyhow::Result<Setting> {
    let reading = sgf::read(bytes).map_err(|error| {
        Failure::usage(format!("{shown}: {error}")).hint("a Go position is a game record in SGF")
    })?;
    let number = asked.game.unwrap_or(1);
    if number == 0 || number > reading.games.len() {
        let games = counted(reading.games.len() as u64, "game");
        return Err(Failure::usage(format!("{shown} has {games}, not {number}")).into());
    }
    let tree = number - 1;
    let repairs = reading.repairs.as_slice().iter();
    let repairs = repairs.filter(|repair| repair.game == tree && is_news(&repair.fault));
    let mut remarks = Remarks::default();
    repairs.for_each(|repair| remarks.add(repair));
    let mut notes = Vec::new();
    if asked.game.is_none() && reading.games.len() > 1 {
        let games = reading.games.len();
        notes.push(format!(
            "the file has {games} games; this is the first (--game N)"
        ));
    }
    let record = &reading.games[tree];
    let info = record.info();
    let (name, rules) = rules(asked, info.rules_text.as_deref(), info.rules, &mut notes)?;
    let options = ReplayOptions {
        rules: Some(rules),
        moves: asked.after,
        ..ReplayOptions::default()
    };
    let replay = record
        .replay(&options)
        .map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    if let Some(after) = asked.after
        && after > replay.moves
    {
        let moves = counted(replay.moves as u64, "move");
        return Err(Failure::usage(format!("the game has {moves}, not {after}")).into());
    }
    // A komi that is none is said below.
    let faults = replay.notes.iter();
    let faults = faults.filter(|note| note.fault != ReplayFault::Komi);
    faults.for_each(|note| remarks.add(note));
    let game = &replay.game;
    let komi = match asked.komi.clone() {
        Some(komi) => komi,
        None => {
            let komi = Dyadic::new(game.komi().into(), 1)?;
            let text = record.root().text("KM").unwrap_or_default();
            let of_no_use = replay.notes.iter().any(|n| n.fault == ReplayFault::Komi);
            if info.komi.is_none() || of_no_use {
                let what = if text.trim().is_empty() {
                    "the record gives no komi".to_owned()
                } else {
                    let text: String = text.chars().take(MOST_LETTERS).collect();
                    format!("KM[{text}] gives no komi in half points")
                };
                let usual = decimal(&komi);
                notes.push(format!("{what}; {usual} is taken, as is usual (--komi K)"));
            }
            komi
        }
    };
    let board = game.board().clone();
    let to_play = asked.to_play.unwrap_or(game.to_play());
    let mut question = Question::new(to_play).with_rules(&rules);
    let bonus = bonus(rules.handicap_bonus, game.handicap());
    if bonus > 0 {
        notes.push(format!(
            "White gets {bonus} more for the handicap under these rules"
        ));
    }
    question.komi = komi.checked_add(&Dyadic::from(bonus))?;
    question.prisoners =
        i64::from(board.captures(Colour::Black)) - i64::from(board.captures(Colour::White));
    question.vouched = vouched(&board, &asked.assume)?;
    if let Some(point) = board.ko_point()
        && board.ko_colour() == Some(to_play)
    {
        question.ko = Some(board.size().flat(point));
        notes.push(format!(
            "the ko at {} cannot be taken back at once; the move is not named",
            board.size().gtp(point)
        ));
    }
    notes.splice(0..0, remarks.into_notes());
    let last = game.moves().last().and_then(|ply| ply.mv.point());
    Ok(Setting {
        node: node_after(record, replay.moves),
        tree,
        moves: replay.moves,
        last,
        rules: name,
        komi,
        question,
        notes,
        board,
        trees: reading.games,
    })
}

/// Is a fault worth a note? A komi that is none is said where a komi is chosen, and that a square board is written with
/// one number changes nothing.
fn is_news(fault: &Fault) -> bool {
    match fault {
        Fault::BadValue { name, .. } => name != "KM",
        Fault::LooseValue { name, text, .. } => {
            let both = text.split_once(':');
            name != "SZ" || both.is_none_or(|(columns, rows)| columns != rows)
        }
        _ => true,
    }
}

/// What is wrong with a record, in words: the first faults, and how many more there are.
#[derive(Debug, Default)]
struct Remarks {
    first: Vec<String>,
    more: u64,
}

impl Remarks {
    fn add(&mut self, fault: &impl std::fmt::Display) {
        if self.first.len() < MOST_REMARKS {
            self.first.push(fault.to_string());
        } else {
            self.more += 1;
        }
    }

    fn into_notes(self) -> Vec<String> {
        let mut notes = self.first;
        if self.more > 0 {
            let more = counted(self.more, "remark");
            notes.push(format!("and {more} more on the record"));
        }
        notes
    }
}

/// The rules in force with their name: as asked, as the record says, else Japanese.
fn rules(
    asked: &Asked,
    written: Option<&str>,
    known: Option<Rules>,
    notes: &mut Vec<String>,
) -> anyhow::Result<(&'static str, Rules)> {
    if let Some(text) = &asked.rules {
        let Some(found) = Rules::named(text) else {
            let names: Vec<&str> = Rules::NAMED.iter().map(|(name, _)| *name).collect();
            return Err(Failure::usage(format!("unknown rules '{text}'"))
                .hint(format!("known are {}", names.join(", ")))
                .into());
        };
        return Ok(found);
    }
    if let Some(rules) = known {
        // Some records name rules in ways of their own.
        let equal = || Rules::NAMED.into_iter().find(|(_, r)| *r == rules);
        let found = written.and_then(Rules::named).or_else(equal);
        return Ok((found.map_or("the record's", |(name, _)| name), rules));
    }
    notes.push(match written {
        Some(text) => format!("unknown rules '{text}'; Japanese rules are taken (--rules NAME)"),
        None => "the record names no rules; Japanese rules are taken (--rules NAME)".to_owned(),
    });
    Ok(("japanese", Rules::JAPANESE))
}

/// What White gets for so many handicap stones.
fn bonus(kind: HandicapBonus, stones: u16) -> i64 {
    match kind {
        HandicapBonus::None => 0,
        HandicapBonus::Stones => stones.into(),
        HandicapBonus::StonesMinusOne => stones.saturating_sub(1).into(),
    }
}

/// The node after so many moves of the main line, with what is set up before the next.
fn node_after(tree: &Tree, moves: usize) -> NodeId {
    let (mut seen, mut last) = (0, NodeId::ROOT);
    for node in tree.main_line() {
        seen += node.moves().len();
        if seen > moves {
            break;
        }
        last = node.id();
    }
    last
}

fn vouched(board: &Board, assume: &[Assume]) -> anyhow::Result<Vouched> {
    let size = board.size();
    let mut vouched = Vouched::default();
    let stones = |names: &[String]| -> anyhow::Result<Vec<usize>> {
        names.iter().map(|name| stone(board, size, name)).collect()
    };
    for one in assume {
        match one {
            Assume::Alive(names) => vouched.alive.extend(stones(names)?),
            Assume::Dead(names) => vouched.dead.extend(stones(names)?),
            Assume::Auto => vouched.auto = true,
        }
    }
    for &dead in &vouched.dead {
        let chain = chain(board, dead);
        if vouched.alive.iter().any(|alive| chain.contains(alive)) {
            let points: Vec<Point> = size.points().collect();
            let name = size.gtp(points[dead]);
            return Err(
                Failure::usage(format!("--assume says both alive and dead of {name}")).into(),
            );
        }
    }
    Ok(vouched)
}

/// A stone named by its vertex.
fn stone(board: &Board, size: Size, name: &str) -> anyhow::Result<usize> {
    let point = size
        .parse_gtp(name)
        .map_err(|error| Failure::usage(format!("--assume {name}: {error}")))?
        .point();
    let Some(point) = point else {
        return Err(Failure::usage(format!("--assume {name}: a pass is no stone")).into());
    };
    if board.stone(point).is_none() {
        return Err(Failure::usage(format!("--assume {name}: there is no stone")).into());
    }
    Ok(size.flat(point))
}

/// The chain of a stone, by flat index.
fn chain(board: &Board, stone: usize) -> Vec<usize> {
    let size = board.size();
    let Ok(first) = size.point_at(stone) else {
        return Vec::new();
    };
    let colour = board.stone(first);
    let (mut chain, mut next) = (vec![first], 0);
    while let Some(&at) = chain.get(next) {
        next += 1;
        for beside in size.neighbours(at) {
            if board.stone(beside) == colour && !chain.contains(&beside) {
                chain.push(beside);
            }
        }
    }
    chain.into_iter().map(|point| size.flat(point)).collect()
}

/// Whether bytes look like a game record: `(`, blanks, `;`.
pub(crate) fn is_record(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut rest = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    rest.next() == Some(&b'(') && rest.next() == Some(&b';')
}

/// Whether a word can only mean a file with a record.
pub(crate) fn is_record_file(word: &str) -> bool {
    let path = Path::new(word);
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("sgf"))
        || path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_in_half_points() {
        assert_eq!(decimal(&komi("6.5").unwrap()), "6.5");
        assert_eq!(decimal(&komi("-0.5").unwrap()), "-0.5");
        assert_eq!(decimal(&komi("0").unwrap()), "0");
        for wrong in ["", "six", "6.25", "nan", "inf", "1e9"] {
            assert!(komi(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn assumptions_are_read() {
        assert_eq!("auto".parse(), Ok(Assume::Auto));
        let stones = vec!["D4".to_owned(), "q16".to_owned()];
        assert_eq!("alive=D4, q16".parse(), Ok(Assume::Alive(stones)));
        for wrong in ["", "alive", "alive=", "alive=,", "dead", "safe=D4", "AUTO"] {
            assert!(wrong.parse::<Assume>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn records_are_told_from_sums() {
        assert!(is_record(b"\xef\xbb\xbf (\n;SZ[9])"));
        assert!(!is_record(b"(1)") && !is_record(b"{1|0}") && !is_record(b""));
    }
}
