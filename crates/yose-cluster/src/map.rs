//! Which worker owns which cell.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;
use yose_retro::partition::Partition;

/// Owners of all cells. The same partition and number of workers give the same map everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    owner: Vec<usize>,
    /// By cell: the cells that read it, each once.
    parents: Vec<Vec<usize>>,
    workers: usize,
}

impl Map {
    /// Deals the orbits out to the workers: as many cells for each as can be, and then exchanges
    /// orbits of one size as long as fewer frontiers have to be sent.
    ///
    /// Cost: about the square of the number of orbits, times the neighbours of one, a few times.
    #[must_use]
    pub fn deal<P: Partition>(partition: &P, workers: usize) -> Map {
        let cells = partition.cells();
        let mut parents = vec![Vec::new(); cells];
        for cell in 0..cells {
            for &child in partition.children(cell) {
                parents[child].push(cell);
            }
        }
        let mut orbits: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for cell in 0..cells {
            orbits.entry(partition.orbit(cell)).or_default().push(cell);
        }
        let mut orbits: Vec<Vec<usize>> = orbits.into_values().collect();
        // Large ones first; the sort is stable.
        orbits.sort_by_key(|orbit| std::cmp::Reverse(orbit.len()));
        let mut map = Map {
            owner: vec![usize::MAX; cells],
            parents,
            workers,
        };
        let mut load = vec![0; workers];
        for orbit in &orbits {
            let least = (0..workers).min_by_key(|&w| load[w]).unwrap_or(0);
            load[least] += orbit.len();
            map.give(orbit, least);
        }
        map.exchange(partition, &orbits);
        map
    }

    fn give(&mut self, orbit: &[usize], worker: usize) {
        for &cell in orbit {
            self.owner[cell] = worker;
        }
    }

    /// Exchanges pairs of orbits of one size as long as that saves copies.
    fn exchange<P: Partition>(&mut self, partition: &P, orbits: &[Vec<usize>]) {
        // What an exchange can change: the copies of the orbits' own cells and of their children.
        let near = |a: &[usize], b: &[usize]| -> Vec<usize> {
            let both = a.iter().chain(b);
            let mut cells: Vec<usize> = both
                .flat_map(|&cell| partition.children(cell).iter().copied().chain([cell]))
                .collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        // It ends by itself, since each round that goes on saves a copy; the bound is for large maps.
        for _ in 0..8 {
            let mut better = false;
            for (i, a) in orbits.iter().enumerate() {
                for b in &orbits[i + 1..] {
                    let (of_a, of_b) = (self.owner[a[0]], self.owner[b[0]]);
                    if a.len() != b.len() || of_a == of_b {
                        continue;
                    }
                    let cells = near(a, b);
                    let before = self.copies(&cells);
                    self.give(a, of_b);
                    self.give(b, of_a);
                    if self.copies(&cells) < before {
                        better = true;
                    } else {
                        self.give(a, of_a);
                        self.give(b, of_b);
                    }
                }
            }
            if !better {
                break;
            }
        }
    }

    fn copies(&self, cells: &[usize]) -> usize {
        cells.iter().map(|&cell| self.readers(cell).len()).sum()
    }

    /// The owner of a cell.
    #[must_use]
    pub fn owner(&self, cell: usize) -> usize {
        self.owner[cell]
    }

    /// The workers other than its owner that read a cell, ascending.
    #[must_use]
    pub fn readers(&self, cell: usize) -> Vec<usize> {
        let mut readers: Vec<usize> = self.parents[cell]
            .iter()
            .map(|&parent| self.owner[parent])
            .filter(|&owner| owner != self.owner[cell])
            .collect();
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// The cells of a worker, ascending.
    #[must_use]
    pub fn owned(&self, worker: usize) -> Vec<usize> {
        (0..self.owner.len())
            .filter(|&cell| self.owner[cell] == worker)
            .collect()
    }

    /// How many copies of frontiers are sent in a superstep in which every cell has one.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.copies(&(0..self.owner.len()).collect::<Vec<_>>())
    }

    /// A hash of it all: who has another map must not take part.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&(self.workers as u64).to_le_bytes());
        for (&owner, parents) in self.owner.iter().zip(&self.parents) {
            hash.update(&(owner as u64).to_le_bytes());
            hash.update(&(parents.len() as u64).to_le_bytes());
            for &parent in parents {
                hash.update(&(parent as u64).to_le_bytes());
            }
        }
        hash.digest()
    }
}
