//! A variant made ready for play: where each piece goes from each square.

use crate::position::{Piece, Position, Side};
use crate::square::{Board, Direction, MAX_SQUARES, Square, SquareSet, squares};
use crate::variant::{Captured, DropBan, DropFaces, Face, Goal, MAX_KINDS, Promotion, Variant};

/// The rules of a variant with its tables. Making one takes microseconds; it is then shared.
///
/// Moves are those of the games this crate plays: the king may be left to be taken, and taking it
/// ends the game.
///
/// ```
/// use yose_shogi::{After, Rules, Variant};
///
/// let rules = Rules::new(Variant::built_in("shogi4").unwrap());
/// //  . . . k
/// //  . . . .
/// //  P . . .        The carp is on 4c, so it goes to 4b; the king on 4d jumps over it to 4b too.
/// //  K . . .
/// let position = rules.variant().parse_sfen("3k/4/P3/K3 b -").unwrap();
/// let mut moves = Vec::new();
/// rules.moves(&position, &mut moves);
/// let moves: Vec<_> = moves.iter().map(|&mv| rules.variant().usi(mv)).collect();
/// assert_eq!(moves, ["4c4b", "4d4b", "4d3c", "4d3d"]);
/// ```
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) variant: Variant,
    pub(crate) board: Board,
    /// By [`Piece::code`], then by square.
    reach: Vec<[Reach; MAX_SQUARES]>,
    /// `beyond[from][over]`: the square as far behind `over` as `from` is before it, if it is on
    /// the board and the two are adjacent.
    beyond: Vec<[SquareSet; MAX_SQUARES]>,
    /// By [`Direction::index`], then by square: all squares that way.
    rays: Vec<[SquareSet; MAX_SQUARES]>,
    /// By side.
    pub(crate) far_rank: [SquareSet; 2],
    /// By side: the squares that a piece may be dropped on if they are empty.
    pub(crate) drop_squares: [SquareSet; 2],
    /// Whether a kind has another face.
    pub(crate) two_faced: [bool; MAX_KINDS],
}

/// Where a piece goes from one square, on an empty board.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    steps: SquareSet,
    leaps: SquareSet,
    /// A bit for each direction of the board, by [`Direction::index`]: for either side, N is up.
    slides: u8,
}

impl Rules {
    /// Makes the tables.
    #[must_use]
    pub fn new(variant: Variant) -> Rules {
        let board = variant.board();
        let all = board.all();
        let mut rules = Rules {
            board,
            reach: vec![[Reach::default(); MAX_SQUARES]; Piece::CODES],
            beyond: vec![[0; MAX_SQUARES]; MAX_SQUARES],
            rays: vec![[0; MAX_SQUARES]; Direction::ALL.len()],
            far_rank: [Side::Black, Side::White].map(|side| variant.far_rank(side)),
            drop_squares: [Side::Black, Side::White].map(|side| {
                match (variant.captured, variant.drop_ban) {
                    (Captured::Gone, _) => 0,
                    (Captured::Hand, DropBan::None) => all,
                    (Captured::Hand, DropBan::FarRank) => all & !variant.far_rank(side),
                }
            }),
            two_faced: [false; MAX_KINDS],
            variant,
        };
        for square in squares(all) {
            for direction in Direction::ALL {
                rules.rays[direction.index()][square.index()] = ray(board, square, direction);
                let over = board.offset(square, direction.offset());
                let behind = over.and_then(|over| board.offset(over, direction.offset()));
                if let (Some(over), Some(behind)) = (over, behind) {
                    rules.beyond[square.index()][over.index()] = behind.bit();
                }
            }
        }
        for side in [Side::Black, Side::White] {
            let king = reach_table(board, side, &rules.variant.king);
            rules.reach[Piece::king(side).code()] = king;
            for (number, kind) in rules.variant.kinds.iter().enumerate() {
                rules.two_faced[number] = kind.promoted.is_some();
                let base = Piece::new(side, number, false);
                rules.reach[base.code()] = reach_table(board, side, &kind.base);
                if let Some(promoted) = &kind.promoted {
                    let piece = Piece::new(side, number, true);
                    rules.reach[piece.code()] = reach_table(board, side, promoted);
                }
            }
        }
        rules
    }

    /// The variant that these are the rules of.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The squares that `piece` could land on from `from`, with `own` pieces of its side and
    /// `other` pieces of the other side on the board.
    pub(crate) fn targets(
        &self,
        piece: Piece,
        from: Square,
        own: SquareSet,
        other: SquareSet,
    ) -> SquareSet {
        let reach = &self.reach[piece.code()][from.index()];
        let mut targets = reach.steps | reach.leaps;
        if self.variant.friendly_jump {
            for over in squares(reach.steps & own) {
                targets |= self.beyond[from.index()][over.index()];
            }
        }
        if reach.slides != 0 {
            for direction in Direction::ALL {
                if reach.slides >> direction.index() & 1 == 1 {
                    targets |= self.slide(from, direction, own | other);
                }
            }
        }
        targets & !own
    }

    /// The squares from `from` in a direction up to the first occupied one, which is included.
    fn slide(&self, from: Square, direction: Direction, occupied: SquareSet) -> SquareSet {
        let rays = &self.rays[direction.index()];
        let ray = rays[from.index()];
        let hit = ray & occupied;
        if hit == 0 {
            return ray;
        }
        // Squares are numbered from the top left, so these four directions lead to lower numbers.
        let down = matches!(
            direction,
            Direction::NW | Direction::N | Direction::NE | Direction::W
        );
        let blocker = if down {
            31 - hit.leading_zeros()
        } else {
            hit.trailing_zeros()
        };
        // `blocker` is under 32.
        ray & !rays[blocker as usize & (MAX_SQUARES - 1)]
    }

    /// Whether a piece of side `by` could land on `square` if that side were to move. An empty
    /// square counts as attacked by the pieces that could go there; drops do not count.
    ///
    /// ```
    /// use yose_shogi::{Rules, Side, Square, Variant};
    ///
    /// let rules = Rules::new(Variant::built_in("dobutsu").unwrap());
    /// //  . l .
    /// //  . . .
    /// //  G . .        The giraffe on 3c attacks 3b, 3d and 2c; the lion 3c and 1c.
    /// //  . L .
    /// let position = rules.variant().parse_sfen("1l1/3/G2/1L1 b -").unwrap();
    /// assert!(rules.attacks(&position, Side::Black, Square(3)));
    /// assert!(!rules.attacks(&position, Side::White, Square(6)));
    /// ```
    #[must_use]
    pub fn attacks(&self, position: &Position, by: Side, square: Square) -> bool {
        let own = position.occupied(by);
        let other = position.occupied(by.other());
        self.pieces(position, by)
            .any(|(from, piece)| self.targets(piece, from, own, other) & square.bit() != 0)
    }

    /// Whether the side to move can take the king now.
    #[must_use]
    pub fn takes_king(&self, position: &Position) -> bool {
        let us = position.turn();
        position
            .king(us.other())
            .is_some_and(|king| self.attacks(position, us, king))
    }

    /// Whether the king on `own`, of the side `side`, goes to `other` in one move whatever else
    /// stands on the board. Of the usual king this is: whether the two squares touch.
    #[must_use]
    pub fn kings_touch(&self, side: Side, own: Square, other: Square) -> bool {
        let reach = &self.reach[Piece::king(side).code()][own.index()];
        let adjacent = Direction::ALL
            .iter()
            .filter(|d| reach.slides >> d.index() & 1 == 1)
            .filter_map(|d| self.board.offset(own, d.offset()));
        let slides = adjacent.fold(0, |set, square| set | square.bit());
        (reach.steps | reach.leaps | slides) & other.bit() != 0
    }

    /// Whether the game has ended before the side to move could move: a king is missing, or the
    /// other side's king stands on its far rank and is out of reach, where that wins.
    ///
    /// A position does not tell how it came about. In a line of play a king may reach its far rank
    /// under attack, be spared, and the game goes on, even when the attack is lifted later: only
    /// the king's own move is a Try. [`perft`](Self::perft) follows lines and goes on there; a
    /// position read by itself is taken for a finished game.
    #[must_use]
    pub fn is_over(&self, position: &Position) -> bool {
        let us = position.turn();
        let (Some(_), Some(king)) = (position.king(us), position.king(us.other())) else {
            return true;
        };
        self.variant.goal == Goal::TakeKingOrTry
            && self.far_rank[us.other().index()] & king.bit() != 0
            && !self.attacks(position, us, king)
    }

    /// Whether a piece that ends a board move on `to` promotes by rank.
    pub(crate) fn promotes(&self, piece: Piece, to: Square) -> bool {
        self.variant.promotion == Promotion::FarRank
            && !piece.promoted()
            && self.far_rank[piece.side().index()] & to.bit() != 0
            && piece.kind().is_some_and(|kind| self.two_faced[kind])
    }

    /// What a piece is after a board move to `to`.
    pub(crate) fn arrived(&self, piece: Piece, to: Square, captures: bool) -> Piece {
        let flips = match self.variant.promotion {
            Promotion::Never => false,
            Promotion::FarRank => self.promotes(piece, to),
            Promotion::OnCapture => captures && piece.kind().is_some_and(|k| self.two_faced[k]),
        };
        if flips { piece.flipped() } else { piece }
    }

    /// Whether a face may show on a drop of this kind.
    pub(crate) fn drops_face(&self, kind: usize, promoted: bool) -> bool {
        !promoted || (self.variant.drop_faces == DropFaces::Either && self.two_faced[kind])
    }

    /// Whether a piece may stand on a square in a legal position.
    pub(crate) fn may_stand(&self, piece: Piece, square: Square) -> bool {
        piece.promoted()
            || self.far_rank[piece.side().index()] & square.bit() == 0
            || piece
                .kind()
                .is_none_or(|kind| self.variant.base_on_far_rank(kind))
    }

    /// The pieces of a side with their squares.
    pub(crate) fn pieces<'a>(
        &self,
        position: &'a Position,
        side: Side,
    ) -> impl Iterator<Item = (Square, Piece)> + use<'a> {
        squares(position.occupied(side))
            .filter_map(|square| Some((square, position.piece_on(square)?)))
    }
}

fn ray(board: Board, from: Square, direction: Direction) -> SquareSet {
    let mut set = 0;
    let mut at = from;
    while let Some(next) = board.offset(at, direction.offset()) {
        set |= next.bit();
        at = next;
    }
    set
}

fn reach_table(board: Board, side: Side, face: &Face) -> [Reach; MAX_SQUARES] {
    let seen = |direction: Direction| match side {
        Side::Black => direction,
        Side::White => direction.opposite(),
    };
    let mut table = [Reach::default(); MAX_SQUARES];
    for square in squares(board.all()) {
        let reach = &mut table[square.index()];
        for step in face.steps.iter() {
            let to = board.offset(square, seen(step).offset());
            reach.steps |= to.map_or(0, Square::bit);
        }
        for &(right, up) in &face.leaps {
            let offset = match side {
                Side::Black => (right, up),
                Side::White => (-right, -up),
            };
            reach.leaps |= board.offset(square, offset).map_or(0, Square::bit);
        }
        for slide in face.slides.iter() {
            reach.slides |= 1 << seen(slide).index();
        }
    }
    table
}
