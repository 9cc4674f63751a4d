//! The simplified list of tutorials, with every plane defined.

use super::EncodeOptions;
use super::alphago::Planes;
use super::analysis::Analysis;
use super::history::turn;
use super::situation::Situation;

/// The 48 planes: 3 stones, 1 ones, 8 liberties, 8 captures, 8 liberties after the move, 8 history,
/// 8 ladders, 4 others.
pub(crate) fn encode(
    analysis: &mut Analysis,
    situation: &Situation<'_>,
    options: &EncodeOptions,
    out: &mut [u8],
) {
    let size = situation.now().size();
    out.fill(0);
    analysis.load(situation);
    let mut planes = Planes {
        area: size.area(),
        out,
    };
    planes.stones(analysis);
    planes.liberties(analysis, 4);
    planes.captures(&analysis.effects, options, 12);
    planes.liberties_after(&analysis.effects, 20);
    planes.ages(situation, 28);
    ladders(analysis, options, &mut planes);
    planes.sensible(analysis, 44);
    for effect in &analysis.effects {
        if effect.liberties == 1 {
            planes.set(45, effect.flat);
        }
    }
    if let Some(point) = situation.ko {
        planes.set(46, size.flat(point));
    }
    turn(situation, planes.plane(47));
}

/// Planes 36 to 43.
fn ladders(analysis: &mut Analysis, options: &EncodeOptions, planes: &mut Planes<'_>) {
    let (own, limit, area) = (analysis.own, options.ladder_nodes, planes.area);
    let mut eight = planes.out[36 * area..44 * area].chunks_exact_mut(area);
    let mut next = || eight.next().unwrap_or_default();
    let (captures, escapes) = (next(), next());
    let (doomed, in_atari) = (next(), next());
    let (saved, lost) = (next(), next());
    let (threatened, threats) = (next(), next());
    analysis.ladder_captures(own, limit, captures, |a, chain| {
        a.mark_stones(chain, doomed);
    });
    for chain in analysis.chains_with(3 - own, 1) {
        analysis.mark_stones(chain, in_atari);
    }
    analysis.ladder_escapes(limit, escapes, |a, chain, escapes| {
        a.mark_stones(chain, if escapes { &mut *saved } else { &mut *lost });
    });
    // If the opponent were to play, no ko would bind.
    analysis.reader.field.pass();
    analysis.ladder_captures(3 - own, limit, threats, |a, chain| {
        a.mark_stones(chain, threatened);
    });
    analysis.reader.field.undo();
}
