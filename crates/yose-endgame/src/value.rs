//! The numbers that players ask of a local value.

use std::collections::HashMap;
use std::sync::Arc;

use yose_cgt::{Dyadic, Error, GameId, Games, Kind, Rational, Thermograph};

/// A value in the words of the field. Black is positive; all numbers are points of territory.
#[derive(Debug, Clone)]
pub struct Worth {
    /// The game itself.
    pub game: GameId,
    /// As [`Games::print`] writes it.
    pub text: String,
    /// The score if Black plays first here and both play on until the value is a number.
    pub left_stop: Dyadic,
    /// The score if White plays first.
    pub right_stop: Dyadic,
    /// Left stop minus right stop.
    pub swing: Dyadic,
    /// The count: the mast value of the thermograph.
    pub mean: Dyadic,
    /// What a move is worth; -1 for an integer, 0 for `*`.
    pub temperature: Dyadic,
    /// Points gained by a move: the temperature; `None` for numbers.
    pub miai_value: Option<Dyadic>,
    /// The difference between either side having played; `None` for numbers.
    pub deiri_value: Option<Dyadic>,
    /// Cooled by 1, a part colder than 1 frozen to its mean: the "chilled" value of the books.
    pub chilled: GameId,
    /// Gote, sente of one side, or nothing worth points.
    pub kind: Kind,
    /// The thermograph, from t = -1.
    pub thermograph: Arc<Thermograph>,
}

impl Worth {
    /// Computes them.
    ///
    /// # Errors
    /// Errors of the thermograph and of cooling: a limit, or a number too large.
    pub fn of(games: &mut Games, game: GameId) -> Result<Self, Error> {
        let (left_stop, right_stop) = (games.left_stop(game), games.right_stop(game));
        let values = games.miai_and_deiri(game)?;
        Ok(Self {
            game,
            text: games.print(game)?,
            swing: left_stop.checked_sub(&right_stop)?,
            left_stop,
            right_stop,
            mean: games.mean(game)?,
            temperature: games.temperature(game)?,
            miai_value: values.as_ref().map(|v| v.0.clone()),
            deiri_value: values.map(|v| v.1),
            chilled: games.cool(game, &Dyadic::ONE)?,
            kind: games.kind(game)?,
            thermograph: games.thermograph(game)?,
        })
    }
}

/// Those of some options (values after a move) that are best at a temperature for Black, or for White: the
/// indices of all equals. What is best may change with the temperature.
///
/// # Errors
/// Errors of the thermograph, or a temperature below -1.
pub fn best_at(
    games: &mut Games,
    options: &[GameId],
    temperature: &Rational,
    black: bool,
) -> Result<Vec<usize>, Error> {
    let mut best: Option<Rational> = None;
    let mut indices = Vec::new();
    for (index, &option) in options.iter().enumerate() {
        let walls = games.thermograph(option)?;
        let wall = if black { &walls.right } else { &walls.left };
        let x = wall.at(temperature)?;
        let better = best
            .as_ref()
            .is_none_or(|b| if black { x > *b } else { x < *b });
        if better {
            best = Some(x);
            indices = vec![index];
        } else if best == Some(x) {
            indices.push(index);
        }
    }
    Ok(indices)
}

/// As [`best_at`] at the temperature of an exact value whose options are only known to lie between two games each:
/// which are best, and which others may be as good. No option is better than what the mast allows, so one that is
/// sure to reach that is best whatever the others are.
pub(crate) fn best_of_bounds(
    games: &mut Games,
    options: &[(GameId, GameId)],
    worth: &Worth,
    black: bool,
) -> Result<[Vec<usize>; 2], Error> {
    let t = Rational::from(&worth.temperature);
    let mean = Rational::from(&worth.mean);
    // Everything in the view of the player who moves.
    let mast = if black { mean } else { mean.negative() }.checked_add(&t)?;
    let mut wall = |option: GameId| -> Result<Option<Rational>, Error> {
        let walls = match games.thermograph(option) {
            Ok(walls) => walls,
            Err(Error::Limit { .. } | Error::Overflow { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let x = if black { &walls.right } else { &walls.left }.at(&t)?;
        Ok(Some(if black { x } else { x.negative() }))
    };
    let mut ends = Vec::with_capacity(options.len());
    for &(low, high) in options {
        let (least, most) = if black { (low, high) } else { (high, low) };
        let most = wall(most)?.map_or_else(|| mast.clone(), |x| x.min(mast.clone()));
        ends.push((wall(least)?, most));
    }
    let floor = ends.iter().filter_map(|(least, _)| least.clone()).max();
    debug_assert!(
        options.iter().any(|o| o.0 != o.1) || floor == Some(mast.clone()),
        "the mast"
    );
    let [mut best, mut open] = [Vec::new(), Vec::new()];
    for (index, (least, most)) in ends.iter().enumerate() {
        let reaches = least.as_ref() == Some(&mast);
        if reaches {
            best.push(index);
        } else if floor.as_ref().is_none_or(|floor| most >= floor) {
            open.push(index);
        }
    }
    Ok([best, open])
}

/// The law of parity: in an area without ko and seki every integer n that ends a line of k moves has the same
/// n + k modulo 2. Gives that remainder, or `None` if the law does not hold, or a number is no integer.
///
/// A canonical form keeps the law, since bypassing reversible moves leaves out two moves at a time.
///
/// # Errors
/// [`Error::Limit`], [`Error::Overflow`]
pub fn parity(games: &mut Games, game: GameId) -> Result<Option<bool>, Error> {
    let mut known: HashMap<GameId, Option<bool>> = HashMap::new();
    let mut todo = vec![game];
    while let Some(&id) = todo.last() {
        if let Some(number) = games.as_number(id) {
            let odd = number
                .is_integer()
                .then(|| number.half().map(|h| !h.is_integer()));
            known.insert(id, odd.transpose()?);
            todo.pop();
            continue;
        }
        let mut options = games.left_options(id)?;
        options.extend(games.right_options(id)?);
        let open: Vec<GameId> = options
            .iter()
            .copied()
            .filter(|o| !known.contains_key(o))
            .collect();
        if open.is_empty() {
            let first = known[&options[0]];
            let all = options.iter().all(|o| known[o] == first);
            known.insert(id, first.filter(|_| all).map(|odd| !odd));
            todo.pop();
        } else {
            todo.extend(open);
        }
    }
    Ok(known[&game])
}

/// The stops of a sum by the fight for the last point: if no part is hotter than 1, with Black to play the
/// score is the least integer that is at least the sum of the chilled values, with White to play the greatest
/// that is at most it (Berlekamp and Wolfe). `None` if a part is hotter or breaks the law of
/// [`parity`], on which this rests.
///
/// # Errors
/// [`Error::Limit`], [`Error::Overflow`]
pub fn stops_by_chilling(
    games: &mut Games,
    values: &[GameId],
) -> Result<Option<(Dyadic, Dyadic)>, Error> {
    let mut chilled = Vec::with_capacity(values.len());
    for &value in values {
        if games.temperature(value)? > Dyadic::ONE || parity(games, value)?.is_none() {
            return Ok(None);
        }
        chilled.push(games.cool(value, &Dyadic::ONE)?);
    }
    let sum = games.sum(&chilled)?;
    let mean = games.mean(sum)?;
    let (mut left, mut right) = (mean.ceil(), mean.floor());
    let bound = games.number(left.clone())?;
    if !games.le(sum, bound)? {
        left = left.checked_add(&Dyadic::ONE)?;
    }
    let bound = games.number(right.clone())?;
    if !games.le(bound, sum)? {
        right = right.checked_sub(&Dyadic::ONE)?;
    }
    Ok(Some((left, right)))
}
