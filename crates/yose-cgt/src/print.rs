//! Values to text: named values, slashes instead of braces where that is shorter.
//!
//! `parse(print(g)) = g` for every g. The text depends on the value only, not on the arena: options are
//! sorted by their stops, then by a fingerprint.

use crate::arena::{GameId, Games};
use crate::error::{Error, Result};
use crate::form::{Form, FormId};
use crate::hash::FastMap;
use std::fmt::Write;

/// Longest bar printed; a game that needs more keeps braces. Unbounded bars would make a text of
/// nested games quadratic.
const MAX_BARS: u32 = 4;

enum Step {
    Text(&'static str),
    Bars(u32),
    Game(u32, bool),
}

/// How a game is written.
#[derive(Clone, Copy)]
enum Shape {
    Nus,
    /// ±X: the left option.
    PlusMinus(u32),
    /// tiny(X), with X = the negative of this id
    Tiny(u32),
    /// miny(X)
    Miny(u32),
    Braces,
}

impl Games {
    /// The canonical form as text, by the notation of [`Self::parse`].
    ///
    /// ```
    /// use yose_cgt::Games;
    /// let mut g = Games::new();
    /// for (typed, printed) in [
    ///     ("{5|{2|1}}", "{5||2|1}"),
    ///     ("{0|{0|-2}}", "tiny(2)"),
    ///     ("{{3|1}|{-1|-3}}", "±{3|1}"),
    ///     ("{0|*}", "^"),
    ///     ("3 + *2 - ^", "3v*2"),
    ///     ("{2|1}", "{2|1}"),
    /// ] {
    ///     let id = g.parse_value(typed)?;
    ///     assert_eq!(g.print(id)?, printed);
    ///     assert_eq!(g.parse_value(printed)?, id);
    /// }
    /// # Ok::<(), yose_cgt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`] when the text grows beyond [`crate::Limits::text`].
    pub fn print(&mut self, g: GameId) -> Result<String> {
        let (shapes, bars) = self.shapes(g.0)?;
        let mut out = String::new();
        let mut stack = vec![Step::Game(g.0, true)];
        while let Some(step) = stack.pop() {
            if out.len() as u64 > self.limits.text {
                return Err(Error::Limit {
                    what: "bytes of text",
                    limit: self.limits.text,
                });
            }
            match step {
                Step::Text(t) => out.push_str(t),
                Step::Bars(n) => out.extend(std::iter::repeat_n('|', n as usize)),
                Step::Game(id, braced) => {
                    self.print_one(id, braced, &shapes, &bars, &mut out, &mut stack);
                }
            }
        }
        Ok(out)
    }

    fn print_one(
        &self,
        id: u32,
        braced: bool,
        shapes: &FastMap<u32, Shape>,
        bars: &FastMap<u32, u32>,
        out: &mut String,
        stack: &mut Vec<Step>,
    ) {
        let named = |stack: &mut Vec<Step>, before: &'static str, x: u32| {
            stack.extend([Step::Text(")"), Step::Game(x, true), Step::Text(before)]);
        };
        match shapes.get(&id).copied().unwrap_or(Shape::Nus) {
            Shape::Nus => {
                if let Some(value) = self.nus_of(id) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "{value}");
                }
            }
            Shape::PlusMinus(x) => match self.nus_of(x) {
                // ±1* would read as (±1) + *
                Some(n) if !n.is_number() => named(stack, "±(", x),
                _ => stack.extend([Step::Game(x, true), Step::Text("±")]),
            },
            Shape::Tiny(x) => named(stack, "tiny(", x),
            Shape::Miny(x) => named(stack, "miny(", x),
            Shape::Braces => {
                let (left, right) = (
                    self.sorted(self.left_ids(id)),
                    self.sorted(self.right_ids(id)),
                );
                let n = bars.get(&id).copied().unwrap_or(1);
                // A game alone on its side may drop its braces when its bars are shorter than ours.
                let keeps =
                    |side: &[u32], x: u32| side.len() != 1 || bars.get(&x).is_none_or(|&b| b >= n);
                if braced {
                    out.push('{');
                    stack.push(Step::Text("}"));
                }
                for (i, &x) in right.iter().enumerate().rev() {
                    stack.push(Step::Game(x, keeps(&right, x)));
                    if i > 0 {
                        stack.push(Step::Text(","));
                    }
                }
                stack.push(Step::Bars(n));
                for (i, &x) in left.iter().enumerate().rev() {
                    stack.push(Step::Game(x, keeps(&left, x)));
                    if i > 0 {
                        stack.push(Step::Text(","));
                    }
                }
            }
        }
    }

    /// Shapes of everything below, and the bars of those written with bars.
    fn shapes(&mut self, root: u32) -> Result<(FastMap<u32, Shape>, FastMap<u32, u32>)> {
        let order = self.options_first(&[root], |s, i| s.nus_of(i).is_none())?;
        let mut shapes: FastMap<u32, Shape> = FastMap::default();
        let mut bars: FastMap<u32, u32> = FastMap::default();
        for id in order {
            let shape = self.shape(id)?;
            shapes.insert(id, shape);
            // What ± and tiny name is a follower or a number, so it has its own entry or needs none.
            if !matches!(shape, Shape::Braces) {
                continue;
            }
            let need = |side: &[u32]| match side {
                [x] => bars
                    .get(x)
                    .map_or(1, |&b| if b < MAX_BARS { b + 1 } else { 1 }),
                _ => 1,
            };
            let n = need(self.left_ids(id)).max(need(self.right_ids(id)));
            bars.insert(id, n);
        }
        Ok((shapes, bars))
    }

    fn shape(&mut self, id: u32) -> Result<Shape> {
        let (&[l], &[r]) = (self.left_ids(id), self.right_ids(id)) else {
            return Ok(Shape::Braces);
        };
        let single = |s: &Self, i: u32| match (s.nus_of(i), s.is_expanded(i)) {
            (None, true) => match (s.left_ids(i), s.right_ids(i)) {
                (&[a], &[b]) => Some((a, b)),
                _ => None,
            },
            _ => None,
        };
        if l == 0
            && let Some((0, x)) = single(self, r)
            && self.is_number_id(x)
        {
            return Ok(Shape::Tiny(self.neg_id(x)?));
        }
        if r == 0
            && let Some((x, 0)) = single(self, l)
            && self.is_number_id(x)
        {
            return Ok(Shape::Miny(x));
        }
        if self.head(l).left_stop.negative() == self.head(r).right_stop && self.neg_id(l)? == r {
            return Ok(Shape::PlusMinus(l));
        }
        Ok(Shape::Braces)
    }

    /// Options in the order of printing: best stops for Left first.
    fn sorted(&self, ids: &[u32]) -> Vec<u32> {
        let mut ids = ids.to_vec();
        ids.sort_by(|&a, &b| {
            let (ha, hb) = (self.head(a), self.head(b));
            (&hb.left_stop, &hb.right_stop)
                .cmp(&(&ha.left_stop, &ha.right_stop))
                .then(self.fingerprint(a).cmp(&self.fingerprint(b)))
        });
        ids
    }

    /// An expression as typed, with braces only: options in their order, nothing simplified.
    ///
    /// # Errors
    /// [`Error::Limit`] when the text grows beyond [`crate::Limits::text`].
    pub fn print_form(&mut self, form: FormId) -> Result<String> {
        enum Piece {
            Text(&'static str),
            Form(FormId),
            Times(i64),
        }
        let mut out = String::new();
        let mut stack = vec![Piece::Form(form)];
        while let Some(piece) = stack.pop() {
            if out.len() as u64 > self.limits.text {
                return Err(Error::Limit {
                    what: "bytes of text",
                    limit: self.limits.text,
                });
            }
            let form = match piece {
                Piece::Text(t) => {
                    out.push_str(t);
                    continue;
                }
                Piece::Times(n) => {
                    let _ = write!(out, "{n}.(");
                    continue;
                }
                Piece::Form(f) => f,
            };
            let list = |stack: &mut Vec<Piece>, forms: &[FormId], separator: &'static str| {
                for (i, &f) in forms.iter().enumerate().rev() {
                    stack.push(Piece::Form(f));
                    if i > 0 {
                        stack.push(Piece::Text(separator));
                    }
                }
            };
            match self.form_node(form).clone() {
                Form::Value(g) => out.push_str(&self.print(g)?),
                Form::Braces(l, r) => {
                    stack.push(Piece::Text("}"));
                    list(&mut stack, &r, ",");
                    stack.push(Piece::Text("|"));
                    list(&mut stack, &l, ",");
                    stack.push(Piece::Text("{"));
                }
                Form::Sum(parts) => list(&mut stack, &parts, " + "),
                Form::Times(n, f) => {
                    stack.extend([Piece::Text(")"), Piece::Form(f), Piece::Times(n)]);
                }
                Form::Call(function, args) => {
                    stack.push(Piece::Text(")"));
                    list(&mut stack, &args, ",");
                    stack.extend([Piece::Text("("), Piece::Text(function.name())]);
                }
            }
        }
        Ok(out)
    }
}
