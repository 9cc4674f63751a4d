//! Reports and thermographs for a terminal.

use crate::error::Result;
use crate::rational::Rational;
use crate::report::{CgtReport, Ranked, SumReport};
use crate::thermograph::Thermograph;
use std::fmt::Write;

/// Columns of the plot between the labels.
const WIDTH: usize = 48;
/// Rows of the plot without the extra rows at corners.
const ROWS: i128 = 14;

/// Thermographs with more corners are not drawn: every corner takes a row.
const MAX_CORNERS: usize = 200;

/// A thermograph in text: temperature upward, Left to the left (so scores grow leftward). Every corner
/// (and temperature 0, where the stops are) has its own row, labelled with its exact temperature and
/// the exact walls there (numbers of more than 40 characters are cut).
///
/// ```
/// let mut g = yose_cgt::Games::new();
/// let id = g.parse_value("{5|-5}")?;
/// let plot = yose_cgt::text::thermograph(&*g.thermograph(id)?)?;
/// assert!(plot.lines().any(|l| l.trim_start().starts_with("5 ")));
/// # Ok::<(), yose_cgt::Error>(())
/// ```
///
/// # Errors
/// [`crate::Error::Overflow`] if a point between corners does not fit.
pub fn thermograph(t: &Thermograph) -> Result<String> {
    let mut corners: Vec<Rational> = t
        .left
        .points()
        .iter()
        .chain(t.right.points())
        .map(|p| p.0.clone())
        .collect();
    // The stops are read off at 0, so it always has a row.
    corners.push(Rational::ZERO);
    corners.sort_unstable();
    corners.dedup();
    // Some room above the mast's foot, so that it shows as a mast.
    let span = t.temperature.checked_sub(&Rational::MINUS_ONE)?;
    let mut margin = span.half()?.half()?;
    if margin == Rational::ZERO {
        margin = Rational::integer(1);
    }
    let top = t.temperature.checked_add(&margin)?;
    let mut temperatures = corners.clone();
    // Evenly spaced rows between; they carry no label, so their temperatures may be rounded.
    for i in 0..=ROWS {
        let f = (top.to_f64() + 1.0) * (i as f64 / ROWS as f64) - 1.0;
        temperatures.push(approximate(f)?);
    }
    temperatures.sort_unstable();
    temperatures.dedup();
    temperatures.retain(|x| *x >= Rational::MINUS_ONE);
    let (low, high) = extent(t);
    let width = (high - low).max(f64::MIN_POSITIVE);
    let column = |x: &Rational| -> usize {
        let c = ((high - x.to_f64()) / width * (WIDTH - 1) as f64).round();
        // NaN and negatives become 0
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped"
        )]
        let c = c.clamp(0.0, (WIDTH - 1) as f64) as usize;
        c
    };
    let mut rows = Vec::new();
    for at in temperatures.iter().rev() {
        let (l, r) = (t.left.at(at)?, t.right.at(at)?);
        let (cl, cr) = if low < high {
            (column(&l), column(&r))
        } else {
            (WIDTH / 2, WIDTH / 2)
        };
        let mut line = vec![' '; WIDTH];
        line[cl] = if *at >= t.temperature { '|' } else { 'L' };
        line[cr] = if *at >= t.temperature { '|' } else { 'R' };
        if cl == cr && *at < t.temperature {
            line[cl] = 'X';
        }
        let label = if corners.contains(at) {
            shorten(&at.to_string(), 40)
        } else {
            String::new()
        };
        let walls = match (corners.contains(at), *at >= t.temperature) {
            (false, _) => String::new(),
            (true, true) => format!("mast {}", shorten(&l.to_string(), 40)),
            (true, false) => format!(
                "{} .. {}",
                shorten(&l.to_string(), 40),
                shorten(&r.to_string(), 40)
            ),
        };
        rows.push((label, line.into_iter().collect::<String>(), walls));
    }
    let w = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (label, line, walls) in rows {
        let line = format!("  {label:>w$} |{line}| {walls}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    Ok(out)
}

/// A nearby fraction with a small denominator.
#[expect(clippy::cast_possible_truncation, reason = "only where rows are drawn")]
fn approximate(f: f64) -> Result<Rational> {
    if f.abs() < 1e15 {
        return Rational::new((f * 1024.0).round() as i128, 1024);
    }
    Ok(Rational::integer(f.clamp(-1e38, 1e38) as i128))
}

fn extent(t: &Thermograph) -> (f64, f64) {
    let xs = t
        .left
        .points()
        .iter()
        .chain(t.right.points())
        .map(|p| p.1.to_f64());
    xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    })
}

fn known(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("unknown")
}

/// Cuts long texts, saying how long they were.
fn shorten(s: &str, width: usize) -> String {
    let n = s.chars().count();
    if n <= width {
        return s.to_string();
    }
    let head: String = s.chars().take(width.saturating_sub(16)).collect();
    format!("{head}.. ({n} characters)")
}

pub(crate) fn cgt(r: &CgtReport) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<12} {}", shorten(value, 2_000));
    };
    row("canonical", &r.canonical);
    row(
        "outcome",
        &format!("{} ({})", r.outcome, outcome_words(r.outcome)),
    );
    row(
        "left stop",
        &format!("{:<10} game {} {0}", r.left_stop, r.compare.left_stop),
    );
    row(
        "right stop",
        &format!("{:<10} game {} {0}", r.right_stop, r.compare.right_stop),
    );
    row("swing", &r.swing);
    row("mean", known(&r.mean));
    row("temperature", known(&r.temperature));
    row("birthday", &r.birthday);
    if let Some(c) = &r.chilled {
        row("chilled", &shorten(c, 200));
    }
    if let Some(c) = r.reduced.as_ref().filter(|c| **c != r.canonical) {
        row("reduced", &shorten(c, 200));
    }
    if let Some(w) = &r.atomic_weight {
        row("atomic wt", w);
    }
    if let Some(v) = &r.vs {
        row(
            "versus",
            &format!("game {} {}", v.relation, shorten(&v.canonical, 200)),
        );
    }
    let Some(t) = &r.plot else { return out };
    let corners = t.left.points().len() + t.right.points().len();
    if corners > MAX_CORNERS {
        let _ = writeln!(
            out,
            "\nthermograph with {corners} corners, too many to draw here"
        );
    } else if let Ok(plot) = thermograph(t) {
        let _ = write!(
            out,
            "\nthermograph (temperature upward, Left to the left)\n{plot}"
        );
    }
    out
}

fn outcome_words(letter: &str) -> &'static str {
    match letter {
        "L" => "Left wins",
        "R" => "Right wins",
        "N" => "whoever moves first wins",
        _ => "whoever moves second wins",
    }
}

pub(crate) fn sum(r: &SumReport) -> String {
    let mut out = String::new();
    let who = if r.to_play == "black" {
        "Left (black)"
    } else {
        "Right (white)"
    };
    let _ = writeln!(out, "{who} to play\n");
    for m in &r.best {
        let _ = writeln!(
            out,
            "best    {} in part {}, score {}",
            shorten(&m.option, 60),
            m.region,
            m.score
        );
    }
    if r.best.is_empty() {
        let nothing = r.regions.iter().all(|p| p.v_bounds.is_none());
        let why = if nothing {
            "nothing to play: every part is a number"
        } else {
            "not proved within the limit"
        };
        let _ = writeln!(out, "best    {why}");
    }
    let stop = |exact: &Option<String>, b: &[String; 2]| {
        exact
            .clone()
            .unwrap_or_else(|| format!("{} .. {}", b[0], b[1]))
    };
    let v = &r.value;
    let _ = writeln!(
        out,
        "whole   left stop {}, right stop {}, mean {}, temperature {}\n",
        stop(&v.left_stop, &v.left_stop_bounds),
        stop(&v.right_stop, &v.right_stop_bounds),
        known(&v.mean),
        known(&v.temperature),
    );
    let mut table: Vec<[String; 8]> = vec![
        [
            "part", "V", "loses", "temp", "swing", "mean", "kind", "value",
        ]
        .map(String::from),
    ];
    for p in &r.regions {
        let loss = r.ranking.loss.iter().find(|x: &&Ranked| x.id == p.id);
        let unknown = || {
            p.v_bounds
                .as_ref()
                .map_or("-".into(), |b| format!("{} .. {}", b[0], b[1]))
        };
        table.push([
            p.id.clone(),
            p.v.as_deref().map_or_else(unknown, |v| shorten(v, 40)),
            loss.map_or("-".into(), |l| shorten(&l.value, 40)),
            shorten(known(&p.temperature), 40),
            shorten(&p.swing, 40),
            shorten(known(&p.mean), 40),
            p.kind.unwrap_or("unknown").to_string(),
            shorten(&p.value, 60),
        ]);
    }
    let mut widths = [0; 8];
    for row in &table {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(cell.chars().count());
        }
    }
    for row in &table {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let w = widths[i];
            // numbers to the right, words to the left
            let _ = if i < 6 {
                write!(line, "{cell:>w$}  ")
            } else {
                write!(line, "{cell:<w$}  ")
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push('\n');
    for (name, s) in &r.strategies {
        let _ = writeln!(out, "{name:<12} part {:<3} loses {}", s.region, s.loss);
    }
    if !r.line.is_empty() {
        let moves = r.line.iter().zip(&r.line_regions).take(40);
        let moves: Vec<String> = moves
            .map(|(m, p)| format!("{p}:{}", shorten(m, 40)))
            .collect();
        let more = if r.line.len() > 40 {
            format!(" .. ({} moves)", r.line.len())
        } else {
            String::new()
        };
        let _ = writeln!(out, "\nline    {}{more}", moves.join("  "));
    }
    out
}
