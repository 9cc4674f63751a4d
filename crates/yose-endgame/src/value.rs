//! The numbers that players ask of a local value.

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
