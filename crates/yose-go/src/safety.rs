//! Which stones are safe.
//!
//! Two levels, never mixed. [`benson()`] finds chains that live although their owner never answers.
//! [`alternate_safety`] finds further chains that live if their owner answers each move of the enemy
//! in the region where it was played.

/// The examples of `docs/safety.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/safety.md")]
struct Page;

mod alternate;
mod area;
mod benson;

pub use alternate::{AlternateGroup, AlternateLimits, AlternateSafety, alternate_safety};
pub use benson::{BensonForm, Life, benson, benson_with};
