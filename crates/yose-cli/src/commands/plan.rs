//! `yose plan`: what a solve will take and cost, before it starts.

use clap::Args;
use serde_json::{Value as Json, json};
use yose_disk::Order;
use yose_retro::partition::Partition;
use yose_shogi::kernel::Slices;
use yose_shogi::{Counts, Index, Inventory, Variant};

use crate::args::{PiecesArg, VariantArg};
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::memory;
use crate::output::{Answer, Style, Table, grouped};
use crate::shogi::cost::{self, Size};
use crate::shogi::cuts;

/// Say what solving will take: storage, disk and network traffic, time and money.
///
/// Positions and storage are exact. Time comes from this machine's speed, which is measured on a
/// small game, and from what larger ones cost more where that was measured; beyond it is given as a
/// range. Prices are assumptions to be replaced by your own.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  yose plan shogi4
  yose plan shogi4 --nodes 8 --disk 20GB/s
  yose plan shogi4 --pieces PPTRF --speed 1.2e7")]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    pieces: PiecesArg,
    /// Number of machines.
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: u32,
    /// What the disks of one machine read and write, bytes per second.
    #[arg(long, value_name = "RATE", default_value = "5GB/s", value_parser = rate)]
    disk: u64,
    /// What the network of one machine carries, bytes per second.
    #[arg(long, value_name = "RATE", default_value = "1.25GB/s", value_parser = rate)]
    network: u64,
    /// Memory of one machine.
    #[arg(long, value_name = "SIZE", default_value = "256GiB", value_parser = memory::parse)]
    node_memory: u64,
    /// Cores of one machine.
    #[arg(long, value_name = "N", default_value = "64")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    cores: u32,
    /// Positions that one core solves in a second, of Shogi4 PFR, folded and with kings apart. Left
    /// out: measured now, which takes a second or two.
    #[arg(long, value_name = "NUMBER", value_parser = speed)]
    speed: Option<f64>,
    /// Price of one core for one hour, machine, memory and network included.
    #[arg(long, value_name = "PRICE", default_value = "0.04", value_parser = price)]
    core_hour: f64,
    /// Price of 1 TB of disk for one hour.
    #[arg(long, value_name = "PRICE", default_value = "0.10", value_parser = price)]
    terabyte_hour: f64,
}

/// A size per second.
fn rate(text: &str) -> Result<u64, String> {
    match memory::parse(text.trim().trim_end_matches("/s"))? {
        0 => Err("nothing would ever end at a rate of 0".to_owned()),
        rate => Ok(rate),
    }
}

fn speed(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| format!("'{text}' is not a number"))?;
    (1.0..=1e15)
        .contains(&number)
        .then_some(number)
        .ok_or_else(|| format!("expected a number of positions from 1 to 1e15, got {text}"))
}

fn price(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| format!("'{text}' is not a number"))?;
    let good = number.is_finite() && number >= 0.0;
    good.then_some(number)
        .ok_or_else(|| format!("expected a price of at least 0, got {text}"))
}

pub(crate) fn run(args: &PlanArgs, context: &Context) -> anyhow::Result<Exit> {
    let variant = args.variant.load()?;
    let inventory = args.pieces.inventory(&variant)?;
    let failed = |error: &dyn std::fmt::Display| {
        Failure::usage(format!("planning {}: {error}", variant.name))
    };
    let counts = Counts::new(&variant, &inventory).map_err(|error| failed(&error))?;
    let index = Index::new(&variant, &inventory).map_err(|error| failed(&error))?;
    let size = Size::new(&counts, &index);
    let memory = Memory::new(args, size, &variant, &index);
    let speed = match args.speed {
        Some(speed) => speed,
        None => cost::measure()?,
    };
    context.answer(&Plan::new(args, variant, inventory, size, memory, speed))?;
    Ok(Exit::Answer)
}

/// What the solvers ask for.
#[derive(Debug)]
struct Memory {
    /// Bytes to solve without disk: of all machines together, and of the one that needs most.
    all: u64,
    most: u64,
    /// Bytes to solve with files on one machine with one thread, at least.
    scratch: u64,
    /// Bytes of disk that files may take.
    disk: u64,
    /// How many threads can solve with files on one machine; into how many cells the game is cut for them, and
    /// whether these are parts of slices.
    threads: u32,
    cells: usize,
    is_cut: bool,
    /// How many machines can have work.
    orbits: usize,
}

impl Memory {
    fn new(args: &PlanArgs, size: Size, variant: &Variant, index: &Index) -> Memory {
        let slices = &Slices::new(variant, index);
        let mut orbits: Vec<usize> = (0..slices.cells()).map(|cell| slices.orbit(cell)).collect();
        orbits.sort_unstable();
        orbits.dedup();
        let machines = orbits.len().min(args.nodes as usize);
        let needs = match args.nodes {
            1 => vec![size.memory_bytes],
            _ => yose_cluster::needs(slices, machines, args.cores as usize),
        };
        let (mut scratch, mut threads) = (u64::MAX, 0);
        let (mut disk, mut cells, mut is_cut) = (0, slices.cells(), false);
        for cut in cuts(variant, index) {
            let needs = |threads| yose_disk::needs(&cut, threads, Order::Inbox);
            let one = needs(1);
            scratch = scratch.min(memory::with_waste(one.working + one.bookkeeping));
            // Several threads need more each, and all of them as much.
            let each = memory::with_waste(needs(2).working) / 2;
            let room = args
                .node_memory
                .saturating_sub(memory::with_waste(one.bookkeeping));
            let fit = u32::try_from(room / each.max(1)).unwrap_or(u32::MAX);
            let fit = fit.max(u32::from(memory::with_waste(one.working) <= room));
            // If nothing fits, the smallest cells come nearest.
            if threads == 0 || fit.min(args.cores) > threads {
                threads = fit.min(args.cores);
                (disk, cells, is_cut) = (one.disk, cut.cells(), cut.pinned() > 0);
            }
        }
        Memory {
            threads,
            cells,
            is_cut,
            all: needs
                .iter()
                .fold(0, |sum, &bytes| bytes.saturating_add(sum)),
            most: needs.into_iter().max().unwrap_or(0),
            scratch,
            disk,
            orbits: orbits.len(),
        }
    }
}

struct Plan<'a> {
    args: &'a PlanArgs,
    variant: Variant,
    inventory: Inventory,
    size: Size,
    memory: Memory,
    speed: f64,
    in_memory: bool,
    disk_bytes: u64,
    io_bytes: u64,
    network_bytes: u64,
    /// At least, at most, and the geometric mean of both.
    core_hours: [f64; 3],
    /// Hours by processors, disks and network; the greatest is the time it takes.
    hours: [f64; 3],
    cost: f64,
}

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "estimates, none negative"
)]
impl Plan<'_> {
    fn new(
        args: &PlanArgs,
        variant: Variant,
        inventory: Inventory,
        size: Size,
        memory: Memory,
        speed: f64,
    ) -> Plan<'_> {
        let nodes = f64::from(args.nodes);
        let in_memory = memory.most <= args.node_memory;
        // In memory: one checkpoint and the table.
        let (traffic, disk_bytes) = match in_memory {
            true => (2, size.state_bytes),
            false => (cost::traffic(memory.is_cut), memory.disk),
        };
        let io_bytes = size.state_bytes.saturating_mul(traffic);
        let network = size.canonical as f64 * cost::FRONTIER_BYTES * cost::copies(args.nodes);
        let (low, high) = size.weight();
        let work = cost::work(memory.is_cut && !in_memory);
        let small = size.apart as f64 / speed / 3600.0 * work;
        let core_hours = [small * low, small * high, small * (low * high).sqrt()];
        // With files only so many threads have an orbit at hand; one, if nothing fits.
        let cores = match args.nodes == 1 && !in_memory {
            true => f64::from(memory.threads.max(1)),
            false => nodes * f64::from(args.cores),
        };
        let hours = [
            core_hours[2] / cores,
            io_bytes as f64 / (nodes * args.disk as f64) / 3600.0,
            // What one sends, another receives at the same time.
            network / (nodes * args.network as f64) / 3600.0,
        ];
        let time = hours.iter().fold(0.0_f64, |most, &hours| most.max(hours));
        let disk = disk_bytes as f64 / 1e12 * args.terabyte_hour;
        let machines = nodes * f64::from(args.cores) * args.core_hour;
        Plan {
            args,
            variant,
            inventory,
            size,
            memory,
            speed,
            in_memory,
            disk_bytes,
            io_bytes,
            network_bytes: network as u64,
            core_hours,
            hours,
            cost: time * (machines + disk),
        }
    }

    fn time(&self) -> f64 {
        self.hours.iter().fold(0.0, |most, &hours| most.max(hours))
    }

    /// What stands against it today.
    fn obstacles(&self) -> Vec<String> {
        let (args, memory) = (self.args, &self.memory);
        let mut obstacles = Vec::new();
        if args.nodes as usize > memory.orbits {
            obstacles.push(format!(
                "{} machines at most can have work: each orbit of cells belongs to one",
                memory.orbits
            ));
        }
        let has = memory::format(args.node_memory);
        if !self.in_memory && args.nodes > 1 {
            obstacles.push(format!(
                "several machines keep all cells in memory, which takes {} of the one that has most, and \
                 it has {has}: only one machine can use its disks (--scratch)",
                memory::format(memory.most)
            ));
        }
        if !self.in_memory && args.nodes == 1 && memory.scratch > args.node_memory {
            obstacles.push(format!(
                "with files a solve takes {} of memory at least, with one thread, and the machine has {has}",
                memory::format(memory.scratch)
            ));
        }
        obstacles
    }

    fn assumptions(&self) -> Vec<String> {
        let args = self.args;
        let speed = if args.speed.is_some() {
            "as given"
        } else {
            "measured now"
        };
        let traffic = if self.in_memory {
            "the state fits into memory: one checkpoint and the table are written".to_owned()
        } else {
            format!(
                "the state lies on disk, not compressed, in {} cells: {} bytes read and written for each of it \
                 (measured on Shogi4 PTRF {})",
                grouped(self.memory.cells as u64),
                cost::traffic(self.memory.is_cut),
                match self.memory.is_cut {
                    true => "cut by the squares of one kind",
                    false => "with a tenth in memory",
                }
            )
        };
        let mut assumptions = vec![
            format!(
                "{:.3e} positions a second on one core for Shogi4 PFR ({speed})",
                self.speed
            ),
            format!(
                "a position here costs {:.1} to {:.1} times as much (measured up to Shogi4 PPTRF)",
                self.size.weight().0,
                self.size.weight().1
            ),
            traffic,
            format!(
                "{:.3} bytes of frontiers for each position, sent {:.2} times (from Shogi4 PTRF)",
                cost::FRONTIER_BYTES,
                cost::copies(args.nodes)
            ),
            format!(
                "{} x {} cores, {} of memory, disk {}/s, network {}/s",
                args.nodes,
                args.cores,
                memory::format(args.node_memory),
                memory::format(args.disk),
                memory::format(args.network)
            ),
            format!(
                "{} for a core-hour, {} for a terabyte-hour of disk; all cores are paid for as long \
                 as it takes",
                args.core_hour, args.terabyte_hour
            ),
        ];
        if !self.in_memory && self.memory.is_cut {
            assumptions.push(format!(
                "parts of slices take {:.1} times the work of whole ones (measured on Shogi4 PTRF)",
                cost::work(true)
            ));
        }
        if !self.in_memory && args.nodes == 1 && (1..args.cores).contains(&self.memory.threads) {
            assumptions.push(format!(
                "{} of the {} cores work, since each holds an orbit of cells",
                self.memory.threads, args.cores
            ));
        }
        assumptions
    }
}

/// Three figures are more than an estimate has.
fn rounded(number: f64) -> Json {
    let digits = format!("{number:.3e}");
    digits.parse::<f64>().map_or(Json::Null, Json::from)
}

/// A JSON number; beyond 64 bits, where readers would lose digits, a string.
fn number(number: u128) -> Json {
    u64::try_from(number).map_or_else(|_| Json::from(number.to_string()), Json::from)
}

impl Answer for Plan<'_> {
    fn json(&self) -> Json {
        json!({
            "variant": self.variant.name,
            "pieces": self.inventory.text(&self.variant),
            "canonical": number(self.size.canonical),
            "canonical_kings_apart": number(self.size.apart),
            "slots": self.size.slots,
            "state_bytes": self.size.state_bytes,
            "memory_bytes": self.memory.all,
            "scratch_memory_bytes": self.memory.scratch,
            "disk_bytes": self.disk_bytes,
            "io_bytes": self.io_bytes,
            "network_bytes": self.network_bytes,
            "core_hours": rounded(self.core_hours[2]),
            "core_hours_range": [rounded(self.core_hours[0]), rounded(self.core_hours[1])],
            "hours": {
                "processors": rounded(self.hours[0]),
                "disk": rounded(self.hours[1]),
                "network": rounded(self.hours[2]),
            },
            "cost": rounded(self.cost),
            "speed": rounded(self.speed),
            "assumptions": self.assumptions(),
            "obstacles": self.obstacles(),
        })
    }

    fn text(&self, style: Style) -> String {
        let mut table = Table::new(&["what", "#how much"]);
        let hours = |hours: f64| {
            if hours < 0.1 {
                format!("{:.1} s", hours * 3600.0)
            } else {
                format!("{hours:.1} h")
            }
        };
        let core_hours = |hours: f64| {
            if hours < 0.1 {
                format!("{hours:.2e}")
            } else {
                format!("{hours:.1}")
            }
        };
        for (what, much) in [
            ("canonical positions", grouped(self.size.canonical)),
            ("of them with kings apart", grouped(self.size.apart)),
            ("slots of the index", grouped(self.size.slots)),
            (
                "state, two bits a slot",
                memory::format(self.size.state_bytes),
            ),
            (
                "memory to solve without disk",
                memory::format(self.memory.all),
            ),
            (
                "memory to solve with files, at least",
                memory::format(self.memory.scratch),
            ),
            ("disk, at most", memory::format(self.disk_bytes)),
            ("disk traffic", memory::format(self.io_bytes)),
            ("network traffic", memory::format(self.network_bytes)),
            ("core-hours", core_hours(self.core_hours[2])),
            ("  at least", core_hours(self.core_hours[0])),
            ("  at most", core_hours(self.core_hours[1])),
            ("time of the processors", hours(self.hours[0])),
            ("time of the disks", hours(self.hours[1])),
            ("time of the network", hours(self.hours[2])),
            ("time, the longest of these", hours(self.time())),
            ("cost", format!("{:.2}", self.cost)),
        ] {
            table.row([what.to_owned(), much]);
        }
        let list = |title: &str, lines: &[String]| {
            let lines: String = lines.iter().map(|line| format!("  - {line}\n")).collect();
            match lines.is_empty() {
                true => lines,
                false => format!("\n  {title}:\n{lines}"),
            }
        };
        format!(
            "{} with {}\n\n{}{}{}",
            style.strong(&self.variant.name),
            self.inventory.text(&self.variant),
            table.render(style),
            list("This cannot be started with yose today", &self.obstacles()),
            list("Assumed", &self.assumptions()),
        )
    }
}
