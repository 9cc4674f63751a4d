//! What a solve leaves: the values, cell by cell.

use std::fmt;

use yose_retro::partition::{Numbers, Partition};

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

    /// From now on at most so many bytes of cells and frontiers stay in memory: asking for values and doing
    /// something with them takes other memory than solving, which had
    /// [`Options::room`](crate::Options::room).
    ///
    /// # Errors
    /// All that can go wrong with files.
    pub fn leave(&self, room: u64) -> Result<(), DiskError> {
        self.0.room.cap(room);
        self.0.own.release();
        self.0.won.release();
        self.0.make_room()
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
            let own = self.0.own.get((cell, 0))?;
            sum += self.0.partition.draws(cell, &own);
            drop(own);
            self.0.make_room()?;
        }
        Ok(sum)
    }

    /// The values of a cell's slots in order, as [`Partition::values`] gives them.
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
        let parts: Vec<_> = match numbers {
            Numbers::Outcomes => Vec::new(),
            Numbers::Depths(_) => driver.shared().ledger.logs[cell].parts.clone(),
        };
        let mut failed = None;
        let mut frontiers = parts.into_iter().map_while(|part| {
            let frontier = driver.parts.get((cell, part.number)).and_then(|frontier| {
                driver.make_room()?;
                Ok(P::Frontier::clone(&*frontier))
            });
            match frontier {
                Ok(frontier) => Some((part.ply, frontier)),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        let own = driver.own.get((cell, 0))?;
        let won = driver.won.get((cell, 0))?;
        let values = driver
            .partition
            .values(cell, &own, &won, &mut frontiers, numbers);
        drop((own, won));
        driver.settle()?;
        match failed {
            Some(error) => Err(error),
            None => Ok(values),
        }
    }
}
