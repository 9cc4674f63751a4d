//! Memory that a replay takes. In a file of its own: what is measured is the whole process.
#![cfg(target_os = "linux")]

use yose_go::sgf::{self, ReplayOptions};

/// The most memory that this process has had, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("of Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    1024 * number.and_then(|n| n.parse::<usize>().ok()).expect("in kB")
}

/// A set-up in mid-game, or a move onto a stone, begins a game anew; 100,000 of them took 2 GB.
#[test]
fn replays_of_set_ups_take_memory_as_the_file_does() {
    let rounds = 50_000;
    let mut file = b"(;FF[4]GM[1]SZ[19]".to_vec();
    for _ in 0..rounds {
        file.extend_from_slice(b";B[aa];AW[bb]PL[B];W[aa]");
    }
    file.push(b')');
    let game = &sgf::read(&file).expect("a game").games[0];
    let before = peak();
    let replay = game.replay(&ReplayOptions::default()).expect("a replay");
    let taken = peak() - before;
    assert_eq!(replay.moves, 2 * rounds);
    // Three nodes each.
    let each = taken / (3 * rounds);
    assert!(each < 1_000, "{each} bytes a node, {taken} in all");
    // Looking positions up takes no time that grows with how many parts there are.
    let positions = replay.positions().count();
    assert_eq!(positions, 2 * rounds + 1);
    let after = replay.position(2 * rounds - 1).expect("a position");
    let board = after.history.positions()[after.ply]
        .to_board()
        .expect("a board");
    assert_eq!(board.to_rows()[0], "X..................");
    assert_eq!(board.to_rows()[1], ".O.................");
    assert!(replay.position(2 * rounds + 1).is_none());
}
