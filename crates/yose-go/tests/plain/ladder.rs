//! Ladders by copying boards. One function for each side, no cleverness.

use super::{Plain, other};

/// With the attacker to play: the length to removal in plies, or nothing. The shortest attack.
pub fn attack(board: &Plain, prey: usize, path: &mut Vec<Plain>) -> Option<u32> {
    let attacker = other(board.cells[prey]);
    let (_, liberties) = board.chain(prey);
    let legal = |p: usize| board.legal(p, attacker);
    match liberties.len() {
        1 => liberties.iter().all(|&p| legal(p)).then_some(1),
        2 => {
            // A position that repeats: no progress.
            if path
                .iter()
                .any(|b| b.cells == board.cells && b.ko == board.ko)
            {
                return None;
            }
            path.push(board.clone());
            let lengths = liberties.iter().filter(|&&p| legal(p)).filter_map(|&p| {
                let mut next = board.clone();
                next.play(p, attacker);
                defend(&next, prey, path).map(|n| n + 1)
            });
            let best = lengths.min();
            path.pop();
            best
        }
        _ => None,
    }
}

/// Moves a defender considers, in row order.
pub fn defences(board: &Plain, prey: usize) -> Vec<usize> {
    let (stones, mut moves) = board.chain(prey);
    for stone in stones {
        for q in board.neighbours(stone) {
            if board.cells[q] == other(board.cells[prey]) && board.liberties(q) == 1 {
                moves.extend(board.chain(q).1);
            }
        }
    }
    moves.into_iter().collect()
}

/// With the defender to play: the length to removal, or nothing if the prey escapes. The longest
/// defence.
pub fn defend(board: &Plain, prey: usize, path: &mut Vec<Plain>) -> Option<u32> {
    let defender = board.cells[prey];
    let mut longest = None;
    for p in defences(board, prey) {
        if board.legal(p, defender) {
            let mut next = board.clone();
            next.play(p, defender);
            let length = attack(&next, prey, path)? + 1;
            longest = longest.max(Some(length));
        }
    }
    // Without a move the turn passes, and the prey is taken.
    longest.or(Some(2))
}
