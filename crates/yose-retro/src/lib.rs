//! Solvable games: what a game is to a solver, and a plain solver for it.
