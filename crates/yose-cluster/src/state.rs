//! What a worker holds: its cells, and copies of what they read of others.

use std::collections::BTreeMap;

use yose_retro::partition::{Pack, Partition};
use yose_store::{Coding, Generation, Object, Store};

use crate::block::{Head, Parts};
use crate::error::ClusterError;
use crate::map::Map;
use crate::parallel;

/// A cell of this worker.
pub(crate) struct Cell<P: Partition> {
    pub(crate) number: usize,
    pub(crate) own: P::Own,
    /// Blocks of its frontiers by ply, as they are sent: with distances all since the last
    /// checkpoint, else those of the last ply.
    pub(crate) log: BTreeMap<u32, Vec<Vec<u8>>>,
    /// What the last checkpoint holds of it.
    objects: BTreeMap<String, Object>,
    /// Whether `own` and its won set have changed since.
    pub(crate) changed: bool,
}

/// Who holds a state, and of what.
#[derive(Debug)]
pub(crate) struct Place<'a, P> {
    pub(crate) partition: &'a P,
    pub(crate) map: &'a Map,
    pub(crate) worker: usize,
    pub(crate) threads: usize,
    /// Whether distances are wanted.
    pub(crate) depth: bool,
}

impl<P> Clone for Place<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Place<'_, P> {}

/// The state between two supersteps. What is by cell has an entry for every cell of the partition.
pub(crate) struct State<P: Partition> {
    /// The last ply that is complete.
    pub(crate) ply: u32,
    pub(crate) mine: Vec<Cell<P>>,
    /// The won sets of our cells and of their children.
    pub(crate) won: Vec<Option<P::Won>>,
    /// What was decided at the last ply in our cells and their children, unless that is nothing.
    pub(crate) last: Vec<Option<P::Frontier>>,
}

pub(crate) fn own_name(cell: usize) -> String {
    format!("own-{cell}")
}

pub(crate) fn won_name(cell: usize) -> String {
    format!("won-{cell}")
}

/// The log objects of a cell start with this; then comes the last ply in it.
pub(crate) fn log_prefix(cell: usize) -> String {
    format!("log-{cell}-")
}

/// Our cells, then those that they read besides.
fn cells<P: Partition>(place: Place<'_, P>) -> (Vec<usize>, Vec<usize>) {
    let Place {
        partition,
        map,
        worker,
        ..
    } = place;
    let mine = map.owned(worker);
    let mut ghosts: Vec<usize> = mine
        .iter()
        .flat_map(|&cell| partition.children(cell))
        .copied()
        .filter(|&child| map.owner(child) != worker)
        .collect();
    ghosts.sort_unstable();
    ghosts.dedup();
    (mine, ghosts)
}

/// About how many bytes of memory each worker needs: its cells, copies of what they read, the frontiers
/// of one ply (a guess), and scratch.
#[must_use]
pub fn needs<P: Partition>(partition: &P, workers: usize, threads: usize) -> Vec<u64> {
    let map = Map::deal(partition, workers);
    let of = |worker| {
        let place = Place {
            partition,
            map: &map,
            worker,
            threads,
            depth: false,
        };
        let (mine, ghosts) = cells(place);
        // A ply seldom decides more than a part of a cell.
        let copy = |cell: usize| {
            let bytes = partition.cell_bytes(cell);
            bytes.won + bytes.frontier / 4
        };
        let own = |cell: usize| partition.cell_bytes(cell).own;
        let mine: u64 = mine.into_iter().map(|cell| own(cell) + copy(cell)).sum();
        let ghosts: u64 = ghosts.into_iter().map(copy).sum();
        mine + ghosts + threads as u64 * partition.scratch_bytes()
    };
    (0..workers).map(of).collect()
}

fn by_cell<T>(cells: usize, some: impl IntoIterator<Item = (usize, T)>) -> Vec<Option<T>> {
    let mut all: Vec<Option<T>> = (0..cells).map(|_| None).collect();
    for (cell, thing) in some {
        all[cell] = Some(thing);
    }
    all
}

impl<P: Partition> State<P> {
    /// After ply 1, which is seen by looking at a position: so everybody looks for himself, and
    /// nothing is sent. Gives also what is decided in our cells.
    pub(crate) fn first(place: Place<'_, P>) -> (State<P>, P::Decided) {
        let Place {
            partition, threads, ..
        } = place;
        let (mine, ghosts) = cells(place);
        let mut decided = P::Decided::default();
        let mut won = Vec::new();
        let first = |cell: usize| (cell, partition.first(cell));
        let mine = parallel::each(threads, mine, first)
            .into_iter()
            .map(|(number, (own, set, here))| {
                decided += here;
                won.push((number, set));
                Cell {
                    number,
                    own,
                    log: BTreeMap::new(),
                    objects: BTreeMap::new(),
                    changed: true,
                }
            })
            .collect();
        won.extend(parallel::each(threads, ghosts, |cell| {
            (cell, partition.first(cell).1)
        }));
        let state = State {
            ply: 1,
            mine,
            won: by_cell(partition.cells(), won),
            last: by_cell(partition.cells(), []),
        };
        (state, decided)
    }

    /// Puts what has changed since the last checkpoint; gives all objects of our cells.
    pub(crate) fn put(
        &mut self,
        store: &Store,
        threads: usize,
    ) -> Result<Vec<Object>, ClusterError> {
        let (ply, won) = (self.ply, &self.won);
        let cells: Vec<&mut Cell<P>> = self.mine.iter_mut().collect();
        let put = parallel::each(threads, cells, |cell| -> Result<(), ClusterError> {
            let mut objects = Vec::new();
            if cell.changed {
                let won = won[cell.number].as_ref();
                let bytes = cell.own.to_bytes();
                objects.push(store.put(&own_name(cell.number), &bytes, Coding::default())?);
                let bytes = won.map(Pack::to_bytes).unwrap_or_default();
                objects.push(store.put(&won_name(cell.number), &bytes, Coding::default())?);
                cell.changed = false;
            }
            if !cell.log.is_empty() {
                let bytes = pack_log(&cell.log);
                let name = format!("{}{ply}", log_prefix(cell.number));
                objects.push(store.put(&name, &bytes, Coding::Plain)?);
            }
            for object in objects {
                cell.objects.insert(object.name().to_owned(), object);
            }
            Ok(())
        });
        put.into_iter().collect::<Result<(), _>>()?;
        store.sync()?;
        let objects = self.mine.iter().flat_map(|cell| cell.objects.values());
        Ok(objects.cloned().collect())
    }

    /// What is kept in memory of logs after a checkpoint that has them, and of objects that the next
    /// one need not have.
    pub(crate) fn forget(&mut self, depth: bool) {
        for cell in &mut self.mine {
            if depth {
                cell.log.clear();
            } else {
                let prefix = log_prefix(cell.number);
                cell.objects.retain(|name, _| !name.starts_with(&prefix));
            }
        }
    }

    /// The state of a checkpoint, as far as it concerns this worker.
    pub(crate) fn load(
        place: Place<'_, P>,
        store: &Store,
        generation: &Generation,
        ply: u32,
    ) -> Result<State<P>, ClusterError> {
        let Place {
            partition,
            threads,
            depth,
            ..
        } = place;
        let (mine, ghosts) = cells(place);
        let of_mine = parallel::each(threads, mine, |number| -> Result<_, ClusterError> {
            let fits = |own: &P::Own| partition.own_fits(number, own);
            let own = read(store, generation, &own_name(number), fits)?;
            let objects = logs(generation, number).filter(|_| depth);
            let names = [own_name(number), won_name(number)];
            let named = names.iter().filter_map(|name| generation.object(name));
            Ok(Cell {
                number,
                own,
                log: BTreeMap::new(),
                objects: objects
                    .chain(named)
                    .map(|object| (object.name().to_owned(), object.clone()))
                    .collect(),
                changed: false,
            })
        });
        let mine: Vec<Cell<P>> = of_mine.into_iter().collect::<Result<_, _>>()?;
        let read_by_us = mine.iter().map(|cell| cell.number).chain(ghosts).collect();
        let sets = parallel::each(threads, read_by_us, |cell| -> Result<_, ClusterError> {
            let fits = |won: &P::Won| partition.won_fits(cell, won);
            let won = read(store, generation, &won_name(cell), fits)?;
            let log = last_log(store, generation, cell)?;
            let last = log.get(&ply).map(|parts| {
                let frontier = parts.join(|frontier| partition.frontier_fits(cell, frontier));
                frontier.map_err(|what| ClusterError::bytes(format!("log of cell {cell}"), what))
            });
            Ok((cell, won, last.transpose()?))
        });
        let (mut won, mut last) = (Vec::new(), Vec::new());
        for set in sets {
            let (cell, set, frontier) = set?;
            won.push((cell, set));
            last.extend(frontier.map(|frontier| (cell, frontier)));
        }
        Ok(State {
            ply,
            mine,
            won: by_cell(partition.cells(), won),
            last: by_cell(partition.cells(), last),
        })
    }
}

fn missing(name: &str) -> ClusterError {
    ClusterError::Checkpoint(format!("it has no object {name}"))
}

/// Reads an object of a generation.
pub(crate) fn read<T: Pack>(
    store: &Store,
    generation: &Generation,
    name: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<T, ClusterError> {
    let object = generation.object(name).ok_or_else(|| missing(name))?;
    let bytes = store.read_all(object)?;
    let thing = T::from_bytes(&bytes);
    let thing = thing.map_err(|error| ClusterError::bytes(name, error.to_string()))?;
    match fits(&thing) {
        true => Ok(thing),
        false => Err(ClusterError::bytes(name, "it is of another game")),
    }
}

/// The log objects of a cell with the last ply of each, by ply.
pub(crate) fn logs(generation: &Generation, cell: usize) -> impl Iterator<Item = &Object> {
    let prefix = log_prefix(cell);
    let objects = generation.objects().iter();
    let mut logs: Vec<(u32, &Object)> = objects
        .filter_map(|object| {
            let ply = object.name().strip_prefix(&prefix)?.parse().ok()?;
            Some((ply, object))
        })
        .collect();
    logs.sort_by_key(|(ply, _)| *ply);
    logs.into_iter().map(|(_, object)| object)
}

/// The newest log object of a cell; empty if it has none.
fn last_log(
    store: &Store,
    generation: &Generation,
    cell: usize,
) -> Result<BTreeMap<u32, Parts>, ClusterError> {
    match logs(generation, cell).last() {
        Some(object) => read_log(store, object, cell),
        None => Ok(BTreeMap::new()),
    }
}

/// Each block with its length before it.
fn pack_log(log: &BTreeMap<u32, Vec<Vec<u8>>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in log.values().flatten() {
        bytes.extend_from_slice(&(block.len() as u64).to_le_bytes());
        bytes.extend_from_slice(block);
    }
    bytes
}

/// The frontiers of a log object, by ply.
pub(crate) fn read_log(
    store: &Store,
    object: &Object,
    cell: usize,
) -> Result<BTreeMap<u32, Parts>, ClusterError> {
    let bytes = store.read_all(object)?;
    unpack_log(&bytes, cell).map_err(|what| ClusterError::bytes(object.name(), what))
}

pub(crate) fn unpack_log(mut bytes: &[u8], cell: usize) -> Result<BTreeMap<u32, Parts>, String> {
    let mut log: BTreeMap<u32, Parts> = BTreeMap::new();
    while !bytes.is_empty() {
        let (block, rest) = bytes
            .split_first_chunk()
            .and_then(|(length, rest)| {
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                rest.split_at_checked(length)
            })
            .ok_or("it ends within a block")?;
        let head = Head::read(block)?;
        if head.cell as usize != cell {
            return Err(format!("a block of cell {}", head.cell));
        }
        log.entry(head.ply).or_default().add(head, block.to_vec())?;
        bytes = rest;
    }
    Ok(log)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::block::cut;

    #[test]
    fn a_log_is_read_back() {
        let log: BTreeMap<u32, Vec<Vec<u8>>> = [(2, vec![1, 2, 3]), (3, vec![9; 5000])]
            .into_iter()
            .map(|(ply, plain)| (ply, cut(7, ply, &plain).unwrap()))
            .collect();
        let bytes = pack_log(&log);
        let read = unpack_log(&bytes, 7).unwrap();
        assert_eq!(read.keys().copied().collect::<Vec<_>>(), [2, 3]);
        assert!(unpack_log(&bytes, 8).is_err());
        assert!(unpack_log(&bytes[..bytes.len() - 1], 7).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_log_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = unpack_log(&bytes, 0);
        }
    }
}
