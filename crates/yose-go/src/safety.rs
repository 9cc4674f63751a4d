//! Which stones are safe.
//!
//! Two levels, never mixed: [`benson`] finds chains that live although their owner never answers.

mod benson;

pub use benson::{BensonForm, Life, benson, benson_with};
