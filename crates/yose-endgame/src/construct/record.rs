//! A constructed board as a record that any SGF viewer shows, the proof as comments.

use std::fmt::Write as _;

use yose_cgt::Error;
use yose_go::sgf::{EditError, NodeId, Tree};
use yose_go::{Cell, Colour};

use super::{Constructed, Proof};
use crate::local::LocalSolver;

/// A proof cannot be written down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Numbers too large for the thermograph.
    #[error(transparent)]
    Games(#[from] Error),
    /// The record is full.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl Constructed {
    /// The board with its proof as a game record: set-up stones, a letter on each region, the claims and
    /// what was proved as the comment. It has no moves, so its last position is the board itself.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn record(&self, proof: &Proof, solver: &mut LocalSolver) -> Result<Tree, RecordError> {
        let mut tree = Tree::new();
        let root = NodeId::ROOT;
        let version = concat!("yose:", env!("CARGO_PKG_VERSION"));
        tree.set_raw(root, "AP", &[version])?;
        tree.set_raw(root, "SZ", &[&self.size.rows().to_string()])?;
        tree.set_text(root, "RU", "Japanese")?;
        tree.set_raw(root, "KM", &["0"])?;
        tree.set_raw(root, "PL", &[letter(self.to_play)])?;
        tree.set_text(root, "GN", &self.title)?;
        for (name, cell) in [("AB", Cell::Black), ("AW", Cell::White)] {
            let stones: Vec<String> = (0..self.cells.len())
                .filter(|&at| self.cells[at] == cell)
                .map(|at| self.sgf(at))
                .collect();
            let stones: Vec<&str> = stones.iter().map(String::as_str).collect();
            if !stones.is_empty() {
                tree.set_raw(root, name, &stones)?;
            }
        }
        let mut labels = Vec::new();
        for (order, &number) in proof.claims.iter().enumerate() {
            labels.push(format!(
                "{}:{}",
                self.sgf(self.claims[number].point),
                id(order)
            ));
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        if !labels.is_empty() {
            tree.set_raw(root, "LB", &labels)?;
        }
        tree.set_text(root, "C", &self.proof_text(proof, solver)?)?;
        Ok(tree)
    }

    /// Everything that was proved, as text for people. Scores are Black minus White, territory rules.
    ///
    /// # Errors
    /// Numbers too large for the thermograph.
    pub fn proof_text(&self, proof: &Proof, solver: &mut LocalSolver) -> Result<String, Error> {
        let mut text = format!("{}.\n", self.title);
        let side = match self.to_play {
            Colour::Black => "Black",
            Colour::White => "White",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{side} to move. Points are Black's minus White's.\n");
        for (order, (region, &number)) in
            proof.analysis.regions.iter().zip(&proof.claims).enumerate()
        {
            let claim = &self.claims[number];
            let worth = solver.worth(region.low)?;
            let _ = write!(
                text,
                "{} = {}: {}, count {}, temperature {}, stops {} and {}, {}",
                id(order),
                claim.name,
                worth.text,
                worth.mean,
                worth.temperature,
                worth.left_stop,
                worth.right_stop,
                worth.kind.key(),
            );
            if let Some(v) = region.v.as_ref().and_then(yose_cgt::Bounds::exact) {
                let mut moves = region.moves.iter();
                let best = moves.find(|m| {
                    let score = m.score.as_ref().and_then(yose_cgt::Bounds::exact);
                    m.colour == self.to_play && score.as_ref() == Some(&v)
                });
                let best = best.map_or_else(String::new, |m| self.gtp(m.point));
                let _ = write!(text, "; after {best} the board is worth {v}");
            }
            text.push('\n');
        }
        let analysis = &proof.analysis;
        let exact = |bounds: &yose_cgt::Bounds| {
            bounds
                .exact()
                .map_or_else(|| "not proved".to_owned(), |x| x.to_string())
        };
        let _ = writeln!(
            text,
            "\nThe whole board: {} if Black plays first, {} if White does; settled points {}.",
            exact(&analysis.left_stop),
            exact(&analysis.right_stop),
            self.settled,
        );
        let best: Vec<String> = analysis
            .best
            .iter()
            .map(|best| self.gtp(best.point))
            .collect();
        let _ = writeln!(text, "Best: {}.", best.join(", "));
        let place = |region: usize| analysis.regions.iter().position(|r| r.region == region);
        if let Some(pick) = proof.hottest() {
            let _ = writeln!(
                text,
                "The hottest region is {}; playing there first loses {}.",
                id(place(pick.region).unwrap_or_default()),
                pick.loss
            );
        }
        text.push_str(
            "\nProved: every region was searched and has the value its construction claims; the frames live \
             unconditionally; nothing is assumed.\n",
        );
        Ok(text)
    }

    fn sgf(&self, at: usize) -> String {
        self.size
            .point_at(at)
            .map_or_else(|_| String::new(), |p| self.size.sgf(p))
    }

    fn gtp(&self, at: usize) -> String {
        self.size
            .point_at(at)
            .map_or_else(|_| String::new(), |p| self.size.gtp(p))
    }
}

const fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "B",
        Colour::White => "W",
    }
}

/// A, B, ... as regions are named in reports: by order of their first points.
fn id(order: usize) -> String {
    u8::try_from(order)
        .ok()
        .filter(|&order| order < 26)
        .map_or_else(
            || format!("R{}", order + 1),
            |order| char::from(b'A' + order).to_string(),
        )
}
