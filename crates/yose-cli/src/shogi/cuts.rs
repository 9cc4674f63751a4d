//! Into which cells a game can be cut, for solvers that do not hold it in one piece.

use yose_retro::partition::Partition as _;
use yose_shogi::kernel::Slices;
use yose_shogi::{Index, Variant};

use crate::failure::Failure;
use crate::output::grouped;

/// Into more cells than this no game is cut: each is a file or two, and what is known of them takes memory.
const MOST_CELLS: u64 = 1 << 20;

/// Cells whose won sets all take fewer bytes are not cut further: that would save little and cost as many visits
/// more as there are more cells.
const WORTH_CUTTING: u64 = 1 << 20;

/// A game cut by the squares of this many kinds of pieces.
pub(crate) fn cut(variant: &Variant, index: &Index, kinds: usize) -> Result<Slices, Failure> {
    let most = index.layouts().groups().len();
    if kinds > most {
        return Err(Failure::usage(format!(
            "--pin expects at most {most}, the kinds of pieces that the game has"
        )));
    }
    let cells = Slices::count(index, kinds);
    if kinds > 0 && cells > MOST_CELLS {
        return Err(Failure::usage(format!(
            "--pin {kinds} would make {} cells, and {} are the most",
            grouped(cells),
            grouped(MOST_CELLS)
        )));
    }
    Ok(Slices::cut(variant, index, kinds))
}

/// The ways to cut a game that are worth it, each when it is asked for, the one with the largest cells first.
pub(crate) fn cuts<'a>(
    variant: &'a Variant,
    index: &'a Index,
) -> impl Iterator<Item = Slices> + 'a {
    let mut kinds = 0;
    let mut largest = u64::MAX;
    std::iter::from_fn(move || {
        if largest < WORTH_CUTTING {
            return None;
        }
        let slices = cut(variant, index, kinds).ok()?;
        let won = (0..slices.cells()).map(|cell| slices.cell_bytes(cell).won);
        largest = won.max().unwrap_or(0);
        kinds += 1;
        Some(slices)
    })
}
