//! The board on which the hottest move is wrong, and the same idea with a false split.
//!
//! G is a serpent: a one-wide Black chain of c stones whose only liberties are q, at its far end, and p, where
//! a further Black stones are in atari. Black at p saves all; White at p takes the a stones and threatens the
//! chain. H is a row of b White stones in atari.

use yose_go::{Cell, Colour};

use super::canvas::{Canvas, square, within};
use super::{Claim, ConstructError, Constructed};

/// The small region beside G and H.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Third {
    /// There is none.
    None,
    /// A dame, `*`.
    Dame,
    /// A corridor of two points, `{1|*}`.
    Corridor,
    /// One White stone in atari, `{2|0}`.
    Switch,
}

impl Third {
    const fn value(self) -> Option<(&'static str, i64)> {
        match self {
            Self::None => None,
            Self::Dame => Some(("*", 0)),
            Self::Corridor => Some(("{1|*}", 1)),
            Self::Switch => Some(("{2|0}", 2)),
        }
    }
}

/// The parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hotstrat {
    /// Side of the board.
    pub side: usize,
    /// a: Black stones in atari in G. G's mean is -2a, its temperature 2a (if c >= 2a).
    pub atari: usize,
    /// c: stones of the chain in G.
    pub chain: usize,
    /// b: White stones in atari in H, `{2b|0}`.
    pub prey: usize,
    /// The small region.
    pub third: Third,
}

impl Default for Hotstrat {
    fn default() -> Self {
        Self {
            side: 19,
            atari: 5,
            chain: 50,
            prey: 8,
            third: Third::Corridor,
        }
    }
}

/// The counterexample to "play where it is hottest". G = `{*|{-2a|-2a-2c}}` is the hottest region if
/// b < 2a <= c; yet for a < b Black should play H = `{2b|0}` first, as White's move in G is sente: G first
/// loses 2b - 2a points less the swing of the third region.
///
/// # Errors
/// If it does not fit.
pub fn hotstrat(wanted: &Hotstrat) -> Result<Constructed, ConstructError> {
    let (mut canvas, serpent) = draw(wanted)?;
    let side = wanted.side;
    for row in [0, 2] {
        canvas.set(row, side - 1, Cell::Empty);
    }
    match wanted.third {
        Third::None => {}
        Third::Dame => canvas.set(4, side - 2, Cell::Empty),
        Third::Corridor => canvas.row(4, side - 2..=side - 1, Cell::Empty),
        Third::Switch => {
            canvas.set(4, side - 2, Cell::Empty);
            canvas.set(4, side - 1, Cell::White);
        }
    }
    let [a, b, c] = counts(wanted);
    let mut claims = vec![
        Claim {
            name: "G".to_owned(),
            point: serpent.p,
            value: format!("{{*|{{{}|{}}}}}", -2 * a, -2 * a - 2 * c),
            switch: None,
        },
        prey(&canvas, side, &serpent, b),
    ];
    if let Some((value, swing)) = wanted.third.value() {
        claims.push(Claim {
            name: "Z".to_owned(),
            point: canvas.at(4, side - 2),
            value: value.to_owned(),
            switch: (swing == 2).then_some((2, 0)),
        });
    }
    // With the third region colder than both others, play goes: G first, White H, Black Z; H first,
    // White G in sente, Black Z or White Z.
    let swing = wanted.third.value().map_or(0, |(_, swing)| swing);
    let known = a < b && b < 2 * a && c >= 2 * a && 2 * (b - a) >= swing;
    let loses = known.then_some(2 * (b - a) - swing);
    let what = match loses {
        Some(1..) => "The hottest move is wrong: ",
        _ => "",
    };
    Ok(Constructed {
        title: format!("{what}G with {a} stones in atari and a chain of {c}, H with {b}"),
        size: square(side, 1)?,
        cells: canvas.cells,
        to_play: Colour::Black,
        claims,
        settled: 0,
        hottest_loses: loses,
    })
}

/// The trap for whoever cuts a board by empty points: the Black stones of the top row live only through
/// what looks like a region of its own, so G and that are one. (The parameter `third` is not used.)
///
/// # Errors
/// If it does not fit.
pub fn false_independence(wanted: &Hotstrat) -> Result<Constructed, ConstructError> {
    let (mut canvas, serpent) = draw(wanted)?;
    let side = wanted.side;
    canvas.row(1, side - 2..=side - 1, Cell::Empty);
    let [a, b, c] = counts(wanted);
    let top = i64::try_from(side - 1 - serpent.q_col).unwrap_or(0);
    let (first, chain) = (2 * a, 2 * a + 2 * c);
    let all = chain + 2 * top + 1;
    let value = format!(
        "{{{{1*|0}}|{{{},{{{}|{}}}|{{{{{}|{}}}|{}}}}}}}",
        -first,
        1 - first,
        1 - chain,
        -first,
        -chain,
        -all
    );
    let claims = vec![
        Claim {
            name: "G and Z".to_owned(),
            point: serpent.p,
            value,
            switch: None,
        },
        prey(&canvas, side, &serpent, b),
    ];
    Ok(Constructed {
        title: "False independence: two sets of empty points, one region".to_owned(),
        size: square(side, 1)?,
        cells: canvas.cells,
        to_play: Colour::Black,
        claims,
        settled: -2,
        hottest_loses: None,
    })
}

fn counts(wanted: &Hotstrat) -> [i64; 3] {
    [wanted.atari, wanted.prey, wanted.chain].map(|n| i64::try_from(n).unwrap_or(i64::MAX / 8))
}

fn prey(canvas: &Canvas, side: usize, serpent: &Serpent, b: i64) -> Claim {
    Claim {
        name: "H".to_owned(),
        point: canvas.at(side - 1, serpent.p_col),
        value: format!("{{{}|0}}", 2 * b),
        switch: Some((2 * b, 0)),
    }
}

/// Where the serpent lies.
struct Serpent {
    p: usize,
    p_col: usize,
    q_col: usize,
}

/// The shape of a serpent of c stones: `turns` rows besides the top one (an even number), `width` columns,
/// a tail of `tail` stones at p, and `top` stones more than the width in the top row.
#[derive(Debug, Clone, Copy)]
struct Shape {
    turns: usize,
    width: usize,
    tail: usize,
    top: usize,
}

impl Shape {
    fn of(chain: usize, widest: usize, longest_top: usize, most_turns: usize) -> Option<Self> {
        for turns in (2..=most_turns).step_by(2) {
            for top in 1..=longest_top {
                for width in (1..=widest).rev() {
                    // Rows 0 and all others but the last, the steps between, the extra of row 0.
                    let body = turns * width + turns + top;
                    if (body + 1..=body + width).contains(&chain) {
                        return Some(Self {
                            turns,
                            width,
                            tail: chain - body,
                            top,
                        });
                    }
                }
            }
        }
        None
    }
}

/// How many stones of H may stand on the right edge, above the corner.
const UP_THE_EDGE: usize = 3;

/// Everything but what is at the upper right.
fn draw(wanted: &Hotstrat) -> Result<(Canvas, Serpent), ConstructError> {
    let side = wanted.side;
    square(side, 13)?;
    within("stones in atari", wanted.atari, 1..=side - 10, side)?;
    // The serpent's last column: then p, the stones in atari, one White stone, two columns of Black. White's
    // eyes need five columns.
    let last = side - 5 - wanted.atari.max(3);
    let (p_col, most_turns) = (last + 1, (side - 9) / 4 * 2);
    let longest_top = side - 4 - p_col;
    let most = most_turns * last + most_turns + longest_top + last;
    within("stones of the chain", wanted.chain, 6..=most, side)?;
    let shape = Shape::of(wanted.chain, last, longest_top, most_turns);
    let Some(shape) = shape else {
        return Err(ConstructError::Range {
            what: "stones of the chain",
            low: 6,
            high: most,
            side,
            found: wanted.chain,
        });
    };
    let bottom = 2 * shape.turns;
    let straight = side - 1 - p_col;
    within("stones of H", wanted.prey, 1..=straight + UP_THE_EDGE, side)?;

    let mut canvas = Canvas::new(side, Cell::White);
    // Black's land: the two columns at the right, and below the serpent.
    canvas.fill(0..=side - 1, side - 2..=side - 1, Cell::Black);
    canvas.fill(bottom + 2..=side - 2, p_col..=side - 1, Cell::Black);
    canvas.set(bottom + 1, p_col, Cell::Black);
    // The serpent from q to p.
    let first = last + 1 - shape.width;
    let q_col = last + shape.top + 1;
    canvas.row(0, first..=side - 2, Cell::Black);
    canvas.set(0, q_col, Cell::Empty);
    for turn in 1..=shape.turns {
        let step = if turn % 2 == 1 { first } else { last };
        canvas.set(2 * turn - 1, step, Cell::Black);
        let from = if turn == shape.turns {
            last + 1 - shape.tail
        } else {
            first
        };
        canvas.row(2 * turn, from..=last, Cell::Black);
    }
    canvas.set(bottom, p_col, Cell::Empty);
    canvas.row(bottom, p_col + 1..=p_col + wanted.atari, Cell::Black);
    // Eyes: White's on either side of the serpent, Black's at the lower right.
    let inner = if shape.turns >= 4 && p_col + 4 <= side - 4 {
        [(3, p_col + 2), (5, p_col + 4)]
    } else {
        [(2, p_col + 1), (2, p_col + 3)]
    };
    for (row, col) in inner
        .into_iter()
        .chain([(bottom + 2, 2), (bottom + 2, 4)])
        .chain([(side - 6, p_col + 3), (side - 6, p_col + 5)])
    {
        canvas.set(row, col, Cell::Empty);
    }
    // H along the lower edge, and up the right one if it is long.
    canvas.row(side - 1, p_col..=side - 1, Cell::Black);
    canvas.set(side - 1, p_col, Cell::Empty);
    for stone in 0..wanted.prey {
        if stone < straight {
            canvas.set(side - 1, p_col + 1 + stone, Cell::White);
        } else {
            canvas.set(side - 2 - (stone - straight), side - 1, Cell::White);
        }
    }
    let serpent = Serpent {
        p: canvas.at(bottom, p_col),
        p_col,
        q_col,
    };
    Ok((canvas, serpent))
}
