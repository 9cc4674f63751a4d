//! Rules of thumb for sums, and what they cost: Hotstrat, largest swing, Thermostrat, Sentestrat.
//!
//! A strategy chooses the *part*; in it the best option for the sum is played. So a loss is the fault of
//! the choice of the part alone. Only Thermostrat, when it is played to the end, keeps to the options that its
//! guarantee rests on: with others that are better now, it may later fall below it.

use super::Player;
use super::compound::thermostrat;
use super::line::{Ending, best_reply};
use super::search::{Deadline, Search};
use super::solve::{Board, SumLimits, SumSolution, default_nodes};
use super::table::{Place, Table};
use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, Result};
use crate::form::FormId;
use crate::rational::Rational;
use crate::thermograph::Thermograph;
use std::time::Instant;

/// A rule that chooses the part to play in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The part of highest temperature.
    Hotstrat,
    /// The part of largest swing (left stop minus right stop).
    LargestSwing,
    /// The widest thermograph at the ambient temperature of the best compound bound.
    Thermostrat,
    /// Answer in the part the opponent just played in, if it is now hotter than the lowest ambient
    /// temperature so far; else the hottest part.
    Sentestrat,
}

impl Strategy {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 4] = [
        Self::Hotstrat,
        Self::LargestSwing,
        Self::Thermostrat,
        Self::Sentestrat,
    ];

    /// The key in reports: `hottest`, `swing`, `thermostrat`, `sentestrat`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Hotstrat => "hottest",
            Self::LargestSwing => "swing",
            Self::Thermostrat => "thermostrat",
            Self::Sentestrat => "sentestrat",
        }
    }
}

/// What a strategy plays at the root and what that loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The strategy.
    pub strategy: Strategy,
    /// The part it chooses (the first of equals).
    pub part: usize,
    /// The best option there.
    pub option: FormId,
    /// Points lost against the best move, never negative.
    pub loss: Dyadic,
}

/// One move of a game played on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameMove {
    /// Who moves.
    pub who: Player,
    /// In which part.
    pub part: usize,
    /// To which value.
    pub to: GameId,
}

/// A strategy played to the end against perfect play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The moves until every part is a number.
    pub moves: Vec<GameMove>,
    /// The score reached.
    pub score: Dyadic,
    /// The score under perfect play of both.
    pub optimal: Dyadic,
    /// What the strategy lost in all, never negative.
    pub loss: Dyadic,
}

/// What Sentestrat remembers.
#[derive(Debug, Clone, Default)]
struct Memory {
    ambient: Option<Rational>,
    opponent_played: Option<usize>,
}

/// What a strategy chooses.
struct Choice {
    part: usize,
    /// If only the options are to be played that reach the wall at this temperature.
    ambient: Option<Rational>,
}

impl Choice {
    fn of(part: usize) -> Self {
        Choice {
            part,
            ambient: None,
        }
    }
}

/// The part a strategy chooses; `None` if all are numbers, or if it goes by thermographs and one is too deep
/// for the limits.
fn choose(
    games: &mut Games,
    strategy: Strategy,
    values: &[GameId],
    who: Player,
    memory: &Memory,
) -> Result<Option<Choice>> {
    let playable: Vec<usize> = (0..values.len())
        .filter(|&i| games.as_number(values[i]).is_none())
        .collect();
    if strategy == Strategy::LargestSwing {
        let mut best: Option<(Dyadic, usize)> = None;
        for i in playable {
            let swing = (games.left_stop(values[i]) - games.right_stop(values[i]))?;
            if best.as_ref().is_none_or(|b| swing > b.0) {
                best = Some((swing, i));
            }
        }
        return Ok(best.map(|b| Choice::of(b.1)));
    }
    let mut walls = Vec::with_capacity(playable.len());
    for &i in &playable {
        match games.thermograph_within_limits(values[i])? {
            Some(t) => walls.push((i, t)),
            None => return Ok(None),
        }
    }
    if strategy == Strategy::Thermostrat {
        let walls: Vec<_> = walls.iter().map(|(i, t)| (*i, &**t)).collect();
        let chosen = thermostrat(&walls, &Rational::ZERO, who, || false)?;
        return Ok(chosen.map(|t| Choice {
            part: t.part,
            ambient: Some(t.temperature),
        }));
    }
    if let (Strategy::Sentestrat, Some(j), Some(ambient)) =
        (strategy, memory.opponent_played, &memory.ambient)
        && walls
            .iter()
            .any(|(i, t)| *i == j && t.temperature > *ambient)
    {
        return Ok(Some(Choice::of(j)));
    }
    let mut best: Option<(&Rational, usize)> = None;
    for (i, t) in &walls {
        if best.is_none_or(|b| t.temperature > *b.0) {
            best = Some((&t.temperature, *i));
        }
    }
    Ok(best.map(|b| Choice::of(b.1)))
}

/// Every strategy's choice at the root of a solved sum.
pub(crate) fn picks(
    games: &mut Games,
    s: &SumSolution,
    mut out_of_time: impl FnMut() -> bool,
) -> Result<Vec<Pick>> {
    let Some(stop) = s.stop().exact() else {
        return Ok(Vec::new());
    };
    let values: Vec<GameId> = s.parts.iter().map(|p| p.value).collect();
    let mut out = Vec::new();
    for strategy in Strategy::ALL {
        // Thermostrat's choice is known from the guarantee, unless the time was up.
        let part = match strategy {
            Strategy::Thermostrat => s.thermostrat.as_ref().map(|t| t.part),
            _ if out_of_time() => None,
            _ => choose(games, strategy, &values, s.who, &Memory::default())?.map(|c| c.part),
        };
        let Some(part) = part else { continue };
        let p = &s.parts[part];
        let Some(v) = p.v.as_ref().and_then(super::Bounds::exact) else {
            continue;
        };
        let Some(&(option, _)) = p
            .options
            .iter()
            .find(|(_, b)| b.exact().as_ref() == Some(&v))
        else {
            continue;
        };
        out.push(Pick {
            strategy,
            part,
            option,
            loss: stop.checked_sub(&v)?.abs(),
        });
    }
    Ok(out)
}

impl Games {
    /// Plays a sum to the end: `strategist` follows the strategy, the other side plays perfectly.
    ///
    /// ```
    /// use yose_cgt::{Games, Player, Strategy, SumLimits};
    /// let mut g = Games::new();
    /// let sum = g.parse("{10|{0|-100}} + {8|-8}")?;
    /// let parts = g.components(sum);
    /// let game = g.play_out(&parts, Player::Left, Player::Left, Strategy::Hotstrat, SumLimits::default())?;
    /// assert_eq!((game.score.to_string(), game.loss.to_string()), ("2".into(), "6".into()));
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`] if the search limit is reached (a game played on by guesses would be worthless);
    /// [`Error::Overflow`] if scores take more than about 120 bits; errors of evaluation.
    pub fn play_out(
        &mut self,
        components: &[FormId],
        first: Player,
        strategist: Player,
        strategy: Strategy,
        limits: SumLimits,
    ) -> Result<Game> {
        // Numbers are not played; they may be too wide for the table.
        let (mut values, mut playable) = (Vec::new(), Vec::new());
        let mut constant = Dyadic::ZERO;
        for (i, &c) in components.iter().enumerate() {
            let value = self.value(c)?;
            match self.as_number(value) {
                Some(x) => constant = constant.checked_add(&x)?,
                None => {
                    values.push(value);
                    playable.push(i);
                }
            }
        }
        let table = Table::new(self, &values)?;
        let max_nodes = limits
            .nodes
            .unwrap_or_else(|| default_nodes(components.len()));
        let deadline = Deadline {
            at: limits.time.and_then(|t| Instant::now().checked_add(t)),
            asked: None,
        };
        let mut search = Search::new(&table, max_nodes, deadline);
        match self.play_on(&mut search, values, first, strategist, strategy) {
            Ok(mut game) => {
                for m in &mut game.moves {
                    m.part = playable[m.part];
                }
                game.score = game.score.checked_add(&constant)?;
                game.optimal = game.optimal.checked_add(&constant)?;
                Ok(game)
            }
            Err(Ending::Failed(e)) => Err(e),
            Err(Ending::Stopped) => Err(Error::Limit {
                what: "states searched",
                limit: max_nodes,
            }),
        }
    }

    fn play_on(
        &mut self,
        search: &mut Search<'_>,
        mut values: Vec<GameId>,
        first: Player,
        strategist: Player,
        strategy: Strategy,
    ) -> std::result::Result<Game, Ending> {
        let optimal = whole_stop(self, search, &values, first)?;
        let mut memory = Memory::default();
        let mut moves = Vec::new();
        let mut who = first;
        loop {
            let hottest = self.hottest(&values)?;
            let Some(hottest) = hottest else { break };
            let colder = memory.ambient.take().filter(|a| *a < hottest);
            memory.ambient = Some(colder.unwrap_or(hottest));
            let next = if who == strategist {
                let Some(choice) = choose(self, strategy, &values, who, &memory)? else {
                    break;
                };
                let to = best_in_part(self, search, &values, &choice, who)?;
                (choice.part, to)
            } else {
                let target = whole_stop(self, search, &values, who)?;
                match best_reply(self, search, &values, who, target)? {
                    Some(m) => m,
                    None => break,
                }
            };
            memory.opponent_played = (who != strategist).then_some(next.0);
            values[next.0] = next.1;
            moves.push(GameMove {
                who,
                part: next.0,
                to: next.1,
            });
            who = who.other();
        }
        let mut score = Dyadic::ZERO;
        for v in &values {
            score = score.checked_add(&self.left_stop(*v))?;
        }
        let optimal = search.table.unscale(optimal)?;
        let loss = match strategist {
            Player::Left => optimal.checked_sub(&score)?,
            Player::Right => score.checked_sub(&optimal)?,
        };
        Ok(Game {
            moves,
            score,
            optimal,
            loss,
        })
    }

    fn hottest(&mut self, values: &[GameId]) -> Result<Option<Rational>> {
        let mut hottest: Option<Rational> = None;
        for &v in values {
            if self.as_number(v).is_none() {
                let t = self.thermograph(v)?.temperature.clone();
                hottest = hottest.max(Some(t));
            }
        }
        Ok(hottest)
    }
}

/// The stop of the whole, scaled.
fn whole_stop(
    games: &Games,
    search: &mut Search<'_>,
    values: &[GameId],
    who: Player,
) -> std::result::Result<i128, Ending> {
    let places = values
        .iter()
        .map(|v| search.table.place_of(games, v.0))
        .collect::<Result<_>>()?;
    let board = Board {
        places,
        constant: Dyadic::ZERO,
    };
    let (state, offset) = board.after(search, usize::MAX, Place::NOTHING);
    Ok(search.exact(&state, who)? + offset)
}

fn best_in_part(
    games: &mut Games,
    search: &mut Search<'_>,
    values: &[GameId],
    &Choice { part, ref ambient }: &Choice,
    who: Player,
) -> std::result::Result<GameId, Ending> {
    let mut options = match who {
        Player::Left => games.left_options(values[part])?,
        Player::Right => games.right_options(values[part])?,
    };
    if let Some(ambient) = ambient {
        // The wall is that of the best option at this temperature, less the tax.
        let wall = |t: &Thermograph| match who {
            Player::Left => t.right.at(ambient),
            Player::Right => t.left.at(ambient).map(|score| score.negative()),
        };
        let reached = options
            .iter()
            .map(|&o| wall(&*games.thermograph(o)?))
            .collect::<Result<Vec<_>>>()?;
        let highest = reached.iter().max().cloned();
        let mut reached = reached.into_iter();
        options.retain(|_| reached.next() == highest);
    }
    let mut best: Option<(i128, GameId)> = None;
    let mut after = values.to_vec();
    for o in options {
        after[part] = o;
        let v = whole_stop(games, search, &after, who.other())?;
        let better = best.is_none_or(|(b, _)| if who == Player::Left { v > b } else { v < b });
        if better {
            best = Some((v, o));
        }
    }
    // A part that is no number has options on both sides.
    best.map(|b| b.1)
        .ok_or(Ending::Failed(Error::overflow("a part without options")))
}
