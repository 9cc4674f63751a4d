//! `yose encode`: the positions of a record of Go as feature planes, in NumPy's format.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use yose_go::planes::{
    Element, EncodeOptions, PlaneSet, Tensor, encode_samples, write_npy, write_npz,
};
use yose_go::sgf::{self, ReplayOptions, Tree};
use yose_go::{Size, Symmetry};

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{Answer, Style, counted};

/// A record longer than this is a mistake.
const MOST_BYTES: u64 = 256 << 20;

/// Encode positions of a game of Go as feature planes for neural networks.
///
/// The array has shape (planes, rows, cols), with --all (moves + 1, planes, rows, cols); row 0 is
/// the top, column 0 is A. A record that is not as the SGF standard wants it is repaired as far as
/// its meaning is clear, with a remark for every repair.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  printf '(;SZ[9];B[ee];W[gc])' | yose encode - --planes agz -o final.npy
  printf '(;SZ[9];B[ee];W[gc])' | yose encode - --planes alphago --all -o game.npz
  printf '(;SZ[9];B[ee];W[gc])' | yose encode - --planes agz -o - | wc -c")]
pub(crate) struct EncodeArgs {
    /// The record in SGF of any version; `-` for standard input.
    #[arg(value_name = "FILE.sgf")]
    file: PathBuf,
    /// Which planes.
    #[arg(long, value_name = "SET")]
    planes: Set,
    /// The position after N moves, 0 being the start; left out, the last.
    #[arg(long = "move", value_name = "N", conflicts_with = "all")]
    after: Option<usize>,
    /// All positions, the start included.
    #[arg(long)]
    all: bool,
    /// Which game of the file, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Symmetry 0 to 7: bit 0 mirrors the columns, bit 1 the rows, bit 2 then transposes.
    #[arg(long, value_name = "K", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=7))]
    symmetry: u8,
    /// The type of the numbers.
    #[arg(long, value_name = "TYPE", default_value = "u8")]
    dtype: Dtype,
    /// Where to write: `.npy`, or `.npz` with one array called `planes`; `-` writes `.npy` to standard
    /// output, and nothing else.
    #[arg(short, long, value_name = "FILE.npy")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    Agz,
    AgzAbsolute,
    #[value(name = "alphago")]
    AlphaGo,
    #[value(name = "alphago49")]
    AlphaGo49,
    Overview48,
    #[value(name = "gnugo")]
    GnuGo,
}

impl Set {
    fn planes(self) -> PlaneSet {
        match self {
            Set::Agz => PlaneSet::Agz,
            Set::AgzAbsolute => PlaneSet::AgzAbsolute,
            Set::AlphaGo => PlaneSet::AlphaGo,
            Set::AlphaGo49 => PlaneSet::AlphaGo49,
            Set::Overview48 => PlaneSet::Overview48,
            Set::GnuGo => PlaneSet::GnuGo,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dtype {
    U8,
    F32,
}

/// Where planes go, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Npy,
    Npz,
    Stdout,
}

impl Target {
    /// What the name asks for. Asked before anything is read or written, so that no file is lost to
    /// a slip.
    fn of(args: &EncodeArgs, context: &Context) -> Result<Self, Failure> {
        let (input, output) = (&args.file, &args.output);
        if output.as_os_str() == "-" {
            if context.json {
                let mixed = "--json and `-o -` both write to standard output";
                return Err(Failure::usage(mixed).hint("name a file with -o"));
            }
            if io::stdout().is_terminal() {
                let text = "an array is nothing for a terminal to show";
                return Err(Failure::usage(text).hint("redirect it, or name a file with -o"));
            }
            return Ok(Self::Stdout);
        }
        let end = output.extension().map(OsStr::to_ascii_lowercase);
        let target = match end.as_ref().and_then(|end| end.to_str()) {
            Some("npy") => Self::Npy,
            Some("npz") => Self::Npz,
            _ => {
                let text = format!("expected a name in .npy or .npz, got {}", output.display());
                return Err(Failure::usage(text));
            }
        };
        if input.as_os_str() != "-" && is_same(input, output) {
            let text = format!("{} would be written over the record", output.display());
            return Err(Failure::usage(text));
        }
        Ok(target)
    }
}

/// Whether two names are of one file, by whatever way.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt as _;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    matches!(
        (fs::canonicalize(one), fs::canonicalize(other)),
        (Ok(one), Ok(other)) if one == other
    )
}

pub(crate) fn run(args: &EncodeArgs, context: &Context) -> anyhow::Result<Exit> {
    let target = Target::of(args, context)?;
    let shown = args.file.display();
    let bytes = input::bytes(&args.file, MOST_BYTES)?;
    let reading = sgf::read(&bytes).with_context(|| format!("reading {shown}"))?;
    let number = args.game as usize;
    let Some(record) = reading.games.get(number - 1) else {
        let games = counted(reading.games.len() as u64, "game");
        return Err(Failure::usage(format!("{shown} has {games}, not {number}")).into());
    };
    let of_this = |repair: &&sgf::Repair| repair.game == number - 1;
    let repairs = reading.repairs.as_slice().iter().filter(of_this);
    let mut remarks: Vec<String> = repairs.map(ToString::to_string).collect();
    let encoded = match args.dtype {
        Dtype::U8 => encode::<u8>(args, target, record, context, &mut remarks)?,
        Dtype::F32 => encode::<f32>(args, target, record, context, &mut remarks)?,
    };
    for remark in &remarks {
        context.remark(&format!("{shown}: {remark}"));
    }
    if target != Target::Stdout {
        context.answer(&encoded.answer(args, remarks))?;
    }
    Ok(Exit::Answer)
}

struct Encoded {
    shape: Vec<usize>,
    moves: usize,
}

fn encode<T: Element>(
    args: &EncodeArgs,
    target: Target,
    record: &Tree,
    context: &Context,
    remarks: &mut Vec<String>,
) -> anyhow::Result<Encoded> {
    let replay = record
        .replay(&ReplayOptions::default())
        .map_err(|error| Failure::usage(error.to_string()))?;
    remarks.extend(replay.notes.iter().map(ToString::to_string));
    let samples: Vec<_> = if args.all {
        replay.positions().collect()
    } else {
        let after = args.after.unwrap_or(replay.moves);
        let Some(sample) = replay.position(after) else {
            let moves = counted(replay.moves as u64, "move");
            return Err(Failure::usage(format!("the game has {moves}, not {after}")).into());
        };
        vec![sample]
    };
    let size = replay.game.size();
    let set = args.planes.planes();
    let options = EncodeOptions::default();
    let tensor = encode_samples::<T>(&samples, size, set, &options, context.threads.get())?;
    let tensor = turned(tensor, size, args.symmetry)?;
    write(target, &args.output, &tensor, !args.all)
        .with_context(|| format!("writing {}", args.output.display()))?;
    let first = usize::from(!args.all);
    Ok(Encoded {
        shape: tensor.shape[first..].to_vec(),
        moves: replay.moves,
    })
}

fn turned<T: Element>(tensor: Tensor<T>, size: Size, k: u8) -> anyhow::Result<Tensor<T>> {
    let symmetry = Symmetry::new(k.into())?;
    if symmetry == Symmetry::IDENTITY {
        return Ok(tensor);
    }
    symmetry.check(size)?;
    Ok(Tensor {
        shape: tensor.shape,
        data: symmetry.planes(size, &tensor.data)?,
    })
}

fn write<T: Element>(
    target: Target,
    path: &Path,
    tensor: &Tensor<T>,
    one: bool,
) -> anyhow::Result<()> {
    match target {
        Target::Npy => write_npy(BufWriter::new(File::create(path)?), tensor, one)?,
        Target::Npz => {
            let file = BufWriter::new(File::create(path)?);
            // An archive holds all arrays with four dimensions.
            write_npz(file, &[("planes", tensor)])?;
        }
        Target::Stdout => {
            let mut stdout = BufWriter::new(io::stdout().lock());
            write_npy(&mut stdout, tensor, one)?;
            stdout.flush()?;
        }
    }
    Ok(())
}

impl Encoded {
    fn answer(self, args: &EncodeArgs, remarks: Vec<String>) -> Written {
        Written {
            file: args.output.display().to_string(),
            planes: args.planes.planes().name(),
            shape: self.shape,
            dtype: if args.dtype == Dtype::U8 { "u8" } else { "f32" },
            symmetry: args.symmetry,
            moves: self.moves,
            remarks,
        }
    }
}

struct Written {
    file: String,
    planes: &'static str,
    shape: Vec<usize>,
    dtype: &'static str,
    symmetry: u8,
    moves: usize,
    remarks: Vec<String>,
}

impl Answer for Written {
    fn json(&self) -> Json {
        json!({
            "file": self.file,
            "planes": self.planes,
            "shape": self.shape,
            "dtype": self.dtype,
            "symmetry": self.symmetry,
            "moves": self.moves,
            "remarks": self.remarks,
        })
    }

    fn text(&self, _: Style) -> String {
        let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!(
            "{}: {} planes, shape ({}), {}, of a game of {}",
            self.file,
            self.planes,
            shape.join(", "),
            self.dtype,
            counted(self.moves as u64, "move"),
        )
    }
}
