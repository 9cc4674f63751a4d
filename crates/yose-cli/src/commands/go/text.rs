//! The answer about a Go board for people.

use yose_go::{Board, Colour, Point};

use super::report::{GoReport, OpenMove, Region};
use crate::output::{Style, Table, counted};

/// Longer lists of points and longer values are cut in the table.
const LONGEST: usize = 28;

/// So many moves that may be as good as the best are named.
const MOST_OPEN: usize = 6;

/// Rankings show so many places unless `--top` says otherwise.
const PLACES: usize = 5;

pub(crate) fn text(report: &GoReport, board: &Board, terms: &str, style: Style) -> String {
    let mut text = format!(
        "{} to play, after {} ({terms})\n\n{}\n",
        style.strong(&capital(report.to_play)),
        counted(report.position.moves as u64, "move"),
        draw(report, board, style),
    );
    text.push_str(&answer(report, style));
    if !report.regions.is_empty() {
        text.push('\n');
        text.push_str(&table(report, style));
    }
    text.push_str(&readings(report));
    text.push_str(&line(report));
    for assumption in &report.assumed {
        text.push_str(&format!("assumed: {assumption}\n"));
    }
    for note in &report.notes {
        text.push_str(&format!("{}\n", style.dim(&format!("note: {note}"))));
    }
    text
}

pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A text of at most so many letters.
pub(crate) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(2)).collect();
    format!("{cut}..")
}

/// The best moves and the score, line by line.
pub(crate) fn sentences(report: &GoReport) -> Vec<String> {
    let mut lines = Vec::new();
    let to_play = capital(report.to_play);
    let moves: Vec<String> = report
        .best
        .iter()
        .map(|m| format!("{} ({})", m.option, m.region))
        .collect();
    match moves.as_slice() {
        [] if report.regions.iter().all(|r| r.kind == Some("number")) => {
            lines.push("Nothing is left to play.".to_owned());
        }
        [] => lines.push(format!(
            "{to_play}'s best move is not proved: {}.",
            undecided(report)
        )),
        [one] => lines.push(format!("Best: {to_play} {one}{}.", margin(report))),
        ties => lines.push(format!(
            "Best, all equal in score: {to_play} {}.",
            ties.join(", ")
        )),
    }
    if !report.open.is_empty() && (!report.best.is_empty() || report.open.len() <= MOST_OPEN) {
        let what = if report.best.is_empty() {
            "Not ruled out"
        } else {
            "May be as good"
        };
        lines.push(format!("{what}: {}.", open(report)));
    }
    let under = if report.assumptions.is_empty() {
        "exact"
    } else {
        "exact under the assumptions below"
    };
    let result = report.score.as_ref().and_then(|s| s.result.as_deref());
    lines.push(match result {
        Some(result) => format!("Score with best play of both: {result} ({under})."),
        None => {
            let v = &report.value;
            let bounds = if report.to_play == "black" {
                &v.left_stop_bounds
            } else {
                &v.right_stop_bounds
            };
            format!(
                "Score with best play of both: between {} and {} (Black minus White; proved bounds).",
                bounds[0], bounds[1]
            )
        }
    });
    lines
}

/// The moves that may be as good as the best: `A3 (A, leads to a ko), C3 (A, leads to a ko)`.
fn open(report: &GoReport) -> String {
    let all = report.open.iter();
    let put = |m: &OpenMove| format!("{} ({}, {})", m.option, m.region, m.why);
    let mut list: Vec<String> = all.take(MOST_OPEN).map(put).collect();
    let more = report.open.len() - list.len();
    if more > 0 {
        list.push(format!("and {more} more"));
    }
    list.join(", ")
}

/// By how much the best move is better than the best move elsewhere.
fn margin(report: &GoReport) -> String {
    let best: Vec<&str> = report.best.iter().map(|m| m.region.as_str()).collect();
    let mut others = report.ranking.loss.iter();
    let next = others.find(|place| !best.contains(&place.id.as_str()));
    next.map_or_else(String::new, |place| {
        format!(
            ", {} better than the next region ({} in {})",
            points(&place.value),
            place.option,
            place.id
        )
    })
}

fn points(number: &str) -> String {
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} point{plural}")
}

/// Why there is no best move.
fn undecided(report: &GoReport) -> String {
    let open: Vec<String> = report
        .regions
        .iter()
        .filter(|r| !matches!(r.status, "exact" | "seki"))
        .map(|r| match r.limit {
            Some(limit) => format!("{} is {} ({limit})", r.id, r.status),
            None => format!("{} is {}", r.id, r.status),
        })
        .collect();
    if open.is_empty() {
        return "every region is exact, but some moves lead to kos, or the search met a limit"
            .to_owned();
    }
    let more = open.len().saturating_sub(4);
    let rest = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    open[..open.len() - more].join(", ") + &rest
}

fn answer(report: &GoReport, style: Style) -> String {
    let mut text = String::new();
    for (number, line) in sentences(report).iter().enumerate() {
        let line = if number == 0 {
            style.strong(line)
        } else {
            line.clone()
        };
        text.push_str(&format!("{line}\n"));
    }
    let v = &report.value;
    let known = |value: &Option<String>, bounds: &[String; 2]| {
        let between = || format!("{} .. {}", bounds[0], bounds[1]);
        value.clone().unwrap_or_else(between)
    };
    text.push_str(&format!(
        "Black first {}, White first {}, count {}, temperature {}\n",
        known(&v.left_stop, &v.left_stop_bounds),
        known(&v.right_stop, &v.right_stop_bounds),
        v.mean.as_deref().unwrap_or("unknown"),
        v.temperature.as_deref().unwrap_or("unknown"),
    ));
    text
}

/// Headings of [`cells`].
pub(crate) const COLUMNS: [&str; 11] = [
    "id", "points", "stones", "count", "temp", "swing", "kind", "V", "loses", "best", "value",
];

/// The line of a region in a table; lists and values are cut to so many letters.
pub(crate) fn cells(region: &Region, most: usize) -> Vec<String> {
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    let number = region.kind == Some("number");
    let nothing = || if number { "-" } else { "?" }.to_owned();
    let v = match (&region.v, &region.v_bounds) {
        (Some(v), _) => v.clone(),
        (None, Some(b)) => format!("{} .. {}", b[0], b[1]),
        (None, None) => nothing(),
    };
    let stones = match region.stones.len() {
        0 => "-".to_owned(),
        number => number.to_string(),
    };
    let side = |letter: &str, moves: &[String], open: &[String]| {
        let mut text = moves.join(" ");
        if !moves.is_empty() && !open.is_empty() {
            text.push_str(&format!(" ({}?)", open.join(" ")));
        }
        if text.is_empty() {
            text
        } else {
            format!("{letter} {text}")
        }
    };
    let (best, open) = (&region.best, &region.open);
    let best = [
        side("B", &best.left, &open.left),
        side("W", &best.right, &open.right),
    ];
    let best: Vec<&str> = best
        .iter()
        .map(String::as_str)
        .filter(|s| !s.is_empty())
        .collect();
    let best = if best.is_empty() {
        nothing()
    } else {
        best.join(", ")
    };
    let kind = match region.status {
        "exact" => region.kind.unwrap_or("?").to_owned(),
        status => status.to_owned(),
    };
    let value = region
        .value
        .clone()
        .unwrap_or_else(|| format!("from {} to {}", region.bounds[0], region.bounds[1]));
    vec![
        region.id.clone(),
        short(&region.points.join(" "), most),
        stones,
        known(&region.mean),
        known(&region.temperature),
        known(&region.swing),
        kind,
        v,
        region.loss.clone().unwrap_or_else(nothing),
        short(&best, most),
        short(&value, most.max(LONGEST) * 2),
    ]
}

fn table(report: &GoReport, style: Style) -> String {
    let numbers = ["stones", "count", "temp", "swing", "V", "loses"];
    let headings: Vec<String> = COLUMNS
        .iter()
        .map(|name| {
            let mark = if numbers.contains(name) { "#" } else { "" };
            format!("{mark}{name}")
        })
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings);
    for region in &report.regions {
        table.row(cells(region, LONGEST));
    }
    table.render(style)
}

/// The names of the readings and strategies for people.
pub(crate) const READINGS: [(&str, &str); 5] = [
    ("hottest", "by temperature"),
    ("swing", "by swing"),
    ("must", "best V first"),
    ("avoid", "worst V first"),
    ("loss", "by points lost"),
];

/// Why a reading may be short.
pub(crate) const INCOMPLETE: &str = "each list ends before the first place that is not proved";

/// Is there a reading with something in it?
pub(crate) fn has_readings(report: &GoReport) -> bool {
    let r = &report.ranking;
    let all = [&r.hottest, &r.swing, &r.must, &r.avoid, &r.loss];
    all.into_iter().any(|list| !list.is_empty())
}

/// A reading as a line: `A 10 at L19, C 8 at L1`; equal values are joined by `=`.
pub(crate) fn reading(report: &GoReport, key: &str, most: usize) -> String {
    let r = &report.ranking;
    let list = match key {
        "hottest" => &r.hottest,
        "swing" => &r.swing,
        "must" => &r.must,
        "avoid" => &r.avoid,
        _ => &r.loss,
    };
    let mut text = String::new();
    if list.is_empty() {
        text.push('-');
    }
    for (number, place) in list.iter().take(most).enumerate() {
        if number > 0 {
            let tie = list[number - 1].value == place.value;
            text.push_str(if tie { " = " } else { " > " });
        }
        text.push_str(&format!(
            "{} at {} ({})",
            place.id, place.option, place.value
        ));
    }
    if list.len() > most {
        text.push_str(&format!(", {} more", list.len() - most));
    }
    text
}

/// What a rule of thumb plays and loses: `hottest plays A at L11 and loses 5 points`.
pub(crate) fn strategies(report: &GoReport) -> Vec<String> {
    let all = report.strategies.iter();
    all.map(|(name, pick)| {
        let lost = if pick.loss == "0" {
            "loses nothing".to_owned()
        } else {
            format!("loses {}", points(&pick.loss))
        };
        format!("{name} plays {} in {}, {lost}", pick.option, pick.region)
    })
    .collect()
}

fn readings(report: &GoReport) -> String {
    if !has_readings(report) {
        return String::new();
    }
    let mut text = String::from("\nWhich region first?\n");
    for (key, how) in READINGS {
        let heading = format!("{key}, {how}");
        let list = reading(report, key, PLACES);
        text.push_str(&format!("  {heading:<24} {list}\n"));
    }
    if !report.ranking_complete {
        text.push_str(&format!("  ({INCOMPLETE})\n"));
    }
    let rules = strategies(report);
    if !rules.is_empty() {
        text.push_str("\nRules of thumb\n");
        for rule in rules {
            text.push_str(&format!("  {rule}\n"));
        }
    }
    text
}

/// The line of best play: `B L1 (C), W L11 (A)`.
pub(crate) fn moves(report: &GoReport) -> Vec<String> {
    let mut black = report.to_play == "black";
    let both = report.line.iter().zip(&report.line_regions);
    let mut moves = Vec::new();
    for (vertex, region) in both {
        let side = if black { "B" } else { "W" };
        moves.push(format!("{side} {vertex} ({region})"));
        black = !black;
    }
    if !moves.is_empty() && !report.line_complete {
        moves.push("..".to_owned());
    }
    moves
}

fn line(report: &GoReport) -> String {
    let moves = moves(report);
    if moves.is_empty() {
        return "\n".to_owned();
    }
    let mut text = String::from("\nBest play of both\n ");
    let mut width = 1;
    for one in moves {
        if width + one.len() > 96 {
            text.push_str("\n ");
            width = 1;
        }
        width += one.len() + 2;
        text.push_str(&format!(" {one} "));
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n\n"
}

/// What the signs of the drawing mean, those that occur.
fn legend(report: &GoReport) -> String {
    let mut legend = vec!["X Black, O White"];
    if report.regions.iter().any(|r| !r.points.is_empty()) {
        legend.push("small letters: empty points of that region");
    }
    if report.regions.iter().any(|r| !r.stones.is_empty()) {
        legend.push("~ a stone that is not proved safe");
    }
    if !report.best.is_empty() {
        legend.push("* a best move");
    }
    legend.join(", ")
}

/// What is on a point of the drawing.
struct Place<'a> {
    region: Option<&'a Region>,
    best: bool,
}

/// The board: `X` Black, `O` White, the letters of a region (small) on its empty points, `.` on others.
fn draw(report: &GoReport, board: &Board, style: Style) -> String {
    let size = board.size();
    let find = |point: Point| {
        let holds = |r: &&Region| r.places.0.contains(&point) || r.places.1.contains(&point);
        let vertex = size.gtp(point);
        Place {
            region: report.regions.iter().find(holds),
            best: report.best.iter().any(|m| m.option == vertex),
        }
    };
    let wide = report.regions.len() > 26;
    let width = if wide { 3 } else { 2 };
    let mut columns = String::from("   ");
    for col in 0..size.cols() {
        let vertex = size.point(0, col).map(|p| size.gtp(p)).unwrap_or_default();
        let letter = vertex.trim_end_matches(|c: char| c.is_ascii_digit());
        columns.push_str(&format!("{letter:>width$}"));
    }
    let mut lines = vec![style.dim(&columns)];
    for row in 0..size.rows() {
        let number = size.rows() - row;
        let mut line = style.dim(&format!("{number:>3}"));
        for col in 0..size.cols() {
            let Ok(point) = size.point(row, col) else {
                continue;
            };
            let place = find(point);
            let sign = match (board.stone(point), place.region) {
                (Some(Colour::Black), _) => "X".to_owned(),
                (Some(Colour::White), _) => "O".to_owned(),
                (None, Some(region)) => region.id.to_ascii_lowercase(),
                (None, None) => ".".to_owned(),
            };
            // Marks before the sign say what colours say.
            let mark = match (place.best, board.stone(point), place.region) {
                (true, ..) => "*",
                (false, Some(_), Some(_)) => "~",
                _ => " ",
            };
            let lead = " ".repeat((width - 1).saturating_sub(sign.len())) + mark;
            let sign = match place.region {
                Some(region) => style.heat(region.heat, &sign),
                None => sign,
            };
            line.push_str(&lead);
            line.push_str(&sign);
        }
        line.push_str(&style.dim(&format!(" {number}")));
        lines.push(line);
    }
    lines.push(style.dim(&columns));
    lines.push(style.dim(&legend(report)));
    lines.join("\n") + "\n"
}
