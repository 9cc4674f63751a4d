//! Is a position a seki? Only what is proved is called one.

use std::collections::HashSet;

use yose_go::{BensonForm, Colour};

use crate::field::{Field, Set, Stones, members};

/// Positions looked at to prove that stones cannot be taken.
const MOST: usize = 20_000;

/// Deepest line: a bound on the stack.
const DEEPEST: usize = 200;

/// The liberties that mortal stones of both colours share.
pub(crate) fn shared(field: &Field, at: &Stones) -> Set {
    at.empty() & field.around(at.stones[0]) & field.around(at.stones[1])
}

/// Proves that a colour, moving first and never passing, cannot take one mortal stone of the other, who may
/// pass.
pub(crate) fn cannot_take(field: &Field, at: &Stones, attacker: Colour, form: BensonForm) -> bool {
    let mut proof = Proof {
        field,
        form,
        attacker,
        kept: at.stones[(!attacker).index()],
        proved: HashSet::new(),
        tried: HashSet::new(),
        left: MOST,
    };
    proof.holds(at, 0)
}

struct Proof<'a> {
    field: &'a Field,
    form: BensonForm,
    attacker: Colour,
    /// The stones that must not be taken.
    kept: Set,
    /// Positions, the attacker to move, from which none of them is.
    proved: HashSet<Stones>,
    /// Positions under proof, or not proved: a repetition is no proof.
    tried: HashSet<Stones>,
    left: usize,
}

impl Proof<'_> {
    fn holds(&mut self, at: &Stones, depth: usize) -> bool {
        if self.proved.contains(at) || at.stones[(!self.attacker).index()] & self.kept == 0 {
            return true;
        }
        if depth > DEEPEST || self.left == 0 || !self.tried.insert(*at) {
            return false;
        }
        self.left -= 1;
        for point in members(at.empty()) {
            let play = self.field.play(at, self.attacker, point, self.form);
            let Some((mut next, taken)) = play else {
                continue;
            };
            if taken & self.kept != 0 || !self.survives(&mut next, depth) {
                return false;
            }
        }
        self.proved.insert(*at);
        true
    }

    /// Has the defender a move, or can he pass?
    fn survives(&mut self, at: &mut Stones, depth: usize) -> bool {
        self.field.settle(at, self.form);
        if self.holds(at, depth + 1) {
            return true;
        }
        members(at.empty()).any(|point| {
            let play = self.field.play(at, !self.attacker, point, self.form);
            play.is_some_and(|(mut next, taken)| {
                if taken & self.kept != 0 {
                    return false;
                }
                self.field.settle(&mut next, self.form);
                self.holds(&next, depth + 1)
            })
        })
    }
}
