//! Which moves are best, and which may be, from bounds of the scores after them.

use yose_cgt::{Bounds, Dyadic, Games};
use yose_go::Colour;

use super::analyse::Work;
use super::scores::{hope_of, sure_of};
use super::{Analysis, BestMove, OpenMove};

/// A move in the view of its player.
struct Own {
    /// Its region's place in the analysis, and its own there.
    at: (usize, usize),
    /// The score after it is at least and at most this.
    sure: Dyadic,
    hope: Dyadic,
}

impl Work<'_> {
    /// Fills in best moves, those that may be as good, and V. Before that it brings together what the moves and
    /// the stop of the board say about each other.
    pub(super) fn find_best(&self, games: &Games, analysis: &mut Analysis) {
        let colour = self.question.to_play;
        let score = analysis.score();
        let (mut sure, mut hope) = (sure_of(score, colour), hope_of(score, colour));
        let mut moves = Vec::new();
        // A best move in a region that is proved to be no number loses nothing against leaving everything alone,
        // even if the sum is a number. So if there is one, and every move is listed, one of them reaches the stop.
        let mut reached = false;
        let (mut all_listed, mut banned) = (true, false);
        for (j, region) in analysis.regions.iter().enumerate() {
            let hot = games.left_stop(region.low) > games.right_stop(region.high);
            reached |= hot || region.worth.is_some() && !region.is_number();
            all_listed &= !region.moves.is_empty() || region.is_number();
            for (k, m) in region.moves.iter().enumerate() {
                banned |= self.question.ko == Some(m.point);
                if let Some(score) = &m.score {
                    moves.push(Own {
                        at: (j, k),
                        sure: sure_of(score, colour),
                        hope: hope_of(score, colour),
                    });
                }
            }
        }
        reached &= all_listed && !banned;
        if let Some(most) = moves.iter().map(|m| &m.sure).max() {
            sure = sure.max(most.clone());
        }
        if reached && let Some(most) = moves.iter().map(|m| &m.hope).max() {
            hope = hope.min(most.clone());
        }
        for m in &mut moves {
            m.hope = m.hope.clone().min(hope.clone());
        }
        let hopeful = moves.iter().filter(|m| m.hope >= sure).count();
        if reached && hopeful == 1 {
            // Nothing else is left that could reach the stop.
            for m in moves.iter_mut().filter(|m| m.hope >= sure) {
                m.sure = m.sure.clone().max(sure.clone());
            }
        }
        let bounds = |sure: &Dyadic, hope: &Dyadic| match colour {
            Colour::Black => Bounds {
                low: sure.clone(),
                high: hope.clone(),
            },
            Colour::White => Bounds {
                low: hope.negative(),
                high: sure.negative(),
            },
        };
        debug_assert!(
            sure <= hope,
            "the bounds of the moves against those of the board"
        );
        match colour {
            Colour::Black => analysis.left_stop = bounds(&sure, &hope),
            Colour::White => analysis.right_stop = bounds(&sure, &hope),
        }
        // The two greatest hopes, so that each move can be compared with all others.
        let mut hopes: Vec<&Dyadic> = moves.iter().map(|m| &m.hope).collect();
        hopes.sort_unstable_by(|a, b| b.cmp(a));
        let others = |m: &Own| {
            let place = usize::from(hopes.first() == Some(&&m.hope));
            hopes.get(place).copied()
        };
        for m in &moves {
            let beats_all = reached && others(m).is_none_or(|most| m.sure >= *most);
            let score = bounds(&m.sure, &m.hope);
            let (region, place) = (
                &analysis.regions[m.at.0],
                &analysis.regions[m.at.0].moves[m.at.1],
            );
            if m.sure >= hope || beats_all {
                analysis.best.push(BestMove {
                    point: place.point,
                    region: region.region,
                    score,
                });
            } else if m.hope >= sure {
                analysis.open.push(OpenMove {
                    point: place.point,
                    region: region.region,
                    score,
                    status: place.status,
                });
            }
        }
        analysis.best_complete = analysis.open.is_empty() && all_listed;
        for m in moves {
            let region = &mut analysis.regions[m.at.0];
            region.moves[m.at.1].score = Some(bounds(&m.sure, &m.hope));
            let (sure, hope) = match &region.v {
                None => (m.sure, m.hope),
                Some(v) => (
                    m.sure.max(sure_of(v, colour)),
                    m.hope.max(hope_of(v, colour)),
                ),
            };
            region.v = Some(bounds(&sure, &hope));
        }
    }
}
