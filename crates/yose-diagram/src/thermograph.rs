//! Thermographs as SVG: Left to the left (scores grow leftward), temperature upward, exact labels.

use crate::scale::{Scale, escape, px};
use std::collections::HashSet;
use std::fmt::Write;
use yose_cgt::{Rational, Thermograph, Wall};

/// How a thermograph is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct ThermographStyle {
    /// Width of the picture in pixels.
    pub width: f64,
    /// Height of the picture in pixels.
    pub height: f64,
    /// A line above the plot; empty for none.
    pub title: String,
    /// Draw the part below temperature 0 too.
    pub sub_zero: bool,
}

impl Default for ThermographStyle {
    fn default() -> Self {
        Self {
            width: 480.0,
            height: 360.0,
            title: String::new(),
            sub_zero: true,
        }
    }
}

const MARGIN: f64 = 48.0;
const TOP: f64 = 32.0;
/// Labels closer than this many pixels to one already written are left out (their ticks stay).
const LABEL_GAP_X: f64 = 30.0;
const LABEL_GAP_Y: f64 = 13.0;

/// The picture as a complete SVG document.
///
/// Left's wall is class `left`, Right's `right`, the mast `mast`; corner values are written as exact
/// fractions. Each wall also carries its corners as `data-corners="t:x .."`.
///
/// ```
/// use yose_cgt::Games;
/// use yose_diagram::{ThermographStyle, thermograph_svg};
/// let mut g = Games::new();
/// let id = g.parse_value("{5||2|1}")?;
/// let svg = thermograph_svg(&*g.thermograph(id)?, &ThermographStyle::default());
/// assert!(svg.starts_with("<svg") && svg.contains(">13/4<"));
/// # Ok::<(), yose_cgt::Error>(())
/// ```
#[must_use]
pub fn thermograph_svg(t: &Thermograph, style: &ThermographStyle) -> String {
    let floor = if style.sub_zero {
        Rational::MINUS_ONE
    } else {
        Rational::ZERO
    };
    let (left, right) = (visible(&t.left, &floor), visible(&t.right, &floor));
    let foot = t.temperature.to_f64().max(floor.to_f64());
    let base = floor.to_f64();
    // A mast of a quarter of the height, and at least one degree, above its foot.
    let top = foot + ((foot - base) / 4.0).max(1.0);
    let xs = left.iter().chain(&right).map(|p| p.1.to_f64());
    let (low, high) = xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    });
    let x = Scale::new((low, high), (style.width - MARGIN, MARGIN));
    let y = Scale::new((base, top), (style.height - MARGIN, TOP));
    let (w, h) = (px(style.width), px(style.height));
    let mut s = String::new();
    let mut line = |text: String| {
        s.push_str(&text);
        s.push('\n');
    };
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"thermograph\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">"
    ));
    let title = if style.title.is_empty() {
        "Thermograph"
    } else {
        &style.title
    };
    line(format!("<title>{}</title>", escape(title)));
    line(format!(
        "<desc>mean {}, temperature {}</desc>",
        t.mean, t.temperature
    ));
    line("<style>.thermograph text{font:12px sans-serif;fill:#222}\
          .thermograph .axis,.thermograph .grid{stroke:#999;fill:none}.thermograph .grid{stroke-dasharray:2 4}\
          .thermograph .left,.thermograph .right,.thermograph .mast{fill:none;stroke-width:2.5}\
          .thermograph .left{stroke:#14507a}.thermograph .right{stroke:#a33a1d}.thermograph .mast{stroke:#333}</style>".into());
    line(format!(
        "<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>"
    ));
    if !style.title.is_empty() {
        line(format!(
            "<text x=\"{}\" y=\"18\" text-anchor=\"middle\">{}</text>",
            px(style.width / 2.0),
            escape(&style.title)
        ));
    }
    axes(&mut line, t, &left, &right, &floor, (&x, &y), style);
    let point =
        |p: &(Rational, Rational)| format!("{},{}", px(x.at(p.1.to_f64())), px(y.at(p.0.to_f64())));
    for (class, wall, full) in [("left", &left, &t.left), ("right", &right, &t.right)] {
        let mut points: Vec<String> = wall.iter().map(point).collect();
        // Vertical from the last corner to the mast's foot.
        if let Some(last) = wall.last() {
            points.push(format!("{},{}", px(x.at(last.1.to_f64())), px(y.at(foot))));
        }
        let corners: Vec<String> = full
            .points()
            .iter()
            .map(|(t, x)| format!("{t}:{x}"))
            .collect();
        line(format!(
            "<polyline class=\"{class}\" data-corners=\"{}\" points=\"{}\"/>",
            corners.join(" "),
            points.join(" ")
        ));
    }
    let mx = px(x.at(t.mean.to_f64()));
    line(format!(
        "<line class=\"mast\" x1=\"{mx}\" y1=\"{}\" x2=\"{mx}\" y2=\"{}\"/>",
        px(y.at(foot)),
        px(y.at(top))
    ));
    line("</svg>".into());
    s
}

/// The corners from `floor` upward, starting exactly there.
fn visible(w: &Wall, floor: &Rational) -> Vec<(Rational, Rational)> {
    let mut out = Vec::new();
    // A value between corners can only fail to fit where no f64 could show it either.
    if let Ok(x) = w.at(floor) {
        out.push((floor.clone(), x));
    }
    out.extend(w.points().iter().filter(|p| p.0 > *floor).cloned());
    if out.is_empty() {
        out.extend(w.points().last().cloned());
    }
    out
}

fn axes(
    line: &mut impl FnMut(String),
    t: &Thermograph,
    left: &[(Rational, Rational)],
    right: &[(Rational, Rational)],
    floor: &Rational,
    (x, y): (&Scale, &Scale),
    style: &ThermographStyle,
) {
    let (bottom, edge) = (style.height - MARGIN, style.width - MARGIN);
    let base = px(bottom);
    line(format!(
        "<line class=\"axis\" x1=\"{}\" y1=\"{base}\" x2=\"{}\" y2=\"{base}\"/>",
        px(MARGIN),
        px(edge)
    ));
    // Temperatures: the temperature of the game first, then the floor, 0, and the other corners.
    let zero = Rational::ZERO;
    let mut ts = vec![&t.temperature, floor, &zero];
    ts.extend(left.iter().chain(right).map(|p| &p.0));
    let mut written: Vec<f64> = Vec::new();
    let mut done: HashSet<&Rational> = HashSet::new();
    for v in ts {
        if v < floor || !done.insert(v) {
            continue;
        }
        let at = y.at(v.to_f64());
        line(format!(
            "<line class=\"grid\" x1=\"{}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/>",
            px(MARGIN),
            px(at),
            px(edge)
        ));
        if written.iter().all(|o| (o - at).abs() >= LABEL_GAP_Y) {
            written.push(at);
            line(format!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{v}</text>",
                px(MARGIN - 6.0),
                px(at + 4.0)
            ));
        }
    }
    // Scores: the mean first, then the stops (walls at 0), the ends, and the other corners.
    let stops: Vec<Rational> = [&t.left, &t.right]
        .iter()
        .filter_map(|w| w.at(&Rational::ZERO).ok())
        .collect();
    let mut xs = vec![&t.mean];
    xs.extend(&stops);
    xs.extend(left.iter().chain(right).map(|p| &p.1));
    written.clear();
    let mut done: HashSet<&Rational> = HashSet::new();
    for v in xs {
        if !done.insert(v) {
            continue;
        }
        let at = x.at(v.to_f64());
        let (a, b) = (px(bottom), px(bottom + 5.0));
        line(format!(
            "<line class=\"axis\" x1=\"{0}\" y1=\"{a}\" x2=\"{0}\" y2=\"{b}\"/>",
            px(at)
        ));
        if written.iter().all(|o| (o - at).abs() >= LABEL_GAP_X) {
            written.push(at);
            line(format!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{v}</text>",
                px(at),
                px(bottom + 20.0)
            ));
        }
    }
    let mut caption = String::new();
    let _ = write!(
        caption,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">score (Left to the left)</text>",
        px(style.width / 2.0),
        px(style.height - 8.0)
    );
    line(caption);
}

#[cfg(test)]
mod tests {
    use super::*;
    use yose_cgt::Games;

    fn svg(text: &str, style: &ThermographStyle) -> String {
        let mut g = Games::new();
        let id = g.parse_value(text).unwrap();
        let t = g.thermograph(id).unwrap();
        thermograph_svg(&t, style)
    }

    /// All points of the polyline of a class.
    fn points(svg: &str, class: &str) -> Vec<(f64, f64)> {
        let line = svg
            .lines()
            .find(|l| l.contains(&format!("class=\"{class}\" data")))
            .unwrap();
        let list = line
            .split(" points=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        list.split(' ')
            .map(|p| {
                let (a, b) = p.split_once(',').unwrap();
                (a.parse().unwrap(), b.parse().unwrap())
            })
            .collect()
    }

    #[test]
    fn left_is_left_and_hot_is_up() {
        let s = svg("{5||2|1}", &ThermographStyle::default());
        let (l, r) = (points(&s, "left"), points(&s, "right"));
        assert!(l[0].0 < r[0].0, "Left's wall stands left of Right's");
        assert!(l[0].1 > l[1].1, "higher temperatures are higher up");
        assert_eq!(l.last(), r.last(), "the walls meet at the foot of the mast");
        assert!(s.contains("data-corners=\"-1:6 7/4:13/4\""), "{s}");
        assert!(s.contains("data-corners=\"-1:2 1/2:2 7/4:13/4\""), "{s}");
        for label in ["7/4", "13/4", "-1", "0"] {
            assert!(s.contains(&format!(">{label}<")), "{label} is labelled");
        }
    }

    #[test]
    fn every_kind_of_game_draws() {
        for text in [
            "3",
            "1/2",
            "*",
            "^",
            "{100|-100}",
            "{1000000000000|-1000000000000}",
            "0",
        ] {
            for sub_zero in [true, false] {
                let style = ThermographStyle {
                    sub_zero,
                    ..ThermographStyle::default()
                };
                let s = svg(text, &style);
                assert!(!s.contains("NaN") && !s.contains("inf"), "{text}: {s}");
                for (x, y) in points(&s, "left").into_iter().chain(points(&s, "right")) {
                    assert!(
                        (0.0..=480.0).contains(&x) && (0.0..=360.0).contains(&y),
                        "{text}"
                    );
                }
                assert_eq!(s.matches('<').count(), s.matches('>').count(), "{text}");
            }
        }
    }

    #[test]
    fn titles_are_escaped() {
        let style = ThermographStyle {
            title: "a < b & \"c\"".into(),
            ..ThermographStyle::default()
        };
        let s = svg("*", &style);
        assert!(s.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    }
}
