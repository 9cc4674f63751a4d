//! A partitioned game solved by several processes, on one host or on many.
//!
//! Every process is a worker and owns some cells of a [`Partition`](yose_retro::partition::Partition);
//! of the cells that it reads besides, it keeps copies of the won sets. A solve goes ply by ply, in
//! supersteps: what is decided in a cell at a ply goes as compressed blocks to the workers that read the
//! cell. Between two supersteps nothing is under way, so a checkpoint is what the workers hold.
//!
//! The network is [`timely`]'s. It has no way to go on without a peer, so the processes end when one is
//! [lost](on_lost_peer), and a [`Supervisor`] starts all again from the last checkpoint.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::time::Duration;
//!
//! use yose_cluster::{Options, Seat, solve};
//! use yose_retro::partition::Numbers;
//! use yose_shogi::kernel::{Decided, Slices};
//! use yose_shogi::{DropShogi, Inventory, Variant};
//! use yose_store::{Identity, Location, Mode};
//!
//! let variant = Variant::built_in("shogi4").expect("built in");
//! let inventory = Inventory::parse("P", &variant)?;
//! let game = DropShogi::new(variant, inventory)?;
//! let slices = Slices::new(game.variant(), game.index());
//! let directory = tempfile::tempdir()?;
//! let options = Options {
//!     identity: Identity::new().with("game", "shogi4").with("pieces", "P"),
//!     build: "an example".to_owned(),
//!     depth: true,
//!     checkpoints: Location::directory(directory.path().join("scratch")),
//!     mode: Mode::Fresh,
//!     every: Duration::from_secs(600),
//!     threads: 1,
//!     window: 64,
//!     patience: Duration::from_secs(60),
//!     silence: Duration::from_secs(60),
//! };
//! // Two workers as threads; on hosts each would take `Seat::at(&hosts, process)`.
//! let solved = std::thread::scope(|scope| {
//!     let workers: Vec<_> = Seat::threads(2)
//!         .into_iter()
//!         .map(|seat| {
//!             let (slices, options) = (&slices, &options);
//!             scope.spawn(move || solve(slices, seat, options, &mut |_| ControlFlow::Continue(())))
//!         })
//!         .collect();
//!     workers.into_iter().filter_map(|worker| worker.join().expect("no panic").transpose()).next()
//! });
//! let solved = solved.expect("the leader has it")?;
//! assert_eq!(solved.levels::<Decided>()?.len(), 28);
//! assert!(!solved.values(&slices, 0, Numbers::Depths(1))?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod checkpoint;
mod engine;
mod error;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod hello;
mod hosts;
mod lost;
mod map;
mod mesh;
mod network;
mod parallel;
mod solved;
mod state;
mod supervisor;

pub use engine::{Options, Step, solve};
pub use error::{ClusterError, HostsError, Mismatch};
pub use hosts::Hosts;
pub use lost::on_lost_peer;
pub use map::Map;
pub use mesh::Seat;
pub use solved::Solved;
pub use state::needs;
pub use supervisor::{Ended, LOST_PEER, STOP, Supervisor};
