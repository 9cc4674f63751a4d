//! The whole board: the exact score and the best move among all regions, by a search of their sum.

mod analyse;
mod best;
mod line;
mod ranking;
mod scores;

pub use analyse::{analyse, analyse_until};
pub use yose_cgt::ranking::Ranking;

use yose_cgt::{Bounds, Dyadic, GameId, Strategy, SumLimits};
use yose_go::{BensonForm, Colour, Rules, Scoring, Suicide};

use crate::decompose::{Assumption, Decomposition, Vouched};
use crate::ko::KoWorth;
use crate::local::{Limit, Status};
use crate::value::Worth;

/// What holds for an analysis.
#[derive(Debug, Clone)]
pub struct Question {
    /// Who is to move.
    pub to_play: Colour,
    /// What is counted at the end.
    pub scoring: Scoring,
    /// Which suicides are legal. If those of several stones are, this replaces [`Vouched::form`] by the
    /// other form of unconditional life. Suicide of one stone is a pass and makes no difference.
    pub suicide: Suicide,
    /// What White gets besides: komi, and compensation for handicap stones.
    pub komi: Dyadic,
    /// White stones taken so far minus black ones. Area scoring does not count them.
    pub prisoners: i64,
    /// A point that the side to play may not take at once, since a ko was taken there, by index of the grid's
    /// cells. It is never named as a move; values and scores do not depend on it.
    pub ko: Option<usize>,
    /// What may be taken for granted.
    pub vouched: Vouched,
    /// When the search of the sum stops.
    pub sum: SumLimits,
    /// Longest line of play that is worked out, in moves; 0 = none. Each move costs a search of the sum.
    pub line: usize,
}

impl Question {
    /// Territory scoring without suicide, nothing taken for granted, no komi, no prisoners, a line of
    /// up to 60 moves.
    #[must_use]
    pub fn new(to_play: Colour) -> Self {
        Self {
            to_play,
            scoring: Scoring::Territory,
            suicide: Suicide::Forbidden,
            komi: Dyadic::ZERO,
            prisoners: 0,
            ko: None,
            vouched: Vouched::default(),
            sum: SumLimits::default(),
            line: 60,
        }
    }

    /// The form of unconditional life that holds.
    pub(crate) fn form(&self) -> BensonForm {
        match self.suicide {
            Suicide::Forbidden => self.vouched.form,
            Suicide::MultiStone | Suicide::Allowed => BensonForm::SuicideLegal,
        }
    }

    /// Counting and suicide of a rule set; komi stays as it is, and repetition is no matter of exact
    /// values.
    #[must_use]
    pub fn with_rules(self, rules: &Rules) -> Self {
        Self {
            scoring: rules.scoring,
            suicide: rules.suicide,
            ..self
        }
    }
}

/// A legal move in a region.
#[derive(Debug, Clone)]
pub struct RegionMove {
    /// Who plays.
    pub colour: Colour,
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// The region after it is worth at least and at most this game.
    pub low: GameId,
    /// See `low`.
    pub high: GameId,
    /// How that is known; what is [`Status::Ko`] leads to a ko.
    pub status: Status,
    /// For the side to play, unless the region is a number: the score of the board after it and best play. Of
    /// moves that are not the best of their region one bound may be loose.
    pub score: Option<Bounds>,
}

/// A region where play is left, or a number that needed a search.
#[derive(Debug, Clone)]
pub struct RegionReport {
    /// Its number in [`Decomposition::regions`].
    pub region: usize,
    /// How its value is known.
    pub status: Status,
    /// Proved: the value is at least this game, in [`LocalSolver::games`](crate::LocalSolver::games).
    pub low: GameId,
    /// Proved: the value is at most this game.
    pub high: GameId,
    /// Is each legal move known exactly, or the region a number, which nobody plays? A limit can leave
    /// moves open although the value is exact.
    pub moves_known: bool,
    /// What an exact value means: points of territory, also under area scoring.
    pub worth: Option<Worth>,
    /// For [`Status::Ko`]: what it is worth to whoever wins all kos. `None` if that is not known either.
    pub ko: Option<KoWorth>,
    /// What kept the search from its end.
    pub limit: Option<Limit>,
    /// All legal moves; none if the region is too large to be searched.
    pub moves: Vec<RegionMove>,
    /// For Black and for White: which of the moves are proved to be best at the region's temperature. Empty for
    /// numbers, and if the value is not exact.
    pub best: [Vec<usize>; 2],
    /// Which other moves may be as good as those: moves that are not exact themselves.
    pub open: [Vec<usize>; 2],
    /// V: the score of the board after the best move of the side to play in this region. `None` for
    /// numbers, and if no move is known.
    pub v: Option<Bounds>,
}

/// A region's place in a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The region's number in [`Decomposition::regions`].
    pub region: usize,
    /// By what it is ranked.
    pub value: Dyadic,
    /// The best move in it for the whole board, by index of the grid's cells.
    pub point: usize,
}

/// A best move of the whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// In which region.
    pub region: usize,
    /// The score after it and best play. A move can be proved best although its score is only bounded.
    pub score: Bounds,
}

/// A move that may be as good as the best: its bounds reach what the best is sure of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenMove {
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// In which region.
    pub region: usize,
    /// The score after it and best play.
    pub score: Bounds,
    /// How the value of its region after it is known. If that is exact, the score hangs on other regions.
    pub status: Status,
}

/// What a rule of thumb plays and what that loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyMove {
    /// The rule, which chooses the region.
    pub strategy: Strategy,
    /// The region's number in [`Decomposition::regions`].
    pub region: usize,
    /// The best move there for the whole board, by index of the grid's cells.
    pub point: usize,
    /// Points lost against the best move, never negative.
    pub loss: Dyadic,
}

/// A move of the line of best play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMove {
    /// Who plays.
    pub colour: Colour,
    /// Where, by index of the grid's cells.
    pub point: usize,
    /// In which region of the board as it was asked about.
    pub region: usize,
    /// Stones taken.
    pub taken: usize,
    /// How many moves were equal to it in score.
    pub equals: usize,
}

/// The answer about a board. Scores are Black minus White under the rules of the question and include settled
/// territory, prisoners and komi; under area scoring also the stones on the board.
///
/// They rest on the mathematical rules (`docs/endgame.md`). If regions are not exact, the stops are proved
/// bounds, and a move is called best only if no other can be better, whatever is open.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The board taken apart; it lists what the answer rests on.
    pub decomposition: Decomposition,
    /// The regions that are not settled at sight.
    pub regions: Vec<RegionReport>,
    /// The score if Black plays first.
    pub left_stop: Bounds,
    /// The score if White plays first.
    pub right_stop: Bounds,
    /// The count of the whole; `None` unless all is exact.
    pub mean: Option<Dyadic>,
    /// The highest temperature; `None` unless all is exact, and if nothing is left to play.
    pub temperature: Option<Dyadic>,
    /// Moves of the side to play that are proved best: no other legal move is better. All of them are equal in
    /// score.
    pub best: Vec<BestMove>,
    /// Other moves that may be as good, or better if none is proved best.
    pub open: Vec<OpenMove>,
    /// Are all best moves listed, so that none is open, and none in a region too large for its moves to be known?
    pub best_complete: bool,
    /// The readings of "which region first?"; of equal values dame come last, the others in order of their
    /// regions' first empty points. Each reading has the places that are proved, from the first on.
    pub ranking: Ranking<Ranked>,
    /// Does each reading have all regions that can be played?
    pub ranking_complete: bool,
    /// What rules of thumb play and lose, as far as that is proved.
    pub strategies: Vec<StrategyMove>,
    /// Best play of both from the side to play on, as far as best moves are proved, until nothing is left but
    /// numbers (under area scoring dame are played too). Of equal moves the one in the hottest region is
    /// taken, then the first. Empty if the search of a region met a limit.
    pub line: Vec<LineMove>,
    /// Does the line reach the end, not cut by [`Question::line`] or a limit?
    pub line_complete: bool,
    /// Who was asked about.
    pub to_play: Colour,
}

impl Analysis {
    /// Is every region exact, and the search of the sum complete, so that the score with either side to play and
    /// all best moves are known?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.regions.iter().all(|r| r.status.is_exact())
            && self.left_stop.exact().is_some()
            && self.right_stop.exact().is_some()
            && self.best_complete
    }

    /// The score with best play of both: the stop of the side to play.
    #[must_use]
    pub const fn score(&self) -> &Bounds {
        match self.to_play {
            Colour::Black => &self.left_stop,
            Colour::White => &self.right_stop,
        }
    }

    /// Everything that the answer rests on besides the rules; empty: nothing.
    #[must_use]
    pub fn assumptions(&self) -> &[Assumption] {
        self.decomposition.assumptions()
    }
}
