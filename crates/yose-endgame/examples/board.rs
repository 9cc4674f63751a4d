//! Regions and best moves of a board: `cargo run -p yose-endgame --example board -- FILE.rows [NODES]`,
//! rows of `X`, `O` and `.`; Black to play.

use yose_endgame::annotate::bounds_text;
use yose_endgame::{LocalLimits, LocalSolver, Question, analyse};
use yose_go::{Board, Colour, Grid};

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file of rows")?;
    let text = std::fs::read_to_string(file)?;
    let rows: Vec<&str> = text.split_whitespace().collect();
    let board = Board::from_rows(&rows)?;
    let (cells, size) = (board.cells(), board.size());
    let grid = Grid::new(size.rows(), size.cols(), &cells)?;
    let mut limits = LocalLimits::default();
    if let Some(nodes) = std::env::args().nth(2) {
        limits.nodes = nodes.parse()?;
    }
    let mut solver = LocalSolver::new(limits);
    let answer = analyse(&mut solver, &grid, &Question::new(Colour::Black))?;
    let points: Vec<_> = size.points().collect();
    for report in &answer.regions {
        let region = &answer.decomposition.regions()[report.region];
        let names: Vec<String> = region.points.iter().map(|&p| size.gtp(points[p])).collect();
        println!(
            "region {}: {} points, {} stones, {}: {} .. {}, V {:?} [{}]",
            report.region,
            region.points.len(),
            region.stones.len(),
            report.status.key(),
            solver.games_mut().print(report.low)?,
            solver.games_mut().print(report.high)?,
            report.v,
            names.join(" ")
        );
    }
    println!(
        "settled {}, Black first {:?}, White first {:?}",
        answer.decomposition.settled(),
        answer.left_stop,
        answer.right_stop
    );
    for best in &answer.best {
        let score = bounds_text(&best.score);
        println!("best: {} ({score})", size.gtp(points[best.point]));
    }
    Ok(())
}
