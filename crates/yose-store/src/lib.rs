//! Checkpoints that survive: the state of a long computation on disk or in an object store.
//!
//! A computation keeps *objects*: named byte strings, from a few bytes to many GB. It *publishes*
//! generations: sets of objects with a few bytes of its own. The newest generation that is whole is
//! the state, whatever happens: a process killed at any moment, a full disk, a power cut, a writer
//! that was thought dead and comes back.
//!
//! - **Objects never change.** Each gets a file name of its own, with the generation it is for and
//!   the writer. Blocks of 256 KiB, compressed or not, each under a checksum; lengths and digest in
//!   the manifest. No byte is given to a caller before it was checked, and no allocation is sized by
//!   a number that was not.
//! - **A generation is one file**, its manifest, which is *created* under the next number and never
//!   replaced. Creating fails if the number is taken: so of two writers one learns that it is
//!   [fenced off](StoreError::Fenced). It works alike on a local disk and on S3.
//! - **The last two generations are kept.** If one is damaged, the one before is used, and
//!   [said so](Note::Skipped).
//! - **fsync only when publishing**: first the objects, then their directory, then the manifest and
//!   its directory.
//! - **An [identity]** stands in every manifest. The state of another game, with other rules or
//!   of another partition is [recognised](StoreError::Foreign).
//!
//! One process, the leader, publishes. Others may [join](Store::join), put objects and send it
//! their [descriptions](Object::to_bytes).
//!
//! ```
//! use yose_store::{Coding, Identity, Location, Mode, Store};
//!
//! # let directory = tempfile::tempdir()?;
//! let scratch = Location::directory(directory.path().join("scratch"));
//! let identity = Identity::new().with("game", "shogi4").with("pieces", "PF");
//!
//! let store = Store::open(&scratch, &identity, Mode::Fresh)?;
//! let cell = store.put("cell-0", &[7; 100_000], Coding::default())?;
//! store.publish(vec![cell], b"superstep 1")?;
//! drop(store);
//!
//! let store = Store::open(&scratch, &identity, Mode::Resume)?;
//! let state = store.latest();
//! assert_eq!(state.payload(), Some(&b"superstep 1"[..]));
//! let cell = state.object("cell-0").expect("published above");
//! assert_eq!(store.read_all(cell)?, [7; 100_000]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The calls block. With a remote store they must not be made from within a `tokio` runtime.
//!
//! [identity]: Identity

mod backing;
mod bytes;
mod error;
mod format;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod identity;
mod location;
mod manifest;
mod object;
mod opening;
mod store;
mod stream;

pub use error::{Owner, StoreError};
pub use format::Coding;
pub use identity::Identity;
pub use location::Location;
pub use manifest::Generation;
pub use object::{LONGEST_NAME, Object};
pub use store::{Mode, Note, Store, Ticket};
pub use stream::{ObjectReader, ObjectWriter};
