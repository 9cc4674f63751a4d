//! The rules within an area, on sets of bits: play, capture, who has become immortal.
//!
//! Only points in play have a bit: empty ones and mortal stones. Of the immortal stones nothing is
//! left but which points touch them. So a stone that becomes immortal leaves the sets, and what it
//! separates falls apart into components that share nothing.

use yose_go::{BensonForm, Colour};

use crate::area::{Area, Place};

/// A set of points in play.
pub(crate) type Set = u128;

/// The points of a set, lowest first.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros() as usize;
        let some = rest != 0;
        rest &= rest.wrapping_sub(1);
        some.then_some(point)
    })
}

/// Which points lie beside which.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) beside: Vec<Set>,
}

/// What stands on a field. Arrays are indexed by [`Colour::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stones {
    /// All points in play.
    pub(crate) all: Set,
    /// Mortal stones of each colour.
    pub(crate) stones: [Set; 2],
    /// Points that touch an immortal stone of each colour.
    pub(crate) touch: [Set; 2],
}

impl Stones {
    pub(crate) const fn empty(&self) -> Set {
        self.all & !self.stones[0] & !self.stones[1]
    }

    /// What lies within a part of the points.
    pub(crate) const fn within(&self, part: Set) -> Self {
        Self {
            all: self.all & part,
            stones: [self.stones[0] & part, self.stones[1] & part],
            touch: [self.touch[0] & part, self.touch[1] & part],
        }
    }

    /// The most that Black can make of it and the least: if the other side never plays, each empty
    /// point is a move and each captured stone a point and a move.
    pub(crate) fn trivial_bounds(&self) -> (i64, i64) {
        let empty = i64::from(self.empty().count_ones());
        let [black, white] = self.stones.map(|s| 2 * i64::from(s.count_ones()));
        (-(empty + black), empty + white)
    }
}

impl Field {
    /// The field of an area, what stands on it (not yet [`Field::settle`]d), and the place of each
    /// point.
    pub(crate) fn of(area: &Area) -> (Self, Stones, Vec<usize>) {
        let mut number = vec![usize::MAX; area.places().len()];
        let mut places = Vec::new();
        for (index, place) in area.places().iter().enumerate() {
            if matches!(place, Place::Empty | Place::Mortal(_)) {
                number[index] = places.len();
                places.push(index);
            }
        }
        let mut stones = Stones {
            all: 0,
            stones: [0; 2],
            touch: [0; 2],
        };
        let mut beside = vec![0; places.len()];
        for (point, &index) in places.iter().enumerate() {
            let bit = 1 << point;
            stones.all |= bit;
            if let Place::Mortal(colour) = area.places()[index] {
                stones.stones[colour.index()] |= bit;
            }
            for other in area.beside(index) {
                match area.places()[other] {
                    Place::Immortal(colour) => stones.touch[colour.index()] |= bit,
                    Place::Off => {}
                    Place::Empty | Place::Mortal(_) => beside[point] |= 1 << number[other],
                }
            }
        }
        (Self { beside }, stones, places)
    }

    /// All points beside a set, and perhaps of it.
    pub(crate) fn around(&self, set: Set) -> Set {
        members(set).fold(0, |sum, point| sum | self.beside[point])
    }

    /// What is connected with `seed` within `inside`.
    pub(crate) fn spread(&self, seed: Set, inside: Set) -> Set {
        let mut all = seed & inside;
        let mut fresh = all;
        while fresh != 0 {
            fresh = self.around(fresh) & inside & !all;
            all |= fresh;
        }
        all
    }

    /// The connected parts of a set, by their lowest points.
    pub(crate) fn parts(&self, set: Set) -> impl Iterator<Item = Set> + '_ {
        let mut rest = set;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let part = self.spread(rest & rest.wrapping_neg(), rest);
                rest &= !part;
                part
            })
        })
    }

    /// The static rule: one colour alone stands around a component, none of its own stones is mortal,
    /// and at most one point touches none of them, which then has two neighbours. So the enemy can never
    /// live, and everything is the owner's: a point for each empty point, two for each enemy stone (Black
    /// minus White). `docs/endgame.md` has the proof.
    pub(crate) fn settled(&self, at: &Stones) -> Option<i64> {
        let (low, high) = at.trivial_bounds();
        let (owner, value) = match at.touch {
            [black, 0] if black != 0 => (0, high),
            [0, white] if white != 0 => (1, low),
            _ => return None,
        };
        let inner = at.all & !at.touch[owner];
        let reached = match inner.count_ones() {
            0 => true,
            1 => (self.around(inner) & at.all).count_ones() >= 2,
            _ => false,
        };
        (at.stones[owner] == 0 && reached).then_some(value)
    }

    /// Fills an empty point. Gives what stands then (not yet settled) and the stones taken off: the
    /// enemy's, or one's own if suicide of several stones is legal; nothing if the move is illegal.
    pub(crate) fn play(
        &self,
        at: &Stones,
        colour: Colour,
        point: usize,
        form: BensonForm,
    ) -> Option<(Stones, Set)> {
        let (own, enemy) = (colour.index(), (!colour).index());
        let bit = 1 << point;
        let mut next = *at;
        next.stones[own] |= bit;
        let empty = next.empty();
        let mut taken = 0;
        let mut near = self.beside[point] & at.stones[enemy];
        while near != 0 {
            let chain = self.spread(near & near.wrapping_neg(), at.stones[enemy]);
            near &= !chain;
            // A settled position has no mortal stone that touches an immortal one of its colour.
            if self.around(chain) & empty == 0 {
                taken |= chain;
            }
        }
        next.stones[enemy] &= !taken;
        if taken == 0 && at.touch[own] & bit == 0 {
            let chain = self.spread(bit, next.stones[own]);
            if self.around(chain) & empty == 0 {
                if form == BensonForm::SuicideIllegal || chain == bit {
                    return None;
                }
                next.stones[own] &= !chain;
                return Some((next, chain));
            }
        }
        Some((next, taken))
    }

    /// Takes out what has become immortal: stones joined to immortal ones, and chains that live
    /// unconditionally (Benson).
    pub(crate) fn settle(&self, at: &mut Stones, form: BensonForm) {
        loop {
            let mut immortal =
                [0, 1].map(|c| self.spread(at.stones[c] & at.touch[c], at.stones[c]));
            if immortal == [0, 0] {
                immortal = [0, 1].map(|c| self.benson(at, c, form));
                if immortal == [0, 0] {
                    return;
                }
            }
            for (c, stones) in immortal.into_iter().enumerate() {
                at.all &= !stones;
                at.stones[c] &= !stones;
                at.touch[c] |= self.around(stones);
            }
            at.touch = at.touch.map(|touch| touch & at.all);
        }
    }

    /// The mortal stones of a colour that live unconditionally. No stone here is immortal yet.
    pub(crate) fn benson(&self, at: &Stones, colour: usize, form: BensonForm) -> Set {
        let own = at.stones[colour];
        if own == 0 {
            return 0;
        }
        let empty = at.empty();
        let mut chains: Vec<(Set, Set)> = self
            .parts(own)
            .map(|chain| (chain, self.around(chain)))
            .collect();
        // Behind a point that touches an immortal enemy stone the region goes on through that stone.
        let mut regions: Vec<(Set, Set)> = self
            .parts(at.all & !own)
            .filter(|region| region & empty != 0 && region & at.touch[1 - colour] == 0)
            .map(|region| {
                let matters = match form {
                    BensonForm::SuicideIllegal => region & empty,
                    BensonForm::SuicideLegal => region,
                };
                (matters, self.around(region) & own)
            })
            .collect();
        loop {
            let mut lost = 0;
            let before = chains.len();
            chains.retain(|&(chain, around)| {
                let vital = |r: &&(Set, Set)| r.0 & !around == 0;
                let lives = regions.iter().filter(vital).take(2).count() == 2;
                if !lives {
                    lost |= chain;
                }
                lives
            });
            if chains.len() == before {
                return chains.iter().fold(0, |sum, chain| sum | chain.0);
            }
            regions.retain(|region| region.1 & lost == 0);
        }
    }
}
