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
use std::rc::Rc;

use proptest::prelude::*;
use yose_cgt::{GameId, Games};
use yose_endgame::decompose::Vouched;
use yose_endgame::{Analysis, Area, LocalSolver, Place, Question, analyse};
use yose_go::{BensonForm, Cell, Colour, Grid, benson_with};

/// Black's and White's moves: the position after it and the stones it took.
type Moves = [Vec<(usize, i64)>; 2];

#[derive(Clone)]
struct Met {
    places: Rc<[Place]>,
    moves: Option<Rc<Moves>>,
    /// Nothing if a repetition can be reached.
    value: Option<Option<GameId>>,
    on_path: bool,
    /// By whether Black is to move, and whether the other side has passed.
    scores: [[Option<i64>; 2]; 2],
}

pub(crate) struct Plain {
    rows: usize,
    cols: usize,
    /// The positions met, each with its number, moves and value once they are known.
    numbers: HashMap<Rc<[Place]>, usize>,
    met: Vec<Met>,
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
                if !given.contains(&Place::Mortal(colour)) {
                    continue;
                }
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

    fn number(&mut self, places: &[Place]) -> usize {
        if let Some(&number) = self.numbers.get(places) {
            return number;
        }
        let places: Rc<[Place]> = places.into();
        self.numbers.insert(Rc::clone(&places), self.met.len());
        self.met.push(Met {
            places,
            moves: None,
            value: None,
            on_path: false,
            scores: [[None; 2]; 2],
        });
        self.met.len() - 1
    }

    fn moves(&mut self, number: usize) -> Rc<Moves> {
        if let Some(moves) = &self.met[number].moves {
            return Rc::clone(moves);
        }
        let places = Rc::clone(&self.met[number].places);
        let moves = [Colour::Black, Colour::White].map(|colour| {
            let empty = (0..places.len()).filter(|&p| places[p] == Place::Empty);
            let played: Vec<_> = empty
                .filter_map(|p| self.play(&places, colour, p))
                .collect();
            let number = |(next, taken): (Vec<Place>, i64)| (self.number(&next), taken);
            played.into_iter().map(number).collect()
        });
        let moves = Rc::new(moves);
        self.met[number].moves = Some(Rc::clone(&moves));
        moves
    }

    /// Nothing if a repetition can be reached.
    pub(crate) fn value(&mut self, games: &mut Games, places: &[Place]) -> Option<GameId> {
        let number = self.number(places);
        self.value_of(games, number)
    }

    fn value_of(&mut self, games: &mut Games, number: usize) -> Option<GameId> {
        if let Some(known) = self.met[number].value {
            return known;
        }
        if self.met[number].on_path {
            return None;
        }
        self.met[number].on_path = true;
        let value = self.by_moves(games, number);
        self.met[number].on_path = false;
        self.met[number].value = Some(value);
        value
    }

    fn by_moves(&mut self, games: &mut Games, number: usize) -> Option<GameId> {
        let mut sides = [Vec::new(), Vec::new()];
        let moves = self.moves(number);
        for (side, sign) in [(0, 1), (1, -1)] {
            for &(next, taken) in &moves[side] {
                let value = self.value_of(games, next)?;
                let prisoners = games.integer(sign * taken).unwrap();
                sides[side].push(games.add(value, prisoners).unwrap());
            }
        }
        Some(games.make(&sides[0], &sides[1]).unwrap())
    }

    /// Can a repetition be reached?
    pub(crate) fn repeats(&mut self, places: &[Place]) -> bool {
        let root = self.number(places);
        let (mut path, mut done) = (vec![(root, 0)], vec![false; self.met.len()]);
        self.met[root].on_path = true;
        let mut repeats = false;
        while let Some((number, next)) = path.last_mut() {
            let (number, index) = (*number, *next);
            *next += 1;
            let moves = self.moves(number);
            done.resize(self.met.len(), false);
            let Some(&(after, _)) = moves.iter().flatten().nth(index) else {
                self.met[number].on_path = false;
                done[number] = true;
                path.pop();
                continue;
            };
            if self.met[after].on_path {
                repeats = true;
                break;
            }
            if !done[after] {
                self.met[after].on_path = true;
                path.push((after, 0));
            }
        }
        for (number, _) in path {
            self.met[number].on_path = false;
        }
        repeats
    }
}

impl Plain {
    pub(crate) fn of(area: &Area) -> Self {
        Self {
            rows: area.rows(),
            cols: area.cols(),
            numbers: HashMap::new(),
            met: Vec::new(),
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
        let number = self.number(places);
        self.score(number, black, passed)
    }

    fn score(&mut self, number: usize, black: bool, passed: bool) -> i64 {
        let (to_move, after_pass) = (usize::from(black), usize::from(passed));
        if let Some(score) = self.met[number].scores[to_move][after_pass] {
            return score;
        }
        let mut best = if passed {
            let places = Rc::clone(&self.met[number].places);
            self.area(&places)
        } else {
            self.score(number, !black, true)
        };
        let moves = self.moves(number);
        for &(next, _) in &moves[usize::from(!black)] {
            let tax = if black { -self.tax } else { self.tax };
            let score = self.score(next, !black, false) + tax;
            best = if black {
                best.max(score)
            } else {
                best.min(score)
            };
        }
        self.met[number].scores[to_move][after_pass] = Some(best);
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

/// The cells of an area, and a question in which its immortal stones are vouched for.
pub(crate) fn board(area: &Area, question: Question) -> (Vec<Cell>, Question) {
    let cell = |place: &Place| match *place {
        Place::Empty => Cell::Empty,
        Place::Off => Cell::Off,
        Place::Mortal(c) | Place::Immortal(c) => Cell::stone(c),
    };
    let immortal = |p: &usize| matches!(area.places()[*p], Place::Immortal(_));
    let vouched = Vouched {
        alive: (0..area.places().len()).filter(immortal).collect(),
        ..Vouched::default()
    };
    (
        area.places().iter().map(cell).collect(),
        Question {
            vouched,
            ..question
        },
    )
}

/// The answer about that board.
pub(crate) fn asked(solver: &mut LocalSolver, area: &Area, question: Question) -> Analysis {
    let (cells, question) = board(area, question);
    let grid = Grid::new(area.rows(), area.cols(), &cells).unwrap();
    analyse(solver, &grid, &question).unwrap()
}

impl Plain {
    /// The scores of all positions that can be reached, for White and for Black to move, if play in turn with passes that
    /// never ends counts as given: the least or greatest solution, found by repeating.
    pub(crate) fn endless(
        &mut self,
        places: &[Place],
        worth: i64,
    ) -> HashMap<Rc<[Place]>, [i64; 2]> {
        let root = self.number(places);
        let (mut all, mut next) = (vec![root], 0);
        let mut seen = std::collections::HashSet::from([root]);
        while next < all.len() {
            let moves = self.moves(all[next]);
            all.extend(
                moves
                    .iter()
                    .flatten()
                    .map(|m| m.0)
                    .filter(|m| seen.insert(*m)),
            );
            next += 1;
        }
        // By who is to move; then after a pass of the other.
        let mut scores: HashMap<usize, [[i64; 2]; 2]> =
            all.iter().map(|&n| (n, [[worth; 2]; 2])).collect();
        let counted: Vec<i64> = all
            .iter()
            .map(|&n| {
                let places = Rc::clone(&self.met[n].places);
                self.area(&places)
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (&number, &counted) in all.iter().zip(&counted).rev() {
                let moves = self.moves(number);
                for black in [false, true] {
                    let tax = if black { -self.tax } else { self.tax };
                    let (mover, other) = (usize::from(black), usize::from(!black));
                    let played = moves[usize::from(!black)].iter();
                    let played = played.map(|(next, _)| scores[next][0][other] + tax);
                    let played: Vec<i64> = played.collect();
                    for passed in [0, 1] {
                        let pass = if passed == 1 {
                            counted
                        } else {
                            scores[&number][1][other]
                        };
                        let all = played.iter().copied().chain([pass]);
                        let best = if black { all.max() } else { all.min() }.unwrap();
                        let known = scores.get_mut(&number).unwrap();
                        changed |= known[passed][mover] != best;
                        known[passed][mover] = best;
                    }
                }
            }
        }
        let scores = scores.into_iter();
        scores
            .map(|(n, s)| (Rc::clone(&self.met[n].places), s[0]))
            .collect()
    }
}
