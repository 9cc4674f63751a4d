//! The work on a cell at one ply, and on an orbit until it has nothing more to tell itself.

use std::sync::Arc;

use yose_retro::partition::Partition;

use crate::driver::Driver;
use crate::error::DiskError;
use crate::ledger::Part;
use crate::slots::SMALL;
use crate::stretch::Stretch;

/// Bytes of a stretch from which on another one begins. One that has left memory is not added to either.
pub(crate) const STRETCH: u64 = 4 * SMALL;

/// Wins and losses where plies do not matter.
const WIN: u32 = 1;
const LOSS: u32 = 2;

/// A cell that is being worked on.
struct Open<P: Partition> {
    cell: usize,
    own: P::Own,
    won: P::Won,
    /// Whether something was decided, and whether a win was.
    changed: bool,
    has_wins: bool,
    /// What it has not read: the child, the number of the part in its log, wins or losses.
    unread: Vec<(usize, usize, u32)>,
    visited: bool,
    /// The number of its first new part, and the new parts.
    end: usize,
    new: Vec<Part>,
    decided: [P::Decided; 2],
}

impl<P: Partition> Driver<'_, P> {
    /// The parents in a cell of what a part of a log says.
    fn collect(
        &self,
        cell: usize,
        (child, number): (usize, usize),
        own: &mut P::Own,
        scratch: &mut P::Scratch,
    ) -> Result<(), DiskError> {
        let frontier = self.parts.get((child, number))?;
        self.partition.collect(cell, child, &frontier, own, scratch);
        drop(frontier);
        self.make_room()
    }

    /// What is collected is lost unless a move into a child saves it. The sets of those that are being worked
    /// on are given; as many of those that have left memory are read at a time as there is room for.
    fn losses(
        &self,
        cell: usize,
        ply: u32,
        open: &[(usize, &P::Won)],
        own: &mut P::Own,
        scratch: &mut P::Scratch,
    ) -> Result<(P::Frontier, P::Decided), DiskError> {
        let children = self.partition.children(cell).iter().copied();
        let others = children.filter(|child| open.iter().all(|(cell, _)| cell != child));
        let mut batch: Vec<(usize, Arc<P::Won>)> = Vec::new();
        let mut absent = Vec::new();
        for child in others {
            match self.won.get_if_here((child, 0)) {
                Some(won) => batch.push((child, won)),
                None => absent.push(child),
            }
        }
        let mut near = open;
        loop {
            let sets = batch.iter().map(|(child, won)| (*child, &**won));
            let sets: Vec<_> = near.iter().copied().chain(sets).collect();
            if absent.is_empty() {
                let losses = self.partition.losses(cell, ply, &sets, own, scratch);
                drop(batch);
                self.make_room()?;
                return Ok(losses);
            }
            self.partition.look(cell, &sets, own, scratch);
            near = &[];
            batch.clear();
            // Most of what was collected is saved by a move within the orbit, often all of it.
            if !self.partition.has_collected(scratch) {
                absent.clear();
            }
            while let Some(child) = absent.pop() {
                batch.push((child, self.won.get((child, 0))?));
                // Others leave for it, those of the batch cannot.
                self.make_room()?;
                if self.room.excess() > 0 {
                    break;
                }
            }
        }
    }

    /// Writes a frontier down as the part with this number.
    fn put(
        &self,
        cell: usize,
        number: usize,
        ply: u32,
        frontier: P::Frontier,
        decided: &P::Decided,
    ) -> Result<Part, DiskError> {
        let bytes = self.partition.frontier_bytes(&frontier);
        self.parts.insert((cell, number), frontier, bytes)?;
        self.make_room()?;
        Ok(Part {
            number,
            ply,
            positions: self.partition.count(decided),
        })
    }

    /// Only the values will ask for the parts of a cell's log that all have read. The small ones, unless they
    /// have left memory by themselves, are put into a stretch; the others, and full stretches, retire.
    fn put_by(&self, cell: usize, ply: u32) -> Result<(), DiskError> {
        let log = self.shared().ledger.logs[cell].clone();
        // What was decided at the ply before is being read.
        let read = log.parts.iter().take_while(|part| part.ply + 1 < ply);
        let mut gone = Vec::new();
        for part in read {
            let id = (cell, part.number);
            match self.parts.pull(id, SMALL)? {
                Some(frontier) => gone.push((part, frontier)),
                None => self.parts.retire(id),
            }
        }
        if gone.is_empty() {
            return Ok(());
        }
        // The last one, as long as it is in memory and has room.
        let last = log.stretches.saturating_sub(1);
        let (number, mut stretch) = match self.stretches.pull((cell, last), STRETCH)? {
            Some(stretch) => (last, stretch),
            None => {
                self.stretches.retire((cell, last));
                (log.stretches, Stretch::default())
            }
        };
        for (part, frontier) in &gone {
            stretch.push(part.ply, frontier);
        }
        let bytes = stretch.bytes();
        self.stretches.insert((cell, number), stretch, bytes)?;
        let mut shared = self.shared();
        let log = &mut shared.ledger.logs[cell];
        log.stretches = number + 1;
        log.parts
            .retain(|part| gone.iter().all(|(gone, _)| gone.number != part.number));
        drop(shared);
        self.make_room()
    }

    /// A cell decides a ply after the first.
    pub(crate) fn ply(
        &self,
        cell: usize,
        ply: u32,
        scratch: &mut P::Scratch,
    ) -> Result<(), DiskError> {
        let id = (cell, 0);
        let (news, end) = {
            let shared = self.shared();
            let logs = &shared.ledger.logs;
            let children = self.partition.children(cell).iter();
            let news = children.filter_map(|&child| Some((child, logs[child].at(ply - 1)?.number)));
            let news: Vec<(usize, usize)> = news.collect();
            (news, logs[cell].end)
        };
        self.put_by(cell, ply)?;
        let mut own = self.own.take(id)?;
        if ply == 2 {
            self.partition.candidates_all(cell, &mut own, scratch);
        }
        for part in news {
            self.collect(cell, part, &mut own, scratch)?;
        }
        let (frontier, decided) = if !self.partition.has_collected(scratch) {
            Default::default()
        } else if ply % 2 == 1 {
            let mut won = self.won.take(id)?;
            let (frontier, decided) = self.partition.wins(cell, ply, &mut own, &mut won, scratch);
            self.won
                .insert(id, won, self.partition.cell_bytes(cell).won)?;
            (Some(frontier), decided)
        } else {
            let (frontier, decided) = self.losses(cell, ply, &[], &mut own, scratch)?;
            (Some(frontier), decided)
        };
        let frontier = frontier.filter(|frontier| !self.partition.is_empty(frontier));
        let part = match frontier {
            None => {
                self.own.put_back(id, own)?;
                None
            }
            Some(frontier) => {
                self.own
                    .insert(id, own, self.partition.cell_bytes(cell).own)?;
                Some(self.put(cell, end, ply, frontier, &decided)?)
            }
        };
        let mut shared = self.shared();
        let ledger = &mut shared.ledger;
        ledger.logs[cell].append(part);
        if let Some(level) = ledger.levels.last_mut() {
            *level += decided;
        }
        ledger.done[cell] = true;
        ledger.visits += 1;
        Ok(())
    }

    /// An orbit decides all that it can.
    pub(crate) fn orbit(&self, cells: &[usize], scratch: &mut P::Scratch) -> Result<(), DiskError> {
        let mut orbit = Vec::new();
        // What the others have decided until now is read; what they decide meanwhile, next time.
        let mut read = Vec::new();
        for &cell in cells {
            let shared = self.shared();
            let ledger = &shared.ledger;
            let children = self.partition.children(cell).iter();
            read.push(
                children
                    .clone()
                    .map(|&c| ledger.logs[c].end)
                    .collect::<Vec<_>>(),
            );
            let unread = children
                .zip(&ledger.read[cell])
                .flat_map(|(&child, &read)| {
                    let parts = ledger.logs[child].since(read).iter();
                    parts.map(move |part| (child, part.number, part.ply))
                });
            let unread = unread.collect();
            let (end, visited) = (ledger.logs[cell].end, ledger.done[cell]);
            drop(shared);
            let id = (cell, 0);
            orbit.push(Open {
                cell,
                own: self.own.take(id)?,
                // Nobody else asks for it if there is one thread only.
                won: match self.options.threads {
                    1 => self.won.take(id)?,
                    _ => P::Won::clone(&*self.won.get(id)?),
                },
                changed: false,
                has_wins: false,
                unread,
                visited,
                end,
                new: Vec::new(),
                decided: Default::default(),
            });
        }
        while let Some(at) = orbit.iter().position(|cell: &Open<P>| cell.waits()) {
            self.step(&mut orbit, at, scratch)?;
        }
        self.commit(orbit, read)
    }

    /// A cell of an orbit decides what follows from what it has not read.
    fn step(
        &self,
        orbit: &mut [Open<P>],
        at: usize,
        scratch: &mut P::Scratch,
    ) -> Result<(), DiskError> {
        let open = &mut orbit[at];
        let cell = open.cell;
        let unread = std::mem::take(&mut open.unread);
        let first = !std::mem::replace(&mut open.visited, true);
        let of = |kind: u32| unread.iter().filter(move |(.., ply)| ply % 2 == kind % 2);
        for &(child, number, _) in of(LOSS) {
            self.collect(cell, (child, number), &mut open.own, scratch)?;
        }
        if self.partition.has_collected(scratch) {
            let (wins, decided) =
                self.partition
                    .wins(cell, WIN, &mut open.own, &mut open.won, scratch);
            self.tell(orbit, at, WIN, wins, decided)?;
        }
        let open = &mut orbit[at];
        if first {
            self.partition.candidates_all(cell, &mut open.own, scratch);
        } else {
            for &(child, number, _) in of(WIN) {
                self.collect(cell, (child, number), &mut open.own, scratch)?;
            }
        }
        if self.partition.has_collected(scratch) {
            let children = self.partition.children(cell);
            let (before, rest) = orbit.split_at_mut(at);
            let Some((open, after)) = rest.split_first_mut() else {
                return Ok(());
            };
            let Open { own, won, .. } = open;
            let near = before
                .iter()
                .chain(&*after)
                .map(|open| (open.cell, &open.won));
            let near = near.chain([(cell, &*won)]);
            let near: Vec<_> = near.filter(|(cell, _)| children.contains(cell)).collect();
            let (losses, decided) = self.losses(cell, LOSS, &near, own, scratch)?;
            self.tell(orbit, at, LOSS, losses, decided)?;
        }
        Ok(())
    }

    /// A frontier goes into the log of its cell, and the orbit is told of it at once.
    fn tell(
        &self,
        orbit: &mut [Open<P>],
        at: usize,
        kind: u32,
        frontier: P::Frontier,
        decided: P::Decided,
    ) -> Result<(), DiskError> {
        if self.partition.is_empty(&frontier) {
            return Ok(());
        }
        let open = &mut orbit[at];
        let cell = open.cell;
        open.changed = true;
        open.has_wins |= kind == WIN;
        open.decided[if kind == WIN { 0 } else { 1 }] += decided;
        let number = open.end + open.new.len();
        let part = self.put(cell, number, kind, frontier, &decided)?;
        open.new.push(part);
        for reader in orbit {
            if self.partition.children(reader.cell).contains(&cell) {
                reader.unread.push((cell, number, kind));
            }
        }
        Ok(())
    }

    /// Others may know now.
    fn commit(&self, orbit: Vec<Open<P>>, read: Vec<Vec<usize>>) -> Result<(), DiskError> {
        let mut known = Vec::new();
        for mut open in orbit {
            let id = (open.cell, 0);
            let bytes = self.partition.cell_bytes(open.cell);
            if open.changed {
                self.joined(open.cell, &mut open.new)?;
                self.own.insert(id, open.own, bytes.own)?;
            } else {
                self.own.put_back(id, open.own)?;
            }
            if open.has_wins {
                self.won.insert(id, open.won, bytes.won)?;
            } else if self.options.threads == 1 {
                self.won.put_back(id, open.won)?;
            }
            known.push((open.cell, open.new, open.decided));
        }
        let mut shared = self.shared();
        let ledger = &mut shared.ledger;
        let cells: Vec<usize> = known.iter().map(|(cell, ..)| *cell).collect();
        let news = known
            .iter()
            .map(|(cell, new, _)| (*cell, new.iter().map(|part| part.positions).sum()));
        let news: Vec<(usize, u64)> = news.collect();
        for ((cell, new, [wins, losses]), mut read) in known.into_iter().zip(read) {
            ledger.logs[cell].append(new);
            ledger.levels[0] += wins;
            ledger.levels[1] += losses;
            ledger.done[cell] = true;
            ledger.visits += 1;
            // What the orbit itself has decided, all of it has read.
            for (&child, read) in self.partition.children(cell).iter().zip(&mut read) {
                if cells.contains(&child) {
                    *read = usize::MAX;
                }
            }
            ledger.read[cell] = read;
        }
        for &cell in &cells {
            let children = self.partition.children(cell).iter();
            for (&child, read) in children.zip(&mut ledger.read[cell]) {
                *read = (*read).min(ledger.logs[child].end);
            }
        }
        let mut gone = Vec::new();
        for &cell in &cells {
            for &child in self.partition.children(cell).iter().chain([&cell]) {
                let numbers = self.trim(ledger, child);
                gone.extend(numbers.into_iter().map(|number| (child, number)));
            }
        }
        self.tell_parents(&mut shared, &news);
        drop(shared);
        for id in gone {
            self.parts.remove(id)?;
        }
        Ok(())
    }

    /// Makes one part of all wins and one of all losses, as far as they lie in memory and are not more than
    /// a frontier should be: the orbit has read them, and others have less to handle.
    fn joined(&self, cell: usize, new: &mut Vec<Part>) -> Result<(), DiskError> {
        let most = self.partition.cell_bytes(cell).frontier;
        let mut sums: [Option<(P::Frontier, Part)>; 2] = [None, None];
        let mut left = Vec::new();
        let bytes = |frontier: &P::Frontier| self.partition.frontier_bytes(frontier);
        let mut keep = |(frontier, part): (P::Frontier, Part)| {
            left.push(part);
            let bytes = bytes(&frontier);
            self.parts.insert((cell, part.number), frontier, bytes)
        };
        let mut elsewhere = Vec::new();
        for part in new.drain(..) {
            let Some(frontier) = self.parts.pull((cell, part.number), u64::MAX)? else {
                elsewhere.push(part);
                continue;
            };
            let sum = &mut sums[usize::from(part.ply == LOSS)];
            match sum {
                Some((sum, so_far)) if bytes(sum) + bytes(&frontier) <= most => {
                    self.partition.join(sum, frontier);
                    so_far.positions += part.positions;
                }
                _ => sum.replace((frontier, part)).map_or(Ok(()), &mut keep)?,
            }
        }
        sums.into_iter().flatten().try_for_each(keep)?;
        left.append(&mut elsewhere);
        left.sort_by_key(|part| part.number);
        *new = left;
        Ok(())
    }
}

impl<P: Partition> Open<P> {
    fn waits(&self) -> bool {
        !self.visited || !self.unread.is_empty()
    }
}
