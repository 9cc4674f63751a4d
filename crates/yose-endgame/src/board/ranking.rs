//! The readings of "which region first?" and what rules of thumb lose.

use yose_cgt::ranking::{Candidate, Ranking};
use yose_cgt::{Bounds, Dyadic, Error, Pick, Strategy};

use super::analyse::player;
use super::{Analysis, Ranked, RegionMove, StrategyMove};
use crate::value::Worth;

/// A region that can be played, V, and a best move there.
struct Row<'a> {
    region: usize,
    worth: &'a Worth,
    v: Dyadic,
    point: usize,
}

/// Fills in readings and strategies; only if every V is exact are there any. `picks` choose by numbers in
/// `analysis.regions`.
pub(super) fn fill(analysis: &mut Analysis, stop: &Dyadic, picks: &[Pick]) -> Result<(), Error> {
    let mut rows = Vec::new();
    for region in &analysis.regions {
        let (Some(worth), Some(v)) = (&region.worth, &region.v) else {
            continue;
        };
        let Some(v) = v.exact() else {
            return Ok(());
        };
        let is_best = |m: &&RegionMove| m.score.as_ref().and_then(Bounds::exact) == Some(v.clone());
        if let Some(m) = region.moves.iter().find(is_best) {
            rows.push(Row {
                region: region.region,
                worth,
                v,
                point: m.point,
            });
        }
    }
    // Equal ones stand in order of their letters.
    let regions = analysis.decomposition.regions();
    rows.sort_by_key(|row| regions[row.region].order());
    let candidates: Vec<Candidate> = rows
        .iter()
        .map(|row| Candidate {
            temperature: Some(row.worth.temperature.clone()),
            swing: row.worth.swing.clone(),
            v: Some(row.v.clone()),
            kind: Some(row.worth.kind),
        })
        .collect();
    let who = player(analysis.to_play);
    let ranking = Ranking::of(&candidates, who, Some(stop))?.map(|place| {
        let row = &rows[place.candidate];
        Ranked {
            region: row.region,
            value: place.value.clone(),
            point: row.point,
        }
    });
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
        let loss = ranking.loss.iter().find(|r| Some(r.region) == region);
        if let Some(loss) = loss {
            strategies.push(StrategyMove {
                strategy,
                region: loss.region,
                point: loss.point,
                loss: loss.value.clone(),
            });
        }
    }
    analysis.ranking = ranking;
    analysis.strategies = strategies;
    Ok(())
}
