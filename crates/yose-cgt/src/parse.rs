//! Text to expressions. One pass, an explicit stack: nesting costs memory, not the machine's stack.
//!
//! ```text
//! sum     = term { (" + " | " - ") term }             blanks optional
//! term    = { prefix } part { part }                  juxtaposed parts add: 3*2 = 3 + *2
//! prefix  = "-" | "±" | "+-" | integer "."            binds to the next part only
//! part    = number | "^"[n] | "v"[n] | "*"[n] | "{" sides "}" | "(" sum ")" | name "(" sum {"," sum} ")"
//! number  = digits [ "/" digits ]                     only as the first part of a term
//! sides   = list bar list { bar list }                bar = "|" | "||" | ..; the longest splits first
//! name    = tiny miny cool heat overheat rcf aw ordinal neg   (tiny, miny also capitalised)
//! ```

use crate::arena::{GameId, Games};
use crate::dyadic::Dyadic;
use crate::error::{Error, ParseError, Result};
use crate::form::{Form, FormId, Function};
use crate::nus::Nus;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Decimal digits of the widest number, 2^524288.
const MAX_DIGITS: usize = 157_827;

/// The value of decimal digits, not too many of them.
fn integer(digits: &str) -> Option<BigInt> {
    if let Ok(n) = digits.parse::<u64>() {
        return Some(n.into());
    }
    let digits = digits.trim_start_matches('0');
    (digits.len() <= MAX_DIGITS).then(|| digits.parse().ok())?
}

#[derive(Debug, Clone, Copy)]
enum Prefix {
    Neg,
    PlusMinus,
    Times(i64),
}

#[derive(Debug, Clone, Copy)]
enum Name {
    Tiny,
    Miny,
    Call(Function),
}

const NAMES: [(&str, Name); 11] = [
    ("tiny", Name::Tiny),
    ("Tiny", Name::Tiny),
    ("miny", Name::Miny),
    ("Miny", Name::Miny),
    ("cool", Name::Call(Function::Cool)),
    ("heat", Name::Call(Function::Heat)),
    ("overheat", Name::Call(Function::Overheat)),
    ("rcf", Name::Call(Function::Reduce)),
    ("aw", Name::Call(Function::AtomicWeight)),
    ("ordinal", Name::Call(Function::Ordinal)),
    ("neg", Name::Call(Function::Neg)),
];

enum Bracket {
    Top,
    Paren,
    Call(Name),
    Braces(Sides),
}

/// What stands between braces so far: lists separated by bars.
#[derive(Default)]
struct Sides {
    lists: Vec<Vec<FormId>>,
    /// Length and offset of the bar after each list but the last.
    bars: Vec<(usize, usize)>,
    current: Vec<FormId>,
}

/// An open bracket with the sum inside it so far.
struct Frame {
    bracket: Bracket,
    opened_at: usize,
    args: Vec<FormId>,
    terms: Vec<FormId>,
    parts: Vec<FormId>,
    minus: bool,
    prefixes: Vec<Prefix>,
}

impl Frame {
    fn new(bracket: Bracket, opened_at: usize) -> Self {
        Self {
            bracket,
            opened_at,
            args: Vec::new(),
            terms: Vec::new(),
            parts: Vec::new(),
            minus: false,
            prefixes: Vec::new(),
        }
    }

    /// Nothing typed yet since the last comma, bar or bracket.
    fn is_blank(&self) -> bool {
        self.terms.is_empty() && self.parts.is_empty() && self.prefixes.is_empty() && !self.minus
    }
}

struct Parser<'a> {
    games: &'a mut Games,
    text: &'a str,
    at: usize,
}

impl Games {
    /// Reads an expression, keeping its options as typed. Linear in the text; nothing is evaluated.
    ///
    /// ```
    /// use yose_cgt::Games;
    /// let mut g = Games::new();
    /// assert!(g.parse("{10|{0|-100}} + {8|-8}").is_ok());
    /// let complaint = g.parse("{1|2|3}").unwrap_err().to_string();
    /// assert!(complaint.starts_with("byte 4: expected"), "{complaint}");
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte offset; [`Error::Limit`]; [`Error::Overflow`] for numbers.
    pub fn parse(&mut self, text: &str) -> Result<FormId> {
        Parser {
            games: self,
            text,
            at: 0,
        }
        .run()
    }

    /// Reads an expression and gives its value.
    ///
    /// # Errors
    /// As [`Self::parse`] and [`Self::value`].
    pub fn parse_value(&mut self, text: &str) -> Result<GameId> {
        let form = self.parse(text)?;
        self.value(form)
    }
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn fail<T>(&self, offset: usize, expected: impl Into<String>) -> Result<T> {
        let got = match self.text[offset..].chars().next() {
            None => "end of text".to_string(),
            Some(c) => format!("'{}'", c.escape_debug()),
        };
        Err(Error::Parse(ParseError {
            offset,
            expected: expected.into(),
            got,
        }))
    }

    fn digits(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let n = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += n;
        &rest[..n]
    }

    fn run(mut self) -> Result<FormId> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut frame = Frame::new(Bracket::Top, 0);
        loop {
            self.skip_blanks();
            if frame.parts.is_empty() || !frame.prefixes.is_empty() {
                self.operand(&mut frame, &mut stack)?;
            } else {
                if self.part(&mut frame, &mut stack)? {
                    continue;
                }
                let at = self.at;
                let before = self.text.as_bytes().get(at.wrapping_sub(1));
                let blank = before.is_some_and(u8::is_ascii_whitespace);
                if self.eat("+") {
                    self.end_term(&mut frame)?;
                } else if self.eat("-") {
                    self.end_term(&mut frame)?;
                    frame.minus = true;
                } else if at == self.text.len() {
                    if stack.is_empty() {
                        return self.end_sum(&mut frame);
                    }
                    let open = &self.text[frame.opened_at..].chars().next().unwrap_or('{');
                    let close = if *open == '{' { "'}'" } else { "')'" };
                    let expected = format!("{close} for the '{open}' at byte {}", frame.opened_at);
                    return self.fail(at, expected);
                } else if !self.delimiter(&mut frame, &mut stack)? {
                    let part = if blank { "" } else { "a part (^ v * { (), " };
                    let inside = match frame.bracket {
                        Bracket::Top => "'+', '-' or end of text",
                        Bracket::Paren => "'+', '-' or ')'",
                        Bracket::Call(_) => "'+', '-', ',' or ')'",
                        Bracket::Braces(_) => "'+', '-', ',', '|' or '}'",
                    };
                    return self.fail(at, format!("{part}{inside}"));
                }
            }
        }
    }

    /// At the start of a term (or after a prefix): a prefix, a part, or the end of an empty list.
    fn operand(&mut self, frame: &mut Frame, stack: &mut Vec<Frame>) -> Result<()> {
        let at = self.at;
        if self.eat("±") || self.eat("+-") {
            frame.prefixes.push(Prefix::PlusMinus);
            return Ok(());
        }
        if self.eat("-") {
            frame.prefixes.push(Prefix::Neg);
            return Ok(());
        }
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.number(frame);
        }
        if self.part(frame, stack)? {
            return Ok(());
        }
        let empty_list_may_end = frame.is_blank() && matches!(frame.bracket, Bracket::Braces(_));
        if empty_list_may_end && self.delimiter(frame, stack)? {
            return Ok(());
        }
        let game = "a game: a number, ^, v, *, ±, {, ( or a name such as tiny(";
        if empty_list_may_end {
            let open = frame.opened_at;
            return self.fail(
                at,
                format!("{game}; or '|' or '}}' for the '{{' at byte {open}"),
            );
        }
        self.fail(at, game)
    }

    fn number(&mut self, frame: &mut Frame) -> Result<()> {
        let at = self.at;
        let digits = self.digits().to_string();
        let Some(n) = integer(&digits) else {
            return self.fail(at, format!("an integer of at most {MAX_DIGITS} digits"));
        };
        if self.eat(".") {
            // 1.5 would silently be 1 times 5
            if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                return self.fail(
                    self.at,
                    "a game to multiply (decimal fractions are written 3/2, multiples of numbers 2.(3))",
                );
            }
            let Some(n) = n.to_i64() else {
                return self.fail(at, "a multiple below 2^63");
            };
            frame.prefixes.push(Prefix::Times(n));
            return Ok(());
        }
        let mut exponent = 0;
        if self.eat("/") {
            let at = self.at;
            let denominator = self.digits().to_string();
            let power = integer(&denominator).and_then(|d| Some((d.trailing_zeros()?, d.bits())));
            match power {
                Some((k, bits)) if k + 1 == bits && k <= Dyadic::MAX_EXPONENT.into() => {
                    exponent = k;
                }
                _ => return self.fail(at, "a power of two as denominator, at most 2^131072"),
            }
        }
        let x = Dyadic::from_big(n, exponent)?;
        let id = self.games.number(x)?;
        self.push(frame, Form::Value(id))
    }

    /// A part that may also be juxtaposed. Returns whether there was one.
    fn part(&mut self, frame: &mut Frame, stack: &mut Vec<Frame>) -> Result<bool> {
        let at = self.at;
        let zero = Nus::number(Dyadic::ZERO);
        if self.eat("^") {
            let n = self.count(i64::MAX.unsigned_abs())?;
            let up = i64::try_from(n).unwrap_or(i64::MAX);
            return self.push_nus(frame, Nus { up, ..zero });
        }
        if self.eat("*") {
            let n = self.count(u64::from(u32::MAX >> 1))?;
            return self.push_nus(
                frame,
                Nus {
                    star: u32::try_from(n).unwrap_or(u32::MAX),
                    ..zero
                },
            );
        }
        if self.text[at..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            let rest = &self.text[at..];
            let len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            let word = &rest[..len];
            if let Some(&(_, name)) = NAMES.iter().find(|(n, _)| *n == word) {
                self.at += len;
                self.skip_blanks();
                let open = self.at;
                if !self.eat("(") {
                    return self.fail(open, format!("'(' after {word}"));
                }
                stack.push(std::mem::replace(
                    frame,
                    Frame::new(Bracket::Call(name), open),
                ));
                return Ok(true);
            }
            if self.eat("v") {
                let n = self.count(i64::MAX.unsigned_abs())?;
                let up = i64::try_from(n).unwrap_or(i64::MAX);
                return self.push_nus(frame, Nus { up: -up, ..zero });
            }
            let names: Vec<&str> = NAMES.iter().map(|n| n.0).collect();
            return self.fail(at, format!("v or one of the names {}", names.join(", ")));
        }
        let bracket = if self.eat("{") {
            Bracket::Braces(Sides::default())
        } else if self.eat("(") {
            Bracket::Paren
        } else if !frame.parts.is_empty() && self.eat("±") {
            frame.prefixes.push(Prefix::PlusMinus);
            return Ok(true);
        } else {
            return Ok(false);
        };
        stack.push(std::mem::replace(frame, Frame::new(bracket, at)));
        Ok(true)
    }

    /// The optional count after ^, v and *.
    fn count(&mut self, greatest: u64) -> Result<u64> {
        let at = self.at;
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(1);
        }
        match digits.parse::<u64>() {
            Ok(n) if n <= greatest => Ok(n),
            _ => self.fail(at, format!("a count of at most {greatest}")),
        }
    }

    fn push_nus(&mut self, frame: &mut Frame, value: Nus) -> Result<bool> {
        let id = self.games.nus(value)?;
        self.push(frame, Form::Value(id))?;
        Ok(true)
    }

    fn push(&mut self, frame: &mut Frame, form: Form) -> Result<()> {
        let id = self.games.form(form)?;
        self.push_part(frame, id)
    }

    /// A part is complete: apply the prefixes before it, the innermost first.
    fn push_part(&mut self, frame: &mut Frame, part: FormId) -> Result<()> {
        let mut part = part;
        while let Some(prefix) = frame.prefixes.pop() {
            part = match prefix {
                Prefix::Neg => self.negative(part)?,
                Prefix::Times(n) => self.games.form(Form::Times(n, part))?,
                Prefix::PlusMinus => {
                    let negative = self.negative(part)?;
                    self.games.form(Form::Braces(vec![part], vec![negative]))?
                }
            };
        }
        frame.parts.push(part);
        Ok(())
    }

    fn negative(&mut self, part: FormId) -> Result<FormId> {
        self.games.negative_form(part)
    }

    /// Adds up juxtaposed parts; sums of number-up-stars are done on the spot.
    fn total(&mut self, parts: Vec<FormId>) -> Result<FormId> {
        if let [one] = parts[..] {
            return Ok(one);
        }
        let mut sum = Nus::number(Dyadic::ZERO);
        for &p in &parts {
            match self.games.form_node(p) {
                Form::Value(g) => match self.games.as_nus(*g) {
                    Some(n) => sum = sum.checked_add(&n)?,
                    None => return self.games.form(Form::Sum(parts)),
                },
                _ => return self.games.form(Form::Sum(parts)),
            }
        }
        let id = self.games.nus(sum)?;
        self.games.form(Form::Value(id))
    }

    fn end_term(&mut self, frame: &mut Frame) -> Result<()> {
        let parts = std::mem::take(&mut frame.parts);
        let mut term = self.total(parts)?;
        if std::mem::take(&mut frame.minus) {
            term = self.negative(term)?;
        }
        frame.terms.push(term);
        Ok(())
    }

    fn end_sum(&mut self, frame: &mut Frame) -> Result<FormId> {
        self.end_term(frame)?;
        let terms = std::mem::take(&mut frame.terms);
        if let [one] = terms[..] {
            return Ok(one);
        }
        // Kept as typed (not added up): the terms of a top-level sum are its components.
        self.games.form(Form::Sum(terms))
    }

    /// `,` `|` `}` `)`. Returns whether there was one that fits here.
    fn delimiter(&mut self, frame: &mut Frame, stack: &mut Vec<Frame>) -> Result<bool> {
        let at = self.at;
        let blank = frame.is_blank();
        match &frame.bracket {
            Bracket::Top => Ok(false),
            Bracket::Paren | Bracket::Call(_) => {
                if matches!(frame.bracket, Bracket::Call(_)) && self.eat(",") {
                    let arg = self.end_sum(frame)?;
                    frame.args.push(arg);
                    return Ok(true);
                }
                if !self.eat(")") {
                    return Ok(false);
                }
                let last = self.end_sum(frame)?;
                frame.args.push(last);
                let outer = stack.pop().unwrap_or_else(|| Frame::new(Bracket::Top, 0));
                let inner = std::mem::replace(frame, outer);
                let part = self.close(inner, at)?;
                self.push_part(frame, part)?;
                Ok(true)
            }
            Bracket::Braces(_) => {
                let is_comma = self.text[at..].starts_with(',');
                if is_comma && blank {
                    return Ok(false);
                }
                if !is_comma && !self.text[at..].starts_with(['|', '}']) {
                    return Ok(false);
                }
                let ended = if blank {
                    None
                } else {
                    Some(self.end_sum(frame)?)
                };
                let Bracket::Braces(sides) = &mut frame.bracket else {
                    return Ok(false);
                };
                let after_comma = !sides.current.is_empty();
                if blank && after_comma {
                    return self.fail(at, "another option after ','");
                }
                if let Some(option) = ended {
                    sides.current.push(option);
                }
                if is_comma {
                    self.at += 1;
                    return Ok(true);
                }
                let list = std::mem::take(&mut sides.current);
                sides.lists.push(list);
                let bar = self.text[at..].bytes().take_while(|&b| b == b'|').count();
                if bar > 0 {
                    sides.bars.push((bar, at));
                    self.at += bar;
                    return Ok(true);
                }
                if sides.bars.is_empty() {
                    return self.fail(at, "'|' between the options of Left and of Right");
                }
                self.at += 1;
                let sides = std::mem::take(sides);
                let part = self.split(sides)?;
                *frame = stack.pop().unwrap_or_else(|| Frame::new(Bracket::Top, 0));
                self.push_part(frame, part)?;
                Ok(true)
            }
        }
    }

    fn close(&mut self, inner: Frame, at: usize) -> Result<FormId> {
        let Bracket::Call(name) = inner.bracket else {
            return self.total(inner.args);
        };
        let arity = match name {
            Name::Tiny | Name::Miny => 1,
            Name::Call(f) => f.arity(),
        };
        if inner.args.len() != arity {
            let s = if arity == 1 { "" } else { "s" };
            return self.fail(at, format!("{arity} argument{s}, not {}", inner.args.len()));
        }
        let arg = inner.args[0];
        match name {
            Name::Call(f) => self.games.form(Form::Call(f, inner.args)),
            Name::Tiny | Name::Miny => {
                let zero = self.games.form(Form::Value(GameId::ZERO))?;
                if matches!(name, Name::Tiny) {
                    let n = self.negative(arg)?;
                    let threat = self.games.form(Form::Braces(vec![zero], vec![n]))?;
                    self.games.form(Form::Braces(vec![zero], vec![threat]))
                } else {
                    let threat = self.games.form(Form::Braces(vec![arg], vec![zero]))?;
                    self.games.form(Form::Braces(vec![threat], vec![zero]))
                }
            }
        }
    }

    /// Builds the game from lists and bars: the longest bar splits first, and it must be alone in its
    /// stretch. A stack as for a Cartesian tree, so that many bars cost linear time.
    fn split(&mut self, sides: Sides) -> Result<FormId> {
        let mut lists = sides.lists.into_iter();
        // (left operand, bar) waiting for a right operand; bars get shorter towards the top
        let mut waiting: Vec<(Vec<FormId>, usize)> = Vec::new();
        let mut operand = lists.next().unwrap_or_default();
        for ((bar, at), next) in sides.bars.into_iter().zip(lists) {
            while let Some((left, shorter)) = waiting.pop_if(|(_, b)| *b < bar) {
                let _ = shorter;
                let game = self.games.form(Form::Braces(left, operand))?;
                operand = vec![game];
            }
            if waiting.last().is_some_and(|(_, b)| *b == bar) {
                return self.fail(
                    at,
                    format!("a bar longer or shorter than the {bar} of the one before it"),
                );
            }
            waiting.push((operand, bar));
            operand = next;
        }
        while let Some((left, _)) = waiting.pop() {
            let game = self.games.form(Form::Braces(left, operand))?;
            operand = vec![game];
        }
        Ok(operand[0])
    }
}
