//! From records to positions: playing the moves of a line on a board.

use thiserror::Error;

use super::access::a_move;
use super::tree::{NodeId, NodeRef, Tree};
use super::value::{SgfPoint, SgfSize};
use crate::board::{Board, IllegalMove, SetUpError, Suicide};
use crate::colour::Colour;
use crate::game::{Game, History};
use crate::planes::Sample;
use crate::point::{MAX_SIDE, Move, Point};
use crate::rules::{KoRule, Rules};
use crate::size::Size;

/// How to play a record's moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReplayOptions {
    /// The rules in force; left out, those that `RU` names, else Japanese (simple ko, no suicide);
    /// noted if `RU` names others.
    pub rules: Option<Rules>,
    /// Stop at the first note instead of going on.
    pub strict: bool,
    /// Stop before the move after so many; left out, play all.
    pub moves: Option<usize>,
}

/// A line as it was played.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The position, with the moves since the last set-up. Komi is what `KM` says, else what is usual
    /// under the rules; the handicap is `HA`'s, for counting. Stones set up in mid-game, and a move
    /// onto a stone, begin the history anew: what stood before forbids nothing after.
    pub game: Game,
    /// How many moves of the record were played, passes counted, also those before a set-up.
    pub moves: usize,
    /// Where the record does what the rules do not allow.
    pub notes: Vec<ReplayNote>,
    /// What was played before `game` began, part by part. Moves and positions only: a game for
    /// every set-up would be a hundred times what the moves of a record take.
    earlier: Vec<(Begin, History)>,
    /// Where `game` begins.
    begin: Begin,
}

/// Where a part of a record begins.
#[derive(Debug, Clone, Copy)]
struct Begin {
    /// How many moves were played before it.
    moves: usize,
    /// Whether its start is a position of the record, not only what a move onto a stone leads
    /// over.
    shown: bool,
}

impl Begin {
    /// The first number of moves after which the position is one of this part. Later parts have
    /// larger numbers: a part that begins where another one's start is shown does so with a move.
    fn first(self) -> usize {
        self.moves + usize::from(!self.shown)
    }
}

impl Replay {
    /// The position after so many moves of the record, with all that is set up before the next;
    /// nothing if the record is shorter.
    #[must_use]
    pub fn position(&self, moves: usize) -> Option<Sample<'_>> {
        let (begin, history) = if self.begin.first() <= moves {
            (self.begin, self.game.history())
        } else {
            let parts = self
                .earlier
                .partition_point(|(begin, _)| begin.first() <= moves);
            let (begin, history) = &self.earlier[parts.checked_sub(1)?];
            (*begin, history)
        };
        let ply = moves - begin.moves;
        (ply <= history.moves().len()).then_some(Sample { history, ply })
    }

    /// All positions of the record, the start and the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = Sample<'_>> + '_ {
        (0..=self.moves).filter_map(|moves| self.position(moves))
    }

    fn begin_anew(&mut self, game: Game, shown: bool) {
        let before = std::mem::replace(&mut self.game, game);
        if !before.moves().is_empty() || !shown {
            self.earlier.push((self.begin, before.into_history()));
        }
        let moves = self.moves;
        self.begin = Begin { moves, shown };
    }
}

/// A place where a record does what the rules do not allow, and what was done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}byte {offset}: {fault}", number.map(|n| format!("move {n}, ")).unwrap_or_default())]
pub struct ReplayNote {
    /// The node.
    pub node: NodeId,
    /// Which move it is, counted from 1, if it is one.
    pub number: Option<usize>,
    /// Where the property stands in the file.
    pub offset: usize,
    /// What is the matter.
    pub fault: ReplayFault,
}

/// What a record can do that the rules do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayFault {
    /// The point is not empty. The standard has such a move carried out.
    #[error("the point is occupied; the stone on it was taken away first, as by set-up")]
    Occupied,
    /// The rules in force forbid it. The standard has such a move carried out.
    #[error("{0}; played all the same")]
    Illegal(IllegalMove),
    /// The value is no move.
    #[error("no move, or off the board; left out")]
    NoMove,
    /// `RU` names rules that are not known here, and no others were asked for.
    #[error("RU names no rules that are known here; Japanese rules are used")]
    Rules,
    /// `KM` says something, but no komi in half points.
    #[error("KM gives no komi in half points; the usual komi of the rules is used")]
    Komi,
    /// Stones are set up without a liberty.
    #[error("{0}; its stones were left out")]
    SetUp(SetUpError),
}

/// Why a record cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SgfReplayError {
    /// A record of another game.
    #[error("expected a record of Go, GM[1], got GM[{0}]")]
    NotGo(String),
    /// A board larger than boards are here.
    #[error(
        "expected a board of at most {MAX_SIDE} columns and rows, got {} and {}", size.columns, size.rows
    )]
    TooLarge {
        /// The size in the record.
        size: SgfSize,
    },
    /// The strict replay met what the rules do not allow.
    #[error("{0}")]
    Refused(ReplayNote),
}

impl Tree {
    /// Plays the main line.
    ///
    /// # Errors
    ///
    /// If the record is not of Go or the board too large; if strict, at the first fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use yose_go::sgf::{self, ReplayOptions};
    ///
    /// let games = sgf::read(b"(;FF[4]SZ[9];B[ee];W[ee])")?.games;
    /// let replay = games[0].replay(&ReplayOptions::default())?;
    /// assert_eq!(replay.game.board().to_rows()[4], "....O....");
    /// assert_eq!(replay.notes[0].number, Some(2)); // White played onto the stone
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self, options: &ReplayOptions) -> Result<Replay, SgfReplayError> {
        let line: Vec<_> = self.main_line().collect();
        replay(&line, options)
    }
}

impl NodeRef<'_> {
    /// Plays the line from the root to this node, this included.
    ///
    /// # Errors
    ///
    /// As [`Tree::replay`].
    pub fn replay(self, options: &ReplayOptions) -> Result<Replay, SgfReplayError> {
        replay(&self.path(), options)
    }
}

fn replay(path: &[NodeRef<'_>], options: &ReplayOptions) -> Result<Replay, SgfReplayError> {
    let root = path[0];
    let tree = root.tree();
    if !tree.is_go() {
        return Err(SgfReplayError::NotGo(root.text("GM").unwrap_or_default()));
    }
    let sgf_size = tree.board_size();
    let size = Size::new(sgf_size.rows.into(), sgf_size.columns.into())
        .map_err(|_| SgfReplayError::TooLarge { size: sgf_size })?;
    let info = tree.info();
    let rules = options.rules.or(info.rules).unwrap_or(Rules::JAPANESE);
    let handicapped = info.handicap.is_some_and(|n| n >= 2);
    let first = if handicapped {
        Colour::White
    } else {
        Colour::Black
    };
    let next = movers(path, sgf_size);
    let to_play = next[0].unwrap_or(first);
    let komi = info.komi.and_then(half_points);
    let terms = Terms {
        rules,
        komi: komi.unwrap_or(rules.komi),
        handicap: info.handicap.unwrap_or(0),
    };
    let mut line = Line {
        size,
        terms,
        strict: options.strict,
        replay: Replay {
            game: terms.game(Board::new(size), to_play),
            moves: 0,
            notes: Vec::new(),
            earlier: Vec::new(),
            begin: Begin {
                moves: 0,
                shown: true,
            },
        },
    };
    if options.rules.is_none() && info.rules.is_none() && info.rules_text.is_some() {
        line.note(root, "RU", false, ReplayFault::Rules)?;
    }
    let says_komi = root.text("KM").is_some_and(|text| !text.trim().is_empty());
    if komi.is_none() && says_komi {
        line.note(root, "KM", false, ReplayFault::Komi)?;
    }
    for (&node, &mover) in path.iter().zip(&next) {
        line.set_up(node, mover, first)?;
        for property in node.properties() {
            let Some((colour, place)) = a_move(tree, property, sgf_size) else {
                continue;
            };
            if options
                .moves
                .is_some_and(|limit| line.replay.moves >= limit)
            {
                return Ok(line.replay);
            }
            let id = if colour == Colour::Black { "B" } else { "W" };
            match place {
                Some(point) => line.play(node, id, colour, point)?,
                None => line.note(node, id, true, ReplayFault::NoMove)?,
            }
        }
    }
    Ok(line.replay)
}

/// For each node of a line, who moves first in it or after it.
fn movers(path: &[NodeRef<'_>], size: SgfSize) -> Vec<Option<Colour>> {
    let mut next = None;
    let mut movers: Vec<_> = path
        .iter()
        .rev()
        .map(|node| {
            let mut moves = node
                .properties()
                .iter()
                .filter_map(|property| a_move(node.tree(), property, size));
            let mover = moves.find_map(|(colour, place)| place.map(|_| colour));
            next = mover.or(next);
            next
        })
        .collect();
    movers.reverse();
    movers
}

/// Komi in half points, if it is a number of these.
fn half_points(komi: f64) -> Option<i16> {
    let doubled = komi * 2.0;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "what is larger is not what it was, and refused"
    )]
    let whole = doubled.round() as i16;
    ((f64::from(whole) - doubled).abs() < 1e-6).then_some(whole)
}

/// What holds for the whole game.
#[derive(Clone, Copy)]
struct Terms {
    rules: Rules,
    komi: i16,
    handicap: u16,
}

impl Terms {
    fn game(self, board: Board, to_play: Colour) -> Game {
        let mut game = Game::from_board(board, to_play, self.rules);
        game.set_komi(self.komi);
        game.set_handicap(self.handicap);
        game
    }
}

struct Line {
    size: Size,
    terms: Terms,
    strict: bool,
    replay: Replay,
}

impl Line {
    fn note(
        &mut self,
        node: NodeRef<'_>,
        id: &str,
        is_move: bool,
        fault: ReplayFault,
    ) -> Result<(), SgfReplayError> {
        let offset = node.get(id).map_or(0, super::Property::offset);
        let number = is_move.then_some(self.replay.moves + 1);
        let note = ReplayNote {
            node: node.id(),
            number,
            offset,
            fault,
        };
        if self.strict {
            return Err(SgfReplayError::Refused(note));
        }
        self.replay.notes.push(note);
        Ok(())
    }

    fn point(&self, point: SgfPoint) -> Option<Point> {
        self.size.point(point.row.into(), point.column.into()).ok()
    }

    fn set_up(
        &mut self,
        node: NodeRef<'_>,
        mover: Option<Colour>,
        first: Colour,
    ) -> Result<(), SgfReplayError> {
        let sets_up = |id| node.get(id).is_some();
        if !["AB", "AW", "AE", "PL"].into_iter().any(sets_up) {
            return Ok(());
        }
        let changes = node.setup();
        let turn = node.colour("PL");
        if changes.is_empty() && turn.is_none() {
            return Ok(());
        }
        let before = if self.replay.moves == 0 {
            first
        } else {
            self.replay.game.to_play()
        };
        let to_play = turn.or(mover).unwrap_or(before);
        let mut board = self.replay.game.board().clone();
        if !changes.is_empty() {
            let mut wanted: Vec<(Point, Option<Colour>)> = changes
                .iter()
                .flat_map(|(stone, points)| points.iter().map(|&point| (point, *stone)))
                .filter_map(|(point, stone)| Some((self.point(point)?, stone)))
                .collect();
            while let Err(error) = board.set_all(wanted.iter().copied()) {
                let id = ["AB", "AW", "AE"]
                    .into_iter()
                    .find(|id| node.get(id).is_some());
                self.note(node, id.unwrap_or("AB"), false, ReplayFault::SetUp(error))?;
                let SetUpError::NoLiberty { colour, point } = error else {
                    break;
                };
                self.leave_out(&mut wanted, &board, colour, point);
            }
        }
        self.replay
            .begin_anew(self.terms.game(board, to_play), true);
        Ok(())
    }

    /// Takes a chain that would have no liberty out of what is wanted.
    fn leave_out(
        &self,
        wanted: &mut Vec<(Point, Option<Colour>)>,
        board: &Board,
        colour: Colour,
        point: Point,
    ) {
        let mut stones = vec![None; Point::INDICES];
        for at in self.size.points() {
            stones[at.index()] = board.stone(at);
        }
        for (at, stone) in wanted.iter() {
            stones[at.index()] = *stone;
        }
        let mut open = vec![point];
        while let Some(at) = open.pop() {
            if stones[at.index()] == Some(colour) {
                stones[at.index()] = None;
                wanted.push((at, None));
                open.extend(self.size.neighbours(at));
            }
        }
    }

    fn play(
        &mut self,
        node: NodeRef<'_>,
        id: &str,
        colour: Colour,
        point: Option<SgfPoint>,
    ) -> Result<(), SgfReplayError> {
        let mv = match point.map(|point| self.point(point)) {
            None => Move::Pass,
            Some(Some(point)) => Move::Place(point),
            Some(None) => return self.note(node, id, true, ReplayFault::NoMove),
        };
        match self.replay.game.play_as(colour, mv) {
            Ok(_) => {}
            Err(IllegalMove::Occupied) => {
                self.note(node, id, true, ReplayFault::Occupied)?;
                let mut board = self.replay.game.board().clone();
                if let Move::Place(point) = mv {
                    // A chain that loses a stone gains a liberty, so this cannot fail.
                    let _ = board.set(point, None);
                }
                self.replay
                    .begin_anew(self.terms.game(board, colour), false);
                self.force(colour, mv);
            }
            Err(reason) => {
                self.note(node, id, true, ReplayFault::Illegal(reason))?;
                self.force(colour, mv);
            }
        }
        self.replay.moves += 1;
        Ok(())
    }

    /// Plays whatever the rules say; the point is empty.
    fn force(&mut self, colour: Colour, mv: Move) {
        let lawless = Rules {
            ko: KoRule::None,
            suicide: Suicide::Allowed,
            ..self.terms.rules
        };
        self.replay.game.set_rules(lawless);
        let played = self.replay.game.play_as(colour, mv);
        debug_assert!(played.is_ok(), "{played:?}");
        self.replay.game.set_rules(self.terms.rules);
    }
}
