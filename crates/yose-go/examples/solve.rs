//! Solves a tiny board: `cargo run --release -p yose-go --example solve -- ROWS COLS [LEAD]`.
//!
//! Without LEAD the exact value; with it whether there is a proof that Black, to move, gets at
//! least so much.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use yose_go::{Game, Rules, Size, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<i32> = std::env::args()
        .skip(1)
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let [rows, cols] = match numbers[..] {
        [rows, cols, ..] => [usize::try_from(rows)?, usize::try_from(cols)?],
        _ => [2, 2],
    };
    let game = Game::new(Size::new(rows, cols)?, Rules::TROMP_TAYLOR);
    let limit = 200_000_000;
    if let Some(&lead) = numbers.get(2) {
        println!(
            "at least {lead} proved: {}",
            solve::proves(&game, lead, limit)?
        );
    } else {
        let solution = solve::solve(&game, limit)?;
        println!("{:+}, {} positions", solution.value, solution.nodes);
    }
    Ok(())
}
