//! What a solve leaves: the values, cell by cell.

use std::fmt;

use yose_retro::partition::{BadBytes, Numbers, Partition};
use yose_store::Note;

use crate::driver::Driver;
use crate::error::DiskError;

/// A game solved on disk. All methods take `&self`; threads may ask at the same time.
pub struct Solved<'a, P: Partition>(Driver<'a, P>);

impl<P: Partition> fmt::Debug for Solved<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved")
            .field("order", &self.0.options.order)
            .finish_non_exhaustive()
    }
}

impl<'a, P: Partition> Solved<'a, P> {
    pub(crate) fn new(driver: Driver<'a, P>) -> Self {
        Solved(driver)
    }

    /// From now on cells and frontiers stay in memory only if they take no more than so many bytes, and else
    /// lie in the store: asking for values and doing something with them takes other memory than solving,
    /// which had [`Options::room`](crate::Options::room).
    ///
    /// # Errors
    /// All that can go wrong with files.
    pub fn leave(&self, room: u64) -> Result<(), DiskError> {
        // A thousand small frontiers that stayed would keep the pages between them.
        let fits = self.0.room.used() <= room;
        self.0.room.cap(if fits { room } else { 0 });
        // Each thread has the sets of one cell at a time, and of distances only what is won.
        let threads = self.0.options.threads;
        let by_ply = self.0.options.order.is_by_ply();
        self.0.own.keep_spare(if by_ply { 0 } else { threads });
        self.0.won.keep_spare(threads);
        self.0.make_room()
    }

    /// The checkpoints that could not be gone on from, if an earlier one was.
    pub fn notes(&self) -> &[Note] {
        &self.0.notes
    }

    /// What was decided: by ply, from the first, if solved by plies; else all wins and all losses.
    pub fn levels(&self) -> Vec<P::Decided> {
        self.0.shared().ledger.levels.clone()
    }

    /// What was not decided.
    ///
    /// # Errors
    /// All that can go wrong with files.
    pub fn draws(&self) -> Result<P::Decided, DiskError> {
        let mut sum = P::Decided::default();
        for cell in 0..self.0.partition.cells() {
            let draws = |own: &P::Own| self.0.partition.draws(cell, own);
            sum += self.0.own.read((cell, 0), draws)?;
        }
        Ok(sum)
    }

    /// The values of a cell's slots in order.
    ///
    /// # Errors
    /// All that can go wrong with files.
    ///
    /// # Panics
    /// If distances are asked for and the game was not solved by plies.
    pub fn values(&self, cell: usize, numbers: Numbers) -> Result<Vec<u8>, DiskError> {
        let driver = &self.0;
        let by_ply = driver.options.order.is_by_ply();
        assert!(
            by_ply || numbers == Numbers::Outcomes,
            "solved without distances"
        );
        let partition = driver.partition;
        let values = match numbers {
            Numbers::Outcomes => {
                let outcomes = |own: &P::Own| {
                    let id = (cell, 0);
                    driver
                        .won
                        .read(id, |won| partition.outcomes(cell, own, won))
                };
                driver.own.read((cell, 0), outcomes)??
            }
            Numbers::Depths(bytes) => {
                let won_at_once = |won: &P::Won| partition.won_at_once(cell, won, bytes);
                let mut distances = driver.won.read((cell, 0), won_at_once)?;
                let (log, plies) = {
                    let ledger = &driver.shared().ledger;
                    (ledger.logs[cell].clone(), ledger.levels.len())
                };
                let mut enter = |ply: u32, frontier: &P::Frontier| {
                    if ply as usize > plies || !partition.frontier_fits(cell, frontier) {
                        return Err(BadBytes("a frontier is of another game".to_owned()));
                    }
                    partition.enter(cell, ply, frontier, bytes, &mut distances);
                    Ok(())
                };
                let bad = |name, bad: BadBytes| DiskError::state(name, bad.to_string());
                for part in log.parts {
                    let (parts, id) = (&driver.parts, (cell, part.number));
                    let entered = parts.read(id, |frontier| enter(part.ply, frontier))?;
                    entered.map_err(|error| bad(parts.object_name(id), error))?;
                }
                for number in 0..log.stretches {
                    let (stretches, id) = (&driver.stretches, (cell, number));
                    let entered = stretches.read(id, |stretch| {
                        stretch.read(|ply, frontier| enter(ply, &frontier))
                    })?;
                    entered.map_err(|error| bad(stretches.object_name(id), error))?;
                }
                distances
            }
        };
        driver.settle()?;
        Ok(values)
    }
}
