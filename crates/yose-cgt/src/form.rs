//! Expressions as typed: braces with their options in the order given, sums, multiples.
//!
//! A form keeps what canonical form forgets, because the best move *in a component* is asked over the
//! options that its owner wrote. Forms are stored bottom-up (parts have smaller ids), so walking
//! them needs no recursion.

use crate::arena::{GameId, Games};
use crate::error::{Error, Result};
use crate::hash::{FastMap, FastSet};

/// The name of an expression in its [`Games`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormId(pub(crate) u32);

impl FormId {
    /// The bare number, for hosts that store ids (Python).
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// One node of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A value; its options are those of its canonical form.
    Value(GameId),
    /// `{left|right}` with the options as given, in order, repetitions kept.
    Braces(Vec<FormId>, Vec<FormId>),
    /// A sum. As one component it stands for its value.
    Sum(Vec<FormId>),
    /// n copies.
    Times(i64, FormId),
    /// A named operation on values.
    Call(Function, Vec<FormId>),
}

/// Operations that expressions may name: `cool(G,t)` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// `neg(G)`; written `-G`.
    Neg,
    /// `cool(G,t)`
    Cool,
    /// `heat(G,t)`
    Heat,
    /// `overheat(G,s,t)`
    Overheat,
    /// `rcf(G)`: reduced canonical form.
    Reduce,
    /// `aw(G)`: atomic weight.
    AtomicWeight,
    /// `ordinal(G,H)`: ordinal sum of canonical forms.
    Ordinal,
}

impl Function {
    /// Its name in expressions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Cool => "cool",
            Self::Heat => "heat",
            Self::Overheat => "overheat",
            Self::Reduce => "rcf",
            Self::AtomicWeight => "aw",
            Self::Ordinal => "ordinal",
        }
    }

    /// How many arguments it takes.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Neg | Self::Reduce | Self::AtomicWeight => 1,
            Self::Cool | Self::Heat | Self::Ordinal => 2,
            Self::Overheat => 3,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Forms {
    nodes: Vec<Form>,
    values: FastMap<u32, u32>,
    negatives: FastMap<u32, u32>,
}

impl Games {
    /// Stores an expression.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub fn form(&mut self, form: Form) -> Result<FormId> {
        let len = self.forms.nodes.len();
        if len as u64 >= self.limits.forms {
            return Err(Error::Limit {
                what: "expression nodes",
                limit: self.limits.forms,
            });
        }
        self.forms.nodes.push(form);
        u32::try_from(len)
            .map(FormId)
            .map_err(|_| Error::overflow("form id"))
    }

    /// The node behind an id.
    ///
    /// # Panics
    /// If the id belongs to another arena and is out of range here.
    #[must_use]
    pub fn form_node(&self, form: FormId) -> &Form {
        &self.forms.nodes[form.0 as usize]
    }

    fn parts(form: &Form) -> Vec<u32> {
        match form {
            Form::Value(_) => vec![],
            Form::Braces(l, r) => l.iter().chain(r).map(|f| f.0).collect(),
            Form::Sum(parts) | Form::Call(_, parts) => parts.iter().map(|f| f.0).collect(),
            Form::Times(_, f) => vec![f.0],
        }
    }

    /// Everything below `form` that is not `done`, parts first.
    fn parts_first(&self, form: FormId, done: impl Fn(&Self, u32) -> bool) -> Vec<u32> {
        let mut seen: FastSet<u32> = FastSet::default();
        let mut stack = vec![form.0];
        while let Some(f) = stack.pop() {
            if !done(self, f) && seen.insert(f) {
                stack.extend(Self::parts(&self.forms.nodes[f as usize]));
            }
        }
        let mut order: Vec<u32> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// The value of an expression, in canonical form. Remembered for every part.
    ///
    /// # Errors
    /// Whatever the operations in it give: [`Error::Limit`], [`Error::Overflow`], [`Error::Undefined`].
    pub fn value(&mut self, form: FormId) -> Result<GameId> {
        for f in self.parts_first(form, |s, f| s.forms.values.contains_key(&f)) {
            let ids = |s: &Self, fs: &[FormId]| -> Vec<GameId> {
                fs.iter()
                    .filter_map(|f| s.forms.values.get(&f.0))
                    .map(|&v| GameId(v))
                    .collect()
            };
            let value = match self.forms.nodes[f as usize].clone() {
                Form::Value(g) => g,
                Form::Braces(l, r) => {
                    let (l, r) = (ids(self, &l), ids(self, &r));
                    self.make(&l, &r)?
                }
                Form::Sum(parts) => {
                    let parts = ids(self, &parts);
                    self.sum(&parts)?
                }
                Form::Times(n, part) => {
                    let part = ids(self, &[part]);
                    self.times(n, part[0])?
                }
                Form::Call(function, parts) => {
                    let parts = ids(self, &parts);
                    self.call(function, &parts)?
                }
            };
            self.forms.values.insert(f, value.0);
        }
        Ok(GameId(self.forms.values[&form.0]))
    }

    fn call(&mut self, function: Function, args: &[GameId]) -> Result<GameId> {
        let arg = |i: usize| {
            args.get(i).copied().ok_or(Error::Undefined {
                operation: function.name(),
                expected: "its full number of arguments",
                got: args.len().to_string(),
            })
        };
        match function {
            Function::Neg => self.neg(arg(0)?),
            Function::Cool => {
                let t = self.number_argument(function, arg(1)?)?;
                self.cool(arg(0)?, &t)
            }
            Function::Heat => self.heat(arg(0)?, arg(1)?),
            Function::Overheat => self.overheat(arg(0)?, arg(1)?, arg(2)?),
            Function::Reduce => self.reduced(arg(0)?),
            Function::AtomicWeight => self.atomic_weight(arg(0)?),
            Function::Ordinal => self.ordinal_sum(arg(0)?, arg(1)?),
        }
    }

    fn number_argument(&mut self, function: Function, g: GameId) -> Result<crate::Dyadic> {
        match self.as_number(g) {
            Some(x) => Ok(x),
            None => Err(Error::Undefined {
                operation: function.name(),
                expected: "a number as its last argument",
                got: self.print(g)?,
            }),
        }
    }

    /// The expression for the negative: braces are mirrored, option by option, so that "as given"
    /// keeps its meaning.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub fn negative_form(&mut self, form: FormId) -> Result<FormId> {
        for f in self.parts_first(form, |s, f| s.forms.negatives.contains_key(&f)) {
            let flip = |s: &Self, fs: &[FormId]| -> Vec<FormId> {
                fs.iter()
                    .filter_map(|f| s.forms.negatives.get(&f.0))
                    .map(|&v| FormId(v))
                    .collect()
            };
            let node = match self.forms.nodes[f as usize].clone() {
                Form::Value(g) => Form::Value(self.neg(g)?),
                Form::Braces(l, r) => Form::Braces(flip(self, &r), flip(self, &l)),
                Form::Sum(parts) => Form::Sum(flip(self, &parts)),
                Form::Times(n, part) => {
                    let n = n
                        .checked_neg()
                        .ok_or(Error::overflow("negative of a multiple"))?;
                    Form::Times(n, part)
                }
                Form::Call(..) => Form::Call(Function::Neg, vec![FormId(f)]),
            };
            let n = self.form(node)?.0;
            self.forms.negatives.insert(f, n);
            self.forms.negatives.insert(n, f);
        }
        Ok(FormId(self.forms.negatives[&form.0]))
    }

    /// The options of an expression as given: those in its braces; for anything but braces, those of
    /// the canonical form of its value.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn options_as_given(&mut self, form: FormId) -> Result<(Vec<FormId>, Vec<FormId>)> {
        if let Form::Braces(l, r) = self.form_node(form) {
            return Ok((l.clone(), r.clone()));
        }
        let value = self.value(form)?;
        let (l, r) = (self.left_options(value)?, self.right_options(value)?);
        let mut wrap = |ids: Vec<GameId>| {
            ids.into_iter()
                .map(|g| self.form(Form::Value(g)))
                .collect::<Result<Vec<_>>>()
        };
        Ok((wrap(l)?, wrap(r)?))
    }

    /// The components of a top-level sum (`A + B - C`), each with its sign applied; anything else is
    /// one component.
    #[must_use]
    pub fn components(&self, form: FormId) -> Vec<FormId> {
        let mut out = Vec::new();
        let mut stack = vec![form];
        while let Some(f) = stack.pop() {
            match self.form_node(f) {
                Form::Sum(parts) => stack.extend(parts.iter().rev()),
                _ => out.push(f),
            }
        }
        out
    }
}
