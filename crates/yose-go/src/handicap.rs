//! Where handicap stones go by custom.

use thiserror::Error;

use crate::point::Point;
use crate::size::Size;

/// A number of handicap stones that custom has no places for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "a board of {size} has fixed places for {most} handicap stones from 2 on, not for {stones}"
)]
pub struct HandicapError {
    /// Stones asked for.
    pub stones: usize,
    /// Most that are possible; below 2 there are none.
    pub most: usize,
    /// The board.
    pub size: Size,
}

/// The fixed places of 2 to 9 handicap stones, as GTP version 2 lists them for square boards: corners
/// (third line below 13 rows, else fourth), then sides, the centre with 5, 7 and 9. Sides with an even
/// number of points, or 7, have corners only; below 7 there are none. On a rectangle each side goes by its own length.
///
/// # Errors
///
/// If there are no places for that many.
pub fn fixed(size: Size, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let (rows, cols) = (size.rows(), size.cols());
    let short = rows.min(cols);
    let most = if short < 7 {
        0
    } else if rows % 2 == 0 || cols % 2 == 0 || short == 7 {
        4
    } else {
        9
    };
    let error = HandicapError { stones, most, size };
    if stones < 2 || stones > most {
        return Err(error);
    }
    let lines = |side: usize| {
        let edge = if side < 13 { 2 } else { 3 };
        [edge, side / 2, side - 1 - edge]
    };
    let ([top, middle, bottom], [left, centre, right]) = (lines(rows), lines(cols));
    // Lower left, upper right, lower right, upper left; left, right, bottom, top side.
    let mut places = vec![(bottom, left), (top, right), (bottom, right), (top, left)];
    places.extend([
        (middle, left),
        (middle, right),
        (bottom, centre),
        (top, centre),
    ]);
    let centred = stones % 2 == 1 && stones >= 5;
    places.truncate(stones - usize::from(centred));
    if centred {
        places.push((middle, centre));
    }
    places
        .into_iter()
        .map(|(row, col)| size.point(row, col).map_err(|_| error))
        .collect()
}
