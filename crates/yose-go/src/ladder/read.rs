//! The search: can the attacker drive a chain to death by atari after atari?

use std::cmp::Reverse;

use super::field::{EMPTY, Field, NOWHERE, Spot};

/// Reads ladders on a [`Field`].
///
/// Attack and defence alternate. The attacker plays on one of the two liberties of the prey; the
/// defender, in atari, extends or captures an attacking chain in atari that touches the prey. Three
/// liberties are an escape, and so is a position that repeats: the attacker has made no progress.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) field: Field,
    /// Chains of the attacker that may be in atari, by a stone of each. Entries can be out of date.
    hunted: Vec<Spot>,
    /// Hashes of the positions of the present line with the attacker to play.
    path: Vec<u64>,
    captures: u32,
    limit: u64,
    /// Positions looked at since [`Reader::begin`].
    pub(crate) nodes: u64,
    /// Has the limit been met? Then a "no" means nothing.
    pub(crate) exhausted: bool,
}

/// The longest line that is followed, in moves of the attacker; longer ones count as an exceeded
/// limit, so that the stack suffices. It limits no ladder: without captures each move takes a point of
/// at most 625, and a position that repeats ends the line.
const LONGEST_LINE: usize = 700;

/// Most candidate moves of a defender; if there are more, the limit counts as exceeded.
const MOST_DEFENCES: usize = 24;

impl Reader {
    pub(crate) fn new(field: Field) -> Self {
        Self {
            field,
            hunted: Vec::new(),
            path: Vec::new(),
            captures: 0,
            limit: u64::MAX,
            nodes: 0,
            exhausted: false,
        }
    }

    /// Prepares for one reading about a prey, with a limit on positions. `in_atari` holds a stone of
    /// each chain on the board that is in atari, of either colour.
    pub(crate) fn begin(&mut self, limit: u64, in_atari: &[Spot], prey: Spot) {
        let attacker = 3 - self.field.at(prey);
        let hunted = in_atari
            .iter()
            .filter(|&&stone| self.field.at(stone) == attacker);
        self.hunted.clear();
        self.hunted.extend(hunted);
        self.path.clear();
        self.captures = 0;
        self.limit = limit;
        self.nodes = 0;
        self.exhausted = false;
    }

    /// Makes the present position, the attacker to play, the first of the line.
    pub(crate) fn mark_root(&mut self) {
        self.path.push(self.field.hash());
    }

    /// Plays a move and notes which chains it puts or leaves in atari; [`Self::unplay`] with the
    /// returned mark takes it back.
    pub(crate) fn play(&mut self, spot: Spot, colour: u8) -> Mark {
        let mark = Mark {
            hunted: self.hunted.len(),
            captures: self.captures,
        };
        self.captures += u32::from(self.field.play(spot, colour) > 0);
        if self.field.liberty_count(self.field.chain(spot)) == 1 {
            self.hunted.push(spot);
        }
        for q in self.field.beside(spot) {
            if self.field.at(q) == 3 - colour && self.field.liberty_count(self.field.chain(q)) == 1
            {
                self.hunted.push(q);
            }
        }
        mark
    }

    pub(crate) fn unplay(&mut self, mark: Mark) {
        self.field.undo();
        self.hunted.truncate(mark.hunted);
        self.captures = mark.captures;
    }

    /// Counts a position; `true` if the line may go on.
    fn enter(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limit || self.path.len() > LONGEST_LINE {
            self.exhausted = true;
        }
        !self.exhausted
    }

    /// With the attacker to play: is the prey captured?
    pub(crate) fn attack(&mut self, prey: Spot) -> bool {
        if !self.enter() {
            return false;
        }
        let attacker = 3 - self.field.at(prey);
        let chain = self.field.chain(prey);
        let liberties = self.field.liberty_count(chain);
        let [a, b] = self.field.first_liberties(chain);
        if liberties == 1 {
            return self.field.is_legal(a, attacker);
        }
        if liberties != 2 {
            return false;
        }
        let hash = self.field.hash();
        if self.captures > 0 && self.path.contains(&hash) {
            return false;
        }
        self.path.push(hash);
        // The side where the prey would gain more goes first: it matters for speed only.
        let (first, second) = if self.open(a) >= self.open(b) {
            (a, b)
        } else {
            (b, a)
        };
        let captured = self.drive(prey, first, second) || self.drive(prey, second, first);
        self.path.pop();
        captured
    }

    /// Does the atari at `spot` capture? The other liberty is `other`.
    pub(crate) fn drive(&mut self, prey: Spot, spot: Spot, other: Spot) -> bool {
        if self.runs_out(prey, spot, other) {
            return false;
        }
        let attacker = 3 - self.field.at(prey);
        if !self.field.is_legal(spot, attacker) {
            return false;
        }
        let mark = self.play(spot, attacker);
        let captured = self.defend(prey);
        self.unplay(mark);
        captured
    }

    /// Is it plain that, after an atari at `spot`, the extension to `other` has three liberties: free
    /// points beside it, or those of a chain that it joins?
    fn runs_out(&self, prey: Spot, spot: Spot, other: Spot) -> bool {
        let field = &self.field;
        let (defender, chain) = (field.at(prey), field.chain(prey));
        let mut free = 0;
        for q in field.beside(other) {
            let there = field.at(q);
            if there == EMPTY {
                free += u16::from(q != spot);
            } else if there == defender {
                let joined = field.chain(q);
                let lost = 1 + u16::from(field.has_liberty(joined, spot));
                if joined != chain && field.liberty_count(joined) >= 3 + lost {
                    return true;
                }
            }
        }
        free >= 3
    }

    /// Number of empty points beside a cell.
    fn open(&self, spot: Spot) -> u32 {
        let empty = |q: &Spot| u32::from(self.field.at(*q) == EMPTY);
        self.field.beside(spot).iter().map(empty).sum()
    }

    /// With the defender to play and the prey in atari: is the prey captured?
    pub(crate) fn defend(&mut self, prey: Spot) -> bool {
        if !self.enter() {
            return false;
        }
        // Most defences are extensions, and most of those need no board to be judged.
        let [last] = self.field.first_liberties(self.field.chain(prey));
        let saved = match self.extension(prey, last) {
            Some(liberties) if liberties != 2 => liberties > 2,
            _ => self.saves(prey, last),
        };
        if saved {
            return false;
        }
        let (defences, n) = self.defences(prey);
        for &spot in &defences[..n] {
            if spot != last && self.saves(prey, spot) {
                return false;
            }
        }
        !self.exhausted
    }

    /// Liberties of a prey in atari after its extension to its last liberty, if that can be seen at
    /// once: no other own chain is joined and nothing is captured. 0 or 1 if that does not help.
    fn extension(&self, prey: Spot, last: Spot) -> Option<u32> {
        let field = &self.field;
        if last == field.ko() {
            return Some(0);
        }
        let (defender, chain) = (field.at(prey), field.chain(prey));
        let mut liberties = 0;
        for q in field.beside(last) {
            let there = field.at(q);
            if there == EMPTY {
                liberties += 1;
            } else if there == defender {
                if field.chain(q) != chain {
                    return None;
                }
            } else if there == 3 - defender && field.liberty_count(field.chain(q)) == 1 {
                return None;
            }
        }
        Some(liberties)
    }

    /// Does this legal or illegal move of the defender save the prey?
    pub(crate) fn saves(&mut self, prey: Spot, spot: Spot) -> bool {
        let defender = self.field.at(prey);
        if !self.field.is_legal(spot, defender) {
            return false;
        }
        let mark = self.play(spot, defender);
        let saved = match self.field.liberty_count(self.field.chain(prey)) {
            0 | 1 => false,
            2 => !self.attack(prey),
            _ => true,
        };
        self.unplay(mark);
        saved
    }

    /// Candidate moves of the defender, in row order: the liberties of the prey, and the liberties
    /// of attacking chains in atari that touch it.
    pub(crate) fn defences(&mut self, prey: Spot) -> ([Spot; MOST_DEFENCES], usize) {
        let chain = self.field.chain(prey);
        let mut found = [NOWHERE; MOST_DEFENCES];
        let own: [Spot; 3] = self.field.first_liberties(chain);
        let mut n = 0;
        for spot in own.into_iter().take_while(|&s| s != NOWHERE) {
            found[n] = spot;
            n += 1;
        }
        let attacker = 3 - self.field.at(prey);
        for k in 0..self.hunted.len() {
            let stone = self.hunted[k];
            if self.field.at(stone) != attacker {
                continue;
            }
            let hunter = self.field.chain(stone);
            if self.field.liberty_count(hunter) != 1 || !self.touch(hunter, chain) {
                continue;
            }
            let [spot] = self.field.first_liberties(hunter);
            if found[..n].contains(&spot) {
                continue;
            }
            if n == MOST_DEFENCES {
                self.exhausted = true;
                break;
            }
            found[n] = spot;
            n += 1;
        }
        found[..n].sort_unstable();
        (found, n)
    }

    /// Do two chains of different colour touch?
    fn touch(&self, a: Spot, b: Spot) -> bool {
        let (few, other) = if self.field.size(a) <= self.field.size(b) {
            (a, b)
        } else {
            (b, a)
        };
        let colour = self.field.at(other);
        self.field.stones(few).any(|stone| {
            let around = self.field.beside(stone);
            around
                .into_iter()
                .any(|q| self.field.at(q) == colour && self.field.chain(q) == other)
        })
    }

    /// Where a move stands among moves of equal length: the lowest row first, then from the left.
    pub(crate) fn rank(&self, spot: Spot) -> (Reverse<usize>, usize) {
        let (row, col) = self.field.row_col(spot);
        (Reverse(row), col)
    }

    /// As [`Self::attack`], with the length: the least number of plies to the removal of the prey, the
    /// attacker choosing the shortest way and the defender the longest, if it is at most `most`.
    /// Fills `line` with the moves, `NOWHERE` for a turn of a defender without a move.
    pub(crate) fn attack_length(
        &mut self,
        prey: Spot,
        most: u32,
        line: &mut Vec<Spot>,
    ) -> Option<u32> {
        line.clear();
        if !self.enter() || most == 0 {
            return None;
        }
        let attacker = 3 - self.field.at(prey);
        let chain = self.field.chain(prey);
        let liberties = self.field.liberty_count(chain);
        let [a, b] = self.field.first_liberties(chain);
        if liberties == 1 && self.field.is_legal(a, attacker) {
            line.push(a);
            return Some(1);
        }
        let hash = self.field.hash();
        if liberties != 2 || self.captures > 0 && self.path.contains(&hash) {
            return None;
        }
        self.path.push(hash);
        let (mut best, mut most) = (None, most);
        let mut below = Vec::new();
        let mut moves = [a, b];
        moves.sort_unstable_by_key(|&spot| self.rank(spot));
        for spot in moves {
            if let Some(length) = self.drive_length(prey, spot, most, &mut below) {
                best = Some(length);
                most = length - 1;
                std::mem::swap(line, &mut below);
            }
        }
        self.path.pop();
        best
    }

    /// The length of a ladder that begins with this atari, if it works within `most` plies.
    pub(crate) fn drive_length(
        &mut self,
        prey: Spot,
        spot: Spot,
        most: u32,
        line: &mut Vec<Spot>,
    ) -> Option<u32> {
        let attacker = 3 - self.field.at(prey);
        if most < 3 || !self.field.is_legal(spot, attacker) {
            return None;
        }
        let mark = self.play(spot, attacker);
        let length = self.defend_length(prey, most - 1, line);
        self.unplay(mark);
        line.insert(0, spot);
        length.map(|n| n + 1)
    }

    /// As [`Self::defend`], with the length.
    pub(crate) fn defend_length(
        &mut self,
        prey: Spot,
        most: u32,
        line: &mut Vec<Spot>,
    ) -> Option<u32> {
        line.clear();
        if !self.enter() || most < 2 {
            return None;
        }
        let defender = self.field.at(prey);
        let (mut defences, n) = self.defences(prey);
        defences[..n].sort_unstable_by_key(|&spot| self.rank(spot));
        let mut worst = None;
        let mut below = Vec::new();
        for &spot in &defences[..n] {
            if !self.field.is_legal(spot, defender) {
                continue;
            }
            let mark = self.play(spot, defender);
            let length = self.attack_length(prey, most - 1, &mut below);
            self.unplay(mark);
            // One move that saves the prey, or takes too long, decides.
            let length = length? + 1;
            if worst.is_none_or(|w| length > w) {
                worst = Some(length);
                std::mem::swap(line, &mut below);
                line.insert(0, spot);
            }
        }
        if worst.is_none() {
            // No move at all: the turn passes and the prey is taken.
            let [last] = self.field.first_liberties(self.field.chain(prey));
            line.extend([NOWHERE, last]);
            worst = Some(2);
        }
        worst
    }
}

/// What to go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    hunted: usize,
    captures: u32,
}
