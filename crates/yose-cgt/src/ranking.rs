//! The readings of "which part of the sum first?".

use serde::Serialize;

use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::kind::Kind;
use crate::sum::Player;

/// The five readings, each with its first choice first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ranking<T> {
    /// By temperature.
    pub hottest: Vec<T>,
    /// By swing: left stop minus right stop.
    pub swing: Vec<T>,
    /// By V, best for the side to play first.
    pub must: Vec<T>,
    /// By V, worst for the side to play first.
    pub avoid: Vec<T>,
    /// By points lost against the best move, fewest first.
    pub loss: Vec<T>,
}

impl<T> Default for Ranking<T> {
    /// Nothing is ranked.
    fn default() -> Self {
        Self {
            hottest: Vec::new(),
            swing: Vec::new(),
            must: Vec::new(),
            avoid: Vec::new(),
            loss: Vec::new(),
        }
    }
}

/// A part that can be played.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its temperature; what is not known is in no reading.
    pub temperature: Option<Dyadic>,
    /// Left stop minus right stop.
    pub swing: Dyadic,
    /// V: the stop of the whole after the best own move in it.
    pub v: Option<Dyadic>,
    /// Its kind.
    pub kind: Option<Kind>,
}

/// A place in a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Index of the candidate.
    pub candidate: usize,
    /// By what it is ranked.
    pub value: Dyadic,
}

impl Ranking<Place> {
    /// Ranks the parts that can be played. Of equal values dame come last, the others in order. `stop` is the
    /// stop of the whole if `who` plays first; without it, losses are not known.
    ///
    /// # Errors
    /// [`crate::Error::Overflow`]
    pub fn of(candidates: &[Candidate], who: Player, stop: Option<&Dyadic>) -> Result<Self> {
        let rank = |value: &dyn Fn(&Candidate) -> Result<Option<Dyadic>>, falls: bool| {
            let mut list = Vec::with_capacity(candidates.len());
            for (candidate, part) in candidates.iter().enumerate() {
                if let Some(value) = value(part)? {
                    list.push(Place { candidate, value });
                }
            }
            let is_dame = |place: &Place| candidates[place.candidate].kind == Some(Kind::Dame);
            list.sort_by(|a, b| {
                let order = a.value.cmp(&b.value);
                let order = if falls { order.reverse() } else { order };
                order.then(is_dame(a).cmp(&is_dame(b)))
            });
            Ok::<_, crate::Error>(list)
        };
        let left = who == Player::Left;
        Ok(Self {
            hottest: rank(&|part| Ok(part.temperature.clone()), true)?,
            swing: rank(&|part| Ok(Some(part.swing.clone())), true)?,
            must: rank(&|part| Ok(part.v.clone()), left)?,
            avoid: rank(&|part| Ok(part.v.clone()), !left)?,
            loss: rank(
                &|part| match (stop, &part.v) {
                    (Some(stop), Some(v)) => Ok(Some(stop.checked_sub(v)?.abs())),
                    _ => Ok(None),
                },
                false,
            )?,
        })
    }
}

impl<T> Ranking<T> {
    /// The same readings with each place put in other terms.
    #[must_use]
    pub fn map<U>(&self, put: impl Fn(&T) -> U) -> Ranking<U> {
        let map = |list: &[T]| list.iter().map(&put).collect();
        Ranking {
            hottest: map(&self.hottest),
            swing: map(&self.swing),
            must: map(&self.must),
            avoid: map(&self.avoid),
            loss: map(&self.loss),
        }
    }

    /// Keeps at most so many places of each reading.
    pub fn truncate(&mut self, places: usize) {
        for list in [
            &mut self.hottest,
            &mut self.swing,
            &mut self.must,
            &mut self.avoid,
            &mut self.loss,
        ] {
            list.truncate(places);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(temperature: i64, swing: i64, v: Option<i64>, kind: Kind) -> Candidate {
        Candidate {
            temperature: Some(Dyadic::from(temperature)),
            swing: Dyadic::from(swing),
            v: v.map(Dyadic::from),
            kind: Some(kind),
        }
    }

    #[test]
    fn ties_stand_in_order_and_dame_after_their_equals() {
        let parts = [
            candidate(0, 0, Some(3), Kind::Dame),
            candidate(2, 4, Some(3), Kind::Gote),
            candidate(2, 8, Some(1), Kind::Gote),
            candidate(5, 5, None, Kind::Gote),
            candidate(0, 0, Some(4), Kind::Dame),
        ];
        let order = |who, stop: Option<&Dyadic>| {
            let mut ranking = Ranking::of(&parts, who, stop).unwrap();
            ranking.truncate(4);
            ranking.map(|place| place.candidate)
        };
        let four = Dyadic::from(4);
        let black = order(Player::Left, Some(&four));
        assert_eq!(black.hottest, [3, 1, 2, 0]);
        assert_eq!(black.swing, [2, 3, 1, 0]);
        // A dame that is better than all else comes first.
        assert_eq!(black.must, [4, 1, 0, 2]);
        assert_eq!(black.avoid, [2, 1, 0, 4]);
        assert_eq!(black.loss, [4, 1, 0, 2]);
        let white = order(Player::Right, None);
        assert_eq!((white.must, white.loss), (black.avoid, Vec::new()));
    }
}
