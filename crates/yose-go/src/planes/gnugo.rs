//! Hand-made features of moves.

use super::analysis::{Analysis, is_eye_shape, true_eyes};
use super::situation::Situation;
use crate::ladder::field::{EMPTY, Field, NOWHERE, Spot};
use crate::{Colour, Point, Position};

/// Planes before the pattern.
const PATTERN: usize = 7;

/// Number of planes.
pub(crate) const PLANES: usize = PATTERN + 16;

const NAMES: [&str; PATTERN] = [
    "legal moves",
    "stones captured by the move",
    "own chains joined by the move, less one",
    "moves that make an eye",
    "liberties after the move",
    "fewest liberties of an opponent's chain beside the move, after it",
    "distance to the edge, 1 on the edge",
];

const AROUND: [&str; 8] = ["NW", "N", "NE", "W", "E", "SW", "S", "SE"];

pub(crate) fn describe(plane: usize) -> String {
    match plane.checked_sub(PATTERN) {
        None => NAMES[plane].to_owned(),
        Some(k) => {
            let what = ["own stone", "opponent's stone"][k % 2];
            format!("{what} or no point to the {}", AROUND[k / 2])
        }
    }
}

/// The 3x3 pattern round a point for the side to play, in 16 bits: two for each of the points to the
/// NW, N, NE, W, E, SW, S and SE, the lowest two bits for NW; 0 empty, 1 own, 2 opponent's, 3 not on
/// the board. The middle is not part of it. Bit 2k and 2k + 1 are planes 7 + 2k and 8 + 2k of
/// [`PlaneSet::GnuGo`](super::PlaneSet::GnuGo).
///
/// ```
/// use yose_go::planes::pattern_code;
/// use yose_go::{Board, Colour, Position};
///
/// let board = Board::from_rows(&["XO.", "...", "..."])?;
/// let point = board.size().point(1, 0)?;
/// // Nothing to the west: 3 for NW, W and SW; an own stone to the north, White's to the north-east.
/// let code = pattern_code(&Position::of(&board), point, Colour::Black);
/// assert_eq!(code, 3 | 1 << 2 | 2 << 4 | 3 << 6 | 3 << 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn pattern_code(position: &Position, point: Point, to_play: Colour) -> u16 {
    let size = position.size();
    let (row, col) = (point.row(), point.col());
    let mut code = 0;
    let mut k = 0;
    for down in 0..3 {
        for right in 0..3 {
            if (down, right) == (1, 1) {
                continue;
            }
            let there = (row + down)
                .checked_sub(1)
                .zip((col + right).checked_sub(1));
            let there = there.and_then(|(row, col)| size.point(row, col).ok());
            let cell = match there.map(|point| position.stone(point)) {
                None => 3,
                Some(None) => 0,
                Some(Some(colour)) => 1 + u16::from(colour != to_play),
            };
            code |= cell << (2 * k);
            k += 1;
        }
    }
    code
}

/// The planes; numbers above 255 become 255.
pub(crate) fn encode(analysis: &mut Analysis, situation: &Situation<'_>, out: &mut [u8]) {
    let size = situation.now().size();
    let area = size.area();
    out.fill(0);
    analysis.load(situation);
    let own = analysis.own;
    let eyes_before = analysis.eyes(own).to_vec();
    let mut put = |plane: usize, flat: usize, number: usize| {
        out[plane * area + flat] = u8::try_from(number).unwrap_or(u8::MAX);
    };
    for effect in analysis.effects.clone() {
        let (flat, spot) = (effect.flat, analysis.spots[effect.flat]);
        put(0, flat, 1);
        put(1, flat, effect.captured);
        put(
            2,
            flat,
            chains_beside(&analysis.reader.field, spot, own).saturating_sub(1),
        );
        put(4, flat, effect.liberties);
        analysis.reader.field.play(spot, own);
        let field = &analysis.reader.field;
        let enemies = field
            .beside(spot)
            .into_iter()
            .filter(|&q| field.at(q) == 3 - own);
        let fewest = enemies.map(|q| field.liberty_count(field.chain(q))).min();
        put(5, flat, usize::from(fewest.unwrap_or(0)));
        put(
            3,
            flat,
            usize::from(makes_eye(analysis, spot, &eyes_before)),
        );
        analysis.reader.field.undo();
    }
    for (flat, point) in size.points().enumerate() {
        let rows = point.row().min(size.rows() - 1 - point.row());
        let cols = point.col().min(size.cols() - 1 - point.col());
        put(6, flat, rows.min(cols) + 1);
        let spot = analysis.spots[flat];
        for (k, q) in analysis.reader.field.around(spot).into_iter().enumerate() {
            // Off the board counts as a stone of either.
            let there = analysis.reader.field.at(q);
            let own_or_wall = there != EMPTY && there != 3 - own;
            put(PATTERN + 2 * k, flat, usize::from(own_or_wall));
            put(
                PATTERN + 2 * k + 1,
                flat,
                usize::from(there != EMPTY && there != own),
            );
        }
    }
}

/// How many chains of a colour touch a point.
fn chains_beside(field: &Field, spot: Spot, colour: u8) -> usize {
    let mut chains = [NOWHERE; 4];
    let mut n = 0;
    for q in field.beside(spot) {
        if field.at(q) == colour && !chains.contains(&field.chain(q)) {
            chains[n] = field.chain(q);
            n += 1;
        }
    }
    n
}

/// After the move at `spot`: is a point that touches it, at a side or a corner, an eye that was none?
fn makes_eye(analysis: &Analysis, spot: Spot, before: &[Spot]) -> bool {
    let field = &analysis.reader.field;
    let own = analysis.own;
    let is_shape = |q: Spot| field.at(q) == EMPTY && is_eye_shape(field, q, own);
    let around = field.beside(spot).into_iter().chain(field.corners(spot));
    let new: Vec<Spot> = around
        .filter(|q| is_shape(*q) && !before.contains(q))
        .collect();
    if new.is_empty() {
        return false;
    }
    let mut eyes: Vec<Spot> = analysis
        .spots
        .iter()
        .copied()
        .filter(|&q| is_shape(q))
        .collect();
    true_eyes(field, own, &mut eyes);
    new.iter().any(|q| eyes.contains(q))
}
