//! Whether a [`Game`] keeps the promises that solvers rely on.
//!
//! The check visits every index and compares the game with itself: ranks with positions, moves
//! with un-moves, images with each other. It needs no solution; with one it compares the values of
//! images too. It knows nothing about the rules, so a game can pass and still be another game than
//! the one meant: perft and move lists from elsewhere are for that.

use std::fmt::{self, Debug};

use crate::reference::Solution;
use crate::{Game, Successor, Value};

/// How many violations a [`Report`] keeps; the others are only counted.
pub const KEPT: usize = 20;

/// What to compare with, beside the game itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// A solution of the game: images must have equal values.
    pub solution: Option<&'a Solution>,
    /// The number of positions, both sides to move and no symmetry folded, known from elsewhere:
    /// the weights must add up to it.
    pub positions: Option<u64>,
}

/// A broken promise. The position is the one where it shows; indices are the game's.
#[derive(Debug, Clone, PartialEq)]
pub enum Violation<P, M> {
    /// The position at an index has another index, or none.
    RankOfUnrank {
        /// The index.
        index: u64,
        /// Its position.
        position: P,
        /// The position's index.
        rank: Option<u64>,
    },
    /// The index of a position holds a position that is no image of it, or is a hole.
    NotTheSame {
        /// The position.
        position: P,
        /// Its index.
        index: u64,
        /// What is at that index.
        found: Option<P>,
    },
    /// A move leads to a position without an index.
    SuccessorOutside {
        /// The position.
        position: P,
        /// The move.
        mv: M,
        /// The position after it.
        successor: P,
    },
    /// An image has no index.
    ImageOutside {
        /// The position.
        position: P,
        /// Its image.
        image: P,
    },
    /// A position is not among the images of its image.
    ImageNotMutual {
        /// The position.
        position: P,
        /// Its image.
        image: P,
    },
    /// The moves of an image do not lead to the images of what the position's moves lead to.
    ImageMoves {
        /// The position.
        position: P,
        /// Its image.
        image: P,
    },
    /// An image has another value.
    ImageValue {
        /// The position.
        position: P,
        /// The position's value.
        value: Option<Value>,
        /// Its image.
        image: P,
        /// The image's value.
        image_value: Option<Value>,
    },
    /// The indices of a position and its images hold more or less than one with a weight.
    ClassWeight {
        /// The position.
        position: P,
        /// The number of indices with a weight.
        weighted: usize,
    },
    /// The un-moves of a successor do not lead back.
    PredecessorMissing {
        /// The position.
        position: P,
        /// The move.
        mv: M,
        /// The position after it, whose predecessors lack `position`.
        successor: P,
    },
    /// A predecessor has no index.
    PredecessorOutside {
        /// The position.
        position: P,
        /// The predecessor.
        predecessor: P,
    },
    /// A predecessor has no move to the position.
    PredecessorFalse {
        /// The position.
        position: P,
        /// The predecessor.
        predecessor: P,
    },
    /// The weights do not add up to the number of positions known from elsewhere.
    WeightSum {
        /// The number known.
        expected: u64,
        /// The sum of the weights.
        sum: u64,
    },
}

impl<P: Debug, M: Debug> fmt::Display for Violation<P, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RankOfUnrank {
                index,
                position,
                rank,
            } => {
                write!(f, "index {index} is {position:?}, whose index is {rank:?}")
            }
            Self::NotTheSame {
                position,
                index,
                found,
            } => {
                write!(f, "{position:?} has index {index}, where {found:?} is")
            }
            Self::SuccessorOutside {
                position,
                mv,
                successor,
            } => {
                write!(
                    f,
                    "{mv:?} leads from {position:?} to {successor:?}, which has no index"
                )
            }
            Self::ImageOutside { position, image } => {
                write!(f, "{image:?}, image of {position:?}, has no index")
            }
            Self::ImageNotMutual { position, image } => {
                write!(
                    f,
                    "{image:?} is an image of {position:?}, but not the other way round"
                )
            }
            Self::ImageMoves { position, image } => {
                write!(
                    f,
                    "{position:?} and its image {image:?} have different moves"
                )
            }
            Self::ImageValue {
                position,
                value,
                image,
                image_value,
            } => {
                write!(
                    f,
                    "{position:?} is {value:?}, its image {image:?} is {image_value:?}"
                )
            }
            Self::ClassWeight { position, weighted } => {
                write!(
                    f,
                    "{position:?} and its images are counted at {weighted} indices"
                )
            }
            Self::PredecessorMissing {
                position,
                mv,
                successor,
            } => {
                write!(
                    f,
                    "{mv:?} leads from {position:?} to {successor:?}, no un-move leads back"
                )
            }
            Self::PredecessorOutside {
                position,
                predecessor,
            } => {
                write!(
                    f,
                    "{predecessor:?}, predecessor of {position:?}, has no index"
                )
            }
            Self::PredecessorFalse {
                position,
                predecessor,
            } => {
                write!(
                    f,
                    "{predecessor:?}, predecessor of {position:?}, has no move to it"
                )
            }
            Self::WeightSum { expected, sum } => {
                write!(
                    f,
                    "the weights add up to {sum}, there are {expected} positions"
                )
            }
        }
    }
}

/// What a check has seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<P, M> {
    /// Indices with a position.
    pub positions: u64,
    /// Indices without one.
    pub holes: u64,
    /// Moves, those decided by rule included.
    pub moves: u64,
    /// Images compared.
    pub images: u64,
    /// Predecessors compared; 0 for a game without un-moves.
    pub predecessors: u64,
    /// The sum of the weights.
    pub weight: u64,
    /// How many promises are broken.
    pub violations: u64,
    /// The first [`KEPT`] violations, in the order of the index.
    pub first: Vec<Violation<P, M>>,
}

impl<P, M> Report<P, M> {
    /// Whether no promise is broken.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.violations == 0
    }
}

/// Puts a game through the check: every index, every move, every image and every un-move.
///
/// Takes about a hundred times as long as solving; meant for small boards and sub-games.
pub fn check<G: Game>(game: &G, options: Options<'_>) -> Report<G::Position, G::Move> {
    let mut checker = Checker {
        game,
        report: Report {
            positions: 0,
            holes: 0,
            moves: 0,
            images: 0,
            predecessors: 0,
            weight: 0,
            violations: 0,
            first: Vec::new(),
        },
    };
    for index in 0..game.index_size() {
        match game.unrank(index) {
            None => checker.report.holes += 1,
            Some(position) => checker.position(index, &position, options.solution),
        }
    }
    let sum = checker.report.weight;
    if let Some(expected) = options.positions.filter(|&expected| expected != sum) {
        checker.found(Violation::WeightSum { expected, sum });
    }
    checker.report
}

struct Checker<'a, G: Game> {
    game: &'a G,
    report: Report<G::Position, G::Move>,
}

impl<G: Game> Checker<'_, G> {
    fn found(&mut self, violation: Violation<G::Position, G::Move>) {
        self.report.violations += 1;
        if self.report.first.len() < KEPT {
            self.report.first.push(violation);
        }
    }

    fn position(&mut self, index: u64, position: &G::Position, solution: Option<&Solution>) {
        self.report.positions += 1;
        self.report.weight += self.game.weight(position);
        let rank = self.game.rank(position);
        if rank != Some(index) {
            self.found(Violation::RankOfUnrank {
                index,
                position: position.clone(),
                rank,
            });
        }
        self.images(index, position, solution);
        self.moves(position);
        self.predecessors(position);
    }

    fn images(&mut self, index: u64, position: &G::Position, solution: Option<&Solution>) {
        let mut indices = vec![index];
        let images = self.game.symmetries(position);
        let successors = self.successors(position);
        for image in images {
            self.report.images += 1;
            if !self.is_image(position, &image) {
                self.found(Violation::ImageNotMutual {
                    position: position.clone(),
                    image: image.clone(),
                });
            }
            if self.successors(&image) != successors {
                self.found(Violation::ImageMoves {
                    position: position.clone(),
                    image: image.clone(),
                });
            }
            let Some(image_index) = self.index_of(&image) else {
                self.found(Violation::ImageOutside {
                    position: position.clone(),
                    image,
                });
                continue;
            };
            indices.push(image_index);
            if let Some(solution) = solution {
                let (value, image_value) = (solution.value(index), solution.value(image_index));
                if value != image_value || value.is_none() {
                    self.found(Violation::ImageValue {
                        position: position.clone(),
                        value,
                        image,
                        image_value,
                    });
                }
            }
        }
        indices.sort_unstable();
        indices.dedup();
        let weighted = indices
            .iter()
            .filter_map(|&index| self.game.unrank(index))
            .filter(|position| self.game.weight(position) > 0)
            .count();
        // Once per class, at its first index.
        if weighted != 1 && indices[0] == index {
            self.found(Violation::ClassWeight {
                position: position.clone(),
                weighted,
            });
        }
    }

    fn moves(&mut self, position: &G::Position) {
        let class = self.class(position);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        for mv in moves {
            self.report.moves += 1;
            let Successor::Position(successor) = self.game.play(position, mv) else {
                continue;
            };
            if self.index_of(&successor).is_none() {
                self.found(Violation::SuccessorOutside {
                    position: position.clone(),
                    mv,
                    successor,
                });
                continue;
            }
            let back = self.game.predecessors(&successor);
            if back.is_some_and(|back| back.iter().all(|p| self.class(p) != class)) {
                self.found(Violation::PredecessorMissing {
                    position: position.clone(),
                    mv,
                    successor,
                });
            }
        }
    }

    fn predecessors(&mut self, position: &G::Position) {
        let class = self.class(position).map(After::Class);
        for predecessor in self.game.predecessors(position).unwrap_or_default() {
            self.report.predecessors += 1;
            let position = position.clone();
            if self.index_of(&predecessor).is_none() {
                self.found(Violation::PredecessorOutside {
                    position,
                    predecessor,
                });
            } else if !self
                .successors(&predecessor)
                .iter()
                .any(|s| Some(s) == class.as_ref())
            {
                self.found(Violation::PredecessorFalse {
                    position,
                    predecessor,
                });
            }
        }
    }

    /// The index of a position; a violation if something else is there.
    fn index_of(&mut self, position: &G::Position) -> Option<u64> {
        let index = self.game.rank(position)?;
        let found = if index < self.game.index_size() {
            self.game.unrank(index)
        } else {
            None
        };
        if !found
            .as_ref()
            .is_some_and(|found| self.is_image(position, found))
        {
            self.found(Violation::NotTheSame {
                position: position.clone(),
                index,
                found,
            });
        }
        Some(index)
    }

    /// Whether `other` is `position` or one of its images.
    fn is_image(&self, position: &G::Position, other: &G::Position) -> bool {
        position == other || self.game.symmetries(other).contains(position)
    }

    /// A number for a position and its images: the least of their indices.
    fn class(&self, position: &G::Position) -> Option<u64> {
        let index = self.game.rank(position)?;
        let images = self.game.symmetries(position);
        images
            .iter()
            .filter_map(|image| self.game.rank(image))
            .chain([index])
            .min()
    }

    /// What the moves of a position lead to, in an order that does not depend on that of the moves.
    fn successors(&self, position: &G::Position) -> Vec<After> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut after: Vec<After> = moves
            .into_iter()
            .map(|mv| match self.game.play(position, mv) {
                Successor::Decided(value) => After::Decided(value.preference()),
                Successor::Position(next) => self.class(&next).map_or(After::Outside, After::Class),
            })
            .collect();
        after.sort_unstable();
        after
    }
}

/// What a move leads to, up to symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum After {
    Class(u64),
    Decided(i64),
    Outside,
}
