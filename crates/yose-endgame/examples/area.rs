//! What an area is worth: `cargo run -p yose-endgame --example area -- '#BB#' 'W..B' '#BB#'`.

use yose_endgame::{Area, LocalLimits, LocalSolver};

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows: Vec<String> = std::env::args().skip(1).collect();
    let area = Area::from_rows(&rows)?;
    let mut solver = LocalSolver::new(LocalLimits::default());
    let solution = solver.solve(&area)?;
    println!(
        "{:?}, {} positions, {} in all, {} games",
        solution.status,
        solution.nodes,
        solver.positions(),
        solver.games().len()
    );
    for value in [solution.low, solution.high] {
        let worth = solver.worth(value)?;
        let chilled = solver.games_mut().print(worth.chilled)?;
        println!(
            "{}  stops {} {}  mean {}  temperature {}  chilled {chilled}  {}",
            worth.text,
            worth.left_stop,
            worth.right_stop,
            worth.mean,
            worth.temperature,
            worth.kind.key(),
        );
    }
    Ok(())
}
