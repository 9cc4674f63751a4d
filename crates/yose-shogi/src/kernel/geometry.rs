//! What the moves of a slice look like when nothing but the kings is known: hops between free
//! squares, with what must be true of the squares on the way.

use super::{KING, NOTHING};
use crate::index::{Index, Slice, board_square, slice_square};
use crate::square::{Board, Direction, Square};
use crate::variant::{Face, Goal, Promotion, Variant};

/// Faces of a kind: bit 0 the base face, bit 1 the promoted face.
pub(super) type Faces = u8;

/// A move of a piece from one free square to another, or onto a king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hop {
    /// The free square at the other end; [`KING`] where the move takes the king.
    pub(super) to: u8,
    /// The faces that can make it.
    pub(super) faces: Faces,
    /// A free square on which a piece of the mover's side must stand (it is jumped over), or
    /// [`NOTHING`].
    pub(super) over: u8,
    /// Whether a piece that shows its base face promotes by this move.
    pub(super) promotes: bool,
    /// Free squares that must be empty (a slide passes over them) or must be occupied.
    care: u32,
    /// Those among them that must be occupied.
    full: u32,
}

impl Hop {
    fn new(to: u8, faces: Faces, over: u8, between: u32) -> Hop {
        let full = if over == NOTHING { 0 } else { 1 << over };
        Hop {
            to,
            faces,
            over,
            promotes: false,
            care: between | full,
            full,
        }
    }

    /// A move to a square that nothing can forbid.
    pub(super) fn to(to: u8) -> Hop {
        Hop::new(to, 0, NOTHING, 0)
    }

    /// Whether the occupied squares allow the move, its end apart.
    #[inline(always)]
    pub(super) fn is_open(&self, occupied: u32) -> bool {
        occupied & self.care == self.full
    }

    /// Whether the move is possible on an empty board.
    #[inline(always)]
    pub(super) fn is_free(&self) -> bool {
        self.care == 0
    }
}

/// Moves that nothing on the way can forbid and that do the same to the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Steps {
    /// The faces that can make them.
    pub(super) faces: Faces,
    /// Whether a piece that shows its base face promotes by them.
    pub(super) promotes: bool,
    /// The free squares at the other end.
    pub(super) targets: u32,
}

/// Lists by kind and free square, one after the other.
#[derive(Debug, Clone)]
struct Lists<T> {
    starts: Vec<u32>,
    all: Vec<T>,
}

impl<T> Lists<T> {
    fn new(lists: impl Iterator<Item = Vec<T>>) -> Lists<T> {
        let (mut starts, mut all) = (vec![0], Vec::new());
        for list in lists {
            all.extend(list);
            starts.push(all.len() as u32);
        }
        Lists { starts, all }
    }

    #[inline(always)]
    fn get(&self, list: usize) -> &[T] {
        &self.all[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// Hops by kind and free square.
#[derive(Debug, Clone)]
pub(super) struct HopTable {
    free: usize,
    hops: Lists<Hop>,
    steps: Lists<Steps>,
    rest: Lists<Hop>,
}

impl HopTable {
    fn new(free: u8, lists: Vec<Vec<Hop>>) -> HopTable {
        // A hop that needs an empty square only at its other end can be asked for with others.
        let is_step =
            |hop: &Hop| hop.over == NOTHING && hop.to < free && hop.care & !(1 << hop.to) == 0;
        let steps = lists.iter().map(|list| {
            let mut steps: Vec<Steps> = Vec::new();
            for hop in list.iter().filter(|hop| is_step(hop)) {
                let new = Steps {
                    faces: hop.faces,
                    promotes: hop.promotes,
                    targets: 1 << hop.to,
                };
                let same = |s: &&mut Steps| (s.faces, s.promotes) == (new.faces, new.promotes);
                match steps.iter_mut().find(same) {
                    Some(known) => known.targets |= new.targets,
                    None => steps.push(new),
                }
            }
            steps
        });
        let rest = |list: &Vec<Hop>| list.iter().filter(|hop| !is_step(hop)).copied().collect();
        HopTable {
            free: usize::from(free),
            steps: Lists::new(steps),
            rest: Lists::new(lists.iter().map(rest)),
            hops: Lists::new(lists.into_iter()),
        }
    }

    /// All hops of a kind from (or to) a square.
    #[inline(always)]
    pub(super) fn of(&self, kind: u8, square: u8) -> &[Hop] {
        self.hops.get(self.list(kind, square))
    }

    /// Those hops that depend on nothing but their ends.
    #[inline(always)]
    pub(super) fn steps(&self, kind: u8, square: u8) -> &[Steps] {
        self.steps.get(self.list(kind, square))
    }

    /// The other hops: jumps and slides.
    #[inline(always)]
    pub(super) fn rest(&self, kind: u8, square: u8) -> &[Hop] {
        self.rest.get(self.list(kind, square))
    }

    #[inline(always)]
    fn list(&self, kind: u8, square: u8) -> usize {
        usize::from(kind) * self.free + usize::from(square)
    }
}

/// A move of our king to another square, and the slice it leads to.
#[derive(Debug, Clone)]
pub(super) struct KingHop {
    /// The free square it goes to, and what must be true of others.
    pub(super) hop: Hop,
    /// The slice in which the child stands for the side that is then to move.
    pub(super) child: usize,
    /// By free square here (and "in hand"): the free square in the child, still in our view.
    pub(super) squares: Vec<u8>,
    /// By free square there (and "in hand"): the free square here; [`KING`] for the square that
    /// the king has left.
    pub(super) back: Vec<u8>,
    /// Whether the child stands mirrored, so that like pieces change their order.
    pub(super) mirrored: bool,
}

/// A king's move onto the far rank in a variant where that may end the game at once.
#[derive(Debug, Clone)]
pub(super) struct Try {
    /// The move.
    pub(super) hop: Hop,
    /// Whether their king attacks the square whatever else stands on the board.
    pub(super) hopeless: bool,
    /// By kind and free square: their moves onto the square once the king has left.
    pub(super) attacks: HopTable,
    /// Their king's moves onto the square: by a jump or a slide.
    pub(super) king_attacks: Vec<Hop>,
}

/// All moves of a slice.
#[derive(Debug, Clone)]
pub(super) struct SliceMoves {
    /// By kind and free square: our moves to other free squares.
    pub(super) hops: HopTable,
    /// By kind and free square: the same moves from their end; `to` is where they start.
    pub(super) back: HopTable,
    /// By kind and free square: our moves that take their king.
    pub(super) takes: HopTable,
    /// Our king's moves that take their king from afar: by a jump or a slide.
    pub(super) king_takes: Vec<Hop>,
    /// Our king's moves to squares from which play goes on.
    pub(super) king_hops: Vec<KingHop>,
    /// Our king's moves onto the far rank, where the variant has a Try.
    pub(super) tries: Vec<Try>,
    /// The slice seen by the other side, and the free squares there by free square here.
    pub(super) turned: usize,
    /// By free square here (and "in hand"): the free square in the turned slice.
    pub(super) turn: Vec<u8>,
    /// By free square (and "in hand"): its mirror image, if the slice is its own; else empty.
    pub(super) mirror: Vec<u8>,
    /// Free squares on which a piece of ours that shows its base face promotes by arriving.
    pub(super) far_rank: u32,
    /// The same for theirs.
    pub(super) their_far_rank: u32,
}

/// A move on the board: target square, square jumped over, squares that must be empty.
struct Path {
    to: Square,
    via: Option<Square>,
    between: Vec<Square>,
}

/// The moves of a face from a square of an empty board but for `kings`; `up` tells the way it
/// goes. A step onto a square may be a jump over it, so both are listed.
fn paths(variant: &Variant, face: &Face, from: Square, up: bool) -> Vec<Path> {
    let board = variant.board();
    let sign = if up { 1 } else { -1 };
    let offset = |square, (x, y): (i8, i8)| board.offset(square, (sign * x, sign * y));
    let mut paths = Vec::new();
    for &leap in &face.leaps {
        if let Some(to) = offset(from, leap) {
            paths.push(Path {
                to,
                via: None,
                between: Vec::new(),
            });
        }
    }
    for direction in Direction::ALL {
        let Some(near) = offset(from, direction.offset()) else {
            continue;
        };
        if face.steps.contains(direction) {
            paths.push(Path {
                to: near,
                via: None,
                between: Vec::new(),
            });
            if let Some(to) = offset(near, direction.offset())
                && variant.friendly_jump
            {
                paths.push(Path {
                    to,
                    via: Some(near),
                    between: Vec::new(),
                });
            }
        }
        if face.slides.contains(direction) {
            let mut between = Vec::new();
            let mut next = Some(near);
            while let Some(to) = next {
                paths.push(Path {
                    to,
                    via: None,
                    between: between.clone(),
                });
                between.push(to);
                next = offset(to, direction.offset());
            }
        }
    }
    paths
}

/// Squares seen from a slice in which one king may have left its square.
struct View {
    slice: Slice,
    /// A king's square that counts as empty.
    vacated: Option<Square>,
    /// The side whose moves are looked at: its own king is a piece that it may jump over.
    own: Square,
}

impl View {
    /// A path as a hop, `None` if a king stands in its way.
    fn hop(&self, path: &Path, faces: Faces) -> Option<Hop> {
        let is_king = |square: Square| {
            (square == self.slice.own || square == self.slice.other) && Some(square) != self.vacated
        };
        if path.between.iter().any(|&s| is_king(s)) {
            return None;
        }
        let free = |square| {
            let on_kings = square == self.slice.own || square == self.slice.other;
            if on_kings {
                KING
            } else {
                slice_square(self.slice, square)
            }
        };
        let over = match path.via {
            None => NOTHING,
            Some(square) if square == self.own && Some(square) != self.vacated => NOTHING,
            Some(square) if square == self.slice.own || square == self.slice.other => return None,
            Some(square) => free(square),
        };
        let between = path.between.iter().map(|&s| free(s)).filter(|&s| s != KING);
        let between = between.fold(0, |set, s| set | 1 << s);
        Some(Hop::new(free(path.to), faces, over, between))
    }
}

/// Adds a hop, or its faces to an equal one.
fn merge(hops: &mut Vec<Hop>, hop: Hop) {
    let same = |h: &&mut Hop| (h.to, h.over, h.care) == (hop.to, hop.over, hop.care);
    match hops.iter_mut().find(same) {
        Some(known) => known.faces |= hop.faces,
        None => hops.push(hop),
    }
}

fn faces(variant: &Variant, kind: usize) -> impl Iterator<Item = (Faces, &Face)> {
    let kind = &variant.kinds[kind];
    std::iter::once((1, &kind.base)).chain(kind.promoted.as_ref().map(|face| (2, face)))
}

impl SliceMoves {
    /// The moves of a slice; the king's only to children that stand in the first `slices`.
    pub(super) fn new(
        variant: &Variant,
        index: &Index,
        number: usize,
        slices: usize,
    ) -> SliceMoves {
        let board = index.board();
        let slice = index.slices().get(number);
        let free = index.layouts().free();
        let view = View {
            slice,
            vacated: None,
            own: slice.own,
        };
        let list = |kind: usize, square: u8| kind * usize::from(free) + usize::from(square);
        let lists = || vec![Vec::new(); list(variant.kinds.len(), 0)];
        let (mut hops, mut back, mut takes) = (lists(), lists(), lists());
        for (kind, data) in variant.kinds.iter().enumerate() {
            let may_promote = variant.promotion == Promotion::FarRank && data.promoted.is_some();
            for from in 0..free {
                for (face_bit, face) in faces(variant, kind) {
                    for path in paths(variant, face, board_square(slice, from), true) {
                        let Some(mut hop) = view.hop(&path, face_bit) else {
                            continue;
                        };
                        if path.to == slice.other {
                            merge(&mut takes[list(kind, from)], hop);
                        } else if path.to != slice.own {
                            hop.promotes = may_promote && path.to.bit() & board.top_row() != 0;
                            merge(&mut hops[list(kind, from)], hop);
                            // The square that a piece has left is empty.
                            let care = hop.care | 1 << from;
                            let reverse = Hop {
                                to: from,
                                care,
                                ..hop
                            };
                            merge(&mut back[list(kind, hop.to)], reverse);
                        }
                    }
                }
            }
        }
        let turned = index.slices().turned(number);
        let turned_slice = index.slices().get(turned.slice);
        let turn = squares_to(index, slice, turned_slice, |square| {
            let square = board.turned(square);
            if turned.mirrored {
                board.mirrored(square)
            } else {
                square
            }
        });
        let mirror = match index.slices().is_self_mirrored(number) {
            true => squares_to(index, slice, slice, |square| board.mirrored(square)),
            false => Vec::new(),
        };
        let set = |row: u32| {
            let on_row = |s: &u8| board_square(slice, *s).bit() & row != 0;
            (0..free).filter(on_row).fold(0, |set, s| set | 1 << s)
        };
        let mut moves = SliceMoves {
            hops: HopTable::new(free, hops),
            back: HopTable::new(free, back),
            takes: HopTable::new(free, takes),
            king_takes: Vec::new(),
            king_hops: Vec::new(),
            tries: Vec::new(),
            turned: turned.slice,
            turn,
            mirror,
            far_rank: set(board.top_row()),
            their_far_rank: set(board.bottom_row()),
        };
        moves.add_king(variant, index, slices, &view);
        moves
    }

    fn add_king(&mut self, variant: &Variant, index: &Index, slices: usize, view: &View) {
        let slice = view.slice;
        let board = index.board();
        for path in paths(variant, &variant.king, slice.own, true) {
            let Some(hop) = view.hop(&path, 1) else {
                continue;
            };
            if path.to == slice.other {
                merge(&mut self.king_takes, hop);
                continue;
            }
            if variant.goal == Goal::TakeKingOrTry && path.to.bit() & board.top_row() != 0 {
                self.tries.push(a_try(variant, slice, path.to, hop));
                continue;
            }
            let after = Slice {
                own: path.to,
                other: slice.other,
            };
            // Next to their king it is taken: such a move never helps and is never un-made.
            let Some(at) = index.slices().find(after) else {
                continue;
            };
            let turned = index.slices().turned(at.slice).slice;
            if turned >= slices {
                continue;
            }
            let child = index.slices().get(at.slice);
            let to_child = |square| {
                if at.mirrored {
                    board.mirrored(square)
                } else {
                    square
                }
            };
            let squares = squares_to(index, slice, child, to_child);
            let back = squares_to(index, child, slice, to_child);
            self.king_hops.push(KingHop {
                hop,
                child: turned,
                squares,
                back,
                mirrored: at.mirrored,
            });
        }
    }
}

/// By free square of `from` (and "in hand"): the free square of `to` under a map of the board,
/// [`KING`] where a king stands.
fn squares_to(index: &Index, from: Slice, to: Slice, map: impl Fn(Square) -> Square) -> Vec<u8> {
    let free = index.layouts().free();
    let image = |s| {
        let square = map(board_square(from, s));
        let on_kings = square == to.own || square == to.other;
        if on_kings {
            KING
        } else {
            slice_square(to, square)
        }
    };
    (0..free).map(image).chain([free]).collect()
}

/// A try on square `goal`: who of theirs attacks it.
fn a_try(variant: &Variant, slice: Slice, goal: Square, hop: Hop) -> Try {
    let board: Board = variant.board();
    let view = View {
        slice,
        vacated: Some(slice.own),
        own: slice.other,
    };
    let free = board.squares() - 2;
    let mut attacks = Vec::new();
    for kind in 0..variant.kinds.len() {
        for from in 0..free {
            let mut hops = Vec::new();
            for (face_bit, face) in faces(variant, kind) {
                for path in paths(variant, face, board_square(slice, from), false) {
                    if path.to == goal
                        && let Some(hop) = view.hop(&path, face_bit)
                    {
                        merge(&mut hops, hop);
                    }
                }
            }
            attacks.push(hops);
        }
    }
    let attacks = HopTable::new(free, attacks);
    let mut hopeless = false;
    let mut king_attacks = Vec::new();
    for path in paths(variant, &variant.king, slice.other, false) {
        if path.to == goal
            && let Some(hop) = view.hop(&path, 1)
        {
            if hop.is_free() {
                hopeless = true;
            }
            king_attacks.push(hop);
        }
    }
    Try {
        hop,
        hopeless,
        attacks,
        king_attacks,
    }
}
