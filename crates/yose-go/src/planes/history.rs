//! AlphaGo Zero's planes: stones now and in the seven positions before.

use super::EncodeOptions;
use super::bits::spread;
use super::situation::Situation;
use crate::Colour;

/// Positions looked at, the present one included.
const LOOK_BACK: usize = 8;

/// `agz`: plane 2t own stones, 2t + 1 the opponent's, t positions ago; plane 16 Black to play.
pub(crate) fn agz(situation: &Situation<'_>, options: &EncodeOptions, out: &mut [u8]) {
    let area = situation.now().size().area();
    for (t, pair) in out.chunks_exact_mut(2 * area).take(LOOK_BACK).enumerate() {
        let (own, other) = pair.split_at_mut(area);
        put(situation, options, situation.to_play, t, own);
        put(situation, options, !situation.to_play, t, other);
    }
    turn(situation, &mut out[2 * LOOK_BACK * area..]);
}

/// `agz-absolute`: planes 0 to 7 Black's stones, 8 to 15 White's, plane 16 Black to play.
pub(crate) fn agz_absolute(situation: &Situation<'_>, options: &EncodeOptions, out: &mut [u8]) {
    let area = situation.now().size().area();
    let planes = out.chunks_exact_mut(area).take(2 * LOOK_BACK);
    for (k, plane) in planes.enumerate() {
        let colour = Colour::BOTH[k / LOOK_BACK];
        put(situation, options, colour, k % LOOK_BACK, plane);
    }
    turn(situation, &mut out[2 * LOOK_BACK * area..]);
}

/// The stones of a colour `t` positions ago.
fn put(
    situation: &Situation<'_>,
    options: &EncodeOptions,
    colour: Colour,
    t: usize,
    plane: &mut [u8],
) {
    let newest = situation.positions.len() - 1;
    let position = match newest.checked_sub(t) {
        Some(k) => Some(&situation.positions[k]),
        None if options.repeat_oldest => situation.positions.first(),
        None => None,
    };
    match position {
        Some(position) => spread(position.bits(colour), plane),
        None => plane.fill(0),
    }
}

/// All ones if Black is to play.
pub(crate) fn turn(situation: &Situation<'_>, plane: &mut [u8]) {
    plane.fill(u8::from(situation.to_play == Colour::Black));
}
