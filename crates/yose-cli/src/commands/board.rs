//! `yose board`: boards made to have a known exact value, with the proof.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value as Json, json};
use yose_cgt::Bounds;
use yose_endgame::LocalSolver;
use yose_endgame::construct::{
    self, ConstructError, Constructed, Corridors, Hotstrat, Proof, Third,
};
use yose_go::Colour;

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Answer, Style};

/// Make a Go board with a known exact value, prove it, and write it as SGF.
///
/// The values that a construction claims are compared with what the solver finds on the finished
/// board; the proof stands in the comments. If they differ, nothing is written.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  yose board hotstrat -o hotstrat.sgf
  yose board hotstrat --atari 4 --chain 30 --prey 6 --third none
  yose board corridor --length 2,3,4 --prisoners 0,1,0 -o corridors.sgf
  yose board switches --stones 4,3,2 --size 9
  yose board false-independence --json")]
pub(crate) struct BoardArgs {
    #[command(subcommand)]
    kind: KindArg,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Debug, Args)]
struct Shared {
    /// Write the board as SGF with the proof as comments; left out, it is only shown.
    #[arg(short, long, value_name = "FILE.sgf", global = true)]
    output: Option<PathBuf>,
    /// The side of the board.
    #[arg(long, value_name = "N", default_value_t = 19, global = true)]
    size: usize,
    /// Exchange the colours: all values are then the negative, and White is to move.
    #[arg(long, global = true)]
    flip: bool,
}

#[derive(Debug, Subcommand)]
enum KindArg {
    /// Playing the hottest region loses points: G = {*|{-2a|-2a-2c}}, H = {2b|0}.
    Hotstrat(HotstratArgs),
    /// Corridors into Black's land, one point wide.
    #[command(visible_alias = "corridors")]
    Corridor(CorridorArgs),
    /// Switches {2k|0}: k White stones in atari each. Their V are also checked by algorithm 2.3.
    #[command(visible_alias = "switch")]
    Switches {
        /// Numbers of stones.
        #[arg(
            long,
            value_name = "K,...",
            value_delimiter = ',',
            default_value = "5,4,3"
        )]
        stones: Vec<usize>,
    },
    /// The trap: a group that lives only through what looks like another region.
    FalseIndependence(GadgetArgs),
    /// Refused: no exact value is known.
    #[command(hide = true)]
    Ladder,
}

/// Why there are no boards with ladders.
const NO_LADDER: &str = "no ladder board: a ladder's way leads through open space, so the board is one region \
                         whose value no search proves";

#[derive(Debug, Args)]
struct HotstratArgs {
    #[command(flatten)]
    gadget: GadgetArgs,
    /// The small region beside G and H: {1|*}, *, {2|0} or none.
    #[arg(long, value_enum, default_value = "corridor")]
    third: ThirdArg,
}

#[derive(Debug, Args)]
struct GadgetArgs {
    /// a: Black stones in atari in G.
    #[arg(long, value_name = "A", default_value_t = 5)]
    atari: usize,
    /// c: stones of the chain in G. With c >= 2a White's move there is sente.
    #[arg(long, value_name = "C", default_value_t = 50)]
    chain: usize,
    /// b: White stones in atari in H. With a < b < 2a the hottest move is wrong.
    #[arg(long, value_name = "B", default_value_t = 8)]
    prey: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ThirdArg {
    Corridor,
    Dame,
    Switch,
    None,
}

#[derive(Debug, Args)]
struct CorridorArgs {
    /// Empty points of each corridor.
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "2,3,4,5"
    )]
    length: Vec<usize>,
    /// White stones at the closed end of each; left out: none.
    #[arg(long, value_name = "K,...", value_delimiter = ',')]
    prisoners: Vec<usize>,
    /// Open to White at both ends.
    #[arg(long, conflicts_with = "prisoners")]
    both_ends: bool,
}

pub(crate) fn run(args: &BoardArgs, context: &Context) -> anyhow::Result<Exit> {
    if matches!(args.kind, KindArg::Ladder) {
        let kinds = "kinds: hotstrat, corridor, switches, false-independence";
        return Err(Failure::usage(NO_LADDER).hint(kinds).into());
    }
    let (kind, made) = construct(&args.kind, args.shared.size);
    let board = made.map_err(|error| Failure::usage(error.to_string()))?;
    let board = if args.shared.flip {
        board.flipped()
    } else {
        board
    };
    // What is claimed by a closed form is compared with a search that knows none.
    let mut solver = LocalSolver::default().without_closed_forms();
    let proof = board
        .prove(&mut solver)
        .map_err(|error| Failure::new(Exit::No, format!("not proved: {error}")))?;
    if let Some(path) = &args.shared.output {
        let tree = board.record(&proof, &mut solver)?;
        fs::write(path, yose_go::sgf::write(&[tree]))
            .with_context(|| format!("writing {}", path.display()))?;
    }
    let text = board.proof_text(&proof, &mut solver)?;
    let json = as_json(kind, &board, &proof, &mut solver)?;
    context.answer(&Made { text, json, board })?;
    Ok(Exit::Answer)
}

fn construct(kind: &KindArg, side: usize) -> (&'static str, Result<Constructed, ConstructError>) {
    let gadget = |args: &GadgetArgs, third| Hotstrat {
        side,
        atari: args.atari,
        chain: args.chain,
        prey: args.prey,
        third,
    };
    match kind {
        KindArg::Hotstrat(args) => {
            let third = match args.third {
                ThirdArg::Corridor => Third::Corridor,
                ThirdArg::Dame => Third::Dame,
                ThirdArg::Switch => Third::Switch,
                ThirdArg::None => Third::None,
            };
            let made = construct::hotstrat(&gadget(&args.gadget, third));
            ("hotstrat", made)
        }
        KindArg::FalseIndependence(args) => {
            let made = construct::false_independence(&gadget(args, Third::None));
            ("false-independence", made)
        }
        KindArg::Corridor(args) => {
            let made = construct::corridors(&Corridors {
                side,
                lengths: args.length.clone(),
                prisoners: args.prisoners.clone(),
                both_ends: args.both_ends,
            });
            ("corridor", made)
        }
        KindArg::Switches { stones } => ("switches", construct::switches(side, stones)),
        KindArg::Ladder => ("ladder", construct::switches(side, &[])),
    }
}

fn as_json(
    kind: &str,
    board: &Constructed,
    proof: &Proof,
    solver: &mut LocalSolver,
) -> anyhow::Result<Json> {
    let gtp = |at: usize| {
        let point = board.size.point_at(at);
        point.map_or(Json::Null, |point| board.size.gtp(point).into())
    };
    let exact = |bounds: &Bounds| bounds.exact().map(|x| x.to_string());
    let mut regions = Vec::new();
    for (report, &number) in proof.analysis.regions.iter().zip(&proof.claims) {
        let claim = &board.claims[number];
        let worth = solver.worth(report.low)?;
        regions.push(json!({
            "name": claim.name,
            "point": gtp(claim.point),
            "claimed": claim.value,
            "value": worth.text,
            "left_stop": worth.left_stop.to_string(),
            "right_stop": worth.right_stop.to_string(),
            "mean": worth.mean.to_string(),
            "temperature": worth.temperature.to_string(),
            "kind": worth.kind.key(),
            "v": report.v.as_ref().and_then(exact),
        }));
    }
    let best = &proof.analysis.best;
    Ok(json!({
        "kind": kind,
        "title": board.title,
        "size": board.size.rows(),
        "rows": board.rows(),
        "to_play": match board.to_play {
            Colour::Black => "black",
            Colour::White => "white",
        },
        "regions": regions,
        "settled": board.settled.to_string(),
        "left_stop": exact(&proof.analysis.left_stop),
        "right_stop": exact(&proof.analysis.right_stop),
        "best": best.iter().map(|best| gtp(best.point)).collect::<Vec<_>>(),
        "hottest_loses": proof.hottest().map(|pick| pick.loss.to_string()),
        "proved": true,
    }))
}

struct Made {
    text: String,
    json: Json,
    board: Constructed,
}

impl Answer for Made {
    fn json(&self) -> Json {
        self.json.clone()
    }

    fn text(&self, _: Style) -> String {
        let rows = self.board.rows();
        let side = rows.len();
        let mut text = String::new();
        for (row, stones) in rows.iter().enumerate() {
            let spaced: Vec<String> = stones.chars().map(String::from).collect();
            text.push_str(&format!("{:>2} {}\n", side - row, spaced.join(" ")));
        }
        let letters = ('A'..='Z').filter(|&letter| letter != 'I').take(side);
        let letters: Vec<String> = letters.map(String::from).collect();
        text.push_str(&format!("   {}\n\n{}", letters.join(" "), self.text));
        text
    }
}
