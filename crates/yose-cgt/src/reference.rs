//! Plain definitions, slow and independent of the arena: what the fast paths are tested against.
//!
//! Nothing here is remembered, reduced or cancelled; everything recurses. Use it on small games only:
//! costs are exponential and depth uses the machine's stack.

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::form::{Form, FormId};
use crate::nus::Nus;
use crate::rational::Rational;
use crate::sum::Player;

/// A game as a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// A number-up-star, with its options known by formula.
    Leaf(Nus),
    /// `{left|right}`
    Node(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    /// A number.
    #[must_use]
    pub const fn number(x: Dyadic) -> Self {
        Self::Leaf(Nus::number(x))
    }

    /// Options of both sides.
    ///
    /// # Errors
    /// [`crate::Error::Overflow`]
    pub fn options(&self) -> Result<(Vec<Self>, Vec<Self>)> {
        match self {
            Self::Node(l, r) => Ok((l.clone(), r.clone())),
            Self::Leaf(n) => {
                let o = n.options()?;
                let wrap = |v: Vec<Nus>| v.into_iter().map(Self::Leaf).collect();
                Ok((wrap(o.left), wrap(o.right)))
            }
        }
    }

    /// The tree as an expression of the arena, options as they are.
    ///
    /// # Errors
    /// [`crate::Error::Limit`]
    pub fn to_form(&self, games: &mut Games) -> Result<FormId> {
        let form = match self {
            Self::Leaf(n) => Form::Value(games.nus(n.clone())?),
            Self::Node(l, r) => {
                let l = l.iter().map(|t| t.to_form(games)).collect::<Result<_>>()?;
                let r = r.iter().map(|t| t.to_form(games)).collect::<Result<_>>()?;
                Form::Braces(l, r)
            }
        };
        games.form(form)
    }

    /// The canonical form of an arena's game as a tree.
    ///
    /// # Errors
    /// [`crate::Error::Limit`]
    pub fn of_value(games: &mut Games, g: GameId) -> Result<Self> {
        if let Some(n) = games.as_nus(g) {
            return Ok(Self::Leaf(n));
        }
        let (l, r) = (games.left_options(g)?, games.right_options(g)?);
        let mut trees = |ids: Vec<GameId>| -> Result<Vec<Self>> {
            ids.into_iter().map(|o| Self::of_value(games, o)).collect()
        };
        Ok(Self::Node(trees(l)?, trees(r)?))
    }
}

/// Is `g <= h`? By the definition: no `g^L >= h` and no `h^R <= g`.
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn le(g: &Tree, h: &Tree) -> Result<bool> {
    for gl in g.options()?.0 {
        if le(h, &gl)? {
            return Ok(false);
        }
    }
    for hr in h.options()?.1 {
        if le(&hr, g)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The number that a tree equals, if it equals one: simplest-number rule checked by [`le`].
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn number_of(g: &Tree) -> Result<Option<Dyadic>> {
    if let Tree::Leaf(n) = g {
        return Ok(n.is_number().then(|| n.number.clone()));
    }
    // A number equal to g lies between the stops of its options; try the simplest of the closed and
    // of the open intervals.
    let (l, r) = g.options()?;
    let mut low: Option<Dyadic> = None;
    for o in &l {
        let s = stop(o, Player::Right)?;
        low = low.max(Some(s));
    }
    let mut high: Option<Dyadic> = None;
    for o in &r {
        let s = stop(o, Player::Left)?;
        high = Some(high.take().filter(|x| *x < s).unwrap_or(s));
    }
    for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
        let low = low.as_ref().map(|l| (l, a));
        if let Some(x) = Dyadic::simplest(low, high.as_ref().map(|h| (h, b)))? {
            let t = Tree::number(x.clone());
            if le(g, &t)? && le(&t, g)? {
                return Ok(Some(x));
            }
        }
    }
    Ok(None)
}

/// The stop with `who` to move, by minimax that ends as soon as the value is a number.
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn stop(g: &Tree, who: Player) -> Result<Dyadic> {
    sum_stop(std::slice::from_ref(g), who)
}

/// The stop of a sum, by minimax over the tuple of parts: a part that is a number is added and not played.
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn sum_stop(parts: &[Tree], who: Player) -> Result<Dyadic> {
    let mut constant = Dyadic::ZERO;
    let mut playable = Vec::new();
    for p in parts {
        match number_of(p)? {
            Some(x) => constant = constant.checked_add(&x)?,
            None => playable.push(p.clone()),
        }
    }
    let mut best: Option<Dyadic> = None;
    for j in 0..playable.len() {
        if let Some(v) = best_in(&playable, j, who)? {
            best = Some(match (best, who) {
                (None, _) => v,
                (Some(b), Player::Left) => b.max(v),
                (Some(b), Player::Right) => b.min(v),
            });
        }
    }
    constant.checked_add(&best.unwrap_or(Dyadic::ZERO))
}

/// The stop of a sum after the best option of `who` in part j; `None` if there is no option.
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn best_in(parts: &[Tree], j: usize, who: Player) -> Result<Option<Dyadic>> {
    let (l, r) = parts[j].options()?;
    let mut best: Option<Dyadic> = None;
    for o in if who == Player::Left { l } else { r } {
        let mut after = parts.to_vec();
        after[j] = o;
        let v = sum_stop(&after, who.other())?;
        best = Some(match (best, who) {
            (None, _) => v,
            (Some(b), Player::Left) => b.max(v),
            (Some(b), Player::Right) => b.min(v),
        });
    }
    Ok(best)
}

/// Both walls at the temperatures -1, -1 + step, .. (`count` of them), by the definition evaluated point by
/// point: scaffolds until they first meet, then the mast. Exact if all corners lie on the grid. The tree
/// must be canonical.
///
/// # Errors
/// [`crate::Error::Overflow`]
pub fn walls_on_grid(g: &Tree, step: &Rational, count: usize) -> Result<Vec<(Rational, Rational)>> {
    if let Tree::Leaf(n) = g
        && n.is_number()
        && n.number.is_integer()
    {
        let x = Rational::from(&n.number);
        return Ok(vec![(x.clone(), x); count]);
    }
    let (l, r) = g.options()?;
    let l = l
        .iter()
        .map(|o| walls_on_grid(o, step, count))
        .collect::<Result<Vec<_>>>()?;
    let r = r
        .iter()
        .map(|o| walls_on_grid(o, step, count))
        .collect::<Result<Vec<_>>>()?;
    let mut out = Vec::with_capacity(count);
    let mut t = Rational::MINUS_ONE;
    let mut mast: Option<Rational> = None;
    for i in 0..count {
        if let Some(m) = &mast {
            out.push((m.clone(), m.clone()));
            continue;
        }
        let left = l
            .iter()
            .map(|w| &w[i].1)
            .max()
            .map(|x| x.checked_sub(&t))
            .transpose()?;
        let right = r
            .iter()
            .map(|w| &w[i].0)
            .min()
            .map(|x| x.checked_add(&t))
            .transpose()?;
        match (left, right) {
            (Some(a), Some(b)) => {
                if a <= b {
                    mast = Some(a.clone());
                }
                out.push((a, b));
            }
            // one side has no options only in integers
            _ => out.push((Rational::ZERO, Rational::ZERO)),
        }
        t = t.checked_add(step)?;
    }
    Ok(out)
}
