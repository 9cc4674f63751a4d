//! Regions one point high, one above the other: White at the left, Black around.

use yose_go::{Cell, Colour};

use super::canvas::{Canvas, square, within};
use super::{Claim, ConstructError, Constructed};
use crate::corridor::Corridor;

/// Corridors into Black's land.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corridors {
    /// Side of the board.
    pub side: usize,
    /// Empty points of each corridor.
    pub lengths: Vec<usize>,
    /// White stones at the closed end of each; empty for none anywhere.
    pub prisoners: Vec<usize>,
    /// Open to White at both ends instead of one.
    pub both_ends: bool,
}

impl Default for Corridors {
    fn default() -> Self {
        Self {
            side: 19,
            lengths: vec![2, 3, 4, 5],
            prisoners: Vec::new(),
            both_ends: false,
        }
    }
}

/// A board of corridors, one point wide, each open to White at its left end, or at both ends.
///
/// # Errors
/// If they do not fit.
pub fn corridors(wanted: &Corridors) -> Result<Constructed, ConstructError> {
    let count = wanted.lengths.len();
    if !wanted.prisoners.is_empty() && wanted.prisoners.len() != count {
        return Err(ConstructError::Prisoners {
            expected: count,
            found: wanted.prisoners.len(),
        });
    }
    if wanted.both_ends {
        return open_at_both_ends(wanted);
    }
    let rows: Vec<(usize, usize)> = wanted
        .lengths
        .iter()
        .enumerate()
        .map(|(i, &n)| (n, wanted.prisoners.get(i).copied().unwrap_or(0)))
        .collect();
    let mut made = rows_of_corridors(wanted.side, &rows)?;
    made.title = format!(
        "Corridors open to White at one end: {}",
        list(&wanted.lengths)
    );
    Ok(made)
}

/// A board of switches: in each, some White stones in a row can be captured by Black or saved by White
/// with one move. `{2k | 0}` for k stones.
///
/// # Errors
/// If they do not fit.
pub fn switches(side: usize, stones: &[usize]) -> Result<Constructed, ConstructError> {
    let rows: Vec<(usize, usize)> = stones.iter().map(|&k| (1, k)).collect();
    for &k in stones {
        within("stones of a switch", k, 1..=side.saturating_sub(5), side)?;
    }
    let mut made = rows_of_corridors(side, &rows)?;
    made.title = format!("Switches of {} stones", list(stones));
    Ok(made)
}

fn list(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// `{n+2k-1 | corridor of n-1}`, written out.
fn corridor_text(corridor: Corridor) -> String {
    let mut text = "0".to_owned();
    for n in 1..=corridor.points {
        let left = n + 2 * corridor.prisoners - 1;
        text = format!("{{{left}|{text}}}");
    }
    text
}

/// Columns 0 and 1 are White's, with eyes in the corners; Black has eyes at the right edge. Regions lie in
/// every other row.
fn rows_of_corridors(
    side: usize,
    regions: &[(usize, usize)],
) -> Result<Constructed, ConstructError> {
    let size = square(side, 5)?;
    within("regions", regions.len(), 1..=(side - 1) / 2, side)?;
    let mut canvas = Canvas::new(side, Cell::Black);
    canvas.fill(0..=side - 1, 0..=1, Cell::White);
    for row in [0, 2] {
        canvas.set(row, 0, Cell::Empty);
        canvas.set(row, side - 1, Cell::Empty);
    }
    let mut claims = Vec::new();
    for (i, &(points, prisoners)) in regions.iter().enumerate() {
        let room = side - 4;
        within("points of a corridor", points, 1..=room, side)?;
        within(
            "prisoners of a corridor",
            prisoners,
            0..=room - points,
            side,
        )?;
        let row = 2 * i + 1;
        canvas.row(row, 2..=points + 1, Cell::Empty);
        if prisoners > 0 {
            canvas.row(row, points + 2..=points + prisoners + 1, Cell::White);
        }
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let corridor = Corridor {
            points: short(points),
            prisoners: short(prisoners),
        };
        let name = match (points, prisoners) {
            (1, 0) => "dame".to_owned(),
            (1, k) => format!("switch of {k}"),
            (n, 0) => format!("corridor of {n}"),
            (n, k) => format!("corridor of {n} with prisoners: {k}"),
        };
        let most = i64::try_from(2 * prisoners).unwrap_or(i64::MAX);
        claims.push(Claim {
            name,
            point: canvas.at(row, 2),
            value: corridor_text(corridor),
            switch: (points == 1).then_some((most, 0)),
        });
    }
    Ok(Constructed {
        title: String::new(),
        size,
        cells: canvas.cells,
        to_play: Colour::Black,
        claims,
        settled: 0,
        hottest_loses: None,
    })
}

/// White has two columns at either side; Black's bands between the corridors have two eyes each.
fn open_at_both_ends(wanted: &Corridors) -> Result<Constructed, ConstructError> {
    let side = wanted.side;
    let size = square(side, 9)?;
    within("corridors", wanted.lengths.len(), 1..=(side - 1) / 4, side)?;
    if let Some(&found) = wanted.prisoners.iter().find(|&&k| k > 0) {
        within(
            "prisoners of a corridor open at both ends",
            found,
            0..=0,
            side,
        )?;
    }
    let mut canvas = Canvas::new(side, Cell::Black);
    for left in [0, side - 2] {
        canvas.fill(0..=side - 1, left..=left + 1, Cell::White);
        let edge = if left == 0 { 0 } else { side - 1 };
        for row in [0, 2] {
            canvas.set(row, edge, Cell::Empty);
        }
    }
    // Black's bands: above the first corridor, between two, below the last.
    let count = wanted.lengths.len();
    let mut claims = Vec::new();
    for band in 0..=count {
        let row = if band == 0 { 0 } else { 4 * band };
        for col in [3, 5] {
            canvas.set(row, col, Cell::Empty);
        }
    }
    for (i, &points) in wanted.lengths.iter().enumerate() {
        within("points of a corridor", points, 1..=side - 4, side)?;
        let row = 4 * i + 2;
        canvas.row(row, 2..=side - 3, Cell::White);
        canvas.row(row, 2..=points + 1, Cell::Empty);
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        // A point alone is dame; two are nothing; more are a corridor open at one end, two shorter.
        let value = match points {
            1 => "*".to_owned(),
            2 => "0".to_owned(),
            n => corridor_text(Corridor {
                points: short(n - 2),
                prisoners: 0,
            }),
        };
        claims.push(Claim {
            name: format!("corridor of {points} open at both ends"),
            point: canvas.at(row, 2),
            value,
            switch: None,
        });
    }
    let eyes = 2 * i64::try_from(count + 1).unwrap_or(0);
    Ok(Constructed {
        title: format!(
            "Corridors open to White at both ends: {}",
            list(&wanted.lengths)
        ),
        size,
        cells: canvas.cells,
        to_play: Colour::Black,
        claims,
        settled: eyes - 4,
        hottest_loses: None,
    })
}
