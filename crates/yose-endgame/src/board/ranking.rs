//! The readings of "which region first?" and what rules of thumb lose.

use yose_cgt::ranking::{Candidate, Place, Ranking};
use yose_cgt::{Bounds, Dyadic, Error, Pick, Strategy};

use super::analyse::player;
use super::scores::{hope_of, sure_of};
use super::{Analysis, Ranked, RegionMove, StrategyMove};
use crate::value::Worth;

/// A region that can be played.
struct Row<'a> {
    region: usize,
    worth: Option<&'a Worth>,
    v: Option<&'a Bounds>,
    /// V and a best move there, if they are proved.
    proved: Option<(Dyadic, usize)>,
}

/// Fills in readings and strategies. A reading ends before the first place that is not proved. `picks` choose by
/// numbers in `analysis.regions`.
pub(super) fn fill(analysis: &mut Analysis, picks: &[Pick]) -> Result<(), Error> {
    let mut rows = Vec::new();
    for region in analysis.regions.iter().filter(|r| !r.is_number()) {
        let v = region.v.as_ref();
        let exact = v.and_then(Bounds::exact);
        let is_best = |m: &&RegionMove| m.score.as_ref().and_then(Bounds::exact) == exact;
        let best = region.moves.iter().find(is_best).map(|m| m.point);
        rows.push(Row {
            region: region.region,
            worth: region.worth.as_ref(),
            v,
            proved: exact.zip(best),
        });
    }
    // Equal ones stand in order of their letters.
    let regions = analysis.decomposition.regions();
    rows.sort_by_key(|row| regions[row.region].order());
    let v = |row: &Row<'_>| row.proved.as_ref().map(|(v, _)| v.clone());
    let candidates: Vec<Candidate> = rows
        .iter()
        .map(|row| Candidate {
            temperature: row.worth.map(|w| w.temperature.clone()),
            swing: row.worth.map_or(Dyadic::ZERO, |w| w.swing.clone()),
            v: v(row),
            kind: row.worth.map(|w| w.kind),
        })
        .collect();
    let stop = analysis.score().exact();
    let places = Ranking::of(&candidates, player(analysis.to_play), stop.as_ref())?;
    // Any region whose temperature is not known could be the hottest.
    let all_worth = rows.iter().all(|row| row.worth.is_some());
    let colour = analysis.to_play;
    let open: Vec<&Row<'_>> = rows.iter().filter(|row| row.proved.is_none()).collect();
    let first = |place: &Place| {
        let v = rows[place.candidate].v;
        let beats = |row: &&Row<'_>| {
            let both = v.zip(row.v);
            both.is_some_and(|(v, other)| sure_of(v, colour) >= hope_of(other, colour))
        };
        open.iter().all(beats)
    };
    let last = |place: &Place| {
        let v = rows[place.candidate].v;
        let beaten = |row: &&Row<'_>| {
            let both = v.zip(row.v);
            both.is_some_and(|(v, other)| hope_of(v, colour) <= sure_of(other, colour))
        };
        open.iter().all(beaten)
    };
    let by_worth = |place: &Place| all_worth && rows[place.candidate].proved.is_some();
    let shown = |list: &[Place], proved: &dyn Fn(&Place) -> bool| -> Vec<Ranked> {
        let list = list.iter().take_while(|place| proved(place));
        let ranked = |place: &Place| {
            let (_, point) = rows[place.candidate].proved.as_ref()?;
            Some(Ranked {
                region: rows[place.candidate].region,
                value: place.value.clone(),
                point: *point,
            })
        };
        list.filter_map(ranked).collect()
    };
    let ranking = Ranking {
        hottest: shown(&places.hottest, &by_worth),
        swing: shown(&places.swing, &by_worth),
        must: shown(&places.must, &first),
        avoid: shown(&places.avoid, &last),
        loss: shown(&places.loss, &first),
    };
    let mut strategies = Vec::new();
    for strategy in Strategy::ALL {
        // Temperature and swing are those of the reading, which stay territory values under area scoring.
        let region = match strategy {
            Strategy::Hotstrat => ranking.hottest.first().map(|r| r.region),
            Strategy::LargestSwing => ranking.swing.first().map(|r| r.region),
            Strategy::Thermostrat | Strategy::Sentestrat => picks
                .iter()
                .find(|pick| pick.strategy == strategy)
                .map(|pick| analysis.regions[pick.part].region),
        };
        let row = rows.iter().find(|row| Some(row.region) == region);
        if let Some(row) = row
            && let (Some((v, point)), Some(stop)) = (&row.proved, &stop)
        {
            strategies.push(StrategyMove {
                strategy,
                region: row.region,
                point: *point,
                loss: stop.checked_sub(v)?.abs(),
            });
        }
    }
    analysis.ranking_complete = open.is_empty() && all_worth && stop.is_some();
    analysis.ranking = ranking;
    analysis.strategies = strategies;
    Ok(())
}
