//! `yose best FILE.sgf`: the exact best move of a Go endgame.

mod figure;
mod question;
mod report;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value as Json;
use yose_endgame::annotate::{annotate, comment};
use yose_endgame::{LocalLimits, LocalSolver, analyse_until};
use yose_go::sgf::{self, NodeId, Tree};
use yose_go::{Board, Colour, Grid};

pub(crate) use question::{Asked, Assume, is_record, is_record_file, komi};

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Answer, Style};
use report::GoReport;

/// A record longer than this is a mistake.
const MOST_BYTES: u64 = 64 << 20;

/// What is done with the answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Places of each ranking.
    pub(crate) top: Option<usize>,
    /// Most new positions for one region.
    pub(crate) nodes: Option<u64>,
    /// Longest search.
    pub(crate) seconds: Option<f64>,
    /// A picture or a page to write.
    pub(crate) report: Option<PathBuf>,
    /// The record with the analysis in it.
    pub(crate) sgf: Option<PathBuf>,
}

/// Reads a record from a file, `-` being standard input, and answers.
pub(crate) fn best_of_file(
    path: &Path,
    asked: &Asked,
    wanted: &Wanted,
    context: &Context,
) -> anyhow::Result<()> {
    let bytes = crate::input::bytes(path, MOST_BYTES)?;
    best(&bytes, &path.display().to_string(), asked, wanted, context)
}

/// The built-in board: hottest is not best.
pub(crate) fn best_of_example(
    asked: &Asked,
    wanted: &Wanted,
    context: &Context,
) -> anyhow::Result<()> {
    best(&example()?, "the built-in board", asked, wanted, context)
}

/// The built-in board as a record.
fn example() -> anyhow::Result<Vec<u8>> {
    let board = yose_endgame::construct::built_in();
    let mut tree = Tree::new();
    let stones = |colour: Colour| -> Vec<String> {
        let all = board.size.points().zip(&board.cells);
        let own = all.filter(|(_, cell)| cell.colour() == Some(colour));
        own.map(|(point, _)| board.size.sgf(point)).collect()
    };
    let to_play = if board.to_play == Colour::Black {
        "B"
    } else {
        "W"
    };
    let (black, white) = (stones(Colour::Black), stones(Colour::White));
    let side = board.size.rows().to_string();
    let plain = [
        ("SZ", side.as_str()),
        ("RU", "Japanese"),
        ("KM", "0"),
        ("PL", to_play),
    ];
    for (id, value) in plain {
        tree.set_raw(NodeId::ROOT, id, &[value])?;
    }
    for (id, stones) in [("AB", black), ("AW", white)] {
        let stones: Vec<&str> = stones.iter().map(String::as_str).collect();
        tree.set_raw(NodeId::ROOT, id, &stones)?;
    }
    tree.set_text(NodeId::ROOT, "C", &board.title)?;
    Ok(sgf::write(&[tree]))
}

/// Answers what is best in a record. `shown` is what the file is called.
pub(crate) fn best(
    bytes: &[u8],
    shown: &str,
    asked: &Asked,
    wanted: &Wanted,
    context: &Context,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let picture = wanted.report.as_deref().map(Picture::of).transpose()?;
    if let (Some(report), Some(record)) = (&wanted.report, &wanted.sgf)
        && is_one_file(report, record)
    {
        let text = format!(
            "--report and -o name the same file, {}: expected two",
            record.display()
        );
        return Err(Failure::usage(text).into());
    }
    let mut setting = question::setting(bytes, shown, asked)?;
    let mut limits = LocalLimits::default();
    if let Some(nodes) = wanted.nodes {
        limits.nodes = usize::try_from(nodes).unwrap_or(usize::MAX);
    }
    let mut solver = LocalSolver::new(limits);
    let cells = setting.board.cells();
    let size = setting.board.size();
    let grid = Grid::new(size.rows(), size.cols(), &cells)?;
    let limit = wanted.seconds.map(Duration::from_secs_f64);
    let should_stop = || limit.is_some_and(|limit| start.elapsed() >= limit);
    let analysis = analyse_until(&mut solver, &grid, &setting.question, &should_stop)?;
    let top = wanted.top.unwrap_or(usize::MAX);
    let report = report::report(&setting, &analysis, &mut solver, top, start)?;
    if let Some(picture) = picture {
        let figure = figure::figure(&setting, &analysis, &report, shown);
        let text = match picture {
            Picture::Svg => yose_diagram::endgame_svg(&figure),
            Picture::Html => yose_diagram::endgame_html(&figure),
        };
        if let Some(path) = &wanted.report {
            fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        }
    }
    if let Some(path) = &wanted.sgf {
        let said = comment(&analysis, &mut solver, &setting.board, &setting.terms());
        let tree = &mut setting.trees[setting.tree];
        annotate(tree, setting.node, &analysis, &setting.board, &said)
            .map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
        fs::write(path, sgf::write(&setting.trees))
            .with_context(|| format!("writing {}", path.display()))?;
    }
    context.answer(&Answered {
        report,
        terms: setting.terms(),
        board: setting.board,
    })
}

/// Whether two names are of one file, be it there or not.
fn is_one_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let whole = fs::canonicalize(path);
        whole.or_else(|_| {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            Ok::<_, std::io::Error>(folder.join(path.file_name().unwrap_or_default()))
        })
    };
    one == other || matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
}

/// What `--report` writes.
#[derive(Debug, Clone, Copy)]
enum Picture {
    Svg,
    Html,
}

impl Picture {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let end = path.extension().unwrap_or_default().to_ascii_lowercase();
        match end.to_str() {
            Some("svg") => Ok(Self::Svg),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(Failure::usage(format!(
                "--report {}: expected a file called .svg or .html",
                path.display()
            ))
            .into()),
        }
    }
}

struct Answered {
    report: GoReport,
    terms: String,
    board: Board,
}

impl Answer for Answered {
    fn json(&self) -> Json {
        // Plain strings, numbers and lists: nothing that could fail.
        serde_json::to_value(&self.report).unwrap_or_default()
    }

    fn text(&self, style: Style) -> String {
        text::text(&self.report, &self.board, &self.terms, style)
    }
}
