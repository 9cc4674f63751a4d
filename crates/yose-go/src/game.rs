//! A game: a board, rules, and all positions since the start.

mod history;
mod replay;
mod superko;

pub use history::History;
pub use replay::ReplayError;

use crate::board::{Board, IllegalMove, Played, Trail};
use crate::colour::Colour;
use crate::point::{Move, Point};
use crate::position::Position;
use crate::rules::{KoRule, Rules};
use crate::size::Size;
use superko::Seen;

/// A move as it was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Who moved.
    pub colour: Colour,
    /// The move.
    pub mv: Move,
    /// What it took off the board.
    pub played: Played,
}

/// A board with rules and history: superko, undo, who is to move, earlier positions.
///
/// Moves alternate; [`play_as`](Self::play_as) takes them out of turn too. Nothing ends a game by
/// itself: [`is_over`](Self::is_over) says when two passes came in a row, and moves after that are
/// still taken, as records of disputed games have them.
///
/// The start counts as a position of the history, whether it is empty or set up: under superko no
/// move may bring it back. What stood before a set-up start is not known and forbids nothing.
///
/// ```
/// use yose_go::{Game, Rules, Size};
///
/// let size = Size::square(9)?;
/// let mut game = Game::new(size, Rules::TROMP_TAYLOR);
/// for vertex in ["D4", "E5", "pass"] {
///     game.play(size.parse_gtp(vertex)?)?;
/// }
/// game.undo();
/// assert_eq!(game.moves().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    /// In half points.
    komi: i16,
    handicap: u16,
    start: Board,
    start_to_play: Colour,
    board: Board,
    trail: Trail,
    history: History,
    seen: Seen,
}

impl Game {
    /// A game from the empty board, Black to move.
    #[must_use]
    pub fn new(size: Size, rules: Rules) -> Self {
        Self::from_board(Board::new(size), Colour::Black, rules)
    }

    /// A game from a set-up board; its ko ban and prisoners stay in force.
    #[must_use]
    pub fn from_board(mut board: Board, to_play: Colour, rules: Rules) -> Self {
        board.set_suicide(rules.suicide);
        let mut seen = Seen::default();
        seen.push(board.hash(), to_play);
        Self {
            rules,
            komi: rules.komi,
            handicap: 0,
            start: board.clone(),
            start_to_play: to_play,
            history: History::new(&board, to_play),
            board,
            trail: Trail::new(),
            seen,
        }
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules from now on; moves already played stand. So a tool may switch superko off
    /// to enter a game as it was played.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.board.set_suicide(rules.suicide);
        self.start.set_suicide(rules.suicide);
    }

    /// Komi in half points: that of the rules until it is set.
    #[must_use]
    pub const fn komi(&self) -> i16 {
        self.komi
    }

    /// Sets komi, in half points.
    pub const fn set_komi(&mut self, half_points: i16) {
        self.komi = half_points;
    }

    /// How many handicap stones Black was given: 0 until it is set.
    #[must_use]
    pub const fn handicap(&self) -> u16 {
        self.handicap
    }

    /// Says how many handicap stones Black was given, for the count. The stones themselves are part of the
    /// [start](Self::from_board), or moves.
    pub const fn set_handicap(&mut self, stones: u16) {
        self.handicap = stones;
    }

    /// Size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// The board as it stands.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The board before the first move.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Who is to move.
    #[must_use]
    pub const fn to_play(&self) -> Colour {
        self.history.to_play()
    }

    /// Who was to move before the first move.
    #[must_use]
    pub const fn start_to_play(&self) -> Colour {
        self.start_to_play
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Ply] {
        self.history.moves()
    }

    /// All positions: the start, then the one after each move, passes too; the last is the
    /// present.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        self.history.positions()
    }

    /// Moves and positions, as feature planes take them.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// Moves and positions; board and rules are let go.
    #[must_use]
    pub fn into_history(self) -> History {
        self.history
    }

    /// How many moves ago the stone on a point was placed: 1 if by the last move. Nothing if the
    /// point is empty or the stone was there from the start. O(moves).
    #[must_use]
    pub fn age(&self, point: Point) -> Option<usize> {
        self.board.stone(point)?;
        let ago = self
            .moves()
            .iter()
            .rev()
            .position(|ply| ply.mv == Move::Place(point))?;
        Some(ago + 1)
    }

    /// Whether the last two moves were passes.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let passes = self
            .moves()
            .iter()
            .rev()
            .take_while(|ply| ply.mv == Move::Pass)
            .count();
        passes >= 2
    }

    /// Plays for the side to move.
    ///
    /// # Errors
    ///
    /// Why the move is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Played, IllegalMove> {
        self.play_as(self.to_play(), mv)
    }

    /// Plays for a colour, also out of turn; then the other is to move.
    ///
    /// # Errors
    ///
    /// Why the move is not legal; the game is then unchanged.
    pub fn play_as(&mut self, colour: Colour, mv: Move) -> Result<Played, IllegalMove> {
        self.check(colour, mv)?;
        let mut position = *self.history.now();
        let played = match mv {
            Move::Pass => {
                self.board.pass_on(&mut self.trail);
                Played::default()
            }
            Move::Place(point) => {
                let played = self.board.play_unchecked_on(&mut self.trail, colour, point);
                position.put(point, Some(colour));
                for gone in self.board.last_removed(played) {
                    position.put(gone, None);
                }
                played
            }
        };
        self.history.push(Ply { colour, mv, played }, position);
        self.seen.push(self.board.hash(), !colour);
        Ok(played)
    }

    /// Whether `colour` may make the move now. O(stones taken off); under superko a look-up more,
    /// and O(area) if a hash says that the position may be a repetition.
    #[must_use]
    pub fn is_legal(&self, colour: Colour, mv: Move) -> bool {
        self.check(colour, mv).is_ok()
    }

    /// Whether `colour` may make the move now, and if not why.
    ///
    /// # Errors
    ///
    /// Why the move is not legal.
    pub fn check(&self, colour: Colour, mv: Move) -> Result<(), IllegalMove> {
        let Move::Place(point) = mv else {
            return Ok(());
        };
        let retakes = match self.board.check(colour, point) {
            Err(IllegalMove::Ko) => true,
            outcome => outcome.map(|()| false)?,
        };
        let repeats = self.repeats(colour, point);
        if retakes && (self.ko_bans() || repeats.is_some()) {
            return Err(IllegalMove::Ko);
        }
        repeats.map_or(Ok(()), |after| Err(IllegalMove::Superko { after }))
    }

    /// The points where `colour` may play by the rules of the game, in reading order. Passing is
    /// always legal and not listed.
    pub fn legal_moves(&self, colour: Colour) -> impl Iterator<Item = Point> + '_ {
        self.size()
            .points()
            .filter(move |&point| self.is_legal(colour, Move::Place(point)))
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if !self.history.pop(self.start_to_play) {
            return false;
        }
        self.board.undo(&mut self.trail);
        self.seen.pop();
        true
    }

    /// Whether the point of a simple ko is banned for itself, not only if the move repeats a position
    /// that the rules forbid. Situational superko allows a retake after a move out of turn; but of what
    /// stood before the start nothing is known, so a ban that the start brings along holds.
    fn ko_bans(&self) -> bool {
        match self.rules.ko {
            KoRule::None => false,
            KoRule::Simple | KoRule::Positional => true,
            KoRule::Situational => self.moves().is_empty(),
        }
    }

    /// After how many moves there stood what a stone at `point` would leave, the latest, if
    /// the rules forbid that. The move is legal otherwise.
    fn repeats(&self, colour: Colour, point: Point) -> Option<usize> {
        let situational = match self.rules.ko {
            KoRule::None | KoRule::Simple => return None,
            KoRule::Positional => false,
            KoRule::Situational => true,
        };
        let mut candidates = self
            .seen
            .with_hash(self.board.hash_after(colour, point))
            .filter(|&(_, to_play)| !situational || to_play != colour)
            .map(|(after, _)| after)
            .peekable();
        candidates.peek()?;
        // The hash is only a hint: compare the stones.
        let mut board = self.board.clone();
        board.play_unchecked(colour, point);
        let position = Position::of(&board);
        candidates.find(|&after| self.positions()[after] == position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sagebati/goban#16: a position with the hash of an earlier one is not forbidden if its
    /// stones are others. Such positions cannot be found, so the history is forged.
    #[test]
    fn goban_16_the_same_hash_is_not_yet_a_repetition() {
        let size = Size::square(3).expect("a size");
        let mut game = Game::new(size, Rules::TROMP_TAYLOR);
        let point = size.point(1, 1).expect("on board");
        let hash = game.board.hash_after(Colour::Black, point);
        game.seen.push(hash, Colour::White);
        let forged = Ply {
            colour: Colour::Black,
            mv: Move::Pass,
            played: Played::default(),
        };
        let mut other = Position::empty(size);
        other.put(size.point(0, 0).expect("on board"), Some(Colour::Black));
        game.history.push(forged, other);
        assert_eq!(game.check(Colour::Black, Move::Place(point)), Ok(()));
        let mut same = Position::empty(size);
        same.put(point, Some(Colour::Black));
        game.history.pop(Colour::Black);
        game.history.push(forged, same);
        let superko = Err(IllegalMove::Superko { after: 1 });
        assert_eq!(game.check(Colour::Black, Move::Place(point)), superko);
    }
}
