//! Many positions at once, on several threads.

use std::sync::Mutex;

use super::{EncodeError, EncodeOptions, Encoder, PlaneSet};
use crate::{Game, History, Size};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for f32 {}
}

/// A number of a plane: `u8` or `f32`.
pub trait Element: Copy + Default + Send + From<u8> + sealed::Sealed + 'static {
    /// Its type in the header of a `.npy` file.
    const DESCR: &'static str;

    /// The same memory as bytes, if that is what it is.
    #[doc(hidden)]
    fn as_bytes(out: &mut [Self]) -> Option<&mut [u8]>;

    /// Appends its bytes, lowest first.
    #[doc(hidden)]
    fn append(values: &[Self], bytes: &mut Vec<u8>);
}

impl Element for u8 {
    const DESCR: &'static str = "|u1";

    fn as_bytes(out: &mut [Self]) -> Option<&mut [u8]> {
        Some(out)
    }

    fn append(values: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(values);
    }
}

impl Element for f32 {
    const DESCR: &'static str = "<f4";

    fn as_bytes(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }

    fn append(values: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
}

/// An array of four dimensions in C order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor<T> {
    /// Positions, planes, rows, columns.
    pub shape: [usize; 4],
    /// The numbers; the column runs fastest.
    pub data: Vec<T>,
}

/// Which positions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plies {
    /// The last one.
    Final,
    /// The one after that many moves; 0 is the start.
    After(usize),
    /// All, the start included: one more than there are moves.
    All,
}

/// One position of a game.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The game's moves and positions: [`Game::history`].
    pub history: &'a History,
    /// After how many of its moves; 0 is the start.
    pub ply: usize,
}

/// Encodes positions of games, game after game, on up to `threads` threads (0 or 1: on this one).
/// The result does not depend on the number of threads.
///
/// # Errors
/// If there is no game, boards differ in size, a game is too short, or the result is too large.
pub fn encode<T: Element>(
    games: &[Game],
    plies: Plies,
    set: PlaneSet,
    options: &EncodeOptions,
    threads: usize,
) -> Result<Tensor<T>, EncodeError> {
    let Some(first) = games.first() else {
        return Err(EncodeError::Nothing);
    };
    let samples: Vec<Sample<'_>> = games
        .iter()
        .flat_map(|game| {
            let last = game.moves().len();
            let range = match plies {
                Plies::Final => last..=last,
                Plies::After(ply) => ply..=ply,
                Plies::All => 0..=last,
            };
            range.map(move |ply| Sample {
                history: game.history(),
                ply,
            })
        })
        .collect();
    encode_samples(&samples, first.size(), set, options, threads)
}

/// Encodes chosen positions in the order given; see [`encode`]. Without samples the array has shape
/// `(0, planes, rows, columns)`.
///
/// # Errors
/// If a board has another size, a game is too short, or the result is too large.
pub fn encode_samples<T: Element>(
    samples: &[Sample<'_>],
    size: Size,
    set: PlaneSet,
    options: &EncodeOptions,
    threads: usize,
) -> Result<Tensor<T>, EncodeError> {
    let each = set.len(size);
    // Errors come before memory is asked for.
    check(samples, size)?;
    let too_many = EncodeError::TooMany {
        positions: samples.len(),
        each,
    };
    let Some(total) = samples.len().checked_mul(each) else {
        return Err(too_many);
    };
    // Asked once so that too much is an error, and again for memory that is known to be zero.
    if Vec::<T>::new().try_reserve_exact(total).is_err() {
        return Err(too_many);
    }
    let mut data = vec![T::default(); total];
    encode_into(samples, size, set, options, threads, &mut data)?;
    Ok(Tensor {
        shape: [samples.len(), set.planes(), size.rows(), size.cols()],
        data,
    })
}

fn check(samples: &[Sample<'_>], size: Size) -> Result<(), EncodeError> {
    for sample in samples {
        if sample.history.size() != size {
            return Err(EncodeError::Size {
                expected: size,
                got: sample.history.size(),
            });
        }
        let moves = sample.history.moves().len();
        if sample.ply > moves {
            return Err(EncodeError::Ply {
                ply: sample.ply,
                moves,
            });
        }
    }
    Ok(())
}

/// Positions that a thread takes at a time: enough to make taking them cheap.
const AT_A_TIME: usize = 32;

/// As [`encode_samples`], into memory that is there already: an array of NumPy's, or one that is used
/// again. Every number of `out` is written.
///
/// # Errors
/// If a board has another size, a game is too short, or `out` has not as many places as all
/// positions take.
pub fn encode_into<T: Element>(
    samples: &[Sample<'_>],
    size: Size,
    set: PlaneSet,
    options: &EncodeOptions,
    threads: usize,
    out: &mut [T],
) -> Result<(), EncodeError> {
    check(samples, size)?;
    let each = set.len(size);
    if samples.len().checked_mul(each) != Some(out.len()) {
        return Err(EncodeError::Room {
            expected: samples.len().saturating_mul(each),
            got: out.len(),
        });
    }
    let parts = samples
        .chunks(AT_A_TIME)
        .zip(out.chunks_mut(AT_A_TIME * each));
    let threads = threads.min(parts.len()).max(1);
    let parts = Mutex::new(parts);
    let work = || {
        let mut encoder = Encoder::new(set, size, *options);
        loop {
            // Nothing panics while the lock is held.
            let part = parts.lock().map_or(None, |mut parts| parts.next());
            let Some((samples, out)) = part else {
                return Ok(());
            };
            for (sample, out) in samples.iter().zip(out.chunks_exact_mut(each)) {
                encoder.encode_sample(*sample, out)?;
            }
        }
    };
    if threads == 1 {
        return work();
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().try_for_each(|handle| {
            handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}
