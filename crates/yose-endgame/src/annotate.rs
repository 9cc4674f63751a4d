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
use crate::decompose::RegionKind;
use crate::local::LocalSolver;

/// Values longer than this many letters are cut in comments.
const LONGEST_VALUE: usize = 200;

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
    let first = |r: &&RegionReport| {
        let region = &all[r.region];
        region.points.first().or(region.stones.first()).copied()
    };
    reports.sort_by_key(first);
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
    for assumption in analysis.assumptions() {
        line(format!("Assumed: {}", assumption.text(&at)));
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
