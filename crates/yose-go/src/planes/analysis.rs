//! What the tactical planes ask of a position: chains, effects of moves, eyes, ladders.

use super::bits::spread;
use super::situation::Situation;
use crate::Size;
use crate::ladder::code;
use crate::ladder::field::{
    BLACK, Bits, EMPTY, Field, NO_CELLS, NOWHERE, Spot, WHITE, among, contains, insert, remove,
};
use crate::ladder::read::Reader;

/// What a legal move does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effect {
    /// The point, as row * columns + column.
    pub(crate) flat: usize,
    /// Stones captured.
    pub(crate) captured: usize,
    /// Stones of the chain made.
    pub(crate) size: usize,
    /// Liberties of the chain made.
    pub(crate) liberties: usize,
}

/// A position taken apart; kept from one position to the next for its memory.
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    pub(crate) reader: Reader,
    pub(crate) own: u8,
    size: Size,
    /// Colours by point.
    cells: Vec<u8>,
    white: Vec<u8>,
    /// The field's cell of each point.
    pub(crate) spots: Vec<Spot>,
    /// The point of each of the field's cells.
    flats: Vec<u16>,
    /// A stone of each chain.
    chains: Vec<Spot>,
    /// Those in atari.
    in_atari: Vec<Spot>,
    /// Legal moves.
    pub(crate) effects: Vec<Effect>,
    eyes: Vec<Spot>,
}

impl Analysis {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a board has at most 625 points"
    )]
    pub(crate) fn new(size: Size) -> Self {
        let field = Field::new(size.rows(), size.cols());
        let spot = |flat| field.spot(flat / size.cols(), flat % size.cols());
        let spots: Vec<Spot> = (0..size.area()).map(spot).collect();
        let last = spots.iter().copied().max().unwrap_or(0);
        let mut flats = vec![u16::MAX; usize::from(last) + 1];
        for (flat, &spot) in spots.iter().enumerate() {
            flats[usize::from(spot)] = flat as u16;
        }
        Self {
            reader: Reader::new(field),
            own: EMPTY,
            size,
            cells: vec![EMPTY; size.area()],
            white: vec![0; size.area()],
            spots,
            flats,
            chains: Vec::new(),
            in_atari: Vec::new(),
            effects: Vec::new(),
            eyes: Vec::new(),
        }
    }

    /// Takes in a position.
    pub(crate) fn load(&mut self, situation: &Situation<'_>) {
        debug_assert_eq!(situation.now().size(), self.size);
        self.own = code(Some(situation.to_play));
        spread(situation.now().bits(crate::Colour::Black), &mut self.cells);
        spread(situation.now().bits(crate::Colour::White), &mut self.white);
        for (cell, white) in self.cells.iter_mut().zip(&self.white) {
            *cell = *cell * BLACK + *white * WHITE;
        }
        let ko = situation.ko.map(|point| (point.row(), point.col()));
        let field = &mut self.reader.field;
        field.load(&self.cells, ko);
        self.chains.clear();
        self.in_atari.clear();
        for (&spot, &cell) in self.spots.iter().zip(&self.cells) {
            if cell != EMPTY && field.chain(spot) == spot {
                self.chains.push(spot);
                if field.liberty_count(spot) == 1 {
                    self.in_atari.push(spot);
                }
            }
        }
        self.effects.clear();
        for flat in 0..self.cells.len() {
            if self.cells[flat] == EMPTY {
                self.effects.extend(self.effect(flat));
            }
        }
    }

    /// Colours by point.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The point of a cell of the field.
    pub(crate) fn flat(&self, spot: Spot) -> usize {
        usize::from(self.flats[usize::from(spot)])
    }

    /// A stone of each chain of a colour with that many liberties.
    pub(crate) fn chains_with(&self, colour: u8, liberties: u16) -> Vec<Spot> {
        let field = &self.reader.field;
        let fits =
            |&spot: &Spot| field.at(spot) == colour && field.liberty_count(spot) == liberties;
        self.chains.iter().copied().filter(fits).collect()
    }

    /// What a move does, if it is legal.
    fn effect(&self, flat: usize) -> Option<Effect> {
        let field = &self.reader.field;
        let spot = self.spots[flat];
        let (mut own, mut own_n) = ([NOWHERE; 4], 0);
        let (mut taken, mut taken_n) = ([NOWHERE; 4], 0);
        let (mut empty, mut empty_n) = ([NOWHERE; 4], 0);
        for q in field.beside(spot) {
            let there = field.at(q);
            if there == EMPTY {
                empty[empty_n] = q;
                empty_n += 1;
            } else if there == self.own {
                let chain = field.chain(q);
                if !among(own, chain) {
                    own[own_n] = chain;
                    own_n += 1;
                }
            } else if there == 3 - self.own {
                let chain = field.chain(q);
                if field.liberty_count(chain) == 1 && !among(taken, chain) {
                    taken[taken_n] = chain;
                    taken_n += 1;
                }
            }
        }
        let (own, taken, empty) = (&own[..own_n], &taken[..taken_n], &empty[..empty_n]);
        let escapes = |&chain: &Spot| field.liberty_count(chain) > 1;
        let legal = spot != field.ko()
            && (!empty.is_empty() || !taken.is_empty() || own.iter().any(escapes));
        if !legal {
            return None;
        }
        let stones = |chains: &[Spot]| chains.iter().map(|&c| usize::from(field.size(c))).sum();
        let captured: usize = stones(taken);
        let size: usize = stones(own);
        let liberties = match own {
            // What is captured touches the new stone with one stone each, or two at most.
            [] if captured == 0 => empty.len(),
            [chain] if captured == 0 => {
                let new = empty
                    .iter()
                    .filter(|&&q| !field.has_liberty(*chain, q))
                    .count();
                usize::from(field.liberty_count(*chain)) - 1 + new
            }
            _ => self.liberties_after(spot, own, taken, empty),
        };
        Some(Effect {
            flat,
            captured,
            size: size + 1,
            liberties,
        })
    }

    /// Liberties of the chain that a move makes, counted one by one.
    fn liberties_after(&self, spot: Spot, own: &[Spot], taken: &[Spot], empty: &[Spot]) -> usize {
        let field = &self.reader.field;
        let mut union: Bits = field.liberty_set(own);
        insert(&mut union, spot);
        let mut count: usize = union
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum::<usize>()
            - 1;
        for &q in empty {
            count += usize::from(insert(&mut union, q));
        }
        for &chain in taken {
            for stone in field.stones(chain) {
                let touches = field
                    .beside(stone)
                    .into_iter()
                    .any(|q| q == spot || field.at(q) == self.own && own.contains(&field.chain(q)));
                count += usize::from(touches && insert(&mut union, stone));
            }
        }
        count
    }

    /// The eyes of a colour by the recursive rule of [`crate::eyes()`], as cells of the field.
    pub(crate) fn eyes(&mut self, colour: u8) -> &[Spot] {
        let field = &self.reader.field;
        self.eyes.clear();
        for (&spot, &flat) in self.spots.iter().zip(&self.cells) {
            if flat == EMPTY && is_eye_shape(field, spot, colour) {
                self.eyes.push(spot);
            }
        }
        true_eyes(field, colour, &mut self.eyes);
        &self.eyes
    }

    /// Marks moves that capture an opponent's chain of two liberties in a ladder, and calls `prey`
    /// with each such chain.
    pub(crate) fn ladder_captures(
        &mut self,
        attacker: u8,
        limit: u64,
        plane: &mut [u8],
        mut prey: impl FnMut(&Self, Spot),
    ) {
        for chain in self.chains_with(3 - attacker, 2) {
            let [a, b] = self.reader.field.first_liberties(chain);
            let mut captured = false;
            for (spot, other) in [(a, b), (b, a)] {
                self.reader.begin(limit, &self.in_atari, chain);
                self.reader.mark_root();
                if self.reader.drive(chain, spot, other) && !self.reader.exhausted {
                    captured = true;
                    plane[self.flat(spot)] = 1;
                }
            }
            if captured {
                prey(self, chain);
            }
        }
    }

    /// Marks moves that save an own chain in atari from a ladder, and calls `prey` with each chain
    /// in atari and whether there is such a move.
    pub(crate) fn ladder_escapes(
        &mut self,
        limit: u64,
        plane: &mut [u8],
        mut prey: impl FnMut(&Self, Spot, bool),
    ) {
        for k in 0..self.in_atari.len() {
            let chain = self.in_atari[k];
            if self.reader.field.at(chain) != self.own {
                continue;
            }
            let mut saved = false;
            self.reader.begin(limit, &self.in_atari, chain);
            let (moves, n) = self.reader.defences(chain);
            for &spot in &moves[..n] {
                self.reader.begin(limit, &self.in_atari, chain);
                if self.reader.saves(chain, spot) && !self.reader.exhausted {
                    saved = true;
                    plane[self.flat(spot)] = 1;
                }
            }
            prey(self, chain, saved);
        }
    }

    /// Sets a plane at the stones of a chain.
    pub(crate) fn mark_stones(&self, chain: Spot, plane: &mut [u8]) {
        for stone in self.reader.field.stones(chain) {
            plane[self.flat(stone)] = 1;
        }
    }
}

/// Is the empty cell surrounded by stones of the colour?
pub(crate) fn is_eye_shape(field: &Field, spot: Spot, colour: u8) -> bool {
    let own_or_wall = |q| !matches!(field.at(q), EMPTY) && field.at(q) != 3 - colour;
    field.beside(spot).into_iter().all(own_or_wall)
}

/// Keeps, of all points with the shape of an eye, those that are eyes.
pub(crate) fn true_eyes(field: &Field, colour: u8, shapes: &mut Vec<Spot>) {
    let mut set = NO_CELLS;
    for &spot in shapes.iter() {
        insert(&mut set, spot);
    }
    loop {
        let before = shapes.len();
        shapes.retain(|&spot| {
            let inside = field
                .beside(spot)
                .into_iter()
                .all(|q| field.at(q) == colour);
            let bad = field.corners(spot).into_iter().filter(|&q| {
                field.at(q) == 3 - colour || field.at(q) == EMPTY && !contains(&set, q)
            });
            let good = bad.count() <= usize::from(inside);
            if !good {
                remove(&mut set, spot);
            }
            good
        });
        if shapes.len() == before {
            return;
        }
    }
}
