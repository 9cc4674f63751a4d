//! Encoding one position after the other.

use super::analysis::Analysis;
use super::batch::{Element, Sample};
use super::situation::Situation;
use super::{EncodeError, EncodeOptions, PlaneSet, alphago, gnugo, history, overview};
use crate::{Game, Size};

/// Writes planes of one set for boards of one size. It holds working memory, so keep it for many
/// positions.
///
/// ```
/// use yose_go::planes::{EncodeOptions, Encoder, PlaneSet};
/// use yose_go::{Game, Rules, Size};
///
/// let game = Game::new(Size::square(9)?, Rules::CHINESE);
/// let mut encoder = Encoder::new(PlaneSet::AlphaGo, game.size(), EncodeOptions::default());
/// let mut planes = vec![0_u8; encoder.len()];
/// encoder.encode(&game, 0, &mut planes)?;
/// assert_eq!(planes[3 * 81], 1); // plane 3 is all ones
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Encoder {
    set: PlaneSet,
    size: Size,
    options: EncodeOptions,
    analysis: Option<Box<Analysis>>,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder of a set of planes for boards of a size.
    #[must_use]
    pub fn new(set: PlaneSet, size: Size, options: EncodeOptions) -> Self {
        let history_only = matches!(set, PlaneSet::Agz | PlaneSet::AgzAbsolute);
        Self {
            set,
            size,
            options,
            analysis: (!history_only).then(|| Box::new(Analysis::new(size))),
            bytes: Vec::new(),
        }
    }

    /// How many numbers a position takes: planes x rows x columns.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.set.len(self.size)
    }

    /// Never: every set has planes and every board has points.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Encodes the position after `ply` moves of a game (0 = the start) for the side that played
    /// next, in the last position for the side to play. Every number of `out` is written.
    ///
    /// # Errors
    /// If the game is shorter or on a board of another size, or if `out` has not
    /// [`len`](Self::len) places.
    pub fn encode<T: Element>(
        &mut self,
        game: &Game,
        ply: usize,
        out: &mut [T],
    ) -> Result<(), EncodeError> {
        let history = game.history();
        self.encode_sample(Sample { history, ply }, out)
    }

    /// As [`encode`](Self::encode), of a game of which only moves and positions are left.
    ///
    /// # Errors
    /// As there.
    pub fn encode_sample<T: Element>(
        &mut self,
        sample: Sample<'_>,
        out: &mut [T],
    ) -> Result<(), EncodeError> {
        let Sample { history, ply } = sample;
        if history.size() != self.size {
            return Err(EncodeError::Size {
                expected: self.size,
                got: history.size(),
            });
        }
        if out.len() != self.len() {
            return Err(EncodeError::Room {
                expected: self.len(),
                got: out.len(),
            });
        }
        let situation = Situation::of(history, ply)?;
        if let Some(bytes) = T::as_bytes(out) {
            self.write(&situation, bytes);
            return Ok(());
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(self.len(), 0);
        self.write(&situation, &mut bytes);
        for (to, &from) in out.iter_mut().zip(&bytes) {
            *to = T::from(from);
        }
        self.bytes = bytes;
        Ok(())
    }

    fn write(&mut self, situation: &Situation<'_>, out: &mut [u8]) {
        let options = &self.options;
        let Some(analysis) = &mut self.analysis else {
            match self.set {
                PlaneSet::AgzAbsolute => history::agz_absolute(situation, options, out),
                _ => history::agz(situation, options, out),
            }
            return;
        };
        match self.set {
            PlaneSet::Overview48 => overview::encode(analysis, situation, options, out),
            PlaneSet::GnuGo => gnugo::encode(analysis, situation, out),
            _ => alphago::encode(analysis, situation, options, out),
        }
    }
}
