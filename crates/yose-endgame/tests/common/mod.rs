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
}

impl Plain {
    fn beside(&self, p: usize) -> Vec<usize> {
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
                let life = benson_with(&grid, colour, BensonForm::SuicideIllegal, immortal);
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
        let (_, breathes, immortal) = self.chain(&next, p);
        if !breathes && !immortal {
            return None;
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
        }
    }
}

pub(crate) fn plain_value(games: &mut Games, area: &Area) -> Option<GameId> {
    let mut plain = Plain::of(area);
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
