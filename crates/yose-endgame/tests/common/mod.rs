//! A plain solver: no sets of bits, no symmetry, no components, no static rule, no bounds; the rules as
//! they are written, every position played to the end.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::needless_range_loop,
    clippy::collapsible_match,
    reason = "plain test code, not all of it used by each test"
)]

use std::collections::HashMap;

use proptest::prelude::*;
use yose_cgt::{GameId, Games};
use yose_endgame::{Area, Place};
use yose_go::{BensonForm, Cell, Colour, Grid, benson_with};

pub(crate) struct Plain {
    rows: usize,
    cols: usize,
    known: HashMap<Vec<Place>, Option<GameId>>,
    path: Vec<Vec<Place>>,
    scores: HashMap<(Vec<Place>, bool, bool), i64>,
    /// What each stone played costs in [`Plain::minimax`]: 0 for area, 1 for territory.
    pub(crate) tax: i64,
    pub(crate) form: BensonForm,
}

impl Plain {
    pub(crate) fn beside(&self, p: usize) -> Vec<usize> {
        let (row, col) = (p / self.cols, p % self.cols);
        let mut all = Vec::new();
        if row > 0 {
            all.push(p - self.cols);
        }
        if row + 1 < self.rows {
            all.push(p + self.cols);
        }
        if col > 0 {
            all.push(p - 1);
        }
        if col + 1 < self.cols {
            all.push(p + 1);
        }
        all
    }

    /// The chain of a stone, and whether it has a liberty or an immortal stone.
    fn chain(&self, places: &[Place], p: usize) -> (Vec<usize>, bool, bool) {
        let (Place::Mortal(colour) | Place::Immortal(colour)) = places[p] else {
            panic!("a stone");
        };
        let (mut chain, mut breathes, mut immortal) = (vec![p], false, false);
        let mut next = 0;
        while next < chain.len() {
            immortal |= places[chain[next]] == Place::Immortal(colour);
            for q in self.beside(chain[next]) {
                match places[q] {
                    Place::Empty => breathes = true,
                    Place::Mortal(c) | Place::Immortal(c) if c == colour => {
                        if !chain.contains(&q) {
                            chain.push(q);
                        }
                    }
                    _ => {}
                }
            }
            next += 1;
        }
        (chain, breathes, immortal)
    }

    pub(crate) fn make_immortal(&self, places: &mut [Place]) {
        loop {
            let before = places.to_vec();
            for p in 0..places.len() {
                if let Place::Mortal(colour) = places[p]
                    && self.chain(places, p).2
                {
                    places[p] = Place::Immortal(colour);
                }
            }
            let cells: Vec<Cell> = places
                .iter()
                .map(|place| match *place {
                    Place::Empty => Cell::Empty,
                    Place::Mortal(c) | Place::Immortal(c) => Cell::stone(c),
                    Place::Off => Cell::Off,
                })
                .collect();
            let grid = Grid::new(self.rows, self.cols, &cells).unwrap();
            let given = places.to_vec();
            for colour in [Colour::Black, Colour::White] {
                let immortal = |p: usize| matches!(given[p], Place::Immortal(_));
                let life = benson_with(&grid, colour, self.form, immortal);
                for p in 0..places.len() {
                    if life.stones[p] && places[p] == Place::Mortal(colour) {
                        places[p] = Place::Immortal(colour);
                    }
                }
            }
            if before == places {
                return;
            }
        }
    }

    /// The position after a move and the stones it took.
    pub(crate) fn play(
        &self,
        places: &[Place],
        colour: Colour,
        p: usize,
    ) -> Option<(Vec<Place>, i64)> {
        let mut next = places.to_vec();
        next[p] = Place::Mortal(colour);
        let mut taken = 0;
        for q in self.beside(p) {
            if next[q] == Place::Mortal(!colour) {
                let (chain, breathes, immortal) = self.chain(&next, q);
                if !breathes && !immortal {
                    taken += i64::try_from(chain.len()).unwrap();
                    for stone in chain {
                        next[stone] = Place::Empty;
                    }
                }
            }
        }
        let (chain, breathes, immortal) = self.chain(&next, p);
        if !breathes && !immortal {
            if self.form == BensonForm::SuicideIllegal || chain.len() == 1 {
                return None;
            }
            taken -= i64::try_from(chain.len()).unwrap();
            for stone in chain {
                next[stone] = Place::Empty;
            }
        }
        self.make_immortal(&mut next);
        Some((next, taken))
    }

    /// Nothing if a repetition can be reached.
    pub(crate) fn value(&mut self, games: &mut Games, places: &[Place]) -> Option<GameId> {
        if let Some(known) = self.known.get(places) {
            return *known;
        }
        if self.path.iter().any(|p| p == places) {
            return None;
        }
        self.path.push(places.to_vec());
        let mut sides = [Vec::new(), Vec::new()];
        let mut repeats = false;
        for colour in [Colour::Black, Colour::White] {
            for p in 0..places.len() {
                if places[p] != Place::Empty {
                    continue;
                }
                let Some((next, taken)) = self.play(places, colour, p) else {
                    continue;
                };
                let Some(value) = self.value(games, &next) else {
                    repeats = true;
                    break;
                };
                let prisoners = if colour == Colour::Black {
                    taken
                } else {
                    -taken
                };
                let prisoners = games.integer(prisoners).unwrap();
                sides[colour.index()].push(games.add(value, prisoners).unwrap());
            }
        }
        self.path.pop();
        let value = (!repeats).then(|| games.make(&sides[0], &sides[1]).unwrap());
        self.known.insert(places.to_vec(), value);
        value
    }
}

impl Plain {
    pub(crate) fn of(area: &Area) -> Self {
        Self {
            rows: area.rows(),
            cols: area.cols(),
            known: HashMap::new(),
            path: Vec::new(),
            scores: HashMap::new(),
            tax: 0,
            form: BensonForm::SuicideIllegal,
        }
    }

    /// Black's stones and the points that reach only black ones, minus White's; every stone alive.
    fn area(&self, places: &[Place]) -> i64 {
        let mut places = places.to_vec();
        if self.tax > 0 {
            self.take_dead(&mut places);
        }
        let places = &places[..];
        let mut seen = vec![false; places.len()];
        let mut sum = 0;
        for first in 0..places.len() {
            match places[first] {
                Place::Mortal(c) | Place::Immortal(c) => {
                    sum += if c == Colour::Black { 1 } else { -1 }
                }
                Place::Empty if !seen[first] => {
                    seen[first] = true;
                    let (mut part, mut next, mut reached) = (vec![first], 0, [false; 2]);
                    while next < part.len() {
                        for q in self.beside(part[next]) {
                            match places[q] {
                                Place::Mortal(c) | Place::Immortal(c) => reached[c.index()] = true,
                                Place::Empty if !seen[q] => {
                                    seen[q] = true;
                                    part.push(q);
                                }
                                _ => {}
                            }
                        }
                        next += 1;
                    }
                    let size = i64::try_from(part.len()).unwrap();
                    sum += match reached {
                        [true, false] => size,
                        [false, true] => -size,
                        _ => 0,
                    };
                }
                _ => {}
            }
        }
        sum
    }

    /// Takes off what is dead at sight: in a part that touches immortal stones of one colour only, with every
    /// point, and holds none of its mortal stones.
    fn take_dead(&self, places: &mut [Place]) {
        let mut seen = vec![false; places.len()];
        for first in 0..places.len() {
            let in_play = |p: Place| matches!(p, Place::Empty | Place::Mortal(_));
            if seen[first] || !in_play(places[first]) {
                continue;
            }
            seen[first] = true;
            let (mut part, mut next, mut touched) = (vec![first], 0, [0; 2]);
            while next < part.len() {
                let mut touches = [false; 2];
                for q in self.beside(part[next]) {
                    match places[q] {
                        Place::Immortal(c) => touches[c.index()] = true,
                        Place::Off => {}
                        _ if !seen[q] => {
                            seen[q] = true;
                            part.push(q);
                        }
                        _ => {}
                    }
                }
                for c in 0..2 {
                    touched[c] += usize::from(touches[c]);
                }
                next += 1;
            }
            for owner in [Colour::Black, Colour::White] {
                let enemy_only = part.iter().all(|&p| places[p] != Place::Mortal(owner));
                if touched[owner.index()] == part.len()
                    && touched[(!owner).index()] == 0
                    && enemy_only
                {
                    for &p in &part {
                        places[p] = Place::Empty;
                    }
                }
            }
        }
    }

    /// Area at the end if both play in turn or pass and two passes end it. Only where no position can
    /// be repeated.
    pub(crate) fn minimax(&mut self, places: &[Place], black: bool, passed: bool) -> i64 {
        let key = (places.to_vec(), black, passed);
        if let Some(score) = self.scores.get(&key) {
            return *score;
        }
        let mut best = if passed {
            self.area(places)
        } else {
            self.minimax(places, !black, true)
        };
        let colour = if black { Colour::Black } else { Colour::White };
        for p in 0..places.len() {
            if places[p] == Place::Empty
                && let Some((next, _)) = self.play(places, colour, p)
            {
                let tax = if black { -self.tax } else { self.tax };
                let score = self.minimax(&next, !black, false) + tax;
                best = if black {
                    best.max(score)
                } else {
                    best.min(score)
                };
            }
        }
        self.scores.insert(key, best);
        best
    }
}

pub(crate) fn plain_value(games: &mut Games, area: &Area) -> Option<GameId> {
    plain_value_with(games, area, BensonForm::SuicideIllegal)
}

pub(crate) fn plain_value_with(games: &mut Games, area: &Area, form: BensonForm) -> Option<GameId> {
    let mut plain = Plain {
        form,
        ..Plain::of(area)
    };
    let mut places = area.places().to_vec();
    plain.make_immortal(&mut places);
    plain.value(games, &places)
}

/// A rectangle within Black's wall, with holes, and few stones of Black in it.
pub(crate) fn black_areas(most: usize) -> impl Strategy<Value = Area> {
    (2_usize..=3, 3_usize..=3)
        .prop_flat_map(move |(rows, cols)| {
            let inside = proptest::collection::vec(
                prop_oneof![8 => Just('.'), 6 => Just('O'), 1 => Just('X'), 1 => Just('B')],
                rows * cols,
            );
            let frame = proptest::collection::vec(
                prop_oneof![5 => Just('B'), 1 => Just('#')],
                2 * (rows + cols) + 4,
            );
            (Just((rows, cols)), inside, frame)
        })
        .prop_filter_map("an area", |(size, inside, frame)| {
            picture(size, inside, frame)
        })
        .prop_filter("not too much to play", move |area| {
            (2..=most).contains(&area.points().count())
        })
}

fn picture((rows, cols): (usize, usize), inside: Vec<char>, frame: Vec<char>) -> Option<Area> {
    let (mut inside, mut frame) = (inside.into_iter(), frame.into_iter());
    let mut sign = |row, col| {
        let edge = row == 0 || col == 0 || row == rows + 1 || col == cols + 1;
        if edge { frame.next() } else { inside.next() }.unwrap()
    };
    let rows: Vec<String> = (0..rows + 2)
        .map(|row| (0..cols + 2).map(|col| sign(row, col)).collect())
        .collect();
    Area::from_rows(&rows).ok()
}

/// A rectangle of random places with a random frame.
pub(crate) fn areas(most: usize) -> impl Strategy<Value = Area> {
    (1_usize..=3, 2_usize..=4)
        .prop_filter("small", |(rows, cols)| rows * cols <= 9)
        .prop_flat_map(|(rows, cols)| {
            let inside = proptest::collection::vec(
                prop_oneof![4 => Just('.'), 1 => Just('X'), 1 => Just('O'), 1 => Just('B'), 1 => Just('W')],
                rows * cols,
            );
            let frame = proptest::collection::vec(
                prop_oneof![3 => Just('B'), 3 => Just('W'), 2 => Just('#')],
                2 * (rows + cols) + 4,
            );
            (Just((rows, cols)), inside, frame)
        })
        .prop_filter_map("an area", |(size, inside, frame)| picture(size, inside, frame))
        .prop_filter("not too much to play", move |area| {
            (2..=most).contains(&area.points().count())
        })
}

/// Two areas, one above the other.
pub(crate) fn stacked(most: usize, all: usize) -> impl Strategy<Value = Area> {
    (areas(most), areas(most)).prop_filter_map("not too much to play", move |(above, below)| {
        let (above, below) = (above.to_rows(), below.to_rows());
        let wide = above[0].len().max(below[0].len());
        let rows: Vec<String> = above
            .iter()
            .chain(&below)
            .map(|row| format!("{row:#<wide$}"))
            .collect();
        let area = Area::from_rows(&rows).ok()?;
        (area.points().count() + area.mortal().count() <= all).then_some(area)
    })
}
