//! What a solve leaves with the leader: counts, and values cell by cell out of the last checkpoint.

use std::sync::Arc;

use yose_retro::partition::{Numbers, Pack, Partition};
use yose_store::{Generation, Store};

use crate::block::Parts;
use crate::checkpoint::Progress;
use crate::error::ClusterError;
use crate::state::{logs, own_name, read, read_log, won_name};

/// A solved game whose cells lie in a store.
#[derive(Debug)]
pub struct Solved {
    progress: Progress,
    store: Store,
    generation: Arc<Generation>,
    notes: Vec<String>,
}

impl Solved {
    pub(crate) fn new(progress: Progress, store: Store, notes: Vec<String>) -> Solved {
        Solved {
            progress,
            generation: store.latest(),
            store,
            notes,
        }
    }

    /// What a user should hear of the checkpoints: those that could not be used, and why; what was removed.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What was decided at each ply, from 1 on.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Bytes`] if the checkpoint does not hold what this partition counts.
    pub fn levels<D: Pack>(&self) -> Result<Vec<D>, ClusterError> {
        self.progress
            .levels
            .iter()
            .map(|level| counts(level))
            .collect()
    }

    /// What was not decided at any ply.
    ///
    /// # Errors
    ///
    /// As [`levels`](Solved::levels).
    pub fn draws<D: Pack>(&self) -> Result<D, ClusterError> {
        counts(&self.progress.draws)
    }

    /// The values of a cell's slots in order; distances only if the game was solved with them.
    ///
    /// Cost: reads the cell; memory for it, its values, and one stretch of its log.
    ///
    /// # Errors
    ///
    /// [`ClusterError`] if the cell cannot be read or is damaged.
    pub fn values<P: Partition>(
        &self,
        partition: &P,
        cell: usize,
        numbers: Numbers,
    ) -> Result<Vec<u8>, ClusterError> {
        let (store, generation) = (&self.store, &*self.generation);
        let fits = |won: &P::Won| partition.won_fits(cell, won);
        let won = read(store, generation, &won_name(cell), fits)?;
        let bytes = match numbers {
            Numbers::Outcomes => {
                let fits = |own: &P::Own| partition.own_fits(cell, own);
                let own = read(store, generation, &own_name(cell), fits)?;
                return Ok(partition.outcomes(cell, &own, &won));
            }
            Numbers::Depths(bytes) => bytes,
        };
        let mut distances = partition.won_at_once(cell, &won, bytes);
        drop(won);
        for stretch in logs(generation, cell) {
            for (ply, parts) in read_log(store, stretch, cell)? {
                let parts: Parts = parts;
                let known = ply as usize <= self.progress.levels.len();
                let frontier = parts
                    .join(|frontier| known && partition.frontier_fits(cell, frontier))
                    .map_err(|what| ClusterError::bytes(format!("log of cell {cell}"), what))?;
                partition.enter(cell, ply, &frontier, bytes, &mut distances);
            }
        }
        Ok(distances)
    }

    /// Removes all that the computation has in the store, when nobody needs it any more.
    ///
    /// # Errors
    ///
    /// As [`Store::clear`].
    pub fn clear(self) -> Result<(), ClusterError> {
        Ok(self.store.clear()?)
    }
}

fn counts<D: Pack>(bytes: &[u8]) -> Result<D, ClusterError> {
    D::from_bytes(bytes)
        .map_err(|error| ClusterError::bytes("the checkpoint's counts", error.to_string()))
}
