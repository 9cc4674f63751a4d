//! Eyes and false eyes of one point.
//!
//! The rule is the recursive one of feature-plane encoders: a point is an eye of a colour if it is
//! empty, all points beside it hold stones of that colour, and few of its diagonal points are bad:
//! none at an edge or a corner, at most one elsewhere. A diagonal point is bad if it holds an enemy
//! stone, or if it is empty and not itself an eye.
//!
//! "Is not itself an eye" makes the rule circular. Taken literally, by recursion that regards points
//! it has come from as eyes, it computes the largest set of points that support each other, but may
//! take exponential time on a chequered board. Here the largest set is found directly, by dropping
//! points until none has to be dropped, in time linear in the number of cells.

use crate::Colour;
use crate::grid::{Cell, Grid};

/// What an empty point is to a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Eye {
    /// Not surrounded by stones of the colour on all sides.
    None,
    /// Surrounded, but too many diagonal points are bad: the stones around it can be made to connect
    /// here.
    False,
    /// An eye.
    True,
}

/// Is this an empty point beside which every point of the board holds a stone of the colour?
///
/// # Panics
/// If `index` is not a cell of the grid.
#[must_use]
pub fn is_eye_shape(grid: &Grid<'_>, index: usize, colour: Colour) -> bool {
    let own = Cell::stone(colour);
    grid.cells()[index] == Cell::Empty
        && grid
            .neighbours(index)
            .all(|q| matches!(grid.cells()[q], cell if cell == own || cell == Cell::Off))
}

/// For each cell: no eye, a false eye or an eye of the colour. Linear in the number of cells.
///
/// ```
/// use yose_go::{Cell, Colour, Eye, Grid, eyes};
///
/// // The corner needs its diagonal point, which is White's.
/// let cells = [".X.", "XO.", "..."]
///     .concat()
///     .chars()
///     .map(|c| match c {
///         'X' => Cell::Black,
///         'O' => Cell::White,
///         _ => Cell::Empty,
///     })
///     .collect::<Vec<_>>();
/// let eyes = eyes(&Grid::new(3, 3, &cells)?, Colour::Black);
/// assert_eq!(eyes[0], Eye::False);
/// assert_eq!(eyes[8], Eye::None);
/// # Ok::<(), yose_go::GridError>(())
/// ```
#[must_use]
pub fn eyes(grid: &Grid<'_>, colour: Colour) -> Vec<Eye> {
    let cells = grid.cells();
    let enemy = Cell::stone(!colour);
    let mut eyes: Vec<Eye> = (0..cells.len())
        .map(|p| match is_eye_shape(grid, p, colour) {
            true => Eye::True,
            false => Eye::None,
        })
        .collect();
    // How many more bad diagonal points each eye can bear; below zero it is false.
    let mut spare = vec![0_i8; cells.len()];
    let mut dropped = Vec::new();
    for p in 0..cells.len() {
        if eyes[p] != Eye::True {
            continue;
        }
        let sides = grid.neighbours(p).filter(|&q| cells[q] != Cell::Off);
        spare[p] = i8::from(sides.count() == 4);
        for q in grid.diagonals(p) {
            let bad =
                cells[q] == enemy || cells[q] == Cell::Empty && !is_eye_shape(grid, q, colour);
            spare[p] -= i8::from(bad);
        }
        if spare[p] < 0 {
            dropped.push(p);
        }
    }
    for &p in &dropped {
        eyes[p] = Eye::False;
    }
    while let Some(p) = dropped.pop() {
        for q in grid.diagonals(p) {
            if eyes[q] != Eye::True {
                continue;
            }
            spare[q] -= 1;
            if spare[q] < 0 {
                eyes[q] = Eye::False;
                dropped.push(q);
            }
        }
    }
    eyes
}
