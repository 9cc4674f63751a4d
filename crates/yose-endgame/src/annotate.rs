//! An analysis as comments, labels and territory of a game record, for any SGF viewer.
//!
//! Nothing of the record is lost: a comment is added to what stands there, labels go only to points that
//! have none, and the line of best play becomes a variation only where the game goes on, so that the main line
//! stays what it was. Texts are ASCII, which every charset of a record can write.

use std::fmt::Write;

use thiserror::Error;
use yose_cgt::{Bounds, Dyadic, GameId};
use yose_go::sgf::{EditError, NodeId, NodeRef, SgfPoint, Tree};
use yose_go::{Board, Colour, Point};

use crate::board::{Analysis, RegionReport};
use crate::decompose::{Assumption, RegionKind};
use crate::local::{LocalSolver, Status};

/// Values longer than this many letters are cut in comments.
const LONGEST_VALUE: usize = 200;

/// So many moves that may be as good as the best are named in comments.
const MOST_OPEN: usize = 12;

/// Why a record could not be annotated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnnotateError {
    /// The board of the analysis is not the record's.
    #[error("expected an analysis of {columns} columns and {rows} rows, got another board")]
    Board {
        /// Columns of the record.
        columns: usize,
        /// Rows of the record.
        rows: usize,
    },
    /// A comment that stands there cannot be read in the record's charset, so adding to it would change it.
    #[error(
        "the comment at the position is not {charset}, as the record says; it would be changed"
    )]
    Comment {
        /// The record's charset.
        charset: String,
    },
    /// The tree could not be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The letters of the region at a place in order: A to Z, then AA, AB and so on.
///
/// ```
/// use yose_endgame::annotate::letters;
/// assert_eq!((letters(0), letters(25), letters(26), letters(702)), ("A".into(), "Z".into(), "AA".into(), "AAA".into()));
/// ```
#[must_use]
pub fn letters(mut place: usize) -> String {
    let mut text = Vec::new();
    loop {
        // Below 26, so it fits.
        text.push(b'A' + u8::try_from(place % 26).unwrap_or(0));
        if place < 26 {
            break;
        }
        place = place / 26 - 1;
    }
    text.reverse();
    text.into_iter().map(char::from).collect()
}

/// The regions of an analysis with their letters, in order of their first empty points in reading order.
#[must_use]
pub fn lettered(analysis: &Analysis) -> Vec<(String, &RegionReport)> {
    let all = analysis.decomposition.regions();
    let mut reports: Vec<&RegionReport> = analysis.regions.iter().collect();
    reports.sort_by_key(|report| all[report.region].order());
    let with = |(place, report)| (letters(place), report);
    reports.into_iter().enumerate().map(with).collect()
}

/// A score as results are written: `B+3.5`, `W+1/4`, `0`.
///
/// ```
/// use yose_cgt::Dyadic;
/// use yose_endgame::annotate::score_text;
/// assert_eq!(score_text(&Dyadic::new(7, 1)?), "B+3.5");
/// assert_eq!(score_text(&Dyadic::from(-2)), "W+2");
/// assert_eq!(score_text(&Dyadic::ZERO), "0");
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[must_use]
pub fn score_text(score: &Dyadic) -> String {
    let winner = match score.signum() {
        0 => return "0".to_owned(),
        1.. => 'B',
        _ => 'W',
    };
    let by = score.abs();
    if by.exponent() == 1 {
        format!("{winner}+{}.5", by.floor())
    } else {
        format!("{winner}+{by}")
    }
}

/// Bounds as one number if they meet.
#[must_use]
pub fn bounds_text(bounds: &Bounds) -> String {
    bounds.exact().map_or_else(
        || format!("between {} and {}", bounds.low, bounds.high),
        |x| x.to_string(),
    )
}

const fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "Black",
        Colour::White => "White",
    }
}

/// Why it is not decided whether a move is as good as the best: `leads to a ko`. The status is that of
/// [`OpenMove`](crate::board::OpenMove).
#[must_use]
pub const fn why_open(status: Status) -> &'static str {
    match status {
        Status::Ko => "leads to a ko",
        Status::Repetition => "leads to a repetition",
        Status::Bounds | Status::Unknown => "not searched to the end",
        Status::Exact | Status::Seki => "hangs on what else is open",
    }
}

/// The settled points of an analysis that are empty or hold a dead stone, with their owners; `board` is the board
/// that was analysed.
#[must_use]
pub fn territory(analysis: &Analysis, board: &Board) -> Vec<(Point, Colour)> {
    let points: Vec<Point> = board.size().points().collect();
    let mut owned = Vec::new();
    for region in analysis.decomposition.regions() {
        let owner = match region.kind {
            RegionKind::Settled(points) if points > 0 => Colour::Black,
            RegionKind::Settled(points) if points < 0 => Colour::White,
            _ => continue,
        };
        let all = region.points.iter().chain(&region.stones);
        let all = all.filter_map(|&p| points.get(p).copied());
        owned.extend(
            all.filter(|&p| board.stone(p) != Some(owner))
                .map(|p| (p, owner)),
        );
    }
    owned.sort_by_key(|&(p, _)| board.size().flat(p));
    owned
}

/// An analysis in words: the answer, the regions, what the rules of thumb lose, the line of best play, what
/// it rests on. Lines of ASCII, with a line feed after each.
///
/// `board` is what was analysed, `terms` says what is counted (`territory scoring, komi 6.5`).
#[must_use]
pub fn comment(
    analysis: &Analysis,
    solver: &mut LocalSolver,
    board: &Board,
    terms: &str,
) -> String {
    let size = board.size();
    let points: Vec<Point> = size.points().collect();
    let at = |p: usize| {
        points
            .get(p)
            .map_or_else(|| "?".to_owned(), |&p| size.gtp(p))
    };
    let regions = lettered(analysis);
    let letter = |region: usize| {
        let found = regions.iter().find(|(_, r)| r.region == region);
        found.map_or("?", |(letters, _)| letters.as_str())
    };
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let to_play = name(analysis.to_play);
    line(format!("Endgame analysis, {to_play} to play ({terms})"));
    match analysis.score().exact() {
        Some(score) if analysis.assumptions().is_empty() => {
            line(format!(
                "Score with best play: {} (exact)",
                score_text(&score)
            ));
        }
        Some(score) => line(format!(
            "Score with best play: {} (exact under the assumptions below)",
            score_text(&score)
        )),
        None => line(format!(
            "Score with best play: {} (Black minus White)",
            bounds_text(analysis.score())
        )),
    }
    let best: Vec<String> = analysis
        .best
        .iter()
        .map(|m| format!("{} in {}", at(m.point), letter(m.region)))
        .collect();
    match best.as_slice() {
        [] if regions.is_empty() => line("Nothing is left to play.".to_owned()),
        [] => line("Best move: not proved".to_owned()),
        [one] => line(format!("Best move: {one}")),
        ties => line(format!("Best moves, all equal: {}", ties.join(", "))),
    }
    if !analysis.open.is_empty() && !best.is_empty() {
        let open = analysis.open.iter().take(MOST_OPEN);
        let open = open.map(|m| {
            let (at, letter) = (at(m.point), letter(m.region));
            format!("{at} in {letter} ({})", why_open(m.status))
        });
        let mut open: Vec<String> = open.collect();
        let more = analysis.open.len() - open.len();
        if more > 0 {
            open.push(format!("and {more} more"));
        }
        line(format!("May be as good: {}", open.join(", ")));
    }
    if !regions.is_empty() {
        line("Regions:".to_owned());
    }
    for (letters, region) in &regions {
        line(region_text(analysis, solver, letters, region, &at));
    }
    for pick in &analysis.strategies {
        line(format!(
            "Rule of thumb \"{}\": {} in {}, loses {}",
            pick.strategy.key(),
            at(pick.point),
            letter(pick.region),
            pick.loss
        ));
    }
    if !analysis.line.is_empty() {
        let moves: Vec<String> = analysis
            .line
            .iter()
            .map(|m| format!("{}{}", &name(m.colour)[..1], at(m.point)))
            .collect();
        let more = if analysis.line_complete { "" } else { " ..." };
        line(format!("Best play: {}{more}", moves.join(" ")));
    }
    for assumed in Assumption::texts(analysis.assumptions(), &at) {
        line(format!("Assumed: {assumed}"));
    }
    out
}

fn region_text(
    analysis: &Analysis,
    solver: &mut LocalSolver,
    letters: &str,
    region: &RegionReport,
    at: &dyn Fn(usize) -> String,
) -> String {
    let mut print = |game: GameId| {
        let text = solver.games_mut().print(game);
        text.map_or_else(|_| "a large game".to_owned(), |text| cut(&text))
    };
    let Some(worth) = &region.worth else {
        return format!(
            "{letters}: {}, value from {} to {}",
            region.status.key(),
            print(region.low),
            print(region.high)
        );
    };
    let mut text = format!(
        "{letters}: {}, count {}, temperature {}, swing {}, {}",
        cut(&worth.text),
        worth.mean,
        worth.temperature,
        worth.swing,
        worth.kind.key()
    );
    for (colour, best) in [Colour::Black, Colour::White].into_iter().zip(&region.best) {
        if !best.is_empty() {
            let moves: Vec<String> = best.iter().map(|&k| at(region.moves[k].point)).collect();
            let _ = write!(text, "; {} {}", &name(colour)[..1], moves.join(" "));
        }
    }
    if let Some(v) = &region.v {
        let _ = write!(text, "; playing here first: {}", bounds_text(v));
        if let (Some(v), Some(best)) = (v.exact(), analysis.score().exact())
            && let Ok(loss) = best.checked_sub(&v)
        {
            let _ = write!(text, ", loses {}", loss.abs());
        }
    }
    text
}

/// A text cut to a length that can be read.
fn cut(text: &str) -> String {
    if text.len() <= LONGEST_VALUE {
        return text.to_owned();
    }
    let short: String = text.chars().take(LONGEST_VALUE).collect();
    format!("{short}...")
}

/// Adds an analysis to a record at the node of its position: the comment, the letters of the regions as labels,
/// settled territory, and the line of best play as a variation if the game goes on from there.
///
/// # Errors
/// [`AnnotateError`]; the tree is then as it was, but for [`EditError::Full`].
pub fn annotate(
    tree: &mut Tree,
    node: NodeId,
    analysis: &Analysis,
    board: &Board,
    comment: &str,
) -> Result<(), AnnotateError> {
    let size = board.size();
    let own = tree.board_size();
    let same = usize::from(own.rows) == size.rows()
        && usize::from(own.columns) == size.cols()
        && analysis.decomposition.safe().len() == size.area();
    if !same {
        return Err(AnnotateError::Board {
            columns: own.columns.into(),
            rows: own.rows.into(),
        });
    }
    let points: Vec<Point> = size.points().collect();
    let sgf = |p: usize| points.get(p).map(|&p| size.sgf(p));
    let before = tree.node(node);
    let text = with_comment(tree, before, comment)?;
    let labels = labels(analysis, before, &points);
    let (black, white) = territories(analysis, board, before);
    tree.set_text(node, "C", &text)?;
    for (id, values) in [("LB", labels), ("TB", black), ("TW", white)] {
        add(tree, node, id, values)?;
    }
    if tree.node(node).children().next().is_some() {
        let mut parent = node;
        for (number, m) in analysis.line.iter().enumerate() {
            let Some(place) = sgf(m.point) else { break };
            parent = tree.add_node(parent)?;
            let id = match m.colour {
                Colour::Black => "B",
                Colour::White => "W",
            };
            tree.set_raw(parent, id, &[&place])?;
            if number == 0 {
                tree.set_text(parent, "C", "Best play, computed")?;
            }
        }
    }
    Ok(())
}

/// What the comment of a node becomes.
fn with_comment(tree: &Tree, node: NodeRef<'_>, more: &str) -> Result<String, AnnotateError> {
    let Some(property) = node.get("C") else {
        return Ok(more.to_owned());
    };
    let old: Vec<String> = property.values().iter().map(|v| tree.text(v)).collect();
    // What could not be read would not be written as it was.
    if old
        .iter()
        .any(|text| text.contains(char::REPLACEMENT_CHARACTER))
    {
        return Err(AnnotateError::Comment {
            charset: tree.charset().to_string(),
        });
    }
    Ok(format!("{}\n\n{more}", old.join("\n").trim_end()))
}

/// Values of a property that are put beside those that are there.
fn add(tree: &mut Tree, node: NodeId, id: &str, values: Vec<String>) -> Result<(), EditError> {
    if values.is_empty() {
        return Ok(());
    }
    let mut all: Vec<String> = Vec::new();
    if let Some(property) = tree.node(node).get(id) {
        let old = property.values().iter().map(|v| tree.escaped_text(v));
        all.extend(old.filter(|value| !value.is_empty()));
    }
    all.extend(values);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    tree.set_raw(node, id, &all)
}

fn place(point: Point) -> Option<SgfPoint> {
    Some(SgfPoint {
        row: u8::try_from(point.row()).ok()?,
        column: u8::try_from(point.col()).ok()?,
    })
}

/// Labels on empty points of regions that have none yet.
fn labels(analysis: &Analysis, node: NodeRef<'_>, points: &[Point]) -> Vec<String> {
    let taken: Vec<SgfPoint> = node.labels("LB").into_iter().map(|(p, _)| p).collect();
    let mut labels = Vec::new();
    for (letters, report) in lettered(analysis) {
        for &p in &analysis.decomposition.regions()[report.region].points {
            if let Some(at) = points.get(p).and_then(|&p| place(p))
                && !taken.contains(&at)
                && let Some(two) = at.letters()
            {
                labels.push(format!("{two}:{letters}"));
            }
        }
    }
    labels
}

/// Settled points that are marked as nobody's yet: Black's and White's.
fn territories(
    analysis: &Analysis,
    board: &Board,
    node: NodeRef<'_>,
) -> (Vec<String>, Vec<String>) {
    let mut taken = node.points("TB");
    taken.extend(node.points("TW"));
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for (point, owner) in territory(analysis, board) {
        let Some(two) = place(point)
            .filter(|at| !taken.contains(at))
            .and_then(SgfPoint::letters)
        else {
            continue;
        };
        match owner {
            Colour::Black => black.push(two),
            Colour::White => white.push(two),
        }
    }
    (black, white)
}

#[cfg(test)]
mod tests {
    use yose_go::Grid;
    use yose_go::sgf::{self, Charset, ReadOptions, ReplayOptions};

    use super::*;
    use crate::board::{Question, analyse};

    /// A corridor of two points, D2 and E2, open to White: `{1|*}`.
    const SETUP: &str = "SZ[7:3]KM[0]AB[ca][da][ea][ab][bb][cb][bc][cc][dc][ec]AW[fa][fb][gb][fc]";

    fn read(text: &[u8]) -> Tree {
        let reading = sgf::read(text).unwrap();
        assert!(reading.repairs.is_empty(), "{:?}", reading.repairs);
        reading.games.into_iter().next().unwrap()
    }

    fn first(text: &str) -> Tree {
        read(text.as_bytes())
    }

    /// Analyses the position at a node, writes it there, and reads the record again.
    fn annotated(tree: &mut Tree, node: NodeId) -> Result<(Tree, String), AnnotateError> {
        let replay = tree.node(node).replay(&ReplayOptions::default()).unwrap();
        let board = replay.game.board();
        let cells = board.cells();
        let grid = Grid::new(board.size().rows(), board.size().cols(), &cells).unwrap();
        let mut solver = LocalSolver::default();
        let question = Question::new(replay.game.to_play());
        let analysis = analyse(&mut solver, &grid, &question).unwrap();
        let said = comment(&analysis, &mut solver, board, "territory scoring");
        annotate(tree, node, &analysis, board, &said)?;
        Ok((read(&sgf::write(std::slice::from_ref(tree))), said))
    }

    fn moves(tree: &Tree) -> Vec<(Colour, Option<SgfPoint>)> {
        tree.main_line().flat_map(NodeRef::moves).collect()
    }

    fn points(node: NodeRef<'_>, id: &str) -> Vec<String> {
        let letters = node.points(id).into_iter().filter_map(SgfPoint::letters);
        letters.collect()
    }

    #[test]
    fn everything_is_written_at_the_position() {
        let mut tree = first(&format!("(;{SETUP}PL[W])"));
        let (again, said) = annotated(&mut tree, NodeId::ROOT).unwrap();
        let root = again.root();
        assert_eq!(root.text("C").as_deref(), Some(said.as_str()));
        assert!(said.contains("White to play"), "{said}");
        // White moves in: one of the three points for Black against two is left, and a dame.
        assert!(said.contains("Score with best play: B+1 (exact)"), "{said}");
        assert!(said.contains("Best move: E2 in A"), "{said}");
        assert!(said.contains("A: {1|*}, count 1/2"), "{said}");
        assert!(said.contains("Best play: WE2 BD2"), "{said}");
        let labels: Vec<(String, String)> = root
            .labels("LB")
            .into_iter()
            .map(|(p, text)| (p.letters().unwrap(), text))
            .collect();
        let label = |p: &str| (p.to_owned(), "A".to_owned());
        assert_eq!(labels, [label("db"), label("eb")]);
        assert_eq!(points(root, "TB"), ["aa", "ba", "ac"]);
        assert_eq!(points(root, "TW"), ["ga", "gc"]);
        // The record ends there, and still does.
        assert_eq!(again.node_count(), 1);
    }

    #[test]
    fn what_stands_there_is_kept() {
        let text = format!("(;{SETUP}LB[db:mine][aa:1]TB[ba]TW[gc]C[Said \\] before])");
        let mut tree = first(&text);
        let (again, said) = annotated(&mut tree, NodeId::ROOT).unwrap();
        let root = again.root();
        assert_eq!(root.text("C").unwrap(), format!("Said ] before\n\n{said}"));
        let labels: Vec<String> = root.labels("LB").into_iter().map(|l| l.1).collect();
        assert_eq!(labels, ["mine", "1", "A"]);
        assert_eq!(points(root, "TB"), ["aa", "ba", "ac"]);
        assert_eq!(points(root, "TW"), ["ga", "gc"]);
    }

    /// In some charsets the second byte of a character is `\` or `]`; in some records bytes are no characters.
    #[test]
    fn comments_in_other_charsets() {
        let with = |charset: &str, bytes: &[u8]| {
            let mut text = format!("(;CA[{charset}]{SETUP}C[").into_bytes();
            text.extend_from_slice(bytes);
            text.extend_from_slice(b"]PB[");
            text.extend_from_slice(bytes);
            text.extend_from_slice(b"])");
            text
        };
        for (charset, bytes, comment) in [
            ("UTF-8", "最後の一手 é".as_bytes(), "最後の一手 é"),
            // Katakana so, whose second byte is a backslash.
            ("Shift_JIS", b"\x83\x5c\x82\xcc", "ソの"),
            ("GB18030", b"\xce\xa7\xc6\xe5", "围棋"),
            ("Big5", b"\xb3\x5c", "許"),
            ("ISO-8859-1", b"Stra\xdfe", "Straße"),
        ] {
            let mut tree = read(&with(charset, bytes));
            let (again, said) = annotated(&mut tree, NodeId::ROOT).unwrap();
            assert_eq!(again.charset(), tree.charset(), "{charset}");
            let root = again.root();
            let expected = format!("{comment}\n\n{said}");
            assert_eq!(root.text("C"), Some(expected), "{charset}");
            assert_eq!(root.text("PB").as_deref(), Some(comment), "{charset}");
        }
        // Not what the record says: read as what it can be.
        let text = with("UTF-8", b"caf\xe9 \xff");
        let mut tree = sgf::read(&text).unwrap().games.remove(0);
        let (again, _) = annotated(&mut tree, NodeId::ROOT).unwrap();
        let comment = again.root().text("C").unwrap();
        assert!(comment.starts_with("caf\u{e9} \u{ff}\n\n"), "{comment}");
        // Bytes that are no characters in a charset that was asked for: refused, and nothing is changed.
        let options = ReadOptions {
            charset: Some(Charset::UTF_8),
            ..ReadOptions::default()
        };
        let mut tree = sgf::read_with(&text, &options).unwrap().games.remove(0);
        let before = sgf::write(std::slice::from_ref(&tree));
        let error = annotated(&mut tree, NodeId::ROOT).unwrap_err();
        assert!(matches!(error, AnnotateError::Comment { .. }), "{error}");
        assert_eq!(sgf::write(std::slice::from_ref(&tree)), before);
    }

    #[test]
    fn in_the_middle_of_a_game_best_play_is_a_variation() {
        let text = format!("(;{SETUP}PL[W]C[start];W[db]C[bad];B[eb];W[];B[])");
        let mut tree = first(&text);
        let (before, nodes) = (moves(&tree), tree.node_count());
        let (again, _) = annotated(&mut tree, NodeId::ROOT).unwrap();
        assert_eq!(moves(&again), before);
        let children: Vec<NodeRef<'_>> = again.root().children().collect();
        assert_eq!(children.len(), 2);
        let mut line = Vec::new();
        let mut next = Some(children[1]);
        while let Some(node) = next {
            line.extend(node.moves());
            next = node.children().next();
        }
        let at = |text: &[u8; 2]| SgfPoint {
            row: text[1] - b'a',
            column: text[0] - b'a',
        };
        assert_eq!(
            line,
            [
                (Colour::White, Some(at(b"eb"))),
                (Colour::Black, Some(at(b"db")))
            ]
        );
        assert_eq!(again.node_count(), nodes + 2);
        // The nodes of the game are as they were.
        assert_eq!(children[0].text("C").as_deref(), Some("bad"));
        assert!(again.root().text("C").unwrap().starts_with("start\n\n"));
    }

    #[test]
    fn a_position_inside_a_variation() {
        let text = format!("(;{SETUP}PL[B](;B[eb];W[])(;B[];W[aa](;B[eb];W[gc])(;B[db])))");
        let mut tree = first(&text);
        let main = moves(&tree);
        let pass = tree.root().children().nth(1).unwrap();
        let inside = pass.children().next().unwrap().id();
        let (again, said) = annotated(&mut tree, inside).unwrap();
        assert_eq!(moves(&again), main);
        assert!(again.root().get("C").is_none());
        let inside = again.node(inside);
        assert_eq!(inside.text("C").as_deref(), Some(said.as_str()));
        // Two lines of the record go on from there; best play is the third.
        let lines: Vec<_> = inside.children().map(NodeRef::moves).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[2][0].0, Colour::Black);
        // White's stone in Black's eye is a second point there.
        assert!(said.contains("Score with best play: B+3 (exact)"), "{said}");
    }

    #[test]
    fn another_board_is_refused() {
        let mut tree = first("(;SZ[9])");
        let own = first(&format!("(;{SETUP})"));
        let replay = own.replay(&ReplayOptions::default()).unwrap();
        let board = replay.game.board();
        let cells = board.cells();
        let grid = Grid::new(3, 7, &cells).unwrap();
        let mut solver = LocalSolver::default();
        let analysis = analyse(&mut solver, &grid, &Question::new(Colour::Black)).unwrap();
        let before = sgf::write(std::slice::from_ref(&tree));
        let error = annotate(&mut tree, NodeId::ROOT, &analysis, board, "").unwrap_err();
        assert_eq!(
            error,
            AnnotateError::Board {
                columns: 9,
                rows: 9
            }
        );
        assert_eq!(sgf::write(std::slice::from_ref(&tree)), before);
    }
}
