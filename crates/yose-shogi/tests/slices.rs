//! The kernel one slice at a time, or one part of a slice, decides what the whole kernel decides, at the same
//! plies, whatever the order in which cells are visited.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroUsize;

use yose_retro::partition::{Pack, Partition};
use yose_shogi::kernel::{self, Decided, Frontier, Slices, SolveOptions, Undecided, Won};
use yose_shogi::{DropShogi, Inventory, Variant};

fn game(variant: &str, pieces: &str) -> DropShogi {
    let variant = Variant::built_in(variant).unwrap();
    let inventory = Inventory::parse(pieces, &variant).unwrap();
    DropShogi::new(variant, inventory).unwrap()
}

/// As bytes and back; then once more, in place of what came back.
fn through_bytes<T: Pack>(thing: &T) -> T {
    let bytes = thing.to_bytes();
    let read = T::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    let over = read.unpack_over(&mut bytes.as_slice(), bytes.len() as u64);
    over.unwrap()
}

struct State {
    own: Vec<Undecided>,
    won: Vec<Won>,
    /// By cell: its frontiers with their plies, losses at even and wins at odd ones.
    log: Vec<Vec<(u32, Frontier)>>,
    decided: Decided,
}

/// Ply by ply, as the whole kernel does.
fn by_ply(slices: &Slices) -> State {
    let mut scratch = slices.scratch();
    let mut state = first(slices);
    for ply in 2.. {
        let mut frontiers = Vec::new();
        for cell in 0..slices.cells() {
            let own = &mut state.own[cell];
            if ply == 2 {
                slices.candidates_all(cell, own, &mut scratch);
            } else {
                for &child in slices.children(cell) {
                    let last = state.log[child].iter().find(|(at, _)| *at == ply - 1);
                    if let Some((_, frontier)) = last {
                        slices.collect(cell, child, frontier, own, &mut scratch);
                    }
                }
            }
            let (frontier, decided) = if ply % 2 == 1 {
                slices.wins(cell, ply, own, &mut state.won[cell], &mut scratch)
            } else {
                // One at a time, as long as anything is open.
                for &child in slices.children(cell) {
                    if slices.has_collected(&scratch) {
                        let won = through_bytes(&state.won[child]);
                        slices.look(cell, &[(child, &won)], own, &mut scratch);
                    }
                }
                slices.losses(cell, ply, &[], own, &mut scratch)
            };
            state.decided += decided;
            *own = through_bytes(own);
            frontiers.push(through_bytes(&frontier));
        }
        let over = ply > 2 && frontiers.iter().all(|frontier| slices.is_empty(frontier));
        for (log, frontier) in state.log.iter_mut().zip(frontiers) {
            log.push((ply, frontier));
        }
        if over {
            return state;
        }
    }
    unreachable!()
}

fn first(slices: &Slices) -> State {
    let mut state = State {
        own: Vec::new(),
        won: Vec::new(),
        log: vec![Vec::new(); slices.cells()],
        decided: Decided::default(),
    };
    for cell in 0..slices.cells() {
        let (own, won, decided) = slices.first(cell);
        state.own.push(own);
        state.won.push(won);
        state.decided += decided;
    }
    state
}

/// One cell after the other in an order drawn by `seed`, each with all that its children have decided
/// since it was visited last.
fn in_any_order(slices: &Slices, mut seed: u64) -> State {
    let mut scratch = slices.scratch();
    let mut state = first(slices);
    let cells = slices.cells();
    // By cell and child: how many of the child's frontiers have been read.
    let unread = |cell: usize| vec![0; slices.children(cell).len()];
    let mut read: Vec<Vec<usize>> = (0..cells).map(unread).collect();
    let mut begun = vec![false; cells];
    let mut order: Vec<usize> = (0..cells).collect();
    loop {
        for at in (1..cells).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(at, usize::try_from(seed >> 33).unwrap() % (at + 1));
        }
        let mut over = true;
        for &cell in &order {
            let mut news: Vec<(usize, u32, Frontier)> = Vec::new();
            for (&child, read) in slices.children(cell).iter().zip(&mut read[cell]) {
                let new = state.log[child][*read..].iter();
                news.extend(new.map(|(ply, frontier)| (child, *ply, frontier.clone())));
                *read = state.log[child].len();
            }
            if begun[cell] && news.is_empty() {
                continue;
            }
            over = false;
            let own = &mut state.own[cell];
            for (child, _, lost) in news.iter().filter(|(_, ply, _)| ply % 2 == 0) {
                slices.collect(cell, *child, lost, own, &mut scratch);
            }
            let (wins, decided) = slices.wins(cell, 1, own, &mut state.won[cell], &mut scratch);
            state.decided += decided;
            if begun[cell] {
                for (child, _, won) in news.iter().filter(|(_, ply, _)| ply % 2 == 1) {
                    slices.collect(cell, *child, won, own, &mut scratch);
                }
            } else {
                slices.candidates_all(cell, own, &mut scratch);
            }
            begun[cell] = true;
            let children = slices.children(cell).iter();
            let children: Vec<_> = children.map(|&c| (c, &state.won[c])).collect();
            let (some, others) = children.split_at(children.len() / 2);
            slices.look(cell, some, own, &mut scratch);
            let (losses, decided) = slices.losses(cell, 2, others, own, &mut scratch);
            state.decided += decided;
            for (ply, frontier) in [(1, wins), (2, losses)] {
                if !slices.is_empty(&frontier) {
                    state.log[cell].push((ply, frontier));
                }
            }
        }
        if over {
            return state;
        }
    }
}

fn compare(variant: &str, pieces: &str) {
    let game = game(variant, pieces);
    let options = SolveOptions {
        threads: NonZeroUsize::MIN.get(),
        depth: true,
    };
    let whole = kernel::solve(game.variant(), game.index(), options, &mut |_| {});
    for pinned in 0..=game.index().layouts().groups().len() {
        // More cells take long and show nothing new.
        let count = Slices::count(game.index(), pinned);
        if count < 10_000 {
            let what = format!("{variant} {pieces}, {pinned} pinned");
            let slices = Slices::cut(game.variant(), game.index(), pinned);
            assert_eq!(slices.cells() as u64, count, "{what}");
            compare_cut(&whole, &slices, &what);
        }
    }
}

/// The numbers of all slices.
fn numbers(slices: &Slices, of: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    (0..slices.cells()).flat_map(of).collect()
}

fn compare_cut(whole: &kernel::Solved, slices: &Slices, what: &str) {
    let bytes = whole.levels().depth_bytes();
    let state = by_ply(slices);
    let mut slot = 0;
    for cell in 0..slices.cells() {
        let last = usize::try_from(slices.cell_bytes(cell).slots).unwrap() - 1;
        assert_eq!(slices.place(slot), Some((cell, 0)), "{what}");
        let end = slot + last as u64;
        assert_eq!(slices.place(end), Some((cell, last)), "{what}");
        slot = end + 1;
    }
    assert_eq!(slices.place(slot), None, "{what}");
    let all_of = |of: &dyn Fn(&mut Vec<u8>, usize), slices: usize| {
        let mut all = Vec::new();
        let mut one = Vec::new();
        for slice in 0..slices {
            of(&mut one, slice);
            all.extend_from_slice(&one);
        }
        all
    };
    let expected = all_of(&|out, slice| whole.depths(slice, out), slices.slices());
    // In as many bytes as they need, and in more.
    for wide in [bytes, bytes + 1] {
        let got = numbers(slices, |cell| {
            let mut got = slices.won_at_once(cell, &state.won[cell], wide);
            // In any order.
            for (ply, frontier) in state.log[cell].iter().rev() {
                assert!(slices.frontier_fits(cell, frontier));
                slices.enter(cell, *ply, frontier, wide, &mut got);
            }
            got
        });
        let mut fits = got.chunks(wide).zip(expected.chunks(bytes));
        assert!(
            got.len() / wide == expected.len() / bytes
                && fits.all(|(got, expected)| {
                    got[..bytes] == *expected && got[bytes..].iter().all(|&byte| byte == 0)
                }),
            "{what}: distances in {wide} bytes"
        );
    }
    let expected = all_of(&|out, slice| whole.outcomes(slice, out), slices.slices());
    for seed in 0..2 {
        let state = in_any_order(slices, seed);
        let (own, won) = (&state.own, &state.won);
        let got = numbers(slices, |cell| slices.outcomes(cell, &own[cell], &won[cell]));
        assert!(got == expected, "{what}: outcomes, order {seed}");
        let mut all = state.decided;
        for (cell, own) in own.iter().enumerate() {
            all += slices.draws(cell, own);
        }
        assert_eq!(all, whole.levels().stored(), "{what}");
    }
}

#[test]
fn what_is_of_another_game_does_not_fit() {
    let games = ["P", "PF", "PP", "PRF"].map(|pieces| {
        let game = game("shogi4", pieces);
        Slices::new(game.variant(), game.index())
    });
    for (at, slices) in games.iter().enumerate() {
        let state = by_ply(slices);
        for (other, others) in games.iter().enumerate() {
            let own = state.own.iter().all(|own| others.own_fits(0, own));
            let won = state.won.iter().all(|won| others.won_fits(0, won));
            let mut logs = state.log.iter().flatten();
            let log = logs.all(|(_, frontier)| others.frontier_fits(0, frontier));
            let same = at == other;
            assert_eq!((own, won), (same, same), "{at} {other}");
            // Small frontiers may be of many games, but not of the smallest.
            assert!(!log || other > 0 || same, "{at} {other}");
            assert!(!same || log, "{at}");
        }
    }
}

#[test]
fn slices_decide_what_the_whole_decides() {
    for (variant, pieces) in [
        ("shogi4", "-"),
        ("shogi4", "PF"),
        ("shogi4", "PP"),
        ("dobutsu", "CG"),
        ("dobutsu", "CCE"),
        ("micro", "PP"),
        ("micro", "PS"),
    ] {
        compare(variant, pieces);
    }
}

/// Whatever length a file claims to have, whatever its last bytes say, and whatever memory it is read into.
#[test]
fn only_the_undecided_lanes_of_this_game_fit() {
    let games = [
        ("shogi4", "-"),
        ("shogi4", "P"),
        ("shogi4", "PF"),
        ("dobutsu", "CG"),
        ("shogi4", "PFR"),
        ("micro", "PP"),
        ("micro", "PG"),
        ("shogi4", "PTRF"),
        ("shogi4", "PPTRF"),
    ];
    let games = games.map(|(variant, pieces)| game(variant, pieces));
    let slices = games.map(|game| Slices::new(game.variant(), game.index()));
    let mut tails = std::collections::BTreeSet::new();
    for one in &slices {
        let own = |slices: &Slices| slices.first(0).0;
        let bytes = own(one).to_bytes();
        let tail = if bytes.len() % 8 == 4 { 4 } else { 8 };
        tails.insert(tail);
        for other in &slices {
            let read = own(other).unpack_over(&mut bytes.as_slice(), bytes.len() as u64);
            let read = read.unwrap();
            assert!(one.own_fits(0, &read));
            assert!(read.to_bytes() == bytes);
            // It ends before it should.
            let cut = bytes.len() - bytes.len() / 3;
            let read = own(other).unpack_over(&mut &bytes[..cut], bytes.len() as u64);
            assert!(read.is_err());
        }
        for end in (0..40.min(bytes.len())).chain(bytes.len().saturating_sub(12)..bytes.len()) {
            let read = Undecided::from_bytes(&bytes[..end]);
            assert!(!read.is_ok_and(|own| one.own_fits(0, &own)), "{end}");
        }
        let words =
            u64::from(bytes[bytes.len() - tail]) | u64::from(bytes[bytes.len() - tail + 1]) << 8;
        let numbers = [0, 1, 2, 3, 4, 8, 12, 16, 20, 64, 256, 1024].into_iter();
        let numbers = numbers.chain([u64::MAX, u64::from(u32::MAX), 1 << 31, 1 << 63]);
        for number in numbers.filter(|&number| number != words) {
            let mut bytes = bytes.clone();
            let at = bytes.len() - tail;
            bytes[at..].copy_from_slice(&number.to_le_bytes()[..tail]);
            if tail == 4 && number > u64::from(u32::MAX) {
                continue;
            }
            let read = Undecided::from_bytes(&bytes);
            assert!(!read.is_ok_and(|own| one.own_fits(0, &own)), "{number}");
        }
        let length = bytes.len() as u64;
        let lengths = [0, 1, 3, 4, 5, 7, 8, 12, 20, 1 << 62];
        let lengths = lengths.into_iter().chain(u64::MAX - 8..=u64::MAX);
        for claimed in lengths.filter(|&claimed| claimed != length) {
            let read = own(one).unpack_over(&mut bytes.as_slice(), claimed);
            assert!(!read.is_ok_and(|own| one.own_fits(0, &own)), "{claimed}");
        }
    }
    // Narrow blocks and wide ones; how wide, depends on the processor.
    assert_eq!(Vec::from_iter(tails), [4, 8]);
}
