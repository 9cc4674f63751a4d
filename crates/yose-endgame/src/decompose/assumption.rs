//! What a decomposition may take for granted, and how it is said.

use yose_go::{AlternateLimits, BensonForm, Colour};

/// What may be taken for granted beyond what is proved. The default assumes nothing.
#[derive(Debug, Clone, Default)]
pub struct Vouched {
    /// Stones (by index of the grid's cells) that the caller vouches for: their chains are never captured,
    /// whatever is played. Others than stones are ignored.
    pub alive: Vec<usize>,
    /// Stones that the caller gives up. Assumed is: the region that such a stone lies in belongs to the other
    /// side as it is, each dead stone worth two points, each empty point one, and no move there changes that.
    /// It is only taken if the region is closed: safe stones of the other side alone stand around it, and all
    /// stones in it of the dead stone's colour are given up too. What is not taken stays in play:
    /// [`Decomposition::not_taken`](super::Decomposition::not_taken).
    pub dead: Vec<usize>,
    /// Also take for granted what a static judgement finds safe. Each group and each territory it takes is
    /// listed with its reason.
    pub auto: bool,
    /// Also take for safe what survives if its owner answers each enemy move where it was made. A group
    /// counts only if its whole eye space comes to lie in one region.
    pub alternate: Option<AlternateLimits>,
    /// Which form of unconditional life holds: whether suicide is legal.
    pub form: BensonForm,
}

/// Something that a decomposition rests on beyond unconditional life.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Assumption {
    /// The caller said that this chain lives.
    Alive {
        /// A stone of it, by index of the grid's cells: the first in row order.
        stone: usize,
    },
    /// The owner answers each enemy move in this eye space at once.
    Answered {
        /// A stone of each chain that then lives.
        chains: Vec<usize>,
        /// Its eye space.
        eye_space: Vec<usize>,
    },
    /// The static judgement says that this chain lives.
    Judged {
        /// A stone of it: the first in row order.
        stone: usize,
        /// Why.
        reason: Reason,
    },
    /// A closed region belongs to the colour around it as it is.
    Territory {
        /// Whose it is.
        owner: Colour,
        /// Its first point or stone in row order.
        first: usize,
        /// How many points it has, stones included.
        points: usize,
        /// A stone of each dead chain.
        dead: Vec<usize>,
        /// Said by the static judgement, not by the caller.
        judged: bool,
    },
}

/// Why the static judgement takes a chain for safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its group has two clear eyes; one point of each.
    TwoEyes(usize, usize),
    /// Its group has secure territory of so many points.
    Territory(usize),
    /// It shares two liberties with the safe chain of this stone.
    Connected(usize),
}

impl Assumption {
    /// Assumptions in words, in fewer lines than one for each: chains that follow one another and live for the
    /// same reason stand together.
    #[must_use]
    pub fn texts(all: &[Self], name: &dyn Fn(usize) -> String) -> Vec<String> {
        let reason = |assumption: &Self| match assumption {
            Self::Judged { reason, .. } => Some(Some(*reason)),
            Self::Alive { .. } => Some(None),
            Self::Answered { .. } | Self::Territory { .. } => None,
        };
        let alike = all.chunk_by(|a, b| reason(a).is_some() && reason(a) == reason(b));
        let line = |alike: &[Self]| {
            let texts: Vec<String> = alike.iter().map(|a| a.text(name)).collect();
            match texts.as_slice() {
                [one] => one.clone(),
                texts => {
                    let chains = texts.iter().filter_map(|text| text.split_once(" lives "));
                    let (names, reasons): (Vec<&str>, Vec<&str>) = chains.unzip();
                    let reason = reasons.first().copied().unwrap_or_default();
                    format!("{} live {reason}", names.join(", "))
                }
            }
        };
        alike.map(line).collect()
    }

    /// The assumption in words; `name` names a point (`D4`).
    #[must_use]
    pub fn text(&self, name: &dyn Fn(usize) -> String) -> String {
        let names = |stones: &[usize]| {
            let names: Vec<String> = stones.iter().map(|&stone| name(stone)).collect();
            names.join(", ")
        };
        match self {
            Self::Alive { stone } => format!("{} lives (given)", name(*stone)),
            Self::Answered { chains, eye_space } => format!(
                "{} lives: its owner answers each move in the eye space of {}",
                names(chains),
                eye_space.first().map_or_else(String::new, |&p| name(p))
            ),
            Self::Judged { stone, reason } => {
                let reason = match *reason {
                    Reason::TwoEyes(one, other) => {
                        format!("two clear eyes, {} and {}", name(one), name(other))
                    }
                    Reason::Territory(points) => format!("secure territory of {points} points"),
                    Reason::Connected(to) => format!("two ways to connect with {}", name(to)),
                };
                format!("{} lives (judged: {reason})", name(*stone))
            }
            Self::Territory {
                owner,
                first,
                points,
                dead,
                judged,
            } => {
                let owner = match owner {
                    Colour::Black => "Black",
                    Colour::White => "White",
                };
                let source = if *judged { "judged" } else { "given" };
                let dead = if dead.is_empty() {
                    String::new()
                } else {
                    format!(", dead in it: {}", names(dead))
                };
                let first = name(*first);
                format!("the {points} points around {first} are {owner}'s ({source}{dead})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_that_live_for_the_same_reason_stand_together() {
        let judged = |stone, reason| Assumption::Judged { stone, reason };
        let all = [
            Assumption::Alive { stone: 0 },
            Assumption::Alive { stone: 7 },
            judged(1, Reason::Territory(9)),
            judged(2, Reason::Territory(9)),
            judged(3, Reason::Territory(8)),
            judged(4, Reason::TwoEyes(5, 6)),
            Assumption::Territory {
                owner: Colour::White,
                first: 8,
                points: 12,
                dead: vec![9],
                judged: true,
            },
        ];
        assert_eq!(
            Assumption::texts(&all, &|p| format!("P{p}")),
            [
                "P0, P7 live (given)",
                "P1, P2 live (judged: secure territory of 9 points)",
                "P3 lives (judged: secure territory of 8 points)",
                "P4 lives (judged: two clear eyes, P5 and P6)",
                "the 12 points around P8 are White's (judged, dead in it: P9)",
            ]
        );
        assert!(Assumption::texts(&[], &|p| p.to_string()).is_empty());
    }
}
