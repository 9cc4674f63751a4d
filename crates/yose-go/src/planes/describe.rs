//! What each plane means, in words.

use super::PlaneSet;
use super::gnugo;

/// A plane of a set; the number is known to be below [`PlaneSet::planes`].
pub(crate) fn plane(set: PlaneSet, plane: usize) -> String {
    match set {
        PlaneSet::Agz if plane < 16 => {
            let whose = ["own", "opponent's"][plane % 2];
            format!("{whose} stones, {} positions ago", plane / 2)
        }
        PlaneSet::AgzAbsolute if plane < 16 => {
            let whose = ["Black's", "White's"][plane / 8];
            format!("{whose} stones, {} positions ago", plane % 8)
        }
        PlaneSet::Agz | PlaneSet::AgzAbsolute => "Black to play".to_owned(),
        PlaneSet::AlphaGo | PlaneSet::AlphaGo49 => alphago(plane),
        PlaneSet::Overview48 => overview(plane),
        PlaneSet::GnuGo => gnugo::describe(plane),
    }
}

/// "3", or "8 or more" for the last of eight planes.
fn count(k: usize, first: usize) -> String {
    if k == 7 {
        format!("{} or more", first + 7)
    } else {
        (first + k).to_string()
    }
}

fn stones(plane: usize) -> String {
    ["own stones", "opponent's stones", "empty points", "ones"][plane].to_owned()
}

fn alphago(plane: usize) -> String {
    match plane {
        0..4 => stones(plane),
        4..12 => format!(
            "stones placed {} turns before the last",
            count(plane - 4, 0)
        ),
        12..20 => format!("stones of chains with {} liberties", count(plane - 12, 1)),
        20..28 => format!("legal moves that capture {} stones", count(plane - 20, 0)),
        28..36 => format!("legal moves into atari of {} stones", count(plane - 28, 1)),
        36..44 => format!("legal moves that leave {} liberties", count(plane - 36, 1)),
        44 => "moves that capture in a ladder".to_owned(),
        45 => "moves that save from a ladder".to_owned(),
        46 => "legal moves that fill no own eye".to_owned(),
        47 => "zeros".to_owned(),
        _ => "Black to play".to_owned(),
    }
}

fn overview(plane: usize) -> String {
    match plane {
        0..4 => stones(plane),
        4..12 => format!("stones of chains with {} liberties", count(plane - 4, 1)),
        12..20 => format!("legal moves that capture {} stones", count(plane - 12, 0)),
        20..28 => format!("legal moves that leave {} liberties", count(plane - 20, 1)),
        28..36 => format!(
            "stones placed {} turns before the last",
            count(plane - 28, 0)
        ),
        36..48 => OVERVIEW_REST[plane - 36].to_owned(),
        _ => String::new(),
    }
}

const OVERVIEW_REST: [&str; 12] = [
    "moves that capture in a ladder",
    "moves that save from a ladder",
    "opponent's stones that a ladder captures",
    "opponent's stones in atari",
    "own stones in atari that a move saves from a ladder",
    "own stones in atari that no move saves from a ladder",
    "own stones that a ladder would capture if the opponent were to play",
    "moves with which the opponent would begin such a ladder",
    "legal moves that fill no own eye",
    "legal moves into atari",
    "the point of a ko that may not be retaken",
    "Black to play",
];
