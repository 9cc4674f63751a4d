//! Counting: area and territory, with dead stones given or guessed.
//!
//! All results are Black minus White, in half points where komi comes in.

use std::fmt;

use thiserror::Error;

use crate::board::Board;
use crate::colour::Colour;
use crate::game::Game;
use crate::playout::{self, Random};
use crate::point::{Move, Point};
use crate::rules::{HandicapBonus, Scoring};
use crate::size::Size;

/// Why the players cannot have agreed on that.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AgreedError {
    /// A point named as dead or in seki that holds no stone.
    #[error("there is no stone at {vertex} to be called dead or in seki")]
    NoStone {
        /// The point, as a GTP vertex.
        vertex: String,
    },
    /// A chain named as dead that is also named as alive in seki.
    #[error("the chain at {vertex} is called both dead and alive in seki")]
    DeadAndSeki {
        /// The point that names it as in seki, as a GTP vertex.
        vertex: String,
    },
}

/// What the players agree on before counting. One stone of a chain stands for the whole chain.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Agreed {
    /// Stones that are taken off; under territory counting they are prisoners.
    pub dead: Vec<Point>,
    /// Stones alive in seki: under territory counting what they surround counts for nobody.
    /// Without meaning under area counting.
    pub seki: Vec<Point>,
}

impl Agreed {
    /// Every stone is alive: Tromp-Taylor counting.
    #[must_use]
    pub const fn nothing() -> Self {
        Self {
            dead: Vec::new(),
            seki: Vec::new(),
        }
    }
}

/// Who owns each point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ownership {
    size: Size,
    /// In reading order.
    owners: Vec<Option<Colour>>,
}

impl Ownership {
    /// The owner of a point; nothing for neutral points and those off the board.
    #[must_use]
    pub fn owner(&self, point: Point) -> Option<Colour> {
        if self.size.contains(point) {
            self.owners[self.size.flat(point)]
        } else {
            None
        }
    }

    /// The owners of all points in reading order.
    #[must_use]
    pub fn owners(&self) -> &[Option<Colour>] {
        &self.owners
    }

    /// How many points a colour owns.
    #[must_use]
    pub fn count(&self, colour: Colour) -> usize {
        self.owners
            .iter()
            .filter(|&&owner| owner == Some(colour))
            .count()
    }

    /// How many points nobody owns.
    #[must_use]
    pub fn neutral(&self) -> usize {
        self.owners.iter().filter(|owner| owner.is_none()).count()
    }

    /// Black's points minus White's.
    #[must_use]
    pub fn lead(&self) -> i32 {
        let sign = |owner: &Option<Colour>| match owner {
            None => 0,
            Some(Colour::Black) => 1,
            Some(Colour::White) => -1,
        };
        self.owners.iter().map(sign).sum()
    }
}

/// The outcome of a game in half points, Black minus White: printed `B+3.5`, `W+12`, `0`.
///
/// ```
/// use yose_go::score::Score;
/// assert_eq!(Score::from_half_points(7).to_string(), "B+3.5");
/// assert_eq!(Score::from_half_points(-24).to_string(), "W+12");
/// assert_eq!(Score::from_half_points(0).to_string(), "0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A score of so many half points, Black minus White.
    #[must_use]
    pub const fn from_half_points(half_points: i32) -> Self {
        Self(half_points)
    }

    /// Black minus White in half points.
    #[must_use]
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Who won; nobody in a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Colour> {
        match self.0 {
            0 => None,
            1.. => Some(Colour::Black),
            _ => Some(Colour::White),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner() else {
            return f.write_str("0");
        };
        let letter = if winner == Colour::Black { 'B' } else { 'W' };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{letter}+{}{half}", self.0.unsigned_abs() / 2)
    }
}

/// The stones of each point, dead ones taken off, and how many of each colour were.
struct Cleared {
    size: Size,
    /// By [`Point::index`].
    stones: [Option<Colour>; Point::INDICES],
    seki: [bool; Point::INDICES],
    dead: [u32; 2],
}

impl Cleared {
    fn new(board: &Board, agreed: &Agreed) -> Result<Self, AgreedError> {
        let size = board.size();
        let mut cleared = Self {
            size,
            stones: [None; Point::INDICES],
            seki: [false; Point::INDICES],
            dead: [0; 2],
        };
        for (point, colour) in board.stones() {
            cleared.stones[point.index()] = Some(colour);
        }
        let stone = |point: Point| {
            board.stone(point).ok_or_else(|| AgreedError::NoStone {
                vertex: size.gtp(point),
            })
        };
        for &point in &agreed.dead {
            let colour = stone(point)?;
            for dead in board.chain_stones(point) {
                // A chain may be named more than once, but is taken off once.
                if cleared.stones[dead.index()].take().is_some() {
                    cleared.dead[colour.index()] += 1;
                }
            }
        }
        for &point in &agreed.seki {
            stone(point)?;
            if cleared.stones[point.index()].is_none() {
                let vertex = size.gtp(point);
                return Err(AgreedError::DeadAndSeki { vertex });
            }
            for alive in board.chain_stones(point) {
                cleared.seki[alive.index()] = true;
            }
        }
        Ok(cleared)
    }

    /// The owner of each empty point, in reading order: of those from which only one colour can
    /// be reached. With `seki`, points from which a stone in seki can be reached have none. With
    /// `stones`, stones own their points.
    fn owners(&self, board: &Board, seki: bool, stones: bool) -> Ownership {
        let mut owners = [None; Point::INDICES];
        let mut seen = [false; Point::INDICES];
        let mut region = Vec::new();
        for start in self.size.points() {
            if let Some(colour) = self.stones[start.index()] {
                owners[start.index()] = Some(colour).filter(|_| stones);
                continue;
            }
            if seen[start.index()] {
                continue;
            }
            seen[start.index()] = true;
            region.clear();
            region.push(start);
            let mut reached = [false; 2];
            let mut next = 0;
            while let Some(&point) = region.get(next) {
                next += 1;
                for near in board.neighbours(point) {
                    if let Some(colour) = self.stones[near.index()] {
                        reached[colour.index()] = true;
                        if seki && self.seki[near.index()] {
                            reached = [true; 2];
                        }
                    } else if !seen[near.index()] {
                        seen[near.index()] = true;
                        region.push(near);
                    }
                }
            }
            let owner = match reached {
                [true, false] => Some(Colour::Black),
                [false, true] => Some(Colour::White),
                _ => None,
            };
            for point in &region {
                owners[point.index()] = owner;
            }
        }
        let owners = self
            .size
            .points()
            .map(|point| owners[point.index()])
            .collect();
        Ownership {
            size: self.size,
            owners,
        }
    }
}

/// Area: each side owns its stones and the empty points from which only its stones can be reached,
/// after the dead ones have been taken off. With [`Agreed::nothing`] this is Tromp-Taylor
/// counting to the letter: no stone is dead, whatever surrounds it.
///
/// # Errors
///
/// If a point named in `agreed` holds no stone, or a chain is called dead and in seki.
pub fn area(board: &Board, agreed: &Agreed) -> Result<Ownership, AgreedError> {
    Ok(Cleared::new(board, agreed)?.owners(board, false, true))
}

/// Territory: each side owns the points without living stones from which only its living stones
/// can be reached, none of them in seki. Prisoners are not in it.
///
/// # Errors
///
/// If a point named in `agreed` holds no stone, or a chain is called dead and in seki.
pub fn territory(board: &Board, agreed: &Agreed) -> Result<Ownership, AgreedError> {
    Ok(Cleared::new(board, agreed)?.owners(board, true, false))
}

/// Stones of each colour that come off the board before counting, Black's first.
///
/// # Errors
///
/// If a point named in `agreed` holds no stone, or a chain is called dead and in seki.
pub fn dead_stones(board: &Board, agreed: &Agreed) -> Result<[u32; 2], AgreedError> {
    Ok(Cleared::new(board, agreed)?.dead)
}

/// The outcome of a game by its rules, komi and handicap: exactly
///
/// - area: Black's points of [`area`] minus White's;
/// - territory: Black's points of [`territory`] plus white stones taken in the game plus dead white
///   stones, minus the same for White; if passes cost a stone, each pass of White's counts for Black and the
///   other way round;
/// - minus komi, minus White's bonus for handicap stones.
///
/// Nothing else: no point is filled, no stone found dead that is not named.
///
/// # Errors
///
/// If a point named in `agreed` holds no stone, or a chain is called dead and in seki.
pub fn score(game: &Game, agreed: &Agreed) -> Result<Score, AgreedError> {
    let (board, rules) = (game.board(), game.rules());
    let points = match rules.scoring {
        Scoring::Area => area(board, agreed)?.lead(),
        Scoring::Territory => {
            let cleared = Cleared::new(board, agreed)?;
            let lead = cleared.owners(board, true, false).lead();
            let gained = |colour: Colour| {
                let mut stones = board.captures(colour) + cleared.dead[(!colour).index()];
                if rules.pass_stones {
                    let given = |ply: &&crate::Ply| ply.colour != colour && ply.mv == Move::Pass;
                    let passes = game.moves().iter().filter(given).count();
                    stones += u32::try_from(passes).unwrap_or(u32::MAX);
                }
                i32::try_from(stones).unwrap_or(i32::MAX / 4)
            };
            lead + gained(Colour::Black) - gained(Colour::White)
        }
    };
    let stones = i32::from(game.handicap());
    let bonus = match rules.handicap_bonus {
        HandicapBonus::None => 0,
        HandicapBonus::Stones => stones,
        HandicapBonus::StonesMinusOne => (stones - 1).max(0),
    };
    Ok(Score(2 * (points - bonus) - i32::from(game.komi())))
}

/// Guesses which stones are dead, from random games: one stone of each chain of which more than
/// 80 % of the games end with most of its points the other side's. A guess for finished games,
/// not a proof; the same answer for the same seed.
#[must_use]
pub fn guess_dead(board: &Board, to_play: Colour, games: u32, seed: u64) -> Vec<Point> {
    let size = board.size();
    let mut random = Random::new(seed);
    let mut lost = vec![0_u64; size.area()];
    let mut end = board.clone();
    for _ in 0..games {
        end.copy_from(board);
        playout::run(&mut end, to_play, &mut random);
        let Ok(owners) = area(&end, &Agreed::nothing()) else {
            continue;
        };
        for (point, colour) in board.stones() {
            lost[size.flat(point)] += u64::from(owners.owner(point) == Some(!colour));
        }
    }
    board
        .chains()
        .filter(|&chain| {
            let lost: u64 = board
                .chain_stones(chain)
                .map(|stone| lost[size.flat(stone)])
                .sum();
            let all = u64::from(board.chain_size(chain)) * u64::from(games);
            5 * lost > 4 * all
        })
        .collect()
}
