//! The readings of "which region first?" and what rules of thumb lose.

use yose_cgt::{Bounds, Dyadic, Error, Kind, Pick, Strategy};
use yose_go::Colour;

use super::{Analysis, Ranked, Ranking, RegionMove, StrategyMove};
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
    let ranked = |value: &dyn Fn(&Row<'_>) -> Result<Dyadic, Error>, falls: bool| {
        let mut list = Vec::new();
        for row in &rows {
            let ranked = Ranked {
                region: row.region,
                value: value(row)?,
                point: row.point,
            };
            list.push((row.worth.kind == Kind::Dame, ranked));
        }
        list.sort_by(|(a_dame, a), (b_dame, b)| {
            let order = a.value.cmp(&b.value);
            a_dame
                .cmp(b_dame)
                .then(if falls { order.reverse() } else { order })
        });
        Ok::<_, Error>(
            list.into_iter()
                .map(|(_, ranked)| ranked)
                .collect::<Vec<_>>(),
        )
    };
    let black = analysis.to_play == Colour::Black;
    let ranking = Ranking {
        hottest: ranked(&|row| Ok(row.worth.temperature.clone()), true)?,
        swing: ranked(&|row| Ok(row.worth.swing.clone()), true)?,
        must: ranked(&|row| Ok(row.v.clone()), black)?,
        avoid: ranked(&|row| Ok(row.v.clone()), !black)?,
        loss: ranked(&|row| Ok(stop.checked_sub(&row.v)?.abs()), false)?,
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
