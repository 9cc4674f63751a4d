//! The planes of AlphaGo 2016.

use super::EncodeOptions;
use super::analysis::{Analysis, Effect};
use super::history::turn;
use super::situation::Situation;
use crate::Move;
use crate::ladder::field::EMPTY;

/// The 48 planes, and with room for 49 the colour to play.
pub(crate) fn encode(
    analysis: &mut Analysis,
    situation: &Situation<'_>,
    options: &EncodeOptions,
    out: &mut [u8],
) {
    let area = situation.now().size().area();
    let (tactics, rest) = out.split_at_mut(48 * area);
    tactics.fill(0);
    analysis.load(situation);
    let mut planes = Planes { area, out: tactics };
    planes.stones(analysis);
    planes.ages(situation, 4);
    planes.liberties(analysis, 12);
    planes.captures(&analysis.effects, options, 20);
    for effect in &analysis.effects {
        if effect.liberties == 1 {
            planes.one_hot(28, effect.flat, effect.size, 1);
        }
    }
    planes.liberties_after(&analysis.effects, 36);
    let own = analysis.own;
    analysis.ladder_captures(own, options.ladder_nodes, planes.plane(44), |_, _| {});
    analysis.ladder_escapes(options.ladder_nodes, planes.plane(45), |_, _, _| {});
    planes.sensible(analysis, 46);
    if !rest.is_empty() {
        turn(situation, rest);
    }
}

/// Planes being filled; zeros to begin with.
pub(crate) struct Planes<'a> {
    pub(crate) area: usize,
    pub(crate) out: &'a mut [u8],
}

impl Planes<'_> {
    pub(crate) fn plane(&mut self, plane: usize) -> &mut [u8] {
        &mut self.out[plane * self.area..(plane + 1) * self.area]
    }

    #[inline]
    pub(crate) fn set(&mut self, plane: usize, flat: usize) {
        self.out[plane * self.area + flat] = 1;
    }

    /// Sets one of the eight planes from `start`: the one for a number, the first standing for
    /// `first` and the last for `first + 7` or more. Smaller numbers set none.
    #[inline]
    pub(crate) fn one_hot(&mut self, start: usize, flat: usize, number: usize, first: usize) {
        if number >= first {
            self.set(start + (number - first).min(7), flat);
        }
    }

    /// Planes 0 to 3: own, opponent's, empty, ones.
    pub(crate) fn stones(&mut self, analysis: &Analysis) {
        let own = analysis.own;
        for (plane, colour) in [own, 3 - own, EMPTY].into_iter().enumerate() {
            for (bit, &cell) in self.plane(plane).iter_mut().zip(analysis.cells()) {
                *bit = u8::from(cell == colour);
            }
        }
        self.plane(3).fill(1);
    }

    /// Eight planes: stones placed by the last move, by the one before, ..., 7 or more before.
    pub(crate) fn ages(&mut self, situation: &Situation<'_>, start: usize) {
        let size = situation.now().size();
        let (stones, ages) = self.out.split_at_mut(start * self.area);
        let oldest = 7 * self.area;
        let both = stones[..self.area]
            .iter()
            .zip(&stones[self.area..2 * self.area]);
        for (age, (own, other)) in ages[oldest..oldest + self.area].iter_mut().zip(both) {
            *age = own | other;
        }
        for (age, ply) in situation.plies.iter().rev().take(7).enumerate() {
            if let Move::Place(point) = ply.mv {
                // A point counts from the newest stone, and only while a stone is there.
                let flat = size.flat(point);
                ages[age * self.area + flat] = std::mem::take(&mut ages[oldest + flat]);
            }
        }
    }

    /// Eight planes: stones by the liberties of their chains.
    pub(crate) fn liberties(&mut self, analysis: &Analysis, start: usize) {
        let field = &analysis.reader.field;
        for (flat, &cell) in analysis.cells().iter().enumerate() {
            if cell != EMPTY {
                let chain = field.chain(analysis.spots[flat]);
                self.one_hot(start, flat, usize::from(field.liberty_count(chain)), 1);
            }
        }
    }

    /// Eight planes: legal moves by the number of stones they capture.
    pub(crate) fn captures(&mut self, effects: &[Effect], options: &EncodeOptions, start: usize) {
        let first = usize::from(!options.capture_zero_plane);
        for effect in effects {
            self.one_hot(start, effect.flat, effect.captured, first);
        }
    }

    /// Eight planes: legal moves by the liberties they leave.
    pub(crate) fn liberties_after(&mut self, effects: &[Effect], start: usize) {
        for effect in effects {
            self.one_hot(start, effect.flat, effect.liberties, 1);
        }
    }

    /// Legal moves that fill no own eye.
    pub(crate) fn sensible(&mut self, analysis: &mut Analysis, plane: usize) {
        for effect in &analysis.effects {
            self.set(plane, effect.flat);
        }
        let own = analysis.own;
        let eyes: Vec<usize> = {
            let spots = analysis.eyes(own).to_vec();
            spots.into_iter().map(|spot| analysis.flat(spot)).collect()
        };
        for flat in eyes {
            self.plane(plane)[flat] = 0;
        }
    }
}
